/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What it costs to listen to bursts for others, and to the medium.
 */

#include "wireless/wireless-test-support.h"

#include "ns3/d2d-mac.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;

class ListeningTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    /**
     * @param device attributes of the devices besides
     * @param channel attributes of the channel besides
     */
    void
    Make(Settings device, Settings channel = {})
    {
        device.insert({{"ContentionWindow", "1"}});
        channel.insert({{"Fidelity", GetParam()}});
        network = std::make_unique<TestNetwork>(4, device, channel);
        network->InstallBatteries({{"BasicEnergySourceInitialEnergyJ", "1e7"}}, {{"RxPower", "1"}});
    }

    /// @brief Play a second.
    static void
    Run()
    {
        Simulator::Stop(Seconds(1));
        Simulator::Run();
    }

    /**
     * @param index of a device
     * @param expected how long it has to have listened
     */
    void
    ExpectListened(uint32_t index, Time expected) const
    {
        const double joules = network->Energy(index)[static_cast<std::size_t>(EnergyKind::RX)];
        EXPECT_NEAR(joules, expected.GetSeconds(), 1e-12) << "device " << index;
    }

    /// @return how long the only burst lasted
    Time
    GetDuration() const
    {
        const D2dBurstReport& report = network->Reports().at(0);
        return report.end - report.start;
    }

    std::unique_ptr<TestNetwork> network;         //!< four devices
    const Time FRAGMENT = MicroSeconds(8 * 1034); //!< airtime of 1000 bytes
    const Time HEADER = MicroSeconds(8 * 30);     //!< airtime of a header
    const Time DELAY = NanoSeconds(334);          //!< to the next device
};

class OverhearingTest : public ListeningTest
{
};

class SensingEnergyTest : public ListeningTest
{
};

INSTANTIATE_TEST_SUITE_P(Fidelities, OverhearingTest, testing::Values("Packet", "Burst"));
INSTANTIATE_TEST_SUITE_P(Fidelities, SensingEnergyTest, testing::Values("Packet", "Burst"));

TEST_P(OverhearingTest, CostsNothingByDefault)
{
    Make({});
    network->Send(0, 1, 5000, ARQ);
    Run();
    ExpectListened(2, Time());
}

TEST_P(OverhearingTest, WholeBurstsCostTheirDuration)
{
    Make({{"Overhearing", "Whole"}, {"RetryBackoff", "2ms"}});
    network->SetOutage(0, 1, 0.4);
    network->SetOutage(1, 0, 0.2);
    network->SetOutOfRange(0, 3);
    network->Send(0, 1, 20000, ARQ);
    Run();
    EXPECT_GT(GetDuration(), FRAGMENT * 20) << "with repetitions";
    ExpectListened(2, GetDuration());
    ExpectListened(3, Time());
    EXPECT_LE(network->Energy(1)[static_cast<std::size_t>(EnergyKind::RX)],
              (GetDuration() + DELAY).GetSeconds() + 1e-12)
        << "the receiver itself pays once";
}

TEST_P(OverhearingTest, HeadersCostTheirAirtime)
{
    Make({{"Overhearing", "Header"}});
    network->SetOutage(0, 1, 0.4);
    network->Send(0, 1, 20000, ARQ);
    Run();
    ExpectListened(2, HEADER);
    ExpectListened(3, HEADER);
    ExpectListened(1, GetDuration() + DELAY);
}

TEST_P(OverhearingTest, EndsWithABurstThatIsCutOff)
{
    Make({{"Overhearing", "Whole"}});
    network->Device(3)->GetMac()->SetAttribute("Overhearing", StringValue("Header"));
    const uint32_t burst = network->Send(0, 1, 1000, BEST_EFFORT);
    Simulator::Schedule(MicroSeconds(100),
                        [&]() { network->Device(0)->GetMac()->CancelBurst(burst); });
    Run();
    ExpectListened(2, MicroSeconds(100));
    ExpectListened(3, MicroSeconds(100));
}

