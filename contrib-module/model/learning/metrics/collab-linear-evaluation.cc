/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-linear-evaluation.h"

#include "collab-metrics.h"

#include "ns3/collab-check-argument.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <tuple>
#include <utility>

namespace ns3::collab
{

namespace
{

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t PAIRS = 10;       //!< that L-BFGS remembers
constexpr double SUFFICIENT = 1e-4;     //!< decrease of the loss, as a part of the slope's
constexpr double SHORTEST_STEP = 1e-10; //!< rounding hides what a shorter one would gain

/// @param matrix samples x features
/// @return whether all are finite
bool
IsFinite(const Matrix<float>& matrix)
{
    return std::all_of(matrix.values.begin(), matrix.values.end(), [](float value) {
        return std::isfinite(value);
    });
}

/// @param features samples x features
/// @param labels one a sample
/// @param classes number of classes
/// @param options options of the fit
/// @throws std::invalid_argument if one is not allowed
void
Check(const Matrix<float>& features,
      const std::vector<int64_t>& labels,
      uint32_t classes,
      const LogisticOptions& options)
{
    CheckArgument(!labels.empty() && features.rows == labels.size() && IsFinite(features),
                  "logistic regression of {} samples with {} labels, expected as many, at least 1, "
                  "and finite numbers",
                  features.rows,
                  labels.size());
    for (const int64_t label : labels)
    {
        CheckArgument(label >= 0 && label < static_cast<int64_t>(classes),
                      "logistic regression: label {} is not below {} classes",
                      label,
                      classes);
    }
    CheckArgument(
        options.l2 > 0 && std::isfinite(options.l2) && options.iterations != 0 &&
            options.tolerance > 0,
        "logistic regression: l2 {}, {} iterations and tolerance {}, expected positive ones",
        options.l2,
        options.iterations,
        options.tolerance);
}

/// @param features samples x features
/// @param model model that says how to standardize
/// @return features x samples, and a last row of ones
MatrixXd
Standardize(const Matrix<float>& features, const LogisticModel& model)
{
    MatrixXd inputs(features.columns + 1, features.rows);
    for (std::size_t row = 0; row < features.rows; ++row)
    {
        for (std::size_t column = 0; column < features.columns; ++column)
        {
            inputs(column, row) =
                (features(row, column) - model.mean[column]) / model.deviation[column];
        }
        inputs(features.columns, row) = 1;
    }
    return inputs;
}

/// @param features samples x features
/// @param[in,out] model model that gets mean and deviation of each feature
void
MeasureFeatures(const Matrix<float>& features, LogisticModel& model)
{
    const auto count = static_cast<double>(features.rows);
    for (std::size_t column = 0; column < features.columns; ++column)
    {
        double sum = 0;
        for (std::size_t row = 0; row < features.rows; ++row)
        {
            sum += features(row, column);
        }
        const double mean = sum / count;
        double squares = 0;
        for (std::size_t row = 0; row < features.rows; ++row)
        {
            squares += (features(row, column) - mean) * (features(row, column) - mean);
        }
        model.mean[column] = mean;
        const double deviation = std::sqrt(squares / count);
        model.deviation[column] = deviation > 0 ? deviation : 1;
    }
}

/// @brief Turn logits into probabilities.
/// @param[in,out] logits classes x samples
/// @return of each sample the logarithm of the sum of its logits' exponentials
Eigen::RowVectorXd
Softmax(MatrixXd& logits)
{
    const Eigen::RowVectorXd greatest = logits.colwise().maxCoeff();
    logits = (logits.rowwise() - greatest).array().exp().matrix();
    const Eigen::RowVectorXd sums = logits.colwise().sum();
    logits.array().rowwise() /= sums.array();
    return (sums.array().log() + greatest.array()).matrix();
}

/// The mean loss of a logistic regression as a function of its weights.
class LogisticLoss
{
  public:
    /// @param inputs features and a row of ones x samples
    /// @param labels one a sample
    /// @param classes number of classes
    /// @param l2 weight of the coefficients' half square beside the summed loss
    LogisticLoss(const MatrixXd& inputs,
                 const std::vector<Eigen::Index>& labels,
                 Eigen::Index classes,
                 double l2)
        : m_inputs(inputs),
          m_labels(labels),
          m_classes(classes),
          m_l2(l2)
    {
    }

    /// @return number of weights
    Eigen::Index
    Size() const
    {
        return m_classes * m_inputs.rows();
    }

