/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-saboteur.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Views that it says to have reached beyond its own
constexpr uint32_t FAR_VIEW = 1000000;

} // namespace

CommitteeSaboteur::CommitteeSaboteur(ConsensusOptions options,
                                     std::shared_ptr<const KeyRing> keys,
                                     std::shared_ptr<ConsensusMemory> memory,
                                     Misbehavior misbehavior,
                                     std::shared_ptr<Conspiracy> conspiracy,
                                     OrderOracle oracle,
                                     uint64_t seed)
    : DeviantMember(std::move(options),
                    std::move(keys),
                    misbehavior,
                    std::move(conspiracy),
                    seed,
                    std::move(memory)),
      m_oracle(std::move(oracle))
{
}

uint32_t
CommitteeSaboteur::GroupOf(uint32_t member)
{
    return member % GROUPS;
}

ClientScores
CommitteeSaboteur::TellScores(ClientScores scores, uint32_t group) const
{
    if (!m_misbehavior.splitScores || group == 0)
    {
        return scores;
    }
    // The higher the group, the more clients it turns around
    uint32_t place = 0;
    const ClientScores inverse = InvertScores(scores);
    for (auto& [client, score] : scores)
    {
        if (place++ % GROUPS < group)
        {
            score = inverse.at(client);
        }
    }
    return scores;
}

ConsensusOutput
CommitteeSaboteur::Begin(uint64_t nowNs,
                         const ClientScores& scores,
                         const GradientDigests& gradients)
{
    // What members consent to follows from tables that are told: its own one is what it tells
    const bool lies = m_misbehavior.falseScores || m_misbehavior.consistentFalseScores;
    const ClientScores told = m_misbehavior.usurps
                                  ? PromoteScores(m_options, scores, m_conspiracy->accomplices)
                              : lies ? InvertScores(scores)
                                     : scores;
    return Corrupt(m_inner.Begin(nowNs, told, gradients));
}

ConsensusOutput
CommitteeSaboteur::HandleMessage(uint64_t nowNs, const ConsensusMessage& message)
{
    m_conspiracy->Record(message);
    ConsensusOutput output = Corrupt(m_inner.HandleMessage(nowNs, message));
    if (message.round != m_options.round || message.rule != QuorumRule::BYZANTINE)
    {
        return output;
    }
    const bool isBallot =
        message.kind == ConsensusKind::REQUEST ||
        (message.kind == ConsensusKind::COMMIT && message.vote == CommitteeVote::AGGREGATION);
    if (isBallot && m_misbehavior.colludes)
    {
        const auto vote = message.kind == ConsensusKind::REQUEST ? CommitteeVote::AGGREGATION
                                                                 : CommitteeVote::ELECTION;
        Collude(vote, message.attempt, message.ballot->block.GetDigest(), message.sender, output);
    }
    if (message.kind == ConsensusKind::REPLY)
    {
        CountReply(message, output);
    }
    return output;
}

ConsensusOutput
CommitteeSaboteur::Resume(uint64_t nowNs)
{
    return Corrupt(m_inner.Resume(nowNs));
}

ConsensusOutput
CommitteeSaboteur::HandleBlock(uint64_t nowNs, const CertifiedBlock& block)
{
    return m_inner.HandleBlock(nowNs, block);
}

void
CommitteeSaboteur::AddEvidence(const Evidence& evidence)
{
    if (m_conspiracy->accomplices.count(evidence.statement.member) == 0)
    {
        m_inner.AddEvidence(evidence);
    }
}

ConsensusOutput
CommitteeSaboteur::Corrupt(ConsensusOutput output)
{
    const std::vector<Outgoing> honest = std::move(output.messages);
    output.messages.clear();
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
            CorruptRequest(message, output);
            continue;
        case ConsensusKind::VIEW_CHANGE:
            CorruptView(message, output);
            continue;
        case ConsensusKind::REPLY:
            if (m_misbehavior.withholdsReplies)
            {
                continue;
            }
            message.attempt -= m_misbehavior.repliesStale ? 1 : 0;
            break;
        case ConsensusKind::COMMIT:
            if (m_misbehavior.withholdsCommits)
            {
                SendToGroup(std::move(message), 0, output);
                continue;
            }
            break;
        }
        message.Sign(*m_keys);
        output.messages.push_back(
            {outgoing.receiver, std::make_shared<const ConsensusMessage>(std::move(message))});
    }
    Disturb(output);
    return output;
}

