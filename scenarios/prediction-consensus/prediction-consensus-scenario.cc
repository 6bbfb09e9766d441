/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-scenario.h"

#include "common/scenario.h"

#include "ns3/prediction-consensus-helper.h"
#include "ns3/prediction-consensus-recorder.h"

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @return what each agent learns with
std::vector<PredictionConsensusAgent>
MakeAgents(const PredictionConsensusParameters& p, const ScenarioSamples& samples)
{
    const auto models = p.GetModels();
    std::map<std::string, FlatVector> given; // weights by model
    std::vector<PredictionConsensusAgent> agents;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        TorchLearnerConfig config = MakeLearnerConfig(p, samples, device);
        config.model = models[device];
        config.referenceBatchSize = p.referenceBatchSize;
        config.referenceOrder =
            p.referenceOrder == "restarted" ? ReferenceOrder::RESTARTED : ReferenceOrder::SHUFFLED;
        PredictionConsensusAgent agent;
        if (!p.initialWeights.empty() && given.count(config.model) == 0)
        {
            given[config.model] = DrawWeights(p, config);
        }
        agent.learner = MakeLearner(config, given[config.model]);
        agent.reference = samples.reference;
        agent.evaluations = {{"reference", samples.reference},
                             {"local", std::make_shared<const DataView>(samples.test[device])},
                             {"global", samples.global}};
        agent.probes = {{PredictionConsensusRecorder::REFERENCE, samples.reference}};
        if (p.ensemble)
        {
            agent.probes.emplace_back(PredictionConsensusRecorder::GLOBAL, samples.global);
        }
        agents.push_back(std::move(agent));
    }
    return agents;
}

/// Give devices of low quality the lambda and the importance that are theirs, and let others lie
void
SetExceptions(const PredictionConsensusParameters& p,
              const std::vector<uint32_t>& malicious,
              const ApplicationContainer& applications)
{
    for (const uint32_t device : p.GetLowQualityDevices())
    {
        if (p.lowQualityLambda >= 0)
        {
            applications.Get(device)->SetAttribute("Lambda", DoubleValue(p.lowQualityLambda));
        }
        for (uint32_t i = 0; p.Get("trust") == "ideal" && i < applications.GetN(); ++i)
        {
            DynamicCast<PredictionConsensusApplication>(applications.Get(i))
                ->SetImportance(device, p.lowQualityImportance);
        }
    }
    for (const uint32_t device : malicious)
    {
        applications.Get(device)->SetAttribute("PredictionAttack",
                                               StringValue(p.lie == "shift" ? "Shift" : "Target"));
    }
}

/// The applications
constexpr const char* APPLICATION = "ns3::collab::PredictionConsensusApplication";
/// What settings of the exchange take to have an effect
constexpr const char* EXCHANGE =
    "agents that exchange predictions (--trust=dynamic, static, naive, ideal)";
/// What settings of learning from X* take to have an effect
constexpr const char* PSEUDO_LABELS = "agents that learn from X* (not with --trust=local)";

/// @return privacy that each agent has spent that does not lie
std::vector<PrivacyRow>
ListAgentPrivacy(const PredictionConsensusParameters& p,
                 const std::vector<std::shared_ptr<Learner>>& learners,
                 const std::vector<uint32_t>& malicious,
                 const ApplicationContainer& applications)
{
    std::vector<PrivacyRow> rows = ListPrivacy(p, learners);
    const std::string given = p.Get("predictionPrivacy");
    for (uint32_t device = 0; !given.empty() && device < applications.GetN(); ++device)
    {
        if (std::find(malicious.begin(), malicious.end(), device) == malicious.end())
        {
            const auto agent =
                DynamicCast<PredictionConsensusApplication>(applications.Get(device));
            const double delta = ReadPredictionPrivacy(given).delta;
            rows.push_back({device, "predictions", delta, agent->GetPredictionEpsilon()});
        }
    }
    return rows;
}

/// @return whether agents judge others by the error on their own samples
bool
JudgesByOwnError(const PredictionConsensusParameters& p)
{
    const std::string application = APPLICATION;
    const auto trust = GetAttributeInformation(application + "::RegressionTrust");
    return (p.Get("trust") == "dynamic" || p.Get("trust") == "static") &&
           trust.initialValue->SerializeToString(trust.checker) == "Distance" &&
           GetGivenNumber(application + "::SimilarityScale") == 0;
}

} // namespace

void
CheckValueAttributes(const std::string& cause)
{
    const std::string application = APPLICATION;
    const auto topK = GetGivenNumber(application + "::LabelTopK");
    Require(topK == 0,
            application + "::LabelTopK",
            topK,
            "0 with " + cause + ", which has targets and no classes to choose from");
    const auto mode = GetAttributeInformation(application + "::ConsensusMode");
    const std::string given = mode.initialValue->SerializeToString(mode.checker);
    Require(given == "SoftLabels",
            application + "::ConsensusMode",
            given,
            "SoftLabels with " + cause + ", which has targets and no classes to vote on");
}

