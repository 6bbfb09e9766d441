/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/memory-store.h"
#include "support/quadratic-learner.h"

#include "ns3/collab-packed-message.h"
#include "ns3/collab-table-store.h"
#include "ns3/gossip-application.h"
#include "ns3/gossip-brain-torrent-application.h"
#include "ns3/gossip-fl-application.h"
#include "ns3/gossip-helper.h"
#include "ns3/gossip-merge.h"
#include "ns3/gossip-messages.h"
#include "ns3/gossip-recorder.h"
#include "ns3/gossip-segmented-application.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <map>
#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using tests::QuadraticLearner;

namespace
{

constexpr uint32_t DEVICES = 5;
constexpr uint32_t ROUNDS = 12;
constexpr uint32_t DIMENSION = 40;
constexpr uint64_t SEED = 11;
const std::string BRAIN_TORRENT = "BrainTorrent";
const std::string GOSSIP_FL = "GossipFl";
const std::string SEGMENTED = "SegmentedGossip";
const std::vector<std::string> ALL = {BRAIN_TORRENT, GOSSIP_FL, SEGMENTED};
/// Longest waits in a round [s], as MakeApplications() sets them
const std::map<std::string, double> LONGEST_ROUND = {
    {BRAIN_TORRENT, 4}, {GOSSIP_FL, 1 + 2}, {SEGMENTED, 2}};

/// What a user may call timeouts
const std::map<std::string, std::string> NAMES = {{"VersionTimeout", "version"},
                                                  {"FetchTimeout", "fetch"},
                                                  {"TurnTimeout", "turn"},
                                                  {"MatchTimeout", "match"},
                                                  {"ExchangeTimeout", "exchange"},
                                                  {"PullTimeout", "pull"},
                                                  {"AnnounceTime", "announce"}};
constexpr uint64_t TEN_SECONDS = 60000000000; //!< of training, longer than any patience
constexpr uint64_t TENTH = 600000000;         //!< of training, a tenth of a second

/// Devices that all hear each other
class GossipTest : public tests::DeviceNetwork
{
  protected:
    void
    MakeNetwork(Options options = {}, const std::string& duplex = "Full")
    {
        options.devices = DEVICES;
        options.duplex = duplex;
        MakeDevices(options);
    }

    /// Install an algorithm, device k with the target k + 1 in all elements and 10 (k + 1) samples
    void
    MakeApplications(const std::string& algorithm,
                     const tests::Attributes& attributes = {},
                     const std::map<uint32_t, uint64_t>& trainFlops = {})
    {
        std::vector<GossipAgent> agents;
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            const auto flops = trainFlops.find(k);
            GossipAgent agent;
            agent.learner = std::make_shared<QuadraticLearner>(
                std::vector<float>(DIMENSION, k + 1.0F),
                1,
                0.1,
                flops == trainFlops.end() ? 6000000 : flops->second);
            agent.samples = 10 * (k + 1);
            agent.evaluations = {{"global", std::make_shared<const DataView>()}};
            agents.push_back(agent);
        }
        GossipHelper helper("ns3::collab::" + algorithm + "Application", MakePool(), SEED);
        const std::map<std::string, tests::Attributes> own = {
            {BRAIN_TORRENT,
             {{"VersionTimeout", "1s"}, {"FetchTimeout", "2s"}, {"TurnTimeout", "4s"}}},
            {GOSSIP_FL, {{"Fraction", "0.5"}, {"MatchTimeout", "1s"}, {"ExchangeTimeout", "2s"}}},
            {SEGMENTED, {{"Segments", "4"}, {"PullTimeout", "2s"}}}};
        SetAttributes(helper, {{"Rounds", std::to_string(ROUNDS)}, {"LocalEpochs", "1"}});
        SetAttributes(helper, own.at(algorithm));
        SetAttributes(helper, attributes);
        Watch(helper.Install(m_nodes, agents));
        Collect("Exchange", m_exchanges);
        m_pairs.clear();
        if (algorithm == GOSSIP_FL)
        {
            Collect("Pairs", m_pairs);
        }
    }

    /// Make a network without loss, and the applications on it
    void
    Make(const std::string& algorithm,
         const tests::Attributes& attributes = {},
         const std::map<uint32_t, uint64_t>& trainFlops = {})
    {
        MakeNetwork();
        MakeApplications(algorithm, attributes, trainFlops);
    }

