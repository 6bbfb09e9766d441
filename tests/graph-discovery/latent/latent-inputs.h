/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENT_INPUTS_H
#define LATENT_INPUTS_H

#include "latent-reference.h"

#include "ns3/collab-gaussian-divergence.h"
#include "ns3/collab-matrix.h"
#include "ns3/graph-discovery-latent-exchange.h"

#include <cstddef>
#include <vector>

/// @param numbers of points, one after the other
/// @return the points, of the reference's width
inline ns3::collab::Matrix<float>
MakePoints(const std::vector<float>& numbers)
{
    ns3::collab::Matrix<float> points(numbers.size() / latent_reference::WIDTH,
                                      latent_reference::WIDTH);
    points.values = numbers;
    return points;
}

/// @return moments of the reference's points
inline std::vector<ns3::collab::ClusterMoments>
MakeMoments()
{
    return ns3::collab::SumClusters(
        MakePoints(latent_reference::POINTS), latent_reference::LABELS, latent_reference::CLUSTERS);
}

/// @param numbers mean and covariance of each cluster of each device, of the reference
/// @param device whose clusters are wanted
/// @return its clusters
inline std::vector<ns3::collab::GaussianCluster>
GetClusters(const std::vector<double>& numbers, std::size_t device)
{
    constexpr std::size_t WIDTH = latent_reference::WIDTH;
    std::vector<ns3::collab::GaussianCluster> clusters(latent_reference::CLUSTERS);
    auto next = numbers.begin() + device * clusters.size() * WIDTH * (WIDTH + 1);
    for (ns3::collab::GaussianCluster& cluster : clusters)
    {
        cluster.mean.assign(next, next + WIDTH);
        next += WIDTH;
        cluster.covariance = ns3::collab::Matrix<double>(WIDTH, WIDTH);
        cluster.covariance.values.assign(next, next + WIDTH * WIDTH);
        next += WIDTH * WIDTH;
        cluster.count = 50;
    }
    return clusters;
}

#endif /* LATENT_INPUTS_H */
