/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-consensus.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param seed of the run
/// @param round of the mechanism
/// @param purpose what is drawn
/// @return a seed that all members share
uint64_t
MixSeed(uint64_t seed, uint64_t round, uint64_t purpose)
{
    return SplitMix64(SplitMix64(SplitMix64(seed) + round) + purpose);
}

/// Purpose of MixSeed() for the draw of a committee; those of primaries are greater
constexpr uint64_t ELECTION_DRAW = 0;

} // namespace

void
ConsensusOptions::Check() const
{
    const std::size_t count = members.size();
    CheckArgument(std::binary_search(members.begin(), members.end(), self) &&
                      std::adjacent_find(members.begin(), members.end(), std::greater_equal<>()) ==
                          members.end(),
                  "member {} of a committee of {}, which must be ascending and have it",
                  self,
                  count);
    CheckArgument(rule != QuorumRule::PAPER || primaryVotes || count >= 3,
                  "a committee of {}: with the paper's quorum of {} replicas it needs 3 members, "
                  "or the primary's vote must count",
                  count,
                  GetQuorum());
    CheckArgument(rule != QuorumRule::BYZANTINE || 3 * static_cast<std::size_t>(faults) < count,
                  "{} Byzantine members of {}, allowed are fewer than a third",
                  faults,
                  count);
    CheckArgument(maxAttempts != 0 && scoreTimeoutNs != 0 && attemptTimeoutNs != 0,
                  "attempts and timeouts of a committee must not be 0");
    CountAccepted(1, alphaPercent);
}

std::size_t
ConsensusOptions::GetQuorum() const
{
    return rule == QuorumRule::PAPER ? members.size() / 2 + 1 : (members.size() + faults + 2) / 2;
}

uint32_t
ConsensusOptions::GetAttempts() const
{
    return std::max(maxAttempts, faults + 1);
}

uint64_t
ConsensusOptions::GetLongestRoundNs() const
{
    return scoreTimeoutNs + COMMITTEE_VOTES * maxAttempts * attemptTimeoutNs;
}

uint32_t
ConsensusOptions::GetPrimary(CommitteeVote vote, uint32_t attempt) const
{
    const auto count = static_cast<uint32_t>(members.size());
    const uint64_t turn = attempt / count;
    RandomGenerator generator(
        MixSeed(seed, round, 1 + COMMITTEE_VOTES * turn + static_cast<uint64_t>(vote)));
    return members[DrawPermutation(count, generator)[attempt % count]];
}

bool
ConsensusOptions::IsInOffice(const Statement& evidence) const
{
    if (evidence.round >= round || !history)
    {
        return evidence.round == round && Contains(members, evidence.member);
    }
    return Contains(history->at(evidence.round), evidence.member);
}

bool
ConsensusOptions::MayExpel(std::size_t expelled) const
{
    return federation.devices.size() > expelled + 2 * GetNextCommittee();
}

std::size_t
ConsensusOptions::GetNextCommittee() const
{
    return nextCommittee > 0 ? nextCommittee : members.size();
}

ScoreCombination
ConsensusOptions::GetCombination() const
{
    return combination != ScoreCombination::BY_RULE ? combination
           : rule == QuorumRule::PAPER              ? ScoreCombination::MEAN
                                                    : ScoreCombination::MEDIAN;
}

std::size_t
ConsensusOptions::GetMinimumScores(std::size_t tables) const
{
    return GetCombination() == ScoreCombination::MEDIAN ? tables / 2 + 1
           : minimumScores > 0                          ? minimumScores
                                                        : members.size() / 2 + 1;
}

std::vector<RankedClient>
ConsensusOptions::Rank(const ScoreTables& tables) const
{
    return RankClients(tables, GetMinimumScores(tables.size()), GetCombination());
}

std::size_t
ConsensusOptions::GetAccepted(std::size_t ranked) const
{
    const std::size_t others = alphaOf == AlphaBase::ACTIVE ? members.size() : 0;
    return std::min(ranked, CountAccepted(ranked + others, alphaPercent));
}

std::vector<uint32_t>
ConsensusOptions::Select(const std::vector<RankedClient>& ranking) const
{
    return SelectClients(ranking, selection, GetAccepted(ranking.size()));
}

std::vector<uint32_t>
ConsensusOptions::Elect(const std::vector<RankedClient>& ranking) const
{
    const uint64_t draw = MixSeed(seed, round, ELECTION_DRAW);
    if (rule == QuorumRule::PAPER || election != ElectionStrategy::RANDOM)
    {
        return ElectCommittee(ranking, election, GetNextCommittee(), draw);
    }
    std::vector<uint32_t> ranked;
    for (const auto& client : ranking)
    {
        ranked.push_back(client.client);
    }
    return DrawByTicket(std::move(ranked), GetNextCommittee(), draw);
}

