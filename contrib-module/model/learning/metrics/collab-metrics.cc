/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-metrics.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace ns3::collab
{

namespace
{

constexpr double LEAST_PROBABILITY = 1e-12; //!< keeps the logarithm finite

/// @param probabilities class probabilities, samples x classes
/// @param labels true class of each sample
/// @throws std::invalid_argument if they do not belong together
void
CheckLabels(const Matrix<float>& probabilities, const std::vector<int64_t>& labels)
{
    CheckArgument(probabilities.rows == labels.size(),
                  "{} rows of probabilities but {} labels",
                  probabilities.rows,
                  labels.size());
    for (int64_t label : labels)
    {
        CheckArgument(label >= 0 && static_cast<std::size_t>(label) < probabilities.columns,
                      "label {} is not one of {} classes",
                      label,
                      probabilities.columns);
    }
}

} // namespace

std::vector<int64_t>
PredictedClasses(const Matrix<float>& probabilities)
{
    std::vector<int64_t> classes(probabilities.rows);
    for (std::size_t row = 0; row < probabilities.rows; ++row)
    {
        const float* first = probabilities.Row(row);
        classes[row] = std::max_element(first, first + probabilities.columns) - first;
    }
    return classes;
}

Score
ScorePredictions(const Matrix<float>& probabilities, const std::vector<int64_t>& labels)
{
    CheckLabels(probabilities, labels);
    Score score;
    const auto& values = probabilities.values;
    const bool isNone =
        std::any_of(values.begin(), values.end(), [](float value) { return std::isnan(value); });
    if (labels.empty() || isNone)
    {
        score.accuracy = score.balancedAccuracy = score.loss =
            std::numeric_limits<double>::quiet_NaN();
        return score;
    }
    const std::vector<int64_t> predicted = PredictedClasses(probabilities);
    std::vector<uint64_t> present(probabilities.columns, 0);
    std::vector<uint64_t> right(probabilities.columns, 0);
    double loss = 0;
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        const auto label = static_cast<std::size_t>(labels[i]);
        ++present[label];
        right[label] += predicted[i] == labels[i] ? 1 : 0;
        loss -= std::log(std::max<double>(probabilities(i, label), LEAST_PROBABILITY));
    }
    uint64_t allRight = 0;
    uint64_t presentClasses = 0;
    double recalls = 0;
    for (std::size_t label = 0; label < present.size(); ++label)
    {
        if (present[label] > 0)
        {
            ++presentClasses;
            allRight += right[label];
            recalls += static_cast<double>(right[label]) / static_cast<double>(present[label]);
        }
    }
    const auto samples = static_cast<double>(labels.size());
    score.accuracy = static_cast<double>(allRight) / samples;
    score.balancedAccuracy = recalls / static_cast<double>(presentClasses);
    score.loss = loss / samples;
    return score;
}

std::vector<ClassScore>
ScoreClasses(const Matrix<float>& probabilities, const std::vector<int64_t>& labels)
{
    CheckLabels(probabilities, labels);
    std::vector<ClassScore> scores(probabilities.columns);
    const std::vector<int64_t> predicted = PredictedClasses(probabilities);
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        ++scores[static_cast<std::size_t>(labels[i])].samples;
        ++scores[static_cast<std::size_t>(predicted[i])].predicted;
        scores[static_cast<std::size_t>(labels[i])].right += predicted[i] == labels[i] ? 1 : 0;
    }
    for (ClassScore& score : scores)
    {
        const auto right = static_cast<double>(score.right); // 0 / 0 is NaN
        score.recall = right / static_cast<double>(score.samples);
        score.precision = right / static_cast<double>(score.predicted);
    }
    return scores;
}

double
ExpectedCalibrationError(const Matrix<float>& probabilities,
                         const std::vector<int64_t>& labels,
                         uint32_t bins)
{
    CheckLabels(probabilities, labels);
    CheckArgument(bins != 0, "0 bins, but at least 1 is needed");
    const std::vector<int64_t> predicted = PredictedClasses(probabilities);
    std::vector<double> gaps(bins, 0); // right answers less confidence
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        const double confidence = probabilities(i, static_cast<std::size_t>(predicted[i]));
        if (std::isnan(confidence))
        {
            return std::numeric_limits<double>::quiet_NaN();
        }
        CheckArgument(
            confidence >= 0 && confidence <= 1, "sample {}: {} is no probability", i, confidence);
        const auto bin = static_cast<int64_t>(std::ceil(confidence * bins)) - 1;
        gaps[static_cast<std::size_t>(std::max<int64_t>(bin, 0))] +=
            (predicted[i] == labels[i] ? 1 : 0) - confidence;
    }
    double error = 0;
    for (const double gap : gaps)
    {
        error += std::abs(gap);
    }
    return labels.empty() ? std::numeric_limits<double>::quiet_NaN()
                          : error / static_cast<double>(labels.size());
}

std::vector<double>
PredictiveEntropies(const Matrix<float>& probabilities)
{
    std::vector<double> entropies(probabilities.rows);
    for (std::size_t row = 0; row < probabilities.rows; ++row)
    {
        for (std::size_t column = 0; column < probabilities.columns; ++column)
        {
            const double p = probabilities(row, column);
            entropies[row] -= p == 0 ? 0 : p * std::log(p);
        }
    }
    return entropies;
}

double
AreaUnderRoc(std::vector<double> negatives, const std::vector<double>& positives)
{
    const auto isNone = [](double score) { return std::isnan(score); };
    if (negatives.empty() || positives.empty() ||
        std::any_of(negatives.begin(), negatives.end(), isNone) ||
        std::any_of(positives.begin(), positives.end(), isNone))
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::sort(negatives.begin(), negatives.end());
    double wins = 0;
    for (const double score : positives)
    {
        const auto [below, above] = std::equal_range(negatives.begin(), negatives.end(), score);
        wins += static_cast<double>((below - negatives.begin()) + (above - negatives.begin())) / 2;
    }
    return wins / static_cast<double>(negatives.size()) / static_cast<double>(positives.size());
}

} // namespace ns3::collab
