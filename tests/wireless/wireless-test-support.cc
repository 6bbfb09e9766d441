/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless-test-support.h"

#include "ns3/config.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/constant-velocity-mobility-model.h"
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
#include <iterator>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>

namespace ns3::collab
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

Ptr<MobilityModel>
Standing(double x, double y, double z)
{
    Ptr<MobilityModel> place = CreateObject<ConstantPositionMobilityModel>();
    place->SetPosition(Vector(x, y, z));
    return place;
}

Ptr<MobilityModel>
Moving(const Vector& position, const Vector& velocity)
{
    Ptr<ConstantVelocityMobilityModel> place = CreateObject<ConstantVelocityMobilityModel>();
    place->SetPosition(position); // which stops it
    place->SetVelocity(velocity);
    return place;
}

namespace
{

/// @return so many places, 100 m from each other
std::vector<Ptr<MobilityModel>>
MakeRow(uint32_t size)
{
    std::vector<Ptr<MobilityModel>> places;
    for (uint32_t i = 0; i < size; ++i)
    {
        places.push_back(Standing(100.0 * i));
    }
    return places;
}

/// @return the head of a chain of loss models by their TypeId names with attributes in brackets
Ptr<PropagationLossModel>
MakeChain(const std::vector<std::string>& names)
{
    Ptr<PropagationLossModel> head;
    for (auto name = names.rbegin(); name != names.rend(); ++name)
    {
        PointerValue made;
        made.DeserializeFromString(*name, MakePointerChecker<PropagationLossModel>());
        Ptr<PropagationLossModel> model = made.Get<PropagationLossModel>();
        model->SetNext(head);
        head = model;
    }
    return head;
}

} // namespace

uint32_t TestNetwork::s_networks = 0;

TestNetwork::TestNetwork(uint32_t size, const Settings& device, const Settings& channel)
    : TestNetwork(
          MakeRow(size), {"ns3::MatrixPropagationLossModel[DefaultLoss=-180]"}, device, channel)
{
}

TestNetwork::TestNetwork(const std::vector<Ptr<MobilityModel>>& places,
                         const std::vector<std::string>& lossModels,
                         const Settings& device,
                         const Settings& channel)
    : m_settings(device)
{
    ++s_networks;
    NodeContainer nodes(places.size());
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        nodes.Get(i)->AggregateObject(places[i]);
    }
    D2dHelper helper;
    if (!lossModels.empty())
    {
        helper.SetChannelAttribute("PropagationLossModel", PointerValue(MakeChain(lossModels)));
    }
    for (const auto& [name, value] : device)
    {
        helper.SetDeviceAttribute(name, StringValue(value));
    }
    for (const auto& [name, value] : channel)
    {
        helper.SetChannelAttribute(name, StringValue(value));
    }
    m_devices = helper.Install(nodes);
    D2dHelper::AssignStreams(m_devices, 1000);
    m_channel = DynamicCast<D2dChannel>(m_devices.Get(0)->GetChannel());
    for (uint32_t i = 0; i < Size(); ++i)
    {
        Observe(Device(i));
    }
}

TestNetwork::~TestNetwork()
{
    if (--s_networks == 0)
    {
        Simulator::Destroy();
    }
}

void
TestNetwork::Observe(Ptr<D2dNetDevice> device)
{
    const uint32_t node = device->GetNode()->GetId();
    CollectTrace(device->GetMac(), "BurstEnd", m_reports);
    OnPacket(device->GetMac(), "MacRx", [this, node](Ptr<const Packet> packet) {
        m_receptions.push_back({node, packet, Simulator::Now()});
    });
}

Ptr<D2dNetDevice>
TestNetwork::Join(Ptr<MobilityModel> place)
{
    Ptr<Node> node = CreateObject<Node>();
    node->AggregateObject(place);
    return Join(node);
}

