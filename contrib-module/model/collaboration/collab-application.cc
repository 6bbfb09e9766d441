/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-application.h"

#include "ns3/abort.h"
#include "ns3/collab-error.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollaborationApplication");
NS_OBJECT_ENSURE_REGISTERED(CollaborationApplication);

namespace
{

/// @brief Compute, and say in which job it was if that fails.
/// @param work the computation
/// @param job device, round and phase
/// @throws std::runtime_error that names the job; errors that name their cause stay as they are
void
RunNamed(const std::function<void()>& work, const std::string& job)
{
    try
    {
        work();
    }
    catch (const UserError&)
    {
        throw;
    }
    catch (const DataFileError&)
    {
        throw;
    }
    catch (const std::exception& error)
    {
        throw std::runtime_error(fmt::format("{}: {}", job, error.what()));
    }
}

} // namespace

TypeId
CollaborationApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::CollaborationApplication")
            .SetParent<ProtocolApplication>()
            .SetGroupName("Collab")
            .AddAttribute("Rounds",
                          "Number of rounds to run.",
                          UintegerValue(50),
                          MakeUintegerAccessor(&CollaborationApplication::m_rounds),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LearnerPool",
                          "Where jobs are computed.",
                          PointerValue(),
                          MakePointerAccessor(&CollaborationApplication::m_pool),
                          MakePointerChecker<LearnerPool>())
            .AddTraceSource("Round",
                            "A round of this device has ended.",
                            MakeTraceSourceAccessor(&CollaborationApplication::m_roundTrace),
                            "ns3::collab::CollaborationApplication::RoundTracedCallback")
            .AddTraceSource("Phase",
                            "A phase of a round of this device has ended.",
                            MakeTraceSourceAccessor(&CollaborationApplication::m_phaseTrace),
                            "ns3::collab::CollaborationApplication::PhaseTracedCallback")
            .AddTraceSource("End",
                            "All rounds are done, or the device has gone off.",
                            MakeTraceSourceAccessor(&CollaborationApplication::m_endTrace),
                            "ns3::collab::CollaborationApplication::EndTracedCallback")
            .AddTraceSource("Resume",
                            "The device is on again, and goes on.",
                            MakeTraceSourceAccessor(&CollaborationApplication::m_resumeTrace),
                            "ns3::collab::CollaborationApplication::ResumeTracedCallback");
    return tid;
}

void
CollaborationApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_running = false;
    if (m_processor)
    {
        m_processor->TraceDisconnectWithoutContext(
            "State", MakeCallback(&CollaborationApplication::HandleProcessorState, this));
        GetTransport()->TraceDisconnectWithoutContext(
            "Reject", MakeCallback(&CollaborationApplication::HandleReject, this));
    }
    if (Simulator::IsFinished())
    {
        m_job.end.Cancel(); // nothing comes after it: nobody waits for its computation
    }
    DropJob();
    m_processes.Stop();
    m_pool = nullptr;
    m_processor = nullptr;
    ProtocolApplication::DoDispose();
}

void
CollaborationApplication::SetLearnerPool(Ptr<LearnerPool> pool)
{
    m_pool = pool;
}

uint32_t
CollaborationApplication::GetRound() const
{
    return m_round;
}

uint32_t
CollaborationApplication::GetRounds() const
{
    return m_rounds;
}

bool
CollaborationApplication::IsFinished() const
{
    return m_round == m_rounds;
}

bool
CollaborationApplication::IsAnswering() const
{
    return m_running;
}

bool
CollaborationApplication::IsRunning() const
{
    return m_running;
}

void
CollaborationApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (m_stopped)
    {
        return;
    }
    m_started = true;
    m_start = Simulator::Now();
    SetTransport(GetNode()->GetObject<Transport>());
    m_processor = GetNode()->GetObject<Processor>();
    NS_ABORT_MSG_UNLESS(GetTransport() && m_processor && m_pool,
                        "CollaborationApplication on node "
                            << GetNode()->GetId()
                            << ": the node needs a Transport and a Processor, the application a "
                               "LearnerPool");
    m_processor->TraceConnectWithoutContext(
        "State", MakeCallback(&CollaborationApplication::HandleProcessorState, this));
    GetTransport()->TraceConnectWithoutContext(
        "Reject", MakeCallback(&CollaborationApplication::HandleReject, this));
    m_running = m_processor->IsOn();
    if (!m_running)
    {
        m_halted = true;
        m_endTrace(GetDeviceId(), false);
        return;
    }
    Begin();
    m_processes.Start(RunRounds());
}

