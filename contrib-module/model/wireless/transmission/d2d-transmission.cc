/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-transmission.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace ns3::collab
{

D2dTransmission::D2dTransmission(D2dTransmissionOrder order, bool showsFragments)
    : D2dBurstOnAir(order),
      m_radio(m_sender->GetState()),
      m_toldDone(std::move(order.done)),
      m_toldOver(std::move(order.over)),
      m_showsFragments(showsFragments),
      m_cutsAtReceivers(!showsFragments && (m_fragmentation.fragments > 1 || Acknowledges())),
      m_source(m_burst->source)
{
}

void
D2dTransmission::Start()
{
    m_start = Simulator::Now();
    OccupyMedium();
    const double noiseW = m_sender->GetNoiseW();
    for (auto& recipient : m_recipients)
    {
        BeginAt(recipient, noiseW);
        if (recipient.following && m_cutsAtReceivers)
        {
            recipient.link->receiver->GetState().AddFollowed(this);
        }
    }
    BeginWatching();
    if (m_unicast && Acknowledges() && !m_recipients.empty())
    {
        m_next = 1;
        if (BeginPass(0, 1))
        {
            Repeat(0, m_rules.maxAttempts);
        }
        return;
    }
    if (BeginPass(0, m_recipients.size()))
    {
        SendOnce();
    }
}

void
D2dTransmission::Finish()
{
    m_done = true;
    m_end = Simulator::Now();
    EndWatching();
    m_toldDone();
    FreeMedium();
}

bool
D2dTransmission::BeginPass(std::size_t first, std::size_t last)
{
    m_passFirst = first;
    m_passLast = last;
    const Time now = Simulator::Now();
    for (std::size_t i = first; i < last && !m_aborted; ++i)
    {
        D2dRecipient& recipient = m_recipients[i];
        recipient.listening = IsFollowing(recipient);
        if (recipient.listening)
        {
            recipient.link->receiver->GetState().BeginListening(now);
        }
    }
    m_inPass = !m_aborted;
    return m_inPass;
}

void
D2dTransmission::BeginTransmitting()
{
    if (!m_aborted) // else who was told of its signal has cut the burst off
    {
        m_radio.BeginTransmitting();
    }
}

uint64_t
D2dTransmission::CountAttempts() const
{
    const int64_t fragmentAirtime = m_fragmentation.airtime.GetTimeStep();
    return (GetAirtime().GetTimeStep() + fragmentAirtime - 1) / fragmentAirtime;
}

uint64_t
D2dTransmission::CountSent() const
{
    const uint64_t attempts = CountAttempts();
    if (!IsStopAndWait())
    {
        return attempts; // the first ones are of different fragments, and all have had one then
    }
    const uint64_t acknowledged =
        m_fragmentation.fragments - m_recipients.front().counts.Outstanding();
    return std::min(attempts, acknowledged + 1);
}

uint64_t
D2dTransmission::GetBytesSent() const
{
    const uint64_t attempts = CountAttempts();
    if (!IsStopAndWait())
    {
        return CountBytes(attempts);
    }
    // How far it is, is drawn with the rest of the pass, which looking at it must not change
    const D2dRecipient& recipient = m_recipients.front();
    const double through = std::max((1 - recipient.loss) * (1 - recipient.acknowledgmentLoss),
                                    1.0 / m_rules.maxAttempts);
    return CountBytes(static_cast<uint64_t>(std::ceil(static_cast<double>(attempts) * through)));
}

void
D2dTransmission::HandleGone(const D2dPhyState& receiver)
{
    for (std::size_t i = m_passFirst; m_inPass && i < m_passLast; ++i)
    {
        if (&m_recipients[i].link->receiver->GetState() == &receiver && m_recipients[i].listening)
        {
            CutPassAt(i);
            return;
        }
    }
}

void
D2dTransmission::HandlePowerChange()
{
    if (m_inPass && Acknowledges())
    {
        CatchUp();
    }
}

void
D2dTransmission::HandleNewPower()
{
    if (m_inPass && Acknowledges() && !m_aborted)
    {
        GoOn();
    }
}

void
D2dTransmission::EndPass()
{
    m_inPass = false;
    for (std::size_t i = m_passFirst; Acknowledges() && i < m_passLast; ++i)
    {
        // Only now, since it has waited for acknowledgments up to now
        m_recipients[i].acknowledged = m_recipients[i].counts.Outstanding() == 0;
    }
    const bool over = !FindNextPass();
    ScheduleArrivals(over);
    if (over)
    {
        Finish();
        return;
    }
    const std::size_t recipient = m_next++;
    if (BeginPass(recipient, recipient + 1))
    {
        Repeat(recipient, m_rules.maxAttempts - 1);
    }
}

bool
D2dTransmission::FindNextPass()
{
    if (!Acknowledges() || m_rules.maxAttempts == 1)
    {
        return false;
    }
    const auto needsPass = [this](const D2dRecipient& recipient) {
        const bool isSpared = m_rules.sparesDeaf && recipient.reason == D2dLossReason::HALF_DUPLEX;
        return recipient.counts.Outstanding() > 0 && !isSpared;
    };
    while (m_next < m_recipients.size() && !needsPass(m_recipients[m_next]))
    {
        ++m_next;
    }
    return m_next < m_recipients.size();
}

void
D2dTransmission::ScheduleArrivals(bool over)
{
    Ptr<D2dTransmission> self = this;
    const std::size_t first = m_passFirst;
    const std::size_t last = m_passLast;
    for (std::size_t group = 0; group < m_audience->groups.size(); ++group)
    {
        const auto begin = m_audience->order.begin() + m_audience->groups[group].first;
        const auto end = m_audience->order.begin() + m_audience->groups[group].last;
        const bool concerned = over || std::any_of(begin, end, [first, last](uint32_t i) {
                                   return i >= first && i < last;
                               });
        if (concerned)
        {
            Simulator::ScheduleWithContext(m_recipients[*begin].link->receiverNode,
                                           m_audience->groups[group].delay,
                                           [self, group, first, last, over]() {
                                               self->ArriveAtGroup(group, first, last, over);
                                           });
        }
    }
    if (over && m_audience->groups.empty())
    {
        Simulator::ScheduleNow([self]() { self->Conclude(); });
    }
}

void
D2dTransmission::ArriveAtGroup(std::size_t group, std::size_t first, std::size_t last, bool over)
{
    const Time now = Simulator::Now();
    const auto [delay, begin, end] = m_audience->groups[group];
    for (uint32_t place = begin; place < end; ++place)
    {
        const uint32_t i = m_audience->order[place];
        if (i >= first && i < last)
        {
            FinishPassAt(i, now);
        }
        if (over)
        {
            FinishBurstAt(i);
        }
    }
    if (over && group + 1 == m_audience->groups.size())
    {
        Conclude();
    }
}

void
D2dTransmission::FinishPassAt(std::size_t index, const Time& now)
{
    D2dRecipient& recipient = m_recipients[index];
    if (!IsFollowing(recipient))
    {
        return;
    }
    CompletePassAt(index);
    recipient.link->receiver->GetState().EndListening(recipient.epoch, now);
    if (recipient.counts.missing == 0)
    {
        HandUpAt(index);
    }
}

void
D2dTransmission::ScheduleHandingUp(const std::vector<std::size_t>& recipients)
{
    if (recipients.empty())
    {
        return; // as in most rounds of a broadcast, whose audience may be large
    }
    Ptr<D2dTransmission> self = this;
    for (const auto& group : m_audience->groups)
    {
        std::vector<std::size_t> members;
        std::copy_if(m_audience->order.begin() + group.first,
                     m_audience->order.begin() + group.last,
                     std::back_inserter(members),
                     [&recipients](std::size_t i) {
                         return std::binary_search(recipients.begin(), recipients.end(), i);
                     });
        if (!members.empty())
        {
            const uint32_t context = m_recipients[members.front()].link->receiverNode;
            Simulator::ScheduleWithContext(
                context, group.delay, [self, members = std::move(members)]() {
                    for (const std::size_t i : members)
                    {
                        self->HandUpAt(i);
                    }
                });
        }
    }
}

void
D2dTransmission::HandUpAt(std::size_t index)
{
    // Who was told of what happened may have switched the receiver off
    if (IsFollowing(m_recipients[index]) && !m_recipients[index].delivered)
    {
        DeliverAt(index, Simulator::Now());
    }
}

void
D2dTransmission::DeliverAt(std::size_t index, const Time& now)
{
    D2dRecipient& recipient = m_recipients[index];
    std::vector<uint32_t> units;
    if (m_burst->division.units > 0)
    {
        units = m_fragmentation.FindUnits(
            GetStates(index), m_burst->division.units, D2dFragmentState::UNACKNOWLEDGED);
        recipient.lostUnits = m_burst->division.units - units.size();
        if (units.empty())
        {
            return;
        }
    }
    if (!m_showsFragments)
    {
        recipient.link->receiver->NotifyRxEnd(m_burst->packet);
        recipient.link->receiver->SniffBurst(*m_burst);
        if (!IsFollowing(recipient))
        {
            return;
        }
    }
    recipient.delivered = true;
    recipient.ended = now;
    // Fragments are cut from the packet unchanged: with all of them a receiver has the packet.
    // Putting them together again would not work in ns-3.37, whose Buffer::AddAtEnd() writes past
    // its end when real bytes and virtual ones (Packet(size)) meet. All receivers get the same
    // packet: it is constant, and who changes one has to copy it.
    recipient.link->receiver->GetUser().Receive(*m_burst, m_source, m_burst->packet, units);
}

void
D2dTransmission::FinishBurstAt(std::size_t index)
{
    D2dRecipient& recipient = m_recipients[index];
    if (!recipient.following)
    {
        return;
    }
    if (IsFollowing(recipient) && recipient.counts.missing < m_fragmentation.fragments)
    {
        recipient.link->receiver->NotifyHeard({*m_sender,
                                               *recipient.link,
                                               m_spectralEfficiency,
                                               m_fragmentation.fragments - recipient.counts.missing,
                                               m_burst->protocol});
        if (m_burst->division.units > 0 || recipient.counts.missing == 0)
        {
            HandUpAt(index);
        }
    }
    if (m_cutsAtReceivers)
    {
        recipient.link->receiver->GetState().RemoveFollowed(*this);
    }
    recipient.link->receiver->GetState().EndBurst(recipient.epoch);
}

bool
D2dTransmission::Abort(D2dLossReason reason)
{
    if (m_aborted || m_done)
    {
        return false; // who was told of the burst's end has ended it once more
    }
    m_aborted = true;
    m_event.Cancel();
    m_reason = reason;
    CutPresentPass();
    if (m_radio.IsTransmitting())
    {
        m_sender->NotifyTxDrop(m_burst->packet);
        m_radio.EndTransmitting();
    }
    m_radio.EndListening();
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (m_recipients[i].listening)
        {
            m_recipients[i].link->receiver->GetState().EndListening(m_recipients[i].epoch,
                                                                    Simulator::Now());
        }
    }
    m_passLast = m_passFirst; // nobody hears the end of this pass
    ScheduleArrivals(true);
    Finish();
    return true;
}

