/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-release.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-differential-privacy.h"
#include "ns3/collab-payload-error.h"
#include "ns3/collab-specification.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3::collab
{

PredictionPrivacy
ReadPredictionPrivacy(const std::string& text)
{
    constexpr double LEAST = 1e-9;
    constexpr double MOST = 1e9;
    Specification given("privacy of predictions", "gaussian:" + text);
    CheckArgument(given.Has("sigma"), "sigma must be given, such as sigma=0.5");
    PredictionPrivacy privacy;
    privacy.sigma = given.GetNumber("sigma", privacy.sigma, LEAST, MOST);
    privacy.delta = given.GetNumber("delta", privacy.delta, 1e-30, 1 - LEAST);
    given.CheckKeys();
    return privacy;
}

void
ProjectToProbabilities(float* row, std::size_t columns)
{
    std::vector<double> descending(row, row + columns);
    std::sort(descending.begin(), descending.end(), std::greater<>());
    double sum = 0;
    double shift = 0;
    for (std::size_t k = 0; k < columns; ++k)
    {
        sum += descending[k];
        const double candidate = (sum - 1) / static_cast<double>(k + 1);
        if (descending[k] > candidate)
        {
            shift = candidate;
        }
    }
    for (std::size_t k = 0; k < columns; ++k)
    {
        row[k] = static_cast<float>(std::max(0.0, row[k] - shift));
    }
}

Matrix<float>
Blur(Matrix<float> labels, double sigma, RandomGenerator& generator)
{
    boost::random::normal_distribution<double> draw(0, sigma);
    for (std::size_t sample = 0; sample < labels.rows; ++sample)
    {
        float* row = labels.Row(sample);
        std::transform(row, row + labels.columns, row, [&](float probability) {
            return static_cast<float>(probability + draw(generator));
        });
        ProjectToProbabilities(row, labels.columns);
    }
    return labels;
}

PredictionRelease::PredictionRelease(std::size_t samples,
                                     std::size_t columns,
                                     PredictionFormat format,
                                     PredictionAttack attack,
                                     std::optional<PredictionPrivacy> privacy,
                                     uint64_t noiseSeed)
    : m_samples(samples),
      m_columns(columns),
      m_format(format),
      m_attack(attack),
      m_privacy(attack == PredictionAttack::NONE ? privacy : std::nullopt),
      m_noiseSeed(noiseSeed)
{
}

std::string
PredictionRelease::FindFault(const Matrix<float>& labels, const std::string& when) const
{
    Require<std::runtime_error>(
        labels.rows == m_samples && labels.columns == m_columns,
        "{}: predictions of shape {} x {} from the learner, expected {} x {}",
        when,
        labels.rows,
        labels.columns,
        m_samples,
        m_columns);
    try
    {
        CheckPredictions(labels, m_samples, m_columns, m_format.kind);
        return "";
    }
    catch (const PayloadError& error)
    {
        return when + ": the learner has diverged, " + error.what();
    }
}

bool
PredictionRelease::IsExact() const
{
    return m_attack == PredictionAttack::NONE && m_format.kind != PredictionKind::CLASSES &&
           m_format.precision == LabelPrecision::FLOAT32 &&
           (m_format.topK == 0 || m_format.topK >= m_columns);
}

PredictionRelease::Result
PredictionRelease::Make(Matrix<float> labels, const std::string& when)
{
    Result result;
    result.fault = FindFault(labels, when);
    const bool isBlurred = m_privacy && result.fault.empty();
    m_isExposed = m_isExposed || !isBlurred;
    if (isBlurred || !IsExact())
    {
        result.own = std::make_shared<const Matrix<float>>(labels);
    }
    if (isBlurred)
    {
        ++m_releases;
        RandomGenerator generator(SplitMix64(m_noiseSeed++));
        labels = Blur(std::move(labels), m_privacy->sigma, generator);
    }
    else if (m_attack != PredictionAttack::NONE)
    {
        labels = Falsify(std::move(labels), m_attack);
    }
    result.sent = SoftLabels(std::move(labels), m_format);
    return result;
}

double
PredictionRelease::GetEpsilon() const
{
    if (m_isExposed)
    {
        return std::numeric_limits<double>::infinity();
    }
    const double sensitivity = std::sqrt(2.0 * static_cast<double>(m_samples));
    return m_releases == 0 ? 0
                           : ComposedGaussianEpsilon(
                                 sensitivity, m_privacy->sigma, m_privacy->delta, m_releases);
}

} // namespace ns3::collab
