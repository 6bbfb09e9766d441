/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_SYNC_H
#define COMMITTEE_SYNC_H

#include "committee-host.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief The models that a device keeps through a crash: the newest one and the one before, and
/// those that it has made for votes, until it is known which one is agreed.
class CommitteeModels
{
  public:
    /// @param first the model that all begin with
    /// @param digest of it
    CommitteeModels(FlatVector first, const Digest& digest)
        : m_models{{digest, std::move(first)}},
          m_newest(digest)
    {
    }

    /// @return the newest one
    const FlatVector&
    GetNewest() const
    {
        return m_models.at(m_newest);
    }

    /// @return whether that is the newest one
    bool
    IsNewest(const Digest& digest) const
    {
        return m_newest == digest;
    }

    /// @return the newest one or the one before; null if it is not there
    FlatVector
    Find(const Digest& digest) const
    {
        const auto found = m_models.find(digest);
        return found == m_models.end() ? nullptr : found->second;
    }

    /// @brief Keep a model, which is the newest one now.
    void Keep(FlatVector model, const Digest& digest);
    /// @param made for votes
    /// @param locked the model that this member may not forget, if there is one
    void KeepResult(const MadeModel& made, const std::optional<Digest>& locked);
    /// @param digest of the model that is agreed, which is the newest one now if it was made here
    void
    Agree(const Digest& digest)
    {
        const auto result = m_results.find(digest);
        if (result != m_results.end())
        {
            Keep(result->second, digest);
        }
    }

    /// @brief Forget what was made for votes.
    void
    ClearResults()
    {
        m_results.clear();
    }

  private:
    std::map<Digest, FlatVector> m_models;  //!< the newest one, and the one before
    Digest m_newest;                        //!< digest of the newest one
    std::map<Digest, FlatVector> m_results; //!< made for votes
};

/**
 * @ingroup collab
 * @brief How a device catches up, and helps others to.
 *
 * It asks for blocks and models that it lacks, one device at a time; it answers, but who asks
 * without end shall not keep it busy; and it tells unasked how a round has ended, when it is its
 * turn. Its round is the one after its last block under BYZANTINE, and its present one under PAPER.
 */
class CommitteeSync
{
  public:
    /// @brief All parts of the device must live as long.
    CommitteeSync(const NodeOptions& options,
                  const CommitteeChain& chain,
                  const CommitteeModels& models,
                  const CommitteeInbox& inbox,
                  CommitteeHost& host);

    /// @brief All may ask anew.
    void
    BeginRound(uint32_t round)
    {
        m_round = round;
        m_given.clear();
    }

    /// @brief No round is left.
    void
    NoteFinished()
    {
        m_lastAsks = 0;
    }

    /// @brief Lose what others have said.
    void
    Forget()
    {
        m_ahead.clear();
        m_asked.reset();
        m_isWaiting = false;
        m_given.clear();
        m_news.reset();
    }

    /// @brief A peer says to be in a later round; perhaps the device has missed something already.
    void NoteAhead(uint32_t peer, uint32_t round, bool isLost);
    /// @brief Ask somebody who is ahead for blocks, unless somebody is asked already.
    void AskForBlocks();
    /// @brief Ask some device for blocks: nothing has been heard for long.
    void AskSomebody();
    /// @brief Who is asked for blocks does not answer, or it is time to ask.
    void
    HandleTimeout()
    {
        m_isWaiting = false;
        if (m_asked)
        {
            m_ahead.erase(*m_asked);
            m_asked.reset();
        }
        AskForBlocks();
    }

    /// @return whether the peer is asked for blocks
    bool
    IsAsked(uint32_t peer) const
    {
        return m_asked == peer;
    }

    /// @brief Blocks that were asked for have come.
    /// @param peer that was asked
    /// @param blocks that it has sent
    /// @param isNew whether there was something new
    /// @param isAhead whether there is something that does not fit
    /// @return the round that the peer says to be in, if its blocks do not lead there
    std::optional<uint32_t> TakeAnswer(uint32_t peer,
                                       const std::vector<CertifiedBlock>& blocks,
                                       bool isNew,
                                       bool isAhead);
    /**
     * @brief Ask the next one for the model.
     *
     * Under PAPER a device that has no round left gives up when it has asked each other one twice:
     * one member's word is enough for a block, and its model may be one that nobody has.
     *
     * @param isLast whether no round is left
     * @return whether there is still somebody to ask
     */
    bool AskForModel(bool isLast);
    /// @param peer that has sent new blocks, and so may have their model
    void
    NoteInformant(uint32_t peer)
    {
        m_informant = peer;
    }

