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

constexpr uint32_t DEVICES = 8;
/// Address of no device
const Mac48Address NOBODY("02:00:00:00:ff:ff");
/// A kind of radio: fidelity, duplex and access, then attributes of its device and channel, and
/// "batteries" if devices have some that run empty
struct Radio
{
    Radio(const std::string& text) // NOLINT: a test's parameter is the text
    {
        std::istringstream words(text);
        words >> channel["Fidelity"] >> device["Duplex"] >> channel["Access"];
        for (std::string word; words >> word;)
        {
            const std::size_t equals = word.find('=');
            const std::string name = word.substr(0, equals);
            if (equals == std::string::npos)
            {
                batteries = name == "batteries";
                continue;
            }
            const bool isOfChannel = name == "Subchannels" || name == "LinkUpdatePeriod";
            (isOfChannel ? channel : device)[name] = word.substr(equals + 1);
        }
    }

    Settings device;        //!< attributes
    Settings channel;       //!< attributes
    bool batteries = false; //!< whether devices have some
};

const std::string PRIORITIES = " TxQueue=ns3::collab::D2dPriorityQueue[MaxSize=4p]";
const std::string LISTENS = " Overhearing=Whole SensingEnergy=true Combining=Chase";
const std::string ROUNDS = " Arq=SelectiveRepeat LinkUpdatePeriod=5ms";

/// Random traffic over lossy links, and what holds of any traffic
class RandomTraffic
{
  public:
    RandomTraffic(const Radio& radio, int64_t seed)
        : m_network(
              DEVICES,
              With(radio.device,
                   {{"MaxAttempts", "4"}, {"TxQueue", "ns3::DropTailQueue<Packet>[MaxSize=3p]"}}),
              radio.channel)
    {
        m_random->SetStream(seed);
        if (radio.batteries)
        {
            m_network.InstallBatteries({{"BasicEnergySourceInitialEnergyJ", "0.05"}});
        }
    }

    const TestNetwork&
    Network() const
    {
        return m_network;
    }

    /// Expects that the end of every burst was reported once, by callback and by trace source.
    void
    ExpectEveryBurstEndedOnce() const
    {
        EXPECT_THAT(m_ended, Each(1));
        std::set<std::pair<uint32_t, uint32_t>> reported;
        for (const auto& report : m_network.Reports())
        {
            EXPECT_TRUE(reported.emplace(report.senderNode, report.burst->id).second) << "twice";
        }
        EXPECT_EQ(reported.size(), m_ended.size());
        for (const auto& burst : m_accepted)
        {
            EXPECT_EQ(reported.count(burst), 1) << burst.first << ' ' << burst.second;
        }
        EXPECT_EQ(m_accepted.size() + m_refused, m_ended.size());
    }

