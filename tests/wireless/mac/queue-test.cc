/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-priority-queue.h"
#include "ns3/queue-size.h"
#include "ns3/socket.h"

namespace ns3::collab::tests
{
namespace
{

class PriorityQueueTest : public SimulatorTest
{
  protected:
    void
    Make(const std::string& maxSize)
    {
        m_queue = CreateObject<D2dPriorityQueue>();
        m_queue->SetMaxSize(QueueSize(maxSize));
        OnPacket(m_queue, "DropAfterDequeue", [this](const auto& packet) {
            m_displaced.push_back(IdOf(packet));
        });
    }

    /// @return number of the burst of a packet
    static uint32_t
    IdOf(Ptr<const Packet> packet)
    {
        D2dBurstTag tag;
        packet->PeekPacketTag(tag);
        return tag.id;
    }

    /// @return whether there was place for a burst
    bool
    Add(uint32_t id, uint8_t priority, uint32_t bytes = 100)
    {
        Ptr<Packet> packet = Create<Packet>(bytes);
        D2dBurstTag tag;
        tag.id = id;
        tag.priority = priority;
        packet->AddPacketTag(tag);
        return m_queue->Enqueue(packet);
    }

    /// @return numbers of the bursts in the queue, which is then empty
    std::vector<uint32_t>
    Drain()
    {
        std::vector<uint32_t> ids;
        while (Ptr<const Packet> next = m_queue->Peek())
        {
            EXPECT_EQ(m_queue->Dequeue(), next);
            ids.push_back(IdOf(next));
        }
        EXPECT_EQ(m_queue->GetNPackets(), 0);
        EXPECT_EQ(m_queue->GetNBytes(), 0);
        return ids;
    }

    Ptr<D2dPriorityQueue> m_queue;     //!< under test
    std::vector<uint32_t> m_displaced; //!< bursts that were dropped after they had been accepted
};

TEST_F(PriorityQueueTest, HigherFirstAndArrivalAmongEquals)
{
    Make("100p");
    uint32_t id = 0;
    for (const uint8_t priority : {0, 5, 0, 255, 5, 1, 5, 0})
    {
        EXPECT_TRUE(Add(++id, priority));
    }
    EXPECT_THAT(Drain(), ElementsAre(4, 2, 5, 7, 6, 1, 3, 8));
}

TEST_F(PriorityQueueTest, FullOfPacketsDisplacesTheLastOfTheLowest)
{
    Make("3p");
    EXPECT_TRUE(Add(1, 1));
    EXPECT_TRUE(Add(2, 0));
    EXPECT_TRUE(Add(3, 0));
    EXPECT_FALSE(Add(4, 0)) << "an equal displaces nobody";
    EXPECT_THAT(m_displaced, IsEmpty());
    EXPECT_TRUE(Add(5, 1));
    EXPECT_THAT(m_displaced, ElementsAre(3));
    EXPECT_TRUE(Add(6, 2));
    EXPECT_THAT(m_displaced, ElementsAre(3, 2));
    EXPECT_FALSE(Add(7, 1));
    EXPECT_FALSE(Add(8, 0));
    EXPECT_THAT(Drain(), ElementsAre(6, 1, 5));
}

TEST_F(PriorityQueueTest, FullOfBytesDisplacesAsManyAsItMust)
{
    Make("1000B");
    EXPECT_TRUE(Add(1, 3, 300));
    EXPECT_TRUE(Add(2, 2, 300));
    EXPECT_TRUE(Add(3, 1, 300));
    EXPECT_TRUE(Add(4, 0, 100));
    EXPECT_TRUE(Add(5, 4, 400));
    EXPECT_THAT(m_displaced, ElementsAre(4, 3));
    EXPECT_EQ(m_queue->GetNBytes(), 1000);
    EXPECT_THAT(Drain(), ElementsAre(5, 1, 2));
}

TEST_F(PriorityQueueTest, DisplacesNobodyForWhatDoesNotFitAllTheSame)
{
    Make("1000B");
    EXPECT_TRUE(Add(1, 3, 700));
    EXPECT_TRUE(Add(2, 0, 200));
    EXPECT_TRUE(Add(3, 0, 100));
    EXPECT_FALSE(Add(4, 1, 400)) << "300 bytes are of a lower priority";
    EXPECT_FALSE(Add(5, 9, 1001)) << "more than the whole queue";
    EXPECT_THAT(m_displaced, IsEmpty());
    EXPECT_THAT(Drain(), ElementsAre(1, 2, 3));
}

TEST_F(PriorityQueueTest, PacketsWithoutTagAreOfPriority0)
{
    Make("100p");
    EXPECT_TRUE(m_queue->Enqueue(Create<Packet>(1)));
    EXPECT_TRUE(Add(7, 1));
    EXPECT_THAT(Drain(), ElementsAre(7, 0));
}

/// Counts how often it reports the end of each burst of device 0
class QueueNetwork : public TestNetwork
{
  public:
    using TestNetwork::TestNetwork;

