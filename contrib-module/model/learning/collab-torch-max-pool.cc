/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-max-pool.h"

#include <ATen/ops/empty.h>
#include <algorithm>
#include <torch/csrc/autograd/custom_function.h>
#include <vector>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @brief MaxPoolPairs() with its gradient.
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

} // namespace

at::Tensor
MaxPoolPairs(const at::Tensor& input)
{
    return MaxPool::apply(input);
}

} // namespace collab
} // namespace ns3
