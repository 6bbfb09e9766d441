/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_LOG_MEMBER_H
#define COMMITTEE_LOG_MEMBER_H

#include "committee-log-state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// With BYZANTINE: own proposals to which late consents count
constexpr std::size_t MOST_CANDIDACIES = 4;

/// Part of the patience for which a primary waits for the locks of others
constexpr uint64_t LOCK_PART = 4;

/// Part of the patience by which that of members differs: half-duplex members that always speak at
/// the same time never hear each other
constexpr uint64_t JITTER_PART = 4;

/**
 * @ingroup collab
 * @brief A member that agrees with others on one entry of a replicated log: without a network, and
 * without knowing what the entry says.
 *
 * Views 0, 1, ... have one primary each, which proposes an entry (REQUEST). Members that find it
 * right, as the application says (LogPolicy::Validate()), consent (REPLY), and the primary shows
 * that enough have (COMMIT). A member that has waited for long says so (VIEW_CHANGE), and goes on
 * to the next view; it skips views that more others have given up than can all be liars.
 *
 * **With BYZANTINE** entries are certified, as in PBFT and Tendermint. A primary proposes what it
 * has heard to be prepared, or from view LogOptions::GetAttempts() on the end of the round without
 * a result, or else what the application makes. Two votes:
 *
 * - AGGREGATION (prepare): a quorum consents to the entry in this view. The primary shows their
 *   consents to all (COMMIT), and who sees them is *locked* on view and entry.
 * - ELECTION (commit): who is locked in this view consents again. Consents of a quorum are the
 *   certificate by which everybody knows the entry.
 *
 * A member consents once in a vote and view, never in a view below one in which it has consented,
 * and when locked only to the entry that it is locked on, or to one that was prepared in a view not
 * below that of its lock.
 *
 * Safety: let entry B be certified in view v, the first one in which any is. Then q members, so at
 * least q - f honest ones, were locked on B in v before they consented to it in the second vote. No
 * other entry is prepared in v, for two quorums share an honest member, which consents once. Let
 * w > v be the least later view in which another entry is prepared. One of the honest members that
 * were locked on B in v consented to it, after v, for it never goes back. It was locked on B then,
 * or on what was prepared in a view from v to w - 1, which is B. So the request carried a
 * preparation of another entry in such a view, and there is none. Locks and promises survive a
 * loss of memory, so this holds through crashes as well.
 *
 * Progress: a member goes on to the next view when its patience ends and a quorum has reached the
 * present one, or when f + 1 others are beyond; it tells its lock with it (VIEW_CHANGE), and tells
 * again while it waits. So honest members meet, and the highest lock of any honest member reaches
 * the primary, which waits for a quarter of its time. Patience doubles with each view up to eight
 * times: once messages arrive within a quarter of that, the next honest primary finds its quorums.
 *
 * Nobody can abandon a round at will: before view GetAttempts(), of which at least one has an
 * honest primary, members consent to that only if nothing can be proposed.
 *
 * **With PAPER** there is one vote and nothing of this: members consent in any view, as often as
 * they are asked, and take a primary's word for the end.
 *
 * @tparam Message has an Entry, the kind, rule, vote, round, sender, attempt (its view), timestamp
 * and authenticator of a message, with BYZANTINE a ballot (Certified) and what was heard; and
 * GetStatement(), GetSigned() and Sign()
 */
template <typename Message>
class LogMember
{
  public:
    using Entry = typename Message::Entry; //!< what is agreed on

    /// @brief Options, policy and counters must live as long; the vote is with BYZANTINE the first
    /// one, and the memory, which is kept through crashes, null with PAPER.
    LogMember(const LogOptions& options,
              CommitteeVote vote,
              LogPolicy<Message>& policy,
              std::shared_ptr<const KeyRing> keys,
              std::shared_ptr<LogMemory<Entry>> memory,
              ConsensusCounters& counters)
        : m_options(options),
          m_vote(vote),
          m_policy(policy),
          m_keys(std::move(keys)),
          m_memory(std::move(memory)),
          m_counters(counters),
          m_peers(m_options)
    {
    }

    /// @brief Begin to propose, and to lose patience.
    void
    Start()
    {
        m_isVoting = true;
        EnterView(m_view);
        if (m_isVoting)
        {
            SkipViews();
        }
    }

    /// @brief Take part again after a loss of memory, in the last view in which it has consented.
    void
    Resume()
    {
        m_isVoting = true;
        for (const auto& promise : m_memory->promises)
        {
            m_view = std::max(m_view, promise ? promise->view : 0);
        }
        EnterView(m_view);
        TellView();
    }

