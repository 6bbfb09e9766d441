/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-scenario.h"
#include "inputs/scenario-checks.h"

#include "ns3/collab-error.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-number.h"
#include "ns3/collab-stub-learner.h"

#include <algorithm>
#include <boost/algorithm/string/trim.hpp>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

using namespace ns3;
using namespace ns3::collab;

namespace
{

const std::string USER = "ns3::collab::BeliefUserApplication::";           //!< its attributes
const std::string CONSENSUS = "ns3::collab::BeliefConsensusApplication::"; //!< its attributes
/// What settings of the exchange take to have an effect
constexpr const char* TOGETHER = "--method=consensus, gossip or d-psgd";
/// What settings of instants take to have an effect
constexpr const char* INSTANTS = "instants that all have in common (--method=consensus or d-psgd)";
/// What settings of beliefs take to have an effect
constexpr const char* BELIEFS = "beliefs (not with --method=d-psgd, alone-sgd or central-sgd)";
/// What settings of lies take to have an effect
constexpr const char* LIARS = "users that lie (--malicious)";

} // namespace

std::vector<double>
ParseNumbers(const std::string& name, const std::string& given)
{
    std::vector<double> numbers;
    for (const std::string& item : SplitList(given))
    {
        const double number = ParseNumber(boost::algorithm::trim_copy(item)).value_or(NAN);
        Require(std::isfinite(number), name, given, "finite numbers with commas between");
        numbers.push_back(number);
    }
    Require(!numbers.empty(), name, given, "finite numbers with commas between");
    return numbers;
}

BeliefParameters::BeliefParameters()
{
    runDir = "runs/belief-consensus";
    lowQuality = "none";
    partition = "iid";
    referenceSamples = 0;
    model = "mlp:50";
    learningRate = 0.05;
    batchSize = 32;
    Add("family", family, "what beliefs are about: hypotheses, a linear model, or a network")
        .Choices({"discrete", "gaussian", "mean-field"});
    Add("method",
        method,
        "how users learn: by pooling beliefs in common instants or by gossip, alone, or one "
        "with all data, which does in an instant what all do; with weights instead of beliefs "
        "(d-psgd, ...-sgd): mean-field only")
        .Choices({"consensus", "gossip", "alone", "central", "d-psgd", "alone-sgd", "central-sgd"});
    Take("instants", "ns3::collab::CollaborationApplication::Rounds")
        .Help("instants; of gossip updates of the fastest user, at whose end all end")
        .Default(100);
    DeclareUsers();
    DeclareProblems();
    DeclareNetworks();
    DeclareExchange();
    DeclareNetwork();
    DeclareKnowledge();
    for (const std::string place :
         {"maxOutage", "positions", "mobility", "speed", "area", "positionInterval"})
    {
        Find(place)->For("links", {"radio"});
    }
    Take("evaluationInterval", USER + "EvaluationInterval");
    Take("beliefInterval", USER + "BeliefInterval");
    Add("weightsInterval", weightsInterval, "instants between rows of the table weights; 0: none");
    DeclareRun();
}

void
BeliefParameters::DeclareUsers()
{
    const auto isTogether = [this]() { return IsTogether(); };
    const std::size_t first = GetAll().size() + 1; // behind devices, which are users of any family
    DeclareSamples();
    for (std::size_t i = first; i < GetAll().size(); ++i)
    {
        Find(GetAll()[i].GetName())
            ->OnlyIf([this]() { return IsNetwork(); }, "--family=mean-field");
    }
    Add("topology",
        topology,
        "who hears whom: all, neighbors on a ring or grid, a star with the first user in the "
        "middle, all within a radius, or the nearest ones, in both directions")
        .Choices({"complete", "ring", "star", "grid", "geometric", "nearest"})
        .OnlyIf(isTogether, TOGETHER);
    Add("degree", degree, "how many each user hears at least")
        .For("topology", {"nearest"})
        .AtLeast(1);
    Add("radius", radius, "greatest distance; 0: the least that connects all")
        .For("topology", {"geometric"})
        .Unit("m")
        .AtLeast(0);
    Add("weights",
        weights,
        "W: uniform, by degrees, by degrees of who is heard in each instant, by what the radio "
        "says of links, of a star, or given")
        .Choices(
            {"uniform", "metropolis", "metropolis-heard", "reliability", "confidence", "given"})
        .OnlyIf(isTogether, TOGETHER);
    Add("confidence", confidence, "weight of the first user at the others")
        .For("weights", {"confidence"})
        .AtLeast(0)
        .AtMost(1);
    Add("matrix", matrix, "W, rows with semicolons between, e.g. 0.9,0.1;0.6,0.4, or a file of it")
        .For("weights", {"given"});
    Add("unsuitable", unsuitable, "what to do about a W that is not irreducible and aperiodic")
        .Choices({"refuse", "warn"});
}

