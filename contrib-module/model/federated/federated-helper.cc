/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-helper.h"

#include "federated-client-application.h"

#include "ns3/abort.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @param factory makes objects of some type
 * @param name of an attribute
 * @return whether they have it
 */
bool
HasAttribute(const ObjectFactory& factory, const std::string& name)
{
    TypeId::AttributeInformation information;
    return factory.GetTypeId().LookupAttributeByName(name, &information);
}

} // namespace

FederatedHelper::FederatedHelper(Ptr<LearnerPool> pool)
    : m_serverFactory("ns3::collab::FederatedServerApplication"),
      m_clientFactory("ns3::collab::FederatedClientApplication"),
      m_pool(pool)
{
    m_pool->SetThreadInitializer(ConfigureTorchThread);
}

void
FederatedHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    const bool server = HasAttribute(m_serverFactory, name);
    if (server)
    {
        m_serverFactory.Set(name, value);
    }
    if (!server || HasAttribute(m_clientFactory, name))
    {
        m_clientFactory.Set(name, value);
    }
}

void
FederatedHelper::SetServerAttribute(const std::string& name, const AttributeValue& value)
{
    m_serverFactory.Set(name, value);
}

void
FederatedHelper::SetClientAttribute(const std::string& name, const AttributeValue& value)
{
    m_clientFactory.Set(name, value);
}

void
FederatedHelper::SetSamplingSeed(uint64_t seed)
{
    m_samplingSeed = seed;
}

ApplicationContainer
FederatedHelper::Install(Ptr<Node> server,
                         FlatVector model,
                         const NodeContainer& nodes,
                         const std::vector<FederatedAgent>& agents)
{
    NS_ABORT_MSG_UNLESS(nodes.GetN() == agents.size() && !agents.empty(),
                        "FederatedHelper::Install: " << nodes.GetN() << " nodes and "
                                                     << agents.size()
                                                     << " agents; give one for each");
    ApplicationContainer applications;
    std::vector<uint32_t> clients;
    const auto collusion = std::make_shared<GradientCollusion>();
    m_server = m_serverFactory.Create<FederatedServerApplication>();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        auto application = m_clientFactory.Create<FederatedClientApplication>();
        application->SetLearnerPool(m_pool);
        application->SetLearner(agents[i].learner, agents[i].samples);
        application->SetCompressionSeed(agents[i].compressionSeed);
        for (const auto& evaluation : agents[i].evaluations)
        {
            application->AddEvaluation(evaluation);
        }
        application->SetAttribute("GradientAttack", StringValue(agents[i].gradientAttack));
        application->SetAttackSeed(agents[i].attackSeed);
        nodes.Get(i)->AddApplication(application);
        application->SetCollusion(collusion);
        applications.Add(application);
        clients.push_back(nodes.Get(i)->GetId());
        // What is still in the air when the server ends arrives first.
        const Callback<void, uint32_t, bool> ended([application](uint32_t, bool) {
            Simulator::Schedule(
                MilliSeconds(10), &FederatedClientApplication::Conclude, application);
        });
        m_server->TraceConnectWithoutContext("End", ended);
    }
    m_server->SetLearnerPool(m_pool);
    const Learner& learner = *agents[0].learner;
    m_server->SetModel(std::move(model),
                       learner.GetParameterCount() / learner.GetMultiplicity(),
                       learner.GetMultiplicity());
    m_server->SetClients(std::move(clients));
    m_server->SetSamplingSeed(m_samplingSeed);
    server->AddApplication(m_server);
    return applications;
}

Ptr<FederatedServerApplication>
FederatedHelper::GetServer() const
{
    return m_server;
}

} // namespace collab
} // namespace ns3
