/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What it costs that the radio's power changes, against an event that does nothing.
 */

#include "benchmarks/benchmark-network.h"

#include "ns3/d2d-net-device.h"
#include "ns3/simulator.h"

#include <functional>

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

/// Events of one iteration, a microsecond apart
constexpr uint32_t EVENTS = 1000;

/// @param what done by each event
void
RunEvents(benchmark::State& state, const std::function<void()>& what)
{
    uint32_t left = 0;
    std::function<void()> next = [&]() {
        what();
        if (--left > 0)
        {
            Simulator::Schedule(MicroSeconds(1), next);
        }
    };
    for (auto _ : state)
    {
        left = EVENTS;
        Simulator::ScheduleNow(next);
        Simulator::Stop(MicroSeconds(EVENTS + 1));
        Simulator::Run();
    }
    state.SetItemsProcessed(state.iterations() * EVENTS);
}

void
EmptyEvent(benchmark::State& state)
{
    Simulation simulation;
    RunEvents(state, []() {});
}

/// @param energy whether the radio has an energy model
void
ActivityChange(benchmark::State& state, bool energy)
{
    Simulation simulation;
    D2dOptions options;
    options.energy = energy;
    const auto devices = InstallD2d(MakeStillNodes(2, SMALL_SIDE_M), options);
    const auto phy = DynamicCast<D2dNetDevice>(devices.Get(0))->GetPhy();
    bool transmitting = false;
    RunEvents(state, [&]() {
        transmitting = !transmitting;
        phy->GetState().SetTransmitting(transmitting);
    });
}

BENCHMARK(EmptyEvent);
BENCHMARK_CAPTURE(ActivityChange, no_energy, false);
BENCHMARK_CAPTURE(ActivityChange, energy, true);

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
