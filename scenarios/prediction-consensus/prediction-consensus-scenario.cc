/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-scenario.h"

#include "ns3/collab-model-description.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-stub-learner.h"
#include "ns3/collab-table-store.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/core-module.h"
#include "ns3/prediction-consensus-helper.h"
#include "ns3/prediction-consensus-recorder.h"

#include "common/scenario-checks.h"
#include "common/scenario-learners.h"
#include "common/scenario-network.h"
#include "common/scenario-run.h"
#include "common/scenario-samples.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/**
 * @param p parameters of the run
 * @param samples the samples of all agents
 * @return what each agent learns with
 */
std::vector<PredictionConsensusAgent>
MakeAgents(const PredictionConsensusParameters& p, const ScenarioSamples& samples)
{
    const auto models = p.GetModels();
    std::vector<PredictionConsensusAgent> agents;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        TorchLearnerConfig config = MakeLearnerConfig(p, samples, device);
        config.model = models[device];
        config.referenceBatchSize = p.referenceBatchSize;
        PredictionConsensusAgent agent;
        agent.learner = MakeTorchLearner(std::move(config));
        agent.reference = samples.reference;
        agent.evaluations = {{"reference", samples.reference},
                             {"local", std::make_shared<const DataView>(samples.test[device])},
                             {"global", samples.global}};
        agent.probes = {{PredictionConsensusRecorder::REFERENCE, samples.reference}};
        agents.push_back(std::move(agent));
    }
    return agents;
}

/**
 * @param p parameters of the run
 * @param nodes the devices
 * @param agents what each of them learns with
 * @return the applications
 */
ApplicationContainer
InstallApplications(const PredictionConsensusParameters& p,
                    const NodeContainer& nodes,
                    const std::vector<PredictionConsensusAgent>& agents)
{
    static const std::map<std::string, std::string> names = {{"dynamic", "Dynamic"},
                                                             {"static", "Static"},
                                                             {"naive", "Naive"},
                                                             {"local", "Local"},
                                                             {"stale", "Stale"},
                                                             {"exclude", "Exclude"},
                                                             {"soft", "SoftLabels"},
                                                             {"majority-vote", "MajorityVote"},
                                                             {"best-effort", "BestEffort"},
                                                             {"reliable", "Reliable"}};
    Ptr<LearnerPool> pool =
        CreateObjectWithAttributes<LearnerPool>("Threads", UintegerValue(p.threads));
    PredictionConsensusHelper helper(pool);
    helper.SetAttribute("Rounds", UintegerValue(p.rounds));
    helper.SetAttribute("PretrainingRounds", UintegerValue(p.pretrainingRounds));
    helper.SetAttribute("LocalEpochs", UintegerValue(p.localEpochs));
    helper.SetAttribute("Lambda", DoubleValue(p.lambda));
    helper.SetAttribute("TrustMode", StringValue(names.at(p.trust)));
    helper.SetAttribute("TrustInterval", UintegerValue(p.trustInterval));
    helper.SetAttribute("ConsensusMode", StringValue(names.at(p.consensus)));
    helper.SetAttribute("MissingPolicy", StringValue(names.at(p.missing)));
    helper.SetAttribute("LossPolicy", StringValue(names.at(p.loss)));
    helper.SetAttribute("RoundDeadline", TimeValue(Seconds(p.deadline)));
    return helper.Install(nodes, agents);
}

/**
 * @param p parameters of a run
 * @return those that change its results, by name
 */
nlohmann::ordered_json
DescribeParameters(const PredictionConsensusParameters& p)
{
    nlohmann::ordered_json parameters;
    DescribeLearning(p, parameters);
    parameters["referenceBatchSize"] = p.referenceBatchSize;
    parameters["models"] = p.models;
    parameters["trust"] = p.trust;
    parameters["trustInterval"] = p.trustInterval;
    parameters["consensus"] = p.consensus;
    parameters["rounds"] = p.rounds;
    parameters["pretrainingRounds"] = p.pretrainingRounds;
    parameters["localEpochs"] = p.localEpochs;
    parameters["lambda"] = p.lambda;
    parameters["missing"] = p.missing;
    parameters["loss"] = p.loss;
    parameters["deadline"] = p.deadline;
    DescribeNetwork(p, parameters);
    return parameters;
}

} // namespace

