/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_THRESHOLD_OUTAGE_MODEL_H
#define D2D_THRESHOLD_OUTAGE_MODEL_H

#include "d2d-outage-model.h"

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief A link without fading, which loses a fragment if and only if its capacity is too low.
 *
 * A fragment is lost if log2(1 + W / ((sigma^2 + I) M)) < r, with the margin M by which a real
 * receiver falls short of the capacity of the AWGN channel (the SNR gap; 0 dB for none). Of
 * combined transmissions the ratios W / (sigma^2 + I) add up. It suits
 * a received power that has fading of its own, such as that of ns-3's
 * NakagamiPropagationLossModel.
 */
class D2dThresholdOutageModel : public D2dOutageModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  private:
    double DoGetOutageProbability(const D2dSignal& signal) const override;
    std::optional<D2dQuality> DoGetQuality(const D2dSignal& signal) const override;
    double DoGetSpectralEfficiency(const D2dSignal& signal,
                                   double targetOutage,
                                   double least,
                                   double greatest) const override;

    /// @param signal a fragment at a receiver
    /// @return greatest rate at which it arrives [bit/s/Hz]
    double GetCapacity(const D2dSignal& signal) const;

    double m_marginDb = 0; //!< attribute Margin [dB]
};

} // namespace ns3::collab

#endif /* D2D_THRESHOLD_OUTAGE_MODEL_H */
