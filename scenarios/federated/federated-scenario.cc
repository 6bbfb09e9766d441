/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-scenario.h"

#include "ns3/collab-aggregation-rule.h"
#include "ns3/collab-compression.h"
#include "ns3/collab-model-description.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-stub-learner.h"
#include "ns3/collab-table-store.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/core-module.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2s-helper.h"
#include "ns3/device-profile-helper.h"
#include "ns3/federated-helper.h"
#include "ns3/federated-recorder.h"
#include "ns3/mobility-model.h"

#include "common/client-recorder.h"
#include "common/scenario-checks.h"
#include "common/scenario-learners.h"
#include "common/scenario-network.h"
#include "common/scenario-run.h"
#include "common/scenario-samples.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/**
 * @brief Give the devices radios to a base station above them, with batteries and processors.
 *
 * All devices have one transmit power, with which the farthest one has the outage asked for.
 *
 * @param p parameters of the run
 * @param server node of the base station
 * @param nodes the devices, in place
 */
void
InstallServerNetwork(const FederatedParameters& p, Ptr<Node> server, const NodeContainer& nodes)
{
    D2sHelper::PlaceServer(server, nodes);
    Ptr<MobilityModel> place = server->GetObject<MobilityModel>();
    double farthest = 0;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        farthest =
            std::max(farthest, nodes.Get(i)->GetObject<MobilityModel>()->GetDistanceFrom(place));
    }
    D2sHelper d2s;
    d2s.SetDeviceAttribute("Duplex", StringValue("Full")); // uplink and downlink have own bands
    const NetDeviceContainer radios = d2s.InstallServer(server, nodes);
    D2sHelper::AssignStreams(radios, 0);
    NetDeviceContainer devices;
    for (uint32_t i = 1; i < radios.GetN(); ++i)
    {
        devices.Add(radios.Get(i));
    }
    DeviceProfileHelper station("base-station");
    station.Install(NetDeviceContainer(radios.Get(0)));
    DeviceProfileHelper profile;
    profile.SetSourceAttribute("BasicEnergySourceInitialEnergyJ", DoubleValue(p.battery));
    profile.SetRadioAttribute("Account", StringValue("D2s"));
    profile.SetDeviceAttribute("TxPower", DoubleValue(GetPowerForOutage(p.serverOutage, farthest)));
    profile.Install(devices);
    D2sHelper::CheckLinks(radios);
    for (const uint32_t slow : ParseDevices("slowDevices", p.slowDevices, p.devices))
    {
        Ptr<Processor> processor = nodes.Get(slow)->GetObject<Processor>();
        DoubleValue flops;
        processor->GetAttribute("FlopsPerCycle", flops);
        processor->SetAttribute("FlopsPerCycle", DoubleValue(flops.Get() / p.slowdown));
    }
}

/**
 * @param p parameters of the run
 * @param samples the samples of all devices
 * @param device number of a device
 * @return what it learns with
 */
TorchLearnerConfig
MakeConfig(const FederatedParameters& p, const ScenarioSamples& samples, uint32_t device)
{
    TorchLearnerConfig config = MakeLearnerConfig(p, samples, device);
    if (p.UsesSgd())
    {
        UseSgd(p.sgdLearningRate, config);
    }
    return config;
}

/**
 * @param p parameters of the run
 * @param samples the samples of all devices
 * @param malicious devices, ascending
 * @param weights what all learners share until the first model arrives
 * @return what each device learns with
 */
std::vector<FederatedAgent>
MakeAgents(const FederatedParameters& p,
           const ScenarioSamples& samples,
           const std::vector<uint32_t>& malicious,
           const FlatVector& weights)
{
    const auto global = std::make_shared<SharedEvaluation>("global", samples.global);
    const auto clients = p.measureClients ? MakeClientEvaluation(samples) : nullptr;
    const auto reference = std::make_shared<SharedEvaluation>("reference", samples.reference);
    std::vector<FederatedAgent> agents;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        FederatedAgent agent;
        agent.learner = MakeLearner(MakeConfig(p, samples, device), weights);
        agent.samples = static_cast<uint32_t>(samples.train[device].Size());
        agent.compressionSeed = SeedFor(RandomPurpose::COMPRESSION, device);
        const auto test = std::make_shared<const DataView>(samples.test[device]);
        agent.evaluations = {std::make_shared<SharedEvaluation>("local", test, 0), global};
        if (samples.reference->Size() > 0)
        {
            agent.evaluations.insert(agent.evaluations.begin(), reference);
        }
        if (clients)
        {
            agent.evaluations.push_back(clients);
        }
        if (std::binary_search(malicious.begin(), malicious.end(), device))
        {
            agent.gradientAttack = p.GetGradientAttack();
            agent.attackSeed = SeedFor(RandomPurpose::ATTACK, device);
        }
        agents.push_back(std::move(agent));
    }
    return agents;
}

