/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_CHOCO_APPLICATION_H
#define GOSSIP_CHOCO_APPLICATION_H

#include "gossip-neighbor-application.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief CHOCO-SGD (Koloskova et al., ICML 2019), as one device runs it.
 *
 * Devices keep replicas of their neighbors' models and of their own, which all of them change alike
 * by the encoded messages. In a round every device trains, phase "train"; encodes by how much its
 * model differs from its own replica, phase "encode", so that what encoding drops is part of the
 * next message; broadcasts that; waits for those of its neighbors, phase "exchange"; and moves its
 * model by the weighted differences of the replicas, phase "merge".
 *
 * The paper's messages are never lost. Here each has a version: a device that misses one leaves the
 * sender's replica out, whose weight is its own then, and asks for the whole replica, which the
 * sender broadcasts, not encoded, in its next round. Replicas begin with the first weights, which
 * all devices share; the paper's begin with 0.
 */
class ChocoSgdApplication : public NeighborGossipApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  protected:
    void DoStart() override;
    Process Round() override;

  private:
    /// What is known of a neighbor
    struct Replica
    {
        FlatVector weights;     //!< x^_j
        uint32_t version = 0;   //!< changes that are part of it
        uint32_t neighbors = 0; //!< of the neighbor
        bool isCurrent = false; //!< whether the change of the present round is part of it
        std::vector<std::shared_ptr<const gossip::Change>> changes; //!< to be added
    };

    /// @brief Encode what the model is off its replica, and change that.
    /// @param neighbors number of neighbors
    /// @return the message
    ProcessOf<gossip::Change> Encode(uint32_t neighbors);
    /// @brief Find the changes that have come, and ask for replicas of which one was lost.
    void TakeChanges();
    /// @brief Move the model toward the replicas of neighbors.
    /// @param neighbors number of neighbors
    Process Mix(uint32_t neighbors);

    double m_stepSize; //!< attribute ConsensusStepSize

    FlatVector m_own;                       //!< own replica
    uint32_t m_version = 0;                 //!< changes that are part of it
    bool m_isAsked = false;                 //!< whether a neighbor has lost a change of it
    std::map<uint32_t, Replica> m_replicas; //!< by peer
    Mail<gossip::Change> m_mail;            //!< changes of replicas
};

} // namespace ns3::collab

#endif /* GOSSIP_CHOCO_APPLICATION_H */
