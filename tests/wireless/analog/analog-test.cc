/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/collab-error.h"
#include "ns3/d2d-analog-air.h"
#include "ns3/double.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/special_functions/expint.hpp>
#include <cmath>

namespace ns3::collab::tests
{

namespace
{

constexpr double BAND_HZ = 1e6;       //!< of all radios: a symbol takes a microsecond
constexpr double RADIO_POWER_W = 0.1; //!< 20 dBm

/// @return a vector that consists of another one again and again
D2dAnalogValues
Repeat(const std::vector<float>& values, uint32_t times)
{
    std::vector<float> all;
    for (uint32_t i = 0; i < times; ++i)
    {
        all.insert(all.end(), values.begin(), values.end());
    }
    return std::make_shared<const std::vector<float>>(all);
}

} // namespace

/// Devices that send to the first one by analog aggregation
class AnalogTest : public SimulatorTest
{
  protected:
    /// @param senders devices besides the receiver
    /// @param channel attributes of the channel
    /// @param analog attributes of D2dAnalogAir
    /// @param device attributes of the devices
    void
    Make(uint32_t senders,
         const Settings& channel = {},
         const Settings& analog = {},
         const Settings& device = {})
    {
        m_network = std::make_unique<TestNetwork>(
            1 + senders, With(device, {{"Bandwidth", "1e6"}}), channel);
        for (uint32_t k = 1; k <= senders; ++k)
        {
            m_network->SetOutage(k, 0, 0); // 300 dB over the noise
        }
        m_air = D2dAnalogAir::Of(m_network->Channel());
        for (const auto& [name, value] : analog)
        {
            m_air->SetAttribute(name, StringValue(value));
        }
    }

    /// @brief Let a device be ready to send.
    /// @param sender index of a device
    /// @param values that it sends
    /// @param weight by which they are multiplied
    void
    Send(uint32_t sender, const D2dAnalogValues& values, double weight = 1)
    {
        m_plan.takers.push_back({m_network->NodeId(sender), weight});
        m_plan.values = values->size();
        const double limit = m_air->GetLimit(*m_network->Phy(sender), *m_network->Phy(0), *values);
        m_plan.amplitude = m_signals.empty() ? limit : std::min(m_plan.amplitude, limit);
        m_signals.push_back(m_air->Send(
            {m_network->Phy(sender), m_network->NodeId(0), values, [this](bool hasSent) {
                 m_sent.push_back(hasSent);
             }}));
    }

    /// @brief Begin the slot, and run for some seconds: batteries have no end.
    /// @param delay when it begins
    void
    Run(Time delay = Time())
    {
        At(delay, [this]() {
            m_air->Receive(
                m_network->Phy(0), m_plan, [this](const std::optional<D2dAnalogMean>& mean) {
                    m_mean = mean;
                    m_end = Simulator::Now();
                });
        });
        Simulator::Stop(Seconds(5));
        Simulator::Run();
        m_network->ExpectIdle();
    }

