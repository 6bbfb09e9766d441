/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_RELIABLE_CLUSTERS_H
#define GRAPH_DISCOVERY_RELIABLE_CLUSTERS_H

#include "ns3/collab-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @brief Partition devices into clusters Phi_k of reliable devices by complete linkage.
 *
 * Two clusters are at the greatest max(P_D(i, j), P_D(j, i)) of a device of one and a device of the
 * other; the nearest two (of equal ones, those with the lowest numbers) are merged while that is at
 * most the threshold. So all pairs within a cluster are, as Sec. III-A2 of Wagle et al. asks.
 *
 * @param outage P_D(i, j), receiver by transmitter, N x N, each from 0 to 1; the diagonal is not
 * read
 * @param threshold alpha_D, from 0 to 1
 * @return cluster of each device, numbered from 0 in the order of their lowest devices
 * @throws std::invalid_argument if the matrix is not square or a value is not allowed
 */
std::vector<uint32_t> FindReliableClusters(const Matrix<double>& outage, double threshold);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_RELIABLE_CLUSTERS_H */
