/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/diverging-learner.h"
#include "support/table-learner.h"

#include "ns3/collab-evaluations.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <gmock/gmock.h>
#include <mutex>
#include <thread>

namespace
{

using namespace ns3::collab;
using testing::ElementsAre;
using Value = std::pair<std::string, double>;

const std::vector<ScoreMetric> MEASURES = {
    {{"accuracy", "1", "part of NAME that is right"}, &Score::accuracy},
    {{"loss", "nat", "of the model"}, &Score::loss}};

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
    std::vector<Metric> metrics;
    evaluations.AddMetrics({{{"accuracy", "1", "part of NAME"}, &Score::accuracy},
                            {{"balanced", "1", "of NAME"}, &Score::balancedAccuracy}},
                           metrics);
    EXPECT_EQ(metrics.at(0).meaning, "part of clients");
    EXPECT_EQ(metrics.at(1).meaning, "of clients, each device's own, mean by numbers of samples");
}

/// Counts measurements, each of which waits until so many have begun or a second is over
class Gate
{
  public:
    /**
     * @param expected number of measurements
     */
    explicit Gate(int expected)
        : m_expected(expected)
    {
    }

    /// Begin a measurement.
    void
    Enter()
    {
        std::unique_lock<std::mutex> lock(m_mutex);
        ++m_entered;
        m_changed.notify_all();
        m_isFull = m_changed.wait_for(
            lock, std::chrono::seconds(1), [this]() { return m_entered >= m_expected; });
    }

    /// @return number of measurements
    int
    Count() const
    {
        return m_entered;
    }

    /// @return whether the last measurement has seen all the others begin
    bool
    IsFull() const
    {
        return m_isFull;
    }

  private:
    int m_expected;                    //!< number of measurements
    int m_entered = 0;                 //!< that have begun
    bool m_isFull = false;             //!< see IsFull()
    std::mutex m_mutex;                //!< of all
    std::condition_variable m_changed; //!< when one begins
};

/// A learner of given weights that waits when it is measured
class WaitingLearner : public tests::TableLearner
{
  public:
    /**
     * @param weight the only one
     * @param gate to wait at
     */
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

/**
 * @param weights of learners that a thread each measures
 * @param gate where they wait
 * @return their accuracies
 */
std::vector<double>
MeasureAtOnce(const std::vector<float>& weights, Gate& gate)
{
    SharedEvaluation evaluation("all", tests::MakeReference(4, 2));
    std::vector<double> accuracies(weights.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        threads.emplace_back([&, i]() {
            WaitingLearner learner(weights[i], gate);
            accuracies[i] = evaluation.Evaluate(learner).accuracy;
        });
    }
    for (std::thread& thread : threads)
    {
        thread.join();
    }
    return accuracies;
}

} // namespace

TEST(SharedEvaluationTest, DifferentModelsAreMeasuredSideBySide)
{
    Gate gate(3);
    EXPECT_THAT(MeasureAtOnce({0.25F, 0.5F, 0.75F}, gate), ElementsAre(0.25, 0.5, 0.75));
    EXPECT_TRUE(gate.IsFull());
}

TEST(SharedEvaluationTest, EqualModelsAreMeasuredOnce)
{
    Gate gate(1);
    EXPECT_THAT(MeasureAtOnce({0.5F, 0.5F, 0.5F, 0.5F}, gate), ElementsAre(0.5, 0.5, 0.5, 0.5));
    EXPECT_EQ(gate.Count(), 1);
}

TEST(EvaluationsTest, MetricsAreNamedAfterTheirSamplesInOrder)
{
    std::vector<Metric> metrics = {{"first", "", ""}};
    MakeEvaluations().AddMetrics(MEASURES, metrics);
    std::vector<std::string> texts;
    for (const auto& metric : metrics)
    {
        texts.push_back(metric.name + "|" + metric.unit + "|" + metric.meaning);
    }
    EXPECT_THAT(texts,
                ElementsAre("first||",
                            "accuracy_own|1|part of own that is right",
                            "loss_own|nat|of the model",
                            "accuracy_all|1|part of all that is right",
                            "loss_all|nat|of the model"));
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
    std::vector<Value> values = {{"first", 1}};
    evaluations.AddValues(MEASURES, &scores, values);
    EXPECT_THAT(values,
                ElementsAre(Value("first", 1),
                            Value("accuracy_own", 0.01),
                            Value("loss_own", 3),
                            Value("accuracy_all", 0.01),
                            Value("loss_all", 0)));
}

TEST(EvaluationsTest, WithoutScoresAllAreNaN)
{
    std::vector<Value> values;
    MakeEvaluations().AddValues(MEASURES, nullptr, values);
    ASSERT_EQ(values.size(), 4);
    for (const auto& value : values)
    {
        EXPECT_TRUE(std::isnan(value.second));
    }
}
