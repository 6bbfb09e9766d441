/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <tuple>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;
constexpr uint32_t BROADCAST = TestNetwork::BROADCAST;
constexpr uint32_t MILLISECOND = 125 - 34; //!< bytes that take 1 ms on the air at 1 Mbit/s

/// Who sent to whom, and when the last of it was there [ms]
using Delivery = std::tuple<uint32_t, uint32_t, int64_t>;

/// Radios of 1 Mbit/s without back-off, by fidelity
class ReceptionLimitTest : public SimulatorTest, public testing::WithParamInterface<std::string>
{
  protected:
    /**
     * @param size number of devices
     * @param limit attribute MaxReceptions
     * @param more attributes of the devices
     * @param access attribute Access of the channel
     */
    void
    Make(uint32_t size, uint32_t limit, Settings more = {}, const std::string& access = "Ofdma")
    {
        Settings device = {{"Bandwidth", "5e5"},
                           {"SpectralEfficiency", "2"},
                           {"ContentionWindow", "1"},
                           {"FragmentSize", std::to_string(MILLISECOND)},
                           {"Duplex", "Full"},
                           {"AcknowledgmentTurnaround", "0us"},
                           {"AcknowledgmentSize", "0"},
                           {"MaxReceptions", std::to_string(limit)}};
        for (const auto& [name, value] : more)
        {
            device[name] = value;
        }
        m_network = std::make_unique<TestNetwork>(
            size, device, Settings{{"Fidelity", GetParam()}, {"Access", access}});
        m_network->Channel()->SetPropagationDelayModel(nullptr);
    }

    /**
     * @param from index of the sender
     * @param to index of the receiver, or BROADCAST
     * @param fragments how many milliseconds it takes
     */
    void
    Send(uint32_t from, uint32_t to, uint32_t fragments = 1)
    {
        m_network->Send(from, to, fragments * MILLISECOND, BEST_EFFORT);
    }

    /// @return what was delivered to whom, in the order of the ends of the bursts
    std::vector<Delivery>
    Run()
    {
        Simulator::Run();
        std::map<uint32_t, uint32_t> indices;
        for (uint32_t i = 0; i < m_network->Channel()->GetNDevices(); ++i)
        {
            indices[m_network->NodeId(i)] = i;
        }
        std::vector<Delivery> deliveries;
        for (const auto& report : m_network->Reports())
        {
            for (const auto& outcome : report.outcomes)
            {
                if (outcome.delivered)
                {
                    deliveries.emplace_back(indices.at(report.senderNode),
                                            indices.at(outcome.receiverNode),
                                            report.end.GetMilliSeconds());
                }
            }
        }
        return deliveries;
    }

    std::unique_ptr<TestNetwork> m_network; //!< the radios
};

INSTANTIATE_TEST_SUITE_P(Fidelities,
                         ReceptionLimitTest,
                         testing::Values("Packet", "Burst"),
                         [](const auto& info) { return info.param; });

TEST_P(ReceptionLimitTest, WithoutALimitAllAreHeardAtOnce)
{
    Make(4, 0);
    for (const uint32_t sender : {1, 2, 3})
    {
        Send(sender, 0, 10);
    }
    EXPECT_THAT(Run(), ElementsAre(Delivery(1, 0, 10), Delivery(2, 0, 10), Delivery(3, 0, 10)));
}

TEST_P(ReceptionLimitTest, WhatExceedsTheLimitWaitsAtItsSenders)
{
    Make(6, 2);
    for (const uint32_t sender : {1, 2, 3, 4, 5})
    {
        Send(sender, 0, 10);
    }
    EXPECT_THAT(Run(),
                ElementsAre(Delivery(1, 0, 10),
                            Delivery(2, 0, 10),
                            Delivery(3, 0, 20),
                            Delivery(4, 0, 20),
                            Delivery(5, 0, 30)));
}

