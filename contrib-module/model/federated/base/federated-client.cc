/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-client.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

FederatedClient::FederatedClient(const FederatedOptions& options, std::size_t trained)
    : m_strategy(MakeFederatedStrategy(options)),
      m_trained(trained)
{
}

void
FederatedClient::Plan(uint32_t samples, TrainTask& task) const
{
    m_strategy->Plan(samples, task);
}

void
FederatedClient::Prepare(const FlatVector& model, const FlatVector& control, TrainTask& task) const
{
    m_strategy->Prepare(model, control, m_memory, m_trained, task);
}

FederatedUpdate
FederatedClient::Finish(const std::vector<float>& model,
                        const FlatVector& control,
                        const std::vector<float>& trainedModel,
                        uint64_t steps,
                        double learningRate) const
{
    CheckArgument(trainedModel.size() == model.size() && m_trained <= model.size(),
                  "{} weights after training and {} before it",
                  trainedModel.size(),
                  model.size());
    std::vector<float> change(model.size());
    for (std::size_t i = 0; i < model.size(); ++i)
    {
        change[i] = trainedModel[i] - model[i];
    }
    FederatedUpdate update;
    update.change = std::make_shared<const std::vector<float>>(std::move(change));
    m_strategy->Finish({control, m_trained, steps, learningRate}, update);
    return update;
}

void
FederatedClient::Remember(const FederatedUpdate& sent)
{
    m_provisional = m_strategy->GetMemoryChange(sent, m_trained);
}

void
FederatedClient::Settle(bool isOdd)
{
    const std::vector<float> change = std::exchange(m_provisional, {});
    if (isOdd == m_isOdd)
    {
        return;
    }
    m_isOdd = isOdd;
    m_memory.resize(std::max(m_memory.size(), change.size()));
    for (std::size_t i = 0; i < change.size(); ++i)
    {
        m_memory[i] += change[i];
    }
}

const std::vector<float>&
FederatedClient::GetMemory() const
{
    return m_memory;
}

uint64_t
FederatedClient::CountFlops(std::size_t dimension) const
{
    return dimension + m_strategy->CountDeviceFlops(m_trained); // y - x
}

} // namespace ns3::collab
