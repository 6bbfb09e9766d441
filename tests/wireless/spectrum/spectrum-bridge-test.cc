/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/boolean.h"
#include "ns3/collab-error.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/d2d-phy.h"
#include "ns3/d2d-spectrum-bridge.h"
#include "ns3/double.h"
#include "ns3/multi-model-spectrum-channel.h"
#include "ns3/simulator.h"
#include "ns3/single-model-spectrum-channel.h"
#include "ns3/spectrum-analyzer.h"
#include "ns3/spectrum-value.h"
#include "ns3/string.h"
#include "ns3/waveform-generator.h"

#include <cmath>
#include <gmock/gmock.h>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using testing::Each;
using testing::ElementsAre;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;

constexpr double CARRIER_HZ = 2.44e9;  //!< default of CarrierFrequency
constexpr double BANDWIDTH_HZ = 1e6;   //!< default of Bandwidth
constexpr double TX_POWER_W = 0.1;     //!< default of TxPower
constexpr double OVERWHELMING_W = 1e9; //!< loses every fragment of a link of outage SMALL
constexpr double SMALL = 1e-9;         //!< outage of a link that loses nothing

/// No back-off and no carrier sense, so that times can be told by hand.
const Settings EXACT = {{"ContentionWindow", "1"}, {"CarrierSense", "false"}};

const Time AIRTIME = NanoSeconds(8 * 1534 * 1000);      //!< of a fragment of 1500 bytes
const Time ACKNOWLEDGMENT = NanoSeconds(8 * 14 * 1000); //!< of an acknowledgment
constexpr uint32_t FRAGMENT = 1500;                     //!< bytes of a packet in one

/**
 * @param lowHz lowest frequency [Hz]
 * @param highHz highest frequency [Hz]
 * @param bands number of equal bands
 * @return the bands
 */
Ptr<SpectrumModel>
MakeModel(double lowHz, double highHz, uint32_t bands)
{
    Bands all(bands);
    const double widthHz = (highHz - lowHz) / bands;
    for (uint32_t i = 0; i < bands; ++i)
    {
        all[i].fl = lowHz + i * widthHz;
        all[i].fc = all[i].fl + widthHz / 2;
        all[i].fh = all[i].fl + widthHz;
    }
    return Create<SpectrumModel>(all);
}

/// Radios of a TestNetwork on a SpectrumChannel, with what else sends and listens there
class SpectrumBridgeTest : public SimulatorTest
{
  protected:
    SpectrumBridgeTest()
        : m_spectrum(CreateObject<MultiModelSpectrumChannel>())
    {
    }

    /**
     * @brief Make the network, and connect it.
     *
     * @param size number of devices
     * @param device attributes of the devices
     * @param channel attributes of the channel
     */
    void
    Make(uint32_t size, const Settings& device = EXACT, const Settings& channel = {})
    {
        m_network = std::make_unique<TestNetwork>(size, device, channel);
        m_bridge = CreateObject<D2dSpectrumBridge>();
        m_bridge->Connect(m_network->Channel(), m_spectrum);
    }

    /**
     * @brief Let a generator send without a place, so that all receive what it sends.
     *
     * @param begin when
     * @param duration for how long
     * @param powerW its power, spread evenly [W]
     * @param lowHz over the band from here [Hz]
     * @param highHz to here [Hz]
     * @return the generator
     */
    Ptr<WaveformGenerator>
    Jam(Time begin,
        Time duration,
        double powerW,
        double lowHz = CARRIER_HZ - BANDWIDTH_HZ / 2,
        double highHz = CARRIER_HZ + BANDWIDTH_HZ / 2)
    {
        Ptr<SpectrumValue> density = Create<SpectrumValue>(MakeModel(lowHz, highHz, 7));
        *density += powerW / (highHz - lowHz);
        Ptr<WaveformGenerator> generator = CreateObject<WaveformGenerator>();
        generator->SetAttribute("DutyCycle", DoubleValue(1));
        generator->SetPeriod(duration);
        generator->SetTxPowerSpectralDensity(density);
        generator->SetChannel(m_spectrum);
        Simulator::Schedule(begin, &WaveformGenerator::Start, generator);
        Simulator::Schedule(begin + duration / 2, &WaveformGenerator::Stop, generator);
        return generator;
    }

