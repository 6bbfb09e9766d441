/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/memory-store.h"
#include "support/table-learner.h"

#include "ns3/prediction-consensus-helper.h"
#include "ns3/prediction-consensus-recorder.h"

#include <cmath>
#include <gmock/gmock.h>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;
using ::testing::HasSubstr;
using tests::MakeReference;
using tests::MakeSoftLabels;
using tests::TableLearner;

namespace
{

/// Three agents with fixed answers, of which agent 2 gives another class; a round of local training
class PredictionConsensusRecorderTest : public tests::DeviceNetwork
{
  protected:
    static constexpr uint32_t SAMPLES = 8; //!< that predictions are exchanged of
    static constexpr uint32_t CLASSES = 4; //!< of these

    void
    Run(uint32_t rounds)
    {
        MakeDevices({});
        std::vector<PredictionConsensusAgent> agents;
        for (uint32_t i = 0; i < 3; ++i)
        {
            const auto learner = std::make_shared<TableLearner>(
                i < 2 && !m_answers.empty()
                    ? m_answers
                    : std::vector<Matrix<float>>{MakeSoftLabels(SAMPLES, CLASSES, i / 2, 0.7F)});
            agents.push_back({learner, m_reference, {}, m_probes});
        }
        PredictionConsensusHelper helper(MakePool());
        SetAttributes(helper,
                      {{"Rounds", std::to_string(rounds)},
                       {"PretrainingRounds", "1"},
                       {"RoundDeadline", "2s"}});
        Watch(helper.Install(m_nodes, agents));
        PredictionConsensusRecorder recorder(m_store, m_applications, {2}, m_reference);
        if (m_silent > 0)
        {
            Crash(m_silent, MicroSeconds(1500));
        }
        ProtocolBench::Run();
        std::ostringstream checks;
        recorder.WriteChecks(checks);
        m_checks = checks.str();
    }

    /// Cell of a row, from 0, of a table of numbers
    double
    Number(const std::string& table, std::size_t row, const std::string& column) const
    {
        return std::stod(m_store.tables.at(table)->texts.at(row).at(column));
    }

    tests::MemoryStore m_store;
    std::shared_ptr<const DataView> m_reference = MakeReference(SAMPLES, CLASSES);
    std::string m_checks;
    uint32_t m_silent = 0;
    std::vector<Matrix<float>> m_answers; // of the first two agents, one after the other
    std::vector<std::pair<std::string, std::shared_ptr<const DataView>>> m_probes = {
        {PredictionConsensusRecorder::REFERENCE, m_reference}};
};

} // namespace

TEST_F(PredictionConsensusRecorderTest, ConsensusIsWhatFollowsFromTheAnswers)
{
    Run(4);
    const std::string rows = "consensus";
    ASSERT_EQ(m_store.tables.at(rows)->rows.size(), 4U) << "four rounds";
    const double other = 0.16 / 0.52; // cos of (.7 .1 .1 .1) and (.1 .7 .1 .1)
    const double row01 = 2 + other;   // sum of affinities of agents 0 and 1
    const double row2 = 1 + 2 * other;
    for (std::size_t row = 0; row < 4; ++row)
    {
        EXPECT_EQ(Number(rows, row, "round"), row);
        // two of three pairs differ, everywhere; |(.6 -.6 0 0)| = .6 sqrt 2
        EXPECT_NEAR(Number(rows, row, "class_disagreement_mean"), 2.0 / 3, 1e-12);
        EXPECT_EQ(Number(rows, row, "class_disagreement_max"), 1);
        EXPECT_NEAR(Number(rows, row, "distance_mean"), 0.4 * std::sqrt(2), 1e-6);
        EXPECT_NEAR(Number(rows, row, "distance_max"), 0.6 * std::sqrt(2), 1e-6);
        EXPECT_NEAR(Number(rows, row, "difference_max"), 0.6, 1e-6);
    }
    EXPECT_TRUE(std::isnan(Number(rows, 0, "trace"))) << "no exchange in the first round";
    EXPECT_NEAR(Number(rows, 1, "trace"), 2 / row01 + 1 / row2, 1e-6);
    EXPECT_NEAR(Number(rows, 1, "uniform_distance"), 1 / row2 - 1.0 / 3, 1e-6);
    EXPECT_NEAR(Number(rows, 1, "row_difference"), 1 / row2 - other / row01, 1e-6);
    EXPECT_GE(Number(rows, 1, "bound"), Number(rows, 1, "row_difference") - 1e-12);
    EXPECT_LT(Number(rows, 3, "row_difference"), Number(rows, 1, "row_difference"));
    EXPECT_NEAR(Number(rows, 3, "bound"), std::pow(Number(rows, 1, "bound"), 3), 1e-12);

    // Agents 0 and 1 give agent 2 the weight a; it gives both of them c together
    const double a = other / row01;
    const double c = 2 * other / row2;
    EXPECT_TRUE(std::isnan(Number(rows, 0, "update_residual")));
    const double residual = 0.6 * std::sqrt(2 * SAMPLES * (2 * a * a + c * c));
    EXPECT_NEAR(Number(rows, 1, "update_residual"), residual, 1e-5);
    EXPECT_NEAR(Number(rows, 3, "update_residual_relative"),
                residual / std::sqrt(3 * SAMPLES * 0.52),
                1e-6);
    const double margin = (2 + other / row2 * row01 - 2 * other) / row01 - 1 / row2;
    EXPECT_NEAR(Number(rows, 1, "column_sum_margin"), margin, 1e-6);
    EXPECT_NEAR(Number(rows, 1, "gap_margin"), margin, 1e-6);
    EXPECT_NEAR(Number(rows, 1, "row_margin"), (1 - other) / row01, 1e-6);
    EXPECT_NEAR(Number(rows, 1, "importance_margin"), margin / 3, 1e-6);

    const std::string influence = "influence";
    ASSERT_EQ(m_store.tables.at(influence)->rows.size(), 3U * 3);
    EXPECT_NEAR(Number(influence, 2, "column_sum"), 2 * other / row01 + 1 / row2, 1e-6);
    double importance = 0;
    for (std::size_t row = 6; row < 9; ++row)
    {
        importance += Number(influence, row, "importance");
    }
    EXPECT_NEAR(importance, 1, 1e-9);
    const double last = Number(influence, 7, "importance") - Number(influence, 8, "importance");
    EXPECT_NEAR(Number(rows, 3, "importance_margin"), last, 1e-12);
    EXPECT_GT(last, 0);
}

