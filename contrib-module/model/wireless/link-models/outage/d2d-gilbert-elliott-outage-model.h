/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_GILBERT_ELLIOTT_OUTAGE_MODEL_H
#define D2D_GILBERT_ELLIOTT_OUTAGE_MODEL_H

#include "d2d-outage-model.h"

#include "ns3/d2d-counter-random.h"

#include <cstdint>
#include <optional>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Links that are good or bad by turns: the channel of Gilbert and Elliott.
 *
 * Each link has a state of its own, a Markov chain in steps of StateStep: a good one is bad in the
 * next step with probability StateStep / MeanGoodTime, a bad one good with StateStep / MeanBadTime
 * (E. N. Gilbert, "Capacity of a burst-noise channel", 1960; E. O. Elliott, "Estimates of error
 * rates for codes on burst-noise channels", 1963). In a good one a fragment is lost as another
 * outage model says; in a bad one its power is less by BadLoss, and it is lost with BadOutage
 * besides, whatever its power.
 *
 * The state depends on the link and the step alone, and not on who asked before.
 */
class D2dGilbertElliottOutageModel : public D2dOutageModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param stream number of the stream that states are drawn from
    /// @return number of streams that are used
    int64_t AssignStreams(int64_t stream);
    /// @param transmitter node that sends
    /// @param receiver node that receives
    /// @return whether the link from one to the other is bad now
    /// @throws UserError if a mean time is so short that a state would last less than a step
    bool IsBad(uint32_t transmitter, uint32_t receiver) const;

    double GetInterferenceScale(const D2dSignal& signal) const override;
    Time GetStateStep() const override;

  protected:
    void NotifyConstructionCompleted() override;

  private:
    /// Probabilities of a change of state from one step to the next
    struct Chain
    {
        double toBad = 0;  //!< of a good link
        double toGood = 0; //!< of a bad one
    };

    double DoGetOutageProbability(const D2dSignal& signal) const override;
    std::optional<D2dQuality> DoGetQuality(const D2dSignal& signal) const override;
    /// @return how states change
    Chain GetChain() const;
    /// @param signal a fragment at a receiver
    /// @param bad whether its link is
    /// @return what the other model sees of it
    D2dSignal Weaken(D2dSignal signal, bool bad) const;

    Ptr<D2dOutageModel> m_model; //!< attribute OutageModel
    Time m_meanGood;             //!< attribute MeanGoodTime
    Time m_meanBad;              //!< attribute MeanBadTime
    Time m_step;                 //!< attribute StateStep
    double m_badLossDb = 0;      //!< attribute BadLoss [dB]
    double m_badOutage = 1;      //!< attribute BadOutage
    bool m_reciprocal = false;   //!< attribute Reciprocal
    /// See AssignStreams(); users give numbers that are far below
    int64_t m_stream = int64_t{5} << 59;
    mutable std::optional<D2dCounterRandom> m_random; //!< draws states; made when it is needed
};

} // namespace ns3::collab

#endif /* D2D_GILBERT_ELLIOTT_OUTAGE_MODEL_H */
