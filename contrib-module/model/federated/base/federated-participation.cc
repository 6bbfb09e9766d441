/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-participation.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

namespace ns3::collab
{

std::size_t
CountParticipants(uint32_t devices, double fraction)
{
    CheckArgument(fraction > 0 && fraction <= 1,
                  "fraction {} is not allowed; it must be above 0, at most 1",
                  fraction);
    const auto count = static_cast<std::size_t>(std::llround(fraction * devices));
    return std::min<std::size_t>(std::max<std::size_t>(count, 1), devices);
}

std::vector<uint32_t>
SampleParticipants(uint32_t devices, double fraction, uint64_t seed)
{
    const std::size_t count = CountParticipants(devices, fraction);
    RandomGenerator generator(seed);
    auto order = DrawPermutation(devices, generator);
    order.resize(count);
    std::sort(order.begin(), order.end());
    return order;
}

std::vector<std::vector<uint32_t>>
MakeSets(const std::vector<uint32_t>& devices, uint32_t size)
{
    CheckArgument(size != 0, "sets of 0 devices; there must be 1 or more");
    std::vector<std::vector<uint32_t>> sets;
    for (std::size_t i = 0; i < devices.size(); ++i)
    {
        if (i % size == 0)
        {
            sets.emplace_back();
        }
        sets.back().push_back(devices[i]);
    }
    return sets;
}

std::vector<uint32_t>
SampleOneOfEach(const std::vector<std::vector<uint32_t>>& sets, uint64_t seed)
{
    RandomGenerator generator(seed);
    std::vector<uint32_t> drawn;
    for (const auto& set : sets)
    {
        if (!set.empty())
        {
            boost::random::uniform_int_distribution<std::size_t> place(0, set.size() - 1);
            drawn.push_back(set[place(generator)]);
        }
    }
    std::sort(drawn.begin(), drawn.end());
    return drawn;
}

} // namespace ns3::collab
