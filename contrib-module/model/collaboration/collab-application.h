/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_APPLICATION_H
#define COLLAB_APPLICATION_H

#include "collab-learner-pool.h"
#include "collab-protocol-application.h"

#include "ns3/application-container.h"
#include "ns3/collab-columns.h"
#include "ns3/collab-metric.h"
#include "ns3/collab-processor.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-collaboration
/// @brief One device's round of a protocol, for traces.
struct RoundRecord
{
    uint32_t round = 0;  //!< number of the round, from 0
    uint32_t device = 0; //!< the device
    Time start;          //!< when the device began the round
    Time end;            //!< when it ended it
    /// What was measured, by name, in the order of CollaborationApplication::GetRoundMetrics()
    MetricValues metrics;
};

/// @ingroup collab-collaboration
/// @brief One phase of a device's round, for traces.
struct PhaseRecord
{
    uint32_t round = 0;  //!< number of the round
    uint32_t device = 0; //!< the device
    std::string phase;   //!< what it did, e.g. "train"
    Time start;          //!< when it began
    Time end;            //!< when it ended

    /// @return the table latency
    static TableColumns<PhaseRecord>
    GetTable()
    {
        return {"latency",
                "a phase of a device's round that has ended",
                {{"round", "", "number of the round, from 0", &PhaseRecord::round},
                 {"device", "", "the device", &PhaseRecord::device},
                 {"phase", "", "what it did", &PhaseRecord::phase},
                 {"start_s", "s", "when the phase began", &PhaseRecord::start},
                 {"end_s", "s", "when it ended", &PhaseRecord::end}}};
    }
};

template <typename T>
class JobWait;

/**
 * @ingroup collab-collaboration
 * @brief A protocol of devices that learn together, as one device runs it.
 *
 * The base of all algorithms: it counts rounds, books phases, runs jobs on the device's processor
 * in simulated time and on the learner pool in real time, and stops when the device has no energy.
 * What a subclass knows of other devices came in messages through the node's Transport.
 *
 * A device that goes off loses what it was about to do. When it is on again it begins its round
 * anew, and after that goes on with the newest round that it hears of: rounds between these have no
 * record.
 *
 * Application::Stop() ends it for good, before its start too. A job that runs is lost then, as when
 * the device goes off: its energy up to then is spent, the processor is free, and the host is done
 * with its computation before anything else happens.
 *
 * The node needs a Transport and a Processor by the time the application starts.
 */
