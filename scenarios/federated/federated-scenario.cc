/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-scenario.h"

#include "clients/client-recorder.h"
#include "common/scenario.h"
#include "federated-setup.h"

#include "ns3/collab-aggregation-rule.h"
#include "ns3/collab-analog-port.h"
#include "ns3/collab-compression.h"
#include "ns3/collab-gradient-adversary.h"
#include "ns3/collab-gradient-attack.h"
#include "ns3/collab-seed-learner.h"
#include "ns3/federated-client-application.h"
#include "ns3/federated-helper.h"
#include "ns3/federated-participation.h"
#include "ns3/federated-recorder.h"
#include "ns3/federated-semi-decentralized-client-application.h"
#include "ns3/federated-update-encoder.h"

#include <fmt/ranges.h>
#include <numeric>
#include <set>
#include <tuple>

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

/// @return what all devices derive their models from by the same seeds; null unless it is fedkseed
std::shared_ptr<SeedModel>
MakeSeedModel(const FederatedParameters& p,
              const ScenarioSamples& samples,
              const FlatVector& weights)
{
    if (p.Get("algorithm") != "fedkseed")
    {
        return nullptr;
    }
    const auto first = MakeSharingLearner(p, MakeLearnerConfig(p, samples, 0), weights);
    return std::make_shared<SeedModel>(
        first->GetWeights(), first->GetParameterCount(), p.seeds, SeedFor(RandomPurpose::PROTOCOL));
}

/// @param model of all devices; null unless it is fedkseed
/// @return what a device learns with
std::unique_ptr<Learner>
MakeDeviceLearner(const FederatedParameters& p,
                  const ScenarioSamples& samples,
                  uint32_t device,
                  const FlatVector& weights,
                  const std::shared_ptr<SeedModel>& model)
{
    auto learner = MakeSharingLearner(p, MakeLearnerConfig(p, samples, device), weights);
    if (!model)
    {
        return learner;
    }
    const SeedSteps steps{
        p.smoothing, p.sgdLearningRate, p.batchSize, SeedFor(RandomPurpose::SHUFFLE, device)};
    return MakeSeedLearner(std::move(learner), samples.train[device], model, steps);
}

/// @param weights what all learners share until the first model arrives
/// @return what each device learns with
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
    const auto seedModel = MakeSeedModel(p, samples, weights);
    std::vector<FederatedAgent> agents;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        FederatedAgent agent;
        agent.learner = MakeDeviceLearner(p, samples, device, weights, seedModel);
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

/// @return what the server of FedDF distills with, by steps like the devices': it has X*, without
/// labels
std::unique_ptr<Learner>
MakeEnsembleLearner(const FederatedParameters& p,
                    const ScenarioSamples& samples,
                    const FlatVector& weights)
{
    TorchLearnerConfig config = MakeLearnerConfig(p, samples, 0);
    config.trainData = *samples.reference;
    std::fill(config.trainData.labels.begin(), config.trainData.labels.end(), 0);
    config.sampleOrders.clear();
    config.dpSgd.reset(); // its samples are no secret
    config.shuffleSeed = SeedFor(RandomPurpose::PROTOCOL);
    return MakeSharingLearner(p, std::move(config), weights);
}

/// @return what makes the server and the devices
std::unique_ptr<FederatedHelper>
MakeHelper(const FederatedParameters& p, const NodeContainer& nodes)
{
    auto helper = MakeFederation(p,
                                 {MakePool(p),
                                  p.GetSgdRate().value_or(p.learningRate),
                                  p.HasSets() ? p.setSize : 0,
                                  p.IsAsynchronous()},
                                 nodes);
    if (p.UsesSgd())
    {
        const double momentum = p.GetOptimizer().momentum;
        SetUnlessGiven(*helper, LOCAL_MOMENTUM, DoubleValue(momentum));
    }
    SetUnlessGiven(*helper,
                   COMPRESSION,
                   StringValue(p.downlinkCompression),
                   &FederatedHelper::SetServerAttribute);
    SetUnlessGiven(*helper,
                   COMPRESSION,
                   StringValue(p.uplinkCompression),
                   &FederatedHelper::SetClientAttribute);
    return helper;
}