TEST_P(OverhearingTest, WhoIsOffOrAsleepOrGoesSoDoesNot)
{
    Make({{"Overhearing", "Whole"}});
    network->Device(2)->GetMac()->Sleep();
    Simulator::Schedule(MilliSeconds(1), [&]() { network->Device(2)->GetMac()->Wake(); });
    Simulator::Schedule(MilliSeconds(3), [&]() { network->Device(3)->GetMac()->SwitchOff(); });
    Simulator::Schedule(MilliSeconds(4), [&]() { network->Device(3)->GetMac()->SwitchOn(); });
    network->Send(0, 1, 1000, BEST_EFFORT);
    Run();
    ExpectListened(2, Time());
    ExpectListened(3, MilliSeconds(3));
}

TEST_P(OverhearingTest, AHalfDuplexDeviceStopsWhenItSends)
{
    for (const bool half : {true, false})
    {
        Make({{"Overhearing", "Whole"}, {"Duplex", half ? "Half" : "Full"}});
        network->SetOutOfRange(2, 0);
        network->Send(0, 1, 10000, BEST_EFFORT);
        Simulator::Schedule(MilliSeconds(5), [&]() { network->Send(2, 3, 1000, BEST_EFFORT); });
        Run();
        ExpectListened(2, half ? MilliSeconds(5) : network->Reports().at(1).end);
        Simulator::Destroy();
    }
}

TEST_P(OverhearingTest, ListeningToSeveralCostsNoMore)
{
    Make({{"Overhearing", "Whole"}, {"Duplex", "Full"}});
    network->Send(0, 1, 1000, BEST_EFFORT);
    Simulator::Schedule(MilliSeconds(3), [&]() { network->Send(3, 2, 1000, BEST_EFFORT); });
    Run();
    ExpectListened(2, MilliSeconds(3) + FRAGMENT + DELAY);
}

TEST_P(OverhearingTest, WhatIsForAllIsForNobodyElse)
{
    Make({{"Overhearing", "Header"}});
    network->Send(0, TestNetwork::BROADCAST, 1000, BEST_EFFORT);
    Run();
    ExpectListened(1, FRAGMENT + DELAY);
    Simulator::Destroy();

    Make({{"Overhearing", "Header"}});
    D2dBurst burst(Create<Packet>(1000), D2dMac::GetGroupAddress(), TestNetwork::PROTOCOL);
    burst.group = std::make_shared<const std::vector<uint32_t>>(
        std::vector<uint32_t>{network->NodeId(1), network->NodeId(3)});
    network->Device(0)->GetMac()->SendBurst(std::move(burst));
    Run();
    ExpectListened(1, FRAGMENT + DELAY);
    ExpectListened(2, HEADER);
}

TEST_P(OverhearingTest, WhoIsToldOfItMayEndTheBurst)
{
    Make({{"Overhearing", "Whole"}});
    bool told = false;
    network->Device(2)->GetPhy()->TraceConnectWithoutContext(
        "Activity", Callback<void, const D2dRadioActivity&>([&](const D2dRadioActivity& activity) {
            told = told || activity.receiving;
            if (activity.receiving)
            {
                network->Device(0)->GetMac()->SwitchOff();
            }
        }));
    network->Send(0, 1, 1000, ARQ);
    Run();
    EXPECT_TRUE(told);
    ASSERT_EQ(network->Reports().size(), 1);
    EXPECT_EQ(network->Reports().at(0).attempts, 0);
    for (uint32_t i = 1; i < 4; ++i)
    {
        ExpectListened(i, Time());
        EXPECT_FALSE(network->Device(i)->GetPhy()->GetActivity().receiving);
    }
}

TEST_P(OverhearingTest, IsAlsoOnASharedChannel)
{
    Make({{"Overhearing", "Whole"}, {"CcaThreshold", "300"}}, {{"Access", "Shared"}});
    network->Send(0, 1, 1000, BEST_EFFORT);
    Run();
    ExpectListened(2, FRAGMENT);
    EXPECT_TRUE(network->Reports().at(0).outcomes.at(0).delivered);
}

