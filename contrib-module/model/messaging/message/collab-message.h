/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MESSAGE_H
#define COLLAB_MESSAGE_H

#include "collab-payload-error.h"

#include "ns3/collab-columns.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-messaging
/// @brief What a message carries; immutable, shared by pointer, opaque to the network.
class Payload
{
  public:
    virtual ~Payload() = default;

    /// @return exact number of bytes that Serialize() writes
    virtual uint64_t WireSize() const = 0;

    /// @param[out] bytes buffer to append the wire format to, WireSize() bytes
    virtual void Serialize(std::vector<uint8_t>& bytes) const = 0;

    /// @return whether its class does not say of which kind it is, so that receivers that have a
    /// class for the kind read its bytes; false by default
    virtual bool
    HasOpenKind() const
    {
        return false;
    }
};

/// @ingroup collab-messaging
/// @brief A payload of independent units of one size, such as datapoints, of which some may arrive
/// without the others.
class DivisiblePayload : public Payload
{
  public:
    /// @return number of units
    virtual uint32_t GetUnitCount() const = 0;
    /// @return bytes of each; Serialize() writes the units one after the other at the end
    virtual uint32_t GetUnitSize() const = 0;
    /// @param units numbers of units, ascending
    /// @return a payload of these units, in this order
    virtual std::shared_ptr<const Payload> Select(const std::vector<uint32_t>& units) const = 0;

    uint64_t WireSize() const override;
    /// @return bytes before the first unit, which travel with each part of the message; fewer than
    /// there are units, so that who reads the message knows how many
    uint64_t GetHeadSize() const;
};

/// @ingroup collab-messaging
/// @brief Where the units of a divisible message are in its payload.
struct UnitLayout
{
    /// @param payloadBytes bytes of a payload
    /// @param units that it has, at least one
    UnitLayout(uint64_t payloadBytes, uint32_t units)
        : headBytes(payloadBytes % units),
          unitBytes(payloadBytes / units)
    {
    }

    uint64_t headBytes; //!< before the first unit
    uint64_t unitBytes; //!< of each unit
};

/**
 * Makes a payload out of bytes from the network.
 *
 * Arguments: the bytes and their number. Throws PayloadError if they are malformed.
 */
using PayloadParser =
    std::function<std::shared_ptr<const Payload>(const uint8_t* bytes, std::size_t size)>;

/// Makes a payload out of the bytes of those units that have arrived, whose numbers, ascending, and
/// how many were sent it is told; throws PayloadError as a PayloadParser does
using PartParser = std::function<std::shared_ptr<const Payload>(
    const uint8_t* bytes, std::size_t size, const std::vector<uint32_t>& units, uint32_t sent)>;

/// @ingroup collab-messaging
/// @brief What is sent to other devices.
struct MessageContent
{
    uint16_t kind = 0;                      //!< what it is; protocols choose numbers of their own
    uint32_t round = 0;                     //!< round of the protocol that it belongs to
    std::shared_ptr<const Payload> payload; //!< what it carries; may be null
};

/// @ingroup collab-messaging
/// @brief One message between devices.
struct Message
{
    uint16_t kind = 0;                      //!< what it is; protocols choose numbers of their own
    uint32_t round = 0;                     //!< round of the protocol that it belongs to
    uint32_t sender = 0;                    //!< device that sent it
    uint32_t sequence = 0;                  //!< number of the message at its sender, from 1
    std::shared_ptr<const Payload> payload; //!< what it carries; may be null
    /// Numbers of the units that arrived, ascending, for a divisible payload; the payload has these
    std::vector<uint32_t> units;
    uint32_t unitsSent = 0; //!< units that the sender sent; 0 if the message is not divisible
};

/// Numbers of devices, ascending; who sends to them again shares the list, and need not copy it
using DeviceGroup = std::shared_ptr<const std::vector<uint32_t>>;

/// @ingroup collab-messaging
/// @brief What a transport does about loss.
enum class LossPolicy
{
    BEST_EFFORT,      //!< sent once; lost if any part of it is
    RELIABLE,         //!< repeated (ARQ) until acknowledged, or until the radio gives up
    PARTIAL,          //!< every unit is sent once, and what arrives is delivered
    PARTIAL_RELIABLE, //!< units are repeated (ARQ), and what arrives is delivered
};

/// @ingroup collab-messaging
/// @param policy what an algorithm does about loss
/// @param payload of a message
/// @return what it does about the loss of this message: one without units, or with no more of them
/// than bytes before the first, is of use only as a whole
LossPolicy AdaptPolicy(LossPolicy policy, const Payload& payload);