    /// @param weights classes x (features and intercept), column by column
    /// @param gradient gradient of the mean loss
    /// @return the mean loss
    double
    operator()(const VectorXd& weights, VectorXd& gradient) const
    {
        const auto samples = static_cast<double>(m_labels.size());
        const Eigen::Map<const MatrixXd> matrix(weights.data(), m_classes, m_inputs.rows());
        MatrixXd logits = matrix * m_inputs;
        double loss = 0;
        for (Eigen::Index i = 0; i < logits.cols(); ++i)
        {
            loss -= logits(m_labels[i], i);
        }
        loss += Softmax(logits).sum();
        for (Eigen::Index i = 0; i < logits.cols(); ++i)
        {
            logits(m_labels[i], i) -= 1;
        }
        const Eigen::Index coefficients = Size() - m_classes; // the last column is not penalized
        MatrixXd slopes = logits * m_inputs.transpose();
        gradient = Eigen::Map<const VectorXd>(slopes.data(), Size());
        gradient.head(coefficients) += m_l2 * weights.head(coefficients);
        gradient /= samples;
        return (loss + m_l2 * weights.head(coefficients).squaredNorm() / 2) / samples;
    }

  private:
    const MatrixXd& m_inputs;                  //!< features and a row of ones x samples
    const std::vector<Eigen::Index>& m_labels; //!< one a sample
    Eigen::Index m_classes;                    //!< number of classes
    double m_l2;                               //!< weight of the penalty
};

/// What L-BFGS knows of the curvature.
class CurvatureMemory
{
  public:
    /// @param step step that was taken
    /// @param change change of the gradient by it
    void
    Remember(const VectorXd& step, const VectorXd& change)
    {
        if (step.dot(change) > 0) // rounding may hide that the loss is convex
        {
            m_pairs.emplace_back(step, change);
        }
        if (m_pairs.size() > PAIRS)
        {
            m_pairs.pop_front();
        }
    }

    /// Forget everything.
    void
    Clear()
    {
        m_pairs.clear();
    }

    /// @return whether nothing is known
    bool
    IsEmpty() const
    {
        return m_pairs.empty();
    }

    /// @param gradient gradient at the present weights
    /// @return where to go: Algorithm 7.4 of Nocedal and Wright, Numerical Optimization
    VectorXd
    FindDirection(const VectorXd& gradient) const
    {
        VectorXd direction = -gradient;
        std::vector<double> parts;
        for (auto pair = m_pairs.rbegin(); pair != m_pairs.rend(); ++pair)
        {
            const auto& [step, change] = *pair;
            parts.push_back(step.dot(direction) / step.dot(change));
            direction -= parts.back() * change;
        }
        if (!m_pairs.empty())
        {
            const auto& [step, change] = m_pairs.back();
            direction *= step.dot(change) / change.squaredNorm();
        }
        for (const auto& [step, change] : m_pairs)
        {
            const double part = change.dot(direction) / step.dot(change);
            direction += (parts.back() - part) * step;
            parts.pop_back();
        }
        return direction;
    }

