/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-label-propagation.h"

#include "ns3/collab-check-argument.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace ns3::collab
{

namespace
{

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index BLOCK_SAMPLES =
    256; //!< samples whose distances to all others are computed at a time

/// Squared distances to one sample, apart from what is the same for all.
struct Nearest
{
    double distance = std::numeric_limits<double>::infinity(); //!< to the sample
    uint32_t index = 0;                                        //!< of the other one
};

/// Samples as columns, to measure many distances at once.
class Distances
{
  public:
    /// @param samples samples as rows; finite
    explicit Distances(const Matrix<float>& samples)
        : m_columns(samples.columns, samples.rows)
    {
        std::copy(samples.values.begin(), samples.values.end(), m_columns.data());
        m_squares = m_columns.colwise().squaredNorm();
    }

    /// @param begin first of some samples
    /// @param count how many
    /// @return all x some: squared distance but for the square of the latter
    MatrixXd
    Measure(Index begin, Index count) const
    {
        MatrixXd distances = m_columns.transpose() * m_columns.middleCols(begin, count);
        distances *= -2;
        distances.colwise() += m_squares.transpose();
        return distances;
    }

    /// @return number of samples
    Index
    Size() const
    {
        return m_columns.cols();
    }

  private:
    MatrixXd m_columns;           //!< one a sample
    Eigen::RowVectorXd m_squares; //!< of their lengths
};

/// @brief Keep the nearest ones in order.
/// @param candidate one more, with a greater index than those there are
/// @param[in,out] nearest ascending by distance
void
Insert(const Nearest& candidate, std::vector<Nearest>& nearest)
{
    std::size_t place = nearest.size();
    while (place > 0 && candidate.distance < nearest[place - 1].distance)
    {
        --place;
    }
    if (place < nearest.size())
    {
        std::move_backward(
            nearest.begin() + static_cast<std::ptrdiff_t>(place), nearest.end() - 1, nearest.end());
        nearest[place] = candidate;
    }
}

/// @param samples samples to look at
/// @param labels one a sample
/// @param options options of the propagation
/// @throws std::invalid_argument if one is not allowed
void
CheckLabels(const Matrix<float>& samples,
            const std::vector<int64_t>& labels,
            const PropagationOptions& options)
{
    const auto isLabeled = [](int64_t label) { return label != NO_LABEL; };
    CheckArgument(labels.size() == samples.rows &&
                      std::any_of(labels.begin(), labels.end(), isLabeled),
                  "label propagation from {} labels to {} samples, expected one a sample, and one "
                  "that is known",
                  labels.size(),
                  samples.rows);
    const int64_t least = *std::min_element(labels.begin(), labels.end());
    CheckArgument(least >= NO_LABEL,
                  "label propagation from the label {}, expected {} for none, or 0 and more",
                  least,
                  NO_LABEL);
    CheckArgument(options.iterations != 0 && options.tolerance >= 0,
                  "label propagation with {} iterations and tolerance {}, expected at least 1, and "
                  "0 or a positive number",
                  options.iterations,
                  options.tolerance);
}

/// @param distances distances from all samples to one
/// @param self index of that one
/// @param found where to put the index of itself, and then those of the nearest
/// @param count how many, itself included
void
FindNearest(const Eigen::Ref<const Eigen::VectorXd>& distances,
            Index self,
            uint32_t* found,
            uint32_t count)
{
    *found++ = static_cast<uint32_t>(self);
    std::vector<Nearest> nearest(count - 1);
    for (Index other = 0; other < distances.size() && !nearest.empty(); ++other)
    {
        if (other != self && distances[other] < nearest.back().distance)
        {
            Insert({distances[other], static_cast<uint32_t>(other)}, nearest);
        }
    }
    std::transform(
        nearest.begin(), nearest.end(), found, [](const Nearest& one) { return one.index; });
}

/// @param labels one a sample
/// @return the classes that there are, ascending
std::vector<int64_t>
FindClasses(const std::vector<int64_t>& labels)
{
    std::set<int64_t> classes(labels.begin(), labels.end());
    classes.erase(NO_LABEL);
    return {classes.begin(), classes.end()};
}

/// @brief Make one iteration.
/// @param neighbors neighbors of each sample
/// @param labels one a sample
/// @param before distributions, samples x classes
/// @return the next ones
Matrix<double>
Spread(const Matrix<uint32_t>& neighbors,
       const std::vector<int64_t>& labels,
       const Matrix<double>& before)
{
    Matrix<double> after = before;
    for (std::size_t i = 0; i < before.rows; ++i)
    {
        if (labels[i] != NO_LABEL)
        {
            continue;
        }
        double* distribution = after.Row(i);
        std::fill_n(distribution, before.columns, 0.0);
        double sum = 0;
        for (std::size_t neighbor = 0; neighbor < neighbors.columns; ++neighbor)
        {
            const double* other = before.Row(neighbors(i, neighbor));
            for (std::size_t one = 0; one < before.columns; ++one)
            {
                distribution[one] += other[one];
                sum += other[one];
            }
        }
        for (std::size_t one = 0; one < before.columns && sum > 0; ++one)
        {
            distribution[one] /= sum;
        }
    }
    return after;
}

/// @param a distributions
/// @param b others
/// @return the sum of their differences
double
SumDifferences(const Matrix<double>& a, const Matrix<double>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
    {
        sum += std::abs(a.values[i] - b.values[i]);
    }
    return sum;
}

/// @param distances distances of samples
/// @param sample index of one without a label
/// @param labels labels of all samples
/// @return label of the nearest sample that has one
int64_t
FindNearestLabel(const Distances& distances, std::size_t sample, const std::vector<int64_t>& labels)
{
    const MatrixXd measured = distances.Measure(static_cast<Index>(sample), 1);
    std::vector<Nearest> nearest(1);
    for (uint32_t other = 0; other < labels.size(); ++other)
    {
        if (labels[other] != NO_LABEL)
        {
            Insert({measured(other, 0), other}, nearest);
        }
    }
    return labels[nearest[0].index];
}

/// @param labels one a sample
/// @param classes classes that there are
/// @return distributions of what is known, samples x classes
Matrix<double>
MakeDistributions(const std::vector<int64_t>& labels, const std::vector<int64_t>& classes)
{
    Matrix<double> distributions(labels.size(), classes.size());
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        if (labels[i] != NO_LABEL)
        {
            const auto place = std::lower_bound(classes.begin(), classes.end(), labels[i]);
            distributions(i, static_cast<std::size_t>(place - classes.begin())) = 1;
        }
    }
    return distributions;
}

/// @brief Give every sample a label.
/// @param samples all of them
/// @param classes classes that there are
/// @param distributions samples x classes
/// @param labels labels that were known
/// @param[in,out] found found that gets the labels
void
Classify(const Matrix<float>& samples,
         const std::vector<int64_t>& classes,
         const Matrix<double>& distributions,
         const std::vector<int64_t>& labels,
         Propagation& found)
{
    const Distances distances(samples);
    found.labels = labels;
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        if (labels[i] != NO_LABEL)
        {
            continue;
        }
        const double* row = distributions.Row(i);
        const double* most = std::max_element(row, row + classes.size());
        const bool isReached = *most > 0;
        found.labels[i] = isReached ? classes[most - row] : FindNearestLabel(distances, i, labels);
        found.unreached += isReached ? 0 : 1;
    }
}

} // namespace

