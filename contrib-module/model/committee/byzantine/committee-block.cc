/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-block.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

namespace ns3::collab
{

bool
Contains(const std::vector<uint32_t>& set, uint32_t element)
{
    return std::binary_search(set.begin(), set.end(), element);
}

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

/// @param consents of members
/// @param vote that they must be of
/// @param block that they must be to
/// @param view that they must be in
/// @param members of the committee, ascending
/// @param keys of all devices
/// @return distinct members that have consented
std::size_t
CountDistinct(const std::vector<Consent>& consents,
              CommitteeVote vote,
              const Block& block,
              uint32_t view,
              const std::vector<uint32_t>& members,
              const KeyRing& keys)
{
    const Digest digest = block.GetDigest();
    std::set<uint32_t> consenting;
    for (const auto& consent : consents)
    {
        if (std::binary_search(members.begin(), members.end(), consent.member) &&
            consenting.count(consent.member) == 0 &&
            keys.Verify(consent.member,
                        MakeStatement(vote, consent.member, block.round, view, digest),
                        consent.authenticator))
        {
            consenting.insert(consent.member);
        }
    }
    return consenting.size();
}

} // namespace

std::size_t
CertifiedBlock::CountConsents(CommitteeVote vote,
                              const std::vector<uint32_t>& members,
                              const KeyRing& keys) const
{
    return CountDistinct(consents, vote, block, view, members, keys);
}

bool
CertifiedBlock::IsCertified(CommitteeVote vote,
                            const std::vector<uint32_t>& members,
                            std::size_t quorum,
                            const KeyRing& keys) const
{
    // What does not count has no place there: certificates are kept and passed on
    const auto areRight = [&](const std::vector<Consent>& given, uint32_t inView) {
        return given.size() >= quorum && given.size() <= members.size() &&
               CountDistinct(given, vote, block, inView, members, keys) == given.size();
    };
    const bool needsShares = vote == CommitteeVote::ELECTION && block.kind == BlockKind::ABANDONED;
    return areRight(consents, view) && (needsShares ? areRight(shares, ANY_VIEW) : shares.empty());
}

std::vector<uint8_t>
Statement::GetBytes(const Digest& digest) const
{
    std::vector<uint8_t> bytes;
    bytes.reserve(2 + 3 * sizeof(uint32_t) + sizeof(uint64_t) + digest.size());
    PutLittle(kind, bytes);
    PutLittle(static_cast<uint8_t>(vote), bytes);
    PutLittle(round, bytes);
    PutLittle(member, bytes);
    PutLittle(view, bytes);
    PutLittle(uint64_t{0}, bytes);
    bytes.insert(bytes.end(), digest.begin(), digest.end());
    return bytes;
}

bool
Statement::IsUnique() const
{
    const bool isFirst = vote == CommitteeVote::AGGREGATION;
    return kind == SCORES_STATEMENT ? isFirst && view == 0
           : kind == REQUEST_STATEMENT
               ? isFirst
               : kind == CONSENT_STATEMENT && PlaceOf(vote) < COMMITTEE_VOTES;
}

bool
Statement::operator<(const Statement& other) const
{
    return std::tie(kind, vote, round, member, view) <
           std::tie(other.kind, other.vote, other.round, other.member, other.view);
}

std::vector<uint8_t>
MakeStatement(
    CommitteeVote vote, uint32_t member, uint32_t round, uint32_t view, const Digest& block)
{
    return Statement{CONSENT_STATEMENT, vote, round, member, view}.GetBytes(block);
}

} // namespace ns3::collab