    /// @brief What the member has waited for is over, or its time.
    void
    EndWait()
    {
        const uint64_t patience = m_options.GetPatienceNs(m_view);
        if (!m_hasWaited)
        {
            m_hasWaited = true;
            m_policy.SetTimer(patience - patience / LOCK_PART, patience / JITTER_PART);
            Propose();
        }
        else if (!m_options.IsCertified() || m_view == 0 ||
                 m_peers.CountReached(m_view) >= m_options.GetQuorum())
        {
            EnterView(m_view + 1);
        }
        else
        {
            TellView();
            m_policy.SetTimer(patience, patience / JITTER_PART);
        }
    }

    /// @param message that is believed to be another member's, but no SCORES
    void
    Handle(const Message& message)
    {
        const ConsensusKind kind = message.kind;
        kind == ConsensusKind::REQUEST  ? HandleRequest(message)
        : kind == ConsensusKind::REPLY  ? HandleReply(message)
        : kind == ConsensusKind::COMMIT ? HandleCommit(message)
                                        : HandleViewChange(message);
    }

    /// @brief As the primary of the present view: propose, if there is something to be proposed.
    void
    Propose()
    {
        if (!m_isVoting || GetPrimary(m_view) != m_options.self || m_candidacies.count(m_view) > 0)
        {
            return;
        }
        if (m_options.IsCertified())
        {
            const auto& promise = m_memory->promises[PlaceOf(m_vote)];
            const std::size_t reached = m_peers.CountReached(m_view);
            const bool mayBeLocked = m_view > 0 && reached < m_options.members.size() &&
                                     (!m_hasWaited || reached < m_options.GetQuorum());
            if ((promise && promise->view >= m_view) || mayBeLocked)
            {
                return;
            }
            Message request = m_policy.MakeMessage(ConsensusKind::REQUEST, m_view, m_vote);
            request.ballot = m_memory->lock;
            if (!request.ballot && MayAbandon())
            {
                request.ballot.emplace();
                request.ballot->block = m_policy.MakeAbandoned();
            }
            if (request.ballot)
            {
                Propose(std::move(request));
                return;
            }
        }
        if (auto request = m_policy.MakeProposal(m_vote, m_view))
        {
            Propose(std::move(*request));
        }
    }

    /// @brief Judge proposals that were heard, as far as that is possible.
    void
    Consider()
    {
        if (m_options.IsCertified())
        {
            ConsiderPresent();
            return;
        }
        for (auto it = m_requests.begin(); it != m_requests.end();)
        {
            const LogVerdict verdict = m_policy.Validate(it->second);
            if (verdict == LogVerdict::RIGHT)
            {
                SendConsent(m_policy.MakeConsent(it->second, m_vote, it->first));
            }
            it = verdict == LogVerdict::UNKNOWN ? std::next(it) : m_requests.erase(it);
        }
    }

    /// @param block with BYZANTINE: what is decided, known from elsewhere
    void
    End(const Certified<Entry>& block)
    {
        Message commit =
            m_policy.MakeMessage(ConsensusKind::COMMIT, m_view, CommitteeVote::ELECTION);
        commit.ballot = block;
        Decide(commit);
    }

    /// @param member that does not know how the round has ended: tell it, not too often
    void
    Inform(uint32_t member)
    {
        if (!m_end)
        {
            return;
        }
        if (!m_options.IsCertified())
        {
            if (GetPrimary(m_end->attempt) == m_options.self) // whose word counts
            {
                m_policy.Send(*m_end, member);
            }
            return;
        }
        Message commit =
            m_policy.MakeMessage(ConsensusKind::COMMIT, m_view, CommitteeVote::ELECTION);
        if (m_peers.MayInform(member, commit.timestamp, m_options.attemptTimeoutNs))
        {
            commit.ballot = m_end->ballot;
            m_policy.Send(std::move(commit), member);
        }
    }

    /// @brief Compare a statement with what its member has said before: lies are evidence.
    void
    Witness(const Message& message)
    {
        Witness(message.GetStatement(), message.GetSigned());
    }

    /// @return present view
    uint32_t
    GetView() const
    {
        return m_view;
    }

    /// @return what tells the end of the vote, if it has ended
    const std::optional<Message>&
    GetEnd() const
    {
        return m_end;
    }

    /// @return proposals of others that are kept, by view
    const std::map<uint32_t, Message>&
    GetRequests() const
    {
        return m_requests;
    }

