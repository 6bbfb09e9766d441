/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging/test-payloads.h"
#include "support/simulation.h"

#include "ns3/collab-transport-helper.h"
#include "ns3/collab-transport.h"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/mobility-helper.h"
#include "ns3/node.h"
#include "ns3/position-allocator.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wifi-net-device.h"
#include "ns3/wifi-phy.h"
#include "ns3/yans-wifi-helper.h"

#include <gtest/gtest.h>
#include <map>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::collab;

namespace
{

using ::tests::BytesOf;
using ::tests::BytesPayload;
using ::tests::KIND;

/// Transport, and probability that a radio loses a frame that it could decode
class WifiTransportTest : public ::testing::TestWithParam<std::tuple<std::string, double>>
{
  protected:
    /// @param devices number of 802.11a ad hoc radios, a meter from each other on a line
    void
    MakeDevices(uint32_t devices)
    {
        RngSeedManager::SetSeed(3);
        RngSeedManager::SetRun(1);
        m_nodes.Create(devices);
        MobilityHelper mobility;
        auto positions = CreateObject<ListPositionAllocator>();
        for (uint32_t i = 0; i < devices; ++i)
        {
            positions->Add(Vector(i, 0, 0));
        }
        mobility.SetPositionAllocator(positions);
        mobility.Install(m_nodes);
        YansWifiPhyHelper phy;
        phy.SetChannel(YansWifiChannelHelper::Default().Create());
        WifiMacHelper mac;
        mac.SetType("ns3::AdhocWifiMac");
        WifiHelper wifi;
        wifi.SetStandard(WIFI_STANDARD_80211a);
        wifi.SetRemoteStationManager(
            "ns3::ConstantRateWifiManager", "DataMode", StringValue("OfdmRate12Mbps"));
        const NetDeviceContainer radios = wifi.Install(phy, mac, m_nodes);
        wifi.AssignStreams(radios, 0);
        for (uint32_t i = 0; i < devices; ++i)
        {
            Ptr<RateErrorModel> errors = CreateObject<RateErrorModel>();
            errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errors->SetRate(std::get<1>(GetParam()));
            errors->AssignStreams(2000 + i);
            DynamicCast<WifiNetDevice>(radios.Get(i))->GetPhy()->SetPostReceptionErrorModel(errors);
        }
        InternetStackHelper().Install(m_nodes);
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(radios);
        TransportHelper helper =
            std::get<0>(GetParam()) == "tcp" ? TransportHelper::Tcp() : TransportHelper::Udp();
        helper.SetAttribute("PayloadMode", StringValue("Bytes"));
        helper.Install(radios);
        TransportHelper::AssignStreams(radios, 1000);
        for (uint32_t i = 0; i < devices; ++i)
        {
            GetTransport(i)->RegisterKind(
                KIND, "test", BytesPayload::Parse, [this](const Message& message) {
                    m_received.push_back(BytesOf(*message.payload));
                });
        }
    }

    Ptr<Transport>
    GetTransport(uint32_t device) const
    {
        return m_nodes.Get(device)->GetObject<Transport>();
    }

    void
    TearDown() override
    {
        m_nodes = NodeContainer();
        Simulator::Destroy();
    }

    NodeContainer m_nodes;                        //!< the nodes
    std::vector<std::vector<uint8_t>> m_received; //!< payloads that arrived
};

} // namespace

TEST_P(WifiTransportTest, AMegabyteArrives)
{
    MakeDevices(2);
    const auto payload = BytesPayload::Make(1000000);
    std::vector<DeliveryReport> reports;
    GetTransport(0)->Send(
        m_nodes.Get(1)->GetId(),
        {KIND, 0, payload},
        {LossPolicy::RELIABLE, [&](const DeliveryReport& report) { reports.push_back(report); }});
    ::tests::RunFor(Seconds(300));
    ASSERT_EQ(m_received.size(), 1U);
    EXPECT_EQ(m_received[0], BytesOf(*payload));
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_EQ(reports[0].acknowledged.size(), 1U);
}

TEST_P(WifiTransportTest, ManyThatShareTheMediumDoNotBuryEachOther)
{
    constexpr uint32_t DEVICES = 12;
    MakeDevices(DEVICES);
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        GetTransport(i)->Broadcast({KIND, 0, BytesPayload::Make(20000)}, LossPolicy::RELIABLE);
    }
    std::map<uint32_t, uint64_t> attempts; // by sender
    uint64_t needed = 0;
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        ::tests::OnTrace<const MessageOutcome&>(
            GetTransport(i), "Outcome", [&](const MessageOutcome& outcome) {
                attempts[outcome.sender] = outcome.attempts;
                needed += outcome.fragments;
            });
    }
    ::tests::RunFor(Seconds(300));
    EXPECT_EQ(m_received.size(), DEVICES * (DEVICES - 1));
    uint64_t sent = 0;
    for (const auto& [sender, count] : attempts)
    {
        sent += count;
    }
    EXPECT_LT(sent, 2 * needed) << "transmissions, and parts to be sent";
}

INSTANTIATE_TEST_SUITE_P(Losses,
                         WifiTransportTest,
                         ::testing::Combine(::testing::Values("udp", "tcp"),
                                            ::testing::Values(0, 0.3)));
