/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-transmission.h"

#include "d2d-burst-transmission.h"
#include "d2d-packet-transmission.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace collab
{

Ptr<D2dTransmission>
D2dTransmission::Create(Ptr<D2dNetDevice> sender,
                        std::shared_ptr<const D2dBurst> burst,
                        std::vector<D2dLink> links)
{
    Ptr<D2dChannel> channel = DynamicCast<D2dChannel>(sender->GetChannel());
    if (channel->GetFidelity() == D2dFidelity::PACKET)
    {
        return ns3::Create<D2dPacketTransmission>(sender, std::move(burst), std::move(links));
    }
    return ns3::Create<D2dBurstTransmission>(sender, std::move(burst), std::move(links));
}

D2dTransmission::D2dTransmission(Ptr<D2dNetDevice> sender,
                                 std::shared_ptr<const D2dBurst> burst,
                                 std::vector<D2dLink> links)
    : m_sender(sender),
      m_burst(std::move(burst)),
      m_fragmentation(sender->GetFragmentation(m_burst->packet->GetSize())),
      m_unicast(!m_burst->destination.IsGroup())
{
    for (auto& link : links)
    {
        Recipient recipient;
        recipient.outcome.receiver = Mac48Address::ConvertFrom(link.receiver->GetAddress());
        recipient.outcome.receiverNode = link.receiver->GetNode()->GetId();
        recipient.counts.missing = m_fragmentation.fragments;
        recipient.link = std::move(link);
        m_recipients.push_back(std::move(recipient));
    }
}

void
D2dTransmission::Start()
{
    m_start = Simulator::Now();
    for (auto& recipient : m_recipients)
    {
        recipient.outcome.reason = recipient.link.inRange ? recipient.link.receiver->BeginBurst()
                                                          : D2dLossReason::OUT_OF_RANGE;
        recipient.following = recipient.outcome.reason == D2dLossReason::NONE;
        recipient.epoch = recipient.link.receiver->GetEpoch();
    }
    if (m_unicast && Acknowledges() && !m_recipients.empty())
    {
        m_next = 1;
        BeginPass(0, 1);
        StopAndWait(0, m_sender->GetMaxAttempts());
        return;
    }
    BeginPass(0, m_recipients.size());
    SendOnce();
}

void
D2dTransmission::BeginPass(std::size_t first, std::size_t last)
{
    m_passFirst = first;
    m_passLast = last;
    for (std::size_t i = first; i < last; ++i)
    {
        Recipient& recipient = m_recipients[i];
        recipient.listening = IsFollowing(recipient);
        if (recipient.listening)
        {
            recipient.link.receiver->BeginListening();
        }
    }
}

void
D2dTransmission::BeginTransmitting()
{
    m_transmitting = true;
    m_transmittingSince = Simulator::Now();
    m_sender->SetTransmitting(true);
}

void
D2dTransmission::EndTransmitting()
{
    CountAirtime();
    m_sender->SetTransmitting(false);
}

void
D2dTransmission::CountAirtime()
{
    if (m_transmitting)
    {
        m_airtime += Simulator::Now() - m_transmittingSince;
        m_transmitting = false;
    }
}

void
D2dTransmission::EndPass()
{
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        Ptr<D2dTransmission> self = this;
        Simulator::ScheduleWithContext(m_recipients[i].outcome.receiverNode,
                                       m_recipients[i].link.delay,
                                       [self, i]() { self->FinishPassAt(i); });
    }
    NextPass();
}

void
D2dTransmission::NextPass()
{
    const uint32_t attemptsLeft = m_sender->GetMaxAttempts() - 1;
    while (Acknowledges() && attemptsLeft > 0 && m_next < m_recipients.size())
    {
        const std::size_t recipient = m_next++;
        if (m_recipients[recipient].counts.Outstanding() > 0)
        {
            BeginPass(recipient, recipient + 1);
            StopAndWait(recipient, attemptsLeft);
            return;
        }
    }
    Finish(D2dLossReason::NONE);
}

void
D2dTransmission::FinishPassAt(std::size_t index)
{
    Recipient& recipient = m_recipients[index];
    if (recipient.listening)
    {
        recipient.link.receiver->EndListening(recipient.epoch);
    }
    if (!IsFollowing(recipient) || recipient.outcome.delivered || recipient.counts.missing > 0)
    {
        return;
    }
    recipient.outcome.delivered = true;
    recipient.outcome.ended = Simulator::Now();
    // Fragments are cut from the packet unchanged: with all of them a receiver has the packet.
    // Putting them together again would not work in ns-3.37, whose Buffer::AddAtEnd() writes past
    // its end when real bytes and virtual ones (Packet(size)) meet.
    recipient.link.receiver->ReceiveBurst(m_burst, m_burst->packet->Copy());
}

