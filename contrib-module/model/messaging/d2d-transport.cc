/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("D2dTransport");
NS_OBJECT_ENSURE_REGISTERED(D2dTransport);

TypeId
D2dTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::D2dTransport")
                            .SetParent<Transport>()
                            .SetGroupName("Collab")
                            .AddConstructor<D2dTransport>();
    return tid;
}

void
D2dTransport::SetDevice(Ptr<D2dNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    m_device = device;
    m_channel = DynamicCast<D2dChannel>(device->GetChannel());
    NS_ABORT_MSG_UNLESS(m_channel && device->GetNode(),
                        "D2dTransport::SetDevice: the device is not on a node and a D2dChannel");
    m_deviceId = device->GetNode()->GetId();
    device->SetBurstReceiveCallback(
        PROTOCOL, [this](std::shared_ptr<const D2dBurst> burst) { HandleBurst(*burst); });
    device->TraceConnectWithoutContext("BurstEnd",
                                       MakeCallback(&D2dTransport::HandleBurstEnd, this));
}

void
D2dTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_device = nullptr;
    m_channel = nullptr;
    Transport::DoDispose();
}

std::vector<uint32_t>
D2dTransport::GetNeighbors() const
{
    std::vector<uint32_t> neighbors;
    for (const auto& link : m_channel->GetLinks(m_device))
    {
        neighbors.push_back(link.receiver->GetNode()->GetId());
    }
    std::sort(neighbors.begin(), neighbors.end());
    return neighbors;
}

void
D2dTransport::DoSend(uint32_t receiver,
                     Ptr<Packet> packet,
                     std::shared_ptr<const Message> message,
                     SendOptions options)
{
    D2dNetDevice::BurstSentCallback sent;
    if (options.delivered)
    {
        const uint32_t sequence = message->sequence;
        sent = [this, sequence, delivered = std::move(options.delivered)](
                   std::shared_ptr<const D2dBurst>, const std::vector<Mac48Address>& acknowledged) {
            DeliveryReport report;
            report.sequence = sequence;
            report.finished = Simulator::Now();
            for (const auto& address : acknowledged)
            {
                report.acknowledged.push_back(FindDeviceId(address));
            }
            delivered(report);
        };
    }
    m_device->SendBurst(packet,
                        FindAddress(receiver),
                        PROTOCOL,
                        options.policy == LossPolicy::RELIABLE ? D2dReliability::ARQ
                                                               : D2dReliability::BEST_EFFORT,
                        std::move(message),
                        std::move(sent));
}

bool
D2dTransport::DoCancel(uint32_t)
{
    return false;
}

std::optional<LinkQuality>
D2dTransport::GetLinkQuality(uint32_t) const
{
    return std::nullopt;
}

Time
D2dTransport::GetAirtime(uint64_t bytes) const
{
    return m_device->GetAirtime(static_cast<uint32_t>(bytes));
}

Mac48Address
D2dTransport::FindAddress(uint32_t receiver) const
{
    if (receiver == BROADCAST)
    {
        return Mac48Address::GetBroadcast();
    }
    for (std::size_t i = 0; i < m_channel->GetNDevices(); ++i)
    {
        Ptr<NetDevice> device = m_channel->GetDevice(i);
        if (device->GetNode()->GetId() == receiver)
        {
            return Mac48Address::ConvertFrom(device->GetAddress());
        }
    }
    NS_ABORT_MSG("D2dTransport: no device of the channel is on node " << receiver);
}

uint32_t
D2dTransport::FindDeviceId(Mac48Address address) const
{
    return m_channel->FindDevice(address)->GetNode()->GetId();
}

void
D2dTransport::HandleBurst(const D2dBurst& burst)
{
    Receive(burst.packet,
            FindDeviceId(burst.source),
            std::static_pointer_cast<const Message>(burst.attachment));
}

void
D2dTransport::HandleBurstEnd(const D2dBurstReport& report)
{
    if (report.burst->protocol != PROTOCOL)
    {
        return;
    }
    const auto message = std::static_pointer_cast<const Message>(report.burst->attachment);
    if (!message)
    {
        NS_LOG_DEBUG("burst " << report.burst->id << " was sent past this transport");
        return;
    }
    for (const auto& receiver : report.outcomes)
    {
        MessageOutcome outcome;
        outcome.sender = m_deviceId;
        outcome.receiver = receiver.receiverNode;
        outcome.kind = message->kind;
        outcome.round = message->round;
        outcome.sequence = message->sequence;
        outcome.bytes = report.burst->packet->GetSize();
        outcome.fragments = report.fragments;
        outcome.lostFragments = receiver.lostFragments;
        outcome.attempts = report.attempts;
        outcome.queued = report.burst->queued;
        outcome.start = report.start;
        outcome.end = receiver.ended;
        outcome.airtime = report.airtime;
        outcome.delivered = receiver.delivered;
        outcome.reason = ToString(receiver.reason);
        NotifyOutcome(outcome);
    }
}

} // namespace collab
} // namespace ns3
