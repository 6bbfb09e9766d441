/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-fedavgm.h"

namespace ns3
{
namespace collab
{

FedAvgM::FedAvgM(double momentum)
    : m_momentum(momentum)
{
}

void
FedAvgM::Begin(std::size_t dimension)
{
    m_velocity.assign(dimension, 0.0F);
}

void
FedAvgM::Step(const FederatedRound& round, std::vector<float>& model)
{
    const std::vector<float> mean = round.AggregateChanges(model.size());
    for (std::size_t i = 0; i < round.GetTrained(); ++i)
    {
        m_velocity[i] = static_cast<float>(m_momentum * m_velocity[i] + mean[i]);
        model[i] += m_velocity[i];
    }
    Add(mean, round.GetTrained(), model);
}

uint64_t
FedAvgM::CountServerFlops(std::size_t updates, std::size_t dimension, std::size_t trained) const
{
    return CountAverageFlops(dimension, updates) + 2 * trained; // beta v + A
}

} // namespace collab
} // namespace ns3
