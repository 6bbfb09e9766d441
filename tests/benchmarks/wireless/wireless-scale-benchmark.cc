/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What the number of devices costs if each has as many in range, and what finding them costs.
 */

#include "benchmarks/benchmark-memory.h"
#include "benchmarks/benchmark-network.h"

#include "ns3/d2d-channel.h"
#include "ns3/d2d-net-device.h"
#include "ns3/double.h"
#include "ns3/simulator.h"

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

/// @return options of radios of limited range
D2dOptions
MakeLimited()
{
    D2dOptions options;
    options.fidelity = "Burst";
    options.limited = true;
    return options;
}

/// Every device broadcasts once. The argument is the number of devices.
/// @param kept whether links are known from the round before
void
Scale(benchmark::State& state, bool kept)
{
    Simulation simulation;
    const auto count = static_cast<uint32_t>(state.range(0));
    const double before = GetResidentBytes();
    const auto devices = InstallD2d(MakeStillNodes(count, GetSideM(count)), MakeLimited());
    const auto channel = DynamicCast<D2dChannel>(devices.Get(0)->GetChannel());
    BroadcastTurns turns(devices);
    const double bytes = GetResidentBytes() - before;
    for (auto _ : state)
    {
        if (!kept)
        {
            channel->InvalidateLinks();
        }
        turns.Run();
    }
    turns.Report(state);
    state.SetItemsProcessed(state.iterations() * count);
    state.counters["resident_bytes/device"] = bytes / count;
}

/// Every device broadcasts once to all others, in 1 km^2. The argument is the number of devices.
void
AllInRange(benchmark::State& state)
{
    constexpr double SIDE_M = 1000;
    Simulation simulation;
    const auto count = static_cast<uint32_t>(state.range(0));
    D2dOptions options;
    options.fidelity = "Burst";
    const double before = GetResidentBytes();
    const auto devices = InstallD2d(MakeStillNodes(count, SIDE_M), options);
    for (auto _ : state)
    {
        const BroadcastTurns turns(devices); // whose constructor gives each device one
    }
    state.SetItemsProcessed(state.iterations() * count);
    state.counters["resident_bytes/device"] = (GetResidentBytes() - before) / count;
}

/// @brief Set the power of a device that is about to send.
/// @param phy of the device
void
ChangePower(Ptr<D2dPhy> phy, Ptr<const Packet>)
{
    constexpr double LEAST_DBM = 17;
    constexpr double GREATEST_DBM = 20;
    const double powerDbm = phy->GetTxPowerDbm() + 0.1;
    phy->SetAttribute("TxPower", DoubleValue(powerDbm > GREATEST_DBM ? LEAST_DBM : powerDbm));
}

/// Every device broadcasts once, with another power each time. The argument is the number of
/// devices.
void
PowerControl(benchmark::State& state)
{
    Simulation simulation;
    const auto count = static_cast<uint32_t>(state.range(0));
    const auto devices = InstallD2d(MakeStillNodes(count, GetSideM(count)), MakeLimited());
    for (uint32_t i = 0; i < count; ++i)
    {
        const auto device = DynamicCast<D2dNetDevice>(devices.Get(i));
        device->GetMac()->TraceConnectWithoutContext(
            "MacTx", MakeBoundCallback(&ChangePower, device->GetPhy()));
    }
    RunTurns(state, devices);
}

/// @brief Some of 1000 devices move, and every device broadcasts once.
/// @param movers how many move
void
Move(benchmark::State& state, uint32_t movers)
{
    constexpr uint32_t COUNT = 1000;
    Simulation simulation;
    const double side = GetSideM(COUNT);
    const auto devices = InstallD2d(
        NodeContainer(MakeStillNodes(COUNT - movers, side), MakeMovingNodes(movers, side)),
        MakeLimited());
    RunTurns(state, devices);
}

/// @brief Find all links of 1000 devices.
/// @param moving whether the devices move
void
GetLinks(benchmark::State& state, bool moving)
{
    constexpr uint32_t COUNT = 1000;
    Simulation simulation;
    const double side = GetSideM(COUNT);
    const auto devices = InstallD2d(
        moving ? MakeMovingNodes(COUNT, side) : MakeStillNodes(COUNT, side), MakeLimited());
    const auto channel = DynamicCast<D2dChannel>(devices.Get(0)->GetChannel());
    std::size_t links = 0;
    for (auto _ : state)
    {
        state.PauseTiming();
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        state.ResumeTiming();
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            links += channel->GetLinks(DynamicCast<D2dNetDevice>(devices.Get(i))).size();
        }
    }
    state.SetItemsProcessed(state.iterations() * COUNT);
    state.counters["links"] = static_cast<double>(links) / COUNT / state.iterations();
}

/// @param benchmark gets numbers of devices
void
Numbers(benchmark::internal::Benchmark* benchmark)
{
    benchmark->Arg(100)->Arg(1000)->Arg(10000);
}

BENCHMARK_CAPTURE(Scale, kept_links, true)->Apply(Numbers);
BENCHMARK_CAPTURE(Scale, new_links, false)->Apply(Numbers);
BENCHMARK_CAPTURE(Scale, large, true)->Arg(100000)->Iterations(1)->Repetitions(1);
BENCHMARK(AllInRange)->Arg(1000)->Iterations(1);
BENCHMARK(AllInRange)->Name("AllInRange/large")->Arg(10000)->Iterations(1)->Repetitions(1);
BENCHMARK(PowerControl)->Arg(100)->Arg(10000);
BENCHMARK_CAPTURE(Move, all, 1000);
BENCHMARK_CAPTURE(Move, one, 1);
BENCHMARK_CAPTURE(Move, none, 0);
BENCHMARK_CAPTURE(GetLinks, still, false);
BENCHMARK_CAPTURE(GetLinks, moving, true);

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
