/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-image-network.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr std::size_t PART = 16;      //!< samples that go through all layers at once
constexpr std::size_t LEAST_PART = 8; //!< a last part that is smaller goes with the one before

/// @param shape shape without samples
/// @param samples number of samples
/// @return the same with so many
ImageShape
WithSamples(ImageShape shape, std::size_t samples)
{
    shape.samples = samples;
    return shape;
}

/// @param shape shape with a border
/// @param border another one
/// @return the same with that
ImageShape
WithBorder(ImageShape shape, std::size_t border)
{
    shape.border = border;
    return shape;
}

/// @param shape images
/// @param call function of the number's place in one image, and of its first place in all
template <typename Call>
void
ForNumbers(const ImageShape& shape, Call call)
{
    std::size_t number = 0;
    for (std::size_t row = 0; row < shape.channels * shape.height; ++row)
    {
        for (std::size_t x = 0; x < shape.width; ++x)
        {
            call(number++, row * shape.Pitch() + (shape.border + x) * shape.samples);
        }
    }
}

/// @param shape images, which begin with zeros
/// @param rows samples x numbers
/// @param[out] images the same numbers
void
PutSamplesLast(const ImageShape& shape, const float* rows, float* images)
{
    const std::size_t numbers = shape.Numbers();
    ForNumbers(shape, [&](std::size_t number, std::size_t place) {
        for (std::size_t sample = 0; sample < shape.samples; ++sample)
        {
            images[place + sample] = rows[sample * numbers + number];
        }
    });
}

/// @param shape images
/// @param images the images
/// @param[out] rows samples x numbers
void
PutSamplesFirst(const ImageShape& shape, const float* images, float* rows)
{
    const std::size_t numbers = shape.Numbers();
    ForNumbers(shape, [&](std::size_t number, std::size_t place) {
        for (std::size_t sample = 0; sample < shape.samples; ++sample)
        {
            rows[sample * numbers + number] = images[place + sample];
        }
    });
}

/// @param layer a layer of a plan
/// @param kernel rows and columns of its filters
/// @return whether it is a convolution that the kernels can compute
bool
IsPlainConvolution(const PlannedLayer& layer, const std::vector<int64_t>& kernel)
{
    return layer.kind == LayerKind::CONVOLUTION && layer.stride == 1 && layer.groups == 1 &&
           layer.hasBias && !layer.isRowwise && kernel[2] == kernel[3] && layer.padding < kernel[2];
}

/// @param shape channels, height, width
/// @param border columns of zeros
/// @return the same
ImageShape
ToImageShape(const std::vector<int64_t>& shape, int64_t border)
{
    return {static_cast<std::size_t>(shape[0]),
            static_cast<std::size_t>(shape[1]),
            static_cast<std::size_t>(shape[2]),
            static_cast<std::size_t>(border),
            0};
}

} // namespace

std::optional<ImageNetwork>
ImageNetwork::Make(const LayerList& plan)
{
    const std::vector<PlannedLayer>& layers = plan.GetLayers();
    ImageNetwork network;
    std::size_t i = 1;
    const auto isNext = [&](LayerKind kind) {
        return i < layers.size() && layers[i].input == i - 1 && layers[i].kind == kind &&
               !layers[i].isRowwise;
    };
    while (isNext(LayerKind::CONVOLUTION))
    {
        const PlannedLayer& layer = layers[i];
        const std::vector<int64_t>& sizes = plan.GetWeights()[layer.firstWeight].sizes;
        if (!IsPlainConvolution(layer, sizes))
        {
            return std::nullopt;
        }
        Stage stage;
        stage.layer = i;
        stage.kernel = static_cast<std::size_t>(sizes[2]);
        stage.input = ToImageShape(layers[i - 1].shape, layer.padding);
        stage.made = ToImageShape(layer.shape, 0);
        ++i;
        stage.transition.rectifies = isNext(LayerKind::RELU);
        i += stage.transition.rectifies ? 1 : 0;
        stage.transition.pools = isNext(LayerKind::MAX_POOL);
        i += stage.transition.pools ? 1 : 0;
        stage.next = ToImageShape(layers[i - 1].shape,
                                  isNext(LayerKind::CONVOLUTION) ? layers[i].padding : 0);
        network.m_stages.push_back(stage);
    }
    const auto isLater = [&](const PlannedLayer& layer) {
        return layer.input >= i && (layer.second == 0 || layer.second >= i);
    };
    if (network.m_stages.empty() || !isNext(LayerKind::FLATTEN) ||
        !std::all_of(layers.begin() + static_cast<std::ptrdiff_t>(i) + 1, layers.end(), isLater))
    {
        return std::nullopt;
    }
    network.m_lastLayer = i;
    return network;
}

