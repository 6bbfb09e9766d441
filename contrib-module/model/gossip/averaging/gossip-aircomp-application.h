/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_AIRCOMP_APPLICATION_H
#define GOSSIP_AIRCOMP_APPLICATION_H

#include "gossip-averaging-application.h"
#include "gossip-averaging-messages.h"

#include "ns3/collab-analog-port.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Decentralized SGD over the air (H. Xing, O. Simeone, S. Bi, "Federated learning over
 * wireless device-to-device networks: algorithms and convergence analysis", IEEE JSAC 39(12),
 * 2021, section IV: the analog implementation), as one device runs it.
 *
 * In a round every device takes local steps, phase "train"; broadcasts how strongly each of its
 * neighbors can receive its model, and waits for the same of them, phase "exchange"; sends its
 * neighbors the amplitude that all of them can reach, and receives the sum of their models in a
 * slot of its own, phase "superpose": see D2dAnalogAir. It takes the mean with the weights of
 * Metropolis and Hastings, phase "merge". The weight of neighbors that it has not received in a
 * block is its own there.
 *
 * The band carries one slot at a time. In the paper slots are scheduled by a coloring of the graph,
 * and the center of a star broadcasts in a second slot what it has received; here each device is
 * the center of a star once in a round, and no slot of numbers is broadcast.
 */
class AirCompGossipApplication : public AveragingGossipApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  protected:
    void DoStart() override;
    Process Round() override;

  private:
    /// What neighbors may ask for
    struct Offer
    {
        uint32_t round = 0;     //!< in which it was made
        uint32_t neighbors = 0; //!< of the device then
        FlatVector model;       //!< z, trained
    };

    /// @brief Offer the model to the neighbors.
    /// @param neighbors of the device, ascending
    void MakeOffer(const std::vector<uint32_t>& neighbors);
    /// @brief Be ready to send the model in another device's slot.
    /// @param slot of the other device
    void HandleSlot(const Received<gossip::AirSlot>& slot);
    /// @return how the device receives the models of those whose heads have come
    D2dAnalogPlan MakePlan();
    /// @brief Announce a slot to those that send in it, and receive.
    /// @param plan of the slot
    /// @return the mean of their models; empty if the device was not on all the time
    ProcessOf<std::optional<D2dAnalogMean>> Superpose(D2dAnalogPlan plan);

    Offer m_offer;                //!< of this round
    Mail<gossip::AirHead> m_heads; //!< of neighbors
    std::map<uint32_t, uint32_t> m_called; //!< round of the latest slot, by receiver
    /// What is to be sent, by receiver
    std::map<uint32_t, std::shared_ptr<const D2dAnalogSignal>> m_signals;
};

} // namespace ns3::collab

#endif /* GOSSIP_AIRCOMP_APPLICATION_H */
