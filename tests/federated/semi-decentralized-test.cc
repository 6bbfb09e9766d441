/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated/semi-decentralized-network.h"

#include "ns3/collab-packed-message.h"
#include "ns3/collab-random.h"
#include "ns3/federated-messages.h"
#include "ns3/federated-semi-decentralized-client-application.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <set>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using tests::SemiDecentralizedOptions;

namespace
{

/// What the plain computation depends on
struct Plain
{
    std::vector<std::vector<uint32_t>> sets; //!< of devices
    uint64_t seed = 0;                       //!< of the server's draws
    uint32_t rounds = 0;                     //!< rounds
    bool isWeighted = true;                  //!< by samples
    uint32_t localSteps = 8;                 //!< of a round
    uint32_t setSteps = 2;                   //!< between exchanges
    std::vector<uint32_t> stragglers;        //!< never drawn
    std::function<bool(uint32_t, uint32_t)> hears = [](uint32_t, uint32_t) { return true; };

    /// @return by what a device's model is weighed
    double
    WeightOf(uint32_t device) const
    {
        return isWeighted ? 10.0 * (device + 1) : 1.0;
    }

    /// @return the global model after each round: all of its elements are equal
    std::vector<double>
    Compute() const
    {
        std::vector<double> models;
        double x = 0;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            std::map<uint32_t, double> w;
            std::map<uint32_t, double> stands;
            TrainAll(x, w, stands);
            double sum = 0;
            double weight = 0;
            for (const uint32_t device : Draw(round))
            {
                sum += stands[device] * w[device];
                weight += stands[device];
            }
            x = sum / weight;
            models.push_back(x);
        }
        return models;
    }

    /// @return devices that the server draws in a round
    std::vector<uint32_t>
    Draw(uint32_t round) const
    {
        auto prompt = sets;
        for (auto& set : prompt)
        {
            for (const uint32_t straggler : stragglers)
            {
                set.erase(std::remove(set.begin(), set.end(), straggler), set.end());
            }
        }
        return SampleOneOfEach(prompt, SplitMix64(seed + round));
    }

    /// Train and exchange for one round, from x
    void
    TrainAll(double x, std::map<uint32_t, double>& w, std::map<uint32_t, double>& stands) const
    {
        for (const auto& set : sets)
        {
            for (const uint32_t device : set)
            {
                w[device] = x;
                stands[device] = WeightOf(device);
            }
            for (uint32_t step = 1; step <= localSteps; ++step)
            {
                for (const uint32_t device : set)
                {
                    w[device] -= 0.1 * (w[device] - (device + 1.0));
                }
                if (step % setSteps == 0)
                {
                    Exchange(set, w, stands);
                }
            }
        }
    }

    /// Average within a set
    void
    Exchange(const std::vector<uint32_t>& set,
             std::map<uint32_t, double>& w,
             std::map<uint32_t, double>& stands) const
    {
        const auto before = w;
        for (const uint32_t device : set)
        {
            double sum = 0;
            stands[device] = 0;
            for (const uint32_t other : set)
            {
                if (other == device || hears(device, other))
                {
                    sum += WeightOf(other) * before.at(other);
                    stands[device] += WeightOf(other);
                }
            }
            w[device] = sum / stands[device];
        }
    }
};

class SemiDecentralizedTest : public tests::SemiDecentralizedNetwork
{
  protected:
    /// @return the plain computation of the run that is made
    Plain
    MakePlain() const
    {
        Plain plain;
        plain.sets = m_sets;
        plain.seed = SEED;
        plain.rounds = m_options.rounds;
        plain.stragglers = m_options.stragglers;
        return plain;
    }
};

