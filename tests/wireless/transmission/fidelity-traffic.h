/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIDELITY_TRAFFIC_H
#define FIDELITY_TRAFFIC_H

#include "ns3/collab-itemized-energy-model.h"
#include "ns3/d2d-burst.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{
namespace tests
{

/// What is done about lost fragments
enum class FidelityPolicy
{
    BEST_EFFORT,        //!< sent once
    STOP_AND_WAIT,      //!< ARQ, fragment by fragment
    SELECTIVE_REPEAT,   //!< ARQ, round by round
    DIVISIBLE,          //!< units are sent once
    DIVISIBLE_RELIABLE, //!< units are repeated
};

/// All policies
constexpr FidelityPolicy ALL_FIDELITY_POLICIES[] = {FidelityPolicy::BEST_EFFORT,
                                                    FidelityPolicy::STOP_AND_WAIT,
                                                    FidelityPolicy::SELECTIVE_REPEAT,
                                                    FidelityPolicy::DIVISIBLE,
                                                    FidelityPolicy::DIVISIBLE_RELIABLE};

/// @return its name, e.g. "stop-and-wait"
std::string ToString(FidelityPolicy policy);

/// What happens in the middle of a message
enum class FidelityCut
{
    NONE,         //!< nothing
    DEADLINE,     //!< its deadline passes
    CANCEL,       //!< it is taken back
    SENDER_OFF,   //!< the sender goes off
    RECEIVER_OFF, //!< the first receiver goes off
    LINK_CHANGES, //!< the link to the first receiver gets worse, and links are read again
};

/// All that can
constexpr FidelityCut ALL_FIDELITY_CUTS[] = {FidelityCut::DEADLINE,
                                             FidelityCut::CANCEL,
                                             FidelityCut::SENDER_OFF,
                                             FidelityCut::RECEIVER_OFF,
                                             FidelityCut::LINK_CHANGES};

/// @return its name, e.g. "receiver-off"
std::string ToString(FidelityCut cut);

/// What the locks of receivers may be where others disturb, see D2dLocking
constexpr const char* ALL_FIDELITY_LOCKINGS[] = {"None", "First", "Capture"};

/// One message, to be played in both fidelities
struct FidelityTraffic
{
    uint32_t receivers = 1;                              //!< 1 for a unicast, 4 for a broadcast
    FidelityPolicy policy = FidelityPolicy::BEST_EFFORT; //!< what is done about lost fragments
    uint32_t bytes = 100;                                //!< size of the message
    double outage = 0;            //!< of the first link; the others have 1/2, 3/2 and 1/10 of it
    uint32_t unitBytes = 0;       //!< of a unit, with a divisible policy
    uint32_t fragmentSize = 1500; //!< attribute FragmentSize [byte]
    Time retryBackoff;            //!< attribute RetryBackoff
    bool combines = false;        //!< whether the attribute Combining is Chase
    std::string locking; //!< attribute Locking of a shared channel on which others disturb; empty
                         //!< for nobody
    FidelityCut cut = FidelityCut::NONE; //!< what happens in the middle of it
    Time cutBefore;              //!< it does, and others begin to send, at random times up to this
    Time horizon = Seconds(300); //!< when the account of energy is taken
};

/// What became of it
struct FidelityResult
{
    D2dBurstReport report;             //!< all about the burst
    std::vector<EnergyByKind> energyJ; //!< of the sender, the receivers, and others that send
};

/// @brief Play traffic once.
/// @param fidelity "Packet" or "Burst"
/// @param run ns-3's run number
/// @return what became of it
FidelityResult PlayFidelityTraffic(const FidelityTraffic& traffic,
                                   const std::string& fidelity,
                                   uint64_t run);

} // namespace tests
} // namespace ns3::collab

#endif /* FIDELITY_TRAFFIC_H */
