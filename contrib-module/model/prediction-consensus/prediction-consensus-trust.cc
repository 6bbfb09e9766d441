/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-trust.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::collab
{

namespace
{

/// @param a row of numbers
/// @param b another one
/// @param size of both
/// @param weight factor
/// @return weight times the cosine of the angle between them; NaN if one is 0
double
WeightedCosine(const float* a, const float* b, std::size_t size, double weight)
{
    double product = 0;
    double squareA = 0;
    double squareB = 0;
    for (std::size_t c = 0; c < size; ++c)
    {
        product += static_cast<double>(a[c]) * b[c];
        squareA += static_cast<double>(a[c]) * a[c];
        squareB += static_cast<double>(b[c]) * b[c];
    }
    return weight * product / std::sqrt(squareA * squareB);
}

/// @param weights of agents
/// @param predictions of the same agents, all of one shape
/// @param normalizes whether each row of the result is divided by its sum
/// @return weighted sum of the predictions
Matrix<float>
MixRows(const std::vector<double>& weights,
        const std::vector<const Matrix<float>*>& predictions,
        bool normalizes)
{
    const Matrix<float>& first = *predictions.front();
    Matrix<float> mixed(first.rows, first.columns);
    std::vector<double> row(first.columns);
    for (std::size_t sample = 0; sample < first.rows; ++sample)
    {
        std::fill(row.begin(), row.end(), 0.0);
        for (std::size_t agent = 0; agent < predictions.size(); ++agent)
        {
            const float* prediction = predictions[agent]->Row(sample);
            for (std::size_t c = 0; c < row.size(); ++c)
            {
                row[c] += weights[agent] * prediction[c];
            }
        }
        const double sum = normalizes ? std::accumulate(row.begin(), row.end(), 0.0) : 1;
        std::transform(row.begin(), row.end(), mixed.Row(sample), [sum](double value) {
            return static_cast<float>(value / sum);
        });
    }
    return mixed;
}

} // namespace

std::vector<double>
ComputeConfidence(const Matrix<float>& own, const TrustOptions& options)
{
    std::vector<double> confidence(own.rows, 1.0);
    if (!options.confidenceWeighting)
    {
        return confidence;
    }
    for (std::size_t sample = 0; sample < own.rows; ++sample)
    {
        double entropy = 0;
        for (std::size_t c = 0; c < own.columns; ++c)
        {
            const double p = own(sample, c);
            entropy -= p > 0 ? p * std::log(p) : 0.0;
        }
        confidence[sample] = 1 / std::max(entropy + options.entropyOffset, options.entropyFloor);
    }
    return confidence;
}

double
ComputeAffinity(const Matrix<float>& own,
                const Matrix<float>& other,
                const std::vector<double>& confidence)
{
    double sum = 0;
    for (std::size_t sample = 0; sample < own.rows; ++sample)
    {
        sum += WeightedCosine(own.Row(sample), other.Row(sample), own.columns, confidence[sample]);
    }
    return sum / static_cast<double>(own.rows);
}

double
ComputeValueCosine(const Matrix<float>& own, const Matrix<float>& other)
{
    double sum = 0;
    for (std::size_t sample = 0; sample < own.rows; ++sample)
    {
        const float* a = own.Row(sample);
        const float* b = other.Row(sample);
        const double cosine = WeightedCosine(a, b, own.columns, 1);
        const bool hasDirection = !std::isnan(cosine);
        sum += hasDirection ? std::max(cosine, 0.0) : std::equal(a, a + own.columns, b);
    }
    return sum / static_cast<double>(own.rows);
}

double
ComputeValueAffinity(const Matrix<float>& own, const Matrix<float>& other, double scale)
{
    const double unit = scale * scale * static_cast<double>(own.columns);
    double sum = 0;
    for (std::size_t sample = 0; sample < own.rows; ++sample)
    {
        double square = 0;
        for (std::size_t k = 0; k < own.columns; ++k)
        {
            const double difference = static_cast<double>(own(sample, k)) - other(sample, k);
            square += difference * difference;
        }
        sum += 1 / (1 + square / unit);
    }
    return sum / static_cast<double>(own.rows);
}

std::vector<double>
NormalizeTrust(const std::vector<double>& affinities)
{
    const double sum = std::accumulate(affinities.begin(), affinities.end(), 0.0);
    std::vector<double> weights(affinities);
    for (auto& weight : weights)
    {
        weight /= sum;
    }
    return weights;
}

Matrix<float>
MixPredictions(const std::vector<double>& weights,
               const std::vector<const Matrix<float>*>& predictions)
{
    return MixRows(weights, predictions, true);
}

Matrix<float>
MixValues(const std::vector<double>& weights, const std::vector<const Matrix<float>*>& predictions)
{
    return MixRows(weights, predictions, false);
}

Matrix<float>
TakeMedian(const std::vector<double>& weights, const std::vector<const Matrix<float>*>& predictions)
{
    const Matrix<float>& first = *predictions.front();
    const double half = std::accumulate(weights.begin(), weights.end(), 0.0) / 2;
    Matrix<float> medians = MixPredictions(weights, predictions);
    std::vector<std::pair<float, double>> column(predictions.size()); // probability, weight
    std::vector<double> row(first.columns);
    for (std::size_t sample = 0; sample < first.rows; ++sample)
    {
        for (std::size_t c = 0; c < first.columns; ++c)
        {
            for (std::size_t agent = 0; agent < predictions.size(); ++agent)
            {
                column[agent] = {(*predictions[agent])(sample, c), weights[agent]};
            }
            std::sort(column.begin(), column.end());
            double below = 0;
            row[c] = std::find_if(column.begin(), column.end() - 1, [&](const auto& entry) {
                         return (below += entry.second) >= half;
                     })->first;
        }
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        if (sum > 0)
        {
            std::transform(row.begin(), row.end(), medians.Row(sample), [sum](double value) {
                return static_cast<float>(value / sum);
            });
        }
    }
    return medians;
}

std::vector<double>
ComputeIdealTrust(const Matrix<double>& similarities,
                  const std::vector<double>& importance,
                  std::size_t agent)
{
    const auto sum = [&](std::size_t row) {
        return std::accumulate(
            similarities.Row(row), similarities.Row(row) + similarities.columns, 0.0);
    };
    const double own = sum(agent);
    std::vector<double> weights(similarities.columns);
    double others = 0;
    for (std::size_t b = 0; b < weights.size(); ++b)
    {
        const double forward = similarities(agent, b) / own;
        const double backward = similarities(b, agent) / sum(b);
        weights[b] = std::min(forward, backward * importance[b] / importance[agent]);
        others += b == agent ? 0 : weights[b];
    }
    weights[agent] = 1 - others;
    return weights;
}

Matrix<float>
VoteByMajority(const std::vector<double>& weights,
               const std::vector<const Matrix<float>*>& predictions)
{
    const Matrix<float>& first = *predictions.front();
    Matrix<float> elected(first.rows, first.columns);
    std::vector<double> votes(first.columns);
    for (std::size_t sample = 0; sample < first.rows; ++sample)
    {
        std::fill(votes.begin(), votes.end(), 0.0);
        for (std::size_t agent = 0; agent < predictions.size(); ++agent)
        {
            const float* row = predictions[agent]->Row(sample);
            votes[std::max_element(row, row + first.columns) - row] += weights[agent];
        }
        elected(sample, std::max_element(votes.begin(), votes.end()) - votes.begin()) = 1;
    }
    return elected;
}

uint64_t
CountJudgingFlops(std::size_t samples, std::size_t classes, std::size_t judged)
{
    const uint64_t entropy = 3 * classes + 2; // p log p, summed; offset, reciprocal
    const uint64_t affinity =
        6 * classes + 4; // three sums of products; product, root, quotient, weight
    return samples * (entropy + affinity * judged);
}

uint64_t
CountMixingFlops(std::size_t samples, std::size_t classes, std::size_t mixed)
{
    const uint64_t mixing = 2 * classes * mixed; // weighted sum of all predictions
    const uint64_t normalizing = 2 * classes;    // row sum and quotient
    return samples * (mixing + normalizing);
}

uint64_t
CountMedianFlops(std::size_t samples, std::size_t classes, std::size_t mixed)
{
    const uint64_t sorting = mixed * static_cast<uint64_t>(std::ceil(std::log2(mixed + 1.0)));
    const uint64_t weighing = 2 * mixed; // sum of weights, and its comparison with a half
    return CountMixingFlops(samples, classes, mixed) + samples * classes * (sorting + weighing + 2);
}

uint64_t
CountVotingFlops(std::size_t samples, std::size_t classes, std::size_t voters)
{
    const uint64_t votes = classes * voters; // comparisons, and the addition of a weight
    return samples * (votes + classes - 1);  // comparisons of the votes
}

uint64_t
CountValueTrustFlops(std::size_t samples,
                     std::size_t outputs,
                     std::size_t judged,
                     std::size_t mixed)
{
    // difference, square, sum of each output; quotient, addition, reciprocal, sum
    const uint64_t affinity = 3 * outputs + 4;
    const uint64_t mixing = 2 * outputs * mixed; // weighted sum of all predictions
    return samples * (affinity * judged + mixing);
}

} // namespace ns3::collab
