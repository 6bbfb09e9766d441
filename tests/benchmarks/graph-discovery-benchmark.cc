/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What it costs that devices learn whom to ask for data.
 */

#include "graph-discovery/graphs/label-games.h"
#include "graph-discovery/graphs/rehearsal.h"

#include "ns3/graph-discovery-coordinate-ascent.h"

#include <benchmark/benchmark.h>

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

/// The whole learning of so many devices, for one edge each, without a network.
void
GraphDiscoveryMathematics(benchmark::State& state)
{
    const LabelGame game = test::MakeSkewedGame(static_cast<uint32_t>(state.range(0)), 1);
    const test::RehearsalOptions options;
    for (auto _ : state)
    {
        benchmark::DoNotOptimize(test::Rehearse(game, options));
    }
    state.counters["iterations/s"] = benchmark::Counter(
        static_cast<double>(state.iterations()) * options.iterations, benchmark::Counter::kIsRate);
}

/// The best graph of 25 devices that coordinate ascent finds from 5 starts.
void
GraphDiscoverySearch(benchmark::State& state)
{
    const LabelGame game = test::MakeSkewedGame(25, 1);
    for (auto _ : state)
    {
        benchmark::DoNotOptimize(SearchByCoordinateAscent(game, 5, 1));
    }
}

BENCHMARK(GraphDiscoveryMathematics)->Arg(25)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(GraphDiscoverySearch)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
