/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_MISBEHAVIOR_H
#define COMMITTEE_MISBEHAVIOR_H

#include "committee-consensus.h"

#include "ns3/collab-random.h"

#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What a Byzantine member does against the protocol; any of these, together too.
struct Misbehavior
{
    /// Messages that one member forges and replays at most in a round: replayers must not keep each
    /// other busy for ever
    static constexpr uint32_t MAX_DISTURBANCES = 40;

    /// reports the inverse of its scores, and takes that for its own scores too
    bool consistentFalseScores = false;
    bool falseScores = false;   //!< reports the inverse of its scores
    bool splitScores = false;   //!< tells one half of the members other scores than the other half
    bool silentPrimary = false; //!< proposes nothing as the primary
    bool wrongSet = false;      //!< proposes another set than its own as the primary
    bool equivocates = false;   //!< proposes different sets to the two halves as the primary
    bool liesAboutQuorum = false;  //!< commits as the primary without any reply
    bool withholdsReplies = false; //!< answers no request
    bool withholdsCommits = false; //!< tells only one half of the members what is decided
    bool forges = false;           //!< sends messages in the names of others
    bool replays = false;          //!< sends again what it has heard from others, older rounds too
    bool repliesStale = false;     //!< answers with another timestamp than the request's
    bool colludes = false;         //!< consents to whatever an accomplice proposes
    bool falsifiesViews = false;   //!< with BYZANTINE: tells views and locks that are none
    bool isUninvited = false;  //!< uploads gradients that nobody asked for, and such of any round
    bool forgesChains = false; //!< makes up blocks and models of its own
    bool claimsRounds = false; //!< says to be in rounds that are far ahead
    bool usurps = false;       //!< reports scores that bring accomplices into the next committee
    bool floods = false;       //!< sends tables, proposals and evidence that are to be kept
};

/// @brief Read a misbehavior from its names.
/// @param names of behaviors joined by "+", e.g. "silent-primary+forge": false-scores,
/// consistent-false-scores, split-scores, silent-primary, wrong-set, equivocate, lie-about-quorum,
/// withhold-replies, withhold-commits, forge, replay, stale-replies, collude, false-views,
/// uninvited, forged-chains, false-claims, usurp, flood; empty for none, and a last "+" is ignored
/// @return the misbehavior
/// @throws std::invalid_argument that lists the known names
Misbehavior ParseMisbehavior(const std::string& names);

/// @return the names that ParseMisbehavior() knows, sorted
std::vector<std::string> GetMisbehaviorNames();

/// @ingroup collab
/// @brief What the Byzantine members of one committee share without any message: the strongest
/// adversary.
struct Conspiracy
{
    std::set<uint32_t> accomplices; //!< the Byzantine members
    std::set<uint32_t> firstHalf;   //!< members that are told the first story; others the second
    uint32_t round = 0;             //!< that the scores told are of
    ScoreTables told[2];            //!< what each accomplice tells the two halves, by member
    /// Messages heard, of earlier rounds too, for replays
    std::vector<std::shared_ptr<const ConsensusMessage>> recorded;
    uint64_t heard = 0; //!< messages that any of them has heard

    /// @brief Keep a message, in the place of an old one if there are many.
    /// @param message that one of them has heard
    void Record(const ConsensusMessage& message);
};

/// Tells a Byzantine member what aggregating over a set gives; nothing if it lacks a gradient
using ResultOracle = std::function<std::optional<Digest>(const std::vector<uint32_t>& set)>;

/// @param scores of a member
/// @return the inverse of each, so that far gradients look near
ClientScores InvertScores(ClientScores scores);

/**
 * @brief Scores that bring accomplices into the next committee, if it is the middle of the ranking.
 *
 * Against the mean, which the lowest score of a client decides: as many others as stand before the
 * middle are left to honest members (infinity), accomplices are far below them, and the rest are
 * lower still. Against the median: accomplices are in the middle, all others as far from it as can
 * be.
 *
 * @param options of the round
 * @param scores of the member
 * @param accomplices devices
 * @return what it reports
 */
ClientScores PromoteScores(const ConsensusOptions& options,
                           const ClientScores& scores,
                           const std::set<uint32_t>& accomplices);

/// @ingroup collab
/// @brief A member that deviates from the protocol: it runs an honest one, and changes, drops and
/// adds messages.
/// @tparam Honest the honest member
template <typename Honest>
class DeviantMember : public CommitteeMember
{
  public:
    ConsensusOutput
    HandleResult(uint64_t nowNs, uint64_t number, const std::optional<Digest>& digest) override
    {
        return Corrupt(m_inner.HandleResult(nowNs, number, digest));
    }

    ConsensusOutput
    HandleTimeout(uint64_t nowNs, uint64_t number) override
    {
        return Corrupt(m_inner.HandleTimeout(nowNs, number));
    }

    const ConsensusCounters&
    GetCounters() const override
    {
        return m_inner.GetCounters();
    }

    const std::vector<RankedClient>&
    GetRanking() const override
    {
        return m_inner.GetRanking();
    }

