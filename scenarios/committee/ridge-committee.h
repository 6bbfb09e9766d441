/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RIDGE_COMMITTEE_H
#define RIDGE_COMMITTEE_H

#include "ns3/committee-score.h"
#include "ns3/committee-theory.h"

#include <cstdint>
#include <vector>

/// How the committee mechanism runs on ridge regression
struct RidgeCommitteeOptions
{
    /// which gradients are accepted
    ns3::collab::SelectionStrategy selection = ns3::collab::SelectionStrategy::SIMILAR;
    uint64_t rounds = 1000;    //!< rounds; at least 1
    uint32_t clients = 30;     //!< K
    uint32_t training = 15;    //!< n; not below the committee's
    uint32_t committee = 5;    //!< C; committee and training clients together at most K
    double acceptPercent = 40; //!< alpha [%]
    uint32_t localSteps = 1;   //!< tau, iterations in a round; at least 1
    double spread = 0.3;       //!< standard deviation of the clients' true models
    uint64_t problemSeed = 77; //!< of the clients' samples
    uint64_t seed = 1;         //!< of what is random in the run
};

/// What a run measured
struct RidgeCommitteeRun
{
    ns3::collab::ConvergenceConstants constants; //!< of Theorem 1, all of them measured
    std::vector<double> errors;                  //!< F(w) - F* after 1, 2, ... rounds
    std::vector<double> gaps;                    //!< phi(S_a, w) of each iteration
};

/**
 * @brief Run the mathematics of the committee mechanism where all that Theorem 1 asks for is known.
 *
 * Clients have ridge regressions F_k(w) = |X_k w - y_k|^2 / (2 n) + l2 / 2 |w|^2 with two unknowns
 * and equal weights. Mini-batches are of one sample, eta_t = 1 / (mu (t + gamma)) with t the number
 * of iterations; there is no network, and nobody is malicious. As in the proof, the global model
 * takes a step by the gradients of the accepted clients at their local models in each of the tau
 * iterations of a round; members score the last gradients.
 *
 * @return what was measured; the variance is bounded by the mean of the squared gradients
 */
RidgeCommitteeRun RunRidgeCommittee(const RidgeCommitteeOptions& options);

#endif /* RIDGE_COMMITTEE_H */
