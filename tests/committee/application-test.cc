/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/collab-error.h"
#include "ns3/committee-application.h"
#include "ns3/committee-helper.h"

#include "committee/gradient-learner.h"
#include "support/device-network.h"
#include "support/table-learner.h"
#include <gmock/gmock.h>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;

namespace
{

/// Devices whose gradients pull the model towards targets close to (1, 2, 0.1)
class CommitteeApplicationTest : public tests::DeviceNetwork
{
  protected:
    /// Devices that hear while they send: no message has to be repeated
    void
    MakeFullDuplexDevices(const Options& options)
    {
        MakeDevices(options);
        for (uint32_t i = 0; i < options.devices; ++i)
        {
            GetRadio(i)->SetAttribute("Duplex", StringValue("Full"));
        }
    }

    void
    Run(const std::vector<std::pair<std::string, std::string>>& attributes = {},
        const std::map<uint32_t, CommitteeAgent>& faulty = {})
    {
        m_rounds.clear();
        m_votes.clear();
        m_committees.clear();
        m_ends.clear();
        m_outcomes.clear();
        m_rejects.clear();
        std::vector<CommitteeAgent> agents;
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            CommitteeAgent agent;
            const auto found = faulty.find(i);
            if (found != faulty.end())
            {
                agent = found->second;
            }
            agent.learner = std::make_shared<tests::GradientLearner>(
                std::vector<float>{1 + 0.01F * i, 2, 0.1F * (i % 3)});
            agent.samples = 10 + i;
            agents.push_back(agent);
        }
        m_pool = CreateObject<LearnerPool>();
        CommitteeHelper helper(m_pool, 5);
        helper.SetAttribute("Rounds", UintegerValue(4));
        helper.SetAttribute("CommitteeSize", UintegerValue(4));
        helper.SetAttribute("TrainingClients", UintegerValue(6));
        helper.SetAttribute("GlobalLearningRate", DoubleValue(0.5));
        helper.SetAttribute("QuorumRule", StringValue("Byzantine"));
        helper.SetAttribute("GradientTimeout", TimeValue(Seconds(2)));
        helper.SetAttribute("ScoreTimeout", TimeValue(Seconds(1)));
        helper.SetAttribute("AttemptTimeout", TimeValue(Seconds(1)));
        helper.SetAttribute("ModelTimeout", TimeValue(Seconds(1)));
        for (const auto& [name, value] : attributes)
        {
            helper.SetAttribute(name, StringValue(value));
        }
        helper.AddEvaluation(
            std::make_shared<SharedEvaluation>("global", tests::MakeReference(2, 2)));
        m_applications = helper.Install(m_nodes, agents);
        Connect();
        StopWhenAllEnd(m_applications);
        Simulator::Stop(Seconds(1000));
        Simulator::Run();
    }

    void
    Connect()
    {
        for (uint32_t i = 0; i < m_applications.GetN(); ++i)
        {
            Ptr<Application> application = m_applications.Get(i);
            application->TraceConnectWithoutContext(
                "Round", Callback<void, const RoundRecord&>([this](const RoundRecord& record) {
                    m_rounds.push_back(record);
                }));
            application->TraceConnectWithoutContext(
                "Vote", Callback<void, const VoteRecord&>([this](const VoteRecord& record) {
                    m_votes.push_back(record);
                }));
            application->TraceConnectWithoutContext(
                "Committee",
                Callback<void, const CommitteeRecord&>(
                    [this](const CommitteeRecord& record) { m_committees.push_back(record); }));
            application->TraceConnectWithoutContext(
                "End", Callback<void, uint32_t, bool>([this](uint32_t device, bool done) {
                    m_ends[device] = done;
                }));
            GetTransport(i)->TraceConnectWithoutContext(
                "Outcome",
                Callback<void, const MessageOutcome&>(
                    [this](const MessageOutcome& outcome) { m_outcomes.push_back(outcome); }));
            GetTransport(i)->TraceConnectWithoutContext(
                "Reject",
                Callback<void, uint32_t, const std::string&>(
                    [this](uint32_t, const std::string& reason) { m_rejects.insert(reason); }));
        }
    }

