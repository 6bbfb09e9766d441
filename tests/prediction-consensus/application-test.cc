/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/refusals.h"
#include "support/round-metrics.h"
#include "support/table-learner.h"

#include "ns3/prediction-consensus-application.h"
#include "ns3/prediction-consensus-helper.h"

#include <gmock/gmock.h>
#include <limits>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using tests::MakeReference;
using tests::MakeSoftLabels;
using tests::TableLearner;

namespace
{

class PredictionConsensusTest : public tests::DeviceNetwork
{
  protected:
    static constexpr uint32_t SAMPLES = 8; //!< that predictions are exchanged of
    static constexpr uint32_t CLASSES = 4; //!< of these

    /// Learners with one fixed answer each, agent i sure of class i modulo 2, and their
    /// applications
    void
    MakeAgents(const tests::Attributes& attributes, const std::vector<uint64_t>& trainFlops = {})
    {
        m_learners.clear();
        std::vector<PredictionConsensusAgent> agents;
        for (const uint32_t i : Ids())
        {
            const uint64_t flops = trainFlops.empty() ? 6000000 : trainFlops[i];
            m_learners.push_back(std::make_shared<TableLearner>(
                std::vector<Matrix<float>>{MakeSoftLabels(SAMPLES, CLASSES, i % 2, 0.7F)}, flops));
            agents.push_back({m_learners.back(), m_reference, {{"reference", m_reference}}});
        }
        PredictionConsensusHelper helper(MakePool());
        SetAttributes(helper,
                      {{"Rounds", "4"}, {"PretrainingRounds", "1"}, {"RoundDeadline", "2s"}});
        SetAttributes(helper, attributes);
        Watch(helper.Install(m_nodes, agents));
        Collect("Trust", m_trust);
    }

    /// Run agents on three devices that lose nothing
    void
    Play(const tests::Attributes& attributes, const std::vector<uint64_t>& trainFlops = {})
    {
        MakeDevices({});
        MakeAgents(attributes, trainFlops);
        Run();
    }

    std::vector<TrustRecord>
    TrustOf(uint32_t device) const
    {
        std::vector<TrustRecord> result;
        std::copy_if(m_trust.begin(),
                     m_trust.end(),
                     std::back_inserter(result),
                     [device](const TrustRecord& record) { return record.device == device; });
        return result;
    }

    std::shared_ptr<const DataView> m_reference = MakeReference(SAMPLES, CLASSES);
    std::vector<std::shared_ptr<TableLearner>> m_learners;
    std::vector<TrustRecord> m_trust;
};

} // namespace

TEST_F(PredictionConsensusTest, NaiveTrustWeighsAllAlike)
{
    Play({{"TrustMode", "Naive"}});
    ASSERT_EQ(m_rounds.size(), 12U);
    ASSERT_EQ(m_trust.size(), 9U);
    for (const auto& record : m_trust)
    {
        ASSERT_EQ(record.row.size(), 3U);
        EXPECT_THAT(record.row,
                    Each(Field(&TrustRecord::Entry::weight, DoubleNear(1.0 / 3, 1e-12))));
        EXPECT_THAT(record.row, Each(Field(&TrustRecord::Entry::ageRounds, 0)));
    }
    // Agents 0 and 2 answer alike and agent 1 otherwise: (0.7 + 0.7 + 0.1) / 3
    ASSERT_EQ(m_learners[1]->tasks.size(), 4U);
    const auto& targets = *m_learners[1]->tasks[1].distillation.targets;
    EXPECT_NEAR(targets(0, 0), 0.5, 1e-6);
    EXPECT_NEAR(targets(0, 1), 0.3, 1e-6);
}

TEST_F(PredictionConsensusTest, MajorityVoteSendsAndLearnsClasses)
{
    Play({{"TrustMode", "Naive"}, {"ConsensusMode", "MajorityVote"}});
    for (const auto& outcome : m_outcomes)
    {
        EXPECT_EQ(outcome.bytes, 23U + SAMPLES);
    }
    const auto& targets = *m_learners[1]->tasks[1].distillation.targets;
    EXPECT_EQ(targets, MakeSoftLabels(SAMPLES, CLASSES, 0, 1)) << "two of three are for class 0";
}

