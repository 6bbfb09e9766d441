/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_PUSH_APPLICATION_H
#define GOSSIP_PUSH_APPLICATION_H

#include "gossip-averaging-application.h"
#include "gossip-averaging-messages.h"

#include "ns3/gossip-averaging.h"

#include <map>
#include <memory>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Stochastic gradient push (Assran et al., ICML 2019), as one device runs it.
 *
 * A device has numerators x and a weight w; its model is z = x / w. In a round every device trains
 * z, phase "train"; adds what that has changed to x, and sends half of x and of w to one other
 * device, phase "push"; waits for the half of another one, phase "exchange"; adds it, and divides,
 * phase "merge". Who sends to whom changes by rounds (GetExponentialHop()).
 *
 * Mass that is lost is missing from the mean of all devices forever. So, with RunningSums, a
 * message has all that the device has sent to the receiver up to now, which takes from it what it
 * has not had yet: what was lost comes with the next message (Hadjicostis, Vaidya,
 * Dominguez-Garcia, "Robust Distributed Average Consensus via Exchange of Running Sums", IEEE TAC
 * 2016). Sizes are the same.
 */
class StochasticGradientPushApplication : public AveragingGossipApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @return present weight w; 1 at first, and at all times if nothing is lost
    double GetWeight() const;

  protected:
    void DoStart() override;
    Process Round() override;

  private:
    /// @brief Take a local step and send half of all.
    /// @param before model before the step
    /// @param receiver who gets it
    Process Push(FlatVector before, uint32_t receiver);
    /// @brief Add what has come.
    Process Add();
    /// @param distance from this device in the list of all
    /// @return that device
    uint32_t GetPeer(std::size_t distance) const;

    bool m_usesSums; //!< attribute RunningSums

    std::shared_ptr<const GossipMass> m_mass;                        //!< x and w
    std::map<uint32_t, std::shared_ptr<const GossipMass>> m_sent;    //!< sums that peers were sent
    std::map<uint32_t, std::shared_ptr<const gossip::Mass>> m_taken; //!< sums that peers have sent
    std::map<uint32_t, uint32_t> m_takenRounds;                      //!< rounds of the last ones
    Mail<gossip::Mass> m_mail;                                       //!< mass that has come
};

} // namespace ns3::collab

#endif /* GOSSIP_PUSH_APPLICATION_H */
