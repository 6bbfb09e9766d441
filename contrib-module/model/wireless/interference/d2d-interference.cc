/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-interference.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

D2dDisturbance
D2dInterference::Others::Get() const
{
    D2dDisturbance disturbance;
    disturbance.powerW = powerW;
    disturbance.faded = faded.GetProductLessOne();
    return disturbance;
}

void
D2dInterference::SetLocking(D2dLocking locking, double captureRatio)
{
    m_locking = locking;
    m_captureRatio = captureRatio;
}

uint64_t
D2dInterference::Begin(const std::vector<D2dReach>& reach,
                       const std::vector<D2dReception>& receptions,
                       Time airtime,
                       uint32_t fragments,
                       Time elapsed)
{
    // Who is told may let signals of its own begin, before this one
    for (const auto& heard : reach)
    {
        Stir(heard.device);
    }
    for (const auto& reception : receptions)
    {
        Stir(reception.device);
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    Place place;
    place.signal = m_next++;
    place.begin = now - elapsed.GetTimeStep();
    place.end = place.begin + airtime.GetTimeStep();
    place.lockEnd = place.begin + airtime.GetTimeStep() / std::max(fragments, 1U);
    Signal& added = m_signals[place.signal];
    added.devices.reserve(reach.size());
    for (const auto& heard : reach)
    {
        place.powerW = heard.powerW;
        added.devices.push_back(heard.device);
        Add(heard.device, place, now);
    }
    place.powerW = 0;
    added.receivers.reserve(receptions.size());
    const bool isRow = fragments > 0;
    added.runs.resize(isRow ? receptions.size() : 0);
    m_rows += isRow ? 1 : 0;
    for (const auto& [device, scale] : receptions)
    {
        if (device >= m_heard.size() || m_heard[device].empty() ||
            m_heard[device].back().signal != place.signal)
        {
            added.devices.push_back(device);
            Add(device, place, now);
        }
        Place& reception = m_heard[device].back();
        reception.scale = scale;
        reception.fragment = isRow ? reception.lockEnd - reception.begin : 0;
        reception.reception = static_cast<uint32_t>(added.receivers.size());
        Lock(m_heard[device], reception);
        StartProduct(m_heard[device], reception);
        added.receivers.push_back(device);
    }
    // Only a signal that begins makes the interference of others greater
    for (const uint32_t device : added.devices)
    {
        NoteWorst(device, now);
    }
    return place.signal;
}

bool
D2dInterference::IsQuiet(const std::vector<uint32_t>& devices) const
{
    return !IsWatched(devices) &&
           std::all_of(devices.begin(), devices.end(), [this](uint32_t device) {
               return device >= m_heard.size() || m_heard[device].empty();
           });
}

bool
D2dInterference::IsWatched(const std::vector<uint32_t>& devices) const
{
    return std::any_of(devices.begin(), devices.end(), [this](uint32_t device) {
        return device < m_watches.size() && m_watches[device] != 0;
    });
}

uint64_t
D2dInterference::Watch(std::vector<uint32_t> devices, std::function<void()> stirred)
{
    const uint64_t watch = m_next++;
    for (const uint32_t device : devices)
    {
        m_watches.resize(std::max<std::size_t>(m_watches.size(), device + 1));
        m_watches[device] = watch;
    }
    m_watchers[watch] = {std::move(devices), std::move(stirred)};
    return watch;
}

void
D2dInterference::Unwatch(uint64_t watch)
{
    const auto found = m_watchers.find(watch);
    if (found != m_watchers.end())
    {
        for (const uint32_t device : found->second.devices)
        {
            m_watches[device] = 0;
        }
        m_watchers.erase(found);
    }
}

void
D2dInterference::Stir(uint32_t device)
{
    if (device < m_watches.size() && m_watches[device] != 0)
    {
        const uint64_t watch = m_watches[device];
        const auto stirred = m_watchers.at(watch).stirred;
        Unwatch(watch);
        stirred();
    }
}

std::vector<D2dRun>
D2dInterference::Collect(uint64_t signal, uint32_t device)
{
    const int64_t now = Simulator::Now().GetTimeStep();
    Advance(device, now);
    NoteWorst(device, now);
    const auto place = Find(device, signal);
    auto runs = std::exchange(m_signals.at(signal).runs.at(place->reception), {});
    m_runs -= runs.size();
    return runs;
}

void
D2dInterference::LetGo(uint64_t signal, uint32_t device)
{
    const int64_t now = Simulator::Now().GetTimeStep();
    Advance(device, now);
    Find(device, signal)->fragment = 0;
    NoteWorst(device, now);
}

std::vector<std::optional<D2dDisturbance>>
D2dInterference::End(uint64_t signal)
{
    const auto found = m_signals.find(signal);
    std::vector<std::optional<D2dDisturbance>> worst;
    worst.reserve(found->second.receivers.size());
    for (const uint32_t device : found->second.receivers)
    {
        const auto place = Find(device, signal);
        worst.push_back(place->received ? std::optional(place->worst.Get()) : std::nullopt);
    }
    m_rows -= found->second.runs.empty() ? 0 : 1;
    const int64_t now = Simulator::Now().GetTimeStep();
    for (const uint32_t device : found->second.devices)
    {
        Advance(device, now); // other rows meet less from now on
        const auto place = Find(device, signal);
        Silence(m_heard[device], *place);
        m_heard[device].erase(place);
        if (m_rows > 0)
        {
            NoteWorst(device, now);
        }
    }
    for (const auto& runs : found->second.runs)
    {
        m_runs -= runs.size();
    }
    m_signals.erase(found);
    return worst;
}

void
D2dInterference::Add(uint32_t device, const Place& place, int64_t now)
{
    if (device >= m_heard.size())
    {
        m_heard.resize(device + 1);
    }
    Advance(device, now);
    for (auto& other : m_heard[device])
    {
        if (other.MeetsFading() && place.powerW > 0)
        {
            other.present.faded += D2dLogSum(other.scale * place.powerW);
        }
    }
    m_heard[device].push_back(place);
}

void
D2dInterference::StartProduct(const std::vector<Place>& places, Place& added)
{
    if (!added.MeetsFading())
    {
        return;
    }
    for (const auto& other : places)
    {
        if (other.disturbs && other.signal != added.signal)
        {
            added.present.faded += D2dLogSum(added.scale * other.powerW);
        }
    }
}

void
D2dInterference::Silence(std::vector<Place>& places, Place& ended)
{
    if (!std::exchange(ended.disturbs, false))
    {
        return;
    }
    for (auto& other : places)
    {
        if (other.MeetsFading() && other.signal != ended.signal && ended.powerW > 0)
        {
            other.present.faded -= D2dLogSum(other.scale * ended.powerW);
        }
    }
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
D2dInterference::Lock(std::vector<Place>& places, Place& added) const
{
    const auto held = std::find_if(places.begin(), places.end(), [&added](const Place& place) {
        return &place != &added && place.received && place.lockEnd > added.begin;
    });
    if (m_locking == D2dLocking::NONE || held == places.end())
    {
        added.received = true;
        return;
    }
    // The order of events of one instant must not matter
    const bool together = held->begin == added.begin;
    const bool captures = together ? added.powerW > held->powerW
                                   : m_locking == D2dLocking::CAPTURE &&
                                         added.powerW >= m_captureRatio * held->powerW;
    held->received = !captures;
    added.received = captures;
}

void
D2dInterference::Advance(uint32_t device, int64_t now)
{
    std::vector<Place>& places = m_heard[device];
    if (m_rows > 0)
    {
        AdvanceRows(places, now);
    }
    for (auto& place : places)
    {
        if (place.end <= now)
        {
            Silence(places, place);
        }
    }
}

void
D2dInterference::AdvanceRows(std::vector<Place>& places, int64_t now)
{
    if (AreContested(places))
    {
        AdvanceContested(places, now);
        return;
    }
    for (auto& place : places)
    {
        if (place.IsRow() && place.lockEnd <= now)
        {
            const int64_t ended = (std::min(now, place.end) - place.begin) / place.fragment;
            EndFragments(place, static_cast<uint32_t>(ended), now);
        }
    }
}

bool
D2dInterference::AreContested(const std::vector<Place>& places) const
{
    if (m_locking == D2dLocking::NONE)
    {
        return false;
    }
    // A fragment that is locked, or one of a row, whose successor may be
    const auto competes = [](const Place& place) { return place.IsWanted(); };
    return std::count_if(places.begin(), places.end(), competes) > 1;
}

void
D2dInterference::AdvanceContested(std::vector<Place>& places, int64_t now)
{
    for (;;)
    {
        int64_t next = now + 1;
        for (const auto& place : places)
        {
            next = place.IsRow() ? std::min(next, place.lockEnd) : next;
        }
        if (next > now)
        {
            return;
        }
        for (auto& place : places)
        {
            if (place.IsRow() && place.lockEnd == next)
            {
                EndFragments(place, 1, now);
                if (place.IsRow())
                {
                    Lock(places, place);
                }
            }
        }
    }
}

void
D2dInterference::EndFragments(Place& place, uint32_t fragments, int64_t now)
{
    AddRun(place, 1, place.received ? std::optional(place.worst.Get()) : std::nullopt);
    if (fragments > 1)
    {
        AddRun(place, fragments - 1, place.present.Get());
    }
    place.begin += place.fragment * fragments;
    place.lockEnd = std::min(place.begin + place.fragment, place.end);
    place.received = true; // unless another one is locked
    // What begins now meets what will be on air, which NoteWorst() finds out
    place.worst = place.begin < now ? place.present : Others();
}

void
D2dInterference::AddRun(const Place& place,
                        uint32_t fragments,
                        const std::optional<D2dDisturbance>& worst)
{
    std::vector<D2dRun>& runs = m_signals.at(place.signal).runs.at(place.reception);
    if (!runs.empty() && runs.back().worst == worst)
    {
        runs.back().fragments += fragments;
        return;
    }
    runs.push_back({fragments, worst});
    ++m_runs;
}

void
D2dInterference::NoteWorst(uint32_t device, int64_t now)
{
    std::vector<Place>& places = m_heard[device];
    bool sums = false;
    for (auto& place : places)
    {
        const bool counts = place.IsWanted() && place.end > now;
        sums = sums || (counts && place.scale == 0);
        if (counts && place.scale > 0)
        {
            place.worst.faded = std::max(place.worst.faded, place.present.faded);
        }
    }
    if (sums)
    {
        NoteWorstSums(places, now);
    }
}

void
D2dInterference::NoteWorstSums(std::vector<Place>& places, int64_t now)
{
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
        if (place.end <= now)
        {
            continue;
        }
        if (place.scale == 0)
        {
            place.present.powerW = m_earlierW[i] + laterW;
            place.worst.powerW = std::max(place.worst.powerW, place.present.powerW);
        }
        laterW += place.powerW;
    }
}

} // namespace ns3::collab