TEST_F(SemiDecentralizedTest, EqualsThePlainComputation)
{
    for (const std::string weighting : {"Samples", "Uniform"})
    {
        for (const auto& [localSteps, setSteps] :
             std::vector<std::pair<std::string, std::string>>{{"8", "2"}, {"7", "3"}, {"4", "4"}})
        {
            SCOPED_TRACE(weighting + localSteps + setSteps);
            SemiDecentralizedOptions options;
            options.network.devices = 12; // sets of 5, 5 and 2
            options.attributes = {
                {"Weighting", weighting}, {"LocalSteps", localSteps}, {"SetSteps", setSteps}};
            Make(options);
            Run();
            Plain plain = MakePlain();
            plain.isWeighted = weighting == "Samples";
            plain.localSteps = static_cast<uint32_t>(std::stoul(localSteps));
            plain.setSteps = static_cast<uint32_t>(std::stoul(setSteps));
            const std::vector<double> expected = plain.Compute();
            EXPECT_THAT(*m_application->GetModel(),
                        Each(FloatNear(static_cast<float>(expected.back()), 1e-5F)));
            for (uint32_t k = 0; k < 12; ++k)
            {
                EXPECT_THAT(MetricOf(k, "accuracy_global"),
                            ::testing::Pointwise(::testing::DoubleNear(1e-5), expected));
                EXPECT_THAT(MetricOf(k, "missing"), Each(0));
                // The next model may come before the last exchange of those that need not upload
                const double peers = k < 10 ? 4 : 1;
                const double exchanges = plain.localSteps / plain.setSteps;
                EXPECT_THAT(MetricOf(k, "merged"),
                            Each(::testing::AnyOf(peers * exchanges, peers * (exchanges - 1))));
                EXPECT_TRUE(m_ends.at(k));
            }
            EXPECT_TRUE(m_refusals.empty());
        }
    }
}

TEST_F(SemiDecentralizedTest, HalfDuplexDevicesTakeTurns)
{
    for (const std::string takesTurns : {"true", "false"})
    {
        SemiDecentralizedOptions options;
        options.network.devices = 8; // sets of 5 and 3
        options.attributes = {{"TakesTurns", takesTurns}, {"Weighting", "Uniform"}};
        Make(options);
        Run();
        Plain plain = MakePlain();
        plain.isWeighted = false;
        EXPECT_THAT(*m_application->GetModel(),
                    Each(FloatNear(static_cast<float>(plain.Compute().back()), 1e-5F)));
        std::size_t lost = 0;
        for (const auto& o : m_outcomes)
        {
            lost += o.kindName == "set-model" && !o.delivered ? 1 : 0;
        }
        // Turns leave nothing to the chance of retries, but for those of the end of a round
        EXPECT_EQ(lost > 20, takesTurns == "false") << lost;
    }
}

TEST_F(SemiDecentralizedTest, WhoseTurnIsAfterADeadDeviceWaitsForItsShare)
{
    SemiDecentralizedOptions options;
    options.network.devices = 5;
    options.rounds = 1;
    options.stragglers = {0}; // which the server does not ask
    options.attributes = {{"ConsensusDeadline", "1s"}};
    Make(options);
    SwitchOff(0);
    Run();
    std::map<uint32_t, Time> first; // message of each device
    for (const auto& o : m_outcomes)
    {
        if (o.kindName == "set-model")
        {
            const uint32_t device = o.sender;
            first[device] = first.count(device) > 0 ? std::min(first[device], o.queued) : o.queued;
        }
    }
    ASSERT_EQ(first.size(), 4U);
    for (const auto& [device, time] : first)
    {
        EXPECT_GE(time, Seconds(0.2 * device));
        EXPECT_LT(time, Seconds(0.2 * device + 0.05));
    }
    EXPECT_THAT(MetricOf(1, "merged"), ElementsAre(12));
}

TEST_F(SemiDecentralizedTest, PaperIsTheDefault)
{
    SemiDecentralizedOptions options;
    options.network.devices = 5;
    options.rounds = 1;
    Make(options);
    Run();
    EXPECT_THAT(*m_application->GetModel(),
                Each(FloatNear(static_cast<float>(MakePlain().Compute().back()), 1e-5F)));
    ASSERT_EQ(m_learners[0]->tasks.size(), 4U); // 8 steps, exchanges every 2
    for (std::size_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(m_learners[0]->tasks[i].steps, 2U);
        EXPECT_EQ(m_learners[0]->tasks[i].resetsOptimizer, i == 0); // once a round
        EXPECT_EQ(m_learners[0]->tasks[i].dropsOptimizer, i == 3);  // what is reset anyway
    }
}

