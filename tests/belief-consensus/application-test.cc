/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-network.h"
#include "belief-consensus/belief-replay.h"
#include "belief-consensus/beliefs/belief-numbers.h"

#include "ns3/collab-packed-message.h"
#include "ns3/collab-processor.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <iterator>
#include <limits>
#include <numeric>

using namespace ns3;
using namespace ns3::collab;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Pointwise;
using ::testing::SizeIs;
using tests::BELIEF;
using tests::BeliefEvent;
using tests::BeliefMatrix;
using tests::BeliefReplay;
using tests::BeliefUsers;
using tests::FLOPS;
using tests::Learn;
using tests::MakeBitBelief;
using tests::MakeBitBeliefs;
using tests::MakeLineBelief;
using tests::MakeUniformWeights;
using tests::Numbers;
using tests::TRUE_WORD;

namespace
{

constexpr uint32_t ROUNDS = 12;

/// Not symmetric, not regular, with a user that trusts itself not at all
const BeliefMatrix
MakeUnevenWeights()
{
    BeliefMatrix w(4, 4);
    w.values = {.5, .3, .2, 0, .25, 0, 0, .75, .1, .2, .3, .4, 0, 0, .6, .4};
    return w;
}

class BeliefConsensusTest : public tests::BeliefNetworkTest
{
  protected:
    /// @return users about two bits, of ROUNDS instants unless attributes say otherwise
    static BeliefUsers
    MakeUsers(const BeliefMatrix& w, tests::BeliefAttributes attributes = {})
    {
        attributes.emplace("Rounds", std::to_string(ROUNDS));
        return tests::MakeBitUsers(w, std::move(attributes));
    }

    /// @brief Broadcast a payload in the name of a device.
    /// @param time when
    /// @param device in whose name
    /// @param round of the message
    /// @param payload of the message
    void
    Forge(Time time, uint32_t device, uint32_t round, std::shared_ptr<const Payload> payload)
    {
        Simulator::Schedule(time, [this, device, round, payload]() {
            GetTransport(device)->Broadcast({BELIEF, round, payload});
        });
    }

    /// @return how each device has ended, each of which has ended once
    std::vector<std::string>
    GetEnds() const
    {
        std::vector<std::string> ends;
        for (uint32_t i = 0; i < m_applications.GetN(); ++i)
        {
            const auto events = GetEvents(BeliefEvent::END, i);
            EXPECT_THAT(events, SizeIs(1)) << i;
            ends.push_back(events.empty() ? "" : events[0].text);
        }
        return ends;
    }

    /// @return what a device has of a peer in each of its pools
    std::vector<BeliefWeightsRecord::Entry>
    GetEntries(uint32_t device, uint32_t peer) const
    {
        std::vector<BeliefWeightsRecord::Entry> entries;
        for (const auto& event : GetEvents(BeliefEvent::POOLED, device))
        {
            std::copy_if(event.entries.begin(),
                         event.entries.end(),
                         std::back_inserter(entries),
                         [peer](const auto& entry) { return entry.peer == peer; });
        }
        return entries;
    }

    /// @return where the belief of a peer came from in each pool of a device
    std::vector<std::string>
    GetSources(uint32_t device, uint32_t peer) const
    {
        std::vector<std::string> sources;
        for (const auto& entry : GetEntries(device, peer))
        {
            sources.push_back(entry.source);
        }
        return sources;
    }

    /// @return when a device has begun, or ended, each of its phases of this name
    std::vector<Time>
    GetPhases(uint32_t device, const std::string& phase, bool isBegin = true) const
    {
        std::vector<Time> times;
        for (const auto& event : GetEvents(BeliefEvent::PHASE, device))
        {
            if (event.text == phase)
            {
                times.push_back(isBegin ? event.start : event.time);
            }
        }
        return times;
    }

    /// @brief Expect that all private beliefs are distributions, after each instant
    void
    ExpectProper(BeliefModel& model) const
    {
        for (const auto& event : m_events)
        {
            if (event.kind == BeliefEvent::ROUND)
            {
                EXPECT_TRUE(model.IsProper(std::make_shared<const Numbers>(event.numbers)))
                    << event.device << " " << event.round;
            }
        }
    }
};

/// @brief Expect the same numbers, up to rounding
void
ExpectNear(const std::vector<Numbers>& beliefs, const std::vector<Numbers>& expected, double most)
{
    ASSERT_EQ(beliefs.size(), expected.size());
    for (std::size_t k = 0; k < beliefs.size(); ++k)
    {
        EXPECT_THAT(beliefs[k], Pointwise(DoubleNear(most), expected[k])) << k;
    }
}

} // namespace

