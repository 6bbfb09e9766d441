/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-stop-and-wait-transmission.h"

#include "d2d-time-share.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

D2dStopAndWaitTransmission::D2dStopAndWaitTransmission(D2dTransmissionOrder order)
    : D2dTransmission(std::move(order), false),
      m_sampler(m_sender->GetRandom()),
      m_pool(m_sampler),
      m_stretches(m_recipients.size())
{
    m_timing.transmission = m_fragmentation.airtime;
    m_timing.backoff = m_rules.retryBackoff;
}

void
D2dStopAndWaitTransmission::SendOnce()
{
    m_repeating = false;
    m_left = m_fragmentation.fragments;
    m_draws.assign(m_passLast - m_passFirst, Draw());
    DrawFirst();
    Begin();
}

void
D2dStopAndWaitTransmission::DrawFirst()
{
    D2dStopAndWaitBlock block;
    block.fragments.push_back(m_left);
    m_plan.blocks.assign(1, std::move(block));
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        const D2dRecipient& recipient = m_recipients[i];
        D2dFragmentCounts counts;
        Draw draw;
        if (IsFollowing(recipient))
        {
            draw.received = static_cast<uint32_t>(m_sampler.SendOnce(
                m_left, recipient.loss, recipient.acknowledgmentLoss, true, counts));
            draw.unacknowledged = counts.unacknowledged;
        }
        m_draws[i - m_passFirst] = draw;
    }
}

void
D2dStopAndWaitTransmission::Repeat(std::size_t index, uint32_t maxAttempts)
{
    m_repeating = true;
    m_maxAttempts = maxAttempts;
    m_left = m_recipients[index].counts.Outstanding();
    m_pool.Fill(m_stretches[index], m_recipients[index].counts);
    m_begun.reset();
    DrawRepetitions();
    Begin();
}

void
D2dStopAndWaitTransmission::DrawRepetitions()
{
    m_plan.blocks.clear();
    m_decisive.reset();
    if (m_begun && m_begun->attempts == m_maxAttempts)
    {
        return; // it has just failed
    }
    const std::optional<uint32_t> before = m_pool.CountBeforeLastMissing();
    bool goesOn = !m_begun || Append(PlanBegun(), m_begun->missing && !before);
    if (before)
    {
        goesOn = goesOn && Append(PlanFragments(*before), false) && Append(PlanFragments(1), true);
    }
    if (goesOn)
    {
        Append(PlanFragments(before ? m_left - *before - 1 : m_left), false);
    }
}

bool
D2dStopAndWaitTransmission::Append(D2dStopAndWaitPlan more, bool decisive)
{
    for (auto& block : more.blocks)
    {
        if (block.CountFragments() == 0)
        {
            continue;
        }
        if (decisive)
        {
            m_sampler.DrawArrival(block);
            m_decisive = m_plan.blocks.size();
        }
        m_plan.blocks.push_back(std::move(block));
    }
    return m_plan.blocks.empty() || !m_plan.blocks.back().givenUp;
}

D2dStopAndWaitPlan
D2dStopAndWaitTransmission::PlanFragments(uint32_t fragments)
{
    const D2dRecipient& recipient = m_recipients[m_passFirst];
    const bool follows = IsFollowing(recipient);
    if (!m_combines)
    {
        return m_sampler.PlanStopAndWait(
            fragments, m_maxAttempts, follows ? recipient.loss : 1.0, recipient.acknowledgmentLoss);
    }
    const D2dQuality quality = follows ? m_quality : D2dQuality();
    return m_sampler.PlanCombined(
        fragments, quality.GetCombinedOutages(m_maxAttempts), recipient.acknowledgmentLoss);
}

D2dStopAndWaitPlan
D2dStopAndWaitTransmission::PlanBegun()
{
    const D2dRecipient& recipient = m_recipients[m_passFirst];
    const bool follows = IsFollowing(recipient);
    if (!m_combines)
    {
        return m_sampler.ResumeStopAndWait(m_begun->attempts,
                                           0,
                                           m_maxAttempts,
                                           follows ? recipient.loss : 1.0,
                                           recipient.acknowledgmentLoss);
    }
    const D2dQuality quality = follows ? m_quality : D2dQuality();
    std::vector<double> outages =
        quality.GetCombinedOutages(m_maxAttempts - m_begun->attempts, m_begun->held);
    if (!m_begun->missing && follows)
    {
        std::fill(outages.begin() + 1, outages.end(), 0.0); // it answers the next one
    }
    return m_sampler.ResumeCombined(
        m_begun->attempts, outages, 0, outages, recipient.acknowledgmentLoss);
}

