/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What it costs to listen to bursts for others, and to the medium.
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-mac.h"

namespace ns3::collab::tests
{
namespace
{

class ListeningTest : public FidelitiesTest
{
  protected:
    void
    Make(const Settings& device, const Settings& channel = {})
    {
        network.emplace(4, With(device, {{"ContentionWindow", "1"}}), Channel(channel));
        network->InstallBatteries({{"BasicEnergySourceInitialEnergyJ", "1e7"}}, {{"RxPower", "1"}});
    }

    /// Plays a second.
    static void
    Run()
    {
        RunFor(Seconds(1));
    }

    void
    ExpectListened(uint32_t index, Time expected) const
    {
        const double joules = network->Joules(index, EnergyKind::RX);
        EXPECT_NEAR(joules, expected.GetSeconds(), 1e-12) << "device " << index;
    }

    /// @return how long the only burst lasted
    Time
    GetDuration() const
    {
        const D2dBurstReport& report = network->Report();
        return report.end - report.start;
    }

    std::optional<TestNetwork> network;           //!< four devices
    const Time FRAGMENT = MicroSeconds(8 * 1034); //!< airtime of 1000 bytes
};

using OverhearingTest = ListeningTest;

using SensingEnergyTest = ListeningTest;

INSTANTIATE_TEST_SUITE_P(Fidelities, OverhearingTest, FIDELITIES);
INSTANTIATE_TEST_SUITE_P(Fidelities, SensingEnergyTest, FIDELITIES);

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
    EXPECT_LE(network->Joules(1, EnergyKind::RX),
              (GetDuration() + DELAY_100_M).GetSeconds() + 1e-12)
        << "the receiver itself pays once";
}

TEST_P(OverhearingTest, EndsWithABurstThatIsCutOff)
{
    Make({{"Overhearing", "Whole"}});
    network->Set(3, "Overhearing", "None");
    const uint32_t burst = network->Send(0, 1, 1000);
    At(MicroSeconds(100), [&] { network->Mac(0)->CancelBurst(burst); });
    Run();
    ExpectListened(2, MicroSeconds(100));
    ExpectListened(3, Time());
}

TEST_P(OverhearingTest, WhoIsOffOrGoesSoDoesNot)
{
    Make({{"Overhearing", "Whole"}});
    network->Mac(2)->SwitchOff();
    network->SwitchOnAt(MilliSeconds(1), 2);
    network->SwitchOffAt(MilliSeconds(3), 3);
    network->SwitchOnAt(MilliSeconds(4), 3);
    network->Send(0, 1, 1000);
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
        network->Send(0, 1, 10000);
        At(MilliSeconds(5), [&] { network->Send(2, 3, 1000); });
        Run();
        ExpectListened(2, half ? MilliSeconds(5) : network->Report(1).end);
    }
}

TEST_P(OverhearingTest, ListeningToSeveralCostsNoMore)
{
    Make({{"Overhearing", "Whole"}, {"Duplex", "Full"}});
    network->Send(0, 1, 1000);
    At(MilliSeconds(3), [&] { network->Send(3, 2, 1000); });
    Run();
    ExpectListened(2, MilliSeconds(3) + FRAGMENT + DELAY_100_M);
}

TEST_P(OverhearingTest, WhatIsForAllIsForNobodyElse)
{
    Make({{"Overhearing", "Whole"}});
    network->Send(0, BROADCAST, 1000);
    Run();
    ExpectListened(1, FRAGMENT + DELAY_100_M);

    Make({{"Overhearing", "Whole"}});
    network->SendBurst(0, network->GroupBurst({1, 3}, 1000));
    Run();
    ExpectListened(1, FRAGMENT + DELAY_100_M);
    ExpectListened(2, FRAGMENT);
}

TEST_P(OverhearingTest, WhoIsToldOfItMayEndTheBurst)
{
    Make({{"Overhearing", "Whole"}});
    bool told = false;
    OnActivity(network->Phy(2), [&](const D2dRadioActivity& activity) {
        told = told || activity.receiving;
        if (activity.receiving)
        {
            network->Mac(0)->SwitchOff();
        }
    });
    network->Send(0, 1, 1000, ARQ);
    Run();
    EXPECT_TRUE(told);
    ASSERT_EQ(network->Reports().size(), 1);
    EXPECT_EQ(network->Report().attempts, 0);
    for (uint32_t i = 1; i < 4; ++i)
    {
        ExpectListened(i, Time());
    }
    network->ExpectIdle();
}