Matrix<uint32_t>
FindNeighbors(const Matrix<float>& samples, uint32_t neighbors)
{
    const auto finite = [](float value) { return std::isfinite(value); };
    CheckArgument(neighbors != 0 && neighbors <= samples.rows &&
                      std::all_of(samples.values.begin(), samples.values.end(), finite),
                  "{} nearest neighbors of {} samples, expected 1 to as many, and finite samples",
                  neighbors,
                  samples.rows);
    const Distances distances(samples);
    Matrix<uint32_t> found(samples.rows, neighbors);
    for (Index begin = 0; begin < distances.Size(); begin += BLOCK_SAMPLES)
    {
        const Index count = std::min(BLOCK_SAMPLES, distances.Size() - begin);
        const MatrixXd measured = distances.Measure(begin, count);
        for (Index i = 0; i < count; ++i)
        {
            FindNearest(measured.col(i), begin + i, found.Row(begin + i), neighbors);
        }
    }
    return found;
}

Propagation
PropagateLabels(const Matrix<float>& samples,
                const std::vector<int64_t>& labels,
                const PropagationOptions& options)
{
    CheckLabels(samples, labels, options);
    const Matrix<uint32_t> neighbors = FindNeighbors(samples, options.neighbors);
    const std::vector<int64_t> classes = FindClasses(labels);
    Matrix<double> distributions = MakeDistributions(labels, classes);
    Propagation found;
    Matrix<double> before(samples.rows, classes.size());
    while (found.iterations < options.iterations && !found.isConverged)
    {
        found.isConverged = SumDifferences(distributions, before) < options.tolerance;
        if (!found.isConverged)
        {
            before = std::move(distributions);
            distributions = Spread(neighbors, labels, before);
            ++found.iterations;
        }
    }
    Classify(samples, classes, distributions, labels, found);
    return found;
}

uint64_t
CountPropagationFlops(uint64_t samples,
                      uint64_t features,
                      uint64_t classes,
                      const PropagationOptions& options)
{
    const uint64_t iterations =
        std::min<uint64_t>(options.iterations, TYPICAL_PROPAGATION_ITERATIONS);
    return samples * samples * (2 * features + 1) +
           iterations * samples * classes * (options.neighbors + 3);
}

} // namespace ns3::collab