    /// Expects that no device sent two bursts at once.
    void
    ExpectOneTransmissionPerDevice() const
    {
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            std::vector<std::pair<Time, Time>> sent; // start and end
            for (const auto& report : m_network.ReportsOf(i))
            {
                EXPECT_LE(report.airtime, report.end - report.start);
                if (report.attempts > 0)
                {
                    sent.emplace_back(report.start, report.end);
                }
            }
            std::sort(sent.begin(), sent.end());
            for (std::size_t k = 1; k < sent.size(); ++k)
            {
                EXPECT_GE(sent[k].first, sent[k - 1].second) << "device " << i;
            }
        }
    }

    /// Expects that what was delivered was handed up, no more and no less.
    void
    ExpectDeliveriesAreReceptions() const
    {
        std::multiset<std::pair<uint32_t, uint32_t>> delivered; // node and bytes
        for (const auto& report : m_network.Reports())
        {
            for (const auto& outcome : report.outcomes)
            {
                if (outcome.delivered)
                {
                    delivered.emplace(outcome.receiverNode, report.burst->packet->GetSize());
                }
            }
        }
        std::multiset<std::pair<uint32_t, uint32_t>> received;
        for (const auto& reception : m_network.Receptions())
        {
            received.emplace(reception.node, reception.packet->GetSize());
        }
        EXPECT_EQ(received, delivered);
    }

    /// Expects that radios are idle, and that each of them can still send at once.
    void
    ExpectWorkingRadios()
    {
        m_network.ExpectIdle();
        const std::size_t before = m_network.Reports().size();
        std::size_t probes = 0;
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            At(Seconds(i), [&, i] {
                m_network.Mac(i)->SwitchOn();
                if (m_network.Phy(i)->IsOn()) // not if its battery is empty
                {
                    m_network.Send(i, BROADCAST, 100);
                    ++probes;
                }
            });
        }
        RunFor(Seconds(2 * DEVICES));
        ASSERT_EQ(m_network.Reports().size(), before + probes);
        for (std::size_t i = before; i < m_network.Reports().size(); ++i)
        {
            const D2dBurstReport& report = m_network.Report(i);
            EXPECT_EQ(report.attempts, 1);
            EXPECT_LE(report.start - report.burst->queued, MicroSeconds(15 * 9))
                << "back-off, or slots";
        }
    }

    /// Expects that no signal is left on a shared medium.
    void
    ExpectFreeMedium() const
    {
        if (D2dSubchannels* subchannels =
                m_network.Channel()->GetMedium()->Signals().GetSubchannels())
        {
            std::vector<D2dReception> everywhere;
            for (uint32_t i = 0; i < DEVICES; ++i)
            {
                everywhere.push_back({i, 0});
            }
            const uint64_t probe = subchannels->Begin(0, {}, everywhere, Seconds(1));
            for (const auto& place : subchannels->End(0, probe))
            {
                EXPECT_EQ(place.value_or(D2dDisturbance{1}).powerW, 0) << "a signal has not ended";
            }
        }
    }

  protected:
    /// A device sends a burst.
    void
    Send(uint32_t from, const D2dBurst& burst)
    {
        const std::size_t number = m_ended.size();
        m_ended.push_back(0);
        const uint32_t id = m_network.SendBurst(from, burst, [this, number](const auto&) {
            ++m_ended[number];
            OnEnd();
        });
        if (id == 0)
        {
            ++m_refused;
        }
        else
        {
            m_accepted.emplace(m_network.NodeId(from), id);
            OnAccepted(id);
        }
    }

    virtual void
    OnEnd()
    {
    }

    virtual void
    OnAccepted(uint32_t)
    {
    }

    uint32_t
    DrawDevice()
    {
        return m_random->GetInteger(0, DEVICES - 1);
    }

    bool
    DrawTrue(double probability)
    {
        return m_random->GetValue() < probability;
    }

    D2dReliability
    DrawReliability()
    {
        return DrawTrue(0.5) ? ARQ : BEST_EFFORT;
    }

    Ptr<UniformRandomVariable> m_random = CreateObject<UniformRandomVariable>(); //!< of everything
    TestNetwork m_network;                                                       //!< the devices
    std::vector<int> m_ended;                           //!< how often each burst ended
    std::set<std::pair<uint32_t, uint32_t>> m_accepted; //!< node and number of those accepted
    std::size_t m_refused = 0;                          //!< bursts that were refused at once
};

/// Devices come and go.
class ComingAndGoingTraffic : public RandomTraffic
{
  public:
    explicit ComingAndGoingTraffic(const Radio& radio)
        : RandomTraffic(radio, 1),
          m_radio(radio)
    {
        SetLinks();
        for (int i = 0; i < BURSTS; ++i)
        {
            At(MicroSeconds(m_random->GetInteger(0, 4000000)), [this] { SendAnything(); });
        }
        for (int i = 0; i < 40; ++i)
        {
            const uint32_t device = DrawDevice();
            const Time time = MicroSeconds(m_random->GetInteger(0, 4000000));
            m_network.SwitchOffAt(time, device);
            m_network.SwitchOnAt(time + MilliSeconds(m_random->GetInteger(1, 100)), device);
        }
        Simulator::Run();
    }