TEST_F(PredictionConsensusTest, LiarsTellOtherClassesAndLearnTheirOwn)
{
    // Agents 0 and 2 are for class 0, agent 1 for class 1 and tells of class 2, or of class 0
    for (const auto& [lie, told] : {std::pair{"Shift", 2}, std::pair{"Target", 0}})
    {
        MakeDevices({});
        MakeAgents({{"TrustMode", "Naive"}});
        m_applications.Get(1)->SetAttribute("PredictionAttack", StringValue(lie));
        Run();
        const auto& others = *m_learners[0]->tasks[1].distillation.targets;
        EXPECT_NEAR(others(0, 0), told == 0 ? 0.7 : 0.5, 1e-6) << lie;
        EXPECT_NEAR(others(0, told), told == 0 ? 0.7 : 0.3, 1e-6) << lie;
        EXPECT_NEAR((*m_learners[1]->tasks[1].distillation.targets)(0, 1), 0.3, 1e-6) << lie;
        EXPECT_EQ(m_outcomes.at(0).bytes, 23U + SAMPLES * CLASSES * 4) << lie;
    }
}

TEST_F(PredictionConsensusTest, FewerLabelsCostFewerBytes)
{
    Play({{"TrustMode", "Naive"}, {"LabelTopK", "1"}, {"LabelPrecision", "Float16"}});
    EXPECT_EQ(m_outcomes.at(0).bytes, 23U + SAMPLES * 3);
    // Its own labels an agent has exactly, of the others the best class: (0.1 + 1 + 1) / 3
    const auto& targets = *m_learners[1]->tasks[1].distillation.targets;
    EXPECT_NEAR(targets(0, 0), 0.7, 1e-6);
    EXPECT_NEAR(targets(0, 1), 0.7 / 3, 1e-6);
}

TEST_F(PredictionConsensusTest, ProbesAreTracedAfterEveryRound)
{
    MakeDevices({});
    MakeAgents({});
    auto application = DynamicCast<PredictionConsensusApplication>(m_applications.Get(0));
    application->AddProbe("probe", m_reference);
    std::vector<uint32_t> rounds;
    application->TraceConnectWithoutContext(
        "Prediction",
        Callback<void, const PredictionRecord&>([&rounds](const PredictionRecord& record) {
            EXPECT_EQ(record.name, "probe");
            EXPECT_EQ(*record.predictions, MakeSoftLabels(SAMPLES, CLASSES, 0, 0.7F));
            rounds.push_back(record.round);
        }));
    Run();
    EXPECT_THAT(rounds, ElementsAre(0, 1, 2, 3));
}

TEST_F(PredictionConsensusTest, DynamicTrustFollowsEquation6)
{
    Play({{"TrustMode", "Dynamic"}});
    // cos of (.7 .1 .1 .1) and (.1 .7 .1 .1) = (0.14 + 0.02) / 0.52; beta is the same for all
    // samples
    const double other = 0.16 / 0.52;
    const auto rows = TrustOf(0);
    ASSERT_EQ(rows.size(), 3U);
    for (const auto& record : rows)
    {
        EXPECT_NEAR(record.row[0].weight, 1 / (2 + other), 1e-6);
        EXPECT_NEAR(record.row[1].weight, other / (2 + other), 1e-6);
        EXPECT_NEAR(record.row[2].weight, 1 / (2 + other), 1e-6);
    }
}

TEST_F(PredictionConsensusTest, PretrainingAndLocalTrainingExchangeNothing)
{
    Play({{"TrustMode", "Local"}});
    EXPECT_EQ(m_rounds.size(), 12U);
    EXPECT_TRUE(m_outcomes.empty());
    EXPECT_TRUE(m_trust.empty());
    for (const auto& task : m_learners[0]->tasks)
    {
        EXPECT_FALSE(task.distillation.targets);
    }
    Play({{"PretrainingRounds", "3"}});
    ASSERT_EQ(m_learners[0]->tasks.size(), 4U);
    for (int round = 0; round < 4; ++round)
    {
        EXPECT_EQ(m_learners[0]->tasks[round].distillation.targets != nullptr, round == 3) << round;
    }
    EXPECT_EQ(m_outcomes.size(), 6U) << "three broadcasts to two receivers each";
}