TEST_F(BeliefConsensusTest, PerfectLinksGiveTheTwoEquations)
{
    const auto w = MakeUnevenWeights();
    for (const std::string interval : {"0s", "20ms"})
    {
        Play(MakeUsers(w, {{"Interval", interval}}));
        const auto expected = Learn(MakeBitBeliefs(4), w, ROUNDS);
        for (uint32_t i = 0; i < 4; ++i)
        {
            ExpectNear(GetBeliefs(i), expected[i], 1e-12);
            EXPECT_THAT(MetricOf(i, "self_weight"), Each(DoubleNear(w(i, i), 1e-15)));
            EXPECT_EQ(MetricOf(i, "messages_heard"), MetricOf(i, "messages_expected"));
            EXPECT_THAT(MetricOf(i, "messages_refused"), Each(0));
            EXPECT_THAT(MetricOf(i, "diverged"), Each(0));
            // What is measured is the private belief, at the end of the instant
            EXPECT_NEAR(
                MetricOf(i, "belief_true").back(), std::exp(expected[i].back()[TRUE_WORD]), 1e-12);
        }
        EXPECT_THAT(GetEnds(), Each("finished"));
    }
}

TEST_F(BeliefConsensusTest, WhoHearsNobodyLearnsAlone)
{
    BeliefMatrix w(2, 2); // 0 listens to 1, who listens to nobody
    w.values = {0.5, 0.5, 0, 1};
    Play(MakeUsers(w));
    const auto expected = Learn(MakeBitBeliefs(2), w, ROUNDS);
    ExpectNear(GetBeliefs(0), expected[0], 1e-12);
    ExpectNear(GetBeliefs(1), expected[1], 1e-12);
    EXPECT_THAT(GetEvents(BeliefEvent::SENT, 0), IsEmpty()) << "nobody listens to it";
    EXPECT_THAT(GetEvents(BeliefEvent::SENT, 1), SizeIs(ROUNDS));
    Play(MakeUsers(w = MakeUniformWeights(1)));
    ExpectNear(GetBeliefs(0), Learn(MakeBitBeliefs(1), w, ROUNDS)[0], 0);
    auto users = MakeUsers(MakeUniformWeights(2));
    users.w = BeliefMatrix();
    Play(std::move(users));
    ExpectNear(GetBeliefs(0), Learn(MakeBitBeliefs(1), w, ROUNDS)[0], 0);
    EXPECT_THAT(GetEvents(BeliefEvent::SENT, 0), IsEmpty());
}

TEST_F(BeliefConsensusTest, ClippingLimitsThePull)
{
    const double radius = 2;
    auto users = MakeUsers(MakeUniformWeights(2), {{"Pooling", "Clipped"}, {"ClipRadius", "2"}});
    users.own[1] = {{"Lie", "Wrong"}, {"LieStrength", "1e6"}};
    Play(std::move(users));
    const auto alone = Learn(MakeBitBeliefs(1), MakeUniformWeights(1), 1)[0][0];
    const auto pulled = GetBeliefs(0)[0];
    double least = std::numeric_limits<double>::max();
    double greatest = -least;
    for (std::size_t i = 0; i < alone.size(); ++i)
    {
        least = std::min(least, pulled[i] - alone[i]);
        greatest = std::max(greatest, pulled[i] - alone[i]);
    }
    EXPECT_NEAR(greatest - least, 0.5 * radius, 1e-9) << "W_ij r";
    EXPECT_GT(MetricOf(0, "self_weight")[0], 0.99999);
}

TEST_F(BeliefConsensusTest, SizesOnTheWireAreExact)
{
    for (const auto& [precision, bytes] :
         {std::pair("Family", 8U), std::pair("Float64", 8U), std::pair("Float32", 4U)})
    {
        Play(MakeUsers(MakeUniformWeights(3), {{"Precision", precision}}));
        for (uint32_t i = 0; i < 3; ++i)
        {
            const auto sent = GetEvents(BeliefEvent::SENT, i);
            EXPECT_THAT(sent, SizeIs(ROUNDS));
            EXPECT_EQ(sent[0].bytes, 23 + 4 * bytes);
            EXPECT_EQ(GetTransport(i)->GetBytesSent(), ROUNDS * (23 + 4 * bytes));
        }
    }
}

