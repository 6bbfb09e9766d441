/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "comparison.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <random>

namespace ns3::collab
{
namespace tests
{

namespace
{

/// @param statistic of KolmogorovSmirnov()
/// @return probability of exceeding it, for large samples without ties
double
KolmogorovP(double statistic)
{
    if (statistic < 0.2)
    {
        return 1; // to 12 digits, where the series converges slowly
    }
    double p = 0;
    for (int k = 1; k <= 100; ++k)
    {
        p += (k % 2 == 1 ? 2 : -2) * std::exp(-2 * k * k * statistic * statistic);
    }
    return std::clamp(p, 0.0, 1.0);
}

/**
 * @brief Draw lots among numbers that are equal but for rounding.
 *
 * Counts have ties, with which the Kolmogorov-Smirnov test is too lenient and its p not uniform.
 * Shares of duty cycles are rounded to time steps, so that what is one number in a fidelity may be
 * some, next to each other, in the other one.
 * Numbers that are equal get different ones between their neighbors, at random in both samples
 * alike, which does not make two equal distributions different.
 *
 * @param[in,out] a a sample
 * @param[in,out] b another
 */
void
BreakTies(std::vector<double>& a, std::vector<double>& b)
{
    std::vector<double> values(a);
    values.insert(values.end(), b.begin(), b.end());
    std::sort(values.begin(), values.end());
    const double rounding = 1e-6 * std::max(std::abs(values.front()), std::abs(values.back()));
    const auto isEqual = [=](double first, double other) { return other - first <= rounding; };
    values.erase(std::unique(values.begin(), values.end(), isEqual), values.end());
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> lot(0, 1);
    for (auto* sample : {&a, &b})
    {
        for (double& value : *sample)
        {
            const auto next = std::upper_bound(values.begin(), values.end(), value);
            value = static_cast<double>(next - values.begin()) + lot(generator);
        }
    }
}

/// @brief Say how many p values lie below some levels.
/// @param out where to say it
/// @param name what the p values are of
/// @param ps the p values
void
ReportLevels(std::ostream& out, const std::string& name, const std::vector<double>& ps)
{
    for (const double level : {0.1, 0.01, 0.0027, 0.001})
    {
        const auto below =
            std::count_if(ps.begin(), ps.end(), [level](double p) { return p < level; });
        out << name << ": p < " << level << " in " << below << " of " << ps.size() << ", expected "
            << level * static_cast<double>(ps.size()) << '\n';
    }
}

/// @param ps p values, of whatever dependence
/// @return p of the least of them
double
Bonferroni(const std::vector<double>& ps)
{
    return ps.empty()
               ? 1.0
               : std::min(1.0,
                          *std::min_element(ps.begin(), ps.end()) * static_cast<double>(ps.size()));
}

} // namespace

Comparison
Compare(std::vector<double> packet, std::vector<double> burst)
{
    constexpr double ROUNDING = 1e-9;
    Comparison result;
    result.packet = Describe(packet);
    result.burst = Describe(burst);
    const auto [least, greatest] = std::minmax_element(packet.begin(), packet.end());
    const auto [otherLeast, otherGreatest] = std::minmax_element(burst.begin(), burst.end());
    const double span = std::max(*greatest, *otherGreatest) - std::min(*least, *otherLeast);
    result.exact = span <= ROUNDING * std::abs(*greatest);
    if (!result.exact)
    {
        const double error = std::hypot(result.packet.standardError, result.burst.standardError);
        result.z = (result.burst.mean - result.packet.mean) / error; // infinite for two constants
        result.meanP = std::erfc(std::abs(result.z) / std::sqrt(2.0));
        BreakTies(packet, burst);
        result.ksP = KolmogorovP(KolmogorovSmirnov(packet, burst));
    }
    return result;
}

void
ComparisonSummary::Add(const Comparison& comparison, bool independent)
{
    m_all.push_back(comparison);
    if (independent && !comparison.exact)
    {
        m_independent.push_back(comparison);
    }
}

bool
ComparisonSummary::Report(std::ostream& out, double level) const
{
    std::vector<double> meanPs;
    std::vector<double> ksPs;
    for (const auto& comparison : m_all)
    {
        if (!comparison.exact)
        {
            meanPs.push_back(comparison.meanP);
            ksPs.push_back(comparison.ksP);
        }
    }
    double chiSquare = 0;
    std::vector<double> independentPs;
    std::vector<double> independentKsPs;
    for (const auto& comparison : m_independent)
    {
        chiSquare += comparison.z * comparison.z;
        independentPs.push_back(comparison.meanP);
        independentKsPs.push_back(comparison.ksP);
    }
    double chiSquareP = 1;
    if (!m_independent.empty())
    {
        const boost::math::chi_squared distribution(static_cast<double>(m_independent.size()));
        chiSquareP = std::isfinite(chiSquare)
                         ? boost::math::cdf(boost::math::complement(distribution, chiSquare))
                         : 0.0;
    }
    const double meanP = Bonferroni(meanPs);
    const double ksP = Bonferroni(ksPs);

    out << std::setprecision(4) << "comparisons: " << m_all.size() << ", of which "
        << m_all.size() - meanPs.size() << " of constants, all equal\n";
    ReportLevels(out, "means", meanPs);
    ReportLevels(out, "independent means", independentPs);
    ReportLevels(out, "Kolmogorov-Smirnov", ksPs);
    ReportLevels(out, "independent Kolmogorov-Smirnov", independentKsPs);
    out << "independent means: sum of z^2 " << chiSquare << " of " << m_independent.size()
        << ", p = " << chiSquareP << '\n'
        << "least p times number: means " << meanP << ", Kolmogorov-Smirnov " << ksP << '\n';
    const bool agree = std::min({meanP, ksP, chiSquareP}) >= level / 3;
    out << (agree ? "the fidelities agree" : "the fidelities DISAGREE") << " at level " << level
        << '\n';
    return agree;
}

} // namespace tests
} // namespace ns3::collab