class CollaborationApplication : public ProtocolApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param pool where jobs are computed
    void SetLearnerPool(Ptr<LearnerPool> pool);

    uint32_t GetRound() const override;
    uint32_t GetRounds() const override;
    /// @return whether all rounds are done
    bool IsFinished() const;
    /// @return the round since which all training of the device has left a model that is not
    /// finite; nothing if there was none, or the last one has left a finite model
    std::optional<uint32_t> GetDivergedSince() const;
    /// @return what the algorithm measures at the end of every round, the same on all devices
    virtual std::vector<Metric> GetMetrics() const;
    /// @return that, and what is counted of every algorithm: "messages_heard", "messages_expected"
    /// and "messages_refused"
    std::vector<Metric> GetRoundMetrics() const;

    /// TracedCallback signature for rounds.
    /// @param record the round that ended
    typedef void (*RoundTracedCallback)(const RoundRecord& record);
    /// TracedCallback signature for phases.
    /// @param record the phase that ended
    typedef void (*PhaseTracedCallback)(const PhaseRecord& record);
    /// TracedCallback signature for the end of the application.
    /// @param device the device
    /// @param finished true if all rounds are done, false if the device went off before
    typedef void (*EndTracedCallback)(uint32_t device, bool finished);
    /// TracedCallback signature for devices that are back.
    /// @param device the device
    typedef void (*ResumeTracedCallback)(uint32_t device);

  protected:
    void DoDispose() override;

    /// @brief Set up what the protocol needs, e.g. register kinds of messages; called once.
    virtual void DoStart() = 0;
    /**
     * @brief What the device does in the round GetRound(), as the paper's algorithm says it.
     *
     * The round ends with this process, after it has called Report(). If the device goes off
     * before, the process is destroyed where it waits.
     */
    virtual Process Round() = 0;
    /// @param metrics what was measured in the round, all of GetMetrics() in its order
    void Report(MetricValues metrics);
    /// @param metrics what was measured in the round, a struct of all of GetMetrics()
    /// @param columns of the struct
    template <typename Metrics>
    void
    Report(const Metrics& metrics, const Columns<Metrics>& columns = Metrics::GetColumns())
    {
        Report(ReadMetrics(metrics, columns));
    }

    /// @brief Compute on the device, which takes time and energy.
    /// @param phase its name in traces; empty for the present one
    /// @param flops floating-point operations, which decide how long it takes
    /// @param work the computation, run on a host thread; see LearnerPool
    /// @param isLight see LearnerPool::Submit()
    /// @return something to wait for, which gives what the computation returns
    template <typename F>
    JobWait<std::invoke_result_t<F&>> Compute(const std::string& phase,
                                              uint64_t flops,
                                              F&& work,
                                              bool isLight = false);

    /**
     * @brief Wait for the messages of a type of the present round; Listen() has to be called
     * before.
     *
     * Those that came before the wait count. It is over when each device has sent one of this
     * round or a later one, believed or not. What came is counted; see CountMessages(). Messages of
     * rounds before are forgotten, but for the newest of each device.
     *
     * @param from devices whose message to wait for
     * @param longest how long to wait
     * @param like a message of the kind, if the type has several
     * @return what came from whom, also from others
     */
    template <typename T>
    ProcessOf<typename Inbox<T>::Bodies> Hear(std::vector<uint32_t> from,
                                              Time longest,
                                              T like = {});

    /// @return whether the protocol has a way back for a device that was off; true by default
    virtual bool CanResume() const;
    /// @brief The device is on again, and begins the round anew in which it went off; called if
    /// CanResume(), before that round, and after DoStart() if it was off at its start. What the
    /// device remembers of things that it waited for is to be forgotten.
    virtual void DoResume();
    /// @brief Find the round that a device is to go on with that was off; those between are left
    /// out. Asked when it is back, and from then on after each round until there is an answer.
    /// @return the round; by default the newest one that others have sent messages of since, or
    /// nothing
    virtual std::optional<uint32_t> FindPresentRound() const;
    /// @return when the application was started, be the device off then
    Time GetStart() const;

    bool IsAnswering() const override;
    void NoteRound(uint32_t round) override;

    /// @brief End the present phase, if any, and begin another.
    /// @param phase its name in traces
    void EnterPhase(const std::string& phase);
    /// @return the present phase; empty between phases
    const std::string& GetPhase() const;

    /// @param isFinite whether training in the present round has left a finite model
    void NoteTrained(bool isFinite);

    /// @brief Count messages of the exchange of the present round.
    /// @param heard number of messages that were there in time and could be used
    /// @param expected number of messages that the device waited for
    void CountMessages(std::size_t heard, std::size_t expected);

    /// @brief End before all rounds are done: the protocol cannot go on.
    void StopForGood();

    /// @return whether the application has started and not yet ended
    bool IsRunning() const;

  private:
    template <typename T>
    friend class JobWait;

    /// @brief Run a job on the device's processor.
    /// @param flops floating-point operations of the job, which decide its duration and energy
    /// @param work the computation, run on a host thread; see LearnerPool. What it throws ends the
    /// run, as a std::runtime_error that names device, round and phase
    /// @param done called when the device has finished it; not called if the application ends
    /// before
    /// @param isLight see LearnerPool::Submit()
    void RunJob(uint64_t flops,
                std::function<void()> work,
                std::function<void()> done,
                bool isLight = false);

    /// @return all rounds
    Process RunRounds();
    /// @brief Leave out rounds that a device has missed that was off.
    void CatchUp();
    /// @brief The present round is over: trace it, and end after the last one.
    void CloseRound();
    void StartApplication() override;
    void StopApplication() override;

    /// @brief End the present phase.
    void LeavePhase();
    /// @param device this one, or a neighbor that shares its node
    /// @param reason why a message was not believed
    void HandleReject(uint32_t device, const std::string& reason);
    /// @brief Set up the protocol, and begin to count time.
    void Begin();
    /// @brief Lose the job that runs, if any: the processor is free for the next one.
    void DropJob();
    /// @param on whether the processor is powered
    /// @param busy whether it computes
    void HandleProcessorState(bool on, bool busy);
    /// @brief Stop, for good or until the device is on again.
    /// @param finished whether all rounds are done
    void End(bool finished);

    ProcessRunner m_processes;             //!< what the device does
    MetricValues m_report;                 //!< see Report()
    uint32_t m_rounds;                     //!< attribute Rounds
    Ptr<LearnerPool> m_pool;               //!< attribute LearnerPool
    Ptr<Processor> m_processor;            //!< the node's processor
    uint32_t m_round = 0;                  //!< present round
    Time m_roundStart;                     //!< when it began
    std::size_t m_heard = 0;               //!< see CountMessages()
    std::size_t m_expected = 0;            //!< see CountMessages()
    std::size_t m_refused = 0;             //!< messages in this round that were not believed
    PhaseRecord m_phase;                   //!< present phase; its name is empty between phases
    LearnerJob m_job;                      //!< present or last job
    Time m_start;                          //!< see GetStart()
    std::optional<uint32_t> m_newestRound; //!< of messages since the device is back
    bool m_isBehind = false; //!< whether it was off, and does not know what rounds it has missed
    bool m_halted = false;   //!< whether the device has gone off while running, or was off before
    bool m_hasBegun = false; //!< whether DoStart() was called
    bool m_stopped = false;  //!< whether the application was stopped, for good
    bool m_started = false;  //!< whether it was started
    bool m_running = false;  //!< see IsRunning()

    std::optional<uint32_t> m_divergedSince;         //!< see GetDivergedSince()
    TracedCallback<const RoundRecord&> m_roundTrace; //!< trace source Round
    TracedCallback<const PhaseRecord&> m_phaseTrace; //!< trace source Phase
    TracedCallback<uint32_t, bool> m_endTrace;       //!< trace source End
    TracedCallback<uint32_t> m_resumeTrace;          //!< trace source Resume
};

