/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCHMARK_SAMPLES_H
#define BENCHMARK_SAMPLES_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-random.h"

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3::collab
{
namespace benchmarks
{

/// @param shape of a sample
/// @param classes number of classes
/// @param samples number of samples
/// @return random bytes with labels
inline DataView
MakeSamples(const std::vector<int64_t>& shape, uint32_t classes, uint32_t samples)
{
    RandomGenerator generator(1);
    auto data = std::make_shared<DataSet>();
    data->sampleShape = shape;
    data->classes = classes;
    for (uint32_t i = 0; i < samples; ++i)
    {
        data->labels.push_back(i % classes);
    }
    data->features.resize(samples * data->SampleSize());
    for (auto& feature : data->features)
    {
        feature = static_cast<uint8_t>(generator());
    }
    std::vector<uint32_t> indices(samples);
    std::iota(indices.begin(), indices.end(), 0U);
    return MakeView(data, indices);
}

} // namespace benchmarks
} // namespace ns3::collab

#endif /* BENCHMARK_SAMPLES_H */
