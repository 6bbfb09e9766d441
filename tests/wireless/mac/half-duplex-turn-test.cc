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
#include <iterator>
#include <map>
#include <memory>
#include <string>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr uint32_t MILLISECOND = 125 - 34; //!< bytes that take 1 ms on the air at 1 Mbit/s

/// Half-duplex radios of 1 Mbit/s, each with a subchannel of its own, by fidelity
class HalfDuplexTurnTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    /**
     * @param size number of devices
     * @param more attributes of the devices
     */
    void
    Make(uint32_t size, Settings more = {})
    {
        Settings device = {
            {"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}, {"FragmentSize", "91"}};
        device.insert(more.begin(), more.end());
        m_network = std::make_unique<TestNetwork>(size, device, Settings{{"Fidelity", GetParam()}});
    }

    /**
     * @brief Let a device always have something for another one.
     *
     * @param from index of the sender
     * @param to index of the receiver, or BROADCAST
     * @param milliseconds airtime of each burst
     */
    void
    Saturate(uint32_t from, uint32_t to, uint32_t milliseconds)
    {
        if (Simulator::Now() < END)
        {
            const Mac48Address destination = to == TestNetwork::BROADCAST
                                                 ? Mac48Address::GetBroadcast()
                                                 : m_network->Address(to);
            m_network->Device(from)->GetMac()->SendBurst(
                {Create<Packet>(milliseconds * MILLISECOND), destination, TestNetwork::PROTOCOL},
                [this, from, to, milliseconds](const D2dBurstReport&) {
                    Saturate(from, to, milliseconds);
                });
        }
    }

    /**
     * @param sender index of a device
     * @return its bursts, in the order of their ends
     */
    std::vector<D2dBurstReport>
    ReportsOf(uint32_t sender) const
    {
        std::vector<D2dBurstReport> reports;
        std::copy_if(m_network->Reports().begin(),
                     m_network->Reports().end(),
                     std::back_inserter(reports),
                     [this, sender](const D2dBurstReport& report) {
                         return report.senderNode == m_network->NodeId(sender);
                     });
        return reports;
    }

    /// @return bursts that a receiver did not get though it did not transmit when they began
    int64_t
    CountLosses() const
    {
        const auto& reports = m_network->Reports();
        const auto transmits = [&reports](uint32_t node, Time time) {
            return std::any_of(reports.begin(), reports.end(), [=](const D2dBurstReport& sent) {
                return sent.senderNode == node && sent.start <= time && time < sent.end;
            });
        };
        return std::count_if(reports.begin(), reports.end(), [&](const D2dBurstReport& report) {
            return std::any_of(
                report.outcomes.begin(), report.outcomes.end(), [&](const auto& outcome) {
                    return !outcome.delivered && !transmits(outcome.receiverNode, report.start);
                });
        });
    }

    const Time END = Seconds(1);            //!< when saturated devices stop
    std::unique_ptr<TestNetwork> m_network; //!< the devices
};

INSTANTIATE_TEST_SUITE_P(Fidelities, HalfDuplexTurnTest, testing::Values("Packet", "Burst"));

TEST_P(HalfDuplexTurnTest, AServerIsNotStarvedByOverlappingUploads)
{
    Make(5);
    for (const uint32_t client : {1, 2, 3, 4})
    {
        Simulator::Schedule(MilliSeconds(3 * client),
                            [this, client]() { Saturate(client, 0, 10 + client); });
    }
    Simulator::Schedule(MilliSeconds(20), [this]() { Saturate(0, 1, 1); });
    Simulator::Run();
    const auto turns = ReportsOf(0);
    ASSERT_GT(turns.size(), 20);
    Time last = MilliSeconds(20);
    for (const auto& turn : turns)
    {
        // What is on air when it begins to wait, and what begins before the first of that is over
        EXPECT_LE(turn.start - last, MilliSeconds(2 * 14 + 1)) << last;
        EXPECT_GT(turn.attempts, 0);
        last = turn.end;
    }
    EXPECT_EQ(CountLosses(), 0) << "uploads wait at their senders";
    for (const uint32_t client : {1, 2, 3, 4})
    {
        EXPECT_GT(ReportsOf(client).size(), 20) << "clients have their turns";
    }
}

TEST_P(HalfDuplexTurnTest, ABroadcasterIsNotStarvedByOverlappingUploads)
{
    Make(4);
    for (const uint32_t client : {1, 2, 3})
    {
        Simulator::Schedule(MilliSeconds(3 * client),
                            [this, client]() { Saturate(client, 0, 10 + client); });
    }
    Simulator::Schedule(MilliSeconds(20), [this]() { Saturate(0, TestNetwork::BROADCAST, 1); });
    Simulator::Run();
    EXPECT_GT(ReportsOf(0).size(), 20);
}

TEST_P(HalfDuplexTurnTest, NobodyIsStarvedByBroadcastersThatDoNotHearEachOther)
{
    Make(4);
    for (const uint32_t from : {1, 2, 3})
    {
        for (const uint32_t to : {1, 2, 3})
        {
            m_network->SetOutOfRange(from, to);
        }
        Simulator::Schedule(MilliSeconds(3 * from),
                            [this, from]() { Saturate(from, TestNetwork::BROADCAST, 10 + from); });
    }
    Simulator::Schedule(MilliSeconds(20), [this]() { Saturate(0, 1, 1); });
    Simulator::Run();
    EXPECT_GT(ReportsOf(0).size(), 20);
    EXPECT_EQ(CountLosses(), 0);
}

TEST_P(HalfDuplexTurnTest, EverybodyGetsTurnsAmongManyThatSendToEachOther)
{
    for (const std::string limit : {"0", "1", "2"})
    {
        constexpr uint32_t DEVICES = 6;
        Make(DEVICES, {{"MaxReceptions", limit}});
        for (uint32_t from = 0; from < DEVICES; ++from)
        {
            Simulator::Schedule(MilliSeconds(from), [this, from]() {
                Saturate(from, (from + 1) % DEVICES, 5 + from);
                Saturate(from, (from + 2) % DEVICES, 4);
                Saturate(from, from < 2 ? TestNetwork::BROADCAST : (from + 3) % DEVICES, 3);
            });
        }
        Simulator::Run();
        for (uint32_t from = 0; from < DEVICES; ++from)
        {
            EXPECT_GT(ReportsOf(from).size(), 5) << from << " with a limit of " << limit;
            EXPECT_TRUE(m_network->Device(from)->GetMac()->GetQueue()->IsEmpty())
                << "none waits for ever";
        }
        Simulator::Destroy();
    }
}

TEST_P(HalfDuplexTurnTest, WhoTakesBackWhatItHadToSendKeepsNobodyWaiting)
{
    Make(4, {{"ContentionWindow", "1"}});
    m_network->Send(1, 0, 10 * MILLISECOND, BEST_EFFORT);
    m_network->Send(2, 0, 20 * MILLISECOND, BEST_EFFORT);
    uint32_t id = 0;
    Simulator::Schedule(MilliSeconds(5),
                        [&]() { id = m_network->Send(0, 3, MILLISECOND, BEST_EFFORT); });
    Simulator::Schedule(MilliSeconds(12),
                        [&]() { m_network->Send(3, 0, MILLISECOND, BEST_EFFORT); });
    Simulator::Schedule(MilliSeconds(15),
                        [&]() { m_network->Device(0)->GetMac()->CancelBurst(id); });
    Simulator::Run();
    ASSERT_EQ(ReportsOf(3).size(), 1);
    EXPECT_EQ(ReportsOf(3)[0].start, MilliSeconds(15));
    EXPECT_TRUE(ReportsOf(3)[0].outcomes[0].delivered);
}

TEST_P(HalfDuplexTurnTest, WhoGoesOffOrAsleepKeepsNobodyWaiting)
{
    for (const bool sleeps : {false, true})
    {
        Make(4, {{"ContentionWindow", "1"}});
        m_network->Send(1, 0, 10 * MILLISECOND, BEST_EFFORT);
        m_network->Send(2, 0, 20 * MILLISECOND, BEST_EFFORT);
        Simulator::Schedule(MilliSeconds(5),
                            [&]() { m_network->Send(0, 3, MILLISECOND, BEST_EFFORT); });
        Simulator::Schedule(MilliSeconds(12),
                            [&]() { m_network->Send(3, 0, MILLISECOND, BEST_EFFORT); });
        Simulator::Schedule(MilliSeconds(15), [&]() {
            sleeps ? m_network->Device(0)->GetMac()->Sleep()
                   : m_network->Device(0)->GetMac()->SwitchOff();
        });
        Simulator::Run();
        ASSERT_EQ(ReportsOf(3).size(), 1);
        EXPECT_EQ(ReportsOf(3)[0].start, MilliSeconds(15));
        Simulator::Destroy();
    }
}

TEST_P(HalfDuplexTurnTest, BurstsThatBeginTogetherAreStillHeardTogether)
{
    Make(4, {{"ContentionWindow", "1"}});
    m_network->Send(1, 0, 10 * MILLISECOND, BEST_EFFORT);
    m_network->Send(0, 3, MILLISECOND, BEST_EFFORT); // has to wait
    Simulator::Schedule(MilliSeconds(5),
                        [this]() { m_network->Send(2, 0, 10 * MILLISECOND, BEST_EFFORT); });
    Simulator::Run();
    EXPECT_EQ(ReportsOf(2)[0].start, MilliSeconds(5)) << "while the first goes on";
    EXPECT_GE(ReportsOf(0)[0].start, MilliSeconds(15));
    EXPECT_EQ(CountLosses(), 0);
}

TEST_P(HalfDuplexTurnTest, NothingIsSentToADeviceThatTransmitsIfSendersKnow)
{
    for (const bool senses : {false, true})
    {
        constexpr uint32_t DEVICES = 6;
        Make(DEVICES, {{"ReceiverSensing", senses ? "true" : "false"}});
        for (uint32_t from = 0; from < DEVICES; ++from)
        {
            Simulator::Schedule(MilliSeconds(from), [this, from]() {
                Saturate(from, (from + 1) % DEVICES, 5 + from);
                Saturate(from, (from + 2) % DEVICES, 4);
                Saturate(from, (from + 5) % DEVICES, 3);
            });
        }
        Simulator::Run();
        const auto& reports = m_network->Reports();
        const auto missed = std::count_if(reports.begin(), reports.end(), [](const auto& report) {
            return report.outcomes.at(0).reason == D2dLossReason::HALF_DUPLEX;
        });
        EXPECT_EQ(missed == 0, senses) << missed << " of " << reports.size();
        for (uint32_t from = 0; from < DEVICES; ++from)
        {
            EXPECT_GT(ReportsOf(from).size(), 20) << from;
            EXPECT_TRUE(m_network->Device(from)->GetMac()->GetQueue()->IsEmpty())
                << "none waits for ever";
        }
        Simulator::Destroy();
    }
}

TEST_P(HalfDuplexTurnTest, WhoWaitsForATransmitterGoesOnWhenItIsDoneOrGone)
{
    for (const bool goes : {false, true})
    {
        Make(3, {{"ContentionWindow", "1"}, {"ReceiverSensing", "true"}});
        m_network->Send(0, 1, 10 * MILLISECOND, BEST_EFFORT);
        Simulator::Schedule(MilliSeconds(3), [&]() {
            m_network->Send(2, 0, MILLISECOND, BEST_EFFORT);
            m_network->Send(2, 1, MILLISECOND, BEST_EFFORT); // hears, and need not wait
        });
        if (goes)
        {
            Simulator::Schedule(MilliSeconds(7),
                                [&]() { m_network->Device(0)->GetMac()->SwitchOff(); });
        }
        Simulator::Run();
        const auto reports = ReportsOf(2);
        ASSERT_EQ(reports.size(), 2);
        EXPECT_EQ(reports[0].start, MilliSeconds(3));
        EXPECT_TRUE(reports[0].outcomes[0].delivered);
        EXPECT_EQ(reports[1].start, MilliSeconds(goes ? 7 : 10));
        EXPECT_EQ(reports[1].outcomes[0].reason,
                  goes ? D2dLossReason::RECEIVER_OFF : D2dLossReason::NONE);
        Simulator::Destroy();
    }
}

} // namespace