    void
    Run()
    {
        ProtocolBench::Run(Seconds(10000));
    }

    /// All devices have done all rounds, none of which took longer than it may
    void
    ExpectBounded(const std::string& algorithm) const
    {
        ASSERT_THAT(m_ends, SizeIs(DEVICES));
        for (const auto& [device, done] : m_ends)
        {
            EXPECT_TRUE(done) << algorithm << " " << device;
        }
        for (const auto& record : m_rounds)
        {
            // 2 s of announcements, training and merging of milliseconds
            const double first = record.round == 0 ? 2 : 0;
            EXPECT_LT((record.end - record.start).GetSeconds(),
                      LONGEST_ROUND.at(algorithm) + first + 0.1)
                << algorithm << " " << record.round;
        }
    }

    /// Run it; @return the warning of short waits
    std::string
    RunAndFindShortWaits()
    {
        tests::MemoryStore store;
        const GossipRecorder recorder(store, m_applications);
        Run();
        return recorder.FindShortWaits(NAMES);
    }

    /// Send a message in the name of a protocol
    template <typename T>
    void
    SendAs(uint32_t from, uint32_t to, uint32_t round, T message)
    {
        GetTransport(from)->Send(to, {GetKind<T>(), round, Pack(std::move(message))});
    }

    std::vector<GossipExchange> m_exchanges;
    std::vector<GossipPairsRecord> m_pairs;
};

/// @tparam T a message of weights
/// @param numbers that the model, or the part, has
/// @param weights how many are sent
/// @param value of all of them
/// @return the message
template <typename T>
T
MakeWeights(std::size_t numbers, std::size_t weights, float value)
{
    T message;
    message.samples = 10;
    message.numbers = numbers;
    message.values = std::make_shared<const std::vector<float>>(weights, value);
    return message;
}

/// A part of a model, all weights alike
gossip::Part
MakePart(std::size_t numbers, float value)
{
    return MakeWeights<gossip::Part>(numbers, numbers, value);
}

/// A step of the learner of device k from x
double
Step(double x, uint32_t k)
{
    return x - 0.1 * (x - (k + 1));
}

} // namespace

TEST_F(GossipTest, BrainTorrentMergesWhatIsNewer)
{
    Make(BRAIN_TORRENT);
    Run();
    ExpectBounded(BRAIN_TORRENT);
    EXPECT_THAT(GetReasons(), IsEmpty());
    std::vector<double> models;
    std::vector<uint32_t> versions(DEVICES, 1);
    std::vector<std::vector<uint32_t>> merged(DEVICES, std::vector<uint32_t>(DEVICES, 0));
    for (uint32_t k = 0; k < DEVICES; ++k)
    {
        models.push_back(Step(0, k));
    }
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        const uint32_t own = DrawDevice(Ids(), SEED, round);
        double sum = 10.0 * (own + 1) * models[own];
        double samples = 10.0 * (own + 1);
        uint32_t newer = 0;
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            if (k != own && versions[k] > merged[own][k])
            {
                sum += 10.0 * (k + 1) * models[k];
                samples += 10.0 * (k + 1);
                merged[own][k] = versions[k];
                ++newer;
            }
        }
        models[own] = Step(sum / samples, own);
        ++versions[own];
        EXPECT_EQ(MetricOf(own, "merged")[round], newer) << round;
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            EXPECT_NEAR(MetricOf(k, "accuracy_global")[round], models[k], 1e-5) << round;
        }
    }
    for (uint32_t k = 0; k < DEVICES; ++k)
    {
        EXPECT_EQ(DynamicCast<BrainTorrentApplication>(m_applications.Get(k))->GetVersion(),
                  versions[k]);
        EXPECT_THAT(MetricOf(k, "missing"), Each(0));
    }
}

TEST_F(GossipTest, GossipFlTakesTheMeanOfPairs)
{
    Make(GOSSIP_FL, {{"Fraction", "1"}});
    Run();
    ExpectBounded(GOSSIP_FL);
    EXPECT_THAT(GetReasons(), IsEmpty());
    std::vector<double> models(DEVICES, 0);
    ASSERT_THAT(m_pairs, SizeIs(ROUNDS));
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        EXPECT_EQ(m_pairs[round].coordinator, DrawDevice(Ids(), SEED, round));
        ASSERT_THAT(m_pairs[round].pairs, SizeIs(2)); // one of five is left over
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            models[k] = Step(models[k], k);
        }
        for (const auto& [first, second] : m_pairs[round].pairs)
        {
            const double mean = (models[first] + models[second]) / 2;
            models[first] = mean;
            models[second] = mean;
        }
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            EXPECT_NEAR(MetricOf(k, "accuracy_global")[round], models[k], 1e-5) << round;
        }
    }
}

