/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_MISBEHAVIOR_H
#define COMMITTEE_MISBEHAVIOR_H

#include "ns3/collab-random.h"
#include "ns3/committee-chain.h"
#include "ns3/committee-consensus.h"
#include "ns3/committee-message.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What a Byzantine device does against the protocol; any of these, together too.
struct Misbehavior
{
    bool falseScores = false; //!< as a member: reports the inverse of its scores
    /// reports the inverse of its scores, and takes that for its own scores too
    bool consistentFalseScores = false;
    bool splitScores = false;   //!< tells members different scores
    bool usurps = false;        //!< reports scores that bring accomplices into the next committee
    bool admits = false;        //!< reports scores that bring accomplices' gradients into the model
    bool silentPrimary = false; //!< proposes nothing as the primary
    bool wrongSet = false;      //!< proposes another set than its own as the primary
    bool equivocates = false;   //!< proposes different sets to different members as the primary
    bool liesAboutQuorum = false;  //!< commits as the primary without any reply
    bool withholdsReplies = false; //!< answers no request
    bool withholdsCommits = false; //!< tells only some of the members what is decided
    bool repliesStale = false;     //!< answers with another timestamp, or view, than the request's
    bool colludes = false;         //!< consents to what an accomplice proposes, or to anything
    bool doubleVotes = false;      //!< with BYZANTINE: consents to another block besides
    bool falsifiesViews = false;   //!< with BYZANTINE: tells views and locks that are none
    bool forges = false;           //!< sends messages in the names of others
    bool replays = false;          //!< sends again what it has heard from others, older rounds too
    /// as any device: uploads gradients that nobody asked for, and such of any round
    bool isUninvited = false;
    bool forgesChains = false; //!< makes up blocks and models of its own
    bool claimsRounds = false; //!< says to be in rounds that are far ahead
    bool hidesBlocks = false;  //!< tells members alone, one by one, how a round has ended
    bool floods = false;       //!< sends tables, proposals and evidence that are to be kept
    bool stuffs = false;       //!< proposes early; as a member: says too much, adds to certificates
};

/// @brief Read a misbehavior from its names.
/// @param names of GetMisbehaviorNames(), joined by "+", e.g. "silent-primary+forge"; empty for
/// none, and a last "+" is ignored
/// @return the misbehavior
/// @throws std::invalid_argument that lists the known names
Misbehavior ParseMisbehavior(const std::string& names);

/// @return the names that ParseMisbehavior() knows, sorted
std::vector<std::string> GetMisbehaviorNames();

/// @ingroup collab
/// @brief What all Byzantine devices share without any message: the strongest adversary.
struct Conspiracy
{
    std::set<uint32_t> accomplices; //!< the Byzantine devices
    std::set<uint32_t> firstHalf;   //!< with PAPER: members of group 0; others are group 1
    uint32_t round = 0;             //!< that the scores told are of
    /// What each accomplice tells the groups of members, by group and member
    std::map<uint32_t, ScoreTables> told;
    /// Messages heard, of earlier rounds too, for replays
    std::vector<std::shared_ptr<const ConsensusMessage>> recorded;
    uint64_t heard = 0; //!< messages that any of them has heard

    /// @brief Keep a message, in the place of an old one if there are many.
    /// @param message that one of them has heard
    void Record(const ConsensusMessage& message);
};

/// @return the inverse of each score, so that far gradients look near
ClientScores InvertScores(ClientScores scores);

/**
 * @brief Scores that bring accomplices into the next committee, if it is the middle of the ranking.
 *
 * Against the mean, which the lowest score of a client decides: as many others as stand before the
 * middle are left to honest members (infinity), accomplices are far below them, and the rest are
 * lower still. Against the median: accomplices are in the middle, all others as far from it as can
 * be.
 *
 * @return what the member reports in place of its scores
 */
ClientScores PromoteScores(const ConsensusOptions& options,
                           const ClientScores& scores,
                           const std::set<uint32_t>& accomplices);

/**
 * @brief Scores that bring accomplices' gradients into the model.
 *
 * Accomplices are at the end of the ranking that is selected, all others at the other one, whatever
 * the unit of gradients. Against the mean this is enough: a client that one member finds infinitely
 * far is last.
 *
 * @return what the member reports in place of its scores
 */
ClientScores AdmitScores(const ConsensusOptions& options,
                         ClientScores scores,
                         const std::set<uint32_t>& accomplices);

/// @return evidence, which the liar signs itself, that it has told two tables in a round
Evidence MakeEvidence(const KeyRing& keys, uint32_t liar, uint32_t round);

/**
 * @ingroup collab
 * @brief What a Byzantine device makes up, a member of the committee or not: gradients that nobody
 * asked for, blocks and models of its own, rounds that are far ahead, and what fills buffers.
 *
 * It signs in its own name and in those of its accomplices only.
 */
class DeviantDevice
{
  public:
    /// @param self the device
    /// @param misbehavior what it does
    /// @param accomplices whose keys it has, itself too
    /// @param keys of all devices
    /// @param rounds of the run
    /// @param seed of what is random
    DeviantDevice(uint32_t self,
                  Misbehavior misbehavior,
                  std::set<uint32_t> accomplices,
                  std::shared_ptr<const KeyRing> keys,
                  uint32_t rounds,
                  uint64_t seed);

    /// @return messages to be broadcast
    std::vector<CommitteeMessage> MakeMessages(const CommitteeChain& chain, std::size_t dimension);

    /// A receiver, and a message to it
    using Letter = std::pair<uint32_t, CommitteeMessage>;

    /// @return what it sends instead; nothing if it does tell all
    std::vector<Letter> Hide(const CommitteeMessage& news, const CommitteeChain& chain) const;

  private:
    /// @return a gradient of random elements, said to be of the round
    SignedGradient MakeGradient(std::size_t dimension, uint32_t round);
    /// @return a block that names its own model and a committee that it likes, and the model
    ModelMessage MakeBlock(const CommitteeChain& chain, std::size_t dimension, uint32_t round);
    /// @param chain how rounds have ended
    /// @param[in,out] messages gets a table and a proposal for the next round of any length, and
    /// evidence against itself, of rounds in which it is no member
    void Flood(const CommitteeChain& chain, std::vector<CommitteeMessage>& messages) const;
    /// @param chain how rounds have ended
    /// @param[in,out] messages gets the last block, with what is no consent in its certificate, and
    /// from a member of a first committee a table and proposals of any length for each view
    void Stuff(const CommitteeChain& chain, std::vector<CommitteeMessage>& messages) const;
    /// @return a table of this device that names so many clients
    ConsensusMessage MakeTable(QuorumRule rule, uint32_t round, uint32_t clients) const;
    /// @return an empty proposal
    ConsensusMessage MakeRequest(const CommitteeChain& chain, uint32_t round) const;

    uint32_t m_self;                       //!< the device
    Misbehavior m_misbehavior;             //!< what it does
    std::set<uint32_t> m_accomplices;      //!< whose keys it has
    std::shared_ptr<const KeyRing> m_keys; //!< of all devices
    uint32_t m_rounds;                     //!< of the run
    RandomGenerator m_generator;           //!< of what is random
};

} // namespace ns3::collab

#endif /* COMMITTEE_MISBEHAVIOR_H */
