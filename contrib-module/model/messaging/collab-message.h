/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MESSAGE_H
#define COLLAB_MESSAGE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief What a message carries; immutable, shared by pointer, opaque to the network.
 */
class Payload
{
  public:
    virtual ~Payload() = default;

    /// @return exact number of bytes that Serialize() writes
    virtual uint64_t WireSize() const = 0;

    /**
     * @param[out] bytes receives the wire format, WireSize() bytes, appended
     */
    virtual void Serialize(std::vector<uint8_t>& bytes) const = 0;
};

/// @ingroup collab
/// @brief Bytes from a peer are not a payload of the kind that they claim to be.
class PayloadError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * Makes a payload out of bytes from the network.
 *
 * Arguments: the bytes and their number. Throws PayloadError if they are malformed.
 */
using PayloadParser =
    std::function<std::shared_ptr<const Payload>(const uint8_t* bytes, std::size_t size)>;

/**
 * @ingroup collab
 * @brief One message between devices.
 */
struct Message
{
    uint16_t kind = 0;                      //!< what it is; protocols choose numbers of their own
    uint32_t round = 0;                     //!< round of the protocol that it belongs to
    uint32_t sender = 0;                    //!< device that sent it
    uint32_t sequence = 0;                  //!< number of the message at its sender, from 1
    std::shared_ptr<const Payload> payload; //!< what it carries; may be null
};

/// @ingroup collab
/// @brief What a transport does about loss.
enum class LossPolicy
{
    BEST_EFFORT, //!< sent once; lost if any part of it is
    RELIABLE,    //!< repeated (ARQ) until acknowledged, or until the radio gives up
};

/**
 * @ingroup collab
 * @brief What a sender learns of its message's fate, by acknowledgments that it heard.
 */
struct DeliveryReport
{
    uint32_t sequence = 0; //!< the message
    Time finished;         //!< when the radio was done with it
    std::vector<uint32_t>
        acknowledged; //!< devices that have acknowledged all of it; none if best-effort
};

/**
 * @ingroup collab
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
    Time queued;                //!< when the protocol sent it
    Time start;                 //!< when its first part went on air
    Time end;                   //!< when it was received whole or given up
    Time airtime;               //!< the sender's time on air, for all receivers together
    bool delivered = false;     //!< whether the receiver got it
    std::string reason;         //!< why not; empty if it did
};

} // namespace collab
} // namespace ns3

#endif /* COLLAB_MESSAGE_H */
