/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-network.h"

#include "ns3/belief-consensus-loss-rates.h"
#include "ns3/collab-packed-message.h"
#include "ns3/collab-processor.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::collab;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pointwise;
using ::testing::SizeIs;
using tests::BELIEF;
using tests::BeliefEvent;
using tests::BeliefMatrix;
using tests::BeliefUsers;
using tests::FLOPS;
using tests::MakeBitBelief;
using tests::MakeBitBeliefs;
using tests::MakeUniformWeights;
using tests::Numbers;
using tests::TRUE_WORD;

namespace
{

/// @return attribute UpdateInterval of a user that updates so often [s]
std::string
Every(double seconds)
{
    return fmt::format("ns3::ConstantRandomVariable[Constant={}]", seconds);
}

class BeliefGossipTest : public tests::BeliefNetworkTest
{
  protected:
    /// @param w trust
    /// @param rounds updates of each
    /// @return users about two bits
    static BeliefUsers
    MakeUsers(const BeliefMatrix& w, uint32_t rounds)
    {
        BeliefUsers users = tests::MakeBitUsers(w, {{"Rounds", std::to_string(rounds)}});
        users.type = "BeliefGossipApplication";
        return users;
    }

    /// @brief Broadcast a belief in the name of a device.
    /// @param device in whose name
    /// @param logs of the belief
    /// @param priority of the message
    void
    Forge(uint32_t device, const Numbers& logs, uint8_t priority)
    {
        SendOptions options;
        options.priority = priority;
        GetTransport(device)->Broadcast(
            {BELIEF, 0, Pack(PublicBelief(logs, BeliefPrecision::FLOAT64))}, options);
    }
};

} // namespace

TEST_F(BeliefGossipTest, UpdatesAndArrivalsByHand)
{
    BeliefMatrix w(3, 3); // 2 does not listen to 0
    w.values = {0.5, 0.2, 0.3, 0.6, 0.4, 0, 0, 0.7, 0.3};
    auto users = MakeUsers(w, 4);
    const std::vector<double> intervals = {1, 1.3, 0.45};
    for (uint32_t i = 0; i < 3; ++i)
    {
        users.own[i] = {{"UpdateInterval", Every(intervals[i])}};
    }
    Play(std::move(users));
    std::multimap<double, uint32_t> updates;
    for (uint32_t i = 0; i < 3; ++i)
    {
        for (int k = 1; k <= 4; ++k)
        {
            updates.emplace(k * intervals[i], i);
        }
    }
    const auto models = MakeBitBeliefs(3);
    std::vector<Belief> rho(3, models[0]->GetPrior());
    std::vector<std::vector<Numbers>> expected(3);
    std::vector<double> merged(3, 0);
    std::vector<std::vector<double>> counts(3);
    for (const auto& [time, i] : updates)
    {
        rho[i] = models[i]->Update(rho[i], static_cast<uint32_t>(expected[i].size()));
        expected[i].push_back(*rho[i]);
        counts[i].push_back(std::exchange(merged[i], 0));
        for (uint32_t j = 0; j < 3; ++j)
        {
            if (j != i && w(j, i) > 0 && expected[j].size() < 4) // who has ended merges no more
            {
                rho[j] = models[j]->Pool({{rho[j], 1 - w(j, i)}, {rho[i], w(j, i)}},
                                         BeliefPooling::LOGARITHMIC);
                ++merged[j];
            }
        }
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        const auto beliefs = GetBeliefs(i);
        ASSERT_THAT(beliefs, SizeIs(4));
        for (uint32_t k = 0; k < 4; ++k)
        {
            EXPECT_THAT(beliefs[k], Pointwise(DoubleNear(1e-12), expected[i][k])) << i << " " << k;
        }
        EXPECT_EQ(MetricOf(i, "merged"), counts[i]);
        EXPECT_EQ(MetricOf(i, "messages_heard"), counts[i]);
        EXPECT_THAT(MetricOf(i, "outdated"), Each(0));
        EXPECT_THAT(GetEvents(BeliefEvent::END, i)[0].text, "finished");
    }
    for (const auto& event : GetEvents(BeliefEvent::POOLED, 0))
    {
        ASSERT_THAT(event.entries, SizeIs(2));
        EXPECT_EQ(event.entries[0].source, "self");
        EXPECT_EQ(event.entries[1].source, "fresh");
        EXPECT_EQ(event.entries[1].weight, w(0, event.entries[1].peer));
        EXPECT_NEAR(event.entries[0].weight, 1 - event.entries[1].weight, 1e-15);
    }
}