TEST_F(PredictionConsensusRecorderTest, ResidualIsOfTheRoundBeforeAndItsWeights)
{
    // What agents 0 and 1 say at the end of round 0, in the exchange of round 1, and after that
    const Matrix<float> before = MakeSoftLabels(SAMPLES, CLASSES, 0, 0.7F);
    m_answers = {before, before, MakeSoftLabels(SAMPLES, CLASSES, 0, 0.25F)};
    Run(3);
    const double other = 0.16 / 0.52;
    const double a = other / (2 + other);
    const double c = 2 * other / (1 + 2 * other);
    // (.25 .25 .25 .25) - (1 - a) (.7 .1 .1 .1) - a (.1 .7 .1 .1)
    const double first = 0.25 - 0.7 + 0.6 * a;
    const double second = 0.25 - 0.1 - 0.6 * a;
    const double changed = first * first + second * second + 2 * 0.15 * 0.15;
    const double square = SAMPLES * (2 * changed + 2 * 0.36 * c * c);
    EXPECT_NEAR(Number("consensus", 1, "update_residual"), std::sqrt(square), 1e-5);
    EXPECT_NEAR(Number("consensus", 1, "update_residual_relative"),
                std::sqrt(square / (SAMPLES * (2 * 0.25 + 0.52))),
                1e-6);
}

TEST_F(PredictionConsensusRecorderTest, EnsemblesAreOfTheRoundBeforeAndItsWeights)
{
    // All labels are 0. Agents 0 and 1 give class 0 in round 0, class 1 in the exchange of round 1
    // and after it; agent 2 always gives class 0.
    const Matrix<float> right = MakeSoftLabels(SAMPLES, CLASSES, 0, 0.7F);
    const Matrix<float> wrong = MakeSoftLabels(SAMPLES, CLASSES, 1, 0.7F);
    m_answers = {right, right, wrong};
    m_probes.emplace_back(PredictionConsensusRecorder::GLOBAL, m_reference);
    Run(3);
    const std::string rows = "influence";
    EXPECT_EQ(Number(rows, 0, "ensemble_global"), 1) << "two of three are right";
    EXPECT_EQ(Number(rows, 3, "ensemble_global"), 0) << "one of three";
    EXPECT_EQ(Number(rows, 5, "ensemble_global"), 0) << "and has more than half of the weight";
    EXPECT_TRUE(std::isnan(Number("consensus", 0, "confidence_premise")));
    EXPECT_EQ(Number("consensus", 1, "confidence_conclusion"), 0) << "all samples weigh the same";
}

TEST_F(PredictionConsensusRecorderTest, ChecksSayWhichConditionsHold)
{
    Run(4);
    EXPECT_THAT(m_checks, HasSubstr("of 3 collaborative rounds"));
    EXPECT_THAT(m_checks, HasSubstr("positive (Theorem 1): in 3 rounds"));
    EXPECT_THAT(m_checks, HasSubstr("self-confident: in 3 rounds"));
    EXPECT_THAT(m_checks,
                HasSubstr("least trust in 3 rounds; all conditions of Proposition 4 in 3"));
}

TEST_F(PredictionConsensusRecorderTest, DevicesThatGoOffAreLeftOut)
{
    m_silent = 1;
    Run(4);
    const std::string rows = "consensus";
    ASSERT_EQ(m_store.tables.at(rows)->rows.size(), 4U) << "the rounds go on without it";
    EXPECT_EQ(Number(rows, 3, "class_disagreement_mean"), 1) << "of one pair";
    const double other = 0.16 / 0.52;
    EXPECT_NEAR(Number(rows, 3, "trace"), 1 + 2 / (1 + other), 1e-6) << "it was never heard";
    EXPECT_TRUE(std::isnan(Number(rows, 3, "update_residual"))) << "its predictions are missing";
    // Device 1 trusts itself alone: Theorem 1 does not apply
    EXPECT_THAT(m_checks, ::testing::Not(HasSubstr("positive (Theorem 1): in 3")));
}
