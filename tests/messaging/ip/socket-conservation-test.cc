/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging/ip/socket-network.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>

using namespace ns3;
using namespace ns3::collab;
using ::tests::BytesPayload;
using ::tests::MessageId;
using ::tests::NumberedUnits;

namespace
{

constexpr uint32_t DEVICES = 4;
constexpr uint32_t MESSAGES = 120;
constexpr uint32_t LATE = 30;
constexpr uint32_t MESSAGE_HEADER = 23;

/// Random messages over lossy links, until the simulation ends in the middle of them
class SocketConservationTest : public ::tests::SocketNetwork,
                               public ::testing::WithParamInterface<const char*>
{
  protected:
    void
    Play(uint32_t run)
    {
        MakeDevices(
            fmt::format("transport={} devices={} loss=0.1 rate=2Mbps run={} {}",
                        GetParam(),
                        DEVICES,
                        run,
                        GetParam() == std::string("udp") ? "PacingRate=1Mbps MaxAttempts=3" : ""));
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(run);
        m_intended.clear();
        m_bytes.clear();
        m_sent.clear();
        Send(); // before the simulation begins
        for (uint32_t i = 1; i < MESSAGES; ++i)
        {
            // A few so late that sockets take no more of them before the end
            const int64_t first = i < MESSAGES - LATE ? 0 : 4990;
            Simulator::Schedule(MilliSeconds(m_random->GetInteger(first, 5000)),
                                [this]() { Send(); });
        }
        ::tests::RunFor(Seconds(5));
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            GetTransport(i)->EndRun();
        }
    }

    /// A device sends something to another one or to all, and perhaps takes it back.
    void
    Send()
    {
        const uint32_t from = m_random->GetInteger(0, DEVICES - 1);
        const uint32_t to = (from + m_random->GetInteger(1, DEVICES - 1)) % DEVICES;
        const bool all = m_random->GetValue() < 0.4;
        SendOptions options(::tests::POLICIES[m_random->GetInteger(0, 3)]);
        options.priority = m_random->GetInteger(0, 2);
        if (m_random->GetValue() < 0.3) // some have passed already
        {
            options.deadline =
                Simulator::Now() + MilliSeconds(m_random->GetInteger(0, 400)) - MilliSeconds(20);
        }
        const bool divisible =
            options.policy == LossPolicy::PARTIAL || options.policy == LossPolicy::PARTIAL_RELIABLE;
        const uint32_t size = m_random->GetInteger(1, 200);
        std::shared_ptr<const Payload> payload = BytesPayload::Make(100 * size);
        if (divisible)
        {
            payload = NumberedUnits::Make(size, 100);
        }
        Ptr<Transport> transport = GetTransport(from);
        const MessageId id(GetId(from), ++m_sent[from]);
        for (uint32_t peer = 0; peer < DEVICES; ++peer)
        {
            if (peer != from && (all || peer == to))
            {
                m_intended[id].insert(GetId(peer));
            }
        }
        m_bytes[id] = MESSAGE_HEADER + 100 * size;
        EXPECT_EQ(all ? transport->Broadcast({::tests::KIND, 1, payload}, options)
                      : transport->Send(GetId(to), {::tests::KIND, 1, payload}, options),
                  id.second);
        if (m_random->GetValue() < 0.2)
        {
            Simulator::Schedule(MilliSeconds(m_random->GetInteger(0, 300)),
                                [transport, number = id.second]() { transport->Cancel(number); });
        }
    }

    Ptr<UniformRandomVariable> m_random;                //!< of the messages
    std::map<MessageId, std::set<uint32_t>> m_intended; //!< receivers of each message
    std::map<MessageId, uint64_t> m_bytes;              //!< size of each message
    std::map<uint32_t, uint32_t> m_sent;                //!< messages of each device
};

INSTANTIATE_TEST_SUITE_P(Transports, SocketConservationTest, ::testing::Values("udp", "tcp"));

} // namespace

TEST_P(SocketConservationTest, AllThatIsSentEndsOnceAndIsAccountedFor)
{
    std::map<std::string, int> met;
    for (uint32_t run = 1; run <= 4; ++run)
    {
        SCOPED_TRACE(run);
        Play(run);
        std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::size_t> arrived;
        for (const auto& arrival : m_arrivals)
        {
            const auto& message = arrival.message;
            EXPECT_TRUE(
                arrived
                    .emplace(std::make_tuple(message.sender, message.sequence, arrival.device),
                             message.units.size())
                    .second);
        }
        std::map<MessageId, std::set<uint32_t>> told;
        std::map<MessageId, uint64_t> bytes; // sent
        std::size_t delivered = 0;
        int cut = 0;
        for (const auto& outcome : m_outcomes)
        {
            const MessageId id(outcome.sender, outcome.sequence);
            EXPECT_TRUE(told[id].insert(outcome.receiver).second) << "twice";
            EXPECT_EQ(outcome.bytes, m_bytes.at(id));
            const auto found = arrived.find({id.first, id.second, outcome.receiver});
            EXPECT_EQ(outcome.delivered, found != arrived.end());
            EXPECT_EQ(outcome.units - outcome.lostUnits,
                      found != arrived.end() ? found->second : 0U);
            EXPECT_EQ(outcome.reason.empty(), outcome.delivered && outcome.lostUnits == 0);
            EXPECT_LE(outcome.bytesSent, outcome.bytes);
            EXPECT_EQ(outcome.bytesSent == 0, outcome.attempts == 0);
            EXPECT_TRUE(outcome.bytesSent == outcome.bytes || outcome.attempts < outcome.fragments);
            bytes[id] = outcome.bytesSent;
            cut += outcome.bytesSent > 0 && outcome.bytesSent < outcome.bytes;
            delivered += outcome.delivered;
            ++met[outcome.reason + (outcome.attempts > 0 ? "" : " unsent")];
        }
        EXPECT_EQ(told, m_intended);
        EXPECT_EQ(told.size(), MESSAGES);
        EXPECT_EQ(delivered, m_arrivals.size());
        EXPECT_EQ(cut > 0, GetParam() == std::string("udp")) << "TCP sends all of what it begins";
        std::map<uint32_t, uint64_t> sent;
        for (const auto& [id, number] : bytes)
        {
            sent[id.first] += number;
        }
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            EXPECT_EQ(GetTransport(i)->GetBytesSent(), sent[GetId(i)]);
        }
    }
    for (const std::string reason :
         {"", "cancelled unsent", "deadline unsent", "run-ended", "run-ended unsent"})
    {
        EXPECT_GT(met[reason], 0) << '"' << reason << "\": the messages shall meet it";
    }
}
