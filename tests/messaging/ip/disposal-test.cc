/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging/test-payloads.h"
#include "support/simulation.h"

#include "ns3/collab-address-book.h"
#include "ns3/collab-socket-transport.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/object-factory.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @brief Send a message that takes four seconds, and more than a socket holds, from one device to
/// another, whose transports are not those of their nodes: these go on without them.
/// @param disposed which of them ends two seconds after the begin: 0 or 1, 2 for none
/// @return how many messages arrive
uint32_t
SendForFourSeconds(const std::string& type, uint32_t disposed)
{
    NodeContainer nodes(2);
    SimpleNetDeviceHelper simple;
    simple.SetDeviceAttribute("DataRate", StringValue("1Mbps"));
    const NetDeviceContainer devices = simple.Install(nodes);
    InternetStackHelper().Install(nodes);
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    ObjectFactory factory("ns3::collab::" + type, "PayloadMode", StringValue("Bytes"));
    if (type == "UdpTransport")
    {
        factory.Set("PacingRate", StringValue("1Mbps"));
    }
    auto book = std::make_shared<AddressBook>();
    std::vector<Ptr<SocketTransport>> transports;
    uint32_t arrived = 0;
    for (uint32_t i = 0; i < 2; ++i)
    {
        book->Add(nodes.Get(i)->GetId(), interfaces.GetAddress(i));
        transports.push_back(factory.Create<SocketTransport>());
        transports[i]->Setup(nodes.Get(i), book);
        transports[i]->RegisterKind(::tests::KIND,
                                    "test",
                                    ::tests::BytesPayload::Parse,
                                    [&](const Message&) { ++arrived; });
    }
    transports[1]->Initialize();
    transports[0]->Send(nodes.Get(1)->GetId(),
                        {::tests::KIND, 1, ::tests::BytesPayload::Make(500000)},
                        LossPolicy::RELIABLE);
    if (disposed < 2)
    {
        Simulator::Schedule(Seconds(2), &Object::Dispose, transports[disposed]);
    }
    ::tests::RunFor(Seconds(100));
    Simulator::Destroy();
    return arrived;
}

} // namespace

TEST(DisposedTransport, HearsNothingMoreAndSendsNothingMore)
{
    for (const std::string type : {"UdpTransport", "TcpTransport"})
    {
        EXPECT_EQ(SendForFourSeconds(type, 0), 0U) << type;
        EXPECT_EQ(SendForFourSeconds(type, 1), 0U) << type;
        EXPECT_EQ(SendForFourSeconds(type, 2), 1U) << type;
    }
}
