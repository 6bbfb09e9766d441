/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RANDOM_H
#define COLLAB_RANDOM_H

#include <cstdint>
#include <random>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief What a generator is for; generators of different purposes are independent.
enum class RandomPurpose : uint32_t
{
    PARTITION = 1,    //!< who holds which samples
    LABEL_CORRUPTION, //!< which labels a low-quality agent has
    INITIALIZATION,   //!< initial parameters
    SHUFFLE,          //!< order of samples in an epoch
    PLACEMENT,        //!< where devices stand
    REFERENCE,        //!< which samples are in X*
    SUBSET,           //!< which samples of a data set are used at all
    FEATURE_NOISE,    //!< what a device's sensor adds to its samples
    LABELED_PART,     //!< which samples of a device have labels
    DATA_SET,         //!< samples of generated data sets, parts of unparted ones
    PARTICIPATION,    //!< which devices take part in a round
    COMPRESSION,      //!< what is random when a device compresses what it sends
    ATTACK,           //!< what is random when a device forges what it sends
    TRUST,            //!< which devices trust which others with what
    EXPLORATION,      //!< what a device tries that learns what is best
    PRIVACY,          //!< the noise that makes what a device sends private
    PROTOCOL,         //!< what a protocol draws whose author is not ours
};

/// @brief One output of the generator SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
/// @param state state of the generator before the output; the next one is state +
/// 0x9e3779b97f4a7c15
/// @return the output, a bijective mixing of the state
uint64_t SplitMix64(uint64_t state);

/**
 * @brief Derive the seed of one generator.
 *
 * Mixes its arguments by rounds of SplitMix64, so that near arguments give unrelated seeds and no
 * result depends on the order in which generators are made.
 *
 * @param seed the simulation's seed (RngSeedManager::GetSeed())
 * @param run the simulation's run number (RngSeedManager::GetRun())
 * @param device index of the device, or 0 for what devices share
 * @param purpose what the generator is for
 * @return the seed
 */
uint64_t DeriveSeed(uint64_t seed, uint64_t run, uint64_t device, RandomPurpose purpose);

/**
 * @ingroup collab-learning
 * @brief The generator of everything in the learning core that is not inside LibTorch.
 *
 * Use it with the distributions of Boost.Random, which give the same numbers with every standard
 * library.
 */
using RandomGenerator = std::mt19937_64;

/// @param size number of elements
/// @param generator generator to draw with
/// @return 0 to size - 1 in random order, every order equally likely
std::vector<uint32_t> DrawPermutation(uint32_t size, RandomGenerator& generator);

/// @param values values to be put in random order
/// @param generator generator to draw with
/// @return the same values
std::vector<uint32_t> Shuffled(const std::vector<uint32_t>& values, RandomGenerator& generator);

/// @brief Floyd's sampling (Bentley, Floyd, Commun. ACM 1987), which draws k numbers.
/// @param dimension d
/// @param count k, at most d
/// @param seed seed of the choice
/// @return k of d indices, ascending; every choice is equally likely
std::vector<uint32_t> DrawIndices(std::size_t dimension, uint32_t count, uint64_t seed);

/// @param alpha concentration of a symmetric Dirichlet distribution
/// @throws std::invalid_argument if it is not finite or below 1e-6, where logarithms overflow
void CheckDirichletAlpha(double alpha);

/**
 * @brief Draw from a symmetric Dirichlet distribution.
 *
 * Normalised gamma draws, but by their logarithms: with a small alpha every gamma draw itself may
 * underflow. Gamma(alpha) = Gamma(alpha + 1) U^(1 / alpha), and -log U is exponential.
 *
 * @param size number of proportions; at least 1
 * @param alpha concentration; as CheckDirichletAlpha() allows
 * @param generator generator to draw with
 * @return proportions, which sum to 1
 */
std::vector<double> DrawDirichlet(uint32_t size, double alpha, RandomGenerator& generator);

} // namespace ns3::collab

#endif /* COLLAB_RANDOM_H */
