/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging/ip/socket-network.h"

#include "ns3/collab-datagram-assembly.h"
#include "ns3/collab-datagram-header.h"
#include "ns3/collab-datagram-layout.h"
#include "ns3/collab-message-header.h"
#include "ns3/collab-tcp-frame-reader.h"
#include "ns3/inet-socket-address.h"
#include "ns3/socket.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace
{

using ::tests::BytesOf;
using ::tests::BytesPayload;
using ::tests::KIND;
using ::tests::SocketNetwork;

constexpr uint16_t PORT = 4950;

/// The second device receives what a raw socket on the first one's node sends.
class DatagramTest : public SocketNetwork
{
  protected:
    void
    SetUp() override
    {
        MakeDevices("devices=3");
        // The transport's own socket shall not be in the way
        m_raw = Socket::CreateSocket(m_nodes.Get(0), UdpSocketFactory::GetTypeId());
        m_raw->Bind(InetSocketAddress(GetAddress(0), 5000));
        TellLinkAddress(0, 1);
        Ptr<Packet> message = Create<Packet>(PAYLOAD.data(), PAYLOAD.size());
        MessageHeader header;
        header.kind = KIND;
        header.sender = GetId(0);
        header.sequence = 5;
        header.payloadBytes = PAYLOAD.size();
        message->AddHeader(header);
        m_message.resize(message->GetSize());
        message->CopyData(m_message.data(), message->GetSize());
    }

    void
    TearDown() override
    {
        m_raw = nullptr;
        SocketNetwork::TearDown();
    }

    /// @param index of a part
    /// @return header of that part of the message, in parts of 100 bytes
    DatagramHeader
    MakeHeader(uint32_t index) const
    {
        DatagramHeader header;
        header.sender = GetId(0);
        header.sequence = 5;
        header.index = index;
        header.count = 3;
        header.messageBytes = static_cast<uint32_t>(m_message.size());
        header.datagramBytes = 100;
        header.sent = Simulator::Now();
        return header;
    }

    /// @param header of a part
    /// @param bytes what to send behind it; nullptr for what belongs there
    void
    SendPart(const DatagramHeader& header, const std::vector<uint8_t>* bytes = nullptr)
    {
        const std::size_t begin = std::min<std::size_t>(header.index * 100, m_message.size());
        const std::size_t end = std::min<std::size_t>(begin + 100, m_message.size());
        const std::vector<uint8_t> own(m_message.begin() + static_cast<std::ptrdiff_t>(begin),
                                       m_message.begin() + static_cast<std::ptrdiff_t>(end));
        const std::vector<uint8_t>& body = bytes ? *bytes : own;
        Ptr<Packet> packet = Create<Packet>(body.data(), static_cast<uint32_t>(body.size()));
        packet->AddHeader(header);
        SendRaw(packet);
    }

    void
    SendRaw(Ptr<Packet> packet)
    {
        // The IP stack starts with the simulation
        Simulator::ScheduleNow(
            [this, packet]() { m_raw->SendTo(packet, 0, InetSocketAddress(GetAddress(1), PORT)); });
    }

    const std::vector<uint8_t> PAYLOAD = BytesOf(*BytesPayload::Make(227)); //!< in 3 parts of 100
    Ptr<Socket> m_raw;              //!< sends what no transport would
    std::vector<uint8_t> m_message; //!< the message on the wire
};

using TcpStreamTest = SocketNetwork;

} // namespace

