/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-modulated-signals.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <complex>

namespace ns3::collab
{

namespace
{

using Signal = std::vector<std::complex<double>>;

constexpr uint32_t MODULATIONS = 8;
constexpr double PI = 3.14159265358979323846;
constexpr int32_t PULSE_SYMBOLS = 4;  //!< of a pulse to both sides
constexpr double GAUSS_SYMBOLS = 0.4; //!< deviation of GFSK's filter, a product BT of 0.33

/// Draws signals of one modulation after the other
class SignalGenerator
{
  public:
    /// @param options of all signals
    /// @param seed of all draws
    SignalGenerator(const ModulatedSignalsOptions& options, uint64_t seed)
        : m_options(options),
          m_generator(seed)
    {
    }

    /// @param modulation of the signal
    /// @return a signal behind the channel, of mean power 1
    Signal
    Draw(Modulation modulation)
    {
        Signal signal = modulation >= Modulation::AM_DSB  ? DrawTones()
                        : modulation >= Modulation::CPFSK ? DrawFsk(modulation == Modulation::GFSK)
                                                          : DrawLinear(modulation);
        const double phase = DrawUniform(0, 2 * PI);
        const double offset = DrawUniform(-m_options.mostOffset, m_options.mostOffset);
        Normalize(signal);
        const auto level =
            static_cast<std::size_t>(DrawUniform(0, static_cast<double>(m_options.snrDb.size())));
        const double deviation = std::pow(10.0, -m_options.snrDb[level] / 20) / std::sqrt(2.0);
        boost::random::normal_distribution<double> noise(0, deviation);
        for (std::size_t t = 0; t < signal.size(); ++t)
        {
            signal[t] *= std::polar(1.0, phase + 2 * PI * offset * static_cast<double>(t));
            const double real = noise(m_generator);
            signal[t] += std::complex<double>(real, noise(m_generator));
        }
        Normalize(signal);
        return signal;
    }

  private:
    /// Give a signal a mean power of 1
    static void
    Normalize(Signal& signal)
    {
        double power = 0;
        for (const auto& value : signal)
        {
            power += std::norm(value);
        }
        const double scale = std::sqrt(static_cast<double>(signal.size()) / power);
        std::transform(signal.begin(), signal.end(), signal.begin(), [scale](const auto& value) {
            return value * scale;
        });
    }

    double
    DrawUniform(double from, double to)
    {
        return from + (to - from) * static_cast<double>(m_generator() >> 11) * 0x1p-53;
    }

    /// @return an odd number of -levels + 1 to levels - 1, all equally likely
    double
    DrawLevel(uint32_t levels)
    {
        return 2.0 * std::floor(DrawUniform(0, levels)) - (levels - 1.0);
    }

    std::complex<double>
    DrawSymbol(Modulation modulation)
    {
        switch (modulation)
        {
        case Modulation::BPSK:
            return DrawLevel(2);
        case Modulation::PAM4:
            return DrawLevel(4);
        case Modulation::PSK8:
            return std::polar(1.0, PI / 4 * std::floor(DrawUniform(0, 8)));
        default:
            break;
        }
        const uint32_t levels = modulation == Modulation::QPSK ? 2 : 4;
        const double real = DrawLevel(levels);
        return {real, DrawLevel(levels)};
    }

    /// @param t time in symbols
    /// @return the root-raised-cosine pulse
    double
    GetPulse(double t) const
    {
        const double a = m_options.rollOff;
        const double denominator = PI * t * (1 - std::pow(4 * a * t, 2));
        if (std::abs(t) < 1e-6)
        {
            return 1 - a + 4 * a / PI;
        }
        if (std::abs(denominator) < 1e-6) // t is 1 / (4 a)
        {
            return a / std::sqrt(2.0) *
                   ((1 + 2 / PI) * std::sin(PI / (4 * a)) + (1 - 2 / PI) * std::cos(PI / (4 * a)));
        }
        return (std::sin(PI * t * (1 - a)) + 4 * a * t * std::cos(PI * t * (1 + a))) / denominator;
    }

    /// @return symbols that a signal and pulses around it need
    int32_t
    CountSymbols() const
    {
        return static_cast<int32_t>(m_options.length / m_options.symbolLength) + 2 * PULSE_SYMBOLS +
               2;
    }

