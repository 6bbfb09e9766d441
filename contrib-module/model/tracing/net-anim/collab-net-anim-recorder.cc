/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-net-anim-recorder.h"

#include "ns3/abort.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-medium.h"
#include "ns3/energy-source-container.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabNetAnimRecorder");

namespace
{

/// Number of the only counter
constexpr uint32_t BATTERY_COUNTER = 0;

/// What is written beside a link on which nothing arrives
const std::string OUT_OF_RANGE = "out of range";

/// @param fraction charge of a battery, as a part of the initial one
/// @return green, over yellow to red, or gray if it is empty
NetAnimFile::Color
MakeColor(double fraction)
{
    if (fraction <= 0)
    {
        return {128, 128, 128};
    }
    const auto green = static_cast<uint32_t>(std::lround(255 * std::min(fraction, 1.0)));
    return {255 - green, green, 0};
}

/// @param from a device
/// @param to another one
/// @return what is to be known of the link between them now
std::string
Describe(Ptr<D2dNetDevice> from, Ptr<D2dNetDevice> to)
{
    const D2dLink link = from->GetD2dChannel()->GetLink(from, to);
    if (!link.inRange)
    {
        return OUT_OF_RANGE;
    }
    const double outage = from->GetD2dChannel()->GetMedium()->Losses().GetOutageProbability(
        *from->GetPhy(), link, {}, from->GetPhy()->GetSpectralEfficiency());
    return fmt::format("{:.1f} dBm, outage {:.3g}", 30 + 10 * std::log10(link.rssW), outage);
}

} // namespace

void
NetAnimRecorder::Device::HandleEnergy(double, double now)
{
    remainingJ = now;
}

NetAnimRecorder::NetAnimRecorder(const std::string& path,
                                 const NodeContainer& nodes,
                                 const NetAnimOptions& options)
    : m_file(path),
      m_options(options)
{
    NS_ABORT_MSG_UNLESS(m_options.mobilityPollInterval.IsStrictlyPositive(),
                        "NetAnimRecorder: mobilityPollInterval is "
                            << m_options.mobilityPollInterval << "; it must be more than zero");
    for (auto it = nodes.Begin(); it != nodes.End(); ++it)
    {
        Device& device = m_devices.emplace((*it)->GetId(), MakeDevice(*it)).first->second;
        m_file.AddNode(device.id, device.position);
        m_file.DescribeNode(Simulator::Now(), device.id, fmt::format("{}", device.id));
        Connect(device);
    }
    m_file.AddCounter(BATTERY_COUNTER, "RemainingEnergy [J]");
    Poll();
}

NetAnimRecorder::~NetAnimRecorder()
{
    m_poll.Cancel();
    for (auto& [id, device] : m_devices)
    {
        Disconnect(device);
    }
}

NetAnimRecorder::Device
NetAnimRecorder::MakeDevice(Ptr<Node> node)
{
    Device device;
    device.id = node->GetId();
    device.mobility = node->GetObject<MobilityModel>();
    NS_ABORT_MSG_UNLESS(device.mobility,
                        "NetAnimRecorder: node "
                            << device.id << " has no MobilityModel; install one on every node");
    device.position = device.mobility->GetPosition();
    device.transport = node->GetObject<Transport>();
    for (uint32_t i = 0; i < node->GetNDevices() && !device.radio; ++i)
    {
        device.radio = DynamicCast<D2dNetDevice>(node->GetDevice(i));
    }
    Ptr<EnergySourceContainer> batteries = node->GetObject<EnergySourceContainer>();
    if (batteries && batteries->GetN() > 0)
    {
        device.battery = batteries->Get(0);
        device.initialJ = device.battery->GetInitialEnergy();
        device.remainingJ = device.initialJ;
    }
    for (uint32_t i = 0; i < node->GetNApplications(); ++i)
    {
        if (auto application = DynamicCast<CollaborationApplication>(node->GetApplication(i)))
        {
            device.applications.push_back(application);
        }
    }
    return device;
}

void
NetAnimRecorder::Connect(Device& device)
{
    if (device.transport)
    {
        device.transport->TraceConnectWithoutContext(
            "Outcome", MakeCallback(&NetAnimRecorder::HandleOutcome, this));
    }
    // A source without this trace has no counter and no color
    if (device.battery && !device.battery->TraceConnectWithoutContext(
                              "RemainingEnergy", MakeCallback(&Device::HandleEnergy, &device)))
    {
        NS_LOG_INFO("the battery of node " << device.id << " has no trace RemainingEnergy");
        device.battery = nullptr;
    }
    for (const auto& application : device.applications)
    {
        application->TraceConnectWithoutContext("Round",
                                                MakeCallback(&NetAnimRecorder::HandleRound, this));
    }
}

