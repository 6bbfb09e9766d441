/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated/federated-network.h"

#include "ns3/collab-packed-message.h"
#include "ns3/collab-random.h"
#include "ns3/federated-buffered-server-application.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

namespace
{

constexpr uint64_t GIGAFLOPS = 6000000000; //!< operations that take a second

/// A server with a buffer, and what it says of its assignments
class FedBuffTest : public tests::FederatedNetwork
{
  protected:
    FedBuffTest()
    {
        m_serverType = "ns3::collab::FederatedBufferedServerApplication";
    }

    /// Make network and applications, listen, and run
    void
    Play(const tests::Attributes& attributes,
         const std::vector<uint64_t>& trainFlops = {},
         const Options& options = {},
         const std::function<void()>& change = nullptr)
    {
        MakeNetwork(options);
        m_assigned.clear();
        m_versions = {0};
        m_first.clear();
        MakeApplications(attributes, trainFlops);
        m_server->TraceConnectWithoutContext(
            "Assignment",
            Callback<void, uint32_t, uint32_t, uint32_t>(
                [this](uint32_t device, uint32_t version, uint32_t number) {
                    ++m_assigned[{device, version}];
                    m_first.insert({device, number});
                }));
        m_server->TraceConnectWithoutContext(
            "Participation",
            Callback<void, const ParticipationRecord&>([this](const ParticipationRecord&) {
                m_versions.push_back(m_server->GetModel()->front());
            }));
        if (change)
        {
            change();
        }
        Run();
    }

    /// @return of all updates in the server's steps: the sender
    std::vector<uint32_t>
    ListSenders() const
    {
        std::vector<uint32_t> senders;
        for (const auto& record : m_participation)
        {
            const auto uploaded = record.uploaded;
            senders.insert(senders.end(), uploaded.begin(), uploaded.end());
        }
        return senders;
    }

    /// @return of all updates in the server's steps: their staleness
    std::vector<uint32_t>
    ListStaleness() const
    {
        std::vector<uint32_t> staleness;
        for (const auto& record : m_participation)
        {
            staleness.insert(staleness.end(), record.staleness.begin(), record.staleness.end());
        }
        return staleness;
    }

    /// Compare all models with what follows from who has sent an update of which model: a device
    /// with the target t that gets x sends 0.1 (t - x). No update of a device and model may count
    /// more often than the device was sent that model, and got it.
    void
    CheckSteps(std::size_t bufferSize, double rate = 1, bool isConstant = false) const
    {
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> counted;
        std::vector<double> x = {0};
        for (const auto& record : m_participation)
        {
            EXPECT_EQ(record.round, x.size() - 1);
            ASSERT_THAT(record.uploaded, SizeIs(bufferSize));
            ASSERT_THAT(record.staleness, SizeIs(bufferSize));
            double sum = 0;
            for (std::size_t i = 0; i < bufferSize; ++i)
            {
                const uint32_t device = record.uploaded[i];
                const uint32_t tau = record.staleness[i];
                ASSERT_LE(tau, record.round);
                const uint32_t version = record.round - tau;
                ++counted[{device, version}];
                EXPECT_EQ(m_models.at(version).count(device), 1U);
                sum +=
                    (isConstant ? 1 : 1 / std::sqrt(1.0 + tau)) * 0.1 * (device + 1.0 - x[version]);
            }
            x.push_back(x.back() + rate * sum / static_cast<double>(bufferSize));
        }
        EXPECT_THAT(m_versions, ::testing::Pointwise(::testing::DoubleNear(1e-5), x));
        for (const auto& [assignment, count] : counted)
        {
            ASSERT_EQ(m_assigned.count(assignment), 1U);
            EXPECT_LE(count, m_assigned.at(assignment));
        }
    }

    /// @return an update of all the same numbers, without an assignment for another algorithm
    Packed<FederatedUpload>
    MakeUpdate(std::optional<uint32_t> assignment) const
    {
        FederatedUpload update;
        update.samples = 10;
        update.assignment = assignment.value_or(0);
        update.isAsynchronous = assignment.has_value();
        update.vectors.weights =
            EncodedVector(std::vector<float>(DIMENSION, 1e3F), *MakeCompressor("float32"), 0);
        return Pack(update);
    }

    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_assigned; //!< by device and version
    std::map<uint32_t, uint32_t> m_first; //!< number of the first one, by device
    std::vector<double> m_versions;       //!< models that the server made
};

using FedBuffDeathTest = FedBuffTest;

} // namespace

