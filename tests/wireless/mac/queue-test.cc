/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/d2d-priority-queue.h"
#include "ns3/d2d-radio-energy-model.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"

#include <gmock/gmock.h>
#include <optional>
#include <tuple>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;
constexpr uint32_t BROADCAST = TestNetwork::BROADCAST;

/// Data rate 1 Mbit/s, and no back-off, so that times can be told by hand
const Settings EXACT = {
    {"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}, {"ContentionWindow", "1"}};

class PriorityQueueTest : public SimulatorTest
{
  protected:
    /// @param size attribute MaxSize
    void
    Make(const std::string& size)
    {
        m_queue = CreateObject<D2dPriorityQueue>();
        m_queue->SetMaxSize(QueueSize(size));
        m_queue->TraceConnectWithoutContext(
            "DropAfterDequeue", Callback<void, Ptr<const Packet>>([this](Ptr<const Packet> packet) {
                D2dBurstTag tag;
                packet->PeekPacketTag(tag);
                m_displaced.push_back(tag.id);
            }));
    }

    /**
     * @param id of a burst
     * @param priority its priority
     * @param bytes its size
     * @return whether there was place
     */
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
            Ptr<Packet> packet = m_queue->Dequeue();
            EXPECT_EQ(packet, next);
            D2dBurstTag tag;
            packet->PeekPacketTag(tag);
            ids.push_back(tag.id);
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
    for (const auto& [id, priority] : std::vector<std::pair<uint32_t, uint8_t>>{
             {1, 0}, {2, 5}, {3, 0}, {4, 255}, {5, 5}, {6, 1}, {7, 5}, {8, 0}})
    {
        EXPECT_TRUE(Add(id, priority));
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

/// Sends bursts with options, and keeps what becomes of them by number
class QueueNetwork : public TestNetwork
{
  public:
    using TestNetwork::TestNetwork;

    /// How to send
    struct How
    {
        uint32_t to = 1;                             //!< index of the receiver
        uint32_t bytes = 966;                        //!< 8 ms on the air at 1 Mbit/s
        uint8_t priority = 0;                        //!< of the burst
        D2dReliability reliability = BEST_EFFORT;    //!< what to do about lost fragments
        std::optional<Time> deadline = std::nullopt; //!< of the burst
        D2dDivision division = {};                   //!< of the packet
        uint32_t maxAttempts = 0;                    //!< of the burst
    };

    /**
     * @param how to send
     * @return number of the burst at device 0
     */
    uint32_t
    SendSo(const How& how)
    {
        D2dBurst burst(Create<Packet>(how.bytes),
                       how.to == BROADCAST ? Mac48Address::GetBroadcast() : Address(how.to),
                       PROTOCOL,
                       how.reliability);
        burst.priority = how.priority;
        burst.deadline = how.deadline.value_or(Time::Max());
        burst.division = how.division;
        burst.maxAttempts = how.maxAttempts;
        return Device(0)->GetMac()->SendBurst(
            std::move(burst), [this](const D2dBurstReport& report) { ++told[report.burst->id]; });
    }

    /**
     * @param id of a burst of device 0
     * @return its report
     */
    const D2dBurstReport&
    ReportOf(uint32_t id) const
    {
        for (const auto& report : Reports())
        {
            if (report.burst->id == id && report.senderNode == NodeId(0))
            {
                return report;
            }
        }
        throw std::out_of_range("no report of burst " + std::to_string(id));
    }

    std::map<uint32_t, int> told; //!< how often the end of each burst was told
};

/// What must hold in both fidelities
class BurstQueueTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    /**
     * @param more attributes
     * @return EXACT with them
     */
    static Settings
    ExactWith(Settings more)
    {
        more.insert(EXACT.begin(), EXACT.end());
        return more;
    }

    /// @param network whose radios must all be at rest
    static void
    ExpectRest(const TestNetwork& network, uint32_t devices)
    {
        for (uint32_t i = 0; i < devices; ++i)
        {
            EXPECT_EQ(network.Device(i)->GetPhy()->GetActivity().transmitting, 0) << i;
            EXPECT_FALSE(network.Device(i)->GetPhy()->GetActivity().receiving) << i;
        }
    }

    /**
     * @param network whose devices have batteries
     * @param device index of one of them
     * @param state a state
     * @return how long its radio was in it
     */
    static Time
    GetDuration(const TestNetwork& network, uint32_t device, D2dRadioState state)
    {
        const auto models =
            network.Source(device)->FindDeviceEnergyModels(D2dRadioEnergyModel::GetTypeId());
        return DynamicCast<D2dRadioEnergyModel>(models.Get(0))->GetStateDuration(state);
    }

    const Settings m_channel = {{"Fidelity", GetParam()}}; //!< attributes of the channel
};

INSTANTIATE_TEST_SUITE_P(Fidelities, BurstQueueTest, testing::Values("Packet", "Burst"));

TEST_P(BurstQueueTest, BurstsLeaveByPriority)
{
    QueueNetwork network(2, EXACT, m_channel);
    network.SendSo({});
    Simulator::Schedule(MilliSeconds(1), [&network]() { // while the first is on air
        for (const uint8_t priority : {0, 3, 1, 3, 0})
        {
            QueueNetwork::How how;
            how.priority = priority;
            network.SendSo(how);
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
        2, ExactWith({{"TxQueue", "ns3::collab::D2dPriorityQueue[MaxSize=2p]"}}), m_channel);
    uint32_t refused = 1;
    network.SendSo({});
    Simulator::Schedule(MilliSeconds(1), [&]() {
        network.SendSo({});
        network.SendSo({});
        QueueNetwork::How urgent;
        urgent.priority = 7;
        network.SendSo(urgent);
        refused = network.SendSo({});
    });
    Simulator::Run();
    EXPECT_EQ(refused, 0);
    ASSERT_EQ(network.Reports().size(), 5);
    EXPECT_EQ(network.ReportOf(3).outcomes.at(0).reason, D2dLossReason::QUEUE_FULL);
    EXPECT_EQ(network.ReportOf(3).attempts, 0);
    EXPECT_EQ(network.ReportOf(5).outcomes.at(0).reason, D2dLossReason::QUEUE_FULL);
    EXPECT_LT(network.ReportOf(4).start, network.ReportOf(2).start);
    for (uint32_t id = 1; id <= 5; ++id)
    {
        EXPECT_EQ(network.told[id], 1) << id;
    }
    EXPECT_EQ(network.Receptions().size(), 3);
}

TEST_P(BurstQueueTest, PacketsOfTheNetworkLayerKeepTheirSocketPriority)
{
    QueueNetwork network(2, EXACT, m_channel);
    network.SendSo({});
    std::vector<uint32_t> sizes;
    for (const uint8_t priority : {0, 2, 6})
    {
        Ptr<Packet> packet = Create<Packet>(100 + priority);
        SocketPriorityTag tag;
        tag.SetPriority(priority);
        packet->AddPacketTag(tag);
        Simulator::Schedule(MilliSeconds(1), [&network, packet]() {
            EXPECT_TRUE(network.Device(0)->Send(packet, network.Address(1), 0x0800));
        });
    }
    Simulator::Run();
    for (const auto& reception : network.Receptions())
    {
        sizes.push_back(reception.packet->GetSize());
    }
    EXPECT_THAT(sizes, ElementsAre(966, 106, 102, 100));
}

TEST_P(BurstQueueTest, CancelledBurstsLeaveTheQueue)
{
    QueueNetwork network(
        2, ExactWith({{"TxQueue", "ns3::collab::D2dPriorityQueue[MaxSize=2p]"}}), m_channel);
    network.SendSo({});
    Simulator::Schedule(MilliSeconds(1), [&network]() {
        const uint32_t second = network.SendSo({});
        const uint32_t third = network.SendSo({});
        EXPECT_TRUE(network.Device(0)->GetMac()->CancelBurst(third));
        EXPECT_TRUE(network.Device(0)->GetMac()->CancelBurst(second));
        EXPECT_FALSE(network.Device(0)->GetMac()->CancelBurst(second)) << "it is over";
        EXPECT_FALSE(network.Device(0)->GetMac()->CancelBurst(99)) << "there is none";
        EXPECT_NE(network.SendSo({}), 0) << "there is place again";
        EXPECT_NE(network.SendSo({}), 0);
    });
    Simulator::Run();
    EXPECT_EQ(network.Receptions().size(), 3);
    for (const uint32_t id : {2, 3})
    {
        EXPECT_EQ(network.ReportOf(id).outcomes.at(0).reason, D2dLossReason::CANCELLED);
        EXPECT_EQ(network.ReportOf(id).airtime, Time());
        EXPECT_EQ(network.ReportOf(id).end, MilliSeconds(1));
        EXPECT_EQ(network.told[id], 1);
    }
    EXPECT_FALSE(network.Device(0)->GetMac()->CancelBurst(1)) << "it was over long ago";
}

TEST_P(BurstQueueTest, CancelStopsTheFirstPassAtOnce)
{
    QueueNetwork network(3, EXACT, m_channel);
    network.InstallBatteries();
    QueueNetwork::How how;
    how.bytes = 14660; // 10 fragments of 1466 + 34 bytes, 12 ms each
    how.to = BROADCAST;
    network.SendSo(how);
    network.Send(1, 0, 966, BEST_EFFORT); // waits for the broadcast
    const Time cut = MilliSeconds(30);
    Simulator::Schedule(cut, [&]() {
        EXPECT_TRUE(network.Device(0)->GetMac()->CancelBurst(1));
        EXPECT_EQ(network.Device(0)->GetPhy()->GetActivity().transmitting, 0);
        EXPECT_FALSE(network.Device(2)->GetPhy()->GetActivity().receiving);
        EXPECT_FALSE(network.Device(0)->GetMac()->CancelBurst(1));
    });
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    const D2dBurstReport& report = network.ReportOf(1);
    EXPECT_EQ(report.airtime, cut);
    EXPECT_EQ(report.end, cut);
    EXPECT_EQ(report.attempts, 3) << "the third was under way";
    ASSERT_EQ(report.outcomes.size(), 2);
    for (const auto& outcome : report.outcomes)
    {
        EXPECT_FALSE(outcome.delivered);
        EXPECT_EQ(outcome.reason, D2dLossReason::CANCELLED);
        EXPECT_EQ(outcome.lostFragments, 8);
    }
    ASSERT_EQ(network.Reports().size(), 2);
    for (const auto& other : network.Reports())
    {
        if (other.senderNode == network.NodeId(1))
        {
            EXPECT_GE(other.start, cut);
            EXPECT_LE(other.start, cut + MicroSeconds(1)) << "the reservation is released";
            EXPECT_TRUE(other.outcomes.at(0).delivered);
        }
    }
    ExpectRest(network, 3);
    // The energy is that of the airtime: 30 ms of the broadcast's transmission and reception
    const auto tx = static_cast<std::size_t>(EnergyKind::TX);
    const double other = network.Energy(1)[tx]; // of 8 ms
    EXPECT_NEAR(network.Energy(0)[tx], other * 30 / 8, 1e-9);
}

TEST_P(BurstQueueTest, DivisibleBurstThatIsCutOffBringsWhatHasArrived)
{
    for (const auto reliability : {BEST_EFFORT, ARQ})
    {
        QueueNetwork network(2, EXACT, m_channel);
        std::vector<uint32_t> units;
        network.Device(1)->GetMac()->SetBurstReceiveCallback(
            TestNetwork::PROTOCOL, [&units](const D2dBurst&, const std::vector<uint32_t>& got) {
                units.insert(units.end(), got.begin(), got.end());
            });
        QueueNetwork::How how;
        how.division = {10, 1443, 23}; // fragments of 12 ms
        how.bytes = 23 + 10 * 1443;
        how.reliability = reliability;
        how.deadline = MilliSeconds(30);
        network.SendSo(how);
        Simulator::Run();
        const D2dReceiverOutcome& outcome = network.ReportOf(1).outcomes.at(0);
        EXPECT_EQ(outcome.reason, D2dLossReason::DEADLINE);
        EXPECT_EQ(network.ReportOf(1).airtime, MilliSeconds(30));
        EXPECT_THAT(units, ElementsAre(0, 1));
        EXPECT_TRUE(outcome.delivered);
        EXPECT_EQ(outcome.lostUnits, 8);
        EXPECT_THAT(outcome.acknowledgedUnits, IsEmpty()) << "acknowledgments come after the pass";
        ExpectRest(network, 2);
        Simulator::Destroy();
    }
}

TEST_P(BurstQueueTest, WhatStopAndWaitRepeatsHasBeenSentOnce)
{
    constexpr uint32_t PART = 1466; // of 10 fragments, in each
    for (const double outage : {0.4, 1.0})
    {
        Settings channel = m_channel;
        channel["OutageModel"] =
            "ns3::collab::D2dFixedOutageModel[Probability=" + std::to_string(outage) + "]";
        QueueNetwork network(2, EXACT, channel);
        QueueNetwork::How how;
        how.bytes = 10 * PART;
        how.reliability = ARQ;
        how.maxAttempts = 3;
        uint32_t givenUp = 0;
        for (int burst = 0; burst < 100; ++burst)
        {
            network.SendSo(how);
        }
        Simulator::Run();
        ASSERT_EQ(network.Reports().size(), 100U);
        for (const auto& report : network.Reports())
        {
            const uint32_t arrived = 10 - report.outcomes.at(0).lostFragments;
            if (report.outcomes.at(0).reason == D2dLossReason::NONE)
            {
                EXPECT_EQ(report.bytesSent, 10 * PART);
                continue;
            }
            // The last one has not arrived, or its acknowledgment has not
            EXPECT_GE(report.bytesSent, PART * std::max(arrived, 1U));
            EXPECT_LE(report.bytesSent, PART * std::min(arrived + 1, 10U));
            givenUp += report.attempts > arrived + 1 ? 1 : 0;
        }
        EXPECT_GT(givenUp, 50U);
        Simulator::Destroy();
    }
}

TEST_P(BurstQueueTest, WhatStopAndWaitHasSentSoFarIsWhatUsuallyComesThrough)
{
    Settings channel = m_channel;
    channel["OutageModel"] = "ns3::collab::D2dFixedOutageModel[Probability=0.2]";
    QueueNetwork network(2, EXACT, channel);
    QueueNetwork::How how;
    how.bytes = 1466 * 1000;
    how.reliability = ARQ;
    how.maxAttempts = 1000;
    const uint32_t id = network.SendSo(how);
    uint64_t sent = 0;
    Simulator::Schedule(Seconds(6),
                        [&]() { sent = network.Device(0)->GetMac()->GetBytesSent(id); });
    Simulator::Run();
    const D2dBurstReport& report = network.ReportOf(id);
    const double part = Seconds(6).GetSeconds() / (report.end - report.start).GetSeconds();
    EXPECT_EQ(report.bytesSent, how.bytes);
    EXPECT_NEAR(static_cast<double>(sent) / how.bytes, part, 0.05); // 4 deviations are 0.045
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
    };
    for (const auto& expected :
         {Expected{MilliSeconds(11), 1, MilliSeconds(11), 10, Time()},
          Expected{MicroSeconds(24200), 2, MilliSeconds(24), 8, MicroSeconds(224)},
          Expected{MilliSeconds(30), 3, MicroSeconds(29736), 8, MicroSeconds(224)}})
    {
        QueueNetwork network(2, EXACT, m_channel);
        network.InstallBatteries();
        QueueNetwork::How how;
        how.bytes = 14660;
        how.reliability = ARQ;
        how.deadline = expected.cut;
        network.SendSo(how);
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        const D2dBurstReport& report = network.ReportOf(1);
        EXPECT_EQ(report.attempts, expected.attempts);
        EXPECT_EQ(report.airtime, expected.airtime);
        EXPECT_EQ(report.end, expected.cut);
        EXPECT_EQ(report.bytesSent, 1466 * expected.attempts);
        EXPECT_EQ(report.outcomes.at(0).lostFragments, expected.lost);
        EXPECT_EQ(report.outcomes.at(0).reason, D2dLossReason::DEADLINE);
        const double transmitW = 0.1 / 0.35 + 0.1;
        const auto tx = static_cast<std::size_t>(EnergyKind::TX);
        const auto rx = static_cast<std::size_t>(EnergyKind::RX);
        EXPECT_NEAR(network.Energy(0)[tx], transmitW * expected.airtime.GetSeconds(), 1e-9);
        EXPECT_NEAR(
            network.Energy(0)[rx], 0.2 * (expected.cut - expected.airtime).GetSeconds(), 1e-9);
        EXPECT_NEAR(network.Energy(1)[tx], transmitW * expected.acknowledgments.GetSeconds(), 1e-9);
        EXPECT_EQ(GetDuration(network, 0, D2dRadioState::TX), expected.airtime);
        EXPECT_EQ(GetDuration(network, 0, D2dRadioState::RX), expected.cut - expected.airtime);
        EXPECT_EQ(GetDuration(network, 0, D2dRadioState::IDLE), Seconds(1) - expected.cut);
        EXPECT_EQ(GetDuration(network, 1, D2dRadioState::TX), expected.acknowledgments);
        ExpectRest(network, 2);
        Simulator::Destroy();
    }
}

TEST_P(BurstQueueTest, WhoSendsToADeviceThatIsGoneGivesUpAsItsAttemptsEnd)
{
    for (const bool asleep : {false, true})
    {
        for (const auto& [arq, attempts, period] :
             std::vector<std::tuple<std::string, uint64_t, Time>>{
                 {"StopAndWait", 2 + 4, MicroSeconds(12132)},
                 {"SelectiveRepeat", 4 * 40, MicroSeconds(12112)}})
        {
            QueueNetwork network(2, ExactWith({{"MaxAttempts", "4"}, {"Arq", arq}}), m_channel);
            QueueNetwork::How how;
            how.bytes = 58640; // 40 fragments of 12 ms
            how.reliability = ARQ;
            network.SendSo(how);
            Simulator::Schedule(MilliSeconds(30), [&network, asleep = asleep]() {
                asleep ? network.Device(1)->GetMac()->Sleep()
                       : network.Device(1)->GetMac()->SwitchOff();
            });
            Simulator::Run();
            const D2dBurstReport& report = network.ReportOf(1);
            EXPECT_EQ(report.attempts, attempts) << arq;
            const Time turnarounds = arq == "StopAndWait" ? Time() : MicroSeconds(4 * 20);
            EXPECT_EQ(report.end, period * static_cast<int64_t>(attempts) + turnarounds) << arq;
            EXPECT_EQ(report.outcomes.at(0).reason, D2dLossReason::RECEIVER_OFF);
            EXPECT_EQ(report.outcomes.at(0).lostFragments, 38) << "it had two";
            Simulator::Destroy();
        }
    }
}

TEST_P(BurstQueueTest, WhoGoesOffInABroadcastKeepsWhatItHas)
{
    for (const auto reliability : {BEST_EFFORT, ARQ})
    {
        QueueNetwork network(3, EXACT, m_channel);
        QueueNetwork::How how;
        how.to = BROADCAST;
        how.bytes = 14660;
        how.reliability = reliability;
        network.SendSo(how);
        Simulator::Schedule(MilliSeconds(30),
                            [&network]() { network.Device(1)->GetMac()->SwitchOff(); });
        Simulator::Run();
        const D2dBurstReport& report = network.ReportOf(1);
        EXPECT_EQ(report.attempts, reliability == ARQ ? 10 + 7 : 10);
        EXPECT_EQ(report.outcomes.at(0).lostFragments, 8);
        EXPECT_EQ(report.outcomes.at(0).reason, D2dLossReason::RECEIVER_OFF);
        EXPECT_TRUE(report.outcomes.at(1).delivered);
        Simulator::Destroy();
    }
}

TEST_P(BurstQueueTest, CancelInARepetitionKeepsWhatTheFirstPassBrought)
{
    QueueNetwork network(
        3, ExactWith({{"Arq", "SelectiveRepeat"}, {"RetryBackoff", "1s"}}), m_channel);
    network.SetOutage(0, 2, 1 - 1e-6);
    std::map<uint32_t, std::size_t> arrived;
    for (const uint32_t i : {1, 2})
    {
        network.Device(i)->GetMac()->SetBurstReceiveCallback(
            TestNetwork::PROTOCOL,
            [&arrived, i](const D2dBurst&, const std::vector<uint32_t>& got) {
                arrived[i] += got.size();
            });
    }
    QueueNetwork::How how;
    how.to = BROADCAST;
    how.reliability = ARQ;
    how.division = {10, 1443, 23};
    how.bytes = 23 + 10 * 1443;
    network.SendSo(how); // the first pass takes 120 ms and 10 acknowledgments, then 2 is served
    const Time cut = MilliSeconds(200);
    Simulator::Schedule(cut,
                        [&network]() { EXPECT_TRUE(network.Device(0)->GetMac()->CancelBurst(1)); });
    Simulator::Run();
    const D2dBurstReport& report = network.ReportOf(1);
    EXPECT_EQ(report.end, cut);
    EXPECT_EQ(arrived[1], 10);
    EXPECT_EQ(arrived.count(2), 0);
    EXPECT_EQ(report.outcomes.at(0).reason, D2dLossReason::NONE);
    EXPECT_TRUE(report.outcomes.at(0).acknowledged);
    EXPECT_EQ(report.outcomes.at(0).acknowledgedUnits.size(), 10);
    EXPECT_EQ(report.outcomes.at(1).reason, D2dLossReason::CANCELLED);
    EXPECT_EQ(report.outcomes.at(1).lostUnits, 10);
    EXPECT_LT(report.airtime, cut);
    EXPECT_GT(report.airtime, MilliSeconds(180));
    ExpectRest(network, 3);
}

TEST_P(BurstQueueTest, DeadlineDropsWhatWaits)
{
    QueueNetwork network(2, EXACT, m_channel);
    network.SendSo({}); // 8 ms
    QueueNetwork::How how;
    how.deadline = MilliSeconds(5);
    network.SendSo(how);
    how.deadline = MilliSeconds(15); // begins at 8 ms: cut off
    network.SendSo(how);
    how.deadline = MilliSeconds(23) + MicroSeconds(1); // begins at 15 ms: just done
    network.SendSo(how);
    how.deadline = Time(); // past
    network.SendSo(how);
    Simulator::Run();
    EXPECT_EQ(network.ReportOf(2).outcomes.at(0).reason, D2dLossReason::DEADLINE);
    EXPECT_EQ(network.ReportOf(2).end, MilliSeconds(5));
    EXPECT_EQ(network.ReportOf(2).airtime, Time());
    EXPECT_EQ(network.ReportOf(3).outcomes.at(0).reason, D2dLossReason::DEADLINE);
    EXPECT_EQ(network.ReportOf(3).end, MilliSeconds(15));
    EXPECT_EQ(network.ReportOf(3).airtime, MilliSeconds(7));
    EXPECT_TRUE(network.ReportOf(4).outcomes.at(0).delivered);
    EXPECT_EQ(network.ReportOf(4).start, MilliSeconds(15));
    EXPECT_EQ(network.ReportOf(5).outcomes.at(0).reason, D2dLossReason::DEADLINE);
    EXPECT_EQ(network.ReportOf(5).end, Time());
    EXPECT_EQ(network.Receptions().size(), 2);
    for (uint32_t id = 1; id <= 5; ++id)
    {
        EXPECT_EQ(network.told[id], 1) << id;
    }
}

TEST_P(BurstQueueTest, CancelBetweenTheEndAndItsArrivalComesTooLate)
{
    QueueNetwork network(2, EXACT, m_channel);
    network.SendSo({});
    Simulator::Schedule(MilliSeconds(8) + NanoSeconds(100), [&network]() { // 334 ns to go
        EXPECT_FALSE(network.Device(0)->GetMac()->CancelBurst(1));
    });
    Simulator::Run();
    EXPECT_TRUE(network.ReportOf(1).outcomes.at(0).delivered);
}

TEST_P(BurstQueueTest, NothingIsLeftToCancelAtADeviceThatIsOff)
{
    QueueNetwork network(2, EXACT, m_channel);
    QueueNetwork::How how;
    how.deadline = MilliSeconds(20);
    network.SendSo(how);
    network.SendSo(how);
    Simulator::Schedule(MilliSeconds(3), [&network]() {
        network.Device(0)->GetMac()->SwitchOff();
        EXPECT_FALSE(network.Device(0)->GetMac()->CancelBurst(1));
        EXPECT_FALSE(network.Device(0)->GetMac()->CancelBurst(2));
    });
    Simulator::Schedule(MilliSeconds(4), [&network]() { network.Device(0)->GetMac()->SwitchOn(); });
    Simulator::Run();
    for (const uint32_t id : {1, 2})
    {
        EXPECT_EQ(network.ReportOf(id).outcomes.at(0).reason, D2dLossReason::TRANSMITTER_OFF);
        EXPECT_EQ(network.told[id], 1);
    }
}

TEST_P(BurstQueueTest, ABurstMayHaveItsOwnNumberOfAttempts)
{
    for (const auto& [arq, fragments] : std::vector<std::pair<std::string, int>>{
             {"StopAndWait", 1}, {"SelectiveRepeat", 10}}) // fragments that are tried to the end
    {
        QueueNetwork network(2, ExactWith({{"MaxAttempts", "4"}, {"Arq", arq}}), m_channel);
        network.SetOutage(0, 1, 1 - 1e-6);
        QueueNetwork::How how;
        how.bytes = 14660;
        how.reliability = ARQ;
        for (const uint32_t maxAttempts : {0, 1, 6})
        {
            how.maxAttempts = maxAttempts;
            network.SendSo(how);
        }
        Simulator::Run();
        EXPECT_EQ(network.ReportOf(1).attempts, 4 * fragments) << arq;
        EXPECT_EQ(network.ReportOf(2).attempts, 1 * fragments) << arq;
        EXPECT_EQ(network.ReportOf(3).attempts, 6 * fragments) << arq;
        Simulator::Destroy();
    }
}

} // namespace