    /// @brief The own chain goes on: it has not parted from others'.
    void
    NoteAppended()
    {
        m_backtrack = 0;
    }

    /// @brief Answer a question for blocks, a model, or gradients.
    void Answer(uint32_t peer, const ChainMessage& question);
    /// @brief Send blocks to a peer that votes on a round that is over.
    void
    HelpStraggler(uint32_t peer, uint32_t round)
    {
        if (round < m_chain.GetNextRound() &&
            MayAnswer(peer, ChainKind::BLOCKS, m_options.voting.attemptTimeoutNs))
        {
            SendBlocks(peer, round);
        }
    }

    /// @param certified how the round has ended, to be told by TellNews()
    /// @param withModel whether to tell the model as well
    /// @param most f, members that may have told this device and nobody else
    void
    PlanNews(const CertifiedBlock& certified, bool withModel, std::size_t most)
    {
        m_news = certified;
        m_withModel = withModel;
        m_most = most;
        m_tellers.clear();
    }

    /// @brief A member has told it: with more than `most` of them, an honest one has told all.
    void HearNews(uint32_t member, const Block& block);
    /// @brief Somebody else has told it.
    void
    DropNews()
    {
        m_news.reset();
    }

    /// @brief Tell all others what is planned, if anything is.
    void TellNews();
    /// @brief Tell members that come next which devices lie.
    void TellLies(const CommitteeLies& lies) const;

  private:
    /// Answers to one peer
    struct Given
    {
        uint64_t sinceNs = 0; //!< when the first of them was given [ns]
        uint32_t count = 0;   //!< how many since
    };

    /// @return whether the rule is PAPER
    bool
    IsPaper() const
    {
        return m_options.federation.rule == QuorumRule::PAPER;
    }

    /// @return the round that others must be beyond to be ahead
    uint32_t
    GetOwnRound() const
    {
        return IsPaper() ? m_round : m_chain.GetNextRound();
    }

    /// @brief Ask a peer for blocks.
    void Ask(uint32_t peer);
    /// @return whether to answer, as one of so many answers within a time
    bool MayAnswer(uint32_t peer, ChainKind what, uint64_t spacingNs, uint32_t most = 1);
    /// @return answers with blocks that a device which catches up needs at once
    uint32_t GetMostPages() const;
    void
    SendBlocks(uint32_t peer, uint32_t round)
    {
        m_host.Send(
            peer, Wrap(ChainMessage{ChainKind::BLOCKS, 0, m_chain.GetBlocks(round, MOST_BLOCKS)}));
    }

    void SendModel(uint32_t peer, const Digest& digest);
    void SendGradients(uint32_t peer, const std::vector<Digest>& digests);

    const NodeOptions& m_options;    //!< what the device needs to know
    const CommitteeChain& m_chain;   //!< how rounds have ended
    const CommitteeModels& m_models; //!< of the device
    const CommitteeInbox& m_inbox;   //!< with gradients
    CommitteeHost& m_host;           //!< sends
    uint32_t m_round = 0;            //!< present round

    std::map<uint32_t, uint32_t> m_ahead; //!< devices that say to be in a later round
    std::optional<uint32_t> m_asked;      //!< who is asked for blocks
    bool m_isWaiting = false;             //!< whether to ask for blocks in a while
    std::optional<uint32_t> m_informant;  //!< who has sent the last blocks
    uint32_t m_modelAsks = 0;             //!< how often somebody was asked for a model
    uint32_t m_lastAsks = 0;              //!< how often since there is no round left
    uint32_t m_backtrack = 0;             //!< with PAPER: rounds to go back for a common block
    uint32_t m_turn = 0;                  //!< whom to ask next

    std::map<std::pair<uint32_t, ChainKind>, Given> m_given; //!< by peer and question

    std::optional<CertifiedBlock> m_news; //!< to be told to all others
    std::set<uint32_t> m_tellers;         //!< members that have told it
    std::size_t m_most = 0;               //!< of them that may have told nobody else
    bool m_withModel = false;             //!< whether to tell it with the model
};

} // namespace ns3::collab

#endif /* COMMITTEE_SYNC_H */
