/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-layer-list.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param sizes sizes of a tensor
/// @return number of its elements
uint64_t
Product(const std::vector<int64_t>& sizes)
{
    uint64_t product = 1;
    for (const int64_t size : sizes)
    {
        product *= static_cast<uint64_t>(size);
    }
    return product;
}

} // namespace

uint64_t
WeightSpec::Size() const
{
    return Product(sizes);
}

LayerList::LayerList(ModelInput input)
    : m_input(std::move(input))
{
    const std::vector<int64_t>& shape = m_input.sampleShape;
    CheckArgument(!shape.empty() &&
                      std::none_of(shape.begin(), shape.end(), [](auto size) { return size < 1; }),
                  "sample shape ({}) is not of positive numbers",
                  fmt::join(shape, ", "));
    CheckArgument(m_input.outputs != 0, "0 outputs, but at least 1 is needed");
    PlannedLayer samples;
    samples.shape = shape;
    m_layers.push_back(samples);
}

void
LayerList::ReadFrom(std::size_t layer)
{
    m_present = layer;
}

const std::vector<PlannedLayer>&
LayerList::GetLayers() const
{
    return m_layers;
}

const std::vector<WeightSpec>&
LayerList::GetWeights() const
{
    return m_weights;
}

const ModelInput&
LayerList::GetInput() const
{
    return m_input;
}

const std::vector<int64_t>&
LayerList::GetShape() const
{
    return m_layers[m_present].shape;
}

ModelDescription
LayerList::Describe() const
{
    return ModelDescription(m_costs);
}

std::size_t
LayerList::Append(PlannedLayer layer, std::vector<WeightSpec> weights)
{
    layer.input = m_present;
    if (layer.shape.empty())
    {
        layer.shape = GetShape();
    }
    if (!weights.empty())
    {
        layer.firstWeight = m_weights.size();
        layer.needsGradient = true;
        std::move(weights.begin(), weights.end(), std::back_inserter(m_weights));
    }
    const bool reads = layer.kind != LayerKind::NODE_FEATURES;
    layer.needsGradient = layer.needsGradient || (reads && m_layers[m_present].needsGradient);
    m_perPass = !reads || (m_perPass && layer.kind != LayerKind::SELECT_NODES);
    m_layers.push_back(std::move(layer));
    m_present = m_layers.size() - 1;
    return m_present;
}

std::size_t
LayerList::GetPresent() const
{
    return m_present;
}

void
LayerList::Charge(LayerCost cost)
{
    if (!m_layers[m_layers.back().input].needsGradient)
    {
        cost.inputGradientFlops = 0;
        cost.inputGradientMultiplyAdds = 0;
    }
    if (!m_layers.back().needsGradient)
    {
        cost.parameterGradientFlops = 0;
        cost.parameterGradientMultiplyAdds = 0;
    }
    cost.perPass = m_perPass;
    m_costs.push_back(std::move(cost));
}

void
LayerList::Charge(const std::string& name, uint64_t forward, uint64_t backward)
{
    LayerCost cost;
    cost.name = name;
    cost.forwardFlops = forward;
    cost.inputGradientFlops = backward;
    Charge(std::move(cost));
}

void
LayerList::RequireRank(std::size_t rank, const std::string& what) const
{
    CheckArgument(GetShape().size() == rank,
                  "{} reads {} dimensions a sample, not ({})",
                  what,
                  rank,
                  fmt::join(GetShape(), ", "));
}

uint64_t
LayerList::Elements() const
{
    return Product(GetShape());
}

} // namespace ns3::collab