Process
CollaborationApplication::RunRounds()
{
    while (m_running && !IsFinished())
    {
        CatchUp();
        co_await Round();
        CloseRound();
    }
}

void
CollaborationApplication::CatchUp()
{
    const auto present = m_isBehind ? FindPresentRound() : std::nullopt;
    m_isBehind = m_isBehind && !present;
    if (present && *present > m_round)
    {
        m_round = std::min(*present, m_rounds - 1);
        m_roundStart = Simulator::Now();
        NS_LOG_INFO("device " << GetDeviceId() << " goes on with round " << m_round);
    }
}

void
CollaborationApplication::Report(MetricValues metrics)
{
    m_report = std::move(metrics);
}

void
CollaborationApplication::Begin()
{
    m_hasBegun = true;
    m_roundStart = Simulator::Now();
    DoStart();
}

void
CollaborationApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_stopped = true;
    m_halted = false; // it does not come back
    if (m_running)
    {
        End(false);
    }
    else if (!m_started)
    {
        m_endTrace(GetDeviceId(), false);
    }
}

void
CollaborationApplication::StopForGood()
{
    StopApplication();
}

void
CollaborationApplication::EnterPhase(const std::string& phase)
{
    LeavePhase();
    m_phase.round = m_round;
    m_phase.device = GetDeviceId();
    m_phase.phase = phase;
    m_phase.start = Simulator::Now();
    NS_LOG_LOGIC("device " << m_phase.device << ", round " << m_round << ": " << phase);
}

const std::string&
CollaborationApplication::GetPhase() const
{
    return m_phase.phase;
}

void
CollaborationApplication::LeavePhase()
{
    if (!m_phase.phase.empty())
    {
        m_phase.end = Simulator::Now();
        m_phaseTrace(m_phase);
        m_phase.phase.clear();
    }
}

void
CollaborationApplication::RunJob(uint64_t flops,
                                 std::function<void()> work,
                                 std::function<void()> done,
                                 bool isLight)
{
    NS_LOG_FUNCTION(this << flops);
    NS_ABORT_MSG_IF(m_processor->IsBusy(), "CollaborationApplication: one job at a time");
    m_processor->SetBusy(true);
    if (!m_running)
    {
        return; // booking the time up to now has found the battery empty
    }
    std::string job =
        fmt::format("device {}, round {}, phase \"{}\"", GetDeviceId(), m_round, m_phase.phase);
    m_job = m_pool->Submit(
        m_processor->GetDuration(flops),
        [work = std::move(work), job = std::move(job)]() { RunNamed(work, job); },
        [this, done = std::move(done)]() {
            m_processor->SetBusy(false);
            if (m_running)
            {
                done();
            }
        },
        isLight);
}

void
CollaborationApplication::DropJob()
{
    if (m_job.end.IsExpired())
    {
        return;
    }
    m_job.end.Cancel();
    m_job.computed.wait(); // whatever comes next may use what it uses
    if (m_processor->IsBusy())
    {
        m_processor->SetBusy(false);
    }
}

std::vector<Metric>
CollaborationApplication::GetMetrics() const
{
    return {};
}

std::vector<Metric>
CollaborationApplication::GetRoundMetrics() const
{
    std::vector<Metric> metrics = GetMetrics();
    metrics.push_back(
        {"messages_heard", "", "messages of the round's exchange that were there in time"});
    metrics.push_back(
        {"messages_expected", "", "messages of the round's exchange that the device waited for"});
    metrics.push_back(
        {"messages_refused", "", "messages that came in the round and were not believed"});
    return metrics;
}

std::optional<uint32_t>
CollaborationApplication::GetDivergedSince() const
{
    return m_divergedSince;
}

void
CollaborationApplication::NoteTrained(bool isFinite)
{
    if (isFinite)
    {
        m_divergedSince.reset();
    }
    else if (!m_divergedSince)
    {
        m_divergedSince = m_round;
    }
}

