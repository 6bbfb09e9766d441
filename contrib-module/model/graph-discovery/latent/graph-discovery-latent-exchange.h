/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_LATENT_EXCHANGE_H
#define GRAPH_DISCOVERY_LATENT_EXCHANGE_H

#include "ns3/collab-gaussian-divergence.h"
#include "ns3/collab-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @brief The sum over the clusters of i of its distance from each of those of j, and how a request
/// is split by it, (15).
/// @param requested Q_{j -> i} datapoints
/// @param own centroids mu_j, L x d
/// @param remote centroids mu_i that the receiver has shown, L' x d
/// @return Qt_{j, l -> i} of each own cluster, whole numbers by largest remainders with the sum
/// requested; equal parts if all distances are 0, or none is shown. The printed denominator has
/// mu_j^l' and does not sum to Q: mu_j^l is meant
/// @throws std::invalid_argument if the widths differ or a number is not finite
std::vector<uint32_t> SplitRequest(uint32_t requested,
                                   const Matrix<float>& own,
                                   const Matrix<float>& remote);

/**
 * @brief What a transmitter can give of each of its clusters to each that asked, (9) as a count.
 *
 * T_j[i, l] (n_l - b_l)^+ is shared equally among the trusted receivers of l, what is left over one
 * each by their order.
 *
 * @param sizes n_l of its clusters
 * @param thresholds b_l
 * @param trusted T_j[i, .] of each receiver i that asked, ascending
 * @return V_{j, l -> i}, by receiver and cluster
 * @throws std::invalid_argument if the sizes differ
 */
std::vector<std::vector<uint32_t>> ShareClusters(const std::vector<uint32_t>& sizes,
                                                 const std::vector<uint32_t>& thresholds,
                                                 const std::vector<std::vector<uint8_t>>& trusted);

/// @brief Sums from which the mean and the covariance of a cluster follow, and to which points can
/// be added.
struct ClusterMoments
{
    double count = 0;        //!< n
    std::vector<double> sum; //!< of the points, d
    Matrix<double> products; //!< sum of x x^T, d x d
};

/// @param points rows of points, n x d
/// @param labels cluster of each, below clusters
/// @param clusters number of clusters
/// @return moments of each cluster
/// @throws std::invalid_argument if the sizes differ or a label is out of range
std::vector<ClusterMoments> SumClusters(const Matrix<float>& points,
                                        const std::vector<uint32_t>& labels,
                                        uint32_t clusters);

/// @param moments of a cluster
/// @return its mean, covariance over n plus 1e-6 I, and size; a cluster without points has the mean
/// 0 and the covariance 1e-6 I
GaussianCluster MakeGaussian(const ClusterMoments& moments);

/**
 * @brief What a device's clusters would be with datapoints like those of remote clusters: steps 8
 * and 9 of Algorithm 2.
 *
 * D_l points are drawn from N(mu_j^l, Sigma_j^l) of each remote cluster (step 8 prints mu_i), each
 * goes to the nearest of the old centroids, and means and covariances are updated once. Clusters
 * without points have no centroid.
 *
 * @param own moments of the device's clusters
 * @param remote clusters of the transmitter with their D_l as counts
 * @param seed of the draws
 * @return moments of the new clusters
 * @throws std::invalid_argument if the widths differ, a covariance is not positive definite, or no
 * own cluster has points
 */
std::vector<ClusterMoments> AddSampledPoints(const std::vector<ClusterMoments>& own,
                                             const std::vector<GaussianCluster>& remote,
                                             uint64_t seed);

/**
 * @brief The local diversity gain of (16).
 *
 * A cluster of one point, or of equal ones, has next to no trace before: one point more makes the
 * ratio millions. Find clusters by several restarts of k-means, which leaves hardly any such ones.
 *
 * @param before clusters of the device
 * @param after the same clusters with what it has received
 * @return sum over clusters of Tr(Sigma~) / Tr(Sigma)
 * @throws std::invalid_argument if their numbers differ
 */
double ScoreClusters(const std::vector<ClusterMoments>& before,
                     const std::vector<ClusterMoments>& after);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_LATENT_EXCHANGE_H */
