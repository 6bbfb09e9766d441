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

/// @return the selection strategy of the two that is not given
constexpr SelectionStrategy
GetOther(SelectionStrategy strategy)
{
    return strategy == SelectionStrategy::SIMILAR ? SelectionStrategy::DIFFERENT
                                                  : SelectionStrategy::SIMILAR;
}

/// Groups with the rule PAPER
constexpr uint32_t HALVES = 2;

} // namespace

DeviantMember::DeviantMember(const ConsensusOptions& options,
                             std::shared_ptr<const KeyRing> keys,
                             Deviation deviation,
                             const CommitteeMember& honest)
    : m_options(options),
      m_keys(std::move(keys)),
      m_deviation(std::move(deviation)),
      m_member(honest),
      m_paper(dynamic_cast<const CommitteeConsensus*>(&honest)),
      m_byzantine(dynamic_cast<const ByzantineConsensus*>(&honest)),
      m_generator(m_deviation.seed)
{
}

std::unique_ptr<CommitteeMember>
MakeDeviantMember(const ConsensusOptions& options,
                  std::shared_ptr<const KeyRing> keys,
                  std::shared_ptr<ConsensusMemory> memory,
                  Deviation deviation)
{
    auto member = MakeMember(options, keys, std::move(memory));
    member->Deviate(std::make_unique<DeviantMember>(options, keys, std::move(deviation), *member));
    return member;
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
DeviantMember::Answer(const ConsensusMessage& message, ConsensusOutput& output)
{
    m_output = &output;
    if (message.rule == m_options.rule && message.round == m_options.round)
    {
        Collude(message);
        CountReply(message);
    }
}

void
DeviantMember::Corrupt(ConsensusOutput& output)
{
    m_output = &output;
    const std::vector<Outgoing> honest = std::exchange(output.messages, {});
    output.evidence.clear();
    for (const auto& [receiver, shared] : honest)
    {
        const ConsensusMessage& message = *shared;
        const ConsensusKind kind = message.kind;
        const bool isWithheld = kind == ConsensusKind::COMMIT && Does().withholdsCommits;
        if (kind == ConsensusKind::SCORES)
        {
            CorruptScores(message);
        }
        else if (kind == ConsensusKind::REQUEST)
        {
            if (!Does().silentPrimary)
            {
                IsPaper() ? ProposeSets(message) : ProposeBlocks(message);
            }
        }
        else if (kind == ConsensusKind::REPLY)
        {
            CorruptReply(message, receiver);
        }
        else if (kind == ConsensusKind::VIEW_CHANGE && !IsPaper())
        {
            CorruptView(message);
        }
        else if (isWithheld && !IsPaper())
        {
            SendToGroup(message, 0);
        }
        // With PAPER its own decisions as the primary are told as stories
        else if (kind != ConsensusKind::COMMIT || !IsPaper() || (receiver && !isWithheld))
        {
            output.Send(receiver, message, *m_keys);
        }
    }
    Disturb();
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
DeviantMember::CorruptScores(const ConsensusMessage& honest)
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
        SendToGroup(std::move(message), group);
    }
}

void
DeviantMember::CorruptReply(ConsensusMessage reply, const std::optional<uint32_t>& primary)
{
    if (Does().withholdsReplies)
    {
        return;
    }
    reply.timestamp -= Does().repliesStale && IsPaper() ? 1 : 0;
    reply.attempt -= Does().repliesStale && !IsPaper() ? 1 : 0;
    if (Does().doubleVotes && !IsPaper())
    {
        ConsensusMessage other = reply;
        other.proposal.digest[0] ^= 1;
        m_output->Send(primary, std::move(other), *m_keys);
    }
    m_output->Send(primary, std::move(reply), *m_keys);
}

void
DeviantMember::CorruptView(const ConsensusMessage& honest)
{
    if (!Does().falsifiesViews)
    {
        SendToGroup(honest, GROUPS);
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
        SendToGroup(std::move(message), group);
    }
}