void
D2dStopAndWaitTransmission::Begin()
{
    m_playing = true;
    m_timing.window = GetAcknowledgmentTurnaround() + GetAcknowledgmentAirtime();
    m_planStart = Simulator::Now();
    m_windowEnd = m_planStart;
    m_before = {};
    m_last.assign(m_passLast - m_passFirst, Last());
    Play();
    if (!m_aborted)
    {
        ShowBegin();
    }
}

void
D2dStopAndWaitTransmission::Play()
{
    const D2dAirUse use = m_plan.GetUse(m_timing);
    const Time left = m_planStart + use.GetDuration() - Simulator::Now();
    m_event = Simulator::Schedule(left, &D2dStopAndWaitTransmission::End, this);
    AwaitArrival(use);
    BeginCycles(use, left);
}

void
D2dStopAndWaitTransmission::AwaitArrival(const D2dAirUse& use)
{
    std::vector<std::size_t> whole;
    Time sent = m_planStart;
    if (!m_repeating)
    {
        whole = FindWhole();
        sent += use.GetDuration() - m_timing.window;
    }
    else if (m_decisive && m_plan.blocks[*m_decisive].arrival > 0)
    {
        whole.push_back(m_passFirst);
        for (std::size_t i = 0; i < *m_decisive; ++i)
        {
            sent += m_plan.blocks[i].GetUse(m_timing).GetDuration();
        }
        sent += m_plan.blocks[*m_decisive].GetTimeToArrival(m_timing);
    }
    if (!whole.empty())
    {
        // Not by a Ptr: this holds the event
        m_arrival = Simulator::Schedule(sent - Simulator::Now(),
                                        [this, whole]() { ScheduleHandingUp(whole); });
    }
}

std::vector<std::size_t>
D2dStopAndWaitTransmission::FindWhole() const
{
    std::vector<std::size_t> whole;
    for (std::size_t i = m_passFirst; m_left > 0 && i < m_passLast; ++i)
    {
        if (m_recipients[i].counts.missing == m_draws[i - m_passFirst].received)
        {
            whole.push_back(i);
        }
    }
    return whole;
}

void
D2dStopAndWaitTransmission::End()
{
    CatchUp();
    if (!m_aborted)
    {
        m_sender->NotifyTxEnd(m_burst->packet);
    }
    if (m_aborted)
    {
        return;
    }
    m_playing = false;
    m_radio.AddAirtime(m_before.transmitting);
    EndPass();
}

D2dAirUse
D2dStopAndWaitTransmission::GetUse() const
{
    // Before the plan begins the sender may listen, and then wait; or it has just begun
    const Time now = Simulator::Now();
    D2dAirUse use = m_before;
    use.transmitting += Max(Time(), now - m_planStart);
    use.listening -= Max(Time(), m_windowEnd - now);
    use.waiting -= Max(Time(), m_planStart - Max(now, m_windowEnd));
    return use;
}

D2dStopAndWaitProgress
D2dStopAndWaitTransmission::GetProgress(Time delay)
{
    const Time elapsed = Simulator::Now() - m_planStart - delay;
    return elapsed.IsNegative() ? D2dStopAndWaitProgress()
                                : m_sampler.DrawProgress(m_plan, m_timing, elapsed);
}

void
D2dStopAndWaitTransmission::CatchUp()
{
    if (!m_playing)
    {
        return;
    }
    const Time now = Simulator::Now();
    if (m_arrival.GetTs() > static_cast<uint64_t>(now.GetTimeStep())) // else it is out, and counts
    {
        m_arrival.Cancel();
    }
    if (now < m_planStart || m_plan.blocks.empty())
    {
        EndCycles();
        return;
    }
    const D2dStopAndWaitProgress progress = GetProgress(Time());
    Apply(progress);
    m_before += progress.use;
    m_before.transmitting -= progress.onAir; // the plan goes on with the beginning of that
    m_before.listening += progress.window;
    m_before.waiting += progress.backoff;
    m_windowEnd = now + progress.window;
    m_planStart = m_windowEnd + progress.backoff - progress.onAir;
    m_plan.blocks.clear();
    EndCycles();
}

