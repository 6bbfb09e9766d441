/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_SHADOWING_FIELD_H
#define D2D_SHADOWING_FIELD_H

#include "ns3/d2d-counter-random.h"
#include "ns3/vector.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief A standard normal number for each link and each two places of its ends, of which nothing
 * is remembered.
 *
 * The autocorrelation of a link's number is exp(-(d_a + d_b)) if its ends are at distances d_a and
 * d_b from where they were, whichever way they went. It is a sum of sinusoids (spectral method, M.
 * Shinozuka and G. Deodatis, "Simulation of stochastic processes by spectral representation",
 * 1991): X = sqrt(2 / M) sum_m cos(k_m a + l_m b + phi_m). A wave vector k with the density
 * 1 / (pi^2 (1 + k^2)^2), which is the Fourier transform of exp(-d) in space, has
 * E cos(k d) = exp(-d). Links choose their pairs of wave vectors from one table, and their phases,
 * by chance, so that they are independent but for the table.
 */
class D2dShadowingField
{
  public:
    /// @param random random variable that draws the wave vectors and what links choose
    explicit D2dShadowingField(const D2dCounterRandom& random);

    /// @param from the first node of a link
    /// @param to the second one
    /// @param first where the first node is, in units of the decorrelation distance
    /// @param second where the second one is
    /// @return X of the link there
    double GetValue(uint32_t from, uint32_t to, const Vector& first, const Vector& second) const;

  private:
    /// Wave vectors of one sinusoid
    struct Waves
    {
        Vector first;  //!< k
        Vector second; //!< l
    };

    D2dCounterRandom m_random;  //!< draws what links choose
    std::vector<Waves> m_waves; //!< the table
};

} // namespace ns3::collab

#endif /* D2D_SHADOWING_FIELD_H */