PredictionConsensusParameters::PredictionConsensusParameters()
{
    runDir = "runs/prediction-consensus";
}

std::vector<std::string>
PredictionConsensusParameters::GetModels() const
{
    std::vector<std::string> given;
    std::istringstream list(models);
    for (std::string item; std::getline(list, item, ',');)
    {
        given.push_back(item);
    }
    if (given.size() == devices)
    {
        return given;
    }
    if (models.empty())
    {
        return std::vector<std::string>(devices, model);
    }
    Require(given.size() == 2,
            "models",
            models,
            fmt::format("2 models with a comma between, or {}, one a device", devices));
    std::vector<std::string> result(devices, given[1]);
    std::fill(result.begin(), result.begin() + devices / 2, given[0]);
    return result;
}

void
PredictionConsensusParameters::Validate() const
{
    ValidateCommon(true);
    Require(referenceBatchSize >= 1, "referenceBatchSize", referenceBatchSize, "at least 1");
    RequireOneOf("trust", trust, {"dynamic", "static", "naive", "local"});
    RequireOneOf("consensus", consensus, {"soft", "majority-vote"});
    Require(trustInterval >= 1, "trustInterval", trustInterval, "at least 1");
    for (const auto& name : GetModels())
    {
        CheckModel(name, [&name]() { FindModel(name); });
        Require(!IsStub(name), "model", name, "one that predicts, not a stub");
    }
    Require(rounds >= 1, "rounds", rounds, "at least 1");
    Require(localEpochs >= 1, "localEpochs", localEpochs, "at least 1");
    Require(std::isfinite(lambda) && lambda >= 0, "lambda", lambda, "0 or greater");
    RequireOneOf("missing", missing, {"stale", "exclude"});
    RequireOneOf("loss", loss, {"best-effort", "reliable"});
    Require(deadline > 0 && deadline < 1e6, "deadline", deadline, "greater than 0 and below 1e6 s");
}

void
RunPredictionConsensus(const PredictionConsensusParameters& p, std::ostream& output)
{
    p.Validate();
    ConfigureTorchProcess();
    const ScenarioSamples samples = PrepareSamples(p);
    const auto models = p.GetModels();
    for (const auto& model : std::set<std::string>(models.begin(), models.end()))
    {
        CheckModel(model,
                   [&]() { DescribeModel(model, MakeModelInput(*samples.reference->data)); });
    }
    SimulatorGuard guard;

    NodeContainer nodes;
    nodes.Create(p.devices);
    const auto positions = PlaceDevices(p, nodes);
    InstallNetwork(p, nodes);
    RunFolder folder(p.runDir); // once nothing can be wrong with the arguments any more
    ApplicationContainer applications = InstallApplications(p, nodes, MakeAgents(p, samples));
    const auto parameters = DescribeParameters(p);
    const auto defaults = DescribeParameters(PredictionConsensusParameters());
    folder.WriteFile(
        "run.json",
        DescribeRun({"prediction-consensus", parameters, defaults}, p, samples, positions, models));
    WritePartition(p, folder, samples, output);

    std::unique_ptr<TableStore> tables = MakeTableStore(p.recorder, folder);
    RunRecorder recorder(*tables, applications);
    const auto lowQuality = p.GetLowQualityDevices();
    PredictionConsensusRecorder consensus(
        *tables, applications, std::set<std::size_t>(lowQuality.begin(), lowQuality.end()));
    PlayRun(p, recorder, {p.trust, "accuracy_reference"}, applications);
    std::ostringstream checks;
    consensus.WriteChecks(checks);
    folder.WriteFile("theory.txt", checks.str());
    FinishRun(std::move(tables), folder);
    if (!p.quiet)
    {
        output << checks.str() << "wrote " << folder.GetPath() << std::endl;
    }
}
