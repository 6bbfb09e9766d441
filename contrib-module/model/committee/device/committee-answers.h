/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_ANSWERS_H
#define COMMITTEE_ANSWERS_H

#include "committee-host.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

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
    CommitteeModels(FlatVector first, const Digest& digest);

    /// @return the newest one
    const FlatVector&
    GetNewest() const
    {
        return m_models.at(m_newest);
    }

    /// @param digest of a model
    /// @return whether that is the newest one
    bool
    IsNewest(const Digest& digest) const
    {
        return m_newest == digest;
    }

    /// @param digest of a model
    /// @return it; null if it is not there
    FlatVector Find(const Digest& digest) const;
    /// @param model that is the newest one now
    /// @param digest of it
    void Keep(FlatVector model, const Digest& digest);
    /// @param made for votes
    /// @param locked the model that this member may not forget, if there is one
    void KeepResult(const MadeModel& made, const std::optional<Digest>& locked);
    /// @param digest of the model that is agreed, which is the newest one now if it was made here
    void Agree(const Digest& digest);
    /// @brief Forget what was made for votes.
    void ClearResults();

  private:
    std::map<Digest, FlatVector> m_models;  //!< the newest one, and the one before
    Digest m_newest;                        //!< digest of the newest one
    std::map<Digest, FlatVector> m_results; //!< made for votes
};

/// @ingroup collab
/// @brief What a device tells others unasked, when it is its turn: how a round has ended.
class CommitteeNews
{
  public:
    /// @param certified how the round has ended
    /// @param withModel whether to tell the model as well
    /// @param most f, members that may have told this device and nobody else
    void Plan(const CertifiedBlock& certified, bool withModel, std::size_t most);
    /// @brief A member has told it: with more than `most` of them, an honest one has told all.
    /// @param member of the committee of the round
    /// @param block that it tells
    void Hear(uint32_t member, const Block& block);
    /// @brief Somebody else has told it.
    void Drop();
    /// @param models of the device
    /// @param host that sends it
    void Tell(const CommitteeModels& models, CommitteeHost& host);

  private:
    std::optional<CertifiedBlock> m_block; //!< to be told to all others
    std::set<uint32_t> m_heard;            //!< members that have told it
    std::size_t m_most = 0;                //!< of them that may have told nobody else
    bool m_withModel = false;              //!< whether with the model
};

/// @brief Tell members that come next which devices lie.
/// @param lies that are known
/// @param members of the committee
/// @param self the device
/// @param host that sends it
void TellLies(const CommitteeLies& lies,
              const std::vector<uint32_t>& members,
              uint32_t self,
              CommitteeHost& host);

/// @ingroup collab
/// @brief What a device answers: who asks without end shall not keep it busy.
class CommitteeAnswers
{
  public:
    /// @param options what the device needs to know
    /// @param chain how rounds have ended
    /// @param models of the device
    /// @param inbox with gradients
    /// @param host that sends; all must live as long
    CommitteeAnswers(const NodeOptions& options,
                     const CommitteeChain& chain,
                     const CommitteeModels& models,
                     const CommitteeInbox& inbox,
                     CommitteeHost& host);

    /// @param peer that asks
    /// @param question for blocks, a model, or gradients
    void Answer(uint32_t peer, const ChainMessage& question);
    /// @param peer that votes on a round that is over
    /// @param round that it is in
    void HelpStraggler(uint32_t peer, uint32_t round);
    /// @brief A round begins: all may ask anew.
    void Clear();

  private:
    /// Answers to one peer
    struct Given
    {
        uint64_t sinceNs = 0; //!< when the first of them was given [ns]
        uint32_t count = 0;   //!< how many since
    };

    /// @param peer that asks
    /// @param what it asks for
    /// @param spacingNs time from the first of some answers [ns]
    /// @param most answers within that time
    /// @return whether to answer
    bool MayAnswer(uint32_t peer, ChainKind what, uint64_t spacingNs, uint32_t most = 1);
    /// @return answers with blocks that a device which catches up needs at once
    uint32_t GetMostPages() const;
    /// @param peer to send blocks to
    /// @param round of the first one
    void SendBlocks(uint32_t peer, uint32_t round);
    /// @param peer that asks
    /// @param digest of the model that it wants
    void SendModel(uint32_t peer, const Digest& digest);
    /// @param peer that asks
    /// @param digests of gradients that it wants
    void SendGradients(uint32_t peer, const std::vector<Digest>& digests);

    const NodeOptions& m_options;                            //!< what the device needs to know
    const CommitteeChain& m_chain;                           //!< how rounds have ended
    const CommitteeModels& m_models;                         //!< of the device
    const CommitteeInbox& m_inbox;                           //!< with gradients
    CommitteeHost& m_host;                                   //!< sends
    std::map<std::pair<uint32_t, ChainKind>, Given> m_given; //!< by peer and question
};

} // namespace ns3::collab

#endif /* COMMITTEE_ANSWERS_H */
