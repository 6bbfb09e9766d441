/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-analog-signal.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

namespace
{

/// @param values numbers, two a symbol
/// @param symbol number of a symbol
/// @return the symbol
std::complex<double>
GetSymbol(const std::vector<float>& values, std::size_t symbol)
{
    const std::size_t second = 2 * symbol + 1;
    return {values[second - 1], second < values.size() ? values[second] : 0.0F};
}

} // namespace

std::size_t
D2dAnalogLayout::CountSymbols() const
{
    return (values + 1) / 2;
}

uint32_t
D2dAnalogLayout::CountBlocks() const
{
    return static_cast<uint32_t>((CountSymbols() + blockSymbols - 1) / blockSymbols);
}

std::size_t
D2dAnalogLayout::CountSymbols(uint32_t block) const
{
    const std::size_t before = std::size_t{block} * blockSymbols;
    return std::min<std::size_t>(CountSymbols() - before, blockSymbols);
}

Time
D2dAnalogLayout::GetAirtime(double bandwidthHz) const
{
    const Time pilot = GetAnalogAirtime(pilotSymbols, bandwidthHz);
    Time airtime;
    for (uint32_t block = 0; block < CountBlocks(); ++block)
    {
        airtime += pilot * static_cast<int64_t>(1 + takers) +
                   GetAnalogAirtime(CountSymbols(block), bandwidthHz);
    }
    return airtime;
}

Time
GetAnalogAirtime(std::size_t symbols, double bandwidthHz)
{
    return NanoSeconds(std::llround(1e9 * static_cast<double>(symbols) / bandwidthHz));
}

double
GetAnalogPower(const std::vector<float>& values, std::size_t first, std::size_t symbols)
{
    double sum = 0;
    for (std::size_t symbol = first; symbol < first + symbols; ++symbol)
    {
        sum += std::norm(GetSymbol(values, symbol));
    }
    return sum / static_cast<double>(symbols);
}

void
AddAnalogSymbols(const std::vector<float>& values,
                 std::size_t first,
                 std::complex<double> factor,
                 std::vector<std::complex<double>>& sum)
{
    for (std::size_t i = 0; i < sum.size(); ++i)
    {
        sum[i] += factor * GetSymbol(values, first + i);
    }
}

D2dAnalogNoise::D2dAnalogNoise(uint64_t seed)
    : m_random(seed)
{
}

std::complex<double>
D2dAnalogNoise::Draw(double powerW)
{
    constexpr double TURN = 6.283185307179586;
    const double magnitude = std::sqrt(-powerW * std::log1p(-m_random.GetValue()));
    return std::polar(magnitude, TURN * m_random.GetValue());
}

bool
HearsAnalogPilot(double powerW, double noiseW, uint32_t symbols, D2dAnalogNoise& noise)
{
    const double averagedW = noiseW / symbols;
    const std::complex<double> received = std::sqrt(powerW) + noise.Draw(averagedW);
    return std::norm(received) > -averagedW * std::log(ANALOG_FALSE_ALARM);
}

} // namespace ns3::collab
