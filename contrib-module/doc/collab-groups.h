/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The groups of the pages that Doxygen makes. No source includes this file.

/**
 * @defgroup collab Collaborative learning over D2D networks
 * @brief Devices that train machine learning models together over a wireless network.
 *
 * A device is a node with a D2D radio, a battery, a processor and a learner. Protocols are ns-3
 * applications; each has its classes in this group itself. What protocols are made of is below.
 */

/**
 * @defgroup collab-helper Helpers and arguments
 * @ingroup collab
 * @brief Classes that a script begins with: they make radios, transports, batteries and
 * applications, and read arguments.
 */

/**
 * @defgroup collab-collaboration Applications and computation
 * @ingroup collab
 * @brief Phases, rounds, deadlines, and the computation of jobs in simulated time.
 */

/**
 * @defgroup collab-messaging Messages
 * @ingroup collab
 * @brief Messages, payloads, and transports over D2D links or any ns-3 socket.
 */

/**
 * @defgroup collab-wireless Radio
 * @ingroup collab
 * @brief Net device, MAC, PHY and channel, transmissions, and models of links.
 */

/**
 * @defgroup collab-energy Energy
 * @ingroup collab
 * @brief Energy of radio and processor by kind, and batteries that run empty.
 */

/**
 * @defgroup collab-learning Learning
 * @ingroup collab
 * @brief Data sets, models, training, aggregation, compression and attacks, without ns-3.
 */

/**
 * @defgroup collab-tracing Tables and progress
 * @ingroup collab
 * @brief Recorders of runs, as CSV or SQLite, and what a run prints.
 */

/**
 * @defgroup collab-test Tests of collab
 * @ingroup collab tests
 */
