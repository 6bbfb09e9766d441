/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-mac.h"

#include "d2d-priority-queue.h"

#include "ns3/abort.h"
#include "ns3/d2d-medium.h"
#include "ns3/d2d-transmission-factory.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"

#include <cmath>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("D2dMac");
NS_OBJECT_ENSURE_REGISTERED(D2dMac);

D2dMac::D2dMac()
    : m_address(Mac48Address::Allocate()),
      m_queue([this](uint32_t id, D2dLossReason reason) { StopBurst(id, reason); }),
      m_receivers(m_queue)
{
    NS_LOG_FUNCTION(this);
}

D2dMac::~D2dMac() = default;

Mac48Address
D2dMac::GetGroupAddress()
{
    static const Mac48Address ADDRESS("03:00:00:00:00:00");
    return ADDRESS;
}

void
D2dMac::NotifyConstructionCompleted()
{
    Object::NotifyConstructionCompleted();
    if (!GetQueue())
    {
        SetQueue(CreateObject<D2dPriorityQueue>());
    }
}

void
D2dMac::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_backoffEvent.Cancel();
    m_receivers.Reset();
    SetTransmission(nullptr);
    m_queue.Clear();
    m_queue.SetQueue(nullptr);
    m_receiveCallback = nullptr;
    m_powerCallback = nullptr;
    m_receivers.SetMedium(nullptr);
    m_medium = nullptr;
    Object::DoDispose();
}

void
D2dMac::SetPhy(Ptr<D2dPhy> phy)
{
    m_phy = phy;
    m_phy->SetUser(this);
    m_phy->SetMemoryAbove(0, static_cast<D2dPhyUser*>(this), &m_receiveCallback + 1);
    m_receivers.SetPhy(PeekPointer(phy));
}

const Ptr<D2dPhy>&
D2dMac::GetPhy() const
{
    return m_phy;
}

void
D2dMac::SetReceiveCallback(ReceiveCallback callback)
{
    m_receiveCallback = std::move(callback);
}

void
D2dMac::SetPowerCallback(std::function<void()> callback)
{
    m_powerCallback = std::move(callback);
}

void
D2dMac::SetAddress(Mac48Address address)
{
    m_address = address;
}

Mac48Address
D2dMac::GetAddress() const
{
    return m_address;
}

void
D2dMac::Join(Ptr<D2dMedium> medium)
{
    m_medium = medium;
    m_phy->SetAir(medium);
    m_receivers.SetMedium(PeekPointer(medium));
    medium->Add(m_phy, *this);
    medium->LimitReceptions(GetMaxReceptions() > 0 || GetReceiverSensing());
    medium->NoteOverhearing(m_overhearing);
}

const Ptr<D2dMedium>&
D2dMac::GetMedium() const
{
    return m_medium;
}

void
D2dMac::SetTransmission(Ptr<D2dTransmission> transmission)
{
    m_transmission = std::move(transmission);
    if (m_phy)
    {
        m_phy->SetSending(static_cast<bool>(m_transmission));
    }
}

uint32_t
D2dMac::SendBurst(D2dBurst draft, D2dBurstCallback over)
{
    NS_LOG_FUNCTION(this << draft.packet << draft.destination << draft.protocol);
    NS_ABORT_MSG_UNLESS(m_medium, "D2dMac: the device is not attached to a D2dChannel");
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
    burst->id = m_nextBurst++;
    burst->source = m_address;
    burst->sourceNode = m_phy->GetNode()->GetId();
    burst->packet = burst->packet->Copy();
    burst->queued = Simulator::Now();
    m_macTxTrace(burst->packet);
    if (m_runOver)
    {
        DropBurst(burst, D2dLossReason::RUN_ENDED, over);
        return 0;
    }
    if (!m_phy->IsOn())
    {
        DropBurst(burst, D2dLossReason::TRANSMITTER_OFF, over);
        return 0;
    }
    m_phy->GetState().TellBurstEnds(true);
    if (!m_queue.Add(burst, over))
    {
        DropBurst(burst, D2dLossReason::QUEUE_FULL, over);
        return 0;
    }
    TryAccess();
    return m_queue.FindWaiting(burst->id) ? burst->id : 0;
}

bool
D2dMac::SendPacket(Ptr<Packet> packet, Mac48Address destination, uint16_t protocol)
{
    SocketPriorityTag priority;
    priority.SetPriority(0); // ns-3 leaves it undefined
    packet->PeekPacketTag(priority);
    D2dBurst burst;
    burst.packet = packet;
    burst.destination = destination;
    burst.protocol = protocol;
    burst.reliability = destination.IsGroup() ? D2dReliability::BEST_EFFORT : m_unicastReliability;
    burst.priority = priority.GetPriority();
    return SendBurst(std::move(burst)) != 0;
}

