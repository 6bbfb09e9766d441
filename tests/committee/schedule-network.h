/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_SCHEDULE_NETWORK_H
#define COMMITTEE_SCHEDULE_NETWORK_H

#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/uniform_01.hpp>
#include <cstdint>
#include <functional>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace tests
{

constexpr uint64_t SECOND = 1000000000; //!< [ns]
/// Delay of a message once faults are over, at most [ns]
constexpr uint64_t CALM_DELAY = SECOND / 20;

/// Some devices cannot talk to the others for a while
struct Partition
{
    uint64_t begin = 0;      //!< [ns]
    uint64_t end = 0;        //!< [ns]
    std::set<uint32_t> side; //!< devices of one side
};

/// A device is down for a while
struct Crash
{
    uint32_t member = 0; //!< who
    uint64_t begin = 0;  //!< [ns]
    uint64_t end = 0;    //!< [ns]; UINT64_MAX: for ever
};

/// What may happen to messages and devices
struct NetworkFaults
{
    double loss = 0;                   //!< of a message at a receiver
    double duplication = 0;            //!< of a message that arrives
    uint64_t minDelay = 1000;          //!< of a message [ns]
    uint64_t maxDelay = 1000;          //!< of a message [ns]
    std::vector<Partition> partitions; //!< of the network
    std::vector<Crash> crashes;        //!< of devices
};

/// The events of devices on a network with faults
class FaultyNetwork
{
  protected:
    /// @param faults that happen
    /// @param seed of delays and losses
    FaultyNetwork(NetworkFaults faults, uint64_t seed)
        : m_faults(std::move(faults)),
          m_generator(seed)
    {
    }

    /// @param time of an event [ns]
    /// @param action that happens then
    void
    At(uint64_t time, std::function<void()> action)
    {
        m_events.push({time, m_order++, std::move(action)});
    }

    /// @brief Go on to the next event.
    /// @param end of the time [ns]
    /// @return whether there was one by then
    bool
    Step(uint64_t end)
    {
        if (m_events.empty() || m_events.top().time > end)
        {
            return false;
        }
        const Event event = m_events.top();
        m_events.pop();
        m_now = event.time;
        event.action();
        return true;
    }

    /// @param sender of a message
    /// @param receiver of it
    /// @param isCalm whether nothing is lost, or late, any more
    /// @param deliver what happens at the receiver, each time that it arrives
    void
    Transmit(uint32_t sender, uint32_t receiver, bool isCalm, const std::function<void()>& deliver)
    {
        const uint64_t most = isCalm ? std::min(m_faults.maxDelay, CALM_DELAY) : m_faults.maxDelay;
        const uint64_t least = std::min(m_faults.minDelay, most);
        const int copies = Draw() < m_faults.duplication ? 2 : 1;
        for (int copy = 0; copy < copies; ++copy)
        {
            const auto delay =
                least + static_cast<uint64_t>(Draw() * static_cast<double>(most - least));
            const bool isLost = Draw() < m_faults.loss && !isCalm;
            if (!isLost && !IsCut(sender, receiver))
            {
                At(m_now + delay, deliver);
            }
        }
    }

    /// @param device a device
    /// @return whether it crashes for ever
    bool
    IsGone(uint32_t device) const
    {
        return std::any_of(m_faults.crashes.begin(), m_faults.crashes.end(), [&](const Crash& c) {
            return c.member == device && c.end == UINT64_MAX;
        });
    }

    /// @return a number from 0 to 1
    double
    Draw()
    {
        return boost::random::uniform_01<double>()(m_generator);
    }

    NetworkFaults m_faults; //!< that happen
    uint64_t m_now = 0;     //!< [ns]

  private:
    struct Event
    {
        uint64_t time = 0;
        uint64_t order = 0;
        std::function<void()> action;

        bool
        operator>(const Event& other) const
        {
            return std::tie(time, order) > std::tie(other.time, other.order);
        }
    };

    bool
    IsCut(uint32_t a, uint32_t b) const
    {
        return std::any_of(
            m_faults.partitions.begin(), m_faults.partitions.end(), [&](const Partition& p) {
                return p.begin <= m_now && m_now < p.end && p.side.count(a) != p.side.count(b);
            });
    }

    ns3::collab::RandomGenerator m_generator; //!< of delays and losses
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> m_events;
    uint64_t m_order = 0; //!< of the next event among those of one time
};

} // namespace tests

#endif /* COMMITTEE_SCHEDULE_NETWORK_H */
