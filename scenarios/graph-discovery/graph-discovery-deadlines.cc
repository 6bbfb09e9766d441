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
 * @tparam P parameters of the scenario that is the learning alone
 * @param p parameters of the run
 * @return its parameters, with the values of given attributes
 */
template <typename P>
P
DescribeLearning(const GraphDiscoveryParameters& p)
{
    P learning;
    ParameterList list;
    learning.Declare(list);
    list.AdoptGivenAttributes();
    static_cast<CommonParameters&>(learning) = p;
    learning.localSteps = p.localSteps;
    return learning;
}

} // namespace

void
SetDownstreamDeadlines(GraphDiscoveryParameters& p,
                       Ptr<FederatedServerApplication> server,
                       const ApplicationContainer& applications)
{
    auto federated = DescribeLearning<FederatedParameters>(p);
    federated.algorithm = p.downstream;
    federated.setSize = p.setSize;
    federated.setSteps = p.setSteps;
    federated.concurrency = p.devices; // fedbuff: no more train at a time
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
    auto gossip = DescribeLearning<GossipParameters>(p);
    gossip.algorithm = "segmented";
    gossip.replicas = p.peers;
    std::vector<GossipAgent> agents(p.devices);
    for (auto& agent : agents)
    {
        agent.learner = learner;
    }
    CompleteTimeouts(gossip, nodes, agents);
    constexpr double LEAST = 120; // as with a server
    p.roundDeadline = std::max(LEAST, gossip.transferTimeout);
}
