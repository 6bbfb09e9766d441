/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-model-description.h"

#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param layers layers of a model
/// @param samples samples of all passes together
/// @param passes number of passes
/// @param count function that gives the number of one layer
/// @return the sum over the layers
template <typename Count>
uint64_t
Sum(const std::vector<LayerCost>& layers, uint64_t samples, uint64_t passes, Count count)
{
    uint64_t sum = 0;
    for (const LayerCost& layer : layers)
    {
        sum += count(layer) * (layer.perPass ? passes : samples);
    }
    return sum;
}

} // namespace

ModelDescription::ModelDescription(std::vector<LayerCost> layers)
    : m_layers(std::move(layers))
{
    if (!m_layers.empty())
    {
        m_layers.front().inputGradientFlops = 0;
        m_layers.front().inputGradientMultiplyAdds = 0;
    }
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
ModelDescription::CountWeights() const
{
    uint64_t weights = CountParameters();
    for (const LayerCost& layer : m_layers)
    {
        weights += layer.state;
    }
    return weights;
}

uint64_t
ModelDescription::CountBytes() const
{
    return sizeof(float) * CountWeights();
}

uint64_t
ModelDescription::CountForwardFlops(uint64_t samples, uint64_t passes) const
{
    return Sum(
        m_layers, samples, passes, [](const LayerCost& layer) { return layer.forwardFlops; });
}

uint64_t
ModelDescription::CountTrainingFlops(uint64_t samples, uint64_t passes) const
{
    return Sum(m_layers, samples, passes, [](const LayerCost& layer) {
        return layer.forwardFlops + layer.trainingFlops + layer.inputGradientFlops +
               layer.parameterGradientFlops;
    });
}

uint64_t
ModelDescription::CountMultiplyAdds(uint64_t samples) const
{
    return Sum(m_layers, samples, 1, [](const LayerCost& layer) { return layer.multiplyAdds; });
}

uint64_t
ModelDescription::CountTrainingMultiplyAdds(uint64_t samples) const
{
    return Sum(m_layers, samples, 1, [](const LayerCost& layer) {
        return layer.multiplyAdds + layer.inputGradientMultiplyAdds +
               layer.parameterGradientMultiplyAdds;
    });
}

} // namespace ns3::collab
