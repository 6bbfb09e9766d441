/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/collab-error.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-mac-header.h"
#include "ns3/d2d-net-device.h"
#include "ns3/device-profile-helper.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/packet-socket-address.h"
#include "ns3/packet-socket-helper.h"
#include "ns3/packet-socket.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <numeric>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;
constexpr uint32_t BROADCAST = TestNetwork::BROADCAST;
constexpr double DEAF = 1 - 1e-6; //!< outage of a link that is in range all the same

/// Data rate 1 Mbit/s, and no back-off, so that times can be told by hand.
const Settings EXACT = {
    {"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}, {"ContentionWindow", "1"}};

/**
 * @param more attributes
 * @return EXACT with them
 */
Settings
ExactWith(Settings more)
{
    more.insert(EXACT.begin(), EXACT.end());
    return more;
}

/// How often each of a device's packet trace sources fired.
class TraceCounts
{
  public:
    /// @param device the device
    explicit TraceCounts(Ptr<D2dNetDevice> device)
    {
        for (const std::string name : {"MacTx", "MacTxDrop", "MacRx"})
        {
            Count(device->GetMac(), name);
        }
        for (const std::string name :
             {"PhyTxBegin", "PhyTxEnd", "PhyTxDrop", "PhyRxBegin", "PhyRxEnd", "PhyRxDrop"})
        {
            Count(device->GetPhy(), name);
        }
    }

    TraceCounts(const TraceCounts&) = delete;
    TraceCounts& operator=(const TraceCounts&) = delete;

    /**
     * @param name of a trace source
     * @return how often it fired
     */
    int
    operator[](const std::string& name) const
    {
        return m_counts.at(name);
    }

  private:
    /**
     * @param part of the device
     * @param name of a trace source that it has
     */
    void
    Count(Ptr<Object> part, const std::string& name)
    {
        EXPECT_TRUE(part->TraceConnectWithoutContext(
            name,
            MakeBoundCallback(
                +[](int* n, Ptr<const Packet>) { ++*n; }, &m_counts[name])));
    }

    std::map<std::string, int> m_counts; //!< by name of the trace source
};

/// A tag by which a packet is known again.
class NumberTag : public Tag
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId
    GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::collab::tests::NumberTag").SetParent<Tag>().AddConstructor<NumberTag>();
        return tid;
    }

    TypeId
    GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t
    GetSerializedSize() const override
    {
        return sizeof(number);
    }

    void
    Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU32(number);
    }

    void
    Deserialize(TagBuffer buffer) override
    {
        number = buffer.ReadU32();
    }

    void
    Print(std::ostream& os) const override
    {
        os << number;
    }

    uint32_t number = 0; //!< the number
};

class D2dNetDeviceTest : public SimulatorTest
{
};

/**
 * @param report the end of a burst
 * @return devices that have acknowledged it
 */
std::vector<Mac48Address>
Acknowledged(const D2dBurstReport& report)
{
    std::vector<Mac48Address> devices;
    for (const auto& outcome : report.outcomes)
    {
        if (outcome.acknowledged)
        {
            devices.push_back(outcome.receiver);
        }
    }
    return devices;
}

/// What must hold in both fidelities.
class D2dFidelityTest : public D2dNetDeviceTest, public testing::WithParamInterface<const char*>
{
  protected:
    const Settings m_channel = {{"Fidelity", GetParam()}};        //!< attributes of the channel
    const bool m_isPacket = m_channel.at("Fidelity") == "Packet"; //!< which it is
};

INSTANTIATE_TEST_SUITE_P(Fidelities, D2dFidelityTest, testing::Values("Packet", "Burst"));

TEST_F(D2dNetDeviceTest, IsABroadcastDeviceOfItsNode)
{
    TestNetwork network(2);
    Ptr<D2dNetDevice> device = network.Device(1);
    EXPECT_EQ(device->GetNode()->GetId(), network.NodeId(1));
    EXPECT_EQ(device->GetNode()->GetDevice(device->GetIfIndex()), device);
    EXPECT_EQ(device->GetChannel(), network.Channel());
    EXPECT_EQ(network.Channel()->GetNDevices(), 2);
    EXPECT_EQ(network.Channel()->GetDevice(1), device);
    EXPECT_NE(network.Address(0), network.Address(1));
    EXPECT_EQ(network.Channel()->FindDevice(network.Address(1)), device);
    EXPECT_TRUE(device->IsLinkUp());
    EXPECT_TRUE(device->IsBroadcast());
    EXPECT_EQ(device->GetBroadcast(), Mac48Address::GetBroadcast());
    EXPECT_TRUE(device->IsMulticast());
    EXPECT_EQ(device->GetMulticast(Ipv4Address("224.0.0.1")), Mac48Address("01:00:5e:00:00:01"));
    EXPECT_EQ(device->GetMulticast(Ipv6Address("ff02::1")), Mac48Address("33:33:00:00:00:01"));
    EXPECT_TRUE(device->NeedsArp());
    EXPECT_FALSE(device->IsBridge());
    EXPECT_FALSE(device->IsPointToPoint());
    EXPECT_FALSE(device->SupportsSendFrom());
    EXPECT_FALSE(
        device->SendFrom(Create<Packet>(1), network.Address(0), device->GetBroadcast(), 1));
}

TEST_F(D2dNetDeviceTest, AddressIsSetBeforeTheChannel)
{
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    Ptr<D2dNetDevice> device = CreateObject<D2dNetDevice>();
    device->SetAddress(Mac48Address("00:00:00:00:00:aa"));
    EXPECT_EQ(device->GetAddress(), Mac48Address("00:00:00:00:00:aa"));
    Ptr<D2dChannel> channel = CreateObject<D2dChannel>();
    device->SetChannel(channel);
    EXPECT_DEATH(device->SetAddress(Mac48Address("00:00:00:00:00:ab")), "before the channel");

    Ptr<D2dNetDevice> twin = CreateObject<D2dNetDevice>();
    twin->SetAddress(Mac48Address("00:00:00:00:00:aa"));
    EXPECT_DEATH(twin->SetChannel(channel), "in use already");
}

