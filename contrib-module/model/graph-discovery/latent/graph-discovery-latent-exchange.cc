/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-latent-exchange.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/graph-discovery-label-exchange.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <limits>

namespace ns3::collab
{

namespace
{

/// Points whose products are added up at once. Few enough for Eigen never to split them by the
/// size of the processor's caches, on which sums would depend then.
constexpr Eigen::Index BLOCK = 64;

/// @param point of as many numbers as the others have
/// @param others points
/// @return sum of its distances from them
double
SumDistances(const float* point, const Matrix<float>& others)
{
    double sum = 0;
    for (std::size_t row = 0; row < others.rows; ++row)
    {
        double squared = 0;
        for (std::size_t column = 0; column < others.columns; ++column)
        {
            const double difference = static_cast<double>(point[column]) - others(row, column);
            squared += difference * difference;
        }
        sum += std::sqrt(squared);
    }
    return sum;
}

/// @param moments of clusters
/// @return numbers of a point
/// @throws std::invalid_argument if the clusters are not of one width
std::size_t
GetWidth(const std::vector<ClusterMoments>& moments)
{
    const std::size_t width = moments.empty() ? 0 : moments.front().sum.size();
    for (const ClusterMoments& cluster : moments)
    {
        CheckArgument(cluster.sum.size() == width && cluster.products.rows == width &&
                          cluster.products.columns == width,
                      "moments of clusters differ in width");
    }
    return width;
}

/// Adds points to the moments of clusters, of each cluster block by block.
class MomentAdder
{
  public:
    /// @param moments to be added to when Finish() is called
    explicit MomentAdder(std::vector<ClusterMoments>& moments)
        : m_moments(moments),
          m_width(static_cast<Eigen::Index>(GetWidth(moments))),
          m_sums(moments.size())
    {
        for (Sums& sums : m_sums)
        {
            sums.points.resize(m_width, BLOCK);
            sums.sum.setZero(m_width);
            sums.products.setZero(m_width, m_width);
        }
    }

    /// @param cluster that gets a point
    /// @param point its numbers
    template <typename T>
    void
    Add(std::size_t cluster, const T* point)
    {
        Sums& sums = m_sums[cluster];
        std::copy_n(point, m_width, sums.points.col(sums.waiting).data());
        if (++sums.waiting == BLOCK)
        {
            AddBlock(sums);
        }
    }

    /// @brief Add what there is to the moments; no point may be added then.
    void
    Finish()
    {
        for (std::size_t i = 0; i < m_sums.size(); ++i)
        {
            Sums& sums = m_sums[i];
            AddBlock(sums);
            m_moments[i].count += static_cast<double>(sums.count);
            for (Eigen::Index row = 0; row < m_width; ++row)
            {
                m_moments[i].sum[row] += sums.sum(row);
                for (Eigen::Index column = 0; column < m_width; ++column)
                {
                    m_moments[i].products(row, column) += sums.products(row, column);
                }
            }
        }
    }

  private:
    /// What is to be added to a cluster
    struct Sums
    {
        Eigen::MatrixXd points;   //!< a column each, that are not in the sums yet
        Eigen::Index waiting = 0; //!< number of them
        uint64_t count = 0;       //!< of the points in the sums
        Eigen::VectorXd sum;      //!< of them
        Eigen::MatrixXd products; //!< sum of x x^T
    };

    /// @param sums gets the points that wait
    void
    AddBlock(Sums& sums) const
    {
        if (sums.waiting == 0)
        {
            return;
        }
        const auto points = sums.points.leftCols(sums.waiting);
        sums.sum += points.rowwise().sum();
        sums.products.noalias() += points * points.transpose();
        sums.count += static_cast<uint64_t>(sums.waiting);
        sums.waiting = 0;
    }

    std::vector<ClusterMoments>& m_moments; //!< to be added to
    Eigen::Index m_width;                   //!< d
    std::vector<Sums> m_sums;               //!< by cluster
};

/// Finds the nearest of some centroids.
class NearestCentroid
{
  public:
    /// @param moments of the clusters; those without points have no centroid
    /// @throws std::invalid_argument if none has
    explicit NearestCentroid(const std::vector<ClusterMoments>& moments)
        : m_centroids(GetWidth(moments), moments.size()),
          m_halfSquares(moments.size())
    {
        bool found = false;
        for (std::size_t i = 0; i < moments.size(); ++i)
        {
            const double count = moments[i].count;
            for (std::size_t row = 0; row < moments[i].sum.size(); ++row)
            {
                m_centroids(row, i) = count > 0 ? moments[i].sum[row] / count : 0;
            }
            m_halfSquares(i) = count > 0 ? m_centroids.col(i).squaredNorm() / 2
                                         : std::numeric_limits<double>::infinity();
            found = found || count > 0;
        }
        CheckArgument(found, "no cluster has points");
    }

