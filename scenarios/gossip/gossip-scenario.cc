/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-scenario.h"

#include "ns3/collab-model-description.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-table-store.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/core-module.h"
#include "ns3/gossip-helper.h"
#include "ns3/gossip-recorder.h"
#include "ns3/rng-seed-manager.h"

#include "common/scenario-checks.h"
#include "common/scenario-learners.h"
#include "common/scenario-network.h"
#include "common/scenario-run.h"
#include "common/scenario-samples.h"
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Applications of the algorithms, by name
const std::map<std::string, std::string> TYPES = {
    {"braintorrent", "ns3::collab::BrainTorrentApplication"},
    {"gossipfl", "ns3::collab::GossipFlApplication"},
    {"segmented", "ns3::collab::SegmentedGossipApplication"}};

/**
 * @param p parameters of the run
 * @param samples the samples of all devices
 * @param device number of a device
 * @return what it learns with
 */
TorchLearnerConfig
MakeConfig(const GossipParameters& p, const ScenarioSamples& samples, uint32_t device)
{
    TorchLearnerConfig config = MakeLearnerConfig(p, samples, device);
    if (p.optimizer == "sgd")
    {
        UseSgd(p.sgdLearningRate, config);
    }
    return config;
}

/**
 * @param p parameters of the run
 * @param samples the samples of all devices
 * @return what each device learns with
 */
std::vector<GossipAgent>
MakeAgents(const GossipParameters& p, const ScenarioSamples& samples)
{
    const FlatVector weights = DrawWeights(MakeConfig(p, samples, 0));
    std::vector<GossipAgent> agents;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        GossipAgent agent;
        agent.learner = MakeLearner(MakeConfig(p, samples, device), weights);
        agent.samples = static_cast<uint32_t>(samples.train[device].Size());
        agent.evaluations = {{"reference", samples.reference},
                             {"local", std::make_shared<const DataView>(samples.test[device])},
                             {"global", samples.global}};
        agents.push_back(std::move(agent));
    }
    return agents;
}

/**
 * @param p parameters of the run
 * @param helper gets them as attributes
 */
void
SetAttributes(const GossipParameters& p, GossipHelper& helper)
{
    const TimeValue control(Seconds(p.controlTimeout));
    const TimeValue transfer(Seconds(p.transferTimeout));
    helper.SetAttribute("Rounds", UintegerValue(p.rounds));
    helper.SetAttribute("LocalEpochs", UintegerValue(p.localEpochs));
    helper.SetAttribute("LocalSteps", UintegerValue(p.localSteps));
    helper.SetAttribute("LossPolicy",
                        StringValue(p.loss == "reliable" ? "Reliable" : "BestEffort"));
    if (p.algorithm == "braintorrent")
    {
        helper.SetAttribute("VersionTimeout", control);
        helper.SetAttribute("FetchTimeout", transfer);
        helper.SetAttribute("TurnTimeout", TimeValue(Seconds(p.turnTimeout)));
    }
    else if (p.algorithm == "gossipfl")
    {
        helper.SetAttribute("Fraction", DoubleValue(p.fraction));
        helper.SetAttribute("AvoidedLinks", DoubleValue(p.avoidedLinks));
        helper.SetAttribute("ConnectionWindow", UintegerValue(p.connectionWindow));
        helper.SetAttribute("MatchTimeout", control);
        helper.SetAttribute("ExchangeTimeout", transfer);
    }
    else
    {
        helper.SetAttribute("Segments", UintegerValue(p.segments));
        helper.SetAttribute("Replicas", UintegerValue(p.replicas));
        helper.SetAttribute("PullTimeout", transfer);
    }
}

/**
 * @param p parameters of a run
 * @return those that change its results, by name
 */
