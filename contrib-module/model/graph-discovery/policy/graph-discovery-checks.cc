/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-checks.h"

#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace ns3
{
namespace collab
{

void
CheckProbability(const char* name, double value)
{
    if (!(value >= 0 && value <= 1))
    {
        throw std::invalid_argument(
            fmt::format("{} {}, allowed are values from 0 to 1", name, value));
    }
}

void
CheckNotNegative(const char* name, double value)
{
    if (!(value >= 0) || !std::isfinite(value))
    {
        throw std::invalid_argument(
            fmt::format("{} {}, allowed are finite values from 0", name, value));
    }
}

void
CheckSize(const char* name, std::size_t needed, std::size_t given)
{
    if (given != needed)
    {
        throw std::invalid_argument(
            fmt::format("{} with {} entries, but {} are needed", name, given, needed));
    }
}

void
CheckRewardWeights(const RewardOptions& options)
{
    CheckNotNegative("weight of diversity", options.diversity);
    CheckNotNegative("weight of reliability", options.reliability);
    CheckNotNegative("weight of the budget", options.budget);
    CheckNotNegative("budget", options.budgetPoints);
    CheckNotNegative("weight of the global reward", options.global);
}

} // namespace collab
} // namespace ns3
