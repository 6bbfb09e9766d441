/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-packet-transmission.h"

#include "ns3/d2d-mac-header.h"
#include "ns3/d2d-mac-trailer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::collab
{

D2dPacketTransmission::D2dPacketTransmission(D2dTransmissionOrder order)
    : D2dPacketTransmission(std::move(order), true)
{
}

D2dPacketTransmission::D2dPacketTransmission(D2dTransmissionOrder order, bool showsFragments)
    : D2dTransmission(std::move(order), showsFragments),
      m_states(NeedsStates() ? m_recipients.size() * m_fragmentation.fragments : 0,
               D2dFragmentState::MISSING),
      m_toAcknowledge(Acknowledges() ? m_recipients.size() : 0)
{
}

void
D2dPacketTransmission::SendOnce()
{
    m_queue.resize(m_fragmentation.fragments);
    std::iota(m_queue.begin(), m_queue.end(), 0);
    m_decisive = m_queue.size() - 1;
    m_repeat = false;
    m_position = 0;
    m_maxAttempts = 1;
    BeginAttempt();
}

void
D2dPacketTransmission::Repeat(std::size_t recipient, uint32_t maxAttempts)
{
    m_queue.clear();
    std::optional<std::size_t> decisive;
    for (uint32_t i = 0; i < m_fragmentation.fragments; ++i)
    {
        const D2dFragmentState state = State(recipient, i);
        if (state == D2dFragmentState::MISSING)
        {
            decisive = m_queue.size();
        }
        if (state != D2dFragmentState::ACKNOWLEDGED)
        {
            m_queue.push_back(i);
        }
    }
    m_decisive = decisive.value_or(m_queue.size());
    m_repeat = true;
    m_position = 0;
    m_attemptsMade = 0;
    m_maxAttempts = maxAttempts;
    BeginAttempt();
}

void
D2dPacketTransmission::BeginAttempt()
{
    const uint32_t fragment = m_queue[m_position];
    m_frame = nullptr;
    m_event =
        Simulator::Schedule(m_fragmentation.airtime, &D2dPacketTransmission::EndFragment, this);
    BeginSignal(m_fragmentation.airtime, 0);
    BeginTransmitting();
    D2dOutside* outside = m_medium->Signals().GetOutside();
    if (outside && !m_aborted)
    {
        outside->Transmit(*m_sender, m_subchannel, m_fragmentation.airtime);
    }
    if (ShowsSent() && !m_aborted)
    {
        m_sender->NotifyTxBegin(RequireFrame(m_frame, fragment));
        m_sender->Sniff(m_frame);
    }
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (m_recipients[i].listening && ShowsReceived(*m_recipients[i].link->receiver))
        {
            m_recipients[i].link->receiver->NotifyRxBegin(RequireFrame(m_frame, fragment));
        }
    }
}

bool
D2dPacketTransmission::ShowsSent() const
{
    return ShowsFragments() && m_sender->ShowsSent();
}

bool
D2dPacketTransmission::ShowsReceived(const D2dPhy& receiver) const
{
    return ShowsFragments() && receiver.ShowsReceived();
}

void
D2dPacketTransmission::FinishPass()
{
    EndPass();
}

double
D2dPacketTransmission::GetLossAt(std::size_t index) const
{
    const D2dRecipient& recipient = m_recipients[index];
    return m_worst.empty() ? recipient.loss : GetLoss(recipient, m_worst[index - m_passFirst]);
}

double
D2dPacketTransmission::CombineAt(std::size_t index)
{
    const std::optional<D2dDisturbance> worst =
        m_worst.empty() ? D2dDisturbance() : m_worst[index - m_passFirst];
    if (!worst)
    {
        return 1.0; // it was locked to another fragment
    }
    const D2dRecipient& recipient = m_recipients[index];
    return Combine(m_queue[m_position],
                   GetQuality(recipient, *worst),
                   recipient.link->receiver->DrawUniform())
               ? 0.0
               : 1.0;
}

void
D2dPacketTransmission::EndFragment()
{
    m_worst = EndSignal();
    if (ShowsSent())
    {
        m_sender->NotifyTxEnd(RequireFrame(m_frame, m_queue[m_position]));
    }
    m_radio.EndTransmitting();
    if (m_aborted)
    {
        return;
    }
    const bool last = m_position + 1 == m_queue.size();
    if (!Acknowledges() && last)
    {
        FinishPass(); // CompletePassAt() lets the fragment arrive
        return;
    }
    ScheduleFragmentArrivals();
    if (Acknowledges() && (GetArq() == D2dArq::STOP_AND_WAIT || last))
    {
        AwaitAcknowledgments();
        return;
    }
    ++m_position;
    BeginAttempt();
}

