/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-torch-learner.h"

#include <ATen/Functions.h>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <stdexcept>
#include <torch/nn/modules/linear.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

namespace
{

using namespace ns3::collab;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t SAMPLES = 30;
constexpr int64_t FEATURES = 6;
constexpr int64_t CLASSES = 3;

/// @return bytes, of which 15 samples are of class 0, 10 of class 1 and 5 of class 2
std::shared_ptr<const DataSet>
MakeData()
{
    RandomGenerator generator(5);
    auto data = std::make_shared<DataSet>();
    data->sampleShape = {FEATURES};
    data->classes = CLASSES;
    for (int64_t i = 0; i < SAMPLES; ++i)
    {
        data->labels.push_back(i < 15 ? 0 : i < 25 ? 1 : 2);
        for (int64_t j = 0; j < FEATURES; ++j)
        {
            data->features.push_back(static_cast<uint8_t>(generator() % 256));
        }
    }
    return data;
}

class TrainingOptionsTest : public testing::Test
{
  protected:
    TrainingOptionsTest()
    {
        std::vector<uint32_t> all(SAMPLES);
        std::iota(all.begin(), all.end(), 0U);
        m_config.model = "linear";
        m_config.trainData = MakeView(MakeData(), all);
        m_config.batchSize = SAMPLES;
        m_config.learningRate = 0.1;
    }

    /**
     * @param steps to take
     * @return weights that the learner has then
     */
    std::vector<float>
    Train(uint32_t steps) const
    {
        const auto learner = MakeTorchLearner(m_config);
        TrainTask task;
        task.steps = steps;
        learner->Train(task);
        return *learner->GetWeights();
    }

    /// @return the learner's model by LibTorch, with its initial weights
    torch::nn::Linear
    MakeReference() const
    {
        const std::vector<float> weights = *MakeTorchLearner(m_config)->GetWeights();
        torch::nn::Linear linear(FEATURES, CLASSES);
        const at::NoGradGuard guard;
        const at::Tensor flat = at::tensor(weights);
        linear->weight.copy_(flat.narrow(0, 0, FEATURES * CLASSES).view({CLASSES, FEATURES}));
        linear->bias.copy_(flat.narrow(0, FEATURES * CLASSES, CLASSES));
        return linear;
    }

    /**
     * @brief Take steps on all samples by an optimizer of LibTorch.
     *
     * @param linear the model
     * @param optimizer of it
     * @param rates of the steps
     * @return its weights
     */
    std::vector<float>
    TrainReference(torch::nn::Linear& linear,
                   torch::optim::Optimizer& optimizer,
                   const std::vector<double>& rates) const
    {
        const DataSet& data = *m_config.trainData.data;
        const at::Tensor bytes =
            at::tensor(std::vector<float>(data.features.begin(), data.features.end()));
        const at::Tensor samples =
            (bytes.view({SAMPLES, FEATURES}) / 255 - data.offset[0]) / data.scale[0];
        const at::Tensor labels = at::tensor(data.labels);
        const auto& classWeights = m_config.classWeights;
        const at::Tensor weights = classWeights.empty() ? at::Tensor() : at::tensor(classWeights);
        for (const double rate : rates)
        {
            optimizer.param_groups()[0].options().set_lr(rate);
            optimizer.zero_grad();
            at::cross_entropy_loss(linear->forward(samples),
                                   labels,
                                   weights,
                                   at::Reduction::Mean,
                                   -100,
                                   m_config.labelSmoothing)
                .backward();
            if (m_config.optimizer.maxNorm > 0)
            {
                torch::nn::utils::clip_grad_norm_(linear->parameters(), m_config.optimizer.maxNorm);
            }
            optimizer.step();
        }
        const at::Tensor flat = at::cat({linear->weight.flatten(), linear->bias}).contiguous();
        return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
    }

