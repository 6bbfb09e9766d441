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

#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2dMac");
NS_OBJECT_ENSURE_REGISTERED(D2dMac);

D2dMac::D2dMac()
    : m_address(Mac48Address::Allocate()),
      m_outbox({m_macTxTrace, m_macTxDropTrace, m_burstEndTrace},
               m_phy,
               m_medium,
               [this](uint32_t id, D2dLossReason reason) { StopBurst(id, reason); }),
      m_queue(m_outbox.GetQueue()),
      m_contention(*this, m_phy, m_medium, m_queue, [this]() { return Transmit(); }),
      m_receivers(m_contention.GetReceivers())
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
    m_contention.Cancel();
    m_receivers.Reset();
    SetTransmission(nullptr);
    m_queue.Clear();
    m_queue.SetQueue(nullptr);
    m_receiveCallback = nullptr;
    m_powerCallback = nullptr;
    m_medium = nullptr;
    Object::DoDispose();
}

void
D2dMac::SetPhy(Ptr<D2dPhy> phy)
{
    m_phy = phy;
    m_phy->SetUser(this);
    m_phy->SetMemoryAbove(0, static_cast<D2dPhyUser*>(this), &m_receiveCallback + 1);
}

void
D2dMac::Join(Ptr<D2dMedium> medium)
{
    m_medium = medium;
    m_phy->SetAir(medium);
    medium->Add(m_phy, *this);
    medium->LimitReceptions(GetMaxReceptions() > 0 || GetReceiverSensing());
    medium->NoteOverhearing(m_overhearing);
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
D2dMac::SendBurst(D2dBurst burst, D2dBurstCallback over)
{
    NS_LOG_FUNCTION(this << burst.packet << burst.destination << burst.protocol);
    NS_ABORT_MSG_UNLESS(m_medium, "D2dMac: the device is not attached to a D2dChannel");
    const auto taken = m_outbox.Take(std::move(burst), m_address, over);
    if (!taken)
    {
        return 0;
    }
    m_contention.TryAccess();
    return m_queue.FindWaiting(taken->id) ? taken->id : 0;
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
        m_contention.UpdateSensing();
        m_outbox.Drop(*pending, reason);
        return true;
    }
    m_queue.EndSeries(id); // if it was on air just now, and would go on
    return false;
}

void
D2dMac::EndRun()
{
    NS_LOG_FUNCTION(this);
    m_outbox.EndRun();
}

bool
D2dMac::TakeTurn()
{
    NS_LOG_FUNCTION(this);
    return m_phy->IsOn() && !m_transmission && Transmit();
}

bool
D2dMac::Transmit()
{
    // Who is told of something in here may send, and so ask for access again
    m_contention.SetChoosing(true);
    bool sends = false;
    while (const auto next = m_receivers.TakeNext())
    {
        sends = Start(next.burst, next.audience);
        if (sends)
        {
            break;
        }
    }
    m_contention.SetChoosing(false);
    if (!sends)
    {
        m_receivers.Open(); // it cannot send, and so keeps nobody waiting
    }
    if (sends)
    {
        m_contention.TryAccess(); // if it was cut off at once
    }
    return sends;
}

bool
D2dMac::Start(const std::shared_ptr<const D2dBurst>& burst,
              std::shared_ptr<const D2dAudience> audience)
{
    if (audience->links.empty() && (burst->group || !burst->destination.IsGroup()))
    {
        const auto pending = m_queue.Remove(burst->id);
        m_outbox.Drop(*pending, D2dLossReason::UNKNOWN_ADDRESS);
        return false;
    }
    const bool sparesDeaf = m_receivers.SparesDeaf(*burst);
    if (sparesDeaf && m_receivers.IsDeaf(*audience))
    {
        m_outbox.Postpone(*burst, *audience);
        return false;
    }
    const Ptr<D2dMac> self = this;
    D2dTransmissionOrder order;
    order.sender = m_phy;
    order.medium = m_medium;
    order.burst = burst;
    order.spectralEfficiency = m_phy->ChooseSpectralEfficiency(audience->links);
    order.audience = std::move(audience);
    order.rules = GetArqRules(burst->maxAttempts);
    order.rules.sparesDeaf = sparesDeaf;
    order.done = [self]() { self->ReleaseMedium(); };
    order.over = [self, id = burst->id, sparesDeaf]() {
        return sparesDeaf ? [self](const D2dBurstReport& report) { self->GoOn(report); }
                          : self->m_outbox.Forget(id);
    };
    const Ptr<D2dTransmission> transmission = MakeD2dTransmission(std::move(order));
    SetTransmission(transmission);
    m_queue.SetTransmission(burst->id, transmission);
    transmission->Start();
    m_receivers.ReleaseClaim();
    return true;
}

void
D2dMac::GoOn(const D2dBurstReport& report)
{
    if (m_outbox.GoOn(report))
    {
        m_contention.TryAccess();
    }
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
    m_contention.TryAccess();
    m_receivers.OfferPlace(); // it hears again
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
    m_contention.TryAccess();
    m_receivers.OfferPlace();
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
    m_contention.Cancel();
    const auto waiting = m_queue.TakeWaiting();
    m_phy->GetState().BeginEpoch();
    m_contention.UpdateSensing();
    m_receivers.Open();
    if (const Ptr<D2dTransmission> transmission = m_transmission)
    {
        transmission->Abort(D2dLossReason::TRANSMITTER_OFF);
    }
    for (const auto& pending : waiting)
    {
        m_outbox.Drop(pending, D2dLossReason::TRANSMITTER_OFF);
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

D2dArqRules
D2dMac::GetArqRules(uint32_t maxAttempts) const
{
    D2dArqRules rules = *this;
    if (maxAttempts > 0)
    {
        rules.maxAttempts = maxAttempts;
    }
    return rules;
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

} // namespace ns3::collab
