/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging/test-payloads.h"
#include "wireless/wireless-test-support.h"

#include "ns3/basic-energy-source.h"
#include "ns3/collab-transport.h"
#include "ns3/d2d-mac-header.h"
#include "ns3/d2d-radio-energy-model.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using ::tests::BytesPayload;
using ::tests::MessageId;
using ::tests::NumberedUnits;

constexpr uint32_t RADIOS = 8;
constexpr uint16_t WHOLE = 1; // kinds
constexpr uint16_t UNITS = 2;
constexpr int RADIO_MESSAGES = 160;
constexpr int MICROSECONDS = 4000000; // of a run

/// A radio, by attributes of its device and channel
struct Radio
{
    std::string fidelity; //!< "Packet" or "Burst"
    std::string access;   //!< "Ofdma", "Shared" or "Tdma"
    std::string arq;      //!< "StopAndWait" or "SelectiveRepeat"
};

void
PrintTo(const Radio& radio, std::ostream* out)
{
    *out << radio.fidelity << ' ' << radio.access << ' ' << radio.arq;
}

/**
 * Random messages of all policies between devices of which some are switched off and
 * one runs out of energy, over lossy links, until the simulation ends in the middle of it.
 *
 * It keeps books of its own, from what protocols, radios and batteries do.
 */
class RandomMessages
{
  public:
    /// @param run random numbers, and whether units share fragments or have two each
    /// @param payloadMode attribute
    RandomMessages(const Radio& radio, uint32_t run, const std::string& payloadMode = "Reference")
        : m_unitBytes(run % 2 == 0 ? 1800 : 100),
          m_network(RADIOS,
                    {{"MaxAttempts", "3"},
                     {"Arq", radio.arq},
                     {"AcknowledgmentSize", "0"}, // so that airtime is that of messages
                     {"TxQueue", "ns3::collab::D2dPriorityQueue[MaxSize=4p]"}},
                    {{"Fidelity", radio.fidelity}, {"Access", radio.access}})
    {
        m_random->SetStream(run);
        m_network.InstallBatteries({{"BasicEnergySourceInitialEnergyJ", "1e4"}});
        DynamicCast<BasicEnergySource>(m_network.Source(RADIOS - 1))->SetInitialEnergy(0.6);
        SetLinks();
        for (uint32_t i = 0; i < RADIOS; ++i)
        {
            Transmitter(i)->SetAttribute("PayloadMode", StringValue(payloadMode));
            Listen(i);
        }
        for (int i = 0; i < RADIO_MESSAGES; ++i)
        {
            Schedule([this]() { Send(); });
        }
        for (int i = 0; i < 16; ++i)
        {
            // The last device is left to its battery
            const Ptr<D2dNetDevice> off = m_network.Device(m_random->GetInteger(0, RADIOS - 2));
            Pause([off]() { off->GetMac()->SwitchOff(); }, [off]() { off->GetMac()->SwitchOn(); });
        }
        RunFor(MicroSeconds(MICROSECONDS));
        for (uint32_t i = 0; i < RADIOS; ++i)
        {
            m_onAir[i] += m_transmits[i] * (Simulator::Now() - m_since[i]).GetTimeStep();
            m_since[i] = Simulator::Now(); // what is put right at the end of the run is told too
            m_network.Source(i)->UpdateEnergySource();
            Transmitter(i)->EndRun();
        }
    }

    /// @return transport of a device
    Ptr<Transport>
    Transmitter(uint32_t i) const
    {
        return m_network.Device(i)->GetNode()->GetObject<Transport>();
    }

    /// @return what became of all messages, as text
    std::string
    Describe() const
    {
        std::ostringstream text;
        for (const auto& o : m_outcomes)
        {
            text << o.sender << ' ' << o.receiver << ' ' << o.sequence << ' ' << o.bytes << ' '
                 << o.fragments << ' ' << o.lostFragments << ' ' << o.attempts << ' ' << o.units
                 << ' ' << o.lostUnits << ' ' << o.start << ' ' << o.end << ' ' << o.airtime << ' '
                 << o.delivered << ' ' << o.reason << '\n';
        }
        return text.str();
    }

