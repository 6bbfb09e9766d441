/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_GREATEST_RANGE_H
#define D2D_GREATEST_RANGE_H

#include "ns3/propagation-loss-model.h"

#include <optional>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Find how far a transmission reaches.
 *
 * Possible for chains in which received power is a function that never grows with distance: of
 * ns-3's FriisPropagationLossModel, LogDistancePropagationLossModel,
 * ThreeLogDistancePropagationLossModel, TwoRayGroundPropagationLossModel and
 * RangePropagationLossModel. That power does not grow is also tried out, from 1 mm to 10^9 m,
 * since their attributes allow for it.
 *
 * TwoRayGroundPropagationLossModel delivers more power the higher the antennas are: the result
 * holds for devices that are at the given height or lower, and not below the ground.
 *
 * @param chain head of the chain of models
 * @param txPowerDbm transmit power [dBm]
 * @param rxPowerDbm received power that is needed [dBm]
 * @param height greatest z coordinate of a device [m]
 * @return the greatest distance at which that power is received [m]: 0 if it never is, infinite if
 * it still is at 10^9 m; nothing if there is any other model in the chain, or power grows somewhere
 */
std::optional<double> FindD2dGreatestRange(Ptr<PropagationLossModel> chain,
                                           double txPowerDbm,
                                           double rxPowerDbm,
                                           double height = 0);

} // namespace ns3::collab

#endif /* D2D_GREATEST_RANGE_H */
