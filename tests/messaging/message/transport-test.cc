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
using ::tests::KIND;

namespace
{

/// A payload of bytes that count up
class CountingPayload : public Payload
{
  public:
    explicit CountingPayload(uint64_t size)
        : m_size(size)
    {
    }

    uint64_t
    WireSize() const override
    {
        return m_size;
    }

    void
    Serialize(std::vector<uint8_t>& bytes) const override
    {
        for (uint64_t i = 0; i < m_size; ++i)
        {
            bytes.push_back(static_cast<uint8_t>(i));
        }
    }

    static std::shared_ptr<const Payload>
    Parse(const uint8_t* bytes, std::size_t size)
    {
        for (std::size_t i = 0; i < size; ++i)
        {
            if (bytes[i] != static_cast<uint8_t>(i))
            {
                throw PayloadError("does not count");
            }
        }
        return std::make_shared<CountingPayload>(size);
    }

  private:
    uint64_t m_size;
};

class TransportTest : public ::tests::DeviceNetwork
{
  protected:
    void
    Listen()
    {
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            const uint32_t id = m_nodes.Get(i)->GetId();
            GetTransport(i)->RegisterKind(
                KIND, "count", CountingPayload::Parse, [this, id](const Message& message) {
                    m_received.emplace_back(id, message);
                });
            GetTransport(i)->TraceConnectWithoutContext(
                "Reject",
                Callback<void, uint32_t, const std::string&>(
                    [this](uint32_t, const std::string& reason) { m_rejected.push_back(reason); }));
            GetTransport(i)->TraceConnectWithoutContext(
                "Outcome",
                Callback<void, const MessageOutcome&>(
                    [this](const MessageOutcome& outcome) { m_outcomes.push_back(outcome); }));
        }
    }

    std::vector<std::pair<uint32_t, Message>> m_received;
    std::vector<std::string> m_rejected;
    std::vector<MessageOutcome> m_outcomes;
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
    const auto payload = std::make_shared<CountingPayload>(5000);
    GetTransport(0)->Send(
        GetTransport(2)->GetDeviceId(), {KIND, 3, payload}, LossPolicy::BEST_EFFORT);
    Simulator::Stop(Seconds(10));
    Simulator::Run();
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
        const auto payload = std::make_shared<CountingPayload>(4001);
        GetTransport(0)->Broadcast({KIND, 0, payload}, LossPolicy::BEST_EFFORT);
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        ASSERT_EQ(m_received.size(), 2U) << fidelity;
        EXPECT_NE(m_received[0].second.payload, payload) << "no pointer may cross the network";
        EXPECT_EQ(m_received[0].second.payload->WireSize(), 4001U);
        EXPECT_TRUE(m_rejected.empty());
        TearDown();
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
        GetTransport(0)->Broadcast({KIND, 0, std::make_shared<CountingPayload>(100)},
                                   {LossPolicy::RELIABLE, [&](const DeliveryReport& report) {
                                        reports.push_back(report);
                                    }});
    }
    Simulator::Stop(Seconds(100));
    Simulator::Run();
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

TEST_F(TransportTest, BestEffortMessagesReportNothing)
{
    MakeDevices({});
    Listen();
    std::vector<DeliveryReport> reports;
    GetTransport(0)->Broadcast({KIND, 0, nullptr},
                               {LossPolicy::BEST_EFFORT,
                                [&](const DeliveryReport& report) { reports.push_back(report); }});
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_TRUE(reports[0].acknowledged.empty());
    EXPECT_EQ(m_received.size(), 2U);
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
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    EXPECT_THAT(m_rejected,
                ElementsAre("version, kind or length is not valid",
                            "version, kind or length is not valid",
                            "version, kind or length is not valid",
                            "claims another sender",
                            "does not count",
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
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    ASSERT_EQ(m_received.size(), 2U);
    for (const auto& [device, message] : m_received)
    {
        EXPECT_EQ(message.unitsSent, 4U);
        EXPECT_THAT(message.units, ElementsAre(0, 1, 2, 3));
        EXPECT_EQ(message.payload->WireSize(), 8U);
    }
    EXPECT_THAT(m_rejected, testing::Each("units are not those of its header"));
    EXPECT_EQ(m_rejected.size(), 3U);
}

TEST_F(TransportTest, NeighborsAreAllInRange)
{
    MakeDevices({});
    EXPECT_THAT(GetTransport(1)->GetNeighbors(),
                ElementsAre(GetTransport(0)->GetDeviceId(), GetTransport(2)->GetDeviceId()));
}
