/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_POINT_H
#define BELIEF_CONSENSUS_POINT_H

#include "belief-consensus-network.h"

#include <memory>

namespace ns3::collab
{

/**
 * @brief Make a user that believes in one point, the weights of a network: D-PSGD.
 *
 * Decentralized parallel SGD (Lian et al., NeurIPS 2017) in its adapt-then-combine form,
 * x_i <- sum_j W_ij (x_j - gamma g_j(x_j)), what belief consensus is compared with: the update is
 * so many steps of the learner's optimizer, the pool is the average. That of points is the same by
 * every rule but COVARIANCE_INTERSECTION, which is refused.
 *
 * A distance is Euclidean, not a divergence: points have none. Of lies it tells WRONG (weights of
 * the opposite sign), OVERCONFIDENT (weights times the strength) and NOT_A_NUMBER (nothing else).
 *
 * @param config what to build; its learner is not variational, and evidencePower and klScale are 1,
 * as there is no divergence
 * @return the user
 * @throws std::invalid_argument if a value is not allowed
 */
std::unique_ptr<BeliefModel> MakePointBelief(NetworkBeliefConfig config);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_POINT_H */
