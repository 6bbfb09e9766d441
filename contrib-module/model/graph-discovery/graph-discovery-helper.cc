/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-helper.h"

#include "graph-discovery-latent-application.h"

#include "ns3/abort.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/node.h"

#include <algorithm>

namespace ns3::collab
{

GraphDiscoveryHelper::GraphDiscoveryHelper(const std::string& type, Ptr<LearnerPool> pool)
    : m_factory(type),
      m_pool(pool ? pool : CreateObject<LearnerPool>())
{
    m_pool->SetThreadInitializer(ConfigureTorchThread);
}

void
GraphDiscoveryHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

ApplicationContainer
GraphDiscoveryHelper::Install(const NodeContainer& nodes,
                              const std::vector<DiscoveryAgent>& agents,
                              const TrustMatrices& trust) const
{
    NS_ABORT_MSG_UNLESS(agents.size() == nodes.GetN() && trust.size() == nodes.GetN(),
                        "GraphDiscoveryHelper::Install: "
                            << nodes.GetN() << " nodes, " << agents.size() << " agents and "
                            << trust.size() << " trust matrices; give one of each for a node");
    std::vector<uint32_t> devices;
    uint64_t most = 0;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        devices.push_back(nodes.Get(i)->GetId());
        most = std::max<uint64_t>(most, agents[i].samples.Size());
    }
    ApplicationContainer applications;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        auto application = m_factory.Create<GraphDiscoveryApplication>();
        application->SetLearnerPool(m_pool);
        application->SetSamples(agents[i].samples);
        application->SetGroup(devices, trust[i], agents[i].seed);
        application->SetPlan(nodes, most);
        application->SetGivenPeers(agents[i].peers);
        if (auto labels = DynamicCast<LabelDiscoveryApplication>(application))
        {
            labels->SetPartitioner(agents[i].partitioner);
        }
        if (auto latent = DynamicCast<LatentDiscoveryApplication>(application))
        {
            latent->SetClusteringSeed(agents[i].seed);
        }
        nodes.Get(i)->AddApplication(application);
        applications.Add(application);
    }
    return applications;
}

} // namespace ns3::collab
