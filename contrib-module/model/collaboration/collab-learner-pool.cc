/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-learner-pool.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <future>
#include <thread>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabLearnerPool");
NS_OBJECT_ENSURE_REGISTERED(LearnerPool);

/// The host threads
class LearnerPool::Workers
{
  public:
    /// @param threads number of threads
    explicit Workers(uint32_t threads)
        : m_pool(threads)
    {
    }

    /// Waits for jobs that are running and drops those that are not.
    ~Workers()
    {
        m_pool.stop();
        m_pool.join();
    }

    /// @param work work to be done on some thread
    /// @return ready when it is done
    std::shared_future<void>
    Post(std::function<void()> work)
    {
        auto task = std::make_shared<std::packaged_task<void()>>(std::move(work));
        std::shared_future<void> future = task->get_future().share();
        boost::asio::post(m_pool, [task]() { (*task)(); });
        return future;
    }

    /// @param work work to be done now, on this thread
    /// @return ready
    static std::shared_future<void>
    Do(std::function<void()> work)
    {
        std::packaged_task<void()> task(std::move(work));
        std::shared_future<void> future = task.get_future().share();
        task();
        return future;
    }

  private:
    boost::asio::thread_pool m_pool; //!< the threads
};

TypeId
LearnerPool::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::LearnerPool")
                            .SetParent<Object>()
                            .SetGroupName("Collab")
                            .AddConstructor<LearnerPool>()
                            .AddAttribute("Threads",
                                          "Number of host threads; 0 for one a core.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&LearnerPool::m_threads),
                                          MakeUintegerChecker<uint32_t>(0, 1024));
    return tid;
}

LearnerPool::LearnerPool() = default;
LearnerPool::~LearnerPool() = default;

void
LearnerPool::SetThreadInitializer(std::function<void()> initialize)
{
    m_initialize = std::move(initialize);
}

void
LearnerPool::StartWorkers()
{
    if (!m_workers)
    {
        NS_LOG_INFO("starts " << GetThreads() << " host threads");
        m_workers = std::make_unique<Workers>(GetThreads());
    }
}

LearnerJob
LearnerPool::Submit(Time duration,
                    std::function<void()> work,
                    std::function<void()> done,
                    bool isLight)
{
    NS_LOG_FUNCTION(this << duration << isLight);
    auto task = [initialize = m_initialize, work = std::move(work)]() mutable {
        thread_local bool initialized = false; // a thread serves one pool for all its life
        if (!initialized && initialize)
        {
            initialize();
            initialized = true;
        }
        work();
        work = nullptr; // the models that it has read may be large, and the job is kept for longer
    };
    if (!isLight)
    {
        StartWorkers();
    }
    std::shared_future<void> future =
        isLight ? Workers::Do(std::move(task)) : m_workers->Post(std::move(task));
    const EventId end = Simulator::Schedule(duration, [future, done = std::move(done)]() {
        future.get();
        done();
    });
    return {end, future};
}

uint32_t
LearnerPool::GetThreads() const
{
    return m_threads > 0 ? m_threads : std::max(1U, std::thread::hardware_concurrency());
}

void
LearnerPool::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_workers.reset();
    m_initialize = nullptr;
    Object::DoDispose();
}

} // namespace ns3::collab
