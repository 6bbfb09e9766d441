/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

namespace ns3::collab::tests
{
namespace
{

/// Half-duplex radios of 1 Mbit/s, each with a subchannel of its own, by fidelity
class HalfDuplexTurnTest : public FidelitiesTest
{
  protected:
    void
    Make(uint32_t size, Settings more = {})
    {
        m_network.emplace(
            size,
            With(std::move(more),
                 {{"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}, {"FragmentSize", "91"}}),
            m_channel);
    }

    /// Let a device always have something for another one.
    void
    Saturate(uint32_t from, uint32_t to, uint32_t milliseconds)
    {
        if (Simulator::Now() < END)
        {
            m_network->SendBurst(from,
                                 m_network->Burst(to, milliseconds * MILLISECOND),
                                 [=](const auto&) { Saturate(from, to, milliseconds); });
        }
    }

    /// Saturates it from a moment on [ms].
    void
    SaturateAt(int64_t moment, uint32_t from, uint32_t to, uint32_t milliseconds)
    {
        At(MilliSeconds(moment), [=] { Saturate(from, to, milliseconds); });
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

    const Time END = Seconds(1);          //!< when saturated devices stop
    std::optional<TestNetwork> m_network; //!< the devices
};

INSTANTIATE_TEST_SUITE_P(Fidelities, HalfDuplexTurnTest, FIDELITIES);

TEST_P(HalfDuplexTurnTest, AServerIsNotStarvedByOverlappingUploads)
{
    Make(5);
    for (const uint32_t client : {1, 2, 3, 4})
    {
        SaturateAt(3 * client, client, 0, 10 + client);
    }
    SaturateAt(20, 0, 1, 1);
    Simulator::Run();
    const auto turns = m_network->ReportsOf(0);
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
        EXPECT_GT(m_network->ReportsOf(client).size(), 20) << "clients have their turns";
    }
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
        SaturateAt(3 * from, from, BROADCAST, 10 + from);
    }
    SaturateAt(20, 0, 1, 1);
    Simulator::Run();
    EXPECT_GT(m_network->ReportsOf(0).size(), 20);
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
            At(MilliSeconds(from), [this, from] {
                Saturate(from, (from + 1) % DEVICES, 5 + from);
                Saturate(from, (from + 2) % DEVICES, 4);
                Saturate(from, from < 2 ? BROADCAST : (from + 3) % DEVICES, 3);
            });
        }
        Simulator::Run();
        for (uint32_t from = 0; from < DEVICES; ++from)
        {
            EXPECT_GT(m_network->ReportsOf(from).size(), 5) << from << " with a limit of " << limit;
            EXPECT_TRUE(m_network->Mac(from)->GetQueue()->IsEmpty()) << "none waits for ever";
        }
    }
}

TEST_P(HalfDuplexTurnTest, WhoTakesBackWhatItHadToSendOrGoesOffKeepsNobodyWaiting)
{
    for (const bool goesOff : {false, true})
    {
        Make(4, {{"ContentionWindow", "1"}});
        m_network->Send(1, 0, 10 * MILLISECOND);
        m_network->Send(2, 0, 20 * MILLISECOND);
        At(MilliSeconds(5), [&] {
            const uint32_t id = m_network->Send(0, 3, MILLISECOND);
            if (goesOff)
            {
                m_network->SwitchOffAt(MilliSeconds(10), 0);
            }
            else
            {
                m_network->CancelAt(MilliSeconds(10), 0, id);
            }
        });
        m_network->SendAt(MilliSeconds(12), 3, 0, MILLISECOND);
        Simulator::Run();
        ASSERT_EQ(m_network->ReportsOf(3).size(), 1);
        EXPECT_EQ(m_network->ReportsOf(3)[0].start, MilliSeconds(15));
        EXPECT_EQ(m_network->ReportsOf(3)[0].outcomes[0].delivered, !goesOff);
    }
}

TEST_P(HalfDuplexTurnTest, BurstsThatBeginTogetherAreStillHeardTogether)
{
    Make(4, {{"ContentionWindow", "1"}});
    m_network->Send(1, 0, 10 * MILLISECOND);
    m_network->Send(0, 3, MILLISECOND); // has to wait
    m_network->SendAt(MilliSeconds(5), 2, 0, 10 * MILLISECOND);
    Simulator::Run();
    EXPECT_EQ(m_network->ReportsOf(2)[0].start, MilliSeconds(5)) << "while the first goes on";
    EXPECT_GE(m_network->ReportsOf(0)[0].start, MilliSeconds(15));
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
            At(MilliSeconds(from), [this, from] {
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
            EXPECT_GT(m_network->ReportsOf(from).size(), 20) << from;
            EXPECT_TRUE(m_network->Mac(from)->GetQueue()->IsEmpty()) << "none waits for ever";
        }
    }
}

TEST_P(HalfDuplexTurnTest, WhoWaitsForATransmitterGoesOnWhenItIsDoneOrGone)
{
    for (const bool goes : {false, true})
    {
        Make(3, {{"ContentionWindow", "1"}, {"ReceiverSensing", "true"}});
        m_network->Send(0, 1, 10 * MILLISECOND);
        m_network->SendAt(MilliSeconds(3), 2, 0, MILLISECOND);
        m_network->SendAt(MilliSeconds(3), 2, 1, MILLISECOND); // hears, and need not wait
        if (goes)
        {
            m_network->SwitchOffAt(MilliSeconds(7), 0);
        }
        Simulator::Run();
        const auto reports = m_network->ReportsOf(2);
        ASSERT_THAT(reports, SizeIs(2));
        EXPECT_EQ(reports[0].start, MilliSeconds(3));
        EXPECT_THAT(m_network->Fates(reports[0]), ElementsAre("1 delivered"));
        EXPECT_EQ(reports[1].start, MilliSeconds(goes ? 7 : 10));
        EXPECT_THAT(m_network->Fates(reports[1]),
                    ElementsAre(goes ? "0 receiver-off" : "0 delivered"));
    }
}

} // namespace
} // namespace ns3::collab::tests
