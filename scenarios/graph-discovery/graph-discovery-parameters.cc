/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-samples.h"
#include "graph-discovery-scenario.h"
#include "inputs/scenario-checks.h"

#include "ns3/collab-data-set-catalog.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-model-registry.h"
#include "ns3/d2d-link-trace.h"
#include "ns3/graph-discovery-latent-application.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

const std::string GROUP = "ns3::collab::DiscoveryGroupApplication::";     //!< attributes
const std::string DISCOVERY = "ns3::collab::GraphDiscoveryApplication::"; //!< attributes
const std::string LABEL = "ns3::collab::LabelDiscoveryApplication::";     //!< attributes
const std::string LATENT = "ns3::collab::LatentDiscoveryApplication::";   //!< attributes
const std::string DATA = "ns3::collab::DatapointExchangeApplication::";   //!< attributes
/// Of the devices' last applications
constexpr const char* ROUNDS = "ns3::collab::CollaborationApplication::Rounds";
/// Of devices that ask others for datapoints
constexpr const char* ENFORCE_BUDGET = "ns3::collab::GraphDiscoveryApplication::EnforceBudget";
const std::vector<std::string> LABELED = {"supervised", "semi-supervised"}; //!< paradigms
const std::vector<std::string> REWARDED = {"learned", "gcn", "optimum"};    //!< methods by rewards
/// What settings of clusters of reliable devices take to have an effect
constexpr const char* CLUSTERS = "--method=learned, gcn or optimum, or EnforceBudget";
/// What settings of learning take to have an effect
constexpr const char* LEARNING = "learning after the exchange (--downstream)";
/// What settings of a server take to have an effect
constexpr const char* SERVER = "--downstream with a server";
constexpr const char* THRESHOLD_SHARE = "ThresholdShare"; //!< of both kinds
/// Of server and devices
constexpr const char* ALGORITHM = "ns3::collab::FederatedApplication::Algorithm";
/// Of devices' steps with a server; 0 for what their learners have
constexpr const char* CLIENT_RATE = "ns3::collab::FederatedClientApplication::LearningRate";
/// The same without a server
constexpr const char* GOSSIP_RATE = "ns3::collab::GossipApplication::LearningRate";

} // namespace

GraphDiscoveryParameters::GraphDiscoveryParameters()
{
    runDir = "runs/graph-discovery";
    devices = 25;
    samples = 1200;
    referenceSamples = 0;
    partition = "shares";
    lowQuality = "none";
    minimumSamples = 4;
    testPart = 0;
    usualRate = 0.8;
    maxOutage = 0.315; // where links of 1 bit/s/Hz have 0.4
    omit = "messages";
    learningRate = 1e-3;
    Add("paradigm", paradigm, "what devices know of their samples: labels, some, or none")
        .Choices({"supervised", "semi-supervised", "unsupervised"});
    Take("method", DISCOVERY + "Method")
        .Choices({{"learned", "Learned"},
                  {"none", "None"},
                  {"closest", "Closest"},
                  {"most-trusted", "MostTrusted"},
                  {"uniform", "Uniform"},
                  {"gcn", "Given"},
                  {"optimum", "Given"},
                  {"iid-ceiling", "None"}});
    Add("devices", devices, "number of devices").AtLeast(2).AtMost(10000);
    DeclareDataSet(*this,
                   dataSet,
                   dataDir,
                   "name of a data set with classes, or with one target, or file:PATH");
    Add("samples", samples, "samples a device").AtLeast(8);
    Add("addedViews",
        addedViews,
        "images of the training part get views beside them: turned by 15 degrees to both sides, "
        "and enlarged");
    Add("testPart",
        testPart,
        "part of a device's samples that it neither learns from nor gives away, as in the other "
        "scenarios, where it is 0.25")
        .AtLeast(0)
        .Below(1);
    Add("testSamples", testSamples, "size of the global test set").AtLeast(1);
    Add("partition",
        partition,
        "who holds which samples: a few classes each, in given parts (shares) or equal ones "
        "(labels), by a Dirichlet distribution of the classes, or evenly")
        .Choices({"shares", "labels", "dirichlet", "iid"})
        .OnlyIf([this]() { return !IsCeiling(); }, "other methods than iid-ceiling");
    Add("shares", shares, "percent of each of a device's classes, as 70,20,10")
        .For("partition", {"shares"});
    Add("labels", labels, "classes a device, or of the first and the others, as 8,2")
        .For("partition", {"labels"});
    Add("alpha", alpha, "concentration of the Dirichlet distribution")
        .For("partition", {"dirichlet"})
        .Above(0);
    DeclareLearning();
    DeclarePartitions();
    DeclareExchange();
    DeclareDownstream();
    DeclareNetwork(1e6);
    DeclareKnowledge();
    DeclareRun();
}