void
BeliefParameters::DeclareProblems()
{
    Add("bits", bits, "of a hypothesis; user i sees bit i modulo bits")
        .For("family", {"discrete"})
        .AtLeast(1)
        .AtMost(12);
    Add("labelProbability", labelProbability, "that a label equals the bit")
        .For("family", {"discrete"})
        .Above(0.5)
        .Below(1);
    Add("trueProbability",
        trueProbability,
        "that a label equals the bit in truth, whatever hypotheses say; 0: labelProbability")
        .For("family", {"discrete"})
        .AtLeast(0)
        .Below(1);
    Add("design",
        design,
        "samples of each user are its own, or those of all that see the same bit, "
        "or one user alone sees the last bit and all others the first one")
        .For("family", {"discrete"})
        .Choices({"independent", "common", "witness"});
    Add("witness", witness, "user that sees the last bit").For("design", {"witness"});
    Add("delta", delta, "allowed probability of an error, for bounds")
        .For("family", {"discrete"})
        .Above(0)
        .Below(1);
    Add("theta", theta, "true parameters, the intercept first").For("family", {"gaussian"});
    Add("noise", noise, "standard deviation of labels' noise").For("family", {"gaussian"}).Above(0);
    Add("priorVariance", priorVariance, "of each parameter")
        .For("family", {"gaussian"})
        .AtLeast(1e-100);
    Add("inputRange",
        inputRange,
        "greatest value of each feature, the least being minus that; user i sees "
        "feature i modulo their number, and 0 for the others")
        .For("family", {"gaussian"});
    Add("dataUse",
        dataUse,
        "whether samples count once (stream), or all of them in every instant (replay), or are "
        "replayed and count once, by partitioned variational inference (cavity; networks); "
        "family: replay for networks, stream for others")
        .Choices({"family", "stream", "replay", "cavity"});
    Add("instantSamples", instantSamples, "of a stream in an instant")
        .For("family", {"discrete", "gaussian"})
        .AtLeast(1)
        .OnlyIf([this]() { return IsStream(); }, "--dataUse=stream");
    Add("replaySamples", replaySamples, "of a replay")
        .For("family", {"discrete", "gaussian"})
        .AtLeast(1)
        .OnlyIf([this]() { return !IsStream(); }, "--dataUse=replay");
    Add("evidencePower",
        evidencePower,
        "power of likelihoods: 1, or 1 over the user's influence v, which it knows of the whole W "
        "(network) or estimates by shares that travel with beliefs (estimated)")
        .Choices({"paper", "network", "estimated"})
        .OnlyIf([this]() { return IsTogether(); }, TOGETHER);
}

void
BeliefParameters::DeclareNetworks()
{
    const auto isBelief = [this]() { return !IsPoint(); };
    Add("model", model, "model of every user")
        .For("family", {"mean-field"})
        .Suggestions({"mlp:50", "mlp", "linear", "netcnn"});
    Add("initialWeights",
        initialWeights,
        "file of the weights, or means of beliefs, that all users begin with, "
        "safetensors or TorchScript; random ones if empty")
        .For("family", {"mean-field"});
    Add("optimizer",
        optimizer,
        "what takes the steps: SGD, Adam, or natural gradients of independent Gaussians, whose "
        "rate is at most 1")
        .For("family", {"mean-field"})
        .Choices({"sgd", "adam", "natural"});
    Add("learningRate", learningRate, "of the optimizer in the first instant")
        .For("family", {"mean-field"})
        .Above(0)
        .AtMost(1e30);
    Add("decay", decay, "of the learning rate from instant to instant")
        .For("family", {"mean-field"})
        .Above(0)
        .AtMost(1);
    Add("batchSize", batchSize, "samples a step, and of a stream an instant")
        .For("family", {"mean-field"})
        .AtLeast(1);
    Add("steps", steps, "of the optimizer in an instant").For("family", {"mean-field"}).AtLeast(1);
    Add("initialDeviation", initialDeviation, "standard deviation of the prior")
        .For("family", {"mean-field"})
        .AtLeast(1e-30)
        .Below(1e3)
        .OnlyIf(isBelief, BELIEFS);
    Add("novelLabel",
        novelLabel,
        "label whose samples no user trains with and accuracies leave out, to measure how uncertain "
        "predictions of it are; -1: none")
        .For("family", {"mean-field"})
        .AtLeast(-1);
    Add("predictionDraws", predictionDraws, "weights drawn for a prediction")
        .For("family", {"mean-field"})
        .AtLeast(1)
        .AtMost(10000)
        .OnlyIf(isBelief, BELIEFS);
}

