/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_SITE_H
#define BELIEF_CONSENSUS_SITE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @brief What a user has put into beliefs of independent Gaussians: its site of partitioned
 * variational inference (Ashman et al., arXiv:2202.12275), so that replay counts its data once.
 *
 * Natural parameters are (h, t) = (m / s^2, 1 / s^2), which (3) averages: for any W, sum_i v_i of
 * users' natural parameters changes by sum_i v_i of what updates add (dynamic average consensus).
 * With the site l_i = sum of what the user's updates have added, a belief tends to the prior plus
 * sum_j v_j l_j, of which v_i l_i are the user's own: without these it is the cavity, the prior of
 * the next update. The damped step l_i += (update of the cavity) - belief has its fixed point where
 * v_i l_i is the likelihood to the power that the update gives to it.
 */
class BeliefSite
{
  public:
    /// The precision of a cavity is at least that of the belief times this
    static constexpr double LEAST_SHARE = 0.01;
    /// Operations of MakeCavity() and Add() a weight: natural parameters 3, share 4, comparison 2,
    /// mean and deviation 3; natural parameters 6, differences and sums 4
    static constexpr uint64_t FLOPS = 22;

    /// @param influence v_i; over 0, at most 1
    /// @param weights number of weights
    /// @throws std::invalid_argument if the influence is not allowed
    BeliefSite(double influence, std::size_t weights);

    /// @param influence v_i from now on; over 0, at most 1
    /// @throws std::invalid_argument if it is not allowed
    void SetInfluence(double influence);
    /// @return v_i
    double GetInfluence() const;

    /// @param belief all means, then all standard deviations
    /// @return the same without the user's own share
    std::vector<double> MakeCavity(const std::vector<double>& belief) const;
    /// @brief Note what an update has added.
    /// @param before the belief before it
    /// @param after the belief after it
    void Add(const std::vector<double>& before, const std::vector<double>& after);

  private:
    double m_influence;               //!< v_i
    std::vector<double> m_products;   //!< h of the site
    std::vector<double> m_precisions; //!< t of the site
};

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_SITE_H */
