/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Messages that nobody has sent, made of real ones at the moment at which those arrive. They cost
 * no airtime and no energy, so that a protocol that drops them has the very run that it has without
 * them, but for its count of refused messages.
 */

#include "contract/contract-test-case.h"
#include "messaging/test-payloads.h"

#include "ns3/collab-random.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

using namespace ns3;
using namespace ns3::collab;
using tests::ForgedMessage;
using tests::Protocol;
using tests::Strange;

namespace
{

constexpr uint32_t SAMPLES = 6;      //!< real messages of a kind that forgeries are made of
constexpr uint32_t STRANGER = 4711;  //!< number of no device
constexpr uint16_t NO_KIND = 0xFFFF; //!< of messages
constexpr uint32_t HEADER = 23;      //!< bytes before the payload

/// Makes forgeries of a real message
using Forger = std::function<std::vector<ForgedMessage>(const ForgedMessage& real)>;

/// What came of forgeries
struct Forged
{
    std::string trace;                       //!< of the run, without what was refused
    std::string results;                     //!< of the run: what all rounds have measured
    std::size_t messages = 0;                //!< forged ones
    std::map<uint16_t, std::size_t> ignored; //!< of these, neither read nor refused
    std::size_t refused = 0;                 //!< of these
};

/// Runs into which forged messages are put
class ForgedMessagesTest : public tests::ContractTest
{
  protected:
    /// @brief Run the protocol, with forgeries of some messages of each kind.
    /// @param delay after the real message
    Forged
    Play(const Forger& forge,
         const std::string& mode = "Bytes",
         Time delay = Time(),
         const tests::Attributes& attributes = {})
    {
        tests::ContractSetting setting;
        setting.devices.payloadMode = mode;
        setting.attributes = attributes;
        Make(setting);
        Forged result;
        std::map<std::pair<uint16_t, uint32_t>, uint32_t> used;
        bool isForging = false;
        const auto arrive = [&](uint32_t device, const ForgedMessage& message) {
            const std::size_t before = m_bench.m_refusals.size();
            isForging = true;
            m_bench.GetTap(device)->Arrive(message);
            isForging = false;
            ++result.messages;
            const bool isRefused = m_bench.m_refusals.size() > before;
            result.refused += isRefused ? 1 : 0;
            result.ignored[message.kind] += isRefused ? 0 : 1;
        };
        for (const uint32_t device : m_bench.Ids())
        {
            m_bench.GetTransport(device)->TraceConnectWithoutContext(
                "Rx",
                Callback<void, const Message&, uint64_t>([&, device](const Message& m, uint64_t) {
                    const auto end = m_bench.m_ends.find(device);
                    if (isForging || end != m_bench.m_ends.end() ||
                        used[{m.kind, device}]++ >= SAMPLES / 2)
                    {
                        return;
                    }
                    for (const auto& message : forge(Copy(m)))
                    {
                        delay.IsZero() ? arrive(device, message)
                                       : static_cast<void>(Simulator::Schedule(
                                             delay, [&arrive, device, message]() {
                                                 arrive(device, message);
                                             }));
                    }
                }));
        }
        Run();
        result.trace = m_bench.GetTrace(false);
        result.results = GetResults();
        EXPECT_TRUE(result.messages > 0 || !delay.IsZero());
        return result;
    }

    /// @return a real message, as it can be forged
    static ForgedMessage
    Copy(const Message& message)
    {
        ForgedMessage copy;
        copy.linkSender = message.sender;
        copy.sender = message.sender;
        copy.kind = message.kind;
        copy.round = message.round;
        copy.sequence = message.sequence;
        if (message.payload)
        {
            message.payload->Serialize(copy.bytes);
        }
        if (message.unitsSent > 0)
        {
            copy.units = message.units;
            copy.unitsSent = message.unitsSent;
        }
        return copy;
    }

    /// @return whether a metric is a result: no score, if that depends on when answers come
    static bool
    IsResult(const std::string& name)
    {
        const bool isScore = name.find("accuracy") == 0 || name.find("loss") == 0;
        return name != "messages_refused" &&
               !(isScore && GetParam().believes.count(Strange::QUESTIONS) > 0);
    }

