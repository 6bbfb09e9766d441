/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Models of which a part is trained: trained:NAMES:MODEL

#include "learning/learning-test-support.h"
#include "support/test-data.h"

#include "ns3/collab-dp-sgd.h"
#include "ns3/collab-model-description.h"
#include "ns3/collab-personal-learner.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-weights.h"

#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <string>
#include <vector>

namespace partial_training_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;

using Tensors = std::map<std::string, std::vector<float>>;

class PartialTrainingTest : public testing::Test
{
  protected:
    PartialTrainingTest()
        : PartialTrainingTest({2}, 2)
    {
    }

    PartialTrainingTest(std::vector<int64_t> shape, uint32_t classes)
        : m_data(MakeDataSet(FeatureKind::NUMBERS, shape, 6, classes, [](uint64_t i, uint64_t j) {
              return std::sin(static_cast<double>(7 * i + 3 * j));
          }))
    {
    }

    TorchLearnerConfig
    MakeConfig(const std::string& model) const
    {
        TorchLearnerConfig config;
        config.model = model;
        config.trainData = ViewAll(m_data);
        config.batchSize = 6;
        config.learningRate = 0.1;
        return config;
    }

    /// @return the tensors of a flat vector by their names
    Tensors
    Split(const std::string& model, const std::vector<float>& weights) const
    {
        Tensors tensors;
        auto next = weights.begin();
        for (const WeightSpec& spec : ListWeights(model, MakeModelInput(*m_data)))
        {
            const auto end = next + static_cast<std::ptrdiff_t>(spec.Size());
            tensors[spec.name] = std::vector<float>(next, end);
            next = end;
        }
        EXPECT_EQ(next, weights.end());
        return tensors;
    }

    /// @return weights of a learner, by the names of their tensors
    Tensors
    WeightsOf(const std::string& model, const Learner& learner) const
    {
        return Split(model, *learner.GetWeights());
    }

    std::shared_ptr<DataSet> m_data; //!< of learners
};

TEST_F(PartialTrainingTest, WhatIsTrainedComesFirstAndBeginsAlike)
{
    const std::string part = "trained:fc.*:mlp:3";
    const auto specs = ListWeights(part, MakeModelInput(*m_data));
    std::vector<std::string> names;
    for (const WeightSpec& spec : specs)
    {
        names.push_back(spec.name);
        EXPECT_EQ(spec.trainable, spec.name.substr(0, 3) == "fc.") << spec.name;
        EXPECT_EQ(spec.isFrozen, !spec.trainable) << spec.name;
    }
    EXPECT_THAT(names, ElementsAre("fc.weight", "fc.bias", "fc1.weight", "fc1.bias"));
    const auto whole = MakeTorchLearner(MakeConfig("mlp:3"));
    const auto learner = MakeTorchLearner(MakeConfig(part));
    EXPECT_EQ(WeightsOf(part, *learner), WeightsOf("mlp:3", *whole));
    EXPECT_EQ(learner->GetParameterCount(), 8U);
    EXPECT_EQ(learner->Predict(ViewAll(m_data)).values, whole->Predict(ViewAll(m_data)).values);
}

TEST_F(PartialTrainingTest, GradientsAreThoseOfTheWholeAndTheRestStaysAsItIs)
{
    for (const std::string names : {"fc.*", "fc1.weight", "*.bias"})
    {
        const std::string part = "trained:" + names + ":mlp:3";
        auto config = MakeConfig(part);
        config.optimizer.weightDecay = 0.1;
        const auto learner = MakeTorchLearner(config);
        const auto whole = MakeTorchLearner(MakeConfig("mlp:3"));
        const auto gradient = Split(part, *learner->ComputeGradient({}).gradient);
        const auto expected = Split("mlp:3", *whole->ComputeGradient({}).gradient);
        const auto before = WeightsOf(part, *learner);
        learner->Train({});
        const auto after = WeightsOf(part, *learner);
        for (const WeightSpec& spec : ListWeights(part, MakeModelInput(*m_data)))
        {
            const auto zeros = std::vector<float>(spec.Size(), 0.0F);
            EXPECT_THAT(gradient.at(spec.name),
                        testing::Pointwise(testing::FloatNear(1e-6F),
                                           spec.trainable ? expected.at(spec.name) : zeros))
                << names << " " << spec.name;
            EXPECT_EQ(after.at(spec.name) == before.at(spec.name), !spec.trainable)
                << names << " " << spec.name;
        }
    }
}