TEST(DatagramHeaderTest, KeepsEveryFieldOnTheWire)
{
    DatagramHeader header;
    header.sender = 1;
    header.sequence = 0xFFFFFFF0;
    header.index = 3;
    header.count = 0x01020304;
    header.messageBytes = 0x7FFFFFFF;
    header.units = 12;
    header.datagramBytes = 65000;
    header.maxAttempts = 300;
    header.sent = Seconds(1234) + NanoSeconds(5);
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    ASSERT_EQ(packet->GetSize(), DatagramHeader::SIZE);
    DatagramHeader read;
    packet->RemoveHeader(read);
    std::ostringstream sent;
    std::ostringstream received;
    header.Print(sent);
    read.Print(received);
    EXPECT_EQ(sent.str(), received.str());
    EXPECT_EQ(read.sent, header.sent);
    EXPECT_EQ(read.count, header.count);
    EXPECT_EQ(read.datagramBytes, header.datagramBytes);

    DatagramAcknowledgment acknowledgment;
    acknowledgment.sender = 9;
    acknowledgment.sequence = 8;
    acknowledgment.index = 7;
    acknowledgment.base = 6;
    acknowledgment.received = uint64_t{1} << 63 | 1;
    acknowledgment.echo = NanoSeconds(77);
    packet->AddHeader(acknowledgment);
    ASSERT_EQ(packet->GetSize(), DatagramAcknowledgment::SIZE);
    DatagramAcknowledgment readAcknowledgment;
    packet->RemoveHeader(readAcknowledgment);
    EXPECT_EQ(readAcknowledgment.received, acknowledgment.received);
    EXPECT_EQ(readAcknowledgment.base, 6U);
    EXPECT_EQ(readAcknowledgment.echo, NanoSeconds(77));
}

TEST(DatagramLayoutTest, PiecesCoverTheMessageOnce)
{
    for (const auto& [bytes, units, size] :
         std::vector<std::tuple<uint64_t, uint32_t, uint32_t>>{{23, 0, 1400},
                                                               {1400, 0, 1400},
                                                               {1401, 0, 1400},
                                                               {123456, 0, 1000},
                                                               {100, 0, 24},
                                                               {23 + 50 * 100, 50, 1400},
                                                               {23 + 7 * 1377, 7, 1400},
                                                               {23 + 7 * 1378, 7, 1400},
                                                               {23 + 3 * 5000, 3, 1400}})
    {
        const DatagramLayout layout(bytes, units, size);
        ASSERT_TRUE(layout.IsValid());
        uint64_t next = units > 0 ? MessageHeader::SIZE : 0;
        for (uint32_t i = 0; i < layout.GetCount(); ++i)
        {
            const auto piece = layout.GetPiece(i);
            EXPECT_EQ(piece.offset, next) << bytes << " in " << size;
            EXPECT_GT(piece.bytes, 0U);
            EXPECT_LE(layout.GetBodyBytes(i), size);
            EXPECT_EQ(piece.front > 0, units > 0);
            next += piece.bytes;
        }
        EXPECT_EQ(next, bytes);
    }
}

TEST(DatagramLayoutTest, KnowsWhichUnitsAreWhole)
{
    const auto all = [](uint32_t) { return true; };
    const auto butSecond = [](uint32_t index) { return index != 1; };
    // 4 units of 300 bytes fit behind the header in 1400
    const DatagramLayout shared(23 + 10 * 300, 10, 1400);
    EXPECT_EQ(shared.GetCount(), 3U);
    EXPECT_THAT(shared.GetWholeUnits(butSecond), ElementsAre(0, 1, 2, 3, 8, 9));
    EXPECT_THAT(shared.GetWholeUnits(all), ::testing::SizeIs(10));
    // A unit of 2000 bytes has 2 datagrams
    const DatagramLayout split(23 + 3 * 2000, 3, 1400);
    EXPECT_EQ(split.GetCount(), 6U);
    EXPECT_THAT(split.GetWholeUnits(butSecond), ElementsAre(1, 2));
}

TEST(DatagramLayoutTest, ImpossibleMessagesAreNotValid)
{
    EXPECT_FALSE(DatagramLayout(22, 0, 1400).IsValid());
    EXPECT_FALSE(DatagramLayout(uint64_t{1} << 31, 0, 1400).IsValid());
    EXPECT_FALSE(DatagramLayout(100, 0, 23).IsValid());
    EXPECT_FALSE(DatagramLayout(100, 0, 0).IsValid());
    EXPECT_FALSE(DatagramLayout(23 + 2, 3, 1400).IsValid());
    EXPECT_FALSE(DatagramLayout(23 + 50, 30, 43).IsValid()) << "no room behind 20 bytes in front";
    EXPECT_FALSE(DatagramLayout(23, 3, 1400).IsValid());
}

TEST_F(DatagramTest, PartsMayComeInAnyOrderAndTwice)
{
    for (const uint32_t index : {2, 0, 2, 0, 1, 1, 0})
    {
        SendPart(MakeHeader(index));
    }
    Simulator::Run();
    ASSERT_EQ(m_arrivals.size(), 1U);
    EXPECT_EQ(BytesOf(*m_arrivals[0].message.payload), PAYLOAD);
    EXPECT_THAT(m_rejections, IsEmpty());
}

