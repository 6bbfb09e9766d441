/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-spectrum-phy.h"

#include "ns3/d2d-channel.h"
#include "ns3/d2d-medium.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-phy.h"
#include "ns3/log.h"
#include "ns3/mobility-model.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/spectrum-channel.h"
#include "ns3/spectrum-signal-parameters.h"
#include "ns3/spectrum-value.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2dSpectrumPhy");
NS_OBJECT_ENSURE_REGISTERED(D2dSpectrumPhy);

TypeId
D2dSpectrumPhy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::D2dSpectrumPhy")
                            .SetParent<SpectrumPhy>()
                            .SetGroupName("Collab")
                            .AddConstructor<D2dSpectrumPhy>();
    return tid;
}

D2dSpectrumPhy::D2dSpectrumPhy()
{
    NS_LOG_FUNCTION(this);
}

D2dSpectrumPhy::~D2dSpectrumPhy() = default;

void
D2dSpectrumPhy::SetBridge(const D2dSpectrumBridge* bridge, Ptr<const SpectrumModel> model)
{
    m_bridge = bridge;
    m_model = model;
}

void
D2dSpectrumPhy::SetDevice(Ptr<NetDevice> device)
{
    m_device = DynamicCast<D2dNetDevice>(device);
}

Ptr<NetDevice>
D2dSpectrumPhy::GetDevice() const
{
    return m_device;
}

void
D2dSpectrumPhy::SetMobility(Ptr<MobilityModel> mobility)
{
    m_mobility = mobility;
}

Ptr<MobilityModel>
D2dSpectrumPhy::GetMobility() const
{
    return m_mobility ? m_mobility : m_device->GetNode()->GetObject<MobilityModel>();
}

void
D2dSpectrumPhy::SetChannel(Ptr<SpectrumChannel> channel)
{
    m_channel = channel;
}

Ptr<Object>
D2dSpectrumPhy::GetAntenna() const
{
    return nullptr;
}

D2dSignals&
D2dSpectrumPhy::GetSignals() const
{
    return m_device->GetD2dChannel()->GetMedium()->Signals();
}

void
D2dSpectrumPhy::Transmit(uint32_t subchannel, Time duration)
{
    const double powerW = std::pow(10.0, (m_device->GetPhy()->GetTxPowerDbm() - 30) / 10);
    const BandInfo& band = *(m_model->Begin() + subchannel);
    Ptr<SpectrumValue> density = Create<SpectrumValue>(m_model);
    (*density)[subchannel] = powerW / (band.fh - band.fl);
    Ptr<SpectrumSignalParameters> signal = Create<SpectrumSignalParameters>();
    signal->psd = density;
    signal->duration = duration;
    signal->txPhy = this;
    m_channel->StartTx(signal);
}

void
D2dSpectrumPhy::StartRx(Ptr<SpectrumSignalParameters> params)
{
    NS_LOG_FUNCTION(this << params);
    const auto* other = dynamic_cast<const D2dSpectrumPhy*>(PeekPointer(params->txPhy));
    const bool isOwn = other && other->m_bridge == m_bridge; // D2dChannel brings it here
    if (isOwn || !params->duration.IsStrictlyPositive())
    {
        return;
    }
    uint32_t subchannel = 0;
    for (auto band = m_model->Begin(); band != m_model->End(); ++band, ++subchannel)
    {
        const double powerW = (*params->psd)[subchannel] * (band->fh - band->fl);
        if (powerW > 0)
        {
            Begin(subchannel, powerW, params->duration);
        }
    }
}

void
D2dSpectrumPhy::Begin(uint32_t subchannel, double powerW, Time duration)
{
    D2dPhy& phy = *m_device->GetPhy();
    D2dSignals& signals = GetSignals();
    Foreign foreign;
    foreign.subchannel = subchannel;
    // Past what leaks: each subchannel has its own part of the signal
    foreign.signal = signals.GetSubchannels()
                         ->Find(subchannel)
                         .Begin({{phy.GetChannelIndex(), powerW}}, {}, duration);
    foreign.powerW = powerW;
    foreign.end = Simulator::Now() + duration;
    foreign.sensed = signals.SensesOn(phy, subchannel) && phy.GetUser().BeginSensing(powerW);
    m_heard.push_back(foreign);
    Simulator::Schedule(
        duration, &D2dSpectrumPhy::End, Ptr<D2dSpectrumPhy>(this), subchannel, foreign.signal);
}

void
D2dSpectrumPhy::End(uint32_t subchannel, uint64_t signal)
{
    GetSignals().GetSubchannels()->End(subchannel, signal);
    const auto found = std::find_if(m_heard.begin(), m_heard.end(), [=](const Foreign& foreign) {
        return foreign.subchannel == subchannel && foreign.signal == signal;
    });
    const bool sensed = found->sensed;
    m_heard.erase(found);
    if (sensed)
    {
        m_device->GetPhy()->GetUser().EndSensing(); // the device may send at once
    }
}

std::vector<double>
D2dSpectrumPhy::GetPowersW(uint32_t subchannel) const
{
    std::vector<double> powersW;
    for (const auto& foreign : m_heard)
    {
        if (foreign.subchannel == subchannel && foreign.end > Simulator::Now())
        {
            powersW.push_back(foreign.powerW);
        }
    }
    return powersW;
}

void
D2dSpectrumPhy::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_bridge = nullptr;
    m_device = nullptr;
    m_mobility = nullptr;
    m_channel = nullptr;
    m_heard.clear();
    SpectrumPhy::DoDispose();
}

} // namespace ns3::collab
