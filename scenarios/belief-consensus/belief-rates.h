/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_RATES_H
#define BELIEF_RATES_H

#include "belief-losses.h"

#include "ns3/belief-consensus-recorder.h"
#include "ns3/collab-matrix.h"

#include <string>
#include <vector>

/// @return the row of a quantity of which no value is known
ns3::collab::BeliefTheoryRow MakeUnknown(const std::string& quantity, const std::string& reason);

/// @param information I_j(theta*, psi)
/// @param[in,out] rows gets the predicted learning rates appended
void AddRates(const BeliefParameters& p,
              const BeliefTrust& trust,
              const ns3::collab::Matrix<double>& information,
              std::vector<ns3::collab::BeliefTheoryRow>& rows);

/// @brief Find the powers of likelihoods with which users end at the central posterior.
/// @return by user: 1 / v_j; by gossip, without losses, r_j / (v-bar_j (r_j + q_j)); infinity for
/// who has no influence
/// @throws std::invalid_argument if nobody is heard by all, or times of updates are of any law
std::vector<double> ComputeNetworkPowers(const BeliefParameters& p, const BeliefTrust& trust);

#endif /* BELIEF_RATES_H */
