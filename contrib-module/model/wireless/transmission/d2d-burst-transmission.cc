/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-burst-transmission.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace collab
{

D2dBurstTransmission::D2dBurstTransmission(Ptr<D2dNetDevice> sender,
                                           std::shared_ptr<const D2dBurst> burst,
                                           std::shared_ptr<const D2dAudience> audience,
                                           double spectralEfficiency)
    : D2dTransmission(sender, std::move(burst), std::move(audience), spectralEfficiency),
      m_sampler(sender->GetRandom()),
      m_states(m_recipients.size())
{
}

void
D2dBurstTransmission::SendOnce()
{
    m_draws.clear();
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        const D2dRecipient& recipient = m_recipients[i];
        Draw draw;
        draw.acknowledgments = m_sampler.SendOnce(m_fragmentation.fragments,
                                                  recipient.loss,
                                                  recipient.acknowledgmentLoss,
                                                  Acknowledges(),
                                                  draw.counts);
        m_draws.push_back(draw);
    }
    m_cost = {};
    m_cost.attempts = m_fragmentation.fragments;
    m_cost.windows = GetArq() == D2dArq::SELECTIVE_REPEAT ? 1 : uint64_t{m_fragmentation.fragments};
    m_repeating = false;
    Transmit();
}

void
D2dBurstTransmission::Repeat(std::size_t index, uint32_t maxAttempts)
{
    const D2dRecipient& recipient = m_recipients[index];
    const double loss = IsFollowing(recipient) ? recipient.loss : 1.0;
    Draw draw;
    draw.counts = recipient.counts;
    m_cost =
        GetArq() == D2dArq::SELECTIVE_REPEAT
            ? m_sampler.SelectiveRepeat(
                  maxAttempts, loss, recipient.acknowledgmentLoss, draw.counts)
            : m_sampler.StopAndWait(maxAttempts, loss, recipient.acknowledgmentLoss, draw.counts);
    draw.acknowledgments = m_cost.acknowledgments;
    m_draws.assign(1, draw);
    m_repeating = true;
    Transmit();
}

void
D2dBurstTransmission::Transmit()
{
    m_passStart = Simulator::Now();
    m_event = Simulator::Schedule(m_fragmentation.airtime * static_cast<int64_t>(m_cost.attempts),
                                  &D2dBurstTransmission::EndTransmission,
                                  this);
    BeginTransmitting();
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

void
D2dBurstTransmission::EndTransmission()
{
    m_sender->NotifyTxEnd(m_burst->packet);
    EndTransmitting();
    if (m_aborted)
    {
        return;
    }
    if (!Acknowledges())
    {
        ApplyPass();
        return;
    }
    const Time window = GetAcknowledgmentTurnaround() * static_cast<int64_t>(m_cost.windows) +
                        GetAcknowledgmentAirtime() * static_cast<int64_t>(m_cost.attempts);
    m_event = Simulator::Schedule(window, &D2dBurstTransmission::EndAcknowledgments, this);
    BeginListening();
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        const auto count = static_cast<int64_t>(m_draws[i - m_passFirst].acknowledgments);
        if (count > 0 && IsFollowing(m_recipients[i]))
        {
            D2dNetDevice& receiver = *m_recipients[i].link->receiver;
            receiver.TransmitAcknowledgments(receiver.GetAcknowledgmentAirtime() * count);
        }
    }
}

void
D2dBurstTransmission::EndAcknowledgments()
{
    EndListening();
    if (m_aborted)
    {
        return;
    }
    const Time wait = m_sender->GetRetryBackoff() * static_cast<int64_t>(m_cost.backoffs);
    if (wait.IsZero())
    {
        ApplyPass();
        return;
    }
    m_event = Simulator::Schedule(wait, &D2dBurstTransmission::ApplyPass, this);
}

void
D2dBurstTransmission::ApplyPass()
{
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (IsFollowing(m_recipients[i]))
        {
            m_recipients[i].counts = m_draws[i - m_passFirst].counts;
            m_states[i].clear(); // they were drawn for the counts before
        }
    }
    EndPass();
}

void
D2dBurstTransmission::CompletePassAt(std::size_t)
{
    // ApplyPass() has done it
}

void
D2dBurstTransmission::CutPass()
{
    if (m_repeating)
    {
        return;
    }
    const uint32_t all = m_fragmentation.fragments;
    const int64_t elapsed = (Simulator::Now() - m_passStart).GetTimeStep();
    const auto sent = static_cast<uint32_t>(
        std::min<int64_t>(all, elapsed / m_fragmentation.airtime.GetTimeStep()));
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        D2dRecipient& recipient = m_recipients[i];
        if (!IsFollowing(recipient))
        {
            continue;
        }
        // Those that the whole pass would have brought are anywhere in it
        const D2dFragmentCounts& whole = m_draws[i - m_passFirst].counts;
        const uint32_t received =
            m_sampler.DrawHypergeometric(sent, all - whole.missing, whole.missing);
        m_states[i] = m_sampler.DrawStates(sent, {sent - received, received});
        m_states[i].resize(all, D2dFragmentState::MISSING);
        recipient.counts = {all - received, received};
    }
}

bool
D2dBurstTransmission::ShowsFragments() const
{
    return false;
}

std::vector<D2dFragmentState>
D2dBurstTransmission::GetStates(std::size_t recipient)
{
    if (m_states[recipient].empty())
    {
        m_states[recipient] =
            m_sampler.DrawStates(m_fragmentation.fragments, m_recipients[recipient].counts);
    }
    return m_states[recipient];
}

} // namespace collab
} // namespace ns3
