/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SERVER_APPLICATION_H
#define FEDERATED_SERVER_APPLICATION_H

#include "federated-application.h"

#include "ns3/federated-ensemble.h"
#include "ns3/federated-server.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How the server sends the global model.
enum class FederatedDownlink
{
    BROADCAST, //!< to all devices by one transmission, with the list of those that take part
    UNICAST,   //!< to those that take part, one after the other
};

/// @ingroup collab
/// @brief What the server knows of a round at its end, for traces.
struct ParticipationRecord
{
    uint32_t round = 0;             //!< the round
    std::vector<uint32_t> sampled;  //!< devices asked to take part, ascending
    std::vector<uint32_t> uploaded; //!< those whose updates were there in time, ascending; without
                                    //!< rounds one for each update of the server's step
    /// Of these updates, in the same order: steps of the server since the model that they started
    /// from; 0 in rounds
    std::vector<uint32_t> staleness;
};

/**
 * @ingroup collab
 * @brief The server of a federated algorithm: what FederatedSynchronousServerApplication and
 * FederatedBufferedServerApplication have in common.
 *
 * It checks updates, makes the next model, phase "aggregate", and ends the round. Without enough
 * updates for its rule the model stays as it is. In SCAFFOLD and FedDyn its models tell those that
 * are to train whether their last update was used: see FederatedClient::Settle(). The last round
 * has another phase, "deliver": all devices get the final model.
 */
