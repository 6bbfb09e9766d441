/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-channel.h"

#include "d2d-net-device.h"

#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/mobility-model.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

#include <cmath>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("D2dChannel");
NS_OBJECT_ENSURE_REGISTERED(D2dChannel);

TypeId
D2dChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dChannel")
            .SetParent<Channel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dChannel>()
            .AddAttribute("PropagationLossModel",
                          "Head of the chain of models that gives the mean received power.",
                          PointerValue(),
                          MakePointerAccessor(&D2dChannel::m_lossModel),
                          MakePointerChecker<PropagationLossModel>())
            .AddAttribute("PropagationDelayModel",
                          "Delay between two devices.",
                          StringValue("ns3::ConstantSpeedPropagationDelayModel"),
                          MakePointerAccessor(&D2dChannel::m_delayModel),
                          MakePointerChecker<PropagationDelayModel>())
            .AddAttribute("OutageModel",
                          "Probability that a link loses a fragment.",
                          StringValue("ns3::collab::D2dRayleighOutageModel"),
                          MakePointerAccessor(&D2dChannel::m_outageModel),
                          MakePointerChecker<D2dOutageModel>())
            .AddAttribute("NoiseFigure",
                          "Noise figure of the receivers [dB].",
                          DoubleValue(7.0),
                          MakeDoubleAccessor(&D2dChannel::m_noiseFigureDb),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute(
                "Fidelity",
                "Whether every fragment is simulated by itself (Packet) or a message as a "
                "whole (Burst).",
                compat::EnumAttribute(D2dFidelity::BURST),
                compat::EnumAccessor(&D2dChannel::m_fidelity),
                compat::EnumChecker(D2dFidelity::BURST, "Burst", D2dFidelity::PACKET, "Packet"));
    return tid;
}

D2dChannel::D2dChannel()
{
    NS_LOG_FUNCTION(this);
}

std::size_t
D2dChannel::GetNDevices() const
{
    return m_devices.size();
}

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
    const bool isNew = m_indexOf.emplace(address, m_devices.size()).second;
    NS_ABORT_MSG_UNLESS(isNew,
                        "D2dChannel::Add: address "
                            << address << " is in use already; every device needs its own");
    m_devices.push_back(device);
}

void
D2dChannel::SetPropagationLossModel(Ptr<PropagationLossModel> model)
{
    m_lossModel = model;
}

Ptr<D2dNetDevice>
D2dChannel::FindDevice(Mac48Address address) const
{
    const auto found = m_indexOf.find(address);
    return found == m_indexOf.end() ? nullptr : m_devices[found->second];
}

double
D2dChannel::GetRssW(Ptr<const D2dNetDevice> transmitter, Ptr<const D2dNetDevice> receiver) const
{
    NS_ABORT_MSG_UNLESS(
        m_lossModel,
        "D2dChannel: no PropagationLossModel is set; use D2dHelper or set the attribute");
    Ptr<MobilityModel> from = transmitter->GetNode()->GetObject<MobilityModel>();
    Ptr<MobilityModel> to = receiver->GetNode()->GetObject<MobilityModel>();
    NS_ABORT_MSG_UNLESS(from && to,
                        "D2dChannel: node " << (from ? receiver : transmitter)->GetNode()->GetId()
                                            << " has no MobilityModel; install one on every node");
    const double rssDbm = m_lossModel->CalcRxPower(transmitter->GetTxPowerDbm(), from, to);
    return std::pow(10.0, (rssDbm - 30) / 10);
}

double
D2dChannel::GetNoiseW(double bandwidthHz) const
{
    constexpr double BOLTZMANN_J_PER_K = 1.380649e-23;
    constexpr double REFERENCE_TEMPERATURE_K = 290;
    return BOLTZMANN_J_PER_K * REFERENCE_TEMPERATURE_K * bandwidthHz *
           std::pow(10.0, m_noiseFigureDb / 10);
}

double
D2dChannel::GetOutageProbability(Ptr<const D2dNetDevice> transmitter,
                                 Ptr<const D2dNetDevice> receiver,
                                 double rssW) const
{
    D2dSignal signal;
    signal.transmitter = transmitter->GetNode()->GetId();
    signal.receiver = receiver->GetNode()->GetId();
    signal.rssW = rssW;
    signal.noiseW = GetNoiseW(transmitter->GetBandwidth());
    signal.spectralEfficiency = transmitter->GetSpectralEfficiency();
    return m_outageModel->GetOutageProbability(signal);
}

D2dLink
D2dChannel::GetLink(Ptr<const D2dNetDevice> transmitter, Ptr<D2dNetDevice> receiver) const
{
    D2dLink link;
    link.receiver = receiver;
    link.rssW = GetRssW(transmitter, receiver);
    link.inRange = link.rssW >= receiver->GetRxSensitivityW();
    link.delay = m_delayModel->GetDelay(transmitter->GetNode()->GetObject<MobilityModel>(),
                                        receiver->GetNode()->GetObject<MobilityModel>());
    if (link.inRange)
    {
        link.outageProbability = GetOutageProbability(transmitter, receiver, link.rssW);
    }
    const double returnRssW = GetRssW(receiver, transmitter);
    if (returnRssW >= transmitter->GetRxSensitivityW())
    {
        link.returnOutageProbability = GetOutageProbability(receiver, transmitter, returnRssW);
    }
    return link;
}

std::vector<D2dLink>
D2dChannel::GetLinks(Ptr<const D2dNetDevice> transmitter) const
{
    std::vector<D2dLink> links;
    for (const auto& device : m_devices)
    {
        if (device == transmitter)
        {
            continue;
        }
        D2dLink link = GetLink(transmitter, device);
        if (link.inRange)
        {
            links.push_back(link);
        }
    }
    return links;
}

D2dFidelity
D2dChannel::GetFidelity() const
{
    return m_fidelity;
}

int64_t
D2dChannel::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    int64_t used = 0;
    if (m_lossModel)
    {
        used += m_lossModel->AssignStreams(stream);
    }
    return used + m_delayModel->AssignStreams(stream + used);
}

void
D2dChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_devices.clear();
    m_indexOf.clear();
    m_lossModel = nullptr;
    m_delayModel = nullptr;
    m_outageModel = nullptr;
    Channel::DoDispose();
}

} // namespace collab
} // namespace ns3
