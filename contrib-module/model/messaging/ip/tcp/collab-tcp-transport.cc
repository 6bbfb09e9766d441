/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-tcp-transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <numeric>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabTcpTransport");
NS_OBJECT_ENSURE_REGISTERED(TcpTransport);

TypeId
TcpTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::TcpTransport")
                            .SetParent<SocketTransport>()
                            .SetGroupName("Collab")
                            .AddConstructor<TcpTransport>()
                            .AddAttribute("SegmentSize",
                                          "Largest TCP segment, without headers [byte].",
                                          UintegerValue(1400),
                                          MakeUintegerAccessor(&TcpTransport::m_segmentSize),
                                          MakeUintegerChecker<uint32_t>(1, 65000));
    return tid;
}

Time
TcpTransport::GetAirtime(uint64_t, std::optional<uint32_t>) const
{
    return Time();
}

Ptr<Socket>
TcpTransport::MakeSocket() const
{
    Ptr<Socket> socket = GetLink().MakeSocket(TcpSocketFactory::GetTypeId());
    socket->SetAttribute("SegmentSize", UintegerValue(m_segmentSize));
    return socket;
}

void
TcpTransport::OpenSockets()
{
    NS_LOG_FUNCTION(this);
    m_listener = MakeSocket();
    NS_ABORT_MSG_IF(m_listener->Bind(IpLink::MakeSocketAddress(GetAddress(), GetPort())) != 0 ||
                        m_listener->Listen() != 0,
                    "TcpTransport: node " << m_deviceId << " cannot use port " << GetPort()
                                          << " of " << IpLink::Format(GetAddress()));
    m_listener->SetAcceptCallback(MakeCallback(&TcpTransport::HandleRequest, this),
                                  MakeCallback(&TcpTransport::HandleAccept, this));
}

void
TcpTransport::CloseSockets()
{
    NS_LOG_FUNCTION(this);
    m_connections.clear();
    for (auto& [peer, inlet] : m_inlets)
    {
        Silence(inlet.socket);
    }
    m_inlets.clear();
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeNullCallback<void, Ptr<Socket>, const Address&>());
    m_listener = nullptr;
}

void
TcpTransport::Silence(Ptr<Socket> socket)
{
    socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                              MakeNullCallback<void, Ptr<Socket>>());
}

TcpConnection&
TcpTransport::GetConnection(uint32_t peer)
{
    std::unique_ptr<TcpConnection>& connection = m_connections[peer];
    if (!connection)
    {
        Ptr<Socket> socket = MakeSocket();
        NS_ABORT_MSG_IF(socket->Bind(IpLink::MakeSocketAddress(GetAddress(), 0)) != 0,
                        "TcpTransport: node " << m_deviceId << " no longer has the address "
                                              << IpLink::Format(GetAddress()));
        TcpConnection::Callbacks callbacks;
        callbacks.begun = [this](uint32_t sequence) {
            NotifyAttempt(sequence, FindSending(sequence)->packet->GetSize());
        };
        callbacks.acknowledged = [this, peer](uint32_t sequence) {
            HandleAcknowledged(peer, sequence);
        };
        callbacks.broken = [this, peer]() { HandleBroken(peer); };
        connection = std::make_unique<TcpConnection>(socket, Approach(peer), callbacks);
    }
    return *connection;
}

void
TcpTransport::StartSending(std::shared_ptr<Sending> sending)
{
    NS_LOG_FUNCTION(this << sending->message->sequence);
    for (const uint32_t receiver : sending->receivers)
    {
        GetConnection(receiver).Enqueue(
            sending->message->sequence, sending->options.priority, sending->packet);
    }
}

bool
TcpTransport::CancelSending(std::shared_ptr<Sending> sending)
{
    bool cancelled = false;
    for (const uint32_t receiver : sending->receivers)
    {
        const auto connection = m_connections.find(receiver);
        if (connection != m_connections.end() &&
            connection->second->Cancel(sending->message->sequence))
        {
            cancelled = true;
            FinishSending(sending, receiver, false, sending->stopped);
        }
    }
    return cancelled;
}

