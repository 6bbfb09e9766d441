/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-max-pool.h"

#include "ns3/collab-processor-kernel.h"

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

/// Shape of the input of a pool, samples x channels x height x width
struct PoolShape
{
    /// @param sizes of the input
    explicit PoolShape(at::IntArrayRef sizes)
        : samples(sizes[0]),
          channels(sizes[1]),
          height(sizes[2]),
          width(sizes[3])
    {
    }

    /**
     * @param sample a sample
     * @param row of a window
     * @param column of a window
     * @return where the window begins if channels are last
     */
    int64_t
    Begin(int64_t sample, int64_t row, int64_t column) const
    {
        return ((sample * height + 2 * row) * width + 2 * column) * channels;
    }

    int64_t samples;  //!< number of samples
    int64_t channels; //!< number of channels
    int64_t height;   //!< number of rows
    int64_t width;    //!< number of columns
};

/// All channels of the four places of a window
struct Window
{
    const float* upperLeft;  //!< place 0
    const float* upperRight; //!< place 1
    const float* lowerLeft;  //!< place 2
    const float* lowerRight; //!< place 3
};

/**
 * @param window of the input
 * @param channels number of channels
 * @param maximum where to put the maximum of each channel
 * @param position where to put its place
 */
inline void
PoolWindow(const Window& window,
           int64_t channels,
           float* __restrict maximum,
           int32_t* __restrict position)
{
    const float* __restrict first = window.upperLeft;
    const float* __restrict second = window.upperRight;
    const float* __restrict third = window.lowerLeft;
    const float* __restrict fourth = window.lowerRight;
    for (int64_t k = 0; k < channels; ++k)
    {
        // All four are read first, so that nothing depends on a branch.
        const float a = first[k];
        const float b = second[k];
        const float c = third[k];
        const float d = fourth[k];
        const float upper = std::max(a, b);
        const float lower = std::max(c, d);
        const int32_t isLower = lower > upper ? 1 : 0;
        const int32_t isUpperRight = b > a ? 1 : 0;
        const int32_t isLowerRight = d > c ? 1 : 0;
        maximum[k] = std::max(upper, lower);
        position[k] = 2 * isLower + (isLower & isLowerRight) + ((1 - isLower) & isUpperRight);
    }
}

/**
 * @param gradient of the maxima
 * @param position place of the maximum of each channel
 * @param channels number of channels
 * @param left where to put the gradient of one place
 * @param right where to put that of the place after it
 * @param place the first of them
 */
inline void
SpreadWindow(const float* __restrict gradient,
             const int32_t* __restrict position,
             int64_t channels,
             float* __restrict left,
             float* __restrict right,
             int32_t place)
{
    for (int64_t k = 0; k < channels; ++k)
    {
        left[k] = position[k] == place ? gradient[k] : 0.0F;
        right[k] = position[k] == place + 1 ? gradient[k] : 0.0F;
    }
}

/**
 * @param input with channels last
 * @param shape of the input
 * @param maximum where to put the maximum of each window, channels last
 * @param position where to put which of the window it is: 0 and 1 are the upper row's
 */
COLLAB_PROCESSOR_KERNEL void
PoolChannelsLast(const float* input, const PoolShape& shape, float* maximum, int32_t* position)
{
    const PoolShape s = shape; // so that the compiler knows that it does not change
    for (int64_t sample = 0; sample < s.samples; ++sample)
    {
        for (int64_t row = 0; row < s.height / 2; ++row)
        {
            for (int64_t column = 0; column < s.width / 2; ++column)
            {
                const float* upper = input + s.Begin(sample, row, column);
                const float* lower = upper + s.width * s.channels;
                PoolWindow({upper, upper + s.channels, lower, lower + s.channels},
                           s.channels,
                           maximum,
                           position);
                maximum += s.channels;
                position += s.channels;
            }
        }
    }
}

/**
 * @param gradient of the output, channels last
 * @param position which of each window is the maximum
 * @param shape of the input
 * @param target where to put the gradient of the input, channels last; 0 where there is no window
 */
COLLAB_PROCESSOR_KERNEL void
SpreadChannelsLast(const float* gradient,
                   const int32_t* position,
                   const PoolShape& shape,
                   float* target)
{
    const PoolShape s = shape;
    for (int64_t sample = 0; sample < s.samples; ++sample)
    {
        for (int64_t row = 0; row < s.height / 2; ++row)
        {
            for (int64_t column = 0; column < s.width / 2; ++column)
            {
                float* upper = target + s.Begin(sample, row, column);
                float* lower = upper + s.width * s.channels;
                SpreadWindow(gradient, position, s.channels, upper, upper + s.channels, 0);
                SpreadWindow(gradient, position, s.channels, lower, lower + s.channels, 2);
                gradient += s.channels;
                position += s.channels;
            }
        }
    }
}

/**
 * @param tensor samples x channels x height x width
 * @return whether its channels are last in memory, and not by chance
 */
bool
HasChannelsLast(const at::Tensor& tensor)
{
    return !tensor.is_contiguous() && tensor.is_contiguous(at::MemoryFormat::ChannelsLast);
}

at::Tensor
MaxPool::forward(torch::autograd::AutogradContext* context, const at::Tensor& input)
{
    context->saved_data["sizes"] = input.sizes();
    context->saved_data["channelsLast"] = HasChannelsLast(input);
    if (HasChannelsLast(input))
    {
        const at::Tensor maxima =
            at::empty({input.size(0), input.size(1), input.size(2) / 2, input.size(3) / 2},
                      at::TensorOptions().memory_format(at::MemoryFormat::ChannelsLast));
        const at::Tensor places = at::empty({maxima.numel()}, at::kInt);
        PoolChannelsLast(input.data_ptr<float>(),
                         PoolShape(input.sizes()),
                         maxima.data_ptr<float>(),
                         places.data_ptr<int32_t>());
        context->save_for_backward({places});
        return maxima;
    }
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
    return output;
}

torch::autograd::variable_list
MaxPool::backward(torch::autograd::AutogradContext* context,
                  const torch::autograd::variable_list& gradients)
{
    const at::Tensor positions = context->get_saved_variables()[0];
    const std::vector<int64_t> sizes = context->saved_data["sizes"].toIntVector();
    if (context->saved_data["channelsLast"].toBool())
    {
        constexpr auto LAST = at::MemoryFormat::ChannelsLast;
        const PoolShape shape(sizes);
        const at::Tensor given = gradients[0].contiguous(LAST);
        at::Tensor spread = at::empty(sizes, at::TensorOptions().memory_format(LAST));
        if (shape.height % 2 != 0 || shape.width % 2 != 0)
        {
            spread.zero_();
        }
        SpreadChannelsLast(given.data_ptr<float>(),
                           positions.data_ptr<int32_t>(),
                           shape,
                           spread.data_ptr<float>());
        return {spread};
    }
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