TEST_F(D2dNetDeviceTest, RefusesPacketsOverTheMtu)
{
    TestNetwork network(2);
    TraceCounts counts(network.Device(0));
    EXPECT_EQ(network.Device(0)->GetMtu(), 1500);
    EXPECT_FALSE(network.Device(0)->Send(Create<Packet>(1501), network.Address(1), 1));
    EXPECT_EQ(counts["MacTxDrop"], 1);
    EXPECT_TRUE(network.Device(0)->Send(Create<Packet>(1500), network.Address(1), 1));
    EXPECT_TRUE(network.Device(0)->SetMtu(2000));
    EXPECT_TRUE(network.Device(0)->Send(Create<Packet>(1501), network.Address(1), 1));
    EXPECT_NE(network.Send(0, 1, 1000000, BEST_EFFORT), 0) << "bursts have no MTU";
    Simulator::Run();
    EXPECT_EQ(counts["MacTxDrop"], 1);
    EXPECT_EQ(network.Receptions().size(), 3);
}

TEST_P(D2dFidelityTest, UnicastReachesItsAddresseeOnly)
{
    TestNetwork network(4, {}, m_channel);
    network.Send(0, 2, 5000, BEST_EFFORT);
    network.Send(0, 3, 5000, ARQ);
    Simulator::Run();
    ASSERT_EQ(network.Receptions().size(), 2);
    EXPECT_EQ(network.Receptions()[0].node, network.NodeId(2));
    EXPECT_EQ(network.Receptions()[1].node, network.NodeId(3));
    ASSERT_EQ(network.Reports()[0].outcomes.size(), 1);
    EXPECT_EQ(network.Reports()[0].outcomes[0].receiver, network.Address(2));
    EXPECT_TRUE(network.Reports()[0].outcomes[0].delivered);
    EXPECT_FALSE(network.Reports()[0].outcomes[0].acknowledged);
    EXPECT_TRUE(network.Reports()[1].outcomes[0].acknowledged);
}

TEST_P(D2dFidelityTest, BroadcastReachesAllInRange)
{
    TestNetwork network(4, {}, m_channel);
    network.SetOutOfRange(1, 3);
    network.Send(1, BROADCAST, 5000, BEST_EFFORT);
    Simulator::Run();
    ASSERT_EQ(network.Receptions().size(), 2);
    EXPECT_EQ(network.Receptions()[0].node, network.NodeId(0));
    EXPECT_EQ(network.Receptions()[1].node, network.NodeId(2));
    EXPECT_EQ(network.Reports()[0].outcomes.size(), 2) << "who is out of range is not meant";
}

/// What a receive callback was called with.
struct Call
{
    Ptr<NetDevice> device;      //!< at which device
    uint32_t bytes;             //!< size of the packet
    uint16_t protocol;          //!< its protocol
    Address from;               //!< its sender
    Address to;                 //!< its destination, for promiscuous callbacks
    NetDevice::PacketType type; //!< its type, for promiscuous callbacks
};

TEST_P(D2dFidelityTest, ReceiveCallbacksGetProtocolAddressesAndType)
{
    TestNetwork network(2, {}, m_channel);
    std::vector<Call> calls;
    std::vector<Call> promiscuous;
    network.Device(1)->SetReceiveCallback(MakeBoundCallback(
        +[](std::vector<Call>* log,
            Ptr<NetDevice> device,
            Ptr<const Packet> packet,
            uint16_t protocol,
            const Address& from) {
            log->push_back({device, packet->GetSize(), protocol, from, {}, {}});
            return true;
        },
        &calls));
    network.Device(1)->SetPromiscReceiveCallback(MakeBoundCallback(
        +[](std::vector<Call>* log,
            Ptr<NetDevice> device,
            Ptr<const Packet> packet,
            uint16_t protocol,
            const Address& from,
            const Address& to,
            NetDevice::PacketType type) {
            log->push_back({device, packet->GetSize(), protocol, from, to, type});
            return true;
        },
        &promiscuous));
    const Address group = network.Device(0)->GetMulticast(Ipv4Address("224.0.0.9"));
    network.Device(0)->Send(Create<Packet>(100), network.Address(1), 0x0800);
    network.Device(0)->Send(Create<Packet>(200), Mac48Address::GetBroadcast(), 0x0806);
    network.Device(0)->Send(Create<Packet>(300), group, 0x86dd);
    Simulator::Run();

    const std::vector<uint16_t> protocols = {0x0800, 0x0806, 0x86dd};
    const std::vector<Address> destinations = {
        network.Address(1), Mac48Address::GetBroadcast(), group};
    const std::vector<NetDevice::PacketType> types = {
        NetDevice::PACKET_HOST, NetDevice::PACKET_BROADCAST, NetDevice::PACKET_MULTICAST};
    ASSERT_EQ(calls.size(), 3);
    ASSERT_EQ(promiscuous.size(), 3);
    for (std::size_t i = 0; i < 3; ++i)
    {
        for (const Call& call : {calls[i], promiscuous[i]})
        {
            EXPECT_EQ(call.device, network.Device(1));
            EXPECT_EQ(call.bytes, 100 * (i + 1));
            EXPECT_EQ(call.protocol, protocols[i]);
            EXPECT_EQ(call.from, network.Address(0));
        }
        EXPECT_EQ(promiscuous[i].to, destinations[i]);
        EXPECT_EQ(promiscuous[i].type, types[i]);
    }
}

TEST_P(D2dFidelityTest, BurstCallbackGetsAttachmentInsteadOfTheNode)
{
    TestNetwork network(2, {}, m_channel);
    const auto attachment = std::make_shared<const int>(42);
    std::vector<D2dBurst> bursts;
    network.Device(1)->GetMac()->SetBurstReceiveCallback(
        7, [&bursts](const D2dBurst& burst, const std::vector<uint32_t>& units) {
            EXPECT_TRUE(units.empty());
            bursts.push_back(burst);
        });
    bool nodeCalled = false;
    network.Device(1)->SetReceiveCallback(MakeBoundCallback(
        +[](bool* called, Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
            *called = true;
            return true;
        },
        &nodeCalled));
    const uint32_t id = network.Device(0)->GetMac()->SendBurst(
        {Create<Packet>(9999), network.Address(1), 7, BEST_EFFORT, attachment});
    Simulator::Run();
    ASSERT_EQ(bursts.size(), 1);
    EXPECT_EQ(bursts[0].id, id);
    EXPECT_EQ(bursts[0].source, network.Address(0));
    EXPECT_EQ(bursts[0].attachment, attachment);
    EXPECT_EQ(bursts[0].packet->GetSize(), 9999);
    EXPECT_FALSE(nodeCalled);
}

