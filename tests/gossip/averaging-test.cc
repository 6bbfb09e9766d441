/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "averaging-reference.h"
#include "support/device-network.h"
#include "support/quadratic-learner.h"

#include "ns3/collab-packed-message.h"
#include "ns3/gossip-averaging-messages.h"
#include "ns3/gossip-averaging.h"
#include "ns3/gossip-helper.h"
#include "ns3/gossip-push-application.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace
{

/// A quadratic learner with heavy-ball momentum, which begins anew in each training
class MomentumLearner : public tests::QuadraticLearner
{
  public:
    MomentumLearner(const std::vector<float>& target, double momentum)
        : QuadraticLearner(target, 1, 0.1, 60000000),
          m_targets(target),
          m_momentum(momentum)
    {
    }

    TrainReport
    Train(const TrainTask& task) override
    {
        std::vector<double> y(GetWeights()->begin(), GetWeights()->end());
        std::vector<double> momentum(y.size());
        for (uint32_t step = 0; step < task.steps; ++step)
        {
            for (std::size_t i = 0; i < y.size(); ++i)
            {
                momentum[i] = m_momentum * momentum[i] + (y[i] - m_targets[i]);
                y[i] -= 0.1 * momentum[i];
            }
        }
        SetWeights(std::make_shared<const std::vector<float>>(y.begin(), y.end()));
        return {};
    }

  private:
    std::vector<float> m_targets; //!< t
    double m_momentum;            //!< theta
};

/// Devices that all hear each other
class AveragingTest : public tests::DeviceNetwork
{
  protected:
    static constexpr uint32_t DEVICES = 5;
    static constexpr uint32_t DIMENSION = 6; //!< numbers of a model
    static constexpr uint32_t ROUNDS = 7;
    static constexpr uint64_t SEED = 11;

    /// Install an algorithm, device k with the target t_k of the reference
    void
    Make(const std::string& algorithm,
         const tests::Attributes& attributes,
         double momentum = 0,
         const std::string& attack = "")
    {
        Options options;
        options.devices = DEVICES;
        options.duplex = "Full"; // so that only a deaf device misses anything
        MakeDevices(options);
        std::vector<GossipAgent> agents;
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            const double* target = reference::TARGETS + k * DIMENSION;
            const std::vector<float> targets(target, target + DIMENSION);
            GossipAgent agent;
            agent.learner = std::make_shared<MomentumLearner>(targets, momentum);
            agent.samples = 10 * (k + 1); // which does not matter
            agent.evaluations = {{"global", std::make_shared<const DataView>()}};
            agent.attack = k + 1 == DEVICES ? attack : "";
            agents.push_back(agent);
        }
        GossipHelper helper("ns3::collab::" + algorithm + "Application", MakePool(), SEED);
        SetAttributes(
            helper,
            {{"Rounds", std::to_string(ROUNDS)}, {"LocalSteps", "2"}, {"MixTimeout", "2s"}});
        SetAttributes(helper, attributes);
        Watch(helper.Install(m_nodes, agents));
    }

    /// @return the weights of all devices together, of stochastic gradient push
    double
    SumWeights() const
    {
        double sum = 0;
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            const auto application = m_applications.Get(k);
            sum += DynamicCast<StochasticGradientPushApplication>(application)->GetWeight();
        }
        return sum;
    }

    /// @return the model of a device
    std::vector<float>
    GetModel(uint32_t device) const
    {
        return *DynamicCast<GossipApplication>(m_applications.Get(device))->GetModel();
    }
};

/// An algorithm and what it learns
struct AveragingCase
{
    std::string algorithm;        //!< of the applications
    tests::Attributes attributes; //!< of them
    double momentum;              //!< of the learners
    const double* expected;       //!< models, by round and device
    std::string attack = {};      //!< of device 4
};

} // namespace

