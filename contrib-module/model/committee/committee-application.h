/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_APPLICATION_H
#define COMMITTEE_APPLICATION_H

#include "committee-consensus.h"
#include "committee-misbehavior.h"
#include "committee-payloads.h"
#include "committee-score.h"

#include "ns3/collab-application.h"
#include "ns3/collab-columns.h"
#include "ns3/collab-delivery.h"
#include "ns3/collab-evaluations.h"
#include "ns3/collab-gradient-adversary.h"
#include "ns3/collab-learner.h"
#include "ns3/collab-random.h"
#include "ns3/committee-disturber.h"
#include "ns3/committee-node.h"
#include "ns3/event-id.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief What a client uploads.
enum class GradientMode
{
    LAST,        //!< the gradient of its last local step
    ACCUMULATED, //!< (w - w') / eta over all its local steps
};

/// @ingroup collab
/// @brief How a client uploads.
enum class UploadMode
{
    UNICAST,   //!< to one member after the other, as the paper counts
    BROADCAST, //!< to all members by one transmission
};

/// @ingroup collab
/// @brief A vote as a member of the committee saw it end, for traces.
struct VoteRecord
{
    uint32_t round = 0;                              //!< of the mechanism
    uint32_t device = 0;                             //!< the member
    CommitteeVote vote = CommitteeVote::AGGREGATION; //!< on what
    uint32_t attempt = 0;                            //!< of which primary
    uint32_t primary = 0;                            //!< who it was
    std::vector<uint32_t> clients;                   //!< the set that is decided
    Digest digest = {};                              //!< of the new model, or of the set
    Time time;                                       //!< when the member learned of it

    /// @return the table votes
    static TableColumns<VoteRecord> GetTable();
};

/// @ingroup collab
/// @brief A round as a member of the committee saw it end, for traces.
struct CommitteeRecord : CommitteeReport
{
    uint32_t device = 0; //!< the member

    /// @return the table committee
    static TableColumns<CommitteeRecord> GetTable();
};

/// @ingroup collab
/// @brief The end of a member's wait, for traces.
struct WaitRecord : WaitReport
{
    uint32_t device = 0; //!< the member
};

/**
 * @ingroup collab
 * @brief The committee mechanism CMFL (Che et al., IEEE TPDS 2022), as one device runs it.
 *
 * CommitteeNode decides what to do, and this class does it: it sends, trains, scores and aggregates
 * in simulated time, keeps time, and traces. A round begins for a device when it has the block that
 * ends the round before, and its model. A pseudo-random function that all share says who trains.
 * Phases of a training client are "train", "upload" and "wait", those of a member "train",
 * "collect", "score", "consensus", "aggregate" and "wait", of others "idle". Messages of the
 * committee, questions and blocks go before models, and models before gradients.
 *
 * A device that was off knows the chain of blocks, the newest model and what it has promised in
 * votes, and asks others for what it has missed. Devices that have done all rounds still answer.
 */
class CommitteeApplication : public CollaborationApplication, private CommitteeHost
{
  public:
    /// Kind of the message with a client's gradient
    static constexpr uint16_t GRADIENT = 0x0201;
    /// Kind of the messages of the committee consensus protocol
    static constexpr uint16_t CONSENSUS = 0x0202;
    /// Kind of the message with a block and the global model
    static constexpr uint16_t MODEL = 0x0203;
    /// Kind of the messages about the chain of blocks
    static constexpr uint16_t CHAIN = 0x0204;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    CommitteeApplication();
    ~CommitteeApplication() override;

    /**
     * @param learner the device's model and data; all devices begin with the same weights
     * @param samples number of its samples, by which its gradient is weighed
     */
    void SetLearner(std::shared_ptr<Learner> learner, uint32_t samples);
    /**
     * @brief Tell what all devices know beforehand.
     *
     * @param devices all devices, ascending
     * @param seed of what is pseudo-random and shared
     * @param keys of all devices
     */
    void SetFederation(std::vector<uint32_t> devices,
                       uint64_t seed,
                       std::shared_ptr<const KeyRing> keys);
    /**
     * @brief Let the device plan with others; needed if there is a Misbehavior.
     * @param conspiracy of all Byzantine devices
     */
    void SetConspiracy(std::shared_ptr<Conspiracy> conspiracy);
    /**
     * @brief Let the device know its accomplices' gradients; needed if GradientAttack reads them.
     * @param collusion of all malicious devices
     */
    void SetCollusion(std::shared_ptr<GradientCollusion> collusion);
    /**
     * @brief Measure the model on some labelled samples at the begin of every round in which the
     * device is active.
     *
     * Measuring takes no simulated time and no energy: it is the researcher's, not the device's.
     *
     * @param evaluation shared by all devices
     */
    void AddEvaluation(std::shared_ptr<SharedEvaluation> evaluation);