    /// @param points a column each
    /// @param[out] nearest of each, of equal ones the lowest; as many as points
    void
    Find(const Eigen::Ref<const Eigen::MatrixXd>& points, std::vector<std::size_t>& nearest)
    {
        m_closeness.noalias() = m_centroids.transpose() * points;
        for (Eigen::Index point = 0; point < points.cols(); ++point)
        {
            std::size_t best = 0;
            double closest = -std::numeric_limits<double>::infinity();
            for (Eigen::Index i = 0; i < m_closeness.rows(); ++i)
            {
                const double closeness = m_closeness(i, point) - m_halfSquares(i);
                if (closeness > closest)
                {
                    closest = closeness;
                    best = static_cast<std::size_t>(i);
                }
            }
            nearest[point] = best;
        }
    }

  private:
    Eigen::MatrixXd m_centroids;   //!< a column each
    Eigen::VectorXd m_halfSquares; //!< half of its squared length, infinite without points
    Eigen::MatrixXd m_closeness;   //!< inner products, by centroid and point
};

/// Draws points from a Gaussian.
class GaussianSource
{
  public:
    /// @param gaussian what to draw from
    /// @param width numbers that it must have
    /// @throws std::invalid_argument if the width differs or it has no density
    GaussianSource(const GaussianCluster& gaussian, std::size_t width)
        : m_normals(width, BLOCK),
          m_mean(width)
    {
        CheckArgument(gaussian.mean.size() == width && gaussian.covariance.rows == width &&
                          gaussian.covariance.columns == width,
                      "a remote cluster of {} numbers, own ones have {}",
                      gaussian.mean.size(),
                      width);
        Eigen::MatrixXd covariance(width, width);
        for (std::size_t row = 0; row < width; ++row)
        {
            m_mean(row) = gaussian.mean[row];
            for (std::size_t column = 0; column < width; ++column)
            {
                covariance(row, column) = gaussian.covariance(row, column);
            }
        }
        const Eigen::LLT<Eigen::MatrixXd> llt(covariance);
        m_factor = llt.matrixL();
        CheckArgument(llt.info() == Eigen::Success && m_factor.allFinite() && m_mean.allFinite(),
                      "a remote cluster's covariance is not positive definite");
    }

    /// @param generator to draw with
    /// @param[out] points each column is drawn; at most BLOCK
    void
    Draw(RandomGenerator& generator, Eigen::Ref<Eigen::MatrixXd> points)
    {
        for (Eigen::Index i = 0; i < points.size(); ++i)
        {
            m_normals.data()[i] = m_normal(generator);
        }
        points.noalias() = m_factor * m_normals.leftCols(points.cols());
        points.colwise() += m_mean;
    }

