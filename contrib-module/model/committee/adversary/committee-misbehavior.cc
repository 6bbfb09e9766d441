/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-misbehavior.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Messages that a conspiracy keeps
constexpr std::size_t MAX_RECORDED = 1000;

/// Clients that a table names which shall fill buffers
constexpr uint32_t FLOOD = 100;
/// Of such tables in a proposal
constexpr uint32_t FLOOD_TABLES = 10;
/// Clients of a table that is longer than all that honest members of a small federation say
constexpr uint32_t STUFFED = 10000;
/// First rounds in which such are told; later ones would tell nothing else
constexpr uint32_t STUFFED_ROUNDS = 2;

/// Names of the behaviors
const std::map<std::string, bool Misbehavior::*> BEHAVIORS = {
    {"admit", &Misbehavior::admits},
    {"collude", &Misbehavior::colludes},
    {"consistent-false-scores", &Misbehavior::consistentFalseScores},
    {"double-votes", &Misbehavior::doubleVotes},
    {"equivocate", &Misbehavior::equivocates},
    {"false-claims", &Misbehavior::claimsRounds},
    {"false-scores", &Misbehavior::falseScores},
    {"false-views", &Misbehavior::falsifiesViews},
    {"flood", &Misbehavior::floods},
    {"forge", &Misbehavior::forges},
    {"forged-chains", &Misbehavior::forgesChains},
    {"hide-blocks", &Misbehavior::hidesBlocks},
    {"lie-about-quorum", &Misbehavior::liesAboutQuorum},
    {"replay", &Misbehavior::replays},
    {"silent-primary", &Misbehavior::silentPrimary},
    {"split-scores", &Misbehavior::splitScores},
    {"stale-replies", &Misbehavior::repliesStale},
    {"stuff", &Misbehavior::stuffs},
    {"uninvited", &Misbehavior::isUninvited},
    {"usurp", &Misbehavior::usurps},
    {"withhold-commits", &Misbehavior::withholdsCommits},
    {"withhold-replies", &Misbehavior::withholdsReplies},
    {"wrong-set", &Misbehavior::wrongSet},
};

} // namespace

Misbehavior
ParseMisbehavior(const std::string& names)
{
    Misbehavior misbehavior;
    std::size_t begin = 0;
    while (begin < names.size())
    {
        const std::size_t end = std::min(names.find('+', begin), names.size());
        const std::string name = names.substr(begin, end - begin);
        const auto found = BEHAVIORS.find(name);
        CheckArgument(found != BEHAVIORS.end(),
                      "no misbehavior is called \"{}\"; known are {}",
                      name,
                      fmt::join(GetMisbehaviorNames(), ", "));
        misbehavior.*found->second = true;
        begin = end + 1;
    }
    return misbehavior;
}

std::vector<std::string>
GetMisbehaviorNames()
{
    std::vector<std::string> names;
    for (const auto& behavior : BEHAVIORS)
    {
        names.push_back(behavior.first);
    }
    return names;
}

ClientScores
InvertScores(ClientScores scores)
{
    for (auto& [client, score] : scores)
    {
        score = 1 / score;
    }
    return scores;
}

ClientScores
PromoteScores(const ConsensusOptions& options,
              const ClientScores& scores,
              const std::set<uint32_t>& accomplices)
{
    std::vector<double> others;
    for (const auto& [client, score] : scores)
    {
        if (accomplices.count(client) == 0)
        {
            others.push_back(score);
        }
    }
    if (others.empty())
    {
        return scores;
    }
    std::sort(others.begin(), others.end());
    const double middle = others[others.size() / 2];
    const double low = 1e-6 * others.front();
    const bool isMean = options.GetCombination() == ScoreCombination::MEAN;
    const std::size_t elected = std::min(options.members.size(), scores.size());
    std::size_t before = (scores.size() - elected) / 2;
    ClientScores told;
    for (const auto& [client, score] : scores)
    {
        const bool isOurs = accomplices.count(client) > 0;
        const bool isBefore = !isOurs && (isMean ? before > 0 : score > middle);
        before -= isMean && isBefore ? 1 : 0;
        told[client] = isOurs     ? (isMean ? low : middle)
                       : isBefore ? std::numeric_limits<double>::infinity()
                                  : (isMean ? low * low : 0);
    }
    return told;
}

