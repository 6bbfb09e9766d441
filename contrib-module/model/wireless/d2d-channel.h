/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_CHANNEL_H
#define D2D_CHANNEL_H

#include "d2d-outage-model.h"

#include "ns3/channel.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/propagation-loss-model.h"

#include <map>
#include <vector>

namespace ns3
{
namespace collab
{

class D2dNetDevice;

/// @ingroup collab
/// @brief How finely the radio is simulated. Both agree in distribution.
enum class D2dFidelity
{
    PACKET, //!< every fragment is a packet, with events and outage draws of its own
    BURST,  //!< a message is one event a receiver, whatever its size
};

/// @ingroup collab
/// @brief The link from one device to another at one moment.
struct D2dLink
{
    Ptr<D2dNetDevice> receiver;         //!< the other end
    double rssW = 0;                    //!< mean received signal strength [W]
    double outageProbability = 1;       //!< of a fragment from the sender to the receiver
    double returnOutageProbability = 1; //!< of an acknowledgment on the way back
    Time delay;                         //!< propagation delay
    bool inRange = false;               //!< whether the power reaches the receiver's sensitivity
};

/**
 * @ingroup collab
 * @brief The air between D2D devices.
 *
 * Mean received signal strength comes from a chain of ns-3 propagation loss models and the mobility
 * models of the nodes, read when a burst begins; from it the outage model makes the probability of
 * losing a fragment. Access is orthogonal (OFDMA): each transmitter has a subchannel of its own, so
 * that transmissions never interfere and a device can hear several at once.
 */
class D2dChannel : public Channel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    D2dChannel();

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /**
     * @param device a device that shall use this channel; called by D2dNetDevice::SetChannel
     */
    void Add(Ptr<D2dNetDevice> device);

    /**
     * @param model head of the chain of models that gives the received power
     */
    void SetPropagationLossModel(Ptr<PropagationLossModel> model);

    /**
     * @param address of a device
     * @return the device, or null if this channel has none with that address
     */
    Ptr<D2dNetDevice> FindDevice(Mac48Address address) const;

    /**
     * @param transmitter a device of this channel
     * @param receiver another one
     * @return the link between them now
     */
    D2dLink GetLink(Ptr<const D2dNetDevice> transmitter, Ptr<D2dNetDevice> receiver) const;

    /**
     * @param transmitter a device of this channel
     * @return links to all other devices in range of it now, in the order in which they were added
     */
    std::vector<D2dLink> GetLinks(Ptr<const D2dNetDevice> transmitter) const;

    /**
     * @param transmitter a device of this channel
     * @param receiver another one
     * @return mean received signal strength now [W], linear
     */
    double GetRssW(Ptr<const D2dNetDevice> transmitter, Ptr<const D2dNetDevice> receiver) const;

    /**
     * @param bandwidthHz bandwidth of the transmitter's subchannel [Hz]
     * @return noise power sigma^2 = k T B F in that band [W], T = 290 K
     */
    double GetNoiseW(double bandwidthHz) const;

    /// @return how finely the radio is simulated
    D2dFidelity GetFidelity() const;

    /**
     * @brief Assign a fixed stream to the random variables of the propagation models.
     *
     * @param stream first stream index to use
     * @return number of stream indices used
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /**
     * @param transmitter a device of this channel
     * @param receiver another one
     * @param rssW received signal strength at the receiver [W]
     * @return probability that the link loses a fragment
     */
    double GetOutageProbability(Ptr<const D2dNetDevice> transmitter,
                                Ptr<const D2dNetDevice> receiver,
                                double rssW) const;

    std::vector<Ptr<D2dNetDevice>> m_devices;      //!< in the order of adding
    std::map<Mac48Address, std::size_t> m_indexOf; //!< address to index in m_devices
    Ptr<PropagationLossModel> m_lossModel;         //!< attribute PropagationLossModel
    Ptr<PropagationDelayModel> m_delayModel;       //!< attribute PropagationDelayModel
    Ptr<D2dOutageModel> m_outageModel;             //!< attribute OutageModel
    double m_noiseFigureDb;                        //!< attribute NoiseFigure [dB]
    D2dFidelity m_fidelity;                        //!< attribute Fidelity
};

} // namespace collab
} // namespace ns3

#endif /* D2D_CHANNEL_H */