TEST_F(AveragingTest, ModelsAreThoseOfAnIndependentComputation)
{
    const AveragingCase cases[] = {
        {"ChocoSgd",
         {{"Compression", "top-k:k=2"}, {"ConsensusStepSize", "0.6"}},
         0,
         reference::CHOCO_SGD},
        {"StochasticGradientPush", {}, 0, reference::STOCHASTIC_GRADIENT_PUSH},
        {"StochasticGradientPush",
         {{"RunningSums", "false"}},
         0,
         reference::STOCHASTIC_GRADIENT_PUSH},
        {"EpidemicLearning", {{"Receivers", "4"}}, 0, reference::EPIDEMIC_LEARNING},
        {"DecentralizedFedAvgm", {}, 0.9, reference::DFEDAVGM},
        {"DecentralizedFedAvgm",
         {{"Compression", "int8:block=0"}},
         0.9,
         reference::QUANTIZED_DFEDAVGM},
        {"DecentralizedFedAvgm", {{"Defense", "clipping:f=1"}}, 0, reference::CLIPPED_GOSSIP},
        {"DecentralizedFedAvgm",
         {{"Defense", "clipping:tau=0.5"}},
         0,
         reference::CLIPPED_TO_HALF,
         "back-gradient"},
        {"DecentralizedFedAvgm", {{"Defense", "nearest:f=1"}}, 0.9, reference::MONNA},
        {"DecentralizedFedAvgm",
         {{"Defense", "nearest:f=1"}},
         0.9,
         reference::ATTACKED_MONNA,
         "back-gradient"}};
    for (const auto& [algorithm, attributes, momentum, expected, attack] : cases)
    {
        Make(algorithm, attributes, momentum, attack);
        Run();
        EXPECT_THAT(GetReasons(), IsEmpty());
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            EXPECT_THAT(MetricOf(k, "missing"), Each(0)) << algorithm;
            const auto first = MetricOf(k, "accuracy_global");
            ASSERT_EQ(first.size(), ROUNDS);
            for (uint32_t round = 0; round < ROUNDS; ++round)
            {
                EXPECT_NEAR(first[round], expected[(round * DEVICES + k) * DIMENSION], 2e-5)
                    << algorithm << " " << round << " " << k;
            }
            const auto model = GetModel(k);
            for (uint32_t i = 0; i < DIMENSION; ++i)
            {
                const double last = expected[((ROUNDS - 1) * DEVICES + k) * DIMENSION + i];
                EXPECT_NEAR(model[i], last, 2e-5) << algorithm << " " << k << " " << i;
            }
        }
        Reset();
    }
}

TEST_F(AveragingTest, EpidemicLearningAveragesWithThoseWhoHaveDrawnTheDevice)
{
    Make("EpidemicLearning", {{"Receivers", "2"}});
    Run();
    std::vector<double> x(DEVICES, 0); // the first element of each model
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        std::vector<double> sums(DEVICES);
        std::vector<uint32_t> counts(DEVICES, 1);
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            for (uint32_t step = 0; step < 2; ++step)
            {
                x[k] -= 0.1 * (x[k] - reference::TARGETS[k * DIMENSION]);
            }
            sums[k] += x[k];
            const auto drawn = DrawReceivers(Ids(), k, 2, SEED, round);
            EXPECT_EQ(drawn.size(), 2U);
            for (const uint32_t receiver : drawn)
            {
                EXPECT_NE(receiver, k);
                sums[receiver] += x[k];
                ++counts[receiver];
            }
        }
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            x[k] = sums[k] / counts[k];
            EXPECT_EQ(MetricOf(k, "merged").at(round), counts[k] - 1);
        }
    }
    for (uint32_t k = 0; k < DEVICES; ++k)
    {
        EXPECT_NEAR(GetModel(k)[0], x[k], 1e-5);
    }
}

TEST_F(AveragingTest, TeleportationTrainsOnlyWhoHasAPlaceFromTheModelOfThatPlace)
{
    for (const uint32_t active : {1U, 2U, 3U, 5U})
    {
        Make("Teleportation", {{"Active", std::to_string(active)}});
        Run();
        EXPECT_THAT(GetReasons(), IsEmpty());
        std::vector<double> held(active, 0); // the first element of each place's model
        std::vector<double> last(DEVICES, 0);
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            const auto places = DrawOrdered(Ids(), active, SEED, round);
            for (uint32_t place = 0; place < active; ++place)
            {
                for (uint32_t step = 0; step < 2; ++step)
                {
                    held[place] -=
                        0.1 * (held[place] - reference::TARGETS[places[place] * DIMENSION]);
                }
            }
            std::vector<double> means(held);
            std::vector<bool> isActive(DEVICES);
            for (uint32_t place = 0; place < active; ++place)
            {
                uint32_t count = 1;
                for (uint32_t hop = 1; hop < active; hop *= 2, ++count)
                {
                    means[place] += held[(place + active - hop) % active];
                }
                means[place] /= count;
                last[places[place]] = means[place];
                isActive[places[place]] = true;
                EXPECT_NEAR(
                    MetricOf(places[place], "accuracy_global").at(round), means[place], 1e-5)
                    << active << " " << round << " " << place;
            }
            held = means;
            for (uint32_t k = 0; k < DEVICES; ++k)
            {
                EXPECT_EQ(std::isnan(MetricOf(k, "accuracy_global").at(round)), !isActive[k]);
                EXPECT_EQ(MetricOf(k, "missing").at(round), 0);
            }
        }
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            EXPECT_NEAR(GetModel(k)[0], last[k], 1e-5) << active << " " << k;
        }
        Reset();
    }
}

