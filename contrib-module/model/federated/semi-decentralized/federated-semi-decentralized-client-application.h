/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SEMI_DECENTRALIZED_CLIENT_APPLICATION_H
#define FEDERATED_SEMI_DECENTRALIZED_CLIENT_APPLICATION_H

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

namespace ns3::collab
{

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

    /// @return the object TypeId
    static TypeId GetTypeId();

    SemiDecentralizedClientApplication();

    /// @param set devices of this one's set, perhaps with itself
    /// @param seed of delays before retries
    void SetSet(std::vector<uint32_t> set, uint64_t seed);

    /// @return how long the device trains between two exchanges; needs its learner and node
    Time GetComputingDuration() const;

    /// TracedCallback signature for exchanges.
    /// @param exchange that has ended
    typedef void (*ExchangeTracedCallback)(const FederatedSetExchange& exchange);

  protected:
    void DoStart() override;
    Process Participate(Model model) override;
    Columns<Metrics> GetColumns() const override;

  private:
    /// What a device of the set has sent in the newest round that it has spoken of
    struct PeerModels
    {
        uint32_t round = 0;                                                  //!< that round
        std::map<uint32_t, std::shared_ptr<const FederatedSetModel>> models; //!< by exchange
    };

    /// The work of a round
    struct Work
    {
        Model model;                    //!< that is trained from
        uint32_t exchange = 0;          //!< number of the present or next exchange
        FederatedUpdate update;         //!< change of the model so far, and what it stands for
        bool trainsOn = true;           //!< whether steps are left
        Packed<FederatedSetModel> sent; //!< to the set, after the last steps
    };

    /// @return weight of the own samples
    uint32_t GetWeight() const;
    /// @brief Train up to the next exchange, or the end of the round.
    /// @param work of the round
    /// @param done steps that are done
    /// @param steps to do
    Process TrainOn(std::shared_ptr<Work> work, uint32_t done, uint32_t steps);
    /// @brief Exchange models within the set, phase "consensus", until all are here, the deadline
    /// has passed, or a newer global model is here.
    /// @param work of the round
    Process Exchange(std::shared_ptr<Work> work);
    /// @brief Take the average of what has come, phase "merge".
    /// @param work of the round
    Process Merge(std::shared_ptr<Work> work);
    /// @brief Send the own model to one device.
    /// @param work of the round
    /// @param peer the device
    /// @param awaited loses it if it does not acknowledge
    Process SendTo(std::shared_ptr<const Work> work,
                   uint32_t peer,
                   std::shared_ptr<std::set<uint32_t>> awaited);
    /// @return the other devices of the set, the next one last, so that nobody else is to be sent
    /// to when its turn begins
    std::vector<uint32_t> ListReceivers() const;
    /// @param model of the set
    void HandleSetModel(const Received<FederatedSetModel>& model);
    /// @param work of the round
    /// @param peer a device of the set
    /// @return its model for the present exchange; null if it has not come
    std::shared_ptr<const FederatedSetModel> FindModel(const Work& work, uint32_t peer) const;

    uint32_t m_setSteps;               //!< attribute SetSteps
    Time m_deadline;                   //!< attribute ConsensusDeadline
    FederatedSetWeighting m_weighting; //!< attribute Weighting
    bool m_takesTurns;                 //!< attribute TakesTurns
    uint32_t m_maxSamples;             //!< attribute MaxSamples

    std::vector<uint32_t> m_set;              //!< devices of the set
    std::vector<uint32_t> m_peers;            //!< those but this one, ascending
    uint64_t m_setSeed = 0;                   //!< of delays before retries
    std::map<uint32_t, PeerModels> m_inboxes; //!< by device

    TracedCallback<const FederatedSetExchange&> m_exchangeTrace; //!< trace source Exchange
};

} // namespace ns3::collab

#endif /* FEDERATED_SEMI_DECENTRALIZED_CLIENT_APPLICATION_H */