    Signal
    DrawLinear(Modulation modulation)
    {
        Signal symbols(CountSymbols());
        std::generate(symbols.begin(), symbols.end(), [&]() { return DrawSymbol(modulation); });
        const double timing = DrawUniform(0, 1);
        Signal signal(m_options.length);
        for (uint32_t t = 0; t < m_options.length; ++t)
        {
            const double now = timing + PULSE_SYMBOLS + t / double(m_options.symbolLength);
            const auto first = static_cast<int32_t>(std::ceil(now)) - PULSE_SYMBOLS;
            for (int32_t k = first; k < first + 2 * PULSE_SYMBOLS; ++k)
            {
                signal[t] += symbols[k] * GetPulse(now - k);
            }
        }
        return signal;
    }

    Signal
    DrawFsk(bool isFiltered)
    {
        std::vector<double> symbols(CountSymbols());
        std::generate(symbols.begin(), symbols.end(), [&]() { return DrawLevel(2); });
        const double timing = DrawUniform(0, 1);
        Signal signal(m_options.length);
        double phase = 0;
        for (uint32_t t = 0; t < m_options.length; ++t)
        {
            const double now = timing + PULSE_SYMBOLS + t / double(m_options.symbolLength);
            double frequency = 0; // part of each symbol in force
            for (std::size_t k = 0; k < symbols.size(); ++k)
            {
                const double since = now - static_cast<double>(k);
                frequency += symbols[k] * (isFiltered ? GetStep(since) - GetStep(since - 1)
                                                      : (since >= 0 && since < 1 ? 1 : 0));
            }
            phase += PI / 2 * frequency / m_options.symbolLength;
            signal[t] = std::polar(1.0, phase);
        }
        return signal;
    }

    /// @return a step at 0 behind GFSK's filter
    static double
    GetStep(double t)
    {
        return 0.5 * std::erfc(-t / (GAUSS_SYMBOLS * std::sqrt(2.0)));
    }

    Signal
    DrawTones()
    {
        Signal signal(m_options.length, 1);
        for (uint32_t tone = 0; tone < 2; ++tone)
        {
            const double frequency = DrawUniform(0.005, 0.05); // cycles a sample
            const double phase = DrawUniform(0, 2 * PI);
            for (uint32_t t = 0; t < m_options.length; ++t)
            {
                signal[t] += 0.4 * std::cos(2 * PI * frequency * t + phase);
            }
        }
        return signal;
    }

    const ModulatedSignalsOptions& m_options; //!< of all signals
    RandomGenerator m_generator;              //!< of all draws
};

} // namespace

std::shared_ptr<const DataSet>
GenerateModulatedSignals(const ModulatedSignalsOptions& options, uint64_t seed)
{
    CheckArgument(options.samplesPerClass >= 1 && options.length >= 1 && options.symbolLength >= 2,
                  "{} samples per class, length {}, symbols of {}; allowed are at least 1, 1 and 2",
                  options.samplesPerClass,
                  options.length,
                  options.symbolLength);
    CheckArgument(options.rollOff > 0 && options.rollOff <= 1,
                  "roll-off {}, allowed are values above 0 up to 1",
                  options.rollOff);
    CheckArgument(options.mostOffset >= 0 && options.mostOffset < 0.5,
                  "carrier offset {}, allowed are values from 0 to below 0.5",
                  options.mostOffset);
    CheckArgument(!options.snrDb.empty(), "0 values of SNR, allowed is at least 1");
    auto data = std::make_shared<DataSet>();
    data->name = "modulated-signals";
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {1, 2, options.length};
    data->classes = MODULATIONS;
    SignalGenerator generator(options, seed);
    for (uint32_t label = 0; label < MODULATIONS; ++label)
    {
        for (uint32_t sample = 0; sample < options.samplesPerClass; ++sample)
        {
            const Signal signal = generator.Draw(static_cast<Modulation>(label));
            for (const auto& value : signal)
            {
                data->numbers.push_back(static_cast<float>(value.real()));
            }
            for (const auto& value : signal)
            {
                data->numbers.push_back(static_cast<float>(value.imag()));
            }
            data->labels.push_back(label);
        }
    }
    data->Validate();
    return data;
}

} // namespace ns3::collab