void
D2dStopAndWaitTransmission::Apply(const D2dStopAndWaitProgress& progress)
{
    if (m_repeating)
    {
        ApplyRepetitions(progress);
        return;
    }
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (IsFollowing(m_recipients[i]))
        {
            ApplyTo(i, progress.completed);
        }
    }
    m_left -= progress.completed;
}

void
D2dStopAndWaitTransmission::ApplyTo(std::size_t index, uint32_t sent)
{
    Draw& draw = m_draws[index - m_passFirst];
    D2dRecipient& recipient = m_recipients[index];
    const uint32_t received =
        m_sampler.DrawHypergeometric(sent, draw.received, m_left - draw.received);
    const uint32_t unacknowledged = m_sampler.DrawHypergeometric(
        received, draw.unacknowledged, draw.received - draw.unacknowledged);
    draw.received -= received;
    draw.unacknowledged -= unacknowledged;
    recipient.counts.missing -= received;
    recipient.counts.unacknowledged += unacknowledged;
    m_answers[index - m_passFirst].sent += received;
    if (sent > 0)
    {
        m_stretches[index].push_back({sent - received, unacknowledged});
        m_last[index - m_passFirst] = {received, sent};
    }
}

void
D2dStopAndWaitTransmission::ApplyRepetitions(const D2dStopAndWaitProgress& progress)
{
    D2dRecipient& recipient = m_recipients[m_passFirst];
    uint32_t completed = progress.completed;
    if (m_begun && completed > 0)
    {
        --(m_begun->missing ? recipient.counts.missing : recipient.counts.unacknowledged);
        m_begun.reset(); // it was the first
        --completed;
    }
    recipient.counts -= m_pool.Take(completed);
    m_left -= completed;
    if (progress.inFlight && !m_begun)
    {
        m_begun = Begun();
        m_begun->missing = m_pool.Take(1).missing == 1;
        --m_left;
    }
    m_last.front() = {1, 1}; // what was completed, if nothing came after it
    if (m_begun && progress.inFlight)
    {
        const uint32_t more = progress.attempts - m_begun->attempts;
        m_last.front() = {progress.heard, more};
        m_begun->attempts = progress.attempts;
        if (m_begun->missing && progress.heard > 0)
        {
            m_begun->missing = false;
            --recipient.counts.missing;
            ++recipient.counts.unacknowledged;
        }
        if (m_combines && m_begun->missing && more > 0)
        {
            m_begun->held = m_quality.GetHeldQuantile(more, m_begun->held, m_sampler.DrawUniform());
        }
    }
    m_answers.front().sent += progress.acknowledgments;
}

void
D2dStopAndWaitTransmission::GoOn()
{
    if (!m_playing)
    {
        return;
    }
    m_event.Cancel();
    m_repeating ? DrawRepetitions() : DrawFirst();
    Play();
}

void
D2dStopAndWaitTransmission::CutPass()
{
    CatchUp();
    if (!m_playing)
    {
        return;
    }
    m_playing = false;
    const Time now = Simulator::Now();
    m_radio.AddAirtime(GetUse().transmitting);
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (IsFollowing(m_recipients[i]))
        {
            CutAnswer(i, m_windowEnd + m_recipients[i].link->delay - now);
        }
    }
    if (m_aborted && now >= m_planStart) // else the run is over
    {
        m_sender->NotifyTxDrop(m_burst->packet);
    }
}

void
D2dStopAndWaitTransmission::CutPassAt(std::size_t index)
{
    const Time delay = m_recipients[index].link->delay;
    const Time now = Simulator::Now();
    if (!m_repeating)
    {
        const D2dStopAndWaitProgress progress = GetProgress(delay);
        ApplyTo(index, progress.completed);
        EndAnswers(index);
        CutAnswer(index, Max(progress.window, m_windowEnd + delay - now));
        return;
    }
    // Else who is told of the end of the cycles has switched it off, and who ended them goes on
    const bool interrupts = m_cycling;
    CatchUp();
    EndAnswers(index);
    CutAnswer(index, m_windowEnd + delay - now);
    if (interrupts && !m_aborted)
    {
        GoOn(); // its sender does not know
    }
}