TEST_P(D2dFidelityTest, BytesAndTagsArriveIntact)
{
    TestNetwork network(2, {{"FragmentSize", "700"}, {"MaxAttempts", "1000"}}, m_channel);
    network.SetOutage(0, 1, 0.4);
    network.SetOutage(1, 0, 0.4);
    std::map<uint32_t, std::vector<uint8_t>> sent;
    for (const uint32_t size : {0U, 1U, 699U, 700U, 701U, 1399U, 4001U, 70007U})
    {
        std::vector<uint8_t> bytes(size);
        for (uint32_t i = 0; i < size; ++i)
        {
            bytes[i] = static_cast<uint8_t>(i * 2654435761U >> 24);
        }
        Ptr<Packet> packet = Create<Packet>(bytes.data(), size);
        NumberTag tag;
        tag.number = size;
        packet->AddPacketTag(tag);
        packet->AddByteTag(tag);
        network.Device(0)->GetMac()->SendBurst({packet, network.Address(1), 1, ARQ});
        sent[size] = std::move(bytes);
    }
    Simulator::Run();
    ASSERT_EQ(network.Receptions().size(), sent.size());
    for (const auto& reception : network.Receptions())
    {
        const uint32_t size = reception.packet->GetSize();
        std::vector<uint8_t> bytes(size);
        reception.packet->CopyData(bytes.data(), size);
        EXPECT_EQ(bytes, sent.at(size)) << size;
        NumberTag tag;
        EXPECT_TRUE(reception.packet->PeekPacketTag(tag));
        EXPECT_EQ(tag.number, size);
        EXPECT_EQ(reception.packet->FindFirstMatchingByteTag(tag), size > 0);
    }
}

TEST_F(D2dNetDeviceTest, HeaderSurvivesSerialization)
{
    D2dMacHeader header;
    header.source = Mac48Address("00:01:02:03:04:05");
    header.destination = Mac48Address("06:07:08:09:0a:0b");
    header.protocol = 0x0c0d;
    header.burst = 0x0e0f1011;
    header.fragment = 0x12131415;
    header.fragments = 0x16171819;
    header.packetBytes = 0x1a1b1c1d;
    Packet packet;
    packet.AddHeader(header);
    EXPECT_EQ(packet.GetSize(), D2dMacHeader::SIZE);
    D2dMacHeader copy;
    EXPECT_EQ(packet.RemoveHeader(copy), D2dMacHeader::SIZE);
    EXPECT_EQ(copy.source, header.source);
    EXPECT_EQ(copy.destination, header.destination);
    EXPECT_EQ(copy.protocol, header.protocol);
    EXPECT_EQ(copy.burst, header.burst);
    EXPECT_EQ(copy.fragment, header.fragment);
    EXPECT_EQ(copy.fragments, header.fragments);
    EXPECT_EQ(copy.packetBytes, header.packetBytes);
}

TEST_F(D2dNetDeviceTest, FragmentsOnTheAirCarryThePacket)
{
    TestNetwork network(2, {{"FragmentSize", "300"}});
    std::vector<Ptr<const Packet>> fragments;
    network.Device(1)->GetPhy()->TraceConnectWithoutContext(
        "PhyRxEnd",
        MakeBoundCallback(
            +[](std::vector<Ptr<const Packet>>* log, Ptr<const Packet> p) { log->push_back(p); },
            &fragments));
    std::vector<uint8_t> bytes(1000);
    std::iota(bytes.begin(), bytes.end(), 1);
    const uint32_t id = network.Device(0)->GetMac()->SendBurst(
        {Create<Packet>(bytes.data(), bytes.size()), network.Address(1), 0x0800, BEST_EFFORT});
    Simulator::Run();
    ASSERT_EQ(fragments.size(), 4);
    std::vector<uint8_t> received;
    for (uint32_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(fragments[i]->GetSize(), 250 + 34);
        Ptr<Packet> fragment = fragments[i]->Copy();
        D2dMacHeader header;
        fragment->RemoveHeader(header);
        EXPECT_EQ(header.source, network.Address(0));
        EXPECT_EQ(header.destination, network.Address(1));
        EXPECT_EQ(header.protocol, 0x0800);
        EXPECT_EQ(header.burst, id);
        EXPECT_EQ(header.fragment, i);
        EXPECT_EQ(header.fragments, 4);
        EXPECT_EQ(header.packetBytes, 1000);
        received.resize(received.size() + 250);
        fragment->CopyData(received.data() + 250 * i, 250);
    }
    EXPECT_EQ(received, bytes);
}

TEST_F(D2dNetDeviceTest, HelperKeepsTheLossModelThatTheChannelWasGiven)
{
    Ptr<MatrixPropagationLossModel> matrix = CreateObject<MatrixPropagationLossModel>();
    matrix->SetDefaultLoss(50);
    D2dHelper helper;
    helper.SetChannelAttribute("PropagationLossModel", PointerValue(matrix));
    NodeContainer nodes(2);
    for (uint32_t i = 0; i < 2; ++i)
    {
        nodes.Get(i)->AggregateObject(CreateObject<ConstantPositionMobilityModel>());
    }
    NetDeviceContainer devices = helper.Install(nodes);
    Ptr<D2dChannel> channel = DynamicCast<D2dChannel>(devices.Get(0)->GetChannel());
    // 20 dBm - 50 dB
    EXPECT_NEAR(channel->GetRssW(DynamicCast<D2dNetDevice>(devices.Get(0)),
                                 DynamicCast<D2dNetDevice>(devices.Get(1))),
                1e-6,
                1e-15);
}