void
CollaborationApplication::CountMessages(std::size_t heard, std::size_t expected)
{
    m_heard += heard;
    m_expected += expected;
}

void
CollaborationApplication::HandleReject(uint32_t, const std::string&)
{
    ++m_refused;
}

void
CollaborationApplication::CloseRound()
{
    NS_LOG_FUNCTION(this << m_round);
    LeavePhase();
    RoundRecord record;
    record.round = m_round;
    record.device = GetDeviceId();
    record.start = m_roundStart;
    record.end = Simulator::Now();
    record.metrics = std::move(m_report);
    for (auto& metric : record.metrics)
    {
        if (std::isnan(metric.second)) // of any sign, which depends on the machine
        {
            metric.second = std::numeric_limits<double>::quiet_NaN();
        }
    }
    record.metrics.emplace_back("messages_heard", std::exchange(m_heard, 0));
    record.metrics.emplace_back("messages_expected", std::exchange(m_expected, 0));
    record.metrics.emplace_back("messages_refused", std::exchange(m_refused, 0));
    ++m_round;
    m_roundStart = Simulator::Now();
    NS_LOG_INFO("device " << record.device << " has ended round " << record.round);
    m_roundTrace(record);
    if (IsFinished())
    {
        End(true);
    }
}

void
CollaborationApplication::HandleProcessorState(bool, bool)
{
    // What others have done since who were told before, such as an energy model without energy
    const bool on = m_processor->IsOn();
    if (!on && m_running)
    {
        m_halted = true;
        End(false);
    }
    else if (on && m_halted && CanResume())
    {
        m_halted = false;
        m_running = true;
        m_isBehind = true;
        m_newestRound.reset();
        DropDeliveries(); // what waited to be sent again is lost
        NS_LOG_INFO("device " << GetDeviceId() << " is back in round " << m_round);
        m_resumeTrace(GetDeviceId());
        if (!m_hasBegun)
        {
            Begin(); // it was off at its start
        }
        DoResume();
        m_processes.Start(RunRounds());
    }
}

bool
CollaborationApplication::CanResume() const
{
    return true;
}

void
CollaborationApplication::DoResume()
{
}

std::optional<uint32_t>
CollaborationApplication::FindPresentRound() const
{
    return m_newestRound;
}

Time
CollaborationApplication::GetStart() const
{
    return m_start;
}

void
CollaborationApplication::NoteRound(uint32_t round)
{
    m_newestRound = std::max(m_newestRound.value_or(0), round);
}

void
CollaborationApplication::End(bool finished)
{
    NS_LOG_FUNCTION(this << finished);
    m_running = false;
    DropJob();
    m_processes.Stop();
    if (!finished)
    {
        StopSpawned();
    }
    LeavePhase();
    NS_LOG_INFO("device " << GetDeviceId()
                          << (finished ? " has done all rounds" : " has stopped in round ")
                          << (finished ? "" : std::to_string(m_round)));
    m_endTrace(GetDeviceId(), finished);
}

void
StopWhenAllEnd(const ApplicationContainer& applications, Time lastReturn)
{
    struct State
    {
        uint32_t left;       //!< applications that have not ended
        bool isDone = false; //!< whether one of them has done all rounds
    };

    auto state = std::make_shared<State>(State{applications.GetN()});
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        const Callback<void, uint32_t, bool> ended([state, lastReturn](uint32_t, bool finished) {
            state->isDone = state->isDone || finished;
            if (--state->left == 0 && (state->isDone || Simulator::Now() >= lastReturn))
            {
                Simulator::Stop();
            }
        });
        (*it)->TraceConnectWithoutContext("End", ended);
        const Callback<void, uint32_t> resumed([state](uint32_t) { ++state->left; });
        (*it)->TraceConnectWithoutContext("Resume", resumed);
    }
    if (lastReturn > Simulator::Now())
    {
        const Time after = lastReturn - Simulator::Now() + NanoSeconds(1);
        Simulator::Schedule(after, [state]() {
            if (state->left == 0)
            {
                Simulator::Stop();
            }
        });
    }
}

} // namespace ns3::collab
