/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging/test-payloads.h"
#include "support/refusals.h"
#include "support/simulation.h"

#include "ns3/collab-error.h"
#include "ns3/collab-transport.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2s-helper.h"
#include "ns3/d2s-position-allocator.h"
#include "ns3/double.h"
#include "ns3/mobility-helper.h"
#include "ns3/node-list.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::tests::KIND;

namespace
{

/// Four devices at the corners of a square of 100 m, and a server
class D2sTest : public ::testing::Test
{
  protected:
    D2sTest()
    {
        m_devices.Create(4);
        m_server.Create(1);
        MobilityHelper mobility;
        mobility.SetPositionAllocator("ns3::GridPositionAllocator",
                                      "MinX",
                                      DoubleValue(0),
                                      "DeltaX",
                                      DoubleValue(100),
                                      "DeltaY",
                                      DoubleValue(100),
                                      "GridWidth",
                                      UintegerValue(2));
        mobility.Install(m_devices);
    }

    ~D2sTest() override
    {
        Simulator::Destroy();
    }

    /// @brief Install both networks, with links that lose nothing, and listen on every node.
    void
    Install()
    {
        const StringValue lossless("ns3::collab::D2dFixedOutageModel");
        D2dHelper d2d;
        d2d.SetChannelAttribute("OutageModel", lossless);
        m_d2d = d2d.Install(m_devices);
        D2sHelper d2s;
        d2s.SetChannelAttribute("OutageModel", lossless);
        d2s.SetDeviceAttribute("Bandwidth", DoubleValue(5e6));
        d2s.SetDeviceAttribute("Duplex", StringValue("Full")); // the server hears while it sends
        d2s.SetDeviceAttribute("TxPower", DoubleValue(30.0));
        m_d2s = d2s.InstallServer(m_server.Get(0), m_devices);
        for (const auto& nodes : {m_devices, m_server})
        {
            for (uint32_t i = 0; i < nodes.GetN(); ++i)
            {
                const uint32_t id = nodes.Get(i)->GetId();
                GetTransport(id)->RegisterKind(
                    KIND, "test", nullptr, [this, id](const Message& message) {
                        m_received.emplace_back(id, message.sender);
                    });
            }
        }
    }

    /// @return transport of a node by its number
    static Ptr<Transport>
    GetTransport(uint32_t node)
    {
        return NodeList::GetNode(node)->GetObject<Transport>();
    }

    NodeContainer m_devices;                               //!< nodes 0 to 3
    NodeContainer m_server;                                //!< node 4
    NetDeviceContainer m_d2d;                              //!< radios between devices
    NetDeviceContainer m_d2s;                              //!< radios to the server, its own first
    std::vector<std::pair<uint32_t, uint32_t>> m_received; //!< receiver and sender
};

} // namespace

TEST_F(D2sTest, ServerIsThreeMeanDistancesAway)
{
    Install();
    // Mean of the 6 distances: (4 * 100 + 2 * 100 sqrt(2)) / 6
    const double mean = (4 * 100 + 2 * 100 * std::sqrt(2.0)) / 6;
    Ptr<MobilityModel> server = m_server.Get(0)->GetObject<MobilityModel>();
    for (uint32_t i = 0; i < 4; ++i)
    {
        // By symmetry every device is as far as the mean
        EXPECT_NEAR(
            m_devices.Get(i)->GetObject<MobilityModel>()->GetDistanceFrom(server), 3 * mean, 1e-9);
    }
    EXPECT_NEAR(server->GetPosition().x, 50, 1e-9);
    EXPECT_NEAR(server->GetPosition().y, 50, 1e-9);
}

TEST_F(D2sTest, DistanceFactorIsAnAttributeAndTooSmallOnesAreRefused)
{
    Ptr<D2sPositionAllocator> allocator = CreateObject<D2sPositionAllocator>();
    allocator->SetDevices({Vector(0, 0, 0), Vector(10, 0, 0)});
    allocator->SetAttribute("D2sDistanceFactor", DoubleValue(1.3));
    EXPECT_NEAR(CalculateDistance(allocator->GetNext(), Vector(0, 0, 0)), 13, 1e-9);
    allocator->SetAttribute("D2sDistanceFactor", DoubleValue(0.5));
    EXPECT_NEAR(CalculateDistance(allocator->GetNext(), Vector(5, 0, 0)), 0, 1e-6);
    allocator->SetAttribute("D2sDistanceFactor", DoubleValue(0.4));
    EXPECT_THROW(allocator->GetNext(), UserError);
}

TEST_F(D2sTest, TheMeanDistanceOfManyDevicesIsEstimated)
{
    std::vector<Vector> positions; // anywhere in a disc of radius 1
    const auto uniform = CreateObject<UniformRandomVariable>();
    for (int i = 0; i < 20000; ++i)
    {
        const double r = std::sqrt(uniform->GetValue());
        const double angle = uniform->GetValue(0, 2 * M_PI);
        positions.emplace_back(r * std::cos(angle), r * std::sin(angle), 0);
    }
    Ptr<D2sPositionAllocator> allocator = CreateObject<D2sPositionAllocator>();
    allocator->SetAttribute("D2sDistanceFactor", DoubleValue(3));
    allocator->SetDevices(positions);
    const double mean = 128 / (45 * M_PI); // of two places
    const double height = allocator->GetNext().z;
    // E[sqrt(h^2 + r^2)] over the disc
    const double found = 2.0 / 3 * (std::pow(height * height + 1, 1.5) - std::pow(height, 3));
    EXPECT_NEAR(found / mean, 3, 0.02);
}