TEST_F(D2dNetDeviceTest, HelperSetsAttributesOfThePartThatHasThem)
{
    TestNetwork network(2,
                        {{"Mtu", "700"},
                         {"TxPower", "7"},
                         {"Duplex", "Full"},
                         {"MaxReceptions", "3"},
                         {"TxQueue", "ns3::collab::D2dPriorityQueue[MaxSize=5p]"},
                         {"NeighborTimeout", "9s"}});
    Ptr<D2dNetDevice> device = network.Device(1);
    EXPECT_EQ(device->GetMtu(), 700);
    EXPECT_EQ(device->GetPhy()->GetTxPowerDbm(), 7);
    EXPECT_EQ(device->GetPhy()->GetDuplex(), D2dDuplex::FULL);
    EXPECT_EQ(device->GetMac()->GetMaxReceptions(), 3);
    EXPECT_EQ(device->GetMac()->GetQueue()->GetMaxSize().GetValue(), 5);
    EXPECT_NE(device->GetMac()->GetQueue(), network.Device(0)->GetMac()->GetQueue());
    TimeValue timeout;
    device->GetDiscovery()->GetAttribute("NeighborTimeout", timeout);
    EXPECT_EQ(timeout.Get(), Seconds(9));
}

TEST_F(D2dNetDeviceTest, UnknownAttributesAreErrors)
{
    D2dHelper helper;
    try
    {
        helper.SetDeviceAttribute("TxPwr", DoubleValue(7));
        FAIL() << "it was taken";
    }
    catch (const UserError& error)
    {
        EXPECT_THAT(error.what(), testing::HasSubstr("\"TxPwr\""));
    }
    EXPECT_THROW(DeviceProfileHelper("smartphone").SetDeviceAttribute("TxPwr", DoubleValue(7)),
                 UserError);
}

TEST_F(D2dNetDeviceTest, PartsHaveNoAttributeOfTheSameName)
{
    for (const TypeId& part : {D2dNetDevice::GetTypeId(),
                               D2dPhy::GetTypeId(),
                               D2dMac::GetTypeId(),
                               D2dNeighborDiscovery::GetTypeId()})
    {
        for (std::size_t i = 0; i < part.GetAttributeN(); ++i)
        {
            EXPECT_EQ(D2dNetDevice::FindPart(part.GetAttribute(i).name), part)
                << part.GetAttribute(i).name;
        }
    }
}

TEST_P(D2dFidelityTest, TraceSourcesOfABroadcast)
{
    TestNetwork network(3, {}, m_channel);
    network.SetOutage(0, 2, DEAF);
    TraceCounts sender(network.Device(0));
    TraceCounts receiver(network.Device(1));
    TraceCounts deaf(network.Device(2));
    network.Send(0, BROADCAST, 4000, BEST_EFFORT);
    Simulator::Run();

    const int signals = m_isPacket ? 3 : 1;
    EXPECT_EQ(sender["MacTx"], 1);
    EXPECT_EQ(sender["MacTxDrop"], 0);
    EXPECT_EQ(sender["PhyTxBegin"], signals);
    EXPECT_EQ(sender["PhyTxEnd"], signals);
    EXPECT_EQ(sender["PhyTxDrop"], 0);
    EXPECT_EQ(sender["PhyRxBegin"], 0);
    EXPECT_EQ(receiver["PhyRxBegin"], signals);
    EXPECT_EQ(receiver["PhyRxEnd"], signals);
    EXPECT_EQ(receiver["PhyRxDrop"], 0);
    EXPECT_EQ(receiver["MacRx"], 1);
    EXPECT_EQ(deaf["PhyRxBegin"], signals);
    EXPECT_EQ(deaf["PhyRxEnd"], 0);
    EXPECT_EQ(deaf["PhyRxDrop"], m_isPacket ? 4 : 1) << "each fragment, and the packet";
    EXPECT_EQ(deaf["MacRx"], 0);
}

TEST_P(D2dFidelityTest, OnlyTheReceiverThatIsServedSeesARepetition)
{
    TestNetwork network(3, {{"MaxAttempts", "5"}}, m_channel);
    network.SetOutage(0, 2, DEAF);
    TraceCounts complete(network.Device(1));
    TraceCounts deaf(network.Device(2));
    network.Send(0, BROADCAST, 100, ARQ);
    Simulator::Run();
    EXPECT_EQ(complete["PhyRxBegin"], 1);
    EXPECT_EQ(deaf["PhyRxBegin"], m_isPacket ? 5 : 2) << "once, then four times in one pass";
    EXPECT_EQ(network.Reports()[0].attempts, 5);
    EXPECT_EQ(network.Reports()[0].outcomes[1].reason, D2dLossReason::ATTEMPTS);
}

TEST_P(D2dFidelityTest, QueueDropsWhatFindsNoPlace)
{
    TestNetwork network(2, {{"TxQueue", "ns3::DropTailQueue<Packet>[MaxSize=2p]"}}, m_channel);
    TraceCounts counts(network.Device(0));
    int done = 0;
    std::vector<uint32_t> ids;
    for (int i = 0; i < 4; ++i)
    {
        ids.push_back(network.Device(0)->GetMac()->SendBurst(
            {Create<Packet>(100), network.Address(1), 1, BEST_EFFORT},
            [&done](const D2dBurstReport&) { ++done; }));
    }
    EXPECT_THAT(ids, ElementsAre(testing::Ne(0), testing::Ne(0), 0, 0));
    EXPECT_EQ(counts["MacTx"], 4);
    EXPECT_EQ(counts["MacTxDrop"], 2);
    ASSERT_EQ(network.Reports().size(), 2);
    EXPECT_EQ(network.Reports()[0].attempts, 0);
    EXPECT_EQ(network.Reports()[0].airtime, Time());
    ASSERT_EQ(network.Reports()[0].outcomes.size(), 1);
    EXPECT_EQ(ToString(network.Reports()[0].outcomes[0].reason), "queue-full");
    EXPECT_EQ(network.Reports()[0].outcomes[0].lostFragments, 1);
    Simulator::Run();
    EXPECT_EQ(network.Receptions().size(), 2);
    EXPECT_EQ(network.Reports().size(), 4);
    EXPECT_EQ(done, 4);
}

