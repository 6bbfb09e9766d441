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

#include <gmock/gmock.h>
#include <tuple>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::tests::KIND;
using ::tests::NumberedUnits;
using ::tests::RunFor;

namespace
{

constexpr uint32_t GROUP_UNIT_BYTES = 60;

/// Fidelity and payload mode
using RadioModes = std::tuple<const char*, const char*>;

class MulticastTransportTest : public ::tests::DeviceNetwork,
                               public ::testing::WithParamInterface<RadioModes>
{
  protected:
    void
    Make(uint32_t devices)
    {
        Options options;
        options.devices = devices;
        options.fidelity = std::get<0>(GetParam());
        options.payloadMode = std::get<1>(GetParam());
        MakeDevices(options);
        WatchTransports();
        for (uint32_t i = 0; i < devices; ++i)
        {
            GetTransport(i)->RegisterKind(KIND,
                                          "units",
                                          NumberedUnits::ParserFor(GROUP_UNIT_BYTES),
                                          [this, i](const Message&) { m_hearers.push_back(i); });
        }
    }

    void
    TearDown() override
    {
        EXPECT_THAT(GetReasons(), IsEmpty());
        DeviceNetwork::TearDown();
    }

    /// @return devices, ascending
    static DeviceGroup
    MakeGroup(const std::vector<uint32_t>& members)
    {
        return std::make_shared<const std::vector<uint32_t>>(members);
    }

    /// @return how to send, and to keep the report
    SendOptions
    Report(LossPolicy policy)
    {
        return {policy, [this](const DeliveryReport& report) { m_reports.push_back(report); }};
    }

    std::vector<uint32_t> m_hearers;       //!< devices that got a message, in the order of that
    std::vector<DeliveryReport> m_reports; //!< what the senders were told
};

INSTANTIATE_TEST_SUITE_P(Modes,
                         MulticastTransportTest,
                         ::testing::Combine(::testing::Values("Packet", "Burst"),
                                            ::testing::Values("Reference", "Bytes")));

} // namespace

TEST_P(MulticastTransportTest, ReachesSomeByOneTransmission)
{
    Make(5);
    const auto payload = NumberedUnits::Make(100, GROUP_UNIT_BYTES);
    GetTransport(2)->Multicast(MakeGroup({0, 3}), {KIND, 1, payload}, Report(LossPolicy::RELIABLE));
    RunFor(Seconds(10));
    EXPECT_THAT(m_hearers, ::testing::UnorderedElementsAre(0, 3));
    ASSERT_EQ(m_outcomes.size(), 2U);
    EXPECT_EQ(m_outcomes[0].receiver, 0);
    EXPECT_EQ(m_outcomes[1].receiver, 3);
    EXPECT_EQ(m_outcomes[0].attempts, m_outcomes[0].fragments);
    EXPECT_EQ(m_outcomes[0].kindName, "units");
    EXPECT_EQ(GetTransport(2)->GetBytesSent(), 6000U + MessageHeader::SIZE);
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_THAT(m_reports[0].acknowledged, ElementsAre(0, 3));
}

TEST_P(MulticastTransportTest, ToNobodyIsReportedAndNotSent)
{
    Make(3);
    const uint32_t sequence =
        GetTransport(0)->Multicast(MakeGroup({}), {KIND, 1, nullptr}, Report(LossPolicy::RELIABLE));
    EXPECT_THAT(m_reports, IsEmpty()) << "not within the call";
    RunFor(Seconds(10));
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_EQ(m_reports[0].sequence, sequence);
    EXPECT_FALSE(m_reports[0].cancelled);
    EXPECT_THAT(m_reports[0].acknowledged, IsEmpty());
    EXPECT_THAT(m_outcomes, IsEmpty());
    EXPECT_EQ(GetTransport(0)->GetBytesSent(), 0U);
}

TEST_P(MulticastTransportTest, ToOneReportsItsUnits)
{
    Make(3);
    GetTransport(0)->Multicast(MakeGroup({2}),
                               {KIND, 1, NumberedUnits::Make(3, GROUP_UNIT_BYTES)},
                               Report(LossPolicy::PARTIAL_RELIABLE));
    RunFor(Seconds(10));
    EXPECT_THAT(m_hearers, ElementsAre(2));
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_THAT(m_reports[0].acknowledged, ElementsAre(2));
    EXPECT_THAT(m_reports[0].acknowledgedUnits, ElementsAre(0, 1, 2));
}

TEST_P(MulticastTransportTest, DeadMembersDoNotAcknowledge)
{
    Make(4);
    GetRadio(1)->GetMac()->SwitchOff();
    GetTransport(0)->Multicast(MakeGroup({1, 2}),
                               {KIND, 1, NumberedUnits::Make(3, GROUP_UNIT_BYTES)},
                               Report(LossPolicy::RELIABLE));
    RunFor(Seconds(100));
    EXPECT_THAT(m_hearers, ElementsAre(2));
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_THAT(m_reports[0].acknowledged, ElementsAre(2));
    ASSERT_EQ(m_outcomes.size(), 2U);
    EXPECT_EQ(m_outcomes[0].reason, "receiver-off");
    EXPECT_TRUE(m_outcomes[1].delivered);
}

TEST_P(MulticastTransportTest, CanBeCancelledWhileItWaits)
{
    Make(3);
    const auto payload = NumberedUnits::Make(1000, GROUP_UNIT_BYTES);
    GetTransport(0)->Broadcast({KIND, 1, payload});
    const uint32_t sequence = GetTransport(0)->Multicast(MakeGroup({1, 2}), {KIND, 1, payload});
    EXPECT_TRUE(GetTransport(0)->Cancel(sequence));
    ASSERT_EQ(m_outcomes.size(), 2U);
    EXPECT_EQ(m_outcomes[1].receiver, 2);
    EXPECT_EQ(m_outcomes[1].reason, "cancelled");
}

TEST_P(MulticastTransportTest, GroupsAreAscendingAndWithoutTheSender)
{
    Make(3);
    const auto send = [this](const std::vector<uint32_t>& members) {
        GetTransport(1)->Multicast(MakeGroup(members), {KIND, 1, nullptr});
    };
    EXPECT_DEATH(send({2, 0}), "not ascending");
    EXPECT_DEATH(send({2, 2}), "not ascending");
    EXPECT_DEATH(send({0, 1}), "not another device");
    EXPECT_DEATH(GetTransport(1)->Multicast(nullptr, {KIND, 1, nullptr}), "no list of receivers");
}
