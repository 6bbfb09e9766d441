/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-reward.h"

#include <numeric>

namespace ns3::collab
{

double
GetLocalReward(double score, double outage, const RewardOptions& options)
{
    return options.diversity * score - options.reliability * outage;
}

double
GetBudgetReward(uint64_t points, const RewardOptions& options)
{
    return options.budget * (options.budgetPoints - static_cast<double>(points));
}

double
GetClusterReward(const std::vector<double>& localRewards,
                 uint64_t points,
                 uint32_t devices,
                 uint32_t clusterSize,
                 const RewardOptions& options)
{
    const double sum = std::accumulate(localRewards.begin(), localRewards.end(), 0.0);
    const uint32_t divisor = options.dividesByCluster ? clusterSize : devices;
    return sum / divisor + GetBudgetReward(points, options);
}

} // namespace ns3::collab
