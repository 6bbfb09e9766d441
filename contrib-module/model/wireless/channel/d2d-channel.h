/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_CHANNEL_H
#define D2D_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/d2d-channel-settings.h"
#include "ns3/d2d-link.h"
#include "ns3/d2d-outage-model.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/propagation-loss-model.h"

#include <string>
#include <vector>

namespace ns3::collab
{

class D2dMedium;
class D2dNetDevice;
class D2dOutside;

/**
 * @ingroup collab-wireless
 * @brief The air between D2D devices.
 *
 * Mean received signal strength comes from a chain of ns-3 propagation loss models and the mobility
 * models of the nodes, read when a burst begins, and every LinkUpdatePeriod from then on if there
 * is one; from it the outage model makes the probability of losing a fragment.
 *
 * Access is orthogonal by default (OFDMA): each transmitter has a subchannel of its own, however
 * many there are, so that transmissions never interfere and a device can hear several at once, as
 * many as its attribute D2dMac::MaxReceptions says. With a given number of subchannels
 * (Subchannels) devices that send on the same one interfere. A shared channel is a single
 * subchannel: whatever else is on air adds to the noise. With TDMA devices send in turns, one burst
 * each. Acknowledgments always have a control subchannel of their own.
 *
 * This is what a script sees of it. Radios, their medium access and transmissions use its
 * D2dMedium.
 */
class D2dChannel : public Channel, private D2dChannelSettings
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dChannel();
    ~D2dChannel() override;

    std::size_t
    GetNDevices() const override
    {
        return m_devices.size();
    }
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /// @return links, losses and signals
    const Ptr<D2dMedium>&
    GetMedium() const
    {
        return m_medium;
    }
    /// @param device a device that shall use this channel; called by D2dNetDevice::SetChannel
    void Add(Ptr<D2dNetDevice> device);

    /// @param model head of the chain of models that gives the received power
    void SetPropagationLossModel(Ptr<PropagationLossModel> model);

    /// @param model model that gives the propagation delay; null for none, which the attribute
    /// cannot say
    void SetPropagationDelayModel(Ptr<PropagationDelayModel> model);

    /// @param address address of a device
    /// @return the device, or null if this channel has none with that address
    Ptr<D2dNetDevice> FindDevice(Mac48Address address) const;

    /// @param node node of a device
    /// @return its device, the first one if it has several, or null if this channel has none there
    Ptr<D2dNetDevice> FindDeviceOfNode(uint32_t node) const;

    /// @param transmitter a device of this channel
    /// @param receiver another one
    /// @return the link between them now
    D2dLink GetLink(Ptr<const D2dNetDevice> transmitter, Ptr<const D2dNetDevice> receiver) const;

    /// @param transmitter a device of this channel
    /// @return links to all devices of other nodes in range of it now, in the order in which they
    /// were added
    const std::vector<D2dLink>& GetLinks(Ptr<const D2dNetDevice> transmitter) const;

    /// @brief Models, or all devices, have changed: find links anew.
    void InvalidateLinks();
    /// @return why links are computed anew at each send, all or those of devices that move, which
    /// takes longer; empty if all are kept
    std::string ExplainUnkeptLinks() const;
    /// @return what makes the simulation slower than its settings promise, a line each: fidelity
    /// Burst where fragments are simulated all the same, and models for whose sake no links are
    /// kept
    std::vector<std::string> FindHints() const;

    /// @param transmitter a device of this channel
    /// @param receiver another one
    /// @return probability that the link loses a fragment now, without interference, at the rate
    /// that the transmitter has by attribute; 1 out of range
    double GetOutageProbability(Ptr<const D2dNetDevice> transmitter,
                                Ptr<const D2dNetDevice> receiver) const;

    /// @param transmitter a device of this channel
    /// @param receiver another one
    /// @return mean received signal strength now [W], linear
    double GetRssW(Ptr<const D2dNetDevice> transmitter, Ptr<const D2dNetDevice> receiver) const;

    /// @param bandwidthHz bandwidth of the transmitter's subchannel [Hz]
    /// @return noise power sigma^2 in that band [W]: the attribute NoisePower, or k T B F with
    /// T = 290 K if that is 0
    double GetNoiseW(double bandwidthHz) const;

    /// @return how devices share the medium
    D2dAccess GetAccess() const;
    /// @return whether signals of devices can interfere
    using D2dChannelSettings::Interferes;
    /// @param device a device of this channel
    /// @return the subchannel that it sends on, from 0 on, where signals can interfere; else 0
    uint32_t GetSubchannel(Ptr<const D2dNetDevice> device) const;
    /// @param outside others who share the band; called by D2dSpectrumBridge::Connect()
    void SetOutside(Ptr<D2dOutside> outside);

    /// @brief Assign a fixed stream to the random variables of the propagation models.
    /// @param stream first stream index to use
    /// @return number of stream indices used
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /// @brief Describe what of the attributes is about the models of links.
    /// @param tid TypeId to add them to
    /// @return the same
    static TypeId AddModelAttributes(TypeId tid);
    /// @brief Describe what of the attributes is about access, and which links are kept.
    /// @param tid TypeId to add them to
    /// @return the same
    static TypeId AddAccessAttributes(TypeId tid);
    /// @brief Describe what of the attributes is about signals on air.
    /// @param tid TypeId to add them to
    /// @return the same
    static TypeId AddSignalAttributes(TypeId tid);
    /// @tparam T type of an attribute
    /// @param member what of the settings it is
    /// @return the same, as a member of the channel
    template <class T>
    static T D2dChannel::*
    Own(T D2dChannelSettings::*member)
    {
        return member;
    }
    /// @param marginDb power by which a fragment that captures a receiver is stronger [dB]
    void SetCaptureMarginDb(double marginDb);
    /// @return by how much it is stronger [dB]
    double
    GetCaptureMarginDb() const
    {
        return m_captureMarginDb;
    }
    /// @return head of the chain of models that gives the received power
    Ptr<PropagationLossModel> GetPropagationLossModel() const;
    /// @param model model of the probability of losing a fragment
    void SetOutageModel(Ptr<D2dOutageModel> model);
    /// @return what gives it
    Ptr<D2dOutageModel> GetOutageModel() const;
    /// @param noiseFigureDb noise figure of the receivers [dB]
    void SetNoiseFigureDb(double noiseFigureDb);
    /// @return noise figure of the receivers [dB]
    double
    GetNoiseFigureDb() const
    {
        return m_noiseFigureDb;
    }
    /// @return what gives the delay
    Ptr<PropagationDelayModel> GetPropagationDelayModel() const;

    Ptr<D2dMedium> m_medium;                  //!< see GetMedium()
    std::vector<Ptr<D2dNetDevice>> m_devices; //!< in the order of adding
    double m_noiseFigureDb;                   //!< attribute NoiseFigure [dB]
    double m_captureMarginDb;                 //!< attribute CaptureMargin [dB]
};

} // namespace ns3::collab

#endif /* D2D_CHANNEL_H */