void
D2dMac::RefusePacket(Ptr<const Packet> packet)
{
    m_macTxDropTrace(packet);
}

bool
D2dMac::CancelBurst(uint32_t id)
{
    NS_LOG_FUNCTION(this << id);
    return StopBurst(id, D2dLossReason::CANCELLED);
}

bool
D2dMac::StopBurst(uint32_t id, D2dLossReason reason)
{
    NS_LOG_FUNCTION(this << id << ToString(reason));
    if (m_transmission && m_transmission->GetBurst().id == id)
    {
        Ptr<D2dTransmission> transmission = m_transmission;
        return transmission->Abort(reason);
    }
    if (const auto burst = m_queue.FindWaiting(id))
    {
        const auto pending = m_queue.Remove(id);
        m_receivers.ReleaseClaim(); // perhaps it was for this burst; else it is made again
        if (m_queue.IsEmpty())
        {
            m_receivers.Open();
        }
        UpdateSensing();
        DropBurst(burst, reason, pending->over);
        return true;
    }
    return false;
}

uint64_t
D2dMac::GetBytesSent(uint32_t id) const
{
    const Ptr<D2dTransmission> transmission = m_queue.FindTransmission(id);
    return transmission ? transmission->GetBytesSent() : 0;
}

void
D2dMac::EndRun()
{
    NS_LOG_FUNCTION(this);
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
            DropBurst(pending->burst, D2dLossReason::RUN_ENDED, pending->over);
        }
    }
}

bool
D2dMac::IsMediumBusy() const
{
    return m_sensing.IsDeferring() ||
           (m_phy->GetDuplex() == D2dDuplex::HALF && m_phy->GetState().CountFollowed() > 0);
}

void
D2dMac::TryAccess()
{
    RequestAccess();
    UpdateSensing();
}

void
D2dMac::UpdateSensing()
{
    if (!m_paysForSensing)
    {
        return;
    }
    const bool waits = !m_transmission && !m_queue.IsEmpty();
    const bool senses = m_sensing.IsDeferring() || !m_backoffEvent.IsExpired();
    m_sensing.Listen(*m_phy, waits && m_phy->IsOn() && !m_phy->IsAsleep() && senses);
}

void
D2dMac::RequestAccess()
{
    if (!m_phy->IsOn() || m_phy->IsAsleep() || m_transmission || m_choosing || m_queue.IsEmpty())
    {
        return;
    }
    if (D2dTdmaSchedule* schedule = m_medium->GetTdmaSchedule())
    {
        schedule->Request(m_phy->GetChannelIndex());
        return;
    }
    if (IsMediumBusy() || !m_backoffEvent.IsExpired())
    {
        return; // EndBurst(), EndSensing() or EndBackoff() goes on
    }
    if (!m_receivers.HasReceivable())
    {
        m_receivers.AwaitPlace();
        return;
    }
    const uint32_t slots =
        m_contentionWindow > 1 ? m_phy->GetRandom()->GetInteger(0, m_contentionWindow - 1) : 0;
    m_backoffEvent =
        Simulator::Schedule(m_slotTime * static_cast<int64_t>(slots), &D2dMac::EndBackoff, this);
}

void
D2dMac::EndBackoff()
{
    NS_LOG_FUNCTION(this);
    const bool waits = !m_transmission && !IsMediumBusy() && !Transmit() && !m_queue.IsEmpty();
    if (waits && m_phy->IsOn() && !m_phy->IsAsleep())
    {
        m_receivers.AwaitPlace(); // others came first
    }
    UpdateSensing();
}

void
D2dMac::RetryAccess()
{
    TryAccess();
}

bool
D2dMac::TakeTurn()
{
    NS_LOG_FUNCTION(this);
    return m_phy->IsOn() && !m_phy->IsAsleep() && !m_transmission && Transmit();
}

bool
D2dMac::Transmit()
{
    // Who is told of something in here may send, and so ask for access again
    m_choosing = true;
    bool sends = false;
    while (const auto burst = m_receivers.TakeNext())
    {
        sends = Start(burst);
        if (sends || m_sleepWanted)
        {
            break;
        }
    }
    m_choosing = false;
    if (!sends)
    {
        m_receivers.Open(); // it cannot send, and so keeps nobody waiting
    }
    if (!m_transmission)
    {
        TrySleep();
    }
    if (sends)
    {
        TryAccess(); // if it was cut off at once
    }
    return sends;
}

