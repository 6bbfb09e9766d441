/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A NaN in an image must be seen in what a model makes of it, as in LibTorch: a pool that compares
// otherwise would lose it. Samples with a NaN are refused, so models are asked, not learners.

#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-model.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/ones_like.h>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <memory>
#include <string>
#include <vector>

namespace nan_pooling_test
{

using namespace ns3::collab;

constexpr uint32_t CLASSES = 4;

/// @return two images of one channel, the second with a pixel that is not a number
at::Tensor
MakeImages(int64_t side, int64_t nan)
{
    std::vector<float> numbers(static_cast<std::size_t>(2 * side * side));
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        numbers[i] = std::cos(static_cast<float>(i) * 0.37F);
    }
    numbers[static_cast<std::size_t>(side * side + nan)] = NAN;
    return at::from_blob(numbers.data(), {2, 1, side, side}).clone();
}

/// A model with its weights
class BoundModel
{
  public:
    /// @param name of the model
    /// @param side rows and columns of an image
    BoundModel(const std::string& name, int64_t side)
    {
        ModelInput input;
        input.sampleShape = {1, side, side};
        input.outputs = CLASSES;
        m_model = MakeTorchModel(name, input);
        m_weights = m_model->DrawWeights(1);
        m_model->Bind(at::from_blob(m_weights.data(), {static_cast<int64_t>(m_weights.size())}));
    }

    /// @return what the model makes of images in training, on the host or as on the device "cpu"
    at::Tensor
    Forward(const at::Tensor& samples, bool isOnDevice)
    {
        ForwardContext context;
        context.isTraining = true;
        context.generator = &m_generator;
        context.isOnDevice = isOnDevice;
        return m_model->Forward(samples, context);
    }

    /// @return the model's parameters
    const std::vector<at::Tensor>&
    GetParameters() const
    {
        return m_model->GetParameters();
    }

  private:
    std::unique_ptr<TorchModel> m_model; //!< which has a view of the weights
    std::vector<float> m_weights;        //!< of the model
    RandomGenerator m_generator{1};      //!< of what is drawn
};

class NanPoolingTest : public testing::TestWithParam<std::string>
{
};

TEST_P(NanPoolingTest, ImageWithoutANumberGivesNone)
{
    for (const bool isOnDevice : {false, true})
    {
        SCOPED_TRACE(isOnDevice);
        BoundModel model(GetParam(), 28);
        const at::Tensor made = model.Forward(MakeImages(28, 28 * 13 + 9), isOnDevice);
        EXPECT_FALSE(made.select(0, 0).isnan().any().item<bool>());
        EXPECT_TRUE(made.select(0, 1).isnan().all().item<bool>());
        made.backward(at::ones_like(made));
        EXPECT_TRUE(model.GetParameters().front().grad().isnan().any().item<bool>());
    }
}

INSTANTIATE_TEST_SUITE_P(Models, NanPoolingTest, testing::Values("netcnn", "lenet", "lenet:tanh"));

/// Convolutions spread a NaN over whole windows: here a pool reads the image itself
class NanWindowTest : public testing::TestWithParam<std::string>
{
  protected:
    static void
    SetUpTestSuite()
    {
        using Pool = void (*)(NetworkPlan&);
        const auto add = [](const std::string& name, Pool pool) {
            ModelFactory factory;
            factory.plan = [pool](const std::string&, const ModelInput& input) {
                NetworkPlan plan(input);
                pool(plan);
                plan.Flatten();
                plan.Linear("fc", input.outputs);
                return plan;
            };
            RegisterModel(name, factory);
        };
        add("nan-max", [](NetworkPlan& plan) { plan.MaxPool("pool"); });
        add("nan-row", [](NetworkPlan& plan) { plan.MaxPool("pool", true); });
        add("nan-mean", [](NetworkPlan& plan) { plan.MeanPool("pool"); });
    }

    /// @return what LibTorch makes of images with the same last layer
    static at::Tensor
    ForwardByLibTorch(const at::Tensor& samples, const BoundModel& model)
    {
        const at::Tensor pooled =
            GetParam() == "nan-mean"
                ? at::avg_pool2d(samples, {2, 2})
                : at::max_pool2d(samples, {GetParam() == "nan-row" ? 1 : 2, 2});
        return at::linear(pooled.flatten(1), model.GetParameters()[0], model.GetParameters()[1]);
    }
};

TEST_P(NanWindowTest, AnyPlaceOfAWindowIsSeenAsByLibTorch)
{
    constexpr int64_t SIDE = 5; // the last row and column are in no window of 2 x 2
    for (const bool isOnDevice : {false, true})
    {
        BoundModel model(GetParam(), SIDE);
        std::size_t seen = 0;
        for (int64_t pixel = 0; pixel < SIDE * SIDE; ++pixel)
        {
            SCOPED_TRACE(fmt::format("pixel {}, on a device: {}", pixel, isOnDevice));
            const at::Tensor images = MakeImages(SIDE, pixel).requires_grad_();
            const at::Tensor same = MakeImages(SIDE, pixel).requires_grad_();
            const at::Tensor made = model.Forward(images, isOnDevice);
            const at::Tensor expected = ForwardByLibTorch(same, model);
            EXPECT_TRUE(made.isnan().equal(expected.isnan()));
            EXPECT_FALSE(made.select(0, 0).isnan().any().item<bool>());
            seen += made.select(0, 1).isnan().all().item<bool>() ? 1 : 0;
            // Backward: the gradient goes to the NaN, and is a number
            made.backward(at::ones_like(made));
            expected.backward(at::ones_like(expected));
            EXPECT_TRUE(images.grad().allclose(same.grad(), 1e-5, 1e-6));
        }
        EXPECT_EQ(seen, GetParam() == "nan-row" ? 20 : 16);
    }
}

INSTANTIATE_TEST_SUITE_P(Pools, NanWindowTest, testing::Values("nan-max", "nan-row", "nan-mean"));

} // namespace nan_pooling_test
