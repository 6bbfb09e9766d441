/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-scenario.h"

#include "clients/client-recorder.h"
#include "committee-size.h"
#include "committee-waits.h"
#include "common/scenario-checks.h"
#include "common/scenario-learners.h"
#include "common/scenario-network.h"
#include "common/scenario-run.h"
#include "common/scenario-samples.h"

#include "ns3/collab-error.h"
#include "ns3/collab-given-attributes.h"
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

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <functional>
#include <memory>
#include <tuple>
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
    UseSgd(p, p.localRate, config);
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
    const FlatVector weights = DrawWeights(p, MakeConfig(p, samples, 0));
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
            agent.samples = p.claimedSamples > 0 ? p.claimedSamples : agent.samples;
        }
        agents.push_back(std::move(agent));
    }
    return agents;
}

/**
 * @brief Find whose model is the newest one.
 *
 * Devices that follow the protocol come first: with the rule PAPER others may be on a branch of
 * their own.
 *
 * @param applications of all devices
 * @param malicious devices, ascending
 * @return one that has the model of a block than which none of them knows a later one, if any does
 */
Ptr<CommitteeApplication>
FindNewest(const ApplicationContainer& applications, const std::vector<uint32_t>& malicious)
{
    const auto getAge = [&malicious](const Ptr<CommitteeApplication>& application) {
        const bool isMalicious =
            std::binary_search(malicious.begin(), malicious.end(), application->GetNode()->GetId());
        return std::make_tuple(
            !isMalicious, application->GetChain().GetNextRound(), application->HasModel());
    };
    Ptr<CommitteeApplication> newest;
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        const auto application = DynamicCast<CommitteeApplication>(*it);
        if (!newest || getAge(application) > getAge(newest))
        {
            newest = application;
        }
    }
    return newest;
}

/// The applications
constexpr const char* APPLICATION = "ns3::collab::CommitteeApplication";

/**
 * @param name of an attribute of the applications
 * @return the name with the type
 */
std::string
Of(const std::string& name)
{
    return std::string(APPLICATION) + "::" + name;
}

/**
 * @param p parameters of the run
 * @param parameters the same, as declared
 * @param helper gets them
 */
