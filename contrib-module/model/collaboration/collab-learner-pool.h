/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LEARNER_POOL_H
#define COLLAB_LEARNER_POOL_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <functional>
#include <future>
#include <memory>

namespace ns3::collab
{

/// @ingroup collab-collaboration
/// @brief A job that a LearnerPool has begun.
struct LearnerJob
{
    EventId end; //!< its end in simulated time; canceling it drops the result
    /// Ready when the host is done with it: it has been computed, or is dropped with the pool
    std::shared_future<void> computed;
};

/**
 * @ingroup collab-collaboration
 * @brief Host threads that compute beside the event loop.
 *
 * A job that a device begins at simulated time t and that takes the duration d is computed on some
 * host thread from the moment of its submission; its end is an event at t + d, which waits for the
 * computation if that is not done. So simulated time never depends on the host's speed, and results
 * never on the number of threads.
 *
 * The work runs beside the simulation: it must touch no ns-3 object (reference counts are not
 * atomic), nothing that another job writes, and no generator but its own.
 */
class LearnerPool : public Object
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    LearnerPool();
    ~LearnerPool() override;

    /// @param initialize called once on each host thread before its first job
    void SetThreadInitializer(std::function<void()> initialize);

    /// @brief Begin a job.
    /// @param duration how long it takes in simulated time
    /// @param work computed on a host thread
    /// @param done called in the event loop when the duration is over and the work done. An
    /// exception of the work is thrown there instead
    /// @param isLight whether the work is so little that handing it to a thread would take longer:
    /// then it is done at once, by the caller. Nothing else differs
    /// @return the job; canceling its end drops the result, while the work goes on
    LearnerJob Submit(Time duration,
                      std::function<void()> work,
                      std::function<void()> done,
                      bool isLight = false);

    /// @return number of host threads
    uint32_t GetThreads() const;

  protected:
    void DoDispose() override;

  private:
    class Workers;

    /// @brief Start the host threads if they are not running.
    void StartWorkers();

    uint32_t m_threads;                 //!< attribute Threads
    std::function<void()> m_initialize; //!< set-up of a thread
    std::unique_ptr<Workers> m_workers; //!< the threads
};

} // namespace ns3::collab

#endif /* COLLAB_LEARNER_POOL_H */
