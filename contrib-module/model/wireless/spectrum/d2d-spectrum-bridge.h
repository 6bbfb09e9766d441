/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_SPECTRUM_BRIDGE_H
#define D2D_SPECTRUM_BRIDGE_H

#include "ns3/d2d-outside.h"
#include "ns3/nstime.h"
#include "ns3/spectrum-channel.h"
#include "ns3/spectrum-model.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

class D2dChannel;
class D2dNetDevice;
class D2dPhy;
class D2dSpectrumPhy;

/**
 * @ingroup collab-wireless
 * @brief Lets the devices of a D2dChannel and the radios of a SpectrumChannel disturb each other.
 *
 * Each device has a place on the SpectrumChannel. What it hears there, of Wi-Fi, lr-wpan, a
 * waveform generator or any other SpectrumPhy, is integrated over its subchannels, and disturbs it
 * as a signal of another device would for exactly as long as it lasts: the outage model says
 * whether its power adds to the noise or fades. Where devices sense each other, they defer to it.
 * What a device sends, each fragment and acknowledgment, is there a signal whose power is spread
 * evenly over the device's subchannel.
 *
 * Subchannels lie side by side, as wide as the Bandwidth of the devices, around CarrierFrequency.
 * Where there are as many of them as devices (OFDMA without a number of Subchannels) all are in one
 * place: those outside see one band that is not divided, though the devices do not disturb each
 * other. Signals of the devices reach each other by the D2dChannel alone; losses to and from those
 * outside are those of the SpectrumChannel, which has to be one of several models
 * (MultiModelSpectrumChannel).
 *
 * Every fragment is played by itself, whatever the channel's fidelity.
 */
class D2dSpectrumBridge : public D2dOutside
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dSpectrumBridge();
    ~D2dSpectrumBridge() override;

    /**
     * @brief Connect all devices of a channel, those that will join it too.
     *
     * Subchannels, access and bandwidth must be set before. The channel keeps this object.
     *
     * @param channel the devices' channel, which has no such bridge
     * @param spectrum where others send
     * @throws UserError if the channel has a bridge, devices differ in Bandwidth, or all radios of
     * the SpectrumChannel have the same bands
     */
    void Connect(Ptr<D2dChannel> channel, Ptr<SpectrumChannel> spectrum);
    /// @param device a device of the channel
    /// @return its place on the SpectrumChannel
    Ptr<SpectrumPhy> GetSpectrumPhy(Ptr<const D2dNetDevice> device) const;
    /// @param device a device of the channel
    /// @return power of the signals from outside there now, in the subchannel that it sends on [W]
    double GetInterferenceW(Ptr<const D2dNetDevice> device) const;

    /// @param device a device that has joined the channel
    /// @throws UserError if its Bandwidth is not that of the others
    void Add(Ptr<D2dNetDevice> device) override;
    void Transmit(const D2dPhy& device, uint32_t subchannel, Time duration) override;
    std::vector<double> GetInterferersW(const D2dPhy& transmitter,
                                        const D2dPhy& receiver) const override;

  protected:
    void DoDispose() override;

  private:
    double m_carrierHz;                         //!< attribute CarrierFrequency [Hz]
    double m_bandwidthHz = 0;                   //!< of a subchannel [Hz]
    D2dChannel* m_channel = nullptr;            //!< the devices' channel, which keeps this object
    Ptr<SpectrumChannel> m_spectrum;            //!< where others send
    Ptr<SpectrumModel> m_model;                 //!< a band for each subchannel
    std::vector<Ptr<D2dSpectrumPhy>> m_devices; //!< by their index at the channel
};

} // namespace ns3::collab

#endif /* D2D_SPECTRUM_BRIDGE_H */