    /// @return number of the burst at device 0
    uint32_t
    Queue(const D2dBurst& burst)
    {
        return SendBurst(0, burst, [this](const auto& report) { ++reported[report.burst->id]; });
    }

    /// @return number of a burst of 8 ms to device 1
    uint32_t
    Queue(uint8_t priority = 0, Time deadline = Time::Max())
    {
        D2dBurst burst = Burst(1, 966);
        burst.priority = priority;
        burst.deadline = deadline;
        return Queue(burst);
    }

    /// @return reason why a burst of device 0 was lost, or whether it was delivered
    std::string
    FateOf(uint32_t id) const
    {
        EXPECT_EQ(reported.at(id), 1) << "burst " << id;
        return Fates(ReportOf(0, id)).at(0).substr(2);
    }

    std::map<uint32_t, int> reported; //!< by number
};

constexpr uint32_t TEN_FRAGMENTS = 14660;         //!< bytes of 10 fragments of 12 ms
constexpr D2dDivision TEN_UNITS = {10, 1443, 23}; //!< each in a fragment of 12 ms

using BurstQueueTest = FidelitiesTest;

INSTANTIATE_TEST_SUITE_P(Fidelities, BurstQueueTest, FIDELITIES);

TEST_P(BurstQueueTest, BurstsLeaveByPriority)
{
    QueueNetwork network(2, EXACT, m_channel);
    network.Queue();
    At(MilliSeconds(1), [&] { // while the first is on air
        for (const uint8_t priority : {0, 3, 1, 3, 0})
        {
            network.Queue(priority);
        }
    });
    Simulator::Run();
    std::vector<uint32_t> order;
    for (const auto& report : network.Reports())
    {
        order.push_back(report.burst->id);
    }
    EXPECT_THAT(order, ElementsAre(1, 3, 5, 4, 2, 6));
}

TEST_P(BurstQueueTest, WhatIsDisplacedIsReportedOnce)
{
    QueueNetwork network(
        2, With({{"TxQueue", "ns3::collab::D2dPriorityQueue[MaxSize=2p]"}}), m_channel);
    network.Queue();
    At(MilliSeconds(1), [&] {
        network.Queue();
        network.Queue();
        network.Queue(7);
        EXPECT_EQ(network.Queue(), 0) << "refused";
    });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 5);
    for (uint32_t id = 1; id <= 5; ++id)
    {
        EXPECT_EQ(network.FateOf(id), id == 3 || id == 5 ? "queue-full" : "delivered") << id;
    }
    EXPECT_EQ(network.ReportOf(0, 3).attempts, 0);
    EXPECT_LT(network.ReportOf(0, 4).start, network.ReportOf(0, 2).start);
    EXPECT_EQ(network.Receptions().size(), 3);
}

TEST_P(BurstQueueTest, PacketsOfTheNetworkLayerKeepTheirSocketPriority)
{
    QueueNetwork network(2, EXACT, m_channel);
    network.Queue();
    for (const uint8_t priority : {0, 2, 6})
    {
        Ptr<Packet> packet = Create<Packet>(100 + priority);
        SocketPriorityTag tag;
        tag.SetPriority(priority);
        packet->AddPacketTag(tag);
        At(MilliSeconds(1), [&, packet] {
            EXPECT_TRUE(network.Device(0)->Send(packet, network.Address(1), 0x0800));
        });
    }
    Simulator::Run();
    std::vector<uint32_t> sizes;
    for (const auto& reception : network.Receptions())
    {
        sizes.push_back(reception.packet->GetSize());
    }
    EXPECT_THAT(sizes, ElementsAre(966, 106, 102, 100));
}

TEST_P(BurstQueueTest, CancelledBurstsLeaveTheQueue)
{
    QueueNetwork network(
        2, With({{"TxQueue", "ns3::collab::D2dPriorityQueue[MaxSize=2p]"}}), m_channel);
    const Ptr<D2dMac> mac = network.Mac(0);
    network.Queue();
    At(MilliSeconds(1), [&] {
        const uint32_t second = network.Queue();
        const uint32_t third = network.Queue();
        EXPECT_TRUE(mac->CancelBurst(third));
        EXPECT_TRUE(mac->CancelBurst(second));
        EXPECT_FALSE(mac->CancelBurst(second)) << "it is over";
        EXPECT_FALSE(mac->CancelBurst(99)) << "there is none";
        EXPECT_NE(network.Queue(), 0) << "there is place again";
        EXPECT_NE(network.Queue(), 0);
    });
    Simulator::Run();
    EXPECT_EQ(network.Receptions().size(), 3);
    for (const uint32_t id : {2, 3})
    {
        EXPECT_EQ(network.FateOf(id), "cancelled");
        EXPECT_EQ(network.ReportOf(0, id).airtime, Time());
        EXPECT_EQ(network.ReportOf(0, id).end, MilliSeconds(1));
    }
    EXPECT_FALSE(mac->CancelBurst(1)) << "it was over long ago";
}

TEST_P(BurstQueueTest, CancelStopsTheFirstPassAtOnce)
{
    QueueNetwork network(3, EXACT, m_channel);
    network.InstallBatteries();
    network.Queue(network.Burst(BROADCAST, TEN_FRAGMENTS));
    network.Send(1, 0, 966); // waits for the broadcast
    const Time cut = MilliSeconds(30);
    At(cut, [&] {
        EXPECT_TRUE(network.Mac(0)->CancelBurst(1));
        network.ExpectIdle();
        EXPECT_FALSE(network.Mac(0)->CancelBurst(1));
    });
    RunFor(Seconds(1));
    const D2dBurstReport& report = network.ReportOf(0);
    EXPECT_EQ(report.airtime, cut);
    EXPECT_EQ(report.end, cut);
    EXPECT_EQ(report.attempts, 3) << "the third was under way";
    EXPECT_THAT(network.Fates(report), ElementsAre("1 cancelled", "2 cancelled"));
    EXPECT_EQ(report.outcomes[0].lostFragments, 8);
    EXPECT_EQ(report.outcomes[1].lostFragments, 8);
    const D2dBurstReport& other = network.ReportOf(1);
    EXPECT_GE(other.start, cut);
    EXPECT_LE(other.start, cut + MicroSeconds(1)) << "the reservation is released";
    EXPECT_THAT(network.Fates(other), ElementsAre("0 delivered"));
    network.ExpectIdle();
    // The energy is that of the airtime: 30 ms of the broadcast, and 8 ms of the other burst
    EXPECT_NEAR(
        network.Joules(0, EnergyKind::TX), network.Joules(1, EnergyKind::TX) * 30 / 8, 1e-9);
}

TEST_P(BurstQueueTest, DivisibleBurstThatIsCutOffBringsWhatHasArrived)
{
    for (const auto reliability : {BEST_EFFORT, ARQ})
    {
        QueueNetwork network(2, EXACT, m_channel);
        std::vector<uint32_t> units;
        network.Device(1)->SetBurstReceiveCallback(
            TestNetwork::PROTOCOL,
            [&](const D2dBurst&, const std::vector<uint32_t>& received) { units = received; });
        D2dBurst burst = network.UnitsBurst(1, TEN_UNITS, reliability);
        burst.deadline = MilliSeconds(30);
        network.Queue(burst);
        Simulator::Run();
        EXPECT_EQ(network.Report().airtime, MilliSeconds(30));
        EXPECT_THAT(units, ElementsAre(0, 1));
        EXPECT_THAT(network.Fates(), ElementsAre("1 part deadline"));
        EXPECT_EQ(network.Outcome().lostUnits, 8);
        EXPECT_THAT(network.Outcome().acknowledgedUnits, IsEmpty()) << "they come after the pass";
        network.ExpectIdle();
    }
}

TEST_P(BurstQueueTest, WhatStopAndWaitRetransmitsHasBeenSentOnce)
{
    constexpr uint32_t PART = TEN_FRAGMENTS / 10;
    for (const std::string outage : {"0.4", "1"})
    {
        QueueNetwork network(
            2,
            EXACT,
            Channel(
                {{"OutageModel", "ns3::collab::D2dFixedOutageModel[Probability=" + outage + "]"}}));
        D2dBurst burst = network.Burst(1, TEN_FRAGMENTS, ARQ);
        burst.maxAttempts = 3;
        for (int i = 0; i < 100; ++i)
        {
            network.Queue(burst);
        }
        Simulator::Run();
        ASSERT_EQ(network.Reports().size(), 100U);
        uint32_t givenUp = 0;
        for (const auto& report : network.Reports())
        {
            const uint32_t arrived = 10 - report.outcomes.at(0).lostFragments;
            if (report.outcomes.at(0).reason == D2dLossReason::NONE)
            {
                EXPECT_EQ(report.bytesSent, TEN_FRAGMENTS);
                continue;
            }
            // The last one has not arrived, or its acknowledgment has not
            EXPECT_GE(report.bytesSent, PART * std::max(arrived, 1U));
            EXPECT_LE(report.bytesSent, PART * std::min(arrived + 1, 10U));
            givenUp += report.attempts > arrived + 1 ? 1 : 0;
        }
        EXPECT_GT(givenUp, 50U);
    }
}

TEST_P(BurstQueueTest, WhatStopAndWaitHasSentSoFarIsWhatUsuallyComesThrough)
{
    QueueNetwork network(
        2, EXACT, Channel({{"OutageModel", "ns3::collab::D2dFixedOutageModel[Probability=0.2]"}}));
    D2dBurst burst = network.Burst(1, 100 * TEN_FRAGMENTS, ARQ);
    burst.maxAttempts = 1000;
    const uint32_t id = network.Queue(burst);
    double sent = 0;
    At(Seconds(6), [&] { sent = network.Mac(0)->GetBytesSent(id); });
    Simulator::Run();
    EXPECT_EQ(network.Report().bytesSent, 100 * TEN_FRAGMENTS);
    const double part = 6 / (network.Report().end - network.Report().start).GetSeconds();
    EXPECT_NEAR(sent / (100 * TEN_FRAGMENTS), part, 0.05); // 4 deviations are 0.045
}

TEST_P(BurstQueueTest, StopAndWaitThatIsCutOffHasSentWhatItHasSent)
{
    // 10 fragments of 12 ms; after each 20 us of turnaround and 112 us of acknowledgment
    struct Expected
    {
        Time cut;             //!< when it is cut off
        uint64_t attempts;    //!< transmissions, that on air included
        Time airtime;         //!< so far
        uint32_t lost;        //!< fragments that have not arrived
        Time acknowledgments; //!< how long the receiver sent them
        bool goesOff = false; //!< whether its sender goes off, and no deadline passes
    };
    for (const auto& expected :
         {Expected{MilliSeconds(11), 1, MilliSeconds(11), 10, Time()},
          Expected{MicroSeconds(24200), 2, MilliSeconds(24), 8, MicroSeconds(224)},
          Expected{MilliSeconds(30), 3, MicroSeconds(29736), 8, MicroSeconds(224)},
          Expected{MilliSeconds(30), 3, MicroSeconds(29736), 8, MicroSeconds(224), true}})
    {
        QueueNetwork network(2, EXACT, m_channel);
        network.InstallBatteries();
        D2dBurst burst = network.Burst(1, TEN_FRAGMENTS, ARQ);
        burst.deadline = expected.goesOff ? Time::Max() : expected.cut;
        network.Queue(burst);
        if (expected.goesOff)
        {
            network.SwitchOffAt(expected.cut, 0);
        }
        RunFor(Seconds(1));
        const D2dBurstReport& report = network.Report();
        EXPECT_EQ(report.attempts, expected.attempts);
        EXPECT_EQ(report.airtime, expected.airtime);
        EXPECT_EQ(report.end, expected.cut);
        EXPECT_EQ(report.bytesSent, 1466 * expected.attempts);
        EXPECT_EQ(report.outcomes.at(0).lostFragments, expected.lost);
        EXPECT_THAT(network.Fates(),
                    ElementsAre(expected.goesOff ? "1 transmitter-off" : "1 deadline"));
        const Time listened = expected.cut - expected.airtime;
        const double transmitW = 0.1 / 0.35 + 0.1;
        EXPECT_NEAR(
            network.Joules(0, EnergyKind::TX), transmitW * expected.airtime.GetSeconds(), 1e-9);
        EXPECT_NEAR(network.Joules(0, EnergyKind::RX), 0.2 * listened.GetSeconds(), 1e-9);
        EXPECT_NEAR(network.Joules(1, EnergyKind::TX),
                    transmitW * expected.acknowledgments.GetSeconds(),
                    1e-9);
        EXPECT_EQ(network.Duration(0, D2dRadioState::TX), expected.airtime);
        EXPECT_EQ(network.Duration(0, D2dRadioState::RX), listened);
        EXPECT_EQ(network.Duration(0, expected.goesOff ? D2dRadioState::OFF : D2dRadioState::IDLE),
                  Seconds(1) - expected.cut);
        EXPECT_EQ(network.Duration(1, D2dRadioState::TX), expected.acknowledgments);
        network.ExpectIdle();
    }
}

TEST_P(BurstQueueTest, WhoSendsToADeviceThatIsGoneGivesUpAsItsAttemptsEnd)
{
    using Case = std::tuple<std::string, int64_t, Time>;
    for (const auto& [arq, attempts, end] :
         {Case("StopAndWait", 2 + 4, MicroSeconds(12132) * (2 + 4)),
          Case("SelectiveRepeat", 4 * 40, MicroSeconds(12112) * (4 * 40) + TURNAROUND * 4)})
    {
        QueueNetwork network(2, With({{"MaxAttempts", "4"}, {"Arq", arq}}), m_channel);
        network.Queue(network.Burst(1, 4 * TEN_FRAGMENTS, ARQ));
        network.SwitchOffAt(MilliSeconds(30), 1);
        Simulator::Run();
        EXPECT_EQ(network.Report().attempts, attempts) << arq;
        EXPECT_EQ(network.Report().end, end) << arq;
        EXPECT_THAT(network.Fates(), ElementsAre("1 receiver-off"));
        EXPECT_EQ(network.Outcome().lostFragments, 38) << "it had two";
    }
}

TEST_P(BurstQueueTest, WhoGoesOffInABroadcastKeepsWhatItHas)
{
    for (const auto reliability : {BEST_EFFORT, ARQ})
    {
        QueueNetwork network(3, EXACT, m_channel);
        network.Queue(network.Burst(BROADCAST, TEN_FRAGMENTS, reliability));
        network.SwitchOffAt(MilliSeconds(30), 1);
        network.SwitchOnAt(MilliSeconds(31), 1);
        network.SendAt(Seconds(1), 0, 1, 100);
        Simulator::Run();
        EXPECT_EQ(network.Report().attempts, reliability == ARQ ? 10 + 7 : 10);
        EXPECT_THAT(
            network.Fates(),
            ElementsAre("1 receiver-off", reliability == ARQ ? "2 acknowledged" : "2 delivered"));
        EXPECT_EQ(network.Outcome().lostFragments, 8);
        EXPECT_THAT(network.Hearers(), ElementsAre(2, 1)) << "it is on again";
        network.ExpectIdle();
    }
}

TEST_P(BurstQueueTest, CancelInARetransmissionKeepsWhatTheFirstPassBrought)
{
    QueueNetwork network(3, With({{"Arq", "SelectiveRepeat"}, {"RetryBackoff", "1s"}}), m_channel);
    network.SetOutage(0, 2, LOST);
    std::map<uint32_t, std::size_t> arrived;
    for (const uint32_t i : {1, 2})
    {
        network.Device(i)->SetBurstReceiveCallback(
            TestNetwork::PROTOCOL, [&, i](const D2dBurst&, const std::vector<uint32_t>& units) {
                arrived[i] += units.size();
            });
    }
    // The first pass takes 120 ms and 10 acknowledgments, then 2 is served
    network.Queue(network.UnitsBurst(BROADCAST, TEN_UNITS, ARQ));
    const Time cut = MilliSeconds(200);
    At(cut, [&] { EXPECT_TRUE(network.Mac(0)->CancelBurst(1)); });
    Simulator::Run();
    EXPECT_EQ(network.Report().end, cut);
    EXPECT_THAT(arrived, ElementsAre(std::pair(1, 10)));
    EXPECT_THAT(network.Fates(), ElementsAre("1 acknowledged", "2 cancelled"));
    EXPECT_EQ(network.Outcome(0, 0).acknowledgedUnits.size(), 10);
    EXPECT_EQ(network.Outcome(0, 1).lostUnits, 10);
    EXPECT_LT(network.Report().airtime, cut);
    EXPECT_GT(network.Report().airtime, MilliSeconds(180));
    network.ExpectIdle();
}

TEST_P(BurstQueueTest, DeadlineDropsWhatWaits)
{
    QueueNetwork network(2, EXACT, m_channel);
    network.Queue(); // 8 ms
    network.Queue(0, MilliSeconds(5));
    network.Queue(0, MilliSeconds(15));                   // begins at 8 ms: cut off
    network.Queue(0, MilliSeconds(23) + MicroSeconds(1)); // begins at 15 ms: just done
    network.Queue(0, Time());                             // past
    Simulator::Run();
    const std::map<uint32_t, Time> ends = {
        {2, MilliSeconds(5)}, {3, MilliSeconds(15)}, {5, Time()}};
    for (const auto& [id, end] : ends)
    {
        EXPECT_EQ(network.FateOf(id), "deadline");
        EXPECT_EQ(network.ReportOf(0, id).end, end);
        EXPECT_EQ(network.ReportOf(0, id).airtime, id == 3 ? MilliSeconds(7) : Time());
    }
    EXPECT_EQ(network.FateOf(1), "delivered");
    EXPECT_EQ(network.FateOf(4), "delivered");
    EXPECT_EQ(network.ReportOf(0, 4).start, MilliSeconds(15));
    EXPECT_EQ(network.Receptions().size(), 2);
}

TEST_P(BurstQueueTest, CancelBetweenTheEndAndItsArrivalComesTooLate)
{
    QueueNetwork network(2, EXACT, m_channel);
    network.Queue();
    At(MilliSeconds(8) + NanoSeconds(100), // 334 ns to go
       [&] { EXPECT_FALSE(network.Mac(0)->CancelBurst(1)); });
    Simulator::Run();
    EXPECT_THAT(network.Fates(), ElementsAre("1 delivered"));
}

TEST_P(BurstQueueTest, NothingIsLeftToCancelAtADeviceThatIsOff)
{
    QueueNetwork network(2, EXACT, m_channel);
    network.Queue(0, MilliSeconds(20));
    network.Queue(0, MilliSeconds(20));
    At(MilliSeconds(3), [&] {
        network.Mac(0)->SwitchOff();
        EXPECT_FALSE(network.Mac(0)->CancelBurst(1));
        EXPECT_FALSE(network.Mac(0)->CancelBurst(2));
    });
    network.SwitchOnAt(MilliSeconds(4), 0);
    Simulator::Run();
    EXPECT_EQ(network.FateOf(1), "transmitter-off");
    EXPECT_EQ(network.FateOf(2), "transmitter-off");
}

TEST_P(BurstQueueTest, ABurstMayHaveItsOwnNumberOfAttempts)
{
    for (const std::string& arq : ARQS)
    {
        const int fragments = arq == "StopAndWait" ? 1 : 10; // that are tried to the end
        QueueNetwork network(2, With({{"MaxAttempts", "4"}, {"Arq", arq}}), m_channel);
        network.SetOutage(0, 1, LOST);
        D2dBurst burst = network.Burst(1, TEN_FRAGMENTS, ARQ);
        for (const uint32_t maxAttempts : {0, 1, 6})
        {
            burst.maxAttempts = maxAttempts;
            network.Queue(burst);
        }
        Simulator::Run();
        EXPECT_EQ(network.Report(0).attempts, 4 * fragments) << arq;
        EXPECT_EQ(network.Report(1).attempts, 1 * fragments) << arq;
        EXPECT_EQ(network.Report(2).attempts, 6 * fragments) << arq;
    }
}

} // namespace
} // namespace ns3::collab::tests
