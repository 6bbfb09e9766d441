/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_DISCRETE_H
#define BELIEF_CONSENSUS_DISCRETE_H

#include "belief-consensus-belief.h"

#include "ns3/collab-matrix.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief What a user can observe: finitely many inputs and labels.
 *
 * No likelihood is 0: a label that a hypothesis excludes would kill it for ever, at all users.
 */
struct DiscreteObserver
{
    std::vector<double> inputs; //!< P_i(x); sums to 1
    /// l_i(y; theta, x) by x: hypotheses x labels, all positive; rows sum to 1
    std::vector<Matrix<double>> likelihoods;
    /// The law that labels have, l_i(y; theta*, x): inputs x labels, rows sum to 1. theta* need not
    /// be one of the hypotheses.
    Matrix<double> truth;
};

/// @ingroup collab
/// @brief A user whose belief is about M hypotheses.
struct DiscreteBeliefConfig
{
    /// What the user observes; a central user observes what everybody does
    std::vector<std::shared_ptr<const DiscreteObserver>> observers;
    /// Of each observer's samples: equal observers with equal seeds see equal samples, whoever has
    /// them
    std::vector<uint64_t> seeds;
    std::vector<uint32_t> best; //!< Theta*_M, ascending; not all hypotheses
    double evidencePower = 1;   //!< log-likelihoods are taken times this
    uint32_t batchSize = 1;     //!< samples of each observer in an instant
    uint32_t replaySamples = 0; //!< 0: every sample counts once; else so many of each observer are
                                //!< drawn at first, and all of them count every instant
    /// Instead of observers, likelihoods of the user's own, as of points of a grid of parameters:
    /// each function draws a new sample, and returns log l_i(y; theta, x) of all hypotheses, finite
    std::vector<std::function<std::vector<double>()>> draws;
    std::size_t hypotheses = 0;   //!< M, if there are draws
    uint64_t drawFlops = 0;       //!< floating-point operations of a call of one of draws
    std::vector<double> logPrior; //!< of each hypothesis, up to a constant; empty: uniform
};

/**
 * @ingroup collab
 * @brief A belief about finitely many hypotheses: the logarithms of their probabilities.
 *
 * They travel with the greatest one subtracted. Nothing but measuring leaves the log domain.
 *
 * A sample is drawn by two calls of boost::random::discrete_distribution, first for the input, then
 * for the label. Each observer has a generator of its own, so how many observers a user has and in
 * which order does not matter to any of them.
 *
 * @param config the user's
 * @return the user
 * @throws std::invalid_argument for what is wrong in the configuration
 */
std::unique_ptr<BeliefModel> MakeDiscreteBelief(DiscreteBeliefConfig config);

/**
 * @ingroup collab
 * @brief An observer of one bit of a word; the hypotheses are all 2^bits words, as numbers.
 *
 * There is one input and the labels are 0 and 1.
 *
 * @param bits of a word; 1 to 20
 * @param bit that is observed; 0 is the lowest one
 * @param probability of label 1 if the bit is 1, and of label 0 if it is 0; between 0 and 1
 * @param truth the true word
 * @return the observer
 * @throws std::invalid_argument if an argument is out of range
 */
DiscreteObserver MakeBitObserver(uint32_t bits, uint32_t bit, double probability, uint32_t truth);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_DISCRETE_H */
