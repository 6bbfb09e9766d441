/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-helper.h"

#include "committee-application.h"

#include "ns3/abort.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/node.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::collab
{

CommitteeHelper::CommitteeHelper(Ptr<LearnerPool> pool, uint64_t seed)
    : m_factory("ns3::collab::CommitteeApplication"),
      m_pool(pool),
      m_seed(seed)
{
    m_pool->SetThreadInitializer(ConfigureTorchThread);
}

ApplicationContainer
CommitteeHelper::Install(const NodeContainer& nodes,
                         const std::vector<CommitteeAgent>& agents) const
{
    NS_ABORT_MSG_UNLESS(nodes.GetN() == agents.size(),
                        "CommitteeHelper::Install: " << nodes.GetN() << " nodes and "
                                                     << agents.size()
                                                     << " agents; give one for each");
    const auto conspiracy = std::make_shared<Conspiracy>();
    const auto collusion = std::make_shared<GradientCollusion>();
    std::vector<uint32_t> devices;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const uint32_t device = nodes.Get(i)->GetId();
        devices.push_back(device);
        if (device % 2 == 0)
        {
            conspiracy->firstHalf.insert(device);
        }
        if (!agents[i].misbehavior.empty())
        {
            conspiracy->accomplices.insert(device);
        }
    }
    std::sort(devices.begin(), devices.end());
    const auto keys =
        std::make_shared<const KeyRing>(m_seed, m_authenticatorBytes, ComputeSetDigest(devices));
    ApplicationContainer applications;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        auto application = m_factory.Create<CommitteeApplication>();
        for (const auto& [name, value] : {std::pair("GradientAttack", agents[i].gradientAttack),
                                          std::pair("Misbehavior", agents[i].misbehavior)})
        {
            if (!value.empty()) // else it is the attribute's
            {
                application->SetAttribute(name, StringValue(value));
            }
        }
        application->SetLearnerPool(m_pool);
        application->SetLearner(agents[i].learner, agents[i].samples);
        application->SetFederation(devices, m_seed, keys);
        application->SetConspiracy(conspiracy);
        for (const auto& evaluation : m_evaluations)
        {
            application->AddEvaluation(evaluation);
        }
        nodes.Get(i)->AddApplication(application);
        application->SetCollusion(collusion);
        applications.Add(application);
    }
    return applications;
}

} // namespace ns3::collab
