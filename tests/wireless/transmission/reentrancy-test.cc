/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr uint32_t DEVICES = 5;
/// Address of no device
const Mac48Address NOBODY("02:00:00:00:ff:ff");

/// A kind of radio, by attributes of its device and channel
struct Radio
{
    std::string fidelity;      //!< "Packet" or "Burst"
    std::string duplex;        //!< "Half" or "Full"
    std::string access;        //!< "Ofdma", "Shared" or "Tdma"
    std::string queue;         //!< class of the queue
    std::string maxReceptions; //!< attribute MaxReceptions
    bool batteries = false;    //!< whether devices have batteries that run empty
    bool listens = false;      //!< whether they overhear, pay for sensing, and combine
};

/// @param out where to print a radio to
void
PrintTo(const Radio& radio, std::ostream* out)
{
    *out << radio.fidelity << ' ' << radio.duplex << ' ' << radio.access << ' ' << radio.queue
         << ' ' << radio.maxReceptions << (radio.batteries ? " batteries" : "")
         << (radio.listens ? " listens" : "");
}

/**
 * @brief Random traffic whose observers meddle: whoever is told of anything may send, cancel,
 * switch any device on or off, or put it to sleep or awake, there and then.
 */
class MeddlingTraffic
{
  public:
    /**
     * @param radio kind of radio
     * @param seed stream of the traffic and of what observers do
     */
    MeddlingTraffic(const Radio& radio, int64_t seed)
        : m_network(DEVICES,
                    {{"Duplex", radio.duplex},
                     {"MaxAttempts", "3"},
                     {"MaxReceptions", radio.maxReceptions},
                     {"Overhearing", radio.listens ? "Whole" : "None"},
                     {"SensingEnergy", radio.listens ? "true" : "false"},
                     {"Combining", radio.listens ? "Chase" : "None"},
                     {"TxQueue", radio.queue + "[MaxSize=4p]"}},
                    {{"Fidelity", radio.fidelity}, {"Access", radio.access}})
    {
        m_random->SetStream(seed);
        for (uint32_t from = 0; from < DEVICES; ++from)
        {
            for (uint32_t to = 0; to < DEVICES; ++to)
            {
                m_network.SetOutage(from, to, m_random->GetValue() < 0.5 ? 0.0 : 0.3);
            }
        }
        if (radio.batteries)
        {
            m_network.InstallBatteries({{"BasicEnergySourceInitialEnergyJ", "0.05"}});
        }
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            Observe(i);
        }
        for (int i = 0; i < 150; ++i)
        {
            Simulator::Schedule(MicroSeconds(m_random->GetInteger(0, 1000000)),
                                [this]() { Send(); });
        }
        for (int i = 0; i < 100; ++i)
        {
            Simulator::Schedule(MilliSeconds(10 * i), [this]() { Revive(); });
        }
    }

    /// @brief Play everything to its end; observers stop to meddle at 1 s.
    void
    Run()
    {
        Simulator::Schedule(Seconds(1), [this]() {
            m_meddles = false;
            Revive();
        });
        Simulator::Stop(Seconds(20)); // batteries have events for ever
        Simulator::Run();
    }

    /// @brief End the run in the middle; observers meddle with that, too.
    void
    EndEarly()
    {
        Simulator::Stop(MilliSeconds(300));
        Simulator::Run();
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            m_network.Device(i)->GetMac()->EndRun();
        }
    }

    /// @brief Expect that every burst was told of once, by both ways.
    void
    ExpectEveryBurstEndedOnce() const
    {
        EXPECT_GT(m_actions, 100) << "observers shall have meddled";
        EXPECT_EQ(std::count(m_ended.begin(), m_ended.end(), 1), m_ended.size());
        std::map<std::pair<uint32_t, uint32_t>, int> reports;
        for (const auto& report : m_network.Reports())
        {
            const int times = ++reports[{report.senderNode, report.burst->id}];
            EXPECT_EQ(times, 1) << report.senderNode << ' ' << report.burst->id;
        }
        EXPECT_EQ(reports.size(), m_ended.size());
    }

    /// @brief Expect that no device sent two bursts at once.
    void
    ExpectOneTransmissionADevice() const
    {
        std::map<uint32_t, std::vector<std::pair<Time, Time>>> sent; // by node: start and end
        for (const auto& report : m_network.Reports())
        {
            EXPECT_LE(report.airtime, report.end - report.start);
            if (report.attempts > 0)
            {
                sent[report.senderNode].emplace_back(report.start, report.end);
            }
        }
        for (auto& [node, times] : sent)
        {
            std::sort(times.begin(), times.end());
            for (std::size_t i = 1; i < times.size(); ++i)
            {
                EXPECT_GE(times[i].first, times[i - 1].second) << "node " << node;
            }
        }
        EXPECT_LE(m_mostSignals, 1 + 2 * DEVICES) << "a burst, and acknowledgments";
    }

    /// @brief Expect that what was delivered was handed up, no more and no less.
    void
    ExpectDeliveriesAreReceptions() const
    {
        std::map<uint32_t, int> balance; // by node
        for (const auto& report : m_network.Reports())
        {
            for (const auto& outcome : report.outcomes)
            {
                balance[outcome.receiverNode] += outcome.delivered;
            }
        }
        for (const auto& reception : m_network.Receptions())
        {
            --balance[reception.node];
        }
        for (const auto& [node, count] : balance)
        {
            EXPECT_EQ(count, 0) << "node " << node;
        }
    }

    /// @brief Expect that radios are idle, and that each of them can still send.
    void
    ExpectWorkingRadios()
    {
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            EXPECT_EQ(m_network.Device(i)->GetPhy()->GetActivity().transmitting, 0);
            EXPECT_FALSE(m_network.Device(i)->GetPhy()->GetActivity().receiving);
            Simulator::Schedule(Seconds(i), [this, i]() {
                m_network.Device(i)->GetMac()->SwitchOn();
                m_network.Device(i)->GetMac()->Wake();
                if (m_network.Device(i)->GetPhy()->IsOn())
                {
                    m_network.Send(i, TestNetwork::BROADCAST, 100, D2dReliability::BEST_EFFORT);
                    ++m_probes;
                }
            });
        }
        const std::size_t before = m_network.Reports().size();
        Simulator::Stop(Seconds(2 * DEVICES));
        Simulator::Run();
        ASSERT_EQ(m_network.Reports().size(), before + m_probes);
        for (std::size_t i = before; i < m_network.Reports().size(); ++i)
        {
            const D2dBurstReport& report = m_network.Reports()[i];
            EXPECT_EQ(report.attempts, 1);
            EXPECT_LE(report.start - report.burst->queued, MicroSeconds(15 * 9));
        }
    }

  private:
    /// @param i index of a device whose hooks meddle
    void
    Observe(uint32_t i)
    {
        Ptr<D2dNetDevice> device = m_network.Device(i);
        const auto onPacket = MakeCallback(&MeddlingTraffic::HandlePacket, this);
        for (const auto* name : {"MacTx", "MacTxDrop", "MacRx"})
        {
            EXPECT_TRUE(device->GetMac()->TraceConnectWithoutContext(name, onPacket));
        }
        for (const auto* name : {"PhyTxBegin",
                                 "PhyTxEnd",
                                 "PhyTxDrop",
                                 "PhyRxBegin",
                                 "PhyRxEnd",
                                 "PhyRxDrop",
                                 "Sniffer"})
        {
            EXPECT_TRUE(device->GetPhy()->TraceConnectWithoutContext(name, onPacket));
        }
        for (const auto* name : {"Enqueue", "Dequeue", "Drop"})
        {
            device->GetMac()->GetQueue()->TraceConnectWithoutContext(name, onPacket);
        }
        device->GetMac()->TraceConnectWithoutContext(
            "BurstEnd", MakeCallback(&MeddlingTraffic::HandleBurstEnd, this));
        device->GetPhy()->TraceConnectWithoutContext(
            "Activity", MakeCallback(&MeddlingTraffic::HandleActivity, this));
        device->AddLinkChangeCallback(MakeCallback(&MeddlingTraffic::Meddle, this));
    }

    /// @brief Told of a packet.
    void
    HandlePacket(Ptr<const Packet>)
    {
        Meddle();
    }

    /// @brief Told of the end of a burst.
    void
    HandleBurstEnd(const D2dBurstReport&)
    {
        Meddle();
    }

    /// @param activity what a radio does from now on
    void
    HandleActivity(const D2dRadioActivity& activity)
    {
        m_mostSignals = std::max(m_mostSignals, activity.transmitting);
        Meddle();
    }

    /// @brief Whoever is told of something may do anything.
    void
    Meddle()
    {
        if (!m_meddles || m_depth > 2 || m_random->GetValue() > 0.2)
        {
            return;
        }
        ++m_depth;
        ++m_actions;
        Ptr<D2dNetDevice> device = m_network.Device(m_random->GetInteger(0, DEVICES - 1));
        const double draw = m_random->GetValue();
        if (draw < 0.3 && m_ended.size() < 3000)
        {
            Send();
        }
        else if (draw < 0.6)
        {
            device->GetMac()->CancelBurst(m_latest[m_random->GetInteger(0, 7)]);
        }
        else if (draw < 0.7)
        {
            device->GetMac()->SwitchOff();
        }
        else if (draw < 0.8)
        {
            device->GetMac()->SwitchOn();
        }
        else
        {
            draw < 0.9 ? device->GetMac()->Sleep() : device->GetMac()->Wake();
        }
        --m_depth;
    }

    /// @brief Switch on and wake all.
    void
    Revive()
    {
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            m_network.Device(i)->GetMac()->SwitchOn();
            m_network.Device(i)->GetMac()->Wake();
        }
    }

    /// @brief A device sends something to another one, to all, or to nobody.
    void
    Send()
    {
        const uint32_t from = m_random->GetInteger(0, DEVICES - 1);
        const double draw = m_random->GetValue();
        D2dBurst burst;
        burst.packet = Create<Packet>(m_random->GetInteger(0, 6000));
        burst.protocol = TestNetwork::PROTOCOL;
        burst.destination = draw < 0.2 ? NOBODY
                            : draw < 0.5
                                ? Mac48Address::GetBroadcast()
                                : m_network.Address((from + m_random->GetInteger(1, 4)) % DEVICES);
        burst.reliability =
            m_random->GetValue() < 0.5 ? D2dReliability::ARQ : D2dReliability::BEST_EFFORT;
        burst.priority = m_random->GetInteger(0, 2);
        if (m_random->GetValue() < 0.2)
        {
            burst.deadline = Simulator::Now() + MicroSeconds(m_random->GetInteger(0, 50000));
        }
        const std::size_t number = m_ended.size();
        m_ended.push_back(0);
        const uint32_t id = m_network.Device(from)->GetMac()->SendBurst(
            std::move(burst), [this, number](const auto&) {
                ++m_ended[number];
                Meddle();
            });
        if (id != 0)
        {
            m_latest[m_random->GetInteger(0, 7)] = id;
        }
    }

    Ptr<UniformRandomVariable> m_random = CreateObject<UniformRandomVariable>(); //!< of everything
    TestNetwork m_network;                                                       //!< the devices
    std::vector<int> m_ended; //!< how often each burst was told to be over
    std::vector<uint32_t> m_latest = std::vector<uint32_t>(8); //!< numbers of some bursts
    bool m_meddles = true;                                     //!< whether observers do anything
    int m_depth = 0;                                           //!< of observers within observers
    int m_actions = 0;                                         //!< what observers have done
    std::size_t m_probes = 0;                                  //!< bursts sent in the end
    uint32_t m_mostSignals = 0; //!< most that a radio transmitted at once
};