    const uint32_t m_unitBytes;                         //!< of divisible messages
    TestNetwork m_network;                              //!< the devices
    std::map<MessageId, std::set<uint32_t>> m_intended; //!< receivers of each message, by the links
    std::map<MessageId, uint64_t> m_bytes;              //!< size of each message
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::size_t>
        m_arrivals;                         //!< by sender, number and receiver; units of it
    std::vector<MessageOutcome> m_outcomes; //!< what is told of all messages
    std::map<uint32_t, double> m_onAir;     //!< how long each radio has transmitted [time step]
    /// Number of the fragment and bytes of the packet in each frame that was sent, by source and
    /// number of the burst
    std::map<std::pair<Mac48Address, uint32_t>, std::vector<std::pair<uint32_t, uint32_t>>>
        m_frames;
    /// Receiver, source, burst and fragment of each frame that arrived
    std::set<std::tuple<uint32_t, Mac48Address, uint32_t, uint32_t>> m_framesArrived;

  private:
    void
    Schedule(std::function<void()> action)
    {
        Simulator::Schedule(MicroSeconds(m_random->GetInteger(0, MICROSECONDS)), std::move(action));
    }

    void
    Pause(const std::function<void()>& begin, const std::function<void()>& end)
    {
        const Time duration = MilliSeconds(m_random->GetInteger(1, 150));
        Schedule([begin, end, duration]() {
            begin();
            Simulator::Schedule(duration, end);
        });
    }

    /// Give every link an outage, or none, or put it out of range.
    void
    SetLinks()
    {
        for (uint32_t from = 0; from < RADIOS; ++from)
        {
            for (uint32_t to = 0; to < RADIOS; ++to)
            {
                const double draw = m_random->GetValue();
                if (draw < 0.2)
                {
                    m_network.SetOutOfRange(from, to);
                }
                else
                {
                    m_network.SetOutage(from, to, draw > 0.6 ? 0.0 : draw);
                    m_inRange[from].insert(m_network.NodeId(to));
                }
            }
            m_inRange[from].erase(m_network.NodeId(from));
        }
    }

    void
    Listen(uint32_t i)
    {
        const uint32_t id = m_network.NodeId(i);
        const auto receive = [this, id](const Message& message) {
            const std::tuple key(message.sender, message.sequence, id);
            EXPECT_TRUE(m_arrivals.emplace(key, message.units.size()).second) << "delivered twice";
            if (const auto* units = dynamic_cast<const NumberedUnits*>(message.payload.get()))
            {
                EXPECT_EQ(units->GetUnits(), message.units);
            }
        };
        Transmitter(i)->RegisterKind(WHOLE, "whole", BytesPayload::Parse, receive);
        Transmitter(i)->RegisterKind(
            UNITS, "units", NumberedUnits::ParserFor(m_unitBytes), receive);
        CollectTrace(Transmitter(i), "Outcome", m_outcomes);
        OnTrace<uint32_t, const std::string&>(
            Transmitter(i), "Reject", [](uint32_t, const std::string& reason) {
                ADD_FAILURE() << reason;
            });
        OnActivity(m_network.Phy(i), [this, i](const D2dRadioActivity& activity) {
            m_onAir[i] += m_transmits[i] * (Simulator::Now() - m_since[i]).GetTimeStep();
            m_onAir[i] += activity.correction.transmitting.GetTimeStep();
            m_transmits[i] = activity.transmitting > 0 ? 1 : activity.cycle.transmitting;
            m_since[i] = Simulator::Now();
        });
        OnPacket(m_network.Phy(i), "Sniffer", [this, i](Ptr<const Packet> frame) {
            D2dMacHeader header;
            frame->PeekHeader(header);
            if (header.source == m_network.Address(i))
            {
                const uint32_t part =
                    frame->GetSize() - D2dMacHeader::SIZE - D2dMacHeader::CHECK_SEQUENCE_SIZE;
                m_frames[{header.source, header.burst}].emplace_back(header.fragment, part);
            }
            else
            {
                m_framesArrived.emplace(
                    m_network.NodeId(i), header.source, header.burst, header.fragment);
            }
        });
    }

    /// @return how to send the next message
    SendOptions
    DrawOptions()
    {
        SendOptions options(::tests::POLICIES[m_random->GetInteger(0, 3)]);
        options.priority = m_random->GetInteger(0, 2);
        options.maxAttempts = m_random->GetInteger(0, 2);
        if (m_random->GetValue() < 0.3) // some have passed already
        {
            options.deadline =
                Simulator::Now() + MicroSeconds(m_random->GetInteger(0, 400000)) - MilliSeconds(20);
        }
        return options;
    }

