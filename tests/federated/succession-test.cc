/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/memory-store.h"
#include "support/quadratic-learner.h"

#include "ns3/collab-depletion-watch.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/energy-source-container.h"
#include "ns3/federated-helper.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using ::testing::FloatNear;
using tests::QuadraticLearner;

namespace
{

constexpr double START_S = 5; //!< when the federation starts

/// Says hello to all, every second for a few rounds: what comes before a federation
class HelloApplication : public CollaborationApplication
{
  public:
    static constexpr uint16_t HELLO = 0x7001; //!< kind of its message

    uint32_t heard = 0; //!< hellos that came

    /// Say hello, whether the application runs or not
    void
    SayHello()
    {
        GetTransport()->Broadcast({HELLO, GetRound(), nullptr}, LossPolicy::RELIABLE);
    }

  private:
    void
    DoStart() override
    {
        GetTransport()->RegisterKind(HELLO, "hello", nullptr, [this](const Message& message) {
            EXPECT_EQ(message.kind, HELLO);
            ++heard;
        });
    }

    Process
    Round() override
    {
        EnterPhase("hello");
        SayHello();
        co_await Delay(Seconds(1));
        co_await Compute("", 6000, []() { return 0; });
        Report({});
    }
};

/// Three devices and a server, the last node, on which applications follow each other
class SuccessionTest : public tests::DeviceNetwork
{
  protected:
    static constexpr uint32_t CLIENTS = 3;    //!< devices without the server
    static constexpr uint32_t ROUNDS = 2;     //!< of the federation
    static constexpr uint32_t DIMENSION = 50; //!< numbers of the model

    /// Make the network, an application for all of it, and a federation that starts later
    void
    Make(const std::vector<FederatedAgent>& agents, FlatVector model)
    {
        Options options;
        options.devices = CLIENTS + 1;
        MakeDevices(options);
        m_helper.emplace(MakePool());
        NodeContainer clients;
        for (uint32_t i = 0; i <= CLIENTS; ++i)
        {
            if (i < CLIENTS)
            {
                clients.Add(m_nodes.Get(i));
                GetTransport(i)->SetServer(CLIENTS);
            }
            auto application = CreateObject<HelloApplication>();
            application->SetAttribute("Rounds", UintegerValue(2));
            application->SetLearnerPool(m_pool);
            m_nodes.Get(i)->AddApplication(application);
            m_hello.Add(application);
        }
        SetAttributes(
            *m_helper,
            {{"Rounds", std::to_string(ROUNDS)}, {"LocalEpochs", "1"}, {"LearningRate", "0.1"}});
        m_clients = m_helper->Install(m_nodes.Get(CLIENTS), std::move(model), clients, agents);
        ApplicationContainer all(m_clients);
        all.Add(m_helper->GetServer());
        all.Start(Seconds(START_S));
        Watch(all);
    }

    /// @return agents with learners of the targets 1, 2, 3 and of 10, 20, 30 samples, or without
    std::vector<FederatedAgent>
    MakeAgents(bool haveLearners)
    {
        std::vector<FederatedAgent> agents(CLIENTS);
        for (uint32_t k = 0; k < CLIENTS; ++k)
        {
            agents[k].evaluations = {std::make_shared<SharedEvaluation>(
                "global", std::make_shared<const DataView>(), 0)};
            if (haveLearners)
            {
                agents[k].learner =
                    std::make_shared<QuadraticLearner>(std::vector<float>(DIMENSION, k + 1.0F));
                agents[k].samples = 10 * (k + 1);
            }
        }
        return agents;
    }

    const FlatVector m_start = std::make_shared<const std::vector<float>>(DIMENSION, 0.0F);
    std::optional<FederatedHelper> m_helper; //!< makes the federation
    ApplicationContainer m_hello;            //!< of the first application
    ApplicationContainer m_clients;          //!< of the federation
};

using SuccessionDeathTest = SuccessionTest;

} // namespace

TEST_F(SuccessionTest, FederationFollowsAnotherApplicationAndLearnsLateWhatItLearns)
{
    Make(MakeAgents(false), nullptr);
    Simulator::Schedule(Seconds(4.9),
                        [this]() { m_helper->SetLearners(m_start, MakeAgents(true)); });
    // A hello that comes while the federation runs, from an application that has ended
    Simulator::Schedule(Seconds(START_S) + MicroSeconds(500), [this]() {
        EXPECT_TRUE(DynamicCast<HelloApplication>(m_hello.Get(0))->IsFinished());
        DynamicCast<HelloApplication>(m_hello.Get(0))->SayHello();
    });
    tests::MemoryStore store;
    {
        RunRecorder recorder(store, m_clients);
        Run();
        recorder.Finish();
    }
    double x = 0; // x - 0.1 (x - t), weighed by 1/6, 2/6, 3/6
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        x = 0.9 * x + 0.1 * (1 + 4 + 9) / 6;
    }
    EXPECT_THAT(*m_helper->GetServer()->GetModel(), Each(FloatNear(static_cast<float>(x), 1e-6F)));
    EXPECT_EQ(DynamicCast<HelloApplication>(m_hello.Get(0))->heard, 2U * CLIENTS);
    EXPECT_EQ(DynamicCast<HelloApplication>(m_hello.Get(1))->heard, 2U * CLIENTS + 1);
    EXPECT_TRUE(m_refusals.empty());

    const auto& rounds = store.tables.at("rounds")->rows;
    ASSERT_EQ(rounds.size(), CLIENTS * ROUNDS);
    const auto& energy = store.tables.at("energy")->rows;
    for (std::size_t i = 0; i < rounds.size(); ++i)
    {
        EXPECT_GE(rounds[i][2], START_S);
        const auto& row = energy.at(i); // round, device, time, kinds, source, remaining
        double sum = 0;
        for (std::size_t kind = 0; kind < ENERGY_KIND_COUNT; ++kind)
        {
            sum += row[3 + kind];
        }
        EXPECT_NEAR(sum, row[4 + ENERGY_KIND_COUNT], 1e-6); // all that was spent from 0 s on
        EXPECT_GT(row[3 + static_cast<std::size_t>(EnergyKind::COMPUTE)], 0);
    }
}

TEST_F(SuccessionTest, DeviceThatDiedBeforeTakesNoPart)
{
    Make(MakeAgents(true), m_start);
    Crash(1, Seconds(1.5));
    Run();
    for (const auto& [device, finished] : m_ends)
    {
        EXPECT_EQ(finished, device != 1) << device;
    }
    double x = 0;
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        x = 0.9 * x + 0.1 * (1 + 9) / 4;
    }
    EXPECT_THAT(*m_helper->GetServer()->GetModel(), Each(FloatNear(static_cast<float>(x), 1e-6F)));
}

TEST_F(SuccessionDeathTest, SaysThatALearnerIsMissing)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(
        {
            Make(MakeAgents(false), nullptr);
            Run();
        },
        "needs (a learner|an initial model)");
}
