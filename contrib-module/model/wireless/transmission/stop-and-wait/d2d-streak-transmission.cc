/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-streak-transmission.h"

#include "d2d-time-share.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

D2dStreakTransmission::D2dStreakTransmission(D2dTransmissionOrder order)
    : D2dPacketTransmission(std::move(order), false)
{
}

void
D2dStreakTransmission::SendOnce()
{
    D2dPacketTransmission::SendOnce();
    if (!m_aborted)
    {
        ShowBegin();
    }
}

void
D2dStreakTransmission::Repeat(std::size_t recipient, uint32_t maxAttempts)
{
    D2dPacketTransmission::Repeat(recipient, maxAttempts);
    if (!m_aborted)
    {
        ShowBegin();
    }
}

void
D2dStreakTransmission::FinishPass()
{
    m_sender->NotifyTxEnd(m_burst->packet);
    if (!m_aborted)
    {
        D2dPacketTransmission::FinishPass();
    }
}

void
D2dStreakTransmission::BeginAttempt()
{
    if (IsWorthIt())
    {
        BeginStreak();
        return;
    }
    D2dPacketTransmission::BeginAttempt();
}

bool
D2dStreakTransmission::IsWorthIt()
{
    constexpr uint32_t BETWEEN = 4; // attempts, where others send
    const bool mayBe = CountUndecisive() > 1 && !m_medium->Signals().GetOutside() &&
                       m_medium->Signals().IsDisturbed() &&
                       (!m_repeat || IsFollowing(m_recipients[m_passFirst]));
    if (!mayBe)
    {
        return false;
    }
    if (m_byFragment > 0)
    {
        --m_byFragment;
        return false;
    }
    m_byFragment = BETWEEN;
    return m_medium->Signals().GetSubchannels()->IsQuiet(m_subchannel, FindDevices());
}

std::size_t
D2dStreakTransmission::CountUndecisive() const
{
    return (m_position <= m_decisive ? m_decisive : m_queue.size()) - m_position;
}

std::vector<uint32_t>
D2dStreakTransmission::FindDevices() const
{
    std::vector<uint32_t> devices;
    devices.reserve(m_reach.size() + m_passLast - m_passFirst);
    for (const auto& heard : m_reach)
    {
        devices.push_back(heard.device);
    }
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        devices.push_back(m_recipients[i].link->receiverIndex);
    }
    return devices;
}

void
D2dStreakTransmission::BeginStreak()
{
    m_playing = true;
    m_start = Simulator::Now();
    m_window = GetAcknowledgmentTurnaround() + GetAcknowledgmentAirtime();
    m_length = static_cast<uint32_t>(std::min<std::size_t>(m_most, CountUndecisive()));
    m_fails = false;
    if (m_repeat)
    {
        DrawRepetitions();
    }
    m_heardAt = m_reach;
    m_answers.assign(m_passLast - m_passFirst, Answers());
    m_watch = GetInterference().Watch(FindDevices(), [this]() { Break(m_recipients.size()); });
    m_event = Simulator::Schedule((m_fragmentation.airtime + m_window) * int64_t{m_length},
                                  &D2dStreakTransmission::EndStreak,
                                  this);
    BeginCycles();
}

void
D2dStreakTransmission::DrawRepetitions()
{
    const D2dRecipient& recipient = m_recipients[m_passFirst];
    for (uint32_t number = 0; number < m_length && !m_fails; ++number)
    {
        m_lastArrives = !recipient.link->receiver->DrawLoss(recipient.loss);
        m_fails = !m_lastArrives || m_sender->DrawLoss(recipient.acknowledgmentLoss);
        m_length = m_fails ? number + 1 : m_length;
    }
}

void
D2dStreakTransmission::BeginCycles()
{
    const Time period = m_fragmentation.airtime + m_window;
    m_cycle = {GetD2dTimeShare(m_fragmentation.airtime, period), GetD2dTimeShare(m_window, period)};
    BeginOwnCycle();
    const uint32_t arrive = m_length - (m_fails && !m_lastArrives ? 1 : 0);
    for (std::size_t i = m_passFirst; i < m_passLast && m_playing; ++i)
    {
        const D2dRecipient& recipient = m_recipients[i];
        if (recipient.listening && IsFollowing(recipient))
        {
            D2dPhy& receiver = *recipient.link->receiver;
            const double part =
                m_repeat ? static_cast<double>(arrive) / m_length : 1 - recipient.loss;
            const double share =
                part * GetD2dTimeShare(receiver.GetAcknowledgmentAirtime(), period);
            if (share > 0)
            {
                m_answers[i - m_passFirst].share = share;
                receiver.GetState().BeginCycle({share, 0.0});
            }
        }
    }
}

