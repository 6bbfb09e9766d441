/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "support/table-learner.h"

#include "ns3/collab-evaluations.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <gmock/gmock.h>
#include <thread>

namespace evaluations_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;
using Value = std::pair<std::string, double>;

const std::vector<ScoreMetric> MEASURES = {
    {{"accuracy", "1", "part of NAME that is right"}, &Score::accuracy},
    {{"loss", "nat", "of the model"}, &Score::loss}};

/// What a device measures
struct MeasuredRound
{
    int first = 0;                              //!< before the scores
    std::shared_ptr<std::vector<Score>> scores; //!< null if nothing is measured

    /// @return columns with those of the scores in their midst
    static Columns<MeasuredRound>
    GetColumns(const Evaluations& evaluations)
    {
        return Columns<MeasuredRound>{{"first", "", "number", &MeasuredRound::first}} +
               evaluations.MakeColumns(MEASURES, &MeasuredRound::scores) +
               Columns<MeasuredRound>{{"last", "", "number", &MeasuredRound::first}};
    }
};

/// @return measures on two sets of samples
Evaluations
MakeEvaluations()
{
    Evaluations evaluations;
    evaluations.Add("own", tests::MakeReference(3, 2));
    evaluations.Add(std::make_shared<SharedEvaluation>("all", tests::MakeReference(4, 2)));
    return evaluations;
}

TEST(EvaluationsTest, WhatIsAMeanOverViewsIsSaidToBe)
{
    const auto view = tests::MakeReference(3, 2);
    Evaluations evaluations;
    evaluations.Add(std::make_shared<SharedEvaluation>("clients", std::vector{view, view}));
    const auto metrics = DescribeMetrics(evaluations.MakeColumns(
        std::vector<ScoreMetric>{{{"accuracy", "1", "part of NAME"}, &Score::accuracy},
                                 {{"balanced", "1", "of NAME"}, &Score::balancedAccuracy}},
        &MeasuredRound::scores));
    EXPECT_EQ(metrics.at(0).meaning, "part of clients");
    EXPECT_EQ(metrics.at(1).meaning, "of clients, each device's own, mean by numbers of samples");
}

/// Counts measurements, each of which waits until so many have begun or a second is over
struct Gate
{
    const int expected;              //!< number of measurements
    std::atomic<int> entered{0};     //!< measurements that have begun
    std::atomic<bool> isFull{false}; //!< whether the last one has seen all the others begin

    /// Begin a measurement.
    void
    Enter()
    {
        ++entered;
        for (int wait = 0; wait < 1000 && entered < expected; ++wait)
        {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        isFull = entered >= expected;
    }
};

/// A learner of given weights that waits when it is measured
class WaitingLearner : public tests::TableLearner
{
  public:
    /// @param weight the only one
    /// @param gate to wait at
    WaitingLearner(float weight, Gate& gate)
        : TableLearner({tests::MakeSoftLabels(1, 2, 0, 0.9F)}),
          m_weights(std::make_shared<const std::vector<float>>(1, weight)),
          m_gate(gate)
    {
    }

    Score
    Evaluate(const DataView& /* labelled */) override
    {
        m_gate.Enter();
        Score score;
        score.accuracy = m_weights->front();
        return score;
    }

    FlatVector
    GetWeights() const override
    {
        return m_weights;
    }

  private:
    FlatVector m_weights; //!< given
    Gate& m_gate;         //!< where to wait
};

/// @return accuracies of learners with these weights, measured on a thread each
std::vector<double>
MeasureAtOnce(const std::vector<float>& weights, Gate& gate)
{
    SharedEvaluation evaluation("all", tests::MakeReference(4, 2));
    std::vector<double> accuracies(weights.size());
    CallOnThreads(weights.size(), [&](std::size_t i) {
        WaitingLearner learner(weights[i], gate);
        accuracies[i] = evaluation.Evaluate(learner).accuracy;
    });
    return accuracies;
}

TEST(SharedEvaluationTest, DifferentModelsAreMeasuredSideBySideAndEqualOnesOnce)
{
    Gate all{3};
    EXPECT_THAT(MeasureAtOnce({0.25F, 0.5F, 0.75F}, all), ElementsAre(0.25, 0.5, 0.75));
    EXPECT_TRUE(all.isFull);
    Gate one{1};
    EXPECT_THAT(MeasureAtOnce({0.5F, 0.5F, 0.5F, 0.5F}, one), ElementsAre(0.5, 0.5, 0.5, 0.5));
    EXPECT_EQ(one.entered, 1);
}

/// A learner whose scores are the number of samples, or parts of it
class CountingLearner : public tests::TableLearner
{
  public:
    CountingLearner()
        : TableLearner({tests::MakeSoftLabels(1, 2, 0, 0.9F)})
    {
    }

