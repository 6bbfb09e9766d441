/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation-helper.h"

#include "distillation-client-application.h"

#include "ns3/abort.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/node.h"

namespace ns3::collab
{

DistillationHelper::DistillationHelper(Ptr<LearnerPool> pool)
    : m_serverFactory("ns3::collab::DistillationServerApplication"),
      m_clientFactory("ns3::collab::DistillationClientApplication"),
      m_pool(pool)
{
    m_pool->SetThreadInitializer(ConfigureTorchThread);
}

void
DistillationHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    TypeId::AttributeInformation information;
    if (m_serverFactory.GetTypeId().LookupAttributeByName(name, &information))
    {
        m_serverFactory.Set(name, value);
    }
    m_clientFactory.Set(name, value);
}

ApplicationContainer
DistillationHelper::Install(Ptr<Node> server,
                            const NodeContainer& nodes,
                            const std::vector<DistillationAgent>& agents)
{
    NS_ABORT_MSG_UNLESS(nodes.GetN() == agents.size() && !agents.empty(),
                        "DistillationHelper::Install: " << nodes.GetN() << " nodes and "
                                                        << agents.size()
                                                        << " agents; give one for each");
    ApplicationContainer applications;
    std::vector<uint32_t> clients;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const DistillationAgent& agent = agents[i];
        auto application = m_clientFactory.Create<DistillationClientApplication>();
        application->SetLearnerPool(m_pool);
        application->SetLearner(agent.learner);
        application->SetReference(agent.reference);
        application->SetOwnSamples(agent.own, agent.seed);
        for (const auto& evaluation : agent.evaluations)
        {
            application->AddEvaluation(evaluation);
        }
        nodes.Get(i)->AddApplication(application);
        applications.Add(application);
        clients.push_back(nodes.Get(i)->GetId());
    }
    m_server = m_serverFactory.Create<DistillationServerApplication>();
    m_server->SetLearnerPool(m_pool);
    m_server->SetClients(std::move(clients));
    m_server->SetShape(agents[0].reference->Size(), agents[0].reference->data->classes);
    server->AddApplication(m_server);
    return applications;
}

Ptr<DistillationServerApplication>
DistillationHelper::GetServer() const
{
    return m_server;
}

} // namespace ns3::collab