TEST_F(BeliefGossipTest, UpdatesKeepTheirRateHoweverLongTheyTake)
{
    auto users = MakeUsers(MakeUniformWeights(1), 10);
    users.own[0] = {{"UpdateInterval", Every(0.5)}};
    users.Change(0, {uint64_t(0.2 * FLOPS)});
    Play(std::move(users));
    uint32_t k = 0;
    for (const auto& event : GetEvents(BeliefEvent::PHASE, 0))
    {
        if (event.text == "update")
        {
            EXPECT_NEAR(event.start.GetSeconds(), 0.5 * ++k, 1e-8);
        }
    }
    EXPECT_EQ(k, 10);
}

TEST_F(BeliefGossipTest, WhoCannotKeepItsRateMergesAllTheSame)
{
    // Updates of device 0 take 0.2 s and are due every 0.1 s
    auto users = MakeUsers(MakeUniformWeights(2), 20);
    users.own[0] = {{"UpdateInterval", Every(0.1)}};
    users.own[1] = {{"UpdateInterval", Every(0.15)}};
    users.Change(0, {uint64_t(0.2 * FLOPS)});
    Play(std::move(users));
    const auto merged = MetricOf(0, "merged");
    EXPECT_GT(std::accumulate(merged.begin(), merged.end(), 0.0), 10);
}

TEST_F(BeliefGossipTest, WhatCameAfterANewerOneIsIgnored)
{
    auto users = MakeUsers(MakeUniformWeights(2), 2);
    users.own[0] = {{"UpdateInterval", Every(1)}};
    users.own[1] = {{"UpdateInterval", Every(3)}, {"Lie", "Silence"}};
    Make(std::move(users));
    const Numbers first = {0, -1, -2, -3};
    const Numbers second = {-9, 0, 0, 0}; // waits, and is overtaken by the third
    const Numbers third = {-1, 0, -2, -3};
    Simulator::Schedule(MilliSeconds(50), [&]() { Forge(1, first, 0); });
    Simulator::Schedule(MilliSeconds(100), [&]() {
        Forge(1, second, 0);
        Forge(1, third, 1);
    });
    Run();
    std::vector<uint32_t> sequences;
    for (const auto& event : GetEvents(BeliefEvent::RECEIVED, 0))
    {
        sequences.push_back(event.sequence);
    }
    ASSERT_THAT(sequences, ElementsAre(1, 3, 2));
    EXPECT_THAT(MetricOf(0, "merged"), ElementsAre(2, 0));
    EXPECT_THAT(MetricOf(0, "outdated"), ElementsAre(1, 0));
    const auto model = MakeBitBelief(0, 100);
    Belief rho = model->GetPrior();
    for (const auto& logs : {first, third})
    {
        rho = model->Pool({{rho, 0.5}, {model->FromWire(logs), 0.5}}, BeliefPooling::LOGARITHMIC);
    }
    EXPECT_THAT(GetBeliefs(0)[0], Pointwise(DoubleNear(1e-12), *model->Update(rho, 0)));
}

TEST_F(BeliefGossipTest, OfThoseThatWaitTheNewestIsMerged)
{
    // Device 0 merges for 0.4 s; in that time two beliefs of device 1 and one of device 2 come
    auto users = MakeUsers(MakeUniformWeights(3), 1);
    users.own[0] = {{"UpdateInterval", Every(3)}};
    users.Change(0, {0, uint64_t(0.4 * FLOPS)});
    for (const uint32_t other : {1, 2})
    {
        users.own[other] = {{"UpdateInterval", Every(5)}, {"Lie", "Silence"}};
    }
    Make(std::move(users));
    const std::vector<std::pair<uint32_t, Numbers>> told = {
        {2, {0, -1, -2, -3}}, {1, {0, -5, -5, 0}}, {2, {-4, 0, -2, 0}}, {1, {0, -3, -7, -1}}};
    for (std::size_t i = 0; i < told.size(); ++i)
    {
        Simulator::Schedule(MilliSeconds(100 + 50 * i),
                            [this, &told, i]() { Forge(told[i].first, told[i].second, 0); });
    }
    Run();
    const auto model = MakeBitBelief(0, 100);
    Belief rho = model->GetPrior();
    for (const std::size_t i : {0, 3, 2}) // device 1 waits before device 2, with its newest
    {
        rho = model->Pool({{rho, 1 - 1.0 / 3}, {model->FromWire(told[i].second), 1.0 / 3}},
                          BeliefPooling::LOGARITHMIC);
    }
    EXPECT_THAT(GetBeliefs(0)[0], Pointwise(DoubleNear(1e-12), *model->Update(rho, 0)));
    EXPECT_THAT(MetricOf(0, "merged"), ElementsAre(3));
    EXPECT_THAT(MetricOf(0, "outdated"), ElementsAre(0));
}