D2dLossReason
D2dTransmission::ExplainLoss(const D2dRecipient& recipient) const
{
    if (!recipient.following)
    {
        return recipient.reason;
    }
    if (!IsFollowing(recipient))
    {
        return D2dLossReason::RECEIVER_OFF;
    }
    if (m_reason != D2dLossReason::NONE)
    {
        return m_reason;
    }
    if (Acknowledges())
    {
        return D2dLossReason::ATTEMPTS;
    }
    return recipient.collided ? D2dLossReason::COLLISION : D2dLossReason::OUTAGE;
}

void
D2dTransmission::EndRun()
{
    m_event.Cancel();
    StopWatching();
    if (!m_done)
    {
        CutPresentPass();
        m_radio.EndRun(GetAirtime());
        m_end = Simulator::Now();
    }
    if (m_reason == D2dLossReason::NONE)
    {
        m_reason = D2dLossReason::RUN_ENDED;
    }
    m_aborted = true;
    Conclude();
}

void
D2dTransmission::Conclude()
{
    if (m_concluded)
    {
        return; // the run was over before
    }
    m_concluded = true;
    const D2dBurstCallback over = m_toldOver();
    SettleOutcomes();
    if (over)
    {
        over(MakeReport());
    }
}

void
D2dTransmission::SettleOutcomes()
{
    for (std::size_t i = 0; i < m_recipients.size(); ++i)
    {
        D2dRecipient& recipient = m_recipients[i];
        if (Acknowledges() && m_burst->division.units > 0)
        {
            // Always, since it may draw random numbers
            m_acknowledgedUnits.push_back(m_fragmentation.FindUnits(
                GetStates(i), m_burst->division.units, D2dFragmentState::ACKNOWLEDGED));
        }
        if (!recipient.delivered)
        {
            recipient.lostUnits = m_burst->division.units;
            recipient.ended = Simulator::Now();
            recipient.link->receiver->NotifyRxDrop(m_burst->packet);
        }
    }
}

