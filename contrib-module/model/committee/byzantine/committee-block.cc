/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-block.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

namespace ns3
{
namespace collab
{

bool
Contains(const std::vector<uint32_t>& set, uint32_t element)
{
    return std::binary_search(set.begin(), set.end(), element);
}

void
PutSet(const std::vector<uint32_t>& set, std::vector<uint8_t>& bytes)
{
    PutLittle(static_cast<uint32_t>(set.size()), bytes);
    for (const uint32_t element : set)
    {
        PutLittle(element, bytes);
    }
}

std::vector<uint32_t>
TakeSet(ByteReader<std::invalid_argument>& reader)
{
    std::vector<uint32_t> set(reader.TakeCount(sizeof(uint32_t)));
    for (uint32_t& element : set)
    {
        element = reader.TakeNumber<uint32_t>();
    }
    if (std::adjacent_find(set.begin(), set.end(), std::greater_equal<>()) != set.end())
    {
        throw std::invalid_argument("a set that is not ascending");
    }
    return set;
}

Digest
TakeDigest(ByteReader<std::invalid_argument>& reader)
{
    Digest digest;
    std::memcpy(digest.data(), reader.Take(digest.size()), digest.size());
    return digest;
}

uint64_t
Block::WireSize() const
{
    constexpr std::size_t NUMBERS = 4; // round, and the sizes of three sets
    return sizeof(uint8_t) + parent.size() + model.size() +
           sizeof(uint32_t) * (NUMBERS + clients.size() + committee.size() + expelled.size());
}

void
Block::Serialize(std::vector<uint8_t>& bytes) const
{
    PutLittle(round, bytes);
    bytes.insert(bytes.end(), parent.begin(), parent.end());
    PutLittle(static_cast<uint8_t>(kind), bytes);
    PutSet(clients, bytes);
    bytes.insert(bytes.end(), model.begin(), model.end());
    PutSet(committee, bytes);
    PutSet(expelled, bytes);
}

Block
Block::Parse(ByteReader<std::invalid_argument>& reader)
{
    Block block;
    block.round = reader.TakeNumber<uint32_t>();
    block.parent = TakeDigest(reader);
    const auto kind = reader.TakeNumber<uint8_t>();
    if (kind > static_cast<uint8_t>(BlockKind::ABANDONED))
    {
        throw std::invalid_argument("a block of an unknown kind");
    }
    block.kind = static_cast<BlockKind>(kind);
    block.clients = TakeSet(reader);
    block.model = TakeDigest(reader);
    block.committee = TakeSet(reader);
    block.expelled = TakeSet(reader);
    return block;
}

Digest
Block::GetDigest() const
{
    std::vector<uint8_t> bytes;
    Serialize(bytes);
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

uint64_t
CertifiedBlock::WireSize(uint32_t authenticatorBytes) const
{
    return block.WireSize() + 2 * sizeof(uint32_t) +
           consents.size() * (sizeof(uint32_t) + authenticatorBytes);
}

void
CertifiedBlock::Serialize(std::vector<uint8_t>& bytes) const
{
    block.Serialize(bytes);
    PutLittle(view, bytes);
    PutLittle(static_cast<uint32_t>(consents.size()), bytes);
    for (const auto& consent : consents)
    {
        PutLittle(consent.member, bytes);
        bytes.insert(bytes.end(), consent.authenticator.begin(), consent.authenticator.end());
    }
}

CertifiedBlock
CertifiedBlock::Parse(ByteReader<std::invalid_argument>& reader, uint32_t authenticatorBytes)
{
    CertifiedBlock certified;
    certified.block = Block::Parse(reader);
    certified.view = reader.TakeNumber<uint32_t>();
    const uint32_t count = reader.TakeCount(sizeof(uint32_t) + authenticatorBytes);
    for (uint32_t i = 0; i < count; ++i)
    {
        Consent consent;
        consent.member = reader.TakeNumber<uint32_t>();
        const uint8_t* begin = reader.Take(authenticatorBytes);
        consent.authenticator.assign(begin, begin + authenticatorBytes);
        certified.consents.push_back(std::move(consent));
    }
    return certified;
}

bool
CertifiedBlock::IsCertified(CommitteeVote vote,
                            const std::vector<uint32_t>& members,
                            std::size_t quorum,
                            const KeyRing& keys) const
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
    return consenting.size() >= quorum;
}

std::vector<uint8_t>
MakeStatement(
    CommitteeVote vote, uint32_t member, uint32_t round, uint32_t view, const Digest& block)
{
    std::vector<uint8_t> bytes;
    bytes.reserve(2 + 3 * sizeof(uint32_t) + sizeof(uint64_t) + block.size());
    PutLittle(STATEMENT_KIND, bytes);
    PutLittle(static_cast<uint8_t>(vote), bytes);
    PutLittle(round, bytes);
    PutLittle(member, bytes);
    PutLittle(view, bytes);
    PutLittle(uint64_t{0}, bytes);
    bytes.insert(bytes.end(), block.begin(), block.end());
    return bytes;
}

} // namespace collab
} // namespace ns3