TEST_F(DatagramTest, AMessageInOneDatagramMayComeTwice)
{
    DatagramHeader header = MakeHeader(0);
    header.count = 1;
    header.datagramBytes = 1400;
    for (const int64_t seconds : {0, 1, 100})
    {
        Simulator::Schedule(Seconds(seconds), [this, header]() mutable {
            header.sent = Simulator::Now();
            SendPart(header, &m_message);
        });
    }
    Simulator::Run();
    EXPECT_EQ(m_arrivals.size(), 1U);
    EXPECT_THAT(m_rejections, IsEmpty());
}

TEST_F(DatagramTest, AnIncompleteMessageIsForgottenInTime)
{
    SendPart(MakeHeader(0));
    SendPart(MakeHeader(1));
    Simulator::Schedule(Seconds(1), [this]() { SendPart(MakeHeader(2)); });
    Simulator::Run();
    EXPECT_THAT(m_arrivals, IsEmpty());
    EXPECT_THAT(m_rejections, IsEmpty());
}

TEST_F(DatagramTest, AnOldDatagramIsDropped)
{
    for (const Time& age : {Seconds(2) - MilliSeconds(50), Seconds(2)})
    {
        Simulator::Schedule(Seconds(10), [this, age]() {
            for (const uint32_t index : {0, 1, 2})
            {
                DatagramHeader header = MakeHeader(index);
                header.sequence = age == Seconds(2) ? 6 : 5;
                header.sent -= age;
                SendPart(header);
            }
        });
    }
    Simulator::Run();
    EXPECT_EQ(m_arrivals.size(), 1U) << "PacketLifetime is 2 s, the way takes 1 ms";
}

TEST_F(DatagramTest, MalformedDatagramsAreRejected)
{
    const std::vector<std::pair<std::string, std::function<void(DatagramHeader&)>>> faults = {
        {"claims another sender", [this](DatagramHeader& h) { h.sender = GetId(2); }},
        {"is no datagram of this protocol", [](DatagramHeader& h) { h.type = 0x21; }},
        {"has a part number behind the last", [](DatagramHeader& h) { h.index = 3; }},
        {"has a part number behind the last", [](DatagramHeader& h) { h.index = UINT32_MAX; }},
        {"is part of no possible message", [](DatagramHeader& h) { h.count = UINT32_MAX; }},
        {"is part of no possible message", [](DatagramHeader& h) { h.count = 0; }},
        {"is part of no possible message", [](DatagramHeader& h) { h.messageBytes = 22; }},
        {"is part of no possible message",
         [](DatagramHeader& h) {
             h.messageBytes = INT32_MAX;
             h.count = (INT32_MAX - 1) / 100 + 1;
         }},
        {"is part of no possible message", [](DatagramHeader& h) { h.datagramBytes = 0; }},
        {"is part of no possible message", [](DatagramHeader& h) { h.units = 4000000000; }},
        {"is not as long as its header says",
         [](DatagramHeader& h) {
             h.messageBytes = 1 << 28;
             h.count = ((1 << 28) + 64999) / 65000;
             h.datagramBytes = 65000;
         }},
        {"is not as long as its header says", [](DatagramHeader& h) { h.index = 2; }},
        {"was sent in the future", [](DatagramHeader& h) { h.sent = Seconds(9); }},
        {"was sent in the future", [](DatagramHeader& h) { h.sent = NanoSeconds(-1); }},
    };
    const std::vector<uint8_t> body(m_message.begin(), m_message.begin() + 100);
    std::vector<std::string> expected;
    for (const auto& [reason, spoil] : faults)
    {
        DatagramHeader header = MakeHeader(0);
        spoil(header);
        SendPart(header, &body);
        expected.push_back(reason);
    }
    // Cut off in the header, and empty
    Ptr<Packet> whole = Create<Packet>();
    whole->AddHeader(MakeHeader(0));
    SendRaw(whole->CreateFragment(0, DatagramHeader::SIZE - 1));
    SendRaw(whole->CreateFragment(0, 1));
    SendRaw(Create<Packet>());
    expected.insert(expected.end(), 3, "is no datagram of this protocol");
    Simulator::Run();
    EXPECT_EQ(m_rejections, expected);
    EXPECT_THAT(m_arrivals, IsEmpty());
}

