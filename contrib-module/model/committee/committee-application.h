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
#include "ns3/collab-delivery.h"
#include "ns3/collab-evaluations.h"
#include "ns3/collab-gradient-adversary.h"
#include "ns3/collab-learner.h"
#include "ns3/collab-random.h"

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
/// @brief What a device does in a round.
enum class CommitteeRole
{
    IDLE,     //!< waits for the next model
    TRAINING, //!< trains, and sends its gradient to the committee
    MEMBER,   //!< trains, scores the gradients of others and votes
};

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
};

/// @ingroup collab
/// @brief A round as a member of the committee saw it end, for traces.
struct CommitteeRecord
{
    uint32_t round = 0;                                  //!< of the mechanism
    uint32_t device = 0;                                 //!< the member
    ConsensusOutcome outcome = ConsensusOutcome::AGREED; //!< how it ended
    std::size_t gradients = 0;                           //!< gradients that it heard in time
    std::size_t missing = 0;                             //!< gradients that it did not
    ConsensusCounters counters;                          //!< messages that it did not believe
    std::vector<RankedClient> ranking; //!< clients by final score, as the member sees it
    ClientScores scores;               //!< that the member gave
};

/**
 * @ingroup collab
 * @brief The committee mechanism CMFL (Che et al., IEEE TPDS 2022), as one device runs it.
 *
 * A round begins for a device when it has the round's model, with which its committee is named. A
 * pseudo-random function that all share says who trains. Phases of a training client are "train",
 * "upload" and "wait", those of a member "train", "collect", "score", "consensus", "aggregate" and
 * "wait", of others "idle". Members score the gradients that arrive within GradientTimeout, and
 * agree by CommitteeConsensus, whose messages go before gradients and models. The primary of the
 * vote on the aggregation set broadcasts the new model with the new committee; if it does not,
 * other members do, each after one more ModelTimeout.
 *
 * A device that was off knows the round, the model and the committee that it had then, and which
 * votes it has taken part in. It waits for the next model, or until more than a third of the
 * training clients are heard in a later round, and takes part in no vote of a round that it has
 * begun before.
 *
 * Members that have agreed on a round whose model others have not heard broadcast the model again
 * when the next round is abandoned, or when they come back. Who has missed it checks it by the
 * committee that it knows, and goes on with it in the present round.
 *
 * Without a new model after the longest time that a round can take (GetLongestRound()), a device
 * takes the round for abandoned: it goes on with the old model and committee.
 */
class CommitteeApplication : public CollaborationApplication
{
  public:
    /// Kind of the message with a client's gradient
    static constexpr uint16_t GRADIENT = 0x0201;
    /// Kind of the messages of the committee consensus protocol
    static constexpr uint16_t CONSENSUS = 0x0202;
    /// Kind of the message with the global model and the next committee
    static constexpr uint16_t MODEL = 0x0203;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    CommitteeApplication();

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
    /// @return what the device does in the present round
    CommitteeRole GetRole() const;
    /// @return the model of the present round
    FlatVector GetModel() const;
    /// @return the committee of the present round, ascending
    const std::vector<uint32_t>& GetCommittee() const;

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

  protected:
    void DoDispose() override;
    void DoStart() override;
    void BeginRound() override;
    void DoHalt() override;
    bool CanResume() const override;
    void DoResume() override;

  private:
    /// What a round begins with
    struct State
    {
        uint32_t round = 0;              //!< number of the round
        FlatVector model;                //!< the global model
        std::vector<uint32_t> committee; //!< its members, ascending
        uint32_t modelRound = 0;         //!< round that the model was made for

        /// @return whether the device takes the round before for abandoned, having heard nothing
        bool
        IsAssumed() const
        {
            return modelRound < round;
        }
    };