void
CheckLiars(const std::string& advice)
{
    const std::string attack = std::string(APPLICATION) + "::PredictionAttack";
    if (IsAttributeGiven(attack))
    {
        throw UserError(fmt::format(
            "argument --{} is not allowed, as all devices would lie; {}", attack, advice));
    }
}

void
DeclareDeadline(RunParameters& list, double& deadline)
{
    list.AddWait("deadline",
                 deadline,
                 "longest wait for predictions; 0 for a quarter longer than the slowest device "
                 "computes from one exchange to the next, or all predictions are on air, and 5 s "
                 "at least")
        .Follows(std::string(APPLICATION) + "::RoundDeadline");
}

void
SetDeadlines(const CommonParameters& p, double& deadline, const ApplicationContainer& applications)
{
    const WorstLinks worst(p);
    using Application = PredictionConsensusApplication;
    const auto others = applications.GetN() - 1;
    const uint64_t bytes = DynamicCast<Application>(applications.Get(0))->GetMessageSize();
    const Time onAir = MakeWaitEstimator(applications).Broadcast(bytes);
    const Time least = std::max(Seconds(5), WaitEstimator::AddMargin(onAir));
    const auto find = [&](const auto& duration) {
        return WaitEstimator::Longest<Application>(applications, least, duration);
    };
    double first = deadline;
    SetWait("RoundDeadline",
            find([others](const Application& a) { return a.GetComputingDuration(others); }),
            deadline,
            applications);
    if (!IsAttributeGiven(std::string(APPLICATION) + "::FirstDeadline"))
    {
        SetWait("FirstDeadline",
                find(std::mem_fn(&Application::GetPretrainingDuration)),
                first,
                applications);
    }
}

PredictionConsensusParameters::PredictionConsensusParameters()
{
    runDir = "runs/prediction-consensus";
    const std::string application = APPLICATION;
    const auto exchanges = [this]() { return Exchanges(); };
    const auto hasPseudoLabels = [this]() { return Get("trust") != "local"; };
    DeclareSamples();
    DeclareTargets();
    DeclareModel();
    Find("model")->OnlyIf([this]() { return models.empty(); }, "agents without --models");
    DeclareWeights();
    DeclareTraining();
    Add("referenceBatchSize", referenceBatchSize, "X* samples a step")
        .AtLeast(1)
        .OnlyIf(hasPseudoLabels, PSEUDO_LABELS);
    Add("referenceOrder",
        referenceOrder,
        "order of X* in steps: shuffled anew when all of it was used, or restarted with its "
        "first samples in every epoch, as the authors' program does")
        .Choices({"shuffled", "restarted"})
        .OnlyIf(hasPseudoLabels, PSEUDO_LABELS);
    Add("models",
        models,
        "models of the first and the other half of the agents, e.g. netcnn,linear, or of each; "
        "--model if empty");
    Take("trust", application + "::TrustMode");
    Take("trustInterval", application + "::TrustInterval").For("trust", {"dynamic"});
    Take("consensus", application + "::ConsensusMode")
        .Choices({{"soft", "SoftLabels"}, {"median", "Median"}, {"majority-vote", "MajorityVote"}})
        .OnlyIf(exchanges, EXCHANGE);
    Take("rounds", "ns3::collab::CollaborationApplication::Rounds").Default(20);
    Take("pretrainingRounds", application + "::PretrainingRounds")
        .OnlyIf(hasPseudoLabels, PSEUDO_LABELS);
    Take("localEpochs", application + "::LocalEpochs");
    Take("lambda", application + "::Lambda").OnlyIf(hasPseudoLabels, PSEUDO_LABELS);
    Add("lowQualityLambda",
        lowQualityLambda,
        "the same of devices of --lowQuality, such as 0, with which they never learn what "
        "others say; -1: as --lambda")
        .AtLeast(-1)
        .AtMost(std::numeric_limits<float>::max())
        .OnlyIf(hasPseudoLabels, PSEUDO_LABELS)
        .OnlyIf([this]() { return !GetLowQualityDevices().empty(); }, LOW_QUALITY);
    Add("lowQualityImportance",
        lowQualityImportance,
        "ideal: importance of devices of low quality, which nobody else could know; of others it "
        "is 1")
        .For("trust", {"ideal"})
        .Above(0)
        .OnlyIf([this]() { return !GetLowQualityDevices().empty(); }, LOW_QUALITY);
    Add("malicious", malicious, "devices that send false predictions, e.g. 2,9, or none")
        .OnlyIf(exchanges, EXCHANGE);
    Add("lie",
        lie,
        "what they tell: the probability of each class of the next one (shift), or those of the "
        "classes 0 and 1 of each other (target)")
        .Choices({"shift", "target"})
        .OnlyIf([this]() { return !ParseDevices("malicious", malicious, devices).empty(); },
                "devices that lie (--malicious)");
    Take("predictionPrivacy", application + "::PredictionPrivacy").OnlyIf(exchanges, EXCHANGE);
    Add("ensemble",
        ensemble,
        "measure what pseudo-labels for the global test set would be worth: column ensemble_global "
        "of the table influence")
        .OnlyIf(exchanges, EXCHANGE);
    Take("missing", application + "::MissingPolicy").OnlyIf(exchanges, EXCHANGE);
    Take("loss", application + "::LossPolicy").Default("reliable").OnlyIf(exchanges, EXCHANGE);
    DeclareDeadline(*this, deadline);
    Find("deadline")->OnlyIf(exchanges, EXCHANGE);
    DeclareNetwork();
    DeclareKnowledge();
    DeclareRun();
}