/// @param[in,out] rows get the privacy that updates of devices that do not forge them have spent
void
AddUpdates(const FederatedParameters& p,
           const ApplicationContainer& applications,
           std::vector<PrivacyRow>& rows)
{
    if (p.Get("updatePrivacy").empty())
    {
        return;
    }
    const double delta = ReadUpdatePrivacy(p.Get("updatePrivacy")).delta;
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
    const std::string client = "ns3::collab::FederatedClientApplication::";
    const auto isRateGiven = []() { return GetGivenNumber(LEARNING_RATE) > 0; };
    const auto hasManySteps = [this]() { return Get("algorithm") != "fedsgd"; };
    DeclareSamples(1000000); // clients know nobody but the server
    DeclareTargets();
    DeclareModel()
        .Follows(LEARNING_RATE, [this, isRateGiven]() { return !UsesSgd() && isRateGiven(); })
        .OnlyIf([this]() { return !UsesSgd(); }, "Adam (SGD has --sgdLearningRate)");
    Find("batchSize")->OnlyIf(hasManySteps, MANY_STEPS);
    DeclareWeights();
    DeclareTraining();
    DeclareSharing();
    DeclareAlgorithm();
    Take("rounds", "ns3::collab::CollaborationApplication::Rounds").Default(20);
    Take("localEpochs", client + "LocalEpochs")
        .OnlyIf(hasManySteps, MANY_STEPS)
        .OnlyIf([this]() { return Get<uint32_t>("localSteps") == 0; },
                "rounds without --localSteps");
    Take("localSteps", LOCAL_STEPS)
        .Help("if not 0: steps on the local samples a round, instead of passes; "
              "semi-decentralized: 8 if not given, and --setSteps at least")
        .OnlyIf(hasManySteps, MANY_STEPS);
    DeclareSets();
    DeclareServer();
    Add("measureClients",
        measureClients,
        "measure every model on all devices' own test samples too");
    DeclareMalice(*this, "ns3::collab::FederatedClientApplication");
    DeclareLinks();
    DeclareNetwork();
    DeclareRun();
}

