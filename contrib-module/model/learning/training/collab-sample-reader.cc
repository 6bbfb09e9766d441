/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-sample-reader.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ns3::collab
{

namespace
{

/// @param data data whose samples are read
/// @param change what is done to them
/// @throws std::invalid_argument if that cannot be done
void
CheckTransform(const DataSet& data, const SampleTransform& change)
{
    CheckArgument(
        std::isfinite(change.rotation) && std::isfinite(change.noise) && change.noise >= 0,
        "transform: rotation {} and noise {}, expected finite numbers and no negative noise",
        change.rotation,
        change.noise);
    CheckArgument(data.kind != FeatureKind::TOKENS || (change.rotation == 0 && change.noise == 0),
                  "transform: data set '{}' has tokens, which cannot be rotated or noisy",
                  data.name);
    CheckArgument(
        data.sampleShape.size() == 3 || change.rotation == 0,
        "transform: samples of shape ({}) cannot be rotated, expected (channels, height, width)",
        fmt::join(data.sampleShape, ", "));
}

} // namespace

SampleReader::SampleReader(const DataView& view)
    : m_data(*view.data),
      m_change(view.transform),
      m_sampleSize(m_data.SampleSize()),
      m_channelSize(m_sampleSize)
{
    if (m_data.kind == FeatureKind::BYTES)
    {
        m_data.CheckNormalization();
        m_channelSize /= m_data.offset.size();
        m_values.resize(m_data.offset.size());
        for (std::size_t channel = 0; channel < m_values.size(); ++channel)
        {
            for (std::size_t byte = 0; byte < m_values[channel].size(); ++byte)
            {
                m_values[channel][byte] =
                    (static_cast<float>(byte) / 255.0F - m_data.offset[channel]) /
                    m_data.scale[channel];
            }
        }
    }
    if (m_change)
    {
        CheckTransform(m_data, *m_change);
        if (m_change->rotation != 0)
        {
            m_taps = FindRotation(m_change->rotation, m_data.sampleShape[1], m_data.sampleShape[2]);
            m_unrotated.resize(m_sampleSize);
        }
    }
}

float*
SampleReader::Read(uint32_t index, float* values)
{
    if (m_taps.empty())
    {
        Decode(index, values);
    }
    else
    {
        Decode(index, m_unrotated.data());
        Rotate(m_unrotated.data(), values);
    }
    if (m_change && m_change->noise > 0)
    {
        AddNoise(index, values);
    }
    return values + m_sampleSize;
}

int64_t*
SampleReader::Read(uint32_t index, int64_t* values)
{
    return std::copy_n(m_data.tokens.data() + index * m_sampleSize, m_sampleSize, values);
}

void
SampleReader::Decode(uint32_t index, float* values) const
{
    if (m_data.kind == FeatureKind::NUMBERS)
    {
        std::copy_n(m_data.numbers.data() + index * m_sampleSize, m_sampleSize, values);
        return;
    }
    const uint8_t* bytes = m_data.features.data() + index * m_sampleSize;
    for (const auto& table : m_values)
    {
        values = std::transform(
            bytes, bytes + m_channelSize, values, [&table](uint8_t byte) { return table[byte]; });
        bytes += m_channelSize;
    }
}

void
SampleReader::Rotate(const float* source, float* values) const
{
    const std::size_t channels = m_sampleSize / m_taps.size();
    for (std::size_t channel = 0; channel < channels; ++channel)
    {
        const float outside = m_values.empty() ? 0.0F : m_values[channel % m_values.size()].front();
        values = MixPixels(m_taps, source, outside, values);
        source += m_taps.size();
    }
}

void
SampleReader::AddNoise(uint32_t index, float* values) const
{
    RandomGenerator generator(SplitMix64(SplitMix64(m_change->seed) ^ index));
    boost::random::normal_distribution<float> draw(0, static_cast<float>(m_change->noise));
    std::for_each(values, values + m_sampleSize, [&](float& value) { value += draw(generator); });
}

} // namespace ns3::collab
