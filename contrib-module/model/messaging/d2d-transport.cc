/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-transport.h"

#include "collab-message-header.h"

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
        PROTOCOL, [this](const D2dBurst& burst, const std::vector<uint32_t>& units) {
            HandleBurst(burst, units);
        });
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
    return m_device->GetNeighbors();
}

std::optional<LinkQuality>
D2dTransport::GetLinkQuality(uint32_t sender) const
{
    const std::optional<double> rssW = m_device->GetMeasuredRssW(sender);
    if (!rssW)
    {
        return std::nullopt;
    }
    return LinkQuality{*rssW, m_device->GetMeasuredOutage(sender)};
}

Time
D2dTransport::GetAirtime(uint64_t bytes) const
{
    return m_device->GetAirtime(static_cast<uint32_t>(bytes));
}

void
D2dTransport::DoSend(uint32_t receiver,
                     Ptr<Packet> packet,
                     std::shared_ptr<const Message> message,
                     SendOptions options)
{
    D2dBurst burst(packet, FindAddress(receiver), PROTOCOL);
    burst.priority = options.priority;
    burst.deadline = options.deadline;
    burst.maxAttempts = options.maxAttempts;
    const bool reliable =
        options.policy == LossPolicy::RELIABLE || options.policy == LossPolicy::DIVISIBLE_RELIABLE;
    burst.reliability = reliable ? D2dReliability::ARQ : D2dReliability::BEST_EFFORT;
    if (message->unitsSent > 0)
    {
        const auto& payload = static_cast<const DivisiblePayload&>(*message->payload);
        burst.division.units = message->unitsSent;
        burst.division.unitBytes = payload.GetUnitSize();
        burst.division.headerBytes = MessageHeader::SIZE;
    }
    burst.attachment = message;
    const uint32_t sequence = message->sequence;
    const auto over =
        [this, message, delivered = std::move(options.delivered)](const D2dBurstReport& report) {
            HandleBurstEnd(report, *message, delivered);
        };
    const uint32_t id = m_device->SendBurst(std::move(burst), over);
    if (id != 0)
    {
        m_bursts[sequence] = id;
    }
}

bool
D2dTransport::DoCancel(uint32_t sequence)
{
    const auto found = m_bursts.find(sequence);
    return found != m_bursts.end() && m_device->CancelBurst(found->second);
}

Mac48Address
D2dTransport::FindAddress(uint32_t receiver) const
{
    if (receiver == BROADCAST)
    {
        return Mac48Address::GetBroadcast();
    }
    if (Ptr<D2dNetDevice> device = m_channel->FindDeviceOfNode(receiver))
    {
        return Mac48Address::ConvertFrom(device->GetAddress());
    }
    NS_ABORT_MSG("D2dTransport: no device of the channel is on node " << receiver);
}

uint32_t
D2dTransport::FindDeviceId(Mac48Address address) const
{
    return m_channel->FindDevice(address)->GetNode()->GetId();
}

void
D2dTransport::HandleBurst(const D2dBurst& burst, const std::vector<uint32_t>& units)
{
    Receive(burst.packet,
            FindDeviceId(burst.source),
            std::static_pointer_cast<const Message>(burst.attachment),
            burst.division.units > 0 ? &units : nullptr);
}

void
D2dTransport::HandleBurstEnd(const D2dBurstReport& report,
                             const Message& message,
                             const DeliveryCallback& delivered)
{
    m_bursts.erase(message.sequence);
    TraceOutcomes(report, message);
    if (delivered && m_device && m_device->IsOn()) // a device that is off learns nothing
    {
        // Not within Send(), which a full queue ends at once
        Simulator::ScheduleNow([delivered, known = MakeDeliveryReport(report, message.sequence)]() {
            delivered(known);
        });
    }
}

DeliveryReport
D2dTransport::MakeDeliveryReport(const D2dBurstReport& report, uint32_t sequence) const
{
    DeliveryReport known;
    known.sequence = sequence;
    known.finished = Simulator::Now();
    // By what the sender did: what became of it at the receivers, no message has said
    known.cancelled =
        report.stopped == D2dLossReason::CANCELLED || report.stopped == D2dLossReason::DEADLINE;
    for (const auto& outcome : report.outcomes)
    {
        if (outcome.acknowledged)
        {
            known.acknowledged.push_back(outcome.receiverNode);
        }
    }
    if (report.outcomes.size() == 1 && !report.burst->destination.IsGroup())
    {
        known.acknowledgedUnits = report.outcomes.front().acknowledgedUnits;
    }
    return known;
}

void
D2dTransport::TraceOutcomes(const D2dBurstReport& report, const Message& message)
{
    for (const auto& receiver : report.outcomes)
    {
        MessageOutcome outcome;
        outcome.sender = m_deviceId;
        outcome.receiver = receiver.receiverNode;
        outcome.kind = message.kind;
        outcome.round = message.round;
        outcome.sequence = message.sequence;
        outcome.bytes = report.burst->packet->GetSize();
        outcome.fragments = report.fragments;
        outcome.lostFragments = receiver.lostFragments;
        outcome.attempts = report.attempts;
        outcome.queued = report.burst->queued;
        outcome.start = report.start;
        outcome.end = receiver.ended;
        outcome.airtime = report.airtime;
        outcome.delivered = receiver.delivered;
        outcome.units = message.unitsSent;
        outcome.lostUnits = receiver.lostUnits;
        outcome.reason = ToString(receiver.reason);
        NotifyOutcome(outcome);
    }
}

} // namespace collab
} // namespace ns3
