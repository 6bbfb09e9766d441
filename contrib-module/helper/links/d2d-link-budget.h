/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_LINK_BUDGET_H
#define D2D_LINK_BUDGET_H

#include <optional>

namespace ns3::collab
{

// Of radios that are as by default, over log-distance path loss with Rayleigh fading.

/// @ingroup collab-helper
/// @brief Path loss at which a link has a given outage probability: the inverse of eq. (18) of
/// Wagle et al.
/// @param outage the outage probability
/// @param spectralEfficiency rate of the transmission; by default that of the attribute [bit/s/Hz]
/// @return the path loss [dB]
double GetLossForOutage(double outage, std::optional<double> spectralEfficiency = std::nullopt);

/// @ingroup collab-helper
/// @param outage an outage probability
/// @param spectralEfficiency see GetLossForOutage()
/// @return distance at which a link has it [m]
double GetDistanceForOutage(double outage, std::optional<double> spectralEfficiency = std::nullopt);

/// @ingroup collab-helper
/// @param distance of a link [m]
/// @param spectralEfficiency see GetLossForOutage()
/// @return its outage probability
double GetOutageForDistance(double distance,
                            std::optional<double> spectralEfficiency = std::nullopt);

/// @ingroup collab-helper
/// @brief Transmit power at which a link has a given outage probability.
/// @param outage the outage probability
/// @param distance distance between the two [m]
/// @return the power [dBm]
double GetPowerForOutage(double outage, double distance);

} // namespace ns3::collab

#endif /* D2D_LINK_BUDGET_H */
