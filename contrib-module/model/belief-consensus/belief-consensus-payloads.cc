/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-payloads.h"

#include <boost/endian/conversion.hpp>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<float>::is_iec559,
              "the wire format is IEEE 754");

/**
 * @param precision FLOAT32 or FLOAT64
 * @return bytes of a number
 */
std::size_t
SizeOf(BeliefPrecision precision)
{
    return precision == BeliefPrecision::FLOAT32 ? sizeof(float) : sizeof(double);
}

/**
 * @param numbers to write
 * @param[in,out] bytes gets them appended in the precision of Number, little-endian
 */
template <typename Number, typename Bits>
void
PutNumbers(const std::vector<double>& numbers, std::vector<uint8_t>& bytes)
{
    std::size_t at = bytes.size();
    bytes.resize(at + numbers.size() * sizeof(Number));
    for (const double number : numbers)
    {
        const auto rounded = static_cast<Number>(number);
        Bits bits;
        std::memcpy(&bits, &rounded, sizeof(bits));
        boost::endian::endian_store<Bits, sizeof(Bits), boost::endian::order::little>(
            bytes.data() + at, bits);
        at += sizeof(Bits);
    }
}

/**
 * @param bytes what PutNumbers() has written
 * @param count number of numbers
 * @return the numbers
 */
template <typename Number, typename Bits>
std::vector<double>
TakeNumbers(const uint8_t* bytes, std::size_t count)
{
    std::vector<double> numbers(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        const Bits bits =
            boost::endian::endian_load<Bits, sizeof(Bits), boost::endian::order::little>(
                bytes + i * sizeof(Bits));
        Number number;
        std::memcpy(&number, &bits, sizeof(bits));
        numbers[i] = number;
    }
    return numbers;
}

} // namespace

BeliefPayload::BeliefPayload(std::vector<double> numbers, BeliefPrecision precision)
    : m_numbers(std::move(numbers)),
      m_precision(precision)
{
    if (m_precision == BeliefPrecision::FLOAT32)
    {
        for (double& number : m_numbers)
        {
            number = static_cast<float>(number);
        }
    }
}

uint64_t
BeliefPayload::WireSize() const
{
    return m_numbers.size() * SizeOf(m_precision);
}

void
BeliefPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    if (m_precision == BeliefPrecision::FLOAT32)
    {
        PutNumbers<float, uint32_t>(m_numbers, bytes);
    }
    else
    {
        PutNumbers<double, uint64_t>(m_numbers, bytes);
    }
}

std::shared_ptr<const BeliefPayload>
BeliefPayload::Parse(const uint8_t* bytes, std::size_t size, BeliefPrecision precision)
{
    const std::size_t each = SizeOf(precision);
    if (size % each != 0)
    {
        throw PayloadError(fmt::format("{} bytes, expected a multiple of {}", size, each));
    }
    auto numbers = precision == BeliefPrecision::FLOAT32
                       ? TakeNumbers<float, uint32_t>(bytes, size / each)
                       : TakeNumbers<double, uint64_t>(bytes, size / each);
    return std::make_shared<const BeliefPayload>(std::move(numbers), precision);
}

const std::vector<double>&
BeliefPayload::GetNumbers() const
{
    return m_numbers;
}

BeliefPrecision
BeliefPayload::GetPrecision() const
{
    return m_precision;
}

} // namespace collab
} // namespace ns3
