/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Fidelity Packet against ns-3's own devices: 25 devices that all hear each other broadcast 1000
 * bytes in turns.
 */

#include "benchmarks/benchmark-network.h"

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

/// @param delay whether there is a model of the propagation delay
/// @param energy whether there are energy models
void
PacketD2d(benchmark::State& state, bool delay, bool energy)
{
    Simulation simulation;
    D2dOptions options;
    options.delay = delay;
    options.energy = energy;
    RunTurns(state, InstallD2d(MakeStillNodes(SMALL_NETWORK, SMALL_SIDE_M), options));
}

void
PacketSimple(benchmark::State& state)
{
    Simulation simulation;
    RunTurns(state, InstallSimple(MakeStillNodes(SMALL_NETWORK, SMALL_SIDE_M)));
}

void
PacketWifi(benchmark::State& state)
{
    Simulation simulation;
    RunTurns(state, InstallWifi(MakeStillNodes(SMALL_NETWORK, SMALL_SIDE_M)));
}

BENCHMARK_CAPTURE(PacketD2d, delay, true, false);
BENCHMARK_CAPTURE(PacketD2d, delay_energy, true, true);
BENCHMARK_CAPTURE(PacketD2d, no_delay, false, false);
BENCHMARK_CAPTURE(PacketD2d, no_delay_energy, false, true);
BENCHMARK(PacketSimple);
BENCHMARK(PacketWifi);

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
