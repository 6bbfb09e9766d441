/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-trust.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{
namespace collab
{

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
        const float* a = own.Row(sample);
        const float* b = other.Row(sample);
        double product = 0;
        double squareA = 0;
        double squareB = 0;
        for (std::size_t c = 0; c < own.columns; ++c)
        {
            product += static_cast<double>(a[c]) * b[c];
            squareA += static_cast<double>(a[c]) * a[c];
            squareB += static_cast<double>(b[c]) * b[c];
        }
        sum += confidence[sample] * product / std::sqrt(squareA * squareB);
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
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        std::transform(row.begin(), row.end(), mixed.Row(sample), [sum](double value) {
            return static_cast<float>(value / sum);
        });
    }
    return mixed;
}

uint64_t
CountTrustFlops(std::size_t samples, std::size_t classes, std::size_t judged, std::size_t mixed)
{
    const uint64_t entropy = 3 * classes + 2; // p log p, summed; offset, reciprocal
    const uint64_t affinity =
        6 * classes + 4; // three sums of products; product, root, quotient, weight
    const uint64_t mixing = 2 * classes * mixed; // weighted sum of all predictions
    const uint64_t normalizing = 2 * classes;    // row sum and quotient
    return samples * (entropy + affinity * judged + mixing + normalizing);
}

} // namespace collab
} // namespace ns3
