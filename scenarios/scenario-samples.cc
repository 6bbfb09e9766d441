/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-samples.h"

#include "scenario-checks.h"

#include "ns3/collab-idx-file.h"
#include "ns3/collab-partition.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <fmt/format.h>
#include <iterator>
#include <numeric>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/**
 * @brief Take X* and the devices' samples out of the training set.
 *
 * @param p parameters of the run
 * @param data the training set
 * @param[out] samples receives X* and its partition's description
 * @return who holds which samples
 */
Partition
Distribute(const CommonParameters& p,
           const std::shared_ptr<const DataSet>& data,
           ScenarioSamples& samples)
{
    std::vector<uint32_t> pool(data->Size());
    std::iota(pool.begin(), pool.end(), 0);
    const uint64_t needed = uint64_t{p.samples} * p.devices + p.referenceSamples;
    Require(needed <= pool.size(),
            "samples",
            p.samples,
            fmt::format("at most {} for {} devices beside an X* of {} out of {} samples",
                        (pool.size() - std::min<std::size_t>(p.referenceSamples, pool.size())) /
                            p.devices,
                        p.devices,
                        p.referenceSamples,
                        pool.size()));
    auto reference = DrawBalanced(
        data->labels, pool, data->classes, p.referenceSamples, SeedFor(RandomPurpose::REFERENCE));
    samples.reference = std::make_shared<const DataView>(MakeView(data, reference));

    std::sort(reference.begin(), reference.end());
    std::vector<uint32_t> rest;
    std::set_difference(
        pool.begin(), pool.end(), reference.begin(), reference.end(), std::back_inserter(rest));
    RandomGenerator generator(SeedFor(RandomPurpose::SUBSET));
    const auto order = DrawPermutation(static_cast<uint32_t>(rest.size()), generator);
    std::vector<uint32_t> candidates;
    for (std::size_t i = 0; i < std::size_t{p.samples} * p.devices; ++i)
    {
        candidates.push_back(rest[order[i]]);
    }

    const uint64_t seed = SeedFor(RandomPurpose::PARTITION);
    Partition partition = p.partition == "iid" ? PartitionIid(candidates, p.devices, seed)
                                               : PartitionDirichlet(data->labels,
                                                                    candidates,
                                                                    data->classes,
                                                                    p.devices,
                                                                    p.alpha,
                                                                    p.minimumSamples,
                                                                    seed);
    samples.description = DescribePartition(data->labels, partition, data->classes);
    return partition;
}

} // namespace

uint64_t
SeedFor(RandomPurpose purpose, uint64_t device)
{
    return DeriveSeed(RngSeedManager::GetSeed(), RngSeedManager::GetRun(), device, purpose);
}

ScenarioSamples
PrepareSamples(const CommonParameters& p)
{
    const auto data = LoadIdxDataSet(p.dataDir, true);
    const auto testData = LoadIdxDataSet(p.dataDir, false);
    ScenarioSamples samples;
    const Partition partition = Distribute(p, data, samples);

    Require(p.testSamples >= 1 && p.testSamples <= testData->Size(),
            "testSamples",
            p.testSamples,
            fmt::format("1 to {}", testData->Size()));
    std::vector<uint32_t> testIndices(p.testSamples);
    std::iota(testIndices.begin(), testIndices.end(), 0);
    samples.global = std::make_shared<const DataView>(MakeView(testData, testIndices));

    const auto lowQuality = p.GetLowQualityDevices();
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        const auto& part = partition[device];
        const auto split =
            part.begin() + static_cast<std::ptrdiff_t>(part.size() - part.size() / 4);
        DataView train = MakeView(data, std::vector<uint32_t>(part.begin(), split));
        samples.test.push_back(MakeView(data, std::vector<uint32_t>(split, part.end())));
        if (std::binary_search(lowQuality.begin(), lowQuality.end(), device))
        {
            const uint64_t seed = SeedFor(RandomPurpose::LABEL_CORRUPTION, device);
            if (p.labelNoise == "permute")
            {
                PermuteLabels(train, seed);
            }
            else
            {
                RandomGenerator generator(seed);
                boost::random::uniform_int_distribution<uint32_t> shift(1, data->classes - 1);
                ShiftLabels(train, shift(generator));
            }
        }
        samples.train.push_back(std::move(train));
    }
    return samples;
}
