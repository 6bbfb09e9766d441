/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_RATES_H
#define BELIEF_RATES_H

#include "belief-theory-inputs.h"

#include "ns3/belief-consensus-recorder.h"
#include "ns3/collab-matrix.h"

#include <vector>

/// @param information I_j(theta*, psi)
/// @param[in,out] rows gets the predicted learning rates appended
void AddRates(const BeliefTheoryInputs& inputs,
              const ns3::collab::Matrix<double>& information,
              std::vector<ns3::collab::BeliefTheoryRow>& rows);

/// @brief Find the powers of likelihoods with which users end at the central posterior.
/// @return by user: 1 / v_j; by gossip, without losses, r_j / (v-bar_j (r_j + q_j)); infinity for
/// who has no influence
/// @throws std::invalid_argument if nobody is heard by all, or times of updates are of any law
std::vector<double> ComputeNetworkPowers(const BeliefTheoryInputs& inputs);

#endif /* BELIEF_RATES_H */