void
CommitteeSaboteur::CorruptScores(const ConsensusMessage& honest, ConsensusOutput& output)
{
    for (uint32_t group = 0; group < GROUPS; ++group)
    {
        ConsensusMessage message = honest;
        message.scores = TellScores(honest.scores, group);
        SendToGroup(std::move(message), group, output);
    }
}

std::optional<ConsensusMessage>
CommitteeSaboteur::MakeStory(const ConsensusMessage& honest, uint32_t group) const
{
    ConsensusMessage request = honest;
    request.ballot = CertifiedBlock();
    request.evidence.clear();
    request.tables.clear();
    const auto& tables = m_inner.GetTables();
    if (tables.count(m_options.self) == 0)
    {
        return std::nullopt;
    }
    const std::size_t least = m_options.members.size() - m_options.faults;
    std::size_t place = 0;
    for (const auto& [member, table] : tables)
    {
        const bool isDropped = tables.size() > least && place++ == group % tables.size();
        if (isDropped && member != m_options.self)
        {
            continue;
        }
        request.tables.push_back(table);
        const auto& own = tables.at(m_options.self);
        if (m_conspiracy->accomplices.count(member) > 0 && table.gradients == own.gradients)
        {
            request.tables.back().scores = TellScores(own.scores, group); // all tell the same
            request.tables.back().Sign(*m_keys);
        }
    }
    std::vector<const ConsensusMessage*> used;
    for (const auto& table : request.tables)
    {
        used.push_back(&table);
    }
    const Draft draft = MakeDraft(m_options, used, {});
    const auto model = draft.isPossible ? m_oracle(draft.order) : std::nullopt;
    if (!model)
    {
        return std::nullopt;
    }
    request.ballot->block = draft.block;
    request.ballot->block.model = *model;
    return request;
}

void
CommitteeSaboteur::CorruptRequest(const ConsensusMessage& honest, ConsensusOutput& output)
{
    if (m_misbehavior.silentPrimary)
    {
        return;
    }
    if (m_misbehavior.wrongSet && !m_misbehavior.equivocates)
    {
        ConsensusMessage wrong = honest;
        Block& block = wrong.ballot->block;
        block.clients = SelectClients(
            m_inner.GetRanking(), GetOther(m_options.selection), block.clients.size());
        wrong.ballot->consents.clear();
        Tell(std::move(wrong), GROUPS, output);
        return;
    }
    if (!m_misbehavior.equivocates)
    {
        Tell(honest, GROUPS, output);
        return;
    }
    for (uint32_t group = 0; group < GROUPS; ++group)
    {
        Tell(MakeStory(honest, group).value_or(honest), group, output);
    }
}

