/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-modulated-signals.h"

#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::collab;

namespace
{

constexpr double PI = 3.14159265358979323846;

using Signal = std::vector<std::complex<double>>;

/// Options of signals without noise or carrier offset
ModulatedSignalsOptions
MakeClean()
{
    ModulatedSignalsOptions options;
    options.samplesPerClass = 200;
    options.mostOffset = 0;
    options.snrDb = {200};
    return options;
}

/// @return all signals of a modulation
std::vector<Signal>
Generate(const ModulatedSignalsOptions& options, Modulation modulation)
{
    const auto data = GenerateModulatedSignals(options, 1);
    std::vector<Signal> signals;
    for (std::size_t sample = 0; sample < data->labels.size(); ++sample)
    {
        if (data->labels[sample] == static_cast<int64_t>(modulation))
        {
            const float* begin = data->numbers.data() + 2 * options.length * sample;
            signals.emplace_back();
            for (uint32_t t = 0; t < options.length; ++t)
            {
                signals.back().emplace_back(begin[t], begin[options.length + t]);
            }
        }
    }
    return signals;
}

/// @return mean of |mean of s^order| over signals, 0 where phases are balanced
double
MeasureSymmetry(Modulation modulation, int order)
{
    double sum = 0;
    const auto signals = Generate(MakeClean(), modulation);
    for (const Signal& signal : signals)
    {
        std::complex<double> mean;
        for (const auto& value : signal)
        {
            mean += std::pow(value, order) / static_cast<double>(signal.size());
        }
        sum += std::abs(mean) / static_cast<double>(signals.size());
    }
    return sum;
}

/// @return mean over signals of |s|^4 over the square of that of |s|^2
double
MeasureKurtosis(const ModulatedSignalsOptions& options, Modulation modulation)
{
    double squares = 0;
    double fourths = 0;
    const auto signals = Generate(options, modulation);
    for (const Signal& signal : signals)
    {
        for (const auto& value : signal)
        {
            squares += std::norm(value);
            fourths += std::norm(value) * std::norm(value);
        }
    }
    return fourths * static_cast<double>(signals.size() * options.length) / (squares * squares);
}

/// @return part of the power at frequencies from one to another one [cycles/sample], by a Hann
/// window
double
MeasureBand(const std::vector<Signal>& signals, double from, double to)
{
    double inside = 0;
    double all = 0;
    for (const Signal& signal : signals)
    {
        const auto length = static_cast<int>(signal.size());
        for (int k = -length / 2; k < length / 2; ++k)
        {
            std::complex<double> bin;
            for (int t = 0; t < length; ++t)
            {
                const double window = 1 - std::cos(2 * PI * t / length);
                bin += window * signal[t] * std::polar(1.0, -2 * PI * k * t / length);
            }
            const double frequency = k / static_cast<double>(length);
            all += std::norm(bin);
            inside += frequency >= from && frequency <= to ? std::norm(bin) : 0;
        }
    }
    return inside / all;
}

} // namespace

TEST(ModulatedSignals, HaveTheShapeOfRadioMlAndAMeanPowerOfOne)
{
    ModulatedSignalsOptions options;
    options.samplesPerClass = 5;
    const auto data = GenerateModulatedSignals(options, 1);
    EXPECT_EQ(data->sampleShape, (std::vector<int64_t>{1, 2, 128}));
    EXPECT_EQ(data->classes, 8U);
    ASSERT_EQ(data->labels.size(), 8U * 5);
    ASSERT_EQ(data->numbers.size(), data->labels.size() * 256);
    for (std::size_t sample = 0; sample < data->labels.size(); ++sample)
    {
        double power = 0;
        for (uint32_t k = 0; k < 256; ++k)
        {
            power += std::pow(data->numbers[256 * sample + k], 2) / 128;
        }
        EXPECT_NEAR(power, 1, 1e-5);
    }
    EXPECT_EQ(GenerateModulatedSignals(options, 1)->numbers, data->numbers);
    EXPECT_NE(GenerateModulatedSignals(options, 2)->numbers, data->numbers);
}

