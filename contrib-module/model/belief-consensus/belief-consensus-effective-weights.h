/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_EFFECTIVE_WEIGHTS_H
#define BELIEF_CONSENSUS_EFFECTIVE_WEIGHTS_H

#include "ns3/belief-consensus-belief.h"
#include "ns3/collab-matrix.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What a user does about neighbors whose beliefs of an instant did not come.
enum class MissingBeliefPolicy : uint8_t
{
    SELF,        //!< their weights go to the user itself
    RENORMALIZE, //!< their weights go to all that were heard and the user, in proportion
    STALE,       //!< their newest beliefs that have come count; if there is none: RENORMALIZE
};

/// @brief The row of W that is in force when not everybody was heard.
/// @param row W_ij of the neighbors; not negative
/// @param self W_ii
/// @param isThere whether each neighbor's belief can be used
/// @param policy what to do about those that cannot
/// @return the weights of the user itself, and then of the neighbors; they sum to what row and self
/// do. If nobody with a weight is there, the user has it all
std::vector<double> ComputeEffectiveWeights(const std::vector<double>& row,
                                            double self,
                                            const std::vector<bool>& isThere,
                                            MissingBeliefPolicy policy);

/**
 * @brief Complete beliefs that have come in parts, each number by itself.
 *
 * @param[in,out] beliefs the user's own first, which is whole; NaN is a number that has not come
 * @param policy SELF: the user's own number stands in; others: the weighted mean of those that have
 * come, which rescales the weights of each number
 * @return by belief, which share of its numbers is whose: with their weights in a row, times this,
 * are those that are in force, in the mean over numbers
 */
Matrix<double> CompleteBeliefs(std::vector<WeightedBelief>& beliefs, MissingBeliefPolicy policy);

/// @brief The row of W by Metropolis' rule on the graph of an instant (Xiao, Boyd and Lall, "A
/// Scheme for Robust Distributed Sensor Fusion Based on Average Consensus", IPSN 2005): 1 / (1 +
/// greater degree) for whoever was heard.
/// @param degree that the user has told itself; less than it has heard now counts as these
/// @param degrees that the neighbors have told; none of those that were not heard
/// @return W_ij of each neighbor, 0 of those that were not heard; their sum is less than 1
std::vector<double> MakeHeardRow(uint32_t degree,
                                 const std::vector<std::optional<uint32_t>>& degrees);

/// @brief Limit how far others can pull a user: W_ij min(1, r / D_ij), and the rest to itself.
/// @param[in,out] weights of the user itself, and then of others
/// @param distances D_ij of the others' beliefs from its own, one less than there are weights; not
/// negative
/// @param radius r; positive
void ClipWeights(std::vector<double>& weights, const std::vector<double>& distances, double radius);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_EFFECTIVE_WEIGHTS_H */
