/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-module-base.h"

#include "ns3/collab-check-argument.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

TorchModuleModel::TorchModuleModel() = default;
TorchModuleModel::~TorchModuleModel() = default;

void
TorchModuleModel::Adopt(const std::string& name, const at::Tensor& tensor, bool isTrained)
{
    if (tensor.scalar_type() != at::kFloat || !tensor.device().is_cpu())
    {
        throw std::invalid_argument(fmt::format("tensor {} is of type {} on {}, not float on cpu",
                                                name,
                                                c10::toString(tensor.scalar_type()),
                                                tensor.device().str()));
    }
    const at::Tensor values = tensor.detach().contiguous();
    const auto* begin = values.data_ptr<float>();
    const auto* end = begin + values.numel();
    CheckArgument(std::all_of(begin, end, [](float value) { return std::isfinite(value); }),
                  "tensor {} has a number that is not finite",
                  name);
    WeightSpec spec;
    spec.name = name;
    spec.sizes = tensor.sizes().vec();
    spec.trainable = isTrained;
    AddWeight(spec);
    (isTrained ? m_trained : m_state).push_back(tensor);
}

void
TorchModuleModel::AdoptBuffer(const std::string& name, const at::Tensor& buffer)
{
    if (buffer.is_floating_point())
    {
        Adopt(name, buffer, false);
    }
    else if (buffer.scalar_type() == at::kLong)
    {
        m_counters.push_back(buffer);
    }
}

std::vector<int64_t>
TorchModuleModel::GetCounters() const
{
    std::vector<int64_t> values;
    for (const at::Tensor& counter : m_counters)
    {
        const at::Tensor numbers = counter.cpu().contiguous();
        const auto* begin = numbers.data_ptr<int64_t>();
        values.insert(values.end(), begin, begin + numbers.numel());
    }
    return values;
}

void
TorchModuleModel::SetCounters(const std::vector<int64_t>& counters)
{
    CheckArgument(counters.size() == GetCounters().size(),
                  "{} counters given, the module has {}",
                  counters.size(),
                  GetCounters().size());
    const int64_t* next = counters.data();
    for (at::Tensor& counter : m_counters)
    {
        at::Tensor numbers = at::empty(counter.sizes(), at::kLong);
        std::copy_n(next, numbers.numel(), numbers.data_ptr<int64_t>());
        counter.copy_(numbers);
        next += numbers.numel();
    }
}

void
TorchModuleModel::KeepFirst(std::shared_ptr<const std::vector<float>> first)
{
    if (first)
    {
        m_first = std::move(first);
        return;
    }
    std::vector<float> values;
    for (const auto* tensors : {&m_trained, &m_state})
    {
        for (const at::Tensor& tensor : *tensors)
        {
            const at::Tensor numbers = tensor.detach().contiguous();
            const auto* begin = numbers.data_ptr<float>();
            values.insert(values.end(), begin, begin + numbers.numel());
        }
    }
    m_first = std::make_shared<const std::vector<float>>(std::move(values));
}

const std::shared_ptr<const std::vector<float>>&
TorchModuleModel::GetFirst() const
{
    return m_first;
}

const std::vector<at::Tensor>&
TorchModuleModel::GetParameters() const
{
    return m_trained;
}

void
TorchModuleModel::Bind(const at::Tensor& weights)
{
    int64_t begin = 0;
    const auto show = [&](at::Tensor& tensor) {
        const at::Tensor view = weights.narrow(0, begin, tensor.numel()).view(tensor.sizes());
        tensor.set_data(view);
        begin += tensor.numel();
        return view;
    };
    std::for_each(m_trained.begin(), m_trained.end(), show);
    m_stateViews.clear();
    std::transform(m_state.begin(), m_state.end(), std::back_inserter(m_stateViews), show);
}

std::vector<float>
TorchModuleModel::DrawWeights(uint64_t /* seed */) const
{
    return PutInOrder(*m_first);
}

std::vector<std::size_t>
TorchModuleModel::Freeze(const std::set<std::string>& trained)
{
    std::vector<at::Tensor> before = m_trained;
    before.insert(before.end(), m_state.begin(), m_state.end());
    const std::vector<std::size_t> places = TorchModel::Freeze(trained);
    std::vector<at::Tensor> tensors(before.size());
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        tensors[places[i]] = before[i];
    }
    const auto isTrained = [](const WeightSpec& spec) { return spec.trainable; };
    const auto count = std::count_if(GetSpecs().begin(), GetSpecs().end(), isTrained);
    m_trained.assign(tensors.begin(), tensors.begin() + count);
    m_state.assign(tensors.begin() + count, tensors.end());
    for (at::Tensor& tensor : m_state)
    {
        tensor.requires_grad_(false);
    }
    return places;
}

void
TorchModuleModel::DetachState(bool areCopies) const
{
    for (std::size_t i = 0; i < m_state.size(); ++i)
    {
        m_state[i].set_data(areCopies ? m_stateViews[i].clone() : m_stateViews[i]);
    }
}

} // namespace ns3::collab
