/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/boolean.h"
#include "ns3/d2d-outage-model.h"
#include "ns3/double.h"
#include "ns3/mobility-model.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cmath>
#include <set>
#include <sstream>
#include <string>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;
constexpr uint32_t MILLISECOND = 125 - 34; //!< bytes that take 1 ms on the air at 1 Mbit/s

/// What a device sends is heard or not, by chance at each receiver; the links of others are as
/// given.
class ChanceModel : public PropagationLossModel
{
  public:
    /// @param device where the device is that chance meets
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

/// @return head of the chain of the network's loss models
Ptr<PropagationLossModel>
GetLossModel(const TestNetwork& network)
{
    PointerValue head;
    network.Channel()->GetAttribute("PropagationLossModel", head);
    return head.Get<PropagationLossModel>();
}

/// On one channel for all, where device 0 is heard or not by chance
class OneDrawTest : public SimulatorTest
{
  protected:
    /**
     * @param carrierSense whether devices defer to what they hear
     */
    explicit OneDrawTest(bool carrierSense = true)
        : m_network(3,
                    {{"Bandwidth", "5e5"},
                     {"SpectralEfficiency", "2"},
                     {"ContentionWindow", "1"},
                     {"Duplex", "Full"},
                     {"CarrierSense", carrierSense ? "true" : "false"}},
                    {{"Access", "Shared"}, {"OutageModel", "ns3::collab::D2dThresholdOutageModel"}})
    {
        GetLossModel(m_network)->SetNext(
            CreateObject<ChanceModel>(m_network.Device(0)->GetNode()->GetObject<MobilityModel>()));
    }

    /// @brief Device 0 sends to all, or to device 1, and another one sends meanwhile, 100 times.
    void
    Play(uint32_t other, uint32_t receiver, uint32_t destination)
    {
        for (int i = 0; i < 100; ++i)
        {
            Simulator::Schedule(MilliSeconds(10 * i), [this, destination]() {
                m_network.Send(0, destination, MILLISECOND, BEST_EFFORT);
            });
            Simulator::Schedule(MilliSeconds(10 * i) + MicroSeconds(100),
                                [this, other, receiver]() {
                                    m_network.Send(other, receiver, MILLISECOND, BEST_EFFORT);
                                });
        }
        Simulator::Run();
    }

    /**
     * @param sender index of a device
     * @return its bursts, in the order of their ends
     */
    std::vector<D2dBurstReport>
    ReportsOf(uint32_t sender) const
    {
        std::vector<D2dBurstReport> reports;
        for (const auto& report : m_network.Reports())
        {
            if (report.senderNode == m_network.NodeId(sender))
            {
                reports.push_back(report);
            }
        }
        return reports;
    }

    /**
     * @param report of a burst of device 0
     * @return whether device 1 was in range
     */
    bool
    IsInRange(const D2dBurstReport& report) const
    {
        for (const auto& outcome : report.outcomes)
        {
            if (outcome.receiverNode == m_network.NodeId(1))
            {
                return outcome.reason != D2dLossReason::OUT_OF_RANGE;
            }
        }
        return false; // a broadcast is meant for those in range
    }

    TestNetwork m_network; //!< the devices
};

/// The same without carrier sensing
class OneDrawInterferenceTest : public OneDrawTest
{
  protected:
    OneDrawInterferenceTest()
        : OneDrawTest(false)
    {
    }
};

TEST_F(OneDrawTest, WhoIsInRangeOfABroadcastSensesIt)
{
    Play(1, 2, TestNetwork::BROADCAST);
    const auto first = ReportsOf(0);
    const auto second = ReportsOf(1);
    ASSERT_EQ(first.size(), 100);
    ASSERT_EQ(second.size(), 100);
    std::set<bool> seen;
    for (std::size_t i = 0; i < 100; ++i)
    {
        const bool defers = second[i].start >= first[i].end;
        EXPECT_EQ(defers, IsInRange(first[i])) << i;
        seen.insert(defers);
    }
    EXPECT_EQ(seen.size(), 2) << "both shall happen";
}

TEST_F(OneDrawTest, WhoIsInRangeOfAUnicastSensesIt)
{
    Play(1, 2, 1);
    const auto first = ReportsOf(0);
    const auto second = ReportsOf(1);
    ASSERT_EQ(first.size(), 100);
    ASSERT_EQ(second.size(), 100);
    for (std::size_t i = 0; i < 100; ++i)
    {
        EXPECT_EQ(second[i].start >= first[i].end, IsInRange(first[i])) << i;
    }
}

TEST_F(OneDrawInterferenceTest, WhoIsInRangeOfASignalIsDisturbedByIt)
{
    for (const uint32_t destination : {TestNetwork::BROADCAST, 1U})
    {
        const std::size_t before = m_network.Reports().size() / 2;
        Play(2, 1, destination);
        const auto first = ReportsOf(0);
        const auto second = ReportsOf(2);
        ASSERT_EQ(first.size(), before + 100);
        ASSERT_EQ(second.size(), before + 100);
        for (std::size_t i = before; i < first.size(); ++i)
        {
            EXPECT_EQ(second[i].outcomes.at(0).delivered, !IsInRange(first[i])) << i;
        }
    }
}

/// Radios whose received power is drawn by models of ns-3, by attributes of the channel
class AskingTest : public SimulatorTest, public testing::WithParamInterface<Settings>
{
  protected:
    /**
     * @param ask whether somebody asks all the time what is known of links
     * @return what became of random traffic
     */
    std::string
    Play(bool ask)
    {
        RngSeedManager::SetRun(3);
        const uint64_t streams = RngSeedManager::GetNextStreamIndex();
        TestNetwork network(5, {{"MaxReceptions", "3"}, {"RateControl", "Adaptive"}}, GetParam());
        AddChance(network);
        network.Device(4)->GetMac()->SwitchOff();
        for (int i = 0; i < 60; ++i)
        {
            Simulator::Schedule(MilliSeconds(37 * i),
                                [&network, i]() { network.Send(i % 4, (i + 1) % 4, 3000, ARQ); });
            Simulator::Schedule(MilliSeconds(41 * i), [&network, i]() {
                network.Send(i % 4, TestNetwork::BROADCAST, 3000, BEST_EFFORT);
            });
        }
        for (int i = 0; ask && i < 600; ++i)
        {
            Simulator::Schedule(MilliSeconds(4 * i), [&network, i]() { Ask(network, i % 4); });
        }
        Simulator::Run();
        std::ostringstream text;
        text << RngSeedManager::GetNextStreamIndex() - streams << '\n';
        for (const auto& report : network.Reports())
        {
            if (report.attempts > 0)
            {
                Print(report, text);
            }
        }
        Simulator::Destroy();
        return text.str();
    }