    /// A round's election and voting, kept for stragglers when the next round has begun
    struct Session
    {
        std::vector<uint32_t> members;               //!< the committee, ascending
        std::unique_ptr<CommitteeMember> member;     //!< the state machine
        ClientScores scores;                         //!< that this device gives
        FlatVector result;                           //!< new model of its own aggregation set
        Digest digest = {};                          //!< of the result
        std::map<CommitteeVote, Decision> decisions; //!< of votes
        std::optional<ConsensusOutcome> outcome;     //!< how it ended
        EventId timer;                               //!< of the state machine
        EventId fallback;                            //!< to broadcast the model in another's place
        std::size_t gradients = 0;                   //!< heard in time
        std::size_t missing = 0;                     //!< not heard in time
    };

    /// Gradients of a round, by client
    using Gradients = std::map<uint32_t, std::shared_ptr<const SignedVectorPayload>>;

    /// @param specification attribute Misbehavior; UserError if it is none
    void SetMisbehavior(std::string specification);
    /// @return attribute Misbehavior
    std::string GetMisbehavior() const;
    /// @param specification attribute GradientAttack; UserError if it is none
    void SetGradientAttack(std::string specification);
    /// @return attribute GradientAttack
    std::string GetGradientAttack() const;

    /**
     * @param round of the mechanism
     * @param members its committee
     * @return how its members vote
     */
    ConsensusOptions MakeOptions(uint32_t round, const std::vector<uint32_t>& members) const;
    /// @return the clients that train in the present round, ascending
    std::vector<uint32_t> DrawTrainingClients() const;
    /// @brief Take the role of the present round.
    void TakeRole();
    /**
     * @brief Run a job after which a newer model is looked at first.
     *
     * @param flops of the job
     * @param work on a host thread
     * @param done not called if a newer model has come meanwhile
     */
    void RunTask(uint64_t flops, std::function<void()> work, std::function<void()> done);
    /// @brief Begin the phase "train".
    void BeginTrain();
    /// @brief Begin the phase "upload".
    /// @param gradient of the own training
    void BeginUpload(FlatVector gradient);
    /// @param gradient to be sent to the committee
    void Upload(FlatVector gradient);
    /// @brief Begin the phase "collect".
    /// @param gradient own, to compare with
    void BeginCollect(FlatVector gradient);
    /// @brief Score if all gradients are there.
    void CheckCollect();
    /// @brief Begin the phase "score".
    void BeginScore();

    /// @param message a gradient
    void HandleGradient(const Message& message);
    /**
     * @brief Catch up with a round that enough clients say they are in.
     *
     * A device that was off is rounds behind, and if all rounds since then have been abandoned, for
     * want of this very device perhaps, no model tells it so. More than a third of the training
     * clients have to say so, of whom one at least is honest.
     *
     * @param client that has signed a message
     * @param round of the message
     */
    void CatchUp(uint32_t client, uint32_t round);
    /// @param message of the consensus protocol
    void HandleConsensus(const Message& message);
    /// @param message a global model
    void HandleModel(const Message& message);
    /**
     * @param payload a global model
     * @throws PayloadError if it cannot be believed
     */
    void CheckModel(const SignedVectorPayload& payload) const;

    /**
     * @brief Do what the consensus protocol asks for.
     *
     * @param round of the session
     * @param output of its state machine
     */
    void Apply(uint32_t round, const ConsensusOutput& output);
    /**
     * @brief Aggregate for the consensus protocol.
     *
     * @param round of the session
     * @param set of clients
     */
    void Aggregate(uint32_t round, const std::vector<uint32_t>& set);
    /**
     * @param set of clients
     * @return computes the present model after their gradients, on any thread; empty if a gradient
     * is missing
     */
    std::function<FlatVector()> MakeAggregation(const std::vector<uint32_t>& set) const;
    /// @brief Step down if both votes are decided and the new model is there.
    /// @param round of the session
    void CheckDecided(uint32_t round);
    /// @brief Broadcast the last model that this device has decided.
    void BroadcastModel();
    /**
     * @brief Broadcast the last model once more, after a random time, if this device has decided it
     * and nobody else does: others may have heard nothing of it, and have abandoned its round.
     */
    void RepeatModel();
    /**
     * @brief End the present round, and begin another.
     * @param state what to go on with
     */
    void Advance(State state);
    /// @brief The round has taken too long: go on as if it had been abandoned.
    void HandleRoundTimeout();
    /// @return what was measured in the present round
    std::vector<std::pair<std::string, double>> MakeMetrics() const;