TEST_F(PredictionConsensusTest, RoundTakesComputingAndAirtime)
{
    Play({{"Rounds", "2"}, {"TrustMode", "Naive"}});
    // 6e6 operations at 6e9 a second
    EXPECT_EQ(m_rounds[0].end - m_rounds[0].start, MilliSeconds(1));
    const Time airtime = GetRadio(0)->GetPhy()->GetAirtime(23 + SAMPLES * CLASSES * 4);
    const Time predict = NanoSeconds(SAMPLES * 1000 / 6);
    const RoundRecord& last = m_rounds.back();
    // Three broadcasts one after the other, up to 15 back-off slots of 9 us each, a trust job under
    // 1 us
    const Time least = predict + airtime * 3 + MilliSeconds(1);
    EXPECT_GT(last.end - last.start, least);
    EXPECT_LT(last.end - last.start, least + MicroSeconds(3 * 15 * 9 + 10));
}

TEST_F(PredictionConsensusTest, IdealTrustComparesAllPairs)
{
    const auto compute = [this](const std::string& mode) {
        MakeDevices({});
        MakeAgents({{"TrustMode", mode}});
        return DynamicCast<PredictionConsensusApplication>(m_applications.Get(0))
            ->GetComputingDuration(200);
    };
    // 201 agents are judged, or 201 x 202 / 2 pairs, at 6e9 operations a second
    const uint64_t more = CountJudgingFlops(SAMPLES, CLASSES, 201 * 202 / 2) -
                          CountJudgingFlops(SAMPLES, CLASSES, 201);
    EXPECT_NEAR((compute("Ideal") - compute("Dynamic")).GetSeconds(),
                static_cast<double>(more) / 6e9,
                1e-8);
}

TEST_F(PredictionConsensusTest, WithoutLossEverybodyIsHeardInItsRound)
{
    Play({}, {6000000, 60000000, 600000000});
    for (const auto& record : m_rounds)
    {
        const double heard = record.round == 0 ? 0 : 2;
        EXPECT_EQ(tests::GetMetric(record, "heard"), heard);
        EXPECT_EQ(tests::CountMessages(record), std::make_pair(heard, heard));
        EXPECT_EQ(tests::GetMetric(record, "stale"), 0);
        EXPECT_EQ(tests::GetMetric(record, "excluded"), 0);
    }
}

TEST_F(PredictionConsensusTest, DeadlineEndsTheWaitForWhatIsLost)
{
    Options options;
    options.outage = 1;
    MakeDevices(options);
    MakeAgents({});
    Run();
    ASSERT_EQ(m_trust.size(), 9U);
    for (const auto& record : m_trust)
    {
        ASSERT_EQ(record.row.size(), 1U) << "only its own prediction is at hand";
        EXPECT_EQ(record.row[0].peer, record.device);
        EXPECT_DOUBLE_EQ(record.row[0].weight, 1);
    }
    for (const auto& record : m_rounds)
    {
        if (record.round > 0)
        {
            const Time compute = NanoSeconds(SAMPLES * 1000 / 6) + MilliSeconds(1);
            EXPECT_GE(record.end - record.start, Seconds(2) + compute);
            EXPECT_LT(record.end - record.start, Seconds(2) + compute + MicroSeconds(1));
            EXPECT_EQ(tests::GetMetric(record, "excluded"), 2);
            EXPECT_EQ(tests::CountMessages(record), std::make_pair(0.0, 2.0));
        }
    }
}

