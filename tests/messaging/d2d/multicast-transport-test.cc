/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Messages to a group of devices over D2D radios.
 */

#include "messaging/test-payloads.h"
#include "support/device-network.h"

#include "ns3/collab-message-header.h"
#include "ns3/random-variable-stream.h"

#include <gmock/gmock.h>
#include <sstream>
#include <tuple>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::tests::KIND;
using ::tests::NumberedUnits;

namespace
{

constexpr uint32_t GROUP_UNIT_BYTES = 60;

/// Fidelity and payload mode
using RadioModes = std::tuple<const char*, const char*>;

class MulticastTransportTest : public ::tests::DeviceNetwork,
                               public ::testing::WithParamInterface<RadioModes>
{
  protected:
    /// @param devices their number
    /// @param outage of each link
    void
    Make(uint32_t devices, double outage)
    {
        Options options;
        options.devices = devices;
        options.outage = outage;
        options.fidelity = std::get<0>(GetParam());
        options.payloadMode = std::get<1>(GetParam());
        MakeDevices(options);
        for (uint32_t i = 0; i < devices; ++i)
        {
            Listen(i);
        }
    }

    /// @param i index of a device whose messages are recorded
    void
    Listen(uint32_t i)
    {
        GetTransport(i)->RegisterKind(
            KIND,
            "units",
            NumberedUnits::ParserFor(GROUP_UNIT_BYTES),
            [this, i](const Message& message) {
                m_hearers.push_back(i);
                const auto& payload = static_cast<const NumberedUnits&>(*message.payload);
                m_trace << Simulator::Now() << " rx " << i << ' ' << message.sender - GetId(0)
                        << ' ' << message.sequence << ' ' << payload.GetUnits().size() << '\n';
            });
        GetTransport(i)->TraceConnectWithoutContext(
            "Outcome", Callback<void, const MessageOutcome&>([this](const MessageOutcome& o) {
                m_outcomes.push_back(o);
                m_trace << Simulator::Now() << " end " << o.sender - GetId(0) << ' '
                        << o.receiver - GetId(0) << ' ' << o.sequence << ' ' << o.lostFragments
                        << ' ' << o.attempts << ' ' << o.lostUnits << ' ' << o.start << ' ' << o.end
                        << ' ' << o.airtime << ' ' << o.reason << '\n';
            }));
        GetTransport(i)->TraceConnectWithoutContext(
            "Reject",
            Callback<void, uint32_t, const std::string&>(
                [](uint32_t, const std::string& reason) { ADD_FAILURE() << reason; }));
    }

    /// @param device index of a device
    /// @return its number
    uint32_t
    GetId(uint32_t device) const
    {
        return m_nodes.Get(device)->GetId();
    }

    /// @param members indices of devices, ascending
    /// @return their numbers
    DeviceGroup
    MakeGroup(const std::vector<uint32_t>& members) const
    {
        std::vector<uint32_t> numbers;
        for (const uint32_t member : members)
        {
            numbers.push_back(GetId(member));
        }
        return std::make_shared<const std::vector<uint32_t>>(std::move(numbers));
    }

    /// @param policy what to do about loss
    /// @return how to send, and to keep the report
    SendOptions
    Report(LossPolicy policy)
    {
        return {policy, [this](const DeliveryReport& report) { m_reports.push_back(report); }};
    }

    /// @brief Let four devices send for a while, of each kind of policy, to all others.
    /// @param isBroadcast whether they broadcast, or name the others
    void
    Play(bool isBroadcast)
    {
        Make(4, 0.3);
        for (uint32_t i = 0; i < 80; ++i)
        {
            const uint32_t from = i % 4;
            std::vector<uint32_t> others = {0, 1, 2, 3};
            others.erase(others.begin() + from);
            const auto send = [this,
                               i,
                               from,
                               isBroadcast,
                               group = MakeGroup(others),
                               policy = ::tests::POLICIES[i / 4 % 4]]() {
                const auto payload = NumberedUnits::Make(1 + i, GROUP_UNIT_BYTES);
                isBroadcast
                    ? GetTransport(from)->Broadcast({KIND, i, payload}, Report(policy))
                    : GetTransport(from)->Multicast(group, {KIND, i, payload}, Report(policy));
            };
            Simulator::Schedule(MilliSeconds(3 * i), send);
        }
        RunFor(100);
        for (const auto& report : m_reports)
        {
            m_trace << "report " << report.sequence << ' ' << report.finished << ' '
                    << report.acknowledged.size() << '\n';
        }
        for (uint32_t i = 0; i < 4; ++i)
        {
            m_trace << "sent " << GetTransport(i)->GetBytesSent() << '\n';
        }
    }

    /// @param seconds that are simulated
    static void
    RunFor(double seconds)
    {
        Simulator::Stop(Seconds(seconds));
        Simulator::Run();
    }

    /// @return what was traced; and forget it
    std::string
    TakeTrace()
    {
        const std::string trace = m_trace.str();
        TearDown();
        m_trace.str("");
        m_reports.clear();
        return trace;
    }

    std::vector<uint32_t> m_hearers;        //!< devices that got a message, in the order of that
    std::vector<MessageOutcome> m_outcomes; //!< what became of all
    std::vector<DeliveryReport> m_reports;  //!< what the senders were told
    std::ostringstream m_trace;             //!< all of it, as text
};

INSTANTIATE_TEST_SUITE_P(Modes,
                         MulticastTransportTest,
                         ::testing::Combine(::testing::Values("Packet", "Burst"),
                                            ::testing::Values("Reference", "Bytes")));

} // namespace