    /**
     * @brief Send a packet later.
     *
     * @param when when
     * @param from index of the sender
     * @param to index of the receiver
     * @param fragments number of full fragments
     * @param reliability what to do about lost fragments
     */
    void
    SendAt(Time when,
           uint32_t from,
           uint32_t to,
           uint32_t fragments,
           D2dReliability reliability = BEST_EFFORT)
    {
        Simulator::Schedule(when, [this, from, to, fragments, reliability]() {
            m_network->Send(from, to, fragments * FRAGMENT, reliability);
        });
    }

    /// @return fragments that the first receiver of each burst has lost, by burst
    std::vector<uint32_t>
    LostFragments() const
    {
        std::vector<uint32_t> lost;
        for (const auto& report : m_network->Reports())
        {
            lost.push_back(report.outcomes.at(0).lostFragments);
        }
        return lost;
    }

    Ptr<MultiModelSpectrumChannel> m_spectrum; //!< where others send
    std::unique_ptr<TestNetwork> m_network;    //!< the devices
    Ptr<D2dSpectrumBridge> m_bridge;           //!< connects them
};

/// Access, fidelity, and whether interferers fade
using Case = std::tuple<const char*, const char*, const char*>;

/// What must hold on a medium of any kind
class SpectrumBridgeCaseTest : public SpectrumBridgeTest, public testing::WithParamInterface<Case>
{
  protected:
    /// @return attributes of the channel
    static Settings
    ChannelSettings()
    {
        const std::string model = "ns3::collab::D2dRayleighOutageModel[InterferenceFading=";
        return {{"Access", std::get<0>(GetParam())},
                {"Fidelity", std::get<1>(GetParam())},
                {"OutageModel", model + std::get<2>(GetParam()) + "]"}};
    }
};

INSTANTIATE_TEST_SUITE_P(Media,
                         SpectrumBridgeCaseTest,
                         testing::Combine(testing::Values("Ofdma", "Shared", "Tdma"),
                                          testing::Values("Burst", "Packet"),
                                          testing::Values("Rayleigh", "Constant")));

TEST_P(SpectrumBridgeCaseTest, OutageUnderSteadyInterferenceIsThatOfTheClosedForm)
{
    constexpr double ALONE = 0.1;
    constexpr double RATIO = 0.5; // of the interference to the mean received power
    constexpr uint32_t FRAGMENTS = 4000;
    Make(2, EXACT, ChannelSettings());
    m_network->SetOutage(0, 1, ALONE);
    const double rssW = m_network->Channel()->GetRssW(m_network->Device(0), m_network->Device(1));
    // Ten times the band of the devices: a tenth of the power is in it
    Jam(Time(), Seconds(60), 10 * RATIO * rssW, CARRIER_HZ - 3e6, CARRIER_HZ + 7e6);
    SendAt(MilliSeconds(1), 0, 1, FRAGMENTS);
    Simulator::Schedule(Seconds(10), [this, rssW]() {
        EXPECT_NEAR(m_bridge->GetInterferenceW(m_network->Device(1)), RATIO * rssW, 1e-9 * rssW);
    });
    Simulator::Run();
    const double outage = std::string(std::get<2>(GetParam())) == "Rayleigh"
                              ? 1 - (1 - ALONE) / (1 + RATIO)
                              : 1 - (1 - ALONE) * std::exp(-RATIO);
    const double error = std::sqrt(outage * (1 - outage) / FRAGMENTS);
    EXPECT_NEAR(LostFragments().at(0) / double{FRAGMENTS}, outage, 4 * error);
}

TEST_P(SpectrumBridgeCaseTest, AFragmentIsDisturbedIfItMeetsTheSignalAtAll)
{
    Make(2, EXACT, ChannelSettings());
    m_network->SetOutage(0, 1, SMALL);
    SendAt(Time(), 0, 1, 20);
    Jam(AIRTIME * 5 / 2, AIRTIME * 3, OVERWHELMING_W);  // from 2.5 to 5.5: four
    Jam(AIRTIME * 8, AIRTIME * 2, OVERWHELMING_W);      // exactly two
    Jam(AIRTIME * 49 / 4, AIRTIME / 2, OVERWHELMING_W); // within one
    Jam(AIRTIME * 51 / 4, AIRTIME / 4, OVERWHELMING_W); // to its end
    Simulator::Run();
    EXPECT_THAT(LostFragments(), ElementsAre(4 + 2 + 1));
    EXPECT_EQ(m_network->Reports().at(0).start, Time());
    EXPECT_EQ(m_bridge->GetInterferenceW(m_network->Device(1)), 0);
}

