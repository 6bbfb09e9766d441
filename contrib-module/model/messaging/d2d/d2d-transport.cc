/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-transport.h"

#include "ns3/abort.h"
#include "ns3/collab-analog-port.h"
#include "ns3/collab-message-header.h"
#include "ns3/d2d-channel.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
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
D2dTransport::AddDevice(Ptr<D2dNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_UNLESS(device->GetD2dChannel() && device->GetNode(),
                        "D2dTransport::AddDevice: the device is not on a node and a D2dChannel");
    const uint32_t node = device->GetNode()->GetId();
    NS_ABORT_MSG_UNLESS(m_devices.empty() || node == m_deviceId,
                        "D2dTransport::AddDevice: the device is on node "
                            << node << ", the first one on node " << m_deviceId);
    const bool isTwice =
        std::any_of(m_devices.begin(), m_devices.end(), [&device](const auto& radio) {
            return radio->GetD2dChannel() == device->GetD2dChannel();
        });
    NS_ABORT_MSG_IF(isTwice,
                    "D2dTransport::AddDevice: node " << node << " has a radio on the same channel "
                                                     << "already; it would hear messages twice");
    m_deviceId = node;
    m_devices.push_back(device);
    device->SetBurstReceiveCallback(
        PROTOCOL, [this](const D2dBurst& burst, const std::vector<uint32_t>& units) {
            HandleBurst(burst, units);
        });
}

void
D2dTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_devices.clear();
    m_underway.clear();
    Transport::DoDispose();
}

Ptr<D2dNetDevice>
D2dTransport::FindRadio(uint32_t peer) const
{
    for (const auto& device : m_devices)
    {
        if (device->GetD2dChannel()->FindDeviceOfNode(peer))
        {
            return device;
        }
    }
    return nullptr;
}

std::vector<uint32_t>
D2dTransport::GetNeighbors() const
{
    return m_devices.front()->GetDiscovery()->GetNeighbors();
}

std::optional<LinkQuality>
D2dTransport::GetLinkQuality(uint32_t sender) const
{
    Ptr<D2dNetDevice> radio = FindRadio(sender);
    const std::optional<double> rssW =
        radio ? radio->GetDiscovery()->GetMeasuredRssW(sender) : std::nullopt;
    if (!rssW)
    {
        return std::nullopt;
    }
    return LinkQuality{*rssW, radio->GetDiscovery()->GetMeasuredOutage(sender)};
}

Time
D2dTransport::GetAirtime(uint64_t bytes, std::optional<uint32_t> receiver) const
{
    Ptr<D2dNetDevice> radio = receiver ? FindRadio(*receiver) : m_devices.front();
    NS_ABORT_MSG_UNLESS(radio,
                        "D2dTransport::GetAirtime: no radio of node "
                            << m_deviceId << " is on a channel with node "
                            << receiver.value_or(m_deviceId));
    const Ptr<D2dPhy> phy = radio->GetPhy();
    std::vector<D2dLink> audience;
    if (receiver)
    {
        const Ptr<D2dChannel> channel = radio->GetD2dChannel();
        audience.push_back(channel->GetLink(radio, channel->FindDeviceOfNode(*receiver)));
    }
    return phy->GetAirtime(static_cast<uint32_t>(bytes), audience);
}

Time
D2dTransport::GetContendedAirtime(uint64_t bytes, uint32_t senders) const
{
    return m_devices.front()->GetMac()->GetTimeForAll(GetAirtime(bytes), senders);
}

bool
D2dTransport::HearsWhileSending() const
{
    return m_devices.front()->GetPhy()->GetDuplex() == D2dDuplex::FULL;
}

uint32_t
D2dTransport::CountUnitParts(uint32_t bytes) const
{
    const Ptr<D2dPhy> phy = m_devices.front()->GetPhy();
    D2dBurst burst(Create<Packet>(MessageHeader::SIZE + bytes), Mac48Address(), PROTOCOL);
    burst.division = {1, bytes, MessageHeader::SIZE};
    return phy->GetFragmentation(burst, phy->GetSpectralEfficiency()).fragmentsPerUnit;
}

Time
D2dTransport::GetListeningTime() const
{
    Time longest;
    for (const auto& device : m_devices)
    {
        longest = std::max(longest, device->GetDiscovery()->GetListeningTime());
    }
    return longest;
}