bool
PredictionConsensusParameters::Exchanges() const
{
    const std::string trust = Get("trust");
    return trust != "local" && trust != "oracle";
}

std::vector<std::string>
PredictionConsensusParameters::GetModels() const
{
    const std::vector<std::string> given = SplitList(models);
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
            fmt::format("2 models with a comma between, or {}, one a device", devices));
    std::vector<std::string> result(devices, given[1]);
    std::fill(result.begin(), result.begin() + devices / 2, given[0]);
    return result;
}

void
PredictionConsensusParameters::Validate() const
{
    ValidateCommon(true);
    ValidateTraining();
    const auto rounds = Get<uint32_t>("rounds");
    const auto pretrainingRounds = Get<uint32_t>("pretrainingRounds");
    Require(
        !Exchanges() || rounds > pretrainingRounds,
        "rounds",
        fmt::format(
            "more than the {} of --pretrainingRounds, or --trust=local: nothing would be exchanged",
            pretrainingRounds));
    CheckLiars("give --malicious and --lie");
    if (const std::string privacy = Get("predictionPrivacy"); !privacy.empty())
    {
        CheckArgument("predictionPrivacy", privacy, [&]() { ReadPredictionPrivacy(privacy); });
    }
    Require(ParseDevices("malicious", malicious, devices).size() < devices,
            "malicious",
            "not all devices");
    Require(
        lowQualityLambda == -1 || lowQualityLambda >= 0, "lowQualityLambda", "-1, or at least 0");
    for (const auto& name : GetModels())
    {
        CheckArgument("model", name, [&name]() { FindModel(name); });
        ::Require(!IsStub(name), "model", name, "one that predicts, not a stub");
    }
}

void
RunPredictionConsensus(PredictionConsensusParameters& p, std::ostream& output)
{
    PrepareParameters(p);
    const auto models = p.GetModels();
    const auto malicious = ParseDevices("malicious", p.malicious, p.devices);
    const ScenarioSamples samples = LoadSamples(p, p.targetGroups, models);
    if (p.hasTargets)
    {
        p.Require(p.Get("consensus") == "soft",
                  "consensus",
                  "soft with --dataSet=" + p.dataSet +
                      ", which has targets, no classes to vote on");
        CheckValueAttributes("--dataSet=" + p.dataSet);
        const std::string cause = " with --dataSet=" + p.dataSet + ", which has no classes";
        p.Require(p.Get("trust") != "ideal", "trust", "another one" + cause);
        p.Require(malicious.empty(), "malicious", "none" + cause);
        p.Require(!p.ensemble, "ensemble", "false" + cause);
        p.Require(p.Get("predictionPrivacy").empty(), "predictionPrivacy", "empty" + cause);
    }
    p.Require(!p.hasTargets || p.dpSgd.empty() || !JudgesByOwnError(p),
              "dpSgd",
              std::string("with targets only if ") + APPLICATION +
                  "::SimilarityScale is given: agents else judge by their error on private "
                  "samples, which no noise covers");
    SimulatorGuard guard;
    const ScenarioNetwork network = MakeNetwork(p);
    const auto agents = MakeAgents(p, samples);
    PredictionConsensusHelper helper(MakePool(p));
    SetAttributes(p, APPLICATION, helper);
    const ApplicationContainer applications = helper.Install(network.nodes, agents);
    SetExceptions(p, malicious, applications);
    SetDeadlines(p, p.deadline, applications);

    const std::string measure = p.hasTargets ? "squared_error_reference" : "accuracy_reference";
    RunResults results(
        p, {"prediction-consensus", "trust", measure, malicious}, samples, network, output, models);
    results.WritePartition(samples);
    RunRecorder recorder(*results.tables, applications);
    recorder.SetDeadline(Seconds(p.deadline), "--deadline");
    const auto lowQuality = p.GetLowQualityDevices();
    PredictionConsensusRecorder consensus(*results.tables,
                                          applications,
                                          {lowQuality.begin(), lowQuality.end()},
                                          p.ensemble ? samples.global : nullptr);
    results.Play(p, recorder, applications);
    const auto learners = GetLearners(agents);
    WriteModels(p, results, samples, ListModels(p, learners, models));
    WritePrivacy(results, ListAgentPrivacy(p, learners, malicious, applications));
    std::ostringstream checks;
    consensus.WriteChecks(checks);
    results.folder.WriteFile("theory.txt", checks.str());
    results.Print(checks.str());
    results.Finish();
}