uint64_t
D2dStopAndWaitTransmission::CountAnswers(std::size_t index) const
{
    if (!IsFollowing(m_recipients[index]))
    {
        return 0;
    }
    return m_repeating ? m_plan.CountAcknowledgments() : m_draws[index - m_passFirst].received;
}

void
D2dStopAndWaitTransmission::BeginCycles(const D2dAirUse& use, Time left)
{
    m_cycleStart = Simulator::Now();
    m_useBefore = GetUse();
    D2dAirUse rest = m_before;
    rest += use;
    rest -= m_useBefore;
    m_cycle = {GetD2dTimeShare(rest.transmitting, left), GetD2dTimeShare(rest.listening, left)};
    m_cycling = true;
    m_answers.assign(m_passLast - m_passFirst, Answers());
    m_sender->GetState().BeginCycle(m_cycle);
    for (std::size_t i = m_passFirst; i < m_passLast && !m_aborted; ++i)
    {
        const auto count = static_cast<int64_t>(CountAnswers(i));
        D2dPhy& receiver = *m_recipients[i].link->receiver;
        const double share = GetD2dTimeShare(receiver.GetAcknowledgmentAirtime() * count, left);
        if (share > 0)
        {
            m_answers[i - m_passFirst].share = share;
            receiver.GetState().BeginCycle({share, 0.0});
        }
    }
}

void
D2dStopAndWaitTransmission::EndCycles()
{
    if (!std::exchange(m_cycling, false))
    {
        return;
    }
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (IsFollowing(m_recipients[i]))
        {
            EndAnswers(i);
        }
    }
    const Time elapsed = Simulator::Now() - m_cycleStart;
    D2dAirUse done = GetUse();
    done -= m_useBefore;
    D2dCorrection more;
    more.transmitting = done.transmitting - TakeD2dTimeShare(elapsed, m_cycle.transmitting);
    more.listening = done.listening - TakeD2dTimeShare(elapsed, m_cycle.listening);
    more.idle = Time() - more.transmitting - more.listening;
    m_sender->GetState().EndCycle(m_cycle, more, m_sender->GetState().GetEpoch());
}

void
D2dStopAndWaitTransmission::EndAnswers(std::size_t index)
{
    Answers& answers = m_answers[index - m_passFirst];
    const double share = std::exchange(answers.share, 0.0);
    if (share > 0)
    {
        D2dPhy& receiver = *m_recipients[index].link->receiver;
        D2dCorrection more;
        more.transmitting =
            receiver.GetAcknowledgmentAirtime() * static_cast<int64_t>(answers.sent) -
            TakeD2dTimeShare(Simulator::Now() - m_cycleStart, share);
        receiver.GetState().EndCycle({share, 0.0}, more, m_recipients[index].epoch);
    }
}

void
D2dStopAndWaitTransmission::CutAnswer(std::size_t index, Time window)
{
    D2dPhy& receiver = *m_recipients[index].link->receiver;
    const Last& last = m_last[index - m_passFirst];
    const Time answering = Max(Time(), m_timing.window - window);
    const Time unsent = receiver.GetAcknowledgmentAirtime() - answering;
    if (!unsent.IsStrictlyPositive() || last.among == 0)
    {
        return;
    }
    if (m_sampler.DrawHypergeometric(1, last.answered, last.among - last.answered) == 1)
    {
        D2dCorrection more;
        more.transmitting = Time() - unsent;
        receiver.GetState().NotifyCorrection(more);
        if (m_aborted)
        {
            receiver.TransmitAcknowledgments(unsent);
        }
    }
}

Time
D2dStopAndWaitTransmission::GetPassAirtime() const
{
    return m_playing ? m_useBefore.transmitting +
                           TakeD2dTimeShare(Simulator::Now() - m_cycleStart, m_cycle.transmitting)
                     : Time();
}

std::vector<D2dFragmentState>
D2dStopAndWaitTransmission::GetStates(std::size_t recipient)
{
    return m_sampler.DrawStates(m_fragmentation.fragments, m_recipients[recipient].counts);
}

} // namespace ns3::collab
