/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-deviant-member.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Messages that one member forges and replays at most in a round: replayers must not keep each
/// other busy for ever
constexpr uint32_t MAX_DISTURBANCES = 40;

/// Views that it says to have reached beyond its own
constexpr uint32_t FAR_VIEW = 1000000;

/// Groups with the rule PAPER
constexpr uint32_t HALVES = 2;

} // namespace

DeviantMember::DeviantMember(ConsensusOptions options,
                             std::shared_ptr<const KeyRing> keys,
                             Deviation deviation,
                             const CommitteeMember& honest)
    : m_options(std::move(options)),
      m_keys(std::move(keys)),
      m_deviation(std::move(deviation)),
      m_member(honest),
      m_generator(m_deviation.seed)
{
}

std::size_t
DeviantMember::Draw(std::size_t size)
{
    return boost::random::uniform_int_distribution<std::size_t>(0, size - 1)(m_generator);
}

ClientScores
DeviantMember::Claim(const ClientScores& scores)
{
    // With BYZANTINE members consent to what follows from tables that are told: its own one is
    // what it tells. With PAPER they consent to what follows from what they believe.
    const bool lies = Does().consistentFalseScores || (Does().falseScores && !IsPaper());
    const auto& accomplices = m_deviation.conspiracy->accomplices;
    return Does().usurps   ? PromoteScores(m_options, scores, accomplices)
           : Does().admits ? AdmitScores(m_options, scores, accomplices)
           : lies          ? InvertScores(scores)
                           : scores;
}

void
DeviantMember::Overhear(const ConsensusMessage& message)
{
    if (message.rule == m_options.rule)
    {
        m_deviation.conspiracy->Record(message);
    }
}

void
DeviantMember::Answer(const ConsensusMessage& message, ConsensusOutput& output)
{
    if (message.rule == m_options.rule && message.round == m_options.round)
    {
        Collude(message, output);
        CountReply(message, output);
    }
}

void
DeviantMember::Corrupt(ConsensusOutput& output)
{
    const std::vector<Outgoing> honest = std::exchange(output.messages, {});
    output.evidence.clear();
    for (const auto& outgoing : honest)
    {
        ConsensusMessage message = *outgoing.message;
        switch (message.kind)
        {
        case ConsensusKind::SCORES:
            CorruptScores(message, output);
            continue;
        case ConsensusKind::REQUEST:
            if (!Does().silentPrimary)
            {
                Propose(message, output);
            }
            continue;
        case ConsensusKind::REPLY:
            if (Does().withholdsReplies)
            {
                continue;
            }
            message.timestamp -= Does().repliesStale && IsPaper() ? 1 : 0;
            message.attempt -= Does().repliesStale && !IsPaper() ? 1 : 0;
            if (Does().doubleVotes && !IsPaper())
            {
                ConsensusMessage other = message;
                other.proposal.digest[0] ^= 1;
                other.Sign(*m_keys);
                output.messages.push_back(
                    {outgoing.receiver, std::make_shared<const ConsensusMessage>(other)});
            }
            break;
        case ConsensusKind::COMMIT:
            if (IsPaper() && (!outgoing.receiver || Does().withholdsCommits))
            {
                continue; // its own decisions as the primary are told as stories
            }
            if (Does().withholdsCommits)
            {
                SendToGroup(std::move(message), 0, output);
                continue;
            }
            break;
        case ConsensusKind::VIEW_CHANGE:
            if (!IsPaper())
            {
                CorruptView(message, output);
                continue;
            }
            break;
        }
        message.Sign(*m_keys);
        output.messages.push_back(
            {outgoing.receiver, std::make_shared<const ConsensusMessage>(std::move(message))});
    }
    Disturb(output);
}

ClientScores
DeviantMember::TellScores(ClientScores scores, uint32_t group) const
{
    if (!Does().splitScores || group == 0)
    {
        return scores;
    }
    // With BYZANTINE, the higher the group, the more clients it turns around
    const uint32_t parts = IsPaper() ? 1 : GROUPS;
    uint32_t place = 0;
    const ClientScores inverse = InvertScores(scores);
    for (auto& [client, score] : scores)
    {
        if (place++ % parts < group)
        {
            score = inverse.at(client);
        }
    }
    return scores;
}

void
DeviantMember::CorruptScores(const ConsensusMessage& honest, ConsensusOutput& output)
{
    Conspiracy& conspiracy = *m_deviation.conspiracy;
    if (conspiracy.round != m_options.round)
    {
        conspiracy.round = m_options.round;
        conspiracy.told.clear();
    }
    const bool lies = IsPaper() && Does().falseScores && !Does().consistentFalseScores;
    const ClientScores scores = lies ? InvertScores(honest.scores) : honest.scores;
    for (uint32_t group = 0; group < (IsPaper() ? HALVES : GROUPS); ++group)
    {
        ConsensusMessage message = honest;
        message.scores = TellScores(scores, group);
        conspiracy.told[group][m_options.self] = message.scores;
        SendToGroup(std::move(message), group, output);
    }
}

void
DeviantMember::CorruptView(const ConsensusMessage& honest, ConsensusOutput& output)
{
    if (!Does().falsifiesViews)
    {
        SendToGroup(honest, GROUPS, output);
        return;
    }
    for (uint32_t group = 0; group < GROUPS; ++group)
    {
        ConsensusMessage message = honest;
        message.attempt += group % 2 == 0 ? 0 : FAR_VIEW;
        if (group < GROUPS / 2)
        {
            message.ballot.reset(); // it has never seen anything
        }
        else if (message.ballot)
        {
            message.ballot->view += FAR_VIEW; // and it has seen what nobody has
            message.ballot->block.clients = {m_options.self};
        }
        SendToGroup(std::move(message), group, output);
    }
}

