/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-chain.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/committee-score.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <functional>
#include <tuple>
#include <utility>

namespace ns3::collab
{

void
CheckSet(const std::vector<uint32_t>& set)
{
    Require<PayloadError>(std::adjacent_find(set.begin(), set.end(), std::greater_equal<>()) ==
                              set.end(),
                          "a set that is not ascending");
}

void
Block::CheckRead() const
{
    Require<PayloadError>(kind <= BlockKind::ABANDONED, "a block of an unknown kind");
    for (const auto* set : {&clients, &committee, &expelled})
    {
        CheckSet(*set);
    }
}

Digest
Block::GetDigest() const
{
    std::vector<uint8_t> bytes;
    WriteFields(*this, bytes);
    return ComputeDigest(bytes);
}

bool
operator==(const Block& a, const Block& b)
{
    return std::tie(a.round, a.parent, a.kind, a.clients, a.model, a.committee, a.expelled) ==
           std::tie(b.round, b.parent, b.kind, b.clients, b.model, b.committee, b.expelled);
}

bool
operator!=(const Block& a, const Block& b)
{
    return !(a == b);
}

namespace
{

/// @return whether a set that should be ascending is, and another one has all of it
bool
IsSubset(const std::vector<uint32_t>& part, const std::vector<uint32_t>& whole)
{
    return std::adjacent_find(part.begin(), part.end(), std::greater_equal<>()) == part.end() &&
           std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

} // namespace

std::vector<uint32_t>
DrawSuccessors(const ChainOptions& options,
               const std::vector<uint32_t>& members,
               const Block& abandoned,
               const KeyRing& keys)
{
    const std::size_t count = options.committee.size();
    std::vector<uint32_t> excluded = abandoned.expelled;
    excluded.insert(excluded.end(), members.begin(), members.end());
    std::sort(excluded.begin(), excluded.end());
    excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
    const bool areEnough = options.devices.size() >= excluded.size() + count;
    const Digest signature = keys.Combine(MakeStatement(
        CommitteeVote::ELECTION, 0, abandoned.round, ANY_VIEW, abandoned.GetDigest()));
    const uint64_t seed = boost::endian::load_little_u64(signature.data());
    return DrawDevices(options.devices, areEnough ? excluded : abandoned.expelled, count, seed);
}

CommitteeChain::CommitteeChain(ChainOptions options, std::shared_ptr<const KeyRing> keys)
    : m_options(std::move(options)),
      m_keys(std::move(keys)),
      m_history(std::make_shared<CommitteeHistory>(1, m_options.committee))
{
}

bool
CommitteeChain::HasPossibleSets(const Block& block) const
{
    return block.committee.size() == m_options.committee.size() && !block.clients.empty() &&
           IsSubset(block.clients, m_options.devices) &&
           IsSubset(block.committee, m_options.devices) &&
           IsSubset(block.expelled, m_options.devices) && IsSubset(GetExpelled(), block.expelled) &&
           std::none_of(block.committee.begin(), block.committee.end(), [&block](uint32_t member) {
               return Contains(block.expelled, member);
           });
}

std::string
CommitteeChain::Check(const CertifiedBlock& next) const
{
    const Block& block = next.block;
    const bool isByzantine = m_options.rule == QuorumRule::BYZANTINE;
    if (block.parent != m_head || block.round < GetNextRound() ||
        (isByzantine && block.round > GetNextRound()))
    {
        return "a block that does not come next";
    }
    if (block.kind == BlockKind::AGREED && !HasPossibleSets(block))
    {
        return "a block with sets that can be none";
    }
    if (block.kind == BlockKind::ABANDONED &&
        (!isByzantine || !block.clients.empty() || block.model != GetModel() ||
         block.expelled != GetExpelled() || !block.committee.empty()))
    {
        return "a block of an abandoned round that changes what stays";
    }
    const auto& members = GetCommittee();
    const std::size_t quorum = isByzantine ? GetCertificateQuorum(members.size()) : 1;
    const Statement statement = next.GetStatement(CommitteeVote::ELECTION, next.view);
    if (isByzantine
            ? !next.IsCertified(CommitteeVote::ELECTION, members, quorum, *m_keys)
            : CountConsents(next.consents, statement, block.GetDigest(), members, *m_keys) < quorum)
    {
        return "a block without the consents of the committee";
    }
    return "";
}

bool
CommitteeChain::Append(const CertifiedBlock& next)
{
    if (!Check(next).empty())
    {
        return false;
    }
    const bool isAgreed = next.block.kind == BlockKind::AGREED;
    m_makers = isAgreed ? GetCommittee() : m_makers;
    m_head = next.block.GetDigest();
    m_blocks.push_back(next);
    m_history->push_back(isAgreed ? next.block.committee
                                  : DrawSuccessors(m_options, GetCommittee(), next.block, *m_keys));
    return true;
}

bool
CommitteeChain::Rebase(const std::vector<CertifiedBlock>& blocks)
{
    if (m_options.rule == QuorumRule::BYZANTINE || blocks.empty() ||
        blocks.back().block.round < GetNextRound())
    {
        return false;
    }
    CommitteeChain other(m_options, m_keys);
    for (const auto& known : m_blocks)
    {
        if (other.GetHead() == blocks.front().block.parent || !other.Append(known))
        {
            break;
        }
    }
    for (const auto& block : blocks)
    {
        if (!other.Append(block))
        {
            return false;
        }
    }
    *this = std::move(other);
    return true;
}

std::vector<CertifiedBlock>
CommitteeChain::GetBlocks(uint32_t from, std::size_t count) const
{
    const auto first = std::lower_bound(
        m_blocks.begin(), m_blocks.end(), from, [](const CertifiedBlock& a, uint32_t round) {
            return a.block.round < round;
        });
    const auto size =
        std::min<std::size_t>(count, static_cast<std::size_t>(m_blocks.end() - first));
    return {first, first + static_cast<std::ptrdiff_t>(size)};
}

} // namespace ns3::collab