void
ImageNetwork::Forward(const std::vector<const float*>& weights,
                      const float* samples,
                      std::size_t size,
                      float* features,
                      Pass* pass) const
{
    std::vector<std::vector<float>> filters;
    for (std::size_t i = 0; i < m_stages.size(); ++i)
    {
        const Stage& stage = m_stages[i];
        filters.push_back(
            PackFilters(weights[2 * i], stage.made.channels, stage.input.channels, stage.kernel));
    }
    Part part;
    for (std::size_t begin = 0; begin < size; begin += part.size)
    {
        part = Part();
        part.begin = begin;
        part.size = size - begin < PART + LEAST_PART ? size - begin : PART;
        const ImageShape shape = WithSamples(m_stages.front().input, part.size);
        part.inputs.emplace_back(shape.Size());
        PutSamplesLast(shape, samples + begin * shape.Numbers(), part.inputs.front().data());
        RunPart(filters, weights, features + begin * CountFeatures(), part);
        if (pass)
        {
            pass->push_back(std::move(part));
            part.size = pass->back().size;
        }
    }
}

void
ImageNetwork::RunPart(const std::vector<std::vector<float>>& filters,
                      const std::vector<const float*>& weights,
                      float* features,
                      Part& part) const
{
    const ImageKernels& kernels = GetImageKernels();
    for (std::size_t i = 0; i < m_stages.size(); ++i)
    {
        const Stage& stage = m_stages[i];
        const ImageShape made = WithSamples(stage.made, part.size);
        const ImageShape next = WithSamples(stage.next, part.size);
        std::vector<float> convolved(made.Size());
        std::vector<float> settled(next.Size());
        part.choices.emplace_back(next.Numbers() * part.size);
        kernels.convolve({WithSamples(stage.input, part.size), part.inputs.back().data()},
                         filters[i].data(),
                         weights[2 * i + 1],
                         stage.kernel,
                         {made, convolved.data()});
        kernels.settle({made, convolved.data()},
                       stage.transition,
                       part.choices.back().data(),
                       {next, settled.data()});
        part.inputs.push_back(std::move(settled));
    }
    PutSamplesFirst(
        WithSamples(m_stages.back().next, part.size), part.inputs.back().data(), features);
    part.inputs.pop_back();
}

void
ImageNetwork::Backward(const std::vector<const float*>& weights,
                       const Pass& pass,
                       const float* featureGradient,
                       const std::vector<float*>& gradients) const
{
    std::vector<std::vector<float>> filters(1);
    for (std::size_t i = 1; i < m_stages.size(); ++i)
    {
        const Stage& stage = m_stages[i];
        filters.push_back(PackTurnedFilters(
            weights[2 * i], stage.made.channels, stage.input.channels, stage.kernel));
    }
    for (const Part& part : pass)
    {
        ReturnPart(filters, part, featureGradient + part.begin * CountFeatures(), gradients);
    }
}

void
ImageNetwork::ReturnPart(const std::vector<std::vector<float>>& filters,
                         const Part& part,
                         const float* featureGradient,
                         const std::vector<float*>& gradients) const
{
    const ImageKernels& kernels = GetImageKernels();
    const ImageShape last = WithSamples(m_stages.back().next, part.size);
    std::vector<float> behind(last.Size());
    PutSamplesLast(last, featureGradient, behind.data());
    for (std::size_t i = m_stages.size(); i-- > 0;)
    {
        const Stage& stage = m_stages[i];
        const ImageShape input = WithSamples(stage.input, part.size);
        const ImageShape next = WithBorder(WithSamples(stage.next, part.size), 0);
        const ImageShape made =
            WithBorder(WithSamples(stage.made, part.size), stage.kernel - 1 - input.border);
        std::vector<float> gradient(made.Size());
        kernels.unsettle({next, behind.data()},
                         stage.transition,
                         part.choices[i].data(),
                         {made, gradient.data()});
        kernels.differentiate({input, part.inputs[i].data()},
                              {made, gradient.data()},
                              stage.kernel,
                              gradients[2 * i],
                              gradients[2 * i + 1]);
        if (i > 0)
        {
            const ImageShape before = WithBorder(input, 0);
            behind.assign(before.Size(), 0);
            kernels.convolve({made, gradient.data()},
                             filters[i].data(),
                             nullptr,
                             stage.kernel,
                             {before, behind.data()});
        }
    }
}

std::size_t
ImageNetwork::GetLastLayer() const
{
    return m_lastLayer;
}

std::vector<std::size_t>
ImageNetwork::GetConvolutions() const
{
    std::vector<std::size_t> layers;
    std::transform(m_stages.begin(),
                   m_stages.end(),
                   std::back_inserter(layers),
                   [](const Stage& stage) { return stage.layer; });
    return layers;
}

std::size_t
ImageNetwork::CountFeatures() const
{
    return m_stages.back().next.Numbers();
}

} // namespace ns3::collab
