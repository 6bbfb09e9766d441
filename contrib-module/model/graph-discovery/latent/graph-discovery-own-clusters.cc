/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-own-clusters.h"

#include "ns3/collab-distributed-pca.h"

#include <algorithm>
#include <stdexcept>

namespace ns3::collab
{

namespace
{

/// @param clusters number of clusters
/// @param restarts of k-means
/// @return how clusters are found
KMeansOptions
MakeKMeansOptions(uint64_t clusters, uint32_t restarts)
{
    KMeansOptions options;
    options.clusters = static_cast<uint32_t>(clusters);
    options.restarts = restarts;
    return options;
}

} // namespace

OwnClusters
FindOwnClusters(const DataView& samples,
                const std::function<std::shared_ptr<const Matrix<float>>()>& makeSubspace,
                const OwnClustersOptions& options)
{
    OwnClusters own;
    own.subspace = makeSubspace();
    const std::size_t d = own.subspace->columns;
    Matrix<float> points(0, d);
    if (samples.Size() > 0) // not all is given away
    {
        points = Project(DecodeSamples(samples), *own.subspace);
        const auto clusters = std::min<uint64_t>(options.clusters, samples.Size());
        own.clustering =
            FindClusters(points, MakeKMeansOptions(clusters, options.restarts), options.seed);
    }
    Matrix<float>& centroids = own.clustering.centroids;
    centroids.rows = options.clusters;
    centroids.columns = d;
    centroids.values.resize(options.clusters * d);
    own.moments = SumClusters(points, own.clustering.labels, options.clusters);
    return own;
}

uint64_t
CountOwnClustersFlops(uint64_t samples,
                      uint64_t features,
                      uint64_t clusters,
                      const OwnClustersOptions& options)
{
    return CountProjectionFlops(samples, features, options.components) +
           CountKMeansFlops(
               samples, options.components, MakeKMeansOptions(clusters, options.restarts));
}

OwnClusters
PutInOneCluster(std::size_t samples, const OwnClustersOptions& options)
{
    OwnClusters own;
    own.clustering.labels.assign(samples, 0);
    own.clustering.centroids = Matrix<float>(options.clusters, options.components);
    own.moments = SumClusters(Matrix<float>(0, options.components), {}, options.clusters);
    return own;
}

std::shared_ptr<const GaussianCluster>
RoundCluster(const GaussianCluster& cluster)
{
    auto rounded = std::make_shared<GaussianCluster>(cluster);
    const std::size_t d = rounded->mean.size();
    double trace = 0;
    for (double& value : rounded->mean)
    {
        value = static_cast<float>(value);
    }
    for (std::size_t i = 0; i < d; ++i)
    {
        trace += cluster.covariance(i, i);
    }
    // Rounding can take what makes a nearly flat cluster positive definite
    for (double ridge = 0;; ridge = ridge > 0 ? 4 * ridge : trace / static_cast<double>(d) * 1e-7)
    {
        for (std::size_t i = 0; i < d * d; ++i)
        {
            const bool isDiagonal = i % (d + 1) == 0;
            rounded->covariance.values[i] =
                static_cast<float>(cluster.covariance.values[i] + (isDiagonal ? ridge : 0.0));
        }
        try
        {
            FactoredCluster check(*rounded);
            return rounded;
        }
        catch (const std::invalid_argument&)
        {
            continue;
        }
    }
}

std::vector<std::shared_ptr<const GaussianCluster>>
RoundClusters(const std::vector<ClusterMoments>& moments)
{
    std::vector<std::shared_ptr<const GaussianCluster>> rounded;
    for (const auto& cluster : moments)
    {
        rounded.push_back(RoundCluster(MakeGaussian(cluster)));
    }
    return rounded;
}

} // namespace ns3::collab