    /// Expects one outcome for every intended receiver, and that the traffic met all reasons.
    void
    ExpectOneOutcomePerReceiver() const
    {
        std::map<D2dLossReason, int> reasons;
        for (const auto& report : m_network.Reports())
        {
            std::set<uint32_t> receivers;
            for (const auto& outcome : report.outcomes)
            {
                EXPECT_TRUE(receivers.insert(outcome.receiverNode).second) << "twice";
                EXPECT_NE(outcome.receiverNode, report.senderNode);
                EXPECT_EQ(outcome.delivered, outcome.reason == D2dLossReason::NONE);
                EXPECT_TRUE(outcome.delivered || !outcome.acknowledged);
                EXPECT_LE(outcome.lostFragments, outcome.delivered ? 0 : report.fragments);
                EXPECT_GE(outcome.ended, report.start);
                ++reasons[outcome.reason];
            }
            EXPECT_EQ(receivers, FindIntended(report));
        }
        for (const auto reason : {D2dLossReason::NONE,
                                  D2dLossReason::OUTAGE,
                                  D2dLossReason::ATTEMPTS,
                                  D2dLossReason::OUT_OF_RANGE,
                                  D2dLossReason::RECEIVER_OFF,
                                  D2dLossReason::TRANSMITTER_OFF,
                                  D2dLossReason::QUEUE_FULL})
        {
            EXPECT_GT(reasons[reason], 0) << ToString(reason) << ": the traffic shall meet it";
        }
        // In turns nobody sends when a burst begins
        EXPECT_EQ(reasons[D2dLossReason::HALF_DUPLEX] > 0,
                  m_radio.device.at("Duplex") == "Half" && !Turns());
        EXPECT_GT(m_refused, 5) << "the queue shall overflow now and then";
    }

    /// Expects that bursts overlap, but for turns.
    void
    ExpectOverlapUnlessInTurns() const
    {
        std::multimap<Time, Time> sent; // start and end
        for (const auto& report : m_network.Reports())
        {
            if (report.attempts > 0)
            {
                sent.emplace(report.start, report.end);
            }
        }
        bool overlap = false;
        Time end;
        for (const auto& [start, over] : sent)
        {
            overlap |= start < end;
            end = std::max(end, over);
        }
        EXPECT_GT(sent.size(), 50U);
        EXPECT_EQ(overlap, !Turns());
    }

    /// Expects that only full-duplex devices send while they receive.
    void
    ExpectDuplex() const
    {
        bool overlap = false;
        for (const auto& received : m_network.Reports())
        {
            for (const auto& outcome : received.outcomes)
            {
                // Turns need no guard time: one may begin while the last burst's tail is in flight
                const Time ended = Turns() ? std::min(received.end, outcome.ended) : outcome.ended;
                for (const auto& sent : m_network.Reports())
                {
                    overlap |= outcome.delivered && sent.attempts > 0 &&
                               sent.senderNode == outcome.receiverNode && sent.start < ended &&
                               received.start < sent.end;
                }
            }
        }
        EXPECT_EQ(overlap, m_radio.device.at("Duplex") == "Full" && !Turns());
    }

    static constexpr int BURSTS = 400; //!< in 4 s

  private:
    /// @return whether devices take turns
    bool
    Turns() const
    {
        return m_radio.channel.at("Access") == "Tdma";
    }

    /// @return nodes of all that a burst was meant for
    std::set<uint32_t>
    FindIntended(const D2dBurstReport& report) const
    {
        if (!report.burst->destination.IsGroup())
        {
            return {m_network.Channel()->FindDevice(report.burst->destination)->GetNode()->GetId()};
        }
        std::set<uint32_t> intended;
        const auto sender = m_network.Device(m_network.IndexOf(report.senderNode));
        for (const auto& link : m_network.Channel()->GetLinks(sender))
        {
            intended.insert(link.receiverNode);
        }
        return intended;
    }

