/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "device-profile-helper.h"

#include "device-profile-presets.h"

#include "ns3/basic-energy-harvester.h"
#include "ns3/basic-energy-source.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-processor-energy-model.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-radio-energy-model.h"
#include "ns3/double.h"
#include "ns3/energy-harvester-container.h"
#include "ns3/energy-source-container.h"
#include "ns3/node.h"
#include "ns3/string.h"

#include <fmt/format.h>
#include <set>

namespace ns3::collab
{

namespace
{

/// @param type what should be the TypeId name of a subclass
/// @param base class that it must be derived from
/// @param what name of it in the message of the UserError that is thrown if it is not
void
CheckType(const std::string& type, TypeId base, const std::string& what)
{
    TypeId tid;
    const bool known = TypeId::LookupByNameFailSafe(type, &tid);
    Require<UserError>(known && tid.IsChildOf(base) && tid.HasConstructor(),
                       "DeviceProfileHelper: {} \"{}\" given; allowed: names of subclasses of {}",
                       what,
                       type,
                       base.GetName());
}

/// @tparam Container a container that is aggregated to nodes
/// @param node a node
/// @return its container, made if there is none
template <typename Container>
Ptr<Container>
GetOrAggregate(Ptr<Node> node)
{
    Ptr<Container> container = node->GetObject<Container>();
    if (!container)
    {
        container = CreateObject<Container>();
        node->AggregateObject(container);
    }
    return container;
}

/// @tparam Model an energy model
/// @tparam Owner type of what the model is for
/// @param source an energy source
/// @param owner an owner
/// @param getOwner member of the model that tells its owner
/// @return whether the source has a model for the owner
template <typename Model, typename Owner>
bool
HasModel(Ptr<EnergySource> source, Ptr<Owner> owner, Ptr<Owner> (Model::*getOwner)() const)
{
    const DeviceEnergyModelContainer models = source->FindDeviceEnergyModels(Model::GetTypeId());
    for (uint32_t i = 0; i < models.GetN(); ++i)
    {
        if ((PeekPointer(DynamicCast<Model>(models.Get(i)))->*getOwner)() == owner)
        {
            return true;
        }
    }
    return false;
}

/// @param source a source
/// @throws UserError if it would be charged enough to be used again as soon as it is empty
void
CheckThresholds(const EnergySource& source)
{
    DoubleValue low(0);
    DoubleValue high(1);
    if (source.GetAttributeFailSafe("BasicEnergyLowBatteryThreshold", low) &&
        source.GetAttributeFailSafe("BasicEnergyHighBatteryThreshold", high) &&
        low.Get() > high.Get())
    {
        throw UserError(fmt::format(
            "DeviceProfileHelper: BasicEnergyLowBatteryThreshold is {} and "
            "BasicEnergyHighBatteryThreshold {}; allowed: a source is empty at no more than the "
            "share of its charge from which on it is used again",
            low.Get(),
            high.Get()));
    }
}

} // namespace

DeviceProfileHelper::DeviceProfileHelper(const std::string& preset)
    : m_processorFactory("ns3::collab::Processor"),
      m_radioFactory("ns3::collab::D2dRadioEnergyModel")
{
    const DeviceProfilePreset& numbers = FindDeviceProfilePreset(preset);
    m_sourceFactory.SetTypeId(BasicEnergySource::GetTypeId());
    const auto set =
        [&](ObjectFactory& factory, const std::string& name, const AttributeValue& value) {
            numbers.isStation ? factory.Set(name, value) : SetUnlessGiven(factory, name, value);
        };
    set(m_sourceFactory, "BasicEnergyLowBatteryThreshold", DoubleValue(0.0));
    set(m_sourceFactory, "BasicEnergySourceInitialEnergyJ", DoubleValue(numbers.batteryJ));
    for (const auto& [name, value] : numbers.processor)
    {
        set(m_processorFactory, name, StringValue(value));
    }
    for (const auto& [name, value] : numbers.radio)
    {
        set(m_radioFactory, name, StringValue(value));
    }
    for (const auto& [name, value] : numbers.device)
    {
        if (numbers.isStation ||
            !IsAttributeGiven(GetDeclaredName(D2dNetDevice::FindPart(name), name)))
        {
            SetDeviceAttribute(name, StringValue(value));
        }
    }
}

void
DeviceProfileHelper::SetSource(const std::string& type)
{
    CheckType(type, EnergySource::GetTypeId(), "energy source");
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
DeviceProfileHelper::SetRadioEnergyAttribute(const std::string& name, const AttributeValue& value)
{
    m_radioFactory.Set(name, value);
}

void
DeviceProfileHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    D2dNetDevice::FindPart(name); // throws if there is none
    m_deviceAttributes.emplace_back(name, value.Copy());
}

void
DeviceProfileHelper::CheckHarvester(const std::string& type)
{
    CheckType(type, EnergyHarvester::GetTypeId(), "energy harvester");
}

Ptr<EnergySource>
DeviceProfileHelper::GetSource(Ptr<Node> node) const
{
    Ptr<EnergySourceContainer> container = GetOrAggregate<EnergySourceContainer>(node);
    if (container->GetN() == 0)
    {
        Ptr<EnergySource> source = m_sourceFactory.Create<EnergySource>();
        CheckThresholds(*source);
        source->SetNode(node);
        container->Add(source);
        InstallHarvester(source);
    }
    return container->Get(0);
}

void
DeviceProfileHelper::InstallHarvester(Ptr<EnergySource> source) const
{
    if (!m_harvesterFactory)
    {
        return;
    }
    Ptr<EnergyHarvester> harvester = m_harvesterFactory->Create<EnergyHarvester>();
    harvester->SetNode(source->GetNode());
    harvester->SetEnergySource(source);
    source->ConnectEnergyHarvester(harvester);
    GetOrAggregate<EnergyHarvesterContainer>(source->GetNode())->Add(harvester);
}

void
DeviceProfileHelper::InstallProcessor(Ptr<Node> node, Ptr<EnergySource> source) const
{
    Ptr<Processor> processor = node->GetObject<Processor>();
    if (!processor)
    {
        processor = m_processorFactory.Create<Processor>();
        node->AggregateObject(processor);
    }
    if (!HasModel(source, processor, &ProcessorEnergyModel::GetProcessor))
    {
        Ptr<ProcessorEnergyModel> model = CreateObject<ProcessorEnergyModel>();
        source->AppendDeviceEnergyModel(model);
        model->SetEnergySource(source);
        model->SetProcessor(processor);
    }
}

void
DeviceProfileHelper::InstallRadio(Ptr<D2dNetDevice> radio, Ptr<EnergySource> source) const
{
    Require<UserError>(!HasModel(source, radio, &D2dRadioEnergyModel::GetDevice),
                       "DeviceProfileHelper::Install: a D2dNetDevice of node {} has a profile "
                       "already; allowed: one for each device",
                       radio->GetNode()->GetId());
    for (const auto& [name, value] : m_deviceAttributes)
    {
        radio->SetPartAttribute(name, *value);
    }
    Ptr<D2dRadioEnergyModel> model = m_radioFactory.Create<D2dRadioEnergyModel>();
    source->AppendDeviceEnergyModel(model);
    model->SetEnergySource(source);
    model->SetDevice(radio);
    radio->AggregateObject(model);
}

void
DeviceProfileHelper::Install(const NetDeviceContainer& devices) const
{
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const std::string which = "DeviceProfileHelper::Install: device " + std::to_string(i);
        Ptr<D2dNetDevice> radio = DynamicCast<D2dNetDevice>(devices.Get(i));
        Require<UserError>(radio,
                           "{} is no D2dNetDevice; allowed: D2dNetDevices, and nodes with other "
                           "devices in InstallProcessors",
                           which);
        Ptr<Node> node = radio->GetNode();
        Require<UserError>(node, "{} is on no node; add it to one first (Node::AddDevice)", which);
        Ptr<EnergySource> source = GetSource(node);
        InstallRadio(radio, source);
        InstallProcessor(node, source);
    }
}

void
DeviceProfileHelper::InstallProcessors(const NodeContainer& nodes) const
{
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        InstallProcessor(nodes.Get(i), GetSource(nodes.Get(i)));
    }
}

int64_t
DeviceProfileHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    int64_t used = 0;
    std::set<uint32_t> seen;
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        Ptr<Node> node = devices.Get(i)->GetNode();
        if (!node || !seen.insert(node->GetId()).second)
        {
            continue;
        }
        Ptr<EnergyHarvesterContainer> harvesters = node->GetObject<EnergyHarvesterContainer>();
        for (uint32_t k = 0; harvesters && k < harvesters->GetN(); ++k)
        {
            if (auto harvester = DynamicCast<BasicEnergyHarvester>(harvesters->Get(k)))
            {
                used += harvester->AssignStreams(stream + used);
            }
        }
    }
    return used;
}

} // namespace ns3::collab