uint64_t
ConsensusCounters::Total() const
{
    return forged + stale + replayed + unauthorized + unproven + late;
}

ConsensusOutput
CommitteeMember::Resume(uint64_t)
{
    return {};
}

ConsensusOutput
CommitteeMember::HandleBlock(uint64_t, const CertifiedBlock&)
{
    return {};
}

void
CommitteeMember::AddEvidence(const Evidence&)
{
}

uint64_t
CommitteeMember::CountKept() const
{
    return 0;
}

HonestMember::HonestMember(ConsensusOptions options, std::shared_ptr<const KeyRing> keys)
    : m_options(std::move(options)),
      m_keys(std::move(keys))
{
    m_options.Check();
}

const ConsensusCounters&
HonestMember::GetCounters() const
{
    return m_counters;
}

const std::vector<RankedClient>&
HonestMember::GetRanking() const
{
    return m_ranking;
}

void
HonestMember::Dispatch(const ConsensusMessage& message)
{
    switch (message.kind)
    {
    case ConsensusKind::SCORES:
        HandleScores(message);
        break;
    case ConsensusKind::REQUEST:
        HandleRequest(message);
        break;
    case ConsensusKind::REPLY:
        HandleReply(message);
        break;
    case ConsensusKind::COMMIT:
        HandleCommit(message);
        break;
    case ConsensusKind::VIEW_CHANGE:
        HandleViewChange(message);
        break;
    }
}

ConsensusMessage
HonestMember::MakeMessage(ConsensusKind kind, uint32_t attempt, CommitteeVote vote) const
{
    ConsensusMessage message;
    message.kind = kind;
    message.rule = m_options.rule;
    message.vote = vote;
    message.round = m_options.round;
    message.sender = m_options.self;
    message.attempt = attempt;
    message.timestamp = m_now;
    return message;
}

std::shared_ptr<const ConsensusMessage>
HonestMember::Send(ConsensusMessage message, std::optional<uint32_t> receiver)
{
    message.Sign(*m_keys);
    auto shared = std::make_shared<const ConsensusMessage>(std::move(message));
    if (m_options.members.size() > 1)
    {
        m_output.messages.push_back({receiver, shared});
    }
    return shared;
}

void
HonestMember::SetTimer(uint64_t delayNs)
{
    m_output.timer = ConsensusTimer{++m_timer, delayNs};
}

CommitteeConsensus::CommitteeConsensus(ConsensusOptions options,
                                       std::shared_ptr<const KeyRing> keys)
    : HonestMember(std::move(options), std::move(keys))
{
    CheckArgument(m_options.rule == QuorumRule::PAPER,
                  "CommitteeConsensus votes by the rule PAPER only");
}

CommitteeConsensus::VoteState&
CommitteeConsensus::StateOf(CommitteeVote vote)
{
    return m_votes[static_cast<std::size_t>(vote)];
}

const ScoreTables&
CommitteeConsensus::GetTables() const
{
    return m_tables;
}

ConsensusOutput
CommitteeConsensus::Begin(uint64_t nowNs, const ClientScores& scores, const GradientDigests&)
{
    m_now = nowNs;
    m_stage = Stage::SCORING;
    m_tables[m_options.self] = scores;
    ConsensusMessage message =
        MakeMessage(ConsensusKind::SCORES, m_attempt, CommitteeVote::AGGREGATION);
    message.scores = scores;
    Send(std::move(message), std::nullopt);
    SetTimer(m_options.scoreTimeoutNs);
    const std::vector<ConsensusMessage> early = std::move(m_early);
    for (const auto& heard : early)
    {
        Judge(heard);
    }
    if (m_stage == Stage::SCORING && m_tables.size() == m_options.members.size())
    {
        CloseTable();
    }
    return std::exchange(m_output, {});
}

ConsensusOutput
CommitteeConsensus::HandleMessage(uint64_t nowNs, const ConsensusMessage& message)
{
    m_now = nowNs;
    if (!IsBelievable(message))
    {
        return std::exchange(m_output, {});
    }
    if (m_stage == Stage::WAITING)
    {
        m_early.push_back(message);
        return std::exchange(m_output, {});
    }
    Judge(message);
    return std::exchange(m_output, {});
}

bool
CommitteeConsensus::IsBelievable(const ConsensusMessage& message)
{
    const auto& members = m_options.members;
    if (!std::binary_search(members.begin(), members.end(), message.sender) ||
        message.rule != m_options.rule || !message.IsAuthentic(*m_keys))
    {
        ++m_counters.forged;
        return false;
    }
    if (message.round != m_options.round)
    {
        ++m_counters.stale;
        return false;
    }
    if (message.sender == m_options.self ||
        !m_heard.emplace(message.kind, message.sender, message.vote, message.attempt).second)
    {
        ++m_counters.replayed;
        return false;
    }
    return true;
}