TEST_F(PartialTrainingTest, BackwardPassesThatAreNotMadeCostNothing)
{
    const ModelInput input = MakeModelInput(*m_data);
    const auto whole = DescribeModel("mlp:3", input);
    const auto count = [&](const std::string& names) {
        return DescribeModel("trained:" + names + ":mlp:3", input);
    };
    EXPECT_EQ(count("*").CountTrainingFlops(), whole.CountTrainingFlops());
    const uint64_t forward = whole.CountForwardFlops();
    for (const std::string names : {"fc.*", "fc1.*", "fc.bias"})
    {
        EXPECT_EQ(count(names).CountForwardFlops(), forward) << names;
        EXPECT_EQ(count(names).CountWeights(), 17U) << names;
    }
    // fc: 6 products, summed over samples, and 2 sums of biases
    EXPECT_EQ(count("fc.*").CountTrainingFlops() - forward, 2U * 6 + 2);
    EXPECT_EQ(count("fc.bias").CountTrainingFlops() - forward, 2U);
    // towards fc's inputs 6 products and 3 sums; 3 rectifiers; fc1: 6 products, and 3 biases
    EXPECT_EQ(count("fc1.*").CountTrainingFlops() - forward, 9U + 3 + 2 * 6 + 3);
    const auto learner = MakeTorchLearner(MakeConfig("trained:fc.*:mlp:3"));
    EXPECT_LT(learner->CountTrainFlops({}),
              MakeTorchLearner(MakeConfig("mlp:3"))->CountTrainFlops({}));
}

TEST_F(PartialTrainingTest, RefusesWhatTrainsNothing)
{
    const ModelInput input = MakeModelInput(*m_data);
    for (const auto& [model, text] : std::map<std::string, std::string>{
             {"trained:fc2.*:mlp:3",
              "no tensor is called \"fc2.*\"; there are fc1.weight, fc1.bias, fc.weight, fc.bias"},
             {"trained:fc.*", "expected names of tensors and a model"},
             {"trained", "expected names of tensors and a model"},
             {"trained:fc.*:mlq", "no model \"mlq\""},
             {"trained:*:stub:10", "it is a stub"}})
    {
        ExpectRefused(text, [&, m = model] { DescribeModel(m, input); });
    }
    EXPECT_EQ(
        DescribeModel("trained:fc.*:trained:*.bias,fc1.weight:mlp:3", input).CountParameters(),
        2U); // of what was trained
}

/// With images of Fashion-MNIST's shape
class PartialImagesTest : public PartialTrainingTest
{
  protected:
    PartialImagesTest()
        : PartialTrainingTest({1, 28, 28}, 10)
    {
    }
};

TEST_F(PartialImagesTest, StatisticsOfBatchesGoOnBehindFrozenWeights)
{
    const std::string part = "trained:fc.*:resnet20";
    const auto learner = MakeTorchLearner(MakeConfig(part));
    const auto before = WeightsOf(part, *learner);
    EXPECT_EQ(before, WeightsOf("resnet20", *MakeTorchLearner(MakeConfig("resnet20"))));
    learner->Train({});
    for (const auto& [name, values] : WeightsOf(part, *learner))
    {
        const bool changes = name.substr(0, 3) == "fc." || name.find("running") != name.npos;
        EXPECT_EQ(values != before.at(name), changes) << name;
    }
    const auto shared = FindUnfrozen(ListWeights(part, MakeModelInput(*m_data)));
    EXPECT_EQ(shared.trained, learner->GetParameterCount());
    EXPECT_GT(shared.places.size(), shared.trained); // statistics are of all devices
}

TEST_F(PartialImagesTest, AdaptersOfAnExportedTransformer)
{
    const std::string module = "script:" + GetTestData("modules/lora.pt");
    const std::string part = "trained:*.lora_*,head.*:" + module;
    const auto whole = MakeTorchLearner(MakeConfig(module));
    auto config = MakeConfig(part);
    const auto learner = MakeTorchLearner(config);
    EXPECT_EQ(whole->GetParameterCount(), 1298U);
    EXPECT_EQ(learner->GetParameterCount(), 64U + 90);
    const auto before = WeightsOf(part, *learner);
    EXPECT_EQ(before, WeightsOf(module, *whole)); // those of the file
    const auto gradient = Split(part, *learner->ComputeGradient({}).gradient);
    const auto expected = Split(module, *whole->ComputeGradient({}).gradient);
    for (const std::string name : {"blocks.0.query.lora_b", "blocks.0.value.lora_b", "head.weight"})
    {
        EXPECT_THAT(gradient.at(name),
                    testing::Pointwise(testing::FloatNear(1e-6F), expected.at(name)));
    }
    learner->Train({});
    learner->Train({}); // A moves once B is not 0
    for (const auto& [name, values] : WeightsOf(part, *learner))
    {
        const bool isTrained = name.find(".lora_") != name.npos || name.substr(0, 5) == "head.";
        EXPECT_EQ(values != before.at(name), isTrained) << name;
    }
    EXPECT_LT(learner->CountTrainFlops({}), whole->CountTrainFlops({}));
    config.dpSgd = ReadDpSgd("clip=1,noise=1"); // what never changes tells nothing
    EXPECT_NO_THROW(MakeTorchLearner(config)->Train({}));
}

} // namespace partial_training_test
