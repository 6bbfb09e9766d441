/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_DYNAMIC_RSS_MODEL_H
#define D2D_DYNAMIC_RSS_MODEL_H

#include "d2d-rss-model.h"

#include "ns3/d2d-counter-random.h"
#include "ns3/nstime.h"

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Mean received signal strength that changes at random from one interval to the next.
 *
 * In the interval k = floor(now / Interval) the W_ij(k) of every link has a truncated normal
 * distribution, independent of all other links and intervals. The defaults are those of the dynamic
 * scenario of Wagle et al., "Multi-Agent Reinforcement Learning for Graph Discovery in
 * D2D-Enabled Federated Learning" (Fig. 9). The value of a link in an interval is a function of
 * RngSeed, RngRun, stream, link and k alone: it does not depend on which other links were asked
 * for, nor on how often. From HoldStart to HoldEnd all links keep the values of the interval that
 * holds HoldStart, for what is decided by these values and takes longer than an interval.
 *
 * Minimum below Maximum, and some probability between them, is checked when a value is asked for:
 * a UserError if it does not hold.
 */
class D2dDynamicRssModel : public D2dRssModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  private:
    double DoGetRssW(uint32_t transmitter, uint32_t receiver) const override;
    int64_t DoAssignStreams(int64_t stream) override;

    /// @param uniform number in (0, 1)
    /// @return the quantile of the truncated normal distribution there [W]
    double GetQuantile(double uniform) const;

    double m_meanW = 0.3;              //!< attribute Mean [W]
    double m_standardDeviationW = 0.1; //!< attribute StandardDeviation [W]
    double m_minimumW = 0.05;          //!< attribute Minimum [W]
    double m_maximumW = 0.55;          //!< attribute Maximum [W]
    Time m_interval;                   //!< attribute Interval
    Time m_holdStart;                  //!< attribute HoldStart
    Time m_holdEnd;                    //!< attribute HoldEnd
    D2dCounterRandom m_random;         //!< draws the values
};

} // namespace ns3::collab

#endif /* D2D_DYNAMIC_RSS_MODEL_H */