bool
GraphDiscoveryParameters::IsCeiling() const
{
    return Get("method") == "iid-ceiling";
}

bool
GraphDiscoveryParameters::IsOracle() const
{
    const std::string method = Get("method");
    return method == "gcn" || method == "optimum";
}

std::optional<double>
GraphDiscoveryParameters::GetSgdRate() const
{
    const bool usesSgd = downstream == "fedsgd" || downstream == "scaffold";
    return usesSgd ? std::optional(sgdLearningRate) : std::nullopt;
}

std::vector<std::string>
GraphDiscoveryParameters::FindHints() const
{
    const bool exchanges = Get("method") != "none" && !IsCeiling();
    std::vector<std::string> hints;
    if (exchanges && HasServer() && !HasSets() && !IsUnsupervised())
    {
        hints.push_back(
            "one model of all devices gains little by an exchange of datapoints (compare with "
            "--method=none); models of neighbors gain more: --downstream=decentralized");
    }
    if (exchanges && !dpSgd.empty())
    {
        hints.push_back("epsilon is that of training (--dpSgd): before it devices have sent each "
                        "other datapoints as they are, without any privacy");
    }
    return hints;
}

uint32_t
GraphDiscoveryParameters::GetCountBits(uint64_t partitions, uint64_t most) const
{
    const auto requestShare = Get<double>("requestShare");
    const auto held = static_cast<double>(most);
    // A request in later passes is a part of what a device has then, twice as much at the most;
    // labels are asked for up to the threshold of a partition
    const double greatest = IsUnsupervised()
                                ? 2 * requestShare * held
                                : thresholdShare * held / static_cast<double>(partitions);
    ::Require(std::round(greatest) <= std::numeric_limits<uint16_t>::max(),
              IsUnsupervised() ? "requestShare" : "thresholdShare",
              IsUnsupervised() ? requestShare : thresholdShare,
              fmt::format("less: 16 bits cannot tell {:.0f} datapoints", greatest));
    return std::round(greatest) > std::numeric_limits<uint8_t>::max() ? 16 : 8;
}

void
GraphDiscoveryParameters::DeclareLearning()
{
    const auto hasClusters = [this]() {
        return Get("method") == "learned" || IsOracle() || GetGivenNumber(ENFORCE_BUDGET) == 1;
    };
    Take("edges", ROUNDS, [this]() { return !HasDownstream(); })
        .Help("E: incoming edges a device, found one after the other")
        .AtMost(100)
        .Default(1);
    Take("iterations", DISCOVERY + "Iterations").For("method", {"learned"});
    Add("recordInterval", recordInterval, "iterations of a row of the table discovery")
        .For("method", {"learned"})
        .AtLeast(1);
    Add("trust", trust, "structure of the trust matrices")
        .Choices({"random", "block", "rows", "columns", "full", "none"});
    Add("trustDensity", trustDensity, "part of 1 in them")
        .For("trust", {"random"})
        .AtLeast(0)
        .AtMost(1);
    Add("diversityWeight", diversityWeight, "a1 of local rewards; 0 for 20, or 10 if unsupervised")
        .AtLeast(0)
        .Follows(DISCOVERY + "DiversityWeight");
    Add("reliabilityWeight",
        reliabilityWeight,
        "a2 of local rewards; 0 for 10, or 5 if unsupervised")
        .AtLeast(0)
        .Follows(DISCOVERY + "ReliabilityWeight");
    Take("budgetWeight", DISCOVERY + "BudgetWeight").For("method", REWARDED);
    Take("budget", DISCOVERY + "Budget").OnlyIf(hasClusters, CLUSTERS);
    Take("globalWeight", DISCOVERY + "GlobalWeight").For("method", REWARDED);
    Take("alphaD", GROUP + "ReliabilityThreshold").OnlyIf(hasClusters, CLUSTERS);
    Take("buffer", DISCOVERY + "Buffer").For("method", {"learned"});
    Take("reduction", DISCOVERY + "Reduction").For("method", {"learned"});
    Take("psi", DISCOVERY + "Psi").For("method", {"learned"});
    Take("untried", DISCOVERY + "Untried").For("method", {"learned"});
}

