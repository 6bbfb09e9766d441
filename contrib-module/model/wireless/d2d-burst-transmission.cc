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
    for (auto& recipient : m_recipients)
    {
        const uint64_t acknowledgments = m_sampler.SendOnce(m_fragmentation.fragments,
                                                            GetLoss(recipient),
                                                            GetAcknowledgmentLoss(recipient),
                                                            Acknowledges(),
                                                            recipient.counts);
        Acknowledge(recipient, acknowledgments);
    }
    Transmit(m_fragmentation.fragments);
}

void
D2dBurstTransmission::StopAndWait(std::size_t index, uint32_t maxAttempts)
{
    Recipient& recipient = m_recipients[index];
    const D2dPassCost cost = m_sampler.StopAndWait(
        maxAttempts, GetLoss(recipient), GetAcknowledgmentLoss(recipient), recipient.counts);
    Acknowledge(recipient, cost.acknowledgments);
    Transmit(cost.attempts);
}

void
D2dBurstTransmission::Transmit(uint64_t attempts)
{
    m_attempts += attempts;
    m_sender->SetTransmitting(true);
    m_sender->NotifyTxBegin(m_burst->packet);
    for (const auto& recipient : m_recipients)
    {
        if (recipient.listening)
        {
            recipient.link.receiver->NotifyRxBegin(m_burst->packet);
        }
    }
    m_event = Simulator::Schedule(m_fragmentation.airtime * static_cast<int64_t>(attempts),
                                  &D2dBurstTransmission::EndTransmitting,
                                  this,
                                  attempts);
}

void
D2dBurstTransmission::EndTransmitting(uint64_t attempts)
{
    m_sender->NotifyTxEnd(m_burst->packet);
    m_sender->SetTransmitting(false);
    if (!Acknowledges())
    {
        EndPass();
        return;
    }
    Ptr<D2dBurstTransmission> self = this;
    const uint64_t epoch = m_sender->GetEpoch();
    m_sender->BeginListening();
    m_event = Simulator::Schedule(GetAcknowledgmentWindow() * static_cast<int64_t>(attempts),
                                  [self, epoch]() {
                                      self->m_sender->EndListening(epoch);
                                      self->EndPass();
                                  });
}

void
D2dBurstTransmission::Acknowledge(const Recipient& recipient, uint64_t count) const
{
    if (count > 0)
    {
        recipient.link.receiver->TransmitAcknowledgments(m_sender->GetAcknowledgmentAirtime() *
                                                         static_cast<int64_t>(count));
    }
}

} // namespace collab
} // namespace ns3
