/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-deviant-device.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Clients that a table names which shall fill buffers
constexpr uint32_t FLOOD = 300;

} // namespace

DeviantDevice::DeviantDevice(uint32_t self,
                             Misbehavior misbehavior,
                             std::set<uint32_t> accomplices,
                             std::shared_ptr<const KeyRing> keys,
                             uint32_t rounds,
                             uint64_t seed)
    : m_self(self),
      m_misbehavior(misbehavior),
      m_accomplices(std::move(accomplices)),
      m_keys(std::move(keys)),
      m_rounds(rounds),
      m_generator(seed)
{
    m_accomplices.insert(m_self);
}

std::vector<CommitteeMessage>
DeviantDevice::MakeMessages(const CommitteeChain& chain, std::size_t dimension)
{
    std::vector<CommitteeMessage> messages;
    const uint32_t next = chain.GetNextRound();
    if (m_misbehavior.isUninvited)
    {
        for (const uint32_t round : {next, next + 1, next + 2, m_rounds - 1})
        {
            messages.push_back(Wrap(MakeGradient(dimension, round)));
        }
    }
    if (m_misbehavior.claimsRounds)
    {
        for (const uint32_t round : {next + 2, m_rounds - 1, UINT32_MAX})
        {
            ConsensusMessage claim;
            claim.kind = ConsensusKind::VIEW_CHANGE;
            claim.rule = chain.GetOptions().rule;
            claim.round = round;
            claim.sender = m_self;
            claim.Sign(*m_keys);
            messages.push_back(Wrap(std::move(claim)));
        }
    }
    if (m_misbehavior.forgesChains)
    {
        std::vector<CertifiedBlock> blocks;
        for (const uint32_t round : {next, next + 1, m_rounds - 1})
        {
            messages.push_back(Wrap(MakeBlock(chain, dimension, round)));
            blocks.push_back(messages.back().model->certified);
        }
        messages.push_back(Wrap(ChainMessage{ChainKind::BLOCKS, 0, std::move(blocks)}));
    }
    if (m_misbehavior.floods)
    {
        Flood(chain, messages);
    }
    return messages;
}

std::vector<DeviantDevice::Letter>
DeviantDevice::Hide(const CommitteeMessage& news, const CommitteeChain& chain) const
{
    const bool isBlock = news.chain && !news.chain->blocks.empty();
    std::vector<Letter> letters;
    if (!m_misbehavior.hidesBlocks || (!news.model && !isBlock))
    {
        return letters;
    }
    const CertifiedBlock& last = isBlock ? news.chain->blocks.back() : news.model->certified;
    const CommitteeMessage message = Wrap(ChainMessage{ChainKind::BLOCKS, 0, {last}});
    const auto history = chain.GetHistory();
    const uint32_t round = last.block.round;
    for (const uint32_t member : round < history->size() ? (*history)[round] : history->back())
    {
        if (member != m_self)
        {
            letters.emplace_back(member, message);
        }
    }
    return letters;
}

void
DeviantDevice::Flood(const CommitteeChain& chain, std::vector<CommitteeMessage>& messages) const
{
    const uint32_t next = chain.GetNextRound();
    ConsensusMessage table;
    table.rule = chain.GetOptions().rule;
    table.round = next + 1;
    table.sender = m_self;
    for (uint32_t client = 0; client < FLOOD; ++client)
    {
        table.scores[client] = 1;
        table.gradients[client] = {};
    }
    table.Sign(*m_keys);
    ConsensusMessage request = table;
    request.kind = ConsensusKind::REQUEST;
    request.ballot.emplace();
    request.tables.assign(FLOOD / 10, table);
    request.Sign(*m_keys);
    messages.push_back(Wrap(std::move(table)));
    messages.push_back(Wrap(std::move(request)));
    for (const uint32_t round : {next, next + 3})
    {
        const bool isTrue = round == next && Contains(chain.GetCommittee(), m_self);
        if (!isTrue)
        {
            messages.push_back(Wrap(ChainMessage{
                ChainKind::EVIDENCE, 0, {}, {}, {MakeEvidence(*m_keys, m_self, round)}}));
        }
    }
}

SignedGradient
DeviantDevice::MakeGradient(std::size_t dimension, uint32_t round)
{
    boost::random::uniform_int_distribution<int> draw(-9, 9);
    std::vector<float> values(dimension);
    std::generate(
        values.begin(), values.end(), [&]() { return static_cast<float>(draw(m_generator)); });
    SignedGradient gradient;
    gradient.round = round;
    gradient.sender = m_self;
    gradient.samples = 1;
    gradient.values = std::make_shared<const std::vector<float>>(std::move(values));
    gradient.Sign(*m_keys);
    return gradient;
}

ModelMessage
DeviantDevice::MakeBlock(const CommitteeChain& chain, std::size_t dimension, uint32_t round)
{
    ModelMessage message;
    message.values = std::make_shared<const std::vector<float>>(dimension, 1e6F);
    message.digest = ComputeDigest(*message.values);
    Block& block = message.certified.block;
    block.round = round;
    block.parent = chain.GetHead();
    block.clients = {m_self};
    block.model = message.digest;
    // Itself and its accomplices, and others to make up the number
    const std::size_t members = chain.GetCommittee().size();
    std::set<uint32_t> committee = m_accomplices;
    for (const uint32_t device : chain.GetOptions().devices)
    {
        if (committee.size() < members)
        {
            committee.insert(device);
        }
    }
    block.committee.assign(committee.begin(), committee.end());
    block.committee.resize(std::min(committee.size(), members));
    block.expelled = chain.GetExpelled();
    const Digest digest = block.GetDigest();
    std::vector<uint8_t> own;
    for (const uint32_t accomplice : m_accomplices)
    {
        own = m_keys->Sign(accomplice,
                           MakeStatement(CommitteeVote::ELECTION, accomplice, round, 0, digest));
        message.certified.consents.push_back({accomplice, own});
    }
    for (const uint32_t member : chain.GetCommittee())
    {
        message.certified.consents.push_back({member, own}); // in the names of others
    }
    return message;
}

} // namespace ns3::collab
