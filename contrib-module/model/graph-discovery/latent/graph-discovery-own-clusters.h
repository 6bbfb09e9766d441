/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_OWN_CLUSTERS_H
#define GRAPH_DISCOVERY_OWN_CLUSTERS_H

#include "graph-discovery-latent-exchange.h"

#include "ns3/collab-data-set.h"
#include "ns3/collab-k-means.h"
#include "ns3/collab-matrix.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What a device finds in its datapoints at the begin of a pass.
struct OwnClusters
{
    std::shared_ptr<const Matrix<float>> subspace; //!< F
    Clustering clustering;               //!< with centroids of 0 for clusters without datapoints
    std::vector<ClusterMoments> moments; //!< of the clusters
};

/// @ingroup collab
/// @brief How a device finds clusters.
struct OwnClustersOptions
{
    uint32_t components = 1; //!< d
    uint32_t clusters = 1;   //!< L
    uint32_t restarts = 1;   //!< of k-means
    uint64_t seed = 1;       //!< of k-means
};

/// @param samples of the device; with few of them some clusters are empty
/// @param makeSubspace makes F
/// @param options how
/// @return the clusters in the subspace
OwnClusters FindOwnClusters(
    const DataView& samples,
    const std::function<std::shared_ptr<const Matrix<float>>()>& makeSubspace,
    const OwnClustersOptions& options);

/// @param samples number of them
/// @param features D
/// @param clusters that there can be of them
/// @param options how
/// @return floating-point operations of FindOwnClusters(), without F
uint64_t CountOwnClustersFlops(uint64_t samples,
                               uint64_t features,
                               uint64_t clusters,
                               const OwnClustersOptions& options);

/// @param samples number of them
/// @param options number of clusters
/// @return one cluster of all samples, of which nothing else is known, and empty ones
OwnClusters PutInOneCluster(std::size_t samples, const OwnClustersOptions& options);

/// @param cluster of double precision, with finite numbers and a positive trace
/// @return the same with numbers of single precision, as they travel; the diagonal of the
/// covariance a little greater if it would not be positive definite
std::shared_ptr<const GaussianCluster> RoundCluster(const GaussianCluster& cluster);

/// @param moments of clusters
/// @return the same clusters with numbers as they travel
std::vector<std::shared_ptr<const GaussianCluster>> RoundClusters(
    const std::vector<ClusterMoments>& moments);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_OWN_CLUSTERS_H */