    /// @return what all rounds have measured, whenever that was
    std::string
    GetResults() const
    {
        std::map<std::pair<uint32_t, uint32_t>, std::string> rounds;
        for (const auto& record : m_bench.m_rounds)
        {
            for (const auto& [name, value] : record.metrics)
            {
                if (IsResult(name))
                {
                    rounds[{record.device, record.round}] += fmt::format(" {}={}", name, value);
                }
            }
        }
        return ::testing::PrintToString(rounds);
    }

    /// @return the trace of a run without forgeries
    std::string
    PlayHonestly(const tests::Attributes& attributes = {})
    {
        tests::ContractSetting setting;
        setting.devices.payloadMode = "Bytes";
        setting.attributes = attributes;
        Make(setting);
        Run();
        ExpectAllDone();
        return m_bench.GetTrace(false);
    }

    /// @return kinds of messages in a run
    std::set<uint16_t>
    FindKinds()
    {
        Make();
        Run();
        std::set<uint16_t> kinds;
        for (const auto& traced : m_bench.m_sent)
        {
            kinds.insert(traced.message.kind);
        }
        return kinds;
    }

    /// Metrics must be finite where those of the honest run are, and all rounds be done
    void
    ExpectSane() const
    {
        ExpectAllDone();
        for (const auto& record : m_bench.m_rounds)
        {
            for (const auto& [name, value] : record.metrics)
            {
                EXPECT_FALSE(std::isinf(value)) << name;
            }
        }
    }
};

/// @return whether the protocol may believe such messages
bool
Believes(const Protocol& protocol, Strange strange)
{
    return protocol.believes.count(strange) > 0;
}

} // namespace

TEST_P(ForgedMessagesTest, WhatIsNoMessageIsDroppedAndCounted)
{
    const std::string honest = PlayHonestly();
    const Forged forged = Play([](const ForgedMessage& real) {
        std::vector<ForgedMessage> all(7 + HEADER, real);
        all[0].sender = STRANGER;
        all[1].linkSender = STRANGER;
        all[2].version = 1;
        all[3].kind = NO_KIND;
        all[4].extraBytes = 1;
        all[5].extraBytes = -1;
        all[6].unitsSent = real.unitsSent + 1000;
        for (uint32_t length = 0; length < HEADER; ++length)
        {
            all[7 + length].cutTo = length;
        }
        return all;
    });
    EXPECT_EQ(forged.refused, forged.messages);
    EXPECT_EQ(forged.trace, honest);
}

TEST_P(ForgedMessagesTest, TruncatedMessagesAreRefused)
{
    const auto cut = [](const ForgedMessage& real) {
        std::vector<ForgedMessage> all;
        constexpr std::size_t MOST = 64;
        const std::size_t whole = real.bytes.size();
        for (std::size_t length = 0; length <= whole + 1 && whole > 0; ++length)
        {
            if (length != whole && (length < MOST || length + MOST > whole))
            {
                all.push_back(real);
                all.back().bytes.resize(length);
            }
        }
        return all;
    };
    for (const auto& form : GetForms())
    {
        SCOPED_TRACE(form.name);
        const std::string honest = PlayHonestly(form.attributes);
        const Forged forged = Play(cut, "Bytes", Time(), form.attributes);
        ExpectSane();
        if (!Believes(GetParam(), Strange::PARTS))
        {
            EXPECT_EQ(forged.refused, forged.messages) << ::testing::PrintToString(forged.ignored);
            EXPECT_EQ(forged.trace, honest);
        }
    }
}

TEST_P(ForgedMessagesTest, PayloadsOfAnotherKindAreRefused)
{
    const Forged forged = Play(
        [](const ForgedMessage& real) {
            std::vector<ForgedMessage> all;
            if (real.unitsSent == 0 && !real.bytes.empty()) // units have a transport's own check
            {
                all = {real, real};
                all[0].handedOver = std::shared_ptr<const Payload>();
                all[1].handedOver = tests::BytesPayload::Make(real.bytes.size());
            }
            return all;
        },
        "Reference");
    EXPECT_EQ(forged.refused, forged.messages) << ::testing::PrintToString(forged.ignored);
    ExpectSane();
}

