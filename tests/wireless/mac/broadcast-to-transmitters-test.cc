/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * ReceiverSensing: half-duplex devices that transmit when a broadcast with ARQ begins get it later.
 */

#include "wireless/wireless-bench.h"

namespace ns3::collab::tests
{
namespace
{

/// Half-duplex radios of 1 Mbit/s: 1 sends to 3 for 10 ms, and from 3 ms on 0 has a broadcast
class BroadcastToTransmittersTest : public FidelitiesTest
{
  protected:
    void
    Make(const Settings& more = {})
    {
        m_network.emplace(4, With(more, With({{"ReceiverSensing", "true"}})), m_channel);
        m_network->Send(1, 3, TEN_MILLISECONDS);
        At(MilliSeconds(3), [this] { Broadcast(); });
    }

    void
    Broadcast()
    {
        D2dBurst burst = m_network->Burst(BROADCAST, MILLISECOND, ARQ);
        burst.deadline = m_deadline;
        m_burst = m_network->SendBurst(0, burst);
    }

    /// Runs all, and describes the broadcast.
    void
    Run()
    {
        Simulator::Run();
        m_report = m_network->ReportOf(0);
        m_network->ExpectIdle();
    }

    /// @return how often a device handed something up
    int64_t
    CountHeard(uint32_t device) const
    {
        const auto hearers = m_network->Hearers();
        return std::count(hearers.begin(), hearers.end(), device);
    }

