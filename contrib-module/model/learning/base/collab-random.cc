/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-random.h"

#include "collab-check-argument.h"

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3::collab
{

uint64_t
SplitMix64(uint64_t state)
{
    uint64_t mixed = state + 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
}

uint64_t
DeriveSeed(uint64_t seed, uint64_t run, uint64_t device, RandomPurpose purpose)
{
    uint64_t mixed = SplitMix64(seed);
    for (uint64_t argument : {run, device, static_cast<uint64_t>(purpose)})
    {
        mixed = SplitMix64(mixed ^ argument);
    }
    return mixed;
}

std::vector<uint32_t>
DrawPermutation(uint32_t size, RandomGenerator& generator)
{
    std::vector<uint32_t> permutation(size);
    std::iota(permutation.begin(), permutation.end(), 0U);
    for (uint32_t left = size; left > 1; --left) // Fisher-Yates, from the back
    {
        boost::random::uniform_int_distribution<uint32_t> draw(0, left - 1);
        std::swap(permutation[left - 1], permutation[draw(generator)]);
    }
    return permutation;
}

std::vector<uint32_t>
Shuffled(const std::vector<uint32_t>& values, RandomGenerator& generator)
{
    std::vector<uint32_t> shuffled =
        DrawPermutation(static_cast<uint32_t>(values.size()), generator);
    for (uint32_t& value : shuffled)
    {
        value = values[value];
    }
    return shuffled;
}

std::vector<uint32_t>
DrawIndices(std::size_t dimension, uint32_t count, uint64_t seed)
{
    RandomGenerator generator(seed);
    std::vector<bool> chosen(dimension, false);
    for (auto last = static_cast<uint32_t>(dimension - count); last < dimension; ++last)
    {
        boost::random::uniform_int_distribution<uint32_t> draw(0, last);
        const uint32_t index = draw(generator);
        chosen[chosen[index] ? last : index] = true;
    }
    std::vector<uint32_t> indices;
    for (uint32_t index = 0; index < dimension; ++index)
    {
        if (chosen[index])
        {
            indices.push_back(index);
        }
    }
    return indices;
}

void
CheckDirichletAlpha(double alpha)
{
    constexpr double LEAST_ALPHA = 1e-6;
    CheckArgument(alpha >= LEAST_ALPHA && std::isfinite(alpha),
                  "alpha {}, allowed are finite values from {}",
                  alpha,
                  LEAST_ALPHA);
}

std::vector<double>
DrawDirichlet(uint32_t size, double alpha, RandomGenerator& generator)
{
    boost::random::gamma_distribution<double> drawGamma(alpha + 1);
    boost::random::exponential_distribution<double> drawExponential;
    std::vector<double> proportions(size);
    for (double& logarithm : proportions)
    {
        const double gamma = drawGamma(generator);
        logarithm = std::log(gamma) - drawExponential(generator) / alpha;
    }
    const double greatest = *std::max_element(proportions.begin(), proportions.end());
    double sum = 0;
    for (double& proportion : proportions)
    {
        proportion = std::exp(proportion - greatest);
        sum += proportion;
    }
    for (double& proportion : proportions)
    {
        proportion /= sum;
    }
    return proportions;
}

} // namespace ns3::collab
