/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-helper.h"

#include "ns3/abort.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/gossip-dfedavgm-application.h"
#include "ns3/node.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::collab
{

GossipHelper::GossipHelper(const std::string& type, Ptr<LearnerPool> pool, uint64_t seed)
    : m_factory(type),
      m_pool(pool),
      m_seed(seed)
{
    m_pool->SetThreadInitializer(ConfigureTorchThread);
}

void
GossipHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

ApplicationContainer
GossipHelper::Install(const NodeContainer& nodes, const std::vector<GossipAgent>& agents) const
{
    NS_ABORT_MSG_UNLESS(nodes.GetN() == agents.size(),
                        "GossipHelper::Install: " << nodes.GetN() << " nodes and " << agents.size()
                                                  << " agents; give one for each");
    auto devices = std::make_shared<std::vector<uint32_t>>();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        devices->push_back(nodes.Get(i)->GetId());
    }
    std::sort(devices->begin(), devices->end());
    ApplicationContainer applications;
    const auto collusion = std::make_shared<GradientCollusion>();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        auto application = m_factory.Create<GossipApplication>();
        application->SetLearnerPool(m_pool);
        application->SetFederation(devices, m_seed);
        for (const auto& [name, labelled] : agents[i].evaluations)
        {
            application->AddEvaluation(name, labelled);
        }
        nodes.Get(i)->AddApplication(application);
        if (!agents[i].attack.empty())
        {
            NS_ABORT_MSG_UNLESS(DynamicCast<DecentralizedFedAvgmApplication>(application),
                                "GossipHelper::Install: of the applications only a "
                                "DecentralizedFedAvgmApplication forges what it tells");
            application->SetAttribute("GradientAttack", StringValue(agents[i].attack));
            application->SetCollusion(collusion);
        }
        applications.Add(application);
    }
    SetLearners(applications, agents);
    return applications;
}

void
GossipHelper::SetLearners(const ApplicationContainer& applications,
                          const std::vector<GossipAgent>& agents)
{
    NS_ABORT_MSG_UNLESS(applications.GetN() == agents.size(),
                        "GossipHelper::SetLearners: " << agents.size() << " agents for "
                                                      << applications.GetN() << " devices");
    for (uint32_t i = 0; i < agents.size(); ++i)
    {
        DynamicCast<GossipApplication>(applications.Get(i))
            ->SetLearner(agents[i].learner, agents[i].samples);
    }
}

} // namespace ns3::collab
