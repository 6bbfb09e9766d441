/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_SHADOWING_MODEL_H
#define D2D_SHADOWING_MODEL_H

#include "ns3/d2d-counter-random.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/vector.h"

#include <cstdint>
#include <map>
#include <utility>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Log-normal shadowing that is the same both ways of a link and changes as its ends move.
 *
 * The received power is the power given to the model minus X dB, and X of a link is normal with
 * mean 0. It has the autocorrelation exp(-d / d_c) over a distance d (M. Gudmundson, "Correlation
 * model for shadow fading in mobile radio systems", 1991): when a link is asked for and its ends
 * have moved by d in all since it was asked for last, X becomes rho X + sqrt(1 - rho^2) X' with rho
 * = exp(-d / d_c) and a new X'. d is the sum of what the two ends moved, which makes the
 * correlation the product of both ends'. With d_c = 0 a link's X never changes.
 *
 * The movement between two queries counts as a straight line. Links are independent of each other,
 * however near their ends are. A link is known by the nodes that the mobility models are aggregated
 * to; the n-th new X' of a link is a function of RngSeed, RngRun, stream, link and n alone.
 */
class D2dShadowingModel : public PropagationLossModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    void DoDispose() override;

  private:
    /// The ends of a link, the lower number first
    using Link = std::pair<uint32_t, uint32_t>;

    /// What is remembered of a link.
    struct State
    {
        Vector first;         //!< where the first end was
        Vector second;        //!< where the second end was
        double value = 0;     //!< X / StandardDeviation
        uint64_t counter = 0; //!< numbers drawn so far
    };

    double DoCalcRxPower(double txPowerDbm,
                         Ptr<MobilityModel> a,
                         Ptr<MobilityModel> b) const override;
    int64_t DoAssignStreams(int64_t stream) override;

    /**
     * @param link a link
     * @param first where its first end is now
     * @param second where its second end is now
     * @return X / StandardDeviation now
     */
    double Update(const Link& link, const Vector& first, const Vector& second) const;

    double m_standardDeviationDb;           //!< attribute StandardDeviation [dB]
    double m_decorrelationDistance;         //!< attribute DecorrelationDistance [m]
    D2dCounterRandom m_random;              //!< draws the values
    mutable std::map<Link, State> m_states; //!< of the links that were asked for
};

} // namespace collab
} // namespace ns3

#endif /* D2D_SHADOWING_MODEL_H */
