/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-transport.h"

#include "collab-analog-port.h"
#include "collab-message-header.h"

#include "ns3/abort.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabTransport");
NS_OBJECT_ENSURE_REGISTERED(Transport);

TypeId
Transport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::Transport")
            .SetParent<Object>()
            .SetGroupName("Collab")
            .AddAttribute("PayloadMode",
                          "Whether payloads are handed over by pointer (Reference) or really "
                          "serialized and parsed (Bytes).",
                          compat::EnumAttribute(PayloadMode::REFERENCE),
                          compat::EnumAccessor(&Transport::m_mode),
                          compat::EnumChecker(
                              PayloadMode::REFERENCE, "Reference", PayloadMode::BYTES, "Bytes"))
            .AddTraceSource("Tx",
                            "A message was sent by its protocol.",
                            MakeTraceSourceAccessor(&Transport::m_txTrace),
                            "ns3::collab::Transport::MessageTracedCallback")
            .AddTraceSource("Rx",
                            "A message was received and handed to its protocol.",
                            MakeTraceSourceAccessor(&Transport::m_rxTrace),
                            "ns3::collab::Transport::MessageTracedCallback")
            .AddTraceSource("Reject",
                            "A message was received and dropped because it is malformed or forged.",
                            MakeTraceSourceAccessor(&Transport::m_rejectTrace),
                            "ns3::collab::Transport::RejectTracedCallback")
            .AddTraceSource("Outcome",
                            "What became of a message of this device, one call a receiver.",
                            MakeTraceSourceAccessor(&Transport::m_outcomeTrace),
                            "ns3::collab::Transport::OutcomeTracedCallback");
    return tid;
}

void
Transport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_kinds.clear();
    Object::DoDispose();
}

void
Transport::RegisterKind(
    uint16_t kind, std::string name, PayloadParser parser, Receiver receiver, PartParser partParser)
{
    NS_LOG_FUNCTION(this << kind << name);
    const auto registered = m_kinds.emplace(
        kind, Kind{std::move(name), std::move(parser), std::move(receiver), std::move(partParser)});
    NS_ABORT_MSG_UNLESS(registered.second,
                        "Transport::RegisterKind: kind " << kind << " is registered already as "
                                                         << registered.first->second.name);
}

uint32_t
Transport::Send(uint32_t receiver, MessageContent content, SendOptions options)
{
    NS_ABORT_MSG_IF(receiver == m_deviceId || receiver == BROADCAST,
                    "Transport::Send: receiver " << receiver
                                                 << " is not another device than the sender");
    return SendTo({receiver, nullptr}, std::move(content), std::move(options));
}

uint32_t
Transport::Broadcast(MessageContent content, SendOptions options)
{
    return SendTo({BROADCAST, nullptr}, std::move(content), std::move(options));
}

uint32_t
Transport::Multicast(DeviceGroup receivers, MessageContent content, SendOptions options)
{
    NS_ABORT_MSG_UNLESS(receivers, "Transport::Multicast: no list of receivers");
    const auto isNoSuccessor = [](uint32_t a, uint32_t b) { return a >= b; };
    const auto begin = receivers->begin();
    const auto end = receivers->end();
    NS_ABORT_MSG_UNLESS(std::adjacent_find(begin, end, isNoSuccessor) == end,
                        "Transport::Multicast: receivers are not ascending");
    NS_ABORT_MSG_IF(std::binary_search(begin, end, m_deviceId) ||
                        (begin != end && receivers->back() == BROADCAST),
                    "Transport::Multicast: a receiver is not another device than the sender");
    return SendTo({BROADCAST, std::move(receivers)}, std::move(content), std::move(options));
}