void
TcpTransport::HandleAcknowledged(uint32_t peer, uint32_t sequence)
{
    NS_LOG_FUNCTION(this << peer << sequence);
    const std::shared_ptr<Sending> sending = FindSending(sequence);
    const bool isToOne = !sending->isBroadcast && sending->receivers.size() == 1;
    if (isToOne && sending->options.policy == LossPolicy::PARTIAL_RELIABLE)
    {
        sending->report.acknowledgedUnits.resize(sending->message->unitsSent);
        std::iota(
            sending->report.acknowledgedUnits.begin(), sending->report.acknowledgedUnits.end(), 0);
    }
    FinishSending(sending, peer, true, "");
}

void
TcpTransport::HandleBroken(uint32_t peer)
{
    NS_LOG_FUNCTION(this << peer);
    const auto found = m_connections.find(peer);
    const std::unique_ptr<TcpConnection> connection = std::move(found->second);
    m_connections.erase(found);
    for (const uint32_t sequence : connection->GetUnacknowledged())
    {
        FinishSending(FindSending(sequence), peer, false, "connection");
    }
}

bool
TcpTransport::HandleRequest(Ptr<Socket>, const Address& from)
{
    const std::optional<uint32_t> peer = IdentifySender(from);
    if (peer)
    {
        Approach(*peer);
    }
    return peer.has_value();
}

void
TcpTransport::HandleAccept(Ptr<Socket> socket, const Address& from)
{
    NS_LOG_FUNCTION(this << from);
    const uint32_t peer = IdentifySender(from).value();
    const auto old = m_inlets.find(peer);
    if (old != m_inlets.end())
    {
        // The peer has given that one up, or it would use it.
        Silence(old->second.socket);
        m_inlets.erase(old);
    }
    m_inlets.emplace(
        peer,
        Inlet{socket, TcpFrameReader(GetPayloadMode() == PayloadMode::BYTES, GetMaxMessageSize())});
    socket->SetRecvCallback(MakeCallback(&TcpTransport::HandleRead, this, peer));
    socket->SetCloseCallbacks(MakeCallback(&TcpTransport::HandleClose, this, peer),
                              MakeCallback(&TcpTransport::HandleClose, this, peer));
}

void
TcpTransport::HandleRead(uint32_t peer, Ptr<Socket> socket)
{
    const auto inlet = m_inlets.find(peer);
    if (inlet == m_inlets.end() || inlet->second.socket != socket)
    {
        return; // closed before
    }
    NotifyHeard(peer);
    try
    {
        Ptr<Packet> piece;
        while ((piece = socket->Recv()) && piece->GetSize() > 0)
        {
            inlet->second.reader.Read(piece, [this, peer](const TcpFrameReader::Frame& frame) {
                HandleMessage(peer, frame);
            });
        }
    }
    catch (const PayloadError& error)
    {
        Reject(error.what());
        HandleClose(peer, socket);
    }
}

void
TcpTransport::HandleClose(uint32_t peer, Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << peer);
    socket->Close();
    const auto inlet = m_inlets.find(peer);
    if (inlet != m_inlets.end() && inlet->second.socket == socket)
    {
        m_inlets.erase(inlet);
    }
}

void
TcpTransport::HandleMessage(uint32_t sender, const TcpFrameReader::Frame& frame)
{
    MessageLedger* ledger = FindLedger(sender);
    if (ledger)
    {
        ledger->NotifyFragment(frame.header.sequence, m_deviceId);
    }
    std::vector<uint32_t> units(frame.header.units);
    std::iota(units.begin(), units.end(), 0);
    HandUp(frame.packet, sender, frame.header.sequence, frame.header.units, units);
    if (ledger)
    {
        ledger->NotifyReceiverDone(frame.header.sequence, m_deviceId, true, frame.header.units);
    }
}

} // namespace ns3::collab