    /// Gives every link an outage, or none, or puts it out of range.
    void
    SetLinks()
    {
        for (uint32_t from = 0; from < DEVICES; ++from)
        {
            for (uint32_t to = 0; to < DEVICES; ++to)
            {
                const double draw = m_random->GetValue();
                m_network.SetOutage(from, to, draw > 0.5 ? 0.0 : draw);
                if (draw < 0.1)
                {
                    m_network.SetOutOfRange(from, to);
                }
            }
        }
    }

    /// A device sends something to another one or to all.
    void
    SendAnything()
    {
        const uint32_t from = DrawDevice();
        const uint32_t other = (from + m_random->GetInteger(1, DEVICES - 1)) % DEVICES;
        const uint32_t to = DrawTrue(0.3) ? BROADCAST : other;
        const uint32_t bytes = m_random->GetInteger(0, 20000);
        Send(from, m_network.Burst(to, bytes, DrawReliability()));
    }

    const Radio m_radio; //!< kind of radio
};

using ConservationTest = WithParameter<std::string>;

INSTANTIATE_TEST_SUITE_P(Radios,
                         ConservationTest,
                         testing::ValuesIn(std::vector<std::string>{
                             "Packet Half Ofdma",
                             "Packet Full Ofdma",
                             "Burst Half Ofdma",
                             "Burst Full Ofdma",
                             "Packet Half Tdma",
                             "Packet Full Tdma",
                             "Burst Half Tdma",
                             "Burst Full Tdma",
                             "Packet Half Shared",
                             "Packet Full Shared",
                             "Packet Half Ofdma Subchannels=3",
                             "Packet Full Ofdma Subchannels=3",
                             "Packet Half Ofdma Subchannels=2 MaxReceptions=2",
                             "Packet Full Ofdma" + LISTENS,
                             "Burst Half Ofdma" + LISTENS,
                             "Burst Half Tdma" + LISTENS,
                             "Packet Half Shared" + LISTENS,
                             "Burst Half Shared",
                             "Burst Half Shared" + ROUNDS,
                             "Burst Full Shared" + LISTENS + ROUNDS,
                             "Burst Half Ofdma Subchannels=3" + ROUNDS}));

TEST_P(ConservationTest, NothingIsLostOrMadeUp)
{
    ComingAndGoingTraffic traffic(GetParam());
    EXPECT_EQ(traffic.Network().Reports().size(), ComingAndGoingTraffic::BURSTS);
    traffic.ExpectEveryBurstEndedOnce();
    traffic.ExpectOneOutcomePerReceiver();
    traffic.ExpectDeliveriesAreReceptions();
    traffic.ExpectOneTransmissionPerDevice();
    traffic.ExpectOverlapUnlessInTurns();
    traffic.ExpectDuplex();
    traffic.ExpectFreeMedium();
    traffic.ExpectWorkingRadios();
}

TEST_P(ConservationTest, SameSeedSameOutcomes)
{
    std::vector<std::string> descriptions;
    for (const int run : {1, 1, 2})
    {
        RngSeedManager::SetRun(run);
        descriptions.push_back(ComingAndGoingTraffic(GetParam()).Network().DescribeBursts());
    }
    EXPECT_EQ(descriptions[0], descriptions[1]);
    EXPECT_NE(descriptions[0], descriptions[2]);
}