TEST_P(D2dFidelityTest, AirtimeByHand)
{
    TestNetwork network(2, EXACT, m_channel);
    const D2dFragmentation fragmentation = network.Device(0)->GetPhy()->GetFragmentation(4000);
    EXPECT_EQ(fragmentation.fragments, 3);
    EXPECT_EQ(fragmentation.packetBytes, 1334) << "4000 / 3, the last fragment padded by 2";
    EXPECT_EQ(fragmentation.fragmentBytes, 1334 + 34);
    EXPECT_EQ(fragmentation.airtime, MicroSeconds(8 * 1368));
    EXPECT_EQ(network.Device(0)->GetPhy()->GetAirtime(4000), MicroSeconds(3 * 8 * 1368));
    EXPECT_EQ(network.Device(0)->GetPhy()->GetAirtime(1500), MicroSeconds(8 * 1534));
    EXPECT_EQ(network.Device(0)->GetPhy()->GetAirtime(1501), MicroSeconds(2 * 8 * (751 + 34)));
    EXPECT_EQ(network.Device(0)->GetPhy()->GetAirtime(0), MicroSeconds(8 * 34));

    Simulator::Schedule(Seconds(1), [&network]() { network.Send(0, 1, 4000, BEST_EFFORT); });
    Simulator::Run();
    const D2dBurstReport& report = network.Reports().at(0);
    const Time airtime = MicroSeconds(3 * 8 * 1368);
    EXPECT_EQ(report.fragments, 3);
    EXPECT_EQ(report.fragmentBytes, 1368);
    EXPECT_EQ(report.attempts, 3);
    EXPECT_EQ(report.airtime, airtime);
    EXPECT_EQ(report.burst->queued, Seconds(1));
    EXPECT_EQ(report.start, Seconds(1));
    EXPECT_EQ(report.end, Seconds(1) + airtime);
    EXPECT_EQ(report.outcomes[0].ended, Seconds(1) + airtime + NanoSeconds(334)) << "100 m";
    EXPECT_EQ(network.Receptions().at(0).time, report.outcomes[0].ended);
}

TEST_P(D2dFidelityTest, AcknowledgmentsTakeTime)
{
    TestNetwork network(2, EXACT, m_channel);
    // 14 bytes at 1 Mbit/s and the turnaround of 20 us
    const Time window = MicroSeconds(14 * 8 + 20);
    network.Send(0, 1, 4000, ARQ);
    Simulator::Run();
    const D2dBurstReport& report = network.Reports().at(0);
    EXPECT_EQ(report.attempts, 3);
    EXPECT_EQ(report.airtime, MicroSeconds(3 * 8 * 1368));
    EXPECT_EQ(report.end, report.airtime + window * 3);
    EXPECT_EQ(report.outcomes[0].ended, report.end - window + NanoSeconds(334));
}

TEST_P(D2dFidelityTest, AcknowledgmentsFromTooFarAwayComeTooLate)
{
    // Device 15 is 1500 m away: 5003.5 ns there and back need more than half of the turnaround
    TestNetwork network(16, {{"MaxAttempts", "4"}}, m_channel);
    network.Send(0, 14, 100, ARQ);
    network.Send(1, 0, 100, ARQ);
    network.Send(15, 0, 100, ARQ);
    Simulator::Run();
    for (const auto& report : network.Reports())
    {
        const bool isFar = report.senderNode == network.NodeId(15);
        EXPECT_EQ(report.attempts, isFar ? 4 : 1);
        EXPECT_EQ(report.outcomes[0].acknowledged, !isFar);
        EXPECT_TRUE(report.outcomes[0].delivered);
    }
}

TEST_P(D2dFidelityTest, ReliableBroadcastDeliversWithTheLastFragmentThatWasLacking)
{
    TestNetwork network(3, ExactWith({{"MaxAttempts", "100"}}), m_channel);
    network.SetOutage(0, 1, 0.5);
    constexpr int FRAGMENTS = 40;
    network.Send(0, BROADCAST, FRAGMENTS * 1500, ARQ);
    Simulator::Run();
    const D2dBurstReport& report = network.Reports().at(0);
    const Time window = MicroSeconds(14 * 8 + 20);
    const Time attempt = MicroSeconds(8 * 1534) + window;
    ASSERT_GT(report.attempts, FRAGMENTS);
    EXPECT_EQ(report.end, attempt * static_cast<int64_t>(report.attempts));
    EXPECT_EQ(report.outcomes[0].ended, report.end - window + NanoSeconds(334));
    EXPECT_EQ(report.outcomes[1].ended, attempt * FRAGMENTS - window + NanoSeconds(667));
}

TEST_P(D2dFidelityTest, SentCallbackNamesWhoAcknowledged)
{
    TestNetwork network(4, {}, m_channel);
    network.SetOutage(0, 1, DEAF);
    network.SetOutage(2, 0, DEAF); // its acknowledgments are lost
    std::vector<std::vector<Mac48Address>> calls;
    const auto record = [&calls](const D2dBurstReport& report) {
        calls.push_back(Acknowledged(report));
    };
    for (const auto reliability : {ARQ, BEST_EFFORT})
    {
        network.Device(0)->GetMac()->SendBurst(
            {Create<Packet>(3000), Mac48Address::GetBroadcast(), 1, reliability}, record);
    }
    Simulator::Run();
    EXPECT_THAT(calls, ElementsAre(ElementsAre(network.Address(3)), IsEmpty()));
    EXPECT_EQ(network.Receptions().size(), 4) << "2 and 3, twice";
}

