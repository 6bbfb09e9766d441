/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SEMI_DECENTRALIZED_CLIENT_APPLICATION_H
#define FEDERATED_SEMI_DECENTRALIZED_CLIENT_APPLICATION_H

#include "ns3/collab-delivery.h"
#include "ns3/collab-random.h"
#include "ns3/federated-client-application.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <cstdint>
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

class FederatedSetPayload;

/// @ingroup collab
/// @brief By what the models of a set are weighed in their average, and sets by the server.
enum class FederatedSetWeighting
{
    SAMPLES, //!< by the number of samples of each device
    UNIFORM, //!< all devices alike
};

/// @ingroup collab
/// @brief An exchange of models within a set that has ended at a device, for traces.
struct FederatedSetExchange
{
    uint32_t round = 0;            //!< of the model that is trained from
    uint32_t device = 0;           //!< who waited
    std::size_t peers = 0;         //!< devices whose models it wanted
    std::vector<uint32_t> missing; //!< those whose models did not come in time
};

/**
 * @ingroup collab
 * @brief A device of semi-decentralized learning (Lin et al., JSAC 2021; as Wagle et al. use it).
 *
 * The devices are parted in disjoint sets. Every device trains in every round, whether the server
 * asks it for an update or not: LocalSteps steps, phase "train". After every SetSteps of them it
 * sends its model to the other devices of its set, by D2D, and waits for theirs, phase "consensus",
 * and takes the average of what came, phase "merge". After all steps those that the server has
 * asked upload the model, which then stands for the samples of its set.
 *
 * With TakesTurns, which half-duplex radios need, the devices of a set send one after the other, by
 * number: a device begins when it has the models of all before it, or when its equal share of
 * ConsensusDeadline begins. It sends to its successor last.
 *
 * An exchange ends when all models are here, or ConsensusDeadline after it began; a peer that does
 * not acknowledge is not waited for. A model that is lost or late is not averaged. A peer that is
 * ahead is heard too: its models wait for their exchange.
 */
class SemiDecentralizedClientApplication : public FederatedClientApplication
{
  public:
    /// Steps of a round in the paper, which FederatedHelper sets
    static constexpr uint32_t USUAL_LOCAL_STEPS = 8;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SemiDecentralizedClientApplication();

    /**
     * @param set devices of this one's set, perhaps with itself
     * @param seed of delays before retries
     */
    void SetSet(std::vector<uint32_t> set, uint64_t seed);

    std::vector<Metric> GetMetrics() const override;

    /// @return how long the device trains between two exchanges; needs its learner and node
    Time GetComputingDuration() const;

    /**
     * TracedCallback signature for exchanges.
     *
     * @param exchange that has ended
     */
    typedef void (*ExchangeTracedCallback)(const FederatedSetExchange& exchange);

  protected:
    void DoDispose() override;
    void DoStart() override;
    void DoHalt() override;
    bool TrainsFrom(const Model& model) const override;
    void BeginTrain(const Model& model) override;
    void DropTraining() override;
    void AddRoundValues(std::vector<std::pair<std::string, double>>& metrics) override;

  private:
    /// What a device of the set has sent in the newest round that it has spoken of
    struct Inbox
    {
        uint32_t round = 0;                                                    //!< that round
        std::map<uint32_t, std::shared_ptr<const FederatedSetPayload>> models; //!< by exchange
    };

    /// @return number of exchanges of a round
    uint32_t CountExchanges() const;
    /// @return weight of the own samples
    uint32_t GetWeight() const;
    /// @brief Train up to the next exchange, or the end of the round.
    void TrainOn();
    /**
     * @brief The next steps are done.
     *
     * @param steps of the round that are done now
     * @param update change from the global model
     * @param payload the same as it travels; null without an exchange
     */
    void EndSteps(uint32_t steps,
                  const FederatedUpdate& update,
                  const std::shared_ptr<const FederatedSetPayload>& payload);
    /// @param payload to begin the phase "consensus" with
    void BeginExchange(const std::shared_ptr<const FederatedSetPayload>& payload);
    /// @brief Send the own model if all whose turn is before have sent theirs.
    void CheckTurn();
    /// @brief Send the own model to the set.
    void SendModel();
    /// @param message with a model of the set
    void HandleSetModel(const Message& message);
    /**
     * @param message with what should be a model of the set
     * @return its payload
     * @throws PayloadError if it cannot be believed
     */
    std::shared_ptr<const FederatedSetPayload> CheckSetModel(const Message& message) const;
    /**
     * @param peer a device of the set
     * @return its model for the present exchange; null if it has not come
     */
    std::shared_ptr<const FederatedSetPayload> FindModel(uint32_t peer) const;
    /// @brief End the exchange if nothing is awaited any more.
    void CheckExchange();
    /// @brief Average what has come, and go on.
    void EndExchange();
    /// @brief Go on with training, or end the round's work.
    void GoOn();

    uint32_t m_setSteps;               //!< attribute SetSteps
    Time m_deadline;                   //!< attribute ConsensusDeadline
    FederatedSetWeighting m_weighting; //!< attribute Weighting
    bool m_takesTurns;                 //!< attribute TakesTurns
    uint32_t m_retries;                //!< attribute Retries
    Time m_retryDelay;                 //!< attribute RetryDelay
    uint32_t m_maxSamples;             //!< attribute MaxSamples

    std::vector<uint32_t> m_set;                  //!< devices of the set
    std::vector<uint32_t> m_peers;                //!< those but this one, ascending
    uint64_t m_setSeed = 0;                       //!< of delays before retries
    RandomGenerator m_generator;                  //!< of these
    std::unique_ptr<DeliveryRepeater> m_repeater; //!< sends to one device
    std::map<uint32_t, Inbox> m_inboxes;          //!< by device

    Model m_model;                //!< that is trained from
    uint32_t m_steps = 0;         //!< of the round that are done
    uint32_t m_exchange = 0;      //!< number of the present or next exchange
    FederatedUpdate m_update;     //!< change of the model so far, and what it stands for
    bool m_exchanging = false;    //!< phase "consensus"
    std::set<uint32_t> m_awaited; //!< peers that are waited for
    EventId m_event;              //!< end of the patience with them
    EventId m_turn;               //!< end of the patience with those who send before
    std::shared_ptr<const FederatedSetPayload> m_payload; //!< to be sent; null once it is
    std::size_t m_merged = 0;  //!< models of others averaged in this round
    std::size_t m_missing = 0; //!< that did not come in time

    TracedCallback<const FederatedSetExchange&> m_exchangeTrace; //!< trace source Exchange
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_SEMI_DECENTRALIZED_CLIENT_APPLICATION_H */
