/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-messages.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::collab
{

static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<float>::is_iec559,
              "the wire format is IEEE 754");

PublicBelief::PublicBelief(std::vector<double> exact, BeliefPrecision howToWrite)
    : numbers(std::move(exact)),
      precision(howToWrite)
{
    if (precision == BeliefPrecision::FLOAT32)
    {
        for (double& number : numbers)
        {
            number = static_cast<float>(number);
        }
    }
}

uint64_t
PublicBelief::WireSize() const
{
    return numbers.size() * GetUnitSize();
}

uint32_t
PublicBelief::CountUnits() const
{
    return static_cast<uint32_t>(numbers.size());
}

uint32_t
PublicBelief::GetUnitSize() const
{
    return precision == BeliefPrecision::FLOAT32 ? sizeof(float) : sizeof(double);
}

void
PublicBelief::Keep(const std::vector<uint32_t>& units)
{
    std::vector<double> kept;
    for (const uint32_t unit : units)
    {
        kept.push_back(numbers[unit]);
    }
    numbers = std::move(kept);
}

void
PublicBelief::Check() const
{
    Require<PayloadError>(arrived.IsWhole() || numbers.size() == arrived.units.size(),
                          "{} numbers, expected {}",
                          numbers.size(),
                          arrived.units.size());
    constexpr double ROUNDING = 1e-3;
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    Require<PayloadError>(shares.empty() || (std::abs(sum - 1) <= ROUNDING &&
                                             *std::min_element(shares.begin(), shares.end()) >= 0),
                          "shares of sum {}, expected none negative and a sum of 1",
                          sum);
}

void
PublicBelief::Write(std::vector<uint8_t>& bytes) const
{
    for (const double number : numbers)
    {
        if (precision == BeliefPrecision::FLOAT32)
        {
            detail::PutNumber(static_cast<float>(number), bytes);
        }
        else
        {
            detail::PutNumber(number, bytes);
        }
    }
}

void
PublicBelief::Read(WireReader& reader)
{
    const bool isSingle = precision == BeliefPrecision::FLOAT32;
    const std::size_t each = GetUnitSize();
    Require<PayloadError>(reader.GetLeft() % each == 0,
                          "{} bytes, expected a multiple of {}",
                          reader.GetLeft(),
                          each);
    numbers.resize(reader.GetLeft() / each);
    for (double& number : numbers)
    {
        number = isSingle ? detail::TakeNumber<float>(reader) : detail::TakeNumber<double>(reader);
    }
}

} // namespace ns3::collab