TEST_F(GossipTest, GossipFlSendsTheMaskedPartOnly)
{
    Make(GOSSIP_FL, {{"Fraction", "0.25"}});
    Run();
    for (const auto& outcome : m_outcomes)
    {
        if (outcome.kindName == "part")
        {
            EXPECT_EQ(outcome.bytes, 23U + 8 + 4 * 10);
        }
    }
    const auto model = *DynamicCast<GossipApplication>(m_applications.Get(0))
                            ->GetModel(); // some more often merged
    EXPECT_GT(std::set<float>(model.begin(), model.end()).size(), 2U);
}

TEST_F(GossipTest, AnnouncedRatesAreThoseOfTheLinks)
{
    Options options;
    options.outage = 0.2;
    MakeNetwork(options);
    MakeApplications(GOSSIP_FL);
    Run();
    ASSERT_THAT(m_pairs, ::testing::Not(IsEmpty()));
    const double bytes = 100000;
    const double rate = bytes * 8 / GetTransport(0)->GetAirtime(100000).GetSeconds();
    for (const auto& record : m_pairs)
    {
        EXPECT_THAT(record.rates, Each(::testing::DoubleNear(0.8 * rate, 1)));
    }
}

TEST_F(GossipTest, WhoIsOutOfReachIsNotPaired)
{
    Make(GOSSIP_FL,
         {{"Rounds", "30"}, {"AnnounceInterval", "1"}, {"MatchTimeout", "100ms"}},
         {{0, TENTH}, {1, TENTH}, {2, TENTH}, {3, TENTH}, {4, TENTH}});
    const Time deaf = Seconds(2.5);        // the first round begins after two announcements, at 2 s
    const Time told = deaf + Seconds(2.5); // it waits for a part until ExchangeTimeout, 2 s
    Simulator::Schedule(deaf, [this]() {
        Deafen(4); // -60 dBm arrive
    });
    Run();
    std::size_t before = 0;
    std::size_t after = 0;
    for (const auto& record : m_pairs)
    {
        const bool paired = std::any_of(record.pairs.begin(),
                                        record.pairs.end(),
                                        [](const GossipPair& pair) { return pair.second == 4; });
        before += paired && record.time < deaf ? 1 : 0;
        after += paired && record.time > told ? 1 : 0;
    }
    EXPECT_GT(before, 0U);
    ASSERT_GT(m_pairs.back().time, told + Seconds(2));
    EXPECT_EQ(after, 0U) << "a device that hears nobody has told so";
}

TEST_F(GossipTest, AnnouncementsThatTakeTooLongLeaveDevicesWithoutPairs)
{
    Make(GOSSIP_FL, {{"AnnounceTime", "1us"}}); // on air for longer
    const std::string warning = RunAndFindShortWaits();
    std::size_t told = 0;
    for (const auto& record : m_pairs)
    {
        told += record.pairs.size();
    }
    EXPECT_LT(told, 2 * 2U) << "of 12 rounds only the last one's coordinator has heard of links";
    EXPECT_THAT(warning,
                HasSubstr(fmt::format(
                    "warning: coordinators told {} pairs of 24, and who was left over trained "
                    "alone: they knew of too few links when they matched (announce 1e-06 s)",
                    told)));
}

TEST_F(GossipTest, RatesAreAsGreatAsTheirSizeSays)
{
    Make(GOSSIP_FL);
    EXPECT_EQ(RunAndFindShortWaits(), "");
    uint64_t greatest = 0;
    for (const auto& outcome : m_outcomes)
    {
        greatest = std::max(greatest, outcome.kindName == "rates" ? outcome.bytes : 0);
    }
    EXPECT_EQ(greatest, GossipFlApplication::GetRatesSize(DEVICES));
}

