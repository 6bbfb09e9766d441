/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-outbox.h"

#include "ns3/abort.h"
#include "ns3/d2d-audience.h"
#include "ns3/d2d-medium.h"
#include "ns3/d2d-phy.h"
#include "ns3/d2d-transmission.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @brief Whom a burst has still to be sent to, since they transmitted when it began.
/// @param report what came of its sending
/// @return their nodes; null if there are none
D2dGroup
FindDeaf(const D2dBurstReport& report)
{
    std::vector<uint32_t> nodes;
    for (const auto& outcome : report.outcomes)
    {
        if (outcome.reason == D2dLossReason::HALF_DUPLEX)
        {
            nodes.push_back(outcome.receiverNode);
        }
    }
    return nodes.empty() ? nullptr
                         : std::make_shared<const std::vector<uint32_t>>(std::move(nodes));
}

/// @brief Put together what came of a burst that was sent several times, each time to those who had
/// transmitted before.
/// @param[in,out] whole what came of it before
/// @param part what came of it now, at some of its receivers
void
JoinReport(D2dBurstReport& whole, const D2dBurstReport& part)
{
    whole.fragments = part.fragments;
    whole.fragmentBytes = part.fragmentBytes;
    whole.attempts += part.attempts;
    whole.bytesSent = std::max(whole.bytesSent, part.bytesSent);
    whole.spectralEfficiency =
        part.attempts > 0 ? part.spectralEfficiency : whole.spectralEfficiency;
    whole.end = part.end;
    whole.airtime += part.airtime;
    whole.stopped = part.stopped;
    std::map<uint32_t, const D2dReceiverOutcome*> now;
    for (const auto& outcome : part.outcomes)
    {
        now[outcome.receiverNode] = &outcome;
    }
    for (auto& outcome : whole.outcomes)
    {
        const auto found = now.find(outcome.receiverNode);
        outcome = found != now.end() ? *found->second : outcome;
    }
}

} // namespace

D2dOutbox::D2dOutbox(const Traces& traces,
                     const Ptr<D2dPhy>& phy,
                     const Ptr<D2dMedium>& medium,
                     D2dBurstQueue::LossCallback lost)
    : m_traces(traces),
      m_phy(phy),
      m_medium(medium),
      m_queue(std::move(lost))
{
}

std::shared_ptr<const D2dBurst>
D2dOutbox::Take(D2dBurst draft, Mac48Address source, const D2dBurstCallback& over)
{
    NS_ABORT_MSG_IF(draft.group && !draft.destination.IsGroup(),
                    "D2dMac::SendBurst: a group, but the destination " << draft.destination
                                                                       << " is a device");
    auto burst = std::make_shared<D2dBurst>(std::move(draft));
    const D2dDivision& division = burst->division;
    NS_ABORT_MSG_IF(division.units > 0 &&
                        burst->packet->GetSize() !=
                            division.headerBytes + uint64_t{division.units} * division.unitBytes,
                    "D2dMac::SendBurst: a packet of "
                        << burst->packet->GetSize() << " bytes is not a header of "
                        << division.headerBytes << " bytes and " << division.units << " units of "
                        << division.unitBytes);
    burst->id = m_next++;
    burst->source = source;
    burst->sourceNode = m_phy->GetNode()->GetId();
    burst->packet = burst->packet->Copy();
    burst->queued = Simulator::Now();
    m_traces.given(burst->packet);
    D2dBurstQueue::Pending pending;
    pending.burst = burst;
    pending.over = over;
    if (m_runOver || !m_phy->IsOn())
    {
        Drop(pending, m_runOver ? D2dLossReason::RUN_ENDED : D2dLossReason::TRANSMITTER_OFF);
        return nullptr;
    }
    m_phy->GetState().TellBurstEnds(true);
    if (!m_queue.Add(burst, over))
    {
        Drop(pending, D2dLossReason::QUEUE_FULL);
        return nullptr;
    }
    return burst;
}