TEST_P(D2dFidelityTest, HalfDuplexDevicesThatStartTogetherTakeTurnsInRandomOrder)
{
    int first = 0;
    constexpr int RUNS = 40;
    for (int run = 1; run <= RUNS; ++run)
    {
        RngSeedManager::SetRun(run);
        TestNetwork network(2, {}, m_channel);
        network.Send(0, 1, 5000, BEST_EFFORT);
        network.Send(1, 0, 5000, BEST_EFFORT);
        Simulator::Run();
        ASSERT_EQ(network.Receptions().size(), 2);
        ASSERT_EQ(network.Reports().size(), 2);
        EXPECT_GE(network.Reports()[1].start, network.Reports()[0].end);
        first += network.Reports()[0].senderNode == network.NodeId(0);
        Simulator::Destroy();
    }
    // 53 % for the first, who wins ties; a fair coin leaves this range with probability 2e-4
    EXPECT_GT(first, 9);
    EXPECT_LT(first, 33);
}

TEST_P(D2dFidelityTest, HalfDuplexBackoffBeginsWhenTheMediumIsFree)
{
    const Time slot = MicroSeconds(9);
    for (int run = 1; run <= 20; ++run)
    {
        RngSeedManager::SetRun(run);
        TestNetwork network(2, {}, m_channel);
        network.Send(0, 1, 100, BEST_EFFORT);
        Simulator::Schedule(MicroSeconds(1050),
                            [&network]() { network.Send(1, 0, 100, BEST_EFFORT); });
        Simulator::Run();
        ASSERT_EQ(network.Reports().size(), 2);
        const Time wait = network.Reports()[1].start - network.Receptions().at(0).time;
        EXPECT_GE(wait, Time());
        EXPECT_LT(wait, slot * 16);
        EXPECT_EQ(wait.GetTimeStep() % slot.GetTimeStep(), 0);
        Simulator::Destroy();
    }
}

TEST_P(D2dFidelityTest, HalfDuplexTransmitterMissesBursts)
{
    TestNetwork network(3, EXACT, m_channel);
    network.Send(0, 1, 5000, BEST_EFFORT);
    Simulator::Schedule(MilliSeconds(1), [&network]() { network.Send(2, 0, 100, BEST_EFFORT); });
    Simulator::Run();
    ASSERT_EQ(network.Receptions().size(), 1);
    const D2dReceiverOutcome& missed = network.Reports().at(0).outcomes.at(0);
    EXPECT_EQ(missed.receiver, network.Address(0));
    EXPECT_EQ(missed.reason, D2dLossReason::HALF_DUPLEX);
    EXPECT_EQ(missed.lostFragments, 1);
    EXPECT_FALSE(missed.acknowledged);
}

TEST_P(D2dFidelityTest, FullDuplexDevicesSendAtOnce)
{
    TestNetwork network(2, ExactWith({{"Duplex", "Full"}}), m_channel);
    network.Send(0, 1, 5000, BEST_EFFORT);
    network.Send(1, 0, 5000, BEST_EFFORT);
    Simulator::Run();
    ASSERT_EQ(network.Receptions().size(), 2);
    EXPECT_EQ(network.Reports()[0].start, Time());
    EXPECT_EQ(network.Reports()[1].start, Time());
    EXPECT_EQ(network.Receptions()[1].time,
              network.Device(0)->GetPhy()->GetAirtime(5000) + NanoSeconds(334));
}

TEST_P(D2dFidelityTest, ReceiverHearsSeveralSendersAtOnce)
{
    TestNetwork network(6, EXACT, m_channel);
    for (uint32_t sender = 1; sender < 6; ++sender)
    {
        network.Send(sender, 0, 5000, BEST_EFFORT);
    }
    network.Send(0, 1, 100, BEST_EFFORT);
    Simulator::Run();
    ASSERT_EQ(network.Receptions().size(), 6);
    const Time airtime = network.Device(0)->GetPhy()->GetAirtime(5000);
    for (std::size_t i = 0; i < 5; ++i)
    {
        EXPECT_EQ(network.Receptions()[i].node, network.NodeId(0));
        EXPECT_LT(network.Receptions()[i].time, airtime + MicroSeconds(2));
    }
    EXPECT_EQ(network.Reports()[5].start, network.Receptions()[4].time)
        << "it waits for the last of them";
}

TEST_P(D2dFidelityTest, UnknownAddress)
{
    TestNetwork network(2, {}, m_channel);
    TraceCounts counts(network.Device(0));
    std::vector<std::vector<Mac48Address>> calls;
    for (const Mac48Address destination : {Mac48Address("00:00:00:00:ff:ff"), network.Address(0)})
    {
        network.Device(0)->GetMac()->SendBurst(
            {Create<Packet>(100), destination, 1, ARQ},
            [&calls](const D2dBurstReport& report) { calls.push_back(Acknowledged(report)); });
    }
    network.Send(0, 1, 100, BEST_EFFORT);
    Simulator::Run();
    EXPECT_EQ(counts["MacTxDrop"], 2);
    EXPECT_EQ(counts["PhyTxBegin"], 1);
    EXPECT_EQ(network.Receptions().size(), 1) << "the next burst goes on";
    EXPECT_THAT(calls, ElementsAre(IsEmpty(), IsEmpty()));
    ASSERT_EQ(network.Reports().size(), 3);
    ASSERT_EQ(network.Reports()[0].outcomes.size(), 1);
    EXPECT_EQ(ToString(network.Reports()[0].outcomes[0].reason), "unknown-address");
    EXPECT_EQ(network.Reports()[0].outcomes[0].receiver, Mac48Address("00:00:00:00:ff:ff"));
    EXPECT_FALSE(network.Reports()[0].outcomes[0].delivered);
}

TEST_P(D2dFidelityTest, OutOfRange)
{
    TestNetwork network(2, ExactWith({{"MaxAttempts", "4"}}), m_channel);
    network.SetOutOfRange(0, 1);
    TraceCounts receiver(network.Device(1));
    network.Send(0, 1, 3000, BEST_EFFORT);
    network.Send(0, 1, 3000, ARQ);
    Simulator::Run();
    EXPECT_THAT(network.Receptions(), IsEmpty());
    ASSERT_EQ(network.Reports().size(), 2);
    EXPECT_EQ(network.Reports()[0].attempts, 2);
    EXPECT_EQ(network.Reports()[1].attempts, 4) << "the sender cannot know, and gives up";
    for (const auto& report : network.Reports())
    {
        EXPECT_EQ(report.outcomes[0].reason, D2dLossReason::OUT_OF_RANGE);
        EXPECT_EQ(report.outcomes[0].lostFragments, 2);
    }
    EXPECT_EQ(receiver["PhyRxBegin"], 0);
    EXPECT_FALSE(network.Device(1)->GetPhy()->GetActivity().receiving);
}

