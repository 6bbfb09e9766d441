/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_STOP_AND_WAIT_PLAN_H
#define D2D_STOP_AND_WAIT_PLAN_H

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @param failures attempts that have failed in a row; at least 1
/// @return how long to wait before the next, in units of RetryBackoff: 1, 2, 4, ..., 1024
constexpr uint64_t
GetRetryBackoff(uint32_t failures)
{
    return uint64_t{1} << (failures < 11 ? failures - 1 : 10);
}

/// @ingroup collab-wireless
/// @brief Durations in a pass of stop-and-wait.
struct D2dStopAndWaitTiming
{
    Time transmission; //!< of a fragment
    Time window;       //!< after it, while its sender listens for the acknowledgment
    Time backoff;      //!< waiting before a first repetition
};

/// @ingroup collab-wireless
/// @brief What a sender has done, and for how long.
struct D2dAirUse
{
    Time transmitting; //!< fragments
    Time listening;    //!< for acknowledgments
    Time waiting;      //!< before repetitions

    /// @param other what it has done besides
    /// @return both
    D2dAirUse& operator+=(const D2dAirUse& other);
    /// @param other a part of it
    /// @return the rest
    D2dAirUse& operator-=(const D2dAirUse& other);
    /// @return how long all of it took
    Time GetDuration() const;
};

/// @ingroup collab-wireless
/// @brief What becomes of a fragment whose receiver combines its transmissions.
struct D2dCombinedFragment
{
    uint32_t attempts = 1; //!< its transmissions
    uint32_t heard = 0;    //!< those of them, the last in vain, that arrive and are not heard of
};

/// @ingroup collab-wireless
/// @brief Fragments that are sent one after the other until each is acknowledged, in an order of
/// which all are equally probable.
struct D2dStopAndWaitBlock
{
    std::vector<uint32_t> fragments;        //!< how many of them take 1, 2, ... transmissions
    std::vector<D2dCombinedFragment> kinds; //!< if receivers combine: of fragments[i], not i + 1
    uint64_t heard = 0;   //!< transmissions that arrive, but whose acknowledgment is lost
    uint32_t before = 0;  //!< transmissions that the first had before; if any, it is the only one
    bool givenUp = false; //!< whether the only fragment is never acknowledged
    uint32_t arrival = 0; //!< if it is drawn, which transmission of the only fragment is the first
                          //!< that arrives; else, or if none does, 0

    /// @param kind index of fragments
    /// @return transmissions of each of these
    uint32_t GetAttempts(std::size_t kind) const;
    /// @return number of fragments
    uint32_t CountFragments() const;
    /// @return number of transmissions
    uint64_t CountAttempts() const;
    /// @return number of transmissions that are not acknowledged
    uint64_t CountFailures() const;
    /// @param timing durations
    /// @return what it takes
    D2dAirUse GetUse(const D2dStopAndWaitTiming& timing) const;
    /// @param timing durations
    /// @return how long after its beginning the first transmission that arrives is out
    Time GetTimeToArrival(const D2dStopAndWaitTiming& timing) const;
};

/**
 * @ingroup collab-wireless
 * @brief A pass of stop-and-wait as it was drawn.
 *
 * What happens is known up to the order of the fragments within a block.
 */
struct D2dStopAndWaitPlan
{
    std::vector<D2dStopAndWaitBlock> blocks; //!< one after the other

    /// @param timing durations
    /// @return what it takes
    D2dAirUse GetUse(const D2dStopAndWaitTiming& timing) const;
    /// @return acknowledgments that the receiver sends
    uint64_t CountAcknowledgments() const;
};

/**
 * @ingroup collab-wireless
 * @brief How far a pass of stop-and-wait is at one moment.
 *
 * What was transmitted to its end has arrived or not, and been answered; what is on air has not.
 */
struct D2dStopAndWaitProgress
{
    D2dAirUse use;                //!< what the sender has done so far
    uint32_t completed = 0;       //!< fragments that were acknowledged
    uint64_t acknowledgments = 0; //!< acknowledgments that the receiver sent
    bool inFlight = false;        //!< whether a fragment was begun, or given up, that was not
    uint32_t attempts = 0;        //!< its transmissions that have ended, all of them in vain
    uint32_t heard = 0;           //!< those of them since the plan began that have arrived
    Time onAir;                   //!< how long its present transmission lasts; 0 if there is none
    Time window;                  //!< how long the sender still listens
    Time backoff;                 //!< how long it then waits
};

} // namespace ns3::collab

#endif /* D2D_STOP_AND_WAIT_PLAN_H */
