/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-small-network.h"

#include "ns3/collab-processor-kernel.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr std::size_t WIDE = 64;   //!< samples whose sums are kept in registers
constexpr std::size_t NARROW = 16; //!< partial sums over samples

/// @brief Outputs of a linear layer for a block of samples.
/// @tparam W number of samples
/// @param weights outputs x inputs, then biases
/// @param inputs number of inputs
/// @param outputs number of outputs
/// @param stride samples of the batch
/// @param hasRelu whether to rectify
/// @param read inputs x samples
/// @param[out] made outputs x samples
template <std::size_t W>
inline __attribute__((always_inline)) void
ComputeBlock(const float* __restrict weights,
             std::size_t inputs,
             std::size_t outputs,
             std::size_t stride,
             bool hasRelu,
             const float* __restrict read,
             float* __restrict made)
{
    for (std::size_t o = 0; o < outputs; ++o)
    {
        float sums[W];
        std::fill_n(sums, W, weights[inputs * outputs + o]);
        for (std::size_t i = 0; i < inputs; ++i)
        {
            const float weight = weights[o * inputs + i];
            for (std::size_t k = 0; k < W; ++k)
            {
                sums[k] += weight * read[i * stride + k];
            }
        }
        for (std::size_t k = 0; k < W; ++k)
        {
            made[o * stride + k] = hasRelu && !(sums[k] > 0) ? 0.0F : sums[k];
        }
    }
}

/// @brief Outputs of a linear layer.
/// @param weights outputs x inputs, then biases
/// @param inputs number of inputs
/// @param outputs number of outputs
/// @param size number of samples
/// @param hasRelu whether to rectify
/// @param read inputs x samples
/// @param[out] made outputs x samples
COLLAB_PROCESSOR_KERNEL void
Compute(const float* weights,
        std::size_t inputs,
        std::size_t outputs,
        std::size_t size,
        bool hasRelu,
        const float* read,
        float* made)
{
    std::size_t begin = 0;
    for (; begin + WIDE <= size; begin += WIDE)
    {
        ComputeBlock<WIDE>(weights, inputs, outputs, size, hasRelu, read + begin, made + begin);
    }
    for (; begin < size; ++begin)
    {
        ComputeBlock<1>(weights, inputs, outputs, size, hasRelu, read + begin, made + begin);
    }
}

/// @param a numbers
/// @param b second vector, of as many numbers as the first
/// @param size their number
/// @return sum of their products, by partial sums
inline __attribute__((always_inline)) float
SumProducts(const float* __restrict a, const float* __restrict b, std::size_t size)
{
    float sums[NARROW] = {};
    std::size_t begin = 0;
    for (; begin + NARROW <= size; begin += NARROW)
    {
        for (std::size_t k = 0; k < NARROW; ++k)
        {
            sums[k] += a[begin + k] * b[begin + k];
        }
    }
    for (std::size_t half = NARROW / 2; half > 0; half /= 2)
    {
        for (std::size_t k = 0; k < half; ++k)
        {
            sums[k] += sums[k + half];
        }
    }
    float sum = sums[0];
    for (; begin < size; ++begin)
    {
        sum += a[begin] * b[begin];
    }
    return sum;
}

/// @brief Gradient by the weights and biases of a linear layer.
/// @param inputs number of inputs
/// @param outputs number of outputs
/// @param size number of samples
/// @param read inputs x samples
/// @param outputGradient outputs x samples
/// @param[out] gradient outputs x inputs, then biases
COLLAB_PROCESSOR_KERNEL void
DifferentiateWeights(std::size_t inputs,
                     std::size_t outputs,
                     std::size_t size,
                     const float* read,
                     const float* outputGradient,
                     float* gradient)
{
    for (std::size_t o = 0; o < outputs; ++o)
    {
        const float* by = outputGradient + o * size;
        for (std::size_t i = 0; i < inputs; ++i)
        {
            gradient[o * inputs + i] = SumProducts(by, read + i * size, size);
        }
        float sum = 0;
        for (std::size_t k = 0; k < size; ++k)
        {
            sum += by[k];
        }
        gradient[inputs * outputs + o] = sum;
    }
}

/// @brief Gradient by the inputs of a linear layer for a block of samples.
/// @tparam W number of samples
/// @param weights outputs x inputs
/// @param inputs number of inputs
/// @param outputs number of outputs
/// @param stride samples of the batch
/// @param read inputs x samples, rectified
/// @param outputGradient outputs x samples
/// @param[out] made inputs x samples; 0 where the input was rectified
template <std::size_t W>
inline __attribute__((always_inline)) void
DifferentiateBlock(const float* __restrict weights,
                   std::size_t inputs,
                   std::size_t outputs,
                   std::size_t stride,
                   const float* __restrict read,
                   const float* __restrict outputGradient,
                   float* __restrict made)
{
    for (std::size_t i = 0; i < inputs; ++i)
    {
        float sums[W] = {};
        for (std::size_t o = 0; o < outputs; ++o)
        {
            const float weight = weights[o * inputs + i];
            for (std::size_t k = 0; k < W; ++k)
            {
                sums[k] += weight * outputGradient[o * stride + k];
            }
        }
        for (std::size_t k = 0; k < W; ++k)
        {
            made[i * stride + k] = read[i * stride + k] > 0 ? sums[k] : 0.0F;
        }
    }
}

