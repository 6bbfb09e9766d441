/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_CHAIN_H
#define COMMITTEE_CHAIN_H

#include "ns3/collab-fields.h"
#include "ns3/committee-log-options.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief The end of a round.
 *
 * On the wire, little endian: round (4 bytes), digest of the parent (32), kind (1), the size of the
 * aggregation set (4) and its clients (4 each), digest of the model (32), size of the next
 * committee (4) and its members (4 each), number of expelled devices (4) and these (4 each).
 *
 * The end of an abandoned round names no committee: that is drawn by the shares of its certificate.
 */
struct Block
{
    uint32_t round = 0;                 //!< of the mechanism
    Digest parent = {};                 //!< digest of the block before; of the first one: zeros
    BlockKind kind = BlockKind::AGREED; //!< how the round has ended
    std::vector<uint32_t> clients;      //!< aggregation set, ascending; none if abandoned
    Digest model = {};                  //!< of the model from now on
    std::vector<uint32_t> committee;    //!< of the next round, ascending; none if abandoned
    std::vector<uint32_t> expelled;     //!< devices that have been found to lie, ever, ascending

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(round, parent, kind, clients, model, committee, expelled);
        fields.Derive([this]() { CheckRead(); });
    }

    /// @throws PayloadError if the kind is unknown, or a set is not ascending
    void CheckRead() const;
    /// @return SHA-256 of the wire format
    Digest GetDigest() const;
};

/// @return whether both are the same
bool operator==(const Block& a, const Block& b);
/// @return whether they differ
bool operator!=(const Block& a, const Block& b);

/// A block and the members that consent to it
using CertifiedBlock = Certified<Block>;

/// @param set said to be one
/// @throws PayloadError if it is not ascending
void CheckSet(const std::vector<uint32_t>& set);

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
    const ChainOptions&
    GetOptions() const
    {
        return m_options;
    }

    /// @return the round after the last block
    uint32_t
    GetNextRound() const
    {
        return m_blocks.empty() ? 0 : m_blocks.back().block.round + 1;
    }

    /// @return digest of the last block; zeros if there is none
    const Digest&
    GetHead() const
    {
        return m_head;
    }

    /// @return digest of the newest model
    const Digest&
    GetModel() const
    {
        return m_blocks.empty() ? m_options.model : m_blocks.back().block.model;
    }

    /// @return the committee that comes next, ascending
    const std::vector<uint32_t>&
    GetCommittee() const
    {
        return m_history->back();
    }

    /// @return devices that are expelled, ascending
    const std::vector<uint32_t>&
    GetExpelled() const
    {
        static const std::vector<uint32_t> NOBODY;
        return m_blocks.empty() ? NOBODY : m_blocks.back().block.expelled;
    }

    /// @return committees up to the next one: with BYZANTINE of all rounds; grows with the chain
    std::shared_ptr<const CommitteeHistory>
    GetHistory() const
    {
        return m_history;
    }

    /// @return whether a device was a member in a round, with BYZANTINE, or comes next
    bool
    WasMember(uint32_t round, uint32_t device) const
    {
        return round < m_history->size() && Contains((*m_history)[round], device);
    }

    /// @return members that have made the newest model, ascending; nobody if it is the first one
    const std::vector<uint32_t>&
    GetMakers() const
    {
        return m_makers;
    }

    /// @return why the block cannot come after the last one; empty if it can
    std::string Check(const CertifiedBlock& next) const;
    /// @return whether the block comes next: then it is the last one now
    bool Append(const CertifiedBlock& next);
    /// @brief Under PAPER, take the end of another chain, whose first parent is known, if it
    /// reaches a later round.
    /// @return whether the chain has changed
    bool Rebase(const std::vector<CertifiedBlock>& blocks);

    /// @return so many blocks at most, from a round on
    std::vector<CertifiedBlock> GetBlocks(uint32_t from, std::size_t count) const;
    /// @return all blocks
    const std::vector<CertifiedBlock>&
    GetAll() const
    {
        return m_blocks;
    }

  private:
    /// @return whether the sets of a block can be those of an agreed round
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