void
CommitteeConsensus::Judge(const ConsensusMessage& message)
{
    const bool abandoned = m_stage == Stage::ENDED && !StateOf(m_vote).decision;
    abandoned ? void(++m_counters.late) : Dispatch(message);
}

void
CommitteeConsensus::HandleScores(const ConsensusMessage& message)
{
    if (m_stage != Stage::SCORING)
    {
        ++m_counters.late;
        return;
    }
    m_tables[message.sender] = message.scores;
    if (m_tables.size() == m_options.members.size())
    {
        CloseTable();
    }
}

void
CommitteeConsensus::CloseTable()
{
    m_stage = Stage::VOTING;
    m_output.unheard = FindUnheard(m_options.members, m_tables);
    m_ranking = m_options.Rank(m_tables);
    if (!m_ranking.empty() && m_ranking.size() >= m_options.GetNextCommittee())
    {
        Proposal election;
        election.clients = m_options.Elect(m_ranking);
        election.digest = ComputeSetDigest(election.clients);
        StateOf(CommitteeVote::ELECTION).own = std::move(election);
        m_aggregation.clients = m_options.Select(m_ranking);
        m_output.toAggregate = AggregationOrder();
        m_output.toAggregate->clients = m_aggregation.clients;
    }
    AnswerRequests(CommitteeVote::ELECTION);
    GoOn();
}

ConsensusOutput
CommitteeConsensus::HandleResult(uint64_t nowNs, uint64_t, const std::optional<Digest>& digest)
{
    m_now = nowNs;
    m_hasResult = true;
    if (!digest || m_stage != Stage::VOTING)
    {
        return std::exchange(m_output, {});
    }
    m_aggregation.digest = *digest;
    StateOf(CommitteeVote::AGGREGATION).own = m_aggregation;
    AnswerRequests(CommitteeVote::AGGREGATION);
    Propose();
    return std::exchange(m_output, {});
}

ConsensusOutput
CommitteeConsensus::HandleTimeout(uint64_t nowNs, uint64_t number)
{
    m_now = nowNs;
    if (number != m_timer)
    {
        return std::exchange(m_output, {});
    }
    if (m_stage == Stage::SCORING)
    {
        CloseTable();
    }
    else if (m_stage == Stage::VOTING)
    {
        EnterAttempt(m_attempt + 1);
    }
    return std::exchange(m_output, {});
}

void
CommitteeConsensus::GoOn()
{
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
    {
        if (!StateOf(vote).decision)
        {
            m_vote = vote;
            EnterAttempt(0);
            SkipAttempts();
            return;
        }
    }
    m_stage = Stage::ENDED;
    m_output.outcome = ConsensusOutcome::AGREED;
}

void
CommitteeConsensus::EnterAttempt(uint32_t attempt)
{
    m_attempt = attempt;
    if (m_attempt >= m_options.maxAttempts)
    {
        Abandon();
        return;
    }
    if (m_attempt > 0)
    {
        Send(MakeMessage(ConsensusKind::VIEW_CHANGE, m_attempt, m_vote), std::nullopt);
    }
    SetTimer(m_options.attemptTimeoutNs);
    Propose();
}

void
CommitteeConsensus::Abandon()
{
    m_stage = Stage::ENDED;
    const bool lacksResult = m_vote == CommitteeVote::AGGREGATION && !StateOf(m_vote).own;
    m_output.outcome = m_ranking.size() < m_options.GetNextCommittee()
                           ? ConsensusOutcome::FEW_CLIENTS
                       : lacksResult && m_hasResult ? ConsensusOutcome::NO_RESULT
                       : m_heardOther               ? ConsensusOutcome::SETS_DIFFER
                                                    : ConsensusOutcome::NO_QUORUM;
}

void
CommitteeConsensus::Propose()
{
    VoteState& state = StateOf(m_vote);
    if (m_stage != Stage::VOTING || !state.own || state.candidacies.count(m_attempt) ||
        m_options.GetPrimary(m_vote, m_attempt) != m_options.self)
    {
        return;
    }
    ConsensusMessage request = MakeMessage(ConsensusKind::REQUEST, m_attempt, m_vote);
    request.proposal = *state.own;
    Candidacy& candidacy = state.candidacies[m_attempt];
    candidacy.request = Send(std::move(request), std::nullopt);
    ConsensusMessage consent = MakeReply(*candidacy.request, m_options.self);
    consent.Sign(*m_keys);
    candidacy.consents[m_options.self] = std::move(consent.authenticator);
    CountVotes(m_vote, m_attempt);
}