TEST_F(BeliefGossipTest, ImproperLiesAreRefused)
{
    for (const std::string lie : {"NotANumber", "Veto", "Silence"})
    {
        auto users = MakeUsers(MakeUniformWeights(3), 60);
        users.own[2] = {{"Lie", lie}};
        Play(std::move(users));
        for (const auto& event : GetEvents(BeliefEvent::POOLED, 0))
        {
            EXPECT_EQ(event.entries[1].peer, 1);
        }
        EXPECT_EQ(GetEvents(BeliefEvent::REFUSED, 0).size() > 20, lie != "Silence");
        EXPECT_GT(MetricOf(0, "belief_true").back(), 0.99);
    }
}

TEST_F(BeliefGossipTest, LearnsAtThePredictedRate)
{
    // Users 0 and 2 see the first bit, user 1 the second one; rates and weights of their own
    BeliefMatrix w(3, 3);
    w.values = {0.5, 0.3, 0.2, 0.1, 0.5, 0.4, 0.25, 0.25, 0.5};
    const std::vector<double> rates = {1, 2, 0.5}; // updates [1/s]
    const double outage = 0.3;
    const double end = 4000; // [s]
    auto users = MakeUsers(w, 100000);
    users.attributes["EvaluationInterval"] = "100000";
    for (uint32_t i = 0; i < 3; ++i)
    {
        users.own[i] = {{"UpdateInterval",
                         fmt::format("ns3::ExponentialRandomVariable[Mean={}]", 1 / rates[i])}};
    }
    Make(std::move(users), outage);
    ProtocolBench::Run(Seconds(end));
    // Who hears j hears it when j has a new sample, not at just any time. So a sample is taken over
    // at once: the mean x_i of a log ratio grows at r_i I_i + sum_j w_ij a_ij (x_j + I_j - x_i). By
    // v-bar Q = 0, the sum of all v-bar_i w_ij a_ij is v-bar_j times the rate q_j at which j itself
    // takes over, and all grow at sum_j v-bar_j (r_j + q_j) I_j.
    Matrix<double> arrivals(3, 3);
    std::vector<double> samples = rates; // r_j + q_j
    for (uint32_t i = 0; i < 3; ++i)
    {
        for (uint32_t j = 0; j < 3; ++j)
        {
            arrivals(i, j) = (1 - outage) * rates[j];
            samples[i] += i == j ? 0 : w(i, j) * arrivals(i, j);
        }
    }
    // KL of a label that is right with probability 0.7, where a hypothesis has the bit wrong
    const double nats = 0.4 * std::log(0.7 / 0.3);
    const uint32_t wrongFirst = TRUE_WORD ^ 1;
    const uint32_t wrongSecond = TRUE_WORD ^ 2;
    Matrix<double> information(3, 2);
    information.values = {nats, 0, 0, nats, nats, 0};
    const auto predicted = PredictGossipRates(w, arrivals, samples, information);
    for (uint32_t i = 0; i < 3; ++i)
    {
        const Numbers belief = *GetUser(i)->GetBelief();
        const std::vector<double> measured = {(belief[TRUE_WORD] - belief[wrongFirst]) / end,
                                              (belief[TRUE_WORD] - belief[wrongSecond]) / end};
        // A log-likelihood ratio has the mean square log(7/3)^2, and there are Poisson many, each
        // of which weighs v-bar_j (r_j + q_j) / r_j in the mean and at most 1; four deviations
        for (uint32_t psi = 0; psi < 2; ++psi)
        {
            double variance = 0;
            for (uint32_t j = 0; j < 3; ++j)
            {
                const double weight = predicted.influence[j] * samples[j] / rates[j];
                variance += information(j, psi) > 0 ? weight * rates[j] : 0;
            }
            const double deviation = std::log(0.7 / 0.3) * std::sqrt(variance / end);
            EXPECT_NEAR(measured[psi], predicted.rates[psi], 4 * deviation) << i << " " << psi;
            EXPECT_LT(4 * deviation, 0.3 * predicted.rates[psi]) << "it says something";
        }
    }
}