/// @brief Gradient by the rectified inputs of a linear layer.
/// @param weights outputs x inputs
/// @param inputs number of inputs
/// @param outputs number of outputs
/// @param size number of samples
/// @param read inputs x samples
/// @param outputGradient outputs x samples
/// @param[out] made inputs x samples
COLLAB_PROCESSOR_KERNEL void
DifferentiateInputs(const float* weights,
                    std::size_t inputs,
                    std::size_t outputs,
                    std::size_t size,
                    const float* read,
                    const float* outputGradient,
                    float* made)
{
    std::size_t begin = 0;
    for (; begin + WIDE <= size; begin += WIDE)
    {
        DifferentiateBlock<WIDE>(
            weights, inputs, outputs, size, read + begin, outputGradient + begin, made + begin);
    }
    for (; begin < size; ++begin)
    {
        DifferentiateBlock<1>(
            weights, inputs, outputs, size, read + begin, outputGradient + begin, made + begin);
    }
}

} // namespace

std::optional<SmallNetwork>
SmallNetwork::Make(const LayerList& plan)
{
    SmallNetwork network;
    std::size_t begin = 0;
    const auto& layers = plan.GetLayers();
    for (std::size_t index = 1; index < layers.size(); ++index)
    {
        const PlannedLayer& layer = layers[index];
        if (layer.input != index - 1)
        {
            return std::nullopt;
        }
        if (layer.kind == LayerKind::RELU && !network.m_layers.empty())
        {
            network.m_layers.back().hasRelu = true;
        }
        else if (layer.kind == LayerKind::LINEAR && layer.hasBias && layer.shape.size() == 1 &&
                 layers[index - 1].shape.size() == 1)
        {
            Layer linear;
            linear.inputs = static_cast<std::size_t>(layers[index - 1].shape[0]);
            linear.outputs = static_cast<std::size_t>(layer.shape[0]);
            linear.begin = begin;
            const bool isChained = network.m_layers.empty() || network.m_layers.back().hasRelu;
            if (linear.inputs * linear.outputs > MOST_WEIGHTS || !isChained)
            {
                return std::nullopt;
            }
            begin += (linear.inputs + 1) * linear.outputs;
            network.m_layers.push_back(linear);
        }
        else if (layer.kind != LayerKind::FLATTEN || !network.m_layers.empty())
        {
            return std::nullopt;
        }
    }
    if (network.m_layers.empty() || network.m_layers.back().hasRelu)
    {
        return std::nullopt;
    }
    network.m_values.resize(network.m_layers.size() + 1);
    return network;
}

const std::vector<float>&
SmallNetwork::Forward(const float* weights, const float* samples, std::size_t size)
{
    m_size = size;
    const std::size_t inputs = m_layers.front().inputs;
    m_values[0].resize(inputs * size);
    for (std::size_t k = 0; k < size; ++k)
    {
        for (std::size_t i = 0; i < inputs; ++i)
        {
            m_values[0][i * size + k] = samples[k * inputs + i];
        }
    }
    for (std::size_t l = 0; l < m_layers.size(); ++l)
    {
        const Layer& layer = m_layers[l];
        m_values[l + 1].resize(layer.outputs * size);
        Compute(weights + layer.begin,
                layer.inputs,
                layer.outputs,
                size,
                layer.hasRelu,
                m_values[l].data(),
                m_values[l + 1].data());
    }
    return m_values.back();
}

void
SmallNetwork::Backward(const float* weights,
                       const std::vector<float>& outputGradient,
                       float* gradient)
{
    m_gradients = outputGradient;
    for (std::size_t l = m_layers.size(); l-- > 0;)
    {
        const Layer& layer = m_layers[l];
        DifferentiateWeights(layer.inputs,
                             layer.outputs,
                             m_size,
                             m_values[l].data(),
                             m_gradients.data(),
                             gradient + layer.begin);
        if (l > 0)
        {
            m_nextGradients.resize(layer.inputs * m_size);
            DifferentiateInputs(weights + layer.begin,
                                layer.inputs,
                                layer.outputs,
                                m_size,
                                m_values[l].data(),
                                m_gradients.data(),
                                m_nextGradients.data());
            std::swap(m_gradients, m_nextGradients);
        }
    }
}

std::size_t
SmallNetwork::CountWeights() const
{
    const Layer& last = m_layers.back();
    return last.begin + (last.inputs + 1) * last.outputs;
}

std::size_t
SmallNetwork::CountOutputs() const
{
    return m_layers.back().outputs;
}

} // namespace ns3::collab
