/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_WAITS_H
#define COMMITTEE_WAITS_H

#include "committee-scenario.h"

#include "ns3/application-container.h"

/**
 * @brief Set the timeouts that follow from what devices compute and send, where they are not given.
 *
 * - A member that has scored, and knows the gradients of all clients that are fast, waits for the
 *   slowest device, which may have just begun to train, for its gradient, and for the scores of all
 *   members.
 * - A primary has to aggregate, and to tell each other member; with the rule BYZANTINE they
 *   aggregate after it, and may lack a gradient.
 * - Votes and the model wait for gradients of who has the new model already.
 *
 * @param p parameters of the run; gets the timeouts that are in force
 */
void SetTimeouts(CommitteeParameters& p, const ns3::ApplicationContainer& applications);

#endif /* COMMITTEE_WAITS_H */