void
D2dStreakTransmission::EndStreak()
{
    constexpr uint32_t LONGEST = 1U << 30U;
    m_byFragment = 0;
    m_most = std::min(2 * m_most, LONGEST);
    Stop(m_recipients.size(), true);
    if (!m_aborted)
    {
        NextFragment();
    }
}

void
D2dStreakTransmission::Break(std::size_t gone)
{
    m_most = SHORTEST;
    const Progress progress = Stop(gone, true);
    if (m_aborted)
    {
        return;
    }
    if (progress.completed == m_length)
    {
        m_event = Simulator::ScheduleNow(&D2dStreakTransmission::NextFragment, this);
    }
    else if (progress.phase < m_fragmentation.airtime)
    {
        ResumeFragment(progress.phase);
    }
    else
    {
        ResumeWindow(progress.phase);
    }
}

D2dStreakTransmission::Progress
D2dStreakTransmission::Stop(std::size_t gone, bool goesOn)
{
    m_playing = false;
    m_event.Cancel();
    GetInterference().Unwatch(m_watch);
    const Progress progress = GetProgress();
    m_radio.AddAirtime(GetAirtimeOf(progress));
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        if (m_recipients[i].listening && (i == gone || IsFollowing(m_recipients[i])))
        {
            SettleAt(i, progress);
        }
    }
    const bool whole = progress.completed == m_length;
    const uint32_t present = whole ? m_length - 1 : progress.completed;
    m_position += present;
    m_attemptsMade = (present > 0 ? 0 : m_attemptsMade) + (whole ? 1 : 0);
    EndCycles(progress, goesOn);
    return progress;
}

void
D2dStreakTransmission::ResumeFragment(Time phase)
{
    m_event = Simulator::Schedule(
        m_fragmentation.airtime - phase, &D2dStreakTransmission::EndFragment, this);
    m_reach.swap(m_heardAt);
    BeginSignal(m_fragmentation.airtime, 0, phase);
    m_reach.swap(m_heardAt);
    BeginTransmitting();
}

void
D2dStreakTransmission::ResumeWindow(Time phase)
{
    LetArrive(phase);
    m_event = Simulator::Schedule(
        m_fragmentation.airtime + m_window - phase, &D2dStreakTransmission::EndWindow, this);
    m_radio.BeginListening();
}

void
D2dStreakTransmission::LetArrive(Time phase)
{
    Ptr<D2dStreakTransmission> self = this;
    const uint32_t fragment = m_queue[m_position];
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        const Time arrival = m_fragmentation.airtime + m_recipients[i].link->delay - phase;
        if (m_recipients[i].listening && arrival.IsStrictlyPositive())
        {
            const double loss = m_recipients[i].loss; // as it is now that the fragment is out
            const auto arrive = [self, i, fragment, loss]() {
                Ptr<Packet> frame;
                self->ArriveAt(i, fragment, loss, frame);
                self->Acknowledge(i);
            };
            Simulator::ScheduleWithContext(m_recipients[i].link->receiverNode, arrival, arrive);
        }
    }
}

D2dStreakTransmission::Progress
D2dStreakTransmission::GetProgress() const
{
    const int64_t period = (m_fragmentation.airtime + m_window).GetTimeStep();
    const int64_t elapsed = (Simulator::Now() - m_start).GetTimeStep();
    const int64_t completed = std::min<int64_t>(m_length, elapsed / period);
    return {static_cast<uint32_t>(completed), TimeStep(elapsed - completed * period)};
}

Time
D2dStreakTransmission::GetAirtimeOf(const Progress& progress) const
{
    return m_fragmentation.airtime * int64_t{progress.completed} +
           Min(progress.phase, m_fragmentation.airtime);
}

D2dStreakTransmission::Outcome
D2dStreakTransmission::GetOutcome(std::size_t index, uint32_t number)
{
    if (m_repeat)
    {
        const bool fails = m_fails && number + 1 == m_length;
        return {!fails || m_lastArrives, !fails};
    }
    const D2dRecipient& recipient = m_recipients[index];
    Outcome outcome;
    outcome.arrived = !recipient.link->receiver->DrawLoss(recipient.loss);
    outcome.heard = outcome.arrived && !m_sender->DrawLoss(recipient.acknowledgmentLoss);
    return outcome;
}