void
D2dTransmission::FinishBurstAt(std::size_t index)
{
    const Recipient& recipient = m_recipients[index];
    if (recipient.following)
    {
        recipient.link.receiver->EndBurst(recipient.epoch);
    }
}

void
D2dTransmission::Abort()
{
    m_aborted = true;
    m_event.Cancel();
    CountAirtime();
    m_sender->NotifyTxDrop(m_burst->packet);
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (m_recipients[i].listening)
        {
            m_recipients[i].link.receiver->EndListening(m_recipients[i].epoch);
        }
    }
    Finish(D2dLossReason::TRANSMITTER_OFF);
}

void
D2dTransmission::Finish(D2dLossReason reason)
{
    m_end = Simulator::Now();
    Ptr<D2dTransmission> self = this;
    Time longest;
    for (std::size_t i = 0; i < m_recipients.size(); ++i)
    {
        const Time delay = m_recipients[i].link.delay;
        longest = std::max(longest, delay);
        Simulator::ScheduleWithContext(
            m_recipients[i].outcome.receiverNode, delay, [self, i]() { self->FinishBurstAt(i); });
    }
    Simulator::Schedule(longest, [self, reason]() { self->Conclude(reason); });
    m_sender->ReleaseMedium();
}

D2dLossReason
D2dTransmission::ExplainLoss(const Recipient& recipient, D2dLossReason reason) const
{
    if (!recipient.following)
    {
        return recipient.outcome.reason;
    }
    if (!IsFollowing(recipient))
    {
        return D2dLossReason::RECEIVER_OFF;
    }
    if (reason != D2dLossReason::NONE)
    {
        return reason;
    }
    return Acknowledges() ? D2dLossReason::ATTEMPTS : D2dLossReason::OUTAGE;
}

void
D2dTransmission::Conclude(D2dLossReason reason)
{
    D2dBurstReport report;
    report.burst = m_burst;
    report.senderNode = m_sender->GetNode()->GetId();
    report.fragments = m_fragmentation.fragments;
    report.fragmentBytes = m_fragmentation.fragmentBytes;
    // Rounded up: a fragment that was cut off counts
    const int64_t fragmentAirtime = m_fragmentation.airtime.GetTimeStep();
    report.attempts = (m_airtime.GetTimeStep() + fragmentAirtime - 1) / fragmentAirtime;
    report.airtime = m_airtime;
    report.start = m_start;
    report.end = m_end;
    for (auto& recipient : m_recipients)
    {
        D2dReceiverOutcome& outcome = recipient.outcome;
        outcome.acknowledged =
            outcome.delivered && Acknowledges() && recipient.counts.Outstanding() == 0;
        outcome.lostFragments = recipient.counts.missing;
        if (!outcome.delivered)
        {
            outcome.reason = ExplainLoss(recipient, reason);
            outcome.ended = Simulator::Now();
            recipient.link.receiver->NotifyRxDrop(m_burst->packet);
        }
        report.outcomes.push_back(outcome);
    }
    m_sender->ConcludeBurst(report);
}

bool
D2dTransmission::Acknowledges() const
{
    return m_burst->reliability == D2dReliability::ARQ;
}

Time
D2dTransmission::GetAcknowledgmentWindow() const
{
    return Acknowledges()
               ? m_sender->GetAcknowledgmentTurnaround() + m_sender->GetAcknowledgmentAirtime()
               : Time();
}

double
D2dTransmission::GetLoss(const Recipient& recipient) const
{
    return IsFollowing(recipient) ? recipient.link.outageProbability : 1.0;
}

double
D2dTransmission::GetAcknowledgmentLoss(const Recipient& recipient) const
{
    // Half of the turnaround is the receiver's; the way forth and back must fit in the other half.
    const bool inTime = recipient.link.delay * 4 < m_sender->GetAcknowledgmentTurnaround();
    return inTime ? recipient.link.returnOutageProbability : 1.0;
}

bool
D2dTransmission::IsFollowing(const Recipient& recipient) const
{
    return recipient.following && recipient.epoch == recipient.link.receiver->GetEpoch();
}

} // namespace collab
} // namespace ns3