  private:
    /// As the primary of a view
    struct Candidacy
    {
        Message request;                                //!< own proposal
        std::vector<Consent> consents[COMMITTEE_VOTES]; //!< of distinct members, in each vote
    };

    /// @param message a proposal
    void
    HandleRequest(const Message& message)
    {
        if (!m_options.IsPrimary(message.sender, m_vote, message.attempt))
        {
            ++m_counters.unauthorized;
            return;
        }
        if (m_options.IsCertified())
        {
            // One for each primary to come: nobody can fill the memory
            const bool isNear = message.attempt - m_view < m_options.members.size();
            if (message.attempt < m_view || !isNear)
            {
                ++m_counters.stale;
                return;
            }
            if (!message.GetStatement().IsUnique())
            {
                ++m_counters.unauthorized;
                return;
            }
            Witness(message);
        }
        else
        {
            Inform(message.sender);
        }
        if (!m_requests.emplace(message.attempt, message).second)
        {
            ++m_counters.replayed;
        }
        Consider();
    }

    /// @param message a consent to a proposal of this member
    void
    HandleReply(const Message& message)
    {
        const bool isCertified = m_options.IsCertified();
        if (isCertified && message.attempt == ANY_VIEW && message.vote == CommitteeVote::ELECTION &&
            message.GetSigned().digest == m_policy.MakeAbandoned().GetDigest())
        {
            Count(message);
            return;
        }
        const auto own = m_candidacies.find(message.attempt);
        if (own == m_candidacies.end() || (isCertified && message.timestamp != 0))
        {
            ++m_counters.stale;
            return;
        }
        if (isCertified)
        {
            Witness(message);
        }
        if (!m_policy.IsConsent(message, own->second.request))
        {
            ++m_counters.stale;
            return;
        }
        Count(message);
    }

    /// @param message a decision, with BYZANTINE with a certificate
    void
    HandleCommit(const Message& message)
    {
        if (!m_options.IsCertified())
        {
            if (!m_end)
            {
                m_options.IsPrimary(message.sender, m_vote, message.attempt)
                    ? Decide(message)
                    : void(++m_counters.unauthorized);
            }
            return;
        }
        const Certified<Entry>& certified = *message.ballot;
        if (!IsProven(certified, message.vote))
        {
            ++m_counters.unproven;
            return;
        }
        if (message.vote == CommitteeVote::ELECTION)
        {
            Decide(message);
            return;
        }
        WitnessAll(message.vote, certified);
        m_memory->Lock(certified);
        if (certified.view > m_view)
        {
            EnterView(certified.view); // a quorum has reached it
        }
        if (certified.view == m_view)
        {
            ConsentToEnd(message);
        }
    }

    /// @param message a member's next view
    void
    HandleViewChange(const Message& message)
    {
        if (message.attempt >= m_options.GetMostViews())
        {
            ++m_counters.unauthorized;
            return;
        }
        const bool isLower = !m_peers.Raise(message.sender, message.attempt);
        if (!m_options.IsCertified())
        {
            Inform(message.sender);
            if (m_isVoting)
            {
                SkipViews();
            }
            return;
        }
        if (isLower)
        {
            ++m_counters.replayed;
            return;
        }
        if (message.heard && message.attempt > 0 && message.attempt >= m_view &&
            message.attempt <= m_view + m_options.members.size())
        {
            const Statement proposal = GetProposal(message.attempt - 1);
            if (m_keys->Verify(proposal.member,
                               proposal.GetBytes(message.heard->digest),
                               message.heard->authenticator))
            {
                Witness(proposal, *message.heard);
            }
        }
        if (message.ballot && IsProven(*message.ballot, m_vote))
        {
            m_memory->Lock(*message.ballot);
        }
        else if (message.ballot)
        {
            ++m_counters.unproven;
        }
        SkipViews();
        Propose();
    }

    /// @brief Go on to a view.
    void
    EnterView(uint32_t view)
    {
        const bool isLater = view > m_view;
        m_view = view;
        if (m_view >= m_options.GetMostViews())
        {
            m_isVoting = false;
            m_policy.HandleEnd(std::nullopt);
            return;
        }
        if (m_options.IsCertified())
        {
            m_requests.erase(m_requests.begin(), m_requests.lower_bound(view));
            m_witness.Forget(view > 0 ? view - 1 : 0);
        }
        m_hasWaited = !m_options.IsCertified();
        if (isLater)
        {
            TellView();
        }
        if (m_isVoting)
        {
            m_policy.SetTimer(m_options.GetPatienceNs(m_view) / (m_hasWaited ? 1 : LOCK_PART), 0);
            Propose();
        }
        Consider();
    }

