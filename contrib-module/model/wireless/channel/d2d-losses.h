/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_LOSSES_H
#define D2D_LOSSES_H

#include "ns3/d2d-block-fading.h"
#include "ns3/d2d-channel-settings.h"
#include "ns3/d2d-link.h"
#include "ns3/d2d-outage-model.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief What becomes of fragments on the links of a D2dChannel: noise, fading, and the
/// probabilities of losing them that the outage model says.
class D2dLosses
{
  public:
    /// @param settings what the channel's attributes say; outlives the use of this
    /// @param fadingStream stream of fading that is correlated in time
    D2dLosses(const D2dChannelSettings& settings, int64_t fadingStream);

    /// @param model model of the probability of losing a fragment
    void
    SetOutageModel(Ptr<D2dOutageModel> model)
    {
        m_outageModel = model;
    }
    /// @return what gives it
    Ptr<D2dOutageModel>
    GetOutageModel() const
    {
        return m_outageModel;
    }
    /// @param bandwidthHz bandwidth of the transmitter's subchannel [Hz]
    /// @return noise power sigma^2 in that band [W]: the attribute NoisePower, or k T B F with
    /// T = 290 K if that is 0
    double GetNoiseW(double bandwidthHz) const;
    /// @param signal a fragment at a receiver
    /// @return probability of losing it
    double GetOutageProbability(const D2dSignal& signal) const;
    /// @param transmitter a device
    /// @param link link from it to another one
    /// @param disturbance other signals at the receiver
    /// @param spectralEfficiency rate of the fragment [bit/s/Hz]
    /// @param fragmentBytes its length on the air; 0 for the longest that the transmitter sends
    /// @return probability that the link loses a fragment; 1 out of range
    double GetOutageProbability(const D2dPhy& transmitter,
                                const D2dLink& link,
                                const D2dDisturbance& disturbance,
                                double spectralEfficiency,
                                uint32_t fragmentBytes = 0) const;
    /// @param transmitter a device
    /// @param link link from it to another one
    /// @param spectralEfficiency rate of a fragment [bit/s/Hz]
    /// @return how much others disturb it there if they fade [1/W], or 0 if they add to the noise;
    /// see D2dOutageModel::GetInterferenceScale()
    double GetInterferenceScale(const D2dPhy& transmitter,
                                const D2dLink& link,
                                double spectralEfficiency) const;
    /// @brief Say what a link does in the present interval of coherence of the outage model.
    /// @param transmitter a device
    /// @param receiver another one
    /// @param probability probability that a fragment is lost, over all fading
    /// @return 0 or 1: whether it is lost as the link fades now, or the probability itself if
    /// fading is independent from one fragment to the next
    double Fade(const D2dPhy& transmitter, const D2dPhy& receiver, double probability);
    /// @brief Say what a transmission is worth to a receiver that combines it with others.
    /// @param transmitter a device
    /// @param link link from there to another one
    /// @param disturbance other signals in its band
    /// @param spectralEfficiency rate r of the fragment [bit/s/Hz]
    /// @param fragmentBytes its length on the air
    /// @return its worth, constant as long as the link fades as it does now if fading lasts
    /// @throws UserError if the outage model knows nothing of combining
    D2dQuality GetQuality(const D2dPhy& transmitter,
                          const D2dLink& link,
                          const D2dDisturbance& disturbance,
                          double spectralEfficiency,
                          uint32_t fragmentBytes);
    /// @brief Say which power a radio reads off what has arrived of a burst.
    /// @param transmitter a device
    /// @param link link from there to another one
    /// @param spectralEfficiency rate r of the burst [bit/s/Hz]
    /// @param fragments number of its fragments that have arrived
    /// @param random draws fading that is independent from one fragment to the next
    /// @return the present power of a link whose fading lasts, else the mean over the fragments,
    /// each of which was strong enough to arrive; the mean power of the link where the outage model
    /// says nothing of its fading [W]
    double ReadRssW(const D2dPhy& transmitter,
                    const D2dLink& link,
                    double spectralEfficiency,
                    uint32_t fragments,
                    RandomVariableStream& random);
    /// @param transmitter a device
    /// @param link link from there to another one, in range
    /// @param uniform uniform number in [0, 1), for fading that does not last
    /// @return how the link fades: present power over the mean one
    /// @throws UserError if the outage model knows nothing of fading
    double GetFading(const D2dPhy& transmitter, const D2dLink& link, double uniform);
    /// @return how long links fade, and are good or bad, as they do now; 0 if they never change
    Time GetTimeToFading() const;
    /// @param sender a device that waits for an acknowledgment
    /// @param link link from it to the device that acknowledges
    /// @param turnaround the sender's turnaround time
    /// @param interferersW powers of signals from outside that are at the sender now [W]
    /// @return probability that the acknowledgment is lost, at the rate and in the band of the
    /// device that acknowledges, or comes too late: the way forth and back must fit in half of the
    /// sender's turnaround time, the other half is the receiver's. A turnaround time of 0 is as
    /// long as that way
    double GetAcknowledgmentLoss(const D2dPhy& sender,
                                 const D2dLink& link,
                                 Time turnaround,
                                 const std::vector<double>& interferersW = {}) const;
    /// @param sender a device
    /// @param link link from it to another one
    /// @param targetOutage outage probability that is accepted
    /// @param least lowest rate [bit/s/Hz]
    /// @param greatest highest rate [bit/s/Hz]
    /// @return see D2dAir::FindSpectralEfficiency()
    std::optional<double> FindSpectralEfficiency(const D2dPhy& sender,
                                                 const D2dLink& link,
                                                 double targetOutage,
                                                 double least,
                                                 double greatest) const;
    /// @param signal a fragment at a receiver, at any rate
    /// @param targetOutage outage probability that is accepted
    /// @param least lowest rate [bit/s/Hz]
    /// @param greatest highest rate [bit/s/Hz]
    /// @return highest rate in between that has it; nothing if none has [bit/s/Hz]
    std::optional<double> FindSpectralEfficiency(D2dSignal signal,
                                                 double targetOutage,
                                                 double least,
                                                 double greatest) const;

  private:
    /// @param transmitter a device
    /// @param link link from it to another one
    /// @param spectralEfficiency rate of a fragment [bit/s/Hz]
    /// @return the fragment there, without interference
    D2dSignal MakeSignal(const D2dPhy& transmitter,
                         const D2dLink& link,
                         double spectralEfficiency) const;

    const D2dChannelSettings& m_settings; //!< what the channel's attributes say
    Ptr<D2dOutageModel> m_outageModel;    //!< gives probabilities
    D2dBlockFading m_fading;              //!< how links fade, if for a time
};

} // namespace ns3::collab

#endif /* D2D_LOSSES_H */
