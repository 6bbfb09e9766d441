/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Messages to a group of devices over UDP and TCP, which send to one after the other.
 */

#include "messaging/ip/socket-network.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <tuple>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace
{

using ::tests::BytesOf;
using ::tests::BytesPayload;
using ::tests::KIND;

/// Transport, payload mode and what to do about loss
using SocketModes = std::tuple<const char*, const char*, LossPolicy>;

class MulticastSocketTest : public ::tests::SocketNetwork,
                            public ::testing::WithParamInterface<SocketModes>
{
  protected:
    void
    Make(uint32_t devices)
    {
        MakeDevices(fmt::format("transport={} mode={} devices={}",
                                std::get<0>(GetParam()),
                                std::get<1>(GetParam()),
                                devices));
    }

    /// @brief Let the first device send to some.
    /// @param members indices of devices, ascending
    void
    Multicast(const std::vector<uint32_t>& members, std::shared_ptr<const Payload> payload)
    {
        auto group = std::make_shared<std::vector<uint32_t>>();
        for (const uint32_t member : members)
        {
            group->push_back(GetId(member));
        }
        const SendOptions options(std::get<2>(GetParam()), [this](const DeliveryReport& report) {
            m_reports.push_back(report);
        });
        GetTransport(0)->Multicast(group, {KIND, 1, std::move(payload)}, options);
        ::tests::RunFor(Seconds(100));
    }

    /// @return whether receivers acknowledge
    static bool
    IsReliable()
    {
        return std::get<2>(GetParam()) == LossPolicy::RELIABLE;
    }
};

INSTANTIATE_TEST_SUITE_P(Modes,
                         MulticastSocketTest,
                         ::testing::Combine(::testing::Values("udp", "tcp"),
                                            ::testing::Values("Reference", "Bytes"),
                                            ::testing::Values(LossPolicy::BEST_EFFORT,
                                                              LossPolicy::RELIABLE)));

} // namespace

TEST_P(MulticastSocketTest, ReachesTheGroupAndNobodyElse)
{
    Make(5);
    const auto payload = BytesPayload::Make(5000);
    Multicast({2, 4}, payload);
    ASSERT_EQ(m_arrivals.size(), 2U);
    EXPECT_EQ(m_arrivals[0].device, GetId(2));
    EXPECT_EQ(m_arrivals[1].device, GetId(4));
    EXPECT_EQ(BytesOf(*m_arrivals[1].message.payload), BytesOf(*payload));
    ASSERT_EQ(m_outcomes.size(), 2U);
    EXPECT_EQ(m_outcomes[0].receiver, GetId(2));
    EXPECT_EQ(m_outcomes[1].receiver, GetId(4));
    EXPECT_TRUE(m_outcomes[1].delivered);
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_EQ(m_reports[0].acknowledged.size(), IsReliable() ? 2U : 0U);
    EXPECT_THAT(m_rejections, IsEmpty());
    EXPECT_EQ(GetTransport(0)->GetBytesSent(), m_outcomes[0].bytes) << "the message counts once";
}

TEST_P(MulticastSocketTest, ToNobodyIsReportedAndNotSent)
{
    Make(3);
    Multicast({}, BytesPayload::Make(100));
    EXPECT_THAT(m_arrivals, IsEmpty());
    EXPECT_THAT(m_outcomes, IsEmpty());
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_THAT(m_reports[0].acknowledged, IsEmpty());
    EXPECT_EQ(GetTransport(0)->GetBytesSent(), 0U);
}

TEST_P(MulticastSocketTest, AMemberIsAPeerOfTheAddressBook)
{
    Make(2);
    const auto group = std::make_shared<std::vector<uint32_t>>(1, GetId(1) + 1);
    EXPECT_DEATH(GetTransport(0)->Multicast(group, {KIND, 1, nullptr}), "not in the address book");
}