    /// @brief Tell all others the present view, and with BYZANTINE the last proposal.
    void
    TellView()
    {
        Message message = m_policy.MakeMessage(ConsensusKind::VIEW_CHANGE, m_view, m_vote);
        if (m_options.IsCertified())
        {
            message.ballot = m_memory->lock;
            if (m_view > 0)
            {
                message.heard = m_witness.Find(GetProposal(m_view - 1));
            }
        }
        m_policy.Send(std::move(message), std::nullopt);
        m_policy.HandleViewTold(GetPrimary(m_view));
    }

    /// @brief Go on to a view that enough others have reached.
    void
    SkipViews()
    {
        // One more than may be Byzantine: an honest member is among them
        const uint32_t reached = m_peers.FindReached(m_options.GetDoubtful());
        if (reached > m_view)
        {
            EnterView(reached);
        }
    }

    /// @brief Propose an entry in the present view.
    void
    Propose(Message request)
    {
        m_candidacies[m_view].request = request;
        if (m_options.IsCertified() && m_candidacies.size() > MOST_CANDIDACIES)
        {
            m_candidacies.erase(m_candidacies.begin());
        }
        m_policy.Send(request, std::nullopt);
        ConsentTo(request, m_vote);
    }

    /// @brief With BYZANTINE: judge the proposal of the present view, if there is one.
    void
    ConsiderPresent()
    {
        const auto found = m_requests.find(m_view);
        if (found == m_requests.end())
        {
            return;
        }
        const Message& request = found->second;
        const Certified<Entry>& proposed = *request.ballot;
        if (!proposed.consents.empty())
        {
            if (proposed.view >= m_view || !IsProven(proposed, m_vote))
            {
                ++m_counters.unproven;
                m_requests.erase(found);
                return;
            }
            m_memory->Lock(proposed);
        }
        const auto& lock = m_memory->lock;
        const bool isOpen = !lock || lock->block == proposed.block;
        if (isOpen && (!proposed.consents.empty() || IsRight(request)))
        {
            ConsentTo(request, m_vote);
        }
    }

    /// @return whether to consent
    bool
    IsRight(const Message& request)
    {
        return request.ballot->block.kind != BlockKind::ABANDONED
                   ? m_policy.Validate(request) == LogVerdict::RIGHT
                   : MayAbandon() && request.ballot->block == m_policy.MakeAbandoned();
    }

    /// @return with BYZANTINE: whether the round may end without a result
    bool
    MayAbandon()
    {
        return m_view >= m_options.GetAttempts() || m_policy.IsHopeless();
    }

    /// @brief Consent, if no promise stands against it.
    /// @return whether none does
    bool
    ConsentTo(const Message& ballot, CommitteeVote vote)
    {
        if (m_options.IsCertified() &&
            !m_memory->Promise(vote, m_view, ballot.ballot->block.GetDigest()))
        {
            return false;
        }
        SendConsent(m_policy.MakeConsent(ballot, vote, m_view));
        return true;
    }

    /// @brief Consent in the last vote to what is prepared in the present view.
    /// @param commit of it; to the end of a round that is abandoned with a share as well
    void
    ConsentToEnd(const Message& commit)
    {
        const bool isAbandoned = commit.ballot->block.kind == BlockKind::ABANDONED;
        if (ConsentTo(commit, CommitteeVote::ELECTION) && isAbandoned)
        {
            SendConsent(m_policy.MakeConsent(commit, CommitteeVote::ELECTION, ANY_VIEW));
        }
    }

    /// @param reply to be told to the primary
    void
    SendConsent(Message reply)
    {
        const bool isShare = reply.attempt == ANY_VIEW;
        const uint32_t primary = GetPrimary(isShare ? m_view : reply.attempt);
        if (primary != m_options.self)
        {
            m_policy.Send(std::move(reply), primary);
            return;
        }
        reply.Sign(*m_keys);
        Count(reply);
    }

    /// @param reply a consent, or a share in the signature under the abandoned round: count it
    void
    Count(const Message& reply)
    {
        const bool isShare = reply.attempt == ANY_VIEW;
        const auto own = m_candidacies.find(reply.attempt);
        if (!isShare && own == m_candidacies.end())
        {
            return; // it has lost its memory since
        }
        auto& given = isShare ? m_shares : own->second.consents[PlaceOf(reply.vote)];
        const bool isKnown = std::any_of(given.begin(), given.end(), [&reply](const auto& known) {
            return known.member == reply.sender;
        });
        m_counters.replayed += isKnown ? 1 : 0;
        if (isKnown || given.size() >= m_options.GetNeededConsents())
        {
            return;
        }
        given.push_back({reply.sender, reply.authenticator});
        if (given.size() == m_options.GetNeededConsents() && !m_candidacies.empty())
        {
            Finish(reply.vote, isShare ? m_candidacies.rbegin()->first : reply.attempt);
        }
    }

