/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-optimizer.h"

#include <cmath>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

void
CheckOptimizer(const OptimizerOptions& options)
{
    for (const auto& [name, value] : {std::pair{"momentum", options.momentum},
                                      std::pair{"beta1", options.beta1},
                                      std::pair{"beta2", options.beta2}})
    {
        if (!(value >= 0 && value < 1))
        {
            throw std::invalid_argument(
                fmt::format("optimizer: {} {} is not from 0 to below 1", name, value));
        }
    }
    if (!(options.weightDecay >= 0) || !std::isfinite(options.weightDecay))
    {
        throw std::invalid_argument(fmt::format(
            "optimizer: weightDecay {} is not 0 or a positive finite number", options.weightDecay));
    }
    if (!(options.epsilon > 0) || !std::isfinite(options.epsilon))
    {
        throw std::invalid_argument(
            fmt::format("optimizer: epsilon {} is not positive and finite", options.epsilon));
    }
    if (options.isNesterov && options.momentum == 0)
    {
        throw std::invalid_argument("optimizer: Nesterov's momentum needs a momentum above 0");
    }
}

uint64_t
CountOptimizerFlops(const OptimizerOptions& options)
{
    const uint64_t decay = options.weightDecay > 0 ? 2 : 0;
    if (options.kind == OptimizerKind::ADAM)
    {
        return 13 + decay;
    }
    return 2 + decay + (options.momentum > 0 ? 2 : 0) + (options.isNesterov ? 2 : 0);
}

} // namespace collab
} // namespace ns3
