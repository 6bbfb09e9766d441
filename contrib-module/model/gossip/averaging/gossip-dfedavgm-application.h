/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_DFEDAVGM_APPLICATION_H
#define GOSSIP_DFEDAVGM_APPLICATION_H

#include "gossip-defense.h"
#include "gossip-neighbor-application.h"

#include <memory>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief DFedAvgM (Sun et al., arXiv:2104.11375), as one device runs it.
 *
 * In a round every device takes several local steps, phase "train": with momentum, if its learner's
 * optimizer has that, which begins anew in each round (ResetsOptimizer); broadcasts its model;
 * waits for those of its neighbors, phase "exchange"; and takes their weighted mean, phase "merge".
 * With a Compression other than float32 the encoded change of the model in the round travels
 * instead (the quantized DFedAvgM). The weight of what has not come is the device's own.
 *
 * With one local step it is decentralized SGD. A Defense bears with forged models of neighbors:
 * with clipping it is ClippedGossip (He et al., arXiv:2202.01545), with nearest and momentum MoNNA
 * (Farhadkhani et al., ICML 2023). A device with a GradientAttack forges what it broadcasts, and
 * goes on with what it has trained.
 */
class DecentralizedFedAvgmApplication : public NeighborGossipApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param specification attribute Defense; UserError if it is none
    void SetDefense(std::string specification);
    /// @return attribute Defense
    std::string GetDefense() const;

  protected:
    void DoStart() override;
    Process Round() override;

  private:
    /// @param before x, the model before the local steps
    /// @param trained z, the model since
    /// @param neighbors number of neighbors
    /// @return what the device says it has trained, once accomplices have told theirs
    ProcessOf<FlatVector> Tell(FlatVector before, FlatVector trained, std::size_t neighbors);
    /// @param before x
    /// @param trained z
    /// @param neighbors number of neighbors
    /// @return the message of the model or its change
    gossip::Trained MakeTrained(const FlatVector& before,
                                const FlatVector& trained,
                                std::size_t neighbors) const;

    Mail<gossip::Trained> m_mail;                   //!< what neighbors have trained
    std::string m_defenseName;                      //!< attribute Defense
    std::shared_ptr<const GossipDefense> m_defense; //!< what it says
};

} // namespace ns3::collab

#endif /* GOSSIP_DFEDAVGM_APPLICATION_H */
