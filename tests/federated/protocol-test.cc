/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated/federated-network.h"

#include "ns3/collab-error.h"
#include "ns3/collab-packed-message.h"
#include "ns3/collab-table-store.h"
#include "ns3/federated-client-application.h"
#include "ns3/federated-recorder.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace
{

/// Three devices and a server, the last node, that all hear each other
using FederatedTest = tests::FederatedNetwork;

/// @return a vector with the same number in all elements
EncodedVector
Numbers(float value, std::size_t dimension = tests::FederatedNetwork::DIMENSION)
{
    return EncodedVector(std::vector<float>(dimension, value), *MakeCompressor("float32"), 0);
}

/// @return an update with the same number in all elements
Packed<FederatedUpload>
MakeUpdate(float value,
           std::size_t dimension = tests::FederatedNetwork::DIMENSION,
           uint32_t samples = 10)
{
    FederatedUpload update;
    update.samples = samples;
    update.vectors.weights = Numbers(value, dimension);
    return Pack(update);
}

/// @return a model with the same number in all elements
Packed<FederatedModel>
MakeModel(float value, std::vector<uint32_t> participants)
{
    FederatedModel model;
    model.participants = std::move(participants);
    model.vectors.weights = Numbers(value);
    return Pack(model);
}

/// What FedAvg makes of x in a round of the devices with these targets, weighted by samples
double
Average(double x, const std::vector<uint32_t>& devices)
{
    double sum = 0;
    double samples = 0;
    for (const uint32_t k : devices)
    {
        sum += 10.0 * (k + 1) * (x - 0.1 * (x - (k + 1)));
        samples += 10.0 * (k + 1);
    }
    return sum / samples;
}

} // namespace

TEST_F(FederatedTest, AllArriveAndTheModelIsTheWeightedMean)
{
    for (const std::string downlink : {"Broadcast", "Unicast"})
    {
        Make({{"Downlink", downlink}});
        Run();
        ASSERT_THAT(m_participation, SizeIs(ROUNDS));
        double x = 0;
        std::vector<double> expected;
        for (const auto& record : m_participation)
        {
            EXPECT_THAT(record.sampled, ElementsAre(0, 1, 2));
            EXPECT_THAT(record.uploaded, ElementsAre(0, 1, 2));
            x = Average(x, {0, 1, 2});
            expected.push_back(x);
        }
        EXPECT_THAT(*m_server->GetModel(), Each(::testing::FloatNear(x, 1e-6)));
        for (uint32_t k = 0; k < CLIENTS; ++k)
        {
            EXPECT_THAT(MetricOf(k, "accuracy_global"),
                        ::testing::Pointwise(::testing::DoubleNear(1e-6), expected));
            EXPECT_THAT(MetricOf(k, "collaborative"), ElementsAre(1, 1, 1));
            EXPECT_THAT(MetricOf(k, "messages_heard"), ElementsAre(1, 1, 1));
            EXPECT_THAT(MetricOf(k, "messages_expected"), ElementsAre(1, 1, 1));
            EXPECT_TRUE(m_ends.at(k));
        }
        EXPECT_TRUE(m_ends.at(CLIENTS));
        EXPECT_THAT(MetricOf(CLIENTS, "messages_heard"), ElementsAre(3, 3, 3));
        EXPECT_THAT(MetricOf(CLIENTS, "messages_expected"), ElementsAre(3, 3, 3));
        EXPECT_THAT(GetReasons(), IsEmpty());
        EXPECT_THAT(m_late, IsEmpty());
    }
}

TEST_F(FederatedTest, WhoHasTrainedKeepsNoWeightsOfItsOwn)
{
    Make();
    std::size_t rounds = 0;
    m_server->TraceConnectWithoutContext(
        "Participation",
        Callback<void, const ParticipationRecord&>([&](const ParticipationRecord& record) {
            EXPECT_THAT(record.uploaded, SizeIs(CLIENTS));
            for (const auto& learner : m_learners)
            {
                EXPECT_EQ(learner->GetWeights(), m_learners[0]->GetWeights()); // one vector
                EXPECT_TRUE(learner->tasks.back().dropsOptimizer);
            }
            ++rounds;
        }));
    Run();
    EXPECT_EQ(rounds, ROUNDS);
}