/// @brief Traffic whose observers meddle: at anything that they hear of they may send, cancel,
/// or switch any device on or off, there and then.
class MeddlingTraffic : public RandomTraffic
{
  public:
    MeddlingTraffic(const Radio& radio, int64_t seed)
        : RandomTraffic(radio, seed)
    {
        for (uint32_t from = 0; from < DEVICES; ++from)
        {
            for (uint32_t to = 0; to < DEVICES; ++to)
            {
                m_network.SetOutage(from, to, DrawTrue(0.5) ? 0.0 : 0.3);
            }
        }
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            Observe(m_network.Device(i));
        }
        for (int i = 0; i < 150; ++i)
        {
            At(MicroSeconds(m_random->GetInteger(0, 1000000)), [this] { SendAnything(); });
        }
        for (int i = 0; i < 100; ++i)
        {
            At(MilliSeconds(10 * i), [this] { Revive(); });
        }
    }

    /// Plays everything to its end; observers stop to meddle at 1 s.
    void
    Run()
    {
        At(Seconds(1), [this] {
            m_meddles = false;
            Revive();
        });
        RunFor(Seconds(20)); // batteries have events for ever
    }

    /// Ends the run in the middle; observers meddle with that, too.
    void
    EndEarly()
    {
        RunFor(MilliSeconds(300));
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            m_network.Mac(i)->EndRun();
        }
    }

    void
    ExpectConsistency() const
    {
        EXPECT_GT(m_actions, 100) << "observers shall have meddled";
        EXPECT_LE(m_mostSignals, 1 + 2 * DEVICES) << "a burst, and acknowledgments";
        ExpectEveryBurstEndedOnce();
        ExpectOneTransmissionPerDevice();
        ExpectDeliveriesAreReceptions();
    }

  private:
    /// Lets the hooks of a device meddle.
    void
    Observe(Ptr<D2dNetDevice> device)
    {
        const auto meddle = [this](const auto&) { Meddle(); };
        for (const std::string name : {"MacTx", "MacTxDrop", "MacRx"})
        {
            OnPacket(device->GetMac(), name, meddle);
        }
        for (const std::string name : {"PhyTxBegin",
                                       "PhyTxEnd",
                                       "PhyTxDrop",
                                       "PhyRxBegin",
                                       "PhyRxEnd",
                                       "PhyRxDrop",
                                       "Sniffer"})
        {
            OnPacket(device->GetPhy(), name, meddle);
        }
        for (const std::string name : {"Enqueue", "Dequeue", "Drop"})
        {
            OnPacket(device->GetMac()->GetQueue(), name, meddle);
        }
        OnTrace<const D2dBurstReport&>(device->GetMac(), "BurstEnd", meddle);
        OnActivity(device->GetPhy(), [this](const D2dRadioActivity& activity) {
            m_mostSignals = std::max(m_mostSignals, activity.transmitting);
            Meddle();
        });
        device->AddLinkChangeCallback(MakeCallback(&MeddlingTraffic::Meddle, this));
    }

    /// Does anything, or nothing.
    void
    Meddle()
    {
        if (!m_meddles || m_depth > 2 || !DrawTrue(0.2))
        {
            return;
        }
        ++m_depth;
        ++m_actions;
        const Ptr<D2dMac> mac = m_network.Mac(DrawDevice());
        const double draw = m_random->GetValue();
        if (draw < 0.3 && m_ended.size() < 3000)
        {
            SendAnything();
        }
        else if (draw < 0.6)
        {
            mac->CancelBurst(m_latest[m_random->GetInteger(0, 7)]);
        }
        else
        {
            draw < 0.8 ? mac->SwitchOff() : mac->SwitchOn();
        }
        --m_depth;
    }

    void
    OnEnd() override
    {
        Meddle();
    }

    void
    OnAccepted(uint32_t id) override
    {
        m_latest[m_random->GetInteger(0, 7)] = id;
    }

    /// Switches all on.
    void
    Revive()
    {
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            m_network.Mac(i)->SwitchOn();
        }
    }

    /// A device sends something to another one, to all, or to nobody.
    void
    SendAnything()
    {
        const uint32_t from = DrawDevice();
        const double draw = m_random->GetValue();
        const uint32_t other = (from + m_random->GetInteger(1, DEVICES - 1)) % DEVICES;
        D2dBurst burst = m_network.Burst(
            draw < 0.5 ? BROADCAST : other, m_random->GetInteger(0, 6000), DrawReliability());
        burst.destination = draw < 0.2 ? NOBODY : burst.destination;
        burst.priority = m_random->GetInteger(0, 2);
        if (DrawTrue(0.2))
        {
            burst.deadline = Simulator::Now() + MicroSeconds(m_random->GetInteger(0, 50000));
        }
        Send(from, burst);
    }

    std::vector<uint32_t> m_latest = std::vector<uint32_t>(8); //!< numbers of some bursts
    bool m_meddles = true;                                     //!< whether observers do anything
    int m_depth = 0;                                           //!< of observers within observers
    int m_actions = 0;                                         //!< what observers have done
    uint32_t m_mostSignals = 0; //!< most that a radio transmitted at once
};

