/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/link-models/references.h"
#include "wireless/wireless-bench.h"

#include "ns3/d2d-matrix-outage-model.h"
#include "ns3/d2d-matrix-rss-model.h"
#include "ns3/d2d-partition-outage-model.h"

#include <boost/math/special_functions/gamma.hpp>
#include <iterator>
#include <random>

namespace ns3::collab::tests
{
namespace
{

const std::string RAYLEIGH = "ns3::collab::D2dRayleighOutageModel";
const std::string NAKAGAMI = "ns3::collab::D2dNakagamiOutageModel";
const std::string THRESHOLD_MODEL = "ns3::collab::D2dThresholdOutageModel";
const std::string FIXED_OUTAGE = "ns3::collab::D2dFixedOutageModel";
constexpr double NOISE_W = 2.0066945934687534e-14; //!< k T B F at 1 MHz and 7 dB [W]

/// @return outage probability without interference
double
Outage(Ptr<const D2dOutageModel> model, double rssW, double noiseW, double spectralEfficiency)
{
    return model->GetOutageProbability({0, 1, rssW, noiseW, 0, spectralEfficiency});
}

/// @return outage probability without interference, in noise of 0.02 W
double
OutageOfSnr(Ptr<const D2dOutageModel> model, double snr, double spectralEfficiency)
{
    return Outage(model, snr * 0.02, 0.02, spectralEfficiency);
}

/// @return outage probability among interferers
double
OutageAmong(Ptr<const D2dOutageModel> model,
            const D2dSignal& signal,
            const std::vector<double>& interferersW)
{
    return model->GetOutageProbability(model->AddInterferers(signal, interferersW));
}

class OutageModelTest : public SimulatorTest
{
  protected:
    Ptr<D2dOutageModel> m_rayleigh = MakeOutageModel(RAYLEIGH); //!< eq. (18)
    Ptr<D2dOutageModel> m_steady =
        MakeOutageModel(RAYLEIGH + "[InterferenceFading=Constant]"); //!< among what does not fade
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

TEST_F(OutageModelTest, ModelsTakeSteadyInterferenceForNoise)
{
    for (const auto& model : {m_rayleigh, MakeOutageModel(NAKAGAMI + "[M=2.5]")})
    {
        EXPECT_EQ(model->GetOutageProbability({0, 1, 0.3, 0.015, 0.005, 0.8}),
                  Outage(model, 0.3, 0.02, 0.8));
    }
    const D2dSignal signal = {0, 1, 0.3, 0.02, 0, 0.7};
    for (const std::string& name : {NAKAGAMI, THRESHOLD_MODEL, FIXED_OUTAGE})
    {
        const auto model = MakeOutageModel(name);
        EXPECT_EQ(model->GetInterferenceScale(signal), 0) << name;
        const D2dSignal disturbed = model->AddInterferers(signal, {0.25, 0.5});
        EXPECT_EQ(disturbed.interferenceW, 0.75) << name;
        EXPECT_EQ(disturbed.fadedInterference, 0) << name;
    }
}

TEST_F(OutageModelTest, RayleighInterferersFade)
{
    // exp(-theta sigma^2 / W) / ((1 + theta I_1 / W) (1 + theta I_2 / W)), theta = 2^2 - 1
    const D2dSignal signal = {0, 1, 0.3, 0.02, 0, 2};
    EXPECT_EQ(m_rayleigh->AddInterferers(signal, {0.1, 0.05}).interferenceW, 0);
    EXPECT_NEAR(
        OutageAmong(m_rayleigh, signal, {0.1, 0.05}), 1 - std::exp(-0.2) / (2 * 1.5), 1e-15);
    EXPECT_NEAR(OutageAmong(m_steady, signal, {0.1, 0.05}), 1 - std::exp(-3 * 0.17 / 0.3), 1e-15);
    EXPECT_NEAR(OutageAmong(m_rayleigh, signal, std::vector<double>(1000, 1e-5)),
                Outage(m_rayleigh, 0.3, 0.03, 2),
                1e-5)
        << "many weak ones are noise";
    const Ptr<D2dOutageModel> partition = CreateObject<D2dPartitionOutageModel>();
    EXPECT_EQ(OutageAmong(partition, signal, {0.1}), OutageAmong(m_rayleigh, signal, {0.1}));
    EXPECT_GT(partition->GetInterferenceScale(signal), 0);
}

TEST_F(OutageModelTest, RayleighInterferersAtTheirLimits)
{
    const auto outage = [this](double rssW, const std::vector<double>& interferersW) {
        return OutageAmong(m_rayleigh, {0, 1, rssW, 1e-20, 0, 1}, interferersW);
    };
    EXPECT_NEAR(outage(1, {1e-20, 2e-20}) / 4e-20, 1, 1e-12) << "to the last digit";
    EXPECT_EQ(outage(1, {}), Outage(m_rayleigh, 1, 1e-20, 1));
    EXPECT_EQ(outage(0, {1}), 1);
    EXPECT_EQ(outage(1e-300, {1, 0, 1}), 1);
    EXPECT_EQ(outage(1, {1e200, 1e200, 0, 1e-200}), 1);
}

TEST_F(OutageModelTest, RayleighInterferersAsDrawn)
{
    constexpr int DRAWS = 100000;
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
    ExpectCount(lost, OutageAmong(m_rayleigh, signal, interferersW), DRAWS, 3);
    EXPECT_GT(OutageAmong(m_steady, signal, interferersW), 1.0 * lost / DRAWS + 0.05)
        << "what does not fade never gives way";
}

TEST_F(OutageModelTest, NakagamiIsAsComputedWithScipy)
{
    std::size_t at = 0;
    for (const double shape : NAKAGAMI_SHAPES)
    {
        Ptr<D2dOutageModel> model = MakeOutageModel(NAKAGAMI);
        model->SetAttribute("M", DoubleValue(shape));
        for (const double snr : NAKAGAMI_SNRS)
        {
            const double expected = EXPECTED_NAKAGAMI_OUTAGES[at++];
            // The distribution function has a relative condition of order m in its lower tail
            EXPECT_NEAR(
                OutageOfSnr(model, snr, NAKAGAMI_RATE), expected, 1e-13 * (10 + shape) * expected)
                << "m = " << shape << ", SNR = " << snr;
        }
    }
    EXPECT_EQ(at, std::size(EXPECTED_NAKAGAMI_OUTAGES));
}

TEST_F(OutageModelTest, NakagamiOfShape1IsRayleighToTheLastDigits)
{
    const auto nakagami = MakeOutageModel(NAKAGAMI);
    for (double snr = 1e-4; snr < 1e30; snr *= 3)
    {
        const double expected = OutageOfSnr(m_rayleigh, snr, 0.8);
        EXPECT_GT(expected, 0);
        EXPECT_NEAR(OutageOfSnr(nakagami, snr, 0.8) / expected, 1, 1e-14) << "SNR = " << snr;
    }
}

TEST_F(OutageModelTest, NakagamiHasLimits)
{
    Ptr<D2dOutageModel> model = MakeOutageModel(NAKAGAMI + "[M=2.5]");
    EXPECT_EQ(OutageOfSnr(model, 1e-320, 0.8), 1);
    EXPECT_EQ(OutageOfSnr(model, 0, 0.8), 1);
    EXPECT_EQ(OutageOfSnr(model, 1, 2000), 1);
    EXPECT_EQ(OutageOfSnr(MakeOutageModel(NAKAGAMI + "[M=10000]"), 1e9, 0.8), 0);
    EXPECT_FALSE(model->SetAttributeFailSafe("M", DoubleValue(0.49)));
    EXPECT_FALSE(model->SetAttributeFailSafe("M", DoubleValue(std::nan(""))));
    EXPECT_TRUE(model->SetAttributeFailSafe("M", DoubleValue(0.5)));
}

TEST_F(OutageModelTest, ThresholdIsTheCapacity)
{
    const auto model = MakeOutageModel(THRESHOLD_MODEL);
    EXPECT_EQ(OutageOfSnr(model, 1, 1), 0); // log2(1 + 1) is not under 1
    EXPECT_EQ(OutageOfSnr(model, 0.999999, 1), 1);
    EXPECT_EQ(OutageOfSnr(model, 3, 2), 0);
    EXPECT_EQ(OutageOfSnr(model, 3, 2.000001), 1);
    EXPECT_EQ(model->GetOutageProbability({0, 1, 3, 0.5, 0.5, 2}), 0);
    EXPECT_EQ(model->GetOutageProbability({0, 1, 3, 0.5, 0.51, 2}), 1);
    const auto margin = MakeOutageModel(THRESHOLD_MODEL + "[Margin=3]");
    EXPECT_EQ(OutageOfSnr(margin, 1.9953, 1), 0); // 10^0.3 = 1.99526...
    EXPECT_EQ(OutageOfSnr(margin, 1.9952, 1), 1);
}

TEST_F(OutageModelTest, MatrixHasTheReceiverInTheRow)
{
    Ptr<D2dMatrixOutageModel> model = CreateObject<D2dMatrixOutageModel>();
    model->SetMatrix({{9, 0.1, 0.2}, {0.3, -9, 0.4}, {0.5, 1, 9}});
    const auto outage = [&](uint32_t transmitter, uint32_t receiver) {
        return model->GetOutageProbability({transmitter, receiver, 1e-9, 1, 0, 5});
    };
    EXPECT_EQ(outage(1, 0), 0.1);
    EXPECT_EQ(outage(0, 1), 0.3);
    EXPECT_EQ(outage(0, 2), 0.5);
    EXPECT_EQ(outage(2, 0), 0.2);
    EXPECT_EQ(outage(1, 2), 1);
    EXPECT_EQ(model->GetSpectralEfficiency({1, 0, 1, 1, 0, 1}, 0.1, 0.5, 6), 6);
    EXPECT_EQ(model->GetSpectralEfficiency({0, 1, 1, 1, 0, 1}, 0.1, 0.5, 6), 0.5)
        << "all or nothing";
}

TEST_F(OutageModelTest, FixedOutageHoldsForEveryPower)
{
    EXPECT_EQ(Outage(MakeOutageModel(FIXED_OUTAGE), 1, 1, 1), 0);
    const auto fixed = MakeOutageModel(FIXED_OUTAGE + "[Probability=0.3]");
    EXPECT_EQ(Outage(fixed, 1e-20, 1, 1), 0.3);
    EXPECT_EQ(Outage(fixed, 1e20, 1, 9), 0.3);
    EXPECT_EQ(Outage(fixed, 0, 1, 1), 1);
}

TEST_F(OutageModelTest, PartitionCutsOneSideOffForAWhile)
{
    auto model = CreateObject<D2dPartitionOutageModel>();
    model->SetAttribute("OutageModel",
                        PointerValue(MakeOutageModel(FIXED_OUTAGE + "[Probability=0.25]")));
    model->AddPartition(Seconds(1), Seconds(2), {3, 4});
    EXPECT_FALSE(model->IsFunctionOfSignal());
    const auto outage = [model](uint32_t transmitter, uint32_t receiver) {
        return model->GetOutageProbability({transmitter, receiver, 1, 0.02, 0, 1});
    };
    for (const auto& [time, cut] :
         {std::pair(0.5, 0.25), std::pair(1.0, 1.0), std::pair(1.9, 1.0), std::pair(2.0, 0.25)})
    {
        At(Seconds(time), [&, cut = cut] {
            EXPECT_EQ(outage(3, 0), cut);
            EXPECT_EQ(outage(0, 3), cut);
            EXPECT_EQ(outage(3, 4), 0.25);
            EXPECT_EQ(outage(0, 1), 0.25);
        });
    }
    Simulator::Run();
}

/// The inverse of an outage model
using RateTest = WithParameter<std::string>;

TEST_P(RateTest, IsTheHighestThatMeetsTheTarget)
{
    constexpr double MINIMUM = 0.01;
    constexpr double MAXIMUM = 12;
    Ptr<const D2dOutageModel> model = MakeOutageModel(GetParam());
    int between = 0;
    for (double snr = 1e-3; snr < 1e7; snr *= 2.7)
    {
        for (const double target : {0.0, 1e-12, 1e-6, 0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999, 1.0})
        {
            SCOPED_TRACE(testing::Message() << "SNR " << snr << ", target " << target);
            // The rate in the signal must not matter
            const double rate = model->GetSpectralEfficiency(
                {0, 1, snr * 0.02, 0.015, 0.005, 7}, target, MINIMUM, MAXIMUM);
            ASSERT_GE(rate, MINIMUM);
            ASSERT_LE(rate, MAXIMUM);
            EXPECT_TRUE(rate == MINIMUM || OutageOfSnr(model, snr, rate) <= target);
            EXPECT_TRUE(rate == MAXIMUM || OutageOfSnr(model, snr, rate * (1 + 4e-12)) > target);
            between += rate > MINIMUM && rate < MAXIMUM ? 1 : 0;
        }
    }
    EXPECT_EQ(between == 0, GetParam().find("Fixed") != std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Models,
                         RateTest,
                         testing::Values(RAYLEIGH,
                                         NAKAGAMI + "[M=0.5]",
                                         NAKAGAMI + "[M=1]",
                                         NAKAGAMI + "[M=8]",
                                         THRESHOLD_MODEL,
                                         THRESHOLD_MODEL + "[Margin=3]",
                                         FIXED_OUTAGE + "[Probability=0.3]"));

TEST_F(OutageModelTest, RateUnderRayleighFadingByHand)
{
    // log2(1 - 15 ln 0.9) for W = 0.3, sigma^2 = 0.02, P = 0.1
    EXPECT_NEAR(m_rayleigh->GetSpectralEfficiency({0, 1, 0.3, 0.02, 0, 1}, 0.1, 0.1, 10),
                1.36759904649912,
                1e-13);
    EXPECT_EQ(m_rayleigh->GetSpectralEfficiency({0, 1, 0, 0.02, 0, 1}, 0.1, 0.1, 10), 0.1);
}

/// What a channel makes of its outage model
using ChannelOutageTest = OutageModelTest;

TEST_F(ChannelOutageTest, NoiseIsThermalTimesNoiseFigureOrGiven)
{
    Ptr<D2dChannel> channel = CreateObject<D2dChannel>();
    // 1.380649e-23 J/K x 290 K x 1 MHz x 10^0.7
    EXPECT_NEAR(channel->GetNoiseW(1e6) / NOISE_W, 1, 1e-12);
    EXPECT_NEAR(channel->GetNoiseW(2e6) / channel->GetNoiseW(1e6), 2, 1e-12);
    channel->SetAttribute("NoiseFigure", DoubleValue(0));
    EXPECT_NEAR(channel->GetNoiseW(1), 1.380649e-23 * 290, 1e-33);

    TestNetwork network(2, {{"SpectralEfficiency", "0.8"}}, {{"NoisePower", "2e-12"}});
    EXPECT_EQ(network.Channel()->GetNoiseW(1e6), 2e-12) << "in any bandwidth";
    EXPECT_EQ(network.Channel()->GetNoiseW(5e6), 2e-12);
    const double rssW = 3e-11;
    network.SetOutage(0, 1, -std::expm1(-(std::exp2(0.8) - 1) * 2e-12 / rssW));
    EXPECT_NEAR(network.RssW(0, 1), rssW, 1e-20);
    // 1 - exp(-(2^0.8 - 1) 0.02 / 0.3), as above
    EXPECT_NEAR(network.Outage(0, 1), 0.048206083389024004, 1e-12);
    network.SetChannel("NoisePower", "0");
    EXPECT_NEAR(network.Channel()->GetNoiseW(1e6) / NOISE_W, 1, 1e-12);
}

TEST_F(ChannelOutageTest, ModelIsReplaceable)
{
    TestNetwork network(2, {}, {{"OutageModel", FIXED_OUTAGE + "[Probability=0.3]"}});
    EXPECT_EQ(network.Outage(0, 1), 0.3);
    network.SetOutOfRange(0, 1);
    EXPECT_EQ(network.Outage(0, 1), 1);
}

TEST_F(ChannelOutageTest, EachWayHasItsOwnPowerAndRate)
{
    TestNetwork network(2);
    network.SetOutage(0, 1, 0.1);
    network.SetOutage(1, 0, 0.4);
    const D2dLink link = network.Channel()->GetLink(network.Device(0), network.Device(1));
    const auto acknowledgmentLoss = [&] {
        return network.Channel()->GetMedium()->GetAcknowledgmentLoss(
            *network.Phy(0), link, TURNAROUND);
    };
    EXPECT_NEAR(network.Outage(0, 1), 0.1, 1e-12);
    EXPECT_NEAR(acknowledgmentLoss(), 0.4, 1e-12);
    EXPECT_EQ(link.delay, DELAY_100_M);
    network.Set(1, "SpectralEfficiency", "2");
    EXPECT_NEAR(network.Outage(0, 1), 0.1, 1e-12);
    EXPECT_NEAR(acknowledgmentLoss(), 1 - std::pow(0.6, 3), 1e-12); // 2^2 - 1 = 3
}

TEST_F(ChannelOutageTest, KeptProbabilityFollowsWhatItDependsOn)
{
    TestNetwork network({Standing(0), Standing(300)}, {});
    const auto link = [&] { // the same as long as links hold
        return network.Channel()->GetLinks(network.Device(0)).at(0);
    };
    const auto outage = [&](double interferenceW, double rate) {
        const D2dLink& kept = network.Channel()->GetLinks(network.Device(0)).at(0);
        return network.Channel()->GetMedium()->Losses().GetOutageProbability(
            *network.Phy(0), kept, {interferenceW}, rate);
    };
    const double rssW = link().rssW;
    const double noiseW = network.Phy(0)->GetNoiseW();
    const double first = Outage(m_rayleigh, rssW, noiseW, 1);
    EXPECT_GT(first, 0);
    EXPECT_EQ(outage(0, 1), first);
    EXPECT_EQ(outage(0, 1), first);
    EXPECT_EQ(outage(0, 2), Outage(m_rayleigh, rssW, noiseW, 2));
    EXPECT_EQ(outage(noiseW, 2), m_rayleigh->GetOutageProbability({0, 1, rssW, noiseW, noiseW, 2}));
    EXPECT_EQ(outage(0, 2), Outage(m_rayleigh, rssW, noiseW, 2));
    network.Channel()->SetAttribute("NoisePower", DoubleValue(3 * noiseW));
    EXPECT_EQ(outage(0, 2), Outage(m_rayleigh, rssW, 3 * noiseW, 2));
    const auto fixed = MakeOutageModel(FIXED_OUTAGE + "[Probability=0.3]");
    network.Channel()->SetAttribute("OutageModel", PointerValue(fixed));
    EXPECT_EQ(outage(0, 2), 0.3);
    fixed->SetAttribute("Probability", DoubleValue(0.4));
    EXPECT_EQ(outage(0, 2), 0.4);
}

/// Node 0 broadcasts to all others; how much of it arrives there?
class DeliveryTest : public FidelitiesTest
{
  protected:
    static constexpr int MESSAGES = 2000; //!< that are sent

    /// Makes devices at distances from the first one, and sends best-effort messages of a fragment.
    void
    Broadcast(const std::vector<double>& distances,
              const std::vector<std::string>& lossModels,
              const Settings& channel,
              const std::vector<double>& rssW = {})
    {
        std::vector<Ptr<MobilityModel>> places = {Standing(0)};
        for (const double distance : distances)
        {
            places.push_back(Standing(distance));
        }
        m_network.emplace(places,
                          lossModels,
                          Settings{{"TxQueue", "ns3::DropTailQueue<Packet>[MaxSize=5000p]"}},
                          Channel(channel));
        if (!rssW.empty()) // the row is the receiver
        {
            std::vector<std::vector<double>> matrix(places.size(),
                                                    std::vector<double>(places.size(), 1));
            for (std::size_t i = 0; i < rssW.size(); ++i)
            {
                matrix[i + 1][0] = rssW[i];
            }
            DynamicCast<D2dMatrixRssModel>(m_network->LossModel())->SetMatrix(matrix);
        }
        for (int i = 0; i < MESSAGES; ++i)
        {
            m_network->Send(0, BROADCAST, 100);
        }
        Simulator::Run();
        EXPECT_THAT(m_network->Reports(), SizeIs(MESSAGES));
    }

    /// @return messages that a device got
    double
    CountReceived(uint32_t device) const
    {
        const auto& receptions = m_network->Receptions();
        return std::count_if(receptions.begin(), receptions.end(), [&](const auto& reception) {
            return reception.node == m_network->NodeId(device);
        });
    }

    /// Expects that a device got messages but for the Nakagami outage at a mean power, at 3 sigma.
    void
    ExpectNakagami(uint32_t device, double rssW, double shape) const
    {
        SCOPED_TRACE(testing::Message() << "shape " << shape << ", device " << device);
        const double outage = boost::math::gamma_p(shape, shape * NOISE_W / rssW);
        ExpectCount(CountReceived(device), 1 - outage, MESSAGES, 3);
    }

    std::optional<TestNetwork> m_network; //!< the devices
};

INSTANTIATE_TEST_SUITE_P(Fidelities, DeliveryTest, FIDELITIES);

/*
 * 4 shapes x 5 links, and 3 x 4 with fading of the chain, at 3 standard errors in both fidelities:
 * a correct program would fail with probability 64 x 0.0027 = 16 % for a seed drawn anew; this one
 * is fixed.
 */
TEST_P(DeliveryTest, FollowsTheOutageModelForAGivenPower)
{
    std::vector<double> rssW;
    for (const double snr : {0.5, 1.0, 2.0, 5.0, 20.0})
    {
        rssW.push_back(snr * NOISE_W);
    }
    for (const auto& [shape, model] : {std::pair(1.0, RAYLEIGH),
                                       std::pair(0.5, NAKAGAMI + "[M=0.5]"),
                                       std::pair(2.0, NAKAGAMI + "[M=2]"),
                                       std::pair(8.0, NAKAGAMI + "[M=8]")})
    {
        Broadcast(
            {1, 1, 1, 1, 1}, {"ns3::collab::D2dMatrixRssModel"}, {{"OutageModel", model}}, rssW);
        for (std::size_t i = 0; i < rssW.size(); ++i)
        {
            ExpectNakagami(i + 1, rssW[i], shape);
        }
    }
}

TEST_P(DeliveryTest, FollowsTheThresholdForAGivenPower)
{
    Broadcast({1, 1, 1},
              {"ns3::collab::D2dMatrixRssModel"},
              {{"OutageModel", THRESHOLD_MODEL}},
              {0.99 * NOISE_W, 1.01 * NOISE_W, 9 * NOISE_W});
    EXPECT_EQ(CountReceived(1), 0);
    EXPECT_EQ(CountReceived(2), MESSAGES);
    EXPECT_EQ(CountReceived(3), MESSAGES);
}

// Fading drawn by ns-3's model, message by message, and a threshold give the closed form of the
// outage under that fading: fading is counted once
TEST_P(DeliveryTest, FadingOfTheChainWithAThresholdIsTheClosedForm)
{
    const std::vector<double> distances = {300, 400, 500, 600};
    for (const auto& [shape, m] : {std::pair(0.5, "0.5"), std::pair(2.0, "2"), std::pair(8.0, "8")})
    {
        const std::string fading = std::string("ns3::NakagamiPropagationLossModel[m0=") + m +
                                   "|m1=" + m + "|m2=" + m + "]";
        Broadcast(distances,
                  {"ns3::LogDistancePropagationLossModel",
                   "ns3::collab::D2dShadowingModel[StandardDeviation=4]",
                   fading},
                  {{"OutageModel", THRESHOLD_MODEL}, {"KeepLinks", "Auto"}});
        m_network->LossModel(1)->SetNext(nullptr); // the mean power comes before the fading
        for (uint32_t i = 1; i <= distances.size(); ++i)
        {
            const double rssDbm =
                m_network->LossModel()->CalcRxPower(20, m_network->Place(0), m_network->Place(i));
            ExpectNakagami(i, FromDb(rssDbm - 30), shape);
        }
    }
}

TEST_P(DeliveryTest, FollowsAMatrixOfOutages)
{
    TestNetwork network(4, {{"TxQueue", "ns3::DropTailQueue<Packet>[MaxSize=5000p]"}}, m_channel);
    Ptr<D2dMatrixOutageModel> outage = CreateObject<D2dMatrixOutageModel>();
    outage->SetMatrix({{0, 1, 1, 1}, {0.2, 0, 1, 1}, {0.7, 1, 0, 1}, {0, 1, 1, 0}});
    network.Channel()->SetAttribute("OutageModel", PointerValue(outage));
    for (int i = 0; i < MESSAGES; ++i)
    {
        network.Send(0, BROADCAST, 100);
    }
    Simulator::Run();
    const auto hearers = network.Hearers();
    for (const auto& [device, delivery] : {std::pair(1, 0.8), std::pair(2, 0.3), std::pair(3, 1.0)})
    {
        ExpectCount(std::count(hearers.begin(), hearers.end(), device), delivery, MESSAGES, 3);
    }
}

} // namespace
} // namespace ns3::collab::tests