TEST_F(DatagramTest, PartsThatContradictEachOtherAreRejected)
{
    SendPart(MakeHeader(0));
    DatagramHeader other = MakeHeader(1);
    other.messageBytes -= 10; // still three parts
    SendPart(other);
    SendPart(MakeHeader(1));
    SendPart(MakeHeader(2));
    Simulator::Run();
    EXPECT_THAT(m_rejections, ElementsAre("contradicts an earlier part"));
    EXPECT_EQ(m_arrivals.size(), 1U);
}

TEST_F(DatagramTest, AMessageThatClaimsAnotherSenderIsRejected)
{
    m_message[10] = static_cast<uint8_t>(GetId(2)); // last byte of the message header's sender
    for (const uint32_t index : {0, 1, 2})
    {
        SendPart(MakeHeader(index));
    }
    // A device that is in no address book
    Ptr<Socket> stranger = Socket::CreateSocket(m_nodes.Get(2), UdpSocketFactory::GetTypeId());
    Ptr<Ipv4> ipv4 = m_nodes.Get(2)->GetObject<Ipv4>();
    ipv4->AddAddress(1, Ipv4InterfaceAddress("10.0.0.77", "255.255.255.0"));
    stranger->Bind(InetSocketAddress("10.0.0.77", 5000));
    Simulator::ScheduleNow(
        [&]() { stranger->SendTo(Create<Packet>(50), 0, InetSocketAddress(GetAddress(1), PORT)); });
    Simulator::Run();
    EXPECT_THAT(m_rejections,
                ::testing::UnorderedElementsAre("claims another sender",
                                                "comes from the address of no device"));
    EXPECT_THAT(m_arrivals, IsEmpty());
}

TEST_F(DatagramTest, FalseAcknowledgmentsDoNoHarm)
{
    TellLinkAddress(1, 0);
    // The second device's raw socket acknowledges what was never sent
    Ptr<Socket> raw = Socket::CreateSocket(m_nodes.Get(1), UdpSocketFactory::GetTypeId());
    raw->Bind(InetSocketAddress(GetAddress(1), 5000));
    const auto acknowledge = [&](uint32_t sender, uint32_t index, uint32_t base, uint64_t bits) {
        DatagramAcknowledgment acknowledgment;
        acknowledgment.sender = sender;
        acknowledgment.sequence = 1;
        acknowledgment.index = index;
        acknowledgment.base = base;
        acknowledgment.received = bits;
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(acknowledgment);
        Simulator::ScheduleNow([this, raw, packet]() {
            raw->SendTo(packet, 0, InetSocketAddress(GetAddress(0), PORT));
        });
    };
    const auto payload = BytesPayload::Make(200000);
    Send(payload, LossPolicy::RELIABLE);
    acknowledge(GetId(1), 1000000, 0, 0);
    acknowledge(GetId(1), 140, 0, 0);
    acknowledge(GetId(1), 0, UINT32_MAX, UINT64_MAX);
    acknowledge(GetId(1), 0, 0, UINT64_MAX << 40);
    acknowledge(GetId(2), 0, 100, 0);
    Simulator::Run();
    ASSERT_EQ(m_arrivals.size(), 1U);
    EXPECT_EQ(BytesOf(*m_arrivals[0].message.payload), BytesOf(*payload));
    EXPECT_THAT(m_rejections,
                ElementsAre("acknowledges what was not sent", "claims another sender"));
}

TEST_F(DatagramTest, NothingIsHandedOverThatWasNotSent)
{
    MakeDevices("devices=3 mode=Reference");
    m_raw = Socket::CreateSocket(m_nodes.Get(0), UdpSocketFactory::GetTypeId());
    m_raw->Bind(InetSocketAddress(GetAddress(0), 5000));
    // The first message is for the third device, and not divisible; the fifth was never sent.
    GetTransport(0)->Send(
        GetId(2), {KIND, 0, BytesPayload::Make(PAYLOAD.size())}, LossPolicy::RELIABLE);
    for (const uint32_t sequence : {1, 5})
    {
        DatagramHeader header = MakeHeader(0);
        header.sequence = sequence;
        header.count = 1;
        header.datagramBytes = 1400;
        header.units = 1;
        SendPart(header, &m_message);
    }
    Simulator::Run();
    EXPECT_THAT(m_rejections,
                ElementsAre("is not a message that its sender sent",
                            "is not a message that its sender sent"));
    EXPECT_EQ(m_arrivals.size(), 1U);
}