TEST_F(PredictionConsensusTest, MissingPredictionsAreStaleOrExcluded)
{
    for (const std::string policy : {"Stale", "Exclude"})
    {
        Options options;
        options.outage = 0.5;
        MakeDevices(options);
        MakeAgents({{"MissingPolicy", policy}, {"Rounds", "40"}, {"RoundDeadline", "50ms"}});
        Run();
        std::size_t stale = 0;
        std::size_t rows = 0;
        std::map<uint32_t, std::set<uint32_t>> heard;
        for (const auto& outcome : m_outcomes)
        {
            if (outcome.delivered)
            {
                heard[outcome.receiver].insert(outcome.sender);
            }
        }
        for (const auto& record : m_trust)
        {
            double sum = 0;
            for (const auto& entry : record.row)
            {
                sum += entry.weight;
                stale += entry.ageRounds != 0 ? 1 : 0;
                EXPECT_TRUE(entry.peer == record.device || heard[record.device].count(entry.peer))
                    << "a weight for a device whose message never arrived";
            }
            EXPECT_NEAR(sum, 1, 1e-12);
            rows += record.row.size();
        }
        EXPECT_EQ(m_trust.size(), 39U * 3);
        for (const auto& record : m_rounds)
        {
            const double known = tests::GetMetric(record, "heard") +
                                 tests::GetMetric(record, "stale") +
                                 tests::GetMetric(record, "excluded");
            EXPECT_EQ(known, record.round == 0 ? 0 : 2) << "every neighbor is one of them";
        }
        if (policy == "Stale")
        {
            EXPECT_GT(stale, 20U);
        }
        else
        {
            EXPECT_EQ(stale, 0U);
            EXPECT_LT(rows, 39U * 9);
        }
    }
}

TEST_F(PredictionConsensusTest, WeightsUseOnlyWhatWasDeliveredByThen)
{
    Options options;
    options.outage = 0.5;
    options.devices = 5;
    MakeDevices(options);
    MakeAgents({{"Rounds", "20"}, {"RoundDeadline", "50ms"}});
    // (receiver, sender, round) of every delivery up to now
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> delivered;
    for (uint32_t i = 0; i < 5; ++i)
    {
        const uint32_t id = i;
        GetTransport(i)->TraceConnectWithoutContext(
            "Rx",
            Callback<void, const Message&, uint64_t>([&delivered, id](const Message& m, uint64_t) {
                delivered.emplace(id, m.sender, m.round);
            }));
        m_applications.Get(i)->TraceConnectWithoutContext(
            "Trust", Callback<void, const TrustRecord&>([&delivered](const TrustRecord& record) {
                for (const auto& entry : record.row)
                {
                    const uint32_t made = record.round - entry.ageRounds;
                    EXPECT_TRUE(entry.peer == record.device ||
                                delivered.count({record.device, entry.peer, made}));
                }
            }));
    }
    Run();
    EXPECT_GT(delivered.size(), 100U);
}

TEST_F(PredictionConsensusTest, StaticTrustIsComputedOnce)
{
    for (const std::string mode : {"Static", "Dynamic"})
    {
        MakeDevices({});
        m_learners.clear();
        MakeAgents({{"TrustMode", mode}});
        // From its second prediction on, agent 1 agrees with the others
        m_learners[1]->SetAnswers(
            {MakeSoftLabels(SAMPLES, CLASSES, 1, 0.7F), MakeSoftLabels(SAMPLES, CLASSES, 0, 0.7F)});
        Run();
        const auto rows = TrustOf(0);
        ASSERT_EQ(rows.size(), 3U);
        EXPECT_LT(rows[0].row[1].weight, 0.2);
        if (mode == "Static")
        {
            EXPECT_DOUBLE_EQ(rows[2].row[1].weight, rows[0].row[1].weight);
        }
        else
        {
            EXPECT_NEAR(rows[2].row[1].weight, 1.0 / 3, 1e-6);
        }
    }
}

TEST_F(PredictionConsensusTest, NobodyTrustsOneHeardLateMoreThanItself)
{
    using Attributes = std::vector<std::pair<std::string, std::string>>;
    const Attributes kept = {{"TrustMode", "Static"}};
    const Attributes renewed = {{"TrustInterval", "4"}, {"MissingPolicy", "Exclude"}};
    for (const auto& mode : {kept, renewed})
    {
        Options options;
        options.outage = 0.7;
        MakeDevices(options);
        Attributes attributes = {
            {"Rounds", "12"}, {"RoundDeadline", "50ms"}, {"EntropyOffset", "0"}};
        attributes.insert(attributes.end(), mode.begin(), mode.end());
        MakeAgents(attributes);
        for (const auto& learner : m_learners) // all agree, and are surer from round to round
        {
            std::vector<Matrix<float>> answers;
            for (const float sure : {0.3F, 0.5F, 0.7F, 0.8F, 0.9F, 0.99F, 0.999F})
            {
                answers.push_back(MakeSoftLabels(SAMPLES, CLASSES, 0, sure));
            }
            learner->SetAnswers(answers);
        }
        Run();
        int late = 0;
        std::map<uint32_t, std::set<uint32_t>> known;
        for (const auto& record : m_trust)
        {
            double own = 0;
            for (const auto& entry : record.row)
            {
                own = entry.peer == record.device ? entry.weight : own;
                late += known[record.device].insert(entry.peer).second && record.round > 1 ? 1 : 0;
            }
            for (const auto& entry : record.row)
            {
                EXPECT_LE(entry.weight, own * (1 + 1e-9)) << record.round;
            }
        }
        EXPECT_GT(late, 2);
    }
}