TEST_F(GossipTest, SegmentsFromAllMakeTheWeightedMean)
{
    Make(SEGMENTED, {{"Replicas", "4"}});
    Run();
    ExpectBounded(SEGMENTED);
    EXPECT_THAT(GetReasons(), IsEmpty());
    double x = 0;
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        double sum = 0;
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            sum += 10.0 * (k + 1) * Step(x, k);
        }
        x = sum / 150;
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            EXPECT_NEAR(MetricOf(k, "accuracy_global")[round], x, 1e-5) << round;
            EXPECT_EQ(MetricOf(k, "merged")[round], 16);
            EXPECT_EQ(MetricOf(k, "messages_heard")[round], 16);
            EXPECT_EQ(MetricOf(k, "messages_expected")[round], 16);
        }
    }
}

TEST_F(GossipTest, ATurnTakesComputingAndAirtime)
{
    Make(BRAIN_TORRENT, {}, {{0, 60000000}});
    Run();
    const uint64_t model = 23 + 8 + 4 * DIMENSION;
    const uint64_t merge = CountMergeFlops(DIMENSION, DIMENSION * 4);
    for (const auto& record : m_rounds)
    {
        const uint32_t own = DrawDevice(Ids(), SEED, record.round);
        if (record.device == own && record.round > 0 && record.metrics[0].second > 0)
        {
            // Ping and version, fetch and model; 6e9 operations a second
            const Time least = GetRadio(0)->GetPhy()->GetAirtime(model) +
                               Seconds((own == 0 ? 60e6 : 6e6) / 6e9) +
                               (GetRadio(0)->GetPhy()->GetAirtime(23 + 4) * 2 +
                                GetRadio(0)->GetPhy()->GetAirtime(23 + 8));
            const Time took = record.end - record.start;
            EXPECT_GT(took, least);
            EXPECT_LT(took, least + Seconds(merge / 6e9) + MilliSeconds(4)); // acknowledgments
        }
    }
}

TEST_F(GossipTest, WhoeverIsDeafDelaysNobodyForLong)
{
    for (const auto& algorithm : ALL)
    {
        for (const std::string policy : {"Reliable", "BestEffort"})
        {
            Make(algorithm, {{"LossPolicy", policy}});
            Deafen(1);
            const std::string warning = RunAndFindShortWaits();
            EXPECT_THAT(warning, HasSubstr("peers that had trained, or were gone")) << algorithm;
            EXPECT_THAT(warning, Not(HasSubstr("still trained"))) << algorithm;
            ExpectBounded(algorithm);
            EXPECT_THAT(MetricOf(1, "merged"), Each(0)) << algorithm;
            EXPECT_THAT(MetricOf(1, "messages_heard"), Each(0)) << algorithm;
            EXPECT_EQ(MetricOf(1, "messages_expected"), MetricOf(1, "missing")) << algorithm;
            EXPECT_THAT(MetricOf(0, "merged"), Contains(::testing::Gt(0))) << algorithm;
        }
    }
}

TEST_F(GossipTest, WhatTheRadioGivesUpIsSentAgain)
{
    for (const auto& algorithm : {BRAIN_TORRENT, SEGMENTED})
    {
        std::map<std::string, double> merged;
        for (const std::string retries : {"0", "10"})
        {
            Options options;
            options.outage = 0.9;
            MakeNetwork(options);
            MakeApplications(algorithm, {{"Retries", retries}});
            Run();
            for (uint32_t k = 0; k < DEVICES; ++k)
            {
                const auto counts = MetricOf(k, "merged");
                merged[retries] += std::accumulate(counts.begin(), counts.end(), 0.0);
            }
        }
        EXPECT_GT(merged["10"], 1.2 * merged["0"]) << algorithm << " " << merged["0"];
    }
}

TEST_F(GossipTest, AMissedTurnIsNotTakenLater)
{
    MakeNetwork();
    const auto turn = [this](uint32_t round) { return DrawDevice(Ids(), SEED, round); };
    // The first turn of a device, after two of others
    uint32_t missed = 2;
    std::set<uint32_t> before = {turn(0), turn(1)};
    while (before.count(turn(missed)) > 0 || turn(missed) == turn(missed + 1))
    {
        before.insert(turn(missed++));
        ASSERT_LT(missed, 20U);
    }
    MakeApplications(BRAIN_TORRENT, {{"Rounds", std::to_string(missed + 3)}});
    // Its silence costs others a second a turn. It hears again while they wait for its own turn,
    // which it does not know of, and then of the one after that.
    Deafen(turn(missed));
    Simulator::Schedule(Seconds(missed + 2), [this, device = turn(missed)]() { Hear(device); });
    Run();
    ExpectBounded(BRAIN_TORRENT);
    for (const auto& outcome : m_outcomes)
    {
        EXPECT_FALSE(outcome.kindName == "ping" && outcome.round == missed)
            << missed << " " << outcome.sender << " " << outcome.queued.GetSeconds();
    }
    EXPECT_EQ(MetricOf(turn(missed), "missing")[missed], DEVICES - 1);
}

