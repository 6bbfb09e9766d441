/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What a round of FedAvg takes of memory, with learners and the simulated network.
 */

#include "benchmark-memory.h"
#include "benchmark-samples.h"

#include "ns3/collab-learner-pool.h"
#include "ns3/collab-shared-evaluation.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/d2s-helper.h"
#include "ns3/device-profile-helper.h"
#include "ns3/double.h"
#include "ns3/federated-helper.h"
#include "ns3/federated-participation.h"
#include "ns3/mobility-helper.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <memory>
#include <vector>

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

constexpr uint32_t SAMPLES = 50; //!< of a client

/// @param nodes that get radios, batteries and processors, the server first
void
InstallRadios(const NodeContainer& nodes)
{
    MobilityHelper mobility;
    mobility.Install(nodes);
    NodeContainer clients;
    std::for_each(nodes.Begin() + 1, nodes.End(), [&](const auto& node) { clients.Add(node); });
    D2sHelper d2s;
    d2s.AddPropagationLossModel("ns3::FixedRssLossModel", "Rss", DoubleValue(-60.0));
    d2s.SetChannelAttribute("OutageModel",
                            StringValue("ns3::collab::D2dFixedOutageModel[Probability=0]"));
    const NetDeviceContainer radios = d2s.InstallServer(nodes.Get(0), clients);
    D2sHelper::AssignStreams(radios, 0);
    DeviceProfileHelper profile;
    profile.SetSourceAttribute("BasicEnergySourceInitialEnergyJ", DoubleValue(1e9));
    profile.Install(radios);
}

/// @param clients number of clients
/// @param[out] start gets the weights that all share
/// @return clients with NetCNN, Adam and samples of their own
std::vector<FederatedAgent>
MakeAgents(uint32_t clients, FlatVector& start)
{
    TorchLearnerConfig config;
    config.model = "netcnn";
    config.trainData = MakeSamples({1, 28, 28}, 10, SAMPLES);
    start = DrawInitialWeights(config);
    const auto test = std::make_shared<SharedEvaluation>(
        "global", std::make_shared<const DataView>(config.trainData), 2);
    std::vector<FederatedAgent> agents;
    for (uint32_t client = 0; client < clients; ++client)
    {
        FederatedAgent agent;
        config.trainData = MakeSamples({1, 28, 28}, 10, SAMPLES);
        agent.learner = MakeTorchLearner(config, start);
        agent.samples = SAMPLES;
        agent.evaluations = {test};
        agents.push_back(agent);
    }
    return agents;
}

/// A round of so many clients with one local epoch each, by two host threads; memory when all have
/// uploaded.
void
FederatedRound(benchmark::State& state)
{
    const auto clients = static_cast<uint32_t>(state.range(0));
    double resident = 0;
    std::size_t uploads = 0;
    for (auto _ : state)
    {
        const double before = GetResidentBytes();
        auto pool = CreateObject<LearnerPool>();
        pool->SetAttribute("Threads", UintegerValue(2));
        pool->SetThreadInitializer(ConfigureTorchThread);
        NodeContainer nodes(clients + 1);
        InstallRadios(nodes);
        NodeContainer others;
        std::for_each(nodes.Begin() + 1, nodes.End(), [&](const auto& node) { others.Add(node); });
        FederatedHelper helper(pool);
        helper.SetAttribute("Rounds", UintegerValue(1));
        helper.SetAttribute("LocalEpochs", UintegerValue(1));
        helper.SetAttribute("RoundDeadline", TimeValue(Seconds(1e6)));
        FlatVector start;
        ApplicationContainer all;
        {
            const auto agents = MakeAgents(clients, start);
            all = helper.Install(nodes.Get(0), start, others, agents);
        }
        helper.GetServer()->TraceConnectWithoutContext(
            "Participation",
            Callback<void, const ParticipationRecord&>([&](const ParticipationRecord& record) {
                uploads = record.uploaded.size();
                resident = GetResidentBytes() - before;
            }));
        all.Add(helper.GetServer());
        StopWhenAllEnd(all);
        Simulator::Run();
        Simulator::Destroy();
        pool->Dispose();
    }
    if (uploads != clients)
    {
        state.SkipWithError("not all clients have uploaded");
    }
    state.counters["resident_bytes/device"] = resident / clients;
}

BENCHMARK(FederatedRound)->Arg(4)->Arg(100)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(FederatedRound)->Arg(1000)->Iterations(1)->Repetitions(1)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