  protected:
    /// @param options of the round
    /// @param keys of all devices
    /// @param misbehavior what it does
    /// @param conspiracy shared with its accomplices; not null
    /// @param seed of what is random in its behavior
    /// @param memory of the honest member, if it has one
    /// @throws std::invalid_argument as ConsensusOptions::Check() does
    template <typename... Memory>
    DeviantMember(ConsensusOptions options,
                  std::shared_ptr<const KeyRing> keys,
                  Misbehavior misbehavior,
                  std::shared_ptr<Conspiracy> conspiracy,
                  uint64_t seed,
                  Memory... memory)
        : m_options(std::move(options)),
          m_keys(std::move(keys)),
          m_misbehavior(misbehavior),
          m_conspiracy(std::move(conspiracy)),
          m_inner(m_options, m_keys, std::move(memory)...),
          m_generator(seed)
    {
    }

    /// @param output of the honest member
    /// @return what is sent instead
    virtual ConsensusOutput Corrupt(ConsensusOutput output) = 0;

    /// @param size of a list, at least 1
    /// @return a random place in it
    std::size_t
    Draw(std::size_t size)
    {
        return boost::random::uniform_int_distribution<std::size_t>(0, size - 1)(m_generator);
    }

    /// @param message to be sent; signed here
    /// @param isTold function that says whether a member gets it
    /// @param[out] output receives it for each of these but this one
    template <typename Told>
    void
    SendTo(ConsensusMessage message, const Told& isTold, ConsensusOutput& output) const
    {
        message.Sign(*m_keys);
        const auto shared = std::make_shared<const ConsensusMessage>(std::move(message));
        for (const uint32_t member : m_options.members)
        {
            if (member != m_options.self && isTold(member))
            {
                output.messages.push_back({member, shared});
            }
        }
    }

    ConsensusOptions m_options;               //!< of the round
    std::shared_ptr<const KeyRing> m_keys;    //!< of all devices
    Misbehavior m_misbehavior;                //!< what it does
    std::shared_ptr<Conspiracy> m_conspiracy; //!< shared with its accomplices
    Honest m_inner;                           //!< the honest member
    RandomGenerator m_generator;              //!< of what is random
    uint32_t m_disturbances = 0;              //!< messages forged and replayed so far
};

/// @ingroup collab
/// @brief A member that deviates from the protocol under the rule PAPER. It never signs as another
/// device.
class ByzantineMember : public DeviantMember<CommitteeConsensus>
{
  public:
    /// @param options of the round
    /// @param keys of all devices
    /// @param misbehavior what it does
    /// @param conspiracy shared with its accomplices; not null
    /// @param oracle results of any set
    /// @param seed of what is random in its behavior
    /// @throws std::invalid_argument as ConsensusOptions::Check() does
    ByzantineMember(ConsensusOptions options,
                    std::shared_ptr<const KeyRing> keys,
                    Misbehavior misbehavior,
                    std::shared_ptr<Conspiracy> conspiracy,
                    ResultOracle oracle,
                    uint64_t seed);

    ConsensusOutput Begin(uint64_t nowNs,
                          const ClientScores& scores,
                          const GradientDigests& gradients) override;
    ConsensusOutput HandleMessage(uint64_t nowNs, const ConsensusMessage& message) override;

  private:
    /// Proposals of one of its own attempts, and who consented to each
    struct Story
    {
        std::shared_ptr<const ConsensusMessage> request;   //!< what it proposed
        std::map<uint32_t, std::vector<uint8_t>> consents; //!< authenticators of replies, by member
        bool told = false;                                 //!< whether it has committed it
    };

    ConsensusOutput Corrupt(ConsensusOutput output) override;
    /// @brief Tell the halves different scores, or all the inverse.
    /// @param honest what an honest member would send
    /// @param[out] output receives what is sent
    void CorruptScores(const ConsensusMessage& honest, ConsensusOutput& output);
    /// @brief Propose what serves the adversary.
    /// @param honest what an honest member would propose
    /// @param[out] output receives what is sent
    void CorruptRequest(const ConsensusMessage& honest, ConsensusOutput& output);
    /// @brief Consent to an accomplice's proposal, whatever it is.
    /// @param request of the accomplice
    /// @param[out] output receives what is sent
    void Collude(const ConsensusMessage& request, ConsensusOutput& output);
    /// @brief Count a reply to one of its stories, and commit the story if it has a quorum.
    /// @param reply to one of its requests
    /// @param[out] output receives what is sent
    void CountReply(const ConsensusMessage& reply, ConsensusOutput& output);
    /// @brief Tell a half of the members, or all, that a story is decided.
    /// @param half 0 or 1
    /// @param story to be told
    /// @param[out] output receives what is sent
    void Commit(std::size_t half, Story& story, ConsensusOutput& output);
    /// @brief Forge and replay now and then.
    /// @param[out] output receives what is sent
    void Disturb(ConsensusOutput& output);
    /// @param vote of the round
    /// @param half 0 or 1
    /// @return what a member of this half takes for right, as far as the adversary knows
    std::optional<Proposal> Guess(CommitteeVote vote, std::size_t half) const;
    /// @param vote of the round
    /// @return a proposal that no honest member takes for right
    std::optional<Proposal> MakeWrong(CommitteeVote vote) const;
    /// @param message to be sent; signed here
    /// @param half 0 or 1
    /// @param[out] output receives it for each member of the half but this one
    void SendToHalf(ConsensusMessage message, std::size_t half, ConsensusOutput& output) const;
    /// @param member of the committee
    /// @return the half that it belongs to, 0 or 1
    std::size_t GetHalf(uint32_t member) const;

    ResultOracle m_oracle;                                            //!< results of any set
    std::map<std::pair<CommitteeVote, uint32_t>, Story> m_stories[2]; //!< by half
};

} // namespace ns3::collab

#endif /* COMMITTEE_MISBEHAVIOR_H */
