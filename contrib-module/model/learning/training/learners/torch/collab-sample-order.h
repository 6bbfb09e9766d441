/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SAMPLE_ORDER_H
#define COLLAB_SAMPLE_ORDER_H

#include "collab-torch-learner-config.h"

#include "ns3/collab-batch-cut.h"
#include "ns3/collab-random.h"
#include "ns3/collab-reference-order.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// In what order a learner's steps take samples, with where it is.
struct SampleOrder
{
    /// @param config configuration of the learner
    explicit SampleOrder(const TorchLearnerConfig& config);

    /// @param config configuration of the learner
    /// @param positions positions of the job's samples; all of them if empty
    /// @return these in the order of the pass that begins now
    std::vector<uint32_t> NextPass(const TorchLearnerConfig& config,
                                   const std::vector<uint32_t>& positions);
    /// @param config configuration of the learner
    /// @param samples size of X*; 0 for none
    /// @param cycle cycle over X*, which goes on to the next batch
    /// @return positions of the samples of X* that the next step takes
    std::vector<uint32_t> NextReferences(const TorchLearnerConfig& config,
                                         std::size_t samples,
                                         ReferenceCycle& cycle);

    RandomGenerator generator;     //!< of the passes, and of lots
    ShuffledReferences references; //!< order of X*
    std::size_t passes = 0;        //!< over the local samples that have begun
};

} // namespace ns3::collab

#endif /* COLLAB_SAMPLE_ORDER_H */
