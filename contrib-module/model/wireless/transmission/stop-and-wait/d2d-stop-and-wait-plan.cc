/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-stop-and-wait-plan.h"

#include <numeric>

namespace ns3::collab
{

D2dAirUse&
D2dAirUse::operator+=(const D2dAirUse& other)
{
    transmitting += other.transmitting;
    listening += other.listening;
    waiting += other.waiting;
    return *this;
}

D2dAirUse&
D2dAirUse::operator-=(const D2dAirUse& other)
{
    transmitting -= other.transmitting;
    listening -= other.listening;
    waiting -= other.waiting;
    return *this;
}

Time
D2dAirUse::GetDuration() const
{
    return transmitting + listening + waiting;
}

uint32_t
D2dStopAndWaitBlock::GetAttempts(std::size_t kind) const
{
    return kinds.empty() ? static_cast<uint32_t>(kind) + 1 : kinds[kind].attempts;
}

uint32_t
D2dStopAndWaitBlock::CountFragments() const
{
    return std::accumulate(fragments.begin(), fragments.end(), uint32_t{0});
}

uint64_t
D2dStopAndWaitBlock::CountAttempts() const
{
    uint64_t attempts = 0;
    for (std::size_t i = 0; i < fragments.size(); ++i)
    {
        attempts += uint64_t{GetAttempts(i)} * fragments[i];
    }
    return attempts;
}

uint64_t
D2dStopAndWaitBlock::CountFailures() const
{
    return CountAttempts() - (givenUp ? 0 : CountFragments());
}

D2dAirUse
D2dStopAndWaitBlock::GetUse(const D2dStopAndWaitTiming& timing) const
{
    uint64_t backoffs = 0;
    uint64_t ofOne = 0; // of a fragment of this kind
    uint32_t waits = 0; // how often it waits
    for (std::size_t i = 0; !timing.backoff.IsZero() && i < fragments.size(); ++i)
    {
        if (GetAttempts(i) <= waits)
        {
            ofOne = 0;
            waits = 0;
        }
        for (; waits + 1 < GetAttempts(i); ++waits)
        {
            ofOne += GetRetryBackoff(before + waits + 1);
        }
        backoffs += fragments[i] * ofOne;
    }
    const auto attempts = static_cast<int64_t>(CountAttempts());
    return {timing.transmission * attempts,
            timing.window * attempts,
            timing.backoff * static_cast<int64_t>(backoffs)};
}

Time
D2dStopAndWaitBlock::GetTimeToArrival(const D2dStopAndWaitTiming& timing) const
{
    Time time = timing.transmission;
    for (uint32_t failures = 1; failures < arrival; ++failures)
    {
        time += timing.window + timing.transmission +
                timing.backoff * static_cast<int64_t>(GetRetryBackoff(before + failures));
    }
    return time;
}

D2dAirUse
D2dStopAndWaitPlan::GetUse(const D2dStopAndWaitTiming& timing) const
{
    D2dAirUse use;
    for (const auto& block : blocks)
    {
        use += block.GetUse(timing);
    }
    return use;
}

uint64_t
D2dStopAndWaitPlan::CountAcknowledgments() const
{
    uint64_t count = 0;
    for (const auto& block : blocks)
    {
        count += block.heard + (block.givenUp ? 0 : block.CountFragments());
    }
    return count;
}

} // namespace ns3::collab
