/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/drop-tail-queue.h"

#include <fmt/format.h>

namespace ns3::collab::tests
{
namespace
{

/// Radios of 1 Mbit/s without back-off, by fidelity
class ReceptionLimitTest : public FidelitiesTest
{
  protected:
    void
    Make(uint32_t size, uint32_t limit, Settings more = {}, const std::string& access = "Ofdma")
    {
        const Settings device = With({{"FragmentSize", std::to_string(MILLISECOND)},
                                      {"Duplex", "Full"},
                                      {"AcknowledgmentTurnaround", "0us"},
                                      {"AcknowledgmentSize", "0"},
                                      {"MaxReceptions", std::to_string(limit)}});
        m_network.emplace(size, With(std::move(more), device), Channel({{"Access", access}}));
        m_network->Channel()->SetPropagationDelayModel(nullptr);
    }

    void
    Send(uint32_t from, uint32_t to, uint32_t fragments = 1)
    {
        m_network->Send(from, to, fragments * MILLISECOND);
    }

    /// @return sender>receiver@end [ms] of all that was delivered, in the order of the ends
    std::string
    Run()
    {
        Simulator::Run();
        std::set<std::tuple<int64_t, uint32_t, uint32_t>> deliveries;
        for (const auto& report : m_network->Reports())
        {
            for (const auto& outcome : report.outcomes)
            {
                if (outcome.delivered)
                {
                    deliveries.emplace(report.end.GetMilliSeconds(),
                                       m_network->IndexOf(report.senderNode),
                                       m_network->IndexOf(outcome.receiverNode));
                }
            }
        }
        std::string text;
        for (const auto& [end, from, to] : deliveries)
        {
            text += fmt::format("{}{}>{}@{}", text.empty() ? "" : " ", from, to, end);
        }
        return text;
    }

