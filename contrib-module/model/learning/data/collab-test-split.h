/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TEST_SPLIT_H
#define COLLAB_TEST_SPLIT_H

#include "collab-data-set.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief How a set without published parts is dealt out, sample by sample.
 *
 * A sample belongs to the test part if a hash of the seed and its index says so.
 */
struct TestSplit
{
    double fraction = 0.2; //!< of the samples that are the test part, on average; above 0, below 1
    uint64_t seed = 1;     //!< of the hash

    /// @param samples number of all samples
    /// @param train whether to take the training part, or else the test part
    /// @return the samples of that part, ascending
    std::vector<uint32_t> Take(uint32_t samples, bool train) const;
};

/// @param data all samples
/// @param split how they are dealt out
/// @param train whether to take the training part, or else the test part
/// @return that part, of which the name says which one it is
DataSet TakePart(const DataSet& data, const TestSplit& split, bool train);

} // namespace ns3::collab

#endif /* COLLAB_TEST_SPLIT_H */