TEST_F(BeliefConsensusTest, InstantsBeginTogetherByTheInterval)
{
    for (const double outage : {0.0, 0.5})
    {
        // However long a pool takes, it is done by then
        auto users = MakeUsers(MakeUniformWeights(3), {{"Interval", "30ms"}});
        users.Change(1, {0, uint64_t(0.01 * FLOPS)});
        Play(std::move(users), outage);
        for (uint32_t i = 0; i < 3; ++i)
        {
            const auto begins = GetPhases(i, "update");
            const auto ends = GetPhases(i, "pool", false);
            ASSERT_THAT(begins, SizeIs(ROUNDS));
            for (uint32_t k = 0; k < ROUNDS; ++k)
            {
                EXPECT_EQ(begins[k], MilliSeconds(30) * static_cast<int64_t>(k)) << i;
                EXPECT_LE(ends[k], MilliSeconds(30) * static_cast<int64_t>(k + 1)) << i;
            }
            EXPECT_THAT(MetricOf(i, "lag"), Each(0));
        }
    }
}

TEST_F(BeliefConsensusTest, WithoutIntervalAnInstantFollowsTheOther)
{
    Play(MakeUsers(MakeUniformWeights(3)));
    for (uint32_t i = 0; i < 3; ++i)
    {
        const auto begins = GetPhases(i, "update");
        const auto ends = GetPhases(i, "pool", false);
        for (uint32_t k = 1; k < ROUNDS; ++k)
        {
            EXPECT_EQ(begins[k], ends[k - 1]);
        }
        EXPECT_THAT(MetricOf(i, "lag"), Each(0));
        EXPECT_LT(ends.back(), ROUNDS * MilliSeconds(10)) << "nobody waits for the deadline";
    }
}

TEST_F(BeliefConsensusTest, WhoseInstantsTakeTooLongLagsAndIsHeard)
{
    // Device 1 needs 25 ms for an update, in instants of 20 ms
    auto users =
        MakeUsers(MakeUniformWeights(2), {{"Interval", "20ms"}, {"MissingPolicy", "Stale"}});
    users.Change(1, {uint64_t(0.025 * FLOPS)});
    Play(std::move(users));
    EXPECT_THAT(MetricOf(0, "lag"), Each(0));
    const auto lags = MetricOf(1, "lag");
    for (uint32_t k = 0; k < ROUNDS; ++k)
    {
        // Up to 1 ms of jitter an instant comes on top
        EXPECT_GE(lags[k], k * 0.005);
        EXPECT_LT(lags[k], k * 0.0061 + 1e-6);
    }
    // What it tells is too late for its instant, and still believed later on
    auto sources = GetSources(0, 1);
    EXPECT_EQ(sources[0], "missing");
    sources.erase(sources.begin());
    EXPECT_THAT(sources, Each("stale"));
    EXPECT_THAT(GetSources(1, 0), Each("fresh"));
}

TEST_F(BeliefConsensusTest, JitterLetsHalfDuplexDevicesHearEachOther)
{
    Play(MakeUsers(MakeUniformWeights(4), {{"Interval", "50ms"}}), 0, "Half");
    for (uint32_t i = 0; i < 4; ++i)
    {
        EXPECT_THAT(MetricOf(i, "messages_heard"), Each(3));
    }
}

TEST_F(BeliefConsensusTest, TheDeadlineEndsWaits)
{
    // Device 2 needs 0.3 s for its first updates, the others wait for 0.1 s from their broadcasts
    for (const std::string policy : {"Self", "Stale"})
    {
        auto users =
            MakeUsers(MakeUniformWeights(3), {{"Deadline", "100ms"}, {"MissingPolicy", policy}});
        users.Change(2, {uint64_t(0.3 * FLOPS)});
        Play(std::move(users));
        EXPECT_THAT(GetEnds(), Each("finished"));
        const auto waits = GetPhases(0, "exchange");
        const auto ends = GetPhases(0, "exchange", false);
        const auto sources = GetSources(0, 2);
        for (uint32_t k = 0; k < ROUNDS; ++k)
        {
            EXPECT_GE(ends[k] - waits[k], MilliSeconds(100));
            EXPECT_LE(ends[k] - waits[k], MilliSeconds(101));               // and the jitter
            if (ends[k] < MilliSeconds(300) || ends[k] > MilliSeconds(303)) // else by the jitter
            {
                const bool isHeard = ends[k] > MilliSeconds(303);
                EXPECT_EQ(sources[k], isHeard && policy == "Stale" ? "stale" : "missing") << k;
            }
        }
        BeliefReplay::Settings settings;
        settings.w = MakeUniformWeights(3);
        settings.policy = policy == "Self" ? MissingBeliefPolicy::SELF : MissingBeliefPolicy::STALE;
        BeliefReplay replay(MakeBitBeliefs(3), settings);
        replay.Play(m_events);
    }
}

