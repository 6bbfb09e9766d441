/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-voter.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

bool
ConsensusMemory::Promise(CommitteeVote vote, uint32_t view, const Digest& block)
{
    for (const auto& promise : promises)
    {
        if (promise && promise->view > view)
        {
            return false;
        }
    }
    auto& promise = promises[PlaceOf(vote)];
    if (promise && promise->view == view && promise->block != block)
    {
        return false;
    }
    promise = Consented{view, block};
    return true;
}

void
ConsensusMemory::Lock(const CertifiedBlock& prepared)
{
    if (!lock || prepared.view > lock->view)
    {
        lock = prepared;
    }
}

std::size_t
Candidacy::Count(const Consent& consent, std::size_t most, std::vector<Consent>& given)
{
    const bool isKnown = std::any_of(given.begin(), given.end(), [&](const auto& known) {
        return known.member == consent.member;
    });
    if (isKnown || given.size() >= most)
    {
        return isKnown ? KNOWN : 0;
    }
    given.push_back(consent);
    return given.size();
}

ByzantineVoter::ByzantineVoter(ConsensusOptions options,
                               std::shared_ptr<const KeyRing> keys,
                               std::shared_ptr<ConsensusMemory> memory)
    : HonestMember(std::move(options), std::move(keys)),
      m_memory(std::move(memory)),
      m_book(m_options, m_keys)
{
}

void
ByzantineVoter::Witness(const Statement& statement, const CommitteeWitness::Signed& said)
{
    const auto evidence = m_witness.Note(statement, said);
    if (evidence && m_book.AddEvidence(*evidence))
    {
        m_output.evidence.push_back(*evidence);
    }
}

void
ByzantineVoter::WitnessAll(CommitteeVote vote, const CertifiedBlock& certified)
{
    const Digest digest = certified.block.GetDigest();
    for (const auto& [member, authenticator] : certified.consents)
    {
        Witness({CONSENT_STATEMENT, vote, m_options.round, member, certified.view},
                {digest, authenticator});
    }
}

bool
ByzantineVoter::ConsentTo(CommitteeVote vote, uint32_t view, const Digest& block)
{
    const bool isGiven = m_memory->Promise(vote, view, block);
    if (isGiven)
    {
        SendConsent(vote, view, block);
    }
    return isGiven;
}

void
ByzantineVoter::ConsentToEnd(const Block& block)
{
    const Digest digest = block.GetDigest();
    if (ConsentTo(CommitteeVote::ELECTION, m_view, digest) && block.kind == BlockKind::ABANDONED)
    {
        SendConsent(CommitteeVote::ELECTION, ANY_VIEW, digest);
    }
}

void
ByzantineVoter::SendConsent(CommitteeVote vote, uint32_t view, const Digest& block)
{
    ConsensusMessage reply = MakeMessage(ConsensusKind::REPLY, m_view);
    reply.vote = vote;
    reply.attempt = view;
    reply.timestamp = 0;
    reply.proposal.digest = block;
    const uint32_t primary = GetPrimary(m_view);
    if (primary != m_options.self)
    {
        Send(std::move(reply), primary);
        return;
    }
    reply.Sign(*m_keys);
    const Consent own{m_options.self, reply.authenticator};
    view == ANY_VIEW ? CountShare(own) : Count(vote, view, own);
}

void
ByzantineVoter::HandleReply(const ConsensusMessage& message)
{
    if (message.attempt == ANY_VIEW && message.vote == CommitteeVote::ELECTION &&
        message.proposal.digest == m_book.MakeAbandoned().GetDigest())
    {
        CountShare({message.sender, message.authenticator});
        return;
    }
    const auto found = m_candidacies.find(message.attempt);
    if (found == m_candidacies.end() || message.timestamp != 0)
    {
        ++m_counters.stale;
        return;
    }
    Witness(message.GetStatement(), message.GetSigned());
    if (message.proposal.digest != found->second.block.GetDigest())
    {
        ++m_counters.stale;
        return;
    }
    Count(message.vote, message.attempt, {message.sender, message.authenticator});
}

void
ByzantineVoter::Count(CommitteeVote vote, uint32_t view, const Consent& consent)
{
    const auto found = m_candidacies.find(view);
    if (found == m_candidacies.end())
    {
        return; // it was the primary before it lost its memory
    }
    const std::size_t count =
        Candidacy::Count(consent, m_options.GetQuorum(), found->second.consents[PlaceOf(vote)]);
    m_counters.replayed += count == Candidacy::KNOWN ? 1 : 0;
    if (count == m_options.GetQuorum())
    {
        Finish(vote, view);
    }
}

void
ByzantineVoter::CountShare(const Consent& share)
{
    const std::size_t count = Candidacy::Count(share, m_options.GetQuorum(), m_shares);
    m_counters.replayed += count == Candidacy::KNOWN ? 1 : 0;
    if (count == m_options.GetQuorum() && !m_candidacies.empty())
    {
        Finish(CommitteeVote::ELECTION, m_candidacies.rbegin()->first);
    }
}

void
ByzantineVoter::Finish(CommitteeVote vote, uint32_t view)
{
    const Candidacy& candidacy = m_candidacies.at(view);
    CertifiedBlock certified{candidacy.block, view, candidacy.consents[PlaceOf(vote)], {}};
    if (vote == CommitteeVote::ELECTION && certified.block.kind == BlockKind::ABANDONED)
    {
        certified.shares = m_shares;
    }
    if (!certified.IsCertified(vote, m_options.members, m_options.GetQuorum(), *m_keys))
    {
        return; // shares and consents come one by one
    }
    ConsensusMessage commit = MakeMessage(ConsensusKind::COMMIT, m_view);
    commit.vote = vote;
    commit.attempt = view;
    commit.ballot = certified;
    Send(std::move(commit), std::nullopt);
    if (vote == CommitteeVote::ELECTION)
    {
        Decide(certified);
        return;
    }
    m_memory->Lock(certified);
    if (view == m_view)
    {
        ConsentToEnd(certified.block);
    }
}

bool
ByzantineVoter::IsPrepared(const CertifiedBlock& prepared) const
{
    return prepared.block.round == m_options.round && prepared.block.parent == m_options.parent &&
           prepared.IsCertified(
               CommitteeVote::AGGREGATION, m_options.members, m_options.GetQuorum(), *m_keys);
}

uint32_t
ByzantineVoter::GetPrimary(uint32_t view) const
{
    return m_options.GetPrimary(CommitteeVote::AGGREGATION, view);
}

Statement
ByzantineVoter::GetProposal(uint32_t view) const
{
    return {REQUEST_STATEMENT, CommitteeVote::AGGREGATION, m_options.round, GetPrimary(view), view};
}

} // namespace ns3::collab
