/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_CONFIG_CHECK_H
#define BELIEF_CONSENSUS_CONFIG_CHECK_H

#include "ns3/collab-check-argument.h"

#include <cmath>
#include <cstddef>

namespace ns3::collab
{

/// @brief Check what families that draw samples themselves have in common.
/// @param config of a user: with observers, seeds, evidencePower and batchSize
/// @param others number of sources of samples beside the observers
/// @throws std::invalid_argument for what is wrong with them
template <typename Config>
void
CheckSampling(const Config& config, std::size_t others = 0)
{
    const std::size_t observers = config.observers.size();
    CheckArgument(observers + others > 0 && config.seeds.size() == observers,
                  "{} observers with {} seeds",
                  observers,
                  config.seeds.size());
    CheckArgument(config.evidencePower > 0 && std::isfinite(config.evidencePower),
                  "the evidence's power {} is not positive",
                  config.evidencePower);
    CheckArgument(config.batchSize > 0, "a batch of no sample");
}

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_CONFIG_CHECK_H */