void
CommitteeConsensus::HandleRequest(const ConsensusMessage& message)
{
    if (message.attempt >= m_options.maxAttempts ||
        message.sender != m_options.GetPrimary(message.vote, message.attempt))
    {
        ++m_counters.unauthorized;
        return;
    }
    Inform(message.vote, message.sender);
    StateOf(message.vote).requests[message.attempt] = message;
    AnswerRequests(message.vote);
}

void
CommitteeConsensus::AnswerRequests(CommitteeVote vote)
{
    VoteState& state = StateOf(vote);
    if (!state.own)
    {
        return;
    }
    for (const auto& [attempt, request] : state.requests)
    {
        if (request.proposal == *state.own)
        {
            Send(MakeReply(request, m_options.self), request.sender);
        }
        else
        {
            m_heardOther = true;
        }
    }
    state.requests.clear();
}

void
CommitteeConsensus::HandleReply(const ConsensusMessage& message)
{
    auto& candidacies = StateOf(message.vote).candidacies;
    const auto found = candidacies.find(message.attempt);
    if (found == candidacies.end() || message.timestamp != found->second.request->timestamp ||
        message.proposal != found->second.request->proposal)
    {
        ++m_counters.stale;
        return;
    }
    found->second.consents[message.sender] = message.authenticator;
    CountVotes(message.vote, message.attempt);
}

void
CommitteeConsensus::CountVotes(CommitteeVote vote, uint32_t attempt)
{
    VoteState& state = StateOf(vote);
    const Candidacy& candidacy = state.candidacies.at(attempt);
    const std::size_t votes = candidacy.consents.size() - (m_options.primaryVotes ? 0 : 1);
    if (state.decision || votes < m_options.GetQuorum())
    {
        return;
    }
    ConsensusMessage commit = *candidacy.request;
    commit.kind = ConsensusKind::COMMIT;
    Decide(Send(std::move(commit), std::nullopt));
}

void
CommitteeConsensus::HandleCommit(const ConsensusMessage& message)
{
    if (StateOf(message.vote).decision)
    {
        return;
    }
    if (message.attempt >= m_options.maxAttempts ||
        message.sender != m_options.GetPrimary(message.vote, message.attempt))
    {
        ++m_counters.unauthorized;
        return;
    }
    Decide(std::make_shared<const ConsensusMessage>(message));
}

void
CommitteeConsensus::Decide(std::shared_ptr<const ConsensusMessage> commit)
{
    VoteState& state = StateOf(commit->vote);
    Decision decision;
    decision.vote = commit->vote;
    decision.attempt = commit->attempt;
    decision.primary = m_options.GetPrimary(commit->vote, commit->attempt);
    decision.proposal = commit->proposal;
    state.decision = decision;
    m_output.decisions.push_back(decision);
    const bool isPresent = m_stage == Stage::VOTING && commit->vote == m_vote;
    state.commit = std::move(commit);
    const bool complete = m_votes[0].decision && m_votes[1].decision;
    if (isPresent || complete)
    {
        GoOn();
    }
}

void
CommitteeConsensus::Inform(CommitteeVote vote, uint32_t member)
{
    const VoteState& state = StateOf(vote);
    if (state.decision && state.decision->primary == m_options.self) // whose word counts
    {
        Send(*state.commit, member);
    }
}

void
CommitteeConsensus::HandleViewChange(const ConsensusMessage& message)
{
    if (message.attempt >= m_options.maxAttempts)
    {
        ++m_counters.unauthorized;
        return;
    }
    uint32_t& attempt = StateOf(message.vote).viewChanges[message.sender];
    attempt = std::max(attempt, message.attempt);
    Inform(message.vote, message.sender);
    if (m_stage == Stage::VOTING && message.vote == m_vote)
    {
        SkipAttempts();
    }
}

void
CommitteeConsensus::SkipAttempts()
{
    std::vector<uint32_t> attempts;
    for (const auto& [member, attempt] : StateOf(m_vote).viewChanges)
    {
        attempts.push_back(attempt);
    }
    std::sort(attempts.begin(), attempts.end(), std::greater<>());
    const std::size_t needed = 1 + (m_options.members.size() - 1) / 2;
    if (m_stage == Stage::VOTING && attempts.size() >= needed && attempts[needed - 1] > m_attempt)
    {
        EnterAttempt(attempts[needed - 1]);
    }
}

std::string
GetName(ConsensusOutcome outcome)
{
    switch (outcome)
    {
    case ConsensusOutcome::AGREED:
        return "agreed";
    case ConsensusOutcome::FEW_CLIENTS:
        return "few-clients";
    case ConsensusOutcome::NO_RESULT:
        return "no-result";
    case ConsensusOutcome::SETS_DIFFER:
        return "sets-differ";
    case ConsensusOutcome::NO_QUORUM:
        return "no-quorum";
    }
    return "";
}

} // namespace ns3::collab
