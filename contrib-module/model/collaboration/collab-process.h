/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PROCESS_H
#define COLLAB_PROCESS_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <coroutine>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::collab
{

class ProcessRunner;

template <typename T>
class ProcessOf;

/**
 * @ingroup collab
 * @brief What a device does, as a coroutine that waits on the simulator's clock.
 *
 * A function that returns a Process reads from top to bottom like the algorithm of a paper;
 * wherever it says co_await, simulated time goes by. It begins when it is awaited by another
 * process, or handed to a ProcessRunner. Destroying a process that waits ends it there: its local
 * variables are destroyed, the innermost process first, and what they wait for is canceled.
 */
using Process = ProcessOf<void>;

namespace detail
{

/// A process that nobody awaits, and all that it awaits
struct ProcessRoot
{
    ProcessRunner* runner = nullptr; //!< which resumes it
    bool isStopped = false;          //!< whether it ends at its next wait
};

/// What the promises of all processes have
class ProcessPromise
{
  public:
    /// Goes on with who awaits the process, if anybody does
    struct Final
    {
        bool
        await_ready() const noexcept
        {
            return false;
        }

        template <typename P>
        std::coroutine_handle<>
        await_suspend(std::coroutine_handle<P> handle) noexcept
        {
            return handle.promise().m_awaiting ? handle.promise().m_awaiting
                                               : std::noop_coroutine();
        }

        void
        await_resume() const noexcept
        {
        }
    };

    std::suspend_always
    initial_suspend() const noexcept
    {
        return {};
    }

    Final
    final_suspend() const noexcept
    {
        return {};
    }

    void
    unhandled_exception() noexcept
    {
        m_error = std::current_exception();
    }

    /// @return the process that nobody awaits
    ProcessRoot&
    GetRoot() const
    {
        return *m_root;
    }

    /// @param root the process that nobody awaits
    /// @param awaiting who goes on at the end; none if empty
    void
    Join(ProcessRoot& root, std::coroutine_handle<> awaiting)
    {
        m_root = &root;
        m_awaiting = awaiting;
    }

    /// @brief Throw what has ended the process, if anything has.
    void
    Rethrow()
    {
        if (m_error)
        {
            std::rethrow_exception(std::exchange(m_error, nullptr));
        }
    }

  private:
    ProcessRoot* m_root = nullptr;      //!< see GetRoot()
    std::coroutine_handle<> m_awaiting; //!< who goes on at the end
    std::exception_ptr m_error;         //!< what has ended it
};

/// The promise of a process with a result
template <typename T>
class ResultPromise : public ProcessPromise
{
  public:
    ProcessOf<T> get_return_object() noexcept;

    template <typename V>
    void
    return_value(V&& value)
    {
        m_result.emplace(std::forward<V>(value));
    }

    /// @return the result, which is there once
    T
    Take()
    {
        Rethrow();
        return std::move(*m_result);
    }

  private:
    std::optional<T> m_result; //!< what was returned
};

/// The promise of a process without a result
template <>
class ResultPromise<void> : public ProcessPromise
{
  public:
    ProcessOf<void> get_return_object() noexcept;

    void
    return_void() const noexcept
    {
    }

    void
    Take()
    {
        Rethrow();
    }
};

} // namespace detail

/// @ingroup collab
/// @brief A Process with a result, which co_await gives to who awaits it.
/// @tparam T what it returns by co_return
template <typename T>
class [[nodiscard]] ProcessOf
{
  public:
    using promise_type = detail::ResultPromise<T>;

    /// @param handle coroutine that has not begun
    explicit ProcessOf(std::coroutine_handle<promise_type> handle) noexcept
        : m_handle(handle)
    {
    }

    /// @param other process to take over, which is none then
    ProcessOf(ProcessOf&& other) noexcept
        : m_handle(std::exchange(other.m_handle, nullptr))
    {
    }

    ProcessOf(const ProcessOf&) = delete;
    ProcessOf& operator=(const ProcessOf&) = delete;
    ProcessOf& operator=(ProcessOf&&) = delete;

    ~ProcessOf()
    {
        if (m_handle)
        {
            m_handle.destroy();
        }
    }

    bool
    await_ready() const noexcept
    {
        return false;
    }

    template <typename P>
    std::coroutine_handle<>
    await_suspend(std::coroutine_handle<P> awaiting) noexcept
    {
        m_handle.promise().Join(awaiting.promise().GetRoot(), awaiting);
        return m_handle;
    }

    T
    await_resume()
    {
        return m_handle.promise().Take();
    }

    /// @return the coroutine
    std::coroutine_handle<promise_type>
    GetHandle() const noexcept
    {
        return m_handle;
    }

  private:
    std::coroutine_handle<promise_type> m_handle; //!< owned
};

template <typename T>
ProcessOf<T>
detail::ResultPromise<T>::get_return_object() noexcept
{
    return ProcessOf<T>(std::coroutine_handle<ResultPromise<T>>::from_promise(*this));
}

inline ProcessOf<void>
detail::ResultPromise<void>::get_return_object() noexcept
{
    return ProcessOf<void>(std::coroutine_handle<ResultPromise<void>>::from_promise(*this));
}

/**
 * @ingroup collab
 * @brief Runs the processes of a device, until they end or it is off.
 *
 * Whatever makes a process go on does so in an event of the simulator. Who stops processes from
 * within one of them, such as a battery that its last message has emptied, stops that at its next
 * wait.
 */
class ProcessRunner
{
  public:
    ProcessRunner() = default;
    ~ProcessRunner();
    ProcessRunner(const ProcessRunner&) = delete;
    ProcessRunner& operator=(const ProcessRunner&) = delete;

    /// @param process what begins now; what it throws is thrown to who made it go on
    void Start(Process process);
    /// @brief End all processes where they wait.
    void Stop();
    /// @return whether any process has begun and not ended
    bool IsRunning() const;

    /// @param waiting a coroutine whose wait is over
    void Resume(std::coroutine_handle<> waiting);

  private:
    /// A process that nobody awaits
    struct Running
    {
        detail::ProcessRoot root;
        Process process;
    };

    /// @brief Destroy what has ended or was stopped, and throw what has ended it.
    void CleanUp();

    std::list<std::unique_ptr<Running>> m_processes; //!< that have begun
    uint32_t m_depth = 0;                            //!< coroutines that run now, within each other
};

/// Whether a callable may be written within a co_await expression: g++ before 13 destroys temporary
/// lambdas there twice, which is harmless for those that only hold numbers or pointers
template <typename F>
constexpr bool IS_SAFE_IN_AWAIT =
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
    std::is_lvalue_reference_v<F> || std::is_trivially_destructible_v<F> ||
    std::is_same_v<F, std::function<std::invoke_result_t<F&>()>>;
#else
    true;
#endif

/**
 * @ingroup collab
 * @brief The base of all that a process can wait for.
 *
 * A class of things to wait for has a constructor (a compiler of today destroys aggregates twice),
 * and cancels in its destructor what would make the process go on.
 */
class Wait
{
  public:
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;
    virtual ~Wait() = default;

    virtual bool
    await_ready()
    {
        return false;
    }

    template <typename P>
    bool
    await_suspend(std::coroutine_handle<P> waiting)
    {
        m_waiting = waiting;
        m_root = &waiting.promise().GetRoot();
        return m_root->isStopped || Begin() || m_root->isStopped;
    }

  protected:
    Wait() = default;

    /// @brief Arrange for End().
    /// @return whether there is anything to wait for; if not, the process goes on at once
    virtual bool Begin() = 0;

    /// @brief The process goes on; this object may be gone after that.
    void
    End()
    {
        if (!m_root->isStopped)
        {
            m_root->runner->Resume(m_waiting);
        }
    }

    /// @return the process that nobody awaits, of the one that waits
    detail::ProcessRoot&
    GetRoot() const
    {
        return *m_root;
    }

    /// @return who waits
    std::coroutine_handle<>
    GetWaiting() const
    {
        return m_waiting;
    }

  private:
    std::coroutine_handle<> m_waiting;     //!< who waits
    detail::ProcessRoot* m_root = nullptr; //!< of the one who waits
};

/// @ingroup collab
/// @brief Waits for some time.
class Delay : public Wait
{
  public:
    /// @param time how long
    explicit Delay(Time time)
        : m_time(time)
    {
    }

    ~Delay() override
    {
        m_event.Cancel();
    }

    void
    await_resume() const
    {
    }

  private:
    bool
    Begin() override
    {
        m_event = Simulator::Schedule(m_time, [this]() { End(); });
        return true;
    }

    Time m_time;     //!< how long
    EventId m_event; //!< its end
};

/**
 * @ingroup collab
 * @brief A time that is set before anything waits for it, and passes meanwhile too.
 *
 * Its place among the events of that time is that of the moment when it was set.
 */
class Alarm : public Wait
{
  public:
    /// @param time how long from now; none if it is over already
    explicit Alarm(Time time)
    {
        m_event = Simulator::Schedule(std::max(Time(), time), [this]() {
            m_isOver = true;
            if (m_isAwaited)
            {
                End();
            }
        });
    }

    ~Alarm() override
    {
        m_event.Cancel();
    }

    /// @return whether the time is over
    bool
    IsOver() const
    {
        return m_isOver;
    }

    void
    await_resume() const
    {
    }

  private:
    bool
    Begin() override
    {
        m_isAwaited = !m_isOver;
        return m_isAwaited;
    }

    EventId m_event;          //!< its end
    bool m_isOver = false;    //!< see IsOver()
    bool m_isAwaited = false; //!< whether a process waits for it
};

class Until;

/// @ingroup collab
/// @brief What may have changed, for those who wait for it.
class Changes
{
  public:
    /// @brief Let those go on who have waited for what is so now.
    void Check();

  private:
    friend class Until;
    std::vector<Until*> m_waits; //!< who waits
};

/**
 * @ingroup collab
 * @brief Waits until something is so, for so long at most.
 *
 * co_await gives whether it is so.
 */
class Until : public Wait
{
  public:
    /// @param changes tell when it may be so
    /// @param isSo whether it is
    /// @param longest how long to wait; Time::Max() for as long as it takes
    Until(Changes& changes, std::function<bool()> isSo, Time longest);
    ~Until() override;

    bool
    await_resume() const
    {
        return m_isSo();
    }

  private:
    friend class Changes;

    bool Begin() override;

    Changes& m_changes;           //!< tell when it may be so
    std::function<bool()> m_isSo; //!< whether it is
    Time m_longest;               //!< how long to wait
    EventId m_end;                //!< of the wait
};

/// @ingroup collab
/// @param time some time
/// @return a process that does nothing else, such as in AnyOf(Ask(), Sleep(patience))
Process Sleep(Time time);

/**
 * @ingroup collab
 * @brief Waits for some of several processes, which begin at once, in their order.
 *
 * Those that have not ended when enough others have are destroyed. What one throws is thrown to who
 * waits.
 */
class SomeOf : public Wait
{
  public:
    /// @param processes what goes on at the same time
    /// @param enough how many of them have to end
    SomeOf(std::vector<Process> processes, std::size_t enough);
    ~SomeOf() override;

    /// @return which one has ended last, by its place among the processes
    std::size_t await_resume();

  private:
    bool Begin() override;

    /// @brief Await a process, and tell when it has ended.
    /// @param index its place
    Process Follow(std::size_t index);

    std::vector<Process> m_processes; //!< what goes on
    std::vector<Process> m_followers; //!< of each, who awaits it
    std::size_t m_left;               //!< how many have to end yet
    std::size_t m_last = 0;           //!< which one has ended last
    bool m_hasBegun = false;          //!< whether all have begun
    std::exception_ptr m_error;       //!< what has ended one of them
};

/// @ingroup collab
/// @param processes what goes on at the same time, such as AllOf(Ask(3), Ask(5))
/// @return something to wait for, which is over when all have ended
template <typename... P>
std::enable_if_t<(std::is_same_v<P, Process> && ...), SomeOf>
AllOf(P... processes)
{
    std::vector<Process> all;
    (all.push_back(std::move(processes)), ...);
    return SomeOf(std::move(all), sizeof...(P));
}

/// @ingroup collab
/// @param processes what goes on at the same time
/// @return something to wait for, which is over when one of them has ended; the others do not go
/// on. It gives the place of that one
template <typename... P>
std::enable_if_t<(std::is_same_v<P, Process> && ...), SomeOf>
AnyOf(P... processes)
{
    std::vector<Process> all;
    (all.push_back(std::move(processes)), ...);
    return SomeOf(std::move(all), 1);
}

} // namespace ns3::collab

#endif /* COLLAB_PROCESS_H */
