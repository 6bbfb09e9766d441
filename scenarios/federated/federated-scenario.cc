/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-scenario.h"

#include "clients/client-recorder.h"
#include "common/scenario-checks.h"
#include "common/scenario-learners.h"
#include "common/scenario-network.h"
#include "common/scenario-run.h"
#include "common/scenario-samples.h"
#include "federated-configuration.h"
#include "federated-deadlines.h"

#include "ns3/collab-aggregation-rule.h"
#include "ns3/collab-compression.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-gradient-adversary.h"
#include "ns3/collab-gradient-attack.h"
#include "ns3/collab-model-description.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-stub-learner.h"
#include "ns3/collab-table-store.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/core-module.h"
#include "ns3/d2d-net-device.h"
#include "ns3/federated-client-application.h"
#include "ns3/federated-helper.h"
#include "ns3/federated-participation.h"
#include "ns3/federated-recorder.h"
#include "ns3/federated-semi-decentralized-client-application.h"
#include "ns3/federated-update-encoder.h"
#include "ns3/mobility-model.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <numeric>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

constexpr const char* COMPRESSION = "ns3::collab::FederatedApplication::Compression"; //!< up, down
/// Of devices' steps; 0 for what their learners have
constexpr const char* LEARNING_RATE = "ns3::collab::FederatedClientApplication::LearningRate";
constexpr const char* LOCAL_STEPS = "ns3::collab::FederatedClientApplication::LocalSteps"; //!< dto.
/// Of devices' SGD
constexpr const char* LOCAL_MOMENTUM = "ns3::collab::FederatedApplication::LocalMomentum";
/// Of the server
constexpr const char* CONCURRENCY = "ns3::collab::FederatedBufferedServerApplication::Concurrency";
/// Of devices
constexpr const char* ATTACK = "ns3::collab::FederatedClientApplication::GradientAttack";

/**
 * @brief Give the devices radios to a base station above them, and to each other if they need it.
 *
 * @param p parameters of the run
 * @param parameters the same, as declared
 * @param server node of the base station
 * @param nodes the devices, in place
 * @return see FindOutageHints()
 */
std::vector<std::string>
InstallServerNetwork(const FederatedParameters& p,
                     const ParameterList& parameters,
                     Ptr<Node> server,
                     const NodeContainer& nodes)
{
    InstalledNetwork network = {};
    if (p.HasSets())
    {
        network = InstallNetwork(p, parameters, nodes, UseFullDuplex);
    }
    const auto hints =
        InstallServerLinks(parameters, server, nodes, p.serverOutage, network.streams);
    network.hints.insert(network.hints.end(), hints.begin(), hints.end());
    SlowDown(p, nodes);
    return network.hints;
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
        UseSgd(p, p.sgdLearningRate, config);
    }
    return config;
}

/**
 * @param p parameters of the run
 * @param samples the samples of all devices
 * @param malicious devices, ascending
 * @param stragglers devices, ascending
 * @param weights what all learners share until the first model arrives
 * @return what each device learns with
 */
