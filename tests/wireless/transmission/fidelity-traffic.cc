/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fidelity-traffic.h"

#include "wireless/wireless-test-support.h"

#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3::collab
{
namespace tests
{

namespace
{

/// Let what is to happen in the middle of a message happen.
void
ScheduleCut(FidelityCut cut, Time time, TestNetwork& network)
{
    switch (cut)
    {
    case FidelityCut::CANCEL:
        network.CancelAt(time, 0, 1);
        break;
    case FidelityCut::SENDER_OFF:
        network.SwitchOffAt(time, 0);
        break;
    case FidelityCut::RECEIVER_OFF:
        network.SwitchOffAt(time, 1);
        break;
    case FidelityCut::LINK_CHANGES:
        At(time, [&network] {
            network.SetOutage(0, 1, 0.8);
            network.SetOutage(1, 0, 0.5);
        });
        break;
    case FidelityCut::NONE:
    case FidelityCut::DEADLINE:
        break;
    }
}

/// @return its burst
D2dBurst
MakeBurst(const FidelityTraffic& traffic, Mac48Address destination)
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
                   destination,
                   TestNetwork::PROTOCOL,
                   once ? D2dReliability::BEST_EFFORT : D2dReliability::ARQ);
    burst.division = division;
    return burst;
}

/// Devices that disturb, beside one that only listens to the last of them
constexpr uint32_t DISTURBERS = 2;

/**
 * @brief Let others disturb a message, who send messages of the same kind, half as long.
 *
 * None of them hears the sender or another one. The first sends to the first receiver, which hears
 * it as well as the sender, and from one of its messages on much better. The second sends to a
 * device of its own, and all receivers hear it, weakly. Some of these messages begin before the
 * message, some in the midst of it, and some end in it.
 *
 * @param random of when they begin
 */
void
ScheduleDisturbance(const FidelityTraffic& traffic,
                    Ptr<UniformRandomVariable> random,
                    TestNetwork& network)
{
    constexpr int MESSAGES = 3; // of each of them
    const uint32_t first = 1 + traffic.receivers;
    const uint32_t second = first + 1;
    const uint32_t sink = first + DISTURBERS;
    for (const uint32_t a : {0U, first, second})
    {
        for (const uint32_t b : {0U, first, second})
        {
            if (a != b)
            {
                network.SetOutOfRange(a, b);
            }
        }
    }
    for (const uint32_t device : {0U, first})
    {
        network.Hide(device, sink);
    }
    for (uint32_t i = 1; i <= traffic.receivers; ++i)
    {
        network.SetOutage(first, i, i == 1 ? 0.8 * traffic.outage : 0.9);
        network.SetOutage(second, i, 0.95);
    }
    FidelityTraffic other = traffic;
    other.bytes = std::max(100U, traffic.bytes / 2);
    for (int i = 0; i < MESSAGES; ++i)
    {
        for (const uint32_t device : {first, second})
        {
            const uint32_t destination = device == first ? 1 : sink;
            At(traffic.cutBefore * random->GetValue(), [device, destination, other, i, &network] {
                if (i == 1 && destination == 1)
                {
                    network.SetOutage(device, 1, 0.05 * other.outage); // it captures
                }
                network.SendBurst(device, MakeBurst(other, network.Address(destination)));
            });
        }
    }
}

/// @return attributes of the channel that it is sent on
Settings
MakeChannelSettings(const FidelityTraffic& traffic, const std::string& fidelity)
{
    Settings settings = {
        {"Fidelity", fidelity},
        {"LinkUpdatePeriod", traffic.cut == FidelityCut::LINK_CHANGES ? "17ms" : "0ms"}};
    if (!traffic.locking.empty())
    {
        settings["Access"] = "Shared";
        settings["Locking"] = traffic.locking;
    }
    return settings;
}

} // namespace

std::string
ToString(FidelityPolicy policy)
{
    constexpr const char* NAMES[] = {
        "best-effort", "stop-and-wait", "selective-repeat", "divisible", "divisible-reliable"};
    return NAMES[static_cast<std::size_t>(policy)];
}

std::string
ToString(FidelityCut cut)
{
    constexpr const char* NAMES[] = {
        "none", "deadline", "cancel", "sender-off", "receiver-off", "link-changes"};
    return NAMES[static_cast<std::size_t>(cut)];
}

FidelityResult
PlayFidelityTraffic(const FidelityTraffic& traffic, const std::string& fidelity, uint64_t run)
{
    constexpr double SHARES[] = {1, 0.5, 1.5, 0.1};
    RngSeedManager::SetRun(run);
    std::ostringstream backoff;
    backoff << traffic.retryBackoff.GetNanoSeconds() << "ns";
    const bool selective = traffic.policy == FidelityPolicy::SELECTIVE_REPEAT;
    const bool disturbed = !traffic.locking.empty();
    const uint32_t devices = 1 + traffic.receivers + (disturbed ? DISTURBERS : 0);
    TestNetwork network(devices + (disturbed ? 1 : 0),
                        {{"FragmentSize", std::to_string(traffic.fragmentSize)},
                         {"RetryBackoff", backoff.str()},
                         {"Combining", traffic.combines ? "Chase" : "None"},
                         {"Arq", selective ? "SelectiveRepeat" : "StopAndWait"}},
                        MakeChannelSettings(traffic, fidelity));
    network.InstallBatteries({{"BasicEnergySourceInitialEnergyJ", "1e7"}});
    for (uint32_t i = 1; i <= traffic.receivers; ++i)
    {
        network.SetOutage(0, i, SHARES[i - 1] * traffic.outage);
        network.SetOutage(i, 0, traffic.outage / 2);
    }
    D2dBurst burst = MakeBurst(
        traffic, traffic.receivers == 1 ? network.Address(1) : Mac48Address::GetBroadcast());
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    if (disturbed)
    {
        ScheduleDisturbance(traffic, random, network);
    }
    if (traffic.cut != FidelityCut::NONE)
    {
        const Time time = traffic.cutBefore * random->GetValue();
        if (traffic.cut == FidelityCut::DEADLINE)
        {
            burst.deadline = time;
        }
        ScheduleCut(traffic.cut, time, network);
    }
    // In the midst of what others send, if they do
    At(disturbed ? traffic.cutBefore / 4 : Time(), [&] { network.SendBurst(0, burst); });
    RunFor(traffic.horizon);

    FidelityResult result;
    for (const auto& report : network.Reports())
    {
        if (report.senderNode == network.NodeId(0))
        {
            result.report = report;
        }
    }
    for (uint32_t i = 0; i < devices; ++i)
    {
        result.energyJ.push_back(network.Energy(i));
    }
    return result;
}

} // namespace tests
} // namespace ns3::collab