TEST_P(SpectrumBridgeCaseTest, AReceiverThatComesOnMeetsWhatIsOnAir)
{
    Make(2, EXACT, ChannelSettings());
    m_network->SetOutage(0, 1, SMALL);
    Ptr<D2dMac> receiver = m_network->Device(1)->GetMac();
    receiver->SwitchOff();
    Jam(Seconds(1), Seconds(2), OVERWHELMING_W);
    Simulator::Schedule(Seconds(2), [receiver]() { receiver->SwitchOn(); });
    SendAt(MilliSeconds(1500), 0, 1, 3);
    SendAt(MilliSeconds(2500), 0, 1, 3);
    SendAt(MilliSeconds(3500), 0, 1, 3);
    Simulator::Run();
    EXPECT_THAT(LostFragments(), ElementsAre(3, 3, 0));
    EXPECT_EQ(m_network->Reports().at(0).outcomes.at(0).reason, D2dLossReason::RECEIVER_OFF);
    EXPECT_EQ(m_network->Reports().at(1).outcomes.at(0).reason, D2dLossReason::OUTAGE);
}

TEST_P(SpectrumBridgeCaseTest, AcknowledgmentsAreDisturbedAtTheSender)
{
    Make(2, EXACT, ChannelSettings());
    m_network->SetOutage(0, 1, SMALL);
    m_network->SetOutage(1, 0, SMALL);
    // Only the sender hears the generator
    Ptr<MatrixPropagationLossModel> losses = CreateObject<MatrixPropagationLossModel>();
    losses->SetDefaultLoss(0);
    m_spectrum->AddPropagationLossModel(losses);
    Ptr<WaveformGenerator> generator = Jam(Seconds(1), Seconds(1), OVERWHELMING_W);
    Ptr<MobilityModel> place = CreateObject<ConstantPositionMobilityModel>();
    CreateObject<Node>()->AggregateObject(place); // ns-3.48 asks it for the number of its node
    generator->SetMobility(place);
    losses->SetLoss(place, m_network->Device(1)->GetNode()->GetObject<MobilityModel>(), 500, false);
    SendAt(Time(), 0, 1, 1, ARQ);
    SendAt(Seconds(1), 0, 1, 1, ARQ);
    Simulator::Run();
    ASSERT_EQ(m_network->Reports().size(), 2U);
    EXPECT_EQ(m_network->Reports()[0].attempts, 1U);
    EXPECT_TRUE(m_network->Reports()[0].outcomes.at(0).acknowledged);
    EXPECT_EQ(m_network->Reports()[1].attempts, 8U) << "MaxAttempts";
    EXPECT_TRUE(m_network->Reports()[1].outcomes.at(0).delivered);
    EXPECT_FALSE(m_network->Reports()[1].outcomes.at(0).acknowledged);
}

