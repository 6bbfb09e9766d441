/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-scenario.h"

#include "clients/client-recorder.h"
#include "common/scenario.h"

#include "ns3/committee-application.h"
#include "ns3/committee-certificate.h"
#include "ns3/committee-helper.h"
#include "ns3/committee-misbehavior.h"
#include "ns3/committee-recorder.h"

#include <cmath>
#include <fmt/ranges.h>
#include <tuple>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @return what each device learns with
std::vector<CommitteeAgent>
MakeAgents(const CommitteeParameters& p,
           const ScenarioSamples& samples,
           const std::vector<uint32_t>& malicious)
{
    const FlatVector weights = DrawWeights(p, MakeLearnerConfig(p, samples, 0));
    std::vector<CommitteeAgent> agents;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        CommitteeAgent agent;
        agent.learner = MakeLearner(MakeLearnerConfig(p, samples, device), weights);
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

/// @return the name of an attribute with the type of the applications
std::string
Of(const std::string& name)
{
    return std::string(APPLICATION) + "::" + name;
}

/// @param helper gets them
void
Configure(const CommitteeParameters& p, CommitteeHelper& helper)
{
    SetAttributes(p, APPLICATION, helper);
    const CommitteeSizes sizes = p.GetSizes();
    SetUnlessGiven(helper, Of("CommitteeSize"), UintegerValue(sizes.CountMembers()));
    SetUnlessGiven(helper, Of("TrainingClients"), UintegerValue(sizes.CountClients()));
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
    DeclareSamples();
    DeclareTargets();
    DeclareModelWithoutAdam();
    DeclareWeights();
    DeclareDevice();
    Take("rounds", "ns3::collab::CollaborationApplication::Rounds");
    DeclareCommittee();
    DeclareMalice(*this, "ns3::collab::CommitteeApplication");
    for (const char* name : {"maliciousPercent", "attack"})
    {
        Find(name)->ExcludedBy(Of("Misbehavior")); // which all devices have, and no attack
    }
    DeclareFaults(*this);
    Add("misbehavior",
        misbehavior,
        "of malicious members, such as equivocate+split-scores, or none")
        .Suggestions({"equivocate", "split-scores", {"none", ""}})
        .OnlyIf([this]() { return misbehavior == "none" || maliciousPercent > 0; }, MALICIOUS)
        .Follows(Of("Misbehavior"));
    Take("attackedScores", Of("AttackedScores"))
        .OnlyIf([this]() { return maliciousPercent > 0; }, MALICIOUS);
    Add("claimedSamples",
        claimedSamples,
        "that malicious devices say to have, for the weight of their gradients; 0 for the truth")
        .OnlyIf([this]() { return maliciousPercent > 0; }, MALICIOUS);
    Take("localSteps", Of("LocalSteps"));
    Take("localRate", Of("LocalLearningRate")).Below(1e6);
    Take("globalRate", Of("GlobalLearningRate")).Below(1e6);
    Take("gradient", Of("GradientMode"));
    Take("upload", Of("Upload"));
    Take("loss", Of("LossPolicy"));
    AddWait("gradientTimeout",
            gradientTimeout,
            "longest wait for gradients; 0 for a quarter longer than the slowest device computes "
            "in a round and gradients are on air, and 60 s at least")
        .Follows(Of("GradientTimeout"));
    AddWait("scoreTimeout",
            scoreTimeout,
            "longest wait for scores; 0 for a quarter longer than the slowest device computes in "
            "a round and gradients and scores are on air, and 5 s at least")
        .Follows(Of("ScoreTimeout"));
    AddWait("attemptTimeout",
            attemptTimeout,
            "patience with a primary; 0 for a quarter longer than the slowest device aggregates "
            "all gradients, and votes and a gradient of each client are on air, and 5 s at least")
        .Follows(Of("AttemptTimeout"));
    AddWait("modelTimeout",
            modelTimeout,
            "time to broadcast the model; 0 for a quarter longer than it and a gradient of each "
            "client are on air, and 30 s at least")
        .Follows(Of("ModelTimeout"));
    Add("authenticator", authenticator, "size of an authenticator")
        .Unit("bytes")
        .AtLeast(KeyRing::MIN_BYTES)
        .AtMost(KeyRing::MAX_BYTES);
    Take("receiverSensing", "ns3::collab::D2dMac::ReceiverSensing").Default(true);
    DeclareNetwork();
    DeclareRun();
}

uint32_t
CommitteeSizes::CountMembers() const
{
    const double active = std::round(devices * activePercent / 100);
    return static_cast<uint32_t>(std::lround(active * committeePercent / 100));
}

uint32_t
CommitteeSizes::CountClients() const
{
    return static_cast<uint32_t>(std::lround(devices * activePercent / 100)) - CountMembers();
}

std::optional<double>
CommitteeParameters::GetSgdRate() const
{
    return Get<double>("localRate");
}

CommitteeSizes
CommitteeParameters::GetSizes() const
{
    return {devices, activePercent, committeePercent};
}

void
CommitteeParameters::DeclareCommittee()
{
    Add("activePercent", activePercent, "devices that are active in a round")
        .Unit("%")
        .Above(0)
        .AtMost(100)
        .ExcludedBy(Of("TrainingClients"));
    Add("committeePercent", committeePercent, "omega, active devices that are the committee")
        .Unit("%")
        .Above(0)
        .AtMost(100)
        .ExcludedBy(Of("CommitteeSize"))
        .ExcludedBy(Of("TrainingClients"));
    Take("acceptPercent", Of("Alpha"));
    Take("acceptOf", Of("AlphaOf"));
    Take("selection", Of("Selection"));
    Take("election", Of("Election"));
    Take("combination", Of("Combination"));
    Take("quorum", Of("QuorumRule"));
    Take("primaryVotes", Of("PrimaryVotes")).For("quorum", {"paper"});
    Take("maxAttempts", Of("MaxAttempts")).AtMost(1000);
    Add("measureClients",
        measureClients,
        "measure every model on all devices' own test samples too");
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
                               : static_cast<double>(GetSizes().CountMembers());
    if (IsAttributeGiven(Of("CommitteeSize")) || IsAttributeGiven(Of("TrainingClients")))
    {
        const double training = IsAttributeGiven(Of("TrainingClients"))
                                    ? GetGivenNumber(Of("TrainingClients"))
                                    : active - committee;
        if (training < 1 || committee + training > devices)
        {
            throw UserError(
                fmt::format("attributes {} and {}: {} members and {} training clients are not "
                            "allowed; both together must be at most the {} of --devices",
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
        CheckArgument("misbehavior", misbehavior, [this]() { ParseMisbehavior(misbehavior); });
    }
}

void
RunCommittee(CommitteeParameters& p, std::ostream& output)
{
    PrepareParameters(p);
    ScenarioSamples samples = LoadSamples(p, p.targetGroups);
    const auto malicious = DrawMalicious(p, p.devices);
    PoisonSamples(p, malicious, samples);
    SimulatorGuard guard;
    const ScenarioNetwork network = MakeNetwork(p);
    ScheduleFaults(p, network.nodes);
    const auto agents = MakeAgents(p, samples, malicious);
    CommitteeHelper helper(MakePool(p), GetSharedSeed());
    Configure(p, helper);
    helper.AddEvaluation(std::make_shared<SharedEvaluation>("global", samples.global));
    if (p.measureClients)
    {
        helper.AddEvaluation(MakeClientEvaluation(samples));
    }
    const ApplicationContainer applications = helper.Install(network.nodes, agents);
    SetTimeouts(p, applications);

    RunResults results(p,
                       {"committee", "selection", GetMeasure(samples, "global"), malicious},
                       samples,
                       network,
                       output);
    results.folder.WriteFile("malicious.txt", fmt::format("{}\n", fmt::join(malicious, " ")));
    results.WritePartition(samples);
    RunRecorder recorder(*results.tables, applications);
    CommitteeRecorder committee(*results.tables, applications);
    ClientRecorder clients(*results.tables, p.devices, malicious);
    clients.FollowCommittee(applications);
    results.Play(p, recorder, applications);
    results.Print(committee.FindShortWaits());
    const FlatVector model = FindNewest(applications, malicious)->GetModel();
    WriteModels(p, results, samples, {{"newest", p.model, model}});
    clients.WriteClients(GetLearners(agents), model, samples.test);
    results.Finish();
}