void
BeliefParameters::DeclareExchange()
{
    const auto isTogether = [this]() { return IsTogether(); };
    const auto hasInstants = [this]() { return IsTogether() && method != "gossip"; };
    const auto areLiars = [this]() { return !GetLiars().empty(); };
    Take("loss", USER + "LossPolicy").OnlyIf(isTogether, TOGETHER);
    Take("interval", CONSENSUS + "Interval")
        .Below(1e6)
        .Default(0.1)
        .OnlyIf([this]() { return method != "gossip"; }, "any --method but gossip");
    Take("deadline", CONSENSUS + "Deadline").Below(1e6).Default(10).OnlyIf(hasInstants, INSTANTS);
    Take("missing", CONSENSUS + "MissingPolicy")
        .OnlyIf(hasInstants, INSTANTS)
        .OnlyIf([this]() { return !TellsDegrees() || UsesParts(); },
                "weights whatever is heard (not --weights=metropolis-heard), or parts of "
                "messages (--loss=partial)");
    Take("pooling", USER + "Pooling")
        .OnlyIf(isTogether, TOGETHER)
        .OnlyIf([this]() { return !IsPoint() || Get("pooling") == "clipped"; },
                "beliefs; weights (--method=d-psgd) are added up, clipped or not");
    Add("clipRadius",
        clipRadius,
        "distance up to which a belief has its full weight; 0: discrete, what honest users never "
        "exceed if nothing is lost, by the whole W, which no message tells")
        .AtLeast(0)
        .DecidedBy(USER + "ClipRadius")
        .For("pooling", {"clipped"});
    Take("precision", USER + "Precision").OnlyIf(isTogether, TOGETHER);
    Add("updateRate", updateRate, "updates a second, of all users or of each")
        .DecidedBy("ns3::collab::BeliefGossipApplication::UpdateRate")
        .For("method", {"gossip"});
    Add("malicious", malicious, "users that lie, e.g. 2,9, or none");
    Add("lie", lie, "what they tell")
        .Choices({{"wrong", "Wrong"},
                  {"overconfident", "Overconfident"},
                  {"veto", "Veto"},
                  {"nan", "NotANumber"},
                  {"negative-precision", "NegativePrecision"},
                  {"silence", "Silence"}})
        .OnlyIf(areLiars, LIARS);
    Add("lieStrength", lieStrength, "wrong: nats; overconfident: factor")
        .AtLeast(1e-100)
        .Follows(USER + "LieStrength")
        .OnlyIf(areLiars, LIARS);
    links = "graph";
    Add("links",
        links,
        "the topology's links with the same outage probability each (graph), a radio with devices "
        "in a disc and path loss, or a radio with path gains or received powers of a trace "
        "(file:PATH, CSV with the columns time, from, to and gain or rss)")
        .Suggestions({"graph", "radio", "file:PATH"});
    Add("outage", outage, "probability that a part of a message is lost")
        .AtLeast(0)
        .Below(1)
        .For("links", {"graph"})
        .OnlyIf(isTogether, TOGETHER);
}

std::optional<double>
BeliefParameters::GetSgdRate() const
{
    return optimizer == "sgd" ? std::optional(learningRate) : std::nullopt;
}

std::vector<double>
BeliefParameters::GetUpdateRates() const
{
    auto rates = ParseNumbers("updateRate", updateRate);
    if (rates.size() == 1)
    {
        rates.resize(devices, rates[0]);
    }
    return rates;
}

