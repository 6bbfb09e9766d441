/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a Byzantine member proposes and says of proposals, under either rule

#include "committee-deviant-member.h"

#include "ns3/committee-paper.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Deviates from the rule PAPER: two proposals, one for each half of the members
class PaperDeviant : public DeviantMember
{
  public:
    PaperDeviant(const ConsensusOptions& options,
                 const std::shared_ptr<const KeyRing>& keys,
                 Deviation deviation,
                 const CommitteeConsensus& honest)
        : DeviantMember(options, keys, std::move(deviation), honest),
          m_honest(honest)
    {
    }

  private:
    uint32_t
    GroupOf(uint32_t member) const override
    {
        return m_deviation.conspiracy->firstHalf.count(member) ? 0 : 1;
    }

    void
    Propose(const ConsensusMessage& honest, ConsensusOutput& output) override
    {
        if (HasProposed(honest.vote, honest.attempt))
        {
            return;
        }
        Proposal proposals[2] = {honest.proposal, honest.proposal};
        if (Does().wrongSet || Does().equivocates)
        {
            const auto wrong = MakeWrong(honest.vote);
            for (uint32_t half = 0; half < 2; ++half)
            {
                const auto guess = Does().equivocates ? Guess(honest.vote, half) : wrong;
                proposals[half] = guess.value_or(proposals[half]);
            }
            if (Does().equivocates && proposals[0] == proposals[1] && wrong)
            {
                proposals[1] = *wrong;
            }
        }
        for (uint32_t half = 0; half < 2; ++half)
        {
            ConsensusMessage request = honest;
            request.proposal = proposals[half];
            Tell(std::move(request), half, output);
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
            Propose(early, output);
        }
    }

    ConsensusMessage
    MakeCommit(const Story& story) const override
    {
        ConsensusMessage commit = story.request;
        commit.kind = ConsensusKind::COMMIT;
        return commit;
    }

    uint32_t
    Disguise(ConsensusMessage& forged) override
    {
        forged.proposal = MakeWrong(forged.vote).value_or(forged.proposal);
        forged.kind = Draw(2) == 0 ? ConsensusKind::COMMIT : forged.kind;
        const auto& members = m_options.members;
        const auto own = std::find(members.begin(), members.end(), m_options.self);
        const std::size_t shift = 1 + Draw(members.size() - 1);
        return members[(own - members.begin() + shift) % members.size()];
    }

    /// @param vote of the round
    /// @param clients a set
    /// @return the set and what comes of it; zeros if the gradients are not there
    Proposal
    Conclude(CommitteeVote vote, const std::vector<uint32_t>& clients) const
    {
        AggregationOrder order;
        order.clients = clients;
        return {clients,
                vote == CommitteeVote::ELECTION ? ComputeSetDigest(clients)
                                                : m_deviation.guess(order).value_or(Digest{})};
    }

    /// @param vote of the round
    /// @param half of the members
    /// @return what a member of this half takes for right, as far as the adversary knows
    std::optional<Proposal>
    Guess(CommitteeVote vote, uint32_t half) const
    {
        ScoreTables tables = m_honest.GetTables();
        for (const auto& [member, scores] : m_deviation.conspiracy->told[half])
        {
            tables[member] = scores;
        }
        const auto ranking = m_options.Rank(tables);
        if (ranking.empty() || ranking.size() < m_options.GetNextCommittee())
        {
            return std::nullopt;
        }
        const bool isElection = vote == CommitteeVote::ELECTION;
        const Proposal proposal =
            Conclude(vote, isElection ? m_options.Elect(ranking) : m_options.Select(ranking));
        return proposal.digest == Digest{} ? std::nullopt : std::optional(proposal);
    }

    /// @param vote of the round
    /// @return a proposal that no honest member takes for right
    std::optional<Proposal>
    MakeWrong(CommitteeVote vote) const
    {
        const auto ranking = RankClients(m_honest.GetTables(), 1);
        const bool isElection = vote == CommitteeVote::ELECTION;
        return ranking.empty()
                   ? std::nullopt
                   : std::optional(Conclude(
                         vote,
                         SelectClients(ranking,
                                       GetOther(m_options.selection),
                                       isElection ? m_options.GetNextCommittee()
                                                  : m_options.GetAccepted(ranking.size()))));
    }

    const CommitteeConsensus& m_honest; //!< the honest member
};