class FederatedServerApplication : public FederatedApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    FederatedServerApplication();

    /// Name of the metric that is no whole number
    static constexpr const char* STALENESS = "staleness";

    /// @brief Say what is learned, at any time before the start.
    /// @param model initial weights
    /// @param trained number of trained numbers among them, which come first
    /// @param multiplicity how many numbers each weight stands for; see Learner::GetMultiplicity()
    void SetModel(FlatVector model, std::size_t trained, uint32_t multiplicity = 1);
    /// @param clients devices that can take part, ascending
    void SetClients(std::vector<uint32_t> clients);
    /// @param stragglers clients that are never asked to take part, ascending
    void SetStragglers(std::vector<uint32_t> stragglers);
    /// @param seed of the draws of participants
    void SetSamplingSeed(uint64_t seed);

    /// @brief Give the server of FedDF what it distills with, before the start.
    /// @param learner of the same model as the devices'
    /// @param inputs X*; its labels are not read
    void SetEnsemble(std::shared_ptr<Learner> learner, std::shared_ptr<const DataView> inputs);

    /// @return the present model
    FlatVector GetModel() const;
    /// @return how many numbers each weight stands for
    uint32_t GetMultiplicity() const;
    /// @return how long after the end of a round devices may still receive its model
    virtual Time GetAftermath() const;

    std::vector<Metric> GetMetrics() const override;

    /// TracedCallback signature for participation.
    /// @param record what the server knows of a round
    typedef void (*ParticipationTracedCallback)(const ParticipationRecord& record);
    /// TracedCallback signature for late updates.
    /// @param round the update's round
    /// @param device its sender
    typedef void (*LateTracedCallback)(uint32_t round, uint32_t device);

  protected:
    void DoStart() override;
    bool CanResume() const override;

    /// @brief Stop the program if clients and what is set make no sense together.
    virtual void CheckClients() const;
    /// @param update from a device, which is one
    /// @throws PayloadError if it was not asked for, or comes a second time
    virtual void TakeUpdate(const Received<FederatedUpload>& update) = 0;

    /// @param participants devices that are to train, ascending
    /// @return the present model as it travels
    Packed<FederatedModel> MakeModel(const std::vector<uint32_t>& participants);
    /// @brief Send the present model.
    /// @param round number that the message has
    /// @param receivers of unicasts
    /// @param participants that the message names
    /// @param lost called with each device of which it is known that it did not get it
    void SendModel(uint32_t round,
                   const std::vector<uint32_t>& receivers,
                   const std::vector<uint32_t>& participants,
                   std::function<void(uint32_t)> lost = nullptr);
    /// @return whether the network is not done with a model of SendModel()
    bool IsSending() const;
    /// @brief Take back what SendModel() has sent and the network still has.
    void CancelModels();
    /// @param device that a message was for
    /// @param report what is known of its fate
    /// @return whether it is known that it did not arrive
    bool IsLost(uint32_t device, const DeliveryReport& report) const;
    /// @param round round of an update that is not waited for any more
    /// @param device its sender
    void CountLate(uint32_t round, uint32_t device);

    /// What a round has brought
    struct Harvest
    {
        ParticipationRecord record;           //!< for traces
        std::vector<FederatedUpdate> updates; //!< in the order of the record's "uploaded"
        std::size_t expected = 0;             //!< updates that were waited for
    };

    /// @brief Make the next model, phase "aggregate".
    /// @param harvest what the round has brought
    Process Aggregate(Harvest harvest);
    /// @brief End the round; after the last one send the model to all before, phase "deliver".
    Process Conclude();

    /// @return devices that can take part, ascending
    const std::vector<uint32_t>& GetClients() const;
    /// @param devices some devices
    /// @return those of them that are no stragglers
    std::vector<uint32_t> SelectPrompt(const std::vector<uint32_t>& devices) const;
    /// @return seed of the draws of participants
    uint64_t GetSamplingSeed() const;
    /// @return attribute RoundDeadline
    Time GetDeadline() const;
    /// @return attribute MaxSamples
    uint32_t GetMaxSamples() const;

  private:
    /// What is measured in a round
    struct Metrics
    {
        std::size_t sampled = 0;    //!< devices
        std::size_t uploaded = 0;   //!< updates that were there in time
        std::size_t aggregated = 0; //!< of these in the model
        std::size_t late = 0;       //!< updates of older rounds that came in this one
        double staleness = 0;       //!< mean of the uploaded ones

        /// @return what they are
        static Columns<Metrics> GetColumns();
    };

    /// @param updates what the next model is made of
    /// @return makes it, beside the simulation
    std::function<FlatVector()> MakeStep(std::vector<FederatedUpdate> updates) const;
    /// @param specification attribute AggregationRule; UserError if it is none
    void SetRule(std::string specification);
    /// @return attribute AggregationRule
    std::string GetRule() const;
    Time m_deadline;              //!< attribute RoundDeadline
    FederatedDownlink m_downlink; //!< attribute Downlink
    std::string m_rule;           //!< attribute AggregationRule
    uint32_t m_maxSamples;        //!< attribute MaxSamples
    uint32_t m_maxSteps;          //!< attribute MaxSteps
    uint32_t m_distillationSteps; //!< attribute DistillationSteps

    std::shared_ptr<const AggregationRule> m_aggregation; //!< made of AggregationRule
    FlatVector m_initial;                                 //!< initial weights
    std::size_t m_trained = 0;                            //!< number of trained numbers
    uint32_t m_multiplicity = 1;               //!< how many numbers each weight stands for
    std::vector<uint32_t> m_clients;           //!< devices that can take part
    std::vector<uint32_t> m_stragglers;        //!< those that never do
    uint64_t m_seed = 0;                       //!< of the draws of participants
    std::shared_ptr<FederatedServer> m_server; //!< the mathematics

    std::shared_ptr<Learner> m_ensembleLearner;          //!< see SetEnsemble()
    std::shared_ptr<const DataView> m_ensembleInputs;    //!< see SetEnsemble()
    std::shared_ptr<const FederatedEnsemble> m_ensemble; //!< of FedDF, else null

    std::set<uint32_t> m_odd;      //!< devices of which an odd number of updates was used
    FlatVector m_encoded;          //!< model whose encoding is kept
    EncodedPair m_encodedPair;     //!< that one, and the control variate with it
    uint64_t m_encodings = 0;      //!< models that have been encoded
    std::set<uint32_t> m_underway; //!< models that the network is not done with
    Metrics m_metrics;             //!< of this round

    TracedCallback<const ParticipationRecord&> m_participationTrace; //!< source Participation
    TracedCallback<uint32_t, uint32_t> m_lateTrace;                  //!< trace source Late
};

} // namespace ns3::collab

#endif /* FEDERATED_SERVER_APPLICATION_H */
