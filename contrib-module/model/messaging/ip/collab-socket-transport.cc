/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-socket-transport.h"

#include "ns3/abort.h"
#include "ns3/channel.h"
#include "ns3/collab-message-header.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/node-list.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabSocketTransport");
NS_OBJECT_ENSURE_REGISTERED(SocketTransport);

TypeId
SocketTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::SocketTransport")
            .SetParent<Transport>()
            .SetGroupName("Collab")
            .AddAttribute("Port",
                          "Port that all devices use.",
                          UintegerValue(4950),
                          MakeUintegerAccessor(&SocketTransport::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("NeighborTimeout",
                          "A peer is a neighbor if it was heard within this time; 0 for all peers "
                          "of the address book.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&SocketTransport::m_neighborTimeout),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("PacketLifetime",
                          "Longest time that a packet can stay in the network.",
                          TimeValue(Seconds(2)),
                          MakeTimeAccessor(&SocketTransport::m_packetLifetime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MaxMessageSize",
                          "Largest message, header and payload, that is sent or accepted [byte].",
                          UintegerValue(1U << 28),
                          MakeUintegerAccessor(&SocketTransport::m_maxMessageSize),
                          MakeUintegerChecker<uint32_t>(MessageHeader::SIZE, INT32_MAX));
    return tid;
}

SocketTransport::SocketTransport()
    : m_ledger(std::make_unique<MessageLedger>(
          [this](const MessageOutcome& outcome) { NotifyOutcome(outcome); }))
{
}

SocketTransport::~SocketTransport() = default;

void
SocketTransport::Setup(Ptr<Node> node, std::shared_ptr<const AddressBook> book)
{
    NS_LOG_FUNCTION(this << node);
    NS_ABORT_MSG_UNLESS(book->FindAddress(node->GetId()),
                        "SocketTransport::Setup: node " << node->GetId()
                                                        << " is not in the address book");
    m_node = node;
    m_deviceId = node->GetId();
    m_book = std::move(book);
}

void
SocketTransport::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    EnsureOpen();
    Transport::DoInitialize();
}

void
SocketTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_open)
    {
        CloseSockets();
        m_open = false;
    }
    for (auto& [sequence, sending] : m_sendings)
    {
        sending->deadlineEvent.Cancel();
    }
    m_sendings.clear();
    m_ledger.reset();
    m_book.reset();
    m_node = nullptr;
    Transport::DoDispose();
}

void
SocketTransport::EnsureOpen()
{
    NS_ABORT_MSG_UNLESS(m_node, "SocketTransport: call Setup() before it is used");
    if (!m_open)
    {
        m_open = true;
        OpenSockets();
    }
}

std::vector<uint32_t>
SocketTransport::GetPeers() const
{
    std::vector<uint32_t> peers;
    for (const auto& [device, address] : m_book->GetAddresses())
    {
        if (device != m_deviceId)
        {
            peers.push_back(device);
        }
    }
    return peers;
}

std::vector<uint32_t>
SocketTransport::GetNeighbors() const
{
    if (m_neighborTimeout.IsZero())
    {
        return GetPeers();
    }
    std::vector<uint32_t> neighbors;
    for (const auto& [device, heard] : m_heard)
    {
        if (Simulator::Now() - heard <= m_neighborTimeout)
        {
            neighbors.push_back(device);
        }
    }
    return neighbors;
}

std::vector<uint32_t>
SocketTransport::FindReceivers(const Destination& to) const
{
    if (!to.group && to.receiver == BROADCAST)
    {
        return GetPeers();
    }
    const std::vector<uint32_t> receivers = to.group ? *to.group : std::vector{to.receiver};
    for (const uint32_t receiver : receivers)
    {
        NS_ABORT_MSG_UNLESS(m_book->FindAddress(receiver),
                            "SocketTransport: device " << receiver
                                                       << " is not in the address book");
    }
    return receivers;
}

void
SocketTransport::DoSend(Destination to,
                        Ptr<Packet> packet,
                        std::shared_ptr<const Message> message,
                        SendOptions options)
{
    NS_LOG_FUNCTION(this << to.receiver << packet);
    EnsureOpen();
    NS_ABORT_MSG_IF(packet->GetSize() > m_maxMessageSize,
                    "SocketTransport: a message of "
                        << packet->GetSize() << " bytes; MaxMessageSize is " << m_maxMessageSize);
    auto sending = std::make_shared<Sending>();
    sending->packet = packet;
    sending->message = message;
    sending->options = std::move(options);
    sending->isBroadcast = !to.group && to.receiver == BROADCAST;
    sending->receivers = FindReceivers(to);
    sending->unfinished = static_cast<uint32_t>(sending->receivers.size());
    sending->report.sequence = message->sequence;
    if (sending->receivers.empty())
    {
        Report(*sending);
        return;
    }
    m_ledger->Open(message, packet->GetSize(), CountParts(*sending), sending->receivers);
    m_sendings[message->sequence] = sending;
    if (sending->options.deadline <= Simulator::Now())
    {
        sending->stopped = "deadline";
        CancelUnstarted(sending);
        return;
    }
    if (sending->options.deadline != Time::Max())
    {
        sending->deadlineEvent = Simulator::Schedule(
            sending->options.deadline - Simulator::Now(),
            [this, sequence = message->sequence]() { Stop(sequence, "deadline"); });
    }
    if (m_node->IsInitialized())
    {
        Start(message->sequence);
        return;
    }
    // The IP stack starts with the simulation.
    Simulator::ScheduleWithContext(
        m_deviceId, Time(), &SocketTransport::Start, Ptr<SocketTransport>(this), message->sequence);
}

