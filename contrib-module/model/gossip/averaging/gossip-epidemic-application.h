/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_EPIDEMIC_APPLICATION_H
#define GOSSIP_EPIDEMIC_APPLICATION_H

#include "gossip-averaging-application.h"
#include "gossip-averaging-messages.h"

#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Epidemic learning (de Vos et al., NeurIPS 2023), EL-Local, as one device runs it.
 *
 * In a round every device trains, phase "train"; sends its model to Receivers peers that it draws
 * at random, by one transmission where the network can; waits for the models of those that have
 * drawn it, phase "exchange"; and takes the plain mean of its own and those that came, phase
 * "merge". Draws are of a seed that all share, so a device knows whose models to wait for; the
 * paper has rounds at the same time.
 */
class EpidemicLearningApplication : public AveragingGossipApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  protected:
    void DoStart() override;
    Process Round() override;

  private:
    /// @return devices that have drawn this one in the present round
    std::vector<uint32_t> FindSenders() const;

    uint32_t m_receivers; //!< attribute Receivers

    Mail<gossip::Push> m_mail; //!< models of peers
};

} // namespace ns3::collab

#endif /* GOSSIP_EPIDEMIC_APPLICATION_H */
