/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-channel.h"

#include "d2d-medium.h"

#include "ns3/abort.h"
#include "ns3/collab-error.h"
#include "ns3/d2d-neighbor-discovery.h"
#include "ns3/d2d-net-device.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2dChannel");
NS_OBJECT_ENSURE_REGISTERED(D2dChannel);

D2dChannel::D2dChannel()
    : m_medium(Create<D2dMedium>(static_cast<const D2dChannelSettings&>(*this), GetId()))
{
    NS_LOG_FUNCTION(this);
}

D2dChannel::~D2dChannel() = default;

Ptr<NetDevice>
D2dChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

void
D2dChannel::Add(Ptr<D2dNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    const Mac48Address address = Mac48Address::ConvertFrom(device->GetAddress());
    NS_ABORT_MSG_IF(m_medium->Links().Find(address),
                    "D2dChannel::Add: address "
                        << address << " is in use already; every device needs its own");
    if (!m_devices.empty() &&
        m_devices.back()->GetMac()->GetQueue() == device->GetMac()->GetQueue())
    {
        throw UserError(
            "two D2dNetDevices have one and the same TxQueue, as they do when it is set "
            "by a default value; each needs its own: use D2dHelper::SetQueue()");
    }
    m_devices.push_back(device);
    device->GetMac()->Join(m_medium);
    if (D2dOutside* outside = m_medium->Signals().GetOutside())
    {
        outside->Add(device);
    }
}

void
D2dChannel::SetPropagationLossModel(Ptr<PropagationLossModel> model)
{
    m_medium->Links().GetTopology().SetLossModel(model);
}

Ptr<PropagationLossModel>
D2dChannel::GetPropagationLossModel() const
{
    return m_medium->Links().GetTopology().GetPropagation().GetLossModel();
}

void
D2dChannel::SetPropagationDelayModel(Ptr<PropagationDelayModel> model)
{
    m_medium->Links().GetTopology().SetDelayModel(model);
}

Ptr<PropagationDelayModel>
D2dChannel::GetPropagationDelayModel() const
{
    return m_medium->Links().GetTopology().GetPropagation().GetDelayModel();
}

void
D2dChannel::InvalidateLinks()
{
    m_medium->Links().GetTopology().Invalidate();
}

std::string
D2dChannel::ExplainUnkeptLinks() const
{
    return m_medium->Links().GetTopology().ExplainUnkept();
}

std::vector<std::string>
D2dChannel::FindHints() const
{
    std::vector<std::string> hints;
    const bool waits = std::any_of(m_devices.begin(), m_devices.end(), [](const auto& device) {
        const D2dArqRules rules = device->GetMac()->GetArqRules();
        return rules.arq == D2dArq::STOP_AND_WAIT && rules.combining == D2dCombining::CHASE;
    });
    if (fidelity == D2dFidelity::BURST && m_medium->NeedsFragments(waits))
    {
        const std::string cause = m_medium->Signals().GetOutside()
                                      ? "where others use the band (SpectrumBridge)"
                                  : access == D2dAccess::SHARED ? "with Access=Shared"
                                                                : "with Subchannels";
        const std::string what = m_medium->NeedsFragments(false)
                                     ? " each fragment is simulated by itself, which takes longer"
                                     : " each fragment that is combined and acknowledged by itself "
                                       "is simulated by itself, which takes longer than "
                                       "ns3::collab::D2dMac::Arq=SelectiveRepeat";
        hints.push_back("ns3::collab::D2dChannel::Fidelity=Burst is not in use: " + cause + what);
    }
    const std::string doubt = keeping == D2dLinkKeeping::AUTO
                                  ? m_medium->Links().GetTopology().GetPropagation().FindDoubt()
                                  : "";
    if (!doubt.empty())
    {
        hints.push_back("links are computed anew at each send, which takes longer: " + doubt);
    }
    const bool isSilent = std::any_of(m_devices.begin(), m_devices.end(), [](const auto& device) {
        return device->GetDiscovery()->IsSilent();
    });
    if (isSilent)
    {
        hints.push_back("who has sent nothing for ns3::collab::D2dNeighborDiscovery::"
                        "NeighborTimeout, such as one that trains, is out of range to others, "
                        "which do not wait for it; a BeaconInterval above 0 lets them hear it");
    }
    return hints;
}

Ptr<D2dNetDevice>
D2dChannel::FindDevice(Mac48Address address) const
{
    const D2dPhy* radio = m_medium->Links().Find(address);
    return radio ? m_devices[radio->GetChannelIndex()] : nullptr;
}

Ptr<D2dNetDevice>
D2dChannel::FindDeviceOfNode(uint32_t node) const
{
    const D2dPhy* radio = m_medium->Links().FindOfNode(node);
    return radio ? m_devices[radio->GetChannelIndex()] : nullptr;
}

double
D2dChannel::GetRssW(Ptr<const D2dNetDevice> transmitter, Ptr<const D2dNetDevice> receiver) const
{
    return m_medium->Links().GetRssW(*transmitter->GetPhy(), *receiver->GetPhy());
}

double
D2dChannel::GetNoiseW(double bandwidthHz) const
{
    return m_medium->GetNoiseW(bandwidthHz);
}

void
D2dChannel::SetNoiseFigureDb(double noiseFigureDb)
{
    m_noiseFigureDb = noiseFigureDb;
    noiseFigure = std::pow(10.0, noiseFigureDb / 10);
}

void
D2dChannel::SetCaptureMarginDb(double marginDb)
{
    m_captureMarginDb = marginDb;
    captureRatio = std::pow(10.0, marginDb / 10);
}

D2dLink
D2dChannel::GetLink(Ptr<const D2dNetDevice> transmitter, Ptr<const D2dNetDevice> receiver) const
{
    return m_medium->Links().GetLink(*transmitter->GetPhy(), *receiver->GetPhy());
}

const std::vector<D2dLink>&
D2dChannel::GetLinks(Ptr<const D2dNetDevice> transmitter) const
{
    return m_medium->Links().GetLinks(*transmitter->GetPhy());
}

void
D2dChannel::SetOutageModel(Ptr<D2dOutageModel> model)
{
    m_medium->Losses().SetOutageModel(model);
    InvalidateLinks(); // they keep probabilities
}

Ptr<D2dOutageModel>
D2dChannel::GetOutageModel() const
{
    return m_medium->Losses().GetOutageModel();
}

double
D2dChannel::GetOutageProbability(Ptr<const D2dNetDevice> transmitter,
                                 Ptr<const D2dNetDevice> receiver) const
{
    const D2dPhy& phy = *transmitter->GetPhy();
    return m_medium->Losses().GetOutageProbability(
        phy, GetLink(transmitter, receiver), {}, phy.GetSpectralEfficiency());
}

D2dAccess
D2dChannel::GetAccess() const
{
    return access;
}

uint32_t
D2dChannel::GetSubchannel(Ptr<const D2dNetDevice> device) const
{
    return m_medium->Signals().GetSubchannel(*device->GetPhy());
}

void
D2dChannel::SetOutside(Ptr<D2dOutside> outside)
{
    m_medium->Signals().SetOutside(outside);
}

int64_t
D2dChannel::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    int64_t used = 0;
    if (const auto model = GetPropagationLossModel())
    {
        used += model->AssignStreams(stream);
    }
    if (const auto model = GetPropagationDelayModel())
    {
        used += model->AssignStreams(stream + used);
    }
    return used;
}

void
D2dChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_medium->Dispose();
    m_devices.clear();
    Channel::DoDispose();
}

} // namespace ns3::collab
