/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-toy-scenario.h"

#include "toy-recorder.h"
#include "toy-samples.h"

#include "ns3/collab-polynomial-learner.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/core-module.h"
#include "ns3/prediction-consensus-helper.h"
#include "ns3/prediction-consensus-recorder.h"

#include "common/scenario-checks.h"
#include "common/scenario-learners.h"
#include "common/scenario-network.h"
#include "common/scenario-run.h"
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

constexpr uint32_t STRONG_DEGREE = 4; //!< of most agents' polynomials
constexpr uint32_t WEAK_DEGREE = 1;   //!< of the last one's in two-degrees
constexpr uint32_t WEAK_AGENT = 3;    //!< in two-degrees

/**
 * @param p parameters of the run
 * @param device number of an agent
 * @return degree of its polynomial
 */
uint32_t
DegreeOf(const ConsensusToyParameters& p, uint32_t device)
{
    return p.experiment == "two-degrees" && device == WEAK_AGENT ? WEAK_DEGREE : STRONG_DEGREE;
}

/**
 * @param p parameters of the run
 * @return the models of all agents, by names that can be described
 */
std::vector<std::string>
NameModels(const ConsensusToyParameters& p)
{
    std::vector<std::string> models;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        models.push_back(p.experiment == "boundaries"
                             ? p.model
                             : fmt::format("polynomial:{}", DegreeOf(p, device)));
    }
    return models;
}

/**
 * @param p parameters of the run
 * @param samples of the agents
 * @param device number of an agent
 * @return its learner
 */
std::unique_ptr<Learner>
MakeLearner(const ConsensusToyParameters& p, const ToySamples& samples, uint32_t device)
{
    if (p.experiment != "boundaries")
    {
        return MakePolynomialLearner(samples.train[device], DegreeOf(p, device));
    }
    return MakeTorchLearner(MakeLearnerConfig(p, samples, device));
}

/**
 * @param p parameters of the run
 * @param samples of the agents
 * @return what each agent learns with
 */
std::vector<PredictionConsensusAgent>
MakeAgents(const ConsensusToyParameters& p, const ToySamples& samples)
{
    std::vector<PredictionConsensusAgent> agents;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        PredictionConsensusAgent agent;
        agent.learner = MakeLearner(p, samples, device);
        agent.reference = samples.reference;
        agent.evaluations = {{"reference", samples.reference}};
        if (samples.global)
        {
            agent.evaluations.emplace_back("global", samples.global);
        }
        if (samples.unionRegion)
        {
            agent.evaluations.emplace_back("union", samples.unionRegion);
        }
        agent.probes = {{PredictionConsensusRecorder::REFERENCE, samples.reference},
                        {ToyRecorder::GRID, samples.grid}};
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
InstallApplications(const ConsensusToyParameters& p,
                    const NodeContainer& nodes,
                    const std::vector<PredictionConsensusAgent>& agents)
{
    static const std::map<std::string, std::string> names = {
        {"dynamic", "Dynamic"}, {"static", "Static"}, {"naive", "Naive"}, {"local", "Local"}};
    PredictionConsensusHelper helper(
        CreateObjectWithAttributes<LearnerPool>("Threads", UintegerValue(p.threads)));
    helper.SetAttribute("Rounds", UintegerValue(p.pretrainingRounds + p.rounds));
    helper.SetAttribute("PretrainingRounds", UintegerValue(p.pretrainingRounds));
    helper.SetAttribute("LocalEpochs", UintegerValue(p.localEpochs));
    helper.SetAttribute("Lambda", DoubleValue(p.lambda));
    helper.SetAttribute("TrustMode", StringValue(names.at(p.trust)));
    helper.SetAttribute("LossPolicy", StringValue("Reliable"));
    return helper.Install(nodes, agents);
}

/**
 * @param p parameters of a run
 * @return those that change its results, by name
 */
nlohmann::ordered_json
DescribeParameters(const ConsensusToyParameters& p)
{
    nlohmann::ordered_json parameters = {{"experiment", p.experiment},
                                         {"trust", p.trust},
                                         {"rounds", p.rounds},
                                         {"pretrainingRounds", p.pretrainingRounds},
                                         {"localEpochs", p.localEpochs},
                                         {"agentSamples", p.agentSamples},
                                         {"lambda", p.lambda},
                                         {"model", p.model},
                                         {"learningRate", p.learningRate},
                                         {"batchSize", p.batchSize}};
    DescribeNetwork(p, parameters);
    return parameters;
}

/**
 * @param p parameters of a run
 * @return the rounds that figures show: after local training, after 5 and 20 of collaboration, and
 * the last one
 */
std::set<uint32_t>
ShownRounds(const ConsensusToyParameters& p)
{
    std::set<uint32_t> rounds;
    for (const uint32_t after : {0U, 5U, 20U, p.rounds})
    {
        if (after <= p.rounds)
        {
            rounds.insert(p.pretrainingRounds + after - 1);
        }
    }
    return rounds;
}

/**
 * @param p parameters of the run
 * @param samples of the agents
 * @param folder of the run, finished here
 * @param applications of the agents
 * @return checks of the theory, as text
 */
std::string
Simulate(const ConsensusToyParameters& p,
         const ToySamples& samples,
         RunFolder& folder,
         const ApplicationContainer& applications)
{
    const auto lowQuality = p.GetLowQualityDevices();
    std::unique_ptr<TableStore> tables = MakeTableStore(p.recorder, folder);
    RunRecorder recorder(*tables, applications);
    PredictionConsensusRecorder consensus(
        *tables, applications, std::set<std::size_t>(lowQuality.begin(), lowQuality.end()));
    ToyRecorder toy(*tables, applications, samples, ShownRounds(p));
    recorder.Flush();
    StopWhenAllEnd(applications);
    Simulator::Run();
    recorder.Finish();
    std::ostringstream checks;
    consensus.WriteChecks(checks);
    folder.WriteFile("theory.txt", checks.str());
    FinishRun(std::move(tables), folder);
    return checks.str();
}

} // namespace

