/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-burst-transmission.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

D2dBurstTransmission::D2dBurstTransmission(D2dTransmissionOrder order)
    : D2dTransmission(std::move(order), false),
      m_sampler(m_sender->GetRandom()),
      m_keeps(m_recipients.size()),
      m_states(m_recipients.size())
{
}

void
D2dBurstTransmission::SendOnce()
{
    m_inRound = m_fragmentation.fragments;
    m_maxRounds = 1;
    m_roundsBegun = 0;
    BeginRound();
}

void
D2dBurstTransmission::Repeat(std::size_t index, uint32_t maxAttempts)
{
    m_inRound = m_recipients[index].counts.Outstanding();
    m_maxRounds = maxAttempts;
    m_roundsBegun = 0;
    BeginRound();
}

void
D2dBurstTransmission::BeginRound()
{
    ++m_roundsBegun;
    m_roundStart = Simulator::Now();
    m_rounds.assign(m_passLast - m_passFirst, Round());
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        m_rounds[i - m_passFirst].waiting = m_recipients[i].counts;
    }
    m_event = Simulator::Schedule(m_fragmentation.airtime * static_cast<int64_t>(m_inRound),
                                  &D2dBurstTransmission::EndTransmission,
                                  this);
    BeginRow();
    BeginTransmitting();
    if (!m_aborted)
    {
        ShowBegin();
    }
}

void
D2dBurstTransmission::EndTransmission()
{
    m_sender->NotifyTxEnd(m_burst->packet);
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (IsFollowing(m_recipients[i]))
        {
            Settle(i, m_inRound);
        }
    }
    EndRow();
    m_radio.EndTransmitting();
    if (m_aborted)
    {
        return;
    }
    if (!Acknowledges())
    {
        EndPass();
        return;
    }
    m_event = Simulator::Schedule(GetAcknowledgmentTurnaround() +
                                      GetAcknowledgmentAirtime() * static_cast<int64_t>(m_inRound),
                                  &D2dBurstTransmission::EndWindow,
                                  this);
    m_radio.BeginListening();
    std::vector<std::size_t> whole;
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (IsFollowing(m_recipients[i]))
        {
            Acknowledge(i);
            if (m_recipients[i].counts.missing == 0 && !m_recipients[i].delivered)
            {
                whole.push_back(i);
            }
        }
    }
    ScheduleHandingUp(whole);
}

void
D2dBurstTransmission::Acknowledge(std::size_t index)
{
    Round& round = m_rounds[index - m_passFirst];
    if (round.acknowledgments == 0)
    {
        return;
    }
    D2dRecipient& recipient = m_recipients[index];
    if (!m_keeps[index])
    {
        round.heard = static_cast<uint32_t>(
            m_sampler.DrawBinomial(round.acknowledgments, 1 - recipient.acknowledgmentLoss));
    }
    for (const uint32_t fragment : round.arrived)
    {
        if (m_sampler.DrawUniform() >= recipient.acknowledgmentLoss)
        {
            m_states[index][fragment] = D2dFragmentState::ACKNOWLEDGED;
            round.heardOf.push_back(fragment);
            ++round.heard;
        }
    }
    recipient.counts.unacknowledged -= round.heard;
    D2dPhy& receiver = *recipient.link->receiver;
    receiver.TransmitAcknowledgments(receiver.GetAcknowledgmentAirtime() *
                                     static_cast<int64_t>(round.acknowledgments));
}

void
D2dBurstTransmission::EndWindow()
{
    m_radio.EndListening();
    if (m_aborted)
    {
        return;
    }
    m_rounds.assign(m_passLast - m_passFirst, Round());
    m_inRound = m_recipients[m_passFirst].counts.Outstanding();
    if (m_roundsBegun == m_maxRounds || m_inRound == 0)
    {
        EndPass();
        return;
    }
    m_event =
        Simulator::Schedule(GetBackoff(m_roundsBegun), &D2dBurstTransmission::BeginRound, this);
}

uint32_t
D2dBurstTransmission::CountSent(Time delay) const
{
    const Time elapsed = Max(Time(), Simulator::Now() - m_roundStart - delay);
    return static_cast<uint32_t>(std::min<int64_t>(
        m_inRound, elapsed.GetTimeStep() / m_fragmentation.airtime.GetTimeStep()));
}

void
D2dBurstTransmission::Settle(std::size_t index, uint32_t sent)
{
    const uint32_t before = m_rounds[index - m_passFirst].sent;
    if (sent <= before)
    {
        return;
    }
    if (m_signal == 0)
    {
        SettleRun(index, {sent - before, D2dDisturbance()});
        return;
    }
    uint32_t left = sent - before;
    for (D2dRun run : GetInterference().Collect(m_signal, m_recipients[index].link->receiverIndex))
    {
        run.fragments = std::min(run.fragments, left); // the last one may be still on its way
        left -= run.fragments;
        if (run.fragments > 0)
        {
            SettleRun(index, run);
        }
    }
}

