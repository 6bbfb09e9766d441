/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-spectrum-bridge.h"

#include "d2d-spectrum-phy.h"

#include "ns3/abort.h"
#include "ns3/collab-error.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-medium.h"
#include "ns3/d2d-net-device.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/single-model-spectrum-channel.h"

#include <numeric>
#include <string>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2dSpectrumBridge");
NS_OBJECT_ENSURE_REGISTERED(D2dSpectrumBridge);

namespace
{

/// @param carrierHz frequency in the middle [Hz]
/// @param bandwidthHz width of a band [Hz]
/// @param count number of bands
/// @return bands side by side
Ptr<SpectrumModel>
MakeBands(double carrierHz, double bandwidthHz, uint32_t count)
{
    const double lowest = carrierHz - bandwidthHz * count / 2;
    if (lowest < 0)
    {
        throw UserError("D2dSpectrumBridge: " + std::to_string(count) + " subchannels of " +
                        std::to_string(bandwidthHz) + " Hz do not fit around a CarrierFrequency " +
                        "of " + std::to_string(carrierHz) + " Hz");
    }
    Bands bands(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        bands[i].fl = lowest + i * bandwidthHz;
        bands[i].fc = lowest + (i + 0.5) * bandwidthHz;
        bands[i].fh = lowest + (i + 1.0) * bandwidthHz;
    }
    return Create<SpectrumModel>(bands);
}

} // namespace

TypeId
D2dSpectrumBridge::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dSpectrumBridge")
            .SetParent<Object>()
            .SetGroupName("Collab")
            .AddConstructor<D2dSpectrumBridge>()
            .AddAttribute("CarrierFrequency",
                          "Middle of the band of the devices, with all subchannels [Hz].",
                          DoubleValue(2.44e9),
                          MakeDoubleAccessor(&D2dSpectrumBridge::m_carrierHz),
                          MakeDoubleChecker<double>(0.0));
    return tid;
}

D2dSpectrumBridge::D2dSpectrumBridge()
{
    NS_LOG_FUNCTION(this);
}

D2dSpectrumBridge::~D2dSpectrumBridge() = default;

void
D2dSpectrumBridge::Connect(Ptr<D2dChannel> channel, Ptr<SpectrumChannel> spectrum)
{
    NS_LOG_FUNCTION(this << channel << spectrum);
    NS_ABORT_MSG_UNLESS(channel && spectrum, "D2dSpectrumBridge::Connect: there is no channel");
    if (m_channel || channel->GetMedium()->Signals().GetOutside())
    {
        throw UserError("D2dSpectrumBridge::Connect: a bridge connects one D2dChannel, and each "
                        "has one bridge at most");
    }
    if (DynamicCast<SingleModelSpectrumChannel>(spectrum))
    {
        throw UserError("D2dSpectrumBridge::Connect: all radios of a SingleModelSpectrumChannel "
                        "have the same bands; use a MultiModelSpectrumChannel");
    }
    m_channel = PeekPointer(channel);
    m_spectrum = spectrum;
    for (std::size_t i = 0; i < channel->GetNDevices(); ++i)
    {
        Add(DynamicCast<D2dNetDevice>(channel->GetDevice(i)));
    }
    channel->SetOutside(this);
}

void
D2dSpectrumBridge::Add(Ptr<D2dNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    const double bandwidthHz = device->GetPhy()->GetBandwidthHz();
    if (!m_model)
    {
        m_bandwidthHz = bandwidthHz;
        m_model = MakeBands(
            m_carrierHz, bandwidthHz, m_channel->GetMedium()->Signals().CountSubchannels());
    }
    if (bandwidthHz != m_bandwidthHz)
    {
        throw UserError("D2dSpectrumBridge: devices have Bandwidth " +
                        std::to_string(m_bandwidthHz) + " and " + std::to_string(bandwidthHz) +
                        " Hz; all must have the same");
    }
    Ptr<D2dSpectrumPhy> phy = CreateObject<D2dSpectrumPhy>();
    phy->SetBridge(this, m_model);
    phy->SetDevice(device);
    phy->SetChannel(m_spectrum);
    m_spectrum->AddRx(phy);
    m_devices.push_back(phy);
}

Ptr<SpectrumPhy>
D2dSpectrumBridge::GetSpectrumPhy(Ptr<const D2dNetDevice> device) const
{
    return m_devices.at(device->GetPhy()->GetChannelIndex());
}

double
D2dSpectrumBridge::GetInterferenceW(Ptr<const D2dNetDevice> device) const
{
    const D2dPhy& phy = *device->GetPhy();
    const std::vector<double> powersW = GetInterferersW(phy, phy);
    return std::accumulate(powersW.begin(), powersW.end(), 0.0);
}

std::vector<double>
D2dSpectrumBridge::GetInterferersW(const D2dPhy& transmitter, const D2dPhy& receiver) const
{
    return m_devices.at(receiver.GetChannelIndex())
        ->GetPowersW(m_channel->GetMedium()->Signals().GetSubchannel(transmitter));
}

void
D2dSpectrumBridge::Transmit(const D2dPhy& device, uint32_t subchannel, Time duration)
{
    m_devices.at(device.GetChannelIndex())->Transmit(subchannel, duration);
}

void
D2dSpectrumBridge::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (const auto& device : m_devices)
    {
        device->Dispose(); // the SpectrumChannel may still have it
    }
    m_devices.clear();
    m_channel = nullptr;
    m_spectrum = nullptr;
    m_model = nullptr;
    Object::DoDispose();
}

} // namespace ns3::collab