void
D2dPacketTransmission::ScheduleFragmentArrivals()
{
    Ptr<D2dPacketTransmission> self = this;
    const uint32_t fragment = m_queue[m_position];
    const std::size_t first = m_passFirst;
    const std::size_t last = m_passLast;
    std::vector<double> losses;
    for (std::size_t i = first; i < last; ++i)
    {
        losses.push_back(m_combines ? CombineAt(i) : GetLossAt(i));
    }
    for (const auto& group : m_audience->groups)
    {
        std::vector<std::pair<uint32_t, double>> arrivals; // recipient and loss
        for (uint32_t place = group.first; place < group.last; ++place)
        {
            const uint32_t i = m_audience->order[place];
            if (i >= first && i < last && m_recipients[i].listening)
            {
                arrivals.emplace_back(i, losses[i - first]);
            }
        }
        if (!arrivals.empty())
        {
            const uint32_t context = m_recipients[arrivals.front().first].link->receiverNode;
            Simulator::ScheduleWithContext(
                context,
                group.delay,
                [self, fragment, arrivals = std::move(arrivals), frame = m_frame]() mutable {
                    for (const auto& [recipient, loss] : arrivals)
                    {
                        self->ArriveAt(recipient, fragment, loss, frame);
                    }
                });
        }
    }
}

void
D2dPacketTransmission::CompletePassAt(std::size_t recipient)
{
    if (!Acknowledges())
    {
        ArriveAt(recipient, m_queue[m_position], GetLossAt(recipient), m_frame);
    }
}

void
D2dPacketTransmission::ArriveAt(std::size_t index,
                                uint32_t fragment,
                                double loss,
                                Ptr<Packet>& frame)
{
    D2dRecipient& recipient = m_recipients[index];
    if (!IsFollowing(recipient))
    {
        return;
    }
    D2dPhy& receiver = *recipient.link->receiver;
    if (receiver.DrawLoss(loss))
    {
        if (ShowsReceived(receiver))
        {
            receiver.NotifyRxDrop(RequireFrame(frame, fragment));
        }
        return;
    }
    if (ShowsReceived(receiver))
    {
        receiver.NotifyRxEnd(RequireFrame(frame, fragment));
        receiver.Sniff(frame);
    }
    TakeAt(index, fragment);
    if (Acknowledges())
    {
        m_toAcknowledge[index].push_back(fragment);
    }
}

bool
D2dPacketTransmission::NeedsStates() const
{
    return Acknowledges() || m_burst->division.units > 0;
}

void
D2dPacketTransmission::TakeAt(std::size_t recipient, uint32_t fragment)
{
    if (NeedsStates()) // else it was sent this once
    {
        D2dFragmentState& state = State(recipient, fragment);
        if (state != D2dFragmentState::MISSING)
        {
            return;
        }
        state = D2dFragmentState::UNACKNOWLEDGED;
    }
    --m_recipients[recipient].counts.missing;
    ++m_recipients[recipient].counts.unacknowledged;
}

void
D2dPacketTransmission::HearOf(std::size_t recipient, uint32_t fragment)
{
    D2dFragmentState& state = State(recipient, fragment);
    if (state == D2dFragmentState::UNACKNOWLEDGED)
    {
        state = D2dFragmentState::ACKNOWLEDGED;
        --m_recipients[recipient].counts.unacknowledged;
    }
}

void
D2dPacketTransmission::AwaitAcknowledgments()
{
    // Behind the arrival of the last fragment, whose events are scheduled already
    Ptr<D2dPacketTransmission> self = this;
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (m_recipients[i].listening)
        {
            Simulator::ScheduleWithContext(m_recipients[i].link->receiverNode,
                                           m_recipients[i].link->delay,
                                           [self, i]() { self->Acknowledge(i); });
        }
    }
    const bool all = GetArq() == D2dArq::SELECTIVE_REPEAT;
    const int64_t slots = all ? static_cast<int64_t>(m_queue.size()) : 1;
    m_event =
        Simulator::Schedule(GetAcknowledgmentTurnaround() + GetAcknowledgmentAirtime() * slots,
                            &D2dPacketTransmission::EndWindow,
                            this);
    m_radio.BeginListening();
}

void
D2dPacketTransmission::Acknowledge(std::size_t index)
{
    D2dRecipient& recipient = m_recipients[index];
    std::vector<uint32_t> fragments;
    fragments.swap(m_toAcknowledge[index]);
    if (fragments.empty() || !IsFollowing(recipient))
    {
        return;
    }
    D2dPhy& receiver = *recipient.link->receiver;
    receiver.TransmitAcknowledgments(receiver.GetAcknowledgmentAirtime() *
                                     static_cast<int64_t>(fragments.size()));
    if (!IsFollowing(recipient))
    {
        return; // who was told of them has switched the receiver off
    }
    const double loss = GetAcknowledgmentLoss(recipient);
    for (const uint32_t fragment : fragments)
    {
        // The sender looks at it when its window is over, by when what is not lost has come in
        if (m_sender->GetRandom()->GetValue() >= loss && !m_aborted)
        {
            HearOf(index, fragment);
            m_heardNow.emplace_back(index, fragment);
        }
    }
    if (recipient.counts.missing == 0)
    {
        HandUpAt(index);
    }
}