TEST_F(FedBuffTest, StaleUpdatesCountLess)
{
    for (const std::string weight : {"Polynomial", "Constant"})
    {
        // Device 0 is done after 0.4, 0.8 and 1.2 s, device 1 after 1 s
        Options options;
        options.devices = 2;
        Play({{"BufferSize", "1"}, {"Rounds", "4"}, {"StalenessWeight", weight}},
             {4 * GIGAFLOPS / 10, GIGAFLOPS},
             options);
        EXPECT_THAT(ListSenders(), ElementsAre(0, 0, 1, 0));
        EXPECT_THAT(ListStaleness(), ElementsAre(0, 0, 2, 1));
        const bool isConstant = weight == "Constant";
        const double x3 = 0.19 + 0.2 / (isConstant ? 1 : std::sqrt(3));
        const double x4 = x3 + 0.081 / (isConstant ? 1 : std::sqrt(2));
        EXPECT_THAT(m_versions,
                    ::testing::Pointwise(::testing::DoubleNear(1e-6),
                                         std::vector<double>{0, 0.1, 0.19, x3, x4}));
        EXPECT_THAT(MetricOf(2, "staleness"), ElementsAre(0, 0, 2, 1));
        EXPECT_THAT(MetricOf(2, "uploaded"), Each(1));
        EXPECT_THAT(MetricOf(0, "accuracy_global").back(), ::testing::DoubleNear(x4, 1e-6));
        EXPECT_THAT(
            MetricOf(1, "accuracy_global"), // it has x0 until it gets x3
            ::testing::Pointwise(::testing::DoubleNear(1e-6), std::vector<double>{0, 0, x3, x4}));
        // Its first model is of no round; x1 and x2 were never on their way to it
        EXPECT_THAT(MetricOf(1, "messages_heard"), ElementsAre(0, 0, 1, 1));
        EXPECT_THAT(MetricOf(1, "messages_expected"), ElementsAre(0, 0, 1, 1));
        EXPECT_THAT(GetReasons(), IsEmpty());
        EXPECT_THAT(m_late, IsEmpty());
        for (uint32_t i = 0; i < 3; ++i)
        {
            EXPECT_TRUE(m_ends.at(i));
        }
    }
}

TEST_F(FedBuffTest, BufferIsAMeanOverItsSize)
{
    // Device 0 is done after 1, 2, 3 and 4 s, device 1 after 1.4 and 2.8 s
    Options options;
    options.devices = 2;
    Play({{"BufferSize", "2"}, {"ServerRate", "0.5"}}, {GIGAFLOPS, 14 * GIGAFLOPS / 10}, options);
    EXPECT_THAT(ListSenders(), ElementsAre(0, 1, 0, 1, 0, 0));
    EXPECT_THAT(ListStaleness(), ElementsAre(0, 0, 1, 0, 1, 0));
    // Changes 0.1 (t - x) of the targets 1 and 2, not weighed by the 10 and 20 samples
    const double x1 = 0.5 * (0.1 + 0.2) / 2;
    const double x2 = x1 + 0.5 * (0.1 / std::sqrt(2) + 0.1 * (2 - x1)) / 2;
    const double x3 = x2 + 0.5 * (0.1 * (1 - x1) / std::sqrt(2) + 0.1 * (1 - x2)) / 2;
    EXPECT_THAT(
        m_versions,
        ::testing::Pointwise(::testing::DoubleNear(1e-6), std::vector<double>{0, x1, x2, x3}));
    EXPECT_THAT(MetricOf(2, "staleness"), ElementsAre(0, 0.5, 0.5));
}

TEST_F(FedBuffTest, AnotherDeviceGetsThePlace)
{
    Options options;
    options.devices = 5;
    std::vector<uint32_t> first;
    for (int repetition = 0; repetition < 2; ++repetition)
    {
        Play({{"BufferSize", "1"}, {"Concurrency", "1"}, {"Rounds", "30"}}, {}, options);
        const auto senders = ListSenders();
        EXPECT_EQ(std::adjacent_find(senders.begin(), senders.end()), senders.end());
        EXPECT_EQ(std::set<uint32_t>(senders.begin(), senders.end()).size(), 5U);
        EXPECT_THAT(ListStaleness(), Each(0)); // one at a time
        first = first.empty() ? senders : first;
        EXPECT_EQ(senders, first); // drawn from the seed
        CheckSteps(1);
        // What a device is said to have after a step is the last model that it got by then
        for (uint32_t device = 0; device < 5; ++device)
        {
            std::vector<double> had;
            double x = 0;
            for (uint32_t version = 1; version <= 30; ++version)
            {
                x = m_models[version].count(device) > 0 ? m_versions[version] : x;
                had.push_back(x);
            }
            EXPECT_THAT(MetricOf(device, "accuracy_global"),
                        ::testing::Pointwise(::testing::DoubleNear(1e-6), had));
        }
    }
    Play({{"BufferSize", "2"}, {"Concurrency", "3"}, {"Rounds", "30"}}, {}, options);
    EXPECT_THAT(ListStaleness(), Contains(1));
    CheckSteps(2);
}

