/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-tcp-connection.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabTcpConnection");

TcpConnection::TcpConnection(Ptr<Socket> socket, const Address& peer, Callbacks callbacks)
    : m_socket(socket),
      m_callbacks(std::move(callbacks))
{
    NS_LOG_FUNCTION(this << peer);
    UintegerValue size;
    m_socket->GetAttribute("SndBufSize", size);
    m_bufferBytes = static_cast<uint32_t>(size.Get());
    m_socket->SetConnectCallback(MakeCallback(&TcpConnection::HandleConnected, this),
                                 MakeCallback(&TcpConnection::HandleBroken, this));
    m_socket->SetCloseCallbacks(MakeCallback(&TcpConnection::HandleClosed, this),
                                MakeCallback(&TcpConnection::HandleBroken, this));
    m_socket->SetSendCallback(MakeCallback(&TcpConnection::HandleRoom, this));
    if (m_socket->Connect(peer) != 0)
    {
        HandleBroken(m_socket); // no route
    }
}

TcpConnection::~TcpConnection()
{
    m_brokenEvent.Cancel();
    m_socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                 MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
}

void
TcpConnection::Enqueue(uint32_t sequence, uint8_t priority, Ptr<const Packet> message)
{
    NS_LOG_FUNCTION(this << sequence << +priority << message->GetSize());
    m_queue.emplace(Key(255 - priority, sequence), message);
    Write();
}

bool
TcpConnection::Cancel(uint32_t sequence)
{
    const auto found = std::find_if(m_queue.begin(), m_queue.end(), [sequence](const auto& entry) {
        return entry.first.second == sequence;
    });
    if (found == m_queue.end())
    {
        return false;
    }
    m_queue.erase(found);
    return true;
}

std::vector<uint32_t>
TcpConnection::GetUnacknowledged() const
{
    std::vector<uint32_t> sequences;
    for (const Written& written : m_written)
    {
        sequences.push_back(written.sequence);
    }
    for (const auto& [key, message] : m_queue)
    {
        sequences.push_back(key.second);
    }
    std::sort(sequences.begin(), sequences.end());
    return sequences;
}

void
TcpConnection::HandleConnected(Ptr<Socket>)
{
    NS_LOG_FUNCTION(this);
    m_connected = true;
    Write();
}

void
TcpConnection::HandleBroken(Ptr<Socket>)
{
    NS_LOG_FUNCTION(this);
    m_connected = false;
    if (m_brokenEvent.IsExpired())
    {
        // Not from within the socket and this object, which are deleted then
        m_brokenEvent = Simulator::ScheduleNow([broken = m_callbacks.broken]() { broken(); });
    }
}

void
TcpConnection::HandleClosed(Ptr<Socket> socket)
{
    socket->Close();
    HandleBroken(socket);
}

void
TcpConnection::HandleRoom(Ptr<Socket>, uint32_t available)
{
    // What is not in the socket's buffer any longer was acknowledged.
    const uint64_t acknowledged = m_writtenBytes - (m_bufferBytes - available);
    while (!m_written.empty() && m_written.front().end <= acknowledged)
    {
        const uint32_t sequence = m_written.front().sequence;
        m_written.pop_front();
        m_callbacks.acknowledged(sequence);
    }
    Write();
}

void
TcpConnection::Write()
{
    while (m_connected)
    {
        if (!m_present)
        {
            if (m_queue.empty() || m_socket->GetTxAvailable() == 0)
            {
                return;
            }
            const auto first = m_queue.begin();
            const uint32_t sequence = first->first.second;
            m_present = first->second;
            m_presentBytes = 0;
            m_queue.erase(first);
            m_written.push_back({sequence, m_writtenBytes + m_present->GetSize()});
            m_callbacks.begun(sequence);
        }
        if (!WritePresent())
        {
            return;
        }
        m_present = nullptr;
    }
}

bool
TcpConnection::WritePresent()
{
    while (m_presentBytes < m_present->GetSize())
    {
        const uint32_t room =
            std::min(m_socket->GetTxAvailable(), m_present->GetSize() - m_presentBytes);
        if (room == 0)
        {
            return false;
        }
        std::vector<uint8_t> bytes(room); // real ones in both payload modes, as in datagrams
        m_present->CreateFragment(m_presentBytes, room)->CopyData(bytes.data(), room);
        // Counted before, since sending may tell of room at once
        m_presentBytes += room;
        m_writtenBytes += room;
        const int sent = m_socket->Send(Create<Packet>(bytes.data(), room));
        if (sent != static_cast<int>(room))
        {
            HandleBroken(m_socket);
            return false;
        }
    }
    return true;
}

} // namespace ns3::collab
