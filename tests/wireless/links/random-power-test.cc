/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/propagation-delay-model.h"

namespace ns3::collab::tests
{
namespace
{

/// What a device sends is heard or not, by chance at each receiver; other links are as given
class ChanceModel : public PropagationLossModel
{
  public:
    explicit ChanceModel(Ptr<MobilityModel> device)
        : m_device(device)
    {
        m_random->SetStream(1);
    }

  private:
    double
    DoCalcRxPower(double txPowerDbm, Ptr<MobilityModel> a, Ptr<MobilityModel>) const override
    {
        const bool lost = a == m_device && m_random->GetValue() < 0.5;
        return lost ? -1000 : txPowerDbm;
    }

    int64_t
    DoAssignStreams(int64_t) override
    {
        return 0;
    }

    Ptr<MobilityModel> m_device;                                                 //!< see above
    Ptr<UniformRandomVariable> m_random = CreateObject<UniformRandomVariable>(); //!< chance
};

/// On one channel for all, where device 0 is heard or not by chance
class OneDrawTest : public SimulatorTest
{
  protected:
    /// Device 0 sends to all, or to device 1, and another one sends meanwhile, 100 times.
    void
    Play(uint32_t destination, uint32_t other, uint32_t receiver, const std::string& carrierSense)
    {
        m_network.emplace(3,
                          With({{"Duplex", "Full"}, {"CarrierSense", carrierSense}}),
                          Settings{{"Access", "Shared"},
                                   {"OutageModel", "ns3::collab::D2dThresholdOutageModel"}});
        m_network->LossModel()->SetNext(CreateObject<ChanceModel>(m_network->Place(0)));
        for (int i = 0; i < 100; ++i)
        {
            m_network->SendAt(MilliSeconds(10 * i), 0, destination, MILLISECOND);
            m_network->SendAt(MicroSeconds(10000 * i + 100), other, receiver, MILLISECOND);
        }
        Simulator::Run();
        m_first = m_network->ReportsOf(0);
        m_second = m_network->ReportsOf(other);
        ASSERT_THAT(m_first, SizeIs(100));
        ASSERT_THAT(m_second, SizeIs(100));
    }

    /// @return whether device 1 was in range of a burst of device 0
    bool
    IsInRange(const D2dBurstReport& report) const
    {
        return std::any_of(
            report.outcomes.begin(), report.outcomes.end(), [this](const auto& outcome) {
                return outcome.receiverNode == m_network->NodeId(1) &&
                       outcome.reason != D2dLossReason::OUT_OF_RANGE;
            });
    }

    std::optional<TestNetwork> m_network; //!< the devices
    std::vector<D2dBurstReport> m_first;  //!< bursts of device 0
    std::vector<D2dBurstReport> m_second; //!< bursts of the other one
};

TEST_F(OneDrawTest, WhoIsInRangeOfASignalSensesIt)
{
    for (const uint32_t destination : {BROADCAST, 1U})
    {
        Play(destination, 1, 2, "true");
        std::set<bool> seen;
        for (std::size_t i = 0; i < m_first.size(); ++i)
        {
            const bool defers = m_second[i].start >= m_first[i].end;
            EXPECT_EQ(defers, IsInRange(m_first[i])) << i;
            seen.insert(defers);
        }
        EXPECT_THAT(seen, SizeIs(2)) << "both shall happen";
    }
}

TEST_F(OneDrawTest, WhoIsInRangeOfASignalIsDisturbedByIt)
{
    for (const uint32_t destination : {BROADCAST, 1U})
    {
        Play(destination, 2, 1, "false");
        for (std::size_t i = 0; i < m_first.size(); ++i)
        {
            EXPECT_EQ(m_second[i].outcomes.at(0).delivered, !IsInRange(m_first[i])) << i;
        }
    }
}

/// Radios whose received power is drawn by models of ns-3, by attributes of channel and devices
class AskingTest : public WithParameter<std::pair<Settings, Settings>>
{
  protected:
    /// @return what became of random traffic, while somebody asks all that is known of links
    static std::string
    Play(bool ask)
    {
        RngSeedManager::SetRun(3);
        const uint64_t streams = RngSeedManager::GetNextStreamIndex();
        TestNetwork network(
            5,
            With({{"MaxReceptions", "3"}, {"RateControl", "Adaptive"}}, GetParam().second),
            GetParam().first);
        AddChance(network);
        network.Mac(4)->SwitchOff();
        for (int i = 0; i < 60; ++i)
        {
            network.SendAt(MilliSeconds(37 * i), i % 4, (i + 1) % 4, 3000, ARQ);
            network.SendAt(MilliSeconds(41 * i), i % 4, BROADCAST, 3000);
        }
        for (int i = 0; ask && i < 600; ++i)
        {
            At(MilliSeconds(4 * i), [&, i] { Ask(network, i % 4); });
        }
        RunFor(Seconds(5)); // beacons go on for ever
        EXPECT_GT(network.Reports().size(), 100);
        const std::string text = std::to_string(RngSeedManager::GetNextStreamIndex() - streams) +
                                 " streams\n" + network.DescribeBursts(true);
        return text;
    }

