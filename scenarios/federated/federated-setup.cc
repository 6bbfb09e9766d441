/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-setup.h"

#include "common/scenario.h"

#include "ns3/collab-compression.h"
#include "ns3/collab-message-header.h"
#include "ns3/federated-buffered-server-application.h"
#include "ns3/federated-participation.h"
#include "ns3/federated-semi-decentralized-client-application.h"
#include "ns3/federated-synchronous-server-application.h"

#include <cmath>

using namespace ns3;
using namespace ns3::collab;

namespace
{

using Client = FederatedClientApplication;
using Member = SemiDecentralizedClientApplication;

/// @return size of a message with them [byte]
uint64_t
CountBytes(const FederatedServerApplication& server,
           const std::string& compression,
           uint32_t vectors = 1)
{
    const std::size_t numbers = server.GetModel()->size() * server.GetMultiplicity();
    return MessageHeader::SIZE + MakeCompressor(compression)->EncodedSize(numbers) * vectors;
}

/// @return all that the server sends until the last device has a model
Time
FindDownlink(const FederatedParameters& p,
             const Ptr<Node>& server,
             uint64_t bytes,
             const WaitEstimator& waits)
{
    if (p.Get("downlink") == "unicast")
    {
        return waits.Unicast(bytes, server, p.devices);
    }
    // In FedBuff each device gets its model; the others have the same one
    const uint32_t models = p.IsAsynchronous() ? p.Get<uint32_t>("concurrency") : 1;
    const double share = p.HasSets() ? 1.0 : p.Get<double>("participation");
    const auto receivers = static_cast<uint32_t>(std::ceil(share * p.devices));
    return std::max(waits.Unicast(bytes, server, models),
                    waits.BroadcastFrom(bytes, server, receivers));
}

} // namespace

std::unique_ptr<FederatedHelper>
MakeFederation(const ParameterList& parameters,
               const Federation& federation,
               const NodeContainer& nodes)
{
    const bool hasSets = federation.setSize > 0;
    const std::string client = (hasSets ? Member::GetTypeId() : Client::GetTypeId()).GetName();
    const std::string server =
        (federation.isAsynchronous ? FederatedBufferedServerApplication::GetTypeId()
                                   : FederatedSynchronousServerApplication::GetTypeId())
            .GetName();
    auto helper = std::make_unique<FederatedHelper>(federation.pool, client, server);
    const auto setOfClients = &FederatedHelper::SetClientAttribute;
    SetAttributes(parameters, server, *helper, &FederatedHelper::SetServerAttribute);
    SetAttributes(parameters, client, *helper, setOfClients);
    SetUnlessGiven(*helper,
                   "ns3::collab::FederatedClientApplication::LearningRate",
                   DoubleValue(federation.learningRate),
                   setOfClients);
    helper->SetSamplingSeed(SeedFor(RandomPurpose::PARTICIPATION));
    if (hasSets)
    {
        const bool hears = nodes.Get(0)->GetObject<Transport>()->HearsWhileSending();
        SetUnlessGiven(*helper,
                       "ns3::collab::SemiDecentralizedClientApplication::TakesTurns",
                       BooleanValue(!hears),
                       setOfClients);
        std::vector<uint32_t> devices;
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            devices.push_back(nodes.Get(i)->GetId());
        }
        helper->SetSets(MakeSets(devices, federation.setSize));
    }
    return helper;
}

void
SetFederatedDeadlines(FederatedParameters& p,
                      Ptr<FederatedServerApplication> server,
                      const ApplicationContainer& applications)
{
    const WorstLinks worst(p);
    const WaitEstimator waits = MakeWaitEstimator(applications);
    const uint32_t sharing = std::min(waits.CountSharing(), p.devices);
    const uint32_t vectors = p.Get("algorithm") == "scaffold" ? 2 : 1; // its control variate
    const uint64_t update = CountBytes(*server, p.uplinkCompression, vectors);
    const Time downlink = FindDownlink(
        p, server->GetNode(), CountBytes(*server, p.downlinkCompression, vectors), waits);
    const auto onAir = [&, bytes = CountBytes(*server, p.uplinkCompression)](const Member& member) {
        BooleanValue takesTurns;
        member.GetAttribute("TakesTurns", takesTurns);
        const uint32_t members = std::min(p.setSize, p.devices);
        // Each sends its model to all others, one after the other
        const uint32_t senders = std::max(sharing, takesTurns.Get() ? members : 1);
        return waits.Unicast(bytes, member.GetNode(), senders * (members - 1));
    };
    const int64_t exchanges = p.Get<uint32_t>("localSteps") / p.Get<uint32_t>("setSteps");
    const auto round = [&](const Client& client) {
        const auto member = dynamic_cast<const Member*>(&client);
        return downlink + client.GetTrainingDuration() +
               (member ? onAir(*member) * exchanges : Time()) +
               waits.Unicast(update, client.GetNode(), sharing, server->GetNode()->GetId());
    };
    SetWait("RoundDeadline",
            WaitEstimator::Longest<Client>(applications, Seconds(120), round),
            p.roundDeadline,
            ApplicationContainer(server));
    if (p.HasSets())
    {
        const auto exchange = [&onAir](const Member& member) {
            return member.GetComputingDuration() + onAir(member);
        };
        SetWait("ConsensusDeadline",
                WaitEstimator::Longest<Member>(applications, Seconds(25), exchange),
                p.setDeadline,
                applications);
    }
}
