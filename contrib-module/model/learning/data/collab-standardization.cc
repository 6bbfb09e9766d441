/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-standardization.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

namespace
{

/// Mean and variance of values that come one by one (Welford, 1962).
class RunningMoments
{
  public:
    /// @param value the next one
    void
    Add(double value)
    {
        ++m_count;
        const double change = value - m_mean;
        m_mean += change / m_count;
        m_squares += change * (value - m_mean);
    }

    /// @param result result to which mean and deviation are appended
    void
    AppendTo(Standardization& result) const
    {
        const double deviation = std::sqrt(m_squares / m_count);
        result.mean.push_back(static_cast<float>(m_mean));
        result.deviation.push_back(deviation > 0 ? static_cast<float>(deviation) : 1.0F);
    }

  private:
    double m_count = 0;   //!< number of values
    double m_mean = 0;    //!< of the values so far
    double m_squares = 0; //!< sum of squared deviations from the mean
};

/// @param data data to measure
/// @param kind kind that it must have
/// @throws std::invalid_argument if it has another one, or no samples
void
CheckKind(const DataSet& data, FeatureKind kind)
{
    CheckArgument(data.kind == kind && data.CountFeatures() != 0,
                  "data set '{}' has {} features of kind {}, expected some of kind {}",
                  data.name,
                  data.CountFeatures(),
                  ToString(data.kind),
                  ToString(kind));
}

} // namespace

Standardization
MeasureFeatures(const DataSet& data)
{
    CheckKind(data, FeatureKind::NUMBERS);
    std::vector<RunningMoments> moments(data.SampleSize());
    for (std::size_t i = 0; i < data.numbers.size(); ++i)
    {
        moments[i % moments.size()].Add(data.numbers[i]);
    }
    Standardization result;
    for (const RunningMoments& feature : moments)
    {
        feature.AppendTo(result);
    }
    return result;
}

Standardization
MeasureAll(const DataSet& data)
{
    CheckKind(data, FeatureKind::NUMBERS);
    RunningMoments moments;
    for (const float number : data.numbers)
    {
        moments.Add(number);
    }
    Standardization one;
    moments.AppendTo(one);
    return {std::vector<float>(data.SampleSize(), one.mean[0]),
            std::vector<float>(data.SampleSize(), one.deviation[0])};
}

Standardization
MeasureChannels(const DataSet& data)
{
    CheckKind(data, FeatureKind::BYTES);
    const auto channels = static_cast<std::size_t>(data.sampleShape.front());
    const std::size_t pixels = data.SampleSize() / channels;
    std::vector<RunningMoments> moments(channels);
    for (std::size_t i = 0; i < data.features.size(); ++i)
    {
        moments[i / pixels % channels].Add(data.features[i] / 255.0);
    }
    Standardization result;
    for (const RunningMoments& channel : moments)
    {
        channel.AppendTo(result);
    }
    return result;
}

void
Standardize(DataSet& data, const Standardization& standardization)
{
    const bool bytes = data.kind == FeatureKind::BYTES;
    const std::size_t expected =
        bytes ? static_cast<std::size_t>(data.sampleShape.front()) : data.SampleSize();
    const auto& [mean, deviation] = standardization;
    CheckArgument(data.kind != FeatureKind::TOKENS && mean.size() == expected &&
                      deviation.size() == expected,
                  "{} means and {} deviations for data set '{}' of kind {}, expected {} of each, "
                  "and no tokens",
                  mean.size(),
                  deviation.size(),
                  data.name,
                  ToString(data.kind),
                  expected);
    for (std::size_t i = 0; i < expected; ++i)
    {
        CheckArgument(std::isfinite(mean[i]) && deviation[i] > 0 && std::isfinite(deviation[i]),
                      "mean {} and deviation {}, expected finite ones and a positive deviation",
                      mean[i],
                      deviation[i]);
    }
    if (bytes)
    {
        data.offset = mean;
        data.scale = deviation;
        return;
    }
    for (std::size_t i = 0; i < data.numbers.size(); ++i)
    {
        data.numbers[i] = (data.numbers[i] - mean[i % expected]) / deviation[i % expected];
    }
}

} // namespace ns3::collab