std::vector<FederatedAgent>
MakeAgents(const FederatedParameters& p,
           const ScenarioSamples& samples,
           const std::vector<uint32_t>& malicious,
           const std::vector<uint32_t>& stragglers,
           const FlatVector& weights)
{
    const auto global = std::make_shared<SharedEvaluation>("global", samples.global);
    const auto clients = p.measureClients ? MakeClientEvaluation(samples) : nullptr;
    const auto reference = std::make_shared<SharedEvaluation>("reference", samples.reference);
    std::vector<FederatedAgent> agents;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        FederatedAgent agent;
        agent.learner = MakeSharingLearner(p, MakeConfig(p, samples, device), weights);
        agent.samples = static_cast<uint32_t>(samples.train[device].Size());
        agent.compressionSeed = SeedFor(RandomPurpose::COMPRESSION, device);
        agent.isStraggler = std::binary_search(stragglers.begin(), stragglers.end(), device);
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
 * @param parameters the same, as declared
 * @param nodes the devices
 * @param helper gets them
 */
void
Configure(const FederatedParameters& p,
          const ParameterList& parameters,
          const NodeContainer& nodes,
          FederatedHelper& helper)
{
    Federation federation;
    federation.learningRate = p.UsesSgd() ? p.sgdLearningRate : p.learningRate;
    federation.setSize = p.HasSets() ? p.setSize : 0;
    federation.isAsynchronous = p.IsAsynchronous();
    ConfigureFederation(parameters, federation, nodes, helper);
    if (p.UsesSgd() && !IsAttributeGiven(LOCAL_MOMENTUM))
    {
        helper.SetAttribute("LocalMomentum",
                            DoubleValue(p.GetOptimizer(OptimizerKind::SGD).momentum));
    }
    if (!IsAttributeGiven(COMPRESSION))
    {
        helper.SetServerAttribute("Compression", StringValue(p.downlinkCompression));
        helper.SetClientAttribute("Compression", StringValue(p.uplinkCompression));
    }
}

/**
 * @param p parameters of the run
 * @param applications of the devices, at the end
 * @param[in,out] rows get the privacy that updates of devices that do not forge them have spent
 */
void
AddUpdates(const FederatedParameters& p,
           const ApplicationContainer& applications,
           std::vector<PrivacyRow>& rows)
{
    if (p.updatePrivacy.empty())
    {
        return;
    }
    const double delta = ReadUpdatePrivacy(p.updatePrivacy).delta;
    for (uint32_t device = 0; device < applications.GetN(); ++device)
    {
        const auto client = DynamicCast<FederatedClientApplication>(applications.Get(device));
        StringValue attack;
        client->GetAttribute("GradientAttack", attack);
        if (!attack.Get().empty())
        {
            continue; // it keeps to no privacy
        }
        rows.push_back({device, "updates", delta, client->GetUpdateEpsilon()});
    }
}

} // namespace

FederatedParameters::FederatedParameters()
{
    runDir = "runs/federated";
}

bool
FederatedParameters::UsesSgd() const
{
    return optimizer == "sgd" ||
           (optimizer == "auto" && (algorithm == "scaffold" || algorithm == "fedsgd"));
}

bool
FederatedParameters::HasSets() const
{
    return algorithm == "semi-decentralized";
}

bool
FederatedParameters::IsAsynchronous() const
{
    return algorithm == "fedbuff";
}

uint32_t
FederatedParameters::CountPrompt() const
{
    return static_cast<uint32_t>(devices - DrawStragglers(stragglers, devices).size());
}

std::size_t
FederatedParameters::CountUpdates() const
{
    if (IsAsynchronous())
    {
        return bufferSize;
    }
    if (!HasSets())
    {
        return CountParticipants(CountPrompt(), participation);
    }
    const auto late = DrawStragglers(stragglers, devices);
    std::vector<uint32_t> all(devices);
    std::iota(all.begin(), all.end(), 0);
    const auto sets = MakeSets(all, setSize);
    return static_cast<std::size_t>(
        std::count_if(sets.begin(), sets.end(), [&late](const std::vector<uint32_t>& set) {
            return !std::includes(late.begin(), late.end(), set.begin(), set.end());
        }));
}

void
FederatedParameters::Declare(ParameterList& list)
{
    const std::string client = "ns3::collab::FederatedClientApplication::";
    const auto isRateGiven = []() { return GetGivenNumber(LEARNING_RATE) > 0; };
    const auto hasManySteps = [this]() { return algorithm != "fedsgd"; };
    DeclareSamples(list);
    DeclareTargets(list);
    DeclareModel(list)
        .Follows(LEARNING_RATE, [this, isRateGiven]() { return !UsesSgd() && isRateGiven(); })
        .OnlyIf([this]() { return !UsesSgd(); }, "Adam (SGD has --sgdLearningRate)");
    list.Find("batchSize")->OnlyIf(hasManySteps, MANY_STEPS);
    DeclareWeights(list);
    DeclareTraining(list);
    DeclarePersonalLayers(list);
    DeclareAlgorithm(list);
    list.Add("rounds", rounds, "rounds")
        .AtLeast(1)
        .Sets("ns3::collab::CollaborationApplication::Rounds");
    list.Add("localEpochs", localEpochs, "passes over the local samples a round")
        .AtLeast(1)
        .Sets(client + "LocalEpochs")
        .OnlyIf(hasManySteps, MANY_STEPS)
        .OnlyIf([this]() { return localSteps == 0; }, "rounds without --localSteps");
    list.Add("localSteps",
             localSteps,
             "if not 0: steps on the local samples a round, instead of passes; semi-decentralized: "
             "8 if not given, and --setSteps at least")
        .Sets(LOCAL_STEPS)
        .OnlyIf(hasManySteps, MANY_STEPS);
    DeclareSets(list);
    DeclareServer(list);
    list.Add("measureClients",
             measureClients,
             "measure every model on all devices' own test samples too");
    DeclareMalice(list, "ns3::collab::FederatedClientApplication");
    DeclareLinks(list);
    DeclareNetwork(list);
    DeclareRun(list);
}

