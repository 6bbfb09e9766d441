/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-spectrum-bridge.h"
#include "ns3/multi-model-spectrum-channel.h"
#include "ns3/single-model-spectrum-channel.h"
#include "ns3/spectrum-analyzer.h"
#include "ns3/spectrum-value.h"
#include "ns3/waveform-generator.h"

namespace ns3::collab::tests
{
namespace
{

constexpr double CARRIER_HZ = 2.44e9;  //!< default of CarrierFrequency
constexpr double BANDWIDTH_HZ = 1e6;   //!< default of Bandwidth
constexpr double TX_POWER_W = 0.1;     //!< default of TxPower
constexpr double OVERWHELMING_W = 1e9; //!< loses every fragment of a link of outage LOSSLESS

/// No back-off and no carrier sense, so that times can be computed by hand
const Settings UNSENSED = {{"ContentionWindow", "1"}, {"CarrierSense", "false"}};
constexpr uint32_t FRAGMENT = 1500; //!< bytes of a packet in one fragment

/// @return the bands
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

/// @return joules that all devices have spent on each kind
std::vector<double>
AllJoules(const TestNetwork& network)
{
    std::vector<double> all;
    for (uint32_t i = 0; i < network.Size(); ++i)
    {
        const EnergyByKind energyJ = network.Energy(i);
        all.insert(all.end(), energyJ.begin(), energyJ.end());
    }
    return all;
}

/// Radios of a TestNetwork on a SpectrumChannel, with what else sends and listens there
class SpectrumBridgeTest : public SimulatorTest
{
  protected:
    SpectrumBridgeTest()
        : m_spectrum(CreateObject<MultiModelSpectrumChannel>())
    {
    }

    /// Make the network, and connect it.
    void
    Make(uint32_t size, const Settings& device = UNSENSED, const Settings& channel = {})
    {
        m_network.emplace(size, device, channel);
        m_bridge = CreateObject<D2dSpectrumBridge>();
        m_bridge->Connect(m_network->Channel(), m_spectrum);
    }

    /// Let a generator send without a place, so that all receive what it sends.
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

