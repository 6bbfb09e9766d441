/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-misbehavior.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace ns3::collab
{

namespace
{

/// Messages that a conspiracy keeps
constexpr std::size_t MAX_RECORDED = 1000;

/// Names of the behaviors
const std::map<std::string, bool Misbehavior::*> BEHAVIORS = {
    {"collude", &Misbehavior::colludes},
    {"consistent-false-scores", &Misbehavior::consistentFalseScores},
    {"equivocate", &Misbehavior::equivocates},
    {"false-claims", &Misbehavior::claimsRounds},
    {"false-scores", &Misbehavior::falseScores},
    {"false-views", &Misbehavior::falsifiesViews},
    {"flood", &Misbehavior::floods},
    {"forge", &Misbehavior::forges},
    {"forged-chains", &Misbehavior::forgesChains},
    {"lie-about-quorum", &Misbehavior::liesAboutQuorum},
    {"replay", &Misbehavior::replays},
    {"silent-primary", &Misbehavior::silentPrimary},
    {"split-scores", &Misbehavior::splitScores},
    {"stale-replies", &Misbehavior::repliesStale},
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
    const std::size_t elected = std::min(options.GetNextCommittee(), scores.size());
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

void
Conspiracy::Record(const ConsensusMessage& message)
{
    const std::size_t place = heard++ % MAX_RECORDED;
    recorded.resize(std::max(recorded.size(), place + 1));
    recorded[place] = std::make_shared<const ConsensusMessage>(message);
}

ByzantineMember::ByzantineMember(ConsensusOptions options,
                                 std::shared_ptr<const KeyRing> keys,
                                 Misbehavior misbehavior,
                                 std::shared_ptr<Conspiracy> conspiracy,
                                 ResultOracle oracle,
                                 uint64_t seed)
    : DeviantMember(std::move(options), std::move(keys), misbehavior, std::move(conspiracy), seed),
      m_oracle(std::move(oracle))
{
}

std::size_t
ByzantineMember::GetHalf(uint32_t member) const
{
    return m_conspiracy->firstHalf.count(member) ? 0 : 1;
}

ConsensusOutput
ByzantineMember::Begin(uint64_t nowNs, const ClientScores& scores, const GradientDigests& gradients)
{
    const ClientScores told = m_misbehavior.usurps
                                  ? PromoteScores(m_options, scores, m_conspiracy->accomplices)
                              : m_misbehavior.consistentFalseScores ? InvertScores(scores)
                                                                    : scores;
    return Corrupt(m_inner.Begin(nowNs, told, gradients));
}

ConsensusOutput
ByzantineMember::HandleMessage(uint64_t nowNs, const ConsensusMessage& message)
{
    if (message.rule == m_options.rule)
    {
        m_conspiracy->Record(message);
    }
    ConsensusOutput output = Corrupt(m_inner.HandleMessage(nowNs, message));
    if (message.round == m_options.round && message.kind == ConsensusKind::REQUEST &&
        m_misbehavior.colludes && m_conspiracy->accomplices.count(message.sender))
    {
        Collude(message, output);
    }
    if (message.round == m_options.round && message.kind == ConsensusKind::REPLY)
    {
        CountReply(message, output);
    }
    return output;
}

ConsensusOutput
ByzantineMember::Corrupt(ConsensusOutput output)
{
    const std::vector<Outgoing> honest = std::move(output.messages);
    output.messages.clear();
    for (const auto& outgoing : honest)
    {
        ConsensusMessage message = *outgoing.message;
        switch (message.kind)
        {
        case ConsensusKind::SCORES:
            CorruptScores(message, output);
            continue;
        case ConsensusKind::REQUEST:
            CorruptRequest(message, output);
            continue;
        case ConsensusKind::REPLY:
            if (m_misbehavior.withholdsReplies)
            {
                continue;
            }
            if (m_misbehavior.repliesStale)
            {
                --message.timestamp;
                message.Sign(*m_keys);
            }
            break;
        case ConsensusKind::COMMIT:
            // Its own decisions as the primary are told as stories: see CountReply()
            if (!outgoing.receiver || m_misbehavior.withholdsCommits)
            {
                continue;
            }
            break;
        case ConsensusKind::VIEW_CHANGE:
            break;
        }
        output.messages.push_back(
            {outgoing.receiver, std::make_shared<const ConsensusMessage>(std::move(message))});
    }
    Disturb(output);
    return output;
}

void
ByzantineMember::CorruptScores(const ConsensusMessage& honest, ConsensusOutput& output)
{
    if (m_conspiracy->round != m_options.round)
    {
        m_conspiracy->round = m_options.round;
        m_conspiracy->told[0].clear();
        m_conspiracy->told[1].clear();
    }
    ClientScores stories[2] = {honest.scores, honest.scores};
    if (m_misbehavior.falseScores && !m_misbehavior.consistentFalseScores)
    {
        stories[0] = InvertScores(stories[0]);
        stories[1] = stories[0];
    }
    if (m_misbehavior.splitScores)
    {
        stories[1] = InvertScores(stories[1]);
    }
    for (std::size_t half = 0; half < 2; ++half)
    {
        ConsensusMessage message = honest;
        message.scores = stories[half];
        m_conspiracy->told[half][m_options.self] = stories[half];
        SendToHalf(std::move(message), half, output);
    }
}

void
ByzantineMember::CorruptRequest(const ConsensusMessage& honest, ConsensusOutput& output)
{
    if (m_misbehavior.silentPrimary || m_stories[0].count({honest.vote, honest.attempt}))
    {
        return;
    }
    Proposal proposals[2] = {honest.proposal, honest.proposal};
    if (m_misbehavior.wrongSet || m_misbehavior.equivocates)
    {
        const auto wrong = MakeWrong(honest.vote);
        for (std::size_t half = 0; half < 2; ++half)
        {
            const auto guess = m_misbehavior.equivocates ? Guess(honest.vote, half) : wrong;
            proposals[half] = guess.value_or(proposals[half]);
        }
        if (m_misbehavior.equivocates && proposals[0] == proposals[1] && wrong)
        {
            proposals[1] = *wrong;
        }
    }
    for (std::size_t half = 0; half < 2; ++half)
    {
        ConsensusMessage request = honest;
        request.proposal = proposals[half];
        request.Sign(*m_keys);
        Story& story = m_stories[half][{request.vote, request.attempt}];
        story.request = std::make_shared<const ConsensusMessage>(request);
        ConsensusMessage consent = MakeReply(request, m_options.self);
        consent.Sign(*m_keys);
        story.consents[m_options.self] = consent.authenticator;
        SendToHalf(request, half, output);
        // Accomplices of the other half shall consent to both
        for (const uint32_t member : m_conspiracy->accomplices)
        {
            if (member != m_options.self && GetHalf(member) != half)
            {
                output.messages.push_back({member, story.request});
            }
        }
        if (m_misbehavior.liesAboutQuorum)
        {
            Commit(half, story, output);
        }
    }
    // Nobody has to wait for the first vote to cheat in the second
    const bool isNextPrimary =
        m_options.GetPrimary(CommitteeVote::ELECTION, honest.attempt) == m_options.self;
    const auto election = Guess(CommitteeVote::ELECTION, GetHalf(m_options.self));
    if (honest.vote == CommitteeVote::AGGREGATION && isNextPrimary && election)
    {
        ConsensusMessage early = honest;
        early.vote = CommitteeVote::ELECTION;
        early.proposal = *election;
        CorruptRequest(early, output);
    }
}

void
ByzantineMember::Collude(const ConsensusMessage& request, ConsensusOutput& output)
{
    ConsensusMessage reply = MakeReply(request, m_options.self);
    reply.Sign(*m_keys);
    output.messages.push_back(
        {request.sender, std::make_shared<const ConsensusMessage>(std::move(reply))});
}

void
ByzantineMember::CountReply(const ConsensusMessage& reply, ConsensusOutput& output)
{
    for (std::size_t half = 0; half < 2; ++half)
    {
        const auto found = m_stories[half].find({reply.vote, reply.attempt});
        if (found == m_stories[half].end() || found->second.told ||
            reply.proposal != found->second.request->proposal ||
            reply.timestamp != found->second.request->timestamp || !reply.IsAuthentic(*m_keys))
        {
            continue;
        }
        Story& story = found->second;
        story.consents[reply.sender] = reply.authenticator;
        if (story.consents.size() - (m_options.primaryVotes ? 0 : 1) >= m_options.GetQuorum())
        {
            Commit(half, story, output);
        }
    }
}

void
ByzantineMember::Commit(std::size_t half, Story& story, ConsensusOutput& output)
{
    story.told = true;
    if (m_misbehavior.withholdsCommits && half == 1)
    {
        return;
    }
    ConsensusMessage commit = *story.request;
    commit.kind = ConsensusKind::COMMIT;
    SendToHalf(std::move(commit), half, output);
}

void
ByzantineMember::Disturb(ConsensusOutput& output)
{
    if (m_disturbances >= Misbehavior::MAX_DISTURBANCES)
    {
        return;
    }
    const auto& recorded = m_conspiracy->recorded;
    if (m_misbehavior.replays && !recorded.empty())
    {
        ++m_disturbances;
        output.messages.push_back({std::nullopt, recorded[Draw(recorded.size())]});
    }
    if (m_misbehavior.forges && !recorded.empty() && m_options.members.size() > 1)
    {
        ++m_disturbances;
        ConsensusMessage forged = *recorded[Draw(recorded.size())];
        forged.round = m_options.round;
        forged.proposal = MakeWrong(forged.vote).value_or(forged.proposal);
        forged.kind = Draw(2) == 0 ? ConsensusKind::COMMIT : forged.kind;
        // Its own signature, under the name of another member
        const auto& members = m_options.members;
        const auto own = std::find(members.begin(), members.end(), m_options.self);
        const std::size_t shift = 1 + Draw(members.size() - 1);
        forged.sender = m_options.self;
        forged.Sign(*m_keys);
        forged.sender = members[(own - members.begin() + shift) % members.size()];
        output.messages.push_back(
            {std::nullopt, std::make_shared<const ConsensusMessage>(std::move(forged))});
    }
}

std::optional<Proposal>
ByzantineMember::Guess(CommitteeVote vote, std::size_t half) const
{
    ScoreTables tables = m_inner.GetTables();
    for (const auto& [member, scores] : m_conspiracy->told[half])
    {
        tables[member] = scores;
    }
    const auto ranking = m_options.Rank(tables);
    Proposal proposal;
    if (ranking.empty() || ranking.size() < m_options.GetNextCommittee())
    {
        return std::nullopt;
    }
    if (vote == CommitteeVote::ELECTION)
    {
        proposal.clients = m_options.Elect(ranking);
        proposal.digest = ComputeSetDigest(proposal.clients);
        return proposal;
    }
    proposal.clients = m_options.Select(ranking);
    const auto digest = m_oracle(proposal.clients);
    proposal.digest = digest.value_or(Digest{});
    return digest ? std::optional<Proposal>(proposal) : std::nullopt;
}

std::optional<Proposal>
ByzantineMember::MakeWrong(CommitteeVote vote) const
{
    const auto ranking = RankClients(m_inner.GetTables(), 1);
    if (ranking.empty())
    {
        return std::nullopt;
    }
    Proposal proposal;
    const std::size_t count = vote == CommitteeVote::ELECTION
                                  ? m_options.GetNextCommittee()
                                  : m_options.GetAccepted(ranking.size());
    proposal.clients = SelectClients(ranking, GetOther(m_options.selection), count);
    proposal.digest = vote == CommitteeVote::ELECTION
                          ? ComputeSetDigest(proposal.clients)
                          : m_oracle(proposal.clients).value_or(Digest{});
    return proposal;
}

void
ByzantineMember::SendToHalf(ConsensusMessage message,
                            std::size_t half,
                            ConsensusOutput& output) const
{
    SendTo(
        std::move(message), [&](uint32_t member) { return GetHalf(member) == half; }, output);
}

} // namespace ns3::collab
