/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_K_MEANS_H
#define COLLAB_K_MEANS_H

#include "ns3/collab-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief How samples are put into clusters.
struct KMeansOptions
{
    uint32_t clusters = 7;     //!< 1 to the number of samples
    uint32_t restarts = 10;    //!< seedings, of which the best result is kept; at least 1
    uint32_t iterations = 300; //!< at most, of each restart; at least 1
};

/// @ingroup collab-learning
/// @brief Samples in clusters, none of which is empty.
struct Clustering
{
    std::vector<uint32_t> labels; //!< cluster of each sample
    Matrix<float> centroids;      //!< clusters x features
    double inertia = 0;           //!< sum of squared distances of samples to their centroids
    uint32_t iterations = 0;      //!< of the restart that was kept
};

/**
 * @brief k-means: seeding by k-means++ (Arthur, Vassilvitskii, SODA 2007), then Lloyd's iterations
 * until no sample changes its cluster.
 *
 * A cluster that gets empty takes the sample that is farthest from its own centroid, of those that
 * are not alone. Of equally near centroids the first one is taken, of equally good restarts too.
 *
 * @param samples samples x features; finite
 * @param options options of the clustering
 * @param seed seed of the seedings
 * @return the clusters
 * @throws std::invalid_argument if a value is not allowed or a number is not finite
 */
Clustering FindClusters(const Matrix<float>& samples, const KMeansOptions& options, uint64_t seed);

/// @param samples samples x features
/// @param centroids clusters x features; at least one
/// @return the nearest centroid of each sample, the first one of equals
/// @throws std::invalid_argument if the numbers of features differ or there is no centroid
std::vector<uint32_t> FindNearestCentroids(const Matrix<float>& samples,
                                           const Matrix<float>& centroids);

/// @param labels cluster of each sample
/// @param clusters number of clusters
/// @return the samples of each cluster, ascending
/// @throws std::invalid_argument if a label is not below the number of clusters
std::vector<std::vector<uint32_t>> ListClusters(const std::vector<uint32_t>& labels,
                                                uint32_t clusters);

/**
 * @brief Count the operations of FindClusters(), about.
 *
 * For n samples of d features and k clusters, n k 3 d for the seeding, and n (k 3 d + d) for each
 * of TYPICAL_K_MEANS_ITERATIONS iterations, times the restarts.
 *
 * @param samples n
 * @param features d
 * @param options k and the restarts
 * @return floating-point operations
 */
uint64_t CountKMeansFlops(uint64_t samples, uint64_t features, const KMeansOptions& options);

/// Iterations that simulated time is charged for; the true number depends on the samples.
constexpr uint64_t TYPICAL_K_MEANS_ITERATIONS = 30;

} // namespace ns3::collab

#endif /* COLLAB_K_MEANS_H */