    std::unique_ptr<TestNetwork> m_network;                        //!< the radios
    Ptr<D2dAnalogAir> m_air;                                       //!< of their channel
    D2dAnalogPlan m_plan;                                          //!< of the slot
    std::vector<std::shared_ptr<const D2dAnalogSignal>> m_signals; //!< what is sent
    std::optional<D2dAnalogMean> m_mean;                           //!< what was received
    Time m_end;                                                    //!< when
    std::vector<bool> m_sent; //!< what devices were told of its end
};

TEST_F(AnalogTest, ABlockIsPilotsAndTwoNumbersASymbol)
{
    const D2dAnalogLayout layout = {11, 3, 4, 5}; // 6 symbols
    EXPECT_EQ(layout.CountSymbols(), 6);
    EXPECT_EQ(layout.CountBlocks(), 2);
    EXPECT_EQ(layout.CountSymbols(0), 5);
    EXPECT_EQ(layout.CountSymbols(1), 1);
    // Two blocks with (1 + 3) pilots of 4 symbols each
    EXPECT_EQ(layout.GetAirtime(BAND_HZ), MicroSeconds(6 + 2 * 16));
    EXPECT_EQ(layout.GetAirtime(BAND_HZ / 2), 2 * MicroSeconds(6 + 2 * 16));
}

TEST_F(AnalogTest, OneDeviceByHand)
{
    // 100 m: 46.6777 + 30 log10(100) = 106.6777 dB, and 20 dBm less that is -86.6777 dBm
    m_network = std::make_unique<TestNetwork>(
        std::vector<Ptr<MobilityModel>>{Standing(0), Standing(100)},
        std::vector<std::string>{"ns3::LogDistancePropagationLossModel"},
        Settings{{"Bandwidth", "1e6"}},
        Settings{{"OutageModel", "ns3::collab::D2dThresholdOutageModel"}, {"NoisePower", "1e-40"}});
    m_network->InstallBatteries(
        {}, {{"AmplifierEfficiency", "0.5"}, {"CircuitPower", "0.1"}, {"RxPower", "0.2"}});
    m_air = D2dAnalogAir::Of(m_network->Channel());
    m_air->SetAttribute("Threshold", DoubleValue(1)); // there is no fading
    Send(1, Repeat({3, 4, 0, 0, 0, 0, 5}, 1), 2);     // |s|^2: 25, 0, 0, 25, mean 12.5
    const double receivedW = std::pow(10, (-86.6777 - 30) / 10);
    EXPECT_NEAR(m_plan.amplitude / std::sqrt(receivedW / 12.5), 1, 1e-6);
    m_plan.amplitude /= 2; // a quarter of the power
    Run();
    ASSERT_TRUE(m_mean);
    const std::vector<float> half = {1.5, 2, 0, 0, 0, 0, 2.5}; // by the weight
    EXPECT_THAT(m_mean->values, testing::Pointwise(testing::FloatNear(1e-5), half));
    EXPECT_THAT(m_mean->heard, ElementsAre(1));
    EXPECT_THAT(m_sent, ElementsAre(true));
    EXPECT_EQ(m_end, MicroSeconds(32 + 32 + 4));
    // A pilot draws 0.1 / 0.5 + 0.1 W for 32 us, the numbers 0.025 / 0.5 + 0.1 W for 4 us
    EXPECT_NEAR(m_network->Joules(0, EnergyKind::TX), 0.3 * 32e-6, 1e-12);
    EXPECT_NEAR(m_network->Joules(0, EnergyKind::RX), 0.2 * 36e-6, 1e-12);
    EXPECT_NEAR(m_network->Joules(1, EnergyKind::TX), 0.3 * 32e-6 + 0.15 * 4e-6, 1e-11);
    EXPECT_NEAR(m_network->Joules(1, EnergyKind::RX), 0.2 * 32e-6, 1e-12);
}

TEST_F(AnalogTest, TheMeanIsWeighted)
{
    Make(2, {{"OutageModel", "ns3::collab::D2dThresholdOutageModel"}});
    Send(1, Repeat({1, 2, 3}, 1), 1);
    Send(2, Repeat({3 * 5, 3 * 6, 3 * 7}, 1), 3);
    Run();
    ASSERT_TRUE(m_mean);
    EXPECT_THAT(m_mean->values,
                testing::Pointwise(testing::FloatNear(1e-4), {16.0F / 4, 20.0F / 4, 24.0F / 4}));
}

/// Rayleigh fading, truncation, errors of the channels and noise, as one says by closed forms
class AnalogErrorTest : public AnalogTest
{
  protected:
    static constexpr uint32_t SENDERS = 4;    //!< K
    static constexpr uint32_t BLOCKS = 20000; //!< each with fading of its own
    static constexpr uint32_t SYMBOLS = 2;    //!< of a block
    static constexpr double LEAST = 0.5;      //!< g, the threshold
    static constexpr double NOISE_W = 1e-12;  //!< sigma^2
    const std::vector<std::vector<float>> m_vectors = {
        {1, -2, 3, 0}, {2, 0, 1, 1}, {-1, 1, 0.5, 2}, {0, -1, 2, -0.5}}; //!< in each block