TEST(TcpFrameReaderTest, FindsMessagesHoweverTheStreamIsCut)
{
    std::vector<uint8_t> stream;
    for (const uint32_t size : {0U, 1U, 100U, 3000U})
    {
        Ptr<Packet> packet = Create<Packet>(BytesOf(*BytesPayload::Make(size)).data(), size);
        MessageHeader header;
        header.sequence = size;
        header.payloadBytes = size;
        header.units = size == 100 ? 4 : 0;
        packet->AddHeader(header);
        std::vector<uint8_t> message(packet->GetSize());
        packet->CopyData(message.data(), packet->GetSize());
        stream.insert(stream.end(), message.begin(), message.end());
    }
    for (const std::size_t cut : {1, 7, 27, 1000, 10000})
    {
        TcpFrameReader reader(true, 10000);
        std::vector<uint32_t> units;
        std::vector<uint32_t> sizes;
        for (std::size_t at = 0; at < stream.size(); at += cut)
        {
            const std::size_t size = std::min(cut, stream.size() - at);
            reader.Read(Create<Packet>(stream.data() + at, static_cast<uint32_t>(size)),
                        [&](const TcpFrameReader::Frame& frame) {
                            units.push_back(frame.header.units);
                            sizes.push_back(frame.packet->GetSize() - MessageHeader::SIZE);
                            EXPECT_EQ(frame.header.sequence, sizes.back());
                        });
        }
        EXPECT_THAT(sizes, ElementsAre(0, 1, 100, 3000)) << "cut every " << cut;
        EXPECT_THAT(units, ElementsAre(0, 0, 4, 0));
    }
}

TEST(TcpFrameReaderTest, RejectsWhatIsNoMessage)
{
    const auto read = [](uint32_t units, uint32_t payloadBytes, uint8_t version) {
        MessageHeader header;
        header.payloadBytes = payloadBytes;
        header.version = version;
        header.units = units;
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(header);
        TcpFrameReader reader(true, 1000);
        reader.Read(packet, [](const TcpFrameReader::Frame&) {});
    };
    EXPECT_NO_THROW(read(0, 977, 2));
    EXPECT_THROW(read(0, 978, 2), PayloadError);
    EXPECT_THROW(read(0, UINT32_MAX, 2), PayloadError);
    EXPECT_THROW(read(0, 100, 1), PayloadError);
    EXPECT_THROW(read(0, 100, 3), PayloadError);
    EXPECT_NO_THROW(read(3, 100, 2)) << "a byte before units of 33";
    EXPECT_THROW(read(101, 100, 2), PayloadError);
    EXPECT_THROW(read(4000000000, 0, 2), PayloadError);
}

TEST_F(TcpStreamTest, WithNoMessageInItClosesItsConnectionAndNoOther)
{
    MakeDevices("transport=tcp");
    Ptr<Socket> raw = Socket::CreateSocket(m_nodes.Get(0), TcpSocketFactory::GetTypeId());
    raw->Bind(InetSocketAddress(GetAddress(0), 0));
    const std::vector<uint8_t> garbage(100, 0xAB);
    raw->SetConnectCallback(Callback<void, Ptr<Socket>>(
                                [&](Ptr<Socket> socket) { socket->Send(garbage.data(), 100, 0); }),
                            MakeNullCallback<void, Ptr<Socket>>());
    Simulator::ScheduleNow([&]() { raw->Connect(InetSocketAddress(GetAddress(1), PORT)); });
    Simulator::Schedule(Seconds(1), [&]() { raw->Send(garbage.data(), 100, 0); });
    Simulator::Schedule(Seconds(5),
                        [this]() { Send(BytesPayload::Make(100), LossPolicy::RELIABLE); });
    Simulator::Run();
    EXPECT_THAT(m_rejections, ElementsAre("is no message in a stream"));
    EXPECT_EQ(m_arrivals.size(), 1U);
    raw = nullptr;
}
