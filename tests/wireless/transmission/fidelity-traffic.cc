/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fidelity-traffic.h"

#include "wireless/wireless-test-support.h"

#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace collab
{
namespace tests
{

namespace
{

/**
 * @param traffic what to send
 * @param network where
 * @return its burst
 */
D2dBurst
MakeBurst(const FidelityTraffic& traffic, const TestNetwork& network)
{
    constexpr uint32_t HEADER = 23; // as long as a message's
    const bool divisible = traffic.policy == FidelityPolicy::DIVISIBLE ||
                           traffic.policy == FidelityPolicy::DIVISIBLE_RELIABLE;
    D2dDivision division;
    uint32_t bytes = traffic.bytes;
    if (divisible)
    {
        division.headerBytes = HEADER;
        division.unitBytes = traffic.unitBytes;
        division.units = std::max(1U, (traffic.bytes - HEADER) / traffic.unitBytes);
        bytes = HEADER + division.units * division.unitBytes;
    }
    const bool once = traffic.policy == FidelityPolicy::BEST_EFFORT ||
                      traffic.policy == FidelityPolicy::DIVISIBLE;
    D2dBurst burst(Create<Packet>(bytes),
                   traffic.receivers == 1 ? network.Address(1) : Mac48Address::GetBroadcast(),
                   TestNetwork::PROTOCOL,
                   once ? D2dReliability::BEST_EFFORT : D2dReliability::ARQ);
    burst.division = division;
    return burst;
}

} // namespace

std::string
ToString(FidelityPolicy policy)
{
    switch (policy)
    {
    case FidelityPolicy::BEST_EFFORT:
        return "best-effort";
    case FidelityPolicy::STOP_AND_WAIT:
        return "stop-and-wait";
    case FidelityPolicy::SELECTIVE_REPEAT:
        return "selective-repeat";
    case FidelityPolicy::DIVISIBLE:
        return "divisible";
    case FidelityPolicy::DIVISIBLE_RELIABLE:
        return "divisible-reliable";
    }
    return "";
}

FidelityResult
PlayFidelityTraffic(const FidelityTraffic& traffic, const std::string& fidelity, uint64_t run)
{
    constexpr double SHARES[] = {1, 0.5, 1.5, 0.1};
    RngSeedManager::SetRun(run);
    std::ostringstream backoff;
    backoff << traffic.retryBackoff.GetNanoSeconds() << "ns";
    const bool selective = traffic.policy == FidelityPolicy::SELECTIVE_REPEAT;
    TestNetwork network(1 + traffic.receivers,
                        {{"FragmentSize", std::to_string(traffic.fragmentSize)},
                         {"RetryBackoff", backoff.str()},
                         {"Arq", selective ? "SelectiveRepeat" : "StopAndWait"}},
                        {{"Fidelity", fidelity}});
    network.InstallBatteries({{"BasicEnergySourceInitialEnergyJ", "1e7"}});
    for (uint32_t i = 1; i <= traffic.receivers; ++i)
    {
        network.SetOutage(0, i, SHARES[i - 1] * traffic.outage);
        network.SetOutage(i, 0, traffic.outage / 2);
    }
    network.Device(0)->SendBurst(MakeBurst(traffic, network));
    Simulator::Stop(traffic.horizon);
    Simulator::Run();

    FidelityResult result;
    result.report = network.Reports().at(0);
    for (uint32_t i = 0; i <= traffic.receivers; ++i)
    {
        result.energyJ.push_back(network.Energy(i));
    }
    Simulator::Destroy();
    return result;
}

} // namespace tests
} // namespace collab
} // namespace ns3