void
FederatedParameters::DeclareServer(ParameterList& list)
{
    const std::string both = "ns3::collab::FederatedApplication::";
    const std::string synchronous = "ns3::collab::FederatedSynchronousServerApplication::";
    const std::string buffered = "ns3::collab::FederatedBufferedServerApplication::";
    const auto isAsynchronous = [this]() { return IsAsynchronous(); };
    list.Add("mu", mu, "weight of the proximal term")
        .For("algorithm", {"fedprox"})
        .AtLeast(0)
        .Sets(both + "Mu");
    list.Add("feddynAlpha", feddynAlpha, "weight of the regularizer")
        .For("algorithm", {"feddyn"})
        .AtLeast(1e-9)
        .Sets(both + "Alpha");
    list.Add("serverRate", serverRate, "step size of the server")
        .For("algorithm", {"scaffold", "fedbuff"})
        .AtLeast(1e-9)
        .Sets(both + "ServerRate");
    list.Add("serverMomentum", serverMomentum, "momentum of the server")
        .For("algorithm", {"fedavgm"})
        .AtLeast(0)
        .Below(1)
        .Sets(both + "ServerMomentum");
    list.Add("bufferSize", bufferSize, "updates that make a step of the server")
        .For("algorithm", {"fedbuff"})
        .AtLeast(1)
        .Sets(buffered + "BufferSize", isAsynchronous);
    list.Add("concurrency",
             concurrency,
             "devices that train at a time; 0: the fraction participation of them")
        .For("algorithm", {"fedbuff"})
        .Sets(buffered + "Concurrency", isAsynchronous);
    list.Add("stalenessWeight",
             stalenessWeight,
             "what updates are multiplied by that started from a model of tau steps "
             "before; polynomial: 1 / sqrt(1 + tau), constant: 1")
        .For("algorithm", {"fedbuff"})
        .Choices({{"polynomial", "Polynomial"}, {"constant", "Constant"}})
        .Sets(both + "StalenessWeight");
    list.Add("participation",
             participation,
             "fraction of the devices in a round; fedbuff: at a time, unless concurrency says it")
        .AtLeast(1e-9)
        .AtMost(1)
        .Sets(synchronous + "Participation", [this]() { return !IsAsynchronous(); });
    list.Add("aggregation", aggregation, "rule by which updates are aggregated")
        .Suggestions({"mean", "median:f=1", "trimmed-mean:b=1"})
        .Sets("ns3::collab::FederatedServerApplication::AggregationRule");
}

void
FederatedParameters::DeclareAlgorithm(ParameterList& list)
{
    list.Add("algorithm", algorithm, "how one model is learned")
        .Choices({{"fedavg", "FedAvg"},
                  {"fedprox", "FedProx"},
                  {"scaffold", "Scaffold"},
                  {"feddyn", "FedDyn"},
                  {"fedsgd", "FedSgd"},
                  {"fedavgm", "FedAvgM"},
                  {"fednova", "FedNova"},
                  {"fedbuff", "FedBuff"},
                  {"semi-decentralized", "SemiDecentralized"}})
        .Sets("ns3::collab::FederatedApplication::Algorithm");
    list.Add("optimizer",
             optimizer,
             "what takes the steps; auto: sgd for scaffold and fedsgd, else adam")
        .Choices({"auto", "adam", "sgd"});
    list.Add("sgdLearningRate", sgdLearningRate, "of SGD")
        .Above(0)
        .Follows(LEARNING_RATE, [this]() { return UsesSgd() && GetGivenNumber(LEARNING_RATE) > 0; })
        .OnlyIf([this]() { return UsesSgd(); }, "SGD (Adam has --learningRate)");
}