TEST_F(FederatedTest, RoundTakesComputingAndAirtime)
{
    Make();
    Run();
    const uint64_t model = 23 + 4 + 3 * 4 + 4 + MakeCompressor("float32")->EncodedSize(DIMENSION);
    const uint64_t update = model - 3 * 4;
    EXPECT_THAT(m_outcomes, Contains(::testing::Field(&MessageOutcome::bytes, model)));
    EXPECT_THAT(m_outcomes, Contains(::testing::Field(&MessageOutcome::bytes, update)));
    // Downlink, 6e6 operations at 6e9 a second, uploads on subchannels of their own
    const Time least = GetRadio(0)->GetPhy()->GetAirtime(model) + MilliSeconds(1) +
                       GetRadio(0)->GetPhy()->GetAirtime(update);
    Time end;
    for (const auto& record : m_rounds)
    {
        if (record.device == CLIENTS && record.round == 0)
        {
            end = record.end;
        }
    }
    EXPECT_GT(end, least);
    EXPECT_LT(end, least + MilliSeconds(2)); // acknowledgments, back-off, aggregation
}

TEST_F(FederatedTest, EveryAlgorithmTravelsWithItsTerms)
{
    for (const std::string algorithm : {"FedProx", "Scaffold", "FedDyn"})
    {
        Make({{"Algorithm", algorithm}, {"Mu", "0.5"}, {"Alpha", "0.25"}});
        Run();
        EXPECT_THAT(GetReasons(), IsEmpty());
        const auto& first = m_learners[0]->tasks.at(0);
        const auto& second = m_learners[0]->tasks.at(1);
        EXPECT_EQ(first.mu, algorithm == "FedProx" ? 0.5 : algorithm == "FedDyn" ? 0.25 : 0.0);
        EXPECT_EQ(first.center != nullptr, algorithm != "Scaffold");
        if (algorithm == "Scaffold")
        {
            // From x = 0: c_k = (0 - 0.1 t) / 0.1 = -t, c their mean -2; correction c - c_0
            EXPECT_THAT(*second.correction, Each(::testing::FloatNear(-2 + 1, 1e-5)));
        }
        if (algorithm == "FedDyn")
        {
            // g_0 = 0 - 0.25 * 0.1
            EXPECT_THAT(*second.correction, Each(::testing::FloatNear(0.025F, 1e-6)));
        }
        std::map<std::string, uint64_t> bytes;
        for (const auto& outcome : m_outcomes)
        {
            bytes[outcome.kindName] = outcome.bytes;
        }
        const uint64_t vectors = algorithm == "Scaffold" ? 2 : 1;
        const uint64_t size = MakeCompressor("float32")->EncodedSize(DIMENSION);
        EXPECT_EQ(bytes.at("update"), 23 + 8 + vectors * size);
    }
}

TEST_F(FederatedTest, FedNovaNormalizesByTheStepsThatTravel)
{
    Make({{"Algorithm", "FedNova"}, {"Rounds", "1"}});
    for (uint32_t k = 0; k < CLIENTS; ++k)
    {
        m_clients.Get(k)->SetAttribute("LocalSteps", UintegerValue(k + 1));
    }
    Run();
    // Changes t (1 - 0.9^tau) over tau, weighed by 1/6, 2/6, 3/6, times the mean tau 14/6
    const double sum = (1 - 0.9) / 1 * 1 + 2 * (1 - 0.81) / 2 * 2 + 3 * (1 - 0.729) / 3 * 3;
    EXPECT_NEAR(m_server->GetModel()->front(), 14.0 / 6 * sum / 6, 1e-6);
    EXPECT_THAT(GetReasons(), IsEmpty());
    const uint64_t size = MakeCompressor("float32")->EncodedSize(DIMENSION);
    EXPECT_THAT(
        m_outcomes,
        Contains(::testing::AllOf(::testing::Field(&MessageOutcome::kindName, "update"),
                                  ::testing::Field(&MessageOutcome::bytes, 23 + 12 + size))));
    Make({{"Algorithm", "FedNova"}, {"MaxSteps", "2"}, {"LocalSteps", "3"}});
    Run();
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("3 steps, expected 1 to 2")));
    EXPECT_THAT(*m_server->GetModel(), Each(0.0F));
}