  private:
    /// Lets models of ns-3 draw powers and delays.
    static void
    AddChance(const TestNetwork& network)
    {
        ObjectFactory factory("ns3::RandomPropagationLossModel",
                              "Variable",
                              StringValue("ns3::UniformRandomVariable[Min=0|Max=320]"));
        Ptr<PropagationLossModel> loss = factory.Create<PropagationLossModel>();
        factory.SetTypeId("ns3::NakagamiPropagationLossModel");
        loss->SetNext(factory.Create<PropagationLossModel>());
        network.LossModel()->SetNext(loss);
        network.Channel()->SetPropagationDelayModel(
            CreateObjectWithAttributes<RandomPropagationDelayModel>(
                "Variable", StringValue("ns3::UniformRandomVariable[Min=0|Max=1e-6]")));
        network.Channel()->AssignStreams(77);
    }

    /// Asks all that can be asked, and lets a burst be dropped.
    static void
    Ask(TestNetwork& network, uint32_t device)
    {
        const uint32_t other = (device + 1) % 4;
        network.Discovery(device)->GetNeighbors();
        network.Discovery(device)->GetMeasuredRssW(network.NodeId(other));
        network.Discovery(device)->GetMeasuredOutage(network.NodeId((device + 2) % 4));
        network.Channel()->GetLink(network.Device(device), network.Device(other));
        network.Channel()->GetLinks(network.Device(device));
        network.RssW(device, other);
        network.Outage(device, other);
        network.Send(4, BROADCAST, 100); // it is off
    }
};

const Settings MEASURED = {{"NeighborDiscovery", "Measured"}};

INSTANTIATE_TEST_SUITE_P(Channels,
                         AskingTest,
                         testing::Values(std::pair(Settings{{"Fidelity", "Burst"}}, Settings{}),
                                         std::pair(Settings{{"Fidelity", "Packet"}}, Settings{}),
                                         std::pair(Settings{{"Access", "Shared"}}, Settings{}),
                                         std::pair(Settings{{"Fidelity", "Burst"}}, MEASURED),
                                         std::pair(Settings{{"Fidelity", "Packet"}}, MEASURED)));

TEST_P(AskingTest, ChangesNothing)
{
    EXPECT_EQ(Play(true), Play(false));
}

TEST_P(AskingTest, AnswersHaveTheDistributionOfPowers)
{
    TestNetwork network(2, {}, GetParam().first);
    Ptr<UniformRandomVariable> lossDb = CreateObject<UniformRandomVariable>();
    ObjectFactory factory("ns3::RandomPropagationLossModel", "Variable", PointerValue(lossDb));
    network.LossModel()->SetNext(factory.Create<PropagationLossModel>());
    for (const auto& [minimum, maximum] : {std::pair(10.0, 20.0), std::pair(30.0, 60.0)})
    {
        lossDb->SetAttribute("Min", DoubleValue(minimum)); // as a user may do in mid-run
        lossDb->SetAttribute("Max", DoubleValue(maximum));
        std::set<double> seen;
        for (int i = 0; i < 100; ++i)
        {
            // 20 dBm over a gain of 180 dB
            seen.insert(200 - (10 * std::log10(network.RssW(0, 1)) + 30));
        }
        EXPECT_THAT(seen, SizeIs(100));
        EXPECT_GE(*seen.begin(), minimum - 1e-6);
        EXPECT_LE(*seen.rbegin(), maximum + 1e-6);
        EXPECT_GT(*seen.rbegin() - *seen.begin(), 0.8 * (maximum - minimum));
    }
}

} // namespace
} // namespace ns3::collab::tests