TEST_F(SemiDecentralizedTest, WhoHasTrainedKeepsNoWeightsOfItsOwn)
{
    for (const std::string setSteps : {"2", "3"}) // the last steps with and without an exchange
    {
        SemiDecentralizedOptions options;
        options.network.devices = 10;
        options.attributes = {{"SetSteps", setSteps}};
        Make(options);
        std::size_t rounds = 0;
        m_application->TraceConnectWithoutContext(
            "Participation",
            Callback<void, const ParticipationRecord&>([&](const ParticipationRecord& record) {
                EXPECT_THAT(record.uploaded, ::testing::SizeIs(2)); // one of each set
                for (const auto& learner : m_learners)
                {
                    EXPECT_EQ(learner->GetWeights(), m_learners[0]->GetWeights()); // one vector
                    EXPECT_TRUE(learner->tasks.back().dropsOptimizer);
                }
                ++rounds;
            }));
        Run();
        EXPECT_EQ(rounds, options.rounds);
    }
}

TEST_F(SemiDecentralizedTest, SetsSpeakByD2dAndUploadByD2s)
{
    SemiDecentralizedOptions options;
    options.network.devices = 10;
    options.stragglers = {0, 1, 2, 3, 7}; // of the first set only 4 is ever asked
    options.rounds = 6;
    Make(options);
    Run();
    EXPECT_THAT(*m_application->GetModel(),
                Each(FloatNear(static_cast<float>(MakePlain().Compute().back()), 1e-5F)));
    std::map<uint32_t, uint32_t> models;
    std::map<uint32_t, uint32_t> updates;
    std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> sequences;
    for (const auto& o : m_outcomes)
    {
        if (o.kindName == "set-model")
        {
            EXPECT_EQ(o.sender / 5, o.receiver / 5) << "not of one set";
            ++models[o.sender];
        }
        else if (o.kindName == "update")
        {
            EXPECT_EQ(o.receiver, 10U);
            ++updates[o.sender];
        }
    }
    EXPECT_EQ(updates[4], 6U); // one of each set in each round
    EXPECT_EQ(updates[5] + updates[6] + updates[8] + updates[9], 6U);
    for (uint32_t k = 0; k < 10; ++k)
    {
        EXPECT_EQ((m_given[{k, false}]), models[k]);
        EXPECT_EQ((m_given[{k, true}]), updates[k]);
        EXPECT_GE(models[k], 6U * 4 * 4);
        const EnergyByKind joules = GetJoules(k);
        EXPECT_GT(joules[static_cast<std::size_t>(EnergyKind::TX)], 0);
        EXPECT_THAT(MetricOf(k, "asked"), ::testing::SizeIs(6));
    }
    EXPECT_THAT(MetricOf(0, "asked"), Each(0));
    EXPECT_THAT(MetricOf(0, "sent"), Each(0));
    EXPECT_THAT(MetricOf(4, "sent"), Each(1));
    EXPECT_THAT(MetricOf(10, "messages_expected"), Each(2)); // stragglers are not waited for
}

TEST_F(SemiDecentralizedTest, AveragesWhatCame)
{
    SemiDecentralizedOptions options;
    options.network.devices = 5;
    options.network.duplex = "Full";
    options.attributes = {{"LossPolicy", "BestEffort"}};
    Make(options);
    // Device 2 hears nothing of the others, which hear it, and does not wait long
    Deafen(2);
    m_clients.Get(2)->SetAttribute("ConsensusDeadline", StringValue("100ms"));
    Run();
    Plain plain = MakePlain();
    plain.hears = [](uint32_t device, uint32_t) { return device != 2; };
    EXPECT_THAT(*m_application->GetModel(),
                Each(FloatNear(static_cast<float>(plain.Compute().back()), 1e-5F)));
    EXPECT_THAT(MetricOf(2, "merged"), Each(0));
    EXPECT_THAT(MetricOf(2, "missing"), Each(::testing::AnyOf(12, 16))); // see above
    EXPECT_THAT(MetricOf(1, "merged"), Each(::testing::AnyOf(12, 16)));
    EXPECT_THAT(MetricOf(1, "missing"), Each(0));
    EXPECT_TRUE(m_refusals.empty());
}

