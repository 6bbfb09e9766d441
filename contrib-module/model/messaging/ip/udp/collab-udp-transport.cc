/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-udp-transport.h"

#include "ns3/abort.h"
#include "ns3/collab-message-header.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabUdpTransport");
NS_OBJECT_ENSURE_REGISTERED(UdpTransport);

namespace
{

/// Bytes of the headers of UDP and IPv4, for pacing
constexpr uint32_t UDP_IP_HEADERS = 28;

} // namespace

TypeId
UdpTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::UdpTransport")
            .SetParent<SocketTransport>()
            .SetGroupName("Collab")
            .AddConstructor<UdpTransport>()
            .AddAttribute("DatagramSize",
                          "Largest part of a message in one datagram, without the headers of "
                          "datagram, UDP and IP [byte].",
                          UintegerValue(1400),
                          MakeUintegerAccessor(&UdpTransport::m_datagramSize),
                          MakeUintegerChecker<uint32_t>(DatagramLayout::MIN_DATAGRAM_BYTES, 65000))
            .AddAttribute("ReassemblyTimeout",
                          "How long a receiver waits for the next part of a message without "
                          "acknowledgments; with PacingRate longer by the time that a part takes.",
                          TimeValue(MilliSeconds(500)),
                          MakeTimeAccessor(&UdpTransport::m_reassemblyTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RetransmissionTimeout",
                          "Wait for the acknowledgment of a first transmission while the "
                          "round-trip time is not known.",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&UdpTransport::m_initialTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MinRetransmissionTimeout",
                          "Least wait for an acknowledgment when the round-trip time is known.",
                          TimeValue(MilliSeconds(50)),
                          MakeTimeAccessor(&UdpTransport::m_minTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MaxRetransmissionTimeout",
                          "Longest wait for an acknowledgment, however often it is doubled; the "
                          "same at all devices.",
                          TimeValue(Seconds(2)),
                          MakeTimeAccessor(&UdpTransport::m_maxTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MaxAttempts",
                          "Transmissions of a datagram with ARQ, unless a message says otherwise.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&UdpTransport::m_maxAttempts),
                          MakeUintegerChecker<uint32_t>(1, UINT16_MAX))
            .AddAttribute("Window",
                          "Largest number of datagrams with ARQ to one peer that may be "
                          "unacknowledged at a time.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&UdpTransport::m_window),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("PacingRate",
                          "Rate of all datagrams with parts of messages, headers of UDP and IP "
                          "included; 0bps for no limit; the same at all devices.",
                          DataRateValue(DataRate("0bps")),
                          MakeDataRateAccessor(&UdpTransport::m_pacingRate),
                          MakeDataRateChecker());
    return tid;
}

Time
UdpTransport::GetAirtime(uint64_t bytes, std::optional<uint32_t>) const
{
    const DatagramLayout layout(bytes, 0, m_datagramSize);
    if (m_pacingRate.GetBitRate() == 0 || !layout.IsValid())
    {
        return Time();
    }
    const uint64_t headers = uint64_t{layout.GetCount()} * (DatagramHeader::SIZE + UDP_IP_HEADERS);
    return m_pacingRate.CalculateBytesTxTime(static_cast<uint32_t>(bytes + headers));
}

void
UdpTransport::OpenSockets()
{
    NS_LOG_FUNCTION(this);
    DatagramReceiver::Settings settings;
    settings.keepsBytes = GetPayloadMode() == PayloadMode::BYTES;
    settings.maxMessageSize = GetMaxMessageSize();
    settings.lifetime = GetPacketLifetime();
    settings.partTimeout = m_reassemblyTimeout;
    if (m_pacingRate.GetBitRate() > 0)
    {
        settings.partTimeout += m_pacingRate.CalculateBytesTxTime(
            m_datagramSize + DatagramHeader::SIZE + UDP_IP_HEADERS);
    }
    settings.retransmissionTimeout = m_maxTimeout;
    DatagramReceiver::Callbacks callbacks;
    callbacks.acknowledge = [this](uint32_t device, DatagramAcknowledgment acknowledgment) {
        acknowledgment.sender = m_deviceId;
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(acknowledgment);
        m_socket->SendTo(packet, 0, Approach(device));
    };
    callbacks.arrived = [this](uint32_t sender, uint32_t sequence) {
        if (MessageLedger* ledger = FindLedger(sender))
        {
            ledger->NotifyFragment(sequence, m_deviceId);
        }
    };
    callbacks.ended = [this](uint32_t sender, uint32_t sequence, const DatagramAssembly& assembly) {
        HandleReceptionEnd(sender, sequence, assembly);
    };
    m_receiver = std::make_unique<DatagramReceiver>(settings, callbacks);

    m_socket = OpenSocket(GetAddress());
    // A socket that is bound to its device's address hears no broadcast, one that is bound to the
    // subnet's does.
    m_broadcastSocket = OpenSocket(GetLink().GetListenAddress());
}

Ptr<Socket>
UdpTransport::OpenSocket(const Address& address)
{
    Ptr<Socket> socket = GetLink().MakeSocket(UdpSocketFactory::GetTypeId());
    NS_ABORT_MSG_IF(socket->Bind(IpLink::MakeSocketAddress(address, GetPort())) != 0,
                    "UdpTransport: node " << m_deviceId << " cannot use port " << GetPort()
                                          << " of " << IpLink::Format(address));
    socket->SetAllowBroadcast(true);
    socket->SetRecvCallback(MakeCallback(&UdpTransport::HandleRead, this));
    return socket;
}

void
UdpTransport::CloseSockets()
{
    NS_LOG_FUNCTION(this);
    m_pacingEvent.Cancel();
    m_transfers.clear();
    m_order.clear();
    m_paths.clear();
    m_receiver.reset();
    for (Ptr<Socket>* socket : {&m_socket, &m_broadcastSocket})
    {
        (*socket)->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        *socket = nullptr;
    }
}

DatagramLayout
UdpTransport::MakeLayout(const Sending& sending) const
{
    return DatagramLayout(sending.packet->GetSize(), sending.message->unitsSent, m_datagramSize);
}

uint32_t
UdpTransport::CountParts(const Sending& sending) const
{
    const DatagramLayout layout = MakeLayout(sending);
    NS_ABORT_MSG_UNLESS(layout.IsValid(), "UdpTransport: the units of a message have no bytes");
    return layout.GetCount();
}

void
UdpTransport::StartSending(std::shared_ptr<Sending> sending)
{
    NS_LOG_FUNCTION(this << sending->message->sequence);
    const LossPolicy policy = sending->options.policy;
    const bool isAcknowledged =
        policy == LossPolicy::RELIABLE || policy == LossPolicy::PARTIAL_RELIABLE;
    std::vector<uint32_t> onSubnet;
    const IpLink link = GetLink();
    if (sending->isBroadcast && !isAcknowledged)
    {
        std::copy_if(sending->receivers.begin(),
                     sending->receivers.end(),
                     std::back_inserter(onSubnet),
                     [&](uint32_t device) { return link.Has(GetAddress(device)); });
    }
    if (!onSubnet.empty())
    {
        AddTransfer(sending,
                    BROADCAST,
                    IpLink::MakeSocketAddress(link.GetBroadcastAddress(), GetPort()),
                    onSubnet);
    }
    for (const uint32_t device : sending->receivers)
    {
        if (!std::binary_search(onSubnet.begin(), onSubnet.end(), device))
        {
            AddTransfer(sending, device, Approach(device), {device});
        }
    }
    SendParts();
}

void
UdpTransport::AddTransfer(const std::shared_ptr<Sending>& sending,
                          uint32_t device,
                          const Address& destination,
                          std::vector<uint32_t> receivers)
{
    const SendOptions& options = sending->options;
    uint32_t maxAttempts = 0;
    if (options.policy == LossPolicy::RELIABLE || options.policy == LossPolicy::PARTIAL_RELIABLE)
    {
        maxAttempts = options.maxAttempts == 0 ? m_maxAttempts : options.maxAttempts;
        maxAttempts = std::min<uint32_t>(maxAttempts, UINT16_MAX);
    }
    const uint32_t sequence = sending->message->sequence;
    const DatagramLayout layout = MakeLayout(*sending);
    auto parts = std::make_unique<DatagramTransfer>(layout.GetCount(), maxAttempts);
    Transfer transfer{sending, layout, destination, std::move(receivers), std::move(parts)};
    m_transfers.emplace(TransferKey(sequence, device), std::move(transfer));
    m_order.emplace(255 - options.priority, sequence, device);
}

void
UdpTransport::SendParts()
{
    const std::optional<TransferKey> begun = m_begun;
    if (begun && !SendPartsOf(*begun))
    {
        return;
    }
    for (auto it = m_order.begin(); it != m_order.end();)
    {
        const auto [priority, sequence, device] = *it++; // the last part erases the transfer
        if (!SendPartsOf({sequence, device}))
        {
            return;
        }
    }
}

bool
UdpTransport::SendPartsOf(const TransferKey& key)
{
    Transfer& transfer = m_transfers.at(key);
    bool goesOn = true;
    while (goesOn)
    {
        if (!m_pacingEvent.IsExpired())
        {
            return false;
        }
        const bool isWindowOpen =
            !transfer.parts->IsAcknowledged() || m_paths[key.second].IsOpen(m_window);
        const std::optional<uint32_t> index = transfer.parts->TakeNext(isWindowOpen);
        if (index)
        {
            SendPart(key, *index);
            m_begun = transfer.parts->IsAcknowledged() ? m_begun : key;
        }
        goesOn = index.has_value();
    }
    CheckTransfer(key);
    return true;
}

void
UdpTransport::SendPart(const TransferKey& key, uint32_t index)
{
    NS_LOG_FUNCTION(this << key.first << key.second << index);
    Transfer& transfer = m_transfers.at(key);
    Ptr<Packet> packet = Create<Packet>();
    const Packet& message = *transfer.sending->packet;
    if (index < transfer.layout.GetCount())
    {
        const DatagramLayout::Piece piece = transfer.layout.GetPiece(index);
        std::vector<uint8_t> body(transfer.layout.GetBodyBytes(index));
        message.CopyData(body.data(), piece.front);
        message.CreateFragment(static_cast<uint32_t>(piece.offset), piece.bytes)
            ->CopyData(body.data() + piece.front, piece.bytes);
        // Real bytes in both payload modes: in ns-3.37 a packet of real and of virtual ones cannot
        // be joined with another one, as IP and TCP do.
        packet = Create<Packet>(body.data(), static_cast<uint32_t>(body.size()));
        // The message's header, which all parts of a divisible one have, counts once
        NotifyAttempt(key.first, index == 0 ? body.size() : piece.bytes);
    }
    DatagramHeader header;
    header.sender = m_deviceId;
    header.sequence = key.first;
    header.index = index;
    header.count = transfer.layout.GetCount();
    header.messageBytes = message.GetSize();
    header.units = transfer.layout.GetUnits();
    header.datagramBytes = static_cast<uint16_t>(transfer.layout.GetDatagramBytes());
    header.maxAttempts = static_cast<uint16_t>(transfer.parts->GetMaxAttempts());
    header.sent = Simulator::Now();
    packet->AddHeader(header);
    if (m_pacingRate.GetBitRate() > 0)
    {
        m_pacingEvent = Simulator::Schedule(
            m_pacingRate.CalculateBytesTxTime(packet->GetSize() + UDP_IP_HEADERS),
            &UdpTransport::SendParts,
            this);
    }
    if (transfer.parts->IsAcknowledged())
    {
        const uint32_t attempts = transfer.parts->GetAttempts(index);
        DatagramPath& path = m_paths[key.second];
        path.CountSent(attempts == 1 ? 1 : 0);
        const Time timeout =
            path.GetTimeout(attempts, m_initialTimeout, m_minTimeout, m_maxTimeout);
        transfer.parts->SetTimer(
            index, Simulator::Schedule(timeout, &UdpTransport::HandleTimeout, this, key, index));
    }
    // A failure, such as an interface that is down, is a loss like any other.
    m_socket->SendTo(packet, 0, transfer.destination);
}

void
UdpTransport::HandleTimeout(TransferKey key, uint32_t index)
{
    NS_LOG_FUNCTION(this << key.first << key.second << index);
    Transfer& transfer = m_transfers.at(key);
    const bool isNotice = index == transfer.layout.GetCount();
    DatagramPath& path = m_paths[key.second];
    path.HalveWindow();
    if (transfer.parts->GetAttempts(index) < transfer.parts->GetMaxAttempts())
    {
        transfer.parts->Repeat(index);
    }
    else if (transfer.layout.GetUnits() == 0 && !isNotice)
    {
        FinishTransfer(key, "attempts");
    }
    else
    {
        transfer.parts->Settle(index, false);
        path.CountSettled(1);
        CheckTransfer(key);
    }
    SendParts();
}

void
UdpTransport::CheckTransfer(const TransferKey& key)
{
    const Transfer& transfer = m_transfers.at(key);
    if (!transfer.parts->IsSettled())
    {
        return;
    }
    if (transfer.parts->IsClosed())
    {
        EraseTransfer(key);
        return;
    }
    const bool isGivenUp = transfer.parts->IsAcknowledged() && !transfer.parts->IsAllAcknowledged();
    FinishTransfer(key, isGivenUp ? "attempts" : "");
}

void
UdpTransport::FinishTransfer(const TransferKey& key, const std::string& reason)
{
    Transfer& transfer = m_transfers.at(key);
    DatagramTransfer& parts = *transfer.parts;
    const std::shared_ptr<Sending> sending = transfer.sending;
    const bool acknowledged = parts.IsAllAcknowledged();
    if (sending->receivers.size() == 1 && parts.IsAcknowledged())
    {
        sending->report.acknowledgedUnits = transfer.layout.GetWholeUnits(
            [&parts](uint32_t index) { return parts.HasAcknowledged(index); });
    }
    // A receiver of units may wait for more of them.
    const bool needsNotice = parts.IsAcknowledged() && transfer.layout.GetUnits() > 0 &&
                             parts.HasBegun() && !acknowledged;
    if (parts.IsAcknowledged())
    {
        m_paths[key.second].CountSettled(parts.CountOutstanding());
    }
    parts.Close(needsNotice);
    for (const uint32_t receiver : transfer.receivers)
    {
        FinishSending(sending, receiver, acknowledged, reason);
    }
    if (!needsNotice)
    {
        EraseTransfer(key);
    }
}

void
UdpTransport::EraseTransfer(const TransferKey& key)
{
    const auto transfer = m_transfers.find(key);
    m_order.erase({255 - transfer->second.sending->options.priority, key.first, key.second});
    if (m_begun == key)
    {
        m_begun.reset();
    }
    m_transfers.erase(transfer);
}

bool
UdpTransport::CancelSending(std::shared_ptr<Sending> sending)
{
    const uint32_t sequence = sending->message->sequence;
    bool cancelled = false;
    for (auto it = m_transfers.lower_bound({sequence, 0});
         it != m_transfers.end() && it->first.first == sequence;)
    {
        const TransferKey key = it->first;
        const bool isClosed = it->second.parts->IsClosed();
        ++it;
        if (!isClosed)
        {
            cancelled = true;
            FinishTransfer(key, sending->stopped);
        }
    }
    SendParts();
    return cancelled;
}

void
UdpTransport::HandleRead(Ptr<Socket> socket)
{
    Address from;
    while (Ptr<Packet> packet = socket->RecvFrom(from))
    {
        const std::optional<uint32_t> sender = IdentifySender(from);
        if (!sender)
        {
            continue;
        }
        NotifyHeard(*sender);
        uint8_t type = 0;
        packet->CopyData(&type, 1);
        if (type == static_cast<uint8_t>(DatagramType::DATA) &&
            packet->GetSize() >= DatagramHeader::SIZE)
        {
            HandlePart(*sender, packet);
        }
        else if (type == static_cast<uint8_t>(DatagramType::ACKNOWLEDGMENT) &&
                 packet->GetSize() == DatagramAcknowledgment::SIZE)
        {
            HandleAcknowledgment(*sender, packet);
        }
        else
        {
            Reject("is no datagram of this protocol");
        }
    }
}

void
UdpTransport::HandlePart(uint32_t sender, Ptr<Packet> packet)
{
    DatagramHeader header;
    packet->RemoveHeader(header);
    NS_LOG_FUNCTION(this << sender << header);
    const std::string fault =
        header.sender == sender ? m_receiver->Handle(header, packet) : "claims another sender";
    if (!fault.empty())
    {
        Reject(fault);
    }
}

void
UdpTransport::HandleReceptionEnd(uint32_t sender,
                                 uint32_t sequence,
                                 const DatagramAssembly& assembly)
{
    const uint32_t unitsSent = assembly.GetLayout().GetUnits();
    const std::vector<uint32_t> units = assembly.GetWholeUnits();
    const bool isDelivered = unitsSent > 0 ? !units.empty() : assembly.IsComplete();
    if (isDelivered)
    {
        HandUp(assembly.MakePacket(), sender, sequence, unitsSent, units);
    }
    if (MessageLedger* ledger = FindLedger(sender))
    {
        ledger->NotifyReceiverDone(
            sequence, m_deviceId, isDelivered, static_cast<uint32_t>(units.size()));
    }
}

void
UdpTransport::HandleAcknowledgment(uint32_t sender, Ptr<Packet> packet)
{
    DatagramAcknowledgment acknowledgment;
    packet->RemoveHeader(acknowledgment);
    NS_LOG_FUNCTION(this << sender << acknowledgment);
    if (acknowledgment.sender != sender)
    {
        Reject("claims another sender");
        return;
    }
    const TransferKey key(acknowledgment.sequence, sender);
    const auto found = m_transfers.find(key);
    if (found == m_transfers.end())
    {
        return; // finished before
    }
    DatagramTransfer& parts = *found->second.parts;
    if (!parts.IsAcknowledged() || acknowledgment.echo.IsStrictlyNegative() ||
        acknowledgment.echo > Simulator::Now() ||
        acknowledgment.base > found->second.layout.GetCount())
    {
        Reject("acknowledges what was not sent");
        return;
    }
    DatagramPath& path = m_paths[sender];
    // The echo tells which transmission was answered, so that repeated ones can be measured too.
    path.Measure(Simulator::Now() - acknowledgment.echo);
    uint32_t settled = parts.Settle(acknowledgment.index, true) ? 1 : 0;
    for (uint32_t index = parts.GetBase(); index < acknowledgment.base; ++index)
    {
        settled += parts.Settle(index, true) ? 1 : 0;
    }
    for (uint32_t bit = 0; bit < DatagramAcknowledgment::BITS; ++bit)
    {
        if (acknowledgment.received >> bit & 1)
        {
            settled += parts.Settle(acknowledgment.base + bit, true) ? 1 : 0;
        }
    }
    path.CountSettled(settled);
    path.WidenWindow(settled, m_window);
    CheckTransfer(key);
    SendParts();
}

} // namespace ns3::collab
