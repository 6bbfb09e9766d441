/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What a round of prediction consensus costs, with learners and the simulated network.
 */

#include "benchmark-samples.h"
#include "support/device-installation.h"

#include "ns3/collab-learner-pool.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/nstime.h"
#include "ns3/prediction-consensus-application.h"
#include "ns3/prediction-consensus-helper.h"
#include "ns3/simulator.h"
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

constexpr uint32_t SAMPLES = 600;    //!< of a client
constexpr uint32_t REFERENCES = 400; //!< of X*

/// Settings of the whole process, as a scenario has them
const bool g_isConfigured = [] {
    ConfigureTorchProcess();
    return true;
}();

/// @param clients number of clients
/// @return what each of them learns with: NetCNN, Adam, batches of 64 and 256
std::vector<PredictionConsensusAgent>
MakeAgents(uint32_t clients)
{
    TorchLearnerConfig config;
    config.model = "netcnn";
    config.trainData = MakeSamples({1, 28, 28}, 10, SAMPLES);
    const auto train = std::make_shared<const DataView>(config.trainData);
    const auto reference =
        std::make_shared<const DataView>(MakeSamples({1, 28, 28}, 10, REFERENCES));
    std::vector<PredictionConsensusAgent> agents;
    for (uint32_t client = 0; client < clients; ++client)
    {
        ++config.initializationSeed;
        PredictionConsensusAgent agent;
        agent.learner = MakeTorchLearner(config);
        agent.reference = reference;
        agent.evaluations = {{"train", train}, {"reference", reference}};
        agents.push_back(agent);
    }
    return agents;
}

/// One collaborative round of so many clients with so many local epochs, by two host threads.
void
ConsensusRound(benchmark::State& state)
{
    const auto clients = static_cast<uint32_t>(state.range(0));
    auto pool = CreateObject<LearnerPool>();
    pool->SetAttribute("Threads", UintegerValue(2));
    pool->SetThreadInitializer(ConfigureTorchThread);
    for (auto _ : state)
    {
        state.PauseTiming();
        NodeContainer nodes(clients);
        tests::DeviceOptions options;
        options.batteryJ = 1e9;
        tests::InstallDevices(options, nodes);
        PredictionConsensusHelper helper(pool);
        helper.SetAttribute("Rounds", UintegerValue(1));
        helper.SetAttribute("PretrainingRounds", UintegerValue(0));
        helper.SetAttribute("LocalEpochs", UintegerValue(static_cast<uint64_t>(state.range(1))));
        helper.SetAttribute("RoundDeadline", TimeValue(Seconds(1e5)));
        StopWhenAllEnd(helper.Install(nodes, MakeAgents(clients)));
        state.ResumeTiming();
        Simulator::Run();
        state.PauseTiming();
        Simulator::Destroy();
        state.ResumeTiming();
    }
    pool->Dispose();
}

BENCHMARK(ConsensusRound)
    ->Args({2, 1})
    ->Args({10, 5})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