    /// @return final models of the devices that have done all rounds, of which there should be one
    std::set<std::vector<float>>
    FinalModels() const
    {
        std::set<std::vector<float>> models;
        for (uint32_t i = 0; i < m_applications.GetN(); ++i)
        {
            const auto application = DynamicCast<CommitteeApplication>(m_applications.Get(i));
            if (application->IsFinished())
            {
                models.insert(*application->GetModel());
            }
        }
        return models;
    }

    uint32_t
    CountOutcomes(ConsensusOutcome outcome) const
    {
        return static_cast<uint32_t>(std::count_if(
            m_committees.begin(), m_committees.end(), [outcome](const CommitteeRecord& r) {
                return r.outcome == outcome;
            }));
    }

    /// Decisions of honest devices must be the same
    void
    ExpectAgreement(const std::map<uint32_t, CommitteeAgent>& faulty = {}) const
    {
        std::map<std::pair<uint32_t, CommitteeVote>, std::set<Digest>> decided;
        for (const auto& vote : m_votes)
        {
            if (faulty.count(vote.device - m_nodes.Get(0)->GetId()) == 0)
            {
                decided[{vote.round, vote.vote}].insert(vote.digest);
            }
        }
        for (const auto& [vote, digests] : decided)
        {
            EXPECT_EQ(digests.size(), 1) << "round " << vote.first;
        }
    }

    void
    TearDown() override
    {
        m_applications = ApplicationContainer();
        if (m_pool)
        {
            m_pool->Dispose();
            m_pool = nullptr;
        }
        DeviceNetwork::TearDown();
    }

    Ptr<LearnerPool> m_pool;
    ApplicationContainer m_applications;
    std::vector<RoundRecord> m_rounds;
    std::vector<VoteRecord> m_votes;
    std::vector<CommitteeRecord> m_committees;
    std::map<uint32_t, bool> m_ends;
    std::vector<MessageOutcome> m_outcomes;
    std::set<std::string> m_rejects;
};

} // namespace

TEST_F(CommitteeApplicationTest, EveryRoundHasItsRolesAndAgrees)
{
    for (const char* rule : {"Paper", "Byzantine"})
    {
        SCOPED_TRACE(rule);
        MakeFullDuplexDevices({15});
        Run({{"QuorumRule", rule}});
        std::map<uint32_t, std::map<double, int>> roles;
        for (const auto& record : m_rounds)
        {
            ++roles[record.round][record.metrics[0].second];
        }
        ASSERT_EQ(roles.size(), 4);
        for (const auto& [round, counts] : roles)
        {
            EXPECT_EQ(counts.at(0), 5) << round;
            EXPECT_EQ(counts.at(1), 6) << round;
            EXPECT_EQ(counts.at(2), 4) << round;
        }
        EXPECT_EQ(CountOutcomes(ConsensusOutcome::AGREED), 16);
        EXPECT_EQ(m_votes.size(), 32);
        ExpectAgreement();
        EXPECT_TRUE(m_rejects.empty()) << *m_rejects.begin();
        const auto models = FinalModels();
        ASSERT_EQ(models.size(), 1);
        // w <- w - 0.5 (w - t) in four rounds: 1 - 1 / 16 of the way to targets from 1 to 1.14
        EXPECT_GT((*models.begin())[0], 15.0 / 16);
        EXPECT_LT((*models.begin())[0], 15.0 / 16 * 1.15);
        EXPECT_FLOAT_EQ((*models.begin())[1], 2 * 15.0F / 16);
        for (const auto& [device, finished] : m_ends)
        {
            EXPECT_TRUE(finished);
        }
        TearDown();
    }
}

