/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_HOST_H
#define COMMITTEE_HOST_H

#include "committee-inbox.h"

#include "ns3/collab-columns.h"
#include "ns3/collab-process.h"
#include "ns3/committee-chain.h"
#include "ns3/committee-consensus.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What a device does in a round.
enum class CommitteeRole
{
    IDLE,     //!< waits for the next model
    TRAINING, //!< trains, and sends its gradient to the committee
    MEMBER,   //!< trains, scores the gradients of others and votes
};

/// @ingroup collab
/// @brief Timers of a device, one of each.
enum class CommitteeTimer
{
    GRADIENTS, //!< end of the wait for gradients
    VOTE,      //!< of the votes
    ROUND,     //!< nothing new for as long as a round takes
    BLOCKS,    //!< to ask for blocks, or to ask somebody else
    MODEL,     //!< to ask for the model, or to ask somebody else
    FETCH,     //!< to ask somebody else for gradients
    ANNOUNCE,  //!< to tell all how a round has ended
    PATIENCE,  //!< nothing new for so long that it is given up
};

/// Number of timers
constexpr std::size_t COMMITTEE_TIMERS = 8;

/// Blocks in one answer
constexpr std::size_t MOST_BLOCKS = 64;

/// Patience with one that is asked for gradients, as a part of that with a primary
constexpr uint64_t FETCH_PART = 2;

/// @ingroup collab
/// @brief What a member waits for.
enum class CommitteeWait
{
    GRADIENTS, //!< of the clients that train
    SCORES,    //!< of the other members
};

/// @ingroup collab
/// @brief The end of a member's wait.
struct WaitReport
{
    uint32_t round = 0;                            //!< of the mechanism
    CommitteeWait wait = CommitteeWait::GRADIENTS; //!< what it has waited for
    std::size_t awaited = 0;                       //!< devices that it has waited for
    std::vector<uint32_t> missing;                 //!< those it has not heard, ascending
    uint32_t device = 0;                           //!< the member
};

/// @ingroup collab
/// @brief A round as a member saw it end.
struct CommitteeReport
{
    uint32_t round = 0;                                  //!< of the mechanism
    ConsensusOutcome outcome = ConsensusOutcome::AGREED; //!< how it ended
    std::vector<uint32_t> members;                       //!< its committee, ascending
    std::size_t gradients = 0;                           //!< that it heard in time
    std::size_t missing = 0;                             //!< that it did not
    ConsensusCounters counters;                          //!< messages that it did not believe
    std::vector<RankedClient> ranking;                   //!< as the member sees it
    ClientScores scores;                                 //!< that the member gave
    uint32_t device = 0;                                 //!< the member

    /// @return the table committee
    static TableColumns<CommitteeReport> GetTable();
};

/// @ingroup collab
/// @brief A model that a member has made.
struct MadeModel
{
    FlatVector values;  //!< null if it is not finite
    Digest digest = {}; //!< of the model
};

/// @ingroup collab
/// @brief What hosts a CommitteeNode: it sends, computes and keeps time.
class CommitteeHost
{
  public:
    virtual ~CommitteeHost() = default;

    /// @param receiver another device
    /// @param message to be sent to it
    virtual void Send(uint32_t receiver, const CommitteeMessage& message) = 0;
    /// @param message to be sent to all others
    virtual void Broadcast(const CommitteeMessage& message) = 0;
    /// @param gradient own, signed, to be sent to all members
    virtual void Upload(const std::shared_ptr<const SignedGradient>& gradient) = 0;
    /// @param timer to be set; it replaces the one before
    /// @param delayNs when to call HandleTimeout() [ns]
    virtual void SetTimer(CommitteeTimer timer, uint64_t delayNs) = 0;
    /// @param timer to be canceled
    virtual void CancelTimer(CommitteeTimer timer) = 0;
    /// @return the device's clock [ns]
    virtual uint64_t GetNowNs() const = 0;

    /// @brief Train the node's model; one job at a time.
    /// @return what takes the time of it, and gives the gradient
    virtual ProcessOf<FlatVector> Train() = 0;
    /// @return what scores gradients by comparing them with the own one
    virtual ProcessOf<ClientScores> Score(GradientsByClient gradients, FlatVector own) = 0;
    /// @return what makes the next model of gradients, in the order of their clients
    virtual ProcessOf<MadeModel> Aggregate(GradientList gradients) = 0;

    /// @param phase that begins
    virtual void BeginPhase(const std::string& phase) = 0;
    /// @param round that begins; those between are over too
    /// @param role of the device in the round that ends
    virtual void ReachRound(uint32_t round, CommitteeRole role) = 0;
    /// @param round of the decision
    /// @param decision that this member has learned of
    virtual void TellDecision(uint32_t round, const Decision& decision) = 0;
    /// @param report of a wait of this member that is over
    virtual void TellWait(const WaitReport& report) = 0;
    /// @param report of a round of this member
    virtual void TellReport(const CommitteeReport& report) = 0;
    /// @param reason why a message is not believed
    virtual void Reject(const std::string& reason) = 0;
    /// @brief Nothing new has come for too long, or nobody has the model: the device stops.
    virtual void GiveUp() = 0;
};

/// @ingroup collab
/// @brief What a device needs to know to take part.
struct NodeOptions
{
    uint32_t self = 0;                       //!< the device
    uint32_t rounds = 1;                     //!< to run
    std::size_t trainingClients = 1;         //!< n
    uint32_t samples = 1;                    //!< own data size
    ChainOptions federation;                 //!< what all devices know
    ConsensusOptions voting;                 //!< but members, round and what the chain says
    uint64_t gradientTimeoutNs = 1000000000; //!< longest wait for gradients [ns]
    uint64_t modelTimeoutNs = 1000000000;    //!< time for one device to send a model [ns]
    uint64_t patienceNs = UINT64_MAX;        //!< see GetPatienceNs(); 0 if it is computed [ns]

    /// @return with BYZANTINE: of messages of the committee; nothing with PAPER
    std::optional<CommitteeBounds> GetBounds() const;
    /// @return the longest time from the begin of a round to its end, if nobody is Byzantine [ns]
    uint64_t GetLongestRoundNs() const;
    /// @return with BYZANTINE: how long to wait again if too few gradients are there in time: for
    /// the model from one of f + 2 devices, and to train [ns]
    uint64_t GetSecondWaitNs() const;
    /// @return with BYZANTINE: longest time without a new block [ns]; if it is computed, an hour,
    /// or twice as long as a round that goes through all of its primaries, if that is longer
    uint64_t GetPatienceNs() const;
};

} // namespace ns3::collab

#endif /* COMMITTEE_HOST_H */