void
CommitteeSaboteur::CorruptView(const ConsensusMessage& honest, ConsensusOutput& output)
{
    if (!m_misbehavior.falsifiesViews)
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

void
CommitteeSaboteur::Tell(ConsensusMessage request, uint32_t group, ConsensusOutput& output)
{
    const uint32_t view = request.attempt;
    const Digest digest = request.ballot->block.GetDigest();
    const auto [found, isNew] = m_stories.emplace(std::make_pair(view, digest), Story());
    Story& story = found->second;
    story.block = request.ballot->block;
    story.groups.insert(group);
    SendToGroup(request, group, output);
    request.Sign(*m_keys);
    const auto shared = std::make_shared<const ConsensusMessage>(std::move(request));
    for (const uint32_t member : m_conspiracy->accomplices)
    {
        if (member != m_options.self && group < GROUPS && GroupOf(member) != group)
        {
            output.messages.push_back({member, shared});
        }
    }
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
    {
        if (isNew)
        {
            const auto statement =
                MakeStatement(vote, m_options.self, m_options.round, view, digest);
            story.consents[static_cast<std::size_t>(vote)].push_back(
                {m_options.self, m_keys->Sign(m_options.self, statement)});
        }
        if (m_misbehavior.liesAboutQuorum)
        {
            Show(story, view, vote, output);
        }
    }
}

ConsensusMessage
CommitteeSaboteur::MakeMessage(ConsensusKind kind, CommitteeVote vote, uint32_t view) const
{
    ConsensusMessage message;
    message.kind = kind;
    message.rule = QuorumRule::BYZANTINE;
    message.vote = vote;
    message.round = m_options.round;
    message.sender = m_options.self;
    message.attempt = view;
    return message;
}

void
CommitteeSaboteur::Collude(CommitteeVote vote,
                           uint32_t view,
                           const Digest& block,
                           uint32_t primary,
                           ConsensusOutput& output) const
{
    ConsensusMessage reply = MakeMessage(ConsensusKind::REPLY, vote, view);
    reply.proposal.digest = block;
    reply.Sign(*m_keys);
    output.messages.push_back(
        {primary, std::make_shared<const ConsensusMessage>(std::move(reply))});
}

void
CommitteeSaboteur::CountReply(const ConsensusMessage& reply, ConsensusOutput& output)
{
    const auto found = m_stories.find({reply.attempt, reply.proposal.digest});
    if (found == m_stories.end() || !reply.IsAuthentic(*m_keys))
    {
        return;
    }
    Story& story = found->second;
    auto& consents = story.consents[static_cast<std::size_t>(reply.vote)];
    const bool isKnown = std::any_of(consents.begin(), consents.end(), [&](const auto& known) {
        return known.member == reply.sender;
    });
    if (!isKnown)
    {
        consents.push_back({reply.sender, reply.authenticator});
    }
    if (consents.size() >= m_options.GetQuorum() &&
        !story.told[static_cast<std::size_t>(reply.vote)])
    {
        story.told[static_cast<std::size_t>(reply.vote)] = true;
        Show(story, reply.attempt, reply.vote, output);
    }
}

void
CommitteeSaboteur::Show(Story& story, uint32_t view, CommitteeVote vote, ConsensusOutput& output)
{
    ConsensusMessage commit = MakeMessage(ConsensusKind::COMMIT, vote, view);
    commit.ballot =
        CertifiedBlock{story.block, view, story.consents[static_cast<std::size_t>(vote)], {}};
    if (m_misbehavior.forges)
    {
        for (const uint32_t member : m_options.members)
        {
            // Its own signature, under the name of another member
            commit.ballot->consents.push_back({member, commit.ballot->consents[0].authenticator});
        }
    }
    // Who was told another story shall not learn of this one
    for (const uint32_t group : story.groups)
    {
        SendToGroup(commit, m_misbehavior.withholdsCommits ? 0 : group, output);
    }
    commit.Sign(*m_keys);
    const auto shared = std::make_shared<const ConsensusMessage>(std::move(commit));
    for (const uint32_t member : m_conspiracy->accomplices)
    {
        if (member != m_options.self)
        {
            output.messages.push_back({member, shared});
        }
    }
}

void
CommitteeSaboteur::Disturb(ConsensusOutput& output)
{
    const auto& recorded = m_conspiracy->recorded;
    if (m_disturbances >= Misbehavior::MAX_DISTURBANCES || recorded.empty())
    {
        return;
    }
    if (m_misbehavior.replays)
    {
        ++m_disturbances;
        output.messages.push_back({std::nullopt, recorded[Draw(recorded.size())]});
    }
    if (m_misbehavior.forges)
    {
        ++m_disturbances;
        ConsensusMessage forged = *recorded[Draw(recorded.size())];
        const uint32_t sender = forged.sender;
        forged.round = m_options.round;
        forged.sender = m_options.self;
        forged.Sign(*m_keys);
        forged.sender = sender;
        output.messages.push_back(
            {std::nullopt, std::make_shared<const ConsensusMessage>(std::move(forged))});
    }
}

void
CommitteeSaboteur::SendToGroup(ConsensusMessage message,
                               uint32_t group,
                               ConsensusOutput& output) const
{
    const auto isTold = [group](uint32_t member) {
        return group == GROUPS || GroupOf(member) == group;
    };
    SendTo(std::move(message), isTold, output);
}

} // namespace ns3::collab