    Score
    Evaluate(const DataView& labelled) override
    {
        const auto size = static_cast<double>(labelled.Size());
        Score score;
        score.accuracy = size;
        score.balancedAccuracy = size / 2;
        score.loss = size / 4;
        score.determination = size / 8;
        return score;
    }
};

TEST(SharedEvaluationTest, SeveralViewsAreWeighedBySamples)
{
    SharedEvaluation evaluation(
        "clients", std::vector{tests::MakeReference(1, 2), tests::MakeReference(3, 2)}, 0);
    CountingLearner learner;
    const Score score = evaluation.Evaluate(learner);
    EXPECT_DOUBLE_EQ(score.accuracy, 0.25 * 1 + 0.75 * 3);
    EXPECT_DOUBLE_EQ(score.balancedAccuracy, 2.5 / 2);
    EXPECT_DOUBLE_EQ(score.loss, 2.5 / 4);
    EXPECT_DOUBLE_EQ(score.determination, 2.5 / 8);
}

TEST(EvaluationsTest, MetricsAreNamedAfterTheirSamplesInOrder)
{
    std::vector<std::string> texts;
    for (const auto& metric : DescribeMetrics(MeasuredRound::GetColumns(MakeEvaluations())))
    {
        texts.push_back(metric.name + "|" + metric.unit + "|" + metric.meaning);
    }
    EXPECT_THAT(texts,
                ElementsAre("first||number",
                            "accuracy_own|1|part of own that is right",
                            "loss_own|nat|of the model",
                            "accuracy_all|1|part of all that is right",
                            "loss_all|nat|of the model",
                            "last||number"));
}

TEST(EvaluationsTest, ValuesAreThoseOfTheScores)
{
    const Evaluations evaluations = MakeEvaluations();
    tests::TableLearner learner({tests::MakeSoftLabels(1, 2, 0, 0.9F)});
    learner.Train({});
    std::vector<Score> scores = evaluations.Evaluate(learner);
    ASSERT_EQ(scores.size(), 2);
    EXPECT_EQ(scores[1].accuracy, 0.01) << "what the learner says after one training";
    scores[0].loss = 3;
    const MeasuredRound round = {1, std::make_shared<std::vector<Score>>(scores)};
    EXPECT_THAT(ReadMetrics(round, MeasuredRound::GetColumns(evaluations)),
                ElementsAre(Value("first", 1),
                            Value("accuracy_own", 0.01),
                            Value("loss_own", 3),
                            Value("accuracy_all", 0.01),
                            Value("loss_all", 0),
                            Value("last", 1)));
}

TEST(EvaluationsTest, WithoutScoresAllAreNaN)
{
    const auto values = ReadMetrics(MeasuredRound{}, MeasuredRound::GetColumns(MakeEvaluations()));
    ASSERT_EQ(values.size(), 6);
    for (std::size_t i = 1; i < 5; ++i)
    {
        EXPECT_TRUE(std::isnan(values[i].second));
    }
}

TEST(EvaluationsTest, EachScoreIsThatOfItsSamples)
{
    const auto columns = MeasuredRound::GetColumns(MakeEvaluations());
    Score own;
    own.accuracy = 0.5;
    own.loss = 3;
    Score all;
    all.accuracy = 0.25;
    all.loss = 4;
    const MeasuredRound round = {7, std::make_shared<std::vector<Score>>(std::vector{own, all})};
    EXPECT_THAT(ReadMetrics(round, columns),
                ElementsAre(Value("first", 7),
                            Value("accuracy_own", 0.5),
                            Value("loss_own", 3),
                            Value("accuracy_all", 0.25),
                            Value("loss_all", 4),
                            Value("last", 7)));
}

} // namespace evaluations_test
