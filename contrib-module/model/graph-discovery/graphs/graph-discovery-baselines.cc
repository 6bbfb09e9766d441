/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-baselines.h"

#include "ns3/graph-discovery-checks.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>

namespace ns3::collab
{

namespace
{

/// @param excluded whether each may not be chosen
/// @param isBetter whether the first of two is better than the second
/// @return the best of the others, of equal ones the lowest; NO_PEER if there are none
template <typename IsBetter>
uint32_t
ChooseBest(const std::vector<uint8_t>& excluded, const IsBetter& isBetter)
{
    uint32_t best = NO_PEER;
    for (uint32_t peer = 0; peer < excluded.size(); ++peer)
    {
        if (excluded[peer] == 0 && (best == NO_PEER || isBetter(peer, best)))
        {
            best = peer;
        }
    }
    return best;
}

} // namespace

uint32_t
ChooseClosest(const std::vector<double>& outage, const std::vector<uint8_t>& excluded)
{
    CheckSize("outage", excluded.size(), outage.size());
    return ChooseBest(excluded,
                      [&outage](uint32_t a, uint32_t b) { return outage[a] < outage[b]; });
}

uint32_t
ChooseMostTrusted(const std::vector<uint32_t>& trusted,
                  const std::vector<double>& outage,
                  const std::vector<uint8_t>& excluded)
{
    CheckSize("outage", excluded.size(), outage.size());
    CheckSize("trusted partitions", excluded.size(), trusted.size());
    return ChooseBest(excluded, [&](uint32_t a, uint32_t b) {
        return trusted[a] != trusted[b] ? trusted[a] > trusted[b] : outage[a] < outage[b];
    });
}

uint32_t
ChooseUniform(const std::vector<uint8_t>& excluded, RandomGenerator& generator)
{
    const auto others = std::count(excluded.begin(), excluded.end(), 0);
    if (others == 0)
    {
        return NO_PEER;
    }
    boost::random::uniform_int_distribution<int64_t> draw(0, others - 1);
    int64_t left = draw(generator);
    uint32_t peer = 0;
    while (excluded[peer] != 0 || left-- > 0)
    {
        ++peer;
    }
    return peer;
}

} // namespace ns3::collab
