/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_CONFIG_CHECK_H
#define BELIEF_CONSENSUS_CONFIG_CHECK_H

#include <cmath>
#include <fmt/format.h>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace collab
{

/// @param right what has to hold
/// @param message what to say if it does not
/// @throws std::invalid_argument if it does not
inline void
CheckConfig(bool right, const std::string& message)
{
    if (!right)
    {
        throw std::invalid_argument(message);
    }
}

/// @brief Check what families that draw samples themselves have in common.
/// @param config of a user: with observers, seeds, evidencePower and batchSize
/// @throws std::invalid_argument for what is wrong with them
template <typename Config>
void
CheckSampling(const Config& config)
{
    const std::size_t observers = config.observers.size();
    CheckConfig(observers > 0 && config.seeds.size() == observers,
                fmt::format("{} observers with {} seeds", observers, config.seeds.size()));
    CheckConfig(config.evidencePower > 0 && std::isfinite(config.evidencePower),
                fmt::format("the evidence's power {} is not positive", config.evidencePower));
    CheckConfig(config.batchSize > 0, "a batch of no sample");
}

} // namespace collab
} // namespace ns3

#endif /* BELIEF_CONSENSUS_CONFIG_CHECK_H */