    /**
     * @param expected weights
     * @param steps after which the learner is to have them, with or without LibTorch
     */
    void
    Expect(const std::vector<float>& expected, uint32_t steps)
    {
        for (const bool native : {true, false})
        {
            m_config.nativeSmallNetworks = native;
            EXPECT_THAT(Train(steps), testing::Pointwise(testing::FloatNear(2e-6F), expected));
        }
    }

    TorchLearnerConfig m_config; //!< of the learners
};

TEST_F(TrainingOptionsTest, DecayIsDecoupledAsInAdamW)
{
    ReadOptimizerOptions("weightDecay=0.5,decoupled=1,beta1=0.8,beta2=0.99", m_config.optimizer);
    auto linear = MakeReference();
    torch::optim::AdamW optimizer(
        linear->parameters(), torch::optim::AdamWOptions(0.1).weight_decay(0.5).betas({0.8, 0.99}));
    Expect(TrainReference(linear, optimizer, std::vector<double>(7, 0.1)), 7);
}

TEST_F(TrainingOptionsTest, LongGradientsAreShortened)
{
    m_config.optimizer.kind = OptimizerKind::SGD;
    for (const double norm : {0.01, 100.0}) // every one is too long, and none
    {
        m_config.optimizer.maxNorm = norm;
        auto linear = MakeReference();
        torch::optim::SGD optimizer(linear->parameters(), torch::optim::SGDOptions(0.1));
        Expect(TrainReference(linear, optimizer, std::vector<double>(5, 0.1)), 5);
    }
    const std::vector<float> free = Train(5);
    m_config.optimizer.maxNorm = 0;
    EXPECT_EQ(Train(5), free);
}

TEST_F(TrainingOptionsTest, RatesFollowTheirSchedule)
{
    m_config.optimizer.kind = OptimizerKind::SGD;
    m_config.optimizer.schedule = MakeRateSchedule("step:every=2,gamma=0.5,warmup=2");
    const std::vector<double> rates{0.05, 0.1, 0.1, 0.1, 0.05, 0.05, 0.025};
    auto linear = MakeReference();
    torch::optim::SGD optimizer(linear->parameters(), torch::optim::SGDOptions(0.1));
    Expect(TrainReference(linear, optimizer, rates), 7);
}

TEST_F(TrainingOptionsTest, AScheduleGoesOnFromJobToJob)
{
    m_config.optimizer.schedule = MakeRateSchedule("cosine:steps=6");
    const auto learner = MakeTorchLearner(m_config);
    TrainTask task;
    task.steps = 3;
    learner->Train(task);
    learner->Train(task);
    EXPECT_EQ(*learner->GetWeights(), Train(6));
    const std::vector<float> before = *learner->GetWeights();
    learner->Train(task); // its rate is 0 from now on
    EXPECT_EQ(*learner->GetWeights(), before);
}

TEST(RateScheduleTest, FactorsAreThoseOfTheFormulas)
{
    const auto factors = [](const std::string& specification, uint64_t count) {
        const RateSchedule schedule = MakeRateSchedule(specification);
        std::vector<double> values;
        for (uint64_t i = 0; i < count; ++i)
        {
            values.push_back(GetRateFactor(schedule, i));
        }
        return values;
    };
    EXPECT_THAT(factors("constant:warmup=4", 6), ElementsAre(0.25, 0.5, 0.75, 1, 1, 1));
    EXPECT_THAT(
        factors("step:every=3", 7),
        testing::Pointwise(testing::DoubleEq(), std::vector<double>{1, 1, 1, 0.1, 0.1, 0.1, 0.01}));
    // 0.2 + 0.4 (1 + cos(pi k / 4))
    const double root = std::sqrt(0.5);
    EXPECT_THAT(factors("cosine:steps=4,floor=0.2,warmup=1", 7),
                testing::Pointwise(
                    testing::DoubleNear(1e-12),
                    std::vector<double>{1, 1, 0.6 + 0.4 * root, 0.6, 0.6 - 0.4 * root, 0.2, 0.2}));
}

TEST_F(TrainingOptionsTest, LabelsAreSmoothedAndClassesWeighed)
{
    m_config.optimizer.kind = OptimizerKind::SGD;
    for (const bool weighs : {false, true})
    {
        m_config.labelSmoothing = 0.2;
        m_config.balancesClasses = weighs;
        // scikit-learn: 30 / (3 * 15), 30 / (3 * 10), 30 / (3 * 5)
        m_config.classWeights = weighs ? std::vector<float>{2.0F / 3, 1, 2} : std::vector<float>{};
        auto linear = MakeReference();
        torch::optim::SGD optimizer(linear->parameters(), torch::optim::SGDOptions(0.1));
        const std::vector<float> expected =
            TrainReference(linear, optimizer, std::vector<double>(5, 0.1));
        m_config.classWeights.clear();
        Expect(expected, 5);
    }
}

TEST_F(TrainingOptionsTest, AGradientOfManyPassesWeighsItsClassesAsOne)
{
    std::vector<uint32_t> often;
    for (uint32_t i = 0; i < 40 * SAMPLES; ++i)
    {
        often.push_back(i / 40); // passes are of other classes each
    }
    m_config.balancesClasses = true;
    const auto once = MakeTorchLearner(m_config)->ComputeGradient({}).gradient;
    GradientTask task;
    task.positions = often;
    const auto many = MakeTorchLearner(m_config)->ComputeGradient(task).gradient;
    EXPECT_THAT(*many, testing::Pointwise(testing::FloatNear(1e-6F), *once));
}

TEST_F(TrainingOptionsTest, OperationsAreCounted)
{
    const auto count = [this]() { return MakeTorchLearner(m_config)->CountTrainFlops({}); };
    const uint64_t plain = count();
    m_config.optimizer.maxNorm = 1;
    EXPECT_EQ(count(), plain + 3 * 21); // 18 weights and 3 biases, one step
    m_config.optimizer.maxNorm = 0;
    m_config.labelSmoothing = 0.1;
    EXPECT_EQ(count(), plain + SAMPLES * (2 * CLASSES + 2));
    m_config.balancesClasses = true;
    EXPECT_EQ(count(), plain + SAMPLES * (2 * CLASSES + 2 + 2));
}

TEST_F(TrainingOptionsTest, RefusesWhatIsNotAllowed)
{
    const auto refused = [this](const char* text, const auto& change) {
        TorchLearnerConfig config = m_config;
        try
        {
            change(config);
            MakeTorchLearner(config);
            ADD_FAILURE() << "was accepted: " << text;
        }
        catch (const std::invalid_argument& error)
        {
            EXPECT_THAT(error.what(), HasSubstr(text));
        }
    };
    const auto reads = [](const char* options) {
        return [options](auto& config) { ReadOptimizerOptions(options, config.optimizer); };
    };
    const auto schedules = [](const char* specification) {
        return [specification](auto& config) {
            config.optimizer.schedule = MakeRateSchedule(specification);
        };
    };
    refused("maxNorm", reads("maxNorm=-1"));
    refused("decay", reads("decay=1"));
    refused("nesterov", reads("nesterov=2"));
    refused("momentum", reads("nesterov=1"));
    refused("every=N is missing", schedules("step"));
    refused("steps=N is missing", schedules("cosine:floor=0.1"));
    refused("gamma", schedules("step:every=2,gamma=0"));
    refused("linear", schedules("linear"));
    refused("only Adam", [](auto& config) {
        config.optimizer.kind = OptimizerKind::SGD;
        config.optimizer.decouplesDecay = true;
    });
    refused("labelSmoothing 1", [](auto& config) { config.labelSmoothing = 1; });
    refused("2 numbers for 3 classes", [](auto& config) { config.classWeights = {1, 1}; });
    refused("weight 0", [](auto& config) { config.classWeights = {1, 0, 1}; });
    refused("for samples with labels", [](auto& config) {
        config.loss = LossKind::TRIPLET;
        config.labelSmoothing = 0.1;
    });
}

} // namespace