/// Deviates from the rule BYZANTINE: blocks that follow from different tables, each of which an
/// honest replica takes for right. As the primary it does not care what it is locked on.
class ByzantineDeviant : public DeviantMember
{
  public:
    ByzantineDeviant(const ConsensusOptions& options,
                     const std::shared_ptr<const KeyRing>& keys,
                     Deviation deviation,
                     const ByzantineConsensus& honest)
        : DeviantMember(options, keys, std::move(deviation), honest),
          m_honest(honest)
    {
    }

  private:
    uint32_t
    GroupOf(uint32_t member) const override
    {
        return member % GROUPS;
    }

    void
    Propose(const ConsensusMessage& honest, ConsensusOutput& output) override
    {
        if (Does().equivocates)
        {
            for (uint32_t group = 0; group < GROUPS; ++group)
            {
                Tell(MakeStory(honest, group, {}).value_or(honest), group, output);
            }
            return;
        }
        ConsensusMessage request = honest;
        if (Does().floods)
        {
            request = MakeStory(honest, 0, MakeUp()).value_or(honest);
        }
        if (Does().wrongSet)
        {
            Block& block = request.ballot->block;
            block.clients = SelectClients(
                m_honest.GetRanking(), GetOther(m_options.selection), block.clients.size());
            request.ballot->consents.clear();
        }
        Tell(std::move(request), GROUPS, output);
    }

    /// @return evidence of a lie in a round to come, of an accomplice that is no member, if any
    std::vector<Evidence>
    MakeUp() const
    {
        for (const uint32_t liar : m_deviation.conspiracy->accomplices)
        {
            if (!Contains(m_options.members, liar) && !Contains(m_options.expelled, liar))
            {
                return {MakeEvidence(*m_keys, liar, m_options.round + 1)};
            }
        }
        return {};
    }

    ConsensusMessage
    MakeCommit(const Story& story) const override
    {
        const uint32_t view = story.request.attempt;
        const Block& block = story.request.ballot->block;
        ConsensusMessage commit = m_member.MakeConsent(story.request, story.vote, view);
        commit.kind = ConsensusKind::COMMIT;
        commit.ballot = CertifiedBlock{block, view, story.consents, {}};
        if (Does().forges)
        {
            for (const uint32_t member : m_options.members)
            {
                // Its own signature, under the name of another member
                commit.ballot->consents.push_back({member, story.consents[0].authenticator});
            }
        }
        return commit;
    }

    uint32_t
    Disguise(ConsensusMessage& forged) override
    {
        return forged.sender;
    }

    /// @param honest proposal that it would send
    /// @param group that is to be told
    /// @param evidence of lies, that goes with it
    /// @return a proposal that its members can take for right, and others not
    std::optional<ConsensusMessage>
    MakeStory(const ConsensusMessage& honest,
              uint32_t group,
              const std::vector<Evidence>& evidence) const
    {
        ConsensusMessage request = honest;
        request.ballot = CertifiedBlock();
        request.evidence = evidence;
        request.tables.clear();
        const auto& tables = m_honest.GetTables();
        if (tables.count(m_options.self) == 0)
        {
            return std::nullopt;
        }
        const auto& own = tables.at(m_options.self);
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
                table.gradients == own.gradients)
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
        const Draft draft = MakeDraft(m_options, used, evidence);
        const auto model = draft.isPossible ? m_deviation.guess(draft.order) : std::nullopt;
        if (!model)
        {
            return std::nullopt;
        }
        request.ballot->block = draft.block;
        request.ballot->block.model = *model;
        return request;
    }

    const ByzantineConsensus& m_honest; //!< the honest member
};

} // namespace

std::unique_ptr<CommitteeMember>
MakeDeviantMember(const ConsensusOptions& options,
                  std::shared_ptr<const KeyRing> keys,
                  std::shared_ptr<ConsensusMemory> memory,
                  Deviation deviation)
{
    if (options.rule == QuorumRule::PAPER)
    {
        auto member = std::make_unique<CommitteeConsensus>(options, keys);
        member->Deviate(
            std::make_unique<PaperDeviant>(options, keys, std::move(deviation), *member));
        return member;
    }
    auto member = std::make_unique<ByzantineConsensus>(options, keys, std::move(memory));
    member->Deviate(
        std::make_unique<ByzantineDeviant>(options, keys, std::move(deviation), *member));
    return member;
}

} // namespace ns3::collab
