/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-soft-labels.h"

#include <boost/endian/conversion.hpp>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace ns3
{
namespace collab
{

static_assert(sizeof(float) == 4, "the wire format is IEEE 754 single precision");

SoftLabelPayload::SoftLabelPayload(Matrix<float> probabilities)
    : m_probabilities(std::move(probabilities))
{
}

uint64_t
SoftLabelPayload::WireSize() const
{
    return m_probabilities.values.size() * sizeof(float);
}

void
SoftLabelPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    for (const float value : m_probabilities.values)
    {
        uint32_t bits;
        std::memcpy(&bits, &value, sizeof(bits));
        boost::endian::native_to_little_inplace(bits);
        const auto* begin = reinterpret_cast<const uint8_t*>(&bits);
        bytes.insert(bytes.end(), begin, begin + sizeof(bits));
    }
}

std::shared_ptr<const SoftLabelPayload>
SoftLabelPayload::Parse(const uint8_t* bytes,
                        std::size_t size,
                        std::size_t samples,
                        std::size_t classes)
{
    Matrix<float> probabilities(samples, classes);
    if (size != probabilities.values.size() * sizeof(float))
    {
        throw PayloadError(
            fmt::format("soft labels of {} bytes, expected {} x {} x 4", size, samples, classes));
    }
    for (auto& value : probabilities.values)
    {
        uint32_t bits;
        std::memcpy(&bits, bytes, sizeof(bits));
        boost::endian::little_to_native_inplace(bits);
        std::memcpy(&value, &bits, sizeof(value));
        bytes += sizeof(bits);
    }
    return std::make_shared<const SoftLabelPayload>(std::move(probabilities));
}

void
SoftLabelPayload::Check(std::size_t samples, std::size_t classes) const
{
    if (m_probabilities.rows != samples || m_probabilities.columns != classes)
    {
        throw PayloadError(fmt::format("soft labels of shape {} x {}, expected {} x {}",
                                       m_probabilities.rows,
                                       m_probabilities.columns,
                                       samples,
                                       classes));
    }
    constexpr double TOLERANCE = 1e-3;
    for (std::size_t sample = 0; sample < samples; ++sample)
    {
        double sum = 0;
        for (std::size_t c = 0; c < classes; ++c)
        {
            const float p = m_probabilities(sample, c);
            if (!(p >= 0 && p <= 1 + TOLERANCE))
            {
                throw PayloadError(fmt::format("{} is no probability (sample {})", p, sample));
            }
            sum += p;
        }
        if (std::abs(sum - 1) > TOLERANCE)
        {
            throw PayloadError(
                fmt::format("probabilities of sample {} add up to {}, not 1", sample, sum));
        }
    }
}

const Matrix<float>&
SoftLabelPayload::GetProbabilities() const
{
    return m_probabilities;
}

} // namespace collab
} // namespace ns3