void
GraphDiscoveryParameters::DeclarePartitions()
{
    const auto isLatent = [this]() { return IsUnsupervised(); };
    const auto isLabel = [this]() { return !IsUnsupervised(); };
    Take("distance", LABEL + "Distance").For("paradigm", LABELED);
    Take("leastLabels", LABEL + "LeastLabels").For("paradigm", LABELED);
    Take("thresholdSlack", LABEL + "ThresholdSlack").For("paradigm", LABELED);
    Add("thresholdShare",
        thresholdShare,
        "b over the mean size of a device's partitions; 0 for 1 with labels, 0.5 without")
        .AtLeast(0)
        .AtMost(1000)
        .Follows(LABEL + THRESHOLD_SHARE, isLabel)
        .Follows(LATENT + THRESHOLD_SHARE, isLatent);
    Take("requestShare", LATENT + "RequestShare").For("paradigm", {"unsupervised"});
    Add("components", components, "d of distributed PCA, without labels or for their propagation")
        .AtLeast(1)
        .Follows(LABEL + "Components", [this]() { return UsesSubspace() && !IsUnsupervised(); })
        .Follows(LATENT + "Components", isLatent)
        .OnlyIf([this]() { return UsesSubspace(); },
                "--paradigm=unsupervised, or --labeling=propagation if semi-supervised");
    Add("clusters", clusters, "L: clusters of k-means, or groups of targets")
        .AtLeast(1)
        .AtMost(64)
        .OnlyIf([this]() { return IsUnsupervised() || hasTargets; },
                "--paradigm=unsupervised, or data sets with a target");
    Take("disclosure", LATENT + "Disclosure").For("paradigm", {"unsupervised"});
    Take("agreement", LATENT + "Agreement").For("paradigm", {"unsupervised"});
    Take("agreementPeriod", LATENT + "AgreementPeriod").For("paradigm", {"unsupervised"});
    Take("cacheStatistics", LATENT + "CacheStatistics").For("paradigm", {"unsupervised"});
    Add("labeled", labeled, "part of a device's samples with labels")
        .For("paradigm", {"semi-supervised"})
        .AtLeast(0)
        .AtMost(1);
    Add("labeling", labeling, "label propagation, or a model's name")
        .For("paradigm", {"semi-supervised"})
        .Suggestions({"propagation", "linear", "mlp:64"});
    Add("neighbors", neighbors, "k of label propagation")
        .For("paradigm", {"semi-supervised"})
        .AtLeast(1);
}

void
GraphDiscoveryParameters::DeclareExchange()
{
    Take("control", GROUP + "ControlLossPolicy");
    Take("dataLoss", DATA + "DataLossPolicy")
        .Choices({{"partial", "Partial"}, {"reliable", "PartialReliable"}});
    Take("retain", DATA + "RetainUntilAcked");
    AddWait("exchangeDeadline",
            exchangeDeadline,
            "longest time of datapoints in a pass; 0 for as long as all of a device's take twice")
        .ExcludedBy(DATA + "ExchangeDeadline");
    Add("channel", channel, "dynamic: RSS anew in each slot, as in Fig. 9 of Wagle et al.")
        .Choices({"static", "dynamic"});
    Take("levels", DISCOVERY + "StateLevels").For("method", {"learned"});
}

void
GraphDiscoveryParameters::DeclareDownstream()
{
    const auto hasServer = [this]() { return HasServer(); };
    const auto isDecentralized = [this]() { return IsDecentralized(); };
    const auto isRateOf = [this](const char* attribute, bool isSgd) {
        return [this, attribute, isSgd]() {
            return (attribute == CLIENT_RATE ? HasServer() : IsDecentralized()) &&
                   UsesSgd() == isSgd && GetGivenNumber(attribute) > 0;
        };
    };
    const auto hasManySteps = [this]() { return downstream != "fedsgd"; };
    DeclareModel()
        .Follows(CLIENT_RATE, isRateOf(CLIENT_RATE, false))
        .Follows(GOSSIP_RATE, isRateOf(GOSSIP_RATE, false))
        .OnlyIf([this]() { return !UsesSgd(); }, "Adam (SGD has --sgdLearningRate)");
    Find("batchSize")->OnlyIf(hasManySteps, MANY_STEPS);
    DeclareWeights();
    DeclareTraining();
    auto choices = GetFederatedAlgorithms();
    choices.insert(choices.end(), {"decentralized", "none"});
    Add("downstream",
        downstream,
        "how a model is learned after the exchange; decentralized: without a server")
        .Choices(std::move(choices))
        .Follows(ALGORITHM, hasServer);
    Take("rounds", ROUNDS, [this]() { return HasDownstream(); }).Help("of that");
    Take("localSteps", "ns3::collab::FederatedClientApplication::LocalSteps", hasServer)
        .Help("tau_a: minibatches of a round; fedsgd takes one step")
        .AtLeast(1)
        .Default(20)
        .OnlyIf(hasManySteps, MANY_STEPS)
        .Also("ns3::collab::GossipApplication::LocalSteps", isDecentralized);
    Take("mu", "ns3::collab::FederatedApplication::Mu").For("downstream", {"fedprox"});
    Add("sgdLearningRate", sgdLearningRate, "of SGD")
        .For("downstream", {"fedsgd", "scaffold"})
        .Above(0)
        .Follows(CLIENT_RATE, isRateOf(CLIENT_RATE, true));
    DeclareModels();
    LimitToDownstream();
}

