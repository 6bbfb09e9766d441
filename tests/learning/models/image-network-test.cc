/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Convolutions by the module's own kernels against sums written out, and against LibTorch.
 */

#include "ns3/collab-image-kernels.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-model.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace image_network_test
{

using namespace ns3::collab;

/// @return numbers of both signs by a formula
std::vector<float>
MakeNumbers(std::size_t size, double speed)
{
    std::vector<float> numbers(size);
    for (std::size_t i = 0; i < size; ++i)
    {
        numbers[i] = static_cast<float>(std::cos(speed * static_cast<double>(i * i % 1009)));
    }
    return numbers;
}

/// Images whose numbers are read by their places, with zeros around them
struct Images
{
    ImageShape shape;          //!< of the images
    std::vector<float> values; //!< as the shape says

    explicit Images(ImageShape given)
        : shape(given),
          values(given.Size())
    {
    }

    /// @return place of a number; column and row may be outside of the image
    std::size_t
    Place(std::size_t channel, std::size_t y, std::size_t x, std::size_t sample) const
    {
        return (channel * shape.height + y) * shape.Pitch() + (shape.border + x) * shape.samples +
               sample;
    }

    /// @return a number, or zero outside of the image
    double
    At(std::size_t channel, std::size_t y, std::size_t x, std::size_t sample) const
    {
        const bool isInside = y < shape.height && x < shape.width; // what wraps around is too large
        return isInside ? double{values[Place(channel, y, x, sample)]} : 0.0;
    }

    /// @param call function of each number's channel, row, column and sample
    template <typename Call>
    void
    ForAll(Call call) const
    {
        for (std::size_t i = 0; i < shape.Numbers() * shape.samples; ++i)
        {
            const std::size_t number = i / shape.samples;
            call(number / (shape.width * shape.height),
                 number / shape.width % shape.height,
                 number % shape.width,
                 i % shape.samples);
        }
    }

    void
    Fill(double speed)
    {
        const std::vector<float> numbers = MakeNumbers(shape.Numbers() * shape.samples, speed);
        std::size_t next = 0;
        ForAll([&](auto... place) { values[Place(place...)] = numbers[next++]; });
    }

    ImageView<const float>
    View() const
    {
        return {shape, values.data()};
    }
};

/// Channels read, channels made, rows, columns, kernel, padding, samples
using Geometry = std::tuple<int, int, int, int, int, int, int>;

class ImageKernelsTest : public testing::TestWithParam<Geometry>
{
  protected:
    ImageKernelsTest()
        : m_input(ImageShape{Get<0>(), Get<2>(), Get<3>(), Get<5>(), Get<6>()}),
          m_gradient(ImageShape{Get<1>(),
                                Get<2>() + 2 * Get<5>() - Get<4>() + 1,
                                Get<3>() + 2 * Get<5>() - Get<4>() + 1,
                                Get<4>() - 1 - Get<5>(),
                                Get<6>()}),
          m_weights(MakeNumbers(Get<0>() * Get<1>() * Get<4>() * Get<4>(), 0.7)),
          m_biases(MakeNumbers(Get<1>(), 0.9))
    {
        m_input.Fill(0.37);
        m_gradient.Fill(0.51);
    }

    template <std::size_t I>
    static std::size_t
    Get()
    {
        return static_cast<std::size_t>(std::get<I>(GetParam()));
    }

    /// @param call function of each filter's output channel, input channel, row, column and place
    template <typename Call>
    void
    ForTaps(Call call) const
    {
        const std::size_t kernel = Get<4>();
        for (std::size_t i = 0; i < m_weights.size(); ++i)
        {
            call(i / (kernel * kernel) / Get<0>(),
                 i / (kernel * kernel) % Get<0>(),
                 i / kernel % kernel,
                 i % kernel,
                 i);
        }
    }

    Images m_input;               //!< what is convolved
    Images m_gradient;            //!< gradient by the convolved images
    std::vector<float> m_weights; //!< filters
    std::vector<float> m_biases;  //!< of the channels
};

TEST_P(ImageKernelsTest, ConvolvesAsWrittenOut)
{
    Images expected(
        ImageShape{Get<1>(), m_gradient.shape.height, m_gradient.shape.width, 0, Get<6>()});
    const std::vector<float> packed = PackFilters(m_weights.data(), Get<1>(), Get<0>(), Get<4>());
    for (const ImageKernels& kernels : GetRunnableImageKernels())
    {
        Images made(expected.shape);
        kernels.convolve(m_input.View(),
                         packed.data(),
                         m_biases.data(),
                         Get<4>(),
                         {made.shape, made.values.data()});
        expected.ForAll([&](std::size_t o, std::size_t y, std::size_t x, std::size_t sample) {
            double sum = m_biases[o];
            ForTaps([&](auto output, auto input, auto row, auto column, auto place) {
                sum +=
                    output != o
                        ? 0.0
                        : m_weights[place] *
                              m_input.At(input, y + row - Get<5>(), x + column - Get<5>(), sample);
            });
            EXPECT_NEAR(made.At(o, y, x, sample), sum, 2e-5) << kernels.name;
        });
    }
}

TEST_P(ImageKernelsTest, DifferentiatesAsWrittenOut)
{
    for (const ImageKernels& kernels : GetRunnableImageKernels())
    {
        std::vector<float> weights(m_weights.size(), 1); // to which the gradient is added
        std::vector<float> biases(m_biases.size(), 1);
        kernels.differentiate(
            m_input.View(), m_gradient.View(), Get<4>(), weights.data(), biases.data());
        std::vector<double> sums(biases.size(), 1);
        m_gradient.ForAll(
            [&](std::size_t o, auto... place) { sums[o] += m_gradient.At(o, place...); });
        for (std::size_t o = 0; o < sums.size(); ++o)
        {
            EXPECT_NEAR(biases[o], sums[o], 2e-4) << kernels.name;
        }
        ForTaps([&](auto output, auto input, auto row, auto column, auto tap) {
            double sum = 1;
            m_gradient.ForAll([&](std::size_t o, std::size_t y, std::size_t x, std::size_t sample) {
                sum +=
                    o != output
                        ? 0.0
                        : m_gradient.At(o, y, x, sample) *
                              m_input.At(input, y + row - Get<5>(), x + column - Get<5>(), sample);
            });
            EXPECT_NEAR(weights[tap], sum, 2e-4) << kernels.name;
        });
    }
}

TEST_P(ImageKernelsTest, TurnedFiltersGiveTheGradientByTheInput)
{
    const std::vector<float> packed =
        PackTurnedFilters(m_weights.data(), Get<1>(), Get<0>(), Get<4>());
    ImageShape shape = m_input.shape;
    shape.border = 0;
    for (const ImageKernels& kernels : GetRunnableImageKernels())
    {
        Images made(shape);
        kernels.convolve(
            m_gradient.View(), packed.data(), nullptr, Get<4>(), {made.shape, made.values.data()});
        made.ForAll([&](std::size_t i, std::size_t y, std::size_t x, std::size_t sample) {
            double sum = 0;
            ForTaps([&](auto output, auto input, auto row, auto column, auto place) {
                sum += input != i ? 0.0
                                  : m_weights[place] * m_gradient.At(output,
                                                                     y + Get<5>() - row,
                                                                     x + Get<5>() - column,
                                                                     sample);
            });
            EXPECT_NEAR(made.At(i, y, x, sample), sum, 2e-5) << kernels.name;
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Geometries,
                         ImageKernelsTest,
                         testing::Values(Geometry{1, 1, 1, 1, 1, 0, 1},
                                         Geometry{1, 6, 7, 6, 5, 0, 3},
                                         Geometry{3, 7, 6, 8, 5, 2, 10},
                                         Geometry{2, 13, 5, 5, 3, 1, 16},
                                         Geometry{2, 5, 4, 9, 4, 3, 1},
                                         Geometry{1, 2, 8, 7, 7, 2, 9},
                                         Geometry{2, 3, 4, 4, 2, 0, 23}));

TEST(ImageTransitionTest, TakesTheFirstOfEqualNumbersAndNoneOfNegativeOnes)
{
    for (const ImageKernels& kernels : GetRunnableImageKernels())
    {
        for (const std::size_t samples : {1, 9})
        {
            SCOPED_TRACE(fmt::format("{}, {} samples", kernels.name, samples));
            Images made(ImageShape{1, 3, 5, 0, samples}); // a row and a column are in no window
            made.ForAll([&](std::size_t c, std::size_t y, std::size_t x, std::size_t sample) {
                made.values[made.Place(c, y, x, sample)] = x < 2 ? 2.0F : -1.0F;
            });
            Images next(ImageShape{1, 1, 2, 1, samples});
            std::vector<uint8_t> choices(2 * samples);
            const ImageTransition transition{true, true};
            kernels.settle(
                made.View(), transition, choices.data(), {next.shape, next.values.data()});
            Images nextGradient(ImageShape{1, 1, 2, 0, samples});
            std::fill(nextGradient.values.begin(), nextGradient.values.end(), 5.0F);
            Images gradient(ImageShape{1, 3, 5, 2, samples});
            kernels.unsettle(nextGradient.View(),
                             transition,
                             choices.data(),
                             {gradient.shape, gradient.values.data()});
            made.ForAll([&](std::size_t c, std::size_t y, std::size_t x, std::size_t sample) {
                EXPECT_EQ(gradient.At(c, y, x, sample), x == 0 && y == 0 ? 5 : 0);
            });
            for (std::size_t sample = 0; sample < samples; ++sample)
            {
                EXPECT_EQ(next.At(0, 0, 0, sample), 2);
                EXPECT_EQ(next.At(0, 0, 1, sample), 0);
            }
        }
    }
}

/// A model and a number of samples
using ModelAndSamples = std::tuple<std::string, int64_t>;

class ImageNetworkTest : public testing::TestWithParam<ModelAndSamples>
{
  protected:
    /// @param isNative whether by the module's own kernels
    /// @return outputs, then the gradient of a weighted sum of them
    static std::vector<at::Tensor>
    Compute(bool isNative)
    {
        const auto& [name, size] = GetParam();
        ModelInput input;
        input.sampleShape = {name == "lenet" ? 3 : 1, 32, 32};
        input.outputs = 10;
        const auto model = MakeTorchModel(name, input);
        std::vector<float> weights = model->DrawWeights(3);
        model->Bind(at::from_blob(weights.data(), {static_cast<int64_t>(weights.size())}));
        std::vector<float> pixels =
            MakeNumbers(static_cast<std::size_t>(size * input.sampleShape[0] * 32 * 32), 0.13);
        RandomGenerator generator(1);
        ForwardContext context{true, false, &generator, isNative, false};
        const at::Tensor outputs = model->Forward(
            at::from_blob(pixels.data(), {size, input.sampleShape[0], 32, 32}), context);
        std::vector<float> factors = MakeNumbers(static_cast<std::size_t>(outputs.numel()), 0.3);
        outputs.mul(at::from_blob(factors.data(), outputs.sizes())).sum().backward();
        std::vector<at::Tensor> results = {outputs.detach().clone()};
        for (const at::Tensor& parameter : model->GetParameters())
        {
            results.push_back(parameter.grad().clone());
        }
        return results;
    }
};

TEST_P(ImageNetworkTest, AgreesWithLibTorch)
{
    const std::vector<at::Tensor> own = Compute(true);
    const std::vector<at::Tensor> expected = Compute(false);
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        const double most = expected[i].abs().max().item<double>();
        EXPECT_GT(most, 0);
        EXPECT_TRUE(own[i].allclose(expected[i], 1e-4, 1e-5 * most)) << i;
    }
    EXPECT_FALSE(own[1].equal(expected[1])) << "the kernels round otherwise, so they were used";
}

INSTANTIATE_TEST_SUITE_P(Models,
                         ImageNetworkTest,
                         testing::Combine(testing::Values("netcnn", "lenet", "conv4"),
                                          testing::Values(1, 7, 8, 10, 16, 23, 24, 50)));

} // namespace image_network_test
