/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-dealt-data.h"

#include "collab-seed.h"

#include "ns3/collab-idx-file.h"
#include "ns3/collab-partition.h"

#include <numeric>

namespace ns3::collab
{

namespace
{

/// @return the numbers from 0 on
std::vector<uint32_t>
CountTo(std::size_t count)
{
    std::vector<uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

} // namespace

DealtData
DealIdxDataSet(const std::string& folder, uint32_t devices, const DealOptions& options)
{
    const auto data = LoadIdxDataSet(folder);
    DirichletOptions dealing;
    dealing.devices = devices;
    dealing.alpha = options.alpha;
    dealing.minimumSize = options.minimumSize;
    DealtData dealt;
    for (const auto& part : PartitionDirichlet(data->labels,
                                               CountTo(std::size_t{devices} * options.samples),
                                               data->classes,
                                               dealing,
                                               SeedFor(RandomPurpose::PARTITION)))
    {
        dealt.parts.push_back(MakeView(data, part));
    }
    IdxOptions unseen;
    unseen.train = false;
    dealt.test = std::make_shared<const DataView>(
        MakeView(LoadIdxDataSet(folder, unseen), CountTo(options.test)));
    return dealt;
}

} // namespace ns3::collab
