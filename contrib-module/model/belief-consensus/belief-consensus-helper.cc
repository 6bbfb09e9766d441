/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-helper.h"

#include "belief-consensus-user-application.h"

#include "ns3/abort.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/string.h"

#include <utility>

namespace ns3::collab
{

BeliefConsensusHelper::BeliefConsensusHelper(Ptr<LearnerPool> pool, const std::string& type)
    : m_factory(type),
      m_pool(pool ? pool : CreateObject<LearnerPool>())
{
    m_pool->SetThreadInitializer(ConfigureTorchThread);
}

void
BeliefConsensusHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
BeliefConsensusHelper::SetLiars(std::set<uint32_t> users, const std::string& lie, double strength)
{
    m_liars = std::move(users);
    m_lie = lie;
    m_lieStrength = strength;
}

void
BeliefConsensusHelper::UseReliability()
{
    m_isReliability = true;
}

ApplicationContainer
BeliefConsensusHelper::Install(const NodeContainer& nodes,
                               std::vector<std::unique_ptr<BeliefModel>> models,
                               const Matrix<double>& w) const
{
    const std::size_t users = nodes.GetN();
    NS_ABORT_MSG_UNLESS(
        models.size() == users && (w.rows == 0 || (w.rows == users && w.columns == users)),
        "BeliefConsensusHelper::Install: "
            << users << " nodes, " << models.size() << " models and a matrix of " << w.rows << " x "
            << w.columns << "; give a model for each node, and a row and a column, or none");
    ApplicationContainer applications;
    for (uint32_t i = 0; i < users; ++i)
    {
        auto application = m_factory.Create<BeliefUserApplication>();
        application->SetLearnerPool(m_pool);
        application->SetModel(std::move(models[i]));
        std::vector<uint32_t> devices;
        std::vector<double> weights;
        std::vector<uint32_t> listeners;
        for (uint32_t j = 0; j < w.rows; ++j)
        {
            if (j != i && w(i, j) > 0)
            {
                devices.push_back(nodes.Get(j)->GetId());
                weights.push_back(w(i, j));
            }
            if (j != i && w(j, i) > 0)
            {
                listeners.push_back(nodes.Get(j)->GetId());
            }
        }
        if (m_isReliability)
        {
            weights.clear();
        }
        application->SetNeighbors(std::move(devices), std::move(weights), std::move(listeners));
        if (m_liars.count(i) > 0)
        {
            application->SetAttribute("Lie", StringValue(m_lie));
            application->SetAttribute("LieStrength", DoubleValue(m_lieStrength));
        }
        nodes.Get(i)->AddApplication(application);
        applications.Add(application);
    }
    return applications;
}

int64_t
BeliefConsensusHelper::AssignStreams(const ApplicationContainer& applications, int64_t stream)
{
    int64_t used = 0;
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        used += DynamicCast<BeliefUserApplication>(*it)->AssignUserStreams(stream + used);
    }
    return used;
}

} // namespace ns3::collab
