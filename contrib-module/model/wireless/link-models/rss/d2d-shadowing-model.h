/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_SHADOWING_MODEL_H
#define D2D_SHADOWING_MODEL_H

#include "ns3/d2d-counter-random.h"
#include "ns3/propagation-loss-model.h"

#include <cstdint>
#include <memory>

namespace ns3::collab
{

class D2dShadowingField;

/**
 * @ingroup collab-wireless
 * @brief Log-normal shadowing that is the same both ways of a link and changes as its ends move.
 *
 * The received power is the power given to the model minus X dB, and X of a link is normal with
 * mean 0. When its ends are at distances d_a and d_b from where they were, X has the
 * autocorrelation exp(-(d_a + d_b) / d_c) (M. Gudmundson, "Correlation model for shadow fading in
 * mobile radio systems", 1991), the product of both ends'. With d_c = 0 a link's X never changes.
 *
 * X is a function of RngSeed, RngRun, stream, link and the places of both ends alone, of which
 * nothing is remembered: a device that comes back has the X that it had, and asking changes
 * nothing. Links are independent of each other, however near their ends are. A link is known by the
 * nodes that the mobility models are aggregated to.
 */
class D2dShadowingModel : public PropagationLossModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dShadowingModel();
    ~D2dShadowingModel() override;

  private:
    double DoCalcRxPower(double txPowerDbm,
                         Ptr<MobilityModel> a,
                         Ptr<MobilityModel> b) const override;
    int64_t DoAssignStreams(int64_t stream) override;

    /// @return how often streams were assigned, the only change that no other attribute tells
    uint32_t
    CountChanges() const
    {
        return m_changes;
    }

    double m_standardDeviationDb = 8;   //!< attribute StandardDeviation [dB]
    double m_decorrelationDistance = 0; //!< attribute DecorrelationDistance [m]
    D2dCounterRandom m_random;          //!< draws the values
    uint32_t m_changes = 0;             //!< see CountChanges()
    /// Values of links whose ends move; made when it is first needed
    mutable std::unique_ptr<const D2dShadowingField> m_field;
};

} // namespace ns3::collab

#endif /* D2D_SHADOWING_MODEL_H */