void
GraphDiscoveryParameters::DeclareModels()
{
    const std::string server = "ns3::collab::FederatedServerApplication::";
    Take("peers", "ns3::collab::SegmentedGossipApplication::Replicas")
        .Help("other models that a device averages with its own")
        .Default(7)
        .For("downstream", {"decentralized"});
    Add("setSize", setSize, "devices of a set")
        .For("downstream", {"semi-decentralized"})
        .AtLeast(1);
    Take("setSteps", "ns3::collab::SemiDecentralizedClientApplication::SetSteps")
        .For("downstream", {"semi-decentralized"});
    Add("stragglers",
        stragglers,
        "devices that take no part in aggregation: how many, or which, as 1,5, or none")
        .OnlyIf([this]() { return HasServer(); }, SERVER);
    const auto hasServer = [this]() { return HasServer(); };
    DeclareServerLinks(serverOutage, hasServer).OnlyIf(hasServer, SERVER);
    AddWait("setDeadline",
            setDeadline,
            "longest wait of an exchange; 0 for a quarter longer than the slowest device trains "
            "for one and its models are on air, and 25 s at least",
            1e9)
        .For("downstream", {"semi-decentralized"})
        .Follows("ns3::collab::SemiDecentralizedClientApplication::ConsensusDeadline",
                 [this]() { return HasSets(); });
    AddWait("roundDeadline",
            roundDeadline,
            "longest time from the model to the end of a round, or wait for models of peers; 0 for "
            "a quarter longer than the slowest device computes and what is sent is on air, and "
            "120 s at least")
        .Follows(server + "RoundDeadline", hasServer)
        .Also("ns3::collab::SegmentedGossipApplication::PullTimeout",
              [this]() { return IsDecentralized(); });
    Add("probeSamples", probeSamples, "labelled samples of linear evaluation")
        .For("paradigm", {"unsupervised"})
        .AtLeast(2);
    Add("embeddings", embeddings, "test samples whose embeddings by the final model are written")
        .For("paradigm", {"unsupervised"});
}

void
GraphDiscoveryParameters::LimitToDownstream()
{
    for (const std::string name : {"model",
                                   "learningRate",
                                   "batchSize",
                                   "optimizerOptions",
                                   "rateSchedule",
                                   "labelSmoothing",
                                   "classWeights",
                                   "augmentation",
                                   "dpSgd",
                                   "rounds",
                                   "localSteps",
                                   "roundDeadline"})
    {
        Find(name)->OnlyIf([this]() { return HasDownstream(); }, LEARNING);
    }
}

void
GraphDiscoveryParameters::Complete()
{
    if (IsCeiling())
    {
        partition = "iid";
    }
    const auto isUsual = [](double value, const std::string& attribute) {
        return value == 0 && !IsAttributeGiven(attribute);
    };
    if (isUsual(thresholdShare, (IsUnsupervised() ? LATENT : LABEL) + THRESHOLD_SHARE))
    {
        thresholdShare = IsUnsupervised() ? 0.5 : 1.0;
    }
    if (isUsual(diversityWeight, DISCOVERY + "DiversityWeight"))
    {
        diversityWeight = IsUnsupervised() ? 10 : 20;
    }
    if (isUsual(reliabilityWeight, DISCOVERY + "ReliabilityWeight"))
    {
        reliabilityWeight = IsUnsupervised() ? 5 : 10;
    }
}