  private:
    /// @brief Let models of ns-3 draw powers and delays.
    static void
    AddChance(const TestNetwork& network)
    {
        ObjectFactory factory("ns3::RandomPropagationLossModel",
                              "Variable",
                              StringValue("ns3::UniformRandomVariable[Min=0|Max=320]"));
        Ptr<PropagationLossModel> loss = factory.Create<PropagationLossModel>();
        factory.SetTypeId("ns3::NakagamiPropagationLossModel");
        loss->SetNext(factory.Create<PropagationLossModel>());
        GetLossModel(network)->SetNext(loss);
        factory = ObjectFactory("ns3::RandomPropagationDelayModel",
                                "Variable",
                                StringValue("ns3::UniformRandomVariable[Min=0|Max=1e-6]"));
        network.Channel()->SetPropagationDelayModel(factory.Create<PropagationDelayModel>());
        network.Channel()->AssignStreams(77);
    }

    /// @brief Ask all that can be asked, and let a burst be dropped.
    static void
    Ask(TestNetwork& network, uint32_t device)
    {
        Ptr<D2dNetDevice> radio = network.Device(device);
        Ptr<D2dNetDevice> other = network.Device((device + 1) % 4);
        radio->GetDiscovery()->GetNeighbors();
        radio->GetDiscovery()->GetMeasuredRssW(network.NodeId((device + 1) % 4));
        radio->GetDiscovery()->GetMeasuredOutage(network.NodeId((device + 2) % 4));
        network.Channel()->GetLink(radio, other);
        network.Channel()->GetLinks(radio);
        network.Channel()->GetRssW(radio, other);
        network.Channel()->GetOutageProbability(radio, other);
        network.Send(4, TestNetwork::BROADCAST, 100, BEST_EFFORT); // it is off
    }

    /// @brief Print what became of a burst.
    static void
    Print(const D2dBurstReport& report, std::ostream& out)
    {
        out << report.senderNode << ' ' << report.burst->id << ' ' << report.attempts << ' '
            << report.start.GetTimeStep() << ' ' << report.end.GetTimeStep() << ' '
            << report.spectralEfficiency;
        for (const auto& outcome : report.outcomes)
        {
            out << "; " << outcome.receiverNode << ' ' << outcome.lostFragments << ' '
                << outcome.ended.GetTimeStep();
        }
        out << '\n';
    }
};

INSTANTIATE_TEST_SUITE_P(Channels,
                         AskingTest,
                         testing::Values(Settings{{"Fidelity", "Burst"}},
                                         Settings{{"Fidelity", "Packet"}},
                                         Settings{{"Access", "Shared"}}));

TEST_P(AskingTest, ChangesNothing)
{
    const std::string quiet = Play(false);
    EXPECT_GT(quiet.size(), 2000);
    EXPECT_EQ(Play(true), quiet);
}

TEST_P(AskingTest, AnswersHaveTheDistributionOfPowers)
{
    TestNetwork network(2, {}, GetParam());
    Ptr<UniformRandomVariable> lossDb = CreateObject<UniformRandomVariable>();
    ObjectFactory factory("ns3::RandomPropagationLossModel", "Variable", PointerValue(lossDb));
    GetLossModel(network)->SetNext(factory.Create<PropagationLossModel>());
    const auto isWithin = [&](double least, double greatest) {
        lossDb->SetAttribute("Min", DoubleValue(least)); // as a user may do in the middle of a run
        lossDb->SetAttribute("Max", DoubleValue(greatest));
        std::set<double> seen;
        for (int i = 0; i < 100; ++i)
        {
            const double rssW = network.Channel()->GetRssW(network.Device(0), network.Device(1));
            seen.insert(200 - (10 * std::log10(rssW) + 30)); // 20 dBm over a gain of 180 dB
        }
        EXPECT_EQ(seen.size(), 100);
        EXPECT_GE(*seen.begin(), least - 1e-6);
        EXPECT_LE(*seen.rbegin(), greatest + 1e-6);
        EXPECT_GT(*seen.rbegin() - *seen.begin(), 0.8 * (greatest - least));
    };
    isWithin(10, 20);
    isWithin(30, 60);
}

} // namespace