class ReentrancyTest : public SimulatorTest, public testing::WithParamInterface<Radio>
{
};

constexpr auto PRIORITY_QUEUE = "ns3::collab::D2dPriorityQueue";
constexpr auto DROP_TAIL_QUEUE = "ns3::DropTailQueue<Packet>";

INSTANTIATE_TEST_SUITE_P(
    Radios,
    ReentrancyTest,
    testing::Values(Radio{"Packet", "Half", "Ofdma", PRIORITY_QUEUE, "0"},
                    Radio{"Packet", "Half", "Ofdma", DROP_TAIL_QUEUE, "1"},
                    Radio{"Packet", "Full", "Ofdma", PRIORITY_QUEUE, "2", true},
                    Radio{"Burst", "Half", "Ofdma", PRIORITY_QUEUE, "0", true},
                    Radio{"Burst", "Half", "Ofdma", PRIORITY_QUEUE, "1"},
                    Radio{"Burst", "Full", "Ofdma", DROP_TAIL_QUEUE, "0"},
                    Radio{"Packet", "Half", "Tdma", PRIORITY_QUEUE, "0"},
                    Radio{"Burst", "Full", "Tdma", DROP_TAIL_QUEUE, "0", true},
                    Radio{"Packet", "Half", "Shared", DROP_TAIL_QUEUE, "0"},
                    Radio{"Packet", "Full", "Shared", PRIORITY_QUEUE, "0"},
                    Radio{"Packet", "Half", "Shared", PRIORITY_QUEUE, "0", true, true},
                    Radio{"Packet", "Full", "Ofdma", PRIORITY_QUEUE, "1", false, true},
                    Radio{"Burst", "Half", "Ofdma", DROP_TAIL_QUEUE, "0", false, true},
                    Radio{"Burst", "Half", "Ofdma", PRIORITY_QUEUE, "0", true, true},
                    Radio{"Burst", "Half", "Shared", PRIORITY_QUEUE, "0"},
                    Radio{"Burst", "Full", "Shared", DROP_TAIL_QUEUE, "0", true, true}));