TEST(ModulatedSignals, PowersOfSymbolsTellLinearModulationsApart)
{
    // Of real symbols the square does not average out, of four phases the fourth power
    EXPECT_NEAR(MeasureSymmetry(Modulation::BPSK, 2), 1, 1e-6);
    EXPECT_NEAR(MeasureSymmetry(Modulation::PAM4, 2), 1, 1e-6);
    for (const Modulation modulation : {Modulation::QPSK, Modulation::PSK8, Modulation::QAM16})
    {
        EXPECT_LT(MeasureSymmetry(modulation, 2), 0.4);
    }
    EXPECT_GT(MeasureSymmetry(Modulation::QPSK, 4), 1.3 * MeasureSymmetry(Modulation::PSK8, 4));
    // More levels, more spread of the power
    EXPECT_GT(MeasureKurtosis(MakeClean(), Modulation::PAM4),
              MeasureKurtosis(MakeClean(), Modulation::BPSK) + 0.2);
    EXPECT_GT(MeasureKurtosis(MakeClean(), Modulation::QAM16),
              MeasureKurtosis(MakeClean(), Modulation::QPSK) + 0.2);
}

TEST(ModulatedSignals, NoiseHasTheSnrAskedFor)
{
    ModulatedSignalsOptions options = MakeClean();
    for (const Modulation modulation : {Modulation::CPFSK, Modulation::GFSK})
    {
        EXPECT_NEAR(MeasureKurtosis(options, modulation), 1, 1e-6); // a constant envelope
    }
    options.snrDb = {6};
    const double noise = std::pow(10, -0.6);
    const double expected = (1 + 4 * noise + 2 * noise * noise) / std::pow(1 + noise, 2);
    EXPECT_NEAR(MeasureKurtosis(options, Modulation::CPFSK), expected, 0.02);
}

TEST(ModulatedSignals, PhaseOfCpfskTurnsByAQuarterPerSymbol)
{
    for (const Signal& signal : Generate(MakeClean(), Modulation::CPFSK))
    {
        for (std::size_t t = 1; t < signal.size(); ++t)
        {
            EXPECT_NEAR(std::abs(std::arg(signal[t] * std::conj(signal[t - 1]))), PI / 16, 1e-5);
        }
    }
}

TEST(ModulatedSignals, SpectraAreThoseOfPulsesFiltersAndTones)
{
    // Of a root-raised-cosine pulse: half the symbol rate, 1 / 16, and 0.35 of it more
    const auto qpsk = Generate(MakeClean(), Modulation::QPSK);
    EXPECT_GT(MeasureBand(qpsk, -1.35 / 16 - 0.015, 1.35 / 16 + 0.015), 0.99);
    EXPECT_LT(MeasureBand(qpsk, -0.5 / 16, 0.5 / 16), 0.65);
    EXPECT_GT(MeasureBand(Generate(MakeClean(), Modulation::AM_DSB), -0.012, 0.012),
              0.7); // carrier
    // GFSK's filter takes power away from what is far out
    const auto outside = [](Modulation modulation) {
        return 1 - MeasureBand(Generate(MakeClean(), modulation), -0.1, 0.1);
    };
    EXPECT_LT(3 * outside(Modulation::GFSK), outside(Modulation::CPFSK));
}

TEST(ModulatedSignals, CarriersAreOffByAsMuchAsAskedFor)
{
    ModulatedSignalsOptions options = MakeClean();
    options.mostOffset = 0.2;
    double greatest = 0;
    double mean = 0;
    double squares = 0;
    const auto signals = Generate(options, Modulation::AM_DSB);
    for (const Signal& signal : signals)
    {
        // AM has the phase of its carrier
        const double offset = std::arg(signal[1] * std::conj(signal[0])) / (2 * PI);
        greatest = std::max(greatest, std::abs(offset));
        mean += offset / static_cast<double>(signals.size());
        squares += offset * offset / static_cast<double>(signals.size());
    }
    EXPECT_NEAR(mean, 0, 0.03);
    EXPECT_LE(greatest, 0.2 + 1e-6);
    EXPECT_NEAR(std::sqrt(squares), 0.2 / std::sqrt(3.0), 0.015);
}

TEST(ModulatedSignals, RejectsWhatIsNotAllowed)
{
    const auto refuses = [](const auto& change) {
        ModulatedSignalsOptions options;
        change(options);
        EXPECT_THROW(GenerateModulatedSignals(options, 1), std::invalid_argument);
    };
    refuses([](auto& options) { options.samplesPerClass = 0; });
    refuses([](auto& options) { options.length = 0; });
    refuses([](auto& options) { options.symbolLength = 1; });
    refuses([](auto& options) { options.rollOff = 0; });
    refuses([](auto& options) { options.mostOffset = 0.5; });
    refuses([](auto& options) { options.snrDb.clear(); });
}