/// @ingroup collab-messaging
/// @brief What a sender learns of its message's fate, by acknowledgments that it heard.
struct DeliveryReport
{
    uint32_t sequence = 0;  //!< the message
    Time finished;          //!< when the radio was done with it
    bool cancelled = false; //!< whether it was cancelled, or its deadline passed
    std::vector<uint32_t>
        acknowledged; //!< devices that have acknowledged all of it; none if best-effort
    /// Numbers of the units that the one receiver of a divisible message has acknowledged,
    /// ascending
    std::vector<uint32_t> acknowledgedUnits;
};

/// Told when the network is done with a message
using DeliveryCallback = std::function<void(const DeliveryReport& report)>;

/// @ingroup collab-messaging
/// @brief How a message shall be sent.
struct SendOptions
{
    /// Best-effort, at the usual priority, without a deadline.
    SendOptions() = default;
    /// @param lossPolicy what to do about loss
    /// @param callback told when the network is done with the message; may be empty
    SendOptions(LossPolicy lossPolicy, DeliveryCallback callback = nullptr);

    LossPolicy policy = LossPolicy::BEST_EFFORT; //!< what to do about loss
    uint8_t priority = 0;                        //!< messages of a higher one leave the queue first
    Time deadline = Time::Max(); //!< time at which it is cancelled if it is not done
    uint32_t maxAttempts = 0; //!< transmissions of a part with ARQ; 0 for what the radio is set to
    DeliveryCallback delivered; //!< told when the network is done with it; may be empty
};

/**
 * @ingroup collab-messaging
 * @brief What became of one message at one device that it was meant for, for traces.
 *
 * Only traces may see it: a protocol knows no more than its DeliveryReport and its own messages.
 */
struct MessageOutcome
{
    uint32_t sender = 0;        //!< device that sent it
    uint32_t receiver = 0;      //!< device that it was meant for
    uint16_t kind = 0;          //!< what it is
    std::string kindName;       //!< what its protocol calls that
    uint32_t round = 0;         //!< round of the protocol
    uint32_t sequence = 0;      //!< number at its sender
    uint64_t bytes = 0;         //!< bytes of the message, header and payload
    uint32_t fragments = 0;     //!< parts in which the radio sent it
    uint32_t lostFragments = 0; //!< parts that never reached this receiver
    uint64_t attempts = 0;      //!< transmissions of parts, for all receivers together
    uint64_t bytesSent = 0;     //!< bytes of the message that were sent, at most its size
    Time queued;                //!< when the protocol sent it
    Time start;                 //!< when its first part went on air, or it was dropped before
    Time end;                   //!< when it was received whole or given up
    Time airtime;               //!< the sender's time on air, for all receivers together
    bool delivered = false;     //!< whether the receiver got it, or any unit of it
    uint32_t units = 0;         //!< units sent; 0 if the message is not divisible
    uint32_t lostUnits = 0;     //!< units that never reached this receiver
    std::string reason;         //!< why not, or not all of it; empty if it got all

    /// @return the table messages
    static TableColumns<MessageOutcome>
    GetTable()
    {
        using Row = MessageOutcome;
        return {
            "messages",
            "a message and one device that it was meant for",
            {{"queued_s", "s", "when the protocol sent it", &Row::queued},
             {"start_s", "s", "when its first fragment went on air", &Row::start},
             {"end_s", "s", "when it was received whole or given up", &Row::end},
             {"sender", "", "device that sent it", &Row::sender},
             {"receiver", "", "device that it was meant for", &Row::receiver},
             {"kind", "", "what the protocol calls it", &Row::kindName},
             {"round", "", "round of its sender", &Row::round},
             {"sequence", "", "number at its sender", &Row::sequence},
             {"bytes", "B", "size, header and payload", &Row::bytes},
             {"fragments", "", "parts in which it was sent", &Row::fragments},
             {"lost_fragments", "", "parts that never reached this receiver", &Row::lostFragments},
             {"attempts", "", "transmissions of parts, for all receivers", &Row::attempts},
             {"airtime_s", "s", "time on air of its sender, for all receivers", &Row::airtime},
             {"delivered", "", "1 if the receiver got it or any unit of it, or 0", &Row::delivered},
             {"reason", "", "why not, or not all of it; empty if it got all", &Row::reason}}};
    }
};

} // namespace ns3::collab

#endif /* COLLAB_MESSAGE_H */
