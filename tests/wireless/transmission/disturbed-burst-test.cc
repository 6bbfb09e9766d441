/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-subchannels.h"

namespace ns3::collab::tests
{
namespace
{

/// Two senders, 0 and 2, which do not hear each other, in both fidelities; device 1 hears both
class DisturbedBurstTest : public FidelitiesTest
{
  protected:
    DisturbedBurstTest()
        : network(4,
                  With({{"FragmentSize", std::to_string(TEN_MILLISECONDS)}}),
                  Channel({{"Access", "Shared"}, {"Locking", "First"}}))
    {
        network.Hide(0, 2);
        network.Hide(0, 3);
    }

    /// Sends units, a fragment each, after some time.
    void
    SendUnitsAt(Time delay, uint32_t from, uint32_t to, uint32_t units)
    {
        At(delay, [=] {
            network.SendBurst(from, network.UnitsBurst(to, {units, TEN_MILLISECONDS, 0}));
        });
    }

    /// @return the end of the burst of a device at its receiver
    const D2dReceiverOutcome&
    OutcomeOf(uint32_t sender) const
    {
        return network.ReportOf(sender).outcomes.at(0);
    }

    TestNetwork network; //!< with the devices
};

INSTANTIATE_TEST_SUITE_P(Fidelities, DisturbedBurstTest, FIDELITIES);

// Device 2 is on air from 35 to 65 ms, and so strong at device 1 that nothing else gets through:
// of fragments of 10 ms it meets those that begin at 30, 40, 50 and 60 ms
TEST_P(DisturbedBurstTest, LosesTheFragmentsThatMeetAnotherSignal)
{
    network.SetOutage(0, 1, LOSSLESS);
    network.SetOutage(2, 1, OVERWHELMING);
    SendUnitsAt(Time(), 0, 1, 10);
    SendUnitsAt(MilliSeconds(35), 2, 3, 3);
    Simulator::Run();
    EXPECT_EQ(network.ReportOf(0).end - network.ReportOf(0).start, MilliSeconds(100));
    EXPECT_EQ(OutcomeOf(0).lostUnits, 4U);
    EXPECT_EQ(OutcomeOf(0).reason, D2dLossReason::OUTAGE);
    EXPECT_EQ(OutcomeOf(2).lostUnits, 0U);
}

// Device 1 is locked to device 0 up to 100 ms, and then gets what is left of the other burst: its
// fragments from 105 ms on
TEST_P(DisturbedBurstTest, ALockLastsUntilTheOtherBurstEnds)
{
    network.SetOutage(0, 1, 1e-13);
    network.SetOutage(2, 1, 1e-6);
    SendUnitsAt(Time(), 0, 1, 10);
    SendUnitsAt(MilliSeconds(35), 2, 1, 10);
    Simulator::Run();
    EXPECT_EQ(OutcomeOf(0).lostUnits, 0U);
    EXPECT_EQ(OutcomeOf(2).lostUnits, 7U);
    EXPECT_EQ(OutcomeOf(2).reason, D2dLossReason::COLLISION);
}

// It no longer follows device 0, which sends until 100 ms, once it was off
TEST_P(DisturbedBurstTest, ADeviceThatWasOffIsNotLockedToWhatItFollowedBefore)
{
    network.SetOutage(0, 1, 1e-3);
    SendUnitsAt(Time(), 0, 1, 10);
    network.SwitchOffAt(MilliSeconds(15), 1);
    network.SwitchOnAt(MilliSeconds(16), 1);
    SendUnitsAt(MilliSeconds(35), 2, 1, 3);
    Simulator::Run();
    EXPECT_EQ(OutcomeOf(0).reason, D2dLossReason::RECEIVER_OFF);
    EXPECT_EQ(OutcomeOf(2).lostUnits, 0U);
}

// Links are read again at each instant at which a fragment ends: device 2 reaches device 1 from 95
// ms on
TEST_P(DisturbedBurstTest, LinksThatAreReadWhenFragmentsEndAreFollowed)
{
    network.SetChannel("LinkUpdatePeriod", "10ms");
    network.SetOutage(0, 1, LOSSLESS);
    network.SetOutOfRange(2, 1);
    SendUnitsAt(Time(), 2, 3, 30);
    At(MilliSeconds(95), [this] { network.SetOutage(2, 1, OVERWHELMING); });
    SendUnitsAt(MilliSeconds(150), 0, 1, 3);
    Simulator::Run();
    EXPECT_EQ(OutcomeOf(0).lostUnits, 3U);
}

// A fragment for each event would be a thousand of them
TEST_P(DisturbedBurstTest, BurstsOnASharedChannelTakeFewEvents)
{
    network.Send(0, 1, 1000 * TEN_MILLISECONDS);
    network.SendAt(Seconds(1), 2, 3, 10 * TEN_MILLISECONDS);
    Simulator::Run();
    EXPECT_EQ(Simulator::GetEventCount() < 100, !m_isPacket);
}

// What fragments of a long message met is not kept until its end
TEST_F(SimulatorTest, OthersThatSendOftenTakeLittleMemory)
{
    TestNetwork network(4,
                        {{"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}},
                        {{"Access", "Shared"}, {"Locking", "None"}, {"Fidelity", "Burst"}});
    network.SetOutage(0, 1, 0.1);
    network.SetOutage(2, 1, 0.9);
    network.Hide(0, 2);
    network.SetOutOfRange(0, 3);
    network.Send(0, 1, 20000000);
    uint64_t most = 0;
    for (int i = 0; i < 5000; ++i)
    {
        At(MilliSeconds(30 * i), [&] {
            network.Send(2, 3, 100);
            most = std::max(
                most,
                network.Channel()->GetMedium()->Signals().GetSubchannels()->Find(0).CountRuns());
        });
    }
    Simulator::Run();
    EXPECT_GT(most, 1000U);
    EXPECT_LT(most, 2500U);
    for (const auto& report : network.Reports())
    {
        const double lost = report.outcomes.at(0).lostFragments;
        if (report.senderNode == network.NodeId(0))
        {
            // A fragment is lost with 0.1, or with 1 - 0.9 / (1 + 3 ln(0.9) / ln(0.1)) = 0.2087 if
            // it meets a signal: in 150 of 163 s a part (12.27 + 1.07) / 30 of all does
            EXPECT_NEAR(lost / report.fragments, 0.1 + 0.1087 * 0.4447 * 150 / 163, 0.01);
        }
    }
}

} // namespace
} // namespace ns3::collab::tests
