/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-optimizer.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-specification.h"

#include <cmath>
#include <utility>

namespace ns3::collab
{

void
CheckOptimizer(const OptimizerOptions& options)
{
    for (const auto& [name, value] : {std::pair{"momentum", options.momentum},
                                      std::pair{"beta1", options.beta1},
                                      std::pair{"beta2", options.beta2}})
    {
        CheckArgument(
            value >= 0 && value < 1, "optimizer: {} {} is not from 0 to below 1", name, value);
    }
    CheckArgument(options.weightDecay >= 0 && std::isfinite(options.weightDecay),
                  "optimizer: weightDecay {} is not 0 or a positive finite number",
                  options.weightDecay);
    CheckArgument(options.epsilon > 0 && std::isfinite(options.epsilon),
                  "optimizer: epsilon {} is not positive and finite",
                  options.epsilon);
    CheckArgument(!options.isNesterov || options.momentum != 0,
                  "optimizer: Nesterov's momentum needs a momentum above 0");
    CheckArgument(options.maxNorm >= 0 && std::isfinite(options.maxNorm),
                  "optimizer: maxNorm {} is not 0 or a positive finite number",
                  options.maxNorm);
    CheckArgument(!options.decouplesDecay || options.kind == OptimizerKind::ADAM,
                  "optimizer: only Adam decouples weight decay");
    CheckRateSchedule(options.schedule);
}

void
ReadOptimizerOptions(const std::string& text, OptimizerOptions& options)
{
    if (text.empty())
    {
        return;
    }
    constexpr double MOST = 1e9;
    constexpr double BELOW_ONE = 1 - 1e-9;
    Specification given("optimizer options", "options:" + text);
    options.momentum = given.GetNumber("momentum", options.momentum, 0, BELOW_ONE);
    options.isNesterov = given.GetCount("nesterov", options.isNesterov ? 1 : 0, 0, 1) == 1;
    options.weightDecay = given.GetNumber("weightDecay", options.weightDecay, 0, MOST);
    options.decouplesDecay = given.GetCount("decoupled", options.decouplesDecay ? 1 : 0, 0, 1) == 1;
    options.beta1 = given.GetNumber("beta1", options.beta1, 0, BELOW_ONE);
    options.beta2 = given.GetNumber("beta2", options.beta2, 0, BELOW_ONE);
    options.epsilon = given.GetNumber("epsilon", options.epsilon, 1e-30, MOST);
    options.maxNorm = given.GetNumber("maxNorm", options.maxNorm, 0, MOST);
    given.CheckKeys();
}

uint64_t
CountOptimizerFlops(const OptimizerOptions& options)
{
    const uint64_t more = (options.weightDecay > 0 ? 2 : 0) + (options.maxNorm > 0 ? 3 : 0);
    if (options.kind == OptimizerKind::ADAM)
    {
        return 13 + more;
    }
    return 2 + more + (options.momentum > 0 ? 2 : 0) + (options.isNesterov ? 2 : 0);
}

} // namespace ns3::collab
