/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "protocol-bench.h"

#include "ns3/collab-depletion-watch.h"
#include "ns3/collab-transport-helper.h"
#include "ns3/d2s-helper.h"
#include "ns3/energy-source-container.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/uinteger.h"

#include <fmt/format.h>
#include <stdexcept>

using namespace ns3;
using namespace ns3::collab;

namespace tests
{

namespace
{

/// @param record a round
/// @param hasRefusals whether refused messages are in it
/// @return the round as text
std::string
DescribeRound(const RoundRecord& record, bool hasRefusals)
{
    std::string text = fmt::format("round {} of {}: {} to {}",
                                   record.round,
                                   record.device,
                                   record.start.GetTimeStep(),
                                   record.end.GetTimeStep());
    for (const auto& [name, value] : record.metrics)
    {
        if (hasRefusals || name != "messages_refused")
        {
            text += fmt::format(" {}={}", name, value);
        }
    }
    return text + "\n";
}

/// @param outcome what became of a message
/// @return it as text
std::string
DescribeOutcome(const MessageOutcome& outcome)
{
    return fmt::format("{} {} of {} to {}, round {}: {} bytes, {} of {} fragments, {} attempts, "
                       "{} to {} to {}, air {}, {} of {} units, {} {}\n",
                       outcome.kindName,
                       outcome.sequence,
                       outcome.sender,
                       outcome.receiver,
                       outcome.round,
                       outcome.bytes,
                       outcome.lostFragments,
                       outcome.fragments,
                       outcome.attempts,
                       outcome.queued.GetTimeStep(),
                       outcome.start.GetTimeStep(),
                       outcome.end.GetTimeStep(),
                       outcome.airtime.GetTimeStep(),
                       outcome.lostUnits,
                       outcome.units,
                       outcome.delivered,
                       outcome.reason);
}

} // namespace

ProtocolBench::~ProtocolBench()
{
    Reset();
}

void
ProtocolBench::MakeDevices(const Options& options)
{
    Reset();
    m_payloadMode = options.payloadMode;
    m_nodes = NodeContainer(options.devices);
    MakeTaps(m_nodes, m_payloadMode);
    m_devices = InstallDevices(options, m_nodes);
}

void
ProtocolBench::MakeTaps(const NodeContainer& nodes, const std::string& payloadMode)
{
    for (auto it = nodes.Begin(); it != nodes.End(); ++it)
    {
        (*it)->AggregateObject(
            CreateObjectWithAttributes<TapTransport>("PayloadMode", StringValue(payloadMode)));
    }
}

void
ProtocolBench::AddServer()
{
    const NodeContainer server(1);
    MakeTaps(server, m_payloadMode);
    D2sHelper d2s;
    d2s.AddPropagationLossModel("ns3::FixedRssLossModel", "Rss", DoubleValue(-60.0));
    d2s.SetChannelAttribute("OutageModel",
                            StringValue("ns3::collab::D2dFixedOutageModel[Probability=0]"));
    d2s.SetDeviceAttribute("Duplex", StringValue("Full"));
    m_serverRadios = d2s.InstallServer(server.Get(0), m_nodes);
    D2sHelper::AssignStreams(m_serverRadios, 1000);
    DeviceProfileHelper profile;
    profile.SetRadioEnergyAttribute("Account", StringValue("D2s"));
    profile.Install(m_serverRadios);
    m_nodes.Add(server);
}

void
ProtocolBench::MakeIpDevices(const Options& options, const std::string& transport)
{
    Reset();
    RngSeedManager::SetSeed(7);
    RngSeedManager::SetRun(options.run);
    m_nodes = NodeContainer(options.devices);
    SimpleNetDeviceHelper simple;
    simple.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000p"));
    simple.SetDeviceAttribute("DataRate", StringValue("10Mbps"));
    m_devices = simple.Install(m_nodes);
    InternetStackHelper internet;
    internet.Install(m_nodes);
    Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(m_devices);
    TransportHelper helper = transport == "Tcp" ? TransportHelper::Tcp() : TransportHelper::Udp();
    helper.SetAttribute("PayloadMode", StringValue(options.payloadMode));
    helper.Install(m_devices);
    TransportHelper::AssignStreams(m_devices, 0);
    DeviceProfileHelper profile;
    profile.SetSourceAttribute("BasicEnergySourceInitialEnergyJ", DoubleValue(options.batteryJ));
    profile.InstallProcessors(m_nodes);
}

Ptr<LearnerPool>
ProtocolBench::MakePool(uint32_t threads)
{
    m_pool = CreateObjectWithAttributes<LearnerPool>("Threads", UintegerValue(threads));
    return m_pool;
}

void
ProtocolBench::Watch(const ApplicationContainer& applications)
{
    m_applications = applications;
    for (auto it = m_applications.Begin(); it != m_applications.End(); ++it)
    {
        WatchApplication(*it);
    }
    WatchTransports();
    StopWhenAllEnd(m_applications);
}

void
ProtocolBench::WatchApplication(Ptr<Application> application)
{
    CollectTrace(application, "Round", m_rounds);
    CollectTrace(application, "Phase", m_phases);
    OnTrace<uint32_t, bool>(
        application, "End", [this](uint32_t device, bool finished) { m_ends[device] = finished; });
}

void
ProtocolBench::WatchTransports()
{
    for (const uint32_t device : Ids())
    {
        CollectTrace(GetTransport(device), "Outcome", m_outcomes);
        OnTrace<uint32_t, const std::string&>(
            GetTransport(device), "Reject", [this](uint32_t where, const std::string& reason) {
                m_refusals.push_back({where, Simulator::Now(), reason});
            });
    }
}

void
ProtocolBench::WatchMessages()
{
    for (const uint32_t device : Ids())
    {
        for (const auto& [source, messages] : std::map<std::string, std::vector<TracedMessage>*>{
                 {"Tx", &m_sent}, {"Rx", &m_received}})
        {
            OnTrace<const Message&, uint64_t>(
                GetTransport(device),
                source,
                [device, into = messages](const Message& message, uint64_t bytes) {
                    into->push_back({device, Simulator::Now(), message, bytes});
                });
        }
    }
}

void
ProtocolBench::Run(Time limit)
{
    Simulator::Stop(limit);
    Simulator::Run();
    for (auto it = m_nodes.Begin(); it != m_nodes.End(); ++it)
    {
        (*it)->GetObject<Transport>()->EndRun();
    }
}

void
ProtocolBench::Reset()
{
    m_applications = ApplicationContainer();
    m_serverRadios = NetDeviceContainer();
    m_devices = NetDeviceContainer();
    m_nodes = NodeContainer();
    if (m_pool)
    {
        m_pool->Dispose();
        m_pool = nullptr;
    }
    Simulator::Destroy();
    m_rounds.clear();
    m_phases.clear();
    m_ends.clear();
    m_refusals.clear();
    m_outcomes.clear();
    m_sent.clear();
    m_received.clear();
}

Ptr<Transport>
ProtocolBench::GetTransport(uint32_t device) const
{
    return m_nodes.Get(device)->GetObject<Transport>();
}

Ptr<TapTransport>
ProtocolBench::GetTap(uint32_t device) const
{
    return m_nodes.Get(device)->GetObject<TapTransport>();
}

Ptr<D2dNetDevice>
ProtocolBench::GetRadio(uint32_t device) const
{
    return DynamicCast<D2dNetDevice>(m_devices.Get(device));
}

Ptr<Processor>
ProtocolBench::GetProcessor(uint32_t device) const
{
    return m_nodes.Get(device)->GetObject<Processor>();
}

Ptr<EnergySource>
ProtocolBench::GetBattery(uint32_t device) const
{
    return m_nodes.Get(device)->GetObject<EnergySourceContainer>()->Get(0);
}

uint32_t
ProtocolBench::Id(uint32_t device) const
{
    return m_nodes.Get(device)->GetId();
}

std::vector<uint32_t>
ProtocolBench::Ids() const
{
    std::vector<uint32_t> ids;
    for (auto it = m_nodes.Begin(); it != m_nodes.End(); ++it)
    {
        ids.push_back((*it)->GetId());
    }
    return ids;
}

void
ProtocolBench::Deafen(uint32_t device) const
{
    GetRadio(device)->GetPhy()->SetAttribute("RxSensitivity", DoubleValue(0));
}

void
ProtocolBench::Hear(uint32_t device) const
{
    GetRadio(device)->GetPhy()->SetAttribute("RxSensitivity", DoubleValue(-120));
}

void
ProtocolBench::SwitchOff(uint32_t device) const
{
    Ptr<Node> node = m_nodes.Get(device);
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (auto radio = DynamicCast<D2dNetDevice>(node->GetDevice(i)))
        {
            radio->GetMac()->SwitchOff();
        }
    }
    GetProcessor(device)->SwitchOff();
}