uint32_t
Transport::SendTo(Destination to, MessageContent content, SendOptions options)
{
    NS_LOG_FUNCTION(this << to.receiver << content.kind << content.round);
    NS_ABORT_MSG_UNLESS(m_kinds.count(content.kind),
                        "Transport: kind " << content.kind
                                           << " is not registered; call RegisterKind()");
    auto message = std::make_shared<Message>();
    if (options.policy == LossPolicy::PARTIAL || options.policy == LossPolicy::PARTIAL_RELIABLE)
    {
        const auto divisible = std::dynamic_pointer_cast<const DivisiblePayload>(content.payload);
        NS_ABORT_MSG_UNLESS(divisible && divisible->GetUnitCount() > 0,
                            "Transport: kind " << content.kind
                                               << " is sent with a divisible policy, but its "
                                                  "payload is no DivisiblePayload with units");
        NS_ABORT_MSG_UNLESS(divisible->GetHeadSize() < divisible->GetUnitCount(),
                            "Transport: kind " << content.kind << " has "
                                               << divisible->GetHeadSize() << " bytes before its "
                                               << divisible->GetUnitCount()
                                               << " units; fewer bytes than units are allowed");
        message->unitsSent = divisible->GetUnitCount();
    }
    message->kind = content.kind;
    message->round = content.round;
    message->sender = m_deviceId;
    message->sequence = m_nextSequence++;
    message->payload = std::move(content.payload);
    Ptr<Packet> packet = MakePacket(*message);
    NS_LOG_INFO("device " << m_deviceId << " sends number " << message->sequence << ", kind "
                          << content.kind << ", round " << content.round << ", "
                          << packet->GetSize() << " bytes");
    m_txTrace(*message, packet->GetSize());
    const uint32_t sequence = message->sequence;
    DoSend(std::move(to), packet, std::move(message), std::move(options));
    return sequence;
}

bool
Transport::Cancel(uint32_t sequence)
{
    NS_LOG_FUNCTION(this << sequence);
    return DoCancel(sequence);
}

std::optional<LinkQuality>
Transport::GetLinkQuality(uint32_t) const
{
    return std::nullopt;
}

Time
Transport::GetContendedAirtime(uint64_t bytes, uint32_t) const
{
    return GetAirtime(bytes);
}

Time
Transport::GetBroadcastTime(uint64_t bytes, uint32_t senders) const
{
    const Time contended = GetContendedAirtime(bytes, senders);
    return HearsWhileSending()
               ? contended
               : std::max(contended, GetAirtime(bytes) * static_cast<int64_t>(senders));
}

uint32_t
Transport::CountUnitParts(uint32_t) const
{
    return 1;
}

AnalogPort
Transport::GetAnalogPort(uint32_t) const
{
    throw UserError(GetInstanceTypeId().GetName() +
                    " has no analog aggregation, which needs the radios of a D2dTransport");
}

Ptr<Packet>
Transport::MakePacket(const Message& message) const
{
    MessageHeader header;
    header.kind = message.kind;
    header.round = message.round;
    header.sender = message.sender;
    header.sequence = message.sequence;
    header.units = message.unitsSent;
    const uint64_t payloadBytes = message.payload ? message.payload->WireSize() : 0;
    constexpr uint64_t LARGEST = std::numeric_limits<int32_t>::max() - MessageHeader::SIZE;
    NS_ABORT_MSG_IF(payloadBytes > LARGEST,
                    "Transport: payload of " << payloadBytes << " bytes, at most " << LARGEST
                                             << " can be sent in one message");
    header.payloadBytes = static_cast<uint32_t>(payloadBytes);
    Ptr<Packet> packet;
    if (m_mode == PayloadMode::BYTES && message.payload)
    {
        std::vector<uint8_t> bytes;
        bytes.reserve(header.payloadBytes);
        message.payload->Serialize(bytes);
        NS_ABORT_MSG_UNLESS(bytes.size() == header.payloadBytes,
                            "Transport: payload serialized to " << bytes.size()
                                                                << " bytes, but its WireSize() is "
                                                                << header.payloadBytes);
        packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    }
    else
    {
        packet = Create<Packet>(header.payloadBytes);
    }
    packet->AddHeader(header);
    return packet;
}

