/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_EFFECTIVE_WEIGHTS_H
#define BELIEF_CONSENSUS_EFFECTIVE_WEIGHTS_H

#include <cstdint>
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

/// @brief Limit how far others can pull a user: W_ij min(1, r / D_ij), and the rest to itself.
/// @param[in,out] weights of the user itself, and then of others
/// @param distances D_ij of the others' beliefs from its own, one less than there are weights; not
/// negative
/// @param radius r; positive
void ClipWeights(std::vector<double>& weights, const std::vector<double>& distances, double radius);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_EFFECTIVE_WEIGHTS_H */
