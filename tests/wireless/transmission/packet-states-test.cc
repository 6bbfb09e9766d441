/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/memory-watch.h"
#include "wireless/wireless-test-support.h"

#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

namespace
{

constexpr uint32_t RECEIVERS = 100;

class PacketStatesTest : public SimulatorTest
{
};

} // namespace

TEST_F(PacketStatesTest, ABestEffortBurstRemembersNumbersAlone)
{
    TestNetwork network(RECEIVERS + 1);
    network.Send(0, TestNetwork::BROADCAST, 100, D2dReliability::BEST_EFFORT);
    Simulator::Stop(Seconds(1));
    Simulator::Run(); // links are known from here on

    const ::tests::MemoryWatch watch;
    network.Send(0, TestNetwork::BROADCAST, 20000000, D2dReliability::BEST_EFFORT);
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    const uint64_t fragments = 20000000 / 1500;
    EXPECT_LT(watch.GetPeak(), RECEIVERS * fragments / 2);
}
