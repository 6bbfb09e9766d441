/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What a fragment costs on a shared channel: one of many signals ends and another begins, all of
 * them heard by the same devices.
 */

#include "benchmarks/benchmark-network.h"

#include "ns3/d2d-interference.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <vector>

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

/// Devices that hear every signal
constexpr uint32_t HEARERS = 24;

/// @return powers of many signals at each of the devices, from 1e-13 W to 1e-9 W
std::vector<std::vector<double>>
MakePowers()
{
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> exponent(-13, -9);
    std::vector<std::vector<double>> powersW(1000, std::vector<double>(HEARERS));
    for (auto& signal : powersW)
    {
        for (double& powerW : signal)
        {
            powerW = std::pow(10, exponent(generator));
        }
    }
    return powersW;
}

/// The argument is the number of signals on air
/// @param locking what the devices do
/// @param scale see D2dReception: 0 if the mean powers add up
void
InterferenceOfFragments(benchmark::State& state, D2dLocking locking, double scale)
{
    Simulation simulation;
    const auto powersW = MakePowers();
    std::vector<std::vector<D2dReach>> reaches;
    for (const auto& signal : powersW)
    {
        reaches.emplace_back();
        for (uint32_t device = 0; device < HEARERS; ++device)
        {
            reaches.back().push_back({device, signal[device]});
        }
    }
    std::vector<D2dReception> receptions;
    for (uint32_t device = 0; device < HEARERS; ++device)
    {
        receptions.push_back({device, scale});
    }
    D2dInterference interference;
    interference.SetLocking(locking, 10);
    std::deque<uint64_t> onAir;
    std::size_t next = 0;
    const auto begin = [&]() {
        onAir.push_back(
            interference.Begin(reaches[next++ % reaches.size()], receptions, Seconds(1)));
    };
    while (onAir.size() < static_cast<std::size_t>(state.range(0)))
    {
        begin();
    }
    // Within an event: before the simulation runs, ns-3 keeps a list of all times there are
    Simulator::ScheduleNow([&]() {
        for (auto _ : state)
        {
            benchmark::DoNotOptimize(interference.End(onAir.front()));
            onAir.pop_front();
            begin();
        }
    });
    Simulator::Run();
}

/// The argument is the number of signals whose powers are added
void
SumOfPowers(benchmark::State& state)
{
    const auto powersW = MakePowers();
    std::vector<double> sumsW(HEARERS);
    for (auto _ : state)
    {
        std::fill(sumsW.begin(), sumsW.end(), 0.0);
        for (int64_t signal = 0; signal < state.range(0); ++signal)
        {
            for (uint32_t device = 0; device < HEARERS; ++device)
            {
                sumsW[device] += powersW[signal][device];
            }
        }
        benchmark::DoNotOptimize(sumsW.data());
        benchmark::ClobberMemory();
    }
}

/// @param benchmark gets numbers of signals on air
void
NumbersOfSignals(benchmark::internal::Benchmark* benchmark)
{
    benchmark->Arg(2)->Arg(10)->Arg(50);
}

constexpr auto NONE = D2dLocking::NONE;
constexpr auto CAPTURE = D2dLocking::CAPTURE;

BENCHMARK_CAPTURE(InterferenceOfFragments, constant, CAPTURE, 0.0)->Apply(NumbersOfSignals);
BENCHMARK_CAPTURE(InterferenceOfFragments, constant_all, NONE, 0.0)->Apply(NumbersOfSignals);
BENCHMARK_CAPTURE(InterferenceOfFragments, fading, CAPTURE, 1e10)->Apply(NumbersOfSignals);
BENCHMARK_CAPTURE(InterferenceOfFragments, fading_all, NONE, 1e10)->Apply(NumbersOfSignals);
BENCHMARK(SumOfPowers)->Arg(50);

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