void
Transport::Receive(Ptr<const Packet> packet,
                   uint32_t sender,
                   const std::shared_ptr<const Payload>* handedOver,
                   const std::vector<uint32_t>* units)
{
    NS_LOG_FUNCTION(this << packet << sender);
    if (packet->GetSize() < MessageHeader::SIZE)
    {
        Reject("shorter than a message header");
        return;
    }
    Ptr<Packet> payload = packet->Copy();
    MessageHeader header;
    payload->RemoveHeader(header);
    const auto kind = m_kinds.find(header.kind);
    if (header.version != MessageHeader::VERSION || kind == m_kinds.end() ||
        header.payloadBytes != payload->GetSize())
    {
        Reject("version, kind or length is not valid");
        return;
    }
    if (header.sender != sender)
    {
        Reject("claims another sender");
        return;
    }
    if (!HasPossibleUnits(header, units))
    {
        Reject("units are not those of its header");
        return;
    }
    Message message;
    message.kind = header.kind;
    message.round = header.round;
    message.sender = header.sender;
    message.sequence = header.sequence;
    if (units)
    {
        message.units = *units;
        message.unitsSent = header.units;
    }
    try
    {
        message.payload = MakePayload(kind->second, payload, message, handedOver);
    }
    catch (const PayloadError& error)
    {
        Reject(error.what());
        return;
    }
    NS_LOG_INFO("device " << m_deviceId << " receives number " << message.sequence << " of device "
                          << sender << ", kind " << message.kind << ", round " << message.round);
    m_rxTrace(message, packet->GetSize());
    kind->second.receiver(message);
}

bool
Transport::HasPossibleUnits(const MessageHeader& header, const std::vector<uint32_t>* units)
{
    if (!units || header.units == 0)
    {
        return !units && header.units == 0;
    }
    return header.payloadBytes >= header.units && (units->empty() || units->back() < header.units);
}

std::shared_ptr<const Payload>
Transport::MakePayload(const Kind& kind,
                       Ptr<const Packet> packet,
                       const Message& message,
                       const std::shared_ptr<const Payload>* handedOver) const
{
    if (m_mode == PayloadMode::REFERENCE && handedOver)
    {
        if (message.units.size() == message.unitsSent || !*handedOver)
        {
            return *handedOver;
        }
        return static_cast<const DivisiblePayload&>(**handedOver).Select(message.units);
    }
    if (!kind.parser)
    {
        return nullptr;
    }
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    if (message.units.size() < message.unitsSent)
    {
        // What of the packet did not arrive is cut out
        const UnitLayout layout(bytes.size(), message.unitsSent);
        const auto head = bytes.begin() + static_cast<std::ptrdiff_t>(layout.headBytes);
        std::vector<uint8_t> arrived(bytes.begin(), head);
        arrived.reserve(layout.headBytes + message.units.size() * layout.unitBytes);
        for (const uint32_t unit : message.units)
        {
            const auto begin = head + static_cast<std::ptrdiff_t>(unit * layout.unitBytes);
            arrived.insert(
                arrived.end(), begin, begin + static_cast<std::ptrdiff_t>(layout.unitBytes));
        }
        bytes.swap(arrived);
        if (kind.part)
        {
            return kind.part(bytes.data(), bytes.size(), message.units, message.unitsSent);
        }
    }
    return kind.parser(bytes.data(), bytes.size());
}

void
Transport::NotifyOutcome(MessageOutcome outcome)
{
    const auto kind = m_kinds.find(outcome.kind);
    if (kind != m_kinds.end())
    {
        outcome.kindName = kind->second.name;
    }
    NS_LOG_LOGIC("number " << outcome.sequence << " of device " << outcome.sender << " to device "
                           << outcome.receiver
                           << (outcome.delivered ? " was delivered" : " was lost: ")
                           << outcome.reason);
    m_outcomeTrace(outcome);
}

void
Transport::Reject(const std::string& reason)
{
    NS_LOG_FUNCTION(this << reason);
    NS_LOG_WARN("device " << m_deviceId << " rejects a message: " << reason);
    m_rejectTrace(m_deviceId, reason);
}

uint64_t
Transport::GetBytesSent() const
{
    return m_bytesSent + GetBytesUnderWay();
}

void
Transport::EndRun()
{
    NS_LOG_FUNCTION(this);
    DoEndRun();
}

} // namespace ns3::collab