  private:
    Eigen::MatrixXd m_normals; //!< independent numbers
    Eigen::VectorXd m_mean;    //!< mu
    Eigen::MatrixXd m_factor;  //!< L of Sigma = L L^T, zeros above its diagonal
    boost::random::normal_distribution<double> m_normal; //!< of each number
};

/// @param moments of a cluster
/// @return trace of the covariance of MakeGaussian()
double
GetTrace(const ClusterMoments& moments)
{
    const std::size_t width = moments.sum.size();
    double trace = COVARIANCE_RIDGE * static_cast<double>(width);
    for (std::size_t i = 0; i < width && moments.count > 0; ++i)
    {
        const double mean = moments.sum[i] / moments.count;
        trace += moments.products(i, i) / moments.count - mean * mean;
    }
    return trace;
}

} // namespace

std::vector<uint32_t>
SplitRequest(uint32_t requested, const Matrix<float>& own, const Matrix<float>& remote)
{
    CheckArgument(own.rows != 0 && (remote.rows == 0 || own.columns == remote.columns),
                  "{} own centroids of {} numbers, remote ones of {}",
                  own.rows,
                  own.columns,
                  remote.columns);
    std::vector<double> weights;
    double sum = 0;
    for (std::size_t row = 0; row < own.rows; ++row)
    {
        weights.push_back(SumDistances(own.Row(row), remote));
        sum += weights.back();
    }
    CheckArgument(std::isfinite(sum), "a centroid is not finite");
    if (sum == 0)
    {
        weights.assign(own.rows, 1.0);
    }
    return DivideByLargestRemainder(requested, weights);
}

std::vector<std::vector<uint32_t>>
ShareClusters(const std::vector<uint32_t>& sizes,
              const std::vector<uint32_t>& thresholds,
              const std::vector<std::vector<uint8_t>>& trusted)
{
    const std::size_t clusters = sizes.size();
    bool fits = thresholds.size() == clusters;
    for (const std::vector<uint8_t>& receiver : trusted)
    {
        fits = fits && receiver.size() == clusters;
    }
    CheckArgument(fits, "sizes, thresholds and trust are not of as many clusters");
    std::vector<std::vector<uint32_t>> shares(trusted.size(), std::vector<uint32_t>(clusters, 0));
    for (std::size_t l = 0; l < clusters; ++l)
    {
        uint32_t receivers = 0;
        for (const std::vector<uint8_t>& receiver : trusted)
        {
            receivers += receiver[l] != 0 ? 1 : 0;
        }
        const uint32_t given = sizes[l] - std::min(sizes[l], thresholds[l]);
        uint32_t left = receivers > 0 ? given % receivers : 0;
        for (std::size_t i = 0; i < trusted.size(); ++i)
        {
            if (trusted[i][l] != 0)
            {
                shares[i][l] = given / receivers + (left > 0 ? 1 : 0);
                left -= left > 0 ? 1 : 0;
            }
        }
    }
    return shares;
}

std::vector<ClusterMoments>
SumClusters(const Matrix<float>& points, const std::vector<uint32_t>& labels, uint32_t clusters)
{
    CheckArgument(
        labels.size() == points.rows, "{} labels of {} points", labels.size(), points.rows);
    const std::size_t width = points.columns;
    std::vector<ClusterMoments> moments(
        clusters, {0, std::vector<double>(width, 0.0), Matrix<double>(width, width)});
    MomentAdder adder(moments);
    for (std::size_t row = 0; row < points.rows; ++row)
    {
        CheckArgument(
            labels[row] < clusters, "point {} is of cluster {} of {}", row, labels[row], clusters);
        adder.Add(labels[row], points.Row(row));
    }
    adder.Finish();
    return moments;
}

GaussianCluster
MakeGaussian(const ClusterMoments& moments)
{
    const std::size_t width = moments.sum.size();
    GaussianCluster gaussian;
    gaussian.mean.assign(width, 0.0);
    gaussian.covariance = Matrix<double>(width, width);
    gaussian.count = static_cast<uint32_t>(std::llround(moments.count));
    if (moments.count > 0)
    {
        for (std::size_t i = 0; i < width; ++i)
        {
            gaussian.mean[i] = moments.sum[i] / moments.count;
        }
        for (std::size_t i = 0; i < moments.products.values.size(); ++i)
        {
            gaussian.covariance.values[i] = moments.products.values[i] / moments.count -
                                            gaussian.mean[i / width] * gaussian.mean[i % width];
        }
    }
    for (std::size_t i = 0; i < width; ++i)
    {
        gaussian.covariance(i, i) += COVARIANCE_RIDGE;
    }
    return gaussian;
}

std::vector<ClusterMoments>
AddSampledPoints(const std::vector<ClusterMoments>& own,
                 const std::vector<GaussianCluster>& remote,
                 uint64_t seed)
{
    std::vector<ClusterMoments> after = own;
    MomentAdder adder(after);
    NearestCentroid centroids(own);
    RandomGenerator generator(seed);
    const std::size_t width = own.front().sum.size();
    Eigen::MatrixXd points(width, BLOCK);
    std::vector<std::size_t> nearest(BLOCK);
    for (const GaussianCluster& cluster : remote)
    {
        GaussianSource source(cluster, width);
        for (Eigen::Index left = cluster.count; left > 0; left -= BLOCK)
        {
            auto drawn = points.leftCols(std::min(left, BLOCK));
            source.Draw(generator, drawn);
            centroids.Find(drawn, nearest);
            for (Eigen::Index i = 0; i < drawn.cols(); ++i)
            {
                adder.Add(nearest[i], drawn.col(i).data());
            }
        }
    }
    adder.Finish();
    return after;
}

double
ScoreClusters(const std::vector<ClusterMoments>& before, const std::vector<ClusterMoments>& after)
{
    CheckArgument(
        before.size() == after.size(), "{} clusters before, {} after", before.size(), after.size());
    double score = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        score += GetTrace(after[i]) / GetTrace(before[i]);
    }
    return score;
}

} // namespace ns3::collab
