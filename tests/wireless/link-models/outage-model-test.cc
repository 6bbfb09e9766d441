/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/constant-position-mobility-model.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-outage-model.h"
#include "ns3/d2d-partition-outage-model.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

class OutageModelTest : public SimulatorTest
{
  protected:
    /**
     * @param model an outage model
     * @param rssW mean received signal strength [W]
     * @param noiseW noise power [W]
     * @param spectralEfficiency rate [bit/s/Hz]
     * @return outage probability without interference
     */
    static double
    Outage(Ptr<const D2dOutageModel> model, double rssW, double noiseW, double spectralEfficiency)
    {
        return model->GetOutageProbability({0, 1, rssW, noiseW, 0, spectralEfficiency});
    }

    Ptr<D2dRayleighOutageModel> m_rayleigh = CreateObject<D2dRayleighOutageModel>(); //!< eq. (18)
};

TEST_F(OutageModelTest, RayleighByHand)
{
    // 1 - exp(-(2^0.8 - 1) 0.02 / 0.3)
    EXPECT_NEAR(Outage(m_rayleigh, 0.3, 0.02, 0.8), 0.048206083389024004, 1e-15);
    // (2^1 - 1) sigma^2 / W = ln 2
    EXPECT_NEAR(Outage(m_rayleigh, 1 / std::log(2.0), 1, 1), 0.5, 1e-15);
}

TEST_F(OutageModelTest, RayleighLimits)
{
    EXPECT_EQ(Outage(m_rayleigh, 0, 0.02, 0.8), 1);
    EXPECT_EQ(Outage(m_rayleigh, 1e-300, 0.02, 0.8), 1);
    EXPECT_EQ(Outage(m_rayleigh, 0.3, 0.02, 2000), 1);
    // A strong link loses (2^r - 1) sigma^2 / W, to the last digit and not to 1e-16
    EXPECT_NEAR(Outage(m_rayleigh, 1, 1e-20, 1) / 1e-20, 1, 1e-12);
    EXPECT_NEAR(Outage(m_rayleigh, 1, 1, 1e-9) / (1e-9 * std::log(2.0)), 1, 1e-6);
}

TEST_F(OutageModelTest, RayleighGrowsWithRateAndNoiseAndFallsWithPower)
{
    double last = 0;
    for (const double rate : {0.1, 0.5, 1.0, 2.0, 5.0})
    {
        const double outage = Outage(m_rayleigh, 0.3, 0.02, rate);
        EXPECT_GT(outage, last);
        EXPECT_GT(Outage(m_rayleigh, 0.3, 0.03, rate), outage);
        EXPECT_LT(Outage(m_rayleigh, 0.4, 0.02, rate), outage);
        last = outage;
    }
}

TEST_F(OutageModelTest, RayleighTakesInterferenceForNoise)
{
    EXPECT_EQ(m_rayleigh->GetOutageProbability({0, 1, 0.3, 0.015, 0.005, 0.8}),
              Outage(m_rayleigh, 0.3, 0.02, 0.8));
}

TEST_F(OutageModelTest, RayleighInterferersFade)
{
    // exp(-theta sigma^2 / W) / ((1 + theta I_1 / W) (1 + theta I_2 / W)), theta = 2^2 - 1
    const D2dSignal signal = {0, 1, 0.3, 0.02, 0, 2};
    const D2dSignal disturbed = m_rayleigh->AddInterferers(signal, {0.1, 0.05});
    EXPECT_EQ(disturbed.interferenceW, 0);
    EXPECT_NEAR(m_rayleigh->GetOutageProbability(disturbed), 1 - std::exp(-0.2) / (2 * 1.5), 1e-15);
    m_rayleigh->SetAttribute("InterferenceFading", StringValue("Constant"));
    EXPECT_NEAR(m_rayleigh->GetOutageProbability(m_rayleigh->AddInterferers(signal, {0.1, 0.05})),
                1 - std::exp(-3 * 0.17 / 0.3),
                1e-15);
}

TEST_F(OutageModelTest, ManyWeakInterferersThatFadeAreNoise)
{
    const D2dSignal signal = {0, 1, 0.3, 0.02, 0, 2};
    const std::vector<double> weakW(1000, 1e-5);
    const double fading =
        m_rayleigh->GetOutageProbability(m_rayleigh->AddInterferers(signal, weakW));
    EXPECT_NEAR(fading, Outage(m_rayleigh, 0.3, 0.03, 2), 1e-5);
}

