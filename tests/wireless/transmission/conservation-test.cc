/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/d2d-subchannels.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr uint32_t DEVICES = 8;

/// A kind of radio, by attributes of its device and channel
struct Radio
{
    std::string fidelity;           //!< "Packet" or "Burst"
    std::string duplex;             //!< "Half" or "Full"
    std::string access;             //!< "Ofdma", "Shared" or "Tdma"
    std::string subchannels = "0";  //!< attribute Subchannels
    std::string receptions = "0";   //!< attribute MaxReceptions
    std::string overhears = "None"; //!< attribute Overhearing; if not None, also pays for sensing,
                                    //!< and combines
    std::string rounds = "No"; //!< "Yes" for selective repeat, and links that are read every 5 ms
};

/// @param out where to print a radio to
void
PrintTo(const Radio& radio, std::ostream* out)
{
    *out << radio.fidelity << ' ' << radio.duplex << ' ' << radio.access << ' ' << radio.subchannels
         << ' ' << radio.receptions << ' ' << radio.overhears << ' ' << radio.rounds;
}

/// Random traffic of devices that come and go, over lossy links.
class RandomTraffic
{
  public:
    /// @param radio kind of radio
    explicit RandomTraffic(const Radio& radio)
        : m_network(DEVICES,
                    {{"Duplex", radio.duplex},
                     {"MaxReceptions", radio.receptions},
                     {"MaxAttempts", "4"},
                     {"Arq", radio.rounds == "Yes" ? "SelectiveRepeat" : "StopAndWait"},
                     {"Overhearing", radio.overhears},
                     {"SensingEnergy", radio.overhears == "None" ? "false" : "true"},
                     {"Combining", radio.overhears == "None" ? "None" : "Chase"},
                     {"TxQueue", "ns3::DropTailQueue<Packet>[MaxSize=3p]"}},
                    {{"Fidelity", radio.fidelity},
                     {"Access", radio.access},
                     {"Subchannels", radio.subchannels},
                     {"LinkUpdatePeriod", radio.rounds == "Yes" ? "5ms" : "0ms"}})
    {
        m_random->SetStream(1);
        SetLinks();
        for (int i = 0; i < 400; ++i)
        {
            Simulator::Schedule(MicroSeconds(m_random->GetInteger(0, 4000000)),
                                [this]() { Send(); });
        }
        for (int i = 0; i < 40; ++i)
        {
            const uint32_t device = m_random->GetInteger(0, DEVICES - 1);
            const Time time = MicroSeconds(m_random->GetInteger(0, 4000000));
            Simulator::Schedule(
                time, [this, device]() { m_network.Device(device)->GetMac()->SwitchOff(); });
            Simulator::Schedule(
                time + MilliSeconds(m_random->GetInteger(1, 100)),
                [this, device]() { m_network.Device(device)->GetMac()->SwitchOn(); });
        }
        Simulator::Run();
    }

    /// @return the devices and what became of their bursts
    const TestNetwork&
    Network() const
    {
        return m_network;
    }

    /// @return numbers of the bursts that were sent, by node
    const std::set<std::pair<uint32_t, uint32_t>>&
    Accepted() const
    {
        return m_accepted;
    }

    /// @return bursts that were refused at once
    int
    Refused() const
    {
        return m_refused;
    }

    /// @return all that became of all bursts, as text
    std::string
    Describe() const
    {
        std::ostringstream text;
        for (const auto& report : m_network.Reports())
        {
            text << report.senderNode << ' ' << report.burst->id << ' ' << report.attempts << ' '
                 << report.start << ' ' << report.end << ' ' << report.airtime;
            for (const auto& outcome : report.outcomes)
            {
                text << "; " << outcome.receiverNode << ' ' << ToString(outcome.reason) << ' '
                     << outcome.lostFragments << ' ' << outcome.acknowledged << ' '
                     << outcome.ended;
            }
            text << '\n';
        }
        return text.str();
    }

  private:
    /// @brief Give every link an outage, or none, or put it out of range.
    void
    SetLinks()
    {
        for (uint32_t from = 0; from < DEVICES; ++from)
        {
            for (uint32_t to = 0; to < DEVICES; ++to)
            {
                const double draw = m_random->GetValue();
                if (draw < 0.1)
                {
                    m_network.SetOutOfRange(from, to);
                }
                else
                {
                    m_network.SetOutage(from, to, draw > 0.5 ? 0.0 : draw);
                }
            }
        }
    }

    /// @brief A device sends something to another one or to all.
    void
    Send()
    {
        const uint32_t from = m_random->GetInteger(0, DEVICES - 1);
        const uint32_t other = (from + m_random->GetInteger(1, DEVICES - 1)) % DEVICES;
        const uint32_t to = m_random->GetValue() < 0.3 ? TestNetwork::BROADCAST : other;
        const uint32_t bytes = m_random->GetInteger(0, 20000);
        const auto reliability =
            m_random->GetValue() < 0.5 ? D2dReliability::ARQ : D2dReliability::BEST_EFFORT;
        const uint32_t id = m_network.Send(from, to, bytes, reliability);
        if (id == 0)
        {
            ++m_refused;
        }
        else
        {
            m_accepted.emplace(m_network.NodeId(from), id);
        }
    }