    /// @param amplitude error of it
    /// @param phase error of it [rad]
    void
    RunBlocks(double amplitude, double phase)
    {
        Make(SENDERS,
             {{"NoisePower", std::to_string(NOISE_W * 1e12) + "e-12"}},
             {{"Threshold", std::to_string(LEAST)},
              {"BlockSymbols", std::to_string(SYMBOLS)},
              {"AmplitudeError", std::to_string(amplitude)},
              {"PhaseError", std::to_string(phase)}});
        m_network->InstallBatteries({{"BasicEnergySourceInitialEnergyJ", "1e6"}});
        for (uint32_t k = 1; k <= SENDERS; ++k)
        {
            m_network->SetOutage(k, 0, 0.1 / k); // SNR of 10 k about
            Send(k, Repeat(m_vectors[k - 1], BLOCKS));
        }
        Run();
        ASSERT_TRUE(m_mean);
        ASSERT_EQ(m_mean->blocks, BLOCKS);
    }

    /// @return by block, the squared distance from the mean of all
    std::vector<double>
    GetErrors() const
    {
        std::vector<double> errors(BLOCKS);
        for (std::size_t i = 0; i < m_mean->values.size(); ++i)
        {
            const std::size_t place = i % (2 * SYMBOLS);
            double mean = 0;
            for (const auto& sent : m_vectors)
            {
                mean += sent[place] / SENDERS;
            }
            errors[i / (2 * SYMBOLS)] += std::pow(m_mean->values[i] - mean, 2);
        }
        return errors;
    }