TEST_P(OverhearingTest, IsAlsoOnASharedChannel)
{
    Make({{"Overhearing", "Whole"}, {"CcaThreshold", "300"}}, {{"Access", "Shared"}});
    network->Send(0, 1, 1000);
    Run();
    ExpectListened(2, FRAGMENT);
    EXPECT_TRUE(network->Outcome().delivered);
}

TEST_P(SensingEnergyTest, BackOffCostsListening)
{
    for (const std::string enabled : {"true", "false"})
    {
        Make({{"SensingEnergy", enabled}, {"ContentionWindow", "64"}, {"SlotTime", "1ms"}});
        network->Send(0, 1, 1000);
        Run();
        const Time backoff = network->Report().start;
        EXPECT_GT(backoff, MilliSeconds(1));
        ExpectListened(0, enabled == "true" ? backoff : Time());
        ExpectListened(2, Time());
    }
}

TEST_P(SensingEnergyTest, EndsWithWhatItIsFor)
{
    Make({{"SensingEnergy", "true"}, {"ContentionWindow", "2"}, {"SlotTime", "500ms"}});
    for (uint32_t i = 0; i < 4; ++i)
    {
        network->Send(i, (i + 1) % 4, 1000);
    }
    At(MilliSeconds(100), [&] {
        for (uint32_t i = 0; i < 4; ++i)
        {
            network->Mac(i)->SwitchOff();
        }
    });
    Run();
    int waited = 0;
    for (uint32_t i = 0; i < 4; ++i)
    {
        const double joules = network->Joules(i, EnergyKind::RX);
        waited += std::abs(joules - 0.1) < 1e-6 ? 1 : 0;
        EXPECT_LT(joules, 0.1 + 1e-6);
    }
    EXPECT_GT(waited, 0) << "one drew a slot";
}

TEST_P(SensingEnergyTest, DeferringCostsListening)
{
    Make({{"SensingEnergy", "true"}}, {{"Access", "Shared"}});
    network->Send(0, 1, 1000);
    At(MilliSeconds(2), [&] { network->Send(2, 3, 1000); });
    Run();
    ASSERT_EQ(network->Report(1).senderNode, network->NodeId(2));
    EXPECT_EQ(network->Report(1).start, FRAGMENT);
    ExpectListened(2, FRAGMENT - MilliSeconds(2));
    ExpectListened(0, Time());
}

TEST_P(SensingEnergyTest, WhoTakesItBackNoLongerListens)
{
    Make({{"SensingEnergy", "true"}}, {{"Access", "Shared"}});
    network->Send(0, 1, 1000);
    At(MilliSeconds(2), [&] {
        const uint32_t burst = network->Send(2, 3, 1000);
        network->CancelAt(MilliSeconds(1), 2, burst);
    });
    Run();
    ExpectListened(2, MilliSeconds(1));

    Make({{"SensingEnergy", "true"}, {"ContentionWindow", "64"}, {"SlotTime", "10ms"}});
    const uint32_t waiting = network->Send(0, 1, 1000);
    At(MilliSeconds(5), [&] { network->Mac(0)->CancelBurst(waiting); });
    Run();
    EXPECT_EQ(network->Report().attempts, 0) << "in the back-off";
    ExpectListened(0, MilliSeconds(5));
}

TEST_P(SensingEnergyTest, WhoWaitsForAPlaceDoesNotListen)
{
    Make({{"SensingEnergy", "true"},
          {"ContentionWindow", "16"},
          {"SlotTime", "100us"},
          {"MaxReceptions", "1"}});
    network->Send(0, 1, 1000);
    network->Send(2, 1, 1000);
    Run();
    ASSERT_EQ(network->Reports().size(), 2);
    EXPECT_GT(network->Report(1).start, FRAGMENT) << "one after the other";
    for (const uint32_t sender : {0, 2})
    {
        EXPECT_LE(network->Joules(sender, EnergyKind::RX), 30 * 100e-6) << "two back-offs";
    }
}

} // namespace
} // namespace ns3::collab::tests
