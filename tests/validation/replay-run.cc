/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "replay-run.h"

#include "support/device-installation.h"

#include "ns3/collab-learner-pool.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/node.h"
#include "ns3/prediction-consensus-application.h"
#include "ns3/prediction-consensus-helper.h"
#include "ns3/prediction-consensus-trust.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <ctime>
#include <dlfcn.h>

namespace ns3::collab
{
namespace tests
{

namespace
{

/// @param data of the recorded run
/// @param options how it was made
/// @return one agent a client
std::vector<PredictionConsensusAgent>
MakeAgents(const ReplayData& data, const ReplayOptions& options)
{
    std::vector<PredictionConsensusAgent> agents;
    for (const ReplayClient& client : data.clients)
    {
        TorchLearnerConfig config;
        config.model = options.model;
        config.trainData = client.train;
        config.learningRate = options.learningRate;
        config.batchSize = options.batchSize;
        config.referenceBatchSize = options.referenceBatchSize;
        config.referenceOrder = ReferenceOrder::RESTARTED; // as the program that is replayed
        config.sampleOrders = client.orders;
        config.joinsBatches = options.joinsBatches;
        config.channelsLast = options.channelsLast;
        PredictionConsensusAgent agent;
        agent.learner = MakeTorchLearner(config, client.weights);
        agent.reference = data.reference;
        agent.evaluations = {
            {REPLAY_MEASURES[0], std::make_shared<const DataView>(client.test)},
            {REPLAY_MEASURES[1], data.reference},
            {REPLAY_MEASURES[2], std::make_shared<const DataView>(client.train)},
            {REPLAY_MEASURES[3], data.heldout},
        };
        agents.push_back(agent);
    }
    return agents;
}

/// @param record a round that ended
/// @return the accuracies in it
ReplayAccuracies
TakeAccuracies(const RoundRecord& record)
{
    ReplayAccuracies accuracies{};
    for (std::size_t measure = 0; measure < accuracies.size(); ++measure)
    {
        const std::string name = std::string("accuracy_") + REPLAY_MEASURES[measure];
        const auto found = std::find_if(record.metrics.begin(),
                                        record.metrics.end(),
                                        [&](const auto& metric) { return metric.first == name; });
        accuracies[measure] = found->second;
    }
    return accuracies;
}

/// @brief Take down what applications trace.
/// @param applications one a client
/// @param[out] result receives it; must outlive the simulation
void
Connect(const ApplicationContainer& applications, ReplayResult& result)
{
    for (uint32_t client = 0; client < applications.GetN(); ++client)
    {
        applications.Get(client)->TraceConnectWithoutContext(
            "Round",
            Callback<void, const RoundRecord&>([client, &result](const RoundRecord& record) {
                result.accuracies[{record.round, client}] = TakeAccuracies(record);
            }));
        applications.Get(client)->TraceConnectWithoutContext(
            "Trust",
            Callback<void, const TrustRecord&>([client, &result](const TrustRecord& record) {
                std::vector<double>& row = result.trust[{record.round, client}];
                for (const auto& entry : record.row)
                {
                    row.push_back(entry.weight);
                }
            }));
    }
}

/// @param options how the run was made
/// @param rounds number of rounds
/// @param trust kind of trust
/// @param pool where jobs are computed
/// @return what installs the applications
PredictionConsensusHelper
MakeHelper(const ReplayOptions& options, uint32_t rounds, std::string trust, Ptr<LearnerPool> pool)
{
    trust[0] = static_cast<char>(std::toupper(trust[0]));
    PredictionConsensusHelper helper(pool);
    helper.SetAttribute("Rounds", UintegerValue(rounds));
    helper.SetAttribute("PretrainingRounds", UintegerValue(options.pretrainingRounds));
    helper.SetAttribute("LocalEpochs", UintegerValue(options.epochs));
    helper.SetAttribute("Lambda", DoubleValue(options.lambda));
    helper.SetAttribute("TrustMode", StringValue(trust));
    helper.SetAttribute("RoundDeadline", TimeValue(Seconds(1e5))); // nobody is left out
    return helper;
}

/// @param threads of OpenBLAS, if that is there
void
SetBlasThreads(uint32_t threads)
{
    if (void* found = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
    {
        reinterpret_cast<void (*)(int)>(found)(static_cast<int>(threads));
    }
}

} // namespace

std::vector<std::vector<double>>
ComputeTrustMatrix(const std::vector<Matrix<float>>& predictions)
{
    std::vector<std::vector<double>> matrix;
    for (const Matrix<float>& own : predictions)
    {
        const std::vector<double> confidence = ComputeConfidence(own, {});
        std::vector<double> affinities;
        for (const Matrix<float>& other : predictions)
        {
            affinities.push_back(ComputeAffinity(own, other, confidence));
        }
        matrix.push_back(NormalizeTrust(affinities));
    }
    return matrix;
}

ReplayResult
Replay(const ReplayData& data, const ReplayOptions& options, const std::string& trust)
{
    const auto clients = static_cast<uint32_t>(data.clients.size());
    const uint32_t recorded = data.runs.at(trust).rbegin()->first.first + 1;
    const uint32_t rounds = options.rounds > 0 ? std::min(options.rounds, recorded) : recorded;
    ReplayResult result;
    NodeContainer nodes(clients);
    ::tests::DeviceOptions devices;
    devices.devices = clients;
    devices.batteryJ = 1e9;
    ::tests::InstallDevices(devices, nodes);
    auto pool = CreateObject<LearnerPool>();
    pool->SetAttribute("Threads", UintegerValue(options.threads));
    pool->SetThreadInitializer(ConfigureTorchThread);
    const ApplicationContainer applications =
        MakeHelper(options, rounds, trust, pool).Install(nodes, MakeAgents(data, options));
    Connect(applications, result);
    StopWhenAllEnd(applications);
    SetBlasThreads(options.blasThreads);
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t startCpu = std::clock();
    Simulator::Run();
    result.cpuSeconds = static_cast<double>(std::clock() - startCpu) / CLOCKS_PER_SEC;
    result.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    pool->Dispose();
    Simulator::Destroy();
    return result;
}

} // namespace tests
} // namespace ns3::collab