TEST_P(D2dFidelityTest, SenderGoesOffInMidBurst)
{
    TestNetwork network(3, EXACT, m_channel);
    TraceCounts counts(network.Device(0));
    TraceCounts receiver(network.Device(1));
    network.Send(0, 1, 15000, BEST_EFFORT); // 10 fragments of 12.272 ms
    network.Send(0, 2, 100, BEST_EFFORT);
    network.Send(1, 2, 100, BEST_EFFORT); // waits for the first
    const Time off = MilliSeconds(30);
    Simulator::Schedule(off, [&network]() { network.Device(0)->GetMac()->SwitchOff(); });
    Simulator::Schedule(off + MilliSeconds(1), [&network]() {
        EXPECT_FALSE(network.Device(0)->IsLinkUp());
        EXPECT_EQ(network.Device(0)->GetPhy()->GetActivity().transmitting, 0);
        EXPECT_FALSE(network.Device(1)->GetPhy()->GetActivity().receiving);
        EXPECT_FALSE(network.Device(0)->Send(Create<Packet>(1), network.Address(1), 1));
    });
    Simulator::Run();

    ASSERT_EQ(network.Receptions().size(), 1);
    EXPECT_EQ(network.Receptions()[0].node, network.NodeId(2)) << "from 1";
    ASSERT_EQ(network.Reports().size(), 4);
    std::map<uint32_t, D2dBurstReport> own;
    for (const auto& report : network.Reports())
    {
        if (report.senderNode == network.NodeId(0))
        {
            own[report.burst->id] = report;
            EXPECT_EQ(ToString(report.outcomes.at(0).reason), "transmitter-off");
            EXPECT_FALSE(report.outcomes.at(0).delivered);
        }
        else
        {
            EXPECT_GE(report.start, off) << "the reservation is released";
            EXPECT_LE(report.start, off + MicroSeconds(1));
        }
    }
    EXPECT_EQ(own.at(1).end, off);
    EXPECT_EQ(own.at(1).attempts, 3) << "the third was under way";
    EXPECT_EQ(own.at(1).airtime, off) << "it transmitted all the time, and no longer";
    EXPECT_EQ(own.at(1).outcomes[0].lostFragments, 8);
    EXPECT_EQ(receiver["PhyRxEnd"], m_isPacket ? 2 : 0) << "what is cut off is not received";
    EXPECT_EQ(own.at(2).attempts, 0);
    EXPECT_EQ(counts["PhyTxDrop"], 1);
    EXPECT_EQ(counts["MacTxDrop"], 2);
}

TEST_P(D2dFidelityTest, SenderGoesOffInTheMiddleOfAReliableBurst)
{
    TestNetwork network(2, EXACT, m_channel);
    network.Send(0, 1, 15000, ARQ);
    Simulator::Schedule(MilliSeconds(30),
                        [&network]() { network.Device(0)->GetMac()->SwitchOff(); });
    Simulator::Run();
    const D2dBurstReport& report = network.Reports().at(0);
    EXPECT_EQ(report.attempts, 3);
    EXPECT_LE(report.airtime, MilliSeconds(30));
    EXPECT_FALSE(report.outcomes[0].delivered);
    EXPECT_FALSE(report.outcomes[0].acknowledged);
    EXPECT_EQ(report.outcomes[0].reason, D2dLossReason::TRANSMITTER_OFF);
    EXPECT_GT(report.outcomes[0].lostFragments, 0);
    EXPECT_FALSE(network.Device(1)->GetPhy()->GetActivity().receiving);
    EXPECT_EQ(network.Device(1)->GetPhy()->GetActivity().transmitting, 0);
}

TEST_P(D2dFidelityTest, NothingIsAcknowledgedBeforeItsSenderHasHeardSo)
{
    for (const uint32_t off : {0, 1})
    {
        TestNetwork network(2, EXACT, m_channel);
        network.Send(0, 1, 100, ARQ);
        // 8 x 134 us of fragment, 10 us of turnaround, 112 us of acknowledgment; until 1204 us
        Simulator::Schedule(MicroSeconds(1200),
                            [&network, off]() { network.Device(off)->GetMac()->SwitchOff(); });
        Simulator::Run();
        EXPECT_TRUE(network.Reports().at(0).outcomes[0].delivered);
        EXPECT_EQ(network.Reports().at(0).outcomes[0].acknowledged, off == 1) << "who is off";
        EXPECT_EQ(network.Receptions().size(), 1);
        Simulator::Destroy();
    }
}

TEST_P(D2dFidelityTest, ReceiverGoesOffInMidBurst)
{
    for (const auto reliability : {BEST_EFFORT, ARQ})
    {
        TestNetwork network(3, EXACT, m_channel);
        std::vector<std::vector<Mac48Address>> calls;
        network.Device(0)->GetMac()->SendBurst(
            {Create<Packet>(15000), Mac48Address::GetBroadcast(), 1, reliability},
            [&calls](const D2dBurstReport& report) { calls.push_back(Acknowledged(report)); });
        Simulator::Schedule(MilliSeconds(30),
                            [&network]() { network.Device(1)->GetMac()->SwitchOff(); });
        Simulator::Schedule(MilliSeconds(31),
                            [&network]() { network.Device(1)->GetMac()->SwitchOn(); });
        Simulator::Schedule(Seconds(1), [&network]() { network.Send(0, 1, 100, BEST_EFFORT); });
        Simulator::Run();

        const D2dBurstReport& report = network.Reports().at(0);
        ASSERT_EQ(report.outcomes.size(), 2);
        EXPECT_EQ(ToString(report.outcomes[0].reason), "receiver-off");
        EXPECT_FALSE(report.outcomes[0].delivered);
        EXPECT_FALSE(report.outcomes[0].acknowledged);
        EXPECT_GT(report.outcomes[0].lostFragments, 0);
        EXPECT_TRUE(report.outcomes[1].delivered);
        EXPECT_EQ(report.outcomes[1].acknowledged, reliability == ARQ);
        ASSERT_EQ(calls.size(), 1);
        EXPECT_EQ(calls[0].size(), reliability == ARQ ? 1 : 0);
        ASSERT_EQ(network.Receptions().size(), 2);
        EXPECT_EQ(network.Receptions()[1].node, network.NodeId(1)) << "it is on again";
        EXPECT_FALSE(network.Device(1)->GetPhy()->GetActivity().receiving);
        Simulator::Destroy();
    }
}