bool
D2dMac::Start(const std::shared_ptr<const D2dBurst>& burst)
{
    const auto audience = m_medium->Links().DrawAudience(*m_phy, *burst);
    if (audience->links.empty() && (burst->group || !burst->destination.IsGroup()))
    {
        const auto pending = m_queue.Remove(burst->id);
        DropBurst(burst, D2dLossReason::UNKNOWN_ADDRESS, pending->over);
        return false;
    }
    const Ptr<D2dMac> self = this;
    D2dTransmissionOrder order;
    order.sender = m_phy;
    order.medium = m_medium;
    order.burst = burst;
    order.audience = audience;
    order.spectralEfficiency = m_phy->ChooseSpectralEfficiency(audience->links);
    order.rules = GetArqRules(burst->maxAttempts);
    order.done = [self]() { self->ReleaseMedium(); };
    order.over = [self, id = burst->id]() { return self->ForgetBurst(id); };
    const Ptr<D2dTransmission> transmission = MakeD2dTransmission(std::move(order));
    SetTransmission(transmission);
    m_queue.SetTransmission(burst->id, transmission);
    transmission->Start();
    m_receivers.ReleaseClaim();
    return true;
}

bool
D2dMac::BeginSensing(double powerW)
{
    const double thresholdW = std::pow(10.0, (m_ccaThresholdDbm - 30) / 10);
    const bool defers = m_carrierSense && powerW >= thresholdW;
    if (defers)
    {
        m_sensing.Defer();
    }
    UpdateSensing();
    return defers;
}

void
D2dMac::EndSensing()
{
    m_sensing.Resume();
    TryAccess();
}

void
D2dMac::DropBurst(const std::shared_ptr<const D2dBurst>& burst,
                  D2dLossReason reason,
                  const D2dBurstCallback& over)
{
    NS_LOG_FUNCTION(this << burst->id << ToString(reason));
    m_macTxDropTrace(burst->packet);
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
    m_burstEndTrace(report);
    if (over)
    {
        over(report);
    }
}

std::vector<D2dReceiverOutcome>
D2dMac::MakeOutcomes(const D2dBurst& burst, D2dLossReason reason, uint32_t fragments) const
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

void
D2dMac::ReleaseMedium()
{
    SetTransmission(nullptr);
    if (D2dTdmaSchedule* schedule = m_medium->GetTdmaSchedule())
    {
        schedule->Release();
    }
    m_receivers.Open(); // it has sent
    TrySleep();
    TryAccess();
    m_receivers.OfferPlace(); // it hears again
}

D2dBurstCallback
D2dMac::ForgetBurst(uint32_t burst)
{
    const auto pending = m_queue.Remove(burst);
    const D2dBurstCallback over = pending ? pending->over : nullptr; // or it is disposed of
    if (m_burstEndTrace.IsEmpty())
    {
        return over;
    }
    const Ptr<D2dMac> self = this;
    return [self, over](const D2dBurstReport& report) {
        self->m_burstEndTrace(report);
        if (over)
        {
            over(report);
        }
    };
}

void
D2dMac::HandleBurstEnd()
{
    const bool offersPlace = m_medium && m_medium->HasReceptionLimits();
    if (m_queue.IsEmpty() && !offersPlace)
    {
        m_phy->GetState().TellBurstEnds(false); // until there is something to send
        return;
    }
    // It waits for others that overlap, one after the other: there shall be no more of them
    const bool isHeldUp = m_phy->GetState().CountFollowed() > 0 &&
                          m_phy->GetDuplex() == D2dDuplex::HALF && !m_queue.IsEmpty();
    if (isHeldUp && m_medium->GetSettings().access == D2dAccess::OFDMA)
    {
        m_receivers.Close();
    }
    TryAccess();
    m_receivers.OfferPlace();
}

void
D2dMac::HandleTransmissionEnd()
{
    TrySleep();
}

void
D2dMac::HandleListening()
{
    if (const Ptr<D2dTransmission> transmission = m_transmission)
    {
        transmission->HandleListening();
    }
}

void
D2dMac::Receive(const D2dBurst& burst,
                const Address& source,
                const Ptr<const Packet>& packet,
                const std::vector<uint32_t>& units)
{
    NS_LOG_FUNCTION(this << burst.source << burst.id);
    if (!m_macRxTrace.IsEmpty())
    {
        m_macRxTrace(packet);
    }
    if (m_receiveCallback)
    {
        m_receiveCallback(burst, source, packet, units);
    }
}