TEST_F(BeliefConsensusTest, WhatOthersHaveToldAheadIsKeptForItsInstant)
{
    // Device 1 has finished all of its instants when device 0 ends its first update
    BeliefMatrix w(2, 2);
    w.values = {0.5, 0.5, 0, 1};
    auto users = MakeUsers(w);
    users.Change(0, {uint64_t(0.5 * FLOPS)});
    Play(std::move(users));
    EXPECT_THAT(GetSources(0, 1), Each("fresh"));
    ExpectNear(GetBeliefs(0), Learn(MakeBitBeliefs(2), w, ROUNDS)[0], 1e-12);
}

TEST_F(BeliefConsensusTest, WhoNeverStartsIsMissing)
{
    auto users = MakeUsers(MakeUniformWeights(3), {{"Deadline", "20ms"}});
    Make(std::move(users));
    m_applications.Get(1)->SetStartTime(Seconds(1));
    m_applications.Get(1)->SetStopTime(MilliSeconds(5));
    GetProcessor(2)->SwitchOff();
    Run();
    EXPECT_THAT(GetEnds(), ElementsAre("finished", "stopped", "stopped"));
    EXPECT_THAT(GetSources(0, 1), Each("missing"));
    ExpectNear(GetBeliefs(0), Learn(MakeBitBeliefs(1), MakeUniformWeights(1), ROUNDS)[0], 0);
}

TEST_F(BeliefConsensusTest, ImproperLiesAreRefused)
{
    const auto w = MakeUniformWeights(3);
    for (const auto& [lie, isLine] : {std::pair("NotANumber", false),
                                      std::pair("Veto", false),
                                      std::pair("NotANumber", true),
                                      std::pair("NegativePrecision", true)})
    {
        SCOPED_TRACE(lie);
        auto users = MakeUsers(w, {{"Rounds", "60"}, {"Deadline", "20ms"}});
        for (uint32_t i = 0; isLine && i < 3; ++i)
        {
            users.models[i] = MakeLineBelief(i);
        }
        users.own[2] = {{"Lie", lie}};
        Play(std::move(users));
        EXPECT_THAT(GetEnds(), Each("finished"));
        for (uint32_t i = 0; i < 2; ++i)
        {
            EXPECT_THAT(GetSources(i, 2), Each("missing"));
            EXPECT_THAT(GetEntries(i, 2), Each(Field(&BeliefWeightsRecord::Entry::weight, 0)));
            EXPECT_THAT(GetSources(i, 1 - i), Each("fresh"));
            const auto refused = MetricOf(i, "messages_refused");
            EXPECT_EQ(std::accumulate(refused.begin(), refused.end(), 0.0), 60);
            EXPECT_THAT(GetEvents(BeliefEvent::REFUSED, i), SizeIs(60));
        }
        ExpectProper(isLine ? *MakeLineBelief(0) : *MakeBitBelief(0, 0));
        if (isLine)
        {
            EXPECT_LT(MetricOf(0, "excess_mse").back(), 0.1);
        }
        else
        {
            EXPECT_GT(MetricOf(0, "belief_true").back(), 0.99);
        }
    }
}

TEST_F(BeliefConsensusTest, NumbersOfAnotherPrecisionOrCountAreNoBelief)
{
    auto users = MakeUsers(MakeUniformWeights(3), {{"Interval", "20ms"}});
    users.own[2] = {{"Lie", "Silence"}};
    Make(std::move(users));
    int64_t ms = 3;
    for (const auto& [count, precision] : {std::pair(4, BeliefPrecision::FLOAT32),
                                           std::pair(0, BeliefPrecision::FLOAT64),
                                           std::pair(3, BeliefPrecision::FLOAT64),
                                           std::pair(5, BeliefPrecision::FLOAT64)})
    {
        const Numbers numbers(count, -1e5);
        Forge(MilliSeconds(ms++), 2, 0, Pack(PublicBelief(numbers, precision)));
    }
    Run();
    EXPECT_THAT(GetEvents(BeliefEvent::REFUSED, 0), SizeIs(4));
    EXPECT_THAT(GetSources(0, 2), Each("missing"));
}

