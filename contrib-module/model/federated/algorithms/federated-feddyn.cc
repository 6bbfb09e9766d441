/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-feddyn.h"

#include <utility>

namespace ns3
{
namespace collab
{

FedDyn::FedDyn(double alpha)
    : m_alpha(alpha)
{
}

bool
FedDyn::HasMemory() const
{
    return true;
}

bool
FedDyn::IsWeighted() const
{
    return false;
}

void
FedDyn::Prepare(const FlatVector& model,
                const FlatVector&,
                const std::vector<float>& memory,
                std::size_t trained,
                TrainTask& task) const
{
    task.center = model;
    task.mu = m_alpha;
    std::vector<float> correction(model->size(), 0.0F);
    for (std::size_t i = 0; i < trained && !memory.empty(); ++i)
    {
        correction[i] -= memory[i];
    }
    task.correction = std::make_shared<const std::vector<float>>(std::move(correction));
}

std::vector<float>
FedDyn::GetMemoryChange(const FederatedUpdate& sent, std::size_t trained) const
{
    std::vector<float> change(sent.change->size(), 0.0F);
    for (std::size_t i = 0; i < trained; ++i)
    {
        change[i] = static_cast<float>(-m_alpha * (*sent.change)[i]);
    }
    return change;
}

uint64_t
FedDyn::CountDeviceFlops(std::size_t trained) const
{
    return 3 * trained; // -g_k; product, g_k less it
}

void
FedDyn::Begin(std::size_t dimension)
{
    m_memory.assign(dimension, 0.0F);
}

void
FedDyn::Step(const FederatedRound& round, std::vector<float>& model)
{
    const std::vector<float> mean = round.AggregateChanges(model.size());
    for (std::size_t i = 0; i < round.GetTrained(); ++i)
    {
        m_memory[i] = static_cast<float>(m_memory[i] - m_alpha * round.GetShare() * mean[i]);
        model[i] = static_cast<float>(model[i] + (mean[i] - m_memory[i] / m_alpha));
    }
    Add(mean, round.GetTrained(), model);
}

uint64_t
FedDyn::CountServerFlops(std::size_t updates, std::size_t dimension, std::size_t trained) const
{
    // h less product, step less quotient
    return CountAverageFlops(dimension, updates) + 4 * trained;
}

} // namespace collab
} // namespace ns3
