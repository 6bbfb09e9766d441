/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_GAUSSIAN_H
#define BELIEF_CONSENSUS_GAUSSIAN_H

#include "belief-consensus-belief.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Where a user's inputs are: each feature x_d uniform on [low_d, high_d], independently.
 *
 * phi = [1 x^T]^T.
 */
struct LinearObserver
{
    std::vector<double> low;  //!< of each feature
    std::vector<double> high; //!< of each feature; equal to low: a constant
};

/// @ingroup collab
/// @brief A user whose belief is about the p = d + 1 parameters of a linear model.
struct GaussianBeliefConfig
{
    std::vector<double> theta;  //!< theta*, intercept first
    double noise = 0.8;         //!< alpha, the standard deviation of labels around theta*^T phi
    double priorVariance = 0.5; //!< rho^(0) = N(0, priorVariance I)
    /// What the user observes; a central user observes what everybody does
    std::vector<LinearObserver> observers;
    /// Of each observer's samples: equal observers with equal seeds see equal samples, whoever has
    /// them
    std::vector<uint64_t> seeds;
    LinearObserver test;        //!< the law of test inputs
    uint64_t testSeed = 0;      //!< of the test inputs that coverage and NLL are averaged over
    uint32_t testSamples = 200; //!< number of those
    double evidencePower = 1;   //!< log-likelihoods are taken times this
    uint32_t batchSize = 1;     //!< samples of each observer in an instant
    uint32_t replaySamples = 0; //!< 0: every sample counts once; else so many of each observer are
                                //!< drawn at first, and all of them count every instant
};

/**
 * @ingroup collab
 * @brief A Gaussian belief with full covariance about a linear model with known noise.
 *
 * Its numbers are the natural parameters: h = Lambda mu, then the lower triangle of the precision
 * Lambda row by row. They are read by Cholesky's decomposition, never by an inverse.
 *
 * A sample is drawn by one call of boost::random::uniform_01 for each feature, constant or not, in
 * their order, and one of boost::random::normal_distribution for the label. Each observer has a
 * generator of its own, so how many observers a user has and in which order does not matter to any
 * of them.
 *
 * @param config the user's
 * @return the user
 * @throws std::invalid_argument for what is wrong in the configuration
 */
std::unique_ptr<BeliefModel> MakeGaussianBelief(GaussianBeliefConfig config);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_GAUSSIAN_H */
