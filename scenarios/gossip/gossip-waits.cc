/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-waits.h"

#include "common/scenario-network.h"
#include "common/scenario-waits.h"

#include "ns3/collab-message-header.h"
#include "ns3/collab-processor.h"
#include "ns3/collab-transport.h"
#include "ns3/collab-wire-format.h"
#include "ns3/d2d-net-device.h"
#include "ns3/gossip-fl-application.h"
#include "ns3/gossip-merge.h"

#include <algorithm>
#include <limits>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/**
 * @param p parameters of the run
 * @param nodes the devices
 * @param agents what they learn with
 * @return how long the fastest and the slowest device compute in a round: they train, and merge the
 * models of all peers at most [s]
 */
std::pair<double, double>
FindComputing(const GossipParameters& p,
              const NodeContainer& nodes,
              const std::vector<GossipAgent>& agents)
{
    TrainTask task;
    task.epochs = p.Get<uint32_t>("localEpochs");
    task.steps = p.Get<uint32_t>("localSteps");
    double shortest = std::numeric_limits<double>::infinity();
    double longest = 0;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        const auto& learner = agents[device].learner;
        const std::size_t weights = learner->GetWeights()->size();
        const uint64_t merge = CountMergeFlops(weights, weights * (p.devices - 1));
        const auto processor = nodes.Get(device)->GetObject<Processor>();
        const Time round = processor->GetDuration(learner->CountMostTrainFlops(task) +
                                                  merge * learner->GetMultiplicity());
        shortest = std::min(shortest, round.GetSeconds());
        longest = std::max(longest, round.GetSeconds());
    }
    return {shortest, longest};
}

/**
 * @param p parameters of the run
 * @return models that are on air one after the other before a device has all that it waits for, at
 * most: those to it and, from a device that all may ask for theirs, those to the others too; or
 * those of all that share a subchannel
 */
double
CountModelsInARow(const GossipParameters& p)
{
    const double devices = p.devices;
    const double sharing = std::min(CountSharing(), p.devices);
    if (p.algorithm == "braintorrent")
    {
        return devices - 1; // that a half-duplex device asks for while it receives others
    }
    if (p.algorithm == "gossipfl")
    {
        return std::max(sharing, 2.0) * p.Get<double>("fraction"); // both ways
    }
    return std::max(sharing * p.Get<uint32_t>("replicas"),
                    devices - 1 + p.Get<uint32_t>("replicas"));
}

/**
 * @param p parameters of the run
 * @param nodes the devices
 * @param agents what they learn with
 * @return how long what is sent in a round is on air, until a device has all that it waits for [s]
 */
double
FindAirtime(const GossipParameters& p,
            const NodeContainer& nodes,
            const std::vector<GossipAgent>& agents)
{
    Time longest;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        const auto& learner = agents[device].learner;
        const uint64_t values = learner->GetWeights()->size() * learner->GetMultiplicity();
        const auto transport = nodes.Get(device)->GetObject<Transport>();
        longest =
            std::max(longest, transport->GetAirtime(MessageHeader::SIZE + values * WIRE_WORD));
    }
    const auto sendings = static_cast<double>(CountSendings(p.Get("loss") == "reliable"));
    return sendings * CountModelsInARow(p) * longest.GetSeconds();
}

/**
 * @param p parameters of the run
 * @param nodes the devices
 * @return how long it takes until all have announced their rates [s]
 */
double
FindAnnouncing(const GossipParameters& p, const NodeContainer& nodes)
{
    double attempts = 1;
    for (uint32_t i = 0; p.Get("loss") == "reliable" && i < nodes.GetN(); ++i)
    {
        attempts = std::max(attempts, CountBroadcastAttempts(GetRadio(nodes.Get(i))));
    }
    const uint64_t bytes = GossipFlApplication::GetRatesSize(p.devices);
    return attempts * FindBroadcastTime(nodes, bytes).GetSeconds();
}

} // namespace

void
CompleteTimeouts(GossipParameters& p,
                 const NodeContainer& nodes,
                 const std::vector<GossipAgent>& agents)
{
    constexpr double MARGIN = 1.25;
    constexpr double LEAD = 8; // rounds
    const auto [shortest, longest] = FindComputing(p, nodes, agents);
    const bool isByTurns = p.algorithm == "braintorrent";
    const double ahead = isByTurns ? 0.0 : LEAD * (longest - shortest);
    const double computing = MARGIN * std::max(longest, ahead);
    const double onAir = MARGIN * FindAirtime(p, nodes, agents);
    const auto complete = [](double& timeout, double computed) {
        timeout = timeout == 0 ? computed : timeout;
    };
    const double announcing = p.algorithm == "gossipfl" ? MARGIN * FindAnnouncing(p, nodes) : 0.0;
    complete(p.announceTime, std::max(1.0, announcing));
    // A coordinator may still exchange its part, and all may announce their rates before the pairs;
    // a peer that is asked for its version does not
    complete(p.controlTimeout, std::max(5.0, computing + (isByTurns ? 0.0 : onAir) + announcing));
    complete(p.transferTimeout, std::max(60.0, computing + onAir));
    complete(p.turnTimeout,
             std::max(120.0, p.controlTimeout + p.transferTimeout + 2 * MARGIN * longest));
}
