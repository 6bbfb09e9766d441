/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-model-description.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

/// Height and width of one channel of a layer's output.
struct Plane
{
    uint64_t height = 0; //!< rows
    uint64_t width = 0;  //!< columns

    /// @return number of elements
    uint64_t
    Size() const
    {
        return height * width;
    }
};

/**
 * @param name of the layer
 * @param inputs number of inputs
 * @param outputs number of outputs
 * @return cost of a fully connected layer with biases
 */
LayerCost
DescribeLinear(const std::string& name, uint64_t inputs, uint64_t outputs)
{
    LayerCost cost;
    cost.name = name;
    cost.parameters = inputs * outputs + outputs;
    cost.forwardFlops = 2 * inputs * outputs;
    cost.inputGradientFlops = 2 * inputs * outputs - inputs;
    cost.parameterGradientFlops = 2 * inputs * outputs + outputs;
    return cost;
}

/**
 * @param name of the layer
 * @param inputChannels number of channels read
 * @param outputChannels number of channels made
 * @param kernel height and width of the kernel
 * @param input size of one channel read; left as the size of one channel made
 * @return cost of a convolution with biases, stride 1 and no padding
 */
LayerCost
DescribeConvolution(const std::string& name,
                    uint64_t inputChannels,
                    uint64_t outputChannels,
                    uint64_t kernel,
                    Plane& input)
{
    const uint64_t inputSize = inputChannels * input.Size();
    input = {input.height - kernel + 1, input.width - kernel + 1};
    const uint64_t outputSize = outputChannels * input.Size();
    const uint64_t products = kernel * kernel * inputChannels * outputSize;
    LayerCost cost;
    cost.name = name;
    cost.parameters = (kernel * kernel * inputChannels + 1) * outputChannels;
    cost.forwardFlops = 2 * products;
    cost.inputGradientFlops = 2 * products - inputSize;
    cost.parameterGradientFlops = 2 * products + outputSize;
    return cost;
}

/**
 * @param name of the layer
 * @param elements number of elements
 * @return cost of a rectifier
 */
LayerCost
DescribeRelu(const std::string& name, uint64_t elements)
{
    LayerCost cost;
    cost.name = name;
    cost.forwardFlops = elements;
    cost.inputGradientFlops = elements;
    return cost;
}

/**
 * @param name of the layer
 * @param channels number of channels
 * @param input size of one channel read; left as the size of one channel made
 * @return cost of the maximum over windows of 2 x 2 without overlap
 */
LayerCost
DescribeMaxPool(const std::string& name, uint64_t channels, Plane& input)
{
    input = {input.height / 2, input.width / 2};
    LayerCost cost;
    cost.name = name;
    cost.forwardFlops = 3 * channels * input.Size();
    cost.inputGradientFlops = channels * input.Size();
    return cost;
}

/**
 * @param sampleShape channels, height, width
 * @param classes number of classes
 * @return layers of "netcnn"
 */
std::vector<LayerCost>
DescribeNetCnn(const std::vector<int64_t>& sampleShape, uint32_t classes)
{
    constexpr int64_t LEAST_SIDE = 16; // leaves one element after both convolutions and pools
    if (sampleShape[1] < LEAST_SIDE || sampleShape[2] < LEAST_SIDE)
    {
        throw std::invalid_argument(fmt::format("model netcnn needs samples of at least {0} x {0}, "
                                                "not {1} x {2}",
                                                LEAST_SIDE,
                                                sampleShape[1],
                                                sampleShape[2]));
    }
    Plane plane{static_cast<uint64_t>(sampleShape[1]), static_cast<uint64_t>(sampleShape[2])};
    std::vector<LayerCost> layers;
    layers.push_back(
        DescribeConvolution("conv1", static_cast<uint64_t>(sampleShape[0]), 32, 5, plane));
    layers.push_back(DescribeRelu("relu1", 32 * plane.Size()));
    layers.push_back(DescribeMaxPool("pool1", 32, plane));
    layers.push_back(DescribeConvolution("conv2", 32, 64, 5, plane));
    layers.push_back(DescribeRelu("relu2", 64 * plane.Size()));
    layers.push_back(DescribeMaxPool("pool2", 64, plane));
    layers.push_back(DescribeLinear("fc1", 64 * plane.Size(), 512));
    layers.push_back(DescribeRelu("relu3", 512));
    layers.push_back(DescribeLinear("fc", 512, classes));
    return layers;
}

/**
 * @param sampleShape channels, height, width
 * @param classes number of classes
 * @throws std::invalid_argument if no model can have them
 */
void
CheckShape(const std::vector<int64_t>& sampleShape, uint32_t classes)
{
    const bool positive =
        std::all_of(sampleShape.begin(), sampleShape.end(), [](int64_t size) { return size > 0; });
    if (sampleShape.size() != 3 || !positive)
    {
        throw std::invalid_argument(
            fmt::format("sample shape ({}) is not three positive numbers: channels, height, width",
                        fmt::join(sampleShape, ", ")));
    }
    if (classes < 2)
    {
        throw std::invalid_argument(fmt::format("{} classes, but at least 2 are needed", classes));
    }
}

} // namespace

ModelDescription::ModelDescription(std::vector<LayerCost> layers)
    : m_layers(std::move(layers))
{
}

const std::vector<LayerCost>&
ModelDescription::GetLayers() const
{
    return m_layers;
}

uint64_t
ModelDescription::CountParameters() const
{
    uint64_t parameters = 0;
    for (const LayerCost& layer : m_layers)
    {
        parameters += layer.parameters;
    }
    return parameters;
}

uint64_t
ModelDescription::CountForwardFlops() const
{
    uint64_t flops = 0;
    for (const LayerCost& layer : m_layers)
    {
        flops += layer.forwardFlops;
    }
    return flops;
}

uint64_t
ModelDescription::CountTrainingFlops() const
{
    uint64_t flops = CountForwardFlops();
    for (std::size_t i = 0; i < m_layers.size(); ++i)
    {
        flops += m_layers[i].parameterGradientFlops;
        flops += i > 0 ? m_layers[i].inputGradientFlops : 0;
    }
    return flops;
}

std::vector<std::string>
GetModelNames()
{
    return {"linear", "mlp", "netcnn"};
}

ModelDescription
DescribeModel(const std::string& name, const std::vector<int64_t>& sampleShape, uint32_t classes)
{
    CheckShape(sampleShape, classes);
    const auto inputs = static_cast<uint64_t>(sampleShape[0] * sampleShape[1] * sampleShape[2]);
    if (name == "linear")
    {
        return ModelDescription({DescribeLinear("fc", inputs, classes)});
    }
    if (name == "mlp")
    {
        return ModelDescription({DescribeLinear("fc1", inputs, 200),
                                 DescribeRelu("relu1", 200),
                                 DescribeLinear("fc", 200, classes)});
    }
    if (name == "netcnn")
    {
        return ModelDescription(DescribeNetCnn(sampleShape, classes));
    }
    throw std::invalid_argument(
        fmt::format("no model \"{}\"; there are: {}", name, fmt::join(GetModelNames(), ", ")));
}

} // namespace collab
} // namespace ns3
