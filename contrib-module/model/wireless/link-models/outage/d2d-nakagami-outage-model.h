/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_NAKAGAMI_OUTAGE_MODEL_H
#define D2D_NAKAGAMI_OUTAGE_MODEL_H

#include "d2d-outage-model.h"

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Outage of a link with Nakagami-m fading: P = P(m, m (2^r - 1) sigma^2 / W).
 *
 * P(a, x) is the regularized lower incomplete gamma function. Under Nakagami-m fading the received
 * power has a gamma distribution of shape m and mean W (M. Nakagami, "The m-distribution - a
 * general formula of intensity distribution of rapid fading", 1960). m = 1 is Rayleigh fading, m <
 * 1 is worse, and with growing m fading vanishes. Interference adds to the noise. Use it with a
 * received power that has no fading of its own. k combined transmissions have the shape k m.
 */
class D2dNakagamiOutageModel : public D2dOutageModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  private:
    double DoGetOutageProbability(const D2dSignal& signal) const override;
    std::optional<D2dQuality> DoGetQuality(const D2dSignal& signal) const override;

    double m_m = 1; //!< attribute M, shape m
};

} // namespace ns3::collab

#endif /* D2D_NAKAGAMI_OUTAGE_MODEL_H */
