/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-process.h"

#include <algorithm>

namespace ns3::collab
{

ProcessRunner::~ProcessRunner()
{
    Stop();
}

void
ProcessRunner::Start(Process process)
{
    m_processes.push_back(std::make_unique<Running>(Running{{this, false}, std::move(process)}));
    Running& running = *m_processes.back();
    running.process.GetHandle().promise().Join(running.root, nullptr);
    Resume(running.process.GetHandle());
}

void
ProcessRunner::Stop()
{
    for (const auto& running : m_processes)
    {
        running->root.isStopped = true;
    }
    CleanUp();
}

bool
ProcessRunner::IsRunning() const
{
    return std::any_of(m_processes.begin(), m_processes.end(), [](const auto& running) {
        return !running->root.isStopped && !running->process.GetHandle().done();
    });
}

void
ProcessRunner::Resume(std::coroutine_handle<> waiting)
{
    ++m_depth;
    waiting.resume();
    --m_depth;
    CleanUp();
}

void
ProcessRunner::CleanUp()
{
    if (m_depth > 0)
    {
        return; // one of them is at work
    }
    std::list<std::unique_ptr<Running>> over; // destroyed when the list is in order again
    for (auto it = m_processes.begin(); it != m_processes.end();)
    {
        const auto running = it++;
        if ((*running)->root.isStopped || (*running)->process.GetHandle().done())
        {
            over.splice(over.end(), m_processes, running);
        }
    }
    for (const auto& running : over)
    {
        if (running->process.GetHandle().done())
        {
            running->process.GetHandle().promise().Rethrow();
        }
    }
}

void
Changes::Check()
{
    const std::vector<Until*> waits = m_waits;
    for (Until* wait : waits)
    {
        // Who goes on may end others
        const bool isHere = std::find(m_waits.begin(), m_waits.end(), wait) != m_waits.end();
        if (isHere && wait->m_isSo())
        {
            wait->End();
        }
    }
}

Until::Until(Changes& changes, std::function<bool()> isSo, Time longest)
    : m_changes(changes),
      m_isSo(std::move(isSo)),
      m_longest(longest)
{
}

Until::~Until()
{
    m_end.Cancel();
    auto& waits = m_changes.m_waits;
    waits.erase(std::remove(waits.begin(), waits.end(), this), waits.end());
}

bool
Until::Begin()
{
    if (m_isSo())
    {
        return false;
    }
    m_changes.m_waits.push_back(this);
    if (m_longest < Time::Max()) // no event that the simulator would wait for
    {
        m_end = Simulator::Schedule(m_longest, [this]() { End(); });
    }
    return true;
}

Process
Sleep(Time time)
{
    co_await Delay(time);
}

SomeOf::SomeOf(std::vector<Process> processes, std::size_t enough)
    : m_processes(std::move(processes)),
      m_left(enough)
{
}

SomeOf::~SomeOf() = default;

bool
SomeOf::Begin()
{
    for (std::size_t i = 0; i < m_processes.size() && m_left > 0; ++i)
    {
        m_followers.push_back(Follow(i));
        m_followers.back().GetHandle().promise().Join(GetRoot(), nullptr);
        m_followers.back().GetHandle().resume();
    }
    m_hasBegun = true;
    return m_left > 0;
}

Process
SomeOf::Follow(std::size_t index)
{
    try
    {
        co_await std::move(m_processes[index]);
    }
    catch (...)
    {
        m_error = std::current_exception();
        m_left = 1;
    }
    m_last = index;
    if (m_left == 0 || --m_left > 0)
    {
        co_return;
    }
    if (m_hasBegun) // who waits goes on where this ends, and destroys it then
    {
        m_followers[index].GetHandle().promise().Join(GetRoot(), GetWaiting());
    }
}

std::size_t
SomeOf::await_resume()
{
    if (m_error)
    {
        std::rethrow_exception(m_error);
    }
    return m_last;
}

} // namespace ns3::collab