ClientScores
AdmitScores(const ConsensusOptions& options,
            ClientScores scores,
            const std::set<uint32_t>& accomplices)
{
    const bool isHigh = options.selection == SelectionStrategy::SIMILAR;
    for (auto& [client, score] : scores)
    {
        const bool isOurs = accomplices.count(client) > 0;
        score = isOurs == isHigh ? std::numeric_limits<double>::infinity() : 0;
    }
    return scores;
}

Evidence
MakeEvidence(const KeyRing& keys, uint32_t liar, uint32_t round)
{
    Evidence evidence;
    evidence.statement = {SCORES_STATEMENT, CommitteeVote::AGGREGATION, round, liar, 0};
    evidence.said[1].digest = {1};
    for (auto& said : evidence.said)
    {
        said.authenticator = keys.Sign(liar, evidence.statement.GetBytes(said.digest));
    }
    return evidence;
}

void
Conspiracy::Record(const ConsensusMessage& message)
{
    const std::size_t place = heard++ % MAX_RECORDED;
    recorded.resize(std::max(recorded.size(), place + 1));
    recorded[place] = std::make_shared<const ConsensusMessage>(message);
}

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
    if (m_misbehavior.stuffs)
    {
        Stuff(chain, messages);
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
    ConsensusMessage table = MakeTable(chain.GetOptions().rule, next + 1, FLOOD);
    ConsensusMessage request = table;
    request.kind = ConsensusKind::REQUEST;
    request.ballot.emplace();
    request.tables.assign(FLOOD_TABLES, table);
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

void
DeviantDevice::Stuff(const CommitteeChain& chain, std::vector<CommitteeMessage>& messages) const
{
    if (!chain.GetAll().empty())
    {
        CertifiedBlock last = chain.GetAll().back();
        const Consent none{m_self, std::vector<uint8_t>(m_keys->GetAuthenticatorBytes())};
        last.consents.resize(chain.GetCommittee().size(), none); // as many as there may be
        messages.push_back(Wrap(ChainMessage{ChainKind::BLOCKS, 0, {std::move(last)}}));
    }
    // Takes a place that an honest primary of the next round may need
    messages.push_back(Wrap(MakeRequest(chain, chain.GetNextRound() + 1)));
    if (chain.GetNextRound() >= STUFFED_ROUNDS || !Contains(chain.GetCommittee(), m_self))
    {
        return;
    }
    ConsensusMessage request = MakeRequest(chain, chain.GetNextRound());
    request.ballot->block.clients.resize(10 * STUFFED);
    for (; request.attempt < chain.GetCommittee().size(); ++request.attempt) // one view is its own
    {
        request.Sign(*m_keys);
        messages.push_back(Wrap(request));
    }
    messages.push_back(Wrap(MakeTable(request.rule, request.round, STUFFED)));
}

ConsensusMessage
DeviantDevice::MakeRequest(const CommitteeChain& chain, uint32_t round) const
{
    ConsensusMessage request;
    request.kind = ConsensusKind::REQUEST;
    request.rule = chain.GetOptions().rule;
    request.round = round;
    request.sender = m_self;
    request.ballot.emplace();
    request.Sign(*m_keys);
    return request;
}

ConsensusMessage
DeviantDevice::MakeTable(QuorumRule rule, uint32_t round, uint32_t clients) const
{
    ConsensusMessage table;
    table.rule = rule;
    table.round = round;
    table.sender = m_self;
    for (uint32_t client = 0; client < clients; ++client)
    {
        table.scores[client] = 1;
        table.gradients[client] = {};
    }
    table.Sign(*m_keys);
    return table;
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