void
FederatedParameters::DeclareSets(ParameterList& list)
{
    const std::string member = "ns3::collab::SemiDecentralizedClientApplication::";
    const auto hasSets = [this]() { return HasSets(); };
    list.Add("setSize",
             setSize,
             "devices of a set, which exchange models by D2D; the last set may "
             "be smaller")
        .For("algorithm", {"semi-decentralized"})
        .AtLeast(1);
    list.Add("setSteps", setSteps, "steps between exchanges")
        .For("algorithm", {"semi-decentralized"})
        .AtLeast(1)
        .Sets(member + "SetSteps", hasSets);
    list.Add("setDeadline",
             setDeadline,
             "longest wait of an exchange; 0 for a quarter longer than the "
             "slowest device trains for one and its models are on air, and 25 s at least")
        .For("algorithm", {"semi-decentralized"})
        .Unit("s")
        .AtLeast(1e-9)
        .OrComputed()
        .Below(1e9)
        .Follows(member + "ConsensusDeadline", hasSets);
    list.Add("setWeighting", setWeighting, "by what models are weighed, in sets and by the server")
        .For("algorithm", {"semi-decentralized"})
        .Choices({{"samples", "Samples"}, {"uniform", "Uniform"}})
        .Sets(member + "Weighting", hasSets);
}

void
FederatedParameters::DeclareLinks(ParameterList& list)
{
    const std::string server = "ns3::collab::FederatedServerApplication::";
    list.Add("uplinkCompression", uplinkCompression, "of updates")
        .Suggestions({"float32", "float16", "int8", "top-k:fraction=0.1"})
        .Follows(COMPRESSION);
    list.Add("downlinkCompression", downlinkCompression, "of models")
        .Choices({"float32", "float16", "int8"})
        .Follows(COMPRESSION);
    list.Add("errorFeedback",
             errorFeedback,
             "add what the compression of an update has lost to the device's next one")
        .Sets("ns3::collab::FederatedClientApplication::ErrorFeedback");
    list.Add("updatePrivacy",
             updatePrivacy,
             "local differential privacy of updates: greatest norm, standard deviation of the "
             "noise in each element, and delta at which the privacy spent is told; e.g. "
             "clip=1,sigma=0.5,delta=1e-5; none if empty")
        .Sets("ns3::collab::FederatedClientApplication::UpdatePrivacy");
    list.Add("downlink", downlink, "how models are sent: once for all, or to each device")
        .Choices({{"broadcast", "Broadcast"}, {"unicast", "Unicast"}})
        .Sets(server + "Downlink");
    list.Add("loss", loss, "what the radio does about loss; reliable: ARQ")
        .Choices(GetLossPolicies())
        .Sets("ns3::collab::FederatedApplication::LossPolicy");
    list.Add("roundDeadline",
             roundDeadline,
             "longest time from the model to the end of a round; 0 for a quarter longer than the "
             "slowest device computes and what is sent is on air, and 120 s at least")
        .Unit("s")
        .AtLeast(1e-9)
        .OrComputed()
        .Below(1e6)
        .Follows(server + "RoundDeadline");
    list.Add("serverOutage",
             serverOutage,
             "outage probability of the farthest device's link to the server, which sets the "
             "devices' power")
        .Above(0)
        .Below(1)
        .DecidedBy(SERVER_POWER);
    list.Add("stragglers",
             stragglers,
             "devices that never take part in aggregation: how many, drawn at random; or which "
             "ones, with a comma even behind a single one, e.g. 1,5; or none");
}

void
FederatedParameters::Complete()
{
    CompleteMalice(ATTACK);
    if (HasSets() && localSteps == 0 && given.count("localSteps") == 0 &&
        !IsAttributeGiven(LOCAL_STEPS))
    {
        localSteps = SemiDecentralizedClientApplication::USUAL_LOCAL_STEPS;
    }
    if (IsAsynchronous() && concurrency == 0)
    {
        // Of the attribute 0 means all
        const double part = IsAttributeGiven(CONCURRENCY) ? 1.0 : participation;
        concurrency = static_cast<uint32_t>(CountParticipants(CountPrompt(), part));
    }
}

