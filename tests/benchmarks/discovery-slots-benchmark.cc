/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What slots of graph discovery cost with every message on the radio.
 */

#include "support/device-installation.h"

#include "ns3/collab-application.h"
#include "ns3/collab-partition-skew.h"
#include "ns3/double.h"
#include "ns3/graph-discovery-helper.h"
#include "ns3/graph-discovery-trust.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <benchmark/benchmark.h>
#include <memory>
#include <vector>

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

constexpr uint32_t LABELS = 10;    //!< of the data set
constexpr uint32_t SAMPLES = 1200; //!< of each device

/// @param devices their number
/// @return samples of one number and a label each, and who has which of them
std::vector<DiscoveryAgent>
MakeAgents(uint32_t devices)
{
    auto data = std::make_shared<DataSet>();
    data->name = "labels";
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {1};
    data->classes = LABELS;
    const uint32_t size = devices * SAMPLES * 2;
    std::vector<uint32_t> all(size);
    for (uint32_t i = 0; i < size; ++i)
    {
        all[i] = i;
        data->labels.push_back(i % LABELS);
        data->numbers.push_back(0);
    }
    ShardOptions options;
    options.devices = devices;
    options.samplesPerDevice = SAMPLES;
    const Partition partition = PartitionShards(data->labels, all, LABELS, options, 3);
    std::vector<DiscoveryAgent> agents(devices);
    for (uint32_t i = 0; i < devices; ++i)
    {
        agents[i].samples = MakeView(data, partition[i]);
        agents[i].seed = i;
    }
    return agents;
}

/// @param nodes get radios that hear each other, 20 % in outage
void
InstallRadios(const NodeContainer& nodes)
{
    using Rows = std::vector<std::vector<double>>;
    const uint32_t n = nodes.GetN();
    Rows outage(n, std::vector<double>(n));
    for (uint32_t i = 0; i < n; ++i)
    {
        for (uint32_t j = 0; j < n; ++j)
        {
            outage[i][j] = 0.4 * ((i * 7 + j * 13) % n) / n * ((j * 7 + i * 13) % n) / n;
        }
    }
    tests::InstallMatrixDevices(nodes, Rows(n, std::vector<double>(n, 1e-9)), outage);
}

/// @param policy of messages to one device
/// @param threshold alpha_D, above which devices are in clusters of their own
void
PlaySlots(benchmark::State& state, const std::string& policy, double threshold)
{
    RngSeedManager::SetSeed(7);
    const auto devices = static_cast<uint32_t>(state.range(0));
    const auto iterations = static_cast<uint32_t>(state.range(1));
    for (auto _ : state)
    {
        state.PauseTiming();
        NodeContainer nodes(devices);
        InstallRadios(nodes);
        GraphDiscoveryHelper helper("ns3::collab::LabelDiscoveryApplication", nullptr);
        helper.SetAttribute("Rounds", UintegerValue(1));
        helper.SetAttribute("Iterations", UintegerValue(iterations));
        helper.SetAttribute("ControlLossPolicy", StringValue(policy));
        helper.SetAttribute("ReliabilityThreshold", DoubleValue(threshold));
        const auto trust = DrawTrust(devices, LABELS, DiscoveryTrustOptions(), 5);
        const auto applications = helper.Install(nodes, MakeAgents(devices), trust);
        StopWhenAllEnd(applications);
        state.ResumeTiming();
        Simulator::Run();
        state.PauseTiming();
        Simulator::Destroy();
        state.ResumeTiming();
    }
    state.counters["slots/s"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * devices * iterations,
                           benchmark::Counter::kIsRate);
}

/// Messages are repeated until they are heard; clusters of a few devices
void
DiscoverySlots(benchmark::State& state)
{
    PlaySlots(state, "Reliable", 0.1);
}

/// Messages are sent once; clusters of a few devices
void
DiscoverySlotsBestEffort(benchmark::State& state)
{
    PlaySlots(state, "BestEffort", 0.1);
}

/// One cluster of all devices, each of which hears all rewards
void
DiscoverySlotsOneCluster(benchmark::State& state)
{
    PlaySlots(state, "BestEffort", 1.0);
}

// Devices, and iterations: as many slots of devices in each of the first three
BENCHMARK(DiscoverySlots)
    ->Args({25, 5000})
    ->Args({50, 2500})
    ->Args({200, 625})
    ->Args({10, 20})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(DiscoverySlotsBestEffort)->Args({25, 5000})->Unit(benchmark::kMillisecond);
BENCHMARK(DiscoverySlotsOneCluster)->Args({25, 5000})->Unit(benchmark::kMillisecond);

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
