/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-personal-learner.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-weights.h"
#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>

namespace personal_learner_test
{

using namespace ns3::collab;
using namespace tests;

/// Tensors of two layers with a normalization between them, whose statistics come last
const std::vector<WeightSpec> SPECS = {
    {"fc1.weight", {3, 2}},
    {"fc1.bias", {3}},
    {"norm.weight", {3}},
    {"norm.bias", {3}},
    {"fc.weight", {2, 3}},
    {"fc.bias", {2}},
    {"norm.running_mean", {3}, InitialValues::CONSTANT, 0, false},
    {"norm.running_var", {3}, InitialValues::CONSTANT, 1, false}};

/// @return all places from each first to each last one
std::vector<std::size_t>
Places(const std::vector<std::pair<std::size_t, std::size_t>>& ranges)
{
    std::vector<std::size_t> places;
    for (auto [place, last] : ranges)
    {
        for (; place <= last; ++place)
        {
            places.push_back(place);
        }
    }
    return places;
}

TEST(PersonalLayersTest, AreTheLastOnesOrFitNames)
{
    const auto last = FindShared(SPECS, "1");
    EXPECT_EQ(last.places, Places({{0, 14}, {23, 28}}));
    EXPECT_EQ(last.trained, 15U);
    const auto two = FindShared(SPECS, "2"); // statistics go with their layer
    EXPECT_EQ(two.places, Places({{0, 8}}));
    EXPECT_EQ(two.trained, 9U);
    const auto norms = FindShared(SPECS, "norm.*");
    EXPECT_EQ(norms.places, Places({{0, 8}, {15, 22}}));
    EXPECT_EQ(norms.trained, 17U);
    EXPECT_EQ(FindShared(SPECS, "*.bias,fc.weight").places, Places({{0, 5}, {9, 11}, {23, 28}}));
}

TEST(PersonalLayersTest, MustBeSomeButNotAll)
{
    for (const auto& [personal, text] : std::map<std::string, std::string>{
             {"3", "3 personal layers of a model of 3 (fc1, norm, fc)"},
             {"0", "expected 1 to 2"},
             {"fc2.*", "no tensor is called \"fc2.*\"; there are fc1.weight"},
             {"fc*,norm.weight,norm.bias", "not all that are trained"},
             {"fc", "no tensor is called \"fc\""},
             {"", "personal layers \"\""}})
    {
        ExpectRefused(text, [p = personal] { FindShared(SPECS, p); });
    }
}

TEST(PersonalLayersTest, AreThoseThatAreNotNamed)
{
    const auto named = FindNamed(SPECS, "fc1.*,norm.running_???");
    EXPECT_EQ(named.places, Places({{0, 8}, {26, 28}}));
    EXPECT_EQ(named.trained, 9U);
    EXPECT_EQ(FindNamed(SPECS, "*").trained, 23U);
    ExpectRefused("no tensor is called \"fc2.*\"; there are fc1.weight, fc1.bias, norm.weight",
                  [] { FindNamed(SPECS, "fc1.*,fc2.*"); });
    ExpectRefused("of the 2 tensors \"*running*\" none is trained",
                  [] { FindNamed(SPECS, "*running*"); });
    ExpectRefused("no tensor is called \"norm.running_??\"",
                  [] { FindNamed(SPECS, "norm.running_??"); });
}

TEST(PersonalLayersTest, WhatIsFrozenIsOnlySharedByName)
{
    auto specs = SPECS; // as those of a model of which fc1 is frozen: behind what is trained
    std::rotate(specs.begin(), specs.begin() + 2, specs.begin() + 6);
    for (const std::size_t i : {4U, 5U})
    {
        specs[i].trainable = false;
        specs[i].isFrozen = true;
    }
    EXPECT_EQ(FindUnfrozen(specs).places, Places({{0, 13}, {23, 28}}));
    EXPECT_EQ(FindUnfrozen(specs).trained, 14U);
    EXPECT_EQ(FindUnfrozen(SPECS).places.size(), 29U);
    EXPECT_EQ(FindShared(specs, "1").places, Places({{0, 5}, {23, 28}}));
    EXPECT_EQ(FindNamed(specs, "f*").places, Places({{6, 22}}));
    EXPECT_EQ(FindNamed(specs, "f*").trained, 8U);
}

class PersonalLearnerTest : public testing::Test
{
  protected:
    PersonalLearnerTest()
    {
        auto data = std::make_shared<DataSet>();
        data->kind = FeatureKind::NUMBERS;
        data->sampleShape = {2};
        data->classes = 2;
        data->numbers = {0.5F, -1, 2, 0.25F, -0.75F, 1, 1.5F, -2};
        data->labels = {0, 1, 1, 0};
        m_config.model = "mlp:3";
        m_config.trainData = ViewAll(data);
        m_config.batchSize = 4;
        m_config.optimizer.kind = OptimizerKind::SGD;
        m_config.learningRate = 0.5;
        m_shared = FindShared(ListWeights("mlp:3", MakeModelInput(*data)), "1");
    }