TEST_F(GossipTest, SlowDevicesDelayOthersNoLongerThanTheTimeouts)
{
    for (const auto& algorithm : ALL)
    {
        Make(algorithm, {}, {{2, TEN_SECONDS}});
        EXPECT_THAT(RunAndFindShortWaits(), HasSubstr("peers while some still trained"))
            << algorithm;
        ASSERT_THAT(m_ends, SizeIs(DEVICES));
        for (const auto& record : m_rounds)
        {
            if (record.device != 2)
            {
                EXPECT_LT((record.end - record.start).GetSeconds(),
                          LONGEST_ROUND.at(algorithm) + 2.1)
                    << algorithm;
            }
        }
        EXPECT_THAT(MetricOf(0, "merged"), Contains(::testing::Gt(0))) << algorithm;
    }
}

TEST_F(GossipTest, APartWaitsForItsRoundWhenThatOfTheNextOneIsThere)
{
    MakeNetwork();
    constexpr uint32_t SLOW = 2;
    MakeApplications(GOSSIP_FL, {}, {{SLOW, TEN_SECONDS}});
    // Its partner has sent its part of round 0, and will be a round ahead and matched with it again
    Simulator::Schedule(Seconds(3), [this]() {
        for (const auto& [first, second] : m_pairs.at(0).pairs)
        {
            if (first == SLOW || second == SLOW)
            {
                const uint32_t partner = (first == SLOW ? second : first);
                SendAs(partner, SLOW, 1, MakePart(DIMENSION / 2, 1.0F));
            }
        }
    });
    Run();
    EXPECT_EQ(MetricOf(SLOW, "merged")[0], 1);
}

TEST_F(GossipTest, PairsThatDoNotComeInTimeAreMissing)
{
    MakeNetwork();
    const auto coordinator = [this](uint32_t r) { return DrawDevice(Ids(), SEED, r); };
    const uint32_t slow = coordinator(0);
    uint32_t round = 1; // whose pairs it tells when it has trained in round 0, or later
    while (coordinator(round) != slow)
    {
        ASSERT_LT(++round, ROUNDS);
    }
    MakeApplications(GOSSIP_FL, {}, {{slow, TEN_SECONDS}});
    EXPECT_THAT(RunAndFindShortWaits(), HasSubstr("match 1 s"));
    uint32_t missing = 0;
    for (uint32_t k = 0; k < DEVICES; ++k)
    {
        if (k != slow)
        {
            EXPECT_EQ(MetricOf(k, "missing")[round], 1) << k;
            EXPECT_EQ(MetricOf(k, "messages_expected")[round], 1) << k;
            EXPECT_EQ(MetricOf(k, "messages_heard")[round], 0) << k;
        }
    }
    for (const auto& exchange : m_exchanges)
    {
        const bool isLate = exchange.timeout == "MatchTimeout" && exchange.peer == slow;
        missing += isLate && exchange.round == round ? 1 : 0;
    }
    EXPECT_EQ(missing, DEVICES - 1);
}

TEST_F(GossipTest, PeersThatDoNotTellTheirVersionAreMissing)
{
    MakeNetwork();
    const uint32_t first = DrawDevice(Ids(), SEED, 0);
    const uint32_t slow = (first + 1) % DEVICES;
    MakeApplications(BRAIN_TORRENT, {{"Rounds", "1"}}, {{slow, TEN_SECONDS}});
    EXPECT_THAT(RunAndFindShortWaits(),
                HasSubstr("1 times of 4: these exchanges are missing (version 1 s)"));
    EXPECT_EQ(MetricOf(first, "merged")[0], DEVICES - 2);
    EXPECT_EQ(MetricOf(first, "missing")[0], 1);
    EXPECT_EQ(MetricOf(first, "messages_expected")[0], DEVICES - 1);
}

