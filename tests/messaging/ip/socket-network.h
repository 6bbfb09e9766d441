/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SOCKET_NETWORK_H
#define MESSAGING_SOCKET_NETWORK_H

#include "messaging/test-payloads.h"
#include "support/simulation.h"

#include "ns3/arp-cache.h"
#include "ns3/boolean.h"
#include "ns3/collab-socket-transport.h"
#include "ns3/collab-transport-helper.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

/// Devices on one simple channel with an IP stack, whose receivers lose packets independently
class SocketNetwork : public ::testing::Test
{
  protected:
    /// A message that arrived
    struct Arrival
    {
        uint32_t device = 0;          //!< where
        ns3::Time time;               //!< when
        ns3::collab::Message message; //!< what
    };

    /// @brief Make the devices; those of before are gone.
    /// @param settings their number, the rate of each, the probability that a packet is lost,
    /// ns-3's run number, the version of IP, whether link addresses are asked for, the transport
    /// (udp or tcp), its payload mode and others of its attributes, such as "devices=3 loss=0.1
    /// PacingRate=1Mbps"
    void
    MakeDevices(const std::string& settings = "")
    {
        using namespace ns3;
        using namespace ns3::collab;
        Reset();
        std::map<std::string, std::string> given = {{"transport", "udp"},
                                                    {"devices", "2"},
                                                    {"loss", "0"},
                                                    {"rate", "10Mbps"},
                                                    {"mode", "Bytes"},
                                                    {"run", "1"},
                                                    {"ip", "4"},
                                                    {"resolves", "false"}};
        std::istringstream words(settings);
        for (std::string word; words >> word;)
        {
            const std::size_t equals = word.find('=');
            given[word.substr(0, equals)] = word.substr(equals + 1);
        }
        RngSeedManager::SetSeed(7);
        RngSeedManager::SetRun(std::stoul(given.at("run")));
        m_nodes.Create(std::stoul(given.at("devices")));
        SimpleNetDeviceHelper simple;
        simple.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000p"));
        simple.SetDeviceAttribute("DataRate", StringValue(given.at("rate")));
        simple.SetChannelAttribute("Delay", StringValue("1ms"));
        m_devices = simple.Install(m_nodes);
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            Ptr<RateErrorModel> errors = CreateObject<RateErrorModel>();
            errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errors->SetRate(std::stod(given.at("loss")));
            errors->AssignStreams(1000 + i);
            m_devices.Get(i)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        }
        InternetStackHelper().Install(m_nodes);
        if (given.at("ip") == "4")
        {
            Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(m_devices);
        }
        else
        {
            Ipv6AddressHelper().AssignWithoutAddress(m_devices); // link-local ones
        }
        TransportHelper helper =
            given.at("transport") == "tcp" ? TransportHelper::Tcp() : TransportHelper::Udp();
        helper.SetAttribute("PayloadMode", StringValue(given.at("mode")));
        for (const auto& [name, value] : given)
        {
            if (name[0] < 'a') // attributes begin with a capital
            {
                helper.SetAttribute(name, StringValue(value));
            }
        }
        helper.SetAddressResolution(given.at("resolves") == "true");
        helper.Install(m_devices);
        TransportHelper::AssignStreams(m_devices, 0);
        Listen();
    }

    /// @return transport of a device by its index
    ns3::Ptr<ns3::collab::Transport>
    GetTransport(uint32_t device) const
    {
        return m_nodes.Get(device)->GetObject<ns3::collab::Transport>();
    }

    /// @return its number
    uint32_t
    GetId(uint32_t device) const
    {
        return m_nodes.Get(device)->GetId();
    }

    /// @return its address
    ns3::Ipv4Address
    GetAddress(uint32_t device) const
    {
        return m_nodes.Get(device)->GetObject<ns3::Ipv4>()->GetAddress(1, 0).GetLocal();
    }

    /// Tells a device the link-layer address of another one, for what sends past its transport.
    void
    TellLinkAddress(uint32_t device, uint32_t peer) const
    {
        ns3::ArpCache::Entry* entry = m_nodes.Get(device)
                                          ->GetObject<ns3::Ipv4L3Protocol>()
                                          ->GetInterface(1)
                                          ->GetArpCache()
                                          ->Add(GetAddress(peer));
        entry->SetMacAddress(m_devices.Get(peer)->GetAddress());
        entry->MarkPermanent();
    }

    /// Lets the first device send to the second.
    /// @return number of the message
    uint32_t
    Send(std::shared_ptr<const ns3::collab::Payload> payload, ns3::collab::SendOptions options)
    {
        if (!options.delivered)
        {
            options.delivered = [this](const ns3::collab::DeliveryReport& report) {
                m_reports.push_back(report);
            };
        }
        return GetTransport(0)->Send(GetId(1), {KIND, 1, std::move(payload)}, std::move(options));
    }

    /// Forget the devices and what they did.
    void
    Reset()
    {
        m_devices = ns3::NetDeviceContainer();
        m_nodes = ns3::NodeContainer();
        m_arrivals.clear();
        m_rejections.clear();
        m_outcomes.clear();
        m_reports.clear();
        ns3::Simulator::Destroy();
    }

    void
    TearDown() override
    {
        Reset();
    }

    /// @return all that happened, as text
    std::string
    Describe() const
    {
        std::ostringstream text;
        for (const auto& arrival : m_arrivals)
        {
            const auto& message = arrival.message;
            text << "rx " << arrival.time.GetTimeStep() << " " << arrival.device - GetId(0) << " "
                 << message.sender - GetId(0) << " " << message.sequence << " "
                 << message.unitsSent;
            for (const uint32_t unit : message.units)
            {
                text << " " << unit;
            }
            std::size_t hash = 0;
            for (const uint8_t byte : BytesOf(*message.payload))
            {
                hash = hash * 31 + byte;
            }
            text << " hash " << hash << "\n";
        }
        for (const auto& outcome : m_outcomes)
        {
            text << "outcome " << outcome.sender - GetId(0) << " " << outcome.receiver - GetId(0)
                 << " " << outcome.sequence << " " << outcome.bytes << " " << outcome.fragments
                 << " " << outcome.lostFragments << " " << outcome.attempts << " "
                 << outcome.queued.GetTimeStep() << " " << outcome.start.GetTimeStep() << " "
                 << outcome.end.GetTimeStep() << " " << outcome.delivered << " " << outcome.units
                 << " " << outcome.lostUnits << " " << outcome.reason << "\n";
        }
        for (const auto& report : m_reports)
        {
            text << "report " << report.sequence << " " << report.finished.GetTimeStep() << " "
                 << report.cancelled << " " << report.acknowledged.size() << " "
                 << report.acknowledgedUnits.size() << "\n";
        }
        return text.str();
    }

    ns3::NodeContainer m_nodes;                          //!< the nodes
    ns3::NetDeviceContainer m_devices;                   //!< their devices
    std::vector<Arrival> m_arrivals;                     //!< messages that arrived
    std::vector<std::string> m_rejections;               //!< why others were dropped
    std::vector<ns3::collab::MessageOutcome> m_outcomes; //!< what became of messages
    std::vector<ns3::collab::DeliveryReport> m_reports;  //!< what senders learned

  private:
    /// Record what happens at all devices.
    void
    Listen()
    {
        using namespace ns3;
        using namespace ns3::collab;
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            const uint32_t id = GetId(i);
            GetTransport(i)->RegisterKind(
                KIND, "test", BytesPayload::Parse, [this, id](const Message& message) {
                    m_arrivals.push_back({id, Simulator::Now(), message});
                });
            OnTrace<uint32_t, const std::string&>(
                GetTransport(i), "Reject", [this](uint32_t, const std::string& reason) {
                    m_rejections.push_back(reason);
                });
            CollectTrace(GetTransport(i), "Outcome", m_outcomes);
        }
    }
};

} // namespace tests

#endif /* MESSAGING_SOCKET_NETWORK_H */