    /// @return something to send
    std::shared_ptr<const Payload>
    DrawPayload(bool divisible)
    {
        const uint32_t bytes = m_random->GetInteger(1, 20000);
        if (divisible)
        {
            return NumberedUnits::Make(1 + bytes / m_unitBytes, m_unitBytes);
        }
        return BytesPayload::Make(bytes);
    }

    /// @return some of the other devices
    std::shared_ptr<std::vector<uint32_t>>
    DrawGroup(uint32_t from)
    {
        auto group = std::make_shared<std::vector<uint32_t>>();
        for (uint32_t i = 0; i < RADIOS; ++i)
        {
            if (i != from && m_random->GetValue() < 0.5)
            {
                group->push_back(m_network.NodeId(i));
            }
        }
        return group;
    }

    /// A device sends something to another one, to some or to all, and perhaps takes it back.
    void
    Send()
    {
        const uint32_t from = m_random->GetInteger(0, RADIOS - 1);
        const uint32_t to = (from + m_random->GetInteger(1, RADIOS - 1)) % RADIOS;
        const double whom = m_random->GetValue();
        const auto group = DrawGroup(from);
        SendOptions options = DrawOptions();
        const bool divisible =
            options.policy == LossPolicy::PARTIAL || options.policy == LossPolicy::PARTIAL_RELIABLE;
        const MessageContent content = {divisible ? UNITS : WHOLE, 0, DrawPayload(divisible)};
        Ptr<Transport> transport = Transmitter(from);
        // Noted before, since a message may end within the call
        const uint32_t number = ++m_sent[from];
        const MessageId id(transport->GetDeviceId(), number);
        m_intended[id] = whom < 0.3   ? m_inRange[from]
                         : whom < 0.5 ? std::set<uint32_t>(group->begin(), group->end())
                                      : std::set<uint32_t>{m_network.NodeId(to)};
        m_bytes[id] = 23 + content.payload->WireSize();
        options.delivered = [this, id](const DeliveryReport& report) {
            EXPECT_EQ(report.sequence, id.second);
            EXPECT_TRUE(m_reported.insert(id).second) << "reported twice";
        };
        EXPECT_EQ(whom < 0.3   ? transport->Broadcast(content, options)
                  : whom < 0.5 ? transport->Multicast(group, content, options)
                               : transport->Send(m_network.NodeId(to), content, options),
                  number);
        if (m_random->GetValue() < 0.2)
        {
            Simulator::Schedule(MicroSeconds(m_random->GetInteger(0, 300000)),
                                [transport, number]() { transport->Cancel(number); });
        }
    }

    Ptr<UniformRandomVariable> m_random =
        CreateObject<UniformRandomVariable>();        //!< of traffic and links
    std::map<uint32_t, std::set<uint32_t>> m_inRange; //!< nodes in range of each device
    std::map<uint32_t, uint32_t> m_sent;              //!< messages of each device
    std::set<MessageId> m_reported;                   //!< messages that were reported to be over
    std::map<uint32_t, double> m_transmits;           //!< part of the time that each transmits
    std::map<uint32_t, Time> m_since;                 //!< since when
};

/// @return the first outcome of each message, by sender
std::map<uint32_t, std::vector<MessageOutcome>>
FindMessages(const std::vector<MessageOutcome>& outcomes)
{
    std::set<MessageId> seen;
    std::map<uint32_t, std::vector<MessageOutcome>> messages;
    for (const auto& outcome : outcomes)
    {
        if (seen.emplace(outcome.sender, outcome.sequence).second)
        {
            messages[outcome.sender].push_back(outcome);
        }
    }
    return messages;
}

