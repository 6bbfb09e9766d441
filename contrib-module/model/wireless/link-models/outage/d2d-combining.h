/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_COMBINING_H
#define D2D_COMBINING_H

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief What a receiver does with transmissions of a fragment that it could not decode.
enum class D2dCombining
{
    NONE,  //!< it forgets them
    CHASE, //!< it adds them up: their signal-to-noise ratios add
};

/**
 * @ingroup collab-wireless
 * @brief What a transmission of a fragment is worth at a receiver: its signal-to-noise ratio,
 * divided by the one that is needed to decode the fragment.
 *
 * Fading makes it random, of a gamma distribution. With chase combining (D. Chase, "Code combining
 * - a maximum-likelihood decoding approach for combining an arbitrary number of noisy packets",
 * 1985; maximum-ratio combining of repetitions) a fragment is decoded as soon as the worths of its
 * transmissions add up to 1. Equal ones that fade independently have a sum of k times the shape and
 * of k times the mean.
 */
struct D2dQuality
{
    double mean = 0;  //!< mean worth; 0 if nothing arrives
    double shape = 1; //!< of the gamma distribution: 1 for Rayleigh fading, infinity for none

    /// @param uniform uniform number in [0, 1)
    /// @return the worth whose probability not to be reached is that
    double GetQuantile(double uniform) const;
    /// @param attempts transmissions
    /// @param held worth of others before
    /// @return probability that the fragment cannot be decoded of all of them
    double GetCombinedOutage(uint32_t attempts, double held = 0) const;
    /// @param most number of transmissions
    /// @param held worth of others before, which did not suffice
    /// @return probabilities that the fragment cannot be decoded after 0, 1, ... most of them
    std::vector<double> GetCombinedOutages(uint32_t most, double held = 0) const;
    /// @param attempts transmissions in vain
    /// @param held worth of others before, which did not suffice
    /// @param uniform uniform number in [0, 1)
    /// @return quantile of the worth of all of them, which do not suffice
    double GetHeldQuantile(uint32_t attempts, double held, double uniform) const;
    /// @param held worth of transmissions
    /// @return whether the fragment can be decoded of them; sums may be rounded
    static bool Suffices(double held);
};

} // namespace ns3::collab

#endif /* D2D_COMBINING_H */