using ReentrancyTest = WithParameter<std::string>;

const auto MEDDLING_RADIOS = testing::ValuesIn(
    std::vector<std::string>{"Packet Half Ofdma" + PRIORITIES,
                             "Packet Half Ofdma MaxReceptions=1",
                             "Packet Full Ofdma MaxReceptions=2 batteries" + PRIORITIES,
                             "Burst Half Ofdma batteries" + PRIORITIES,
                             "Burst Half Ofdma MaxReceptions=1" + PRIORITIES,
                             "Burst Full Ofdma",
                             "Packet Half Tdma" + PRIORITIES,
                             "Burst Full Tdma batteries",
                             "Packet Half Shared",
                             "Packet Full Shared" + PRIORITIES,
                             "Packet Half Shared batteries" + PRIORITIES + LISTENS,
                             "Packet Full Ofdma MaxReceptions=1" + PRIORITIES + LISTENS,
                             "Burst Half Ofdma" + LISTENS,
                             "Burst Half Ofdma batteries" + PRIORITIES + LISTENS,
                             "Burst Half Shared" + PRIORITIES,
                             "Burst Full Shared batteries" + LISTENS});

INSTANTIATE_TEST_SUITE_P(Radios, ReentrancyTest, MEDDLING_RADIOS);
INSTANTIATE_TEST_SUITE_P(NightlyRadios, ReentrancyTest, MEDDLING_RADIOS);

TEST_P(ReentrancyTest, ObserversThatMeddleBreakNothing)
{
    const int seeds = IsNightly() ? 12 : 3;
    for (int seed = 1; seed <= seeds; ++seed)
    {
        SCOPED_TRACE(seed);
        {
            MeddlingTraffic traffic(GetParam(), seed);
            traffic.Run();
            traffic.ExpectConsistency();
            traffic.ExpectWorkingRadios();
        }
        MeddlingTraffic traffic(GetParam(), 100 + seed);
        traffic.EndEarly();
        traffic.ExpectConsistency();
    }
}

/// What single observers do
class ObserverTest : public FidelitiesTest
{
  protected:
    /// Sends to nobody, which ends at once.
    static void
    SendToNobody(const TestNetwork& network,
                 const std::function<void(const D2dBurstReport&)>& ended)
    {
        network.SendBurst(0, {Create<Packet>(100), NOBODY, TestNetwork::PROTOCOL}, ended);
    }
};

INSTANTIATE_TEST_SUITE_P(Fidelities, ObserverTest, FIDELITIES);

TEST_P(ObserverTest, WhoHearsOfADropMaySendAgain)
{
    TestNetwork network(2, {}, m_channel);
    SendToNobody(network, [&](const D2dBurstReport& report) {
        EXPECT_EQ(report.stopped, D2dLossReason::UNKNOWN_ADDRESS);
        network.Send(0, 1, 5000);
        network.Send(0, 1, 5000);
    });
    Simulator::Run();
    ASSERT_THAT(network.Reports(), SizeIs(3));
    EXPECT_THAT(network.Hearers(), ElementsAre(1, 1));
    EXPECT_GE(network.Report(2).start, network.Report(1).end) << "one after the other";
}

