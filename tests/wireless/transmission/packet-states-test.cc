/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/memory-watch.h"
#include "wireless/wireless-bench.h"

namespace ns3::collab::tests
{
namespace
{

using PacketStatesTest = SimulatorTest;

TEST_F(PacketStatesTest, ABestEffortBurstRemembersNumbersAlone)
{
    constexpr uint32_t RECEIVERS = 100;
    TestNetwork network(RECEIVERS + 1);
    network.Send(0, BROADCAST, 100);
    Simulator::Stop(Seconds(1));
    Simulator::Run(); // links are known from here on

    const ::tests::MemoryWatch watch;
    network.Send(0, BROADCAST, 20000000);
    RunFor(MilliSeconds(1));
    const uint64_t fragments = 20000000 / 1500;
    EXPECT_LT(watch.GetPeak(), RECEIVERS * fragments / 2);
}

} // namespace
} // namespace ns3::collab::tests
