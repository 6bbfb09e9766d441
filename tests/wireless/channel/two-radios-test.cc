/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/constant-position-mobility-model.h"
#include "ns3/constant-velocity-mobility-model.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-transport.h"
#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gmock/gmock.h>
#include <memory>
#include <set>
#include <string>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;

/// Node 0 with radios 0 and 2, and node 1, 100 m from it, with radio 1, on one channel
class TwoRadiosTest : public SimulatorTest
{
  protected:
    /**
     * @param device attributes of the radios
     * @param channel attributes of the channel
     * @param mobility class of the mobility model of node 0
     */
    void
    Make(const Settings& device = {},
         const Settings& channel = {},
         const std::string& mobility = "ns3::ConstantPositionMobilityModel")
    {
        m_nodes.Create(2);
        ObjectFactory factory(mobility);
        m_place = factory.Create<MobilityModel>();
        m_nodes.Get(0)->AggregateObject(m_place);
        Ptr<MobilityModel> other = CreateObject<ConstantPositionMobilityModel>();
        other->SetPosition(Vector(100, 0, 0));
        m_nodes.Get(1)->AggregateObject(other);
        D2dHelper helper;
        // At 100 m a fragment in a hundred would be lost
        helper.SetChannelAttribute("OutageModel", StringValue("ns3::collab::D2dFixedOutageModel"));
        for (const auto& [name, value] : device)
        {
            helper.SetDeviceAttribute(name, StringValue(value));
        }
        for (const auto& [name, value] : channel)
        {
            helper.SetChannelAttribute(name, StringValue(value));
        }
        const NetDeviceContainer devices = helper.Install(m_nodes);
        m_radios = {DynamicCast<D2dNetDevice>(devices.Get(0)),
                    DynamicCast<D2dNetDevice>(devices.Get(1)),
                    CreateObject<D2dNetDevice>()};
        for (const auto& [name, value] : device)
        {
            m_radios[2]->SetPartAttribute(name, StringValue(value));
        }
        m_nodes.Get(0)->AddDevice(m_radios[2]);
        m_radios[2]->SetChannel(m_radios[0]->GetD2dChannel());
        for (const auto& radio : m_radios)
        {
            radio->GetMac()->TraceConnectWithoutContext("BurstEnd",
                                                        MakeCallback(&TwoRadiosTest::Record, this));
        }
    }

    /**
     * @param from index of a radio
     * @param destination address
     */
    void
    Send(uint32_t from, Mac48Address destination)
    {
        m_radios[from]->GetMac()->SendBurst(
            {Create<Packet>(100), destination, TestNetwork::PROTOCOL});
    }

    /// @return addresses of who got something, of each burst
    std::vector<std::set<Mac48Address>>
    Run()
    {
        Simulator::Run();
        std::vector<std::set<Mac48Address>> delivered;
        for (const auto& report : m_reports)
        {
            delivered.emplace_back();
            for (const auto& outcome : report.outcomes)
            {
                if (outcome.delivered)
                {
                    delivered.back().insert(outcome.receiver);
                }
            }
        }
        return delivered;
    }

    /// @return address of a radio
    Mac48Address
    Address(uint32_t index) const
    {
        return m_radios[index]->GetMac()->GetAddress();
    }

    NodeContainer m_nodes;                   //!< the nodes
    Ptr<MobilityModel> m_place;              //!< where node 0 is
    std::vector<Ptr<D2dNetDevice>> m_radios; //!< the radios
    std::vector<D2dBurstReport> m_reports;   //!< bursts that are over

  private:
    /// @param report of a burst that is over
    void
    Record(const D2dBurstReport& report)
    {
        m_reports.push_back(report);
    }
};

TEST_F(TwoRadiosTest, ABroadcastIsForOtherNodes)
{
    Make();
    Send(0, Mac48Address::GetBroadcast());
    EXPECT_THAT(Run(), ElementsAre(std::set<Mac48Address>{Address(1)}));
    EXPECT_EQ(m_reports[0].outcomes.size(), 1) << "a node is no receiver of its own";
}