TEST_F(FederatedTest, FedAvgMKeepsItsMomentum)
{
    Make({{"Algorithm", "FedAvgM"}, {"ServerMomentum", "0.5"}});
    Run();
    double x = 0;
    double v = 0;
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        v = 0.5 * v + Average(x, {0, 1, 2}) - x;
        x += v;
    }
    EXPECT_THAT(*m_server->GetModel(), Each(::testing::FloatNear(x, 1e-6)));
}

TEST_F(FederatedTest, DevicesAddNoiseOfTheirOwnInEveryRun)
{
    constexpr double SIGMA = 0.5;
    std::vector<std::vector<float>> models;
    for (const uint32_t run : {1, 2, 1})
    {
        Options options;
        options.run = run;
        Make({{"Rounds", "1"}, {"UpdatePrivacy", "clip=1e-6,sigma=0.5"}}, options);
        Run();
        models.push_back(*m_server->GetModel()); // nothing but noise
    }
    EXPECT_EQ(models[0], models[2]);
    EXPECT_NE(models[0], models[1]);
    // Weights 1/6, 2/6, 3/6: the same noise in all updates would be as large in their mean
    for (const auto& model : models)
    {
        double squares = 0;
        for (const float value : model)
        {
            squares += double{value} * value;
        }
        EXPECT_NEAR(std::sqrt(squares / DIMENSION), SIGMA * std::sqrt(14.0) / 6, 0.2 * SIGMA);
    }
}

TEST_F(FederatedTest, LostModelIsNoParticipation)
{
    for (const std::string policy : {"Reliable", "BestEffort"})
    {
        Make({{"LossPolicy", policy}});
        Deafen(1);
        Run();
        ASSERT_THAT(m_participation, SizeIs(ROUNDS));
        double x = 0;
        for (const auto& record : m_participation)
        {
            EXPECT_THAT(record.sampled, ElementsAre(0, 1, 2));
            EXPECT_THAT(record.uploaded, ElementsAre(0, 2));
            x = Average(x, {0, 2});
        }
        EXPECT_THAT(*m_server->GetModel(), Each(::testing::FloatNear(x, 1e-6)));
        for (const auto& model : m_models)
        {
            EXPECT_THAT(model.second, ElementsAre(0, 2));
        }
        // Who heard nothing ends all rounds with the model that it has
        EXPECT_THAT(MetricOf(1, "accuracy_global"), ElementsAre(0, 0, 0));
        EXPECT_THAT(MetricOf(1, "collaborative"), ElementsAre(0, 0, 0));
        EXPECT_THAT(MetricOf(1, "messages_heard"), ElementsAre(0, 0, 0));
        EXPECT_THAT(MetricOf(1, "messages_expected"), ElementsAre(1, 1, 1));
        EXPECT_THAT(MetricOf(CLIENTS, "messages_heard"), ElementsAre(2, 2, 2));
        EXPECT_THAT(MetricOf(CLIENTS, "messages_expected"), ElementsAre(3, 3, 3));
        EXPECT_TRUE(m_ends.at(1));
        for (const auto& record : m_rounds)
        {
            if (record.device == CLIENTS)
            {
                // With acknowledgments the server knows that it need not wait
                EXPECT_EQ(record.end - record.start < Seconds(1), policy == "Reliable");
            }
        }
    }
}