TEST_F(FedBuffTest, LostModelGivesThePlaceAway)
{
    for (const std::string policy : {"Reliable", "BestEffort"})
    {
        Play({{"LossPolicy", policy},
              {"BufferSize", "1"},
              {"Concurrency", "1"},
              {"Rounds", "12"},
              {"MaxMisses", "3"}},
             {},
             {},
             [this]() { Deafen(1); });
        EXPECT_THAT(ListSenders(), Not(Contains(1)));
        CheckSteps(1);
        uint32_t asked = 0;
        for (const auto& [assignment, count] : m_assigned)
        {
            asked += assignment.first == 1 ? count : 0;
        }
        EXPECT_GE(asked, 1U);
        EXPECT_LE(asked, 3U); // then it is given up
        const auto expected = MetricOf(3, "messages_expected");
        EXPECT_EQ(std::accumulate(expected.begin(), expected.end(), 0.0), 12.0 + asked);
        EXPECT_TRUE(m_ends.at(1)); // with what it has
        // With acknowledgments nobody waits for the deadline but the final model
        Time steps;
        for (const auto& record : m_rounds)
        {
            steps = record.device == 3 && record.round == 10 ? record.end : steps;
        }
        EXPECT_EQ(steps < Seconds(1.5), policy == "Reliable") << steps;
    }
}

TEST_F(FedBuffTest, LostUpdateIsMadeAnew)
{
    Play({{"LossPolicy", "BestEffort"}, {"BufferSize", "3"}}, {}, {}, [this]() {
        Simulator::Schedule(NanoSeconds(1), [this]() { Deafen(3); });
        Simulator::Schedule(Seconds(1.9), [this]() { Hear(3); });
    });
    EXPECT_EQ(m_participation.size(), ROUNDS);
    CheckSteps(3);
    for (uint32_t device = 0; device < 3; ++device)
    {
        EXPECT_GE((m_assigned[{device, 0}]), 2U); // the same model once more
        EXPECT_GE(m_learners[device]->tasks.size(), 2U);
    }
    EXPECT_THAT(GetReasons(), IsEmpty());
    EXPECT_GT(m_rounds.front().end, Seconds(2)); // after the deadline
}

TEST_F(FedBuffTest, LateUpdatesCountAllTheSame)
{
    // Device 1 takes 3 s, the deadline is 2 s
    Play({{"BufferSize", "2"}, {"Rounds", "9"}}, {GIGAFLOPS, 3 * GIGAFLOPS, GIGAFLOPS});
    CheckSteps(2);
    EXPECT_THAT(ListSenders(), Contains(1));
    EXPECT_THAT(m_late, Contains(std::make_pair(0U, 1U)));
    EXPECT_THAT(ListStaleness(), Contains(::testing::Ge(3U)));
    EXPECT_THAT(GetReasons(), IsEmpty());
}

TEST_F(FedBuffTest, DeadDevicesDoNotHoldPlaces)
{
    Play({{"BufferSize", "2"}, {"Concurrency", "2"}, {"Rounds", "20"}, {"MaxMisses", "2"}},
         {},
         {},
         [this]() { Simulator::Schedule(MilliSeconds(5), [this]() { SwitchOff(2); }); });
    ASSERT_THAT(m_participation, SizeIs(20));
    CheckSteps(2);
    EXPECT_THAT(m_participation.back().uploaded, Not(Contains(2)));
    EXPECT_FALSE(m_ends.at(2));
    EXPECT_TRUE(m_ends.at(0));
    EXPECT_TRUE(m_ends.at(3));
}

TEST_F(FedBuffTest, WithoutDevicesTheServerEnds)
{
    Play({{"BufferSize", "2"}, {"Rounds", "20"}, {"MaxMisses", "2"}}, {}, {}, [this]() {
        Simulator::Schedule(MilliSeconds(5), [this]() {
            SwitchOff(0);
            SwitchOff(1);
            SwitchOff(2);
        });
    });
    EXPECT_FALSE(m_ends.at(3));
    EXPECT_LT(m_participation.size(), 20U);
    EXPECT_LT(Simulator::Now(), Seconds(10)); // two deadlines each
    CheckSteps(2);
}

