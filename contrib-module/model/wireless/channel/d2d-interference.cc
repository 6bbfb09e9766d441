/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-interference.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace collab
{

uint64_t
D2dInterference::Begin(const std::vector<D2dReach>& reach,
                       std::vector<uint32_t> receivers,
                       Time airtime)
{
    Place place;
    place.signal = m_next++;
    place.end = (Simulator::Now() + airtime).GetTimeStep();
    Signal& added = m_signals[place.signal];
    added.devices.reserve(reach.size());
    for (const auto& heard : reach)
    {
        place.powerW = heard.powerW;
        added.devices.push_back(heard.device);
        Add(heard.device, place);
    }
    place.powerW = 0;
    for (const uint32_t device : receivers)
    {
        if (device >= m_heard.size() || m_heard[device].empty() ||
            m_heard[device].back().signal != place.signal)
        {
            added.devices.push_back(device);
            Add(device, place);
        }
        m_heard[device].back().received = true;
    }
    // Only a signal that begins makes the interference of others greater
    for (const uint32_t device : added.devices)
    {
        NoteWorst(device);
    }
    added.receivers = std::move(receivers);
    return place.signal;
}

std::vector<double>
D2dInterference::End(uint64_t signal)
{
    const auto found = m_signals.find(signal);
    std::vector<double> worstW;
    worstW.reserve(found->second.receivers.size());
    for (const uint32_t device : found->second.receivers)
    {
        worstW.push_back(Find(device, signal)->worstW);
    }
    for (const uint32_t device : found->second.devices)
    {
        m_heard[device].erase(Find(device, signal));
    }
    m_signals.erase(found);
    return worstW;
}

void
D2dInterference::Add(uint32_t device, const Place& place)
{
    if (device >= m_heard.size())
    {
        m_heard.resize(device + 1);
    }
    m_heard[device].push_back(place);
}

std::vector<D2dInterference::Place>::iterator
D2dInterference::Find(uint32_t device, uint64_t signal)
{
    return std::lower_bound(
        m_heard[device].begin(),
        m_heard[device].end(),
        signal,
        [](const Place& place, uint64_t number) { return place.signal < number; });
}

void
D2dInterference::NoteWorst(uint32_t device)
{
    const int64_t now = Simulator::Now().GetTimeStep();
    std::vector<Place>& places = m_heard[device];
    m_earlierW.resize(places.size());
    double earlierW = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        m_earlierW[i] = earlierW;
        earlierW += places[i].end > now ? places[i].powerW : 0.0;
    }
    // All others are those before and those behind: none has to be taken from the sum of all
    double laterW = 0;
    for (std::size_t i = places.size(); i-- > 0;)
    {
        Place& place = places[i];
        if (place.end > now)
        {
            place.worstW =
                place.received ? std::max(place.worstW, m_earlierW[i] + laterW) : place.worstW;
            laterW += place.powerW;
        }
    }
}

} // namespace collab
} // namespace ns3
