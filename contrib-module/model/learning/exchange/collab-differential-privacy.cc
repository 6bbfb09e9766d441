/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-differential-privacy.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/collab-vector-stack.h"

#include <boost/random/normal_distribution.hpp>
#include <cmath>

namespace ns3::collab
{

namespace
{

/// @param name name of an argument
/// @param value value to check
/// @throws std::invalid_argument if it is not positive and finite
void
CheckPositive(const char* name, double value)
{
    CheckArgument(value > 0 && std::isfinite(value),
                  "{} {}, allowed are positive finite numbers",
                  name,
                  value);
}

/// @param delta value to check
/// @throws std::invalid_argument if it is not between 0 and 1
void
CheckDelta(double delta)
{
    CheckArgument(delta > 0 && delta < 1, "delta {}, allowed are numbers between 0 and 1", delta);
}

/// @param x not negative
/// @return exp(x^2) erfc(x), which stays in range where its factors do not
double
ScaledErfc(double x)
{
    constexpr double LARGE = 20; // erfc() is exact to the last bits up to here
    if (x < LARGE)
    {
        return std::exp(x * x) * std::erfc(x);
    }
    const double y = 1 / (2 * x * x);
    constexpr double SQRT_PI = 1.77245385090551602730;
    return (1 - y * (1 - 3 * y * (1 - 5 * y * (1 - 7 * y)))) / (x * SQRT_PI);
}

/// @brief Find where a falling function reaches a value.
/// @tparam Function function from double to double
/// @param function function that falls from above the value to below
/// @param value value to reach
/// @param low where the function is above the value
/// @param high greater than low; doubled until the function is not above the value
/// @return least number found where the function is not above the value
template <typename Function>
double
FindFalling(Function function, double value, double low, double high)
{
    while (function(high) > value)
    {
        low = high;
        high *= 2;
    }
    constexpr double RELATIVE = 1e-13;
    while (high - low > RELATIVE * high)
    {
        const double middle = low + (high - low) / 2;
        (function(middle) > value ? low : high) = middle;
    }
    return high;
}

} // namespace

double
GaussianDelta(double sensitivity, double sigma, double epsilon)
{
    CheckPositive("sensitivity", sensitivity);
    CheckPositive("sigma", sigma);
    CheckArgument(epsilon >= 0, "epsilon {}, allowed are numbers from 0", epsilon);
    // exp(e) exp(-v^2) = exp(-u^2): the same factor in both terms
    const double u = (epsilon * sigma / sensitivity - sensitivity / (2 * sigma)) / std::sqrt(2.0);
    const double v = (epsilon * sigma / sensitivity + sensitivity / (2 * sigma)) / std::sqrt(2.0);
    const double factor = std::exp(-u * u);
    return u < 0 ? (std::erfc(u) - factor * ScaledErfc(v)) / 2
                 : factor * (ScaledErfc(u) - ScaledErfc(v)) / 2;
}

double
GaussianEpsilon(double sensitivity, double sigma, double delta)
{
    CheckDelta(delta);
    const auto deltaOf = [&](double epsilon) { return GaussianDelta(sensitivity, sigma, epsilon); };
    return deltaOf(0) <= delta ? 0 : FindFalling(deltaOf, delta, 0, 1);
}

double
ComposedGaussianEpsilon(double sensitivity, double sigma, double delta, uint64_t releases)
{
    CheckPositive("sensitivity", sensitivity);
    CheckPositive("sigma", sigma);
    CheckDelta(delta);
    const double all = std::sqrt(static_cast<double>(releases)) * sensitivity;
    return releases == 0 ? 0 : GaussianEpsilon(all, sigma, delta);
}

double
ClipNorm(float* values, std::size_t dimension, double limit)
{
    CheckPositive("norm to clip to", limit);
    VectorStack({values}, dimension).CheckFinite();
    double sum = 0;
    for (std::size_t k = 0; k < dimension; ++k)
    {
        sum += static_cast<double>(values[k]) * values[k];
    }
    const double norm = std::sqrt(sum);
    if (norm > limit)
    {
        for (std::size_t k = 0; k < dimension; ++k)
        {
            values[k] = static_cast<float>(values[k] * (limit / norm));
        }
    }
    return norm;
}

GaussianLocalPrivacy::GaussianLocalPrivacy(double clipNorm, double sigma, double delta)
    : m_clipNorm(clipNorm),
      m_sigma(sigma),
      m_delta(delta)
{
    CheckPositive("norm to clip to", clipNorm);
    CheckPositive("sigma", sigma);
    CheckDelta(delta);
}

void
GaussianLocalPrivacy::Release(float* values, std::size_t dimension, uint64_t seed)
{
    ClipNorm(values, dimension, m_clipNorm);
    RandomGenerator generator(seed);
    boost::random::normal_distribution<double> draw(0, m_sigma);
    for (std::size_t k = 0; k < dimension; ++k)
    {
        values[k] = static_cast<float>(values[k] + draw(generator));
    }
    ++m_releases;
}

double
GaussianLocalPrivacy::GetEpsilonSpent() const
{
    return ComposedGaussianEpsilon(2 * m_clipNorm, m_sigma, m_delta, m_releases);
}

} // namespace ns3::collab