TEST_F(CommitteeApplicationTest, AggregatesAsTheMathematicsSays)
{
    MakeDevices({15});
    Run({{"Rounds", "1"}});
    const auto& vote = m_votes[0];
    EXPECT_EQ(vote.vote, CommitteeVote::AGGREGATION);
    EXPECT_EQ(vote.clients.size(), 2); // 40 % of 6
    double sum = 0;
    double target = 0;
    for (const uint32_t client : vote.clients)
    {
        const uint32_t i = client - m_nodes.Get(0)->GetId();
        sum += 10 + i;
        target += (10 + i) * (1 + 0.01 * i);
    }
    EXPECT_NEAR((*FinalModels().begin())[0], 0.5 * target / sum, 1e-6);
    // The ranking is that of the scores
    const auto& record = m_committees[0];
    EXPECT_EQ(record.ranking.size(), 6);
    EXPECT_EQ(record.gradients, 6);
    EXPECT_EQ(record.missing, 0);
}

TEST_F(CommitteeApplicationTest, MessagesAreWhatTheProtocolNeeds)
{
    MakeFullDuplexDevices({15});
    Run({{"Rounds", "1"}});
    std::map<std::string, int> sent;
    std::map<std::string, uint64_t> bytes;
    for (const auto& outcome : m_outcomes)
    {
        ++sent[outcome.kindName];
        bytes[outcome.kindName] = outcome.bytes;
        EXPECT_TRUE(outcome.delivered);
    }
    EXPECT_EQ(sent["gradient"], 6 * 4);
    // Scores of 4 to 3 others; in each of two votes 3 requests, 3 replies and 3 commits
    EXPECT_EQ(sent["consensus"], 12 + 2 * 9);
    EXPECT_EQ(sent["committee-model"], 14);
    // 5 numbers, 3 elements, authenticator, and the header of a message
    const uint64_t header = bytes["gradient"] - (5 + 3) * 4 - 64;
    EXPECT_LT(header, 40);
}

TEST_F(CommitteeApplicationTest, BroadcastUploadsNeedOneTransmission)
{
    MakeFullDuplexDevices({15});
    Run({{"Upload", "Broadcast"}});
    EXPECT_EQ(CountOutcomes(ConsensusOutcome::AGREED), 16);
    std::set<std::pair<uint32_t, uint32_t>> gradients;
    for (const auto& outcome : m_outcomes)
    {
        if (outcome.kindName == "gradient")
        {
            gradients.emplace(outcome.sender, outcome.sequence);
        }
    }
    EXPECT_EQ(gradients.size(), 4 * 6);
}

TEST_F(CommitteeApplicationTest, HalfDuplexMembersFindAWayToAgree)
{
    MakeDevices({15});
    Run();
    ExpectAgreement();
    EXPECT_EQ(FinalModels().size(), 1);
    for (const auto& record : m_rounds)
    {
        EXPECT_EQ(record.metrics[1].second, 0) << "round " << record.round << " is abandoned";
    }
}

TEST_F(CommitteeApplicationTest, BytesAndReferencesGiveTheSameRun)
{
    std::vector<float> models[2];
    std::vector<Time> ends[2];
    for (const bool bytes : {false, true})
    {
        Options options;
        options.devices = 15;
        options.outage = 0.1;
        options.fidelity = "Packet";
        options.payloadMode = bytes ? "Bytes" : "Reference";
        MakeDevices(options);
        Run();
        models[bytes] = *FinalModels().begin();
        for (const auto& record : m_rounds)
        {
            ends[bytes].push_back(record.end);
        }
        TearDown();
    }
    EXPECT_EQ(models[0], models[1]);
    EXPECT_EQ(ends[0], ends[1]);
}

TEST_F(CommitteeApplicationTest, ForgedGradientsScoreLow)
{
    MakeDevices({15});
    std::map<uint32_t, CommitteeAgent> faulty;
    for (const uint32_t device : {1, 7})
    {
        faulty[device].gradientAttack = "back-gradient";
    }
    Run({}, faulty); // later on gradients are too small to tell
    const uint32_t first = m_nodes.Get(0)->GetId();
    std::size_t trained = 0;
    for (const auto& record : m_committees)
    {
        for (const auto& ranked : record.ranking)
        {
            trained += faulty.count(ranked.client - first);
        }
    }
    EXPECT_GT(trained, 0);
    for (const auto& vote : m_votes)
    {
        for (const uint32_t client : vote.clients)
        {
            EXPECT_EQ(faulty.count(client - first), 0) << "round " << vote.round;
        }
    }
    EXPECT_FLOAT_EQ((*FinalModels().begin())[1], 2 * 15.0F / 16);
}