TEST_F(BeliefConsensusTest, SilenceIsMissing)
{
    auto users = MakeUsers(MakeUniformWeights(3), {{"Interval", "20ms"}});
    users.own[2] = {{"Lie", "Silence"}};
    Play(std::move(users));
    EXPECT_THAT(GetEvents(BeliefEvent::SENT, 2), IsEmpty());
    EXPECT_THAT(GetSources(0, 2), Each("missing"));
    EXPECT_THAT(MetricOf(0, "messages_heard"), Each(1));
    EXPECT_THAT(MetricOf(0, "messages_expected"), Each(2));
    EXPECT_THAT(MetricOf(0, "messages_refused"), Each(0));
    EXPECT_FALSE(GetUser(2)->IsHonest());
    EXPECT_TRUE(GetUser(0)->IsHonest());
    EXPECT_THAT(GetSources(2, 0), Each("fresh")) << "it listens all the same";
}

TEST_F(BeliefConsensusTest, FiniteLiesShiftBeliefs)
{
    const auto play = [this](const std::string& lie, const std::string& strength) {
        auto users = MakeUsers(MakeUniformWeights(3), {{"Rounds", "20"}});
        users.own[2] = {{"Lie", lie}, {"LieStrength", strength}};
        Play(std::move(users));
        const auto belief = MetricOf(0, "log_ratio").back();
        EXPECT_THAT(GetEvents(BeliefEvent::REFUSED, 0), IsEmpty());
        ExpectProper(*MakeBitBelief(0, 0));
        return belief;
    };
    const double honest = play("None", "1");
    EXPECT_GT(honest, 0.5);
    EXPECT_LT(play("Wrong", "10"), -5); // the wrong word is 10 nat ahead of all others
    EXPECT_LT(play("Wrong", "20"), -10);
    EXPECT_GT(std::abs(play("Overconfident", "3")), 2 * honest);
}

TEST_F(BeliefConsensusTest, WhatOverflowsIsUndone)
{
    // The third update of device 0, and all pools of device 1
    auto users = MakeUsers(MakeUniformWeights(2));
    users.Change(0, {0, 0, 2});
    users.Change(1, {0, 0, ~0U, true});
    Play(std::move(users));
    Numbers diverged(ROUNDS, 0.0);
    diverged[2] = 1;
    EXPECT_EQ(MetricOf(0, "diverged"), diverged);
    EXPECT_THAT(MetricOf(1, "diverged"), Each(1));
    EXPECT_THAT(MetricOf(1, "self_weight"), Each(1));
    EXPECT_THAT(GetEntries(1, 0), Each(Field(&BeliefWeightsRecord::Entry::weight, 0)))
        << "the pool is not in force";
    ExpectProper(*MakeBitBelief(0, 0));
    // Device 1 learns alone
    auto model = MakeBitBelief(1, 101);
    Belief alone = model->GetPrior();
    for (uint32_t k = 0; k < ROUNDS; ++k)
    {
        alone = model->Update(alone, k);
    }
    EXPECT_EQ(GetBeliefs(1).back(), *alone);
    // Device 0 tells its prior of the third instant
    EXPECT_EQ(GetEvents(BeliefEvent::SENT, 0)[2].numbers,
              model->ToWire(std::make_shared<const Numbers>(GetBeliefs(0)[1])));
}

TEST_F(BeliefConsensusTest, WhatIsOlderReplacesNothing)
{
    auto users =
        MakeUsers(MakeUniformWeights(3), {{"Interval", "20ms"}, {"MissingPolicy", "Stale"}});
    users.own[2] = {{"Lie", "Silence"}};
    Make(std::move(users));
    const auto forge = [this](int64_t ms, uint32_t round, const Numbers& logs) {
        Forge(MilliSeconds(ms), 2, round, Pack(PublicBelief(logs, BeliefPrecision::FLOAT64)));
    };
    forge(45, 1, {0, -1, -2, -3}); // in the third instant, and so too late
    forge(65, 0, {-5, 0, -5, -5}); // even older
    Run();
    const auto sources = GetSources(0, 2);
    EXPECT_EQ(sources[1], "missing");
    EXPECT_EQ(sources[2], "stale");
    BeliefReplay::Settings settings;
    settings.w = MakeUniformWeights(3);
    settings.policy = MissingBeliefPolicy::STALE;
    settings.liars = {2};
    BeliefReplay replay(MakeBitBeliefs(3), settings);
    replay.Play(m_events); // which has the newest
    EXPECT_EQ(replay.pools, 3 * ROUNDS);
}