void
GraphDiscoveryParameters::RefuseAttributes() const
{
    constexpr const char* BEGIN = "ns3::Application::StartTime";
    if (HasDownstream())
    {
        RefuseAttribute(ROUNDS, "--edges and --rounds are those of the two parts of a run");
        RefuseAttribute(BEGIN, "learning begins when datapoints have been exchanged");
        RefuseAttribute("ns3::collab::FederatedClientApplication::GradientAttack",
                        "no device of this scenario is malicious");
        RefuseAttribute("ns3::collab::FederatedClientApplication::UpdatePrivacy",
                        "this scenario does not tell what updates spend of it");
        RefuseAttribute("ns3::collab::FederatedApplication::Uplink",
                        "devices of this scenario send messages");
    }
    if (channel == "dynamic")
    {
        const std::string decides = "--channel=dynamic decides, with the slots of the learning";
        RefuseAttribute(BEGIN, decides);
        RefuseAttribute("ns3::collab::D2dChannel::PropagationLossModel", decides);
        for (const std::string time : {"Interval", "HoldStart", "HoldEnd"})
        {
            RefuseAttribute("ns3::collab::D2dDynamicRssModel::" + time, decides);
        }
    }
    if (downstream == "scaffold" && GetGivenNumber(CLIENT_RATE) == 0)
    {
        RefuseAttribute(CLIENT_RATE, "with --downstream=scaffold it must be greater than 0");
    }
}

void
GraphDiscoveryParameters::Validate() const
{
    const std::string method = Get("method");
    const auto edges = Get<uint32_t>("edges");
    const auto peers = Get<uint32_t>("peers");
    const auto localSteps = Get<uint32_t>("localSteps");
    const auto agreementPeriod = Get<uint32_t>("agreementPeriod");
    ValidateCommon(false);
    RefuseAttributes();
    Require(!IsOracle() || paradigm != "unsupervised",
            "method",
            "another one with --paradigm=unsupervised: these know labels");
    Require(!IsOracle() || edges == 1, "edges", "1 with --method=" + method);
    Require(!IsOracle() || Get("knowledge") == "ideal",
            "knowledge",
            "ideal with --method=" + method + ", which knows all links");
    Require(method != "gcn" || devices >= 4, "devices", "4 or more with --method=gcn");
    Require(
        !Get<bool>("cacheStatistics") || !IsUnsupervised() ||
            clusters <= LatentDiscoveryApplication::MOST_CACHED,
        "clusters",
        fmt::format("at most {} with --cacheStatistics", LatentDiscoveryApplication::MOST_CACHED));
    Require(uint64_t{edges} < devices, "edges", "less than --devices");
    Require(!IsDecentralized() || peers < devices, "peers", "less than --devices");
    Require(!HasSets() || localSteps % Get<uint32_t>("setSteps") == 0,
            "localSteps",
            "a multiple of --setSteps");
    Require(!IsDecentralized() || stragglers == "none" || stragglers == "0",
            "stragglers",
            "none with --downstream=decentralized, where nothing is aggregated");
    Require(channel == "static" || !linkTrace, "links", "radio with --channel=dynamic");
    Require(channel == "static" || edges == 1, "edges", "1 with --channel=dynamic");
    Require(channel == "static" || agreementPeriod == 1 || !IsUnsupervised(),
            "agreementPeriod",
            "1 with --channel=dynamic, which changes with slots of one length");
    Require(dpSgd.empty() || paradigm != "semi-supervised",
            "dpSgd",
            "empty with --paradigm=semi-supervised, whose components and whose labels, which "
            "follow from other samples, no noise covers");
    Require(embeddings <= testSamples && (embeddings == 0 || (IsUnsupervised() && HasServer())),
            "embeddings",
            "0, or with --paradigm=unsupervised and a server up to --testSamples");
    ValidateTraining();
    ValidateSteps(downstream);
    Require(!IsUnsupervised() || (labelSmoothing == 0 && classWeights == "none"),
            "paradigm",
            "supervised with labelSmoothing or classWeights, which are about labels");
    Require(!IsUnsupervised() || (augmentation.empty() && dpSgd.empty()),
            "paradigm",
            "supervised with augmentation or dpSgd: triplets have their own augmentation, and no "
            "gradients of single samples");
    Require(featureRotations.empty() && featureNoise == 0,
            "partition",
            "given without featureRotations and featureNoise: datapoints that change hands have no "
            "sensor");
    Require(HasDownstream() || (initialWeights.empty() && !saveWeights),
            "downstream",
            "given with weights or saveWeights: without it no models are trained");
    if (labeling != "propagation")
    {
        CheckArgument("model", labeling, [this]() { FindModel(labeling); });
    }
    DrawStragglers(stragglers, devices);
}