TEST_F(OutageModelTest, RayleighInterferersAtTheirLimits)
{
    const auto outage = [this](double rssW, const std::vector<double>& interferersW) {
        const D2dSignal signal = {0, 1, rssW, 1e-20, 0, 1};
        return m_rayleigh->GetOutageProbability(m_rayleigh->AddInterferers(signal, interferersW));
    };
    EXPECT_NEAR(outage(1, {1e-20, 2e-20}) / 4e-20, 1, 1e-12) << "to the last digit";
    EXPECT_EQ(outage(1, {}), Outage(m_rayleigh, 1, 1e-20, 1));
    EXPECT_EQ(outage(0, {1}), 1);
    EXPECT_EQ(outage(1e-300, {1, 0, 1}), 1);
    EXPECT_EQ(outage(1, {1e200, 1e200, 0, 1e-200}), 1);
}

TEST_F(OutageModelTest, RayleighInterferersAsDrawn)
{
    constexpr int DRAWS = 200000;
    const std::vector<double> interferersW = {0.4, 0.1, 0.1, 0.02};
    const D2dSignal signal = {0, 1, 0.3, 0.05, 0, 0.7};
    const double threshold = std::exp2(0.7) - 1;
    std::mt19937_64 generator(5);
    std::exponential_distribution<double> fade(1);
    int lost = 0;
    for (int draw = 0; draw < DRAWS; ++draw)
    {
        double powerW = signal.noiseW;
        for (const double interfererW : interferersW)
        {
            powerW += interfererW * fade(generator);
        }
        lost += signal.rssW * fade(generator) / powerW < threshold;
    }
    const double expected =
        m_rayleigh->GetOutageProbability(m_rayleigh->AddInterferers(signal, interferersW));
    const double frequency = static_cast<double>(lost) / DRAWS;
    EXPECT_NEAR(frequency, expected, 3 * std::sqrt(expected * (1 - expected) / DRAWS));
    m_rayleigh->SetAttribute("InterferenceFading", StringValue("Constant"));
    const double constant =
        m_rayleigh->GetOutageProbability(m_rayleigh->AddInterferers(signal, interferersW));
    EXPECT_GT(constant, frequency + 0.05) << "what does not fade never gives way";
}

TEST_F(OutageModelTest, OtherModelsTakeInterferersForNoise)
{
    const D2dSignal signal = {0, 1, 0.3, 0.02, 0, 0.7};
    for (const char* const name : {"ns3::collab::D2dNakagamiOutageModel",
                                   "ns3::collab::D2dThresholdOutageModel",
                                   "ns3::collab::D2dFixedOutageModel"})
    {
        Ptr<D2dOutageModel> model = ObjectFactory(name).Create<D2dOutageModel>();
        EXPECT_EQ(model->GetInterferenceScale(signal), 0) << name;
        const D2dSignal disturbed = model->AddInterferers(signal, {0.25, 0.5});
        EXPECT_EQ(disturbed.interferenceW, 0.75) << name;
        EXPECT_EQ(disturbed.fadedInterference, 0) << name;
    }
}

TEST_F(OutageModelTest, PartitionLetsInterferersFadeAsItsModelDoes)
{
    Ptr<D2dPartitionOutageModel> partition = CreateObject<D2dPartitionOutageModel>();
    const D2dSignal signal = {0, 1, 0.3, 0.02, 0, 2};
    EXPECT_EQ(partition->GetOutageProbability(partition->AddInterferers(signal, {0.1})),
              m_rayleigh->GetOutageProbability(m_rayleigh->AddInterferers(signal, {0.1})));
    EXPECT_GT(partition->GetInterferenceScale(signal), 0);
}

TEST_F(OutageModelTest, FixedOutageHoldsForEveryPower)
{
    Ptr<D2dFixedOutageModel> fixed = CreateObject<D2dFixedOutageModel>();
    EXPECT_EQ(Outage(fixed, 1, 1, 1), 0);
    fixed->SetAttribute("Probability", DoubleValue(0.3));
    EXPECT_EQ(Outage(fixed, 1e-20, 1, 1), 0.3);
    EXPECT_EQ(Outage(fixed, 1e20, 1, 9), 0.3);
    EXPECT_EQ(Outage(fixed, 0, 1, 1), 1);
}