TEST_F(GossipTest, TurnsThatAreCutMissTheirModels)
{
    for (const bool isOwn : {true, false})
    {
        MakeNetwork();
        const uint32_t first = DrawDevice(Ids(), SEED, 0);
        const uint32_t slow = isOwn ? first : (first + 1) % DEVICES;
        MakeApplications(
            BRAIN_TORRENT, {{"Rounds", "1"}, {"VersionTimeout", "100s"}}, {{slow, TEN_SECONDS}});
        // Only of the slow one it is known that it trains
        EXPECT_THAT(RunAndFindShortWaits(),
                    HasSubstr(fmt::format("{} times of 4: these exchanges are missing (turn 4 s)",
                                          isOwn ? 4 : 1)));
        EXPECT_EQ(MetricOf(first, "merged")[0], 0);
        EXPECT_EQ(MetricOf(first, "missing")[0], DEVICES - 1);
        EXPECT_EQ(MetricOf(first, "messages_expected")[0], DEVICES - 1);
    }
}

TEST_F(GossipTest, ModelsOfATurnThatIsCutAreNotMerged)
{
    MakeNetwork();
    const uint32_t first = DrawDevice(Ids(), SEED, 0);
    const uint32_t deaf = (first + 1) % DEVICES; // once it was asked for its version
    MakeApplications(BRAIN_TORRENT, {{"Rounds", "1"}, {"FetchTimeout", "100s"}});
    GetTransport(first)->TraceConnectWithoutContext(
        "Outcome", Callback<void, const MessageOutcome&>([this, deaf](const MessageOutcome& o) {
            if (o.kindName == "ping" && o.receiver == deaf)
            {
                Deafen(deaf);
            }
        }));
    Run();
    EXPECT_EQ(MetricOf(first, "merged")[0], 0);
    EXPECT_EQ(MetricOf(first, "missing")[0], DEVICES - 1);
    EXPECT_EQ(MetricOf(first, "messages_heard")[0], 0);
    EXPECT_THAT(m_exchanges, SizeIs(DEVICES - 1));
    for (const auto& exchange : m_exchanges)
    {
        EXPECT_FALSE(exchange.received);
        EXPECT_EQ(exchange.timeout, "TurnTimeout");
        EXPECT_GT(exchange.part, 0U) << "its version was told";
    }
}

TEST_F(GossipTest, OnlyATrainingOfTheRoundOrBeforeMakesOthersWait)
{
    Make(SEGMENTED, {{"Rounds", "2"}, {"PullTimeout", "30s"}}, {{1, TEN_SECONDS}});
    std::vector<double> durations; // of rounds 0 and 1, at two times [s]
    for (const double time : {9.0, 15.0})
    {
        Simulator::Schedule(Seconds(time), [this, &durations]() {
            const auto application = DynamicCast<GossipApplication>(m_applications.Get(1));
            durations.push_back(application->GetTrainingDuration(0).GetSeconds());
            durations.push_back(application->GetTrainingDuration(1).GetSeconds());
            const auto other = DynamicCast<GossipApplication>(m_applications.Get(0)); // it waits
            EXPECT_EQ(other->GetTrainingDuration(1), Time());
        });
    }
    Run();
    EXPECT_THAT(durations, ::testing::ElementsAre(10, 10, 0, 10));
    const auto application = DynamicCast<GossipApplication>(m_applications.Get(1));
    EXPECT_EQ(application->GetTrainingDuration(1), Time());
}

TEST_F(GossipTest, TurnsOfOthersAndForgedModelsAreRefused)
{
    Make(BRAIN_TORRENT, {}, {{0, 600000000}, {1, 600000000}});
    Simulator::Schedule(MilliSeconds(50), [this]() {
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            if (DrawDevice(Ids(), SEED, round) != 4)
            {
                SendAs(4, 2, round, gossip::Done());
                SendAs(4, 2, round, gossip::Ping());
            }
        }
        SendAs(4, 2, ROUNDS, gossip::Version{1});
        GetTransport(4)->Send(2, {gossip::Ping::KIND, 0, nullptr});
        auto model = MakeWeights<gossip::Model>(DIMENSION, DIMENSION, 1e6F);
        model.version = 9;
        SendAs(4, 2, 0, model);
    });
    Run();
    ExpectBounded(BRAIN_TORRENT);
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("another device's")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("not asked for")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("no ping")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("for a round of this run")));
    EXPECT_THAT(MetricOf(2, "accuracy_global"), Each(::testing::Lt(6)));
}

