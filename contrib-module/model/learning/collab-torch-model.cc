/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-model.h"

#include "collab-model-description.h"
#include "collab-random.h"

#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/relu.h>
#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>
#include <torch/csrc/autograd/custom_function.h>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @brief Maximum over windows of 2 x 2 without overlap, the first one of equals.
 *
 * LibTorch's own takes a quarter of a small network's step: which of four numbers is the greatest
 * is a matter of chance, so its branches are mispredicted. This one has none. An odd last row or
 * column is left out.
 */
class MaxPool : public torch::autograd::Function<MaxPool>
{
  public:
    /**
     * @param context keeps what the backward pass needs
     * @param input shape samples x channels x height x width
     * @return the maxima
     */
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input);

    /**
     * @param context of the forward pass
     * @param gradients of the output
     * @return gradient of the input
     */
    // NOLINTNEXTLINE(readability-identifier-naming): LibTorch calls it by this name.
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients);
};

/**
 * @param upper first of two rows
 * @param lower second of two rows
 * @param size number of windows in the rows
 * @param maximum where to put the maximum of each window
 * @param position where to put which of the window it is: 0 and 1 are the upper row's
 */
void
PoolRows(const float* upper, const float* lower, int64_t size, float* maximum, uint8_t* position)
{
    for (int64_t i = 0; i < size; ++i)
    {
        const float upperMaximum = std::max(upper[2 * i], upper[2 * i + 1]);
        const float lowerMaximum = std::max(lower[2 * i], lower[2 * i + 1]);
        const int isLower = lowerMaximum > upperMaximum ? 1 : 0;
        const int isUpperRight = upper[2 * i + 1] > upper[2 * i] ? 1 : 0;
        const int isLowerRight = lower[2 * i + 1] > lower[2 * i] ? 1 : 0;
        maximum[i] = std::max(upperMaximum, lowerMaximum);
        position[i] = static_cast<uint8_t>(2 * isLower + (isLower & isLowerRight) +
                                           ((1 - isLower) & isUpperRight));
    }
}

at::Tensor
MaxPool::forward(torch::autograd::AutogradContext* context, const at::Tensor& input)
{
    const at::Tensor dense = input.contiguous();
    const int64_t height = dense.size(2);
    const int64_t width = dense.size(3);
    at::Tensor output = at::empty({dense.size(0), dense.size(1), height / 2, width / 2});
    const at::Tensor positions = at::empty(output.sizes(), at::kByte);
    auto* maximum = output.data_ptr<float>();
    auto* position = positions.data_ptr<uint8_t>();
    for (int64_t plane = 0; plane < dense.size(0) * dense.size(1); ++plane)
    {
        const float* source = dense.data_ptr<float>() + plane * height * width;
        for (int64_t row = 0; row < height / 2; ++row)
        {
            const float* upper = source + 2 * row * width;
            PoolRows(upper, upper + width, width / 2, maximum, position);
            maximum += width / 2;
            position += width / 2;
        }
    }
    context->save_for_backward({positions});
    context->saved_data["sizes"] = input.sizes();
    return output;
}

torch::autograd::variable_list
MaxPool::backward(torch::autograd::AutogradContext* context,
                  const torch::autograd::variable_list& gradients)
{
    const at::Tensor positions = context->get_saved_variables()[0];
    const std::vector<int64_t> sizes = context->saved_data["sizes"].toIntVector();
    const at::Tensor outputGradient = gradients[0].contiguous();
    at::Tensor inputGradient = at::empty(sizes);
    const int64_t width = sizes[3];
    const int64_t planeSize = sizes[2] * width;
    const auto* position = positions.data_ptr<uint8_t>();
    const auto* gradient = outputGradient.data_ptr<float>();
    for (int64_t plane = 0; plane < sizes[0] * sizes[1]; ++plane)
    {
        float* target = inputGradient.data_ptr<float>() + plane * planeSize;
        std::fill_n(target, planeSize, 0.0F);
        for (int64_t row = 0; row < sizes[2] / 2; ++row)
        {
            for (int64_t column = 0; column < width / 2; ++column)
            {
                const int64_t place = *position++;
                target[(2 * row + place / 2) * width + 2 * column + place % 2] = *gradient++;
            }
        }
    }
    return {inputGradient};
}

/// "linear" of DescribeModel().
class LinearModel : public TorchModel
{
  public:
    /**
     * @param inputs number of numbers in a sample
     * @param classes number of classes
     */
    LinearModel(int64_t inputs, int64_t classes)
    {
        AddLayer({classes, inputs});
    }

    at::Tensor
    Forward(const at::Tensor& samples) const override
    {
        return at::linear(samples.flatten(1), Weight(0), Bias(0));
    }
};

