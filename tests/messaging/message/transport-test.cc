/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging/test-payloads.h"
#include "support/device-network.h"

#include "ns3/collab-message-header.h"
#include "ns3/collab-transport.h"
#include "ns3/d2d-transport.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::tests::BytesPayload;
using ::tests::KIND;
using ::tests::RunFor;

namespace
{

/// @return a payload of any bytes, of which the first must not be 9
std::shared_ptr<const Payload>
ParseUnless9(const uint8_t* bytes, std::size_t size)
{
    if (size > 0 && bytes[0] == 9)
    {
        throw PayloadError("begins with 9");
    }
    return BytesPayload::Parse(bytes, size);
}

class TransportTest : public ::tests::DeviceNetwork
{
  protected:
    void
    Listen()
    {
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            GetTransport(i)->RegisterKind(
                KIND, "count", ParseUnless9, [this, i](const Message& message) {
                    m_received.emplace_back(i, message);
                });
        }
        WatchTransports();
    }

    std::vector<std::pair<uint32_t, Message>> m_received; //!< by device
};

} // namespace

TEST(MessageHeaderTest, KeepsEveryFieldOnTheWire)
{
    MessageHeader header;
    header.kind = 0x1234;
    header.round = 0xA1B2C3D4;
    header.sender = 77;
    header.sequence = 0x01020304;
    header.payloadBytes = 0x23456789;
    header.units = 0x0A0B0C0D;
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    ASSERT_EQ(packet->GetSize(), MessageHeader::SIZE);

    uint8_t bytes[MessageHeader::SIZE];
    packet->CopyData(bytes, sizeof(bytes));
    EXPECT_THAT(std::vector<uint8_t>(bytes, bytes + 7),
                ElementsAre(2, 0x12, 0x34, 0xA1, 0xB2, 0xC3, 0xD4));

    MessageHeader read;
    packet->RemoveHeader(read);
    EXPECT_EQ(read.version, MessageHeader::VERSION);
    EXPECT_EQ(read.kind, header.kind);
    EXPECT_EQ(read.round, header.round);
    EXPECT_EQ(read.sender, header.sender);
    EXPECT_EQ(read.sequence, header.sequence);
    EXPECT_EQ(read.payloadBytes, header.payloadBytes);
    EXPECT_EQ(read.units, header.units);
}

TEST_F(TransportTest, UnicastReachesItsReceiverOnlyAndHandsThePointerOver)
{
    MakeDevices({});
    Listen();
    const auto payload = BytesPayload::Make(5000);
    GetTransport(0)->Send(
        GetTransport(2)->GetDeviceId(), {KIND, 3, payload}, LossPolicy::BEST_EFFORT);
    RunFor(Seconds(10));
    ASSERT_EQ(m_received.size(), 1U);
    EXPECT_EQ(m_received[0].first, GetTransport(2)->GetDeviceId());
    EXPECT_EQ(m_received[0].second.round, 3U);
    EXPECT_EQ(m_received[0].second.sender, GetTransport(0)->GetDeviceId());
    EXPECT_EQ(m_received[0].second.payload, payload);
    ASSERT_EQ(m_outcomes.size(), 1U);
    EXPECT_EQ(m_outcomes[0].bytes, 5000U + MessageHeader::SIZE);
    EXPECT_EQ(m_outcomes[0].kindName, "count");
    EXPECT_EQ(GetTransport(0)->GetBytesSent(), 5000U + MessageHeader::SIZE);
}

TEST_F(TransportTest, BytesModeParsesWhatWasSerialized)
{
    for (const std::string fidelity : {"Burst", "Packet"})
    {
        Options options;
        options.payloadMode = "Bytes";
        options.fidelity = fidelity;
        m_received.clear();
        MakeDevices(options);
        Listen();
        const auto payload = BytesPayload::Make(4001);
        GetTransport(0)->Broadcast({KIND, 0, payload}, LossPolicy::BEST_EFFORT);
        RunFor(Seconds(10));
        ASSERT_EQ(m_received.size(), 2U) << fidelity;
        EXPECT_NE(m_received[0].second.payload, payload) << "no pointer may cross the network";
        EXPECT_EQ(m_received[0].second.payload->WireSize(), 4001U);
        EXPECT_THAT(GetReasons(), ::testing::IsEmpty());
    }
}