Ptr<D2dNetDevice>
TestNetwork::Join(Ptr<Node> node)
{
    Ptr<D2dNetDevice> device = CreateObject<D2dNetDevice>();
    device->SetAddress(Mac48Address::Allocate());
    for (const auto& [name, value] : m_settings)
    {
        device->SetPartAttribute(name, StringValue(value));
    }
    node->AddDevice(device);
    device->SetChannel(m_channel);
    device->AssignStreams(2000 + 100 * Size());
    m_devices.Add(device);
    Observe(device);
    return device;
}

uint32_t
TestNetwork::Size() const
{
    return m_devices.GetN();
}

Ptr<D2dNetDevice>
TestNetwork::Device(uint32_t index) const
{
    return DynamicCast<D2dNetDevice>(m_devices.Get(index));
}

Ptr<D2dMac>
TestNetwork::Mac(uint32_t index) const
{
    return Device(index)->GetMac();
}

Ptr<D2dPhy>
TestNetwork::Phy(uint32_t index) const
{
    return Device(index)->GetPhy();
}

Ptr<D2dNeighborDiscovery>
TestNetwork::Discovery(uint32_t index) const
{
    return Device(index)->GetDiscovery();
}

Mac48Address
TestNetwork::Address(uint32_t index) const
{
    return index == BROADCAST ? Mac48Address::GetBroadcast() : Mac(index)->GetAddress();
}

uint32_t
TestNetwork::NodeId(uint32_t index) const
{
    return Device(index)->GetNode()->GetId();
}

Ptr<MobilityModel>
TestNetwork::Place(uint32_t index) const
{
    return Device(index)->GetNode()->GetObject<MobilityModel>();
}

uint32_t
TestNetwork::IndexOf(uint32_t node) const
{
    for (uint32_t i = 0; i < Size(); ++i)
    {
        if (NodeId(i) == node)
        {
            return i;
        }
    }
    throw std::out_of_range("no device on node " + std::to_string(node));
}

void
TestNetwork::Set(uint32_t index, const std::string& attribute, const std::string& value) const
{
    Device(index)->SetPartAttribute(attribute, StringValue(value));
}

Ptr<D2dChannel>
TestNetwork::Channel() const
{
    return m_channel;
}

void
TestNetwork::SetChannel(const std::string& attribute, const std::string& value) const
{
    m_channel->SetAttribute(attribute, StringValue(value));
}

Ptr<PropagationLossModel>
TestNetwork::LossModel(uint32_t number) const
{
    PointerValue head;
    m_channel->GetAttribute("PropagationLossModel", head);
    Ptr<PropagationLossModel> model = head.Get<PropagationLossModel>();
    for (uint32_t i = 0; i < number; ++i)
    {
        model = model->GetNext();
    }
    return model;
}

double
TestNetwork::RssW(uint32_t from, uint32_t to) const
{
    return m_channel->GetRssW(Device(from), Device(to));
}

double
TestNetwork::Outage(uint32_t from, uint32_t to) const
{
    return m_channel->GetOutageProbability(Device(from), Device(to));
}

void
TestNetwork::SetOutage(uint32_t from, uint32_t to, double probability)
{
    const double noiseDbm = 30 + 10 * std::log10(m_channel->GetNoiseW(Phy(from)->GetBandwidthHz()));
    const double threshold = std::exp2(Phy(from)->GetSpectralEfficiency()) - 1;
    const double snr = probability > 0 ? threshold / -std::log1p(-probability) : 1e30;
    SetLossDb(from, to, Phy(from)->GetTxPowerDbm() - noiseDbm - 10 * std::log10(snr));
}

void
TestNetwork::SetOutOfRange(uint32_t from, uint32_t to)
{
    SetLossDb(from, to, 400);
}

void
TestNetwork::SetLossDb(uint32_t from, uint32_t to, double lossDb)
{
    DynamicCast<MatrixPropagationLossModel>(LossModel())
        ->SetLoss(Place(from), Place(to), lossDb, false);
    m_channel->InvalidateLinks(); // the matrix tells nobody
}