TEST_F(CommitteeApplicationTest, RefusesAttacksThatItDoesNotKnow)
{
    auto application = CreateObject<CommitteeApplication>();
    EXPECT_THROW(application->SetAttribute("GradientAttack", StringValue("alie:z=")), UserError);
    EXPECT_THROW(application->SetAttribute("GradientAttack", StringValue("frontal")), UserError);
    EXPECT_THROW(application->SetAttribute("Misbehavior", StringValue("naughty")), UserError);
}

TEST_F(CommitteeApplicationTest, LossesNeverMakeMembersDiffer)
{
    for (uint32_t run = 1; run <= 6; ++run)
    {
        SCOPED_TRACE(run);
        Options options;
        options.devices = 12;
        options.outage = run < 4 ? 0.02 : 0.2;
        options.run = run;
        MakeDevices(options);
        Run({{"LossPolicy", "BestEffort"}, {"Rounds", "6"}});
        ExpectAgreement();
        EXPECT_EQ(m_ends.size(), 12);
        EXPECT_EQ(m_rounds.size(), 12 * 6);
        TearDown();
    }
}

TEST_F(CommitteeApplicationTest, ByzantineMembersNeverMakeHonestOnesDiffer)
{
    const std::vector<std::string> behaviors = {"false-scores",
                                                "silent-primary",
                                                "wrong-set",
                                                "equivocate+split-scores",
                                                "lie-about-quorum+forge+equivocate",
                                                "withhold-replies+withhold-commits",
                                                "replay+stale-replies"};
    for (const auto& behavior : behaviors)
    {
        SCOPED_TRACE(behavior);
        MakeDevices({12});
        std::map<uint32_t, CommitteeAgent> faulty;
        faulty[3].misbehavior = behavior;
        Run({{"Rounds", "6"}, {"TrainingClients", "8"}}, faulty);
        ExpectAgreement(faulty);
        EXPECT_EQ(FinalModels().size(), 1);
        EXPECT_EQ(m_rounds.size(), 12 * 6);
        EXPECT_GT(CountOutcomes(ConsensusOutcome::AGREED), 0);
        TearDown();
    }
}

TEST_F(CommitteeApplicationTest, ARoundWithoutGradientsIsAbandonedInTime)
{
    MakeDevices({12});
    // Nobody finishes training before the members lose patience
    Run({{"GradientTimeout", "1ms"}, {"Rounds", "2"}});
    EXPECT_EQ(CountOutcomes(ConsensusOutcome::FEW_CLIENTS), 8);
    const Time longest =
        DynamicCast<CommitteeApplication>(m_applications.Get(0))->GetLongestRound();
    for (const auto& record : m_rounds)
    {
        EXPECT_LE(record.end - record.start, longest);
        EXPECT_EQ(record.metrics[1].second, record.round == 0 ? 0 : 1); // assumed
    }
    const auto models = FinalModels();
    EXPECT_THAT(*models.begin(), ElementsAre(0, 0, 0));
    EXPECT_EQ(models.size(), 1);
}

TEST_F(CommitteeApplicationTest, GoesOnWhenAMemberHasNoEnergyLeft)
{
    MakeDevices({12});
    Simulator::Schedule(Seconds(0.5), [this]() {
        for (const uint32_t device : {0, 1, 2})
        {
            GetRadio(device)->SwitchOff();
            m_nodes.Get(device)->GetObject<Processor>()->SwitchOff();
        }
    });
    Run({{"Rounds", "6"}});
    ExpectAgreement();
    EXPECT_EQ(m_ends.size(), 12);
    EXPECT_EQ(FinalModels().size(), 1);
}