D2dBurstReport
D2dTransmission::MakeReport()
{
    D2dBurstReport report;
    report.burst = m_burst;
    report.senderNode = m_sender->GetNode()->GetId();
    report.fragments = m_fragmentation.fragments;
    report.fragmentBytes = m_fragmentation.fragmentBytes;
    report.attempts = CountAttempts();
    report.bytesSent = CountBytes(CountSent());
    report.spectralEfficiency = m_spectralEfficiency;
    report.airtime = m_radio.GetAirtime();
    report.stopped = m_reason;
    report.start = m_start;
    report.end = m_end;
    report.outcomes.reserve(m_recipients.size());
    for (std::size_t i = 0; i < m_recipients.size(); ++i)
    {
        report.outcomes.push_back(MakeOutcome(i));
    }
    return report;
}

D2dReceiverOutcome
D2dTransmission::MakeOutcome(std::size_t index)
{
    const D2dRecipient& recipient = m_recipients[index];
    D2dReceiverOutcome outcome;
    outcome.receiver = m_medium->Links().GetAddress(recipient.link->receiverIndex);
    outcome.receiverNode = recipient.link->receiverNode;
    outcome.delivered = recipient.delivered;
    outcome.acknowledged = recipient.delivered && recipient.acknowledged;
    outcome.lostFragments = recipient.counts.missing;
    const bool lacking = !recipient.delivered || recipient.lostUnits > 0;
    outcome.reason = lacking ? ExplainLoss(recipient) : recipient.reason;
    outcome.ended = recipient.ended;
    outcome.lostUnits = recipient.lostUnits;
    if (!m_acknowledgedUnits.empty())
    {
        outcome.acknowledgedUnits = std::move(m_acknowledgedUnits[index]);
    }
    return outcome;
}

} // namespace ns3::collab