/**
 * @param p parameters of the run
 * @param helper gets them as attributes
 */
void
SetAttributes(const FederatedParameters& p, FederatedHelper& helper)
{
    static const std::map<std::string, std::string> names = {{"fedavg", "FedAvg"},
                                                             {"fedprox", "FedProx"},
                                                             {"scaffold", "Scaffold"},
                                                             {"feddyn", "FedDyn"},
                                                             {"broadcast", "Broadcast"},
                                                             {"unicast", "Unicast"},
                                                             {"best-effort", "BestEffort"},
                                                             {"reliable", "Reliable"}};
    helper.SetAttribute("Rounds", UintegerValue(p.rounds));
    helper.SetAttribute("Algorithm", StringValue(names.at(p.algorithm)));
    helper.SetAttribute("Mu", DoubleValue(p.mu));
    helper.SetAttribute("Alpha", DoubleValue(p.feddynAlpha));
    helper.SetAttribute("ServerRate", DoubleValue(p.serverRate));
    helper.SetAttribute("LossPolicy", StringValue(names.at(p.loss)));
    helper.SetAttribute("LocalEpochs", UintegerValue(p.localEpochs));
    helper.SetAttribute("LocalSteps", UintegerValue(p.localSteps));
    helper.SetAttribute("LearningRate",
                        DoubleValue(p.UsesSgd() ? p.sgdLearningRate : p.learningRate));
    helper.SetAttribute("Participation", DoubleValue(p.participation));
    helper.SetAttribute("AggregationRule", StringValue(p.aggregation));
    helper.SetAttribute("Downlink", StringValue(names.at(p.downlink)));
    helper.SetAttribute("RoundDeadline", TimeValue(Seconds(p.roundDeadline)));
    helper.SetServerAttribute("Compression", StringValue(p.downlinkCompression));
    helper.SetClientAttribute("Compression", StringValue(p.uplinkCompression));
    helper.SetSamplingSeed(SeedFor(RandomPurpose::PARTICIPATION));
}

/**
 * @param p parameters of a run
 * @return those that change its results, by name
 */
nlohmann::ordered_json
DescribeParameters(const FederatedParameters& p)
{
    nlohmann::ordered_json parameters;
    DescribeLearning(p, parameters);
    parameters["algorithm"] = p.algorithm;
    parameters["optimizer"] = p.optimizer;
    parameters["sgdLearningRate"] = p.sgdLearningRate;
    parameters["rounds"] = p.rounds;
    parameters["localEpochs"] = p.localEpochs;
    parameters["localSteps"] = p.localSteps;
    parameters["mu"] = p.mu;
    parameters["feddynAlpha"] = p.feddynAlpha;
    parameters["serverRate"] = p.serverRate;
    parameters["participation"] = p.participation;
    parameters["aggregation"] = p.aggregation;
    parameters["measureClients"] = p.measureClients;
    DescribeMalice(p, parameters);
    parameters["uplinkCompression"] = p.uplinkCompression;
    parameters["downlinkCompression"] = p.downlinkCompression;
    parameters["downlink"] = p.downlink;
    parameters["loss"] = p.loss;
    parameters["roundDeadline"] = p.roundDeadline;
    parameters["serverOutage"] = p.serverOutage;
    parameters["slowDevices"] = p.slowDevices;
    parameters["slowdown"] = p.slowdown;
    DescribeNetwork(p, parameters);
    return parameters;
}

} // namespace

FederatedParameters::FederatedParameters()
{
    runDir = "runs/federated";
}

bool
FederatedParameters::UsesSgd() const
{
    return optimizer == "sgd" || (optimizer == "auto" && algorithm == "scaffold");
}

