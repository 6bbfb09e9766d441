/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_BURST_H
#define D2D_BURST_H

#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// Numbers of the nodes that a burst is for, ascending; shared, and so compared at no cost
using D2dGroup = std::shared_ptr<const std::vector<uint32_t>>;

/// @ingroup collab-wireless
/// @brief What a radio does about lost fragments.
enum class D2dReliability
{
    BEST_EFFORT, //!< every fragment is sent once
    ARQ,         //!< fragments are acknowledged and sent again, up to MaxAttempts times
};

/// @ingroup collab-wireless
/// @brief Why a receiver did not get a burst.
enum class D2dLossReason
{
    NONE,            //!< it got it
    OUTAGE,          //!< a fragment was in outage
    COLLISION,       //!< the receiver was locked to another one during a fragment
    ATTEMPTS,        //!< a fragment was in outage MaxAttempts times
    HALF_DUPLEX,     //!< it was itself transmitting when the burst began
    OUT_OF_RANGE,    //!< its received power is below its sensitivity
    RECEIVER_OFF,    //!< it was off, or went off before the end
    TRANSMITTER_OFF, //!< the sender went off before the end
    QUEUE_FULL,      //!< the sender's queue had no place
    UNKNOWN_ADDRESS, //!< no device has the destination's address
    CANCELLED,       //!< its sender took it back
    DEADLINE,        //!< its deadline passed before its sender was done
    RUN_ENDED,       //!< the simulation ended before that
};

/// @param reason why a burst was lost
/// @return its name in traces, e.g. "outage"; empty for NONE
std::string ToString(D2dLossReason reason);

/**
 * @ingroup collab-wireless
 * @brief A packet that consists of a header and independent units of one size.
 *
 * Its fragments carry the header and whole units, so that each of them is useful by itself, and a
 * receiver gets what arrives. A unit that is longer than a fragment spans several.
 */
struct D2dDivision
{
    uint32_t units = 0;       //!< number of units; 0 for a packet that is not divisible
    uint32_t unitBytes = 0;   //!< bytes of each
    uint32_t headerBytes = 0; //!< bytes of the packet before the first unit
};

/**
 * @ingroup collab-wireless
 * @brief One message on its way through the radio, from its queue to its receivers.
 *
 * However large the packet, it is one burst: the radio cuts it in fragments, gets access to the
 * medium once and sends them one after the other. A burst does not change once it is made.
 */
struct D2dBurst
{
    /// Nothing yet.
    D2dBurst() = default;
    /// @param content what is sent
    /// @param receiver a device, a group, or broadcast
    /// @param protocolNumber protocol number of the packet
    /// @param whatIfLost what to do about lost fragments
    /// @param handedOver see attachment
    D2dBurst(Ptr<const Packet> content,
             Mac48Address receiver,
             uint16_t protocolNumber,
             D2dReliability whatIfLost = D2dReliability::BEST_EFFORT,
             std::shared_ptr<const void> handedOver = nullptr)
        : destination(receiver),
          protocol(protocolNumber),
          reliability(whatIfLost),
          packet(content),
          attachment(std::move(handedOver))
    {
    }

    uint32_t id = 0;          //!< number of the burst at its source
    Mac48Address source;      //!< who sends
    uint32_t sourceNode = 0;  //!< its node
    Mac48Address destination; //!< a device, a group, or broadcast
    D2dGroup group; //!< whom alone a destination that is no device means; null for all in range
    uint16_t protocol = 0;                                    //!< protocol number of the packet
    D2dReliability reliability = D2dReliability::BEST_EFFORT; //!< what to do about lost fragments
    uint32_t maxAttempts =
        0;                //!< transmissions of a fragment with ARQ; 0 for the device's attribute
    uint8_t priority = 0; //!< bursts of a higher one leave the queue first
    Time deadline = Time::Max(); //!< when it is dropped if its sender is not done
    D2dDivision division;        //!< the parts of its packet that are of use by themselves
    Ptr<const Packet> packet;    //!< what is sent; its bytes decide the airtime
    /// Handed to whoever receives the packet, instead of bytes that the packet only stands for.
    std::shared_ptr<const void> attachment;
    Time queued; //!< when it was given to the device
};

/// @ingroup collab-wireless
/// @brief What became of a burst at one receiver.
struct D2dReceiverOutcome
{
    /// Node of a receiver that no device is
    static constexpr uint32_t NO_NODE = 0xffffffff;

    Mac48Address receiver;      //!< address of the receiver
    uint32_t receiverNode = 0;  //!< its node, or NO_NODE for an unknown address
    bool delivered = false;     //!< whether it got every fragment, or a unit of a divisible packet
    bool acknowledged = false;  //!< whether the sender knows that it got every fragment
    uint32_t lostFragments = 0; //!< fragments that it never got
    D2dLossReason reason = D2dLossReason::NONE; //!< why it did not get all
    Time ended;                                 //!< when it got the last fragment or was given up
    uint32_t lostUnits = 0;                     //!< units of a divisible packet that it never got
    std::vector<uint32_t> acknowledgedUnits;    //!< units that the sender knows it has, ascending
};

/**
 * @ingroup collab-wireless
 * @brief The whole truth about a burst, for traces.
 *
 * No device could know all of this: a protocol that acted on more of a report than what its
 * receivers have acknowledged would use information that no message carried.
 */
struct D2dBurstReport
{
    std::shared_ptr<const D2dBurst> burst; //!< what was sent
    uint32_t senderNode = 0;               //!< node of the sender
    uint32_t fragments = 0;                //!< number of fragments
    uint32_t fragmentBytes = 0;    //!< bytes of each on the air, with header and check sequence
    uint64_t attempts = 0;         //!< fragment transmissions, those cut off included
    uint64_t bytesSent = 0;        //!< bytes of the packet that went on air, at most its size
    double spectralEfficiency = 0; //!< rate at which they were sent [bit/s/Hz]; 0 if none was
    Time start;                    //!< when the first fragment began
    Time end;                      //!< when the sender was done
    Time airtime;                  //!< time that the sender transmitted
    D2dLossReason stopped = D2dLossReason::NONE; //!< why the sender did not carry it to its end
    std::vector<D2dReceiverOutcome> outcomes;    //!< one per device that the burst was meant for
};

/// Told once of every burst when it is over, or was dropped
using D2dBurstCallback = std::function<void(const D2dBurstReport& report)>;

} // namespace ns3::collab

#endif /* D2D_BURST_H */