TEST_F(FederatedTest, MissedRoundHasTheScoreOfTheModelAtHand)
{
    for (const uint32_t missed : {1U, 2U})
    {
        Make({{"LossPolicy", "BestEffort"}, {"Rounds", "5"}});
        // Device 1 does not hear model number "missed" and hears the next one
        m_server->TraceConnectWithoutContext(
            "Participation",
            Callback<void, const ParticipationRecord&>([&](const ParticipationRecord& record) {
                record.round + 1 == missed ? Deafen(1) : Hear(1);
            }));
        Run();
        ASSERT_THAT(m_participation, SizeIs(5));
        EXPECT_THAT(MetricOf(1, "collaborative")[missed - 1], 0);
        auto scores = MetricOf(0, "accuracy_global");
        scores[missed - 1] = missed == 1 ? 0 : scores[missed - 2];
        EXPECT_THAT(MetricOf(1, "accuracy_global"), ::testing::ElementsAreArray(scores));
    }
    // Who has heard no model yet has its own
    Make({{"LossPolicy", "BestEffort"}});
    m_learners[1]->SetWeights(std::make_shared<const std::vector<float>>(DIMENSION, 7.0F));
    Deafen(1);
    m_server->TraceConnectWithoutContext(
        "Participation",
        Callback<void, const ParticipationRecord&>([&](const ParticipationRecord& record) {
            if (record.round == 1)
            {
                Hear(1);
            }
        }));
    Run();
    EXPECT_THAT(
        MetricOf(1, "accuracy_global"),
        ElementsAre(7, MetricOf(0, "accuracy_global")[1], MetricOf(0, "accuracy_global")[2]));
}

TEST_F(FederatedTest, LostUpdateIsNoParticipation)
{
    Make({{"LossPolicy", "BestEffort"}});
    // The server sends the first model and hears no answer
    Simulator::Schedule(NanoSeconds(1), [this]() { Deafen(CLIENTS); });
    Simulator::Schedule(Seconds(1.9), [this]() { Hear(CLIENTS); });
    Run();
    ASSERT_THAT(m_participation, SizeIs(ROUNDS));
    EXPECT_THAT(m_participation[0].uploaded, IsEmpty());
    EXPECT_THAT(m_models.at(0), ElementsAre(0, 1, 2));
    EXPECT_THAT(MetricOf(0, "sent"), ElementsAre(1, 1, 1));
    EXPECT_THAT(MetricOf(CLIENTS, "aggregated")[0], 0);
    // Nobody in the first round: the model stays
    EXPECT_NEAR(MetricOf(0, "accuracy_global")[0], 0, 0);
    EXPECT_GT(MetricOf(0, "accuracy_global")[1], 0);
}

TEST_F(FederatedTest, StragglersAreLateAndOthersGoOn)
{
    MakeNetwork();
    // 18e9 operations take 3 s, the deadline is 2 s
    MakeApplications({}, {6000000, 18000000000, 6000000});
    Run();
    ASSERT_THAT(m_participation, SizeIs(ROUNDS));
    for (const auto& record : m_participation)
    {
        EXPECT_THAT(record.uploaded, ElementsAre(0, 2));
    }
    // It has the next model when it has trained, and sends nothing
    EXPECT_THAT(m_late, IsEmpty());
    EXPECT_THAT(MetricOf(1, "sent"), Each(0));
    EXPECT_THAT(GetReasons(), IsEmpty());
    EXPECT_TRUE(m_ends.at(1));
    EXPECT_THAT(MetricOf(1, "accuracy_global"), SizeIs(ROUNDS));
    EXPECT_THAT(MetricOf(1, "accuracy_global").back(), MetricOf(0, "accuracy_global").back());
}