void
DeviantMember::ProposeSets(const ConsensusMessage& honest)
{
    const bool isKnown =
        std::any_of(m_stories.begin(), m_stories.end(), [&honest](const Story& story) {
            return story.vote == honest.vote && story.request.attempt == honest.attempt;
        });
    if (isKnown)
    {
        return;
    }
    Proposal proposals[HALVES] = {honest.proposal, honest.proposal};
    if (Does().wrongSet || Does().equivocates)
    {
        const auto wrong = MakeWrong(honest.vote);
        for (uint32_t half = 0; half < HALVES; ++half)
        {
            const auto guess = Does().equivocates ? Guess(honest.vote, half) : wrong;
            proposals[half] = guess.value_or(proposals[half]);
        }
        if (Does().equivocates && proposals[0] == proposals[1] && wrong)
        {
            proposals[1] = *wrong;
        }
    }
    for (uint32_t half = 0; half < HALVES; ++half)
    {
        ConsensusMessage request = honest;
        request.proposal = proposals[half];
        Tell(std::move(request), half);
    }
    // Nobody has to wait for the first vote to cheat in the second
    const bool isNextPrimary =
        m_options.GetPrimary(CommitteeVote::ELECTION, honest.attempt) == m_options.self;
    const auto election = Guess(CommitteeVote::ELECTION, GroupOf(m_options.self));
    if (honest.vote == CommitteeVote::AGGREGATION && isNextPrimary && election)
    {
        ConsensusMessage early = honest;
        early.vote = CommitteeVote::ELECTION;
        early.proposal = *election;
        ProposeSets(early);
    }
}

Proposal
DeviantMember::Conclude(CommitteeVote vote, const std::vector<uint32_t>& clients) const
{
    AggregationOrder order;
    order.clients = clients;
    return {clients,
            vote == CommitteeVote::ELECTION ? ComputeSetDigest(clients)
                                            : m_deviation.guess(order).value_or(Digest{})};
}

std::optional<Proposal>
DeviantMember::Guess(CommitteeVote vote, uint32_t half) const
{
    ScoreTables tables = m_paper->GetTables();
    for (const auto& [member, scores] : m_deviation.conspiracy->told[half])
    {
        tables[member] = scores;
    }
    const auto ranking = m_options.Rank(tables);
    if (ranking.size() < m_options.members.size())
    {
        return std::nullopt;
    }
    const bool isElection = vote == CommitteeVote::ELECTION;
    const Proposal proposal =
        Conclude(vote, isElection ? m_options.Elect(ranking) : m_options.Select(ranking));
    return proposal.digest == Digest{} ? std::nullopt : std::optional(proposal);
}

std::optional<Proposal>
DeviantMember::MakeWrong(CommitteeVote vote) const
{
    const auto ranking = RankClients(m_paper->GetTables(), 1);
    if (ranking.empty())
    {
        return std::nullopt;
    }
    const std::size_t count = vote == CommitteeVote::ELECTION
                                  ? m_options.members.size()
                                  : m_options.GetAccepted(ranking.size());
    return Conclude(vote, SelectClients(ranking, GetOther(m_options.selection), count));
}

void
DeviantMember::ProposeBlocks(const ConsensusMessage& honest)
{
    if (Does().equivocates)
    {
        for (uint32_t group = 0; group < GROUPS; ++group)
        {
            Tell(MakeStory(honest, group, {}).value_or(honest), group);
        }
        return;
    }
    ConsensusMessage request = honest;
    if (Does().floods)
    {
        // Evidence of a lie in a round to come, of an accomplice that is no member
        const auto& accomplices = m_deviation.conspiracy->accomplices;
        const auto liar = std::find_if(accomplices.begin(), accomplices.end(), [this](uint32_t a) {
            return !Contains(m_options.members, a) && !Contains(m_options.expelled, a);
        });
        std::vector<Evidence> evidence;
        if (liar != accomplices.end())
        {
            evidence = {MakeEvidence(*m_keys, *liar, m_options.round + 1)};
        }
        request = MakeStory(honest, 0, evidence).value_or(honest);
    }
    if (Does().wrongSet)
    {
        Block& block = request.ballot->block;
        block.clients = SelectClients(
            m_member.GetRanking(), GetOther(m_options.selection), block.clients.size());
        request.ballot->consents.clear();
    }
    Tell(std::move(request), GROUPS);
}

std::optional<ConsensusMessage>
DeviantMember::MakeStory(const ConsensusMessage& honest,
                         uint32_t group,
                         const std::vector<Evidence>& evidence) const
{
    ConsensusMessage request = honest;
    request.ballot = CertifiedBlock();
    request.evidence = evidence;
    request.tables.clear();
    const auto& tables = m_byzantine->GetTables();
    const auto own = tables.find(m_options.self);
    if (own == tables.end())
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
        if (m_deviation.conspiracy->accomplices.count(member) > 0 &&
            table.gradients == own->second.gradients)
        {
            ConsensusMessage& told = request.tables.back();
            told.scores = TellScores(own->second.scores, group); // all tell the same
            told.Sign(*m_keys);
        }
    }
    const Draft draft = MakeDraft(m_options, request);
    const auto model = draft.isPossible ? m_deviation.guess(draft.order) : std::nullopt;
    if (!model)
    {
        return std::nullopt;
    }
    request.ballot->block = draft.block;
    request.ballot->block.model = *model;
    return request;
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
DeviantMember::Tell(ConsensusMessage request, uint32_t group)
{
    request.Sign(*m_keys);
    SendToGroup(request, group);
    if (group < GROUPS)
    {
        SendToAccomplices(request, group);
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
            Show(story);
            story.isTold = IsPaper(); // else nobody believes it until there is a certificate
        }
    }
}