TEST_F(TwoRadiosTest, BothHearABroadcastAndABurstOfTheirOwn)
{
    Make();
    Send(1, Mac48Address::GetBroadcast());
    Send(1, Address(2));
    Send(2, Address(1));
    EXPECT_THAT(Run(),
                testing::UnorderedElementsAre(std::set<Mac48Address>{Address(0), Address(2)},
                                              std::set<Mac48Address>{Address(2)},
                                              std::set<Mac48Address>{Address(1)}));
}

TEST_F(TwoRadiosTest, OneMaySendToTheOther)
{
    Make();
    Send(0, Address(2));
    EXPECT_THAT(Run(), ElementsAre(std::set<Mac48Address>{Address(2)}));
}

TEST_F(TwoRadiosTest, OnOneChannelTheySenseEachOther)
{
    Make({{"Duplex", "Full"}, {"ContentionWindow", "1"}}, {{"Access", "Shared"}});
    Send(0, Address(1));
    Simulator::Schedule(MicroSeconds(100), [this]() { Send(2, Address(1)); });
    Run();
    ASSERT_EQ(m_reports.size(), 2);
    EXPECT_GE(m_reports[1].start, m_reports[0].end);
}

TEST_F(TwoRadiosTest, ANodeIsNotItsOwnNeighbor)
{
    for (const std::string discovery : {"Ideal", "Measured"})
    {
        Make({{"NeighborDiscovery", discovery}});
        for (const auto& radio : m_radios)
        {
            radio->Initialize();
        }
        Simulator::Schedule(Seconds(3), [this]() {
            EXPECT_THAT(m_radios[0]->GetDiscovery()->GetNeighbors(),
                        ElementsAre(m_nodes.Get(1)->GetId()));
            EXPECT_THAT(m_radios[2]->GetDiscovery()->GetNeighbors(),
                        ElementsAre(m_nodes.Get(1)->GetId()));
            EXPECT_THAT(m_radios[1]->GetDiscovery()->GetNeighbors(),
                        ElementsAre(m_nodes.Get(0)->GetId()))
                << "and nobody twice";
            EXPECT_FALSE(m_radios[2]->GetDiscovery()->GetMeasuredRssW(m_nodes.Get(0)->GetId()));
        });
        Simulator::Stop(Seconds(4));
        Simulator::Run();
        Simulator::Destroy();
        m_nodes = NodeContainer();
    }
}

TEST_F(TwoRadiosTest, BothMoveWithTheirNode)
{
    for (const std::string mobility :
         {"ns3::ConstantPositionMobilityModel", "ns3::ConstantVelocityMobilityModel"})
    {
        Make({}, {}, mobility);
        m_reports.clear();
        Send(1, Mac48Address::GetBroadcast());
        Simulator::Schedule(Seconds(1), [this]() {
            m_place->SetPosition(Vector(1e9, 0, 0));
            Send(1, Mac48Address::GetBroadcast());
        });
        Simulator::Schedule(Seconds(2), [this]() {
            m_place->SetPosition(Vector(50, 0, 0));
            Send(1, Mac48Address::GetBroadcast());
        });
        const std::set<Mac48Address> both = {Address(0), Address(2)};
        EXPECT_THAT(Run(), ElementsAre(both, IsEmpty(), both)) << mobility;
        Simulator::Destroy();
        m_nodes = NodeContainer();
    }
}

TEST_F(TwoRadiosTest, AGroupHasNoMemberAtItsSender)
{
    Make();
    D2dBurst burst(Create<Packet>(100), D2dMac::GetGroupAddress(), TestNetwork::PROTOCOL);
    burst.group =
        std::make_shared<const std::vector<uint32_t>>(std::vector{m_nodes.Get(0)->GetId()});
    m_radios[2]->GetMac()->SendBurst(burst);
    EXPECT_DEATH(Simulator::Run(), "has no other device on the channel");
}

TEST_F(TwoRadiosTest, ATransportHasOneRadioAChannel)
{
    Make();
    Ptr<D2dTransport> transport = m_nodes.Get(0)->GetObject<D2dTransport>();
    EXPECT_DEATH(transport->AddDevice(m_radios[2]), "has a radio on the same channel already");
}

} // namespace
