/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARTITION_TEST_SUPPORT_H
#define PARTITION_TEST_SUPPORT_H

#include "ns3/collab-partition.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tests
{

constexpr uint32_t CLASSES = 10; //!< of labels

/// @return labels, as many of each class
inline std::vector<int64_t>
MakeLabels(std::size_t size)
{
    std::vector<int64_t> labels(size);
    for (std::size_t i = 0; i < size; ++i)
    {
        labels[i] = static_cast<int64_t>(i * 7 % CLASSES);
    }
    return labels;
}

/// @return all indices of a partition, sorted
inline std::vector<uint32_t>
Together(const ns3::collab::Partition& partition)
{
    std::vector<uint32_t> all;
    for (const auto& part : partition)
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace tests

#endif /* PARTITION_TEST_SUPPORT_H */