/// What must hold of random messages, over a kind of radio
class MessageConservationTest : public SimulatorTest, public testing::WithParamInterface<Radio>
{
  protected:
    /// Each message has one outcome at each of its receivers
    static void
    CheckReceivers(const RandomMessages& traffic)
    {
        EXPECT_EQ(traffic.m_intended.size(), static_cast<std::size_t>(RADIO_MESSAGES));
        std::map<MessageId, std::set<uint32_t>> told;
        for (const auto& outcome : traffic.m_outcomes)
        {
            const MessageId id(outcome.sender, outcome.sequence);
            EXPECT_TRUE(told[id].insert(outcome.receiver).second) << "twice";
            EXPECT_EQ(outcome.bytes, traffic.m_bytes.at(id));
        }
        for (const auto& [id, receivers] : traffic.m_intended)
        {
            EXPECT_EQ(told[id], receivers) << "message " << id.second << " of " << id.first;
        }
    }

    /// Outcomes say what protocols got
    void
    CheckOutcomes(const RandomMessages& traffic)
    {
        std::size_t delivered = 0;
        for (const auto& outcome : traffic.m_outcomes)
        {
            const auto arrival =
                traffic.m_arrivals.find({outcome.sender, outcome.sequence, outcome.receiver});
            const bool arrived = arrival != traffic.m_arrivals.end();
            EXPECT_EQ(outcome.delivered, arrived);
            EXPECT_EQ(outcome.units - outcome.lostUnits, arrived ? arrival->second : 0U);
            const bool complete = outcome.delivered && outcome.lostUnits == 0;
            EXPECT_EQ(outcome.reason.empty(), complete) << outcome.reason;
            EXPECT_LE(outcome.lostFragments, outcome.fragments);
            EXPECT_LE(outcome.fragments - outcome.lostFragments, outcome.attempts);
            EXPECT_TRUE(!complete || outcome.lostFragments == 0);
            EXPECT_GE(outcome.end, outcome.start);
            EXPECT_GE(outcome.start, outcome.queued);
            EXPECT_TRUE(outcome.reason != "run-ended" || outcome.end == MicroSeconds(MICROSECONDS));
            delivered += outcome.delivered;
            ++m_met[outcome.reason + (outcome.attempts > 0 ? "" : " unsent")];
        }
        EXPECT_EQ(delivered, traffic.m_arrivals.size());
    }

    /// Airtime and joules of messages are those of the radios
    static void
    CheckAirtime(const RandomMessages& traffic)
    {
        const bool hasCycles = GetParam().fidelity == "Burst" && GetParam().arq == "StopAndWait";
        const auto messages = FindMessages(traffic.m_outcomes);
        for (uint32_t i = 0; i < RADIOS; ++i)
        {
            Time airtime;
            for (const auto& message : messages.at(traffic.m_network.NodeId(i)))
            {
                EXPECT_EQ(message.airtime.IsZero(), message.attempts == 0);
                airtime += message.airtime;
            }
            // Shares of time of a duty cycle are rounded to time steps
            EXPECT_NEAR(airtime.GetTimeStep(), traffic.m_onAir.at(i), hasCycles ? 10 : 0);
            const auto model = traffic.m_network.Device(i)->GetObject<D2dRadioEnergyModel>();
            const double joules =
                traffic.m_network.Energy(i)[static_cast<std::size_t>(EnergyKind::TX)];
            // A battery that runs empty in the midst of a duty cycle does so within a fragment
            const Time fragment =
                !hasCycles || i + 1 < RADIOS
                    ? Time()
                    : traffic.m_network.Device(i)->GetPhy()->GetFragmentation(1e6).airtime;
            EXPECT_NEAR(joules,
                        airtime.GetSeconds() * model->GetTxPowerW(),
                        1e-6 + fragment.GetSeconds() * model->GetTxPowerW());
        }
    }

    /// Bytes that are sent are those on air
    void
    CheckBytes(const RandomMessages& traffic)
    {
        const auto messages = FindMessages(traffic.m_outcomes);
        for (uint32_t i = 0; i < RADIOS; ++i)
        {
            uint64_t bytes = 0;
            for (const auto& message : messages.at(traffic.m_network.NodeId(i)))
            {
                EXPECT_EQ(message.bytesSent == 0, message.attempts == 0);
                EXPECT_LE(message.bytesSent, message.bytes);
                EXPECT_TRUE(message.bytesSent == message.bytes ||
                            message.attempts < message.fragments ||
                            (message.lostFragments > 0 && GetParam().arq == "StopAndWait"));
                bytes += message.bytesSent;
                m_cut += message.bytesSent > 0 && message.bytesSent < message.bytes;
            }
            EXPECT_EQ(traffic.Transmitter(i)->GetBytesSent(), bytes);
        }
    }

