/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_LOG_SUM_H
#define D2D_LOG_SUM_H

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief A product of factors 1 + x, from which any of them can be taken out again.
 *
 * Kept as the sum of their logarithms, as a multiple of 2^-104: adding and taking out are exact, so
 * that no order of them matters and nothing is left of a factor that is taken out, whatever the
 * others are. Each logarithm is as exact as a double, and to 1e-31 where x is small. More than 8000
 * of the greatest factors find place, and 300000 of 1e10.
 */
class D2dLogSum
{
  public:
    D2dLogSum() = default;

    /// @brief One factor.
    /// @param ratio x; not negative, and counted as 1e300 if it is greater
    explicit D2dLogSum(double ratio)
    {
        // In two steps, since compilers call a slow function for the whole
        const double high = std::log1p(std::min(ratio, GREATEST)) * 0x1p40;
        const auto whole = static_cast<int64_t>(high);
        const auto rest = static_cast<int64_t>((high - static_cast<double>(whole)) * 0x1p63);
        m_sum = (static_cast<Fixed>(whole) << 64) + (static_cast<Fixed>(rest) << 1);
    }

    /// @param other factors to multiply with
    /// @return this
    D2dLogSum&
    operator+=(const D2dLogSum& other)
    {
        m_sum += other.m_sum;
        return *this;
    }

    /// @param other factors to take out, which are in this
    /// @return this
    D2dLogSum&
    operator-=(const D2dLogSum& other)
    {
        m_sum -= other.m_sum;
        return *this;
    }

    /// @param other another product
    /// @return whether this one is smaller
    bool
    operator<(const D2dLogSum& other) const
    {
        return m_sum < other.m_sum;
    }

    /// @return the product of all, less 1; at most 1e300
    double
    GetProductLessOne() const
    {
        return std::min(std::expm1(static_cast<double>(m_sum) / UNITS), GREATEST);
    }

  private:
    /// 128 bit, which both compilers of ns-3 have where LibTorch runs
    __extension__ typedef __int128 Fixed;

    static constexpr double UNITS = 0x1p104;  //!< of m_sum in 1: 40 + 64 binary digits
    static constexpr double GREATEST = 1e300; //!< of a factor, and of what comes out

    Fixed m_sum = 0; //!< sum of the logarithms
};

} // namespace ns3::collab

#endif /* D2D_LOG_SUM_H */
