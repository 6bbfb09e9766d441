/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_DEVICE_MESSAGE_H
#define COMMITTEE_DEVICE_MESSAGE_H

#include "ns3/collab-learner.h"
#include "ns3/committee-authentication.h"
#include "ns3/committee-block.h"
#include "ns3/committee-message.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief A client's gradient: it signs all of it together.
struct SignedGradient
{
    uint32_t round = 0;                 //!< of the mechanism
    uint32_t sender = 0;                //!< the client
    uint32_t samples = 0;               //!< its data size, by which the gradient is weighed
    FlatVector values;                  //!< the gradient
    Digest digest = {};                 //!< of all that is signed: which gradient it is
    std::vector<uint8_t> authenticator; //!< of the client

    /// @brief Compute the digest.
    void Seal();
    /// @param keys of all devices: seal it, and sign in the name of its sender
    void Sign(const KeyRing& keys);
    /// @param keys of all devices
    /// @return whether its sender has signed what is sealed
    bool IsAuthentic(const KeyRing& keys) const;
    /// @return what is before the vector on the wire: round, sender and samples, 4 bytes each
    std::vector<uint8_t> GetLabel() const;
};

/// @ingroup collab
/// @brief Gradients, by client.
using GradientsByClient = std::map<uint32_t, std::shared_ptr<const SignedGradient>>;

/// @ingroup collab
/// @brief A block, and the model that it names.
struct ModelMessage
{
    CertifiedBlock certified; //!< how a round has ended
    FlatVector values;        //!< the model
    Digest digest = {};       //!< of the model
};

/// @ingroup collab
/// @brief What devices ask each other for, and small answers.
enum class ChainKind : uint8_t
{
    BLOCK_REQUEST = 1, //!< blocks from a round on
    BLOCKS,            //!< blocks, one after the other
    MODEL_REQUEST,     //!< the model with a digest
    GRADIENT_REQUEST,  //!< gradients with some digests
    EVIDENCE,          //!< two messages that prove that their sender lies
    GOES_ON,           //!< with PAPER: a member takes the round before for abandoned
};

/**
 * @ingroup collab
 * @brief A question about the chain, or blocks of it.
 *
 * Nothing of it is signed: blocks, models and evidence speak for themselves, and a question is
 * worth no more than its answer. On the wire, little endian: kind (1 byte); first round (4); number
 * of blocks (4) and these; number of digests (4) and these (32 each); number of messages (4) and
 * for each its size (4) and itself.
 */
struct ChainMessage
{
    ChainKind kind = ChainKind::BLOCK_REQUEST; //!< what it is
    uint32_t round = 0;                 //!< of BLOCK_REQUEST the first one, of GOES_ON the next one
    std::vector<CertifiedBlock> blocks; //!< of BLOCKS
    std::vector<Digest> digests;        //!< of MODEL_REQUEST one, of GRADIENT_REQUEST some
    std::vector<ConsensusMessage> evidence; //!< of EVIDENCE, two

    /// @param[out] bytes receives the wire format, appended
    void Serialize(std::vector<uint8_t>& bytes) const;
    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param authenticatorBytes size of an authenticator [B]
     * @return the message
     * @throws std::invalid_argument if the bytes are malformed
     */
    static ChainMessage Parse(const uint8_t* bytes, std::size_t size, uint32_t authenticatorBytes);
};

/// @ingroup collab
/// @brief Anything that devices send to each other: one of these is not null.
struct CommitteeMessage
{
    std::shared_ptr<const SignedGradient> gradient;    //!< of a client
    std::shared_ptr<const ConsensusMessage> consensus; //!< of a member
    std::shared_ptr<const ModelMessage> model;         //!< of anybody who has it
    std::shared_ptr<const ChainMessage> chain;         //!< of anybody
};

} // namespace collab
} // namespace ns3

#endif /* COMMITTEE_DEVICE_MESSAGE_H */