AnalogPort
D2dTransport::GetAnalogPort(uint32_t peer) const
{
    const Ptr<D2dNetDevice> radio = FindRadio(peer);
    NS_ABORT_MSG_UNLESS(radio,
                        "D2dTransport::GetAnalogPort: no radio of node "
                            << m_deviceId << " is on a channel with node " << peer);
    const Ptr<D2dChannel> channel = radio->GetD2dChannel();
    return {D2dAnalogAir::Of(channel), radio->GetPhy(), channel->FindDeviceOfNode(peer)->GetPhy()};
}

Ptr<D2dNetDevice>
D2dTransport::ChooseRadio(const Destination& to) const
{
    const bool isToAny = to.group ? to.group->empty() : to.receiver == BROADCAST;
    if (isToAny)
    {
        return m_devices.front();
    }
    const uint32_t receiver = to.group ? to.group->front() : to.receiver;
    Ptr<D2dNetDevice> radio = FindRadio(receiver);
    NS_ABORT_MSG_UNLESS(radio,
                        "D2dTransport: no radio of node "
                            << m_deviceId << " is on a channel with node " << receiver);
    return radio;
}

void
D2dTransport::DoSend(Destination to,
                     Ptr<Packet> packet,
                     std::shared_ptr<const Message> message,
                     SendOptions options)
{
    Ptr<D2dNetDevice> radio = ChooseRadio(to);
    Mac48Address destination = Mac48Address::GetBroadcast();
    if (to.group)
    {
        destination = D2dMac::GetGroupAddress();
    }
    else if (to.receiver != BROADCAST)
    {
        destination = radio->GetD2dChannel()->FindDeviceOfNode(to.receiver)->GetMac()->GetAddress();
    }
    D2dBurst burst(packet, destination, PROTOCOL);
    burst.group = std::move(to.group);
    burst.priority = options.priority;
    burst.deadline = options.deadline;
    burst.maxAttempts = options.maxAttempts;
    const bool reliable =
        options.policy == LossPolicy::RELIABLE || options.policy == LossPolicy::PARTIAL_RELIABLE;
    burst.reliability = reliable ? D2dReliability::ARQ : D2dReliability::BEST_EFFORT;
    if (message->unitsSent > 0)
    {
        const auto& payload = static_cast<const DivisiblePayload&>(*message->payload);
        burst.division.units = message->unitsSent;
        burst.division.unitBytes = payload.GetUnitSize();
        burst.division.headerBytes =
            MessageHeader::SIZE + static_cast<uint32_t>(payload.GetHeadSize());
    }
    burst.attachment = message;
    const uint32_t sequence = message->sequence;
    D2dNetDevice* device = PeekPointer(radio); // it calls, and so outlives this
    const auto over = [this, device, message, delivered = std::move(options.delivered)](
                          const D2dBurstReport& report) {
        HandleBurstEnd(report, *device, *message, delivered);
    };
    const uint32_t id = radio->GetMac()->SendBurst(std::move(burst), over);
    if (id != 0)
    {
        m_underway[sequence] = {radio, id};
    }
}

bool
D2dTransport::DoCancel(uint32_t sequence)
{
    const auto found = m_underway.find(sequence);
    return found != m_underway.end() &&
           found->second.device->GetMac()->CancelBurst(found->second.burst);
}

void
D2dTransport::DoEndRun()
{
    for (const auto& device : m_devices)
    {
        device->GetMac()->EndRun();
    }
}

uint64_t
D2dTransport::GetBytesUnderWay() const
{
    uint64_t bytes = 0;
    for (const auto& [sequence, underway] : m_underway)
    {
        bytes += underway.device->GetMac()->GetBytesSent(underway.burst);
    }
    return bytes;
}

void
D2dTransport::HandleBurst(const D2dBurst& burst, const std::vector<uint32_t>& units)
{
    const auto message = std::static_pointer_cast<const Message>(burst.attachment);
    Receive(burst.packet,
            burst.sourceNode,
            message ? &message->payload : nullptr,
            burst.division.units > 0 ? &units : nullptr);
}

void
D2dTransport::HandleBurstEnd(const D2dBurstReport& report,
                             const D2dNetDevice& device,
                             const Message& message,
                             const DeliveryCallback& delivered)
{
    m_underway.erase(message.sequence);
    NotifySent(report.bytesSent);
    if (TracesOutcomes())
    {
        TraceOutcomes(report, message);
    }
    const bool goesOn = report.stopped != D2dLossReason::RUN_ENDED;
    if (delivered && goesOn && device.GetPhy()->IsOn()) // a device that is off learns nothing
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
    const bool isToAll = report.burst->destination.IsGroup() && !report.burst->group;
    if (report.outcomes.size() == 1 && !isToAll)
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
        outcome.bytesSent = report.bytesSent;
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

} // namespace ns3::collab
