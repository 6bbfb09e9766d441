/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless-test-support.h"

#include "ns3/config.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/d2d-helper.h"
#include "ns3/device-profile-helper.h"
#include "ns3/double.h"
#include "ns3/energy-source-container.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace collab
{
namespace tests
{

SimulatorTest::SimulatorTest()
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    // Exact delays: tests work times out by hand
    Config::SetDefault("ns3::collab::D2dChannel::DelayResolution", TimeValue(Time()));
}

SimulatorTest::~SimulatorTest()
{
    Simulator::Destroy();
}

TestNetwork::TestNetwork(uint32_t size, const Settings& device, const Settings& channel)
{
    m_nodes.Create(size);
    for (uint32_t i = 0; i < size; ++i)
    {
        Ptr<MobilityModel> mobility = CreateObject<ConstantPositionMobilityModel>();
        mobility->SetPosition(Vector(100.0 * i, 0, 0));
        m_nodes.Get(i)->AggregateObject(mobility);
    }
    D2dHelper helper;
    helper.AddPropagationLossModel(
        "ns3::MatrixPropagationLossModel", "DefaultLoss", DoubleValue(-180));
    for (const auto& [name, value] : device)
    {
        helper.SetDeviceAttribute(name, StringValue(value));
    }
    for (const auto& [name, value] : channel)
    {
        helper.SetChannelAttribute(name, StringValue(value));
    }
    m_devices = helper.Install(m_nodes);
    D2dHelper::AssignStreams(m_devices, 1000);
    m_channel = DynamicCast<D2dChannel>(m_devices.Get(0)->GetChannel());
    PointerValue matrix;
    m_channel->GetAttribute("PropagationLossModel", matrix);
    m_lossMatrix = matrix.Get<MatrixPropagationLossModel>();
    for (uint32_t i = 0; i < size; ++i)
    {
        Device(i)->GetMac()->TraceConnectWithoutContext(
            "BurstEnd", MakeCallback(&TestNetwork::RecordBurst, this));
        Device(i)->GetMac()->TraceConnectWithoutContext(
            "MacRx", MakeBoundCallback(&TestNetwork::RecordReception, this, NodeId(i)));
    }
}

Ptr<D2dNetDevice>
TestNetwork::Device(uint32_t index) const
{
    return DynamicCast<D2dNetDevice>(m_devices.Get(index));
}

Mac48Address
TestNetwork::Address(uint32_t index) const
{
    return Mac48Address::ConvertFrom(m_devices.Get(index)->GetAddress());
}

uint32_t
TestNetwork::NodeId(uint32_t index) const
{
    return m_nodes.Get(index)->GetId();
}

Ptr<D2dChannel>
TestNetwork::Channel() const
{
    return m_channel;
}

void
TestNetwork::SetOutage(uint32_t from, uint32_t to, double probability)
{
    Ptr<D2dNetDevice> sender = Device(from);
    const double noiseDbm =
        30 + 10 * std::log10(m_channel->GetNoiseW(sender->GetPhy()->GetBandwidth()));
    const double threshold = std::exp2(sender->GetPhy()->GetSpectralEfficiency()) - 1;
    const double snr = probability > 0 ? threshold / -std::log1p(-probability) : 1e30;
    m_lossMatrix->SetLoss(m_nodes.Get(from)->GetObject<MobilityModel>(),
                          m_nodes.Get(to)->GetObject<MobilityModel>(),
                          sender->GetPhy()->GetTxPowerDbm() - noiseDbm - 10 * std::log10(snr),
                          false);
    m_channel->InvalidateLinks(); // the matrix tells nobody
}

void
TestNetwork::SetOutOfRange(uint32_t from, uint32_t to)
{
    m_lossMatrix->SetLoss(m_nodes.Get(from)->GetObject<MobilityModel>(),
                          m_nodes.Get(to)->GetObject<MobilityModel>(),
                          400,
                          false);
    m_channel->InvalidateLinks();
}

void
TestNetwork::InstallBatteries(const Settings& source,
                              const Settings& radio,
                              const Settings& processor,
                              const std::string& type)
{
    DeviceProfileHelper helper;
    if (!type.empty())
    {
        helper.SetSource(type);
    }
    helper.SetSourceAttribute("PeriodicEnergyUpdateInterval", StringValue("1h"));
    for (const auto& [name, value] : source)
    {
        helper.SetSourceAttribute(name, StringValue(value));
    }
    for (const auto& [name, value] : radio)
    {
        helper.SetRadioAttribute(name, StringValue(value));
    }
    for (const auto& [name, value] : processor)
    {
        helper.SetProcessorAttribute(name, StringValue(value));
    }
    helper.Install(m_devices);
}

Ptr<EnergySource>
TestNetwork::Source(uint32_t index) const
{
    return m_nodes.Get(index)->GetObject<EnergySourceContainer>()->Get(0);
}

Ptr<DepletionWatch>
TestNetwork::Battery(uint32_t index) const
{
    return DepletionWatch::Of(Source(index));
}

EnergyByKind
TestNetwork::Energy(uint32_t index) const
{
    return Battery(index)->GetEnergyByKindJ();
}

Ptr<Processor>
TestNetwork::GetProcessor(uint32_t index) const
{
    return m_nodes.Get(index)->GetObject<Processor>();
}

uint32_t
TestNetwork::Send(uint32_t from, uint32_t to, uint32_t bytes, D2dReliability reliability)
{
    return Device(from)->GetMac()->SendBurst(
        {Create<Packet>(bytes),
         to == BROADCAST ? Mac48Address::GetBroadcast() : Address(to),
         PROTOCOL,
         reliability});
}

const std::vector<D2dBurstReport>&
TestNetwork::Reports() const
{
    return m_reports;
}

const std::vector<Reception>&
TestNetwork::Receptions() const
{
    return m_receptions;
}

void
TestNetwork::RecordBurst(const D2dBurstReport& report)
{
    m_reports.push_back(report);
}

void
TestNetwork::RecordReception(TestNetwork* network, uint32_t node, Ptr<const Packet> packet)
{
    network->m_receptions.push_back({node, packet, Simulator::Now()});
}

std::string
FindLiIonType()
{
    for (const char* name : {"ns3::energy::LiIonEnergySource", "ns3::LiIonEnergySource"})
    {
        TypeId type;
        if (TypeId::LookupByNameFailSafe(name, &type))
        {
            return type.GetName();
        }
    }
    return "";
}

Moments
Describe(const std::vector<double>& sample)
{
    const auto size = static_cast<double>(sample.size());
    Moments moments;
    for (const double value : sample)
    {
        moments.mean += value / size;
    }
    double variance = 0;
    for (const double value : sample)
    {
        variance += (value - moments.mean) * (value - moments.mean) / (size - 1);
    }
    moments.standardError = std::sqrt(variance / size);
    return moments;
}

double
KolmogorovSmirnov(std::vector<double> a, std::vector<double> b)
{
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    const auto n = static_cast<double>(a.size());
    const auto m = static_cast<double>(b.size());
    double distance = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();)
    {
        const double value = std::min(a[i], b[j]);
        i = std::upper_bound(a.begin() + i, a.end(), value) - a.begin();
        j = std::upper_bound(b.begin() + j, b.end(), value) - b.begin();
        distance = std::max(distance, std::abs(i / n - j / m));
    }
    return distance * std::sqrt(n * m / (n + m));
}

void
ExpectSameMean(const std::vector<double>& a,
               const std::vector<double>& b,
               double errors,
               double rounding)
{
    const Moments first = Describe(a);
    const Moments second = Describe(b);
    EXPECT_NEAR(first.mean,
                second.mean,
                errors * std::hypot(first.standardError, second.standardError) +
                    rounding * std::abs(first.mean));
}

} // namespace tests
} // namespace collab
} // namespace ns3
