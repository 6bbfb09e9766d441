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

/// Purpose of LogOptions::MixSeed() for the draw of a committee
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
    CheckArgument(IsCertified() || primaryVotes || count >= 3,
                  "a committee of {}: with the paper's quorum of {} replicas it needs 3 members, "
                  "or the primary's vote must count",
                  count,
                  GetQuorum());
    CheckArgument(!IsCertified() || 3 * static_cast<std::size_t>(faults) < count,
                  "{} Byzantine members of {}, allowed are fewer than a third",
                  faults,
                  count);
    CheckArgument(maxAttempts != 0 && attemptTimeoutNs != 0 && scoreTimeoutNs != 0,
                  "attempts and timeouts of a committee must not be 0");
    CountAccepted(1, alphaPercent);
}

std::vector<uint32_t>
ConsensusOptions::Elect(const std::vector<RankedClient>& ranking) const
{
    const uint64_t draw = MixSeed(ELECTION_DRAW);
    if (rule == QuorumRule::PAPER || election != ElectionStrategy::RANDOM)
    {
        return ElectCommittee(ranking, election, members.size(), draw);
    }
    std::vector<uint32_t> ranked;
    for (const auto& client : ranking)
    {
        ranked.push_back(client.client);
    }
    return DrawByTicket(std::move(ranked), members.size(), draw);
}

CommitteeMember::CommitteeMember(ConsensusOptions options, std::shared_ptr<const KeyRing> keys)
    : m_options(std::move(options)),
      m_keys(std::move(keys))
{
    m_options.Check();
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

std::string
GetName(ConsensusOutcome outcome)
{
    static const char* const NAMES[] = {
        "agreed", "few-clients", "no-result", "sets-differ", "no-quorum"};
    return NAMES[static_cast<std::size_t>(outcome)];
}

} // namespace ns3::collab
