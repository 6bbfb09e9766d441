/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_DEVIANT_DEVICE_H
#define COMMITTEE_DEVIANT_DEVICE_H

#include "committee-misbehavior.h"

#include "ns3/collab-random.h"
#include "ns3/committee-chain.h"
#include "ns3/committee-message.h"

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief What a Byzantine device makes up, a member of the committee or not: gradients that nobody
 * asked for, blocks and models of its own, rounds that are far ahead, and what fills buffers.
 *
 * It signs in its own name and in those of its accomplices only.
 */
class DeviantDevice
{
  public:
    /// @param self the device
    /// @param misbehavior what it does
    /// @param accomplices whose keys it has, itself too
    /// @param keys of all devices
    /// @param rounds of the run
    /// @param seed of what is random
    DeviantDevice(uint32_t self,
                  Misbehavior misbehavior,
                  std::set<uint32_t> accomplices,
                  std::shared_ptr<const KeyRing> keys,
                  uint32_t rounds,
                  uint64_t seed);

    /// @return messages to be broadcast
    std::vector<CommitteeMessage> MakeMessages(const CommitteeChain& chain, std::size_t dimension);

    /// A receiver, and a message to it
    using Letter = std::pair<uint32_t, CommitteeMessage>;

    /// @return what it sends instead; nothing if it does tell all
    std::vector<Letter> Hide(const CommitteeMessage& news, const CommitteeChain& chain) const;

  private:
    /// @return a gradient of random elements, said to be of the round
    SignedGradient MakeGradient(std::size_t dimension, uint32_t round);
    /// @return a block that names its own model and a committee that it likes, and the model
    ModelMessage MakeBlock(const CommitteeChain& chain, std::size_t dimension, uint32_t round);
    /// @param chain how rounds have ended
    /// @param[in,out] messages gets a table and a proposal for the next round of any length, and
    /// evidence against itself, of rounds in which it is no member
    void Flood(const CommitteeChain& chain, std::vector<CommitteeMessage>& messages) const;

    uint32_t m_self;                       //!< the device
    Misbehavior m_misbehavior;             //!< what it does
    std::set<uint32_t> m_accomplices;      //!< whose keys it has
    std::shared_ptr<const KeyRing> m_keys; //!< of all devices
    uint32_t m_rounds;                     //!< of the run
    RandomGenerator m_generator;           //!< of what is random
};

} // namespace ns3::collab

#endif /* COMMITTEE_DEVIANT_DEVICE_H */