    Ptr<UniformRandomVariable> m_random = CreateObject<UniformRandomVariable>(); //!< of the traffic
    TestNetwork m_network;                                                       //!< the devices
    std::set<std::pair<uint32_t, uint32_t>> m_accepted; //!< bursts that were sent, by node
    int m_refused = 0;                                  //!< bursts that were refused at once
};

class ConservationTest : public SimulatorTest, public testing::WithParamInterface<Radio>
{
};

INSTANTIATE_TEST_SUITE_P(Radios,
                         ConservationTest,
                         testing::Values(Radio{"Packet", "Half", "Ofdma"},
                                         Radio{"Packet", "Full", "Ofdma"},
                                         Radio{"Burst", "Half", "Ofdma"},
                                         Radio{"Burst", "Full", "Ofdma"},
                                         Radio{"Packet", "Half", "Tdma"},
                                         Radio{"Packet", "Full", "Tdma"},
                                         Radio{"Burst", "Half", "Tdma"},
                                         Radio{"Burst", "Full", "Tdma"},
                                         Radio{"Packet", "Half", "Shared"},
                                         Radio{"Packet", "Full", "Shared"},
                                         Radio{"Packet", "Half", "Ofdma", "3"},
                                         Radio{"Packet", "Full", "Ofdma", "3"},
                                         Radio{"Packet", "Half", "Ofdma", "2", "2"},
                                         Radio{"Packet", "Full", "Ofdma", "0", "0", "Whole"},
                                         Radio{"Burst", "Half", "Ofdma", "0", "0", "Whole"},
                                         Radio{"Burst", "Half", "Tdma", "0", "0", "Header"},
                                         Radio{"Packet", "Half", "Shared", "0", "0", "Header"},
                                         Radio{"Burst", "Half", "Shared"},
                                         Radio{"Burst", "Half", "Shared", "0", "0", "None", "Yes"},
                                         Radio{"Burst", "Full", "Shared", "0", "0", "Whole", "Yes"},
                                         Radio{"Burst", "Half", "Ofdma", "3", "0", "None", "Yes"}));

TEST_P(ConservationTest, EveryBurstEndsOnce)
{
    const RandomTraffic traffic(GetParam());
    EXPECT_GT(traffic.Refused(), 5) << "the queue shall overflow now and then";
    std::set<std::pair<uint32_t, uint32_t>> ended;
    for (const auto& report : traffic.Network().Reports())
    {
        EXPECT_TRUE(ended.emplace(report.senderNode, report.burst->id).second) << "twice";
    }
    EXPECT_EQ(ended.size(), 400);
    for (const auto& burst : traffic.Accepted())
    {
        EXPECT_EQ(ended.count(burst), 1) << burst.first << ' ' << burst.second;
    }
    EXPECT_EQ(traffic.Accepted().size() + traffic.Refused(), 400);
}

TEST_P(ConservationTest, OneOutcomeForEveryIntendedReceiver)
{
    const RandomTraffic traffic(GetParam());
    const TestNetwork& network = traffic.Network();
    std::map<D2dLossReason, int> reasons;
    for (const auto& report : network.Reports())
    {
        std::set<uint32_t> receivers;
        for (const auto& outcome : report.outcomes)
        {
            EXPECT_TRUE(receivers.insert(outcome.receiverNode).second) << "twice";
            EXPECT_NE(outcome.receiverNode, report.senderNode);
            EXPECT_EQ(outcome.delivered, outcome.reason == D2dLossReason::NONE);
            EXPECT_TRUE(outcome.delivered || !outcome.acknowledged);
            EXPECT_LE(outcome.lostFragments, report.fragments);
            EXPECT_TRUE(!outcome.delivered || outcome.lostFragments == 0);
            EXPECT_GE(outcome.ended, report.start);
            ++reasons[outcome.reason];
        }
        std::set<uint32_t> intended;
        Ptr<D2dNetDevice> sender = network.Device(report.senderNode - network.NodeId(0));
        for (const auto& link : network.Channel()->GetLinks(sender))
        {
            intended.insert(link.receiver->GetNode()->GetId());
        }
        if (!report.burst->destination.IsGroup())
        {
            intended = {
                network.Channel()->FindDevice(report.burst->destination)->GetNode()->GetId()};
        }
        EXPECT_EQ(receivers, intended);
    }
    // In turns nobody sends when a burst begins
    const bool collides = GetParam().duplex == "Half" && GetParam().access != "Tdma";
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
    EXPECT_EQ(reasons[D2dLossReason::HALF_DUPLEX] > 0, collides);
}

