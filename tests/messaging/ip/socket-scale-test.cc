/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging/ip/socket-network.h"
#include "support/memory-watch.h"

#include "ns3/arp-cache.h"
#include "ns3/collab-datagram-assembly.h"
#include "ns3/collab-message-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"

#include <fmt/format.h>

using namespace ns3;
using namespace ns3::collab;
using ::tests::KIND;
using ::tests::MemoryWatch;
using ::tests::SocketNetwork;

namespace
{

/// A model of 200 MB, which nobody looks at
class LargePayload : public Payload
{
  public:
    uint64_t
    WireSize() const override
    {
        return 200000000;
    }

    void
    Serialize(std::vector<uint8_t>&) const override
    {
        FAIL() << "nobody asks for the bytes";
    }
};

/// What a device has to remember, over UDP and TCP
class SocketScaleTest : public SocketNetwork, public testing::WithParamInterface<std::string>
{
  protected:
    /// @return link-layer addresses that the devices' IP stacks know, all together
    uint32_t
    CountKnownAddresses() const
    {
        uint32_t count = 0;
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            Ptr<ArpCache> cache =
                m_nodes.Get(i)->GetObject<Ipv4L3Protocol>()->GetInterface(1)->GetArpCache();
            for (uint32_t j = 0; j < m_nodes.GetN(); ++j)
            {
                count += cache->Lookup(GetAddress(j)) ? 1 : 0;
            }
        }
        return count;
    }
};

} // namespace

TEST_P(SocketScaleTest, ALargeMessageIsNotCopied)
{
    MakeDevices(fmt::format("transport={} devices=4 mode=Reference", GetParam()));
    const MemoryWatch watch;
    GetTransport(0)->Broadcast({KIND, 0, std::make_shared<LargePayload>()}, LossPolicy::RELIABLE);
    ::tests::RunFor(MilliSeconds(20));
    EXPECT_LT(watch.GetPeak(), 10000000U);
}

TEST_P(SocketScaleTest, LinkAddressesAreKnownWhereTheyAreNeeded)
{
    MakeDevices(fmt::format("transport={} devices=10", GetParam()));
    EXPECT_EQ(CountKnownAddresses(), 0U) << "not N^2";
    Send(::tests::BytesPayload::Make(3000), LossPolicy::RELIABLE);
    Simulator::Run();
    ASSERT_EQ(m_arrivals.size(), 1U);
    EXPECT_LT(m_arrivals[0].time, MilliSeconds(10)) << "nobody had to ask";
    EXPECT_EQ(CountKnownAddresses(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Transports, SocketScaleTest, testing::Values("udp", "tcp"));

TEST(DatagramAssemblyTest, TakesMemoryForGapsAloneIfBytesDoNotMatter)
{
    const DatagramLayout layout(MessageHeader::SIZE + 200000000, 0, 1400);
    ASSERT_TRUE(layout.IsValid());
    DatagramAssembly assembly(layout, false);
    const MemoryWatch watch;
    for (uint32_t index = 0; index < layout.GetCount(); ++index)
    {
        EXPECT_EQ(assembly.GetBase(), index);
        EXPECT_FALSE(assembly.Has(index));
        Ptr<Packet> body = Create<Packet>(layout.GetBodyBytes(index));
        ASSERT_TRUE(assembly.Add(index, body));
        ASSERT_FALSE(assembly.Add(index, body));
    }
    EXPECT_TRUE(assembly.IsComplete());
    EXPECT_LT(watch.GetPeak(), 100000U);
}
