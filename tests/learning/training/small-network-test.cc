/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-generated-data-sets.h"
#include "ns3/collab-model-plans.h"
#include "ns3/collab-small-network.h"
#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

namespace small_network_test
{

using namespace ns3::collab;
using namespace tests;

/// A job for one model with LibTorch and without
struct SmallNetworkCase
{
    std::string name;      //!< of the case
    std::string model;     //!< name with options
    uint32_t samples;      //!< local ones
    uint32_t batchSize;    //!< local samples of a step
    OptimizerKind kind;    //!< of the optimizer
    bool distills;         //!< whether there are targets on X*
    bool isRegression;     //!< whether targets are numbers
    bool hasTerms = false; //!< whether there are a proximal term, l2 and a correction
};

void
PrintTo(const SmallNetworkCase& test, std::ostream* out)
{
    *out << test.name;
}

class SmallNetworkTest : public testing::TestWithParam<SmallNetworkCase>
{
  protected:
    /// @return all samples of the case's data set
    static std::shared_ptr<const DataView>
    MakeData(uint32_t samples, bool isRegression, uint64_t seed)
    {
        auto data = std::make_shared<DataSet>();
        data->kind = FeatureKind::NUMBERS;
        data->sampleShape = {2};
        data->classes = isRegression ? 0 : 4;
        data->outputs = isRegression ? 3 : 0;
        RandomGenerator generator(seed);
        const auto draw = [&generator]() {
            return static_cast<float>(generator() % 2001) / 1000.0F - 1;
        };
        for (uint32_t i = 0; i < samples; ++i)
        {
            const float x = draw();
            const float y = draw();
            data->numbers.insert(data->numbers.end(), {x, y});
            if (isRegression)
            {
                data->targets.insert(data->targets.end(), {x * y, x + y, draw()});
            }
            else
            {
                data->labels.push_back((x > 0 ? 1 : 0) + (y > 0.1F * draw() ? 2 : 0));
            }
        }
        return std::make_shared<const DataView>(ViewAll(data));
    }

    /// @return weights after training with or without LibTorch
    static std::vector<float>
    Train(bool isNative, TrainReport& report)
    {
        const SmallNetworkCase& test = GetParam();
        TorchLearnerConfig config;
        config.model = test.model;
        config.trainData = *MakeData(test.samples, test.isRegression, 1);
        config.batchSize = test.batchSize;
        config.referenceBatchSize = 70;
        config.optimizer.kind = test.kind;
        config.optimizer.momentum = test.kind == OptimizerKind::SGD ? 0.5 : 0;
        config.learningRate = 0.02;
        config.nativeSmallNetworks = isNative;
        const auto learner = MakeTorchLearner(config);
        TrainTask task;
        task.epochs = 3;
        task.returnsGradient = true;
        if (test.distills)
        {
            task.distillation.inputs = MakeData(150, test.isRegression, 2);
            auto targets = std::make_shared<Matrix<float>>(150, test.isRegression ? 3 : 4);
            for (std::size_t i = 0; i < targets->rows; ++i)
            {
                std::fill_n(targets->Row(i), targets->columns, 0.1F);
                (*targets)(i, i % targets->columns) = 0.7F;
            }
            task.distillation.targets = targets;
            task.distillation.lambda = 0.5;
        }
        if (test.hasTerms)
        {
            const std::size_t size = learner->GetWeights()->size();
            task.center = Constant(size, 0.1F);
            task.correction = Constant(size, -0.01F);
            task.mu = 0.3;
            task.l2 = 0.05;
        }
        report = learner->Train(task);
        return *learner->GetWeights();
    }

    /// Compare vectors by the length of their difference.
    static void
    ExpectNearly(const std::vector<float>& a, const std::vector<float>& b, double tolerance)
    {
        ASSERT_EQ(a.size(), b.size());
        double difference = 0;
        double length = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
        {
            difference += std::pow(static_cast<double>(a[i]) - b[i], 2);
            length += std::pow(static_cast<double>(a[i]), 2);
        }
        EXPECT_LT(std::sqrt(difference), tolerance * std::sqrt(length));
        EXPECT_GT(length, 0);
    }
};

TEST_P(SmallNetworkTest, EqualsLibTorchToRounding)
{
    TrainReport torchReport;
    TrainReport nativeReport;
    const auto torch = Train(false, torchReport);
    const auto native = Train(true, nativeReport);
    ExpectNearly(torch, native, 1e-5);
    ExpectNearly(*torchReport.lastGradient, *nativeReport.lastGradient, 2e-4); // small at the end
    EXPECT_EQ(torchReport.steps, nativeReport.steps);
    EXPECT_NEAR(torchReport.localLoss, nativeReport.localLoss, 1e-5 * torchReport.localLoss);
    EXPECT_NEAR(torchReport.distillationLoss,
                nativeReport.distillationLoss,
                1e-5 * torchReport.distillationLoss);
    // Else nothing was compared; weights alone may be equal by chance.
    EXPECT_FALSE(torch == native && torchReport.localLoss == nativeReport.localLoss);
}

INSTANTIATE_TEST_SUITE_P(
    Models,
    SmallNetworkTest,
    testing::Values(
        SmallNetworkCase{"Linear", "linear", 100, 32, OptimizerKind::SGD, false, false},
        SmallNetworkCase{"Mlp", "mlp:5-10", 200, 64, OptimizerKind::ADAM, false, false},
        SmallNetworkCase{"OddBatches", "mlp:7", 101, 33, OptimizerKind::SGD, false, false},
        SmallNetworkCase{"Distillation", "mlp:5-10", 150, 64, OptimizerKind::ADAM, true, false},
        SmallNetworkCase{"Regression", "mlp:16", 130, 64, OptimizerKind::ADAM, false, true},
        SmallNetworkCase{"RegressionTowards", "mlp:16", 130, 20, OptimizerKind::SGD, true, true},
        SmallNetworkCase{"Terms", "mlp:5-10", 100, 10, OptimizerKind::SGD, true, false, true}),
    [](const auto& info) { return info.param.name; });

TEST(SmallNetworkPlanTest, TakesOnlySmallChainsOfLinearLayers)
{
    ModelInput input;
    input.sampleShape = {1, 4, 4};
    input.outputs = 3;
    const auto mlp = SmallNetwork::Make(PlanMlp("8-5", input));
    ASSERT_TRUE(mlp);
    EXPECT_EQ(mlp->CountWeights(), 17 * 8 + 9 * 5 + 6 * 3);
    EXPECT_EQ(mlp->CountOutputs(), 3);
    EXPECT_TRUE(SmallNetwork::Make(PlanLinear("", input)));
    EXPECT_FALSE(SmallNetwork::Make(PlanMlp("200", input))); // 3200 weights in a layer
    input.sampleShape = {1, 28, 28};
    EXPECT_FALSE(SmallNetwork::Make(PlanNetCnn("", input)));
    input.sampleShape = {1};
    EXPECT_FALSE(SmallNetwork::Make(PlanPolynomial("", input)));
}

} // namespace small_network_test