/// "mlp" of DescribeModel().
class MlpModel : public TorchModel
{
  public:
    /**
     * @param inputs number of numbers in a sample
     * @param classes number of classes
     */
    MlpModel(int64_t inputs, int64_t classes)
    {
        constexpr int64_t UNITS = 200;
        AddLayer({UNITS, inputs});
        AddLayer({classes, UNITS});
    }

    at::Tensor
    Forward(const at::Tensor& samples) const override
    {
        const at::Tensor hidden = at::relu(at::linear(samples.flatten(1), Weight(0), Bias(0)));
        return at::linear(hidden, Weight(1), Bias(1));
    }
};

/// "netcnn" of DescribeModel().
class NetCnnModel : public TorchModel
{
  public:
    /**
     * @param sampleShape channels, height, width
     * @param classes number of classes
     */
    NetCnnModel(const std::vector<int64_t>& sampleShape, int64_t classes)
    {
        constexpr int64_t KERNEL = 5;
        const auto shrink = [](int64_t side) { return (side - KERNEL + 1) / 2; };
        const int64_t features =
            64 * shrink(shrink(sampleShape[1])) * shrink(shrink(sampleShape[2]));
        AddLayer({32, sampleShape[0], KERNEL, KERNEL});
        AddLayer({64, 32, KERNEL, KERNEL});
        AddLayer({512, features});
        AddLayer({classes, 512});
    }

    at::Tensor
    Forward(const at::Tensor& samples) const override
    {
        const at::Tensor first = ConvolveAndPool(samples, 0);
        const at::Tensor second = ConvolveAndPool(first, 1);
        const at::Tensor hidden = at::relu(at::linear(second.flatten(1), Weight(2), Bias(2)));
        return at::linear(hidden, Weight(3), Bias(3));
    }

  private:
    /**
     * @param input of the convolution
     * @param layer index of the convolution's parameters
     * @return its output, rectified and pooled
     */
    at::Tensor
    ConvolveAndPool(const at::Tensor& input, std::size_t layer) const
    {
        // The maximum of rectified values is the rectified maximum, which is a quarter of the work.
        return at::relu(MaxPool::apply(at::conv2d(input, Weight(layer), Bias(layer))));
    }
};

} // namespace

const std::vector<at::Tensor>&
TorchModel::GetParameters() const
{
    return m_parameters;
}

void
TorchModel::DrawParameters(uint64_t seed)
{
    RandomGenerator generator(seed);
    for (std::size_t i = 0; i < m_parameters.size(); ++i)
    {
        const at::Tensor& weight = m_parameters[i - i % 2]; // the biases' fan-in is its as well
        const int64_t fanIn = weight.numel() / weight.size(0);
        const float bound = 1 / std::sqrt(static_cast<float>(fanIn));
        boost::random::uniform_real_distribution<float> draw(-bound, bound);
        auto* values = m_parameters[i].data_ptr<float>();
        std::generate_n(values, m_parameters[i].numel(), [&] { return draw(generator); });
    }
}

void
TorchModel::SetParameters(const std::vector<float>& values)
{
    std::size_t expected = 0;
    for (const at::Tensor& parameter : m_parameters)
    {
        expected += static_cast<std::size_t>(parameter.numel());
    }
    if (values.size() != expected)
    {
        throw std::invalid_argument(
            fmt::format("{} parameters given, the model has {}", values.size(), expected));
    }
    const float* next = values.data();
    for (const at::Tensor& parameter : m_parameters)
    {
        std::copy_n(next, parameter.numel(), parameter.data_ptr<float>());
        next += parameter.numel();
    }
}

void
TorchModel::AddLayer(const std::vector<int64_t>& weightSizes)
{
    m_parameters.push_back(at::empty(weightSizes).requires_grad_());
    m_parameters.push_back(at::empty({weightSizes[0]}).requires_grad_());
}

const at::Tensor&
TorchModel::Weight(std::size_t layer) const
{
    return m_parameters[2 * layer];
}

const at::Tensor&
TorchModel::Bias(std::size_t layer) const
{
    return m_parameters[2 * layer + 1];
}

std::unique_ptr<TorchModel>
MakeTorchModel(const std::string& name, const std::vector<int64_t>& sampleShape, uint32_t classes)
{
    DescribeModel(name, sampleShape, classes); // refuses what cannot be built
    const int64_t inputs = sampleShape[0] * sampleShape[1] * sampleShape[2];
    if (name == "linear")
    {
        return std::make_unique<LinearModel>(inputs, classes);
    }
    if (name == "mlp")
    {
        return std::make_unique<MlpModel>(inputs, classes);
    }
    return std::make_unique<NetCnnModel>(sampleShape, classes);
}

} // namespace collab
} // namespace ns3