TEST_P(ReentrancyTest, ObserversThatMeddleBreakNothing)
{
    for (int64_t seed = 1; seed <= 12; ++seed)
    {
        SCOPED_TRACE(seed);
        MeddlingTraffic traffic(GetParam(), seed);
        traffic.Run();
        traffic.ExpectEveryBurstEndedOnce();
        traffic.ExpectOneTransmissionADevice();
        traffic.ExpectDeliveriesAreReceptions();
        traffic.ExpectWorkingRadios();
        Simulator::Destroy();
    }
}

TEST_P(ReentrancyTest, ObserversThatMeddleWithTheEndOfARunBreakNothing)
{
    for (int64_t seed = 101; seed <= 112; ++seed)
    {
        SCOPED_TRACE(seed);
        MeddlingTraffic traffic(GetParam(), seed);
        traffic.EndEarly();
        traffic.ExpectEveryBurstEndedOnce();
        traffic.ExpectOneTransmissionADevice();
        traffic.ExpectDeliveriesAreReceptions();
        Simulator::Destroy();
    }
}

/// What single observers do, in both fidelities
class ObserverTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    /// Attributes of the channel
    const Settings m_channel = {{"Fidelity", GetParam()}};
};

INSTANTIATE_TEST_SUITE_P(Fidelities, ObserverTest, testing::Values("Packet", "Burst"));