TEST_P(ReceptionLimitTest, ASenderServesOthersWhileAReceiverHasNoPlace)
{
    Make(4, 1);
    Send(1, 0, 10);
    Send(2, 0, 2); // waits for 1 to be done
    Send(2, 3, 4); // need not
    Send(2, 0, 1); // comes behind what is before it for the same device
    EXPECT_THAT(
        Run(),
        ElementsAre(Delivery(2, 3, 4), Delivery(1, 0, 10), Delivery(2, 0, 12), Delivery(2, 0, 13)));
}

TEST_P(ReceptionLimitTest, ABroadcastWaitsUntilAllHavePlace)
{
    Make(5, 1);
    Send(1, 0, 10);
    Send(3, 4, 15);
    Send(2, BROADCAST);
    EXPECT_THAT(Run(),
                UnorderedElementsAre(Delivery(1, 0, 10),
                                     Delivery(3, 4, 15),
                                     Delivery(2, 0, 16),
                                     Delivery(2, 1, 16),
                                     Delivery(2, 3, 16),
                                     Delivery(2, 4, 16)));
}

TEST_P(ReceptionLimitTest, ABroadcastGoesBeforeWhatOthersHaveForOneDevice)
{
    Make(5, 1);
    for (uint32_t i = 0; i < 10; ++i) // 0 and 1 would always have something from one of them
    {
        Send(2, i % 2, 10);
        Send(3, (i + 1) % 2, 10);
    }
    Simulator::Schedule(MilliSeconds(5), [this]() { Send(4, BROADCAST); });
    const auto deliveries = Run();
    EXPECT_EQ(deliveries.size(), 24);
    EXPECT_THAT(deliveries, testing::IsSupersetOf({Delivery(4, 0, 11), Delivery(4, 3, 11)}));
    EXPECT_EQ(Simulator::Now(), MilliSeconds(101)); // and nothing more was lost by that
}

TEST_P(ReceptionLimitTest, ABroadcastIsNotOvertakenByWhatItsSenderQueuedLater)
{
    Make(5, 1);
    Send(1, 0, 10);
    Send(2, 3, 2);
    Send(2, BROADCAST);
    Send(2, 4, 2);
    EXPECT_THAT(Run(),
                UnorderedElementsAre(Delivery(2, 3, 2),
                                     Delivery(1, 0, 10),
                                     Delivery(2, 0, 11),
                                     Delivery(2, 1, 11),
                                     Delivery(2, 3, 11),
                                     Delivery(2, 4, 11),
                                     Delivery(2, 4, 13)));
}

TEST_P(ReceptionLimitTest, ABroadcastThatIsTakenBackKeepsNobodyWaiting)
{
    Make(5, 1);
    Send(1, 0, 10);
    const uint32_t id = m_network->Send(2, BROADCAST, MILLISECOND, BEST_EFFORT);
    Send(3, 4, 1); // waits for the broadcast, which waits for 1
    Simulator::Schedule(MilliSeconds(4),
                        [this, id]() { m_network->Device(2)->GetMac()->CancelBurst(id); });
    EXPECT_THAT(Run(), ElementsAre(Delivery(3, 4, 5), Delivery(1, 0, 10)));
}

TEST_P(ReceptionLimitTest, WhoIsOutOfRangeNeedsNoPlace)
{
    Make(4, 1);
    m_network->SetOutOfRange(2, 0);
    Send(1, 0, 10);
    Send(2, BROADCAST);
    EXPECT_THAT(Run(),
                UnorderedElementsAre(Delivery(2, 1, 1), Delivery(2, 3, 1), Delivery(1, 0, 10)));
}

