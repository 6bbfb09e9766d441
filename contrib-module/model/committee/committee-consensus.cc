/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-consensus.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Purpose of LogOptions::MixSeed() for the draw of a committee
constexpr uint64_t ELECTION_DRAW = 0;

} // namespace

void
ConsensusOptions::Check() const
{
    LogOptions::Check();
    CheckArgument(scoreTimeoutNs != 0, "attempts and timeouts of a committee must not be 0");
    CountAccepted(1, alphaPercent);
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

std::size_t
ConsensusOptions::GetAccepted(std::size_t ranked) const
{
    const std::size_t others = alphaOf == AlphaBase::ACTIVE ? members.size() : 0;
    return std::min(ranked, CountAccepted(ranked + others, alphaPercent));
}

std::vector<uint32_t>
ConsensusOptions::Elect(const std::vector<RankedClient>& ranking) const
{
    const uint64_t draw = MixSeed(ELECTION_DRAW);
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

CommitteeMember::CommitteeMember(ConsensusOptions options, std::shared_ptr<const KeyRing> keys)
    : m_options(std::move(options)),
      m_keys(std::move(keys))
{
    m_options.Check();
}

void
CommitteeMember::Deviate(std::unique_ptr<MemberDeviation> deviation)
{
    m_deviation = std::move(deviation);
}

ConsensusOutput
CommitteeMember::TakeOutput()
{
    ConsensusOutput output = std::exchange(m_output, {});
    if (m_deviation)
    {
        m_deviation->Corrupt(output);
    }
    return output;
}

ConsensusOutput
CommitteeMember::Begin(uint64_t nowNs, const ClientScores& scores, const GradientDigests& gradients)
{
    m_now = nowNs;
    DoBegin(m_deviation ? m_deviation->Claim(scores) : scores, gradients);
    return TakeOutput();
}

ConsensusOutput
CommitteeMember::HandleMessage(uint64_t nowNs, const ConsensusMessage& message)
{
    m_now = nowNs;
    if (m_deviation)
    {
        m_deviation->Overhear(message);
    }
    DoHandleMessage(message);
    ConsensusOutput output = TakeOutput();
    if (m_deviation)
    {
        m_deviation->Answer(message, output);
    }
    return output;
}

ConsensusOutput
CommitteeMember::HandleResult(uint64_t nowNs, uint64_t number, const std::optional<Digest>& digest)
{
    m_now = nowNs;
    DoHandleResult(number, digest);
    return TakeOutput();
}

ConsensusOutput
CommitteeMember::HandleTimeout(uint64_t nowNs, uint64_t number)
{
    m_now = nowNs;
    if (number == m_timer && m_stage == Stage::SCORING)
    {
        CloseTable();
    }
    else if (number == m_timer && m_stage == Stage::VOTING)
    {
        LogOf(m_vote).EndWait();
    }
    return TakeOutput();
}

ConsensusOutput
CommitteeMember::Resume(uint64_t nowNs)
{
    m_now = nowNs;
    DoResume();
    return TakeOutput();
}

ConsensusOutput
CommitteeMember::HandleBlock(uint64_t nowNs, const CertifiedBlock& block)
{
    m_now = nowNs;
    DoHandleBlock(block);
    return std::exchange(m_output, {});
}

void
CommitteeMember::AddEvidence(const Evidence& evidence)
{
    if (!m_deviation || m_deviation->Uses(evidence))
    {
        DoAddEvidence(evidence);
    }
}

CommitteeMember::Log&
CommitteeMember::LogOf(CommitteeVote vote)
{
    return m_logs[std::min(PlaceOf(vote), m_logs.size() - 1)];
}

void
CommitteeMember::Dispatch(const ConsensusMessage& message)
{
    message.kind == ConsensusKind::SCORES ? HandleScores(message)
                                          : LogOf(message.vote).Handle(message);
}

ConsensusMessage
CommitteeMember::MakeMessage(ConsensusKind kind, uint32_t view, CommitteeVote vote) const
{
    ConsensusMessage message;
    message.kind = kind;
    message.rule = m_options.rule;
    message.vote = vote;
    message.round = m_options.round;
    message.sender = m_options.self;
    message.attempt = view;
    message.timestamp = m_now;
    return message;
}

void
CommitteeMember::Send(ConsensusMessage message, std::optional<uint32_t> receiver)
{
    message.Sign(*m_keys);
    if (m_options.members.size() > 1)
    {
        m_output.messages.push_back(
            {receiver, std::make_shared<const ConsensusMessage>(std::move(message))});
    }
}

void
CommitteeMember::SetTimer(uint64_t delayNs, uint64_t spreadNs)
{
    const uint64_t draw = SplitMix64(SplitMix64(m_options.seed + m_options.self) + m_timer);
    m_output.timer = ConsensusTimer{++m_timer, delayNs + draw % (spreadNs + 1)};
}

std::string
GetName(ConsensusOutcome outcome)
{
    static const char* const NAMES[] = {
        "agreed", "few-clients", "no-result", "sets-differ", "no-quorum"};
    return NAMES[static_cast<std::size_t>(outcome)];
}

} // namespace ns3::collab