void
D2dMac::SwitchOff()
{
    NS_LOG_FUNCTION(this);
    if (!m_phy->IsOn())
    {
        return;
    }
    // All this before anybody is told, who could make the radio act again
    m_phy->GetState().TurnOff();
    m_sleepWanted = false;
    m_backoffEvent.Cancel();
    const auto waiting = m_queue.TakeWaiting();
    m_phy->GetState().BeginEpoch();
    UpdateSensing();
    m_receivers.Open();
    if (const Ptr<D2dTransmission> transmission = m_transmission)
    {
        transmission->Abort(D2dLossReason::TRANSMITTER_OFF);
    }
    for (const auto& pending : waiting)
    {
        DropBurst(pending.burst, D2dLossReason::TRANSMITTER_OFF, pending.over);
    }
    m_phy->GetState().NotifyActivity();
    NotifyPower();
    m_receivers.ReleaseClaim();
    m_receivers.OfferPlace();
}

void
D2dMac::SwitchOn()
{
    NS_LOG_FUNCTION(this);
    if (!m_phy->IsOn())
    {
        m_phy->GetState().TurnOn();
        NotifyPower();
    }
}

void
D2dMac::NotifyPower()
{
    if (m_powerCallback)
    {
        m_powerCallback();
    }
}

void
D2dMac::Sleep()
{
    NS_LOG_FUNCTION(this);
    m_sleepWanted = m_phy->IsOn() && !m_phy->IsAsleep();
    TrySleep();
}

void
D2dMac::TrySleep()
{
    if (!m_sleepWanted || m_choosing || m_transmission || m_phy->GetActivity().transmitting > 0)
    {
        return;
    }
    m_sleepWanted = false;
    m_backoffEvent.Cancel();
    m_phy->GetState().FallAsleep();
    UpdateSensing();
    m_receivers.Open();
    m_receivers.ReleaseClaim();
    m_receivers.OfferPlace();
}

void
D2dMac::Wake()
{
    NS_LOG_FUNCTION(this);
    m_sleepWanted = false;
    m_phy->GetState().WakeUp();
    TryAccess();
}

D2dArqRules
D2dMac::GetArqRules(uint32_t maxAttempts) const
{
    D2dArqRules rules;
    rules.arq = m_arq;
    rules.combining = m_combining;
    rules.maxAttempts = maxAttempts > 0 ? maxAttempts : m_maxAttempts;
    rules.retryBackoff = m_retryBackoff;
    rules.turnaround = m_turnaround;
    return rules;
}

Time
D2dMac::GetTimeForAll(Time airtime, uint32_t senders) const
{
    const D2dChannelSettings& settings = m_medium->GetSettings();
    const auto all = static_cast<int64_t>(senders);
    if (settings.access == D2dAccess::TDMA)
    {
        return (airtime + settings.tdmaSlot + settings.tdmaGuardTime) * all;
    }
    const auto countTurns = [all](int64_t atOnce) { return (all + atOnce - 1) / atOnce; };
    if (settings.Interferes())
    {
        const Time backoff = m_slotTime * static_cast<int64_t>(m_contentionWindow);
        return (airtime + backoff) * countTurns(m_medium->Signals().CountSubchannels());
    }
    const uint32_t receptions = GetMaxReceptions();
    return receptions > 0 ? airtime * countTurns(receptions) : airtime;
}

void
D2dMac::SetQueue(Ptr<Queue<Packet>> queue)
{
    m_queue.SetQueue(queue);
}

Ptr<Queue<Packet>>
D2dMac::GetQueue() const
{
    return m_queue.GetQueue();
}

uint32_t
D2dMac::GetMaxReceptions() const
{
    return m_receivers.GetMaxReceptions();
}

void
D2dMac::SetMaxReceptions(uint32_t bursts)
{
    m_receivers.SetMaxReceptions(bursts);
}

D2dOverhearing
D2dMac::GetOverhearing() const
{
    return m_overhearing;
}

void
D2dMac::SetOverhearing(D2dOverhearing overhearing)
{
    m_overhearing = overhearing;
    if (m_medium)
    {
        m_medium->NoteOverhearing(overhearing);
    }
}

bool
D2dMac::GetReceiverSensing() const
{
    return m_receivers.GetReceiverSensing();
}

void
D2dMac::SetReceiverSensing(bool enabled)
{
    m_receivers.SetReceiverSensing(enabled);
}

const D2dReceiverAccess&
D2dMac::GetReceiverAccess() const
{
    return m_receivers;
}

} // namespace collab
} // namespace ns3