void
ProtocolBench::SwitchOn(uint32_t device) const
{
    Ptr<Node> node = m_nodes.Get(device);
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (auto radio = DynamicCast<D2dNetDevice>(node->GetDevice(i)))
        {
            radio->GetMac()->SwitchOn();
        }
    }
    GetProcessor(device)->SwitchOn();
}

void
ProtocolBench::Crash(uint32_t device, Time from, Time to) const
{
    Simulator::Schedule(from, [this, device]() { SwitchOff(device); });
    if (to > from)
    {
        Simulator::Schedule(to, [this, device]() { SwitchOn(device); });
    }
}

EnergyByKind
ProtocolBench::GetJoules(uint32_t device) const
{
    return DepletionWatch::Of(GetBattery(device))->GetEnergyByKindJ();
}

double
ProtocolBench::GetLostJoules(uint32_t device) const
{
    return DepletionWatch::Of(GetBattery(device))->GetSourceLossJ();
}

std::vector<double>
ProtocolBench::MetricOf(uint32_t device, const std::string& name) const
{
    std::vector<double> values;
    for (const auto& record : m_rounds)
    {
        for (const auto& metric : record.metrics)
        {
            if (record.device == Id(device) && metric.first == name)
            {
                values.push_back(metric.second);
            }
        }
    }
    return values;
}

std::vector<std::string>
ProtocolBench::GetReasons() const
{
    std::vector<std::string> reasons;
    for (const auto& refusal : m_refusals)
    {
        reasons.push_back(refusal.reason);
    }
    return reasons;
}

std::string
ProtocolBench::GetTrace(bool hasRefusals) const
{
    std::string trace;
    for (const auto& record : m_rounds)
    {
        trace += DescribeRound(record, hasRefusals);
    }
    for (const auto& record : m_phases)
    {
        trace += fmt::format("phase {} of {}, round {}: {} to {}\n",
                             record.phase,
                             record.device,
                             record.round,
                             record.start.GetTimeStep(),
                             record.end.GetTimeStep());
    }
    for (const auto& outcome : m_outcomes)
    {
        trace += DescribeOutcome(outcome);
    }
    for (const auto& [device, finished] : m_ends)
    {
        trace += fmt::format("{} ended: {}\n", device, finished);
    }
    return trace;
}

} // namespace tests