void
BeliefParameters::ValidateProblem() const
{
    Require(!IsPoint() || IsNetwork(), "method", "one of beliefs with --family=" + family);
    Require(!IsCentral() || !IsNetwork() || partition != "writers",
            "partition",
            "another one for a central user, who cannot have all writers' styles");
    Require(!IsCentral() || !IsNetwork() || (featureRotations.empty() && featureNoise == 0),
            "method",
            "another one with featureRotations or featureNoise: a central user cannot have all "
            "sensors");
    Require(!IsPoint() || evidencePower == "paper", "evidencePower", "paper without beliefs");
    Require(evidencePower != "estimated" || (method != "gossip" && Get("missing") != "stale"),
            "evidencePower",
            "another one by gossip or with --missing=stale, where shares do not follow beliefs");
    Require(optimizer != "natural" || !IsPoint(), "optimizer", "sgd or adam without beliefs");
    Require(optimizer != "natural" || learningRate <= 1,
            "learningRate",
            "at most 1 with --optimizer=natural");
    Require(!IsCavity() || (IsNetwork() && !IsPoint() && method != "gossip"),
            "dataUse",
            "another one: cavities are for mean-field beliefs in instants");
    Require(!IsNetwork() || !IsStub(model), "model", "one that learns");
    Require(
        IsNetwork() || initialWeights.empty(), "initialWeights", "empty with --family=" + family);
    Require(!IsMisspecified() || trueProbability > 0.5,
            "trueProbability",
            "0, or over 0.5: else labels are for another hypothesis");
    Require(design != "witness" || bits >= 2, "bits", "at least 2 with --design=witness");
    Require(witness < devices, "witness", fmt::format("less than {} (--devices)", devices));
    const auto parameters = GetTheta();
    const auto ranges = GetInputRange();
    Require(parameters.size() == ranges.size() + 1,
            "theta",
            fmt::format(
                "{} numbers, one more than --inputRange={} has", ranges.size() + 1, inputRange));
    Require(std::all_of(ranges.begin(), ranges.end(), [](double range) { return range > 0; }),
            "inputRange",
            "positive numbers");
}

void
BeliefParameters::ValidateExchange() const
{
    const std::string pooling = Get("pooling");
    const auto rates = GetUpdateRates();
    Require(rates.size() == devices &&
                std::all_of(rates.begin(), rates.end(), [](double rate) { return rate >= 1e-6; }),
            "updateRate",
            fmt::format("a number of at least 1e-6, or {} of them (--devices)", devices));
    Require(clipRadius == 0 || clipRadius >= 1e-100, "clipRadius", "0, or at least 1e-100");
    Require(weights != "given" || !matrix.empty(), "matrix", "given with --weights=given");
    Require(weights == "given" || matrix.empty(), "matrix", "empty without --weights=given");
    Require(topology != "nearest" || degree < devices,
            "degree",
            fmt::format("less than {} (--devices)", devices));
    if (IsAttributeGiven(USER + "Lie"))
    {
        throw UserError(fmt::format("argument --{}Lie is not allowed, as all users would lie; give "
                                    "--malicious and --lie",
                                    USER));
    }
    const bool isVeto = lie == "veto" && !GetLiars().empty();
    Require(!isVeto || family == "discrete", "lie", "another one without hypotheses");
    const bool isNegative = lie == "negative-precision" && !GetLiars().empty();
    Require(!isNegative || (family != "discrete" && !IsPoint()),
            "lie",
            "another one: these beliefs have no precision");
    Require(pooling != "clipped" || clipRadius > 0 || family == "discrete" ||
                IsAttributeGiven(USER + "ClipRadius"),
            "clipRadius",
            "positive with --family=" + family);
    Require(pooling != "clipped" || clipRadius > 0 || method != "gossip" ||
                IsAttributeGiven(USER + "ClipRadius"),
            "clipRadius",
            "positive with --method=gossip, for which no distance of honest users is known");
    const bool isGaussianOnly = pooling == "covariance-intersection";
    Require(!isGaussianOnly || family == "gaussian", "pooling", "for --family=gaussian");
    Require(pooling != "wasserstein" || family != "discrete",
            "pooling",
            "another one: hypotheses have no distance");
    Require(!TellsDegrees() || method != "gossip",
            "weights",
            "another one with --method=gossip, which has no instants");
    Require(!UsesParts() || IsPoint(),
            "loss",
            "best-effort or reliable with beliefs, parts of which are of no use; partial is for "
            "--method=d-psgd");
    Require(GetLiars().size() < devices, "malicious", "not all users");
    Require(GetLiars().empty() || IsTogether(),
            "malicious",
            "none with --method=" + method + ", whose users tell nobody anything");
}

void
BeliefParameters::CompleteCommon()
{
    places.inUse = links != "graph" && CountUsers() > 1;
    CommonParameters::CompleteCommon();
}

void
BeliefParameters::Validate() const
{
    ValidateCommon(false);
    Require(presence == "always" || !IsCentral(),
            "presence",
            "always with --method=" + method + ", whose only user is none of the devices");
    ValidateProblem();
    ValidateExchange();
}
