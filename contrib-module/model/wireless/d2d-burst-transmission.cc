/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-burst-transmission.h"

#include "ns3/simulator.h"

namespace ns3
{
namespace collab
{

D2dBurstTransmission::D2dBurstTransmission(Ptr<D2dNetDevice> sender,
                                           std::shared_ptr<const D2dBurst> burst,
                                           std::vector<D2dLink> links)
    : D2dTransmission(sender, std::move(burst), std::move(links)),
      m_sampler(sender->GetRandom())
{
}

void
D2dBurstTransmission::SendOnce()
{
    m_draws.clear();
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        const Recipient& recipient = m_recipients[i];
        Draw draw;
        draw.acknowledgments = m_sampler.SendOnce(m_fragmentation.fragments,
                                                  GetLoss(recipient),
                                                  GetAcknowledgmentLoss(recipient),
                                                  Acknowledges(),
                                                  draw.counts);
        m_draws.push_back(draw);
    }
    Transmit(m_fragmentation.fragments);
}

void
D2dBurstTransmission::StopAndWait(std::size_t index, uint32_t maxAttempts)
{
    const Recipient& recipient = m_recipients[index];
    Draw draw;
    draw.counts = recipient.counts;
    const D2dPassCost cost = m_sampler.StopAndWait(
        maxAttempts, GetLoss(recipient), GetAcknowledgmentLoss(recipient), draw.counts);
    draw.acknowledgments = cost.acknowledgments;
    m_draws.assign(1, draw);
    Transmit(cost.attempts);
}

void
D2dBurstTransmission::Transmit(uint64_t attempts)
{
    m_event = Simulator::Schedule(m_fragmentation.airtime * static_cast<int64_t>(attempts),
                                  &D2dBurstTransmission::AwaitAcknowledgments,
                                  this,
                                  attempts);
    BeginTransmitting();
    m_sender->NotifyTxBegin(m_burst->packet);
    m_sender->SniffBurst(*m_burst);
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (m_recipients[i].listening)
        {
            m_recipients[i].link.receiver->NotifyRxBegin(m_burst->packet);
        }
    }
}

void
D2dBurstTransmission::AwaitAcknowledgments(uint64_t attempts)
{
    m_sender->NotifyTxEnd(m_burst->packet);
    EndTransmitting();
    if (m_aborted)
    {
        return;
    }
    if (!Acknowledges())
    {
        EndAttempts();
        return;
    }
    m_event = Simulator::Schedule(GetAcknowledgmentWindow() * static_cast<int64_t>(attempts),
                                  &D2dBurstTransmission::EndAttempts,
                                  this);
    m_sender->BeginListening();
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        const auto count = static_cast<int64_t>(m_draws[i - m_passFirst].acknowledgments);
        if (count > 0 && IsFollowing(m_recipients[i]))
        {
            m_recipients[i].link.receiver->TransmitAcknowledgments(
                m_sender->GetAcknowledgmentAirtime() * count);
        }
    }
}

void
D2dBurstTransmission::EndAttempts()
{
    if (Acknowledges())
    {
        m_sender->EndListening(m_sender->GetEpoch());
    }
    if (m_aborted)
    {
        return;
    }
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (IsFollowing(m_recipients[i]))
        {
            m_recipients[i].counts = m_draws[i - m_passFirst].counts;
        }
    }
    EndPass();
}

} // namespace collab
} // namespace ns3