    std::optional<TestNetwork> m_network; //!< the devices
    Time m_deadline = Time::Max();        //!< of the broadcast
    uint32_t m_burst = 0;                 //!< number of the broadcast
    D2dBurstReport m_report;              //!< what became of it
};

INSTANTIATE_TEST_SUITE_P(Fidelities, BroadcastToTransmittersTest, FIDELITIES);

TEST_P(BroadcastToTransmittersTest, WhoTransmitsGetsItOnceWhenItIsDone)
{
    Make();
    Run();
    EXPECT_THAT(m_network->Fates(m_report),
                ElementsAre("1 acknowledged", "2 acknowledged", "3 acknowledged"));
    EXPECT_EQ(m_report.attempts, 2) << "once to all that hear, once to the other";
    EXPECT_EQ(m_report.airtime, MilliSeconds(2));
    EXPECT_EQ(m_report.bytesSent, MILLISECOND);
    EXPECT_FALSE(m_report.burst->group) << "it is still a broadcast";
    EXPECT_EQ(m_report.start, MilliSeconds(3));
    EXPECT_EQ(m_report.outcomes[0].ended, MilliSeconds(11) + DELAY_100_M);
    EXPECT_EQ(m_report.outcomes[1].ended, MilliSeconds(4) + NanoSeconds(667));
    EXPECT_EQ(m_report.end, MilliSeconds(11) + ACKNOWLEDGMENT_WINDOW);
    EXPECT_EQ(CountHeard(1), 1);
    EXPECT_EQ(CountHeard(2), 1) << "who has it does not get it again";
}

TEST_P(BroadcastToTransmittersTest, ElseAllItsAttemptsAreMissed)
{
    Make({{"ReceiverSensing", "false"}});
    Run();
    EXPECT_THAT(m_network->Fates(m_report),
                ElementsAre("1 half-duplex", "2 acknowledged", "3 acknowledged"));
    EXPECT_EQ(m_report.attempts, 8);
}

TEST_P(BroadcastToTransmittersTest, BestEffortDoesNotWait)
{
    Make();
    m_network->SendAt(MilliSeconds(2), 2, BROADCAST, MILLISECOND);
    Run();
    EXPECT_THAT(m_network->Fates(m_network->ReportOf(2)),
                ElementsAre("0 delivered", "1 half-duplex", "3 delivered"));
}

TEST_P(BroadcastToTransmittersTest, OthersAreServedMeanwhile)
{
    Make();
    m_network->SendAt(MilliSeconds(3), 0, 2, MILLISECOND);
    Run();
    EXPECT_EQ(m_network->ReportsOf(0)[0].start, MilliSeconds(4) + ACKNOWLEDGMENT_WINDOW)
        << "the unicast behind it";
    EXPECT_THAT(m_network->Fates(m_network->ReportsOf(0)[1]), testing::Contains("1 acknowledged"));
}

TEST_P(BroadcastToTransmittersTest, NothingGoesOnAirThatNobodyHears)
{
    Make();
    m_network->SetOutOfRange(0, 2);
    m_network->SetOutOfRange(0, 3);
    Run();
    EXPECT_THAT(m_network->Fates(m_report), ElementsAre("1 acknowledged"));
    EXPECT_EQ(m_report.attempts, 1);
    EXPECT_EQ(m_report.start, MilliSeconds(10));
}

TEST_P(BroadcastToTransmittersTest, ItEndsWhileItWaits)
{
    struct Case
    {
        const char* what;
        std::function<void()> act; //!< at 7 ms
        const char* fate;          //!< of the device that transmits
        D2dLossReason stopped;
        Time deadline = Time::Max();
    };
    const std::vector<Case> cases = {
        {"cancelled",
         [this] { EXPECT_TRUE(m_network->Mac(0)->CancelBurst(m_burst)); },
         "1 cancelled",
         D2dLossReason::CANCELLED},
        {"deadline", [] {}, "1 deadline", D2dLossReason::DEADLINE, MilliSeconds(7)},
        {"sender off",
         [this] { m_network->Mac(0)->SwitchOff(); },
         "1 transmitter-off",
         D2dLossReason::TRANSMITTER_OFF},
        {"run over",
         [this] {
             m_network->Mac(0)->EndRun();
             Simulator::Stop();
         },
         "1 run-ended",
         D2dLossReason::RUN_ENDED},
        {"receiver off",
         [this] { m_network->Mac(1)->SwitchOff(); },
         "1 receiver-off",
         D2dLossReason::NONE},
    };
    for (const Case& one : cases)
    {
        SCOPED_TRACE(one.what);
        m_deadline = one.deadline;
        Make();
        At(MilliSeconds(7), one.act);
        Simulator::Run();
        const D2dBurstReport report = m_network->ReportOf(0);
        EXPECT_THAT(m_network->Fates(report),
                    ElementsAre(one.fate, "2 acknowledged", "3 acknowledged"));
        EXPECT_EQ(report.stopped, one.stopped);
        EXPECT_EQ(report.airtime.GetMilliSeconds(),
                  one.stopped == D2dLossReason::NONE ? 9 : 1) // it tries who is gone 8 times
            << "what was sent is counted";
        EXPECT_EQ(m_network->ReportsOf(0).size(), 1) << "it is told once";
    }
}

TEST_P(BroadcastToTransmittersTest, ABurstCancelledAsItsFirstSendingEndsIsNotSentAgain)
{
    Make();
    At(MilliSeconds(4) + ACKNOWLEDGMENT_WINDOW,
       [this] { m_network->Mac(0)->CancelBurst(m_burst); });
    Run();
    EXPECT_EQ(m_report.attempts, 1);
    EXPECT_THAT(m_network->Fates(m_report), testing::Contains("1 half-duplex"));
}

TEST_P(BroadcastToTransmittersTest, AllWhoBroadcastAtOnceHearEachOther)
{
    constexpr uint32_t DEVICES = 6;
    for (const char* window : {"1", "16"})
    {
        m_network.emplace(
            DEVICES, With({{"ReceiverSensing", "true"}, {"ContentionWindow", window}}), m_channel);
        for (uint32_t device = 0; device < DEVICES; ++device)
        {
            m_network->Send(device, BROADCAST, (device + 1) * MILLISECOND, ARQ);
        }
        Simulator::Run();
        ASSERT_EQ(m_network->Reports().size(), DEVICES);
        for (const auto& report : m_network->Reports())
        {
            EXPECT_THAT(m_network->Fates(report), Each(HasSubstr("acknowledged")));
        }
        for (uint32_t device = 0; device < DEVICES; ++device)
        {
            EXPECT_EQ(CountHeard(device), DEVICES - 1) << "each once";
        }
    }
}

} // namespace
} // namespace ns3::collab::tests