    /// @return the longest time from the begin of a round to its end
    Time GetLongestRound() const;
    /// @return attribute Patience, or what is computed in its place
    Time GetPatience() const;
    /// @return whether the device has stopped since no round has ended for as long as that, or,
    /// with the rule Paper, since nobody has sent it the last model
    bool HasGivenUp() const;
    /**
     * @brief How long this device computes in a round, at most: it trains, scores and aggregates.
     *
     * By the present settings, the learner, and the node's Processor. A device that does nothing
     * meanwhile waits for no longer than that for this one, besides time on air.
     *
     * @return that time
     */
    Time GetComputingDuration() const;
    /// @return how much of it the device aggregates, at most
    Time GetAggregatingDuration() const;
    /**
     * @param senders devices, each of which has a gradient or a model to send at the same time
     * @return how long it takes until each has sent it once
     */
    Time GetModelAirtime(uint32_t senders) const;
    /// @return whether the device computes, or sends or awaits the gradients of the present round
    bool IsBusy() const;
    /// @return what the device, which has started, does in the present round
    CommitteeRole GetRole() const;
    /// @return the newest model that the device has; what it begins with if it has not started
    FlatVector GetModel() const;
    /// @return whether that is the model of the last block that the device knows
    bool HasModel() const;
    /// @return the committee of the present round, ascending, as a device knows it that has started
    const std::vector<uint32_t>& GetCommittee() const;

    /// @return how rounds have ended, as far as the device knows; empty if it has not started, as
    /// one without charge never does
    const CommitteeChain& GetChain() const;

    std::vector<Metric> GetMetrics() const override;

    /**
     * TracedCallback signature for votes.
     *
     * @param record a decision that the member has learned of
     */
    typedef void (*VoteTracedCallback)(const VoteRecord& record);
    /**
     * TracedCallback signature for rounds of members.
     *
     * @param record the member's round
     */
    typedef void (*CommitteeTracedCallback)(const CommitteeRecord& record);
    /**
     * TracedCallback signature for waits of members.
     *
     * @param record the wait that is over
     */
    typedef void (*WaitTracedCallback)(const WaitRecord& record);

  protected:
    void DoDispose() override;
    void DoStart() override;
    void BeginRound() override;
    void DoHalt() override;
    bool CanResume() const override;
    void DoResume() override;

  private:
    /// @param specification attribute Misbehavior; UserError if it is none
    void SetMisbehavior(std::string specification);
    /// @return attribute Misbehavior
    std::string GetMisbehavior() const;
    /// @param specification attribute GradientAttack; UserError if it is none
    void SetGradientAttack(std::string specification);
    /// @return attribute GradientAttack
    std::string GetGradientAttack() const;

    // CommitteeHost
    void Send(uint32_t receiver, const CommitteeMessage& message) override;
    void Broadcast(const CommitteeMessage& message) override;
    void Upload(const std::shared_ptr<const SignedGradient>& gradient) override;
    void SetTimer(CommitteeTimer timer, uint64_t delayNs) override;
    void CancelTimer(CommitteeTimer timer) override;
    uint64_t GetNowNs() const override;
    void Train() override;
    void Score(const GradientsByClient& gradients, const FlatVector& own) override;
    void Aggregate(const std::vector<std::shared_ptr<const SignedGradient>>& gradients) override;
    void BeginPhase(const std::string& phase) override;
    void ReachRound(uint32_t round, CommitteeRole role) override;
    void TellDecision(uint32_t round, const Decision& decision) override;
    void TellWait(const WaitReport& report) override;
    void TellReport(const CommitteeReport& report) override;
    void Reject(const std::string& reason) override;
    void GiveUp() override;

