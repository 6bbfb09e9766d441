/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-merge.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

namespace ns3::collab
{

std::vector<float>
MergeParts(const std::vector<float>& own, double samples, const std::vector<GossipPart>& parts)
{
    std::vector<double> sums(own.size());
    std::vector<double> sizes(own.size(), samples);
    std::transform(
        own.begin(), own.end(), sums.begin(), [samples](float weight) { return samples * weight; });
    for (const auto& part : parts)
    {
        CheckArgument(part.first <= own.size() && part.count <= own.size() - part.first &&
                          samples > 0 && part.samples > 0,
                      "a part of {} weights from {} on, of {} samples, for a model of {}",
                      part.count,
                      part.first,
                      part.samples,
                      own.size());
        const bool isWhole = part.arrived.IsWhole();
        const std::size_t values = isWhole ? part.count : part.arrived.units.size();
        for (std::size_t i = 0; i < values; ++i)
        {
            const std::size_t place = part.first + (isWhole ? i : part.arrived.units[i]);
            sums[place] += part.samples * part.values[i];
            sizes[place] += part.samples;
        }
    }
    std::vector<float> merged(own.size());
    for (std::size_t i = 0; i < own.size(); ++i)
    {
        merged[i] = static_cast<float>(sums[i] / sizes[i]);
    }
    return merged;
}

uint64_t
CountMergeFlops(uint64_t dimension, uint64_t weights)
{
    // A product, a sum and the sum of data sizes for each weight of a part; own product, division
    return 3 * weights + 2 * dimension;
}

uint32_t
CountMasked(std::size_t dimension, double fraction)
{
    CheckArgument(fraction > 0 && fraction <= 1 && dimension != 0,
                  "a part {} of {} weights; it must be above 0, at most 1",
                  fraction,
                  dimension);
    const auto count = std::lround(fraction * static_cast<double>(dimension));
    return static_cast<uint32_t>(std::max(count, 1L));
}

std::vector<float>
MergeMasked(const std::vector<float>& own,
            const std::vector<uint32_t>& mask,
            const std::vector<float>& values)
{
    CheckArgument(mask.size() == values.size() && (mask.empty() || mask.back() < own.size()),
                  "{} values for {} of {} weights",
                  values.size(),
                  mask.size(),
                  own.size());
    auto merged = own;
    for (std::size_t i = 0; i < mask.size(); ++i)
    {
        merged[mask[i]] = (own[mask[i]] + values[i]) / 2;
    }
    return merged;
}

std::vector<float>
SelectMasked(const std::vector<float>& own, const std::vector<uint32_t>& mask)
{
    std::vector<float> values;
    values.reserve(mask.size());
    for (const uint32_t index : mask)
    {
        values.push_back(own[index]);
    }
    return values;
}

std::vector<uint32_t>
SelectArrived(std::vector<uint32_t> mask, const Arrival& arrived)
{
    if (!arrived.IsWhole())
    {
        std::transform(arrived.units.begin(),
                       arrived.units.end(),
                       mask.begin(), // in place, since numbers ascend
                       [&mask](uint32_t unit) { return mask[unit]; });
        mask.resize(arrived.units.size());
    }
    return mask;
}

GossipSegment
GetSegment(std::size_t dimension, uint32_t segments, uint32_t index)
{
    const auto begin = [dimension, segments](std::size_t i) { return dimension * i / segments; };
    return {begin(index), begin(std::size_t{index} + 1) - begin(index)};
}

std::vector<std::vector<uint32_t>>
DrawSources(const std::vector<uint32_t>& peers, uint32_t segments, uint32_t replicas, uint64_t seed)
{
    const auto count = static_cast<uint32_t>(std::min<std::size_t>(replicas, peers.size()));
    std::vector<std::vector<uint32_t>> sources(segments);
    for (uint32_t segment = 0; segment < segments; ++segment)
    {
        for (const uint32_t place : DrawIndices(peers.size(), count, SplitMix64(seed + segment)))
        {
            sources[segment].push_back(peers[place]);
        }
        std::sort(sources[segment].begin(), sources[segment].end());
    }
    return sources;
}

std::vector<uint32_t>
VersionVector::GetNewer(const std::map<uint32_t, uint32_t>& versions) const
{
    std::vector<uint32_t> newer;
    for (const auto& [peer, version] : versions)
    {
        const auto merged = m_merged.find(peer);
        if (version > (merged == m_merged.end() ? 0 : merged->second))
        {
            newer.push_back(peer);
        }
    }
    return newer;
}

void
VersionVector::Note(uint32_t peer, uint32_t version)
{
    uint32_t& merged = m_merged[peer];
    merged = std::max(merged, version);
}

uint32_t
DrawDevice(const std::vector<uint32_t>& devices, uint64_t seed, uint32_t round)
{
    RandomGenerator generator(SplitMix64(seed) + round);
    boost::random::uniform_int_distribution<std::size_t> draw(0, devices.size() - 1);
    return devices[draw(generator)];
}

} // namespace ns3::collab