TEST_F(OutageModelTest, NoiseIsThermalTimesNoiseFigure)
{
    Ptr<D2dChannel> channel = CreateObject<D2dChannel>();
    // 1.380649e-23 J/K x 290 K x 1 MHz x 10^0.7
    EXPECT_NEAR(channel->GetNoiseW(1e6) / 2.0066945934687534e-14, 1, 1e-12);
    EXPECT_NEAR(channel->GetNoiseW(2e6) / channel->GetNoiseW(1e6), 2, 1e-12);
    channel->SetAttribute("NoiseFigure", DoubleValue(0));
    EXPECT_NEAR(channel->GetNoiseW(1), 1.380649e-23 * 290, 1e-33);
}

TEST_F(OutageModelTest, NoisePowerCanBeGiven)
{
    TestNetwork network(2, {{"SpectralEfficiency", "0.8"}}, {{"NoisePower", "2e-12"}});
    EXPECT_EQ(network.Channel()->GetNoiseW(1e6), 2e-12) << "in any bandwidth";
    EXPECT_EQ(network.Channel()->GetNoiseW(5e6), 2e-12);
    const double rssW = 3e-11;
    network.SetOutage(0, 1, -std::expm1(-(std::exp2(0.8) - 1) * 2e-12 / rssW));
    EXPECT_NEAR(network.Channel()->GetRssW(network.Device(0), network.Device(1)), rssW, 1e-20);
    // 1 - exp(-(2^0.8 - 1) 0.02 / 0.3), as above
    EXPECT_NEAR(network.Channel()->GetOutageProbability(network.Device(0), network.Device(1)),
                0.048206083389024004,
                1e-12);
    network.Channel()->SetAttribute("NoisePower", DoubleValue(0));
    EXPECT_NEAR(network.Channel()->GetNoiseW(1e6) / 2.0066945934687534e-14, 1, 1e-12);
}

TEST_F(OutageModelTest, ModelOfTheChannelIsReplaceable)
{
    TestNetwork network(
        2, {}, {{"OutageModel", "ns3::collab::D2dFixedOutageModel[Probability=0.3]"}});
    EXPECT_EQ(network.Channel()->GetOutageProbability(network.Device(0), network.Device(1)), 0.3);
    network.SetOutOfRange(0, 1);
    EXPECT_EQ(network.Channel()->GetOutageProbability(network.Device(0), network.Device(1)), 1);
}

TEST_F(OutageModelTest, EachWayHasItsOwnPowerAndRate)
{
    TestNetwork network(2);
    network.SetOutage(0, 1, 0.1);
    network.SetOutage(1, 0, 0.4);
    const D2dLink link = network.Channel()->GetLink(network.Device(0), network.Device(1));
    Ptr<D2dChannel> channel = network.Channel();
    D2dPhy& sender = *network.Device(0)->GetPhy();
    EXPECT_NEAR(channel->GetOutageProbability(network.Device(0), network.Device(1)), 0.1, 1e-12);
    EXPECT_NEAR(channel->GetAcknowledgmentLoss(sender, link), 0.4, 1e-12);
    EXPECT_EQ(link.delay, NanoSeconds(334)); // 100 m

    network.Device(1)->GetPhy()->SetAttribute("SpectralEfficiency", DoubleValue(2));
    EXPECT_NEAR(channel->GetOutageProbability(network.Device(0), network.Device(1)), 0.1, 1e-12);
    EXPECT_NEAR(
        channel->GetAcknowledgmentLoss(sender, link), 1 - std::pow(0.6, 3), 1e-12); // 2^2 - 1 = 3
}