TEST_P(ObserverTest, WhoIsToldOfADropMaySendAgain)
{
    TestNetwork network(2, {}, m_channel);
    Ptr<D2dNetDevice> sender = network.Device(0);
    const auto sendTwice = [&network](const D2dBurstReport& report) {
        EXPECT_EQ(report.stopped, D2dLossReason::UNKNOWN_ADDRESS);
        network.Send(0, 1, 5000, D2dReliability::BEST_EFFORT);
        network.Send(0, 1, 5000, D2dReliability::BEST_EFFORT);
    };
    sender->GetMac()->SendBurst({Create<Packet>(100), NOBODY, TestNetwork::PROTOCOL}, sendTwice);
    Simulator::Run();
    const auto& reports = network.Reports();
    ASSERT_EQ(reports.size(), 3);
    EXPECT_TRUE(reports[1].outcomes[0].delivered);
    EXPECT_TRUE(reports[2].outcomes[0].delivered);
    EXPECT_GE(reports[2].start, reports[1].end) << "one after the other";
}

TEST_P(ObserverTest, WhoIsToldOfADropMayPutTheSenderToSleep)
{
    TestNetwork network(2, {}, m_channel);
    Ptr<D2dNetDevice> sender = network.Device(0);
    sender->GetMac()->SendBurst({Create<Packet>(100), NOBODY, TestNetwork::PROTOCOL},
                                [sender](const D2dBurstReport&) { sender->GetMac()->Sleep(); });
    network.Send(0, 1, 100, D2dReliability::BEST_EFFORT);
    Simulator::Schedule(Seconds(1), [sender]() { sender->GetMac()->Wake(); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 2);
    EXPECT_GE(network.Reports()[1].start, Seconds(1));
}

TEST_P(ObserverTest, ABurstMayBeCancelledAsItsTransmissionEnds)
{
    TestNetwork network(2, {}, m_channel);
    Ptr<D2dNetDevice> sender = network.Device(0);
    const uint32_t id = network.Send(0, 1, 100, D2dReliability::BEST_EFFORT);
    const std::function<void(Ptr<const Packet>)> cancel = [sender, id](Ptr<const Packet>) {
        EXPECT_TRUE(sender->GetMac()->CancelBurst(id));
    };
    sender->GetPhy()->TraceConnectWithoutContext("PhyTxEnd",
                                                 Callback<void, Ptr<const Packet>>(cancel));
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 1);
    EXPECT_EQ(network.Reports()[0].stopped, D2dLossReason::CANCELLED);
    EXPECT_EQ(sender->GetPhy()->GetActivity().transmitting, 0);
}