void
FederatedParameters::ValidateAlgorithm() const
{
    Require((algorithm != "scaffold" && algorithm != "fedsgd") || UsesSgd(),
            "optimizer",
            optimizer,
            "sgd or auto for scaffold, whose control variates are means of gradients, and for "
            "fedsgd");
    const auto kind = UsesSgd() ? OptimizerKind::SGD : OptimizerKind::ADAM;
    ValidateTraining(kind);
    ValidateSteps(algorithm, kind);
    const OptimizerOptions steps = GetOptimizer(kind);
    if (algorithm == "scaffold" && IsAttributeGiven(LEARNING_RATE) &&
        GetGivenNumber(LEARNING_RATE) == 0)
    {
        throw UserError(fmt::format("attribute --{}=0 is not allowed; with --algorithm=scaffold it "
                                    "must be greater than 0",
                                    LEARNING_RATE));
    }
    const double localMomentum = IsAttributeGiven(LOCAL_MOMENTUM) ? GetGivenNumber(LOCAL_MOMENTUM)
                                 : UsesSgd()                      ? steps.momentum
                                                                  : 0;
    if (algorithm == "fednova" && localMomentum > 0 && GetGivenNumber(RESETS_OPTIMIZER) == 0)
    {
        throw UserError(fmt::format("attribute --{}=false is not allowed; with --algorithm=fednova "
                                    "and momentum it must be true, since momentum of earlier "
                                    "rounds is in no number of steps",
                                    RESETS_OPTIMIZER));
    }
    Require(algorithm != "feddyn" || personalLayers.empty(),
            "personalLayers",
            personalLayers,
            "empty with feddyn, whose regularizer is about whole models");
    Require(
        !HasSets() || localSteps >= setSteps,
        "localSteps",
        localSteps,
        fmt::format("at least the {} of --setSteps with semi-decentralized, whose devices would "
                    "else exchange no model",
                    setSteps));
    Require(!HasSets() || participation == 1,
            "participation",
            participation,
            "1 with semi-decentralized, whose server asks one device of each set");
    const std::string forged = GetGradientAttack();
    Require(!IsAsynchronous() || forged.empty() || !MakeGradientAttack(forged)->NeedsHonest(),
            "attack",
            attack,
            "one that needs no other devices' changes of the same round with fedbuff, which has no "
            "rounds");
    const bool colludes =
        !IsAsynchronous() && !forged.empty() && MakeGradientAttack(forged)->NeedsHonest();
    Require(!colludes || downlink != "unicast",
            "attack",
            attack,
            "one that needs no other devices' changes with --downlink=unicast, by which no device "
            "learns how many take part");
    Require(!colludes || CountUpdates() >= GradientAdversary::FEWEST_UPLOADS,
            "attack",
            attack,
            fmt::format("one that needs no other devices' changes where the server asks {} for "
                        "updates, and not {} or more",
                        CountUpdates(),
                        GradientAdversary::FEWEST_UPLOADS));
}

void
FederatedParameters::ValidateUpdates() const
{
    const auto compressor = MakeCompressor(uplinkCompression);
    Require(!errorFeedback || compressor->IsContraction(),
            "errorFeedback",
            errorFeedback,
            "false with --uplinkCompression=" + uplinkCompression +
                ", whose losses would grow without bound");
    Require(!errorFeedback || algorithm != "feddyn",
            "errorFeedback",
            errorFeedback,
            "false with feddyn, whose g_k remembers only what was sent: its next change has by "
            "itself what compression has lost");
    if (!updatePrivacy.empty())
    {
        RequireSpecification("updatePrivacy", updatePrivacy, ReadUpdatePrivacy);
        Require(algorithm != "scaffold" && !HasSets() && !IsStub(model),
                "updatePrivacy",
                updatePrivacy,
                "empty, also as the attribute UpdatePrivacy, with scaffold and semi-decentralized, "
                "which send more than these updates, and with stubs");
    }
}

void
FederatedParameters::Validate() const
{
    ValidateCommon(false);
    ValidateMalice();
    ValidateAlgorithm();
    RequireSpecification("aggregation", aggregation, [this](const std::string& rule) {
        MakeAggregationRule(rule)->CheckCount(CountUpdates());
    });
    RequireSpecification("uplinkCompression", uplinkCompression, MakeCompressor);
    ValidateUpdates();
    // Even if the attribute, which both ways share, is given
    RequireOneOf("downlinkCompression", downlinkCompression, {"float32", "float16", "int8"});
    for (const auto& [name, value] : {std::pair("uplinkCompression", uplinkCompression),
                                      std::pair("downlinkCompression", downlinkCompression)})
    {
        Require(!IsStub(model) || value == "float32",
                name,
                value,
                "float32 with --model=stub, which has numbers of no meaning");
    }
}

