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

#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <set>
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
constexpr uint32_t UNIT_BYTES = 100;
constexpr int RADIO_MESSAGES = 160;
constexpr int MICROSECONDS = 4000000; // of a run

/// A radio, by attributes of its device and channel
struct Radio
{
    std::string fidelity; //!< "Packet" or "Burst"
    std::string access;   //!< "Ofdma", "Shared" or "Tdma"
    std::string arq;      //!< "StopAndWait" or "SelectiveRepeat"
};

/// @param out where to print a radio to
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
    /// @param radio kind of radio
    /// @param run random numbers
    RandomMessages(const Radio& radio, uint32_t run)
        : m_network(RADIOS,
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
        Simulator::Stop(MicroSeconds(MICROSECONDS));
        Simulator::Run();
        for (uint32_t i = 0; i < RADIOS; ++i)
        {
            m_onAir[i] += m_transmits[i] * (Simulator::Now() - m_since[i]).GetTimeStep();
            m_since[i] = Simulator::Now(); // what is put right at the end of the run is told too
            m_network.Source(i)->UpdateEnergySource();
            Transmitter(i)->EndRun();
        }
    }

    /// @param i index of a device
    /// @return its transport
    Ptr<Transport>
    Transmitter(uint32_t i) const
    {
        return m_network.Device(i)->GetNode()->GetObject<Transport>();
    }

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
    /// @param action what to do at a random time
    void
    Schedule(std::function<void()> action)
    {
        Simulator::Schedule(MicroSeconds(m_random->GetInteger(0, MICROSECONDS)), std::move(action));
    }

    /// @param begin what to do at a random time
    /// @param end what to do some time later
    void
    Pause(const std::function<void()>& begin, const std::function<void()>& end)
    {
        const Time duration = MilliSeconds(m_random->GetInteger(1, 150));
        Schedule([begin, end, duration]() {
            begin();
            Simulator::Schedule(duration, end);
        });
    }

    /// @brief Give every link an outage, or none, or put it out of range.
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

    /// @param i index of a device whose messages and radio are to be followed
    void
    Listen(uint32_t i)
    {
        const uint32_t id = m_network.NodeId(i);
        const auto receive = [this, id](const Message& message) {
            const bool isNew = m_arrivals
                                   .emplace(std::make_tuple(message.sender, message.sequence, id),
                                            message.units.size())
                                   .second;
            EXPECT_TRUE(isNew) << "delivered twice";
        };
        Transmitter(i)->RegisterKind(WHOLE, "whole", BytesPayload::Parse, receive);
        Transmitter(i)->RegisterKind(UNITS, "units", NumberedUnits::ParserFor(UNIT_BYTES), receive);
        Transmitter(i)->TraceConnectWithoutContext(
            "Outcome", Callback<void, const MessageOutcome&>([this](const MessageOutcome& outcome) {
                m_outcomes.push_back(outcome);
            }));
        m_network.Device(i)->GetPhy()->TraceConnectWithoutContext(
            "Activity",
            Callback<void, const D2dRadioActivity&>([this, i](const D2dRadioActivity& activity) {
                m_onAir[i] += m_transmits[i] * (Simulator::Now() - m_since[i]).GetTimeStep();
                m_onAir[i] += activity.correction.transmitting.GetTimeStep();
                m_transmits[i] = activity.transmitting > 0 ? 1 : activity.cycle.transmitting;
                m_since[i] = Simulator::Now();
            }));
        m_network.Device(i)->GetPhy()->TraceConnectWithoutContext(
            "Sniffer", Callback<void, Ptr<const Packet>>([this, i](Ptr<const Packet> frame) {
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
            }));
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

    /// @brief A device sends something to another one or to all, and perhaps takes it back.
    void
    Send()
    {
        const uint32_t from = m_random->GetInteger(0, RADIOS - 1);
        const uint32_t to = (from + m_random->GetInteger(1, RADIOS - 1)) % RADIOS;
        const bool all = m_random->GetValue() < 0.5;
        const SendOptions options = DrawOptions();
        const bool divisible =
            options.policy == LossPolicy::PARTIAL || options.policy == LossPolicy::PARTIAL_RELIABLE;
        const uint32_t units = m_random->GetInteger(1, 200);
        std::shared_ptr<const Payload> payload;
        if (divisible)
        {
            payload = NumberedUnits::Make(units, UNIT_BYTES);
        }
        else
        {
            payload = BytesPayload::Make(units * UNIT_BYTES + m_random->GetInteger(0, 99));
        }
        const uint16_t kind = divisible ? UNITS : WHOLE;
        Ptr<Transport> transport = Transmitter(from);
        // Noted before, since a message may end within the call
        const uint32_t number = ++m_sent[from];
        const MessageId id(transport->GetDeviceId(), number);
        m_intended[id] = all ? m_inRange[from] : std::set<uint32_t>{m_network.NodeId(to)};
        m_bytes[id] = 23 + payload->WireSize();
        EXPECT_EQ(all ? transport->Broadcast({kind, 0, payload}, options)
                      : transport->Send(m_network.NodeId(to), {kind, 0, payload}, options),
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
    std::map<uint32_t, double> m_transmits;           //!< part of the time that each transmits
    std::map<uint32_t, Time> m_since;                 //!< since when
};

/// @param outcomes what is told of all messages
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
        {
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
        Simulator::Destroy();
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
