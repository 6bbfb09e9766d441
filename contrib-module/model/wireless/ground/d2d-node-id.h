/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_NODE_ID_H
#define D2D_NODE_ID_H

#include "ns3/mobility-model.h"
#include "ns3/propagation-loss-model.h"

#include <cstdint>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @param mobility a mobility model
/// @param model propagation model that asks, for the error
/// @return number of the node that the mobility model is aggregated to
/// @throws UserError if it is aggregated to none
uint32_t GetD2dNodeId(Ptr<const MobilityModel> mobility, const PropagationLossModel& model);

} // namespace ns3::collab

#endif /* D2D_NODE_ID_H */
