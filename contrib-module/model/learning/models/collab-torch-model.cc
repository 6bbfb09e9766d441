/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-model.h"

#include "ns3/collab-check-argument.h"

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param spec specification of a tensor
/// @param generator generator to draw with
/// @param values where to put its first values
void
Draw(const WeightSpec& spec, RandomGenerator& generator, float* values)
{
    const auto size = static_cast<std::ptrdiff_t>(spec.Size());
    if (spec.initial == InitialValues::UNIFORM)
    {
        boost::random::uniform_real_distribution<float> draw(-spec.bound, spec.bound);
        std::generate_n(values, size, [&] { return draw(generator); });
    }
    else if (spec.initial == InitialValues::NORMAL)
    {
        boost::random::normal_distribution<float> draw(0, spec.bound);
        std::generate_n(values, size, [&] { return draw(generator); });
    }
    else
    {
        std::fill_n(values, size, spec.bound);
    }
}

} // namespace

TorchModel::TorchModel() = default;
TorchModel::~TorchModel() = default;

bool
TorchModel::MixesSamples() const
{
    return false;
}

bool
TorchModel::NeedsTwoSamples() const
{
    return false;
}

const std::vector<WeightSpec>&
TorchModel::GetSpecs() const
{
    return m_specs;
}

const std::vector<at::Tensor>&
TorchModel::GetParameters() const
{
    return m_parameters;
}

std::size_t
TorchModel::CountParameters() const
{
    std::size_t parameters = 0;
    for (const WeightSpec& spec : m_specs)
    {
        parameters += spec.trainable ? spec.Size() : 0;
    }
    return parameters;
}

std::size_t
TorchModel::CountWeights() const
{
    std::size_t weights = 0;
    for (const WeightSpec& spec : m_specs)
    {
        weights += spec.Size();
    }
    return weights;
}

void
TorchModel::Bind(const at::Tensor& weights)
{
    m_tensors.clear();
    m_parameters.clear();
    int64_t begin = 0;
    for (const WeightSpec& spec : m_specs)
    {
        const auto size = static_cast<int64_t>(spec.Size());
        // With a version of its own: that a pass changes the state says nothing of the weights
        m_tensors.push_back(weights.narrow(0, begin, size).view(spec.sizes).variable_data());
        if (spec.trainable)
        {
            m_tensors.back().requires_grad_();
            m_parameters.push_back(m_tensors.back());
        }
        begin += size;
    }
}

std::vector<int64_t>
TorchModel::GetCounters() const
{
    return {};
}

void
TorchModel::SetCounters(const std::vector<int64_t>& counters)
{
    CheckArgument(counters.empty(), "counters of a model that has none");
}

std::vector<float>
TorchModel::DrawWeights(uint64_t seed) const
{
    RandomGenerator generator(seed);
    std::vector<float> weights(CountWeights());
    float* next = weights.data();
    for (std::size_t i = 0; i < m_specs.size(); ++i)
    {
        const WeightSpec& spec = m_specs[m_moved.empty() ? i : m_moved[i]];
        Draw(spec, generator, next);
        next += spec.Size();
    }
    return PutInOrder(weights);
}

std::vector<std::size_t>
TorchModel::Freeze(const std::set<std::string>& trained)
{
    std::vector<std::size_t> order(m_specs.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto isTrained = [&](std::size_t place) {
        return m_specs[place].trainable && trained.count(m_specs[place].name) > 0;
    };
    std::stable_partition(order.begin(), order.end(), isTrained);
    std::vector<WeightSpec> specs;
    std::vector<std::size_t> places(order.size());
    for (const std::size_t before : order)
    {
        WeightSpec spec = m_specs[before];
        spec.isFrozen = spec.isFrozen || (spec.trainable && !isTrained(before));
        spec.trainable = isTrained(before);
        places[before] = specs.size();
        specs.push_back(std::move(spec));
    }
    m_specs = std::move(specs);
    if (m_moved.empty())
    {
        m_moved.resize(places.size());
        std::iota(m_moved.begin(), m_moved.end(), 0U);
    }
    for (auto* known : {&m_places, &m_moved})
    {
        std::transform(known->begin(), known->end(), known->begin(), [&](std::size_t place) {
            return places[place];
        });
    }
    return places;
}

std::vector<float>
TorchModel::PutInOrder(const std::vector<float>& first) const
{
    std::vector<const float*> begins(m_specs.size());
    const float* next = first.data();
    for (std::size_t i = 0; i < m_specs.size(); ++i)
    {
        const std::size_t place = m_moved.empty() ? i : m_moved[i];
        begins[place] = next;
        next += m_specs[place].Size();
    }
    std::vector<float> ordered;
    ordered.reserve(first.size());
    for (std::size_t place = 0; place < m_specs.size(); ++place)
    {
        ordered.insert(ordered.end(), begins[place], begins[place] + m_specs[place].Size());
    }
    return ordered;
}

std::size_t
TorchModel::AddWeight(WeightSpec spec)
{
    std::size_t place = m_specs.size();
    if (spec.trainable) // goes before all state
    {
        const auto state = std::find_if(m_specs.begin(),
                                        m_specs.end(),
                                        [](const WeightSpec& other) { return !other.trainable; });
        place = static_cast<std::size_t>(state - m_specs.begin());
    }
    for (std::size_t& other : m_places)
    {
        other += other >= place ? 1 : 0;
    }
    m_specs.insert(m_specs.begin() + static_cast<std::ptrdiff_t>(place), std::move(spec));
    m_places.push_back(place);
    return m_places.size() - 1;
}

std::size_t
TorchModel::AddLayer(const std::string& name, const std::vector<int64_t>& sizes)
{
    int64_t fanIn = 1;
    for (std::size_t i = 1; i < sizes.size(); ++i)
    {
        fanIn *= sizes[i];
    }
    const float bound = 1 / std::sqrt(static_cast<float>(fanIn));
    const std::size_t index = AddWeight({name + ".weight", sizes, InitialValues::UNIFORM, bound});
    AddWeight({name + ".bias", {sizes[0]}, InitialValues::UNIFORM, bound});
    return index;
}

const at::Tensor&
TorchModel::GetWeight(std::size_t index) const
{
    return m_tensors[m_places[index]];
}

} // namespace ns3::collab