TEST_F(GossipTest, ForgedPairsAndPartsAreRefused)
{
    Make(GOSSIP_FL);
    const uint32_t liar = DrawDevice(Ids(), SEED, 1); // coordinator of round 1
    const uint32_t victim = (liar + 1) % DEVICES;
    Simulator::Schedule(MilliSeconds(1990), [this, liar, victim]() {
        SendAs(victim, liar, 1, gossip::Pairs{{{0, 1}}});
        SendAs(liar, victim, 1, gossip::Pairs{{{0, 0}}});
        SendAs(liar, victim, 1, gossip::Pairs{{{0, 1, 2}}});
        SendAs(liar, victim, 1, gossip::Pairs{{{0, 100}}});
        SendAs(liar, victim, 0, gossip::Rates{{{1, 2}}});
        SendAs(liar, victim, 1, MakePart(7, 1e6F));
    });
    Simulator::Schedule(Seconds(2.01), [this, liar, victim]() {
        SendAs(liar, victim, 0, MakePart(DIMENSION / 2, 1e6F));
    });
    Run();
    ExpectBounded(GOSSIP_FL);
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("not the coordinator")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("unknown or twice")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("left over")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("no rates")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("7 numbers in weights, expected 20")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("round that is over")));
    EXPECT_THAT(MetricOf(victim, "accuracy_global"), Each(::testing::Lt(6)));
}

TEST_F(GossipTest, SegmentsThatNobodyAskedForAreRefused)
{
    Make(SEGMENTED, {{"Rounds", "3"}}, {{1, 600000000}});
    Simulator::Schedule(MilliSeconds(50), [this]() {
        auto segment = MakeWeights<gossip::Segment>(DIMENSION, DIMENSION / 4, 1e6F);
        segment.segments = 4;
        for (segment.segment = 0; segment.segment < 5; ++segment.segment)
        {
            SendAs(0, 1, 0, segment); // it trains still
        }
        SendAs(0, 1, 0, gossip::Pull{4});
        SendAs(0, 1, 2, gossip::Pull{3});
        SendAs(0, 1, 2, gossip::Pull{3});
    });
    Run();
    ExpectBounded(SEGMENTED);
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("not asked for")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("no segment")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("waits already")));
    Time begin; // of the last round of device 1, which was asked for in the first one
    for (const auto& record : m_rounds)
    {
        begin = record.device == 1 && record.round == 2 ? record.start : begin;
    }
    for (const auto& outcome : m_outcomes)
    {
        if (outcome.kindName == "segment" && outcome.sender == 1 && outcome.round == 2)
        {
            EXPECT_GT(outcome.queued, begin);
        }
    }
    EXPECT_THAT(MetricOf(1, "accuracy_global"), Each(::testing::Lt(6)));
}

TEST_F(GossipTest, WhoMissesThePairsAnswersItsPartner)
{
    Make(GOSSIP_FL, {{"LossPolicy", "BestEffort"}, {"Rounds", "1"}});
    const uint32_t coordinator = DrawDevice(Ids(), SEED, 0);
    // The pairs go out at 2 s, and everything after that by links that lose nothing
    for (uint32_t k = 0; k < DEVICES; ++k)
    {
        if (k != coordinator)
        {
            Simulator::Schedule(Seconds(1.9999), [this, k]() { Deafen(k); });
            Simulator::Schedule(Seconds(2.0005), [this, k]() { Hear(k); });
        }
    }
    Run();
    ExpectBounded(GOSSIP_FL);
    uint32_t merged = 0;
    for (uint32_t k = 0; k < DEVICES; ++k)
    {
        merged += MetricOf(k, "merged")[0] > 0 ? 1 : 0;
    }
    const auto& pairs = m_pairs.at(0).pairs;
    const bool coordinates = std::any_of(pairs.begin(), pairs.end(), [&](const GossipPair& pair) {
        return pair.first == coordinator || pair.second == coordinator;
    });
    EXPECT_EQ(merged, coordinates ? 2U : 0U); // only the coordinator knows its partner
}