TEST_P(ObserverTest, TheEndOfARunDropsNothing)
{
    for (const char* access : {"Ofdma", "Shared"})
    {
        TestNetwork network(2, {}, {{"Fidelity", GetParam()}, {"Access", access}});
        Ptr<D2dNetDevice> sender = network.Device(0);
        int drops = 0;
        const std::function<void(Ptr<const Packet>)> count = [&drops](const auto&) { ++drops; };
        sender->GetPhy()->TraceConnectWithoutContext("PhyTxDrop",
                                                     Callback<void, Ptr<const Packet>>(count));
        network.Send(0, 1, 100000, D2dReliability::ARQ);
        Simulator::Stop(MilliSeconds(20)); // a fragment takes 12.272 ms, and 0.132 ms
        Simulator::Run();
        sender->GetMac()->EndRun();
        ASSERT_EQ(network.Reports().size(), 1U);
        EXPECT_EQ(network.Reports()[0].attempts, 2U);
        EXPECT_EQ(drops, 0) << access;
        Simulator::Destroy();
    }
}

TEST_P(ObserverTest, WhoActsOnACorrectionOfEnergyDoesNotLetOthersHearOfItTwice)
{
    const bool hasCycles = std::string(GetParam()) == "Burst";
    const Settings radio = {{"Arq", "StopAndWait"}, {"AcknowledgmentTurnaround", "1ms"}};
    TestNetwork network(2, radio, m_channel);
    Ptr<D2dNetDevice> sender = network.Device(0);
    const auto isCorrected = [](const D2dRadioActivity& activity) {
        return !activity.correction.transmitting.IsZero();
    };
    const std::function<void(const D2dRadioActivity&)> meddle = [&](const auto& activity) {
        if (isCorrected(activity))
        {
            sender->GetMac()->SwitchOff();
        }
    };
    uint32_t corrections = 0;
    uint32_t told = 0;
    bool isOn = true;
    const std::function<void(const D2dRadioActivity&)> watch = [&](const auto& activity) {
        corrections += isCorrected(activity) ? 1 : 0;
        ++told;
        isOn = activity.on;
    };
    using Sink = Callback<void, const D2dRadioActivity&>;
    sender->GetPhy()->TraceConnectWithoutContext("Activity", Sink(meddle));
    sender->GetPhy()->TraceConnectWithoutContext("Activity", Sink(watch));
    const uint32_t id = network.Send(0, 1, 100000, D2dReliability::ARQ);
    Simulator::Schedule(MilliSeconds(50), [sender, id]() { sender->GetMac()->CancelBurst(id); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 1);
    EXPECT_GT(told, 0);
    EXPECT_EQ(corrections, hasCycles ? 1 : 0);
    EXPECT_EQ(isOn, !hasCycles) << "the last that is told is how it is";
    EXPECT_TRUE(sender->GetPhy()->GetActivity().correction.transmitting.IsZero());
}

} // namespace