    std::optional<TestNetwork> m_network; //!< the radios
};

INSTANTIATE_TEST_SUITE_P(Fidelities, ReceptionLimitTest, FIDELITIES);

TEST_P(ReceptionLimitTest, WithoutALimitAllAreHeardAtOnce)
{
    Make(4, 0);
    for (const uint32_t sender : {1, 2, 3})
    {
        Send(sender, 0, 10);
    }
    EXPECT_EQ(Run(), "1>0@10 2>0@10 3>0@10");
}

TEST_P(ReceptionLimitTest, WhatExceedsTheLimitWaitsAtItsSenders)
{
    Make(6, 2);
    for (const uint32_t sender : {1, 2, 3, 4, 5})
    {
        Send(sender, 0, 10);
    }
    EXPECT_EQ(Run(), "1>0@10 2>0@10 3>0@20 4>0@20 5>0@30");
}

TEST_P(ReceptionLimitTest, ASenderServesOthersWhileAReceiverHasNoPlace)
{
    Make(4, 1);
    Send(1, 0, 10);
    Send(2, 0, 2); // waits for 1 to be done
    Send(2, 3, 4); // need not
    Send(2, 0, 1); // comes behind what is before it for the same device
    EXPECT_EQ(Run(), "2>3@4 1>0@10 2>0@12 2>0@13");
}

TEST_P(ReceptionLimitTest, ABroadcastWaitsUntilAllHavePlace)
{
    Make(5, 1);
    Send(1, 0, 10);
    Send(3, 4, 15);
    Send(2, BROADCAST);
    EXPECT_EQ(Run(), "1>0@10 3>4@15 2>0@16 2>1@16 2>3@16 2>4@16");
}

TEST_P(ReceptionLimitTest, ABroadcastGoesBeforeWhatOthersHaveForOneDevice)
{
    Make(5, 1);
    for (uint32_t i = 0; i < 10; ++i) // 0 and 1 would always have something from one of them
    {
        Send(2, i % 2, 10);
        Send(3, (i + 1) % 2, 10);
    }
    At(MilliSeconds(5), [this] { Send(4, BROADCAST); });
    const auto deliveries = Run();
    EXPECT_EQ(m_network->Receptions().size(), 24);
    EXPECT_THAT(deliveries, HasSubstr("4>0@11 4>1@11 4>2@11 4>3@11"));
    EXPECT_EQ(Simulator::Now(), MilliSeconds(101)); // and nothing more was lost by that
}

TEST_P(ReceptionLimitTest, ABroadcastIsNotOvertakenByWhatItsSenderQueuedLater)
{
    Make(5, 1);
    Send(1, 0, 10);
    Send(2, 3, 2);
    Send(2, BROADCAST);
    Send(2, 4, 2);
    EXPECT_EQ(Run(), "2>3@2 1>0@10 2>0@11 2>1@11 2>3@11 2>4@11 2>4@13");
}

TEST_P(ReceptionLimitTest, ABroadcastThatIsTakenBackKeepsNobodyWaiting)
{
    Make(5, 1);
    Send(1, 0, 10);
    const uint32_t id = m_network->Send(2, BROADCAST, MILLISECOND);
    Send(3, 4, 1); // waits for the broadcast, which waits for 1
    m_network->CancelAt(MilliSeconds(4), 2, id);
    EXPECT_EQ(Run(), "3>4@5 1>0@10");
}

TEST_P(ReceptionLimitTest, WhoIsOutOfRangeNeedsNoPlace)
{
    Make(4, 1);
    m_network->SetOutOfRange(2, 0);
    Send(1, 0, 10);
    Send(2, BROADCAST);
    EXPECT_EQ(Run(), "2>1@1 2>3@1 1>0@10");
}

TEST_P(ReceptionLimitTest, ReceiversThatGoOffKeepNobodyWaiting)
{
    Make(6, 1);
    Send(1, 0, 10);
    Send(2, 0, 1); // lost: nobody is there when it is sent
    Send(2, 3, 9);
    Send(4, 5, 10);
    Send(2, 5, 1);
    m_network->SwitchOffAt(MilliSeconds(10) - NanoSeconds(1), 0);
    m_network->SwitchOffAt(MilliSeconds(3), 5);
    m_network->SwitchOnAt(MilliSeconds(4), 5);
    EXPECT_EQ(Run(), "2>3@9 2>5@10");
    EXPECT_EQ(m_network->Reports().size(), 5); // none waits for ever
}

TEST_P(ReceptionLimitTest, AWaitingSenderGoesOnWhenTheReceiverHasGoneOff)
{
    Make(3, 1);
    Send(1, 0, 10);
    Send(2, 0, 1);
    m_network->SwitchOffAt(MilliSeconds(3), 0);
    Run();
    ASSERT_EQ(m_network->Reports().size(), 2);
    EXPECT_EQ(m_network->Report().end, MilliSeconds(4)); // 2 sent at 3 ms
    EXPECT_EQ(m_network->Outcome().reason, D2dLossReason::RECEIVER_OFF);
}

TEST_P(ReceptionLimitTest, APlaceIsTakenUntilTheLastAcknowledgment)
{
    Make(3, 1);
    m_network->SetOutage(1, 0, 0.5);
    m_network->Set(1, "MaxAttempts", "100");
    m_network->Send(1, 0, 20 * MILLISECOND, ARQ);
    Send(2, 0, 1);
    Run();
    ASSERT_EQ(m_network->Reports().size(), 2);
    const auto& first = m_network->Report();
    EXPECT_GT(first.attempts, 20);
    EXPECT_EQ(m_network->Report(1).start, first.end);
}

TEST_P(ReceptionLimitTest, ManyToManyTakesAsLongAsTheReceiversAreBusy)
{
    constexpr uint32_t SENDERS = 13;
    constexpr uint32_t RECEIVERS = 7;
    Make(SENDERS + RECEIVERS, 1, {{"ContentionWindow", "16"}, {"SlotTime", "1us"}});
    for (uint32_t sender = 0; sender < SENDERS; ++sender)
    {
        for (uint32_t i = 0; i < RECEIVERS; ++i)
        {
            Send(RECEIVERS + sender, (sender + i) % RECEIVERS, 10);
        }
    }
    Run();
    EXPECT_EQ(m_network->Receptions().size(), SENDERS * RECEIVERS);
    const int64_t end = Simulator::Now().GetMilliSeconds();
    EXPECT_GE(end, 10 * SENDERS);
    EXPECT_LT(end, 10 * (SENDERS + RECEIVERS)); // a sender finds a receiver with place
}

TEST_P(ReceptionLimitTest, OtherQueuesOnlyLetGoOfTheirFirstPacket)
{
    Make(4, 1);
    m_network->Mac(2)->SetQueue(CreateObject<DropTailQueue<Packet>>());
    Send(1, 0, 10);
    Send(2, 0, 2);
    Send(2, 3, 4);
    EXPECT_EQ(Run(), "1>0@10 2>0@12 2>3@16");
}

TEST_P(ReceptionLimitTest, ItCanBeSetWhileBurstsWait)
{
    Make(4, 1);
    for (const uint32_t sender : {1, 2, 3})
    {
        Send(sender, 0, 10);
    }
    At(MilliSeconds(5), [this] { m_network->Set(0, "MaxReceptions", "0"); });
    EXPECT_EQ(Run(), "1>0@10 2>0@15 3>0@15");
}

TEST_P(ReceptionLimitTest, OnOneChannelThereIsNone)
{
    Make(3, 1, {}, "Tdma");
    Send(1, 0, 10);
    Send(2, 0, 10);
    EXPECT_EQ(Run(), "1>0@10 2>0@20");
    EXPECT_FALSE(m_network->Channel()->GetMedium()->LimitsReceptions());
}

} // namespace
} // namespace ns3::collab::tests
