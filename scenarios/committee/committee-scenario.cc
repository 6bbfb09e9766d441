/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-scenario.h"

#include "ns3/collab-model-description.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-table-store.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/committee-application.h"
#include "ns3/committee-authentication.h"
#include "ns3/committee-helper.h"
#include "ns3/committee-misbehavior.h"
#include "ns3/committee-recorder.h"
#include "ns3/core-module.h"

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
 * @param p parameters of the run
 * @param samples the samples of all devices
 * @param device number of a device
 * @return what its learner is built of
 */
TorchLearnerConfig
MakeConfig(const CommitteeParameters& p, const ScenarioSamples& samples, uint32_t device)
{
    TorchLearnerConfig config = MakeLearnerConfig(p, samples, device);
    UseSgd(p.localRate, config);
    return config;
}

/**
 * @param p parameters of the run
 * @param samples the samples of all devices
 * @param malicious devices, ascending
 * @return what each device learns with
 */
std::vector<CommitteeAgent>
MakeAgents(const CommitteeParameters& p,
           const ScenarioSamples& samples,
           const std::vector<uint32_t>& malicious)
{
    const FlatVector weights = DrawWeights(MakeConfig(p, samples, 0));
    std::vector<CommitteeAgent> agents;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        CommitteeAgent agent;
        agent.learner = MakeLearner(MakeConfig(p, samples, device), weights);
        agent.samples = static_cast<uint32_t>(samples.train[device].Size());
        if (std::binary_search(malicious.begin(), malicious.end(), device))
        {
            agent.gradientAttack = p.GetGradientAttack();
            agent.misbehavior = p.misbehavior == "none" ? "" : p.misbehavior;
        }
        agents.push_back(std::move(agent));
    }
    return agents;
}

/**
 * @param applications of all devices
 * @return one whose round is not older than any other's
 */
Ptr<CommitteeApplication>
FindNewest(const ApplicationContainer& applications)
{
    Ptr<CommitteeApplication> newest;
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        const auto application = DynamicCast<CommitteeApplication>(*it);
        if (!newest || application->GetRound() > newest->GetRound())
        {
            newest = application;
        }
    }
    return newest;
}

/**
 * @param p parameters of the run
 * @param helper gets them as attributes
 */
void
SetAttributes(const CommitteeParameters& p, CommitteeHelper& helper)
{
    static const std::map<std::string, std::string> names = {{"middle", "Middle"},
                                                             {"top", "Top"},
                                                             {"random", "Random"},
                                                             {"paper", "Paper"},
                                                             {"byzantine", "Byzantine"},
                                                             {"last", "Last"},
                                                             {"accumulated", "Accumulated"},
                                                             {"unicast", "Unicast"},
                                                             {"broadcast", "Broadcast"},
                                                             {"best-effort", "BestEffort"},
                                                             {"reliable", "Reliable"}};
    helper.SetAttribute("Rounds", UintegerValue(p.rounds));
    helper.SetAttribute("CommitteeSize", UintegerValue(p.GetCommitteeSize()));
    helper.SetAttribute("TrainingClients", UintegerValue(p.GetTrainingClients()));
    helper.SetAttribute("Alpha", DoubleValue(p.acceptPercent));
    helper.SetAttribute("Selection", StringValue(p.selection));
    helper.SetAttribute("Election", StringValue(names.at(p.election)));
    helper.SetAttribute("QuorumRule", StringValue(names.at(p.quorum)));
    helper.SetAttribute("PrimaryVotes", BooleanValue(p.primaryVotes));
    helper.SetAttribute("MaxAttempts", UintegerValue(p.maxAttempts));
    helper.SetAttribute("LocalSteps", UintegerValue(p.localSteps));
    helper.SetAttribute("LocalLearningRate", DoubleValue(p.localRate));
    helper.SetAttribute("GlobalLearningRate", DoubleValue(p.globalRate));
    helper.SetAttribute("GradientMode", StringValue(names.at(p.gradient)));
    helper.SetAttribute("Upload", StringValue(names.at(p.upload)));
    helper.SetAttribute("LossPolicy", StringValue(names.at(p.loss)));
    helper.SetAttribute("GradientTimeout", TimeValue(Seconds(p.gradientTimeout)));
    helper.SetAttribute("ScoreTimeout", TimeValue(Seconds(p.scoreTimeout)));
    helper.SetAttribute("AttemptTimeout", TimeValue(Seconds(p.attemptTimeout)));
    helper.SetAttribute("ModelTimeout", TimeValue(Seconds(p.modelTimeout)));
    helper.SetAuthenticatorBytes(p.authenticator);
}

/**
 * @param p parameters of a run
 * @return those that change its results, by name
 */
nlohmann::ordered_json
DescribeParameters(const CommitteeParameters& p)
{
    nlohmann::ordered_json parameters;
    DescribeLearning(p, parameters);
    parameters["rounds"] = p.rounds;
    parameters["activePercent"] = p.activePercent;
    parameters["committeePercent"] = p.committeePercent;
    parameters["acceptPercent"] = p.acceptPercent;
    parameters["selection"] = p.selection;
    parameters["election"] = p.election;
    parameters["quorum"] = p.quorum;
    parameters["primaryVotes"] = p.primaryVotes;
    parameters["maxAttempts"] = p.maxAttempts;
    parameters["measureClients"] = p.measureClients;
    DescribeMalice(p, parameters);
    DescribeFaults(p, parameters);
    parameters["misbehavior"] = p.misbehavior;
    parameters["localSteps"] = p.localSteps;
    parameters["localRate"] = p.localRate;
    parameters["globalRate"] = p.globalRate;
    parameters["gradient"] = p.gradient;
    parameters["upload"] = p.upload;
    parameters["loss"] = p.loss;
    parameters["gradientTimeout"] = p.gradientTimeout;
    parameters["scoreTimeout"] = p.scoreTimeout;
    parameters["attemptTimeout"] = p.attemptTimeout;
    parameters["modelTimeout"] = p.modelTimeout;
    parameters["authenticator"] = p.authenticator;
    DescribeNetwork(p, parameters);
    return parameters;
}

