/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_ANALOG_UPDATE_H
#define FEDERATED_ANALOG_UPDATE_H

#include "federated-analog-messages.h"

#include "ns3/collab-analog-port.h"
#include "ns3/collab-learner.h"

#include <cstdint>
#include <optional>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What a device sends of its change by analog aggregation (Zhu, Wang, Huang,
/// arXiv:1812.11494, section II), and what the server has to know before.
struct AnalogUpdate
{
    FederatedHead head;      //!< what the server has to know
    D2dAnalogValues numbers; //!< n_k (y_k - x), with n_k samples of the device
};

/// @param port to the server
/// @param change y_k - x
/// @param samples n_k
/// @return it; none if the server could not use it, or does not hear the device
std::optional<AnalogUpdate> MakeAnalogUpdate(const AnalogPort& port,
                                             const FlatVector& change,
                                             uint32_t samples);

} // namespace ns3::collab

#endif /* FEDERATED_ANALOG_UPDATE_H */
