/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_CLIENT_APPLICATION_H
#define FEDERATED_CLIENT_APPLICATION_H

#include "federated-application.h"

#include "ns3/collab-evaluations.h"
#include "ns3/collab-gradient-adversary.h"
#include "ns3/federated-client.h"

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace collab
{

class UpdateEncoder;

/**
 * @ingroup collab
 * @brief A device of a federated algorithm.
 *
 * It waits for the global model, phase "wait". If it is among those that take part, it trains,
 * phase "train", and sends its update to its transport's server, phase "upload". A round of a
 * device ends when it has a later model. If that comes while it trains, it finishes the job, but
 * sends no update any more; an upload that is under way is cancelled. In FedBuff only the final
 * model does so: any other one waits until the update is sent, and a model that comes once more is
 * trained from once more.
 *
 * What is measured at the end of a round is the global model made in it as the device received it,
 * or, if it did not, the one that it had then.
 */
class FederatedClientApplication : public FederatedApplication
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FederatedClientApplication();

    /**
     * @brief Say what the device learns with, at any time before it starts.
     *
     * @param learner the device's model and data
     * @param samples number of its samples, by which its update is weighed
     */
    void SetLearner(std::shared_ptr<Learner> learner, uint32_t samples);
    /// @param seed of what is random in its Compression
    void SetCompressionSeed(uint64_t seed);

    /**
     * @brief Measure the model on some labelled samples at the end of every round.
     *
     * Measuring takes no simulated time and no energy: it is the researcher's, not the device's.
     *
     * @param evaluation of metrics "accuracy_NAME", "balanced_accuracy_NAME" and "loss_NAME"; may
     * be shared with other devices
     */
    void AddEvaluation(std::shared_ptr<SharedEvaluation> evaluation);
    /**
     * @brief Let the device know its accomplices' changes; needed if GradientAttack reads them.
     * @param collusion of all malicious devices
     */
    void SetCollusion(std::shared_ptr<GradientCollusion> collusion);
    /// @param seed of what is random in the attack
    void SetAttackSeed(uint64_t seed);

    /**
     * @brief Tell that the server will send nothing any more: end the rounds that are left with the
     * model at hand. This is the researcher's knowledge, for devices that missed the last model.
     */
    void Conclude();

    /// @return how long the device trains in a round
    Time GetTrainingDuration() const;

    std::vector<Metric> GetMetrics() const override;

    /**
     * TracedCallback signature for models.
     *
     * @param device the device
     * @param round round of the model that it received
     */
    typedef void (*ModelTracedCallback)(uint32_t device, uint32_t round);

    /// @return privacy that the updates so far have spent; see UpdateEncoder::GetEpsilon(), without
    /// UpdatePrivacy if there is a GradientAttack
    double GetUpdateEpsilon() const;

  protected:
    void DoDispose() override;
    void DoStart() override;
    void BeginRound() override;
    void DoHalt() override;

    /// A model from the server
    struct Model
    {
        uint32_t round = 0;                                   //!< its round
        std::shared_ptr<const FederatedModelPayload> payload; //!< what it says
        uint32_t number =
            0; //!< of the training that it asks for: its round, in FedBuff its message
    };

    /**
     * @param model of the present round, which the learner has got
     * @return whether the device trains from it; by default if it is asked for an update
     */
    virtual bool TrainsFrom(const Model& model) const;
    /// @param model to begin the phase "train" with
    virtual void BeginTrain(const Model& model);
    /// @brief A newer model has come, or none will: wait for nothing else of this round.
    virtual void DropTraining();
    /// @param[in,out] metrics gets what a subclass has measured in the round that ends
    virtual void AddRoundValues(std::vector<std::pair<std::string, double>>& metrics);

    /// @return a training job as the attributes say, without the algorithm's terms
    TrainTask MakeTask() const;
    /**
     * @brief Run a job of the device's training.
     *
     * @param flops of the job
     * @param work on a host thread
     * @param done called then; asks TurnToNewer() before it goes on
     */
    void RunTraining(uint64_t flops, std::function<void()> work, std::function<void()> done);
    /// @return whether nobody waits for what the device does: it has turned to a newer model
    bool TurnToNewer();
    /**
     * @brief Forge the change, if the device is malicious, and encode and upload it.
     *
     * @param model that was trained from
     * @param update what came of it
     */
    void PrepareUpload(const Model& model, const FederatedUpdate& update);

    /// @return whether the device is asked for an update in this round
    bool IsSampled() const;
    /// @param round whose gradient the device begins to compute, if it is malicious
    void BeginForging(uint32_t round);
    /// @param loss of the training in this round
    void SetLocalLoss(double loss);
    /// @return the device's model and data; null before SetLearner()
    const std::shared_ptr<Learner>& GetLearner() const;
    /// @return number of its samples
    uint32_t GetSamples() const;
    /// @return the mathematics; null before the start
    const std::shared_ptr<FederatedClient>& GetClient() const;
    /**
     * @param number of a training, which is that of the round but for FedBuff
     * @return seed of what is random in the compression of what is sent then
     */
    uint64_t GetCompressionSeed(uint32_t number) const;

  private:
    /// An update on its way
    struct Attempt
    {
        uint32_t round = 0;                                    //!< its round
        std::shared_ptr<const FederatedUpdatePayload> payload; //!< the update
        uint32_t number = 0;                                   //!< of this attempt, from 1
    };

    /// @param message a model from the server
    void HandleModel(const Message& message);
    /**
     * @param message what should be a model from the server
     * @return its payload
     * @throws PayloadError if it cannot be believed
     */
    std::shared_ptr<const FederatedModelPayload> CheckModel(const Message& message) const;
    /// @return the mathematics as the attributes say
    std::shared_ptr<FederatedClient> MakeClient() const;
    /**
     * @param client the mathematics
     * @return a training job as the attributes say, without the algorithm's terms
     */
    TrainTask MakeTask(const FederatedClient& client) const;
    /**
     * @param client the mathematics
     * @return operations of the algorithm in a training job, beside those of the learner
     */
    uint64_t CountOwnFlops(const FederatedClient& client) const;
    /**
     * @brief Refuse attributes that do not fit the algorithm, or need what is missing.
     */
    void CheckAttributes() const;
    /// @return whether nobody waits for the present update: a newer model has come, or none will
    bool IsOutdated() const;
    /// @brief Go on now that the processor is free.
    void Continue();
    /**
     * @brief Measure the learner's model, or another one that it is to have first.
     *
     * @param weights model that it is to have; null for the one that it has
     * @param done called when it is measured
     */
    void Measure(FlatVector weights, std::function<void()> done);
    /// @param model a newer model, measured
    void TakeModel(const Model& model);
    /**
     * @brief Encode an update, and upload it unless it is outdated.
     *
     * @param model that was trained from
     * @param update what came of it
     * @param sent the change that is sent: that of the update, unless it is forged
     */
    void EncodeUpload(const Model& model, const FederatedUpdate& update, FlatVector sent);
    /**
     * @brief Begin the phase "upload".
     *
     * @param round the update's round
     * @param payload the update
     */
    void BeginUpload(uint32_t round, std::shared_ptr<const FederatedUpdatePayload> payload);
    /// @param attempt to send
    void Upload(const Attempt& attempt);
    /**
     * @param attempt that the network is done with
     * @param report what is known of its fate
     */
    void HandleUploaded(const Attempt& attempt, const DeliveryReport& report);
    /**
     * @brief End rounds with the model that was measured last.
     *
     * @param round the round to be in then
     * @param fresh whether the model is that of this round
     */
    void EndRoundsBefore(uint32_t round, bool fresh);

    /// @param specification attribute GradientAttack; UserError if it is none
    void SetGradientAttack(std::string specification);
    /// @return attribute GradientAttack
    std::string GetGradientAttack() const;
    /// @param specification attribute UpdatePrivacy; UserError if it is none
    void SetUpdatePrivacy(std::string specification);
    /// @return attribute UpdatePrivacy
    std::string GetUpdatePrivacy() const;

    GradientAdversary m_adversary; //!< attribute GradientAttack
    AttackTarget m_attackTarget;   //!< attribute AttackTarget
    uint64_t m_attackSeed = 0;     //!< of what is random in the attack
    uint32_t m_localEpochs;        //!< attribute LocalEpochs
    uint32_t m_localSteps;         //!< attribute LocalSteps
    double m_learningRate;         //!< attribute LearningRate
    bool m_resetsOptimizer;        //!< attribute ResetsOptimizer
    uint32_t m_uploadAttempts;     //!< attribute UploadAttempts
    bool m_errorFeedback;          //!< attribute ErrorFeedback
    std::string m_updatePrivacy;   //!< attribute UpdatePrivacy

    std::shared_ptr<Learner> m_learner;        //!< the model and its data
    uint32_t m_samples = 0;                    //!< number of its samples
    uint64_t m_seed = 0;                       //!< of what is random in the compression
    Evaluations m_evaluations;                 //!< what to measure on
    std::shared_ptr<FederatedClient> m_client; //!< the mathematics
    std::shared_ptr<UpdateEncoder> m_encoder;  //!< of changes that are uploaded

    std::optional<Model> m_pending;               //!< newest model, not looked at yet
    std::optional<uint32_t> m_newest;             //!< round of the newest model so far
    std::optional<uint32_t> m_upload;             //!< message that the network is not done with
    bool m_busy = false;                          //!< whether a job runs
    bool m_concluded = false;                     //!< whether the server sends nothing any more
    std::shared_ptr<std::vector<Score>> m_scores; //!< of the model last measured
    std::shared_ptr<std::vector<Score>> m_former; //!< of the one before
    bool m_sampled = false;  //!< whether it was asked to take part in this round
    bool m_uploaded = false; //!< whether it has sent an update in this round
    double m_loss = std::numeric_limits<double>::quiet_NaN(); //!< of its training in this round

    TracedCallback<uint32_t, uint32_t> m_modelTrace; //!< trace source Model
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_CLIENT_APPLICATION_H */
