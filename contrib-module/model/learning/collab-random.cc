/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-random.h"

#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>
#include <utility>

namespace ns3
{
namespace collab
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

} // namespace collab
} // namespace ns3