/// An instrument 30 dB away from all devices
class SpectrumAnalyzerTest : public SpectrumBridgeTest,
                             public testing::WithParamInterface<const char*>
{
  protected:
    static constexpr double GAIN = 1e-3;          //!< from the devices to it
    static constexpr double RESOLUTION_HZ = 25e4; //!< width of its bands [Hz]
    const Time PERIOD = MilliSeconds(200);        //!< it measures for so long

    /// @brief Switch it on; there must be a network.
    void
    Listen()
    {
        Ptr<MatrixPropagationLossModel> losses = CreateObject<MatrixPropagationLossModel>();
        losses->SetDefaultLoss(30);
        m_spectrum->AddPropagationLossModel(losses);
        m_analyzer = CreateObject<SpectrumAnalyzer>();
        m_analyzer->SetAttribute("Resolution", TimeValue(PERIOD));
        m_analyzer->SetAttribute("NoisePowerSpectralDensity", DoubleValue(0));
        m_analyzer->SetRxSpectrumModel(MakeModel(CARRIER_HZ - 2e6, CARRIER_HZ + 2e6, 16));
        // Apart from the devices: newer versions of ns-3 have no loss where a receiver stands
        Ptr<MobilityModel> place = CreateObject<ConstantPositionMobilityModel>();
        CreateObject<Node>()->AggregateObject(place);
        place->SetPosition(Vector(0, 0, 10));
        m_analyzer->SetMobility(place);
        m_spectrum->AddRx(m_analyzer);
        const Callback<void, Ptr<const SpectrumValue>> note(
            [this](Ptr<const SpectrumValue> density) {
                m_energyJ.assign(density->ConstValuesBegin(), density->ConstValuesEnd());
                for (double& band : m_energyJ)
                {
                    band *= PERIOD.GetSeconds() * RESOLUTION_HZ;
                }
            });
        m_analyzer->TraceConnectWithoutContext("AveragePowerSpectralDensityReport", note);
        m_analyzer->Start();
        Simulator::Stop(PERIOD + MilliSeconds(1));
    }

    /**
     * @param first number of a band of the analyzer
     * @param last number behind the last band
     * @param airtime how long a device was on air
     */
    void
    ExpectOnAir(std::size_t first, std::size_t last, Time airtime)
    {
        ASSERT_EQ(m_energyJ.size(), 16U);
        const double expectedJ =
            TX_POWER_W * GAIN * airtime.GetSeconds() / static_cast<double>(last - first);
        for (std::size_t i = 0; i < m_energyJ.size(); ++i)
        {
            EXPECT_NEAR(m_energyJ[i], i >= first && i < last ? expectedJ : 0.0, 1e-9 * expectedJ)
                << "band " << i;
        }
    }

    Ptr<SpectrumAnalyzer> m_analyzer; //!< the instrument
    std::vector<double> m_energyJ;    //!< what it has received, by band [J]
};

INSTANTIATE_TEST_SUITE_P(Fidelities, SpectrumAnalyzerTest, testing::Values("Burst", "Packet"));

TEST_P(SpectrumAnalyzerTest, MeasuresAllFragmentsInTheBandOfTheDevices)
{
    Make(2, EXACT, {{"Fidelity", GetParam()}});
    Listen();
    SendAt(Time(), 0, 1, 3);
    Simulator::Run();
    ExpectOnAir(6, 10, AIRTIME * 3);
}

TEST_P(SpectrumAnalyzerTest, MeasuresAcknowledgments)
{
    Make(2, EXACT, {{"Fidelity", GetParam()}});
    Listen();
    SendAt(Time(), 0, 1, 3, ARQ);
    Simulator::Run();
    ExpectOnAir(6, 10, (AIRTIME + ACKNOWLEDGMENT) * 3);
}

TEST_P(SpectrumAnalyzerTest, MeasuresEachSubchannelInItsPlace)
{
    Make(3, EXACT, {{"Fidelity", GetParam()}, {"Subchannels", "3"}});
    Listen();
    SendAt(Time(), 2, 1, 2);
    Simulator::Run();
    ExpectOnAir(10, 14, AIRTIME * 2);
}

TEST_P(SpectrumAnalyzerTest, MeasuresABurstThatIsCutToTheEndOfItsFragment)
{
    Make(2, EXACT, {{"Fidelity", GetParam()}});
    Listen();
    Simulator::ScheduleNow([this]() {
        const uint32_t id = m_network->Send(0, 1, 10 * FRAGMENT, BEST_EFFORT);
        Simulator::Schedule(AIRTIME * 5 / 4,
                            [this, id]() { m_network->Device(0)->GetMac()->CancelBurst(id); });
    });
    Simulator::Run();
    EXPECT_EQ(m_network->Reports().at(0).airtime, AIRTIME * 5 / 4);
    ExpectOnAir(6, 10, AIRTIME * 2);
}

TEST_F(SpectrumBridgeTest, EachSubchannelIsDisturbedByWhatIsInIt)
{
    Make(2, EXACT, {{"Subchannels", "2"}, {"Locking", "None"}});
    m_network->SetOutage(0, 1, SMALL);
    m_network->SetOutage(1, 0, SMALL);
    // In the upper half of the band, which is that of device 1
    Jam(Time(), Seconds(10), OVERWHELMING_W, CARRIER_HZ, CARRIER_HZ + BANDWIDTH_HZ);
    SendAt(Seconds(1), 0, 1, 4);
    SendAt(Seconds(2), 1, 0, 4);
    Simulator::Schedule(Seconds(3), [this]() {
        EXPECT_EQ(m_bridge->GetInterferenceW(m_network->Device(0)), 0);
        EXPECT_NEAR(m_bridge->GetInterferenceW(m_network->Device(1)), OVERWHELMING_W, 1);
    });
    SendAt(Seconds(5), 0, 1, 1, ARQ);
    SendAt(Seconds(11), 0, 1, 1, ARQ);
    Simulator::Run();
    EXPECT_THAT(LostFragments(), ElementsAre(0, 4, 0, 0));
    EXPECT_FALSE(m_network->Reports()[2].outcomes.at(0).acknowledged)
        << "acknowledgments are in the band of who sends them";
    EXPECT_TRUE(m_network->Reports()[3].outcomes.at(0).acknowledged);
}

