/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/quadratic-learner.h"
#include "support/round-metrics.h"
#include "support/table-learner.h"

#include "ns3/collab-error.h"
#include "ns3/committee-application.h"
#include "ns3/committee-helper.h"
#include "ns3/d2d-partition-outage-model.h"
#include "ns3/pointer.h"

#include <algorithm>
#include <cmath>
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
    MakeFullDuplexDevices(Options options)
    {
        options.duplex = "Full";
        MakeDevices(options);
    }

    void
    Run(const tests::Attributes& attributes = {},
        const std::map<uint32_t, CommitteeAgent>& faulty = {})
    {
        std::vector<CommitteeAgent> agents;
        for (const uint32_t i : Ids())
        {
            CommitteeAgent agent;
            const auto found = faulty.find(i);
            if (found != faulty.end())
            {
                agent = found->second;
            }
            agent.learner = std::make_shared<tests::QuadraticLearner>(
                std::vector<float>{1 + 0.01F * i, 2, 0.1F * (i % 3)}, 1, 0.1, m_trainFlops);
            agent.samples = agent.samples > 0 ? agent.samples : 10 + i;
            agents.push_back(agent);
        }
        CommitteeHelper helper(MakePool(), 5);
        SetAttributes(helper,
                      {{"Rounds", "4"},
                       {"CommitteeSize", "4"},
                       {"TrainingClients", "6"},
                       {"GlobalLearningRate", "0.5"},
                       {"QuorumRule", "Byzantine"},
                       {"GradientTimeout", "2s"},
                       {"ScoreTimeout", "1s"},
                       {"AttemptTimeout", "1s"},
                       {"ModelTimeout", "1s"}});
        SetAttributes(helper, attributes);
        helper.AddEvaluation(
            std::make_shared<SharedEvaluation>("global", tests::MakeReference(2, 2)));
        Watch(helper.Install(m_nodes, agents));
        Collect("Vote", m_votes);
        Collect("Committee", m_committees);
        ProtocolBench::Run();
    }

    /// @return the vote of the aggregation set as the first member learned of it in a round
    VoteRecord
    FindVote(uint32_t round) const
    {
        const auto found = std::find_if(m_votes.begin(), m_votes.end(), [round](const auto& vote) {
            return vote.round == round && vote.vote == CommitteeVote::AGGREGATION;
        });
        return found == m_votes.end() ? VoteRecord() : *found;
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
            m_committees.begin(), m_committees.end(), [outcome](const CommitteeReport& r) {
                return r.outcome == outcome;
            }));
    }

    /// @return devices that have reached the end
    std::size_t
    CountFinished() const
    {
        return static_cast<std::size_t>(std::count_if(
            m_ends.begin(), m_ends.end(), [](const auto& end) { return end.second; }));
    }

    /// @return members that have ended a round
    std::set<uint32_t>
    FindCommittee(uint32_t round) const
    {
        std::set<uint32_t> members;
        for (const auto& record : m_committees)
        {
            if (record.round == round)
            {
                members.insert(record.device);
            }
        }
        return members;
    }

    /// @return rounds that some member has seen agreed
    std::size_t
    CountAgreedRounds() const
    {
        std::set<uint32_t> rounds;
        for (const auto& record : m_committees)
        {
            if (record.outcome == ConsensusOutcome::AGREED)
            {
                rounds.insert(record.round);
            }
        }
        return rounds.size();
    }

    /// Decisions of honest devices must be the same
    void
    ExpectAgreement(const std::map<uint32_t, CommitteeAgent>& faulty = {}) const
    {
        std::map<std::pair<uint32_t, CommitteeVote>, std::set<Digest>> decided;
        for (const auto& vote : m_votes)
        {
            if (faulty.count(vote.device) == 0)
            {
                decided[{vote.round, vote.vote}].insert(vote.proposal.digest);
            }
        }
        for (const auto& [vote, digests] : decided)
        {
            EXPECT_EQ(digests.size(), 1) << "round " << vote.first;
        }
    }

    uint64_t m_trainFlops = 6000000;
    std::vector<VoteRecord> m_votes;
    std::vector<CommitteeReport> m_committees;
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
            const double role = record.metrics[0].second;
            ++roles[record.round][role];
            const double messages = role == 2 ? 6 : 1; // gradients, or the next model
            EXPECT_EQ(tests::CountMessages(record), std::make_pair(messages, messages));
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
        EXPECT_TRUE(m_refusals.empty()) << m_refusals[0].reason;
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
    }
}

