/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-deadlines.h"

#include "common/scenario-network.h"
#include "common/scenario-waits.h"

#include "ns3/boolean.h"
#include "ns3/collab-compression.h"
#include "ns3/collab-message-header.h"
#include "ns3/collab-transport.h"
#include "ns3/federated-client-application.h"
#include "ns3/federated-semi-decentralized-client-application.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

using namespace ns3;
using namespace ns3::collab;

namespace
{

using Member = SemiDecentralizedClientApplication;

/// How long messages with a model are on air
class ModelAirtimes
{
  public:
    /**
     * @param p parameters of the run
     * @param server application of the server, with its model
     */
    ModelAirtimes(const FederatedParameters& p, Ptr<FederatedServerApplication> server)
        : m_p(p),
          m_server(server->GetNode()),
          m_sharing(std::min(CountSharing(), p.devices)),
          m_numbers(server->GetModel()->size() * server->GetMultiplicity())
    {
    }

    /// @return all that the server sends until the last device has a model
    Time
    GetDownlink() const
    {
        // In FedBuff each device gets its model; by unicast all get the final one
        const double each = m_p.Get("downlink") == "unicast" ? m_p.devices
                            : m_p.IsAsynchronous()           ? m_p.Get<uint32_t>("concurrency")
                                                             : 1;
        const double sendings = CountSendings(IsReliable());
        return Count(std::max(each * sendings, CountBroadcasts()),
                     GetVectors(),
                     m_p.downlinkCompression,
                     m_server,
                     std::nullopt);
    }

    /// @param device one of the devices
    /// @return its update, and before it those of others that share its subchannel
    Time
    GetUplink(Ptr<Node> device) const
    {
        return Count(m_sharing * CountSendings(IsReliable()),
                     GetVectors(),
                     m_p.uplinkCompression,
                     device,
                     m_server->GetId());
    }

    /// @param member device of a set
    /// @return what is sent in an exchange until it has all models
    Time
    GetExchange(const Member& member) const
    {
        BooleanValue takesTurns;
        member.GetAttribute("TakesTurns", takesTurns);
        const uint32_t members = std::min(m_p.setSize, m_p.devices);
        // One after the other
        const uint32_t senders = std::max(m_sharing, takesTurns.Get() ? members : 1);
        return Count(senders * (members - 1) * CountSendings(IsReliable()),
                     1,
                     m_p.uplinkCompression,
                     member.GetNode(),
                     std::nullopt);
    }

  private:
    /// @return whether what is lost is repeated
    bool
    IsReliable() const
    {
        return m_p.Get("loss") == "reliable";
    }

    /// @return how often the server sends a model until all that take part have acknowledged it,
    /// one after the other, on average
    double
    CountBroadcasts() const
    {
        const double share = m_p.HasSets() ? 1.0 : m_p.Get<double>("participation");
        return IsReliable() && m_p.Get("downlink") != "unicast"
                   ? CountBroadcastAttempts(
                         GetRadio(m_server),
                         static_cast<std::size_t>(std::ceil(share * m_p.devices)))
                   : 1.0;
    }

    /// @return vectors of the model's length in a message
    uint32_t
    GetVectors() const
    {
        return m_p.Get("algorithm") == "scaffold" ? 2 : 1; // its control variate
    }

    /**
     * @param messages one after the other, with repetitions
     * @param vectors in each
     * @param compression of the vectors
     * @param sender of the messages
     * @param receiver whose radio is meant; none for the first one
     * @return how long they are on air
     */
    Time
    Count(double messages,
          uint32_t vectors,
          const std::string& compression,
          Ptr<Node> sender,
          std::optional<uint32_t> receiver) const
    {
        const uint64_t bytes = MakeCompressor(compression)->EncodedSize(m_numbers) * vectors;
        const Time each =
            sender->GetObject<Transport>()->GetAirtime(MessageHeader::SIZE + bytes, receiver);
        return Seconds(each.GetSeconds() * messages);
    }

    const FederatedParameters& m_p; //!< parameters of the run
    Ptr<Node> m_server;             //!< node of the server
    uint32_t m_sharing;             //!< devices that send one after the other
    std::size_t m_numbers;          //!< of the model
};

} // namespace

void
SetFederatedDeadlines(FederatedParameters& p,
                      Ptr<FederatedServerApplication> server,
                      const ApplicationContainer& applications)
{
    using Client = FederatedClientApplication;
    const ModelAirtimes airtimes(p, server);
    const Time downlink = airtimes.GetDownlink(); // for all of them
    const int64_t exchanges = p.Get<uint32_t>("localSteps") / p.Get<uint32_t>("setSteps");
    const auto round = [&](const Client& client) {
        const auto member = dynamic_cast<const Member*>(&client);
        return downlink + client.GetTrainingDuration() +
               (member ? airtimes.GetExchange(*member) * exchanges : Time()) +
               airtimes.GetUplink(client.GetNode());
    };
    SetWait("RoundDeadline",
            FindWait<Client>(applications, Seconds(120), round),
            p.roundDeadline,
            ApplicationContainer(server));
    if (p.HasSets())
    {
        const auto exchange = [&airtimes](const Member& member) {
            return member.GetComputingDuration() + airtimes.GetExchange(member);
        };
        SetWait("ConsensusDeadline",
                FindWait<Member>(applications, Seconds(25), exchange),
                p.setDeadline,
                applications);
    }
}