bool
DeviantMember::HasProposed(CommitteeVote vote, uint32_t attempt) const
{
    return std::any_of(m_stories.begin(), m_stories.end(), [&](const Story& story) {
        return story.vote == vote && story.request.attempt == attempt;
    });
}

DeviantMember::Story&
DeviantMember::FindStory(const ConsensusMessage& request, CommitteeVote vote)
{
    const Digest digest =
        request.ballot ? request.ballot->block.GetDigest() : request.proposal.digest;
    const auto known = std::find_if(m_stories.begin(), m_stories.end(), [&](const Story& story) {
        return !IsPaper() && story.vote == vote && story.request.attempt == request.attempt &&
               story.digest == digest;
    });
    if (known != m_stories.end())
    {
        return *known;
    }
    ConsensusMessage consent = m_member.MakeConsent(request, vote, request.attempt);
    consent.Sign(*m_keys);
    m_stories.push_back(
        {vote, request, digest, {}, {{m_options.self, std::move(consent.authenticator)}}});
    return m_stories.back();
}

void
DeviantMember::Tell(ConsensusMessage request, uint32_t group, ConsensusOutput& output)
{
    request.Sign(*m_keys);
    SendToGroup(request, group, output);
    if (group < GROUPS)
    {
        SendToAccomplices(request, group, output);
    }
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
    {
        if (IsPaper() && vote != request.vote)
        {
            continue; // of which there is another proposal
        }
        Story& story = FindStory(request, vote);
        story.groups.insert(group);
        if (Does().liesAboutQuorum)
        {
            Show(story, output);
            story.isTold = IsPaper(); // else nobody believes it until there is a certificate
        }
    }
}

void
DeviantMember::Collude(const ConsensusMessage& message, ConsensusOutput& output)
{
    const bool isWanted =
        !IsPaper() || m_deviation.conspiracy->accomplices.count(message.sender) > 0;
    const bool isPrepared = !IsPaper() && message.kind == ConsensusKind::COMMIT &&
                            message.vote == CommitteeVote::AGGREGATION;
    if (!Does().colludes || !isWanted || (message.kind != ConsensusKind::REQUEST && !isPrepared))
    {
        return;
    }
    const CommitteeVote vote = isPrepared ? CommitteeVote::ELECTION : message.vote;
    ConsensusMessage reply = m_member.MakeConsent(message, vote, message.attempt);
    reply.Sign(*m_keys);
    output.messages.push_back(
        {message.sender, std::make_shared<const ConsensusMessage>(std::move(reply))});
}

void
DeviantMember::CountReply(const ConsensusMessage& reply, ConsensusOutput& output)
{
    for (Story& story : m_stories)
    {
        if (reply.kind != ConsensusKind::REPLY || reply.vote != story.vote ||
            reply.attempt != story.request.attempt || !m_member.IsConsent(reply, story.request) ||
            !reply.IsAuthentic(*m_keys))
        {
            continue;
        }
        const bool isKnown =
            std::any_of(story.consents.begin(), story.consents.end(), [&](const Consent& known) {
                return known.member == reply.sender;
            });
        if (!isKnown)
        {
            story.consents.push_back({reply.sender, reply.authenticator});
        }
        if (!story.isTold && story.consents.size() >= m_options.GetNeededConsents())
        {
            story.isTold = true;
            Show(story, output);
        }
    }
}

void
DeviantMember::Show(const Story& story, ConsensusOutput& output)
{
    const ConsensusMessage commit = MakeCommit(story);
    for (const uint32_t group : story.groups)
    {
        if (!Does().withholdsCommits)
        {
            SendToGroup(commit, group, output);
        }
        else if (group == 0 || !IsPaper())
        {
            SendToGroup(commit, 0, output);
        }
    }
    if (!IsPaper())
    {
        SendToAccomplices(commit, GROUPS, output);
    }
}

void
DeviantMember::Disturb(ConsensusOutput& output)
{
    const auto& recorded = m_deviation.conspiracy->recorded;
    if (m_disturbances >= MAX_DISTURBANCES || recorded.empty())
    {
        return;
    }
    if (Does().replays)
    {
        ++m_disturbances;
        output.messages.push_back({std::nullopt, recorded[Draw(recorded.size())]});
    }
    if (Does().forges && m_options.members.size() > 1)
    {
        ++m_disturbances;
        ConsensusMessage forged = *recorded[Draw(recorded.size())];
        forged.round = m_options.round;
        const uint32_t victim = Disguise(forged);
        forged.sender = m_options.self; // its own signature, under the name of another member
        forged.Sign(*m_keys);
        forged.sender = victim;
        output.messages.push_back(
            {std::nullopt, std::make_shared<const ConsensusMessage>(std::move(forged))});
    }
}

void
DeviantMember::SendToGroup(ConsensusMessage message, uint32_t group, ConsensusOutput& output) const
{
    message.Sign(*m_keys);
    const auto shared = std::make_shared<const ConsensusMessage>(std::move(message));
    for (const uint32_t member : m_options.members)
    {
        if (member != m_options.self && (group == GROUPS || GroupOf(member) == group))
        {
            output.messages.push_back({member, shared});
        }
    }
}

void
DeviantMember::SendToAccomplices(ConsensusMessage message,
                                 uint32_t group,
                                 ConsensusOutput& output) const
{
    message.Sign(*m_keys);
    const auto shared = std::make_shared<const ConsensusMessage>(std::move(message));
    for (const uint32_t member : m_deviation.conspiracy->accomplices)
    {
        if (member != m_options.self && GroupOf(member) != group)
        {
            output.messages.push_back({member, shared});
        }
    }
}

} // namespace ns3::collab
