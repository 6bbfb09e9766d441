/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"

#include "ns3/collab-delivery.h"

#include <functional>
#include <gmock/gmock.h>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace
{

constexpr uint16_t KIND = 7;
constexpr uint32_t RETRIES = 4;
const Time DELAY = Seconds(100); //!< far above what the radio needs itself

/// Device 0 sends to device 1
class DeliveryTest : public tests::DeviceNetwork
{
  protected:
    void
    MakeNetwork(double outage)
    {
        Options options;
        options.outage = outage;
        MakeDevices(options);
        for (uint32_t i = 0; i < 2; ++i)
        {
            GetTransport(i)->RegisterKind(
                KIND,
                "kind",
                [](const uint8_t*, std::size_t) { return nullptr; },
                [this](const Message&) { ++m_received; });
        }
        ::tests::OnTrace<const Message&, uint64_t>(
            GetTransport(0), "Tx", [this](const Message& message, uint64_t) {
                m_sent.push_back(Simulator::Now());
                EXPECT_EQ(message.round, 3);
            });
    }

    void
    MakeRepeater(LossPolicy policy = LossPolicy::RELIABLE)
    {
        DeliveryRepeater::Options options;
        options.policy = policy;
        options.retries = RETRIES;
        options.delay = DELAY;
        options.draw = [this](double greatest) {
            m_greatest.push_back(greatest);
            return greatest / 2;
        };
        options.isAlive = [this](const Delivery&) { return m_isAlive; };
        m_repeater = std::make_unique<DeliveryRepeater>(GetTransport(0), options);
    }

    void
    Send(std::function<bool()> wanted = nullptr, Time deadline = Time::Max())
    {
        Delivery delivery;
        delivery.receiver = m_nodes.Get(1)->GetId();
        delivery.content.kind = KIND;
        delivery.content.round = 3;
        delivery.wanted = std::move(wanted);
        delivery.deadline = deadline;
        delivery.finished = [this](bool isThere) {
            EXPECT_FALSE(m_isThere) << "finished is finished";
            m_isThere = isThere;
        };
        m_repeater->Send(delivery);
    }

    static void
    Run()
    {
        ::tests::RunFor(Seconds(100000));
    }

    std::unique_ptr<DeliveryRepeater> m_repeater; //!< of device 0
    bool m_isAlive = true;                        //!< whether device 0 still sends
    std::vector<Time> m_sent;                     //!< when
    std::vector<double> m_greatest;               //!< what delays were drawn from [s]
    std::optional<bool> m_isThere;                //!< what was told at the end
    int m_received = 0;                           //!< messages at either device
};

} // namespace

TEST_F(DeliveryTest, WhatIsHeardIsSentOnce)
{
    MakeNetwork(0);
    MakeRepeater();
    Send();
    Run();
    EXPECT_THAT(m_sent, SizeIs(1));
    EXPECT_THAT(m_greatest, IsEmpty());
    EXPECT_EQ(m_isThere, true);
    EXPECT_EQ(m_received, 1);
}

TEST_F(DeliveryTest, WhatIsNotHeardIsSentAgainAfterDoubledDelays)
{
    MakeNetwork(1);
    MakeRepeater();
    Send();
    Run();
    EXPECT_THAT(m_greatest, ElementsAre(200, 400, 800, 1600));
    ASSERT_THAT(m_sent, SizeIs(RETRIES + 1));
    for (uint32_t i = 0; i < RETRIES; ++i)
    {
        EXPECT_NEAR((m_sent[i + 1] - m_sent[i]).GetSeconds(), m_greatest[i] / 2, 1);
    }
    EXPECT_EQ(m_isThere, false);
    EXPECT_EQ(m_received, 0);
}

TEST_F(DeliveryTest, BestEffortIsNeverRepeated)
{
    MakeNetwork(1);
    MakeRepeater(LossPolicy::BEST_EFFORT);
    Send();
    Run();
    EXPECT_THAT(m_sent, SizeIs(1));
    EXPECT_EQ(m_isThere, true) << "it is sent: nobody knows more";
}

TEST_F(DeliveryTest, WhatIsNotWantedAnyMoreIsNotSentAgain)
{
    MakeNetwork(1);
    MakeRepeater();
    Send([]() { return Simulator::Now() < Seconds(50); });
    Run();
    EXPECT_THAT(m_sent, SizeIs(1)) << "it is wanted when the retry is drawn, not when it is due";
    EXPECT_EQ(m_isThere, false);
}

TEST_F(DeliveryTest, WhatIsNotWantedWhenTheRadioGivesUpDrawsNoRetry)
{
    MakeNetwork(1);
    MakeRepeater();
    Send([]() { return false; });
    Run();
    EXPECT_THAT(m_sent, SizeIs(1));
    EXPECT_THAT(m_greatest, IsEmpty());
    EXPECT_EQ(m_isThere, false);
}

TEST_F(DeliveryTest, WhatHasADeadlineIsNotSentAgainAfterIt)
{
    MakeNetwork(1);
    MakeRepeater();
    Send(nullptr, Seconds(150)); // the retries are due after 100 s and 200 s more
    Run();
    EXPECT_THAT(m_sent, SizeIs(2));
    EXPECT_EQ(m_isThere, false);
}

TEST_F(DeliveryTest, ADeviceThatIsGoneSendsNothingAgain)
{
    MakeNetwork(1);
    MakeRepeater();
    Send();
    Simulator::Schedule(Seconds(50), [this]() { m_isAlive = false; });
    Run();
    EXPECT_THAT(m_sent, SizeIs(1));
    EXPECT_EQ(m_isThere, false);
}

TEST_F(DeliveryTest, WhatWaitsForARetryMayBeDestroyed)
{
    MakeNetwork(1);
    MakeRepeater();
    Send();
    Simulator::Schedule(Seconds(50), [this]() { m_repeater.reset(); });
    Run();
    EXPECT_THAT(m_sent, SizeIs(1));
}

TEST_F(DeliveryTest, ItMayBeDestroyedWhileTheRadioSends)
{
    MakeNetwork(0);
    MakeRepeater();
    Send();
    m_repeater.reset();
    Run();
    EXPECT_EQ(m_received, 1);
    EXPECT_FALSE(m_isThere);
}