TEST_P(ReceptionLimitTest, ReceiversThatGoOffOrAsleepKeepNobodyWaiting)
{
    Make(6, 1);
    Send(1, 0, 10);
    Send(2, 0, 1); // lost: nobody is there when it is sent
    Send(2, 3, 9);
    Send(4, 5, 10);
    Send(2, 5, 1);
    Simulator::Schedule(MilliSeconds(10) - NanoSeconds(1),
                        [this]() { m_network->Device(0)->GetMac()->SwitchOff(); });
    Simulator::Schedule(MilliSeconds(3), [this]() { m_network->Device(5)->GetMac()->Sleep(); });
    Simulator::Schedule(MilliSeconds(4), [this]() { m_network->Device(5)->GetMac()->Wake(); });
    EXPECT_THAT(Run(), UnorderedElementsAre(Delivery(2, 3, 9), Delivery(2, 5, 10)));
    EXPECT_EQ(m_network->Reports().size(), 5); // none waits for ever
}

TEST_P(ReceptionLimitTest, AWaitingSenderGoesOnWhenTheReceiverHasGoneOff)
{
    Make(3, 1);
    Send(1, 0, 10);
    Send(2, 0, 1);
    Simulator::Schedule(MilliSeconds(3), [this]() { m_network->Device(0)->GetMac()->SwitchOff(); });
    Run();
    ASSERT_EQ(m_network->Reports().size(), 2);
    EXPECT_EQ(m_network->Reports()[0].end, MilliSeconds(4)); // 2 sent at 3 ms
    EXPECT_EQ(m_network->Reports()[0].outcomes[0].reason, D2dLossReason::RECEIVER_OFF);
}

TEST_P(ReceptionLimitTest, APlaceIsTakenUntilTheLastAcknowledgment)
{
    Make(3, 1);
    m_network->SetOutage(1, 0, 0.5);
    m_network->Device(1)->GetMac()->SetAttribute("MaxAttempts", UintegerValue(100));
    m_network->Send(1, 0, 20 * MILLISECOND, ARQ);
    Send(2, 0, 1);
    Run();
    ASSERT_EQ(m_network->Reports().size(), 2);
    const auto& first = m_network->Reports()[0];
    EXPECT_GT(first.attempts, 20);
    EXPECT_EQ(m_network->Reports()[1].start, first.end);
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
    const auto deliveries = Run();
    EXPECT_EQ(deliveries.size(), SENDERS * RECEIVERS);
    const int64_t end = Simulator::Now().GetMilliSeconds();
    EXPECT_GE(end, 10 * SENDERS);
    EXPECT_LT(end, 10 * (SENDERS + RECEIVERS)); // a sender finds a receiver with place
}

TEST_P(ReceptionLimitTest, OtherQueuesOnlyLetGoOfTheirFirstPacket)
{
    Make(4, 1);
    m_network->Device(2)->GetMac()->SetQueue(CreateObject<DropTailQueue<Packet>>());
    Send(1, 0, 10);
    Send(2, 0, 2);
    Send(2, 3, 4);
    EXPECT_THAT(Run(), ElementsAre(Delivery(1, 0, 10), Delivery(2, 0, 12), Delivery(2, 3, 16)));
}

TEST_P(ReceptionLimitTest, ItCanBeSetWhileBurstsWait)
{
    Make(4, 1);
    for (const uint32_t sender : {1, 2, 3})
    {
        Send(sender, 0, 10);
    }
    Simulator::Schedule(MilliSeconds(5), [this]() {
        m_network->Device(0)->GetMac()->SetAttribute("MaxReceptions", UintegerValue(0));
    });
    EXPECT_THAT(Run(), ElementsAre(Delivery(1, 0, 10), Delivery(2, 0, 15), Delivery(3, 0, 15)));
}

TEST_P(ReceptionLimitTest, OnOneChannelThereIsNone)
{
    Make(3, 1, {}, "Tdma");
    Send(1, 0, 10);
    Send(2, 0, 10);
    EXPECT_THAT(Run(), ElementsAre(Delivery(1, 0, 10), Delivery(2, 0, 20)));
    EXPECT_FALSE(m_network->Channel()->LimitsReceptions());
}

} // namespace
