/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-helper.h"

#include "federated-buffered-server-application.h"
#include "federated-synchronous-server-application.h"

#include "ns3/abort.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/federated-semi-decentralized-client-application.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::collab
{

namespace
{

/// @param factory makes objects of some type
/// @return whether they are of class T or a subclass
template <typename T>
bool
Makes(const ObjectFactory& factory)
{
    const TypeId type = factory.GetTypeId();
    return type == T::GetTypeId() || type.IsChildOf(T::GetTypeId());
}

/// @param factory makes objects of some type
/// @param name of an attribute
/// @return whether they have it
bool
HasAttribute(const ObjectFactory& factory, const std::string& name)
{
    TypeId::AttributeInformation information;
    return factory.GetTypeId().LookupAttributeByName(name, &information);
}

} // namespace

FederatedHelper::FederatedHelper(Ptr<LearnerPool> pool,
                                 const std::string& clientType,
                                 const std::string& serverType)
    : m_serverFactory(serverType),
      m_clientFactory(clientType),
      m_pool(pool)
{
    m_pool->SetThreadInitializer(ConfigureTorchThread);
    SetUsual();
}

void
FederatedHelper::SetUsual()
{
    const bool hasSets = Makes<SemiDecentralizedClientApplication>(m_clientFactory);
    if (hasSets && !IsAttributeGiven("ns3::collab::FederatedClientApplication::LocalSteps"))
    {
        SetClientAttribute("LocalSteps",
                           UintegerValue(SemiDecentralizedClientApplication::USUAL_LOCAL_STEPS));
    }
    if (IsAttributeGiven("ns3::collab::FederatedApplication::Algorithm"))
    {
        return;
    }
    if (hasSets)
    {
        SetAttribute("Algorithm", StringValue("SemiDecentralized"));
    }
    else if (Makes<FederatedBufferedServerApplication>(m_serverFactory))
    {
        SetAttribute("Algorithm", StringValue("FedBuff"));
    }
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

void
FederatedHelper::SetSets(std::vector<std::vector<uint32_t>> sets)
{
    m_sets = std::move(sets);
}

Ptr<FederatedClientApplication>
FederatedHelper::InstallClient(const FederatedAgent& agent, Ptr<Node> node) const
{
    auto application = m_clientFactory.Create<FederatedClientApplication>();
    application->SetLearnerPool(m_pool);
    application->SetCompressionSeed(agent.compressionSeed);
    for (const auto& evaluation : agent.evaluations)
    {
        application->AddEvaluation(evaluation);
    }
    if (!agent.gradientAttack.empty()) // else it is the attribute's
    {
        application->SetAttribute("GradientAttack", StringValue(agent.gradientAttack));
    }
    application->SetAttackSeed(agent.attackSeed);
    if (auto member = DynamicCast<SemiDecentralizedClientApplication>(application))
    {
        for (const auto& set : m_sets)
        {
            if (std::find(set.begin(), set.end(), node->GetId()) != set.end())
            {
                member->SetSet(set, m_samplingSeed);
            }
        }
    }
    node->AddApplication(application);
    // What is still in the air when the server ends arrives first.
    const Callback<void, uint32_t, bool> ended([application](uint32_t, bool) {
        Simulator::Schedule(MilliSeconds(10), &FederatedClientApplication::Conclude, application);
    });
    m_server->TraceConnectWithoutContext("End", ended);
    return application;
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
    m_clients = ApplicationContainer();
    std::vector<uint32_t> clients;
    std::vector<uint32_t> stragglers;
    const auto collusion = std::make_shared<GradientCollusion>();
    m_server = m_serverFactory.Create<FederatedServerApplication>();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        auto application = InstallClient(agents[i], nodes.Get(i));
        application->SetCollusion(collusion);
        m_clients.Add(application);
        clients.push_back(nodes.Get(i)->GetId());
        if (agents[i].isStraggler)
        {
            stragglers.push_back(nodes.Get(i)->GetId());
        }
    }
    m_server->SetLearnerPool(m_pool);
    m_server->SetClients(std::move(clients));
    m_server->SetStragglers(std::move(stragglers));
    if (auto synchronous = DynamicCast<FederatedSynchronousServerApplication>(m_server))
    {
        synchronous->SetSets(m_sets);
    }
    m_server->SetSamplingSeed(m_samplingSeed);
    SetLearners(std::move(model), agents);
    server->AddApplication(m_server);
    return m_clients;
}

void
FederatedHelper::SetLearners(FlatVector model, const std::vector<FederatedAgent>& agents) const
{
    NS_ABORT_MSG_UNLESS(m_clients.GetN() == agents.size(),
                        "FederatedHelper::SetLearners: " << agents.size() << " agents for "
                                                         << m_clients.GetN() << " devices");
    for (uint32_t i = 0; i < agents.size(); ++i)
    {
        DynamicCast<FederatedClientApplication>(m_clients.Get(i))
            ->SetLearner(agents[i].learner, agents[i].samples);
    }
    if (model && agents[0].learner)
    {
        const Learner& learner = *agents[0].learner;
        m_server->SetModel(std::move(model),
                           learner.GetParameterCount() / learner.GetMultiplicity(),
                           learner.GetMultiplicity());
    }
}

Ptr<FederatedServerApplication>
FederatedHelper::GetServer() const
{
    return m_server;
}

} // namespace ns3::collab
