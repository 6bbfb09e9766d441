/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-deadlines.h"

#include "federated/federated-deadlines.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "gossip/gossip-waits.h"

#include "ns3/gossip-helper.h"

#include <algorithm>
#include <vector>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/**
 * @brief Give the learning what it has of a run, and the values of given attributes.
 *
 * @param p parameters of the run
 * @param[in,out] learning parameters of the scenario that is the learning alone
 */
void
Describe(const GraphDiscoveryParameters& p, CommonParameters& learning)
{
    learning.AdoptGivenAttributes();
    learning.devices = p.devices;
    learning.Set("localSteps", p.Get<uint32_t>("localSteps"));
}

} // namespace

void
SetDownstreamDeadlines(GraphDiscoveryParameters& p,
                       Ptr<FederatedServerApplication> server,
                       const ApplicationContainer& applications)
{
    FederatedParameters federated;
    Describe(p, federated);
    federated.Set("algorithm", p.downstream);
    federated.setSize = p.setSize;
    federated.Set("setSteps", p.Get<uint32_t>("setSteps"));
    federated.Set("concurrency", p.devices); // fedbuff: no more train at a time
    federated.roundDeadline = p.roundDeadline;
    federated.setDeadline = p.setDeadline;
    SetFederatedDeadlines(federated, server, applications);
    p.roundDeadline = federated.roundDeadline;
    p.setDeadline = federated.setDeadline;
}

void
CompletePullDeadline(GraphDiscoveryParameters& p,
                     const NodeContainer& nodes,
                     const std::shared_ptr<Learner>& learner)
{
    if (p.roundDeadline > 0)
    {
        return;
    }
    GossipParameters gossip;
    Describe(p, gossip);
    gossip.algorithm = "segmented";
    gossip.Set("replicas", p.Get<uint32_t>("peers"));
    std::vector<GossipAgent> agents(p.devices);
    for (auto& agent : agents)
    {
        agent.learner = learner;
    }
    CompleteTimeouts(gossip, nodes, agents);
    constexpr double LEAST = 120; // as with a server
    p.roundDeadline = std::max(LEAST, gossip.transferTimeout);
}
