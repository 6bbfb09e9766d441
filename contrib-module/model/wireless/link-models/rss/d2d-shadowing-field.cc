/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-shadowing-field.h"

#include "ns3/d2d-split-mix.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Bits of the index of a pair of wave vectors in the table
constexpr uint32_t TABLE_BITS = 12;
/// Pairs of wave vectors in the table
constexpr uint32_t TABLE_SIZE = 1U << TABLE_BITS;
/// An odd number: its multiples modulo the size of the table are all indices, well mixed
constexpr uint32_t STRIDE = 2531;
/// Sinusoids of a link, M
constexpr uint32_t SINUSOIDS = 32;

/// @param at number in (0, 1)
/// @return quantile of the length of a wave vector there
double
GetLength(double at)
{
    // With k = tan(x / 2) the distribution function is (x - sin x) / pi
    constexpr double PI = boost::math::constants::pi<double>();
    const auto difference = [at](double x) {
        return std::make_pair(x - std::sin(x) - PI * at, 1 - std::cos(x));
    };
    constexpr int DIGITS = 40; // of the result, binary
    const double guess = std::min(std::cbrt(6 * PI * at), 3.0);
    const double x = boost::math::tools::newton_raphson_iterate(difference, guess, 0.0, PI, DIGITS);
    return std::tan(x / 2);
}

} // namespace

D2dShadowingField::D2dShadowingField(const D2dCounterRandom& random)
    : m_random(random),
      m_waves(TABLE_SIZE)
{
    // A node has no link to itself: these numbers are the table's own
    const auto draw = [&random](uint32_t row, uint32_t what) {
        return random.GetUniform(row, row, what);
    };
    // Lengths are stratified: one in each of as many parts of equal probability
    const auto drawVector = [&draw](uint32_t row, uint32_t stratum, uint32_t what) {
        const double length = GetLength((stratum + draw(row, what)) / TABLE_SIZE);
        const double z = 2 * draw(row, what + 1) - 1;
        const double angle = boost::math::constants::two_pi<double>() * draw(row, what + 2);
        const double across = length * std::sqrt(1 - z * z);
        return Vector(across * std::cos(angle), across * std::sin(angle), length * z);
    };
    for (uint32_t row = 0; row < TABLE_SIZE; ++row)
    {
        m_waves[row].first = drawVector(row, row, 0);
        m_waves[row].second = drawVector(row, row * STRIDE % TABLE_SIZE, 3);
    }
}

double
D2dShadowingField::GetValue(uint32_t from,
                            uint32_t to,
                            const Vector& first,
                            const Vector& second) const
{
    D2dSplitMix random(m_random.GetBits(from, to, 0));
    double sum = 0;
    for (uint32_t i = 0; i < SINUSOIDS; ++i)
    {
        const uint64_t bits = random.GetBits();
        const Waves& waves = m_waves[bits >> (64 - TABLE_BITS)];
        const uint64_t rest = bits & ((uint64_t{1} << (64 - TABLE_BITS)) - 1);
        const double phase = boost::math::constants::two_pi<double>() * static_cast<double>(rest) /
                             (uint64_t{1} << (64 - TABLE_BITS));
        sum += std::cos(phase + waves.first.x * first.x + waves.first.y * first.y +
                        waves.first.z * first.z + waves.second.x * second.x +
                        waves.second.y * second.y + waves.second.z * second.z);
    }
    return std::sqrt(2.0 / SINUSOIDS) * sum;
}

} // namespace ns3::collab