void
TestNetwork::Hide(uint32_t one, uint32_t other)
{
    SetOutOfRange(one, other);
    SetOutOfRange(other, one);
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
        helper.SetRadioEnergyAttribute(name, StringValue(value));
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
    return Device(index)->GetNode()->GetObject<EnergySourceContainer>()->Get(0);
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

double
TestNetwork::Joules(uint32_t index, EnergyKind kind) const
{
    return Energy(index)[static_cast<std::size_t>(kind)];
}

Time
TestNetwork::Duration(uint32_t index, D2dRadioState state) const
{
    const auto models = Source(index)->FindDeviceEnergyModels(D2dRadioEnergyModel::GetTypeId());
    return DynamicCast<D2dRadioEnergyModel>(models.Get(0))->GetStateDuration(state);
}

Ptr<Processor>
TestNetwork::GetProcessor(uint32_t index) const
{
    return Device(index)->GetNode()->GetObject<Processor>();
}

D2dBurst
TestNetwork::Burst(uint32_t to, uint32_t bytes, D2dReliability reliability) const
{
    return {Create<Packet>(bytes), Address(to), PROTOCOL, reliability};
}

D2dBurst
TestNetwork::GroupBurst(const std::vector<uint32_t>& members,
                        uint32_t bytes,
                        D2dReliability reliability) const
{
    D2dBurst burst = Burst(BROADCAST, bytes, reliability);
    std::vector<uint32_t> nodes;
    for (const uint32_t member : members)
    {
        nodes.push_back(NodeId(member));
    }
    burst.destination = D2dMac::GetGroupAddress();
    burst.group = std::make_shared<const std::vector<uint32_t>>(std::move(nodes));
    return burst;
}

D2dBurst
TestNetwork::UnitsBurst(uint32_t to, const D2dDivision& division, D2dReliability reliability) const
{
    D2dBurst burst =
        Burst(to, division.headerBytes + division.units * division.unitBytes, reliability);
    burst.division = division;
    return burst;
}

uint32_t
TestNetwork::SendBurst(uint32_t from,
                       const D2dBurst& burst,
                       const std::function<void(const D2dBurstReport&)>& ended) const
{
    return Mac(from)->SendBurst(burst, ended);
}

uint32_t
TestNetwork::Send(uint32_t from, uint32_t to, uint32_t bytes, D2dReliability reliability)
{
    return SendBurst(from, Burst(to, bytes, reliability));
}

void
TestNetwork::SendAt(
    Time delay, uint32_t from, uint32_t to, uint32_t bytes, D2dReliability reliability)
{
    At(delay, [=] { Send(from, to, bytes, reliability); });
}

void
TestNetwork::CancelAt(Time delay, uint32_t from, uint32_t burst) const
{
    At(delay, [=] { Mac(from)->CancelBurst(burst); });
}

void
TestNetwork::SwitchOffAt(Time delay, uint32_t index) const
{
    At(delay, [=] { Mac(index)->SwitchOff(); });
}

void
TestNetwork::SwitchOnAt(Time delay, uint32_t index) const
{
    At(delay, [=] { Mac(index)->SwitchOn(); });
}

const std::vector<D2dBurstReport>&
TestNetwork::Reports() const
{
    return m_reports;
}

const D2dBurstReport&
TestNetwork::Report(std::size_t number) const
{
    return m_reports.at(number);
}

const D2dReceiverOutcome&
TestNetwork::Outcome(std::size_t number, std::size_t receiver) const
{
    return Report(number).outcomes.at(receiver);
}

std::vector<D2dBurstReport>
TestNetwork::ReportsOf(uint32_t sender) const
{
    std::vector<D2dBurstReport> reports;
    std::copy_if(m_reports.begin(),
                 m_reports.end(),
                 std::back_inserter(reports),
                 [node = NodeId(sender)](const auto& report) { return report.senderNode == node; });
    return reports;
}

const D2dBurstReport&
TestNetwork::ReportOf(uint32_t sender, uint32_t burst) const
{
    for (const auto& report : m_reports)
    {
        if (report.senderNode == NodeId(sender) && (burst == 0 || report.burst->id == burst))
        {
            return report;
        }
    }
    throw std::out_of_range("no report of burst " + std::to_string(burst));
}

std::vector<std::string>
TestNetwork::Fates(const D2dBurstReport& report) const
{
    std::vector<std::string> fates;
    for (const auto& outcome : report.outcomes)
    {
        std::string fate = "?";
        for (uint32_t i = 0; i < Size(); ++i)
        {
            if (Address(i) == outcome.receiver)
            {
                EXPECT_EQ(outcome.receiverNode, NodeId(i));
                fate = std::to_string(i);
            }
        }
        const bool isWhole = outcome.reason == D2dLossReason::NONE;
        EXPECT_LE(outcome.acknowledged, isWhole);
        EXPECT_LE(isWhole, outcome.delivered);
        fate += !isWhole && outcome.delivered ? " part " : " ";
        fate += !isWhole               ? ToString(outcome.reason)
                : outcome.acknowledged ? "acknowledged"
                                       : "delivered";
        fates.push_back(fate);
    }
    return fates;
}

std::vector<std::string>
TestNetwork::Fates(std::size_t number) const
{
    return Fates(Report(number));
}

std::string
TestNetwork::Starts() const
{
    std::set<std::pair<int64_t, uint32_t>> starts;
    for (const auto& report : m_reports)
    {
        if (report.attempts > 0)
        {
            starts.emplace(report.start.GetMicroSeconds(), IndexOf(report.senderNode));
        }
    }
    std::string text;
    for (const auto& [start, sender] : starts)
    {
        text += (text.empty() ? "" : " ") + std::to_string(sender) + "@" + std::to_string(start);
    }
    return text;
}

std::vector<double>
TestNetwork::Losses(uint32_t sender) const
{
    std::vector<double> losses;
    for (const auto& report : ReportsOf(sender))
    {
        losses.push_back(!report.outcomes.at(0).delivered);
    }
    return losses;
}

const std::vector<Reception>&
TestNetwork::Receptions() const
{
    return m_receptions;
}

std::vector<uint32_t>
TestNetwork::Hearers() const
{
    std::vector<uint32_t> indices;
    for (const auto& reception : m_receptions)
    {
        indices.push_back(IndexOf(reception.node));
    }
    return indices;
}

std::string
TestNetwork::DescribeBursts(bool onAirOnly) const
{
    std::ostringstream text;
    for (const auto& report : m_reports)
    {
        if (onAirOnly && report.attempts == 0)
        {
            continue;
        }
        text << IndexOf(report.senderNode) << ' ' << report.burst->id << ' ' << report.attempts
             << ' ' << report.bytesSent << ' ' << report.spectralEfficiency << ' '
             << report.start.GetTimeStep() << ' ' << report.end.GetTimeStep() << ' '
             << report.airtime.GetTimeStep();
        for (const auto& outcome : report.outcomes)
        {
            text << "; " << outcome.receiverNode - NodeId(0) << ' ' << ToString(outcome.reason)
                 << ' ' << outcome.lostFragments << ' ' << outcome.acknowledged << ' '
                 << outcome.ended.GetTimeStep();
        }
        text << '\n';
    }
    return text.str();
}

void
TestNetwork::ExpectIdle() const
{
    for (uint32_t i = 0; i < Size(); ++i)
    {
        EXPECT_EQ(Phy(i)->GetActivity().transmitting, 0) << "device " << i;
        EXPECT_FALSE(Phy(i)->GetActivity().receiving) << "device " << i;
    }
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

void
ExpectMean(const std::vector<double>& sample, double expected, double errors)
{
    const Moments moments = Describe(sample);
    EXPECT_NEAR(moments.mean, expected, errors * moments.standardError);
}

void
ExpectCount(double count, double probability, double trials, double deviations)
{
    EXPECT_NEAR(count,
                trials * probability,
                deviations * std::sqrt(trials * probability * (1 - probability)));
}

} // namespace tests
} // namespace ns3::collab
