/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-burst-on-air.h"

#include "ns3/d2d-mac-header.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

D2dBurstOnAir::D2dBurstOnAir(D2dTransmissionOrder& order)
    : m_sender(std::move(order.sender)),
      m_medium(std::move(order.medium)),
      m_burst(std::move(order.burst)),
      m_rules(order.rules),
      m_fragmentation(m_sender->GetFragmentation(*m_burst, order.spectralEfficiency)),
      m_spectralEfficiency(order.spectralEfficiency),
      m_audience(std::move(order.audience)),
      m_recipients(m_medium->TakeRecipients(m_audience->links.size())),
      m_unicast(!m_burst->destination.IsGroup()),
      m_fades(m_medium->Losses().GetTimeToFading().IsStrictlyPositive())
{
    m_combines = m_unicast && Acknowledges() && m_rules.combining == D2dCombining::CHASE;
    for (std::size_t i = 0; i < m_recipients.size(); ++i)
    {
        m_recipients[i].link = &m_audience->links[i];
        m_recipients[i].link->receiver->Prefetch();
        m_recipients[i].counts.missing = m_fragmentation.fragments;
    }
}

D2dBurstOnAir::~D2dBurstOnAir()
{
    m_medium->ReturnRecipients(std::move(m_recipients));
}

void
D2dBurstOnAir::BeginAt(D2dRecipient& recipient, double noiseW)
{
    D2dPhy& receiver = *recipient.link->receiver;
    recipient.reason =
        recipient.link->inRange ? receiver.GetState().BeginBurst() : D2dLossReason::OUT_OF_RANGE;
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
}

void
D2dBurstOnAir::BeginWatching()
{
    ScheduleLinkUpdate();
    ScheduleFading();
    if (m_overhearers)
    {
        m_overhearers->Begin();
    }
}

void
D2dBurstOnAir::EndWatching()
{
    StopWatching();
    if (m_overhearers)
    {
        m_overhearers->End();
    }
}

void
D2dBurstOnAir::StopWatching()
{
    m_linkUpdate.Cancel();
    m_fading.Cancel();
}

void
D2dBurstOnAir::FreeMedium()
{
    for (const auto& device : m_deferring)
    {
        device->GetUser().EndSensing();
    }
    m_deferring.clear();
}

const D2dBurst&
D2dBurstOnAir::GetBurst() const
{
    return *m_burst;
}

void
D2dBurstOnAir::FindLosses(D2dRecipient& recipient, double noiseW) const
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
D2dBurstOnAir::FindQuality(const D2dRecipient& recipient, const D2dDisturbance& worst) const
{
    return m_medium->Losses().GetQuality(
        *m_sender, *recipient.link, worst, m_spectralEfficiency, m_fragmentation.fragmentBytes);
}

D2dQuality
D2dBurstOnAir::GetQuality(const D2dRecipient& recipient, const D2dDisturbance& worst) const
{
    return worst == D2dDisturbance() ? m_quality : FindQuality(recipient, worst);
}

double
D2dBurstOnAir::GetLoss(const D2dRecipient& recipient,
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
D2dBurstOnAir::Combine(uint32_t fragment, const D2dQuality& quality, double uniform)
{
    m_held.resize(m_fragmentation.fragments); // once
    m_held[fragment] += quality.GetQuantile(uniform);
    return D2dQuality::Suffices(m_held[fragment]);
}

void
D2dBurstOnAir::OccupyMedium()
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
            link.receiver->GetUser().BeginSensing(link.rssW))
        {
            m_deferring.push_back(link.receiver);
        }
    }
}

void
D2dBurstOnAir::BeginSignal(Time airtime, uint32_t fragments, Time elapsed)
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
D2dBurstOnAir::EndSignal()
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

D2dInterference&
D2dBurstOnAir::GetInterference() const
{
    return m_medium->Signals().GetSubchannels()->Find(m_subchannel);
}

void
D2dBurstOnAir::UpdateReach()
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
D2dBurstOnAir::ScheduleLinkUpdate()
{
    const Time next = m_medium->Links().GetTimeToUpdate();
    if (next.IsStrictlyPositive())
    {
        m_linkUpdate = Simulator::Schedule(next, &D2dBurstOnAir::UpdateLinks, this);
    }
}

void
D2dBurstOnAir::ScheduleFading()
{
    const Time next = m_medium->Losses().GetTimeToFading();
    if (next.IsStrictlyPositive())
    {
        m_fading = Simulator::Schedule(next, &D2dBurstOnAir::UpdateFading, this);
    }
}

void
D2dBurstOnAir::UpdateLinks()
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
D2dBurstOnAir::UpdateFading()
{
    ScheduleFading();
    std::vector<D2dRecipient> updated = m_recipients;
    UpdateLosses(updated);
}

bool
D2dBurstOnAir::UpdateLosses(std::vector<D2dRecipient>& updated)
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
D2dBurstOnAir::ShowBegin()
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

bool
D2dBurstOnAir::IsStopAndWait() const
{
    return m_unicast && Acknowledges() && GetArq() == D2dArq::STOP_AND_WAIT &&
           !m_recipients.empty();
}

uint64_t
D2dBurstOnAir::CountBytes(uint64_t sent) const
{
    return m_fragmentation.CountBytesSent(sent, m_burst->packet->GetSize(), m_burst->division);
}

bool
D2dBurstOnAir::Acknowledges() const
{
    return m_burst->reliability == D2dReliability::ARQ;
}

Time
D2dBurstOnAir::GetAcknowledgmentAirtime() const
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
D2dBurstOnAir::GetAcknowledgmentTurnaround() const
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
D2dBurstOnAir::GetBackoff(uint32_t failures) const
{
    const Time backoff = m_rules.retryBackoff * static_cast<int64_t>(GetRetryBackoff(failures));
    // Senders whose fragments met once would meet again if both waited for the same time
    return m_medium->Signals().Interferes() ? backoff * m_sender->GetRandom()->GetValue(0.0, 2.0)
                                            : backoff;
}

D2dArq
D2dBurstOnAir::GetArq() const
{
    // The units of a divisible packet are of use without those that fail
    return m_burst->division.units > 0 ? D2dArq::SELECTIVE_REPEAT : m_rules.arq;
}

} // namespace ns3::collab