double
D2dPacketTransmission::GetAcknowledgmentLoss(const D2dRecipient& recipient) const
{
    if (!m_medium->Signals().GetOutside())
    {
        return recipient.acknowledgmentLoss;
    }
    return m_medium->Losses().Fade(
        *recipient.link->receiver,
        *m_sender,

        m_medium->GetAcknowledgmentLoss(*m_sender, *recipient.link, m_rules.turnaround));
}

void
D2dPacketTransmission::EndWindow()
{
    m_radio.EndListening();
    if (m_aborted)
    {
        return;
    }
    m_heardNow.clear();
    ++m_attemptsMade;
    if (GetArq() == D2dArq::SELECTIVE_REPEAT)
    {
        NextRound();
    }
    else
    {
        NextFragment();
    }
}

void
D2dPacketTransmission::NextFragment()
{
    const bool failed =
        m_repeat && State(m_passFirst, m_queue[m_position]) != D2dFragmentState::ACKNOWLEDGED;
    if (failed && m_attemptsMade == m_maxAttempts)
    {
        FinishPass();
        return;
    }
    if (failed)
    {
        m_event = Simulator::Schedule(
            GetBackoff(m_attemptsMade), &D2dPacketTransmission::BeginAttempt, this);
        return;
    }
    m_attemptsMade = 0;
    if (++m_position == m_queue.size())
    {
        FinishPass();
        return;
    }
    BeginAttempt();
}

void
D2dPacketTransmission::NextRound()
{
    if (!m_repeat || m_attemptsMade == m_maxAttempts)
    {
        FinishPass();
        return;
    }
    m_queue.erase(std::remove_if(m_queue.begin(),
                                 m_queue.end(),
                                 [this](uint32_t fragment) {
                                     return State(m_passFirst, fragment) ==
                                            D2dFragmentState::ACKNOWLEDGED;
                                 }),
                  m_queue.end());
    m_position = 0;
    if (m_queue.empty())
    {
        FinishPass();
        return;
    }
    m_event =
        Simulator::Schedule(GetBackoff(m_attemptsMade), &D2dPacketTransmission::BeginAttempt, this);
}

void
D2dPacketTransmission::CutPass()
{
    EndSignal();
    if (GetArq() == D2dArq::STOP_AND_WAIT)
    {
        return; // then the fragment counts as answered that was sent to its end
    }
    for (const auto& [index, fragment] : m_heardNow) // the sender has not waited to the end
    {
        State(index, fragment) = D2dFragmentState::UNACKNOWLEDGED;
        ++m_recipients[index].counts.unacknowledged;
    }
}

std::vector<D2dFragmentState>
D2dPacketTransmission::GetStates(std::size_t recipient)
{
    const auto begin = m_states.begin() + recipient * m_fragmentation.fragments;
    return {begin, begin + m_fragmentation.fragments};
}

const Ptr<Packet>&
D2dPacketTransmission::RequireFrame(Ptr<Packet>& frame, uint32_t index) const
{
    if (!frame)
    {
        frame = MakeFragment(index);
    }
    return frame;
}

Ptr<Packet>
D2dPacketTransmission::MakeFragment(uint32_t index) const
{
    Ptr<Packet> fragment = CutPacket(index);
    D2dMacTrailer trailer;
    trailer.paddingBytes = m_fragmentation.packetBytes - fragment->GetSize();
    fragment->AddTrailer(trailer);
    D2dMacHeader header;
    header.source = m_burst->source;
    header.destination = m_burst->destination;
    header.protocol = m_burst->protocol;
    header.burst = m_burst->id;
    header.fragment = index;
    header.fragments = m_fragmentation.fragments;
    header.packetBytes = m_burst->packet->GetSize();
    fragment->AddHeader(header);
    return fragment;
}

Ptr<Packet>
D2dPacketTransmission::CutPacket(uint32_t index) const
{
    const uint32_t size = m_burst->packet->GetSize();
    const D2dDivision& division = m_burst->division;
    const uint32_t chunk = m_fragmentation.packetBytes - division.headerBytes;
    if (division.units == 0)
    {
        const uint32_t offset = std::min(size, index * chunk);
        return m_burst->packet->CreateFragment(offset, std::min(chunk, size - offset));
    }
    // The header, and behind it units or a part of one
    uint32_t offset = division.headerBytes + index * chunk;
    uint32_t end = std::min(size, offset + chunk);
    if (m_fragmentation.unitsPerFragment == 0)
    {
        const uint32_t unit = index / m_fragmentation.fragmentsPerUnit;
        const uint32_t unitEnd = division.headerBytes + (unit + 1) * division.unitBytes;
        offset = std::min(unitEnd,
                          unitEnd - division.unitBytes +
                              index % m_fragmentation.fragmentsPerUnit * chunk);
        end = std::min(unitEnd, offset + chunk);
    }
    std::vector<uint8_t> bytes(division.headerBytes + end - offset);
    m_burst->packet->CopyData(bytes.data(), division.headerBytes);
    Ptr<Packet> part = m_burst->packet->CreateFragment(offset, end - offset);
    part->CopyData(bytes.data() + division.headerBytes, end - offset);
    return ns3::Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

} // namespace ns3::collab
