/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-sample-order.h"

#include <algorithm>
#include <numeric>

namespace ns3::collab
{

SampleOrder::SampleOrder(const TorchLearnerConfig& config)
    : generator(config.shuffleSeed),
      references(SplitMix64(SplitMix64(config.shuffleSeed)))
{
}

std::vector<uint32_t>
SampleOrder::NextPass(const TorchLearnerConfig& config, const std::vector<uint32_t>& positions)
{
    if (!positions.empty())
    {
        return Shuffled(positions, generator);
    }
    const std::size_t pass = passes++;
    return pass < config.sampleOrders.size()
               ? config.sampleOrders[pass]
               : DrawPermutation(static_cast<uint32_t>(config.trainData.Size()), generator);
}

std::vector<uint32_t>
SampleOrder::NextReferences(const TorchLearnerConfig& config,
                            std::size_t samples,
                            ReferenceCycle& cycle)
{
    if (samples == 0)
    {
        return {};
    }
    if (config.referenceOrder == ReferenceOrder::SHUFFLED)
    {
        return references.Take(samples, std::min<std::size_t>(config.referenceBatchSize, samples));
    }
    std::vector<uint32_t> positions(cycle.BatchSize());
    std::iota(positions.begin(), positions.end(), static_cast<uint32_t>(cycle.Begin()));
    cycle.Advance();
    return positions;
}

} // namespace ns3::collab