TEST_F(SpectrumBridgeTest, NothingLeaksOfWhatComesFromOutside)
{
    Make(2, EXACT, {{"Subchannels", "2"}, {"AdjacentLeakage", "10"}});
    m_network->SetOutage(0, 1, SMALL);
    Jam(Time(), Seconds(10), OVERWHELMING_W, CARRIER_HZ, CARRIER_HZ + BANDWIDTH_HZ);
    SendAt(Seconds(1), 0, 1, 4);
    Simulator::Run();
    EXPECT_THAT(LostFragments(), ElementsAre(0));
}

TEST_F(SpectrumBridgeTest, OwnSignalsDisturbOnlyOnTheirOwnChannel)
{
    // What others make of a network with a bridge and of one without
    const auto play = [this](const Settings& channel, bool connected) {
        TestNetwork network(4, {}, channel);
        network.InstallBatteries();
        Ptr<D2dSpectrumBridge> bridge = CreateObject<D2dSpectrumBridge>();
        if (connected)
        {
            bridge->Connect(network.Channel(), CreateObject<MultiModelSpectrumChannel>());
        }
        for (uint32_t i = 0; i < 4; ++i)
        {
            for (uint32_t j = 0; j < 4; ++j)
            {
                network.SetOutage(i, j, 0.05);
            }
            network.Send(i, TestNetwork::BROADCAST, 30 * FRAGMENT, BEST_EFFORT);
            network.Send(i, (i + 1) % 4, 10 * FRAGMENT, ARQ);
        }
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        std::vector<double> all;
        for (const auto& report : network.Reports())
        {
            all.push_back(report.airtime.GetSeconds());
            all.push_back(report.end.GetSeconds());
            for (const auto& outcome : report.outcomes)
            {
                all.push_back(outcome.lostFragments);
            }
        }
        for (uint32_t i = 0; i < 4; ++i)
        {
            for (const double energyJ : network.Energy(i))
            {
                all.push_back(energyJ);
            }
        }
        Simulator::Destroy();
        return all;
    };
    for (const char* access : {"Ofdma", "Shared", "Tdma"})
    {
        const Settings channel = {{"Fidelity", "Packet"}, {"Access", access}};
        const std::vector<double> alone = play(channel, false);
        EXPECT_GT(alone.size(), 40U);
        EXPECT_EQ(play(channel, true), alone) << access;
    }
}

TEST_F(SpectrumBridgeTest, InterferenceCostsNoEnergy)
{
    const auto play = [this](double powerW) {
        m_spectrum = CreateObject<MultiModelSpectrumChannel>();
        Make(2, EXACT, {{"Fidelity", "Burst"}});
        m_network->InstallBatteries();
        m_network->SetOutage(0, 1, SMALL);
        Jam(Time(), Seconds(10), powerW);
        SendAt(Seconds(1), 0, 1, 100);
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        std::vector<double> energyJ;
        for (uint32_t i = 0; i < 2; ++i)
        {
            for (const double spentJ : m_network->Energy(i))
            {
                energyJ.push_back(spentJ);
            }
        }
        const uint32_t lost = LostFragments().at(0);
        m_network.reset();
        Simulator::Destroy();
        return std::make_pair(lost, energyJ);
    };
    const auto quiet = play(1e-30);
    const auto loud = play(OVERWHELMING_W);
    EXPECT_EQ(quiet.first, 0U);
    EXPECT_EQ(loud.first, 100U);
    EXPECT_EQ(quiet.second, loud.second);
}