void
D2dOutbox::Drop(const D2dBurstQueue::Pending& pending, D2dLossReason reason)
{
    const auto& burst = pending.burst;
    D2dBurstReport report;
    report.burst = burst;
    report.senderNode = m_phy->GetNode()->GetId();
    const D2dFragmentation fragmentation =
        m_phy->GetFragmentation(*burst, m_phy->GetSpectralEfficiency());
    report.fragments = fragmentation.fragments;
    report.fragmentBytes = fragmentation.fragmentBytes;
    report.start = Simulator::Now();
    report.end = Simulator::Now();
    report.stopped = reason;
    report.outcomes = MakeOutcomes(*burst, reason, fragmentation.fragments);
    if (pending.before)
    {
        D2dBurstReport whole = *pending.before;
        JoinReport(whole, report);
        report = std::move(whole);
    }
    else
    {
        m_traces.dropped(burst->packet);
    }
    m_traces.ended(report);
    if (pending.over)
    {
        pending.over(report);
    }
}

void
D2dOutbox::Postpone(const D2dBurst& burst, const D2dAudience& audience)
{
    std::vector<uint32_t> nodes;
    for (const auto& link : audience.links)
    {
        nodes.push_back(link.receiverNode);
    }
    const auto group = std::make_shared<const std::vector<uint32_t>>(std::move(nodes));
    if (!m_queue.AddAgain(burst.id, group, m_queue.GetBefore(burst.id)))
    {
        Drop(*m_queue.Remove(burst.id), D2dLossReason::QUEUE_FULL);
    }
}

bool
D2dOutbox::GoOn(const D2dBurstReport& report)
{
    const uint32_t id = report.burst->id;
    auto whole = std::make_shared<D2dBurstReport>(report);
    if (const auto before = m_queue.GetBefore(id))
    {
        *whole = *before;
        JoinReport(*whole, report);
    }
    const bool isKnown = m_queue.FindTransmission(id) != nullptr; // or the device is disposed of
    const bool mayGoOn = isKnown && report.stopped == D2dLossReason::NONE && m_phy->IsOn() &&
                         !m_runOver && report.burst->deadline > Simulator::Now();
    const D2dGroup deaf = mayGoOn ? FindDeaf(report) : nullptr;
    if (deaf && m_queue.AddAgain(id, deaf, whole))
    {
        return true;
    }
    if (const D2dBurstCallback over = Forget(id))
    {
        over(*whole);
    }
    return false;
}

std::vector<D2dReceiverOutcome>
D2dOutbox::MakeOutcomes(const D2dBurst& burst, D2dLossReason reason, uint32_t fragments) const
{
    D2dReceiverOutcome outcome;
    outcome.lostFragments = fragments;
    outcome.lostUnits = burst.division.units;
    outcome.reason = reason;
    outcome.ended = Simulator::Now();
    if (!burst.destination.IsGroup())
    {
        const D2dPhy* receiver = m_medium->Links().Find(burst.destination);
        outcome.receiver = burst.destination;
        outcome.receiverNode =
            receiver ? receiver->GetNode()->GetId() : D2dReceiverOutcome::NO_NODE;
        return {outcome};
    }
    std::vector<D2dReceiverOutcome> outcomes;
    for (const auto& link : m_medium->Links().GetAudience(*m_phy, burst)->links)
    {
        outcome.receiver = m_medium->Links().GetAddress(link.receiverIndex);
        outcome.receiverNode = link.receiverNode;
        outcomes.push_back(outcome);
    }
    return outcomes;
}

D2dBurstCallback
D2dOutbox::Forget(uint32_t burst)
{
    const auto pending = m_queue.Remove(burst);
    D2dBurstCallback over = pending ? pending->over : nullptr; // or the device is disposed of
    if (m_traces.ended.IsEmpty())
    {
        return over;
    }
    return [this, over](const D2dBurstReport& report) {
        m_traces.ended(report);
        if (over)
        {
            over(report);
        }
    };
}

void
D2dOutbox::EndRun()
{
    m_runOver = true;
    while (const auto id = m_queue.FindOldest())
    {
        if (const Ptr<D2dTransmission> transmission = m_queue.FindTransmission(*id))
        {
            transmission->EndRun(); // on air, or on its way to the receivers
        }
        else
        {
            const auto pending = m_queue.Remove(*id);
            Drop(*pending, D2dLossReason::RUN_ENDED);
        }
    }
}

uint64_t
D2dOutbox::GetBytesSent(uint32_t burst) const
{
    const Ptr<D2dTransmission> transmission = m_queue.FindTransmission(burst);
    const auto before = m_queue.GetBefore(burst);
    return std::max(before ? before->bytesSent : 0,
                    transmission ? transmission->GetBytesSent() : 0);
}

} // namespace ns3::collab
