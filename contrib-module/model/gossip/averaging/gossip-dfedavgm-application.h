/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_DFEDAVGM_APPLICATION_H
#define GOSSIP_DFEDAVGM_APPLICATION_H

#include "gossip-neighbor-application.h"

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
 */
class DecentralizedFedAvgmApplication : public NeighborGossipApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  protected:
    void DoStart() override;
    Process Round() override;

  private:
    Mail<gossip::Trained> m_mail; //!< what neighbors have trained
};

} // namespace ns3::collab

#endif /* GOSSIP_DFEDAVGM_APPLICATION_H */
