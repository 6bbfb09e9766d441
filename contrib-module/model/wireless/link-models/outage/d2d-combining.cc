/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-combining.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace ns3::collab
{

namespace
{

constexpr double ROUNDING = 1e-12; //!< by which a sum may fall short of what suffices

} // namespace

bool
D2dQuality::Suffices(double held)
{
    return held >= 1 - ROUNDING;
}

double
D2dQuality::GetQuantile(double uniform) const
{
    if (std::isinf(shape) || mean <= 0)
    {
        return mean;
    }
    const double power = shape == 1 ? -std::log1p(-uniform) // which is faster
                                    : boost::math::gamma_p_inv(shape, uniform) / shape;
    return mean * power;
}

double
D2dQuality::GetCombinedOutage(uint32_t attempts, double held) const
{
    if (std::isinf(shape) || mean <= 0 || attempts == 0 || Suffices(held))
    {
        return Suffices(held + attempts * mean) ? 0.0 : 1.0;
    }
    const double power = shape * (1 - held) / mean;
    return std::isfinite(power) ? boost::math::gamma_p(attempts * shape, power) : 1.0;
}

std::vector<double>
D2dQuality::GetCombinedOutages(uint32_t most, double held) const
{
    std::vector<double> outages(std::size_t{most} + 1, 0.0);
    for (uint32_t attempts = 0; attempts <= most; ++attempts)
    {
        outages[attempts] = GetCombinedOutage(attempts, held);
        if (outages[attempts] == 0)
        {
            break;
        }
    }
    return outages;
}

double
D2dQuality::GetHeldQuantile(uint32_t attempts, double held, double uniform) const
{
    double more = attempts * mean;
    if (!std::isinf(shape) && mean > 0 && attempts > 0)
    {
        const double failed = GetCombinedOutage(attempts, held);
        more = boost::math::gamma_p_inv(attempts * shape, uniform * failed) * mean / shape;
    }
    return std::min(held + more, 1 - 2 * ROUNDING);
}

} // namespace ns3::collab