std::optional<double>
FederatedParameters::GetSgdRate() const
{
    const std::string algorithm = Get("algorithm");
    const bool needsSgd =
        algorithm == "scaffold" || algorithm == "fedsgd" || algorithm == "fedkseed";
    const bool usesSgd = optimizer == "sgd" || (optimizer == "auto" && needsSgd);
    return usesSgd ? std::optional(sgdLearningRate) : std::nullopt;
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
        return Get<uint32_t>("bufferSize");
    }
    if (!HasSets())
    {
        return CountParticipants(CountPrompt(), Get<double>("participation"));
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
FederatedParameters::DeclareServer()
{
    const std::string both = "ns3::collab::FederatedApplication::";
    const std::string synchronous = "ns3::collab::FederatedSynchronousServerApplication::";
    const std::string buffered = "ns3::collab::FederatedBufferedServerApplication::";
    const auto isAsynchronous = [this]() { return IsAsynchronous(); };
    Take("mu", both + "Mu").For("algorithm", {"fedprox"});
    Take("feddynAlpha", both + "Alpha").For("algorithm", {"feddyn"});
    Take("serverRate", both + "ServerRate").For("algorithm", {"scaffold", "fedbuff"});
    Take("serverMomentum", both + "ServerMomentum").Below(1).For("algorithm", {"fedavgm"});
    Take("bufferSize", buffered + "BufferSize", isAsynchronous).For("algorithm", {"fedbuff"});
    Take("concurrency", buffered + "Concurrency", isAsynchronous)
        .Help("devices that train at a time; 0: the fraction participation of them")
        .For("algorithm", {"fedbuff"});
    Take("stalenessWeight", both + "StalenessWeight").For("algorithm", {"fedbuff"});
    Take("distillationSteps", "ns3::collab::FederatedServerApplication::DistillationSteps")
        .For("algorithm", {"feddf"});
    Take("participation", synchronous + "Participation", [this]() {
        return !IsAsynchronous();
    }).Help("fraction of the devices in a round; fedbuff: at a time, unless concurrency says it");
    Take("aggregation", "ns3::collab::FederatedServerApplication::AggregationRule")
        .Suggestions({"mean", "median:f=1", "trimmed-mean:b=1"});
}

void
FederatedParameters::DeclareAlgorithm()
{
    auto choices = GetFederatedAlgorithms();
    choices.push_back({"feddf", "FedDf"});
    choices.push_back({"fedkseed", "FedKSeed"});
    Take("algorithm", "ns3::collab::FederatedApplication::Algorithm").Choices(std::move(choices));
    Add("optimizer",
        optimizer,
        "what takes the steps; auto: sgd for scaffold, fedsgd and fedkseed, else adam")
        .Choices({"auto", "adam", "sgd"});
    Add("sgdLearningRate", sgdLearningRate, "of SGD")
        .Above(0)
        .Follows(LEARNING_RATE, [this]() { return UsesSgd() && GetGivenNumber(LEARNING_RATE) > 0; })
        .OnlyIf([this]() { return UsesSgd(); }, "SGD (Adam has --learningRate)");
    Add("seeds",
        seeds,
        "candidate seeds that all devices know: models and updates are a scalar of each")
        .For("algorithm", {"fedkseed"})
        .AtLeast(1)
        .AtMost(1000000);
    Add("smoothing",
        smoothing,
        "how far along a direction, up and down, losses are taken for a step")
        .For("algorithm", {"fedkseed"})
        .AtLeast(1e-9)
        .AtMost(1e3);
}

void
FederatedParameters::DeclareSets()
{
    const std::string member = "ns3::collab::SemiDecentralizedClientApplication::";
    const auto hasSets = [this]() { return HasSets(); };
    Add("setSize",
        setSize,
        "devices of a set, which exchange models by D2D; the last set may be smaller")
        .For("algorithm", {"semi-decentralized"})
        .AtLeast(1);
    Take("setSteps", member + "SetSteps", hasSets).For("algorithm", {"semi-decentralized"});
    AddWait("setDeadline",
            setDeadline,
            "longest wait of an exchange; 0 for a quarter longer than the slowest device trains "
            "for one and its models are on air, and 25 s at least",
            1e9)
        .For("algorithm", {"semi-decentralized"})
        .Follows(member + "ConsensusDeadline", hasSets);
    Take("setWeighting", member + "Weighting", hasSets).For("algorithm", {"semi-decentralized"});
}

void
FederatedParameters::DeclareLinks()
{
    const std::string server = "ns3::collab::FederatedServerApplication::";
    Add("uplinkCompression", uplinkCompression, "of updates")
        .Suggestions({"float32", "float16", "int8", "top-k:fraction=0.1"})
        .Follows(COMPRESSION);
    Add("downlinkCompression", downlinkCompression, "of models")
        .Choices({"float32", "float16", "int8"})
        .Follows(COMPRESSION);
    Take("errorFeedback", "ns3::collab::FederatedClientApplication::ErrorFeedback");
    Take("updatePrivacy", "ns3::collab::FederatedClientApplication::UpdatePrivacy");
    Take("downlink", server + "Downlink");
    Take("loss", "ns3::collab::FederatedApplication::LossPolicy");
    Take("uplink", "ns3::collab::FederatedApplication::Uplink");
    AddWait("roundDeadline",
            roundDeadline,
            "longest time from the model to the end of a round; 0 for a quarter longer than the "
            "slowest device computes and what is sent is on air, and 120 s at least")
        .Follows(server + "RoundDeadline");
    DeclareServerLinks(serverOutage, []() { return true; });
    Add("stragglers",
        stragglers,
        "devices that never take part in aggregation: how many, drawn at random; or which ones, "
        "with a comma even behind a single one, e.g. 1,5; or none");
}

void
FederatedParameters::Complete()
{
    CompleteMalice(ATTACK);
    if (HasSets() && Get<uint32_t>("localSteps") == 0 && !Find("localSteps")->IsGiven() &&
        !IsAttributeGiven(LOCAL_STEPS))
    {
        Set("localSteps", SemiDecentralizedClientApplication::USUAL_LOCAL_STEPS);
    }
    if (IsAsynchronous() && Get<uint32_t>("concurrency") == 0)
    {
        // Of the attribute 0 means all
        const double part = IsAttributeGiven(CONCURRENCY) ? 1.0 : Get<double>("participation");
        Set("concurrency", CountParticipants(CountPrompt(), part));
    }
}

void
FederatedParameters::ValidateAlgorithm() const
{
    const std::string algorithm = Get("algorithm");
    const auto localSteps = Get<uint32_t>("localSteps");
    const auto setSteps = Get<uint32_t>("setSteps");
    const auto participation = Get<double>("participation");
    Require((algorithm != "scaffold" && algorithm != "fedsgd" && algorithm != "fedkseed") ||
                UsesSgd(),
            "optimizer",
            "sgd or auto for scaffold, whose control variates are means of gradients, for fedsgd, "
            "and for fedkseed, whose steps are scalars");
    ValidateTraining();
    ValidateSeeds();
    ValidateSteps(algorithm);
    if (algorithm == "scaffold" && IsAttributeGiven(LEARNING_RATE) &&
        GetGivenNumber(LEARNING_RATE) == 0)
    {
        throw UserError(fmt::format(
            "attribute --{}=0 is not allowed; with --algorithm=scaffold it must be greater than 0",
            LEARNING_RATE));
    }
    const double localMomentum = IsAttributeGiven(LOCAL_MOMENTUM) ? GetGivenNumber(LOCAL_MOMENTUM)
                                 : UsesSgd()                      ? GetOptimizer().momentum
                                                                  : 0;
    if (algorithm == "fednova" && localMomentum > 0 && GetGivenNumber(RESETS_OPTIMIZER) == 0)
    {
        throw UserError(fmt::format(
            "attribute --{}=false is not allowed; with --algorithm=fednova and momentum it must be "
            "true, since momentum of earlier rounds is in no number of steps",
            RESETS_OPTIMIZER));
    }
    Require(algorithm != "feddf" || referenceSamples > 0,
            "referenceSamples",
            "greater than 0 with feddf, whose server distills models on them");
    Require(algorithm != "feddf" || personalLayers.empty(),
            "personalLayers",
            "empty with feddf, whose server predicts with whole models");
    Require(algorithm != "feddf" || !IsStub(model),
            "model",
            "one that predicts with feddf, not a stub");
    Require(algorithm != "feddyn" || personalLayers.empty(),
            "personalLayers",
            "empty with feddyn, whose regularizer is about whole models");
    Require((algorithm != "feddf" && algorithm != "feddyn") || share.empty(),
            "share",
            "empty with feddf, whose server predicts with whole models, and with feddyn, whose "
            "regularizer is about them");
    Require(!HasSets() || localSteps >= setSteps,
            "localSteps",
            fmt::format("at least the {} of --setSteps with semi-decentralized, whose devices "
                        "would else exchange no model",
                        setSteps));
    Require(!HasSets() || participation == 1,
            "participation",
            "1 with semi-decentralized, whose server asks one device of each set");
    const std::string forged = GetGradientAttack();
    Require(!IsAsynchronous() || forged.empty() || !MakeGradientAttack(forged)->NeedsHonest(),
            "attack",
            "one that needs no other devices' changes of the same round with fedbuff, which has no "
            "rounds");
    const bool colludes =
        !IsAsynchronous() && !forged.empty() && MakeGradientAttack(forged)->NeedsHonest();
    Require(!colludes || Get("downlink") != "unicast",
            "attack",
            "one that needs no other devices' changes with --downlink=unicast, by which no device "
            "learns how many take part");
    Require(!colludes || CountUpdates() >= GradientAdversary::FEWEST_UPLOADS,
            "attack",
            fmt::format("one that needs no other devices' changes where the server asks {} for "
                        "updates, and not {} or more",
                        CountUpdates(),
                        GradientAdversary::FEWEST_UPLOADS));
}

void
FederatedParameters::ValidateSeeds() const
{
    if (Get("algorithm") != "fedkseed")
    {
        return;
    }
    Require(!IsStub(model), "model", "one that predicts with fedkseed, not a stub");
    Require(labelSmoothing == 0, "labelSmoothing", "0 with fedkseed, whose loss is the model's");
    for (const auto& [name, value, usual] : {std::tuple("optimizerOptions", optimizerOptions, ""),
                                             std::tuple("rateSchedule", rateSchedule, "constant"),
                                             std::tuple("classWeights", classWeights, "none"),
                                             std::tuple("augmentation", augmentation, ""),
                                             std::tuple("dpSgd", dpSgd, ""),
                                             std::tuple("personalLayers", personalLayers, ""),
                                             std::tuple("share", share, "")})
    {
        Require(value == usual,
                name,
                std::string(*usual == '\0' ? "empty" : usual) +
                    " with fedkseed, whose steps are forward passes along shared directions");
    }
}

void
FederatedParameters::CompletePairs(std::size_t samples)
{
    if (Get("algorithm") != "fedkseed" || Find("uplinkCompression")->IsGiven() ||
        IsAttributeGiven(COMPRESSION))
    {
        return;
    }
    const uint64_t passes = (samples + batchSize - 1) / batchSize;
    const auto localSteps = Get<uint32_t>("localSteps");
    const uint64_t steps = localSteps > 0 ? localSteps : passes * Get<uint32_t>("localEpochs");
    const std::string pairs = fmt::format("top-k:k={}", std::min<uint64_t>(steps, seeds));
    if (MakeCompressor(pairs)->EncodedSize(seeds) <
        MakeCompressor(uplinkCompression)->EncodedSize(seeds))
    {
        uplinkCompression = pairs;
    }
}

void
FederatedParameters::ValidateUpdates() const
{
    const std::string algorithm = Get("algorithm");
    const bool errorFeedback = Get<bool>("errorFeedback");
    const std::string updatePrivacy = Get("updatePrivacy");
    const auto compressor = MakeCompressor(uplinkCompression);
    Require(!errorFeedback || compressor->IsContraction(),
            "errorFeedback",
            "false with --uplinkCompression=" + uplinkCompression +
                ", whose losses would grow without bound");
    Require(!errorFeedback || algorithm != "feddyn",
            "errorFeedback",
            "false with feddyn, whose g_k remembers only what was sent: its next change has by "
            "itself what compression has lost");
    const bool isPlain = uplinkCompression == "float32" && algorithm != "scaffold" &&
                         algorithm != "feddf" && algorithm != "fedkseed";
    Require(Get("loss").rfind("partial", 0) != 0 || (isPlain && !HasSets() && !IsStub(model)),
            "loss",
            "reliable or best-effort with --uplinkCompression, scaffold, feddf, fedkseed, "
            "semi-decentralized and stubs, whose updates are of no use in parts");
    ValidateUplink();
    if (!updatePrivacy.empty())
    {
        CheckArgument("updatePrivacy", updatePrivacy, [&]() { ReadUpdatePrivacy(updatePrivacy); });
        Require(algorithm != "scaffold" && !HasSets() && !IsStub(model),
                "updatePrivacy",
                "empty, also as the attribute UpdatePrivacy, with scaffold and semi-decentralized, "
                "which send more than these updates, and with stubs");
    }
}

void
FederatedParameters::ValidateUplink() const
{
    if (Get("uplink") == "digital")
    {
        return;
    }
    const std::set<std::string> means = {"fedavg", "fedprox", "fedavgm", "fedsgd"};
    const auto require = [this](bool isSo, const std::string& what) {
        Require(isSo, "uplink", "digital with " + what);
    };
    require(means.count(Get("algorithm")) > 0,
            "--algorithm=" + Get("algorithm") +
                ", whose server needs more than the mean of changes that devices send at once");
    require(Get("aggregation") == "mean",
            "--aggregation=" + Get("aggregation") + ", which needs each change by itself");
    require(Get("loss") == "reliable",
            "--loss=" + Get("loss") + ", since the server has to know who sends");
    require(uplinkCompression == "float32" && !Get<bool>("errorFeedback"),
            "--uplinkCompression and --errorFeedback: numbers are sent as they are");
    require(Get("updatePrivacy").empty(),
            "--updatePrivacy, which promises nothing of what is sent at once");
    require(!IsStub(model), "--model=stub, whose numbers have no meaning");
}

void
FederatedParameters::Validate() const
{
    ValidateCommon(false);
    ValidateMalice();
    ValidateAlgorithm();
    CheckArgument("aggregation", Get("aggregation"), [this]() {
        MakeAggregationRule(Get("aggregation"))->CheckCount(CountUpdates());
    });
    CheckArgument(
        "uplinkCompression", uplinkCompression, [this]() { MakeCompressor(uplinkCompression); });
    ValidateUpdates();
    // Even if the attribute, which both ways share, is given
    RequireOneOf("downlinkCompression", downlinkCompression, {"float32", "float16", "int8"});
    for (const auto& [name, value] : {std::pair("uplinkCompression", uplinkCompression),
                                      std::pair("downlinkCompression", downlinkCompression)})
    {
        ::Require(!IsStub(model) || value == "float32",
                  name,
                  value,
                  "float32 with --model=stub, which has numbers of no meaning");
    }
}

namespace
{

/// @brief Refuse what vectors of the model cannot have: compression that moves running variances
/// further than training did, below 0, and noise.
/// @param size of the model's vector
/// @param parameters numbers of it that are trained; the others are running means and variances
void
CheckVectors(const FederatedParameters& p, std::size_t size, std::size_t parameters)
{
    const bool hasState = size > parameters;
    p.Require(p.Get("updatePrivacy").empty() || !hasState,
              "updatePrivacy",
              "empty with --model=" + p.model +
                  ", whose running variances noise would make negative; one without batch "
                  "normalization has none");
    CheckArgument("uplinkCompression", p.uplinkCompression, [&]() {
        MakeCompressor(p.uplinkCompression)->EncodedSize(size);
    });
    const std::string reason =
        " with --model=" + p.model +
        ": it would make running variances negative; a model without batch normalization has none";
    p.Require(!hasState || !p.Get<bool>("errorFeedback"), "errorFeedback", "false" + reason);
    p.Require(!hasState || MakeCompressor(p.uplinkCompression)->IsContraction(),
              "uplinkCompression",
              "a compressor that scales nothing up" + reason);
    p.Require(!hasState || p.Get("uplink") == "digital", "uplink", "digital" + reason);
}

/// @brief Refuse channels on which devices cannot send at once.
/// @param p parameters of the run
/// @param server node of the server
/// @param nodes the devices
/// @param numbers of an update
void
RequireUplink(const FederatedParameters& p,
              const Ptr<Node>& server,
              const NodeContainer& nodes,
              std::size_t numbers)
{
    if (p.Get("uplink") == "analog")
    {
        const AnalogPort port =
            server->GetObject<Transport>()->GetAnalogPort(nodes.Get(0)->GetId());
        port.air->CheckLayout(*port.radio, port.air->GetLayout(numbers, p.devices));
    }
}

} // namespace

void
RunFederated(FederatedParameters& p, std::ostream& output)
{
    PrepareParameters(p);
    ScenarioSamples samples = LoadSamples(p, p.targetGroups);
    p.Require(!p.hasTargets || p.Get("algorithm") != "feddf",
              "algorithm",
              "another one than feddf with --dataSet=" + p.dataSet +
                  ", which has no classes to distill");
    const auto malicious = DrawMalicious(p, p.devices);
    PoisonSamples(p, malicious, samples);
    SimulatorGuard guard;
    const ScenarioNetwork network = MakeNetwork(p, {p.HasSets(), UseFullDuplex, p.serverOutage});
    const FlatVector weights = DrawWeights(p, MakeLearnerConfig(p, samples, 0));
    const auto stragglers = DrawStragglers(p.stragglers, p.devices);
    const auto agents = MakeAgents(p, samples, malicious, stragglers, weights);
    const FlatVector shared = agents[0].learner->GetWeights();
    std::size_t most = 0;
    for (const DataView& own : samples.train)
    {
        most = std::max(most, own.Size());
    }
    p.CompletePairs(most);
    CheckVectors(p, shared->size(), agents[0].learner->GetParameterCount());
    RequireUplink(p, network.server, network.nodes, shared->size());
    const auto helper = MakeHelper(p, network.nodes);
    const ApplicationContainer applications =
        helper->Install(network.server, shared, network.nodes, agents);
    const auto server = helper->GetServer();
    if (p.Get("algorithm") == "feddf")
    {
        server->SetEnsemble(MakeEnsembleLearner(p, samples, weights), samples.reference);
    }
    SetFederatedDeadlines(p, server, applications);

    const std::string measure =
        GetMeasure(samples, p.referenceSamples > 0 ? "reference" : "global");
    RunResults results(
        p, {"federated", "algorithm", measure, malicious, stragglers}, samples, network, output);
    results.folder.WriteFile("malicious.txt", fmt::format("{}\n", fmt::join(malicious, " ")));
    results.WritePartition(samples);
    RunRecorder recorder(*results.tables, applications);
    recorder.AddSender(network.server->GetObject<Transport>());
    auto participation = std::make_unique<FederatedRecorder>(*results.tables, server, applications);
    ClientRecorder clients(*results.tables, p.devices, malicious);
    clients.FollowServer(server);
    results.Play(p, recorder, applications, ApplicationContainer(server));
    results.Print(participation->FindShortWaits());
    participation.reset();
    const auto learners = GetLearners(agents);
    auto written = ListModels(p, learners);
    if (p.IsWhole() && p.Get("algorithm") != "fedkseed") // else the server has no whole model
    {
        written.push_back({"server", p.model, server->GetModel()});
    }
    WriteModels(p, results, samples, written);
    auto privacy = ListPrivacy(p, learners);
    AddUpdates(p, applications, privacy);
    WritePrivacy(results, privacy);
    clients.WriteClients(learners, server->GetModel(), samples.test);
    results.Finish();
}
