/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-k-means.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <Eigen/Core>
#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3::collab
{

namespace
{

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// @param matrix rows
/// @return the same as columns
MatrixXd
ToColumns(const Matrix<float>& matrix)
{
    using Columns = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>;
    return Eigen::Map<const Columns>(matrix.values.data(),
                                     static_cast<Index>(matrix.columns),
                                     static_cast<Index>(matrix.rows))
        .cast<double>();
}

/// The nearest centroid of each sample.
struct Assignment
{
    std::vector<uint32_t> labels; //!< which it is
    VectorXd distances;           //!< squared
};

/// @param samples samples as columns
/// @param centroids centroids as columns
/// @return the nearest ones
Assignment
Assign(const MatrixXd& samples, const MatrixXd& centroids)
{
    Assignment nearest{std::vector<uint32_t>(samples.cols()), VectorXd(samples.cols())};
    for (Index i = 0; i < samples.cols(); ++i)
    {
        double least = std::numeric_limits<double>::infinity();
        for (Index cluster = 0; cluster < centroids.cols(); ++cluster)
        {
            const double distance = (samples.col(i) - centroids.col(cluster)).squaredNorm();
            if (distance < least)
            {
                least = distance;
                nearest.labels[i] = static_cast<uint32_t>(cluster);
            }
        }
        nearest.distances[i] = least;
    }
    return nearest;
}

/// @param weights weights of a draw, not negative
/// @param generator generator to draw with
/// @return an index, with a probability in proportion to its weight; any if all are 0
Index
DrawWeighted(const VectorXd& weights, RandomGenerator& generator)
{
    const double sum = weights.sum();
    if (!(sum > 0))
    {
        return boost::random::uniform_int_distribution<Index>(0, weights.size() - 1)(generator);
    }
    double left = boost::random::uniform_real_distribution<double>(0, sum)(generator);
    Index last = 0;
    for (Index i = 0; i < weights.size(); ++i)
    {
        last = weights[i] > 0 ? i : last; // rounding may leave something at the end
        left -= weights[i];
        if (weights[i] > 0 && left < 0)
        {
            return i;
        }
    }
    return last;
}

/// @param samples samples as columns
/// @param clusters number of centroids
/// @param generator generator to draw with
/// @return samples to begin with, as columns, by k-means++
MatrixXd
DrawCentroids(const MatrixXd& samples, uint32_t clusters, RandomGenerator& generator)
{
    MatrixXd centroids(samples.rows(), clusters);
    VectorXd distances = VectorXd::Zero(samples.cols()); // the first is any sample
    for (Index cluster = 0; cluster < centroids.cols(); ++cluster)
    {
        centroids.col(cluster) = samples.col(DrawWeighted(distances, generator));
        const VectorXd now =
            (samples.colwise() - centroids.col(cluster)).colwise().squaredNorm().transpose();
        distances = cluster == 0 ? now : distances.cwiseMin(now).eval();
    }
    return centroids;
}

/// @brief Let no cluster be empty.
/// @param[in,out] nearest centroids, of which every one gets a sample
/// @param clusters number of centroids; at most that of samples
void
FillClusters(Assignment& nearest, uint32_t clusters)
{
    std::vector<uint64_t> sizes(clusters, 0);
    for (const uint32_t label : nearest.labels)
    {
        ++sizes[label];
    }
    for (uint32_t cluster = 0; cluster < clusters; ++cluster)
    {
        if (sizes[cluster] > 0)
        {
            continue;
        }
        Index farthest = -1;
        for (Index i = 0; i < nearest.distances.size(); ++i)
        {
            const bool isAlone = sizes[nearest.labels[i]] == 1;
            if (!isAlone && (farthest < 0 || nearest.distances[i] > nearest.distances[farthest]))
            {
                farthest = i;
            }
        }
        --sizes[nearest.labels[farthest]];
        ++sizes[cluster];
        nearest.labels[farthest] = cluster;
        nearest.distances[farthest] = 0;
    }
}

/// @param samples samples as columns
/// @param labels cluster of each
/// @param clusters number of clusters, none of them empty
/// @return the clusters' means, as columns
MatrixXd
FindMeans(const MatrixXd& samples, const std::vector<uint32_t>& labels, uint32_t clusters)
{
    MatrixXd means = MatrixXd::Zero(samples.rows(), clusters);
    VectorXd sizes = VectorXd::Zero(clusters);
    for (Index i = 0; i < samples.cols(); ++i)
    {
        means.col(labels[i]) += samples.col(i);
        sizes[labels[i]] += 1;
    }
    return means.array().rowwise() / sizes.transpose().array();
}

/// @param samples samples as columns
/// @param options options of the clustering
/// @param generator generator of the seeding
/// @return the result of one seeding; its centroids are set later
std::pair<Clustering, MatrixXd>
Iterate(const MatrixXd& samples, const KMeansOptions& options, RandomGenerator& generator)
{
    MatrixXd centroids = DrawCentroids(samples, options.clusters, generator);
    Clustering found;
    bool hasChanged = true;
    while (hasChanged && found.iterations < options.iterations)
    {
        Assignment nearest = Assign(samples, centroids);
        FillClusters(nearest, options.clusters);
        centroids = FindMeans(samples, nearest.labels, options.clusters);
        hasChanged = nearest.labels != found.labels;
        found.labels = std::move(nearest.labels);
        ++found.iterations;
    }
    for (Index i = 0; i < samples.cols(); ++i)
    {
        found.inertia += (samples.col(i) - centroids.col(found.labels[i])).squaredNorm();
    }
    return {found, centroids};
}

/// @param samples samples to put into clusters
/// @param options options of the clustering
/// @throws std::invalid_argument if that cannot be done
void
CheckClusters(const Matrix<float>& samples, const KMeansOptions& options)
{
    CheckArgument(options.clusters != 0 && options.clusters <= samples.rows &&
                      options.restarts != 0 && options.iterations != 0,
                  "k-means of {} samples with {} clusters, {} restarts and {} iterations, expected "
                  "1 to as many clusters as samples, and at least 1 of the others",
                  samples.rows,
                  options.clusters,
                  options.restarts,
                  options.iterations);
    for (const float value : samples.values)
    {
        CheckArgument(std::isfinite(value), "k-means of a sample with the number {}", value);
    }
}

} // namespace

Clustering
FindClusters(const Matrix<float>& samples, const KMeansOptions& options, uint64_t seed)
{
    CheckClusters(samples, options);
    const MatrixXd columns = ToColumns(samples);
    RandomGenerator generator(seed);
    auto [best, centroids] = Iterate(columns, options, generator);
    for (uint32_t restart = 1; restart < options.restarts; ++restart)
    {
        auto [other, otherCentroids] = Iterate(columns, options, generator);
        if (other.inertia < best.inertia)
        {
            best = std::move(other);
            centroids = std::move(otherCentroids);
        }
    }
    best.centroids = Matrix<float>(options.clusters, samples.columns);
    std::transform(centroids.data(),
                   centroids.data() + centroids.size(),
                   best.centroids.values.begin(),
                   [](double element) { return static_cast<float>(element); });
    return std::move(best);
}

std::vector<uint32_t>
FindNearestCentroids(const Matrix<float>& samples, const Matrix<float>& centroids)
{
    CheckArgument(
        centroids.rows != 0 && centroids.columns == samples.columns,
        "samples of {} features and {} centroids of {}, expected as many, and at least 1 centroid",
        samples.columns,
        centroids.rows,
        centroids.columns);
    return Assign(ToColumns(samples), ToColumns(centroids)).labels;
}

std::vector<std::vector<uint32_t>>
ListClusters(const std::vector<uint32_t>& labels, uint32_t clusters)
{
    std::vector<std::vector<uint32_t>> members(clusters);
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        CheckArgument(
            labels[i] < clusters, "cluster {} is not below {} clusters", labels[i], clusters);
        members[labels[i]].push_back(static_cast<uint32_t>(i));
    }
    return members;
}

uint64_t
CountKMeansFlops(uint64_t samples, uint64_t features, const KMeansOptions& options)
{
    const uint64_t distances = samples * options.clusters * 3 * features;
    const uint64_t iterations = std::min<uint64_t>(options.iterations, TYPICAL_K_MEANS_ITERATIONS);
    return options.restarts * (distances + iterations * (distances + samples * features));
}

} // namespace ns3::collab