void
D2dBurstTransmission::SettleRun(std::size_t index, const D2dRun& run)
{
    Round& round = m_rounds[index - m_passFirst];
    const bool matters = m_burst->division.units > 0 || Acknowledges(); // which ones arrive
    const bool cut = run.fragments < m_inRound && matters;
    if ((cut || m_combines) && !m_keeps[index])
    {
        KeepStates(index);
    }
    D2dRecipient& recipient = m_recipients[index];
    recipient.collided = recipient.collided || !run.worst;
    const D2dArrivals arrivals =
        m_keeps[index]
            ? PlayFragments(index, run)
            : m_sampler.SendSome(run.fragments, GetLoss(recipient, run.worst), round.waiting);
    round.sent += run.fragments;
    recipient.counts.missing -= arrivals.fresh;
    recipient.counts.unacknowledged += arrivals.fresh;
    if (Acknowledges())
    {
        round.acknowledgments += arrivals.fresh + arrivals.again;
    }
    if (!m_keeps[index])
    {
        m_states[index].clear(); // they were drawn for the counts before
    }
}

D2dArrivals
D2dBurstTransmission::PlayFragments(std::size_t index, const D2dRun& run)
{
    Round& round = m_rounds[index - m_passFirst];
    const D2dRecipient& recipient = m_recipients[index];
    const double loss = m_combines ? 1.0 : GetLoss(recipient, run.worst);
    const D2dQuality quality =
        m_combines && run.worst ? GetQuality(recipient, *run.worst) : D2dQuality();
    D2dArrivals arrivals;
    for (uint32_t number = run.fragments; number > 0; ++round.next)
    {
        D2dFragmentState& state = m_states[index][round.next];
        if (state == D2dFragmentState::ACKNOWLEDGED)
        {
            continue;
        }
        --number;
        const double draw = m_sampler.DrawUniform();
        if (m_combines ? run.worst && Combine(round.next, quality, draw) : draw >= loss)
        {
            ++(state == D2dFragmentState::MISSING ? arrivals.fresh : arrivals.again);
            state = D2dFragmentState::UNACKNOWLEDGED;
            if (Acknowledges())
            {
                round.arrived.push_back(round.next);
            }
        }
    }
    return arrivals;
}

void
D2dBurstTransmission::BeginRow()
{
    const uint32_t left = m_inRound - CountSent(Time());
    BeginSignal(m_fragmentation.airtime * static_cast<int64_t>(left), left);
    ScheduleTidying();
}

void
D2dBurstTransmission::EndRow()
{
    m_renewal.Cancel();
    m_tidying.Cancel();
    EndSignal();
}

void
D2dBurstTransmission::ScheduleTidying()
{
    constexpr int64_t FRAGMENTS = 1024; // few events, even of a long message
    if (m_signal != 0)
    {
        m_tidying = Simulator::Schedule(
            m_fragmentation.airtime * FRAGMENTS, &D2dBurstTransmission::Tidy, this);
    }
}

void
D2dBurstTransmission::Tidy()
{
    constexpr uint64_t MOST_RUNS = 1000;
    if (GetInterference().CountRuns() > MOST_RUNS)
    {
        CatchUp();
    }
    ScheduleTidying();
}

void
D2dBurstTransmission::ChangeReach()
{
    if (m_signal == 0)
    {
        return;
    }
    // The fragment on air ends as it began; at its end the next one is the first to change
    const int64_t airtime = m_fragmentation.airtime.GetTimeStep();
    const int64_t passed = (Simulator::Now() - m_roundStart).GetTimeStep() % airtime;
    m_renewal.Cancel();
    m_renewal = Simulator::Schedule(
        TimeStep(passed == 0 ? 0 : airtime - passed), &D2dBurstTransmission::RenewRow, this);
}

void
D2dBurstTransmission::RenewRow()
{
    CatchUp();
    EndRow();
    BeginRow();
}

void
D2dBurstTransmission::KeepStates(std::size_t index)
{
    if (m_recipients[index].counts.missing == m_fragmentation.fragments)
    {
        m_states[index].assign(m_fragmentation.fragments, D2dFragmentState::MISSING);
    }
    else
    {
        m_states[index] = GetStates(index);
    }
    m_keeps[index] = true;
}

void
D2dBurstTransmission::CutPass()
{
    CatchUp();
    EndRow();
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        // The sender has not waited for them to the end
        Round& round = m_rounds[i - m_passFirst];
        for (const uint32_t fragment : round.heardOf)
        {
            m_states[i][fragment] = D2dFragmentState::UNACKNOWLEDGED;
        }
        m_recipients[i].counts.unacknowledged += round.heard;
        if (round.heard > 0 && !m_keeps[i])
        {
            m_states[i].clear(); // they were drawn for the counts before
        }
    }
}

void
D2dBurstTransmission::CutPassAt(std::size_t recipient)
{
    if (m_radio.IsTransmitting())
    {
        Settle(recipient, CountSent(m_recipients[recipient].link->delay));
    }
    if (m_signal != 0)
    {
        GetInterference().LetGo(m_signal, m_recipients[recipient].link->receiverIndex);
    }
}

void
D2dBurstTransmission::CatchUp()
{
    for (std::size_t i = m_passFirst; m_radio.IsTransmitting() && i < m_passLast; ++i)
    {
        if (IsFollowing(m_recipients[i]))
        {
            Settle(i, CountSent(Time()));
        }
    }
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

} // namespace ns3::collab
