/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-helper.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-message-header.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-phy.h"
#include "ns3/d2d-transport.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::collab
{

namespace
{

/// @param phy a radio
/// @throws UserError if its attributes contradict each other, or messages do not fit
void
CheckRadio(const D2dPhy& phy)
{
    DoubleValue least;
    DoubleValue greatest;
    StringValue control;
    UintegerValue fragment;
    phy.GetAttribute("MinSpectralEfficiency", least);
    phy.GetAttribute("MaxSpectralEfficiency", greatest);
    phy.GetAttribute("RateControl", control);
    phy.GetAttribute("FragmentSize", fragment);
    Require<UserError>(control.Get() != "Adaptive" || least.Get() <= greatest.Get(),
                       "ns3::collab::D2dPhy::MinSpectralEfficiency={} is not allowed; it must be "
                       "at most MaxSpectralEfficiency, {}",
                       least.Get(),
                       greatest.Get());
    Require<UserError>(
        fragment.Get() > MessageHeader::SIZE,
        "ns3::collab::D2dPhy::FragmentSize={} is not allowed; it must be more than the {} bytes of "
        "a message's header, which each part of a divisible message has",
        fragment.Get(),
        MessageHeader::SIZE);
}

} // namespace

D2dHelper::D2dHelper()
    : m_channelFactory("ns3::collab::D2dChannel"),
      m_transportFactory("ns3::collab::D2dTransport")
{
}

void
D2dHelper::AppendPropagationLossModel(const ObjectFactory& factory)
{
    Ptr<PropagationLossModel> model = factory.Create<PropagationLossModel>();
    if (m_lastLossModel)
    {
        m_lastLossModel->SetNext(model);
    }
    else
    {
        m_lossModel = model;
    }
    m_lastLossModel = model;
}

void
D2dHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    m_channelFactory.Set(name, value);
}

void
D2dHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    D2dNetDevice::FindPart(name); // throws if there is none
    m_deviceAttributes.emplace_back(name, value.Copy());
}

void
D2dHelper::SetTransportAttribute(const std::string& name, const AttributeValue& value)
{
    m_transportFactory.Set(name, value);
}

NetDeviceContainer
D2dHelper::InstallDevices(const NodeContainer& nodes)
{
    Ptr<D2dChannel> channel = m_channelFactory.Create<D2dChannel>();
    PointerValue given;
    channel->GetAttribute("PropagationLossModel", given);
    if (!m_lossModel && !given.GetObject())
    {
        AddPropagationLossModel("ns3::LogDistancePropagationLossModel");
    }
    if (m_lossModel)
    {
        channel->SetPropagationLossModel(m_lossModel);
    }
    NetDeviceContainer devices;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        Ptr<D2dNetDevice> device = CreateObject<D2dNetDevice>();
        for (const auto& [name, value] : m_deviceAttributes)
        {
            device->SetPartAttribute(name, *value);
        }
        if (m_queueFactory.IsTypeIdSet())
        {
            device->GetMac()->SetQueue(m_queueFactory.Create<Queue<Packet>>());
        }
        nodes.Get(i)->AddDevice(device);
        device->SetChannel(channel);
        devices.Add(device);
    }
    return devices;
}

NetDeviceContainer
D2dHelper::Install(const NodeContainer& nodes)
{
    const NetDeviceContainer devices = InstallDevices(nodes);
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        Ptr<D2dTransport> transport = nodes.Get(i)->GetObject<D2dTransport>();
        const bool isNew = !transport;
        if (isNew)
        {
            transport = m_transportFactory.Create<D2dTransport>();
        }
        transport->AddDevice(DynamicCast<D2dNetDevice>(devices.Get(i)));
        if (isNew)
        {
            // GetObject<Transport>() finds it whatever the kind of transport
            nodes.Get(i)->AggregateObject(transport);
        }
    }
    return devices;
}

int64_t
D2dHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    int64_t used = 0;
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        if (Ptr<D2dNetDevice> device = DynamicCast<D2dNetDevice>(devices.Get(i)))
        {
            used += device->AssignStreams(stream + used);
        }
    }
    if (devices.GetN() > 0)
    {
        if (Ptr<D2dChannel> channel = DynamicCast<D2dChannel>(devices.Get(0)->GetChannel()))
        {
            used += channel->AssignStreams(stream + used);
        }
    }
    return used;
}

void
D2dHelper::CheckLinks(const NetDeviceContainer& devices)
{
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        Ptr<D2dNetDevice> transmitter = DynamicCast<D2dNetDevice>(devices.Get(i));
        CheckRadio(*transmitter->GetPhy());
        transmitter->GetDiscovery()->CheckAttributes();
        Ptr<D2dNetDevice> receiver =
            DynamicCast<D2dNetDevice>(devices.Get((i + 1) % devices.GetN()));
        if (transmitter != receiver)
        {
            DynamicCast<D2dChannel>(transmitter->GetChannel())
                ->GetOutageProbability(transmitter, receiver);
        }
    }
}

} // namespace ns3::collab
