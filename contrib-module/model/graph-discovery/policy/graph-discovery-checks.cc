/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-checks.h"

#include "ns3/collab-check-argument.h"

#include <cmath>

namespace ns3::collab
{

void
CheckProbability(const char* name, double value)
{
    CheckArgument(value >= 0 && value <= 1, "{} {}, allowed are values from 0 to 1", name, value);
}

void
CheckNotNegative(const char* name, double value)
{
    CheckArgument(
        value >= 0 && std::isfinite(value), "{} {}, allowed are finite values from 0", name, value);
}

void
CheckSize(const char* name, std::size_t needed, std::size_t given)
{
    CheckArgument(given == needed, "{} with {} entries, but {} are needed", name, given, needed);
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

} // namespace ns3::collab