TEST_F(AveragingTest, TeleportationGoesOnWithItsOwnModelWhereNoneCame)
{
    Make("Teleportation", {{"Active", "2"}, {"Rounds", "20"}, {"Retries", "0"}});
    Simulator::Schedule(Seconds(0.005), [this]() { Deafen(2); }); // in the first training
    Run();
    double missing = 0;
    for (uint32_t k = 0; k < DEVICES; ++k)
    {
        const auto missed = MetricOf(k, "missing");
        EXPECT_EQ(missed.size(), 20U);
        missing += std::accumulate(missed.begin(), missed.end(), 0.0);
    }
    EXPECT_LT(m_rounds.back().end, Seconds(2 * 20 * 2 + 20)) << "MixTimeout is 2 s";
    EXPECT_GT(missing, 2);
}

TEST_F(AveragingTest, RunningSumsBringLostMassWithTheNextMessage)
{
    for (const std::string sums : {"true", "false"})
    {
        Make("StochasticGradientPush",
             {{"RunningSums", sums}, {"Rounds", "20"}, {"Retries", "0"}, {"MixTimeout", "200ms"}});
        Simulator::Schedule(Seconds(0.005), [this]() { Deafen(2); }); // in the first training
        Simulator::Schedule(Seconds(0.9), [this]() {
            EXPECT_LT(SumWeights(), DEVICES - 0.4) << "what is lost is in no model";
            Hear(2);
        });
        Run();
        const auto missing = MetricOf(2, "missing");
        EXPECT_EQ(missing.front(), 1);
        EXPECT_EQ(missing.back(), 0);
        if (sums == "true")
        {
            EXPECT_NEAR(SumWeights(), DEVICES, 1e-9);
        }
        else
        {
            EXPECT_LT(SumWeights(), DEVICES - 0.4);
        }
        Reset();
    }
}

TEST_F(AveragingTest, ChocoSgdSendsReplicasWholeOfWhichAChangeWasLost)
{
    const tests::Attributes attributes = {{"Compression", "top-k:k=2"},
                                          {"ConsensusStepSize", "0.6"},
                                          {"Rounds", "60"},
                                          {"LossPolicy", "BestEffort"},
                                          {"MixTimeout", "200ms"}};
    Make("ChocoSgd", attributes);
    Run();
    const auto expected = GetModel(2); // where nothing is lost
    Reset();
    Make("ChocoSgd", attributes);
    Simulator::Schedule(Seconds(0.05), [this]() { Deafen(2); });
    Simulator::Schedule(Seconds(0.5), [this]() { Hear(2); });
    Run();
    std::set<uint64_t> sizes;
    uint32_t asked = 0;
    for (const auto& outcome : m_outcomes)
    {
        asked += outcome.kindName == "lost" ? 1 : 0;
        if (outcome.kindName == "change")
        {
            sizes.insert(outcome.bytes);
        }
    }
    EXPECT_GE(asked, 4U) << "device 2 asks each other one";
    EXPECT_LE(asked, 8U) << "until it has the replica";
    const uint64_t header = 23 + 3 * 4; // of the message, and neighbors, version, whole or not
    EXPECT_THAT(sizes,
                ElementsAre(header + MakeCompressor("top-k:k=2")->EncodedSize(DIMENSION),
                            header + MakeCompressor("float32")->EncodedSize(DIMENSION)));
    const auto model = GetModel(2);
    for (uint32_t i = 0; i < DIMENSION; ++i)
    {
        EXPECT_NEAR(model[i], expected[i], 0.05) << "mixing one-sidedly has moved the mean";
    }
}

TEST(GossipAveragingTest, WeightsOfMetropolisAreThoseOfTheLargerDegree)
{
    EXPECT_DOUBLE_EQ(GetMetropolisWeight(1, 2), 1.0 / 3);
    EXPECT_DOUBLE_EQ(GetMetropolisWeight(2, 1), 1.0 / 3);
    EXPECT_DOUBLE_EQ(GetMetropolisWeight(4, 4), 1.0 / 5);
    const auto ends = std::make_shared<const std::vector<float>>(std::vector<float>{6, -3});
    const std::vector<float> mixed = MixTerms({1, 1}, {3, 0}, {{1.0 / 3, ends}, {0.5, ends}}, 0.6);
    EXPECT_FLOAT_EQ(mixed[0], 1 + 0.6F * (1 + 1.5F));
    EXPECT_FLOAT_EQ(mixed[1], 1 + 0.6F * (-1 - 1.5F));
}

