/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "device-profile-helper.h"

#include "ns3/abort.h"
#include "ns3/basic-energy-source.h"
#include "ns3/collab-processor.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-radio-energy-model.h"
#include "ns3/double.h"
#include "ns3/energy-source-container.h"
#include "ns3/node.h"

namespace ns3
{
namespace collab
{

DeviceProfileHelper::DeviceProfileHelper()
    : m_processorFactory("ns3::collab::Processor"),
      m_radioFactory("ns3::collab::D2dRadioEnergyModel")
{
    m_sourceFactory.SetTypeId(BasicEnergySource::GetTypeId());
    m_sourceFactory.Set("BasicEnergyLowBatteryThreshold", DoubleValue(0.0));
    m_sourceFactory.Set("BasicEnergySourceInitialEnergyJ", DoubleValue(10000.0));
}

void
DeviceProfileHelper::SetSource(const std::string& type)
{
    m_sourceFactory = ObjectFactory(type);
}

void
DeviceProfileHelper::SetSourceAttribute(const std::string& name, const AttributeValue& value)
{
    m_sourceFactory.Set(name, value);
}

void
DeviceProfileHelper::SetProcessorAttribute(const std::string& name, const AttributeValue& value)
{
    m_processorFactory.Set(name, value);
}

void
DeviceProfileHelper::SetRadioAttribute(const std::string& name, const AttributeValue& value)
{
    m_radioFactory.Set(name, value);
}

void
DeviceProfileHelper::Install(const NetDeviceContainer& devices) const
{
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        Ptr<D2dNetDevice> radio = DynamicCast<D2dNetDevice>(devices.Get(i));
        NS_ABORT_MSG_UNLESS(radio,
                            "DeviceProfileHelper::Install: device " << i << " is no D2dNetDevice");
        Ptr<Node> node = radio->GetNode();

        Ptr<EnergySource> source = m_sourceFactory.Create<EnergySource>();
        source->SetNode(node);
        Ptr<EnergySourceContainer> container = CreateObject<EnergySourceContainer>();
        container->Add(source);
        node->AggregateObject(container);

        Ptr<D2dRadioEnergyModel> radioEnergy = m_radioFactory.Create<D2dRadioEnergyModel>();
        source->AppendDeviceEnergyModel(radioEnergy);
        radioEnergy->SetEnergySource(source);
        radioEnergy->SetDevice(radio);
        radio->AggregateObject(radioEnergy);

        Ptr<Processor> processor = m_processorFactory.Create<Processor>();
        node->AggregateObject(processor);
        Ptr<ProcessorEnergyModel> processorEnergy = CreateObject<ProcessorEnergyModel>();
        source->AppendDeviceEnergyModel(processorEnergy);
        processorEnergy->SetEnergySource(source);
        processorEnergy->SetProcessor(processor);
    }
}

} // namespace collab
} // namespace ns3
