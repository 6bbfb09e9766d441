/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SERVER_APPLICATION_H
#define FEDERATED_SERVER_APPLICATION_H

#include "federated-application.h"

#include "ns3/federated-server.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief How the server sends the global model.
enum class FederatedDownlink
{
    BROADCAST, //!< to all devices by one transmission, with the list of those that take part
    UNICAST,   //!< to those that take part, one after the other
};

/**
 * @ingroup collab
 * @brief What the server knows of a round at its end, for traces.
 */
struct ParticipationRecord
{
    uint32_t round = 0;             //!< the round
    std::vector<uint32_t> sampled;  //!< devices asked to take part, ascending
    std::vector<uint32_t> uploaded; //!< those whose updates were there in time, ascending
};

/**
 * @ingroup collab
 * @brief The server of a federated algorithm.
 *
 * A round has three phases:
 * - "download": send the global model to the devices that were drawn to take part;
 * - "collect": wait until their updates are here or RoundDeadline has passed since the model was
 * sent. A device that did not acknowledge the model is not waited for;
 * - "aggregate": make the next model. Without enough updates the model stays as it is.
 *
 * The last round has a fourth one, "deliver": all devices get the final model.
 */
class FederatedServerApplication : public FederatedApplication
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FederatedServerApplication();

    /**
     * @brief Say what is learned, at any time before the start.
     *
     * @param model initial weights
     * @param trained number of trained numbers among them, which come first
     * @param multiplicity how many numbers each weight stands for; see Learner::GetMultiplicity()
     */
    void SetModel(FlatVector model, std::size_t trained, uint32_t multiplicity = 1);
    /// @param clients devices that can take part, ascending
    void SetClients(std::vector<uint32_t> clients);
    /// @param stragglers clients that are never asked to take part, ascending
    void SetStragglers(std::vector<uint32_t> stragglers);
    /**
     * @brief Let one device of each set take part in a round, drawn uniformly at random.
     *
     * Needed by FederatedAlgorithm::SEMI_DECENTRALIZED, and by no other. All devices get the model.
     *
     * @param sets of clients, disjoint
     */
    void SetSets(std::vector<std::vector<uint32_t>> sets);
    /// @param seed of the draws of participants
    void SetSamplingSeed(uint64_t seed);

    /// @return the present model
    FlatVector GetModel() const;

    std::vector<Metric> GetMetrics() const override;

    /**
     * TracedCallback signature for participation.
     *
     * @param record what the server knows of a round
     */
    typedef void (*ParticipationTracedCallback)(const ParticipationRecord& record);
    /**
     * TracedCallback signature for late updates.
     *
     * @param round the update's round
     * @param device its sender
     */
    typedef void (*LateTracedCallback)(uint32_t round, uint32_t device);

  protected:
    void DoDispose() override;
    void DoStart() override;
    void BeginRound() override;
    void DoHalt() override;

  private:
    /// @param specification attribute AggregationRule; UserError if it is none
    void SetRule(std::string specification);
    /// @return attribute AggregationRule
    std::string GetRule() const;
    /// @return devices that are to take part in the present round, ascending
    std::vector<uint32_t> DrawParticipants() const;
    /// @brief Stop the program if clients, stragglers and sets make no sense together.
    void CheckClients() const;
    /**
     * @brief Send the present model.
     *
     * @param round number that the message has
     * @param receivers of unicasts
     * @param participants that the message names
     */
    void SendModel(uint32_t round,
                   const std::vector<uint32_t>& receivers,
                   const std::vector<uint32_t>& participants);
    /**
     * @brief The network is done with a model.
     *
     * @param round the model's round
     * @param receivers devices that the message was for
     * @param report what is known of its fate
     */
    void HandleDelivery(uint32_t round,
                        const std::vector<uint32_t>& receivers,
                        const DeliveryReport& report);
    /// @param message an update from a device
    void HandleUpdate(const Message& message);
    /**
     * @param message an update from a device
     * @return its payload
     * @throws PayloadError if it cannot be believed
     */
    std::shared_ptr<const FederatedUpdatePayload> CheckUpdate(const Message& message) const;
    /// @brief Go on if nobody is left to wait for.
    void CheckCollect();
    /// @brief Begin the phase "aggregate": all is here, or the deadline has passed.
    void EndCollect();
    /// @brief The next model is made: end the round, or deliver the last model.
    void EndAggregate();
    /// @brief End the round.
    void Conclude();

    double m_participation;       //!< attribute Participation
    Time m_deadline;              //!< attribute RoundDeadline
    FederatedDownlink m_downlink; //!< attribute Downlink
    std::string m_rule;           //!< attribute AggregationRule
    uint32_t m_maxSamples;        //!< attribute MaxSamples
    uint32_t m_maxSteps;          //!< attribute MaxSteps

    std::shared_ptr<const AggregationRule> m_aggregation; //!< made of AggregationRule
    FlatVector m_initial;                                 //!< initial weights
    std::size_t m_trained = 0;                            //!< number of trained numbers
    uint32_t m_multiplicity = 1;               //!< how many numbers each weight stands for
    std::vector<uint32_t> m_clients;           //!< devices that can take part
    std::vector<uint32_t> m_stragglers;        //!< those that never do
    std::vector<std::vector<uint32_t>> m_sets; //!< of which one each does; none for no sets
    uint64_t m_seed = 0;                       //!< of the draws of participants
    std::shared_ptr<FederatedServer> m_server; //!< the mathematics

    std::vector<std::vector<uint32_t>> m_sampled;    //!< by round, ascending
    std::set<std::pair<uint32_t, uint32_t>> m_heard; //!< rounds and devices of updates so far
    std::map<uint32_t, std::shared_ptr<const FederatedUpdatePayload>> m_updates; //!< by device
    std::set<uint32_t> m_awaited;  //!< devices whose updates are missing
    std::set<uint32_t> m_underway; //!< models that the network is not done with
    uint32_t m_sending = 0;        //!< number of the model that is under way
    bool m_collecting = false;     //!< whether updates are waited for
    bool m_delivering = false;     //!< whether the phase is "deliver"
    EventId m_deadlineEvent;       //!< end of the wait
    std::size_t m_aggregated = 0;  //!< updates of this round in the model
    std::size_t m_late = 0;        //!< updates of older rounds that came in this one

    TracedCallback<const ParticipationRecord&> m_participationTrace; //!< source Participation
    TracedCallback<uint32_t, uint32_t> m_lateTrace;                  //!< trace source Late
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_SERVER_APPLICATION_H */