TEST_F(OutageModelTest, KeptProbabilityFollowsWhatItDependsOn)
{
    NodeContainer nodes;
    nodes.Create(2);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        Ptr<MobilityModel> mobility = CreateObject<ConstantPositionMobilityModel>();
        mobility->SetPosition(Vector(300.0 * i, 0, 0));
        nodes.Get(i)->AggregateObject(mobility);
    }
    const NetDeviceContainer devices = D2dHelper().Install(nodes);
    const auto sender = DynamicCast<D2dNetDevice>(devices.Get(0));
    Ptr<D2dChannel> channel = sender->GetD2dChannel();
    const auto outage = [&](double interferenceW, double rate) {
        const D2dLink& link = channel->GetLinks(sender).at(0); // the same as long as links hold
        return channel->GetOutageProbability(*sender->GetPhy(), link, {interferenceW}, rate);
    };
    const double rssW = channel->GetLinks(sender).at(0).rssW;
    const double noiseW = sender->GetPhy()->GetNoiseW();
    const double first = Outage(m_rayleigh, rssW, noiseW, 1);
    EXPECT_GT(first, 0);
    EXPECT_EQ(outage(0, 1), first);
    EXPECT_EQ(outage(0, 1), first);
    EXPECT_EQ(outage(0, 2), Outage(m_rayleigh, rssW, noiseW, 2));
    EXPECT_EQ(outage(noiseW, 2), m_rayleigh->GetOutageProbability({0, 1, rssW, noiseW, noiseW, 2}));
    EXPECT_EQ(outage(0, 2), Outage(m_rayleigh, rssW, noiseW, 2));
    channel->SetAttribute("NoisePower", DoubleValue(3 * noiseW));
    EXPECT_EQ(outage(0, 2), Outage(m_rayleigh, rssW, 3 * noiseW, 2));
    auto fixed = CreateObjectWithAttributes<D2dFixedOutageModel>("Probability", DoubleValue(0.3));
    channel->SetAttribute("OutageModel", PointerValue(fixed));
    EXPECT_EQ(outage(0, 2), 0.3);
    fixed->SetAttribute("Probability", DoubleValue(0.4));
    EXPECT_EQ(outage(0, 2), 0.4);
}

/// The whole chain, from distance to delivery.
class OutageChainTest : public OutageModelTest, public testing::WithParamInterface<const char*>
{
};

/*
 * 3 standard errors, 12 comparisons (6 distances, 2 fidelities): a correct program would fail with
 * probability 12 x 0.0027 = 3 % for a seed drawn anew; this one is fixed.
 */
TEST_P(OutageChainTest, DeliveryOverDistance)
{
    constexpr int MESSAGES = 4000;
    const std::vector<double> distances = {50, 100, 200, 300, 400, 600};

    NodeContainer nodes;
    nodes.Create(1 + distances.size());
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        Ptr<MobilityModel> mobility = CreateObject<ConstantPositionMobilityModel>();
        mobility->SetPosition(Vector(i == 0 ? 0 : distances[i - 1], 0, 0));
        nodes.Get(i)->AggregateObject(mobility);
    }
    D2dHelper helper;
    helper.SetChannelAttribute("Fidelity", StringValue(GetParam()));
    helper.SetDeviceAttribute("TxQueue", StringValue("ns3::DropTailQueue<Packet>[MaxSize=5000p]"));
    NetDeviceContainer devices = helper.Install(nodes);
    D2dHelper::AssignStreams(devices, 0);

    std::vector<int> delivered(nodes.GetN(), 0);
    for (uint32_t i = 1; i < nodes.GetN(); ++i)
    {
        devices.Get(i)->SetReceiveCallback(MakeBoundCallback(
            +[](int* count, Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                ++*count;
                return true;
            },
            &delivered[i]));
    }
    for (int i = 0; i < MESSAGES; ++i)
    {
        ASSERT_TRUE(devices.Get(0)->Send(Create<Packet>(100), Mac48Address::GetBroadcast(), 1));
    }
    Simulator::Run();

    for (uint32_t i = 1; i < nodes.GetN(); ++i)
    {
        // ns-3's LogDistancePropagationLossModel: 46.6777 dB at 1 m, exponent 3; 20 dBm, r = 1
        const double rssDbm = 20 - 46.6777 - 30 * std::log10(distances[i - 1]);
        const double rssW = std::pow(10, (rssDbm - 30) / 10);
        const double expected = std::exp(-2.0066945934687534e-14 / rssW);
        EXPECT_NEAR(static_cast<double>(delivered[i]) / MESSAGES,
                    expected,
                    3 * std::sqrt(expected * (1 - expected) / MESSAGES))
            << distances[i - 1] << " m";
    }
}

INSTANTIATE_TEST_SUITE_P(Fidelities, OutageChainTest, testing::Values("Packet", "Burst"));

} // namespace
