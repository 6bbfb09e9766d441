/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-toy-scenario.h"

#include "common/scenario.h"
#include "prediction-consensus-scenario.h"
#include "toy-recorder.h"
#include "toy-samples.h"

#include "ns3/collab-polynomial-learner.h"
#include "ns3/prediction-consensus-helper.h"
#include "ns3/prediction-consensus-recorder.h"

#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// What tells how good a model is, by experiment
const std::map<std::string, std::string> MEASURES = {{"regression", "squared_error_reference"},
                                                     {"two-degrees", "squared_error_reference"},
                                                     {"boundaries", "accuracy_reference"}};

constexpr uint32_t STRONG_DEGREE = 4; //!< of most agents' polynomials
constexpr uint32_t WEAK_DEGREE = 1;   //!< of the last one's in two-degrees
constexpr uint32_t WEAK_AGENT = 3;    //!< in two-degrees

/// @return degree of its polynomial
uint32_t
DegreeOf(const ConsensusToyParameters& p, uint32_t device)
{
    return p.experiment == "two-degrees" && device == WEAK_AGENT ? WEAK_DEGREE : STRONG_DEGREE;
}

/// @return the models of all agents, by names that can be described
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

/// @return the learner of an agent
std::unique_ptr<Learner>
MakeLearner(const ConsensusToyParameters& p, const ToySamples& samples, uint32_t device)
{
    if (p.experiment != "boundaries")
    {
        return MakePolynomialLearner(samples.train[device], DegreeOf(p, device));
    }
    return MakeTorchLearner(MakeLearnerConfig(p, samples, device));
}

/// @return what each agent learns with
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
                        {GRID_PROBE, samples.grid}};
        agents.push_back(std::move(agent));
    }
    return agents;
}

/// The applications
constexpr const char* TOY_APPLICATION = "ns3::collab::PredictionConsensusApplication";
/// All rounds of them, local ones and collaborative ones
constexpr const char* ALL_ROUNDS = "ns3::collab::CollaborationApplication::Rounds";

/// @return the applications
ApplicationContainer
InstallApplications(const ConsensusToyParameters& p,
                    const NodeContainer& nodes,
                    const std::vector<PredictionConsensusAgent>& agents)
{
    PredictionConsensusHelper helper(MakePool(p));
    SetAttributes(p, TOY_APPLICATION, helper);
    SetUnlessGiven(
        helper, ALL_ROUNDS, UintegerValue(p.Get<uint32_t>("pretrainingRounds") + p.rounds));
    SetUnlessGiven(helper, std::string(TOY_APPLICATION) + "::LossPolicy", StringValue("Reliable"));
    return helper.Install(nodes, agents);
}

/// @return the rounds that figures show: after local training, after 5 and 20 of collaboration, and
/// the last one
std::set<uint32_t>
ShownRounds(const ConsensusToyParameters& p)
{
    std::set<uint32_t> rounds;
    for (const uint32_t after : {0U, 5U, 20U, p.rounds})
    {
        if (after <= p.rounds)
        {
            rounds.insert(p.Get<uint32_t>("pretrainingRounds") + after - 1);
        }
    }
    return rounds;
}

} // namespace

ConsensusToyParameters::ConsensusToyParameters()
{
    model = "mlp:5-10";
    lowQuality = "none";
    maxOutage = 0.01;
    runDir = "runs/prediction-consensus-toy";
    const std::string application = TOY_APPLICATION;
    Add("experiment", experiment, "what is drawn: Fig. 1, 7 or 2")
        .Choices({"regression", "two-degrees", "boundaries"});
    Take("trust", application + "::TrustMode");
    Add("rounds", rounds, "collaborative rounds; 0 for the paper's: 20, 50 or 50")
        .AtLeast(0)
        .AtMost(100000)
        .ExcludedBy(ALL_ROUNDS);
    Take("pretrainingRounds", application + "::PretrainingRounds")
        .Help("rounds before the first exchange; 0 for 1, 1 or 20")
        .AtLeast(0)
        .AtMost(100000)
        .Default(0);
    Take("localEpochs", application + "::LocalEpochs")
        .Default(10)
        .For("experiment", {"boundaries"});
    Add("agentSamples", agentSamples, "samples of an agent").AtLeast(20).AtMost(1000000);
    Take("lambda", application + "::Lambda").Default(1);
    DeclareDeadline(*this, deadline);
    DeclareModel();
    DeclareNetwork();
    DeclareRun();
}

void
ConsensusToyParameters::Complete()
{
    devices = experiment == "regression" ? 3 : 4;
    // An agent that is too weak is set apart in results like one with bad labels
    lowQuality = experiment == "regression" ? "none" : "3";
    if (Get<uint32_t>("pretrainingRounds") == 0 &&
        !IsAttributeGiven(std::string(TOY_APPLICATION) + "::PretrainingRounds"))
    {
        Set("pretrainingRounds", experiment == "boundaries" ? 20 : 1);
    }
    const auto pretrainingRounds = Get<uint32_t>("pretrainingRounds");
    if (IsAttributeGiven(ALL_ROUNDS))
    {
        const auto all = GetGivenNumber(ALL_ROUNDS);
        if (all <= pretrainingRounds)
        {
            throw UserError(fmt::format("attribute --{}={} is not allowed; it must be more than "
                                        "the {} of --pretrainingRounds",
                                        ALL_ROUNDS,
                                        all,
                                        pretrainingRounds));
        }
        rounds = static_cast<uint32_t>(all) - pretrainingRounds;
    }
    if (rounds == 0)
    {
        rounds = experiment == "regression" ? 20 : 50;
    }
}

void
ConsensusToyParameters::Validate() const
{
    ValidateCommon(true);
    CheckLiars("here devices are honest");
    RefuseAttribute("ns3::collab::PredictionConsensusApplication::PredictionPrivacy",
                    "no table has what is spent; prediction-consensus --predictionPrivacy does");
    if (experiment != "boundaries")
    {
        CheckValueAttributes("--experiment=" + experiment);
    }
    else
    {
        Require(!IsStub(model), "model", "one that predicts, not a stub");
    }
}

void
RunConsensusToy(ConsensusToyParameters& p, std::ostream& output)
{
    PrepareParameters(p);
    ConfigureTorchProcess();
    const ToySamples samples =
        p.experiment == "boundaries" ? MakeGaussianSamples(p) : MakeRegressionSamples(p);
    const auto models = NameModels(p);
    CheckArgument("model", p.model, [&]() {
        DescribeModel(models[0], MakeModelInput(*samples.reference->data));
    });
    SimulatorGuard guard;
    const ScenarioNetwork network = MakeNetwork(p);
    const ApplicationContainer applications =
        InstallApplications(p, network.nodes, MakeAgents(p, samples));
    SetDeadlines(p, p.deadline, applications);

    const RunDescription description = {
        "prediction-consensus-toy", "trust", MEASURES.at(p.experiment)};
    RunResults results(p, description, samples, network, output, models);
    const auto lowQuality = p.GetLowQualityDevices();
    RunRecorder recorder(*results.tables, applications);
    PredictionConsensusRecorder consensus(
        *results.tables, applications, {lowQuality.begin(), lowQuality.end()});
    RecordToy(*results.tables, applications, samples, ShownRounds(p));
    results.Play(p, recorder, applications);
    std::ostringstream checks;
    consensus.WriteChecks(checks);
    results.folder.WriteFile("theory.txt", checks.str());
    results.Print(samples.description + checks.str());
    results.Finish();
}
