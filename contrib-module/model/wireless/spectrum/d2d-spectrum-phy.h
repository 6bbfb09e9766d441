/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_SPECTRUM_PHY_H
#define D2D_SPECTRUM_PHY_H

#include "ns3/spectrum-model.h"
#include "ns3/spectrum-phy.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

class D2dNetDevice;
class D2dSignals;
class D2dSpectrumBridge;

/**
 * @ingroup collab-wireless
 * @brief The place of a D2D device on a SpectrumChannel; D2dSpectrumBridge makes it.
 *
 * It has no antenna: others hear the device equally well in all directions. A device that is off
 * is disturbed as well, for it may be switched on before the signal ends.
 */
class D2dSpectrumPhy : public SpectrumPhy
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dSpectrumPhy();
    ~D2dSpectrumPhy() override;

    /// @param bridge who makes it
    /// @param model a band for each subchannel
    void SetBridge(const D2dSpectrumBridge* bridge, Ptr<const SpectrumModel> model);
    /// @brief Let those on the SpectrumChannel hear the device.
    /// @param subchannel what it sends on
    /// @param duration for how long
    void Transmit(uint32_t subchannel, Time duration);
    /// @param subchannel number of a subchannel
    /// @return powers of the signals from outside that are there now [W]
    std::vector<double> GetPowersW(uint32_t subchannel) const;

    void SetDevice(Ptr<NetDevice> device) override;
    Ptr<NetDevice> GetDevice() const override;
    void SetMobility(Ptr<MobilityModel> mobility) override;
    Ptr<MobilityModel> GetMobility() const override;
    void SetChannel(Ptr<SpectrumChannel> channel) override;
    Ptr<const SpectrumModel>
    GetRxSpectrumModel() const override
    {
        return m_model;
    }
    Ptr<Object> GetAntenna() const override;
    void StartRx(Ptr<SpectrumSignalParameters> params) override;

  protected:
    void DoDispose() override;

  private:
    /// A signal from outside, on one subchannel
    struct Foreign
    {
        uint32_t subchannel = 0; //!< which one
        uint64_t signal = 0;     //!< its number there, see D2dSubchannels
        double powerW = 0;       //!< its power there [W]
        Time end;                //!< when it is over
        bool sensed = false;     //!< whether the device defers to it
    };

    /// @return the signals of the devices' channel
    D2dSignals& GetSignals() const;
    /// @brief A signal begins.
    /// @param subchannel what it is on
    /// @param powerW its power there [W]
    /// @param duration for how long
    void Begin(uint32_t subchannel, double powerW, Time duration);
    /// @brief A signal is over.
    /// @param subchannel what it was on
    /// @param signal its number there
    void End(uint32_t subchannel, uint64_t signal);

    const D2dSpectrumBridge* m_bridge = nullptr; //!< who has made it
    Ptr<const SpectrumModel> m_model;            //!< a band for each subchannel
    Ptr<D2dNetDevice> m_device;                  //!< the device
    Ptr<MobilityModel> m_mobility;               //!< where it is, or null to ask its node
    Ptr<SpectrumChannel> m_channel;              //!< where others send
    std::vector<Foreign> m_heard;                //!< what is there now
};

} // namespace ns3::collab

#endif /* D2D_SPECTRUM_PHY_H */