TEST_P(D2dFidelityTest, DeviceThatIsOffMissesBurstsAndSendsNone)
{
    TestNetwork network(2, {}, m_channel);
    int changes = 0;
    network.Device(1)->AddLinkChangeCallback(MakeBoundCallback(
        +[](int* n) { ++*n; }, &changes));
    network.Device(1)->GetMac()->SwitchOff();
    network.Device(1)->GetMac()->SwitchOff();
    EXPECT_EQ(changes, 1);
    EXPECT_FALSE(network.Device(1)->GetPhy()->IsOn());
    network.Send(0, 1, 100, BEST_EFFORT);
    EXPECT_EQ(network.Send(1, 0, 100, BEST_EFFORT), 0);
    Simulator::Run();
    EXPECT_THAT(network.Receptions(), IsEmpty());
    EXPECT_EQ(network.Reports()[0].outcomes[0].reason, D2dLossReason::TRANSMITTER_OFF);
    EXPECT_EQ(network.Reports()[1].outcomes[0].reason, D2dLossReason::RECEIVER_OFF);

    network.Device(1)->GetMac()->SwitchOn();
    network.Device(1)->GetMac()->SwitchOn();
    EXPECT_EQ(changes, 2);
    EXPECT_TRUE(network.Device(1)->IsLinkUp());
    network.Send(1, 0, 100, BEST_EFFORT);
    Simulator::Run();
    EXPECT_EQ(network.Receptions().size(), 1);
}

/*
 * Whoever listens to what the radio does may switch it off: an energy source finds itself empty
 * when it is told of a new power.
 */
TEST_P(D2dFidelityTest, SenderGoesOffWhenItsActivityChanges)
{
    for (int change = 1; change <= 12; ++change)
    {
        SCOPED_TRACE("change " + std::to_string(change));
        TestNetwork network(3, {{"MaxAttempts", "3"}}, m_channel);
        network.SetOutage(0, 1, 0.9);
        network.Send(0, BROADCAST, 4000, ARQ);
        std::function<void()> onChange = [&network, left = change]() mutable {
            if (--left == 0)
            {
                network.Device(0)->GetMac()->SwitchOff();
            }
        };
        network.Device(0)->GetPhy()->TraceConnectWithoutContext(
            "Activity",
            MakeBoundCallback(
                +[](std::function<void()>* call, const D2dRadioActivity&) { (*call)(); },
                &onChange));
        Simulator::Run();
        onChange = []() {};
        EXPECT_EQ(network.Device(0)->GetPhy()->GetActivity().transmitting, 0);
        EXPECT_FALSE(network.Device(0)->GetPhy()->GetActivity().receiving);
        EXPECT_FALSE(network.Device(1)->GetPhy()->GetActivity().receiving);
        ASSERT_EQ(network.Reports().size(), 1);
        EXPECT_LE(network.Reports()[0].end, Simulator::Now());

        network.Device(0)->GetMac()->SwitchOn();
        network.SetOutage(0, 1, 0);
        network.Send(0, 1, 100, BEST_EFFORT);
        network.Send(1, 0, 100, BEST_EFFORT);
        Simulator::Run();
        EXPECT_TRUE(network.Reports().at(1).outcomes[0].delivered);
        EXPECT_TRUE(network.Reports().at(2).outcomes[0].delivered);
        Simulator::Destroy();
    }
}

TEST_P(D2dFidelityTest, WorksUnderPacketSockets)
{
    TestNetwork network(3, {}, m_channel);
    std::vector<Ptr<Socket>> sockets;
    for (uint32_t i = 0; i < 3; ++i)
    {
        Ptr<Node> node = network.Device(i)->GetNode();
        PacketSocketHelper().Install(node);
        PacketSocketAddress address;
        address.SetSingleDevice(network.Device(i)->GetIfIndex());
        address.SetProtocol(1);
        sockets.push_back(
            Socket::CreateSocket(node, TypeId::LookupByName("ns3::PacketSocketFactory")));
        sockets.back()->Bind(address);
    }
    PacketSocketAddress peer;
    peer.SetSingleDevice(network.Device(0)->GetIfIndex());
    peer.SetPhysicalAddress(network.Address(2));
    peer.SetProtocol(1);
    const std::string text = "over the air";
    sockets[0]->SendTo(reinterpret_cast<const uint8_t*>(text.data()), text.size(), 0, peer);
    Simulator::Run();
    EXPECT_EQ(sockets[1]->GetRxAvailable(), 0);
    ASSERT_EQ(sockets[2]->GetRxAvailable(), text.size());
    Address from;
    Ptr<Packet> packet = sockets[2]->RecvFrom(from);
    std::string received(text.size(), ' ');
    packet->CopyData(reinterpret_cast<uint8_t*>(received.data()), received.size());
    EXPECT_EQ(received, text);
    EXPECT_EQ(PacketSocketAddress::ConvertFrom(from).GetPhysicalAddress(), network.Address(0));
}

TEST_F(D2dNetDeviceTest, UnicastReliabilityOfTheNetworkLayer)
{
    TestNetwork network(2, {{"UnicastReliability", "Arq"}});
    network.Device(0)->Send(Create<Packet>(100), network.Address(1), 1);
    network.Device(0)->Send(Create<Packet>(100), Mac48Address::GetBroadcast(), 1);
    Simulator::Run();
    EXPECT_TRUE(network.Reports()[0].outcomes[0].acknowledged);
    EXPECT_EQ(network.Reports()[1].burst->reliability, BEST_EFFORT);
}

} // namespace