    /// Send a packet later.
    void
    SendAt(Time when,
           uint32_t from,
           uint32_t to,
           uint32_t fragments,
           D2dReliability reliability = BEST_EFFORT)
    {
        m_network->SendAt(when, from, to, fragments * FRAGMENT, reliability);
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
    std::optional<TestNetwork> m_network;      //!< the devices
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
    constexpr uint32_t FRAGMENTS = 2000;
    Make(2, UNSENSED, ChannelSettings());
    m_network->SetOutage(0, 1, ALONE);
    const double rssW = m_network->RssW(0, 1);
    // Ten times the band of the devices: a tenth of the power is in it
    Jam(Time(), Seconds(60), 10 * RATIO * rssW, CARRIER_HZ - 3e6, CARRIER_HZ + 7e6);
    SendAt(MilliSeconds(1), 0, 1, FRAGMENTS);
    At(Seconds(10), [this, rssW] {
        EXPECT_NEAR(m_bridge->GetInterferenceW(m_network->Device(1)), RATIO * rssW, 1e-9 * rssW);
    });
    Simulator::Run();
    const double outage = std::string(std::get<2>(GetParam())) == "Rayleigh"
                              ? 1 - (1 - ALONE) / (1 + RATIO)
                              : 1 - (1 - ALONE) * std::exp(-RATIO);
    ExpectCount(LostFragments().at(0), outage, FRAGMENTS);
}

TEST_P(SpectrumBridgeCaseTest, AFragmentIsDisturbedIfItMeetsTheSignalAtAll)
{
    Make(2, UNSENSED, ChannelSettings());
    m_network->SetOutage(0, 1, LOSSLESS);
    SendAt(Time(), 0, 1, 20);
    Jam(FRAGMENT_TIME * 5 / 2, FRAGMENT_TIME * 3, OVERWHELMING_W);  // from 2.5 to 5.5: four
    Jam(FRAGMENT_TIME * 8, FRAGMENT_TIME * 2, OVERWHELMING_W);      // exactly two
    Jam(FRAGMENT_TIME * 49 / 4, FRAGMENT_TIME / 2, OVERWHELMING_W); // within one
    Jam(FRAGMENT_TIME * 51 / 4, FRAGMENT_TIME / 4, OVERWHELMING_W); // to its end
    Simulator::Run();
    EXPECT_THAT(LostFragments(), ElementsAre(4 + 2 + 1));
    EXPECT_EQ(m_network->Report().start, Time());
    EXPECT_EQ(m_bridge->GetInterferenceW(m_network->Device(1)), 0);
}

TEST_P(SpectrumBridgeCaseTest, AReceiverThatComesOnMeetsWhatIsOnAir)
{
    Make(2, UNSENSED, ChannelSettings());
    m_network->SetOutage(0, 1, LOSSLESS);
    m_network->Mac(1)->SwitchOff();
    Jam(Seconds(1), Seconds(2), OVERWHELMING_W);
    m_network->SwitchOnAt(Seconds(2), 1);
    SendAt(MilliSeconds(1500), 0, 1, 3);
    SendAt(MilliSeconds(2500), 0, 1, 3);
    SendAt(MilliSeconds(3500), 0, 1, 3);
    Simulator::Run();
    EXPECT_THAT(LostFragments(), ElementsAre(3, 3, 0));
    EXPECT_THAT(m_network->Fates(0), ElementsAre("1 receiver-off"));
    EXPECT_THAT(m_network->Fates(1), ElementsAre("1 outage"));
}

TEST_P(SpectrumBridgeCaseTest, AcknowledgmentsAreDisturbedAtTheSender)
{
    Make(2, UNSENSED, ChannelSettings());
    m_network->SetOutage(0, 1, LOSSLESS);
    m_network->SetOutage(1, 0, LOSSLESS);
    // Only the sender hears the generator
    Ptr<MatrixPropagationLossModel> losses = CreateObject<MatrixPropagationLossModel>();
    losses->SetDefaultLoss(0);
    m_spectrum->AddPropagationLossModel(losses);
    Ptr<MobilityModel> place = Standing(0);
    CreateObject<Node>()->AggregateObject(place); // ns-3.48 asks it for the number of its node
    Jam(Seconds(1), Seconds(1), OVERWHELMING_W)->SetMobility(place);
    losses->SetLoss(place, m_network->Place(1), 500, false);
    SendAt(Time(), 0, 1, 1, ARQ);
    SendAt(Seconds(1), 0, 1, 1, ARQ);
    Simulator::Run();
    EXPECT_EQ(m_network->Report(0).attempts, 1U);
    EXPECT_THAT(m_network->Fates(0), ElementsAre("1 acknowledged"));
    EXPECT_EQ(m_network->Report(1).attempts, 8U) << "MaxAttempts";
    EXPECT_THAT(m_network->Fates(1), ElementsAre("1 delivered"));
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
    StartListening()
    {
        Ptr<MatrixPropagationLossModel> losses = CreateObject<MatrixPropagationLossModel>();
        losses->SetDefaultLoss(30);
        m_spectrum->AddPropagationLossModel(losses);
        m_analyzer = CreateObject<SpectrumAnalyzer>();
        m_analyzer->SetAttribute("Resolution", TimeValue(PERIOD));
        m_analyzer->SetAttribute("NoisePowerSpectralDensity", DoubleValue(0));
        m_analyzer->SetRxSpectrumModel(MakeModel(CARRIER_HZ - 2e6, CARRIER_HZ + 2e6, 16));
        // Apart from the devices: newer versions of ns-3 have no loss where a receiver stands
        Ptr<MobilityModel> place = Standing(0, 0, 10);
        CreateObject<Node>()->AggregateObject(place);
        m_analyzer->SetMobility(place);
        m_spectrum->AddRx(m_analyzer);
        OnTrace<Ptr<const SpectrumValue>>(
            m_analyzer, "AveragePowerSpectralDensityReport", [this](const auto& density) {
                m_energyJ.assign(density->ConstValuesBegin(), density->ConstValuesEnd());
                for (double& band : m_energyJ)
                {
                    band *= PERIOD.GetSeconds() * RESOLUTION_HZ;
                }
            });
        m_analyzer->Start();
        Simulator::Stop(PERIOD + MilliSeconds(1));
    }

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

INSTANTIATE_TEST_SUITE_P(Fidelities, SpectrumAnalyzerTest, FIDELITIES);

TEST_P(SpectrumAnalyzerTest, MeasuresFragmentsAndAcknowledgmentsInTheBandOfTheDevices)
{
    Make(2, UNSENSED, {{"Fidelity", GetParam()}});
    StartListening();
    SendAt(Time(), 0, 1, 3, ARQ);
    Simulator::Run();
    ExpectOnAir(6, 10, (FRAGMENT_TIME + ACKNOWLEDGMENT_TIME) * 3);
}

TEST_P(SpectrumAnalyzerTest, MeasuresEachSubchannelInItsPlace)
{
    Make(3, UNSENSED, {{"Fidelity", GetParam()}, {"Subchannels", "3"}});
    StartListening();
    SendAt(Time(), 2, 1, 2);
    Simulator::Run();
    ExpectOnAir(10, 14, FRAGMENT_TIME * 2);
}

TEST_P(SpectrumAnalyzerTest, MeasuresABurstThatIsCutToTheEndOfItsFragment)
{
    Make(2, UNSENSED, {{"Fidelity", GetParam()}});
    StartListening();
    SendAt(Time(), 0, 1, 10);
    m_network->CancelAt(FRAGMENT_TIME * 5 / 4, 0, 1);
    Simulator::Run();
    EXPECT_EQ(m_network->Report().airtime, FRAGMENT_TIME * 5 / 4);
    ExpectOnAir(6, 10, FRAGMENT_TIME * 2);
}

TEST_F(SpectrumBridgeTest, EachSubchannelIsDisturbedByWhatIsInIt)
{
    Make(2, UNSENSED, {{"Subchannels", "2"}, {"Locking", "None"}});
    m_network->SetOutage(0, 1, LOSSLESS);
    m_network->SetOutage(1, 0, LOSSLESS);
    // In the upper half of the band, which is that of device 1
    Jam(Time(), Seconds(10), OVERWHELMING_W, CARRIER_HZ, CARRIER_HZ + BANDWIDTH_HZ);
    SendAt(Seconds(1), 0, 1, 4);
    SendAt(Seconds(2), 1, 0, 4);
    At(Seconds(3), [this] {
        EXPECT_EQ(m_bridge->GetInterferenceW(m_network->Device(0)), 0);
        EXPECT_NEAR(m_bridge->GetInterferenceW(m_network->Device(1)), OVERWHELMING_W, 1);
    });
    SendAt(Seconds(5), 0, 1, 1, ARQ);
    SendAt(Seconds(11), 0, 1, 1, ARQ);
    Simulator::Run();
    EXPECT_THAT(LostFragments(), ElementsAre(0, 4, 0, 0));
    EXPECT_THAT(m_network->Fates(2), ElementsAre("1 delivered"))
        << "acknowledgments are in the band of who sends them";
    EXPECT_THAT(m_network->Fates(3), ElementsAre("1 acknowledged"));
}

TEST_F(SpectrumBridgeTest, NothingLeaksOfWhatComesFromOutside)
{
    Make(2, UNSENSED, {{"Subchannels", "2"}, {"AdjacentLeakage", "10"}});
    m_network->SetOutage(0, 1, LOSSLESS);
    Jam(Time(), Seconds(10), OVERWHELMING_W, CARRIER_HZ, CARRIER_HZ + BANDWIDTH_HZ);
    SendAt(Seconds(1), 0, 1, 4);
    Simulator::Run();
    EXPECT_THAT(LostFragments(), ElementsAre(0));
}

TEST_F(SpectrumBridgeTest, OwnSignalsDisturbOnlyOnTheirOwnChannel)
{
    // What others make of a network with a bridge and of one without
    const auto play = [](const Settings& channel, bool connected) {
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
            network.Send(i, BROADCAST, 30 * FRAGMENT);
            network.Send(i, (i + 1) % 4, 10 * FRAGMENT, ARQ);
        }
        RunFor(Seconds(100));
        const auto result = std::pair(network.DescribeBursts(), AllJoules(network));
        return result;
    };
    for (const char* access : {"Ofdma", "Shared", "Tdma"})
    {
        const Settings channel = {{"Fidelity", "Packet"}, {"Access", access}};
        EXPECT_EQ(play(channel, true), play(channel, false)) << access;
    }
}

TEST_F(SpectrumBridgeTest, InterferenceCostsNoEnergy)
{
    const auto play = [this](double powerW) {
        m_spectrum = CreateObject<MultiModelSpectrumChannel>();
        Make(2, UNSENSED, {{"Fidelity", "Burst"}});
        m_network->InstallBatteries();
        m_network->SetOutage(0, 1, LOSSLESS);
        Jam(Time(), Seconds(10), powerW);
        SendAt(Seconds(1), 0, 1, 100);
        RunFor(Seconds(20));
        const auto energyJ = AllJoules(*m_network);
        const uint32_t lost = LostFragments().at(0);
        m_network.reset();
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
    TestNetwork other(2, UNSENSED);
    Ptr<D2dSpectrumBridge> bridge = CreateObject<D2dSpectrumBridge>();
    bridge->Connect(other.Channel(), m_spectrum);
    m_network->SetOutage(0, 1, 1e-4); // 36 dB less than 0.1 W without any loss
    SendAt(Time(), 0, 1, 6);
    At(FRAGMENT_TIME * 2, [&] { other.Send(0, 1, 2 * FRAGMENT); });
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
        RunFor(Seconds(6));
        EXPECT_EQ(m_network->Report(0).start, Seconds(1.5)) << access << ": below the threshold";
        EXPECT_EQ(m_network->Report(1).start, Seconds(waits ? 4 : 3.5)) << access << subchannels;
        m_network.reset();
    }
}

TEST_F(SpectrumBridgeTest, DevicesThatJoinLaterHaveAPlaceToo)
{
    Make(2);
    const Ptr<D2dNetDevice> device = m_network->Join(Standing(0));
    ASSERT_TRUE(m_bridge->GetSpectrumPhy(device));
    EXPECT_EQ(m_bridge->GetSpectrumPhy(device)->GetDevice(), device);
    EXPECT_EQ(m_bridge->GetSpectrumPhy(device)->GetMobility(), m_network->Place(2));
    EXPECT_EQ(m_spectrum->GetNDevices(), 3U);
}

TEST_F(SpectrumBridgeTest, MistakesAreNamed)
{
    const auto expectRefused = [](Ptr<D2dSpectrumBridge> bridge,
                                  const TestNetwork& network,
                                  Ptr<SpectrumChannel> spectrum) {
        EXPECT_THROW(bridge->Connect(network.Channel(), spectrum), UserError);
    };
    const auto make = [] { return CreateObject<D2dSpectrumBridge>(); };
    TestNetwork uneven(2);
    uneven.Set(1, "Bandwidth", "2e6");
    expectRefused(make(), uneven, m_spectrum);
    Make(2);
    expectRefused(m_bridge, *m_network, m_spectrum);
    expectRefused(make(), *m_network, m_spectrum);
    expectRefused(make(), TestNetwork(2), CreateObject<SingleModelSpectrumChannel>());
    const auto low = make();
    low->SetAttribute("CarrierFrequency", DoubleValue(4e5));
    expectRefused(low, TestNetwork(2), m_spectrum);
}

} // namespace
} // namespace ns3::collab::tests