void
Configure(const CommitteeParameters& p, const ParameterList& parameters, CommitteeHelper& helper)
{
    SetAttributes(parameters, APPLICATION, helper);
    if (!IsAttributeGiven(Of("CommitteeSize")))
    {
        helper.SetAttribute("CommitteeSize", UintegerValue(p.GetCommitteeSize()));
    }
    if (!IsAttributeGiven(Of("TrainingClients")))
    {
        helper.SetAttribute("TrainingClients", UintegerValue(p.GetTrainingClients()));
    }
    helper.SetAuthenticatorBytes(p.authenticator);
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
CommitteeParameters::Declare(ParameterList& list)
{
    DeclareSamples(list);
    DeclareTargets(list);
    DeclareModelWithoutAdam(list);
    DeclareWeights(list);
    DeclareDevice(list);
    list.Add("rounds", rounds, "rounds")
        .AtLeast(1)
        .Sets("ns3::collab::CollaborationApplication::Rounds");
    DeclareCommittee(list);
    DeclareMalice(list, "ns3::collab::CommitteeApplication");
    for (const char* name : {"maliciousPercent", "attack"})
    {
        list.Find(name)->ExcludedBy(Of("Misbehavior")); // which all devices have, and no attack
    }
    DeclareFaults(list);
    list.Add("misbehavior",
             misbehavior,
             "of malicious members, such as equivocate+split-scores, or none")
        .Suggestions({"equivocate", "split-scores", {"none", ""}})
        .OnlyIf([this]() { return misbehavior == "none" || maliciousPercent > 0; }, MALICIOUS)
        .Follows(Of("Misbehavior"));
    list.Add("attackedScores",
             attackedScores,
             "malicious members compare gradients with what they would upload")
        .OnlyIf([this]() { return maliciousPercent > 0; }, MALICIOUS)
        .Sets(Of("AttackedScores"));
    list.Add("claimedSamples",
             claimedSamples,
             "that malicious devices say to have, for the weight of their gradients; 0 for the "
             "truth")
        .OnlyIf([this]() { return maliciousPercent > 0; }, MALICIOUS);
    DeclareLearning(list);
    const auto isTimeout =
        [&list](const char* name, double& field, const char* help) -> Parameter& {
        return list.Add(name, field, help).Unit("s").AtLeast(1e-9).OrComputed().Below(1e6);
    };
    isTimeout("gradientTimeout",
              gradientTimeout,
              "longest wait for gradients; 0 for a quarter longer than the slowest device computes "
              "in a round and gradients are on air, and 60 s at least")
        .Follows(Of("GradientTimeout"));
    isTimeout("scoreTimeout",
              scoreTimeout,
              "longest wait for scores; 0 for a quarter longer than the slowest device computes in "
              "a round and gradients and scores are on air, and 5 s at least")
        .Follows(Of("ScoreTimeout"));
    isTimeout("attemptTimeout",
              attemptTimeout,
              "patience with a primary; 0 for a quarter longer than the slowest device aggregates "
              "all gradients, and votes and a gradient of each client are on air, and 5 s at least")
        .Follows(Of("AttemptTimeout"));
    isTimeout("modelTimeout",
              modelTimeout,
              "time to broadcast the model; 0 for a quarter longer than it and a gradient of each "
              "client are on air, and 30 s at least")
        .Follows(Of("ModelTimeout"));
    list.Add("authenticator", authenticator, "size of an authenticator")
        .Unit("bytes")
        .AtLeast(KeyRing::MIN_BYTES)
        .AtMost(KeyRing::MAX_BYTES);
    DeclareReceiverSensing(list, receiverSensing);
    DeclareNetwork(list);
    DeclareRun(list);
}

void
CommitteeParameters::DeclareCommittee(ParameterList& list)
{
    list.Add("activePercent", activePercent, "devices that are active in a round")
        .Unit("%")
        .Above(0)
        .AtMost(100)
        .ExcludedBy(Of("TrainingClients"));
    list.Add("committeePercent", committeePercent, "omega, active devices that are the committee")
        .Unit("%")
        .Above(0)
        .AtMost(100)
        .ExcludedBy(Of("CommitteeSize"))
        .ExcludedBy(Of("TrainingClients"));
    list.Add("acceptPercent", acceptPercent, "alpha, gradients that are accepted")
        .Unit("%")
        .Above(0)
        .AtMost(100)
        .Sets(Of("Alpha"));
    list.Add("acceptOf",
             acceptOf,
             "what alpha is a part of: the training clients, or all active ones, members too")
        .Choices({{"training", "Training"}, {"active", "Active"}})
        .Sets(Of("AlphaOf"));
    list.Add("selection", selection, "which ones: with the highest scores (I), or the lowest (II)")
        .Choices({"I", "II"})
        .Sets(Of("Selection"));
    list.Add("election", election, "which clients are the next committee, by their scores")
        .Choices({{"middle", "Middle"}, {"top", "Top"}, {"random", "Random"}})
        .Sets(Of("Election"));
    list.Add("quorum", quorum, "what a vote needs; byzantine: commit certificates")
        .Choices({{"paper", "Paper"}, {"byzantine", "Byzantine"}})
        .Sets(Of("QuorumRule"));
    list.Add("primaryVotes", primaryVotes, "with paper: count the primary's vote")
        .For("quorum", {"paper"})
        .Sets(Of("PrimaryVotes"));
    list.Add("maxAttempts", maxAttempts, "primaries of a vote")
        .AtLeast(1)
        .AtMost(1000)
        .Sets(Of("MaxAttempts"));
    list.Add("measureClients",
             measureClients,
             "measure every model on all devices' own test samples too");
}

void
CommitteeParameters::DeclareLearning(ParameterList& list)
{
    list.Add("localSteps", localSteps, "tau, steps of SGD a round")
        .AtLeast(1)
        .Sets(Of("LocalSteps"));
    list.Add("localRate", localRate, "learning rate of a step of SGD")
        .AtLeast(1e-9)
        .Below(1e6)
        .Sets(Of("LocalLearningRate"));
    list.Add("globalRate", globalRate, "learning rate of a round")
        .AtLeast(1e-9)
        .Below(1e6)
        .Sets(Of("GlobalLearningRate"));
    list.Add("gradient", gradient, "what is uploaded: that of the last step, or of all steps")
        .Choices({{"last", "Last"}, {"accumulated", "Accumulated"}})
        .Sets(Of("GradientMode"));
    list.Add("upload", upload, "to one member after the other, or to all at once")
        .Choices({{"unicast", "Unicast"}, {"broadcast", "Broadcast"}})
        .Sets(Of("Upload"));
    list.Add("loss", loss, "what the radio does about loss; reliable: ARQ")
        .Choices(GetLossPolicies())
        .Sets(Of("LossPolicy"));
}

void
CommitteeParameters::Complete()
{
    CompleteMalice(Of("GradientAttack"));
    if (IsAttributeGiven(Of("Misbehavior")) && misbehavior != "none")
    {
        if (!IsAttributeGiven(Of("GradientAttack")))
        {
            attack = "none"; // members misbehave, and that is all
        }
        maliciousPercent = 100;
    }
    const double active = std::round(devices * activePercent / 100);
    const auto committee = IsAttributeGiven(Of("CommitteeSize"))
                               ? GetGivenNumber(Of("CommitteeSize"))
                               : static_cast<double>(GetCommitteeSize());
    if (IsAttributeGiven(Of("CommitteeSize")) || IsAttributeGiven(Of("TrainingClients")))
    {
        const double training = IsAttributeGiven(Of("TrainingClients"))
                                    ? GetGivenNumber(Of("TrainingClients"))
                                    : active - committee;
        if (training < 1 || committee + training > devices)
        {
            throw UserError(fmt::format(
                "attributes {} and {}: {} members and {} training clients are not allowed; both "
                "together must be at most the {} of --devices",
                Of("CommitteeSize"),
                Of("TrainingClients"),
                committee,
                training,
                devices));
        }
        activePercent = 100 * (committee + training) / devices;
        committeePercent = 100 * committee / (committee + training);
    }
}

void
CommitteeParameters::Validate() const
{
    ValidateCommon(false);
    ValidateDevice();
    CheckCommitteeSize(*this);
    ValidateMalice();
    ValidateFaults(devices);
    if (misbehavior != "none")
    {
        RequireSpecification("misbehavior", misbehavior, ParseMisbehavior);
    }
}

void
RunCommittee(CommitteeParameters p, std::ostream& output)
{
    const ParameterList parameters = PrepareParameters(p);
    ConfigureTorchProcess();
    ScenarioSamples samples = PrepareSamples(p, p.targetGroups);
    CheckRegression(p, samples);
    p.hasTargets = IsRegression(samples);
    const auto malicious = DrawMalicious(p, p.devices);
    PoisonSamples(p, malicious, samples);
    CheckModel(p.model,
               [&]() { DescribeModel(p.model, MakeModelInput(*samples.reference->data)); });
    SimulatorGuard guard;

    NodeContainer nodes;
    nodes.Create(p.devices);
    const auto positions = PlaceDevices(p, nodes);
    const auto network = InstallNetwork(p, parameters, nodes);
    SlowDown(p, nodes);
    const Time lastReturn = ScheduleFaults(p, nodes);
    const auto agents = MakeAgents(p, samples, malicious);
    RunFolder folder(p.runDir); // once nothing can be wrong with the arguments any more
    CommitteeHelper helper(MakePool(parameters), GetSharedSeed());
    Configure(p, parameters, helper);
    helper.AddEvaluation(std::make_shared<SharedEvaluation>("global", samples.global));
    if (p.measureClients)
    {
        helper.AddEvaluation(MakeClientEvaluation(samples));
    }
    ApplicationContainer applications = helper.Install(nodes, agents);
    SetTimeouts(p, applications);
    const std::string measure = GetMeasure(samples, "global");
    const auto hints = CollectHints(p, parameters, network.hints);
    const RunDescription description = {
        "committee", "selection", measure, parameters, malicious, {}, hints};
    folder.WriteFile("run.json", DescribeRun(description, p, samples, positions));
    folder.WriteFile("malicious.txt", fmt::format("{}\n", fmt::join(malicious, " ")));
    WritePartition(p, folder, samples, output);

    std::unique_ptr<TableStore> tables = MakeTableStore(p.recorder, folder, p.GetOmitted());
    RunRecorder recorder(*tables, applications);
    CommitteeRecorder committee(*tables, applications);
    ClientRecorder clients(*tables, p.devices, malicious);
    clients.FollowCommittee(applications);
    PlayRun(p, recorder, {"committee", measure, output, hints}, applications, {}, lastReturn);
    if (!p.quiet)
    {
        output << committee.FindShortWaits();
    }
    const FlatVector model = FindNewest(applications, malicious)->GetModel();
    WriteModels(p, folder, samples, {{"newest", p.model, model}});
    clients.WriteClients(GetLearners(agents), model, samples.test);
    FinishRun(std::move(tables), folder);
    if (!p.quiet)
    {
        output << "wrote " << folder.GetPath() << std::endl;
    }
}
