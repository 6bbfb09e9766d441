/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_REWARD_H
#define GRAPH_DISCOVERY_REWARD_H

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Weights of rewards.
struct RewardOptions
{
    double diversity = 20;         //!< a1 of (13) and (16); not negative
    double reliability = 10;       //!< a2; not negative
    double budget = 1e-3;          //!< a3 of (14) and (17); not negative
    double budgetPoints = 100;     //!< B_k, datapoints from outside of a cluster; not negative
    double global = 0.5;           //!< gamma; not negative
    bool dividesByCluster = false; //!< whether (14) divides by the size of the cluster, not by N
};

/// @brief The local reward, (13) and (16).
/// @param score g, or the sum of traces' ratios
/// @param outage P_D(i, j) of the link
/// @param options a1 and a2
/// @return a1 score - a2 outage
double GetLocalReward(double score, double outage, const RewardOptions& options);

/// @brief The cluster budget's part of (14) and (17).
/// @param points d'_k, datapoints over links from outside of the cluster
/// @param options a3 and B_k
/// @return a3 (B_k - d'_k)
double GetBudgetReward(uint64_t points, const RewardOptions& options);

/// @brief The global reward of a cluster, (14).
/// @param localRewards rL of the cluster's devices, as far as known
/// @param points d'_k
/// @param devices N
/// @param clusterSize number of the cluster's devices
/// @param options the weights
/// @return sum of rL over N, or over the cluster's size, and the budget's part
double GetClusterReward(const std::vector<double>& localRewards,
                        uint64_t points,
                        uint32_t devices,
                        uint32_t clusterSize,
                        const RewardOptions& options);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_REWARD_H */