TEST_F(FedBuffTest, UpdatesThatWereNotAskedForAreRefused)
{
    // Device 2 has not answered yet when others do in its name
    const auto forge = [this]() {
        // One after the other, since the server is half duplex
        const auto send = [this](int64_t ms, uint32_t device, uint32_t round, auto number) {
            Simulator::Schedule(MilliSeconds(ms), [this, device, round, number]() {
                GetTransport(device)->Send(3, {0x0402, round, MakeUpdate(number())});
            });
        };
        const auto own = [this]() { return m_first.at(0); };
        const auto other = [this]() { return m_first.at(2); };
        send(80, 0, 0, own); // a second one
        send(83, 0, 0, []() { return 12345U; });
        send(86, 0, 0, []() { return std::nullopt; });
        send(89, 1, 0, other);
        send(92, 2, 1000, other);
    };
    Play({{"BufferSize", "3"}}, {GIGAFLOPS / 20, GIGAFLOPS / 20, GIGAFLOPS}, {}, forge);
    EXPECT_THAT(GetReasons(), SizeIs(5));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("not asked for, or a second one")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("0 assignments, expected 1")));
    CheckSteps(3);
}

TEST_F(FedBuffTest, CountsOnceWhateverIsLost)
{
    for (uint32_t run = 1; run <= 60; ++run)
    {
        SCOPED_TRACE(run);
        RandomGenerator generator(run);
        const auto draw = [&generator](uint32_t most) {
            return boost::random::uniform_int_distribution<uint32_t>(0, most)(generator);
        };
        Options options;
        options.devices = 2 + draw(6);
        options.outage = 0.2 * draw(4);
        options.run = run;
        const uint32_t bufferSize = 1 + draw(5);
        const uint32_t rounds = 5 + draw(15);
        std::vector<uint64_t> flops;
        for (uint32_t device = 0; device < options.devices; ++device)
        {
            flops.push_back(draw(4) == 0 ? 3 * GIGAFLOPS : (1 + draw(400)) * 6000000);
        }
        Play({{"BufferSize", std::to_string(bufferSize)},
              {"Concurrency", std::to_string(draw(options.devices))},
              {"Rounds", std::to_string(rounds)},
              {"MaxMisses", "4"},
              {"LossPolicy", draw(1) == 0 ? "BestEffort" : "Reliable"}},
             flops,
             options,
             [&]() {
                 for (uint32_t deaths = draw(3); deaths > 0; --deaths)
                 {
                     const uint32_t device = draw(options.devices - 1);
                     Simulator::Schedule(MilliSeconds(draw(4000)),
                                         [this, device]() { SwitchOff(device); });
                 }
                 for (uint32_t faults = draw(6); faults > 0; --faults)
                 {
                     const uint32_t device = draw(options.devices); // or the server
                     const Time start = MilliSeconds(draw(6000));
                     Simulator::Schedule(start, [this, device]() { Deafen(device); });
                     Simulator::Schedule(start + MilliSeconds(draw(3000)),
                                         [this, device]() { Hear(device); });
                 }
             });
        CheckSteps(bufferSize);
        EXPECT_EQ(ListSenders().size(), m_participation.size() * bufferSize);
        EXPECT_EQ(m_ends.size(), options.devices + 1);
        if (m_ends.at(options.devices))
        {
            EXPECT_THAT(m_participation, SizeIs(rounds));
        }
        else // nobody was left
        {
            EXPECT_LT(m_participation.size(), rounds);
        }
        EXPECT_LT(Simulator::Now(), Seconds(900));
    }
}

TEST_F(FedBuffDeathTest, ServersSayWhichAlgorithmsAreTheirs)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(Play({{"Algorithm", "FedAvg"}}), "the Algorithm must be FedBuff");
    EXPECT_DEATH(
        {
            m_serverType = "ns3::collab::FederatedSynchronousServerApplication";
            Play({{"Algorithm", "FedBuff"}});
        },
        "needs a FederatedBufferedServerApplication");
    EXPECT_DEATH(
        Play({},
             {},
             {},
             [this]() { m_clients.Get(0)->SetAttribute("GradientAttack", StringValue("alie")); }),
        "the GradientAttack alie needs other devices'");
}