TEST_P(ObserverTest, WhoHearsOfADropMaySwitchTheSenderOff)
{
    TestNetwork network(2, {}, m_channel);
    SendToNobody(network, [&](const auto&) { network.Mac(0)->SwitchOff(); });
    network.Send(0, 1, 100);
    Simulator::Run();
    ASSERT_THAT(network.Reports(), SizeIs(2));
    EXPECT_EQ(network.Report(1).stopped, D2dLossReason::TRANSMITTER_OFF);
}

TEST_P(ObserverTest, ABurstMayBeCancelledAsItsTransmissionEnds)
{
    TestNetwork network(2, {}, m_channel);
    const uint32_t id = network.Send(0, 1, 100);
    OnPacket(network.Phy(0), "PhyTxEnd", [&](const auto&) {
        EXPECT_TRUE(network.Mac(0)->CancelBurst(id));
    });
    Simulator::Run();
    ASSERT_THAT(network.Reports(), SizeIs(1));
    EXPECT_EQ(network.Report().stopped, D2dLossReason::CANCELLED);
    network.ExpectIdle();
}

TEST_P(ObserverTest, WhoOverhearsTheEndOfABurstComesTooLateToEndIt)
{
    TestNetwork network(3, {{"Overhearing", "Whole"}}, m_channel);
    const uint32_t id = network.Send(0, 1, 100);
    int ends = 0;
    OnActivity(network.Phy(2), [&](const D2dRadioActivity& activity) {
        if (!activity.receiving)
        {
            ++ends;
            EXPECT_FALSE(network.Mac(0)->CancelBurst(id));
            network.Mac(0)->SwitchOff();
        }
    });
    Simulator::Run();
    EXPECT_EQ(ends, 1);
    ASSERT_THAT(network.Reports(), SizeIs(1));
    EXPECT_THAT(network.Fates(), ElementsAre("1 delivered"));
    network.ExpectIdle();
}

TEST_P(ObserverTest, TheEndOfARunDropsNothing)
{
    for (const char* access : {"Ofdma", "Shared"})
    {
        TestNetwork network(2, {}, Channel({{"Access", access}}));
        int drops = 0;
        OnPacket(network.Phy(0), "PhyTxDrop", [&](const auto&) { ++drops; });
        network.Send(0, 1, 100000, ARQ);
        RunFor(MilliSeconds(20)); // a fragment takes 12.272 ms, and 0.132 ms
        network.Mac(0)->EndRun();
        ASSERT_THAT(network.Reports(), SizeIs(1));
        EXPECT_EQ(network.Report().attempts, 2U);
        EXPECT_EQ(drops, 0) << access;
    }
}

TEST_P(ObserverTest, WhoActsOnACorrectionOfEnergyDoesNotLetOthersHearOfItTwice)
{
    const bool hasCycles = !m_isPacket;
    TestNetwork network(
        2, {{"Arq", "StopAndWait"}, {"AcknowledgmentTurnaround", "1ms"}}, m_channel);
    const auto isCorrected = [](const D2dRadioActivity& activity) {
        return !activity.correction.transmitting.IsZero();
    };
    OnActivity(network.Phy(0), [&](const auto& activity) {
        if (isCorrected(activity))
        {
            network.Mac(0)->SwitchOff();
        }
    });
    uint32_t corrections = 0;
    uint32_t reports = 0;
    bool isOn = true;
    OnActivity(network.Phy(0), [&](const auto& activity) {
        corrections += isCorrected(activity) ? 1 : 0;
        ++reports;
        isOn = activity.on;
    });
    const uint32_t id = network.Send(0, 1, 100000, ARQ);
    network.CancelAt(MilliSeconds(50), 0, id);
    Simulator::Run();
    ASSERT_THAT(network.Reports(), SizeIs(1));
    EXPECT_GT(reports, 0);
    EXPECT_EQ(corrections, hasCycles ? 1 : 0);
    EXPECT_EQ(isOn, !hasCycles) << "the last report is how it is";
    EXPECT_TRUE(network.Phy(0)->GetActivity().correction.transmitting.IsZero());
}

} // namespace
} // namespace ns3::collab::tests