/**
 * @ingroup collab
 * @brief Waits for a computation of the device; see CollaborationApplication::Compute().
 *
 * A wait that is destroyed drops the job: its energy up to then is spent.
 * @tparam T what it returns
 */
template <typename T>
class JobWait : public Wait
{
  public:
    /// @param application of the device
    /// @param flops floating-point operations
    /// @param work the computation
    /// @param isLight see LearnerPool::Submit()
    JobWait(CollaborationApplication& application,
            uint64_t flops,
            std::function<T()> work,
            bool isLight = false)
        : m_application(application),
          m_flops(flops),
          m_work(std::move(work)),
          m_isLight(isLight)
    {
    }

    ~JobWait() override
    {
        if (m_isRunning)
        {
            m_application.DropJob();
        }
    }

    T
    await_resume()
    {
        return std::move(**m_result);
    }

  private:
    bool
    Begin() override
    {
        m_isRunning = true;
        // Shared: the host may still compute when the process is gone
        m_application.RunJob(
            m_flops,
            [work = std::move(m_work), result = m_result]() { result->emplace(work()); },
            [this]() {
                m_isRunning = false;
                End();
            },
            m_isLight);
        return true;
    }

    CollaborationApplication& m_application; //!< of the device
    uint64_t m_flops;                        //!< floating-point operations
    std::function<T()> m_work;               //!< the computation
    bool m_isLight;                          //!< see LearnerPool::Submit()
    bool m_isRunning = false;                //!< whether it has begun and not ended
    std::shared_ptr<std::optional<T>> m_result = std::make_shared<std::optional<T>>(); //!< of it
};

template <typename F>
JobWait<std::invoke_result_t<F&>>
CollaborationApplication::Compute(const std::string& phase, uint64_t flops, F&& work, bool isLight)
{
    using Result = std::invoke_result_t<F&>;
    static_assert(IS_SAFE_IN_AWAIT<F>,
                  "this compiler destroys a lambda within a co_await expression twice: give it a "
                  "name before, or return it as a std::function from a function");
    if (!phase.empty())
    {
        EnterPhase(phase);
    }
    return JobWait<Result>(*this, flops, std::function<Result()>(std::forward<F>(work)), isLight);
}

template <typename T>
ProcessOf<typename Inbox<T>::Bodies>
CollaborationApplication::Hear(std::vector<uint32_t> from, Time longest, T like)
{
    Inbox<T>& inbox = GetInbox<T>(like);
    inbox.Forget(GetRound());
    auto next = from.begin(); // who has sent something stays so
    const std::function<bool()> isOver = [this, &inbox, &from, &next]() {
        next = std::find_if(
            next, from.end(), [&](uint32_t device) { return !inbox.HasSent(device, GetRound()); });
        return next == from.end();
    };
    co_await WaitUntil(isOver, longest);
    auto heard = inbox.GetOf(GetRound());
    std::set<uint32_t> expected(from.begin(), from.end());
    for (const auto& entry : heard)
    {
        expected.insert(entry.first);
    }
    CountMessages(heard.size(), expected.size());
    co_return heard;
}

/**
 * @brief End the simulation when every application has done its rounds or lost its device.
 *
 * As long as no application has done its rounds, devices that are off may be the ones to do them:
 * then the simulation goes on until the last of them is to be back.
 *
 * @param applications CollaborationApplications
 * @param lastReturn when the last device is switched on again, or can have been recharged, that
 * goes on then; 0 if there is none
 */
void StopWhenAllEnd(const ApplicationContainer& applications, Time lastReturn = Time());

} // namespace ns3::collab

#endif /* COLLAB_APPLICATION_H */