TEST(GossipAveragingTest, HopsAreThePowersOfTwoBelowTheNumberOfDevices)
{
    const auto hops = [](std::size_t devices) {
        std::vector<std::size_t> hops;
        for (uint32_t round = 0; round < 4; ++round)
        {
            hops.push_back(GetExponentialHop(devices, round));
        }
        return hops;
    };
    EXPECT_THAT(hops(2), ElementsAre(1, 1, 1, 1));
    EXPECT_THAT(hops(3), ElementsAre(1, 2, 1, 2));
    EXPECT_THAT(hops(4), ElementsAre(1, 2, 1, 2));
    EXPECT_THAT(hops(5), ElementsAre(1, 2, 4, 1));
    EXPECT_THAT(hops(9), ElementsAre(1, 2, 4, 8));
}

TEST(GossipAveragingTest, EachDeviceIsDrawnForEachPlaceAsOften)
{
    const std::vector<uint32_t> devices = {2, 3, 5, 7, 11};
    std::map<uint32_t, std::vector<double>> counts; // by device and place
    constexpr uint32_t ROUNDS = 3000;
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        const auto drawn = DrawOrdered(devices, 3, 1, round);
        ASSERT_EQ(std::set<uint32_t>(drawn.begin(), drawn.end()).size(), 3U);
        for (uint32_t place = 0; place < 3; ++place)
        {
            counts[drawn[place]].resize(3);
            ++counts[drawn[place]][place];
        }
    }
    ASSERT_EQ(counts.size(), devices.size());
    for (const uint32_t device : devices)
    {
        EXPECT_THAT(counts.at(device), Each(testing::DoubleNear(ROUNDS / 5.0, 90))) << device;
    }
}

TEST(GossipAveragingTest, AStepCountsAsMuchAsTheWeight)
{
    const GossipMass half = StepAndHalve({{4, -2}, 0.5}, {8, -4}, {9, -4});
    EXPECT_THAT(half.x, ElementsAre(2.25, -1)); // (4 + 0.5 * 1) / 2
    EXPECT_EQ(half.w, 0.25);
    EXPECT_THAT(GetRatio(half), ElementsAre(9, -4)) << "the model after the step";
}

TEST(GossipAveragingTest, MessagesAreAsDescribed)
{
    const auto one = std::make_shared<const std::vector<float>>(1, 1.0F);
    const auto bytes = [](const auto& message) {
        std::vector<uint8_t> bytes;
        const auto packed = Pack(message);
        packed->Serialize(bytes);
        EXPECT_EQ(bytes.size(), packed->WireSize());
        return bytes;
    };
    gossip::Mass mass;
    mass.weight = 2;
    mass.values = one;
    mass.numbers = 1;
    EXPECT_THAT(bytes(mass), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0x80, 0x3f));
    gossip::Change change;
    change.neighbors = 3;
    change.version = 4;
    change.isWhole = 1;
    change.vector = EncodedVector(one, 1);
    EXPECT_THAT(bytes(change),
                ElementsAre(3, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0x80, 0x3f));
    gossip::Trained trained;
    trained.neighbors = 3;
    trained.vector = change.vector;
    EXPECT_THAT(bytes(trained), ElementsAre(3, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0x80, 0x3f));
    EXPECT_THAT(bytes(gossip::Lost{}), ElementsAre(0, 0, 0, 0));
    gossip::Mass expected = mass;
    expected.maxWeight = 10;
    EXPECT_NO_THROW(CheckMessage(mass, expected));
    for (const double weight : {0.0, -1.0, 11.0, std::nan("")})
    {
        mass.weight = weight;
        EXPECT_THROW(CheckMessage(mass, expected), PayloadError) << weight;
    }
    gossip::AirHead head;
    head.neighbors = {3, 5};
    head.limits = {1, 0};
    EXPECT_THAT(
        bytes(head),
        ElementsAre(2, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0));
    EXPECT_NO_THROW(head.Check());
    for (const std::vector<uint32_t>& neighbors :
         {std::vector<uint32_t>{3}, std::vector<uint32_t>{5, 3}, std::vector<uint32_t>{3, 3}})
    {
        head.neighbors = neighbors;
        EXPECT_THROW(head.Check(), PayloadError);
    }
    gossip::AirSlot slot;
    EXPECT_THROW(slot.Check(), PayloadError);
    slot.amplitude = 1;
    slot.neighbors = 2;
    slot.takers = {3};
    EXPECT_NO_THROW(slot.Check());
    EXPECT_THAT(bytes(slot), ElementsAre(0, 0, 0x80, 0x3f, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0));
    change.isWhole = 2;
    gossip::Change shape;
    shape.vector = EncodedVector::Expect(1, 1);
    EXPECT_THROW(CheckMessage(change, shape), PayloadError);
}
