/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-transport.h"

namespace ns3::collab::tests
{
namespace
{

/// Node 0 with radios 0 and 2, and node 1, 100 m from it, with radio 1, on one channel
class TwoRadiosTest : public SimulatorTest
{
  protected:
    void
    Make(const Settings& device = {},
         const Settings& channel = {},
         const std::string& mobility = "ns3::ConstantPositionMobilityModel")
    {
        Simulator::Destroy();
        m_network.emplace(
            std::vector{ObjectFactory(mobility).Create<MobilityModel>(), Standing(100)},
            std::vector<std::string>{},
            device,
            // At 100 m a fragment in a hundred would be lost
            With({{"OutageModel", "ns3::collab::D2dFixedOutageModel"}}, channel));
        m_network->Join(m_network->Device(0)->GetNode());
    }

    void
    Send(uint32_t from, uint32_t to)
    {
        m_network->Send(from, to, 100);
    }

    std::optional<TestNetwork> m_network; //!< the radios
};

TEST_F(TwoRadiosTest, ABroadcastIsForOtherNodes)
{
    Make();
    Send(0, BROADCAST);
    Simulator::Run();
    EXPECT_THAT(m_network->Fates(), ElementsAre("1 delivered"))
        << "a node is no receiver of its own";
}

TEST_F(TwoRadiosTest, BothHearABroadcastAndABurstOfTheirOwn)
{
    Make();
    Send(1, BROADCAST);
    Send(1, 2);
    Send(2, 1);
    Simulator::Run();
    std::vector<std::vector<std::string>> fates;
    for (const auto& report : m_network->Reports())
    {
        fates.push_back(m_network->Fates(report));
    }
    EXPECT_THAT(fates,
                UnorderedElementsAre(UnorderedElementsAre("0 delivered", "2 delivered"),
                                     ElementsAre("2 delivered"),
                                     ElementsAre("1 delivered")));
}

TEST_F(TwoRadiosTest, OneMaySendToTheOther)
{
    Make();
    Send(0, 2);
    Simulator::Run();
    EXPECT_THAT(m_network->Fates(), ElementsAre("2 delivered"));
}

TEST_F(TwoRadiosTest, OnOneChannelTheySenseEachOther)
{
    Make({{"Duplex", "Full"}, {"ContentionWindow", "1"}}, {{"Access", "Shared"}});
    Send(0, 1);
    m_network->SendAt(MicroSeconds(100), 2, 1, 100);
    Simulator::Run();
    EXPECT_GE(m_network->Report(1).start, m_network->Report(0).end);
}

TEST_F(TwoRadiosTest, ANodeIsNotItsOwnNeighbor)
{
    for (const std::string discovery : {"Ideal", "Measured"})
    {
        Make({{"NeighborDiscovery", discovery}});
        m_network->Device(2)->Initialize();
        RunFor(Seconds(3));
        for (const uint32_t radio : {0, 1, 2})
        {
            EXPECT_THAT(m_network->Discovery(radio)->GetNeighbors(),
                        ElementsAre(m_network->NodeId(radio == 1 ? 0 : 1)))
                << "and nobody twice";
        }
        EXPECT_FALSE(m_network->Discovery(2)->GetMeasuredRssW(m_network->NodeId(0)));
    }
}

TEST_F(TwoRadiosTest, BothMoveWithTheirNode)
{
    for (const std::string mobility :
         {"ns3::ConstantPositionMobilityModel", "ns3::ConstantVelocityMobilityModel"})
    {
        Make({}, {}, mobility);
        std::vector<uint32_t> receivers;
        for (const double x : {0.0, 1e9, 50.0})
        {
            m_network->Place(0)->SetPosition(Vector(x, 0, 0));
            Send(1, BROADCAST);
            RunFor(Seconds(1));
            receivers.push_back(m_network->Reports().back().outcomes.size());
        }
        EXPECT_THAT(receivers, ElementsAre(2, 0, 2)) << mobility;
        EXPECT_EQ(m_network->Receptions().size(), 4);
    }
}

TEST_F(TwoRadiosTest, AGroupHasNoMemberAtItsSender)
{
    Make();
    m_network->SendBurst(2, m_network->GroupBurst({0}, 100));
    EXPECT_DEATH(Simulator::Run(), "has no other device on the channel");
}

TEST_F(TwoRadiosTest, ATransportHasOneRadioPerChannel)
{
    Make();
    Ptr<D2dTransport> transport = m_network->Device(0)->GetNode()->GetObject<D2dTransport>();
    EXPECT_DEATH(transport->AddDevice(m_network->Device(2)),
                 "has a radio on the same channel already");
}

} // namespace
} // namespace ns3::collab::tests
