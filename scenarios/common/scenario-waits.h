/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_WAITS_H
#define SCENARIO_WAITS_H

#include "ns3/application-container.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace collab
{

/**
 * @brief Find a wait for which even a device that computes nothing hears the slowest one.
 *
 * @tparam Application type of all applications
 * @param applications applications of all devices
 * @param least wait, for what is sent
 * @param duration function that gives what a device computes until it is heard
 * @return a quarter longer than the slowest device computes
 */
template <typename Application, typename Duration>
Time
FindWait(const ApplicationContainer& applications, Time least, const Duration& duration)
{
    Time longest;
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        longest = std::max(longest, duration(*DynamicCast<Application>(*it)));
    }
    return std::max(least, longest + longest / 4);
}

/**
 * @param isReliable whether parts are repeated that were lost
 * @return how often waits allow for a part to be sent: as often as it takes on average, or more
 */
inline int64_t
CountSendings(bool isReliable)
{
    return isReliable ? 2 : 1;
}

/**
 * @brief Let all devices wait equally long, as their protocol needs it.
 *
 * @param attribute the wait
 * @param computed the wait if there is no argument
 * @param[in,out] seconds the argument, which a given attribute is too, or 0; gets the wait that is
 * in force [s]
 * @param applications applications of all devices
 */
inline void
SetWait(const std::string& attribute,
        Time computed,
        double& seconds,
        const ApplicationContainer& applications)
{
    const Time wait = seconds > 0 ? Seconds(seconds) : computed;
    seconds = seconds > 0 ? seconds : wait.GetSeconds();
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        (*it)->SetAttribute(attribute, TimeValue(wait));
    }
}

} // namespace collab
} // namespace ns3

#endif /* SCENARIO_WAITS_H */