TEST_P(SensingEnergyTest, BackOffCostsListening)
{
    for (const std::string enabled : {"true", "false"})
    {
        Make({{"SensingEnergy", enabled}, {"ContentionWindow", "64"}, {"SlotTime", "1ms"}});
        network->Send(0, 1, 1000, BEST_EFFORT);
        Run();
        const Time backoff = network->Reports().at(0).start;
        EXPECT_GT(backoff, MilliSeconds(1));
        ExpectListened(0, enabled == "true" ? backoff : Time());
        ExpectListened(2, Time());
        Simulator::Destroy();
    }
}

TEST_P(SensingEnergyTest, EndsWithWhatItIsFor)
{
    Make({{"SensingEnergy", "true"}, {"ContentionWindow", "2"}, {"SlotTime", "500ms"}});
    for (uint32_t i = 0; i < 4; ++i)
    {
        network->Send(i, (i + 1) % 4, 1000, BEST_EFFORT);
    }
    Simulator::Schedule(MilliSeconds(100), [&]() {
        for (uint32_t i = 0; i < 4; ++i)
        {
            if (i % 2 == 0)
            {
                network->Device(i)->GetMac()->SwitchOff();
            }
            else
            {
                network->Device(i)->GetMac()->Sleep();
            }
        }
    });
    Run();
    int waited = 0;
    for (uint32_t i = 0; i < 4; ++i)
    {
        const double joules = network->Energy(i)[static_cast<std::size_t>(EnergyKind::RX)];
        waited += std::abs(joules - 0.1) < 1e-6 ? 1 : 0;
        EXPECT_LT(joules, 0.1 + 1e-6);
    }
    EXPECT_GT(waited, 0) << "one drew a slot";
}

TEST_P(SensingEnergyTest, DeferringCostsListening)
{
    Make({{"SensingEnergy", "true"}}, {{"Access", "Shared"}});
    network->Send(0, 1, 1000, BEST_EFFORT);
    Simulator::Schedule(MilliSeconds(2), [&]() { network->Send(2, 3, 1000, BEST_EFFORT); });
    Run();
    ASSERT_EQ(network->Reports().at(1).senderNode, network->NodeId(2));
    EXPECT_EQ(network->Reports().at(1).start, FRAGMENT);
    ExpectListened(2, FRAGMENT - MilliSeconds(2));
    ExpectListened(0, Time());
}

TEST_P(SensingEnergyTest, WhoTakesItBackNoLongerListens)
{
    Make({{"SensingEnergy", "true"}}, {{"Access", "Shared"}});
    network->Send(0, 1, 1000, BEST_EFFORT);
    Simulator::Schedule(MilliSeconds(2), [&]() {
        const uint32_t burst = network->Send(2, 3, 1000, BEST_EFFORT);
        Simulator::Schedule(MilliSeconds(1),
                            [&, burst]() { network->Device(2)->GetMac()->CancelBurst(burst); });
    });
    Run();
    ExpectListened(2, MilliSeconds(1));
    Simulator::Destroy();

    Make({{"SensingEnergy", "true"}, {"ContentionWindow", "64"}, {"SlotTime", "10ms"}});
    const uint32_t waiting = network->Send(0, 1, 1000, BEST_EFFORT);
    Simulator::Schedule(MilliSeconds(5),
                        [&]() { network->Device(0)->GetMac()->CancelBurst(waiting); });
    Run();
    EXPECT_EQ(network->Reports().at(0).attempts, 0) << "in the back-off";
    ExpectListened(0, MilliSeconds(5));
}

TEST_P(SensingEnergyTest, WhoWaitsForAPlaceDoesNotListen)
{
    Make({{"SensingEnergy", "true"},
          {"ContentionWindow", "16"},
          {"SlotTime", "100us"},
          {"MaxReceptions", "1"}});
    network->Send(0, 1, 1000, BEST_EFFORT);
    network->Send(2, 1, 1000, BEST_EFFORT);
    Run();
    ASSERT_EQ(network->Reports().size(), 2);
    EXPECT_GT(network->Reports().at(1).start, FRAGMENT) << "one after the other";
    for (const uint32_t sender : {0, 2})
    {
        EXPECT_LE(network->Energy(sender)[static_cast<std::size_t>(EnergyKind::RX)], 30 * 100e-6)
            << "two back-offs";
    }
}

} // namespace