void
FederatedParameters::Validate() const
{
    ValidateCommon(false);
    RequireOneOf("algorithm", algorithm, {"fedavg", "fedprox", "scaffold", "feddyn"});
    RequireOneOf("optimizer", optimizer, {"auto", "adam", "sgd"});
    Require(algorithm != "scaffold" || UsesSgd(),
            "optimizer",
            optimizer,
            "sgd or auto for scaffold, whose control variates are means of gradients");
    Require(std::isfinite(sgdLearningRate) && sgdLearningRate > 0,
            "sgdLearningRate",
            sgdLearningRate,
            "greater than 0");
    Require(rounds >= 1, "rounds", rounds, "at least 1");
    Require(localEpochs >= 1, "localEpochs", localEpochs, "at least 1");
    Require(std::isfinite(mu) && mu >= 0, "mu", mu, "0 or greater");
    Require(std::isfinite(feddynAlpha) && feddynAlpha >= 1e-9,
            "feddynAlpha",
            feddynAlpha,
            "1e-9 or greater");
    Require(std::isfinite(serverRate) && serverRate >= 1e-9,
            "serverRate",
            serverRate,
            "1e-9 or greater");
    Require(participation >= 1e-9 && participation <= 1,
            "participation",
            participation,
            "above 0, at most 1");
    RequireSpecification("aggregation", aggregation, [this](const std::string& rule) {
        MakeAggregationRule(rule)->CheckCount(CountParticipants(devices, participation));
    });
    ValidateMalice();
    RequireSpecification("uplinkCompression", uplinkCompression, MakeCompressor);
    RequireOneOf("downlinkCompression", downlinkCompression, {"float32", "float16", "int8"});
    for (const auto& [name, value] : {std::pair("uplinkCompression", uplinkCompression),
                                      std::pair("downlinkCompression", downlinkCompression)})
    {
        Require(!IsStub(model) || value == "float32",
                name,
                value,
                "float32 with --model=stub, which has numbers of no meaning");
    }
    RequireOneOf("downlink", downlink, {"broadcast", "unicast"});
    RequireOneOf("loss", loss, {"best-effort", "reliable"});
    Require(roundDeadline > 0 && roundDeadline < 1e6,
            "roundDeadline",
            roundDeadline,
            "greater than 0 and below 1e6 s");
    Require(serverOutage > 0 && serverOutage < 1,
            "serverOutage",
            serverOutage,
            "between 0 and 1, both excluded");
    ParseDevices("slowDevices", slowDevices, devices);
    Require(std::isfinite(slowdown) && slowdown >= 1, "slowdown", slowdown, "1 or greater");
}

void
RunFederated(const FederatedParameters& p, std::ostream& output)
{
    p.Validate();
    ConfigureTorchProcess();
    ScenarioSamples samples = PrepareSamples(p);
    const auto malicious = DrawMalicious(p, p.devices);
    PoisonSamples(p, malicious, samples);
    CheckModel(p.model,
               [&]() { DescribeModel(p.model, MakeModelInput(*samples.reference->data)); });
    SimulatorGuard guard;

    NodeContainer nodes;
    nodes.Create(p.devices);
    NodeContainer server;
    server.Create(1);
    const auto positions = PlaceDevices(p, nodes);
    InstallServerNetwork(p, server.Get(0), nodes);
    const FlatVector weights = DrawWeights(MakeConfig(p, samples, 0));
    RequireSpecification("uplinkCompression", p.uplinkCompression, [&](const std::string& name) {
        MakeCompressor(name)->EncodedSize(weights->size());
    });
    RunFolder folder(p.runDir); // once nothing can be wrong with the arguments any more
    Ptr<LearnerPool> pool =
        CreateObjectWithAttributes<LearnerPool>("Threads", UintegerValue(p.threads));
    FederatedHelper helper(pool);
    SetAttributes(p, helper);
    const auto agents = MakeAgents(p, samples, malicious, weights);
    ApplicationContainer applications = helper.Install(server.Get(0), weights, nodes, agents);
    const auto parameters = DescribeParameters(p);
    const auto defaults = DescribeParameters(FederatedParameters());
    folder.WriteFile(
        "run.json",
        DescribeRun({"federated", parameters, defaults, malicious}, p, samples, positions));
    folder.WriteFile("malicious.txt", fmt::format("{}\n", fmt::join(malicious, " ")));
    WritePartition(p, folder, samples, output);

    std::unique_ptr<TableStore> tables = MakeTableStore(p.recorder, folder);
    RunRecorder recorder(*tables, applications);
    recorder.AddSender(server.Get(0)->GetObject<Transport>());
    auto participation =
        std::make_unique<FederatedRecorder>(*tables, helper.GetServer(), applications);
    ClientRecorder clients(*tables, p.devices, malicious);
    clients.FollowServer(helper.GetServer());
    PlayRun(p,
            recorder,
            {p.algorithm, "accuracy_global"},
            applications,
            ApplicationContainer(helper.GetServer()));
    participation.reset();
    clients.WriteClients(GetLearners(agents), helper.GetServer()->GetModel(), samples.test);
    FinishRun(std::move(tables), folder);
    if (!p.quiet)
    {
        output << "wrote " << folder.GetPath() << std::endl;
    }
}