ConsensusToyParameters::ConsensusToyParameters()
{
    model = "mlp:5-10";
    lowQuality = "none";
    maxOutage = 0.01;
    runDir = "runs/prediction-consensus-toy";
}

void
ConsensusToyParameters::Resolve()
{
    RequireOneOf("experiment", experiment, {"regression", "two-degrees", "boundaries"});
    devices = experiment == "regression" ? 3 : 4;
    // An agent that is too weak is set apart in results like one with bad labels
    lowQuality = experiment == "regression" ? "none" : "3";
    if (rounds == 0)
    {
        rounds = experiment == "regression" ? 20 : 50;
    }
    if (pretrainingRounds == 0)
    {
        pretrainingRounds = experiment == "boundaries" ? 20 : 1;
    }
}

void
ConsensusToyParameters::Validate() const
{
    ValidateCommon(true);
    RequireOneOf("trust", trust, {"dynamic", "static", "naive", "local"});
    Require(rounds >= 1 && rounds <= 100000, "rounds", rounds, "0 to 100000");
    Require(pretrainingRounds <= 100000, "pretrainingRounds", pretrainingRounds, "0 to 100000");
    Require(localEpochs >= 1, "localEpochs", localEpochs, "at least 1");
    Require(agentSamples >= 20 && agentSamples <= 1000000,
            "agentSamples",
            agentSamples,
            "20 to 1000000");
    Require(std::isfinite(lambda) && lambda >= 0, "lambda", lambda, "0 or greater");
}

void
RunConsensusToy(ConsensusToyParameters p, std::ostream& output)
{
    p.Resolve();
    p.Validate();
    ConfigureTorchProcess();
    const ToySamples samples =
        p.experiment == "boundaries" ? MakeGaussianSamples(p) : MakeRegressionSamples(p);
    const auto models = NameModels(p);
    CheckModel(p.model,
               [&]() { DescribeModel(models[0], MakeModelInput(*samples.reference->data)); });
    SimulatorGuard guard;

    NodeContainer nodes;
    nodes.Create(p.devices);
    const auto positions = PlaceDevices(p, nodes);
    InstallNetwork(p, nodes);
    RunFolder folder(p.runDir); // once nothing can be wrong with the arguments any more
    const ApplicationContainer applications = InstallApplications(p, nodes, MakeAgents(p, samples));
    const auto parameters = DescribeParameters(p);
    const auto defaults = DescribeParameters(ConsensusToyParameters());
    folder.WriteFile(
        "run.json",
        DescribeRun(
            {"prediction-consensus-toy", parameters, defaults}, p, samples, positions, models));
    const std::string checks = Simulate(p, samples, folder, applications);
    if (!p.quiet)
    {
        output << samples.description << checks << "wrote " << folder.GetPath() << std::endl;
    }
}
