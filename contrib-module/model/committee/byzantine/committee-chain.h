/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_CHAIN_H
#define COMMITTEE_CHAIN_H

#include "committee-evidence.h"

#include "ns3/committee-message.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What all devices know before the first round.
struct ChainOptions
{
    uint64_t seed = 0;                   //!< of what is pseudo-random and shared
    QuorumRule rule = QuorumRule::PAPER; //!< whose word ends a round
    std::vector<uint32_t> devices;       //!< all devices, ascending
    std::vector<uint32_t> committee;     //!< of the first round, ascending
    Digest model = {};                   //!< of the first model
};

/**
 * @brief The committee after a round that was abandoned.
 *
 * Drawn by a pseudo-random function from all devices but the expelled ones, and but the present
 * members if enough others are left: members that hold up a round do not stay. What it is drawn by
 * is the signature of a quorum of them under the end of the round, which nobody can choose, or
 * foretell before so many have given it up: whom an end without a result would bring into office is
 * no reason to force it.
 *
 * @param options what all devices know
 * @param members of its committee, ascending
 * @param abandoned end of the round
 * @param keys that have signed it
 * @return the next committee, ascending
 */
std::vector<uint32_t> DrawSuccessors(const ChainOptions& options,
                                     const std::vector<uint32_t>& members,
                                     const Block& abandoned,
                                     const KeyRing& keys);

/// @param members C
/// @return the most members that may be Byzantine under QuorumRule::BYZANTINE: below C / 3
uint32_t GetGreatestFaults(std::size_t members);

/// @brief q = ceil((C + f + 1) / 2): two quorums share an honest member, and all honest ones are
/// one.
/// @param members C
/// @return q with f the most below C / 3
std::size_t GetCertificateQuorum(std::size_t members);

/**
 * @ingroup collab
 * @brief The ends of all rounds that a device knows of, each proven by the committee that the one
 * before names.
 *
 * A block is believed if it names the last one as its parent, and members of the committee of the
 * last one have signed it: under BYZANTINE a quorum of them, under PAPER any one. Under BYZANTINE
 * every round has one block, and no other one can ever be proven: see ByzantineConsensus. So who
 * brings a block does not matter, and no claim counts but a chain from what one knows.
 *
 * Under PAPER rounds may pass without a block, and a chain that ends in a later round takes the
 * place of one's own, from where they part on.
 */
class CommitteeChain
{
  public:
    /// @param options what all devices know
    /// @param keys of all devices
    CommitteeChain(ChainOptions options, std::shared_ptr<const KeyRing> keys);

    /// @return what all devices know
    const ChainOptions& GetOptions() const;
    /// @return the round after the last block
    uint32_t GetNextRound() const;
    /// @return digest of the last block; zeros if there is none
    const Digest& GetHead() const;
    /// @return digest of the newest model
    const Digest& GetModel() const;
    /// @return the committee that comes next, ascending
    const std::vector<uint32_t>& GetCommittee() const;
    /// @return devices that are expelled, ascending
    const std::vector<uint32_t>& GetExpelled() const;
    /// @return committees up to the next one: with BYZANTINE of all rounds; grows with the chain
    std::shared_ptr<const CommitteeHistory> GetHistory() const;
    /// @return members that have made the newest model, ascending; nobody if it is the first one
    const std::vector<uint32_t>& GetMakers() const;

    /// @param next to come after the last block
    /// @return why it cannot; empty if it can
    std::string Check(const CertifiedBlock& next) const;
    /// @brief Go on by a block, if it comes next.
    /// @param next to come after the last block
    /// @return whether it does
    bool Append(const CertifiedBlock& next);
    /// @brief Under PAPER, take the end of another chain if it reaches a later round.
    /// @param blocks one after the other; the first one's parent is known
    /// @return whether the chain has changed
    bool Rebase(const std::vector<CertifiedBlock>& blocks);

    /// @param from first round
    /// @param count greatest number of blocks
    /// @return blocks from that round on
    std::vector<CertifiedBlock> GetBlocks(uint32_t from, std::size_t count) const;
    /// @return all blocks
    const std::vector<CertifiedBlock>& GetAll() const;

  private:
    /// @param block to come after the last one
    /// @return whether its sets can be those of an agreed round
    bool HasPossibleSets(const Block& block) const;

    ChainOptions m_options;                      //!< what all devices know
    std::shared_ptr<const KeyRing> m_keys;       //!< of all devices
    std::vector<CertifiedBlock> m_blocks;        //!< by round
    std::vector<uint32_t> m_makers;              //!< see GetMakers()
    Digest m_head = {};                          //!< see GetHead()
    std::shared_ptr<CommitteeHistory> m_history; //!< see GetHistory()
};

} // namespace ns3::collab

#endif /* COMMITTEE_CHAIN_H */
