/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-packet-transmission.h"

#include "d2d-mac-header.h"
#include "d2d-mac-trailer.h"

#include "ns3/node.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace collab
{

D2dPacketTransmission::D2dPacketTransmission(Ptr<D2dNetDevice> sender,
                                             std::shared_ptr<const D2dBurst> burst,
                                             std::vector<D2dLink> links)
    : D2dTransmission(sender, std::move(burst), std::move(links)),
      m_states(m_recipients.size(),
               std::vector<FragmentState>(m_fragmentation.fragments, FragmentState::MISSING))
{
}

void
D2dPacketTransmission::SendOnce()
{
    m_queue.resize(m_fragmentation.fragments);
    std::iota(m_queue.begin(), m_queue.end(), 0);
    m_repeat = false;
    m_position = 0;
    BeginAttempt();
}

void
D2dPacketTransmission::StopAndWait(std::size_t recipient, uint32_t maxAttempts)
{
    const auto& states = m_states[recipient];
    m_queue.clear();
    for (uint32_t i = 0; i < states.size(); ++i)
    {
        if (states[i] != FragmentState::ACKNOWLEDGED)
        {
            m_queue.push_back(i);
        }
    }
    m_repeat = true;
    m_position = 0;
    m_attemptsMade = 0;
    m_maxAttempts = maxAttempts;
    BeginAttempt();
}

void
D2dPacketTransmission::BeginAttempt()
{
    const uint32_t index = m_queue[m_position];
    m_fragment = MakeFragment(index);
    ++m_attemptsMade;
    m_event =
        Simulator::Schedule(m_fragmentation.airtime, &D2dPacketTransmission::EndFragment, this);
    BeginTransmitting();
    m_sender->NotifyTxBegin(m_fragment);
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (!m_recipients[i].listening)
        {
            continue;
        }
        m_recipients[i].link.receiver->NotifyRxBegin(m_fragment);
        Ptr<D2dPacketTransmission> self = this;
        Ptr<const Packet> fragment = m_fragment;
        Simulator::ScheduleWithContext(
            m_recipients[i].outcome.receiverNode,
            m_fragmentation.airtime + m_recipients[i].link.delay,
            [self, i, index, fragment]() { self->ArriveAt(i, index, fragment); });
    }
}

void
D2dPacketTransmission::EndFragment()
{
    m_sender->NotifyTxEnd(m_fragment);
    EndTransmitting();
    if (m_aborted)
    {
        return;
    }
    if (!Acknowledges())
    {
        EndAttempt();
        return;
    }
    m_event =
        Simulator::Schedule(GetAcknowledgmentWindow(), &D2dPacketTransmission::EndAttempt, this);
    m_sender->BeginListening();
}

void
D2dPacketTransmission::EndAttempt()
{
    if (Acknowledges())
    {
        m_sender->EndListening(m_sender->GetEpoch());
    }
    if (m_aborted)
    {
        return;
    }
    const bool again =
        m_repeat && m_states[m_passFirst][m_queue[m_position]] != FragmentState::ACKNOWLEDGED;
    if (again && m_attemptsMade == m_maxAttempts)
    {
        EndPass();
        return;
    }
    if (!again)
    {
        ++m_position;
        m_attemptsMade = 0;
    }
    if (m_position == m_queue.size())
    {
        EndPass();
        return;
    }
    BeginAttempt();
}

Ptr<Packet>
D2dPacketTransmission::MakeFragment(uint32_t index) const
{
    const uint32_t size = m_burst->packet->GetSize();
    const uint32_t chunk = m_fragmentation.packetBytes;
    const uint32_t offset = std::min(size, index * chunk);
    const uint32_t length = std::min(chunk, size - offset);
    Ptr<Packet> fragment = m_burst->packet->CreateFragment(offset, length);
    D2dMacTrailer trailer;
    trailer.paddingBytes = chunk - length;
    fragment->AddTrailer(trailer);
    D2dMacHeader header;
    header.source = m_burst->source;
    header.destination = m_burst->destination;
    header.protocol = m_burst->protocol;
    header.burst = m_burst->id;
    header.fragment = index;
    header.fragments = m_fragmentation.fragments;
    header.packetBytes = size;
    fragment->AddHeader(header);
    return fragment;
}

void
D2dPacketTransmission::ArriveAt(std::size_t index,
                                uint32_t fragmentIndex,
                                Ptr<const Packet> fragment)
{
    Recipient& recipient = m_recipients[index];
    if (m_aborted || !IsFollowing(recipient))
    {
        return;
    }
    if (recipient.link.receiver->GetRandom()->GetValue() < GetLoss(recipient))
    {
        recipient.link.receiver->NotifyRxDrop(fragment);
        return;
    }
    recipient.link.receiver->NotifyRxEnd(fragment);
    FragmentState& state = m_states[index][fragmentIndex];
    if (state == FragmentState::MISSING)
    {
        state = FragmentState::UNACKNOWLEDGED;
        --recipient.counts.missing;
        ++recipient.counts.unacknowledged;
    }
    if (Acknowledges())
    {
        Acknowledge(index, fragmentIndex);
    }
}

void
D2dPacketTransmission::Acknowledge(std::size_t index, uint32_t fragmentIndex)
{
    const Recipient& recipient = m_recipients[index];
    const Time airtime = m_sender->GetAcknowledgmentAirtime();
    recipient.link.receiver->TransmitAcknowledgments(airtime);
    if (m_sender->GetRandom()->GetValue() < GetAcknowledgmentLoss(recipient))
    {
        return;
    }
    Ptr<D2dPacketTransmission> self = this;
    Simulator::ScheduleWithContext(
        m_sender->GetNode()->GetId(),
        m_sender->GetAcknowledgmentTurnaround() / 2 + airtime + recipient.link.delay,
        [self, index, fragmentIndex]() { self->ReceiveAcknowledgment(index, fragmentIndex); });
}

void
D2dPacketTransmission::ReceiveAcknowledgment(std::size_t index, uint32_t fragmentIndex)
{
    FragmentState& state = m_states[index][fragmentIndex];
    if (state == FragmentState::UNACKNOWLEDGED)
    {
        state = FragmentState::ACKNOWLEDGED;
        --m_recipients[index].counts.unacknowledged;
    }
}

} // namespace collab
} // namespace ns3