void
SocketTransport::Start(uint32_t sequence)
{
    const auto found = m_sendings.find(sequence);
    if (found != m_sendings.end())
    {
        const std::shared_ptr<Sending> sending = found->second;
        sending->started = true;
        StartSending(sending);
    }
}

void
SocketTransport::CancelUnstarted(const std::shared_ptr<Sending>& sending)
{
    sending->report.cancelled = true;
    for (const uint32_t receiver : sending->receivers)
    {
        FinishSending(sending, receiver, false, sending->stopped);
    }
}

bool
SocketTransport::DoCancel(uint32_t sequence)
{
    return Stop(sequence, "cancelled");
}

void
SocketTransport::DoEndRun()
{
    m_ledger->EndRun();
}

bool
SocketTransport::Stop(uint32_t sequence, const std::string& reason)
{
    NS_LOG_FUNCTION(this << sequence << reason);
    const auto found = m_sendings.find(sequence);
    if (found == m_sendings.end())
    {
        return false;
    }
    const std::shared_ptr<Sending> sending = found->second;
    sending->stopped = reason;
    if (!sending->started)
    {
        CancelUnstarted(sending);
        return true;
    }
    sending->report.cancelled = true;
    const bool cancelled = CancelSending(sending);
    sending->report.cancelled = cancelled;
    return cancelled;
}

std::shared_ptr<SocketTransport::Sending>
SocketTransport::FindSending(uint32_t sequence) const
{
    return m_sendings.at(sequence);
}

void
SocketTransport::FinishSending(const std::shared_ptr<Sending>& sending,
                               uint32_t receiver,
                               bool acknowledged,
                               const std::string& reason)
{
    NS_LOG_FUNCTION(this << sending->message->sequence << receiver << acknowledged << reason);
    const LossPolicy policy = sending->options.policy;
    if (acknowledged && (policy == LossPolicy::RELIABLE || policy == LossPolicy::PARTIAL_RELIABLE))
    {
        sending->report.acknowledged.push_back(receiver);
    }
    m_ledger->NotifySenderDone(sending->message->sequence, receiver, reason, m_packetLifetime);
    if (--sending->unfinished == 0)
    {
        Report(*sending);
        m_sendings.erase(sending->message->sequence);
    }
}

void
SocketTransport::Report(Sending& sending)
{
    sending.deadlineEvent.Cancel();
    if (!sending.options.delivered)
    {
        return;
    }
    DeliveryReport& report = sending.report;
    report.finished = Simulator::Now();
    std::sort(report.acknowledged.begin(), report.acknowledged.end());
    // Not from within Send(), whose caller does not know the message's number yet
    Simulator::ScheduleNow(
        [delivered = sending.options.delivered, report]() { delivered(report); });
}

void
SocketTransport::HandUp(Ptr<const Packet> packet,
                        uint32_t sender,
                        uint32_t sequence,
                        uint32_t unitsSent,
                        const std::vector<uint32_t>& units)
{
    const std::shared_ptr<const Payload>* payload = nullptr;
    std::shared_ptr<const Message> message;
    if (GetPayloadMode() == PayloadMode::REFERENCE)
    {
        const MessageLedger* ledger = FindLedger(sender);
        message = ledger ? ledger->Find(sequence) : nullptr;
        if (!message || message->unitsSent != unitsSent)
        {
            Reject("is not a message that its sender sent");
            return;
        }
        payload = &message->payload;
    }
    Receive(packet, sender, payload, unitsSent > 0 ? &units : nullptr);
}

MessageLedger*
SocketTransport::FindLedger(uint32_t sender)
{
    if (sender >= NodeList::GetNNodes())
    {
        return nullptr;
    }
    Ptr<SocketTransport> transport = NodeList::GetNode(sender)->GetObject<SocketTransport>();
    return transport ? transport->m_ledger.get() : nullptr;
}

void
SocketTransport::NotifyAttempt(uint32_t sequence, uint64_t bytes)
{
    NotifySent(m_ledger->NotifyAttempt(sequence, bytes));
}

void
SocketTransport::NotifyHeard(uint32_t device)
{
    m_heard[device] = Simulator::Now();
}

std::optional<uint32_t>
SocketTransport::IdentifySender(const Address& address)
{
    const std::optional<uint32_t> device = m_book->FindDevice(IpLink::GetHost(address));
    if (!device)
    {
        Reject("comes from the address of no device");
    }
    return device;
}

Address
SocketTransport::GetAddress() const
{
    return GetAddress(m_deviceId);
}

Address
SocketTransport::GetAddress(uint32_t device) const
{
    return m_book->FindAddress(device).value();
}

Address
SocketTransport::Approach(uint32_t device)
{
    if (m_approached.insert(device).second)
    {
        TellLinkAddress(device);
    }
    return IpLink::MakeSocketAddress(GetAddress(device), m_port);
}

void
SocketTransport::TellLinkAddress(uint32_t device) const
{
    Ptr<NetDevice> own = m_book->FindNetDevice(m_deviceId);
    Ptr<NetDevice> peer = m_book->FindNetDevice(device);
    if (!own || !peer || !own->GetChannel() || own->GetChannel() != peer->GetChannel())
    {
        return;
    }
    GetLink().SetLinkAddress(GetAddress(device), peer->GetAddress());
}

IpLink
SocketTransport::GetLink() const
{
    return {m_node, GetAddress()};
}

} // namespace ns3::collab