void
NetAnimRecorder::Disconnect(Device& device)
{
    if (device.transport)
    {
        device.transport->TraceDisconnectWithoutContext(
            "Outcome", MakeCallback(&NetAnimRecorder::HandleOutcome, this));
    }
    if (device.battery)
    {
        device.battery->TraceDisconnectWithoutContext("RemainingEnergy",
                                                      MakeCallback(&Device::HandleEnergy, &device));
    }
    for (const auto& application : device.applications)
    {
        application->TraceDisconnectWithoutContext(
            "Round", MakeCallback(&NetAnimRecorder::HandleRound, this));
    }
}

void
NetAnimRecorder::Poll()
{
    NS_LOG_FUNCTION(this << m_devices.size());
    for (auto& [id, device] : m_devices)
    {
        UpdatePosition(device);
        UpdateBattery(device);
    }
    if (m_options.links)
    {
        UpdateLinks();
    }
    m_file.Flush();
    // A run whose only events are looks at it is over. Before the run there may be none yet.
    if (!Simulator::IsFinished() || Simulator::Now().IsZero())
    {
        m_poll = Simulator::Schedule(m_options.mobilityPollInterval, &NetAnimRecorder::Poll, this);
    }
}

void
NetAnimRecorder::UpdatePosition(Device& device)
{
    const Vector position = device.mobility->GetPosition();
    if (position.x != device.position.x || position.y != device.position.y)
    {
        device.position = position;
        m_file.MoveNode(Simulator::Now(), device.id, position);
    }
}

void
NetAnimRecorder::UpdateBattery(Device& device)
{
    if (!device.battery || device.shownJ == device.remainingJ)
    {
        return;
    }
    device.shownJ = device.remainingJ;
    m_file.SetCounter(Simulator::Now(), BATTERY_COUNTER, device.id, device.remainingJ);
    const NetAnimFile::Color color =
        MakeColor(device.initialJ > 0 ? device.remainingJ / device.initialJ : 0.0);
    if (!device.color || !(*device.color == color))
    {
        device.color = color;
        m_file.ColorNode(Simulator::Now(), device.id, color);
    }
}

std::string
NetAnimRecorder::DescribeLink(const Device& device, const Device& other)
{
    const std::string there = Describe(device.radio, other.radio);
    const std::string here = Describe(other.radio, device.radio);
    if (there == here)
    {
        return there;
    }
    return fmt::format("to {}: {}; to {}: {}", other.id, there, device.id, here);
}

void
NetAnimRecorder::UpdateLinks()
{
    for (auto first = m_devices.begin(); first != m_devices.end(); ++first)
    {
        for (auto second = std::next(first); second != m_devices.end(); ++second)
        {
            const Device& device = first->second;
            const Device& other = second->second;
            if (!device.radio || !other.radio ||
                device.radio->GetChannel() != other.radio->GetChannel())
            {
                continue;
            }
            const std::string text = DescribeLink(device, other);
            auto known = m_links.find({device.id, other.id});
            if (known == m_links.end())
            {
                if (text == OUT_OF_RANGE)
                {
                    continue;
                }
                // NetAnim shows it from the beginning of the run
                m_file.AddLink(device.id, other.id, OUT_OF_RANGE);
                known = m_links.emplace(std::make_pair(device.id, other.id), OUT_OF_RANGE).first;
            }
            if (known->second != text)
            {
                m_file.DescribeLink(Simulator::Now(), device.id, other.id, text);
                known->second = text;
            }
        }
    }
}

void
NetAnimRecorder::HandleOutcome(const MessageOutcome& outcome)
{
    if (m_devices.count(outcome.receiver) == 0)
    {
        return; // NetAnim does not know it
    }
    std::string text = fmt::format("{} round {} number {}, {} bytes",
                                   outcome.kindName,
                                   outcome.round,
                                   outcome.sequence,
                                   outcome.bytes);
    if (!outcome.delivered)
    {
        text += fmt::format(", lost: {}", outcome.reason);
    }
    else if (outcome.lostUnits > 0)
    {
        text += fmt::format(", lost {} of {} units", outcome.lostUnits, outcome.units);
    }
    m_file.AddPacket(outcome.sender,
                     outcome.receiver,
                     outcome.start,
                     std::min(outcome.start + outcome.airtime, outcome.end),
                     outcome.end,
                     text);
}

void
NetAnimRecorder::HandleRound(const RoundRecord& record)
{
    m_file.DescribeNode(Simulator::Now(),
                        record.device,
                        fmt::format("{}, round {}", record.device, record.round + 1));
}

} // namespace ns3::collab