TEST_F(SemiDecentralizedTest, EndsWhateverIsLost)
{
    for (uint32_t run = 1; run <= 40; ++run)
    {
        SCOPED_TRACE(run);
        RandomGenerator generator(run);
        const auto draw = [&generator](uint32_t most) {
            return boost::random::uniform_int_distribution<uint32_t>(0, most)(generator);
        };
        SemiDecentralizedOptions options;
        options.network.devices = 2 + draw(8);
        options.network.outage = 0.2 * draw(4);
        options.network.run = run;
        options.setSize = 1 + draw(4);
        options.rounds = 4;
        options.slow = {draw(9), draw(20)};
        options.attributes = {{"LossPolicy", draw(1) == 0 ? "BestEffort" : "Reliable"},
                              {"ConsensusDeadline", draw(1) == 0 ? "5ms" : "2s"},
                              {"SetSteps", std::to_string(1 + draw(4))}};
        Make(options);
        for (uint32_t death = 0; death < draw(3); ++death)
        {
            const uint32_t device = draw(options.network.devices - 1);
            Crash(device, MilliSeconds(draw(3000)));
        }
        Run();
        EXPECT_EQ(m_ends.size(), options.network.devices + 1);
        EXPECT_TRUE(m_ends.at(options.network.devices)); // the server
        EXPECT_LT(Simulator::Now(), Seconds(4 * 20 + 30));
        // Averages of descents from 0 towards targets from 1 on
        const double most = options.network.devices;
        EXPECT_THAT(*m_application->GetModel(),
                    Each(::testing::AllOf(::testing::Ge(0.0F), ::testing::Le(most))));
        for (const auto& learner : m_learners)
        {
            EXPECT_THAT(*learner->GetWeights(),
                        Each(::testing::AllOf(::testing::Ge(0.0F), ::testing::Le(most))));
        }
        for (uint32_t k = 0; k < options.network.devices; ++k)
        {
            const auto merged = MetricOf(k, "merged");
            const auto missing = MetricOf(k, "missing");
            const auto heard = MetricOf(k, "messages_heard");
            const auto came = MetricOf(k, "collaborative");
            for (std::size_t i = 0; i < merged.size(); ++i)
            {
                EXPECT_EQ(heard[i], merged[i] + came[i]);
            }
        }
        EXPECT_TRUE(m_refusals.empty());
    }
}

TEST_F(SemiDecentralizedTest, LateDeviceDoesNotHoldTheOthers)
{
    SemiDecentralizedOptions options;
    options.network.devices = 5;
    options.slow = {3}; // its first steps end after 5 s
    options.stragglers = {3};
    options.attributes = {{"ConsensusDeadline", "1s"}};
    Make(options);
    Run();
    EXPECT_THAT(MetricOf(0, "missing"), Each(4));
    EXPECT_THAT(MetricOf(0, "merged"), Each(12));
    EXPECT_LT(Simulator::Now(), Seconds(3 * 4 + 5 + 1)); // its last steps are done then
    Plain plain = MakePlain();
    plain.hears = [](uint32_t, uint32_t other) { return other != 3; };
    EXPECT_THAT(*m_application->GetModel(),
                Each(FloatNear(static_cast<float>(plain.Compute().back()), 1e-5F)));
}

TEST_F(SemiDecentralizedTest, RejectsWhatCannotBeAModelOfTheSet)
{
    SemiDecentralizedOptions options;
    options.network.devices = 7;
    options.rounds = 1;
    Make(options);
    const auto make = [](uint32_t exchange, float value, std::size_t dimension, uint32_t samples) {
        FederatedSetModel model;
        model.exchange = exchange;
        model.samples = samples;
        model.change =
            EncodedVector(std::vector<float>(dimension, value), *MakeCompressor("float32"), 0);
        return Pack(model);
    };
    const uint32_t id = 0;
    const uint16_t kind = FederatedSetModel::KIND;
    Simulator::Schedule(MicroSeconds(1), [&]() {
        Ptr<Transport> member = GetTransport(1);
        Ptr<Transport> stranger = GetTransport(6);
        stranger->Send(id, {kind, 0, make(0, 1e3F, DIMENSION, 10)});    // of another set
        member->Send(id, {kind, 0, make(4, 1e3F, DIMENSION, 10)});      // no such exchange
        member->Send(id, {kind, 1, make(0, 1e3F, DIMENSION, 10)});      // no such round
        member->Send(id, {kind, 0, make(0, 1e3F, DIMENSION - 1, 10)});  // another length
        member->Send(id, {kind, 0, make(0, 1e3F, DIMENSION, 2000000)}); // too many samples
        member->Send(id, {kind, 0, nullptr});
    });
    Run();
    EXPECT_EQ(m_refusals.size(), 6U);
    EXPECT_THAT(*m_application->GetModel(),
                Each(FloatNear(static_cast<float>(MakePlain().Compute().back()), 1e-5F)));
}

} // namespace