TEST_F(D2sTest, AServerThatHasAPlaceKeepsIt)
{
    Ptr<ConstantPositionMobilityModel> place = CreateObject<ConstantPositionMobilityModel>();
    place->SetPosition(Vector(1, 2, 3));
    m_server.Get(0)->AggregateObject(place);
    Install();
    EXPECT_EQ(place->GetPosition().z, 3);
}

TEST_F(D2sTest, MessagesTakeTheRadioThatReachesTheirReceiver)
{
    Install();
    std::vector<uint64_t> bursts(5); // of D2D radios 0 to 3, and of all D2S radios
    const auto count = [&bursts](Ptr<NetDevice> radio, uint32_t place) {
        ::tests::OnTrace<const D2dBurstReport&>(DynamicCast<D2dNetDevice>(radio)->GetMac(),
                                                "BurstEnd",
                                                [&bursts, place](const auto&) { ++bursts[place]; });
    };
    for (uint32_t i = 0; i < 4; ++i)
    {
        count(m_d2d.Get(i), i);
    }
    for (uint32_t i = 0; i < m_d2s.GetN(); ++i)
    {
        count(m_d2s.Get(i), 4);
    }
    GetTransport(0)->Send(4, {KIND, 0, nullptr});
    GetTransport(1)->Send(2, {KIND, 0, nullptr});
    GetTransport(4)->Send(3, {KIND, 0, nullptr});
    Simulator::Schedule(Seconds(1), []() { GetTransport(4)->Broadcast({KIND, 0, nullptr}); });
    Simulator::Schedule(Seconds(2), []() { GetTransport(0)->Broadcast({KIND, 0, nullptr}); });
    ::tests::RunFor(Seconds(10));
    EXPECT_THAT(bursts, ElementsAre(1, 1, 0, 0, 3));
    const std::vector<std::pair<uint32_t, uint32_t>> expected = {
        {4, 0}, {2, 1}, {3, 4}, {0, 4}, {1, 4}, {2, 4}, {3, 4}, {1, 0}, {2, 0}, {3, 0}};
    EXPECT_THAT(m_received, testing::UnorderedElementsAreArray(expected));
}

TEST_F(D2sTest, DevicesKnowTheirServerAndKeepItApartFromTheirNeighbors)
{
    Install();
    EXPECT_EQ(GetTransport(0)->GetServer(), 4);
    EXPECT_EQ(GetTransport(4)->GetServer(), std::nullopt);
    EXPECT_THAT(GetTransport(0)->GetNeighbors(), ElementsAre(1, 2, 3));
    EXPECT_THAT(GetTransport(4)->GetNeighbors(), ElementsAre(0, 1, 2, 3));
    EXPECT_TRUE(GetTransport(0)->GetLinkQuality(4));
    // Five times the bandwidth
    EXPECT_EQ(GetTransport(0)->GetAirtime(1000), GetTransport(0)->GetAirtime(1000, 1));
    EXPECT_EQ(GetTransport(0)->GetAirtime(1000), GetTransport(0)->GetAirtime(1000, 4) * 5);
}

TEST_F(D2sTest, AirtimeFollowsAdaptiveRates)
{
    Install();
    const Time fixed = GetTransport(0)->GetAirtime(1000);
    const auto phy = DynamicCast<D2dNetDevice>(m_devices.Get(0)->GetDevice(0))->GetPhy();
    phy->SetAttribute("RateControl", StringValue("Adaptive"));
    phy->SetAttribute("MinSpectralEfficiency", DoubleValue(0.5));
    EXPECT_EQ(GetTransport(0)->GetAirtime(1000, 1), fixed / 8) << "the greatest rate";
    EXPECT_EQ(GetTransport(0)->GetAirtime(1000), fixed * 2)
        << "the lowest, for nobody in particular";
}

TEST_F(D2sTest, RadiosThatContradictThemselvesAreRefused)
{
    Install();
    const auto phy = DynamicCast<D2dNetDevice>(m_devices.Get(0)->GetDevice(0))->GetPhy();
    const auto expectError = [&](const std::string& text) {
        const auto error = ::tests::ErrorOf<UserError>([&] { D2dHelper::CheckLinks(m_d2d); });
        EXPECT_THAT(error, ::testing::HasSubstr(text));
        EXPECT_EQ(error.empty(), text.empty());
    };
    phy->SetAttribute("MinSpectralEfficiency", DoubleValue(9));
    expectError("");
    phy->SetAttribute("RateControl", StringValue("Adaptive"));
    expectError("D2dPhy::MinSpectralEfficiency=9 is not allowed; it must be at most");
    phy->SetAttribute("MaxSpectralEfficiency", DoubleValue(9));
    expectError("");
    phy->SetAttribute("FragmentSize", UintegerValue(23));
    expectError("D2dPhy::FragmentSize=23 is not allowed; it must be more than the 23 bytes");
    phy->SetAttribute("FragmentSize", UintegerValue(24));
    expectError("");
}