TEST_P(MulticastTransportTest, ReachesSomeByOneTransmission)
{
    Make(5, 0);
    const auto payload = NumberedUnits::Make(100, GROUP_UNIT_BYTES);
    GetTransport(2)->Multicast(MakeGroup({0, 3}), {KIND, 1, payload}, Report(LossPolicy::RELIABLE));
    RunFor(10);
    EXPECT_THAT(m_hearers, ::testing::UnorderedElementsAre(0, 3));
    ASSERT_EQ(m_outcomes.size(), 2U);
    EXPECT_EQ(m_outcomes[0].receiver, GetId(0));
    EXPECT_EQ(m_outcomes[1].receiver, GetId(3));
    EXPECT_EQ(m_outcomes[0].attempts, m_outcomes[0].fragments);
    EXPECT_EQ(m_outcomes[0].kindName, "units");
    EXPECT_EQ(GetTransport(2)->GetBytesSent(), 6000U + MessageHeader::SIZE);
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_THAT(m_reports[0].acknowledged, ElementsAre(GetId(0), GetId(3)));
}

TEST_P(MulticastTransportTest, ToAllIsABroadcast)
{
    Play(true);
    const std::string broadcast = TakeTrace();
    EXPECT_GT(broadcast.size(), 5000U);
    Play(false);
    EXPECT_EQ(TakeTrace(), broadcast);
}

TEST_P(MulticastTransportTest, ToNobodyIsReportedAndNotSent)
{
    Make(3, 0);
    const uint32_t sequence =
        GetTransport(0)->Multicast(MakeGroup({}), {KIND, 1, nullptr}, Report(LossPolicy::RELIABLE));
    EXPECT_THAT(m_reports, IsEmpty()) << "not within the call";
    RunFor(10);
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_EQ(m_reports[0].sequence, sequence);
    EXPECT_FALSE(m_reports[0].cancelled);
    EXPECT_THAT(m_reports[0].acknowledged, IsEmpty());
    EXPECT_THAT(m_outcomes, IsEmpty());
    EXPECT_EQ(GetTransport(0)->GetBytesSent(), 0U);
}

TEST_P(MulticastTransportTest, ToOneReportsItsUnits)
{
    Make(3, 0);
    GetTransport(0)->Multicast(MakeGroup({2}),
                               {KIND, 1, NumberedUnits::Make(3, GROUP_UNIT_BYTES)},
                               Report(LossPolicy::PARTIAL_RELIABLE));
    RunFor(10);
    EXPECT_THAT(m_hearers, ElementsAre(2));
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_THAT(m_reports[0].acknowledged, ElementsAre(GetId(2)));
    EXPECT_THAT(m_reports[0].acknowledgedUnits, ElementsAre(0, 1, 2));
}

TEST_P(MulticastTransportTest, DeadMembersDoNotAcknowledge)
{
    Make(4, 0);
    GetRadio(1)->GetMac()->SwitchOff();
    GetTransport(0)->Multicast(MakeGroup({1, 2}),
                               {KIND, 1, NumberedUnits::Make(3, GROUP_UNIT_BYTES)},
                               Report(LossPolicy::RELIABLE));
    RunFor(100);
    EXPECT_THAT(m_hearers, ElementsAre(2));
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_THAT(m_reports[0].acknowledged, ElementsAre(GetId(2)));
    ASSERT_EQ(m_outcomes.size(), 2U);
    EXPECT_EQ(m_outcomes[0].reason, "receiver-off");
    EXPECT_TRUE(m_outcomes[1].delivered);
}

TEST_P(MulticastTransportTest, CanBeCancelledWhileItWaits)
{
    Make(3, 0);
    const auto payload = NumberedUnits::Make(1000, GROUP_UNIT_BYTES);
    GetTransport(0)->Broadcast({KIND, 1, payload});
    const uint32_t sequence = GetTransport(0)->Multicast(MakeGroup({1, 2}), {KIND, 1, payload});
    EXPECT_TRUE(GetTransport(0)->Cancel(sequence));
    ASSERT_EQ(m_outcomes.size(), 2U);
    EXPECT_EQ(m_outcomes[1].receiver, GetId(2));
    EXPECT_EQ(m_outcomes[1].reason, "cancelled");
}

TEST_P(MulticastTransportTest, GroupsAreAscendingAndWithoutTheSender)
{
    Make(3, 0);
    const auto send = [this](const std::vector<uint32_t>& members) {
        GetTransport(1)->Multicast(MakeGroup(members), {KIND, 1, nullptr});
    };
    EXPECT_DEATH(send({2, 0}), "not ascending");
    EXPECT_DEATH(send({2, 2}), "not ascending");
    EXPECT_DEATH(send({0, 1}), "not another device");
    EXPECT_DEATH(GetTransport(1)->Multicast(nullptr, {KIND, 1, nullptr}), "no list of receivers");
}