TEST_F(SpectrumBridgeTest, DevicesOfAnotherChannelDisturb)
{
    Make(2);
    TestNetwork other(2, EXACT);
    Ptr<D2dSpectrumBridge> bridge = CreateObject<D2dSpectrumBridge>();
    bridge->Connect(other.Channel(), m_spectrum);
    m_network->SetOutage(0, 1, 1e-4); // 36 dB less than 0.1 W without any loss
    SendAt(Time(), 0, 1, 6);
    Simulator::Schedule(AIRTIME * 2, [&other]() { other.Send(0, 1, 2 * FRAGMENT, BEST_EFFORT); });
    Simulator::Run();
    EXPECT_THAT(LostFragments(), ElementsAre(2));
}

TEST_F(SpectrumBridgeTest, DevicesThatSenseEachOtherDeferToWhatTheyHear)
{
    for (const auto& [access, subchannels, waits] : {std::tuple("Shared", "0", true),
                                                     std::tuple("Ofdma", "2", true),
                                                     std::tuple("Ofdma", "0", false),
                                                     std::tuple("Tdma", "0", false)})
    {
        m_spectrum = CreateObject<MultiModelSpectrumChannel>();
        Make(2,
             {{"ContentionWindow", "1"}, {"CcaThreshold", "-60"}},
             {{"Access", access}, {"Subchannels", subchannels}, {"TdmaSlot", "0s"}});
        const double lowHz = CARRIER_HZ - BANDWIDTH_HZ; // the whole band of both subchannels
        Jam(Seconds(1), Seconds(1), 0.9e-9, lowHz, lowHz + BANDWIDTH_HZ / 2);
        Jam(Seconds(3), Seconds(1), 4.1e-9, lowHz, lowHz + 2 * BANDWIDTH_HZ);
        SendAt(Seconds(1.5), 0, 1, 1);
        SendAt(Seconds(3.5), 0, 1, 1);
        Simulator::Stop(Seconds(6));
        Simulator::Run();
        ASSERT_EQ(m_network->Reports().size(), 2U);
        EXPECT_EQ(m_network->Reports()[0].start, Seconds(1.5)) << access << ": below the threshold";
        EXPECT_EQ(m_network->Reports()[1].start, Seconds(waits ? 4 : 3.5)) << access << subchannels;
        m_network.reset();
        Simulator::Destroy();
    }
}

TEST_F(SpectrumBridgeTest, DevicesThatJoinLaterHaveAPlaceToo)
{
    Make(2);
    Ptr<D2dNetDevice> device = CreateObject<D2dNetDevice>();
    device->SetAddress(Mac48Address::Allocate());
    Ptr<Node> node = CreateObject<Node>();
    node->AggregateObject(CreateObject<ConstantPositionMobilityModel>());
    node->AddDevice(device);
    device->SetChannel(m_network->Channel());
    ASSERT_TRUE(m_bridge->GetSpectrumPhy(device));
    EXPECT_EQ(m_bridge->GetSpectrumPhy(device)->GetDevice(), device);
    EXPECT_EQ(m_bridge->GetSpectrumPhy(device)->GetMobility(), node->GetObject<MobilityModel>());
    EXPECT_EQ(m_spectrum->GetNDevices(), 3U);
}

TEST_F(SpectrumBridgeTest, MistakesAreNamed)
{
    TestNetwork network(2);
    Ptr<D2dSpectrumBridge> bridge = CreateObject<D2dSpectrumBridge>();
    network.Device(1)->GetPhy()->SetAttribute("Bandwidth", DoubleValue(2e6));
    EXPECT_THROW(bridge->Connect(network.Channel(), m_spectrum), UserError);
    Make(2);
    EXPECT_THROW(m_bridge->Connect(network.Channel(), m_spectrum), UserError);
    EXPECT_THROW(CreateObject<D2dSpectrumBridge>()->Connect(m_network->Channel(), m_spectrum),
                 UserError);
    TestNetwork other(2);
    EXPECT_THROW(CreateObject<D2dSpectrumBridge>()->Connect(
                     other.Channel(), CreateObject<SingleModelSpectrumChannel>()),
                 UserError);
    TestNetwork low(2);
    Ptr<D2dSpectrumBridge> lowest = CreateObject<D2dSpectrumBridge>();
    lowest->SetAttribute("CarrierFrequency", DoubleValue(4e5));
    EXPECT_THROW(lowest->Connect(low.Channel(), m_spectrum), UserError);
}

} // namespace