nlohmann::ordered_json
DescribeParameters(const GossipParameters& p)
{
    nlohmann::ordered_json parameters;
    DescribeLearning(p, parameters);
    parameters["algorithm"] = p.algorithm;
    parameters["optimizer"] = p.optimizer;
    parameters["sgdLearningRate"] = p.sgdLearningRate;
    parameters["rounds"] = p.rounds;
    parameters["localEpochs"] = p.localEpochs;
    parameters["localSteps"] = p.localSteps;
    parameters["fraction"] = p.fraction;
    parameters["avoidedLinks"] = p.avoidedLinks;
    parameters["connectionWindow"] = p.connectionWindow;
    parameters["segments"] = p.segments;
    parameters["replicas"] = p.replicas;
    parameters["loss"] = p.loss;
    parameters["controlTimeout"] = p.controlTimeout;
    parameters["transferTimeout"] = p.transferTimeout;
    parameters["turnTimeout"] = p.turnTimeout;
    DescribeNetwork(p, parameters);
    return parameters;
}

} // namespace

GossipParameters::GossipParameters()
{
    runDir = "runs/gossip";
}

void
GossipParameters::Validate() const
{
    ValidateCommon(true);
    RequireOneOf("algorithm", algorithm, {"braintorrent", "gossipfl", "segmented"});
    RequireOneOf("optimizer", optimizer, {"adam", "sgd"});
    RequireOneOf("loss", loss, {"best-effort", "reliable"});
    Require(rounds >= 1, "rounds", rounds, "at least 1");
    Require(localEpochs >= 1, "localEpochs", localEpochs, "at least 1");
    Require(fraction >= 1e-9 && fraction <= 1, "fraction", fraction, "above 0, at most 1");
    Require(avoidedLinks >= 0 && avoidedLinks <= 1, "avoidedLinks", avoidedLinks, "0 to 1");
    Require(connectionWindow >= 1, "connectionWindow", connectionWindow, "at least 1");
    Require(segments >= 1, "segments", segments, "at least 1");
    Require(replicas >= 1 && replicas < devices,
            "replicas",
            replicas,
            "at least 1, and less than --devices");
    const std::map<std::string, double> positive = {{"sgdLearningRate", sgdLearningRate},
                                                    {"controlTimeout", controlTimeout},
                                                    {"transferTimeout", transferTimeout},
                                                    {"turnTimeout", turnTimeout}};
    for (const auto& [name, value] : positive)
    {
        Require(value >= 1e-9 && value < 1e9, name, value, "1e-9 or greater, and below 1e9");
    }
}

void
RunGossip(const GossipParameters& p, std::ostream& output)
{
    p.Validate();
    ConfigureTorchProcess();
    const ScenarioSamples samples = PrepareSamples(p);
    CheckModel(p.model,
               [&]() { DescribeModel(p.model, MakeModelInput(*samples.reference->data)); });
    SimulatorGuard guard;

    NodeContainer nodes;
    nodes.Create(p.devices);
    const auto positions = PlaceDevices(p, nodes);
    InstallNetwork(p, nodes);
    const auto agents = MakeAgents(p, samples);
    const std::size_t weights = agents[0].learner->GetWeights()->size();
    Require(p.segments <= weights,
            "segments",
            p.segments,
            fmt::format("at most the {} weights of the model", weights));
    RunFolder folder(p.runDir); // once nothing can be wrong with the arguments any more
    Ptr<LearnerPool> pool =
        CreateObjectWithAttributes<LearnerPool>("Threads", UintegerValue(p.threads));
    GossipHelper helper(TYPES.at(p.algorithm), pool, SeedFor(RandomPurpose::PARTICIPATION));
    SetAttributes(p, helper);
    ApplicationContainer applications = helper.Install(nodes, agents);
    const auto parameters = DescribeParameters(p);
    const auto defaults = DescribeParameters(GossipParameters());
    folder.WriteFile("run.json",
                     DescribeRun({"gossip", parameters, defaults}, p, samples, positions));
    WritePartition(p, folder, samples, output);

    std::unique_ptr<TableStore> tables = MakeTableStore(p.recorder, folder);
    RunRecorder recorder(*tables, applications);
    GossipRecorder exchanges(*tables, applications);
    PlayRun(p, recorder, {p.algorithm, "accuracy_reference"}, applications);
    FinishRun(std::move(tables), folder);
    if (!p.quiet)
    {
        output << "wrote " << folder.GetPath() << std::endl;
    }
}
