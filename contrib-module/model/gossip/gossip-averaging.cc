/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-averaging.h"

#include "gossip-merge.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace ns3::collab
{

double
GetMetropolisWeight(uint32_t own, uint32_t other)
{
    return 1.0 / (1.0 + std::max(own, other));
}

std::vector<float>
MixTerms(const std::vector<float>& start,
         const std::vector<float>& own,
         const std::vector<GossipTerm>& neighbors,
         double step)
{
    std::vector<double> sums(start.size());
    for (const auto& [weight, values] : neighbors)
    {
        for (std::size_t i = 0; i < sums.size(); ++i)
        {
            sums[i] += weight * (static_cast<double>((*values)[i]) - own[i]);
        }
    }
    std::vector<float> mixed(start.size());
    for (std::size_t i = 0; i < sums.size(); ++i)
    {
        mixed[i] = static_cast<float>(start[i] + step * sums[i]);
    }
    return mixed;
}

std::vector<float>
MixSuperposed(const std::vector<float>& own,
              const std::vector<float>& means,
              const std::vector<double>& weights,
              std::size_t blockValues)
{
    std::vector<float> mixed(own.size());
    for (std::size_t i = 0; i < own.size(); ++i)
    {
        const double difference = double{means[i]} - own[i];
        mixed[i] = static_cast<float>(own[i] + weights[i / blockValues] * difference);
    }
    return mixed;
}

FlatVector
AddVectors(const std::vector<float>& start, const std::vector<float>& change)
{
    std::vector<float> sum(start.size());
    std::transform(start.begin(), start.end(), change.begin(), sum.begin(), std::plus<>());
    return std::make_shared<const std::vector<float>>(std::move(sum));
}

FlatVector
SubtractVectors(const std::vector<float>& end, const std::vector<float>& start)
{
    std::vector<float> change(end.size());
    std::transform(end.begin(), end.end(), start.begin(), change.begin(), std::minus<>());
    return std::make_shared<const std::vector<float>>(std::move(change));
}

std::vector<uint32_t>
DrawReceivers(const std::vector<uint32_t>& devices,
              uint32_t device,
              uint32_t count,
              uint64_t seed,
              uint32_t round)
{
    std::vector<uint32_t> others;
    std::copy_if(devices.begin(),
                 devices.end(),
                 std::back_inserter(others),
                 [device](uint32_t other) { return other != device; });
    return DrawSources(others, 1, count, SplitMix64(SplitMix64(seed + device) + round))[0];
}

std::vector<uint32_t>
DrawOrdered(const std::vector<uint32_t>& devices, uint32_t count, uint64_t seed, uint32_t round)
{
    const uint64_t own = SplitMix64(SplitMix64(seed) + round);
    RandomGenerator generator(SplitMix64(own));
    auto drawn = Shuffled(DrawIndices(devices.size(), count, own), generator);
    for (uint32_t& device : drawn)
    {
        device = devices[device];
    }
    return drawn;
}

std::size_t
GetExponentialHop(std::size_t devices, uint32_t round)
{
    uint32_t hops = 1;
    while ((std::size_t{1} << hops) < devices)
    {
        ++hops;
    }
    return std::size_t{1} << (round % hops);
}

GossipMass
StepAndHalve(const GossipMass& mass,
             const std::vector<float>& before,
             const std::vector<float>& after)
{
    GossipMass half{mass.x, mass.w / 2};
    for (std::size_t i = 0; i < half.x.size(); ++i)
    {
        const double change = static_cast<double>(after[i]) - before[i];
        half.x[i] = (mass.x[i] + mass.w * change) / 2;
    }
    return half;
}

std::vector<float>
GetRatio(const GossipMass& mass)
{
    std::vector<float> ratio(mass.x.size());
    std::transform(mass.x.begin(), mass.x.end(), ratio.begin(), [&mass](double x) {
        return static_cast<float>(x / mass.w);
    });
    return ratio;
}

} // namespace ns3::collab
