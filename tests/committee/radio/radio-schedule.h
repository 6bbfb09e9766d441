/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_RADIO_SCHEDULE_H
#define COMMITTEE_RADIO_SCHEDULE_H

#include "committee/schedule-network.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tests
{

/// Everything that decides how a federation of devices on the simulated radio goes
struct RadioSchedule
{
    uint64_t seed = 1;                         //!< of the primaries, the radio and behavior
    uint32_t devices = 12;                     //!< K
    uint32_t committee = 4;                    //!< C
    uint32_t training = 6;                     //!< n
    uint32_t rounds = 4;                       //!< to run
    std::string outage;                        //!< outage model until faults end
    double rssDbm = -60;                       //!< received power of every link [dBm]
    std::string lossPolicy = "Reliable";       //!< attribute of the applications
    double faultsEnd = 0;                      //!< from then on nothing is lost [s]
    std::map<uint32_t, std::string> byzantine; //!< misbehavior by device
    std::vector<Crash> crashes;                //!< power cuts
    std::map<uint32_t, double> batteries;      //!< charge of those that may run empty [J]
};

/// What came of a schedule
struct RadioResult
{
    uint32_t forks = 0;      //!< rounds for which two honest devices have different blocks
    uint32_t invalid = 0;    //!< models that are not what the selected gradients make
    uint32_t unfinished = 0; //!< honest devices with power that do not reach the end
    uint32_t blocks = 0;     //!< rounds with a block
    uint32_t abandoned = 0;  //!< of these, without a result
    uint32_t empty = 0;      //!< batteries
    std::string story;       //!< what went wrong, for people

    /// @return whether nothing did
    bool IsRight() const;
};

/// @param seed of the draw
/// @return a schedule with at most f devices that are Byzantine or without power for good
RadioSchedule DrawRadioSchedule(uint64_t seed);

/// @param schedule to be played, of whole applications under the rule BYZANTINE
/// @return what came of it
RadioResult PlayRadioSchedule(const RadioSchedule& schedule);

} // namespace tests

#endif /* COMMITTEE_RADIO_SCHEDULE_H */