/// @throws UserError if a committee of that size cannot agree
void
CheckCommittee(const CommitteeParameters& p)
{
    const uint32_t least = p.quorum == "paper" && !p.primaryVotes ? 3 : 1;
    Require(p.GetCommitteeSize() >= least,
            "committeePercent",
            p.committeePercent,
            fmt::format("such that the committee has at least {} of the {} active devices",
                        least,
                        p.GetCommitteeSize() + p.GetTrainingClients()));
    Require(p.GetTrainingClients() >= p.GetCommitteeSize(),
            "committeePercent",
            p.committeePercent,
            "at most 50, for the next committee comes from the training clients");
}

} // namespace

CommitteeParameters::CommitteeParameters()
{
    devices = 30;
    samples = 200;
    minimumSamples = 20;
    lowQuality = "none";
    model = "mlp:32";
    batchSize = 128;
    maxOutage = 0.1;
    runDir = "runs/committee";
}

uint32_t
CommitteeParameters::GetCommitteeSize() const
{
    const double active = std::round(devices * activePercent / 100);
    return static_cast<uint32_t>(std::lround(active * committeePercent / 100));
}

uint32_t
CommitteeParameters::GetTrainingClients() const
{
    return static_cast<uint32_t>(std::lround(devices * activePercent / 100)) - GetCommitteeSize();
}

void
CommitteeParameters::Validate() const
{
    ValidateCommon(false);
    const auto isPercent = [](double value) { return value > 0 && value <= 100; };
    Require(rounds >= 1, "rounds", rounds, "at least 1");
    Require(isPercent(activePercent), "activePercent", activePercent, "above 0, at most 100");
    Require(
        isPercent(committeePercent), "committeePercent", committeePercent, "above 0, at most 100");
    Require(isPercent(acceptPercent), "acceptPercent", acceptPercent, "above 0, at most 100");
    RequireOneOf("selection", selection, {"I", "II"});
    RequireOneOf("election", election, {"middle", "top", "random"});
    RequireOneOf("quorum", quorum, {"paper", "byzantine"});
    RequireOneOf("gradient", gradient, {"last", "accumulated"});
    RequireOneOf("upload", upload, {"unicast", "broadcast"});
    RequireOneOf("loss", loss, {"best-effort", "reliable"});
    Require(maxAttempts >= 1 && maxAttempts <= 1000, "maxAttempts", maxAttempts, "1 to 1000");
    Require(localSteps >= 1, "localSteps", localSteps, "at least 1");
    const std::map<std::string, double> positive = {{"localRate", localRate},
                                                    {"globalRate", globalRate},
                                                    {"gradientTimeout", gradientTimeout},
                                                    {"scoreTimeout", scoreTimeout},
                                                    {"attemptTimeout", attemptTimeout},
                                                    {"modelTimeout", modelTimeout}};
    for (const auto& [name, value] : positive)
    {
        Require(value >= 1e-9 && value < 1e6, name, value, "1e-9 or greater, and below 1e6");
    }
    Require(authenticator >= KeyRing::MIN_BYTES && authenticator <= KeyRing::MAX_BYTES,
            "authenticator",
            authenticator,
            "8 to 4096 bytes");
    CheckCommittee(*this);
    ValidateMalice();
    ValidateFaults(devices);
    if (misbehavior != "none")
    {
        RequireSpecification("misbehavior", misbehavior, ParseMisbehavior);
    }
}

void
RunCommittee(const CommitteeParameters& p, std::ostream& output)
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
    const auto positions = PlaceDevices(p, nodes);
    InstallNetwork(p, nodes);
    ScheduleFaults(p, nodes);
    RunFolder folder(p.runDir); // once nothing can be wrong with the arguments any more
    Ptr<LearnerPool> pool =
        CreateObjectWithAttributes<LearnerPool>("Threads", UintegerValue(p.threads));
    CommitteeHelper helper(pool, GetSharedSeed());
    SetAttributes(p, helper);
    helper.AddEvaluation(std::make_shared<SharedEvaluation>("global", samples.global));
    if (p.measureClients)
    {
        helper.AddEvaluation(MakeClientEvaluation(samples));
    }
    const auto agents = MakeAgents(p, samples, malicious);
    ApplicationContainer applications = helper.Install(nodes, agents);
    const auto parameters = DescribeParameters(p);
    const auto defaults = DescribeParameters(CommitteeParameters());
    folder.WriteFile(
        "run.json",
        DescribeRun({"committee", parameters, defaults, malicious}, p, samples, positions));
    folder.WriteFile("malicious.txt", fmt::format("{}\n", fmt::join(malicious, " ")));
    WritePartition(p, folder, samples, output);

    std::unique_ptr<TableStore> tables = MakeTableStore(p.recorder, folder);
    RunRecorder recorder(*tables, applications);
    CommitteeRecorder committee(*tables, applications);
    ClientRecorder clients(*tables, p.devices, malicious);
    clients.FollowCommittee(applications);
    PlayRun(p, recorder, {"committee", "accuracy_global"}, applications);
    clients.WriteClients(GetLearners(agents), FindNewest(applications)->GetModel(), samples.test);
    FinishRun(std::move(tables), folder);
    if (!p.quiet)
    {
        output << "wrote " << folder.GetPath() << std::endl;
    }
}