    /// @return a learner that keeps its last layer, of 8 of 17 numbers
    std::unique_ptr<Learner>
    Make() const
    {
        return MakePersonalLearner(MakeTorchLearner(m_config), m_shared);
    }

    TorchLearnerConfig m_config; //!< of learners
    SharedWeights m_shared;      //!< what they share
};

TEST_F(PersonalLearnerTest, ShowsTheSharedPartAndKeepsTheRest)
{
    const auto plain = MakeTorchLearner(m_config);
    const auto learner = Make();
    const auto all = *plain->GetWeights();
    ASSERT_EQ(all.size(), 17U);
    EXPECT_EQ(learner->GetParameterCount(), 9U);
    EXPECT_EQ(*learner->GetWeights(), std::vector<float>(all.begin(), all.begin() + 9));

    learner->Train({});
    plain->Train({});
    EXPECT_EQ(*learner->GetAllWeights(), *plain->GetWeights());
    const auto trained = *plain->GetWeights();

    const auto others = Constant(9, 0.125F);
    learner->SetWeights(others);
    EXPECT_EQ(learner->GetWeights(), others);
    const auto merged = *learner->GetAllWeights();
    EXPECT_EQ(std::vector<float>(merged.begin(), merged.begin() + 9), *others);
    EXPECT_TRUE(std::equal(merged.begin() + 9, merged.end(), trained.begin() + 9));

    plain->SetWeights(std::make_shared<const std::vector<float>>(merged));
    EXPECT_EQ(learner->Predict(m_config.trainData).values,
              plain->Predict(m_config.trainData).values);
    learner->Train({}); // what it shows follows
    plain->Train({});
    const auto next = *plain->GetWeights();
    EXPECT_EQ(*learner->GetWeights(), std::vector<float>(next.begin(), next.begin() + 9));
}

TEST_F(PersonalLearnerTest, TermsAreAboutTheSharedPart)
{
    const auto plain = MakeTorchLearner(m_config);
    const auto learner = Make();
    const auto all = *plain->GetWeights();
    TrainTask task;
    task.epochs = 2;
    task.returnsGradient = true;
    task.mu = 0.5;
    task.center = Constant(9, 1.0F);
    task.correction = Constant(9, -0.25F);
    TrainTask whole = task; // the rest is pulled to where it was, and has no correction
    auto center = all;
    std::fill_n(center.begin(), 9, 1.0F);
    auto correction = std::vector<float>(17, 0.0F);
    std::fill_n(correction.begin(), 9, -0.25F);
    whole.center = std::make_shared<const std::vector<float>>(center);
    whole.correction = std::make_shared<const std::vector<float>>(correction);
    EXPECT_EQ(learner->CountTrainFlops(task), plain->CountTrainFlops(whole));
    const auto report = learner->Train(task);
    const auto expected = plain->Train(whole);
    EXPECT_EQ(*learner->GetAllWeights(), *plain->GetWeights());
    EXPECT_EQ(
        *report.lastGradient,
        std::vector<float>(expected.lastGradient->begin(), expected.lastGradient->begin() + 9));

    const auto gradient = learner->ComputeGradient({});
    const auto wholeGradient = plain->ComputeGradient({});
    EXPECT_EQ(
        *gradient.gradient,
        std::vector<float>(wholeGradient.gradient->begin(), wholeGradient.gradient->begin() + 9));
}

TEST_F(PersonalLearnerTest, BeginsAnewAfterItHasDiverged)
{
    const auto learner = Make();
    const auto others = Constant(9, 0.125F);
    learner->SetWeights(others);
    const auto before = *learner->GetAllWeights();
    TrainTask task;
    task.learningRate = 1e30;
    task.epochs = 3;
    learner->Train(task);
    ASSERT_FALSE(AreFinite(*learner->GetAllWeights()));
    task.center = others; // of the proximal term: what is not shared has one of its own
    task.mu = 1;
    EXPECT_NO_THROW(learner->Train(task));
    learner->SetWeights(others);
    EXPECT_EQ(*learner->GetAllWeights(), before);
}

TEST_F(PersonalLearnerTest, RefusesOtherLengths)
{
    const auto learner = Make();
    EXPECT_THROW(learner->SetWeights(nullptr), std::invalid_argument);
    EXPECT_THROW(learner->SetWeights(Constant(17, 0.0F)), std::invalid_argument);
    TrainTask task;
    task.correction = Constant(17, 0.0F);
    EXPECT_THROW(learner->Train(task), std::invalid_argument);
    EXPECT_THROW(MakePersonalLearner(nullptr, m_shared), std::invalid_argument);
    EXPECT_THROW(MakePersonalLearner(MakeTorchLearner(m_config), {{17}, 1}), std::invalid_argument);
}

} // namespace personal_learner_test