    uint32_t m_committeeSize;       //!< attribute CommitteeSize
    uint32_t m_trainingClients;     //!< attribute TrainingClients
    double m_alpha;                 //!< attribute Alpha
    SelectionStrategy m_selection;  //!< attribute Selection
    ElectionStrategy m_election;    //!< attribute Election
    QuorumRule m_rule;              //!< attribute QuorumRule
    bool m_primaryVotes;            //!< attribute PrimaryVotes
    uint32_t m_maxAttempts;         //!< attribute MaxAttempts
    Time m_gradientTimeout;         //!< attribute GradientTimeout
    Time m_scoreTimeout;            //!< attribute ScoreTimeout
    Time m_attemptTimeout;          //!< attribute AttemptTimeout
    Time m_modelTimeout;            //!< attribute ModelTimeout
    uint32_t m_localSteps;          //!< attribute LocalSteps
    double m_localRate;             //!< attribute LocalLearningRate
    double m_globalRate;            //!< attribute GlobalLearningRate
    GradientMode m_gradientMode;    //!< attribute GradientMode
    UploadMode m_upload;            //!< attribute Upload
    LossPolicy m_lossPolicy;        //!< attribute LossPolicy
    uint32_t m_retries;             //!< attribute Retries
    Time m_retryDelay;              //!< attribute RetryDelay
    std::string m_misbehaviorNames; //!< attribute Misbehavior
    Misbehavior m_misbehavior;      //!< made of it
    GradientAdversary m_adversary;  //!< attribute GradientAttack
    AttackTarget m_attackTarget;    //!< attribute AttackTarget

    std::shared_ptr<Learner> m_learner;           //!< the model and its data
    uint32_t m_samples = 0;                       //!< number of its samples
    std::vector<uint32_t> m_devices;              //!< all devices
    uint64_t m_seed = 0;                          //!< of what is shared
    std::shared_ptr<const KeyRing> m_keys;        //!< of all devices
    RandomGenerator m_generator;                  //!< of delays
    std::shared_ptr<Conspiracy> m_conspiracy;     //!< of Byzantine devices
    Evaluations m_evaluations;                    //!< what to measure on
    std::unique_ptr<DeliveryRepeater> m_repeater; //!< sends to one device

    State m_state;                         //!< what the present round began with
    std::optional<State> m_pending;        //!< newer, not begun yet since a job runs
    std::optional<uint32_t> m_lastVoted;   //!< last round in which it was a member
    std::map<uint32_t, uint32_t> m_claims; //!< the latest round that each client was heard in
    VectorLabel m_decidedLabel; //!< of the last model that this device has decided, if there is one
    FlatVector m_decidedModel;  //!< that model; null if there is none
    EventId m_repeatEvent;      //!< to broadcast it once more
    bool m_isBehind = false;    //!< whether the device was off in the present round
    CommitteeRole m_role = CommitteeRole::IDLE;       //!< in the present round
    bool m_busy = false;                              //!< whether a job runs
    bool m_collecting = false;                        //!< whether the phase is "collect"
    std::vector<uint32_t> m_expected;                 //!< clients that train in the present round
    FlatVector m_gradient;                            //!< own, in the present round
    std::map<uint32_t, Gradients> m_gradients;        //!< heard, by round
    std::map<uint32_t, std::vector<Message>> m_early; //!< consensus messages of later rounds
    std::map<uint32_t, Session> m_sessions;       //!< by round: the present one and the one before
    EventId m_gradientEvent;                      //!< end of the wait for gradients
    EventId m_roundEvent;                         //!< end of the patience with the round
    std::shared_ptr<std::vector<Score>> m_scores; //!< of the round's model; null if not measured
    double m_loss = 0;                            //!< of the own training in the round

    TracedCallback<const VoteRecord&> m_voteTrace;           //!< trace source Vote
    TracedCallback<const CommitteeRecord&> m_committeeTrace; //!< trace source Committee
};

} // namespace collab
} // namespace ns3

#endif /* COMMITTEE_APPLICATION_H */