TEST_F(PredictionConsensusTest, TheFirstExchangeWaitsForPretraining)
{
    for (const bool isGiven : {true, false})
    {
        MakeDevices({});
        MakeAgents({{"RoundDeadline", "50ms"}, {"FirstDeadline", isGiven ? "1s" : "0s"}},
                   {6000000, 6000000, 600000000}); // 1, 1 and 100 ms
        Run();
        for (const auto& record : m_rounds)
        {
            if (record.round == 1 && record.device != 2)
            {
                EXPECT_EQ(tests::GetMetric(record, "heard"), isGiven ? 2 : 1);
            }
        }
    }
}

TEST_F(PredictionConsensusTest, TrustIntervalKeepsWeightsInBetween)
{
    MakeDevices({});
    MakeAgents({{"Rounds", "5"}, {"TrustInterval", "3"}});
    m_learners[1]->SetAnswers(
        {MakeSoftLabels(SAMPLES, CLASSES, 1, 0.7F), MakeSoftLabels(SAMPLES, CLASSES, 0, 0.7F)});
    Run();
    const auto rows = TrustOf(0);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_DOUBLE_EQ(rows[2].row[1].weight, rows[0].row[1].weight);
    EXPECT_NEAR(rows[3].row[1].weight, 1.0 / 3, 1e-6);
}

TEST_F(PredictionConsensusTest, ADivergedLearnerTrainsAlone)
{
    MakeDevices({});
    MakeAgents({{"TrustMode", "Naive"}});
    m_learners[1]->SetAnswers(
        {Matrix<float>(SAMPLES, CLASSES, std::numeric_limits<float>::quiet_NaN())});
    Run();
    ASSERT_EQ(m_rounds.size(), 12U);
    EXPECT_THAT(GetReasons(), SizeIs(6)) << "two others refuse what it says in three rounds";
    EXPECT_THAT(GetReasons(), Each(HasSubstr("nan is no probability")));
    EXPECT_THAT(TrustOf(1), IsEmpty());
    for (const auto& task : m_learners[1]->tasks)
    {
        EXPECT_FALSE(task.distillation.targets);
    }
    double refused = 0;
    for (const auto& record : m_rounds)
    {
        const bool isIt = record.device == 1;
        const bool isPretraining = record.round == 0;
        EXPECT_EQ(tests::GetMetric(record, "collaborative"), isIt || isPretraining ? 0 : 1);
        EXPECT_EQ(tests::GetMetric(record, "heard"), isIt || isPretraining ? 0 : 1);
        EXPECT_EQ(tests::GetMetric(record, "excluded"), isPretraining ? 0 : (isIt ? 2 : 1));
        const auto [heard, expected] = tests::CountMessages(record);
        EXPECT_TRUE(isIt ? heard <= expected : heard == (isPretraining ? 0 : 1));
        EXPECT_EQ(expected, isPretraining ? 0 : 2);
        EXPECT_LT(record.end - record.start, Seconds(1)) << "nobody waits for what was refused";
        refused += tests::GetMetric(record, "messages_refused");
    }
    EXPECT_EQ(refused, 6);
    for (const auto& record : m_trust)
    {
        EXPECT_THAT(record.row, Each(Field(&TrustRecord::Entry::weight, 0.5)));
    }
}

TEST_F(PredictionConsensusTest, PredictionsOfAWrongShapeEndTheRunWithAReason)
{
    MakeDevices({});
    MakeAgents({});
    m_learners[1]->SetAnswers({Matrix<float>(SAMPLES, CLASSES + 1)});
    tests::ExpectRefused<std::runtime_error>("round 1: predictions of shape", [&] { Run(); });
}