TEST_P(ConservationTest, BytesAreDeliveredOrLost)
{
    const RandomTraffic traffic(GetParam());
    const TestNetwork& network = traffic.Network();
    uint64_t intended = 0;
    uint64_t delivered = 0;
    uint64_t lost = 0;
    std::map<uint32_t, int> deliveries;
    for (const auto& report : network.Reports())
    {
        const uint64_t bytes = report.burst->packet->GetSize();
        intended += bytes * report.outcomes.size();
        for (const auto& outcome : report.outcomes)
        {
            (outcome.delivered ? delivered : lost) += bytes;
            deliveries[outcome.receiverNode] += outcome.delivered;
        }
    }
    EXPECT_EQ(delivered + lost, intended);
    EXPECT_GT(delivered, 0);
    EXPECT_GT(lost, 0);

    uint64_t received = 0;
    std::map<uint32_t, int> receptions;
    for (const auto& reception : network.Receptions())
    {
        received += reception.packet->GetSize();
        ++receptions[reception.node];
    }
    EXPECT_EQ(received, delivered);
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        EXPECT_EQ(receptions[network.NodeId(i)], deliveries[network.NodeId(i)]);
    }
}

TEST_P(ConservationTest, RadiosAreIdleInTheEnd)
{
    const RandomTraffic traffic(GetParam());
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        EXPECT_TRUE(traffic.Network().Device(i)->GetPhy()->IsOn());
        EXPECT_EQ(traffic.Network().Device(i)->GetPhy()->GetActivity().transmitting, 0);
        EXPECT_FALSE(traffic.Network().Device(i)->GetPhy()->GetActivity().receiving);
    }
}

TEST_P(ConservationTest, MediumIsFreeInTheEnd)
{
    RandomTraffic traffic(GetParam());
    const TestNetwork& network = traffic.Network();
    if (D2dSubchannels* subchannels = network.Channel()->GetSubchannels())
    {
        std::vector<D2dReception> everywhere;
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            everywhere.push_back({i, 0});
        }
        const uint64_t probe = subchannels->Begin(0, {}, everywhere, Seconds(1));
        for (const auto& place : subchannels->End(0, probe))
        {
            ASSERT_TRUE(place);
            EXPECT_EQ(place->powerW, 0) << "a signal has not ended";
        }
    }
    const std::size_t before = network.Reports().size();
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        Simulator::Schedule(Seconds(i), [&network, i]() {
            network.Device(i)->GetMac()->SendBurst(
                {Create<Packet>(100), network.Address((i + 1) % DEVICES), TestNetwork::PROTOCOL});
        });
    }
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), before + DEVICES);
    for (std::size_t i = before; i < network.Reports().size(); ++i)
    {
        const D2dBurstReport& report = network.Reports()[i];
        EXPECT_EQ(report.attempts, 1U);
        EXPECT_LE(report.start - report.burst->queued, MicroSeconds(15 * 9))
            << "back-off, or slots";
    }
}

TEST_P(ConservationTest, OneAtATimeInTurns)
{
    const RandomTraffic traffic(GetParam());
    std::map<Time, Time> sent; // start and end
    bool overlap = false;
    for (const auto& report : traffic.Network().Reports())
    {
        if (report.attempts > 0)
        {
            overlap |= !sent.emplace(report.start, report.end).second;
        }
    }
    Time end;
    for (const auto& [start, over] : sent)
    {
        overlap |= start < end;
        end = std::max(end, over);
    }
    EXPECT_GT(sent.size(), 50U);
    EXPECT_EQ(overlap, GetParam().access != "Tdma");
}

TEST_P(ConservationTest, HalfDuplexSendersNeverOverlapWhatTheyReceive)
{
    const RandomTraffic traffic(GetParam());
    bool overlap = false;
    const bool turns = GetParam().access == "Tdma";
    const auto& reports = traffic.Network().Reports();
    for (const auto& received : reports)
    {
        for (const auto& outcome : received.outcomes)
        {
            // Turns need no guard time: one may begin while the last burst's tail is in flight
            const Time ended = turns ? std::min(received.end, outcome.ended) : outcome.ended;
            for (const auto& sent : reports)
            {
                overlap |= outcome.delivered && sent.attempts > 0 &&
                           sent.senderNode == outcome.receiverNode && sent.start < ended &&
                           received.start < sent.end;
            }
        }
    }
    EXPECT_EQ(overlap, GetParam().duplex == "Full" && !turns);
}

TEST_P(ConservationTest, SameSeedSameOutcomes)
{
    std::vector<std::string> descriptions;
    for (const int run : {1, 1, 2})
    {
        RngSeedManager::SetRun(run);
        descriptions.push_back(RandomTraffic(GetParam()).Describe());
        Simulator::Destroy();
    }
    EXPECT_EQ(descriptions[0], descriptions[1]);
    EXPECT_NE(descriptions[0], descriptions[2]);
}

} // namespace