TEST_F(BeliefConsensusTest, ReliabilityIsTheRadiosOwn)
{
    const std::vector<std::vector<double>> outage = {{0, 0.2, 0.5}, {0.1, 0, 0.3}, {0.4, 0.6, 0}};
    auto users = MakeUsers(MakeUniformWeights(3), {{"Interval", "20ms"}, {"Rounds", "40"}});
    users.reliability = true;
    Make(std::move(users));
    SetOutage(outage);
    Run();
    for (uint32_t i = 0; i < 3; ++i)
    {
        const double sum = 3 - std::accumulate(outage[i].begin(), outage[i].end(), 0.0);
        uint32_t fresh = 0;
        for (const auto& event : GetEvents(BeliefEvent::POOLED, i))
        {
            double self = 1;
            for (const auto& entry : event.entries)
            {
                if (entry.source == "fresh")
                {
                    EXPECT_NEAR(entry.weight, (1 - outage[i][entry.peer]) / sum, 1e-12);
                    self -= entry.weight;
                    ++fresh;
                }
            }
            EXPECT_NEAR(event.entries[0].weight, self, 1e-12);
        }
        // Of each message the chance is 1 - P_D; four standard deviations
        EXPECT_NEAR(fresh, 40 * (sum - 1), 4 * std::sqrt(40 * 2 * 0.25));
    }
}

TEST_F(BeliefConsensusTest, ReliabilityOfWhoIsOutOfRangeIsNothing)
{
    auto users = MakeUsers(MakeUniformWeights(3), {{"Interval", "20ms"}});
    users.reliability = true;
    Make(std::move(users));
    GetRadio(0)->GetPhy()->SetAttribute("RxSensitivity", DoubleValue(0)); // deaf
    Run();
    EXPECT_THAT(MetricOf(0, "self_weight"), Each(1));
    EXPECT_THAT(MetricOf(1, "self_weight"), Each(DoubleNear(1.0 / 3, 1e-15)));
    ExpectNear(GetBeliefs(0), Learn(MakeBitBeliefs(1), MakeUniformWeights(1), ROUNDS)[0], 0);
}

TEST_F(BeliefConsensusTest, RepeatedMessagesGetThrough)
{
    Play(MakeUsers(MakeUniformWeights(3), {{"LossPolicy", "Reliable"}}), 0.3); // 8 attempts
    const auto expected = Learn(MakeBitBeliefs(3), MakeUniformWeights(3), ROUNDS);
    for (uint32_t i = 0; i < 3; ++i)
    {
        ExpectNear(GetBeliefs(i), expected[i], 1e-12);
    }
}

TEST_F(BeliefConsensusTest, BeliefsAreMeasuredAndToldAtTheirIntervals)
{
    Play(MakeUsers(MakeUniformWeights(2), {{"EvaluationInterval", "5"}, {"BeliefInterval", "4"}}));
    const auto measured = MetricOf(0, "belief_true");
    for (uint32_t k = 0; k < ROUNDS; ++k)
    {
        EXPECT_EQ(!std::isnan(measured[k]), k == 4 || k == 9 || k == ROUNDS - 1) << k;
    }
    EXPECT_THAT(MetricOf(0, "self_weight"), Each(0.5));
    const auto told = GetEvents(BeliefEvent::DESCRIBED, 0);
    ASSERT_THAT(told, SizeIs(ROUNDS / 4));
    EXPECT_EQ(told[1].round, 7);
    EXPECT_EQ(told[1].text, "belief_0 belief_1 belief_2 belief_3 ");
    for (std::size_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(told[1].numbers[i], std::exp(GetBeliefs(0)[7][i]));
    }
}

TEST_F(BeliefConsensusTest, EachUserHasAStreamOfItsOwn)
{
    Make(MakeUsers(MakeUniformWeights(3)));
    EXPECT_EQ(BeliefConsensusHelper::AssignStreams(m_applications, 50), 3);
}