TEST_F(CommitteeApplicationTest, AggregatesAsTheMathematicsSays)
{
    MakeDevices({15});
    Run({{"Rounds", "1"}});
    const auto& vote = m_votes[0];
    EXPECT_EQ(vote.vote, CommitteeVote::AGGREGATION);
    EXPECT_EQ(vote.proposal.clients.size(), 2); // 40 % of 6
    double sum = 0;
    double target = 0;
    for (const uint32_t client : vote.proposal.clients)
    {
        const uint32_t i = client;
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

TEST_F(CommitteeApplicationTest, NobodyTakesTheModelOverByItsWordOnItsSamples)
{
    const uint32_t claim = 1000000000;
    std::map<uint32_t, CommitteeAgent> all;
    for (uint32_t device = 1; device < 15; device += 2)
    {
        all[device].samples = claim;
    }
    const auto aggregate = [&](double most) {
        MakeDevices({15});
        Run({{"Rounds", "1"}, {"Alpha", "100"}, {"MaxSampleWeight", std::to_string(most)}}, all);
        const auto clients = m_votes[0].proposal.clients;
        EXPECT_EQ(clients.size(), 6);
        std::vector<double> told;
        for (const uint32_t client : clients)
        {
            const uint32_t i = client;
            told.push_back(all.count(i) > 0 ? claim : 10 + i);
        }
        std::vector<double> sorted = told;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_LT(sorted[2], claim) << "else they are the greater part";
        EXPECT_EQ(sorted[5], claim);
        double sum = 0;
        double target = 0;
        for (std::size_t k = 0; k < clients.size(); ++k)
        {
            const uint32_t i = clients[k];
            const double weight = most > 0 ? std::min(told[k], most * sorted[2]) : told[k];
            sum += weight;
            target += weight * (1 + 0.01 * i);
        }
        EXPECT_NEAR((*FinalModels().begin())[0], 0.5 * target / sum, 1e-6) << most;
    };
    aggregate(0);
    aggregate(4);
    aggregate(1);
}

TEST_F(CommitteeApplicationTest, AcceptsAPartOfTheActiveClients)
{
    for (const auto& [base, accepted] :
         std::map<std::string, std::size_t>{{"Training", 2}, {"Active", 4}})
    {
        MakeDevices({15});
        Run({{"Rounds", "1"}, {"AlphaOf", base}}); // 40 % of 6, or of 6 and 4
        EXPECT_EQ(FindVote(0).proposal.clients.size(), accepted) << base;
    }
}

TEST_F(CommitteeApplicationTest, MaliciousMembersScoreWithWhatTheyWouldUpload)
{
    using Scores = std::map<uint32_t, ClientScores>;
    std::map<std::string, Scores> told; // scores of the first round, by member
    const auto run = [&](const std::string& name, const std::string& attack, const char* attacked) {
        MakeFullDuplexDevices({15});
        std::map<uint32_t, CommitteeAgent> all;
        for (uint32_t device = 0; device < 15; ++device)
        {
            all[device].gradientAttack = attack;
        }
        Run({{"Rounds", "1"}, {"AttackedScores", attacked}}, all);
        for (const auto& record : m_committees)
        {
            for (const auto& [client, score] : record.scores)
            {
                told[name][record.device][client] = score;
            }
        }
    };
    run("honest", "", "true");
    run("own", "back-gradient", "false");
    run("attacked", "back-gradient", "true");
    EXPECT_EQ(told["honest"].size(), 4);
    EXPECT_NE(told["own"], told["honest"]);
    // -a is as far from -b as a is from b
    EXPECT_EQ(told["attacked"], told["honest"]);
    // All that plan together upload the same, and that is what the members among them compare with
    run("together", "ipm:epsilon=1", "true");
    EXPECT_EQ(told["together"].size(), 4);
    for (const auto& [member, scores] : told["together"])
    {
        EXPECT_EQ(scores.size(), 6);
        for (const auto& [client, score] : scores)
        {
            EXPECT_TRUE(std::isinf(score)) << member << " of " << client;
        }
    }
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
    // Scores of 4 to 3 others; 3 requests, and in each of two votes 3 replies and 3 commits
    EXPECT_EQ(sent["consensus"], 12 + 3 + 2 * 6);
    EXPECT_EQ(sent["committee-model"], 14);
    // 3 numbers, 3 elements, authenticator, and the header of a message
    const uint64_t header = bytes["gradient"] - (3 + 3) * 4 - 64;
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

TEST_F(CommitteeApplicationTest, GradientsAreOfTheLastStepOrOfTheWeightsAfterIt)
{
    std::map<std::string, std::vector<float>> models; // after a round from w = 0
    for (const char* mode : {"Last", "Printed", "Accumulated"})
    {
        MakeDevices({15});
        Run({{"GradientMode", mode},
             {"Rounds", "1"},
             {"LocalSteps", "2"},
             {"LocalLearningRate", "0.1"}});
        ASSERT_EQ(FinalModels().size(), 1) << mode;
        models[mode] = *FinalModels().begin();
    }
    // The second weight's target is 2 for all: gradients -2, -1.8 and -1.62 one after the other.
    EXPECT_FLOAT_EQ(models["Last"][1], 0.5F * 1.8F);
    EXPECT_FLOAT_EQ(models["Printed"][1], 0.5F * 1.62F);
    EXPECT_NEAR(models["Accumulated"][1], 0.5F * (2 + 1.8F), 1e-6);
}

TEST_F(CommitteeApplicationTest, ForgedGradientsScoreLow)
{
    MakeDevices({15});
    std::map<uint32_t, CommitteeAgent> faulty;
    for (const uint32_t device : {1, 7})
    {
        faulty[device].gradientAttack = "back-gradient";
    }
    Run({{"Combination", "Mean"}}, faulty); // later on gradients are too small to tell
    std::size_t trained = 0;
    for (const auto& record : m_committees)
    {
        for (const auto& ranked : record.ranking)
        {
            trained += faulty.count(ranked.client);
        }
    }
    EXPECT_GT(trained, 0);
    for (const auto& vote : m_votes)
    {
        for (const uint32_t client : vote.proposal.clients)
        {
            EXPECT_EQ(faulty.count(client), 0) << "round " << vote.round;
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
        EXPECT_GE(CountAgreedRounds(), run < 4 ? 5 : 2);
        EXPECT_EQ(CountFinished(), 12);
        EXPECT_EQ(FinalModels().size(), 1);
    }
}

TEST_F(CommitteeApplicationTest, NoSetThatAPrimaryMadeUpIsDecidedOn)
{
    for (const std::string selection : {"I", "II"})
    {
        SCOPED_TRACE(selection);
        MakeDevices({12});
        std::map<uint32_t, CommitteeAgent> faulty;
        for (uint32_t device = 0; device < 12; device += 3)
        {
            faulty[device].misbehavior = "wrong-set";
        }
        Run({{"Rounds", "8"}, {"TrainingClients", "8"}, {"Selection", selection}}, faulty);
        uint32_t refused = 0;
        for (const auto& vote : m_votes)
        {
            if (vote.vote == CommitteeVote::AGGREGATION)
            {
                EXPECT_NE(vote.primary % 3, 0U) << vote.round;
                refused += vote.attempt > 0 ? 1 : 0;
            }
        }
        EXPECT_GT(refused, 0U);
    }
}

TEST_F(CommitteeApplicationTest, ARoundWithoutGradientsIsAbandonedInTime)
{
    MakeDevices({12});
    // Nobody finishes training before the members lose patience, for the second time too
    m_trainFlops *= 1000;
    Run({{"GradientTimeout", "100ms"}, {"ModelTimeout", "100ms"}, {"Rounds", "2"}});
    EXPECT_EQ(CountOutcomes(ConsensusOutcome::FEW_CLIENTS), 8);
    const Time longest =
        DynamicCast<CommitteeApplication>(m_applications.Get(0))->GetLongestRound();
    for (const auto& record : m_rounds)
    {
        EXPECT_LE(record.end - record.start, longest);
        EXPECT_EQ(record.metrics[1].second, record.round == 0 ? 0 : 1); // assumed
        const auto [heard, expected] = tests::CountMessages(record);
        EXPECT_EQ(expected, record.metrics[0].second == 2 ? 6 : 1);
        // A member may be told later than the clients that the second round has begun
        EXPECT_LE(heard, record.round == 1 && record.metrics[0].second == 2 ? 6 : 0);
    }
    const auto models = FinalModels();
    EXPECT_THAT(*models.begin(), ElementsAre(0, 0, 0));
    EXPECT_EQ(models.size(), 1);
}

TEST_F(CommitteeApplicationTest, AModelThatOverflowsIsNotAgreedOn)
{
    for (const char* rule : {"Paper", "Byzantine"})
    {
        MakeDevices({12});
        Run({{"QuorumRule", rule}, {"GlobalLearningRate", "3e38"}});
        EXPECT_THAT(*FinalModels().begin(), ElementsAre(0, 0, 0)) << "all rounds are abandoned";
    }
}

TEST_F(CommitteeApplicationTest, ACommitteeThatHasLostTooManyEndsAfterItsPatience)
{
    MakeDevices({12});
    Run({{"Rounds", "6"}});
    const auto committee = FindCommittee(2);
    ASSERT_EQ(committee.size(), 4);
    const auto begin =
        std::find_if(m_rounds.begin(), m_rounds.end(), [&committee](const RoundRecord& record) {
            return record.round == 2 && record.device == *committee.begin();
        });
    ASSERT_NE(begin, m_rounds.end());
    const Time start = begin->start;
    for (const std::size_t lost : {1, 2}) // f = 1
    {
        SCOPED_TRACE(lost);
        MakeDevices({12});
        auto member = committee.begin();
        for (std::size_t i = 0; i < lost; ++i)
        {
            Crash(*member++, start + MicroSeconds(1));
        }
        Run({{"Rounds", "6"}, {"Patience", "50s"}});
        for (uint32_t i = 0; i < m_applications.GetN(); ++i)
        {
            const auto application = DynamicCast<CommitteeApplication>(m_applications.Get(i));
            EXPECT_EQ(application->GetPatience(), Seconds(50));
            // Not those that are finished, or that are off
            EXPECT_EQ(application->HasGivenUp(), lost == 2 && GetProcessor(i)->IsOn());
        }
        ExpectAgreement();
        EXPECT_EQ(CountFinished(), lost == 1 ? 11 : 0);
        EXPECT_EQ(CountAgreedRounds(), lost == 1 ? 6 : 2);
        EXPECT_LT(Simulator::Now(), start + Seconds(60));
        EXPECT_EQ(Simulator::Now() > Seconds(50), lost == 2);
    }
}

TEST_F(CommitteeApplicationTest, CrashedDevicesComeBackAndCatchUp)
{
    for (const char* rule : {"Paper", "Byzantine"})
    {
        SCOPED_TRACE(rule);
        MakeDevices({12});
        for (const uint32_t device : {0, 1, 2, 3})
        {
            Crash(device, MilliSeconds(100 + 30 * device), Seconds(1 + 3 * device));
        }
        Run({{"Rounds", "200"}, {"QuorumRule", rule}});
        ExpectAgreement();
        EXPECT_EQ(m_rounds.size(), 12 * 200);
        for (const auto& [device, finished] : m_ends)
        {
            EXPECT_TRUE(finished) << device;
        }
        EXPECT_EQ(FinalModels().size(), 1);
        // They take part again
        std::map<uint32_t, int> active;
        for (const auto& record : m_rounds)
        {
            active[record.device] += record.round > 150 && record.metrics[0].second > 0;
        }
        for (const auto& [device, rounds] : active)
        {
            EXPECT_GT(rounds, 0) << device;
        }
    }
}

TEST_F(CommitteeApplicationTest, APrimaryThatCrashesInItsVoteIsReplaced)
{
    MakeDevices({12});
    Run({{"Rounds", "6"}});
    const VoteRecord vote = FindVote(2);
    const uint32_t primary = vote.primary;
    for (const int backMs : {0, 3, 500}) // for good, in the same vote, and in a later attempt
    {
        SCOPED_TRACE(backMs);
        MakeDevices({12});
        const Time crash = vote.time - MicroSeconds(100);
        Crash(primary, crash, backMs > 0 ? crash + MilliSeconds(backMs) : Time());
        Run({{"Rounds", "6"}});
        ExpectAgreement();
        EXPECT_EQ(m_ends.size(), 12);
        EXPECT_EQ(m_ends[vote.primary], backMs > 0);
        EXPECT_EQ(FinalModels().size(), 1);
        const VoteRecord other = FindVote(2);
        EXPECT_NE(other.primary, vote.primary);
        EXPECT_GT(other.attempt, 0);
        EXPECT_EQ(other.proposal.clients, vote.proposal.clients);
    }
}

TEST_F(CommitteeApplicationTest, APartitionHeals)
{
    for (const std::size_t size : {3, 6, 9})
    {
        SCOPED_TRACE(size);
        MakeDevices({12});
        auto model = CreateObject<D2dPartitionOutageModel>();
        model->SetAttribute("OutageModel",
                            StringValue("ns3::collab::D2dFixedOutageModel[Probability=0]"));
        std::set<uint32_t> side;
        for (uint32_t i = 0; i < size; ++i)
        {
            side.insert(i);
        }
        model->AddPartition(MilliSeconds(150), Seconds(30), side);
        GetRadio(0)->GetChannel()->SetAttribute("OutageModel", PointerValue(model));
        Run({{"Rounds", "30"}});
        ExpectAgreement();
        EXPECT_EQ(m_ends.size(), 12);
        EXPECT_EQ(CountFinished(), 12);
        EXPECT_EQ(m_rounds.size(), 12 * 30);
        EXPECT_EQ(FinalModels().size(), 1);
        EXPECT_GE(CountAgreedRounds(), 28);
        // Rounds have waited, and rounds have been agreed on after it has healed
        EXPECT_TRUE(std::any_of(m_rounds.begin(), m_rounds.end(), [](const RoundRecord& record) {
            return record.start < Seconds(30) && record.end > Seconds(30);
        }));
        EXPECT_TRUE(std::any_of(m_votes.begin(), m_votes.end(), [](const VoteRecord& record) {
            return record.time > Seconds(30);
        }));
    }
}

TEST_F(CommitteeApplicationTest, CollusiveAttackersUploadTheSame)
{
    MakeFullDuplexDevices({15});
    std::map<uint32_t, CommitteeAgent> faulty;
    for (const uint32_t device : {1, 4, 7, 10})
    {
        faulty[device].gradientAttack = "ipm:epsilon=1";
    }
    m_trainFlops *= 20; // they train for longer than a model is on its way
    Run({}, faulty);
    ExpectAgreement();
    EXPECT_EQ(FinalModels().size(), 1);
    EXPECT_EQ(m_rounds.size(), 15 * 4);
    std::size_t pairs = 0;
    for (const auto& record : m_committees)
    {
        std::set<double> scores;
        std::size_t attackers = 0;
        for (const auto& [client, score] : record.scores)
        {
            if (faulty.count(client) > 0)
            {
                scores.insert(score);
                ++attackers;
            }
        }
        pairs += attackers > 1;
        EXPECT_LE(scores.size(), 1) << "round " << record.round;
    }
    EXPECT_GT(pairs, 0);
}