TEST_F(FederatedTest, LateUpdatesAreToldAndNotUsed)
{
    MakeNetwork();
    MakeApplications({{"Downlink", "Unicast"}, {"Participation", "0.4"}, {"Rounds", "12"}},
                     {18000000000, 18000000000, 18000000000});
    Run();
    ASSERT_THAT(m_participation, SizeIs(12));
    EXPECT_THAT(*m_server->GetModel(), Each(0.0F));
    // Who is not asked again at once has time to send
    EXPECT_THAT(m_late, ::testing::Not(IsEmpty()));
    for (const auto& [round, device] : m_late)
    {
        EXPECT_THAT(m_participation[round].sampled, Contains(device));
    }
    EXPECT_THAT(GetReasons(), IsEmpty());
}

TEST_F(FederatedTest, ParticipantsAreDrawnAnewFromTheSeed)
{
    std::vector<std::vector<uint32_t>> drawn;
    for (int repetition = 0; repetition < 2; ++repetition)
    {
        Make({{"Participation", "0.34"}, {"Rounds", "10"}});
        Run();
        std::set<uint32_t> all;
        for (std::size_t round = 0; round < 10; ++round)
        {
            const auto sampled = m_participation.at(round).sampled;
            ASSERT_THAT(sampled, SizeIs(1));
            EXPECT_EQ(m_participation[round].uploaded, sampled);
            all.insert(sampled[0]);
            if (repetition == 0)
            {
                drawn.push_back(sampled);
            }
            EXPECT_EQ(sampled, drawn[round]);
        }
        EXPECT_THAT(all, SizeIs(3));
        // A broadcast model is known to all
        EXPECT_THAT(m_models.at(5), SizeIs(3));
    }
}

TEST_F(FederatedTest, NobodyThereChangesNothing)
{
    Make();
    for (uint32_t k = 0; k < CLIENTS; ++k)
    {
        Deafen(k);
    }
    Run();
    ASSERT_THAT(m_participation, SizeIs(ROUNDS));
    EXPECT_THAT(m_participation[0].uploaded, IsEmpty());
    EXPECT_THAT(*m_server->GetModel(), Each(0.0F));
    for (uint32_t i = 0; i <= CLIENTS; ++i)
    {
        EXPECT_TRUE(m_ends.at(i)) << i;
    }
}

TEST_F(FederatedTest, PeersAreNotTrusted)
{
    MakeNetwork();
    MakeApplications({}, {6000000, 600000000, 6000000});
    m_server->SetAttribute("MaxSamples", UintegerValue(100));
    // Not the server's model, and updates that nobody asked for or that lie, while device 1 trains
    Simulator::Schedule(MilliSeconds(30), [this]() {
        GetTransport(0)->Send(1, {0x0401, 0, MakeModel(1e3F, {1})});
        GetTransport(0)->Send(CLIENTS, {0x0402, 0, MakeUpdate(1e3F, DIMENSION + 1)});
        GetTransport(0)->Send(CLIENTS, {0x0402, 0, MakeUpdate(1e3F, DIMENSION, 101)});
        GetTransport(0)->Send(CLIENTS, {0x0402, 7, MakeUpdate(1e3F)});
        GetTransport(0)->Send(CLIENTS, {0x0402, 0, nullptr});
        GetTransport(0)->Send(CLIENTS, {0x0401, 0, MakeModel(1e3F, {})});
        GetTransport(0)->Send(1, {0x0402, 0, MakeUpdate(1e3F)});
    });
    Simulator::Schedule(MilliSeconds(70), [this]() {
        GetTransport(CLIENTS)->Send(1, {0x0401, 9, MakeModel(1e3F, {})});
        GetTransport(CLIENTS)->Send(1, {0x0401, 0, nullptr});
        GetTransport(CLIENTS)->Send(1, {0x0401, 1, MakeModel(1e3F, {2, 1})});
        GetTransport(CLIENTS)->Send(1, {0x0401, 0, MakeModel(1e3F, {1})});
    });
    Run();
    EXPECT_THAT(GetReasons(), SizeIs(11));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("not from the server")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("51 elements")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("101 samples")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("not asked for")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("not new")));
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("ascending")));
    EXPECT_LT(m_server->GetModel()->front(), 1);
}

