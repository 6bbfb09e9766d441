/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_RSS_MODEL_H
#define D2D_RSS_MODEL_H

#include "ns3/propagation-loss-model.h"

#include <cstdint>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief A propagation model that gives the mean received signal strength W of a link, whatever the
 * transmit power and the distance.
 *
 * A link is known by the nodes that the mobility models are aggregated to. The model belongs at the
 * head of a chain: THE POWER GIVEN TO IT IS IGNORED, and with it what models before it did. Models
 * after it act on W.
 */
class D2dRssModel : public PropagationLossModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param transmitter node that sends
    /// @param receiver another node
    /// @return mean received signal strength W at the receiver now [W], positive
    double GetRssW(uint32_t transmitter, uint32_t receiver) const;

  private:
    double DoCalcRxPower(double txPowerDbm,
                         Ptr<MobilityModel> a,
                         Ptr<MobilityModel> b) const override;

    /// @param transmitter node that sends
    /// @param receiver another node
    /// @return mean received signal strength W at the receiver now [W], positive
    virtual double DoGetRssW(uint32_t transmitter, uint32_t receiver) const = 0;
};

} // namespace ns3::collab

#endif /* D2D_RSS_MODEL_H */
