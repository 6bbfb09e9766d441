/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-server.h"

#include "ns3/collab-check-argument.h"

#include <utility>

namespace ns3::collab
{

FederatedServer::FederatedServer(const FederatedOptions& options,
                                 FlatVector model,
                                 std::size_t trained,
                                 std::size_t devices,
                                 std::shared_ptr<const AggregationRule> rule)
    : m_strategy(MakeFederatedStrategy(options)),
      m_model(std::move(model)),
      m_trained(trained),
      m_devices(devices),
      m_rule(std::move(rule))
{
    CheckArgument(m_model && !m_model->empty() && m_trained <= m_model->size() && m_devices != 0 &&
                      m_rule,
                  "a server needs weights, devices and an aggregation rule");
    m_strategy->Begin(m_model->size());
}

void
FederatedServer::Step(std::vector<FederatedUpdate> updates)
{
    m_rule->CheckCount(updates.size());
    CompleteUpdates(updates, m_strategy->GetTraits().isWeighted, m_model->size());
    std::vector<double> weights;
    for (const auto& update : updates)
    {
        weights.push_back(m_strategy->GetTraits().isWeighted ? update.samples : 1.0);
    }
    const double share = static_cast<double>(updates.size()) / static_cast<double>(m_devices);
    const FederatedRound round{updates, std::move(weights), *m_rule, m_last, m_trained, share};
    auto model = *m_model;
    m_strategy->Step(round, model);
    m_model = std::make_shared<const std::vector<float>>(std::move(model));
}

void
FederatedServer::SetModel(FlatVector model)
{
    m_model = std::move(model);
}

FlatVector
FederatedServer::GetModel() const
{
    return m_model;
}

FlatVector
FederatedServer::GetControl() const
{
    return m_strategy->GetControl();
}

uint64_t
FederatedServer::CountFlops(std::size_t updates) const
{
    return m_strategy->CountServerFlops(updates, m_model->size(), m_trained);
}

} // namespace ns3::collab
