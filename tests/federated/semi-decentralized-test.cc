/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/quadratic-learner.h"

#include "ns3/collab-packed-message.h"
#include "ns3/collab-random.h"
#include "ns3/federated-helper.h"
#include "ns3/federated-messages.h"
#include "ns3/federated-participation.h"
#include "ns3/federated-semi-decentralized-client-application.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;

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

/// What a run of semi-decentralized learning depends on
struct SemiDecentralizedOptions
{
    tests::DeviceOptions network;     //!< of the D2D links, and how many devices
    uint32_t setSize = 5;             //!< devices of a set
    uint32_t rounds = 3;              //!< rounds
    std::vector<uint32_t> slow;       //!< devices whose steps take 5 s each, not 1 ms
    std::vector<uint32_t> stragglers; //!< devices that never take part in aggregation
    tests::Attributes attributes;     //!< of the applications
};

/// Devices with D2D links of one outage probability, and a server, the last node, that they reach
/// by another radio without loss. Device k has the target k + 1 in all elements and 10 (k + 1)
/// samples; its steps are gradient descent of rate 0.1.
class SemiDecentralizedTest : public tests::DeviceNetwork
{
  protected:
    static constexpr uint32_t DIMENSION = 30; //!< numbers of the model
    static constexpr uint64_t SEED = 11;      //!< of the server's draws

    /// Make network and applications
    void
    Make(const SemiDecentralizedOptions& options)
    {
        m_options = options;
        MakeDevices(options.network);
        AddServer();
        FederatedHelper helper(MakePool(), "ns3::collab::SemiDecentralizedClientApplication");
        SetAttributes(helper,
                      {{"Rounds", std::to_string(options.rounds)}, {"RoundDeadline", "20s"}});
        SetAttributes(helper, options.attributes);
        const uint32_t server = options.network.devices;
        NodeContainer clients;
        std::vector<uint32_t> ids;
        for (uint32_t k = 0; k < server; ++k)
        {
            clients.Add(m_nodes.Get(k));
            ids.push_back(k);
        }
        m_sets = MakeSets(ids, options.setSize);
        helper.SetSets(m_sets);
        helper.SetSamplingSeed(SEED);
        const auto start = std::make_shared<const std::vector<float>>(DIMENSION, 0.0F);
        m_clients = helper.Install(m_nodes.Get(server), start, clients, MakeAgents());
        m_application = helper.GetServer();
        ApplicationContainer all(m_clients);
        all.Add(m_application);
        Watch(all);
        m_given.clear();
        Count(m_devices, false);
        Count(m_serverRadios, true);
    }

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

    SemiDecentralizedOptions m_options;                               //!< of the run
    ApplicationContainer m_clients;                                   //!< of the devices
    Ptr<FederatedServerApplication> m_application;                    //!< of the server
    std::vector<std::vector<uint32_t>> m_sets;                        //!< by number
    std::vector<std::shared_ptr<tests::QuadraticLearner>> m_learners; //!< of the devices
    std::map<std::pair<uint32_t, bool>, uint32_t> m_given; //!< packets, by number and D2S

  private:
    /// @return what devices learn with
    std::vector<FederatedAgent>
    MakeAgents()
    {
        constexpr uint64_t STEP_FLOPS = 6000000;
        m_learners.clear();
        std::vector<FederatedAgent> agents;
        for (uint32_t k = 0; k < m_options.network.devices; ++k)
        {
            const auto has = [k](const std::vector<uint32_t>& list) {
                return std::find(list.begin(), list.end(), k) != list.end();
            };
            m_learners.push_back(std::make_shared<tests::QuadraticLearner>(
                std::vector<float>(DIMENSION, k + 1.0F),
                1,
                0.1,
                STEP_FLOPS * (has(m_options.slow) ? 5000 : 1)));
            FederatedAgent agent;
            agent.learner = m_learners.back();
            agent.samples = 10 * (k + 1);
            agent.isStraggler = has(m_options.stragglers);
            agent.evaluations = {std::make_shared<SharedEvaluation>(
                "global", std::make_shared<const DataView>(), 0)};
            agents.push_back(agent);
        }
        return agents;
    }

    /// Count the packets that are given to radios
    void
    Count(const NetDeviceContainer& radios, bool isD2s)
    {
        for (uint32_t i = 0; i < radios.GetN(); ++i)
        {
            const uint32_t number = radios.Get(i)->GetNode()->GetId();
            DynamicCast<D2dNetDevice>(radios.Get(i))
                ->GetMac()
                ->TraceConnectWithoutContext(
                    "MacTx",
                    Callback<void, Ptr<const Packet>>([this, number, isD2s](Ptr<const Packet>) {
                        ++m_given[{number, isD2s}];
                    }));
        }
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
    EXPECT_EQ(MetricOf(1, "messages_heard")[0],
              MetricOf(1, "merged")[0] + MetricOf(1, "collaborative")[0]);
    EXPECT_TRUE(m_refusals.empty());
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