    /// @brief As the primary: show that enough members consent, with BYZANTINE if all of the
    /// certificate is there.
    void
    Finish(CommitteeVote vote, uint32_t view)
    {
        const Candidacy& own = m_candidacies.at(view);
        const Message& request = own.request;
        if (!m_options.IsCertified())
        {
            if (!m_end)
            {
                Message commit = request;
                commit.kind = ConsensusKind::COMMIT;
                m_policy.Send(commit, std::nullopt);
                Decide(commit);
            }
            return;
        }
        const Entry& block = request.ballot->block;
        Certified<Entry> certified{block, view, own.consents[PlaceOf(vote)], {}};
        if (vote == CommitteeVote::ELECTION && block.kind == BlockKind::ABANDONED)
        {
            certified.shares = m_shares;
        }
        if (!certified.IsCertified(vote, m_options.members, m_options.GetQuorum(), *m_keys))
        {
            return; // shares and consents come one by one
        }
        Message commit = m_policy.MakeMessage(ConsensusKind::COMMIT, view, vote);
        commit.ballot = certified;
        m_policy.Send(commit, std::nullopt);
        if (vote == CommitteeVote::ELECTION)
        {
            Decide(commit);
            return;
        }
        m_memory->Lock(certified);
        if (view == m_view)
        {
            ConsentToEnd(commit);
        }
    }

    /// @param commit of the last vote
    void
    Decide(const Message& commit)
    {
        m_isVoting = false;
        m_end = commit;
        m_policy.HandleEnd(m_end);
    }

    /// @return whether a quorum has consented to an entry in a vote
    bool
    IsProven(const Certified<Entry>& certified, CommitteeVote vote) const
    {
        return certified.block.round == m_options.round &&
               certified.block.parent == m_options.parent &&
               certified.IsCertified(vote, m_options.members, m_options.GetQuorum(), *m_keys);
    }

    /// @param statement of a member, verified
    /// @param said there
    void
    Witness(const Statement& statement, const SignedDigest& said)
    {
        if (const auto evidence = m_witness.Note(statement, said))
        {
            m_policy.HandleLie(*evidence);
        }
    }

    /// @param vote that an entry is certified in; whose consents are compared with others
    /// @param certified entry, checked
    void
    WitnessAll(CommitteeVote vote, const Certified<Entry>& certified)
    {
        const Digest digest = certified.block.GetDigest();
        for (const auto& [member, authenticator] : certified.consents)
        {
            Witness({CONSENT_STATEMENT, vote, m_options.round, member, certified.view},
                    {digest, authenticator});
        }
    }

    /// @return where the primary of a view proposes
    Statement
    GetProposal(uint32_t view) const
    {
        return {
            REQUEST_STATEMENT, CommitteeVote::AGGREGATION, m_options.round, GetPrimary(view), view};
    }

    /// @return primary of a view
    uint32_t
    GetPrimary(uint32_t view) const
    {
        return m_options.GetPrimary(m_vote, view);
    }

    const LogOptions& m_options;                //!< of the log
    CommitteeVote m_vote;                       //!< on the entry
    LogPolicy<Message>& m_policy;               //!< of the application
    std::shared_ptr<const KeyRing> m_keys;      //!< of all devices
    std::shared_ptr<LogMemory<Entry>> m_memory; //!< promises
    ConsensusCounters& m_counters;              //!< of what is not believed

    bool m_isVoting = false;                     //!< whether it proposes and loses patience
    uint32_t m_view = 0;                         //!< present view
    bool m_hasWaited = false;                    //!< whether a quarter of its patience is over
    std::map<uint32_t, Message> m_requests;      //!< proposals heard, by view
    std::map<uint32_t, Candidacy> m_candidacies; //!< by view
    std::vector<Consent> m_shares; //!< in the signature under the end of an abandoned round
    LogPeers m_peers;              //!< other members
    CommitteeWitness m_witness;    //!< of what others have signed
    std::optional<Message> m_end;  //!< see GetEnd()
};

} // namespace ns3::collab

#endif /* COMMITTEE_LOG_MEMBER_H */
