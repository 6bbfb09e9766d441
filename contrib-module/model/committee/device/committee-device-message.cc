/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-device-message.h"

#include "ns3/collab-byte-reader.h"

#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

std::vector<uint8_t>
SignedGradient::GetLabel() const
{
    std::vector<uint8_t> bytes;
    bytes.reserve(3 * sizeof(uint32_t));
    PutLittle(round, bytes);
    PutLittle(sender, bytes);
    PutLittle(samples, bytes);
    return bytes;
}

void
SignedGradient::Seal()
{
    std::vector<uint8_t> bytes = GetLabel();
    const Digest vector = ComputeDigest(*values);
    bytes.insert(bytes.end(), vector.begin(), vector.end());
    digest = ComputeDigest(bytes);
}

void
SignedGradient::Sign(const KeyRing& keys)
{
    Seal();
    authenticator = keys.Sign(sender, {digest.begin(), digest.end()});
}

bool
SignedGradient::IsAuthentic(const KeyRing& keys) const
{
    return keys.Verify(sender, {digest.begin(), digest.end()}, authenticator);
}

void
ChainMessage::Serialize(std::vector<uint8_t>& bytes) const
{
    PutLittle(static_cast<uint8_t>(kind), bytes);
    PutLittle(round, bytes);
    PutLittle(static_cast<uint32_t>(blocks.size()), bytes);
    for (const auto& block : blocks)
    {
        block.Serialize(bytes);
    }
    PutLittle(static_cast<uint32_t>(digests.size()), bytes);
    for (const auto& digest : digests)
    {
        bytes.insert(bytes.end(), digest.begin(), digest.end());
    }
    PutLittle(static_cast<uint32_t>(evidence.size()), bytes);
    for (const auto& message : evidence)
    {
        message.SerializeInside(bytes);
    }
}

ChainMessage
ChainMessage::Parse(const uint8_t* bytes, std::size_t size, uint32_t authenticatorBytes)
{
    ByteReader<std::invalid_argument> reader(bytes, size);
    ChainMessage message;
    const auto kind = reader.TakeNumber<uint8_t>();
    if (kind < static_cast<uint8_t>(ChainKind::BLOCK_REQUEST) ||
        kind > static_cast<uint8_t>(ChainKind::GOES_ON))
    {
        throw std::invalid_argument("a message about the chain of an unknown kind");
    }
    message.kind = static_cast<ChainKind>(kind);
    message.round = reader.TakeNumber<uint32_t>();
    for (uint32_t left = reader.TakeCount(sizeof(Digest)); left > 0; --left)
    {
        message.blocks.push_back(CertifiedBlock::Parse(reader, authenticatorBytes));
    }
    for (uint32_t left = reader.TakeCount(sizeof(Digest)); left > 0; --left)
    {
        message.digests.push_back(TakeDigest(reader));
    }
    for (uint32_t left = reader.TakeCount(sizeof(uint32_t)); left > 0; --left)
    {
        const auto inner = reader.TakeNumber<uint32_t>();
        message.evidence.push_back(
            ConsensusMessage::Parse(reader.Take(inner), inner, authenticatorBytes));
    }
    reader.CheckEnd();
    return message;
}

} // namespace collab
} // namespace ns3