  private:
    std::deque<std::pair<VectorXd, VectorXd>> m_pairs; //!< steps and changes, the oldest first
};

/// @brief Go downhill by L-BFGS, halving steps until the loss falls enough.
/// @param loss loss to minimize
/// @param options options with the tolerance and the maximum number of iterations
/// @param[in,out] weights where to begin, and the solution
/// @return iterations, and whether the tolerance was reached
std::pair<uint32_t, bool>
Minimize(const LogisticLoss& loss, const LogisticOptions& options, VectorXd& weights)
{
    CurvatureMemory memory;
    VectorXd gradient;
    double value = loss(weights, gradient);
    for (uint32_t iteration = 0; iteration < options.iterations; ++iteration)
    {
        if (gradient.lpNorm<Eigen::Infinity>() <= options.tolerance)
        {
            return {iteration, true};
        }
        const VectorXd direction = memory.FindDirection(gradient);
        const double slope = gradient.dot(direction);
        double length = memory.IsEmpty() ? std::min(1.0, 1 / gradient.norm()) : 1;
        VectorXd next = weights + length * direction;
        VectorXd nextGradient;
        double nextValue = loss(next, nextGradient);
        while (!(nextValue <= value + SUFFICIENT * length * slope) && length > SHORTEST_STEP)
        {
            length /= 2;
            next = weights + length * direction;
            nextValue = loss(next, nextGradient);
        }
        if (length <= SHORTEST_STEP)
        {
            if (memory.IsEmpty())
            {
                return {iteration, false};
            }
            memory.Clear();
            continue;
        }
        memory.Remember(next - weights, nextGradient - gradient);
        weights = std::move(next);
        gradient = std::move(nextGradient);
        value = nextValue;
    }
    return {options.iterations, gradient.lpNorm<Eigen::Infinity>() <= options.tolerance};
}

/// @param labels one a sample
/// @param classes number of classes
/// @return those that a sample has, ascending
std::vector<std::size_t>
FindPresent(const std::vector<int64_t>& labels, uint32_t classes)
{
    std::vector<std::size_t> present;
    for (std::size_t one = 0; one < classes; ++one)
    {
        if (std::find(labels.begin(), labels.end(), static_cast<int64_t>(one)) != labels.end())
        {
            present.push_back(one);
        }
    }
    return present;
}

/// @param weights classes with samples x (features and intercept), column by column
/// @param present classes with samples
/// @param classes number of all
/// @param[in,out] model model that gets these weights
void
SetWeights(const VectorXd& weights,
           const std::vector<std::size_t>& present,
           uint32_t classes,
           LogisticModel& model)
{
    const std::size_t features = model.mean.size();
    model.coefficients = Matrix<double>(classes, features);
    model.intercepts.assign(classes, -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < present.size(); ++i)
    {
        for (std::size_t column = 0; column < features; ++column)
        {
            model.coefficients(present[i], column) = weights[column * present.size() + i];
        }
        model.intercepts[present[i]] = weights[features * present.size() + i];
    }
}

} // namespace

LogisticModel
FitLogisticModel(const Matrix<float>& features,
                 const std::vector<int64_t>& labels,
                 uint32_t classes,
                 const LogisticOptions& options)
{
    Check(features, labels, classes, options);
    LogisticModel model;
    model.mean.assign(features.columns, 0);
    model.deviation.assign(features.columns, 1);
    if (options.standardizes)
    {
        MeasureFeatures(features, model);
    }
    const std::vector<std::size_t> present = FindPresent(labels, classes);
    std::vector<Eigen::Index> places;
    for (const int64_t label : labels)
    {
        const auto one = static_cast<std::size_t>(label);
        places.push_back(std::lower_bound(present.begin(), present.end(), one) - present.begin());
    }
    const MatrixXd inputs = Standardize(features, model);
    const LogisticLoss loss(inputs, places, static_cast<Eigen::Index>(present.size()), options.l2);
    VectorXd weights = VectorXd::Zero(loss.Size());
    std::tie(model.iterations, model.isConverged) = Minimize(loss, options, weights);
    SetWeights(weights, present, classes, model);
    return model;
}

Matrix<float>
PredictLogistic(const LogisticModel& model, const Matrix<float>& features)
{
    CheckArgument(features.columns == model.mean.size(),
                  "logistic regression of {} features, given {}",
                  model.mean.size(),
                  features.columns);
    const std::size_t classes = model.intercepts.size();
    MatrixXd weights(classes, features.columns + 1);
    for (std::size_t one = 0; one < classes; ++one)
    {
        for (std::size_t column = 0; column < features.columns; ++column)
        {
            weights(one, column) = model.coefficients(one, column);
        }
        weights(one, features.columns) = model.intercepts[one];
    }
    MatrixXd logits = weights * Standardize(features, model);
    Softmax(logits);
    Matrix<float> probabilities(features.rows, classes);
    for (std::size_t row = 0; row < features.rows; ++row)
    {
        for (std::size_t one = 0; one < classes; ++one)
        {
            probabilities(row, one) = static_cast<float>(logits(one, row));
        }
    }
    return probabilities;
}

Score
EvaluateLinearly(const LabeledEmbeddings& probe,
                 const LabeledEmbeddings& tested,
                 uint32_t classes,
                 const LogisticOptions& options)
{
    if (!IsFinite(probe.embeddings) || !IsFinite(tested.embeddings))
    {
        Score none;
        none.accuracy = none.balancedAccuracy = none.loss =
            std::numeric_limits<double>::quiet_NaN();
        return none;
    }
    const LogisticModel model = FitLogisticModel(probe.embeddings, probe.labels, classes, options);
    return ScorePredictions(PredictLogistic(model, tested.embeddings), tested.labels);
}

} // namespace ns3::collab
