/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_CLIENT_APPLICATION_H
#define FEDERATED_CLIENT_APPLICATION_H

#include "federated-application.h"

#include "ns3/federated-analog-messages.h"
#include "ns3/federated-client.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
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
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param seed of what is random in its Compression
    void SetCompressionSeed(uint64_t seed);
    /// @param seed of what is random in the attack
    void SetAttackSeed(uint64_t seed);

    /// @brief Tell that the server will send nothing any more: end the rounds that are left with
    /// the model at hand. This is the researcher's knowledge, for devices that missed the last
    /// model.
    void Conclude();

    /// @return how long the device trains in a round
    Time GetTrainingDuration() const;

    std::vector<Metric> GetMetrics() const override;

    /// TracedCallback signature for models.
    /// @param device the device
    /// @param round round of the model that it received
    typedef void (*ModelTracedCallback)(uint32_t device, uint32_t round);

    /// @return privacy that the updates so far have spent; see UpdateEncoder::GetEpsilon(), without
    /// UpdatePrivacy if there is a GradientAttack
    double GetUpdateEpsilon() const;

  protected:
    /// A model from the server; its sequence is the number of the training that it asks for: its
    /// round, in FedBuff that of the message
    using Model = Received<FederatedModel>;

    /// What is measured in a round
    struct Metrics
    {
        bool isCollaborative = false;               //!< whether the model made in it has come
        std::shared_ptr<std::vector<Score>> scores; //!< of that model, or the one at hand
        double localLoss = std::numeric_limits<double>::quiet_NaN(); //!< of its training
        bool isAsked = false;    //!< whether it is known to be asked for an update
        bool isSent = false;     //!< whether it has sent one
        std::size_t merged = 0;  //!< models of its set that it has averaged
        std::size_t missing = 0; //!< those that did not come in time
    };

    void DoStart() override;
    void DoResume() override;
    std::optional<uint32_t> FindPresentRound() const override;
    Process Round() override;

    /// @brief Do what the device does with the model of the present round; by default train and
    /// upload if it is asked.
    /// @param model which the learner has got
    virtual Process Participate(Model model);
    /// @return columns of Metrics
    virtual Columns<Metrics> GetColumns() const;

    /// @return a training as the attributes and the algorithm say, without the algorithm's terms
    TrainTask MakeTask() const;
    /// @brief Say what goes with a training.
    /// @param model that it starts from
    /// @param[out] update gets what comes of it
    /// @param isLast whether the device does not train on from its weights
    /// @return the algorithm's work
    TrainOptions MakeOptions(const Model& model,
                             std::shared_ptr<FederatedUpdate> update,
                             bool isLast = true) const;
    /// @param trained what came of a training
    void NoteTraining(const Trained& trained);
    /// @return whether nobody waits for the present update: a newer model has come, or none will
    bool IsOutdated() const;
    /// @brief Forge the change, if the device is malicious, and encode and upload it.
    /// @param model that was trained from
    /// @param update what came of it
    Process Upload(Model model, FederatedUpdate update);

    /// @return the mathematics
    std::shared_ptr<FederatedClient> GetClient() const;
    Metrics m_metrics;              //!< of the present round
    uint64_t m_compressionSeed = 0; //!< of what is random in the compression

  private:
    /// @brief Refuse attributes that do not fit the algorithm, or need what is missing.
    void CheckAttributes() const;
    /// @param model from the server
    void HandleModel(const Model& model);
    /// @brief Wait for a newer model or for the end, and measure the model.
    Process TakeNext();
    /// @param model that was trained from
    /// @param change that came of it
    /// @return what a malicious device needs to forge it
    GradientAdversary::Upload MakeForgery(const Model& model, const FlatVector& change) const;
    /// @brief Send a change by analog aggregation, once the server calls for it.
    /// @param model that was trained from
    /// @param change that is sent
    Process Superpose(Model model, FlatVector change);
    /// @param model that was trained from
    /// @param update what came of it
    /// @param sent the change that is sent: that of the update, unless it is forged
    /// @return encodes the update and remembers it
    std::function<Packed<FederatedUpload>()> MakeEncoding(const Model& model,
                                                          const FederatedUpdate& update,
                                                          const FlatVector& sent) const;

    /// @param specification attribute UpdatePrivacy; UserError if it is none
    void SetUpdatePrivacy(std::string specification);
    /// @return attribute UpdatePrivacy
    std::string GetUpdatePrivacy() const;

    uint64_t m_attackSeed = 0;   //!< of what is random in the attack
    uint32_t m_uploadAttempts;   //!< attribute UploadAttempts
    bool m_errorFeedback;        //!< attribute ErrorFeedback
    std::string m_updatePrivacy; //!< attribute UpdatePrivacy

    FederatedTraits m_traits;                      //!< of the algorithm
    std::shared_ptr<FederatedClient> m_client;     //!< the mathematics
    std::shared_ptr<UpdateEncoder> m_encoder;      //!< of changes that are uploaded
    std::optional<Received<FederatedSlot>> m_slot; //!< newest one, if the Uplink is analog
    std::optional<Model> m_pending;                //!< newest model, not looked at yet
    std::optional<uint32_t> m_newest;              //!< round of the newest model so far
    std::optional<Model> m_taken;                  //!< measured, and nothing done with it yet
    uint32_t m_goal = 0;                           //!< round to be in now
    bool m_isFresh = false;                        //!< whether a model of that round is the reason
    bool m_concluded = false;                      //!< whether the server sends nothing any more
    std::shared_ptr<std::vector<Score>> m_scores;  //!< of the model last measured
    std::shared_ptr<std::vector<Score>> m_former;  //!< of the one before

    TracedCallback<uint32_t, uint32_t> m_modelTrace; //!< trace source Model
};

} // namespace ns3::collab

#endif /* FEDERATED_CLIENT_APPLICATION_H */