void
DeviantMember::Collude(const ConsensusMessage& message)
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
    m_output->Send(message.sender, m_member.MakeConsent(message, vote, message.attempt), *m_keys);
}

void
DeviantMember::CountReply(const ConsensusMessage& reply)
{
    for (Story& story : m_stories)
    {
        if (reply.kind != ConsensusKind::REPLY || reply.vote != story.vote ||
            reply.attempt != story.request.attempt || !m_member.IsConsent(reply, story.request) ||
            !reply.IsAuthentic(*m_keys))
        {
            continue;
        }
        AddConsent(story.consents, {reply.sender, reply.authenticator});
        if (!story.isTold && story.consents.size() >= m_options.GetNeededConsents())
        {
            story.isTold = true;
            Show(story);
        }
    }
}

ConsensusMessage
DeviantMember::MakeCommit(const Story& story) const
{
    const uint32_t view = story.request.attempt;
    ConsensusMessage commit =
        IsPaper() ? story.request : m_member.MakeConsent(story.request, story.vote, view);
    commit.kind = ConsensusKind::COMMIT;
    if (!IsPaper())
    {
        commit.ballot = CertifiedBlock{story.request.ballot->block, view, story.consents, {}};
    }
    for (const uint32_t member : m_options.members)
    {
        if (!IsPaper() && Does().forges)
        {
            // Its own signature, under the name of another member
            commit.ballot->consents.push_back({member, story.consents[0].authenticator});
        }
    }
    return commit;
}

void
DeviantMember::Show(const Story& story)
{
    const ConsensusMessage commit = MakeCommit(story);
    for (const uint32_t group : story.groups)
    {
        if (!Does().withholdsCommits)
        {
            SendToGroup(commit, group);
        }
        else if (group == 0 || !IsPaper())
        {
            SendToGroup(commit, 0);
        }
    }
    if (!IsPaper())
    {
        SendToAccomplices(commit, GROUPS);
    }
}

void
DeviantMember::Disturb()
{
    const auto& recorded = m_deviation.conspiracy->recorded;
    if (m_disturbances >= MAX_DISTURBANCES || recorded.empty())
    {
        return;
    }
    if (Does().replays)
    {
        ++m_disturbances;
        m_output->messages.push_back({std::nullopt, recorded[Draw(recorded.size())]});
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
        m_output->messages.push_back(
            {std::nullopt, std::make_shared<const ConsensusMessage>(std::move(forged))});
    }
}

uint32_t
DeviantMember::Disguise(ConsensusMessage& forged)
{
    if (!IsPaper())
    {
        return forged.sender;
    }
    forged.proposal = MakeWrong(forged.vote).value_or(forged.proposal);
    forged.kind = Draw(2) == 0 ? ConsensusKind::COMMIT : forged.kind;
    const auto& members = m_options.members;
    const auto own = std::find(members.begin(), members.end(), m_options.self);
    const std::size_t shift = 1 + Draw(members.size() - 1);
    return members[(own - members.begin() + shift) % members.size()];
}

void
DeviantMember::SendToGroup(ConsensusMessage message, uint32_t group) const
{
    message.Sign(*m_keys);
    const auto shared = std::make_shared<const ConsensusMessage>(std::move(message));
    for (const uint32_t member : m_options.members)
    {
        if (member != m_options.self && (group == GROUPS || GroupOf(member) == group))
        {
            m_output->messages.push_back({member, shared});
        }
    }
}

void
DeviantMember::SendToAccomplices(ConsensusMessage message, uint32_t group) const
{
    message.Sign(*m_keys);
    const auto shared = std::make_shared<const ConsensusMessage>(std::move(message));
    for (const uint32_t member : m_deviation.conspiracy->accomplices)
    {
        if (member != m_options.self && GroupOf(member) != group)
        {
            m_output->messages.push_back({member, shared});
        }
    }
}

} // namespace ns3::collab
