/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-transmission.h"

#include "ns3/d2d-mac-header.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace ns3
{
namespace collab
{

D2dTransmission::D2dTransmission(D2dTransmissionOrder order, bool showsFragments)
    : m_sender(std::move(order.sender)),
      m_medium(std::move(order.medium)),
      m_burst(std::move(order.burst)),
      m_rules(order.rules),
      m_fragmentation(m_sender->GetFragmentation(*m_burst, order.spectralEfficiency)),
      m_spectralEfficiency(order.spectralEfficiency),
      m_audience(std::move(order.audience)),
      m_recipients(m_medium->TakeRecipients(m_audience->links.size())),
      m_toldDone(std::move(order.done)),
      m_toldOver(std::move(order.over)),
      m_showsFragments(showsFragments),
      m_cutsAtReceivers(!showsFragments && (m_fragmentation.fragments > 1 || Acknowledges())),
      m_unicast(!m_burst->destination.IsGroup()),
      m_fades(m_medium->Losses().GetTimeToFading().IsStrictlyPositive()),
      m_source(m_burst->source)
{
    m_combines = m_unicast && Acknowledges() && m_rules.combining == D2dCombining::CHASE;
    for (std::size_t i = 0; i < m_recipients.size(); ++i)
    {
        m_recipients[i].link = &m_audience->links[i];
        m_recipients[i].link->receiver->Prefetch();
        m_recipients[i].counts.missing = m_fragmentation.fragments;
    }
}

D2dTransmission::~D2dTransmission()
{
    m_medium->ReturnRecipients(std::move(m_recipients));
}

const D2dBurst&
D2dTransmission::GetBurst() const
{
    return *m_burst;
}

void
D2dTransmission::Start()
{
    m_start = Simulator::Now();
    OccupyMedium();
    const double noiseW = m_sender->GetNoiseW();
    for (auto& recipient : m_recipients)
    {
        D2dPhy& receiver = *recipient.link->receiver;
        recipient.reason = recipient.link->inRange ? receiver.GetState().BeginBurst()
                                                   : D2dLossReason::OUT_OF_RANGE;
        recipient.following = recipient.reason == D2dLossReason::NONE;
        recipient.epoch = receiver.GetState().GetEpoch();
        receiver.PrefetchAbove();
        if (recipient.following)
        {
            FindLosses(recipient, noiseW);
            if (m_combines)
            {
                m_quality = FindQuality(recipient);
            }
        }
        if (recipient.following && m_cutsAtReceivers)
        {
            receiver.GetState().AddFollowed(this);
        }
    }
    ScheduleLinkUpdate();
    ScheduleFading();
    if (m_overhearers)
    {
        m_overhearers->Begin(TimeStep(m_fragmentation.airtime.GetTimeStep() * D2dMacHeader::SIZE /
                                      m_fragmentation.fragmentBytes));
    }
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
D2dTransmission::FindLosses(D2dRecipient& recipient, double noiseW) const
{
    const D2dLink& link = *recipient.link;
    recipient.loss =
        link.KeepsLoss(noiseW, m_spectralEfficiency)
            ? link.keptLoss
            : m_medium->Losses().GetOutageProbability(
                  *m_sender, link, {}, m_spectralEfficiency, m_fragmentation.fragmentBytes);
    if (Acknowledges())
    {
        recipient.acknowledgmentLoss =
            m_medium->GetAcknowledgmentLoss(*m_sender, link, m_rules.turnaround);
    }
    if (m_fades)
    {
        recipient.loss = m_medium->Losses().Fade(*m_sender, *link.receiver, recipient.loss);
        recipient.acknowledgmentLoss =
            m_medium->Losses().Fade(*link.receiver, *m_sender, recipient.acknowledgmentLoss);
    }
}

D2dQuality
D2dTransmission::FindQuality(const D2dRecipient& recipient, const D2dDisturbance& worst) const
{
    return m_medium->Losses().GetQuality(
        *m_sender, *recipient.link, worst, m_spectralEfficiency, m_fragmentation.fragmentBytes);
}

D2dQuality
D2dTransmission::GetQuality(const D2dRecipient& recipient, const D2dDisturbance& worst) const
{
    return worst == D2dDisturbance() ? m_quality : FindQuality(recipient, worst);
}

double
D2dTransmission::GetLoss(const D2dRecipient& recipient,
                         const std::optional<D2dDisturbance>& worst) const
{
    if (!worst)
    {
        return 1.0; // it was locked to another fragment
    }
    if (*worst == D2dDisturbance())
    {
        return recipient.loss;
    }
    const D2dLink& link = *recipient.link;
    return m_medium->Losses().Fade(
        *m_sender,
        *link.receiver,
        m_medium->Losses().GetOutageProbability(
            *m_sender, link, *worst, m_spectralEfficiency, m_fragmentation.fragmentBytes));
}

bool
D2dTransmission::Combine(uint32_t fragment, const D2dQuality& quality, double uniform)
{
    m_held.resize(m_fragmentation.fragments); // once
    m_held[fragment] += quality.GetQuantile(uniform);
    return D2dQuality::Suffices(m_held[fragment]);
}

void
D2dTransmission::OccupyMedium()
{
    const bool isOverheard = m_medium->HasOverhearing() && (m_unicast || m_burst->group);
    if (!m_medium->Signals().Interferes() && !isOverheard)
    {
        return;
    }
    const std::vector<D2dLink> reach =
        m_medium->Links().DrawReach(*m_sender, *m_burst, *m_audience);
    if (isOverheard)
    {
        m_overhearers = std::make_unique<D2dOverhearers>(reach, *m_audience);
    }
    if (!m_medium->Signals().Interferes())
    {
        return;
    }
    m_subchannel = m_medium->Signals().GetSubchannel(*m_sender);
    for (const auto& link : reach)
    {
        m_reach.push_back({link.receiverIndex, link.rssW});
        if (link.inRange && m_medium->Signals().SensesOn(*link.receiver, m_subchannel) &&
            link.receiver->BeginSensing(link.rssW))
        {
            m_deferring.push_back(link.receiver);
        }
    }
}

void
D2dTransmission::BeginSignal(Time airtime, uint32_t fragments, Time elapsed)
{
    if (!m_medium->Signals().IsDisturbed())
    {
        return;
    }
    std::vector<D2dReception> receptions;
    m_heardBy.clear();
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (m_recipients[i].listening && IsFollowing(m_recipients[i]))
        {
            const D2dLink& link = *m_recipients[i].link;
            receptions.push_back(
                {link.receiverIndex,
                 m_medium->Losses().GetInterferenceScale(*m_sender, link, m_spectralEfficiency)});
            m_heardBy.push_back(i);
        }
    }
    m_signal = m_medium->Signals().GetSubchannels()->Begin(
        m_subchannel, m_reach, receptions, airtime, fragments, elapsed);
    if (m_aborted) // by somebody who was told of it before
    {
        m_medium->Signals().GetSubchannels()->End(m_subchannel, std::exchange(m_signal, 0));
    }
}

std::vector<std::optional<D2dDisturbance>>
D2dTransmission::EndSignal()
{
    std::vector<std::optional<D2dDisturbance>> byRecipient;
    if (m_signal != 0)
    {
        const auto worst = m_medium->Signals().GetSubchannels()->End(m_subchannel, m_signal);
        m_signal = 0;
        byRecipient.resize(m_passLast - m_passFirst);
        for (std::size_t i = 0; i < worst.size(); ++i)
        {
            D2dRecipient& recipient = m_recipients[m_heardBy[i]];
            recipient.collided = recipient.collided || !worst[i];
            byRecipient[m_heardBy[i] - m_passFirst] = worst[i];
        }
    }
    return byRecipient;
}

void
D2dTransmission::ChangeReach()
{
    // The next fragment begins with what it finds
}

void
D2dTransmission::UpdateReach()
{
    if (!m_medium->Signals().Interferes())
    {
        return;
    }
    std::vector<D2dLink> links;
    for (const auto& recipient : m_recipients)
    {
        if (IsFollowing(recipient))
        {
            links.push_back(*recipient.link);
        }
    }
    m_reach.clear();
    for (const auto& link : m_medium->Links().DrawReach(*m_sender, D2dAudience(std::move(links))))
    {
        m_reach.push_back({link.receiverIndex, link.rssW});
    }
    ChangeReach();
}

void
D2dTransmission::FreeMedium()
{
    m_done = true;
    m_linkUpdate.Cancel();
    m_fading.Cancel();
    m_end = Simulator::Now();
    if (m_overhearers)
    {
        m_overhearers->End();
    }
    m_toldDone();
    for (const auto& device : m_deferring)
    {
        device->EndSensing();
    }
    m_deferring.clear();
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
D2dTransmission::CutPresentPass()
{
    if (m_inPass)
    {
        m_inPass = false;
        CutPass();
    }
}

void
D2dTransmission::BeginTransmitting()
{
    if (m_aborted)
    {
        return; // who was told of its signal has cut the burst off
    }
    m_transmitting = true;
    m_transmittingSince = Simulator::Now();
    m_transmittingEpoch = m_sender->GetState().GetEpoch();
    m_sender->GetState().SetTransmitting(true);
}

void
D2dTransmission::EndTransmitting()
{
    if (!m_transmitting)
    {
        return; // who was told of the end has cut the burst off
    }
    m_airtime = GetAirtime();
    m_transmitting = false;
    if (m_transmittingEpoch == m_sender->GetState().GetEpoch())
    {
        m_sender->GetState().SetTransmitting(false);
    }
}

void
D2dTransmission::BeginListening()
{
    m_senderListening = true;
    m_listeningEpoch = m_sender->GetState().GetEpoch();
    m_sender->GetState().BeginListening(Simulator::Now());
}

void
D2dTransmission::EndListening()
{
    if (m_senderListening)
    {
        m_senderListening = false;
        m_sender->GetState().EndListening(m_listeningEpoch, Simulator::Now());
    }
}

Time
D2dTransmission::GetPassAirtime() const
{
    return m_transmitting ? Simulator::Now() - m_transmittingSince : Time();
}

void
D2dTransmission::AddAirtime(Time airtime)
{
    m_airtime += airtime;
}

bool
D2dTransmission::IsTransmitting() const
{
    return m_transmitting;
}

Time
D2dTransmission::GetAirtime() const
{
    return m_airtime + GetPassAirtime();
}

void
D2dTransmission::ShowBegin()
{
    m_sender->NotifyTxBegin(m_burst->packet);
    m_sender->SniffBurst(*m_burst);
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (m_recipients[i].listening)
        {
            m_recipients[i].link->receiver->NotifyRxBegin(m_burst->packet);
        }
    }
}

uint64_t
D2dTransmission::CountAttempts() const
{
    const int64_t fragmentAirtime = m_fragmentation.airtime.GetTimeStep();
    return (GetAirtime().GetTimeStep() + fragmentAirtime - 1) / fragmentAirtime;
}

bool
D2dTransmission::IsStopAndWait() const
{
    return m_unicast && Acknowledges() && GetArq() == D2dArq::STOP_AND_WAIT &&
           !m_recipients.empty();
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
D2dTransmission::CountBytes(uint64_t sent) const
{
    return m_fragmentation.CountBytesSent(sent, m_burst->packet->GetSize(), m_burst->division);
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
D2dTransmission::HandleListening()
{
    // What it listens for by turns, it hears by itself
}

void
D2dTransmission::ScheduleLinkUpdate()
{
    if (m_medium->GetSettings().linkUpdatePeriod.IsStrictlyPositive())
    {
        m_linkUpdate = Simulator::Schedule(
            m_medium->GetSettings().linkUpdatePeriod, &D2dTransmission::UpdateLinks, this);
    }
}

void
D2dTransmission::ScheduleFading()
{
    const Time next = m_medium->Losses().GetTimeToFading();
    if (next.IsStrictlyPositive())
    {
        m_fading = Simulator::Schedule(next, &D2dTransmission::UpdateFading, this);
    }
}

void
D2dTransmission::UpdateLinks()
{
    ScheduleLinkUpdate();
    std::vector<D2dRecipient> updated = m_recipients;
    std::vector<D2dLink> links(updated.size());
    for (std::size_t i = 0; i < updated.size(); ++i)
    {
        links[i] = *updated[i].link;
        updated[i].link = &links[i];
        if (IsFollowing(updated[i]))
        {
            links[i] = m_medium->Links().DrawLink(*m_sender, *links[i].receiver);
            links[i].delay = m_recipients[i].link->delay; // the order of delays is kept
        }
    }
    if (UpdateLosses(updated))
    {
        m_updatedLinks = std::move(links); // their addresses stay the same
        UpdateReach();
    }
}

void
D2dTransmission::UpdateFading()
{
    ScheduleFading();
    std::vector<D2dRecipient> updated = m_recipients;
    UpdateLosses(updated);
}

bool
D2dTransmission::UpdateLosses(std::vector<D2dRecipient>& updated)
{
    bool changed = false;
    const double noiseW = m_sender->GetNoiseW();
    D2dQuality quality = m_quality;
    for (std::size_t i = 0; i < updated.size(); ++i)
    {
        if (IsFollowing(updated[i]))
        {
            FindLosses(updated[i], noiseW);
            quality = m_combines ? FindQuality(updated[i]) : quality;
            changed = changed || updated[i].loss != m_recipients[i].loss ||
                      updated[i].acknowledgmentLoss != m_recipients[i].acknowledgmentLoss ||
                      quality.mean != m_quality.mean;
        }
    }
    if (changed)
    {
        CatchUp();
    }
    if (m_aborted)
    {
        return false; // somebody who was told of the radio's activity has switched it off
    }
    m_quality = quality;
    for (std::size_t i = 0; i < updated.size(); ++i)
    {
        m_recipients[i].link = updated[i].link;
        m_recipients[i].loss = updated[i].loss;
        m_recipients[i].acknowledgmentLoss = updated[i].acknowledgmentLoss;
    }
    if (changed)
    {
        GoOn();
    }
    return true;
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
        FreeMedium();
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
    while (m_next < m_recipients.size() && m_recipients[m_next].counts.Outstanding() == 0)
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
    for (uint32_t place = m_audience->groups[group].first; place < m_audience->groups[group].last;
         ++place)
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
    recipient.link->receiver->Receive(*m_burst, m_source, m_burst->packet, units);
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
        recipient.link->receiver->NotifyHeard(*m_sender, recipient.link->rssW);
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
    if (m_transmitting)
    {
        m_sender->NotifyTxDrop(m_burst->packet);
        EndTransmitting();
    }
    EndListening();
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
    FreeMedium();
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
    m_linkUpdate.Cancel();
    m_fading.Cancel();
    if (m_overhearers)
    {
        m_overhearers->EndRun();
    }
    if (!m_done)
    {
        CutPresentPass();
        m_airtime = GetAirtime();
        m_transmitting = false;
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
    report.airtime = m_airtime;
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

bool
D2dTransmission::Acknowledges() const
{
    return m_burst->reliability == D2dReliability::ARQ;
}

Time
D2dTransmission::GetAcknowledgmentAirtime() const
{
    Time slowest;
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        slowest = std::max(slowest, m_recipients[i].link->receiver->GetAcknowledgmentAirtime());
    }
    // Who knows of nobody that could answer waits as for one of its own kind
    return m_passFirst < m_passLast ? slowest : m_sender->GetAcknowledgmentAirtime();
}

Time
D2dTransmission::GetAcknowledgmentTurnaround() const
{
    if (m_rules.turnaround.IsStrictlyPositive())
    {
        return m_rules.turnaround;
    }
    Time farthest;
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        const D2dLink& link = *m_recipients[i].link;
        farthest = link.inRange ? std::max(farthest, link.delay) : farthest;
    }
    return farthest * 2;
}

Time
D2dTransmission::GetBackoff(uint32_t failures) const
{
    const Time backoff = m_rules.retryBackoff * static_cast<int64_t>(GetRetryBackoff(failures));
    // Senders whose fragments met once would meet again if both waited for the same time
    return m_medium->Signals().Interferes() ? backoff * m_sender->GetRandom()->GetValue(0.0, 2.0)
                                            : backoff;
}

D2dArq
D2dTransmission::GetArq() const
{
    // The units of a divisible packet are of use without those that fail
    return m_burst->division.units > 0 ? D2dArq::SELECTIVE_REPEAT : m_rules.arq;
}

} // namespace collab
} // namespace ns3