    /// @return what the node needs to know, but for the first model
    NodeOptions MakeOptions() const;
    /// @return the training of a round
    TrainTask MakeTask() const;
    /// @brief Make what sends to one device, with nothing to send.
    void MakeRepeater();
    /// @brief Make the node of this device.
    void MakeNode();
    /// @brief Take part in messages of all kinds.
    void RegisterKinds();
    /**
     * @param options of the round
     * @param memory of the member
     * @return a member that misbehaves
     */
    std::unique_ptr<CommitteeMember> MakeMisbehaving(
        const ConsensusOptions& options, const std::shared_ptr<ConsensusMemory>& memory) const;
    /**
     * @param order of gradients
     * @return digest of the model made of them, if they are there
     */
    std::optional<Digest> Guess(const AggregationOrder& order) const;
    /// @brief Send what a device that misbehaves makes up.
    void Disturb();
    /**
     * @param message any
     * @return kind and payload of it
     */
    std::pair<uint16_t, std::shared_ptr<const Payload>> Pack(const CommitteeMessage& message) const;
    /**
     * @param honest own gradient of the round
     * @return what GradientAttack is applied to
     */
    GradientAdversary::Upload MakeUpload(FlatVector honest) const;
    /// @param honest own gradient of the round, in which the device is a member
    void PrepareToScore(const FlatVector& honest);
    /// @param gradient forged or not, to be sent to all members
    void UploadSigned(std::shared_ptr<const SignedGradient> gradient);
    /// @param role of the device in the present round
    /// @return what was measured in it
    std::vector<std::pair<std::string, double>> MakeMetrics(CommitteeRole role) const;

    uint32_t m_committeeSize;       //!< attribute CommitteeSize
    uint32_t m_trainingClients;     //!< attribute TrainingClients
    double m_alpha;                 //!< attribute Alpha
    AlphaBase m_alphaOf;            //!< attribute AlphaOf
    SelectionStrategy m_selection;  //!< attribute Selection
    ElectionStrategy m_election;    //!< attribute Election
    QuorumRule m_rule;              //!< attribute QuorumRule
    bool m_primaryVotes;            //!< attribute PrimaryVotes
    uint32_t m_maxAttempts;         //!< attribute MaxAttempts
    Time m_gradientTimeout;         //!< attribute GradientTimeout
    Time m_scoreTimeout;            //!< attribute ScoreTimeout
    Time m_attemptTimeout;          //!< attribute AttemptTimeout
    Time m_modelTimeout;            //!< attribute ModelTimeout
    Time m_patience;                //!< attribute Patience
    uint32_t m_localSteps;          //!< attribute LocalSteps
    double m_localRate;             //!< attribute LocalLearningRate
    double m_globalRate;            //!< attribute GlobalLearningRate
    double m_mostWeight;            //!< attribute MaxSampleWeight
    GradientMode m_gradientMode;    //!< attribute GradientMode
    UploadMode m_upload;            //!< attribute Upload
    LossPolicy m_lossPolicy;        //!< attribute LossPolicy
    uint32_t m_retries;             //!< attribute Retries
    Time m_retryDelay;              //!< attribute RetryDelay
    std::string m_misbehaviorNames; //!< attribute Misbehavior
    Misbehavior m_misbehavior;      //!< made of it
    GradientAdversary m_adversary;  //!< attribute GradientAttack
    AttackTarget m_attackTarget;    //!< attribute AttackTarget
    bool m_attackedScores;          //!< attribute AttackedScores

    std::shared_ptr<Learner> m_learner;           //!< the model and its data
    uint32_t m_samples = 0;                       //!< number of its samples
    std::vector<uint32_t> m_devices;              //!< all devices
    uint64_t m_seed = 0;                          //!< of what is shared
    std::shared_ptr<const KeyRing> m_keys;        //!< of all devices
    RandomGenerator m_generator;                  //!< of delays
    std::shared_ptr<Conspiracy> m_conspiracy;     //!< of Byzantine devices
    Evaluations m_evaluations;                    //!< what to measure on
    std::unique_ptr<DeliveryRepeater> m_repeater; //!< sends to one device

    std::unique_ptr<CommitteeNode> m_node;           //!< decides what to do
    std::unique_ptr<CommitteeDisturber> m_disturber; //!< makes things up; null if honest
    EventId m_timers[COMMITTEE_TIMERS];              //!< of the node
    bool m_hasGivenUp = false;                       //!< see HasGivenUp()
    bool m_wasAssumed = false; //!< whether the round before the present one was abandoned
    std::shared_ptr<std::vector<collab::Score>>
        m_scores;      //!< of the round's model; null if not measured
    double m_loss = 0; //!< of the own training in the round
    /// With AttackedScores: what the device compares gradients with; null if it does not know yet
    FlatVector m_attacked;

    TracedCallback<const VoteRecord&> m_voteTrace;           //!< trace source Vote
    TracedCallback<const CommitteeRecord&> m_committeeTrace; //!< trace source Committee
    TracedCallback<const WaitRecord&> m_waitTrace;           //!< trace source Wait
};

} // namespace collab
} // namespace ns3

#endif /* COMMITTEE_APPLICATION_H */
