/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-contention.h"

#include "ns3/d2d-medium.h"
#include "ns3/d2d-phy.h"
#include "ns3/simulator.h"

#include <cmath>
#include <utility>

namespace ns3::collab
{

D2dContention::D2dContention(const D2dContentionRules& rules,
                             const Ptr<D2dPhy>& phy,
                             const Ptr<D2dMedium>& medium,
                             D2dBurstQueue& queue,
                             std::function<bool()> transmit)
    : m_rules(rules),
      m_phy(phy),
      m_medium(medium),
      m_queue(queue),
      m_receivers(phy, medium, queue),
      m_transmit(std::move(transmit))
{
}

D2dContention::~D2dContention()
{
    Cancel();
}

bool
D2dContention::IsMediumBusy() const
{
    return m_deferring > 0 ||
           (m_phy->GetDuplex() == D2dDuplex::HALF && m_phy->GetState().CountFollowed() > 0);
}

void
D2dContention::TryAccess()
{
    RequestAccess();
    UpdateSensing();
}

void
D2dContention::UpdateSensing()
{
    if (!m_rules.paysForSensing)
    {
        return;
    }
    const bool waits = !m_phy->GetState().IsSending() && !m_queue.IsEmpty();
    const bool senses = m_deferring > 0 || !m_backoff.IsExpired();
    Listen(waits && m_phy->IsOn() && senses);
}

void
D2dContention::Listen(bool senses)
{
    if (senses == m_listens)
    {
        return;
    }
    m_listens = senses;
    if (senses)
    {
        m_listensSince = m_phy->GetState().GetEpoch();
        m_phy->GetState().BeginListening(Simulator::Now());
    }
    else
    {
        m_phy->GetState().EndListening(m_listensSince, Simulator::Now());
    }
}

void
D2dContention::RequestAccess()
{
    if (!m_phy->IsOn() || m_phy->GetState().IsSending() || m_choosing || m_queue.IsEmpty())
    {
        return;
    }
    if (D2dTdmaSchedule* schedule = m_medium->GetTdmaSchedule())
    {
        schedule->Request(m_phy->GetChannelIndex());
        return;
    }
    if (IsMediumBusy() || !m_backoff.IsExpired())
    {
        return; // the end of that goes on
    }
    if (!m_receivers.HasReceivable())
    {
        m_receivers.AwaitPlace();
        return;
    }
    const uint32_t window = m_rules.contentionWindow;
    const uint32_t slots = window > 1 ? m_phy->GetRandom()->GetInteger(0, window - 1) : 0;
    m_backoff = Simulator::Schedule(
        m_rules.slotTime * static_cast<int64_t>(slots), &D2dContention::EndBackoff, this);
}

void
D2dContention::EndBackoff()
{
    const bool waits =
        !m_phy->GetState().IsSending() && !IsMediumBusy() && !m_transmit() && !m_queue.IsEmpty();
    if (waits && m_phy->IsOn())
    {
        m_receivers.AwaitPlace(); // others came first
    }
    UpdateSensing();
}

bool
D2dContention::BeginSensing(double powerW)
{
    const double thresholdW = std::pow(10.0, (m_rules.ccaThresholdDbm - 30) / 10);
    const bool defers = m_rules.carrierSense && powerW >= thresholdW;
    if (defers)
    {
        ++m_deferring;
    }
    UpdateSensing();
    return defers;
}

void
D2dContention::EndSensing()
{
    --m_deferring;
    TryAccess();
}

Time
D2dContention::GetTimeForAll(Time airtime, uint32_t senders) const
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
        const Time backoff = m_rules.slotTime * static_cast<int64_t>(m_rules.contentionWindow);
        return (airtime + backoff) * countTurns(m_medium->Signals().CountSubchannels());
    }
    const uint32_t receptions = m_receivers.GetMaxReceptions();
    return receptions > 0 ? airtime * countTurns(receptions) : airtime;
}

} // namespace ns3::collab