void
D2dStreakTransmission::SettleAt(std::size_t index, const Progress& progress)
{
    const D2dRecipient& recipient = m_recipients[index];
    D2dPhy& receiver = *recipient.link->receiver;
    const Time answer = receiver.GetAcknowledgmentAirtime();
    const Time since = progress.phase - m_fragmentation.airtime - recipient.link->delay;
    const bool underWay = progress.completed < m_length && !since.IsStrictlyNegative();
    Answers& answers = m_answers[index - m_passFirst];
    for (uint32_t number = 0; number < progress.completed + (underWay ? 1 : 0); ++number)
    {
        const Outcome outcome = GetOutcome(index, number);
        if (!outcome.arrived)
        {
            continue;
        }
        TakeAt(index, m_queue[m_position + number]);
        if (outcome.heard)
        {
            HearOf(index, m_queue[m_position + number]);
        }
        const bool isCut = number == progress.completed;
        const Time sent = isCut ? Min(since, answer) : answer;
        answers.sent += sent;
        answers.left = IsFollowing(recipient) ? answer - sent : Time();
    }
}

void
D2dStreakTransmission::EndCycles(const Progress& progress, bool goesOn)
{
    const Time elapsed = Simulator::Now() - m_start;
    for (std::size_t i = m_passFirst; i < m_passLast; ++i)
    {
        const Answers answers = std::exchange(m_answers[i - m_passFirst], Answers());
        if (answers.share > 0)
        {
            D2dPhy& receiver = *m_recipients[i].link->receiver;
            D2dCorrection more;
            more.transmitting = answers.sent - TakeD2dTimeShare(elapsed, answers.share);
            receiver.GetState().EndCycle({answers.share, 0.0}, more, m_recipients[i].epoch);
            if (goesOn && answers.left.IsStrictlyPositive() && IsFollowing(m_recipients[i]))
            {
                receiver.TransmitAcknowledgments(answers.left);
            }
        }
    }
    EndOwnCycle(progress);
}

void
D2dStreakTransmission::BeginOwnCycle()
{
    m_cycling = true;
    m_cycleStart = Simulator::Now();
    m_airtimeBefore = GetAirtimeOf(GetProgress());
    m_listensAnyway = m_sender->GetActivity().receiving;
    m_sender->GetState().BeginCycle(m_cycle);
}

void
D2dStreakTransmission::EndOwnCycle(const Progress& progress)
{
    if (!std::exchange(m_cycling, false))
    {
        return; // who was told of its end has ended the streak
    }
    const Time elapsed = Simulator::Now() - m_cycleStart;
    const Time transmitted = GetAirtimeOf(progress) - m_airtimeBefore;
    D2dCorrection more;
    more.transmitting = transmitted - TakeD2dTimeShare(elapsed, m_cycle.transmitting);
    if (!m_listensAnyway)
    {
        more.listening = elapsed - transmitted - TakeD2dTimeShare(elapsed, m_cycle.listening);
        more.idle = Time() - more.transmitting - more.listening;
    }
    m_sender->GetState().EndCycle(m_cycle, more, m_sender->GetState().GetEpoch());
}

void
D2dStreakTransmission::HandleListening()
{
    if (m_cycling)
    {
        EndOwnCycle(GetProgress());
        if (m_playing)
        {
            BeginOwnCycle();
        }
    }
}

void
D2dStreakTransmission::CutPass()
{
    if (!m_playing)
    {
        D2dPacketTransmission::CutPass();
        return;
    }
    const bool goesOn = m_aborted; // else the run is over
    const Progress progress = Stop(m_recipients.size(), goesOn);
    if (progress.completed == m_length || !goesOn)
    {
        return;
    }
    if (progress.phase < m_fragmentation.airtime)
    {
        m_sender->NotifyTxDrop(m_burst->packet);
    }
    else
    {
        LetArrive(progress.phase);
    }
}

void
D2dStreakTransmission::CutPassAt(std::size_t recipient)
{
    if (m_playing)
    {
        Break(recipient);
    }
}

void
D2dStreakTransmission::CatchUp()
{
    if (m_playing)
    {
        Break(m_recipients.size());
    }
}

void
D2dStreakTransmission::ChangeReach()
{
    CatchUp();
}

Time
D2dStreakTransmission::GetPassAirtime() const
{
    return m_playing ? GetAirtimeOf(GetProgress()) : D2dTransmission::GetPassAirtime();
}

} // namespace ns3::collab
