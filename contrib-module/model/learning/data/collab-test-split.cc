/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-test-split.h"

#include "ns3/collab-random.h"

namespace ns3::collab
{

std::vector<uint32_t>
TestSplit::Take(uint32_t samples, bool train) const
{
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < samples; ++i)
    {
        const double draw = static_cast<double>(SplitMix64(SplitMix64(seed) ^ i) >> 11) * 0x1p-53;
        if ((draw >= fraction) == train)
        {
            indices.push_back(i);
        }
    }
    return indices;
}

DataSet
TakePart(const DataSet& data, const TestSplit& split, bool train)
{
    DataSet part = MakeEmptyLike(data);
    AppendSamples(data, split.Take(static_cast<uint32_t>(data.Size()), train), part);
    part.name += train ? " train" : " test";
    return part;
}

} // namespace ns3::collab