namespace
{

/**
 * @brief Refuse compression that moves running variances further than training did, below 0.
 *
 * @param p parameters of the run
 * @param hasState whether the model has state beside its weights
 */
void
RequireFaithfulState(const FederatedParameters& p, bool hasState)
{
    const std::string reason = " with --model=" + p.model +
                               ": it would make running variances negative; a model without batch "
                               "normalization has none";
    Require(!hasState || !p.errorFeedback, "errorFeedback", p.errorFeedback, "false" + reason);
    Require(!hasState || MakeCompressor(p.uplinkCompression)->IsContraction(),
            "uplinkCompression",
            p.uplinkCompression,
            "a compressor that scales nothing up" + reason);
}

} // namespace

void
RunFederated(FederatedParameters p, std::ostream& output)
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
    NodeContainer server;
    server.Create(1);
    const auto positions = PlaceDevices(p, nodes);
    const auto hints =
        CollectHints(p, parameters, InstallServerNetwork(p, parameters, server.Get(0), nodes));
    const FlatVector weights = DrawWeights(p, MakeConfig(p, samples, 0));
    const auto stragglers = DrawStragglers(p.stragglers, p.devices);
    const auto agents = MakeAgents(p, samples, malicious, stragglers, weights);
    const FlatVector shared = agents[0].learner->GetWeights();
    Require(p.updatePrivacy.empty() || shared->size() == agents[0].learner->GetParameterCount(),
            "updatePrivacy",
            p.updatePrivacy,
            "empty with --model=" + p.model +
                ", whose running variances noise would make negative; one without batch "
                "normalization has none");
    RequireSpecification("uplinkCompression", p.uplinkCompression, [&](const std::string& name) {
        MakeCompressor(name)->EncodedSize(shared->size());
    });
    RequireFaithfulState(p, shared->size() > agents[0].learner->GetParameterCount());
    RunFolder folder(p.runDir); // once nothing can be wrong with the arguments any more
    FederatedHelper helper(MakePool(parameters),
                           GetClientType(p.HasSets()).GetName(),
                           GetServerType(p.IsAsynchronous()).GetName());
    Configure(p, parameters, nodes, helper);
    ApplicationContainer applications = helper.Install(server.Get(0), shared, nodes, agents);
    SetFederatedDeadlines(p, helper.GetServer(), applications);
    const std::string measure =
        GetMeasure(samples, p.referenceSamples > 0 ? "reference" : "global");
    const RunDescription description = {
        "federated", "algorithm", measure, parameters, malicious, stragglers, hints};
    folder.WriteFile("run.json", DescribeRun(description, p, samples, positions));
    folder.WriteFile("malicious.txt", fmt::format("{}\n", fmt::join(malicious, " ")));
    WritePartition(p, folder, samples, output);

    std::unique_ptr<TableStore> tables = MakeTableStore(p.recorder, folder, p.GetOmitted());
    RunRecorder recorder(*tables, applications);
    recorder.AddSender(server.Get(0)->GetObject<Transport>());
    auto participation =
        std::make_unique<FederatedRecorder>(*tables, helper.GetServer(), applications);
    ClientRecorder clients(*tables, p.devices, malicious);
    clients.FollowServer(helper.GetServer());
    PlayRun(p,
            recorder,
            {p.algorithm, GetMeasure(samples, "global"), output, hints},
            applications,
            ApplicationContainer(helper.GetServer()));
    if (!p.quiet)
    {
        output << participation->FindShortWaits();
    }
    participation.reset();
    const std::vector<std::string> models(p.devices, p.model);
    auto written = ListModels(GetLearners(agents), models);
    if (p.personalLayers.empty()) // else the server has no whole model
    {
        written.push_back({"server", p.model, helper.GetServer()->GetModel()});
    }
    WriteModels(p, folder, samples, written);
    auto privacy = ListPrivacy(p, GetLearners(agents));
    AddUpdates(p, applications, privacy);
    WritePrivacy(*tables, privacy);
    clients.WriteClients(GetLearners(agents), helper.GetServer()->GetModel(), samples.test);
    FinishRun(std::move(tables), folder);
    if (!p.quiet)
    {
        output << "wrote " << folder.GetPath() << std::endl;
    }
}