    /// Frames on air are those of the outcomes, where each fragment is a frame
    static void
    CheckFrames(const RandomMessages& traffic)
    {
        std::size_t frames = 0;
        std::map<uint32_t, uint64_t> bytes; // by node
        for (const auto& report : traffic.m_network.Reports())
        {
            const auto found = traffic.m_frames.find({report.burst->source, report.burst->id});
            uint64_t sent = 0;
            if (found != traffic.m_frames.end())
            {
                EXPECT_EQ(report.attempts, found->second.size());
                frames += found->second.size();
                sent = report.burst->division.headerBytes;
                const std::map<uint32_t, uint32_t> once(found->second.begin(), found->second.end());
                for (const auto& [fragment, part] : once)
                {
                    sent += part - report.burst->division.headerBytes;
                }
            }
            bytes[report.senderNode] += std::min<uint64_t>(sent, report.burst->packet->GetSize());
        }
        std::size_t attempts = 0;
        for (const auto& [sender, messages] : FindMessages(traffic.m_outcomes))
        {
            for (const auto& message : messages)
            {
                attempts += message.attempts;
            }
        }
        EXPECT_EQ(attempts, frames);
        for (uint32_t i = 0; i < RADIOS; ++i)
        {
            EXPECT_EQ(traffic.Transmitter(i)->GetBytesSent(), bytes[traffic.m_network.NodeId(i)]);
        }
        std::size_t arrived = 0;
        for (const auto& outcome : traffic.m_outcomes)
        {
            arrived += outcome.fragments - outcome.lostFragments;
        }
        EXPECT_EQ(arrived, traffic.m_framesArrived.size());
    }

    std::map<std::string, int> m_met; //!< outcomes by reason, "unsent" if never on air
    uint64_t m_cut = 0;               //!< messages that were sent in part
};

INSTANTIATE_TEST_SUITE_P(Radios,
                         MessageConservationTest,
                         testing::Values(Radio{"Packet", "Ofdma", "StopAndWait"},
                                         Radio{"Packet", "Ofdma", "SelectiveRepeat"},
                                         Radio{"Burst", "Ofdma", "StopAndWait"},
                                         Radio{"Burst", "Ofdma", "SelectiveRepeat"},
                                         Radio{"Packet", "Tdma", "StopAndWait"},
                                         Radio{"Burst", "Tdma", "SelectiveRepeat"},
                                         Radio{"Packet", "Shared", "StopAndWait"},
                                         Radio{"Packet", "Shared", "SelectiveRepeat"}));

} // namespace

TEST_P(MessageConservationTest, AllThatIsSentEndsOnceAndIsAccountedFor)
{
    for (uint32_t run = 1; run <= 6; ++run)
    {
        SCOPED_TRACE(run);
        RngSeedManager::SetRun(run);
        const RandomMessages traffic(GetParam(), run);
        CheckReceivers(traffic);
        CheckOutcomes(traffic);
        CheckAirtime(traffic);
        CheckBytes(traffic);
        if (GetParam().fidelity == "Packet")
        {
            CheckFrames(traffic);
        }
    }
    EXPECT_GT(m_cut, 5U) << "the traffic shall meet it";
    for (const std::string reason : {"",
                                     "outage",
                                     "attempts",
                                     "out-of-range",
                                     "receiver-off",
                                     "transmitter-off",
                                     "transmitter-off unsent",
                                     "queue-full unsent",
                                     "deadline",
                                     "deadline unsent",
                                     "cancelled",
                                     "cancelled unsent",
                                     "run-ended",
                                     "run-ended unsent"})
    {
        EXPECT_GT(m_met[reason], 0) << '"' << reason << "\": the traffic shall meet it";
    }
}

TEST_P(MessageConservationTest, PayloadModesLeadToTheSame)
{
    for (uint32_t run = 1; run <= 2; ++run)
    {
        std::vector<std::string> descriptions;
        for (const std::string mode : {"Reference", "Bytes"})
        {
            RngSeedManager::SetRun(run);
            descriptions.push_back(RandomMessages(GetParam(), run, mode).Describe());
        }
        EXPECT_GT(descriptions[0].size(), 5000U);
        EXPECT_EQ(descriptions[0], descriptions[1]);
    }
}
