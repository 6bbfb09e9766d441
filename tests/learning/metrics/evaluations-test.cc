/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/diverging-learner.h"
#include "support/table-learner.h"

#include "ns3/collab-evaluations.h"

#include <cmath>
#include <gmock/gmock.h>

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

} // namespace

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
