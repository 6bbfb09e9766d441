/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_THEORY_H
#define BELIEF_THEORY_H

#include "belief-parameters.h"

#include "ns3/belief-consensus-mixing.h"
#include "ns3/belief-consensus-recorder.h"
#include "ns3/collab-matrix.h"

#include <ostream>
#include <vector>

/// What the theory of a run depends on
struct BeliefTheoryInputs
{
    const BeliefParameters& p;                 //!< of the run
    const ns3::collab::Matrix<double>& w;      //!< W
    const ns3::collab::Matrix<double>& losses; //!< p_ij
    const ns3::collab::MixingReport& mixing;   //!< of W
};

/**
 * @brief Work out all that is known beforehand of users who pool beliefs.
 *
 * @param inputs of the run
 * @return rows of the table theory
 */
std::vector<ns3::collab::BeliefTheoryRow> ComputeBeliefTheory(const BeliefTheoryInputs& inputs);

/**
 * @brief Find the powers of likelihoods with which users end at the central posterior.
 *
 * @param inputs of the run
 * @return by user: 1 / v_j; by gossip, without losses, r_j / (v-bar_j (r_j + q_j)); infinity for
 * who has no influence
 * @throws std::invalid_argument if nobody is heard by all, or times of updates are of any law
 */
std::vector<double> ComputeNetworkPowers(const BeliefTheoryInputs& inputs);

/**
 * @param inputs of the run
 * @return D = 2 R (1 + S), which honest users of the family discrete never exceed if nothing is
 * lost and all update in common instants [nat]; R is of all samples of an instant
 */
double ComputeHonestRadius(const BeliefTheoryInputs& inputs);

/**
 * @param rows of the table theory
 * @param output gets those that are of all users
 */
void PrintBeliefTheory(const std::vector<ns3::collab::BeliefTheoryRow>& rows, std::ostream& output);

#endif /* BELIEF_THEORY_H */