TEST_F(TransportTest, ReliableMessagesReportWhoAcknowledged)
{
    Options options;
    options.outage = 0.3;
    MakeDevices(options);
    Listen();
    std::vector<DeliveryReport> reports;
    for (int i = 0; i < 50; ++i)
    {
        GetTransport(0)->Broadcast({KIND, 0, BytesPayload::Make(100)},
                                   {LossPolicy::RELIABLE, [&](const DeliveryReport& report) {
                                        reports.push_back(report);
                                    }});
    }
    RunFor(Seconds(100));
    ASSERT_EQ(reports.size(), 50U);
    std::size_t acknowledged = 0;
    for (const auto& report : reports)
    {
        acknowledged += report.acknowledged.size();
    }
    // Whoever acknowledged has it; some have it without the sender knowing.
    EXPECT_LE(acknowledged, m_received.size());
    // P(a single fragment gets no acknowledgment in 8 attempts) = 0.51^8 = 0.0046
    EXPECT_GE(acknowledged, 95U);
}

TEST_F(TransportTest, DropsMalformedAndForgedMessages)
{
    Options options;
    options.payloadMode = "Bytes";
    MakeDevices(options);
    Listen();
    const auto send = [this](MessageHeader header, const std::vector<uint8_t>& bytes) {
        Ptr<Packet> packet = Create<Packet>(bytes.data(), bytes.size());
        packet->AddHeader(header);
        auto message = std::make_shared<Message>();
        GetRadio(0)->GetMac()->SendBurst({packet,
                                          Mac48Address::ConvertFrom(GetRadio(1)->GetAddress()),
                                          D2dTransport::PROTOCOL,
                                          D2dReliability::BEST_EFFORT,
                                          message});
    };
    MessageHeader good;
    good.kind = KIND;
    good.sender = GetTransport(0)->GetDeviceId();
    good.payloadBytes = 3;
    MessageHeader unknownKind = good;
    unknownKind.kind = 99;
    MessageHeader wrongLength = good;
    wrongLength.payloadBytes = 1000000;
    MessageHeader wrongVersion = good;
    wrongVersion.version = 9;
    MessageHeader forged = good;
    forged.sender = GetTransport(2)->GetDeviceId();
    send(unknownKind, {0, 1, 2});
    send(wrongLength, {0, 1, 2});
    send(wrongVersion, {0, 1, 2});
    send(forged, {0, 1, 2});
    send(good, {9, 9, 9});
    send(good, {0, 1, 2});
    GetRadio(0)->GetMac()->SendBurst({Create<Packet>(4),
                                      Mac48Address::ConvertFrom(GetRadio(1)->GetAddress()),
                                      D2dTransport::PROTOCOL,
                                      D2dReliability::BEST_EFFORT});
    RunFor(Seconds(10));
    EXPECT_THAT(GetReasons(),
                ElementsAre("version, kind or length is not valid",
                            "version, kind or length is not valid",
                            "version, kind or length is not valid",
                            "claims another sender",
                            "begins with 9",
                            "shorter than a message header"));
    EXPECT_EQ(m_received.size(), 1U);
}

TEST_F(TransportTest, KnowsOfUnitsWhatTheHeaderSaysAndNothingElse)
{
    Options options;
    options.payloadMode = "Bytes";
    MakeDevices(options);
    Listen();
    const auto send = [this](uint32_t inHeader, uint32_t inBurst, bool isHandedOver) {
        const std::vector<uint8_t> bytes = {0, 1, 2, 3, 4, 5, 6, 7};
        Ptr<Packet> packet = Create<Packet>(bytes.data(), bytes.size());
        MessageHeader header;
        header.kind = KIND;
        header.sender = GetTransport(0)->GetDeviceId();
        header.payloadBytes = bytes.size();
        header.units = inHeader;
        packet->AddHeader(header);
        D2dBurst burst(
            packet, Mac48Address::ConvertFrom(GetRadio(1)->GetAddress()), D2dTransport::PROTOCOL);
        burst.division = {inBurst, inBurst > 0 ? 8 / inBurst : 0, MessageHeader::SIZE};
        auto message = std::make_shared<Message>();
        message->unitsSent = 99;
        burst.attachment = isHandedOver ? message : nullptr;
        GetRadio(0)->GetMac()->SendBurst(burst);
    };
    send(4, 4, true);
    send(4, 4, false);
    send(0, 4, true);
    send(4, 0, true);
    send(3, 4, true);
    RunFor(Seconds(10));
    ASSERT_EQ(m_received.size(), 2U);
    for (const auto& [device, message] : m_received)
    {
        EXPECT_EQ(message.unitsSent, 4U);
        EXPECT_THAT(message.units, ElementsAre(0, 1, 2, 3));
        EXPECT_EQ(message.payload->WireSize(), 8U);
    }
    EXPECT_THAT(GetReasons(), testing::Each("units are not those of its header"));
    EXPECT_EQ(m_refusals.size(), 3U);
}
