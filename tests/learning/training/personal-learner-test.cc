/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-personal-learner.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-vector-stack.h"
#include "ns3/collab-torch-weights.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <numeric>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::HasSubstr;

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

/// @return all whole numbers from one to another
std::vector<std::size_t>
Range(std::size_t first, std::size_t last)
{
    std::vector<std::size_t> range(last - first + 1);
    std::iota(range.begin(), range.end(), first);
    return range;
}

/// @return both
std::vector<std::size_t>
Join(std::vector<std::size_t> a, const std::vector<std::size_t>& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// What FindShared() says against it
std::string
Refusal(const std::string& personal)
{
    try
    {
        FindShared(SPECS, personal);
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    return "";
}

TEST(PersonalLayersTest, AreTheLastOnesOrFitNames)
{
    const auto last = FindShared(SPECS, "1");
    EXPECT_EQ(last.places, Join(Range(0, 14), Range(23, 28)));
    EXPECT_EQ(last.trained, 15U);
    const auto two = FindShared(SPECS, "2"); // statistics go with their layer
    EXPECT_EQ(two.places, Range(0, 8));
    EXPECT_EQ(two.trained, 9U);
    const auto norms = FindShared(SPECS, "norm.*");
    EXPECT_EQ(norms.places, Join(Range(0, 8), Range(15, 22)));
    EXPECT_EQ(norms.trained, 17U);
    EXPECT_EQ(FindShared(SPECS, "*.bias,fc.weight").places,
              Join(Join(Range(0, 5), Range(9, 11)), Range(23, 28)));
}

TEST(PersonalLayersTest, MustBeSomeButNotAll)
{
    EXPECT_THAT(Refusal("3"), HasSubstr("3 personal layers of a model of 3 (fc1, norm, fc)"));
    EXPECT_THAT(Refusal("0"), HasSubstr("expected 1 to 2"));
    EXPECT_THAT(Refusal("fc2.*"), HasSubstr("no tensor is called \"fc2.*\"; there are fc1.weight"));
    EXPECT_THAT(Refusal("fc*,norm.weight,norm.bias"), HasSubstr("not all that are trained"));
    EXPECT_THAT(Refusal("fc"), HasSubstr("no tensor is called \"fc\""));
    EXPECT_THAT(Refusal(""), HasSubstr("personal layers \"\""));
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
        m_config.trainData = MakeView(data, {0, 1, 2, 3});
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

    const auto others = std::make_shared<const std::vector<float>>(9, 0.125F);
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
    task.center = std::make_shared<const std::vector<float>>(9, 1.0F);
    task.correction = std::make_shared<const std::vector<float>>(9, -0.25F);
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
    const auto others = std::make_shared<const std::vector<float>>(9, 0.125F);
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
    EXPECT_THROW(learner->SetWeights(std::make_shared<const std::vector<float>>(17, 0.0F)),
                 std::invalid_argument);
    TrainTask task;
    task.correction = std::make_shared<const std::vector<float>>(17, 0.0F);
    EXPECT_THROW(learner->Train(task), std::invalid_argument);
    EXPECT_THROW(MakePersonalLearner(nullptr, m_shared), std::invalid_argument);
    EXPECT_THROW(MakePersonalLearner(MakeTorchLearner(m_config), {{17}, 1}), std::invalid_argument);
}

} // namespace