TEST_P(ForgedMessagesTest, NumbersThatAreNoneAreNotBelieved)
{
    const Forged all = Play([](const ForgedMessage& real) {
        std::vector<ForgedMessage> ones(real.bytes.empty() ? 0 : 1, real);
        for (auto& message : ones) // NaN in any precision, and the greatest integer
        {
            message.bytes.assign(real.bytes.size(), 0xFF);
        }
        return ones;
    });
    EXPECT_EQ(all.refused, all.messages) << ::testing::PrintToString(all.ignored);
    ExpectSane();
    for (const float number : {std::numeric_limits<float>::quiet_NaN(),
                               std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::lowest()})
    {
        Play([number](const ForgedMessage& real) {
            std::vector<ForgedMessage> words;
            for (std::size_t i = 0; i + sizeof(number) <= real.bytes.size() && i < 80; i += 2)
            {
                words.push_back(real);
                std::memcpy(&words.back().bytes[i], &number, sizeof(number));
            }
            return words;
        });
        ExpectSane();
    }
}

TEST_P(ForgedMessagesTest, StrangersAreNotHeard)
{
    const std::string honest = PlayHonestly();
    const Forged forged = Play([](const ForgedMessage& real) {
        ForgedMessage other = real;
        other.linkSender = other.sender = STRANGER;
        return std::vector<ForgedMessage>{other};
    });
    if (Believes(GetParam(), Strange::STRANGERS))
    {
        ExpectSane();
        return;
    }
    EXPECT_EQ(forged.trace, honest);
}

TEST_P(ForgedMessagesTest, RoundsThatAreNotInTheRunAreNotBelieved)
{
    const std::string honest = PlayHonestly();
    const Forged forged = Play([](const ForgedMessage& real) {
        std::vector<ForgedMessage> all(2, real);
        all[0].round = 1000;
        all[1].round = UINT32_MAX;
        return all;
    });
    EXPECT_TRUE(forged.refused == forged.messages || Believes(GetParam(), Strange::ROUNDS))
        << ::testing::PrintToString(forged.ignored);
    EXPECT_EQ(forged.trace, honest);
}

TEST_P(ForgedMessagesTest, WhatComesTwiceCountsOnce)
{
    PlayHonestly();
    const std::string results = GetResults();
    for (const Time& delay : {NanoSeconds(1), MilliSeconds(1), MilliSeconds(20)})
    {
        const Forged forged =
            Play([](const ForgedMessage& real) { return std::vector<ForgedMessage>{real}; },
                 "Bytes",
                 delay);
        ExpectSane();
        if (!Believes(GetParam(), Strange::DUPLICATES))
        {
            EXPECT_EQ(forged.results, results) << delay;
        }
    }
}

TEST_P(ForgedMessagesTest, EarlyAndLateMessagesHurtNobody)
{
    for (const int shift : {-1, 1, 2})
    {
        for (const Time& delay : {Time(), MilliSeconds(2)})
        {
            Play(
                [shift](const ForgedMessage& real) {
                    ForgedMessage other = real;
                    other.round += static_cast<uint32_t>(shift);
                    return std::vector<ForgedMessage>{other};
                },
                "Bytes",
                delay);
            EXPECT_EQ(m_bench.m_ends.size(), CountNodes());
        }
    }
}

TEST_P(ForgedMessagesTest, ForeignKindsHurtNobody)
{
    const std::set<uint16_t> kinds = FindKinds();
    const Forged forged = Play([&kinds](const ForgedMessage& real) {
        std::vector<ForgedMessage> all;
        for (const uint16_t kind : kinds)
        {
            if (kind != real.kind)
            {
                all.push_back(real);
                all.back().kind = kind;
            }
        }
        all.push_back(real); // each kind has one that is its own
        return all;
    });
    ExpectSane();
}

TEST_P(ForgedMessagesTest, AnyBytesHurtNobody)
{
    const std::set<uint16_t> kinds = FindKinds();
    for (const std::string mode : {"Bytes", "Reference"})
    {
        RandomGenerator generator(7);
        const Forged forged = Play(
            [&](const ForgedMessage& real) {
                std::vector<ForgedMessage> all;
                for (const uint16_t kind : kinds)
                {
                    all.push_back(real);
                    all.back().kind = kind;
                    all.back().bytes.resize(generator() % (2 * real.bytes.size() + 8));
                    for (auto& byte : all.back().bytes)
                    {
                        byte = static_cast<uint8_t>(generator() % 3 ? generator() : 255);
                    }
                }
                return all;
            },
            mode);
        EXPECT_GT(forged.refused, 0U);
        ExpectSane();
    }
}

INSTANTIATE_TEST_SUITE_P(Protocols,
                         ForgedMessagesTest,
                         ::testing::ValuesIn(tests::GetProtocols()),
                         [](const auto& info) { return info.param.name; });