    /// @param amplitude error of it
    /// @param phase error of it [rad]
    /// @return expectation of what GetErrors() gives: over the m of K that send, each with
    /// probability exp(-g), all such sets alike
    double
    ExpectError(double amplitude, double phase) const
    {
        double squares = 0; // mean over devices of the square of what they send
        double ofMean = 0;  // square of their mean
        for (std::size_t i = 0; i < 2 * SYMBOLS; ++i)
        {
            double mean = 0;
            for (const auto& sent : m_vectors)
            {
                mean += sent[i] / SENDERS;
                squares += sent[i] * sent[i] / SENDERS;
            }
            ofMean += mean * mean;
        }
        const double spread = (squares - ofMean) * SENDERS / (SENDERS - 1); // of samples
        const double kept = std::exp(-phase * phase / 2);                   // mean of exp(j phi)
        const double lost = 1 + amplitude * amplitude - kept * kept; // variance of the factor
        const double noise = SYMBOLS * NOISE_W / (m_plan.amplitude * m_plan.amplitude);
        const boost::math::binomial senders(SENDERS, std::exp(-LEAST));
        double error = boost::math::pdf(senders, 0) * ofMean; // nobody sends: 0 is received
        for (uint32_t m = 1; m <= SENDERS; ++m)
        {
            const double drawn = spread / m * (1 - double(m) / SENDERS);
            error += boost::math::pdf(senders, m) *
                     (kept * kept * drawn + std::pow(1 - kept, 2) * ofMean + lost * squares / m +
                      noise / (m * m));
        }
        return error;
    }
};

TEST_F(AnalogErrorTest, NoiseAndTruncation)
{
    RunBlocks(0, 0);
    ExpectMean(GetErrors(), ExpectError(0, 0));
    for (const uint32_t heard : m_mean->heard)
    {
        ExpectCount(heard, std::exp(-LEAST), BLOCKS);
    }
}

TEST_F(AnalogErrorTest, ErrorsOfAmplitude)
{
    RunBlocks(0.5, 0);
    ExpectMean(GetErrors(), ExpectError(0.5, 0));
}

TEST_F(AnalogErrorTest, ErrorsOfPhase)
{
    RunBlocks(0, 0.8);
    ExpectMean(GetErrors(), ExpectError(0, 0.8));
}

TEST_F(AnalogErrorTest, PowerIsInvertedFading)
{
    RunBlocks(0, 0);
    // E[1 / g_k; g_k >= g] = E_1(g) for a g_k of the exponential distribution
    const double inverted = boost::math::expint(1, LEAST);
    for (uint32_t k = 1; k <= SENDERS; ++k)
    {
        double power = 0; // mean of |s|^2
        for (const float number : m_vectors[k - 1])
        {
            power += number * number / SYMBOLS;
        }
        const double radiatedW = m_plan.amplitude * m_plan.amplitude * power * RADIO_POWER_W /
                                 m_network->RssW(k, 0) * inverted; // in the mean of a block
        const double pilots = std::exp(-LEAST) * 32;               // symbols
        const double senders = std::exp(-LEAST) * SYMBOLS;         // the same
        const double joules =
            BLOCKS / BAND_HZ *
            (pilots * (RADIO_POWER_W / 0.35 + 0.1) + SYMBOLS * radiatedW / 0.35 + senders * 0.1);
        EXPECT_NEAR(m_network->Joules(k, EnergyKind::TX) / joules, 1, 0.03);
        // All that is no pilot is far less: without what the pilots really took
        const double piloted =
            m_mean->heard[k - 1] / BAND_HZ * (32 * (RADIO_POWER_W / 0.35 + 0.1) + SYMBOLS * 0.1);
        EXPECT_NEAR((m_network->Joules(k, EnergyKind::TX) - piloted) /
                        (BLOCKS / BAND_HZ * SYMBOLS * radiatedW / 0.35),
                    1,
                    0.05);
    }
}

TEST_F(AnalogTest, NobodySendsWithMoreThanItsPower)
{
    Make(1, {}, {{"BlockSymbols", "1"}, {"Threshold", "0.2"}});
    m_network->SetOutage(1, 0, 0.1);
    double most = 0;
    OnActivity(m_network->Phy(1), [&](const D2dRadioActivity& activity) {
        most = std::max(most, activity.analogPowerW);
    });
    Send(1, Repeat({1, 0, 2, 1, 0, 0}, 1000));
    Run();
    EXPECT_NEAR(most, RADIO_POWER_W, 1e-9); // that of its pilots
    m_plan.amplitude *= 3;                  // more than it can have: it is silent more often
    m_signals.front() = m_air->Send({m_network->Phy(1), 0, m_signals.front()->values, nullptr});
    const auto before = m_mean->heard.front();
    Run();
    EXPECT_NEAR(most, RADIO_POWER_W, 1e-9);
    EXPECT_LT(m_mean->heard.front(), before);
}

TEST_F(AnalogTest, WhoGoesOffIsLeftOutFromThatBlockOn)
{
    Make(2,
         {{"OutageModel", "ns3::collab::D2dThresholdOutageModel"}},
         {{"BlockSymbols", "10"}, {"Threshold", "1"}});
    m_network->InstallBatteries();
    Send(1, Repeat({1}, 60));
    Send(2, Repeat({3}, 60));
    // Blocks of 3 * 32 + 10 us; in the second one it goes off among the numbers, and comes back
    m_network->SwitchOffAt(MicroSeconds(106 + 96 + 5), 2);
    m_network->SwitchOnAt(MicroSeconds(106 + 96 + 6), 2);
    Run();
    ASSERT_TRUE(m_mean);
    EXPECT_THAT(m_mean->heard, ElementsAre(3, 1));
    EXPECT_NEAR(m_mean->values[19], 2, 1e-5);
    EXPECT_NEAR(m_mean->values[20], 1, 1e-5);
    EXPECT_NEAR(m_mean->values[59], 1, 1e-5);
    // Its numbers are the greater ones: they take all of its power
    EXPECT_NEAR(
        m_network->Joules(2, EnergyKind::TX), (0.1 / 0.35 + 0.1) * (2 * 32 + 10 + 5) * 1e-6, 1e-10);
}

TEST_F(AnalogTest, WhoLetsGoOfItsSignalSendsNothing)
{
    Make(2, {{"OutageModel", "ns3::collab::D2dThresholdOutageModel"}});
    Send(1, Repeat({1}, 4));
    Send(2, Repeat({3}, 4));
    m_signals.pop_back();
    Run();
    EXPECT_THAT(m_mean->heard, ElementsAre(1, 0));
    EXPECT_NEAR(m_mean->values[3], 1, 1e-5);
}

TEST_F(AnalogTest, ASignalIsForOneReceiver)
{
    Make(2, {{"OutageModel", "ns3::collab::D2dThresholdOutageModel"}});
    Send(2, Repeat({3}, 4));
    m_plan = {};
    m_signals.push_back(
        m_air->Send({m_network->Phy(1), m_network->NodeId(2), Repeat({1}, 4), nullptr}));
    Send(1, Repeat({1}, 4)); // it is in the plan, and is not ready for this one
    m_signals.pop_back();
    Run();
    EXPECT_THAT(m_mean->heard, ElementsAre(0));
}

TEST_F(AnalogTest, SlotsTakeTurnsOnTheBand)
{
    Make(2, {{"OutageModel", "ns3::collab::D2dThresholdOutageModel"}});
    Send(1, Repeat({1}, 40));
    D2dAnalogPlan second; // device 1 receives from device 2
    second.takers = {{m_network->NodeId(2), 1}};
    second.values = 4;
    second.amplitude =
        m_air->GetLimit(*m_network->Phy(2), *m_network->Phy(1), *Repeat({7}, 4));
    m_signals.push_back(
        m_air->Send({m_network->Phy(2), m_network->NodeId(1), Repeat({7}, 4), nullptr}));
    Time end;
    std::optional<D2dAnalogMean> mean;
    At(MicroSeconds(1), [&]() { // when the first slot is on air
        m_air->Receive(m_network->Phy(1), second, [&](std::optional<D2dAnalogMean> received) {
            mean = std::move(received);
            end = Simulator::Now();
        });
    });
    Run();
    EXPECT_EQ(m_end, MicroSeconds(2 * 32 + 20));
    EXPECT_NEAR(m_mean->values[39], 1, 1e-4);
    EXPECT_EQ(end, m_end + MicroSeconds(2 * 32 + 2));
    ASSERT_TRUE(mean);
    EXPECT_NEAR(mean->values[3], 7, 1e-3);
}

TEST_F(AnalogTest, BlocksSayWhoseWeightTheyHave)
{
    Make(2, {{"OutageModel", "ns3::collab::D2dThresholdOutageModel"}}, {{"BlockSymbols", "5"}});
    Send(1, Repeat({2}, 40), 2);
    Send(2, Repeat({0.5}, 40), 0.5);
    m_network->SwitchOffAt(MicroSeconds(3 * 32 + 5 + 10), 2); // in the second of four blocks
    Run();
    EXPECT_EQ(m_mean->blockValues, 10);
    EXPECT_THAT(m_mean->weights, ElementsAre(2.5, 2, 2, 2));
}

TEST_F(AnalogTest, ASignalIsForOneSlot)
{
    Make(1, {{"OutageModel", "ns3::collab::D2dThresholdOutageModel"}});
    Send(1, Repeat({1}, 4)); // for slot 0
    m_plan.slot = 1;
    Run();
    EXPECT_THAT(m_mean->heard, ElementsAre(0));
    m_plan.slot = 0;
    Run();
    EXPECT_THAT(m_mean->heard, ElementsAre(1));
}

TEST_F(AnalogTest, AReceiverThatGoesOffHasNothing)
{
    Make(1);
    Send(1, Repeat({1}, 400));
    m_network->SwitchOffAt(MicroSeconds(100), 0);
    m_network->SwitchOnAt(MicroSeconds(101), 0);
    Run();
    EXPECT_FALSE(m_mean);
    EXPECT_THAT(m_sent, ElementsAre(true));
    EXPECT_EQ(m_end, MicroSeconds(32 + 32 + 200));
}

TEST_F(AnalogTest, HalfDuplexRadiosDoOneThing)
{
    Make(2, {{"OutageModel", "ns3::collab::D2dThresholdOutageModel"}});
    Send(1, Repeat({1}, 40));
    Send(2, Repeat({3}, 40));
    m_network->SendAt(Time(), 2, 1, 1000);                  // it is busy when the slot begins
    m_network->SendAt(MicroSeconds(1000 + 50), 0, 1, 1000); // the receiver waits with that
    m_network->SendAt(MicroSeconds(1000 + 50), 1, 0, 1000); // and so does a sender
    Run(MicroSeconds(1000));
    EXPECT_THAT(m_mean->heard, ElementsAre(1, 0));
    EXPECT_THAT(m_sent, ElementsAre(true, false));
    const Time end = MicroSeconds(1000 + 3 * 32 + 20);
    EXPECT_EQ(m_end, end);
    EXPECT_GE(m_network->ReportOf(0).start, end);
    EXPECT_GE(m_network->ReportOf(1).start, end);

    m_network->SendAt(Time(), 0, 1, 1000); // the receiver is busy
    m_mean.reset();
    const Time begin = Simulator::Now() + MicroSeconds(1000);
    Run(MicroSeconds(1000));
    EXPECT_FALSE(m_mean);
    EXPECT_EQ(m_end, begin) << "there is no slot";
}

TEST_F(AnalogTest, FadingThatLastsIsThatOfFragments)
{
    Make(1,
         {{"OutageModel", "ns3::collab::D2dRayleighOutageModel[CoherenceTime=10ms]"}},
         {{"Threshold", std::to_string(-std::log1p(-0.4))}}); // what has that outage at 1 bit/s/Hz
    m_network->SetOutage(1, 0, 0.4);
    Send(1, Repeat({1}, 4));
    const D2dAnalogSignal signal = *m_signals.front();
    std::vector<double> silences;
    for (int64_t interval = 0; interval < 200; ++interval)
    {
        const Time begin = MilliSeconds(10) * interval;
        m_network->SendAt(begin + MilliSeconds(1), 1, 0, 100);
        At(begin + MilliSeconds(5), [&]() {
            m_signals.front() = m_air->Send(signal);
            m_air->Receive(
                m_network->Phy(0), m_plan, [&](const std::optional<D2dAnalogMean>& mean) {
                    silences.push_back(1 - mean->heard.front());
                });
        });
    }
    Simulator::Run();
    EXPECT_EQ(silences, m_network->Losses(1));
    EXPECT_THAT(silences, testing::Contains(0));
    EXPECT_THAT(silences, testing::Contains(1));
}

TEST_F(AnalogTest, NoiseIsSeldomTakenForAPilot)
{
    D2dAnalogNoise noise(7);
    constexpr double TRIALS = 1e6;
    double alarms = 0;
    double power = 0;
    for (uint32_t i = 0; i < TRIALS; ++i)
    {
        alarms += HearsAnalogPilot(0, 2, 8, noise) ? 1 : 0;
        power += std::norm(noise.Draw(2)) / TRIALS;
        EXPECT_TRUE(HearsAnalogPilot(2 / 8.0 * 100, 2, 8, noise));
    }
    ExpectCount(alarms, ANALOG_FALSE_ALARM, TRIALS);
    EXPECT_NEAR(power, 2, 0.01);
}

TEST_F(AnalogTest, WhatCannotSendAtOnceIsRefused)
{
    const auto refusal = [this](const Settings& channel) {
        return ErrorOf<UserError>([&]() { Make(1, channel); });
    };
    EXPECT_THAT(refusal({{"Access", "Shared"}}), HasSubstr("Access=Ofdma"));
    EXPECT_THAT(refusal({{"Access", "Tdma"}}), HasSubstr("Access=Ofdma"));
    EXPECT_THAT(refusal({{"Subchannels", "3"}}), HasSubstr("Access=Ofdma"));
    EXPECT_THAT(refusal({{"OutageModel", "ns3::collab::D2dFixedOutageModel"}}),
                HasSubstr("analog aggregation, need the D2dRayleighOutageModel"));
    Make(1, {{"OutageModel", "ns3::collab::D2dRayleighOutageModel[CoherenceTime=83us]"}});
    m_plan.values = 40; // 20 symbols and 2 * 32 of pilots
    m_plan.takers = {{m_network->NodeId(1), 1}};
    EXPECT_THAT(ErrorOf<UserError>([&]() { m_air->Receive(m_network->Phy(0), m_plan, nullptr); }),
                HasSubstr("a block of 84 symbols"));
}

} // namespace ns3::collab::tests
