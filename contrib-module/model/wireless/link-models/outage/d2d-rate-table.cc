/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-rate-table.h"

#include "ns3/collab-error.h"
#include "ns3/d2d-matrix-file.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/expint.hpp>
#include <cmath>
#include <fmt/format.h>

namespace ns3::collab
{

namespace
{

/// @param x not negative
/// @return integral of (1 - exp(-t)) / t from 0 to x
double
GetEin(double x)
{
    if (x > 1)
    {
        return boost::math::expint(1, x) + std::log(x) + boost::math::constants::euler<double>();
    }
    double sum = 0;
    double term = 1;
    for (int k = 1; std::abs(term) > 1e-18; ++k)
    {
        term *= -x / k;
        sum -= term / k;
    }
    return sum;
}

/// @param condition condition that must hold
/// @param where file and line
/// @param message what was found, and what is allowed
void
Require(bool condition, const std::string& where, const std::string& message)
{
    if (!condition)
    {
        throw DataFileError(where + ": " + message);
    }
}

} // namespace

D2dRateTable::D2dRateTable(const std::string& path)
    : m_path(path)
{
    const D2dMatrixFile file = ReadD2dRowsFile(path);
    std::string where = path;
    for (std::size_t i = 0; i < file.values.size(); ++i)
    {
        where = fmt::format("{}: line {}", path, file.lines[i]);
        Add(file.values[i], where);
    }
    Require(!m_mcs.empty(), where, "found no line with rate, bytes, SNR and PER");
    Close(where);
}

void
D2dRateTable::Add(const std::vector<double>& row, const std::string& where)
{
    Require(row.size() == 4,
            where,
            fmt::format("found {} numbers, expected rate, bytes, SNR and PER", row.size()));
    const double snrDb = row[2];
    const double per = row[3];
    Require(row[0] > 0,
            where,
            fmt::format("column 1: found rate {}, expected a positive one [bit/s/Hz]", row[0]));
    Require(row[1] >= 1 && std::floor(row[1]) == row[1],
            where,
            fmt::format("column 2: found {} bytes, expected 1, 2, ...", row[1]));
    Require(per >= 0 && per <= 1,
            where,
            fmt::format("column 4: found PER {}, expected one in [0, 1]", per));
    Open(row, where);
    Mcs& mcs = m_mcs.back();
    std::vector<double>& pers = mcs.per.back();
    const std::size_t place = pers.size();
    if (mcs.bytes.size() == 1)
    {
        Require(place == 0 || snrDb > mcs.snrDb.back(),
                where,
                fmt::format("column 3: found SNR {} dB, expected more than {} dB as before",
                            snrDb,
                            place == 0 ? 0.0 : mcs.snrDb.back()));
        mcs.snrDb.push_back(snrDb);
    }
    Require(place < mcs.snrDb.size() && snrDb == mcs.snrDb[place],
            where,
            fmt::format("column 3: found SNR {} dB, expected the SNRs of {} bytes at this rate",
                        snrDb,
                        mcs.bytes.front()));
    Require(place == 0 || per <= pers.back(),
            where,
            fmt::format("column 4: found PER {}, expected none over {} of a lower SNR",
                        per,
                        place == 0 ? 1.0 : pers.back()));
    Require(mcs.bytes.size() == 1 || per >= mcs.per[mcs.per.size() - 2][place],
            where,
            fmt::format("column 4: found PER {}, expected none under that of fewer bytes", per));
    pers.push_back(per);
}

void
D2dRateTable::Open(const std::vector<double>& row, const std::string& where)
{
    const double rate = row[0];
    const double bytes = row[1];
    const bool isFirst = m_mcs.empty();
    Require(isFirst || rate >= m_rates.back(),
            where,
            fmt::format("column 1: found rate {}, expected none under {} as before",
                        rate,
                        isFirst ? 0.0 : m_rates.back()));
    if (isFirst || rate > m_rates.back())
    {
        Close(where);
        m_rates.push_back(rate);
        m_mcs.emplace_back();
    }
    Mcs& mcs = m_mcs.back();
    Require(mcs.bytes.empty() || bytes >= mcs.bytes.back(),
            where,
            fmt::format("column 2: found {} bytes, expected none under {} as before",
                        bytes,
                        mcs.bytes.empty() ? 0.0 : mcs.bytes.back()));
    if (mcs.bytes.empty() || bytes > mcs.bytes.back())
    {
        Close(where);
        mcs.bytes.push_back(bytes);
        mcs.per.emplace_back();
    }
}

void
D2dRateTable::Close(const std::string& where) const
{
    if (m_mcs.empty() || m_mcs.back().per.empty())
    {
        return;
    }
    const Mcs& mcs = m_mcs.back();
    Require(mcs.per.back().size() == mcs.snrDb.size() && mcs.snrDb.size() >= 2,
            where,
            fmt::format("rate {} with {} bytes ends with {} SNRs, expected {}",
                        m_rates.back(),
                        mcs.bytes.back(),
                        mcs.per.back().size(),
                        mcs.bytes.size() == 1 ? "2 or more" : fmt::format("{}", mcs.snrDb.size())));
}

D2dRateTable::Curve
D2dRateTable::MakeCurve(double spectralEfficiency, uint32_t bytes) const
{
    // A hair less, against rounding of a rate that is meant to be that of an MCS
    const auto rate =
        std::lower_bound(m_rates.begin(), m_rates.end(), spectralEfficiency * (1 - 1e-9));
    if (rate == m_rates.end())
    {
        throw UserError(fmt::format("{}: has no rate of {} bit/s/Hz or more; its greatest is {} "
                                    "(SpectralEfficiency, MaxSpectralEfficiency)",
                                    m_path,
                                    spectralEfficiency,
                                    m_rates.back()));
    }
    const Mcs& mcs = m_mcs[rate - m_rates.begin()];
    const auto above = std::lower_bound(mcs.bytes.begin(), mcs.bytes.end(), bytes);
    const std::size_t upper =
        std::min<std::size_t>(above - mcs.bytes.begin(), mcs.bytes.size() - 1);
    const bool listed = above != mcs.bytes.end() && *above == bytes;
    const bool between = !listed && above != mcs.bytes.begin() && above != mcs.bytes.end();
    Curve curve;
    for (std::size_t i = 0; i < mcs.snrDb.size(); ++i)
    {
        const double logUpper = std::log1p(-mcs.per[upper][i]);
        double logSuccess = logUpper * bytes / mcs.bytes[upper];
        if (between)
        {
            const double below = mcs.bytes[upper - 1];
            const double weight = (bytes - below) / (mcs.bytes[upper] - below);
            logSuccess = (1 - weight) * std::log1p(-mcs.per[upper - 1][i]) + weight * logUpper;
        }
        curve.snr.push_back(std::pow(10.0, mcs.snrDb[i] / 10));
        curve.per.push_back(listed ? mcs.per[upper][i] : -std::expm1(logSuccess));
    }
    return curve;
}

double
D2dRateTable::Curve::GetPer(double snrNow) const
{
    if (snrNow < snr.front())
    {
        return 1.0;
    }
    const auto above = std::upper_bound(snr.begin(), snr.end(), snrNow);
    if (above == snr.end())
    {
        return per.back();
    }
    const std::size_t i = above - snr.begin();
    const double weight = std::log(snrNow / snr[i - 1]) / std::log(snr[i] / snr[i - 1]);
    return per[i - 1] + weight * (per[i] - per[i - 1]);
}

double
D2dRateTable::Curve::GetMeanPer(double meanSnr) const
{
    // The integral of PER(s) exp(-s / m) / m by parts: of steps and slopes of the PER, times the
    // probability 1 - exp(-s / m) that the SNR is below. All terms are positive.
    double mean = per.back() - (1 - per.front()) * std::expm1(-snr.front() / meanSnr);
    double below = GetEin(snr.front() / meanSnr);
    for (std::size_t i = 1; i < snr.size(); ++i)
    {
        const double next = GetEin(snr[i] / meanSnr);
        mean += (per[i - 1] - per[i]) * (next - below) / std::log(snr[i] / snr[i - 1]);
        below = next;
    }
    return std::min(mean, 1.0);
}

} // namespace ns3::collab