TEST_F(FederatedTest, ASecondUpdateOfARoundIsRefused)
{
    MakeNetwork();
    MakeApplications({}, {6000000, 600000000, 6000000});
    Simulator::Schedule(MilliSeconds(50), [this]() {
        GetTransport(0)->Send(CLIENTS, {0x0402, 0, MakeUpdate(1e3F)});
    });
    Run();
    EXPECT_THAT(GetReasons(), Contains(HasSubstr("second update")));
    EXPECT_LT(m_server->GetModel()->front(), 1);
}

TEST_F(FederatedTest, TooFewForTheRuleLeaveTheModel)
{
    Make({{"AggregationRule", "krum:f=1"}}); // needs five
    Run();
    EXPECT_THAT(*m_server->GetModel(), Each(0.0F));
    EXPECT_THAT(MetricOf(CLIENTS, "uploaded"), Each(3));
    EXPECT_THAT(MetricOf(CLIENTS, "aggregated"), Each(0));
    Make({{"AggregationRule", "median"}, {"Rounds", "1"}});
    Run();
    EXPECT_THAT(*m_server->GetModel(), Each(::testing::FloatNear(0.2F, 1e-6)));
    EXPECT_THROW(m_server->SetAttribute("AggregationRule", StringValue("best")), UserError);
    EXPECT_THROW(m_server->SetAttribute("Compression", StringValue("zip")), UserError);
}

TEST_F(FederatedTest, EachModelIsCompressedByDrawsOfItsOwn)
{
    std::vector<std::vector<float>> models;
    for (const uint32_t run : {1, 2, 1})
    {
        Options options;
        options.run = run;
        Make({{"Rounds", "3"}}, options);
        m_server->SetAttribute("Compression", StringValue("random-k:fraction=0.5"));
        Run();
        models.push_back(*m_server->GetModel());
    }
    EXPECT_EQ(models[0], models[2]);
    EXPECT_NE(models[0], models[1]);
    // The first model is 0; an element is sent in none of the others, in one of the two, or in both
    EXPECT_THAT(std::set<float>(models[0].begin(), models[0].end()), SizeIs(4));
}

TEST_F(FederatedTest, MaliciousDevicesForgeTheirChanges)
{
    std::map<std::string, float> models;
    for (const std::string attack : {"", "back-gradient", "same-value", "ipm:epsilon=1"})
    {
        Make({{"Rounds", "1"}, {"LocalSteps", "2"}});
        m_clients.Get(0)->SetAttribute("GradientAttack", StringValue(attack));
        Run();
        models[attack] = m_server->GetModel()->front();
    }
    // Targets 1, 2, 3 and samples 10, 20, 30: changes t (1 - 0.9^2) weighed by 1/6, 2/6, 3/6
    const double unit = (1 - 0.81) / 6;
    EXPECT_NEAR(models[""], 14 * unit, 1e-6);
    EXPECT_NEAR(models["back-gradient"], 12 * unit, 1e-6);
    EXPECT_NEAR(models["same-value"], 13 * unit, 1e-6);
    EXPECT_NEAR(models["ipm:epsilon=1"], 12 * unit, 1e-6); // it knows no accomplice but itself
    // Privacy of the others does not bind it: they clip theirs to nearly nothing
    Make({{"Rounds", "1"}, {"LocalSteps", "2"}});
    for (uint32_t k = 0; k < CLIENTS; ++k)
    {
        m_clients.Get(k)->SetAttribute("UpdatePrivacy", StringValue("clip=1e-6,sigma=1e-8"));
    }
    m_clients.Get(0)->SetAttribute("GradientAttack", StringValue("back-gradient"));
    Run();
    EXPECT_NEAR(m_server->GetModel()->front(), -unit, 1e-5);
    Make();
    EXPECT_THROW(m_clients.Get(0)->SetAttribute("GradientAttack", StringValue("frontal")),
                 UserError);
}
