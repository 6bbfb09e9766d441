/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-scenario.h"

#include "common/scenario.h"

#include "ns3/collab-analog-port.h"
#include "ns3/collab-compression.h"
#include "ns3/collab-message-header.h"
#include "ns3/collab-processor.h"
#include "ns3/collab-wire-format.h"
#include "ns3/gossip-defense.h"
#include "ns3/gossip-fl-application.h"
#include "ns3/gossip-merge.h"
#include "ns3/gossip-recorder.h"

using namespace ns3;
using namespace ns3::collab;

namespace
{

constexpr uint32_t MOST_DEVICES = 1000000;   //!< of whom each knows its neighbors
constexpr uint32_t MOST_KNOWING_ALL = 10000; //!< of whom each knows all

/// Whose neighbors may be malicious
constexpr const char* FORGING = "ns3::collab::DecentralizedFedAvgmApplication";

/// Applications of the algorithms, by name
const std::map<std::string, std::string> TYPES = {
    {"aircomp", "ns3::collab::AirCompGossipApplication"},
    {"braintorrent", "ns3::collab::BrainTorrentApplication"},
    {"choco-sgd", "ns3::collab::ChocoSgdApplication"},
    {"dfedavgm", FORGING},
    {"epidemic", "ns3::collab::EpidemicLearningApplication"},
    {"sgp", "ns3::collab::StochasticGradientPushApplication"},
    {"gossipfl", "ns3::collab::GossipFlApplication"},
    {"segmented", "ns3::collab::SegmentedGossipApplication"},
    {"teleportation", "ns3::collab::TeleportationApplication"}};

/// What the user calls the attributes that are waits
const std::map<std::string, std::string> TIMEOUTS = {{"VersionTimeout", "--controlTimeout"},
                                                     {"MatchTimeout", "--controlTimeout"},
                                                     {"FetchTimeout", "--transferTimeout"},
                                                     {"ExchangeTimeout", "--transferTimeout"},
                                                     {"PullTimeout", "--transferTimeout"},
                                                     {"MixTimeout", "--transferTimeout"},
                                                     {"TurnTimeout", "--turnTimeout"},
                                                     {"AnnounceTime", "--announceTime"}};

/// @param malicious devices, ascending
/// @return what each device learns with
std::vector<GossipAgent>
MakeAgents(const GossipParameters& p,
           const ScenarioSamples& samples,
           const std::vector<uint32_t>& malicious)
{
    const FlatVector weights = DrawWeights(p, MakeLearnerConfig(p, samples, 0));
    std::vector<GossipAgent> agents;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        GossipAgent agent;
        agent.learner = MakeSharingLearner(p, MakeLearnerConfig(p, samples, device), weights);
        agent.samples = static_cast<uint32_t>(samples.train[device].Size());
        agent.evaluations = {{"reference", samples.reference},
                             {"local", std::make_shared<const DataView>(samples.test[device])},
                             {"global", samples.global}};
        if (std::binary_search(malicious.begin(), malicious.end(), device))
        {
            agent.attack = p.GetGradientAttack();
        }
        agents.push_back(std::move(agent));
    }
    return agents;
}

/// @return how long it computes in a round: it trains, and merges the models of all peers at most
Time
FindComputing(const GossipParameters& p, const Ptr<Node>& node, const Learner& learner)
{
    TrainTask task;
    task.epochs = p.Get<uint32_t>("localEpochs");
    task.steps = p.Get<uint32_t>("localSteps");
    const std::size_t weights = learner.GetWeights()->size();
    const uint64_t merge = CountMergeFlops(weights, weights * (p.devices - 1));
    return node->GetObject<Processor>()->GetDuration(learner.CountMostTrainFlops(task) +
                                                     merge * learner.GetMultiplicity());
}

/// @return models that are on air one after the other before a device has all that it waits for, at
/// most: those to it and, from a device that all may ask for theirs, those to the others too; or
/// those of all that share a subchannel
double
CountModelsInARow(const GossipParameters& p, const WaitEstimator& waits)
{
    const double devices = p.devices;
    const double sharing = std::min(waits.CountSharing(), p.devices);
    if (p.algorithm == "braintorrent")
    {
        return devices - 1; // that a half-duplex device asks for while it receives others
    }
    if (p.algorithm == "gossipfl" || p.algorithm == "sgp")
    {
        const double part = p.algorithm == "sgp" ? 1 : p.Get<double>("fraction");
        return std::max(sharing, 2.0) * part; // both ways
    }
    return std::max(sharing * p.Get<uint32_t>("replicas"),
                    devices - 1 + p.Get<uint32_t>("replicas"));
}

/// @param numbers of a model
/// @return how long the analog slots of all devices take, one after the other
Time
FindSlots(const GossipParameters& p, const NodeContainer& nodes, std::size_t numbers)
{
    const AnalogPort port =
        nodes.Get(0)->GetObject<Transport>()->GetAnalogPort(nodes.Get(1)->GetId());
    const D2dAnalogLayout layout = port.air->GetLayout(numbers, p.devices - 1);
    port.air->CheckLayout(*port.radio, layout);
    return layout.GetAirtime(port.radio->GetBandwidthHz()) * int64_t{p.devices};
}

/// Refuse compression that vectors of the model cannot have
void
CheckCompression(const GossipParameters& p, const Learner& learner)
{
    const std::string compression = p.Get("compression");
    const std::size_t weights = learner.GetWeights()->size();
    CheckArgument(
        "compression", compression, [&]() { MakeCompressor(compression)->EncodedSize(weights); });
    const auto compressor = MakeCompressor(compression);
    p.Require(compressor->IsContraction(), "compression", "a compressor that scales nothing up");
    p.Require(compressor->IsExact() || (!IsStub(p.model) && weights == learner.GetParameterCount()),
              "compression",
              "float32 with --model=" + p.model +
                  ": numbers of stubs have no meaning, and changes that are sent later would make "
                  "running variances negative");
}

} // namespace

GossipParameters::GossipParameters()
{
    runDir = "runs/gossip";
    lowQuality = "none"; // a mean of models has no defense against bad ones
    maxOutage = 0.1;     // with 0.4, of hundreds of fragments one fails 8 times
    const std::string gossip = "ns3::collab::GossipApplication::";
    const auto isSgd = [this]() { return UsesSgd(); };
    DeclareSamples(MOST_DEVICES);
    DeclareTargets();
    DeclareModel()
        .Follows(gossip + "LearningRate",
                 [isSgd]() {
                     return !isSgd() &&
                            GetGivenNumber("ns3::collab::GossipApplication::LearningRate") > 0;
                 })
        .OnlyIf([isSgd]() { return !isSgd(); }, "Adam (SGD has --sgdLearningRate)");
    DeclareWeights();
    DeclareTraining();
    DeclareSharing();
    Add("algorithm", algorithm, "how models are exchanged")
        .Choices({"aircomp",
                  "braintorrent",
                  "choco-sgd",
                  "dfedavgm",
                  "epidemic",
                  "gossipfl",
                  "segmented",
                  "sgp",
                  "teleportation"});
    Add("optimizer", optimizer, "what takes the steps").Choices({"adam", "sgd"});
    Add("sgdLearningRate", sgdLearningRate, "of SGD")
        .AtLeast(1e-9)
        .Below(1e9)
        .Follows(gossip + "LearningRate",
                 [isSgd]() {
                     return isSgd() &&
                            GetGivenNumber("ns3::collab::GossipApplication::LearningRate") > 0;
                 })
        .OnlyIf(isSgd, "SGD (Adam has --learningRate)");
    Take("rounds", "ns3::collab::CollaborationApplication::Rounds")
        .Help("rounds; of braintorrent turns of one device, and if not given ten times --devices")
        .Default(20);
    Add("turns", turns, "if not 0, turns of each device on average, instead of --rounds")
        .For("algorithm", {"braintorrent"})
        .AtMost(100000);
    Take("localEpochs", gossip + "LocalEpochs")
        .OnlyIf([this]() { return Get<uint32_t>("localSteps") == 0; },
                "trainings without --localSteps");
    Take("localSteps", gossip + "LocalSteps");
    DeclareExchange();
    Take("defense", std::string(FORGING) + "::Defense").For("algorithm", {"dfedavgm"});
    DeclareMalice(*this, FORGING);
    DeclareWaits();
    Take("receiverSensing", "ns3::collab::D2dMac::ReceiverSensing").Default(true);
    DeclareNetwork();
    DeclareKnowledge();
    DeclareRun();
}

void
GossipParameters::DeclareExchange()
{
    Take("fraction", "ns3::collab::GossipFlApplication::Fraction")
        .Default(0.1)
        .For("algorithm", {"gossipfl"});
    Take("avoidedLinks", "ns3::collab::GossipFlApplication::AvoidedLinks")
        .For("algorithm", {"gossipfl"});
    Take("connectionWindow", "ns3::collab::GossipFlApplication::ConnectionWindow")
        .For("algorithm", {"gossipfl"});
    Take("segments", "ns3::collab::SegmentedGossipApplication::Segments")
        .For("algorithm", {"segmented"});
    Take("replicas", "ns3::collab::SegmentedGossipApplication::Replicas")
        .For("algorithm", {"segmented"});
    Take("compression", "ns3::collab::NeighborGossipApplication::Compression")
        .Help("of what neighbors get: float32, float16, int8, top-k or random-k, with parameters; "
              "of choco-sgd, if not given, top-k:fraction=0.1")
        .For("algorithm", {"choco-sgd", "dfedavgm"});
    Take("consensusStep", "ns3::collab::ChocoSgdApplication::ConsensusStepSize")
        .For("algorithm", {"choco-sgd"});
    Take("receivers", "ns3::collab::EpidemicLearningApplication::Receivers")
        .For("algorithm", {"epidemic"});
    Take("active", "ns3::collab::TeleportationApplication::Active")
        .For("algorithm", {"teleportation"});
    Take("runningSums", "ns3::collab::StochasticGradientPushApplication::RunningSums")
        .For("algorithm", {"sgp"});
    Take("loss", "ns3::collab::GossipApplication::LossPolicy");
}

std::optional<double>
GossipParameters::GetSgdRate() const
{
    return optimizer == "sgd" ? std::optional(sgdLearningRate) : std::nullopt;
}

void
GossipParameters::DeclareWaits()
{
    const auto is = [this](const std::string& name) {
        return [this, name]() { return algorithm == name; };
    };
    constexpr double BOUND = 1e9; // [s]
    AddWait("controlTimeout",
            controlTimeout,
            "longest wait for versions or pairs; 0 for as long as devices compute, and in gossipfl "
            "exchange and announce, that are waited for, and 5 s at least",
            BOUND)
        .For("algorithm", {"braintorrent", "gossipfl"})
        .Also("ns3::collab::BrainTorrentApplication::VersionTimeout", is("braintorrent"))
        .Also("ns3::collab::GossipFlApplication::MatchTimeout", is("gossipfl"));
    AddWait("transferTimeout",
            transferTimeout,
            "longest wait for weights; 0 for as long as devices compute and send that are waited "
            "for, and 60 s at least",
            BOUND)
        .Also("ns3::collab::BrainTorrentApplication::FetchTimeout", is("braintorrent"))
        .Also("ns3::collab::GossipFlApplication::ExchangeTimeout", is("gossipfl"))
        .Also("ns3::collab::SegmentedGossipApplication::PullTimeout", is("segmented"))
        .Also("ns3::collab::AveragingGossipApplication::MixTimeout",
              [this]() { return IsAveraging(); });
    AddWait("turnTimeout",
            turnTimeout,
            "patience with another device's turn; 0 for both other timeouts and two "
            "trainings, and 120 s at least",
            BOUND)
        .For("algorithm", {"braintorrent"})
        .Also("ns3::collab::BrainTorrentApplication::TurnTimeout");
    AddWait("announceTime",
            announceTime,
            "before the first round, twice, time for the rates that all announce; 0 for as long "
            "as that takes by the radio, and 1 s at least",
            BOUND)
        .For("algorithm", {"gossipfl"})
        .Also("ns3::collab::GossipFlApplication::AnnounceTime", is("gossipfl"));
}

void
GossipParameters::CompleteCommon()
{
    constexpr uint32_t TURNS = 10;
    CommonParameters::CompleteCommon();
    Require(
        turns == 0 || !Find("rounds")->IsGiven(), "turns", "0 with --rounds, which it stands for");
    if (algorithm == "braintorrent" && !Find("rounds")->IsGiven())
    {
        Set("rounds", (turns > 0 ? turns : TURNS) * devices);
    }
    if (algorithm == "choco-sgd" && !Find("compression")->IsGiven() && !IsStub(model))
    {
        Set("compression", "top-k:fraction=0.1");
    }
    CompleteMalice(std::string(FORGING) + "::GradientAttack");
}

void
GossipParameters::Validate() const
{
    ValidateCommon(true);
    Require(devices <= MOST_KNOWING_ALL || algorithm == "dfedavgm",
            "devices",
            fmt::format("at most {} with --algorithm={}, whose devices know all others",
                        MOST_KNOWING_ALL,
                        algorithm));
    ValidateTraining();
    Require(turns == 0 || algorithm == "braintorrent",
            "turns",
            "0 with --algorithm=" + algorithm + ", in whose rounds all devices train");
    Require(Get("loss").rfind("partial", 0) != 0 || !IsStub(model),
            "loss",
            "reliable or best-effort with stubs, whose models are of no use in parts");
    const auto replicas = Get<uint32_t>("replicas");
    Require(replicas < devices, "replicas", "at least 1, and less than --devices");
    Require(algorithm != "epidemic" || Get<uint32_t>("receivers") < devices,
            "receivers",
            "at least 1, and less than --devices");
    Require(algorithm != "teleportation" || Get<uint32_t>("active") <= devices,
            "active",
            "at least 1, and at most --devices");
    Require(algorithm != "aircomp" || Get("loss") == "reliable",
            "loss",
            "reliable with --algorithm=aircomp, whose devices must know of the slots");
    Require(algorithm != "aircomp" || !IsStub(model),
            "model",
            "no stub with --algorithm=aircomp, which sends its numbers as they are");
    ValidateMalice();
    Require(maliciousPercent == 0 || algorithm == "dfedavgm" || GetGradientAttack().empty(),
            "attack",
            "label-flip or none with --algorithm=" + algorithm);
    CheckArgument("defense", Get("defense"), [this]() {
        Require(!MakeGossipDefense(Get("defense"))->NeedsModels() ||
                    MakeCompressor(Get("compression"))->IsExact(),
                "defense",
                "none with --compression, by which changes of models travel");
    });
}

void
CompleteTimeouts(GossipParameters& p,
                 const NodeContainer& nodes,
                 const std::vector<GossipAgent>& agents)
{
    constexpr int64_t LEAD = 8; // rounds
    const WorstLinks worst(p);
    const WaitEstimator waits(
        nodes, p.Get("loss") == "best-effort" ? LossPolicy::BEST_EFFORT : LossPolicy::RELIABLE);
    const double models = CountModelsInARow(p, waits);
    Time shortest = Time::Max();
    Time longest;
    Time onAir;
    uint64_t most = 0; // bytes of a broadcast
    const bool isBroadcast = p.IsAveraging() && p.algorithm != "sgp";
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        const Learner& learner = *agents[device].learner;
        const Time round = FindComputing(p, nodes.Get(device), learner);
        shortest = std::min(shortest, round);
        longest = std::max(longest, round);
        const uint64_t values = learner.GetWeights()->size() * learner.GetMultiplicity();
        const uint64_t bytes = MessageHeader::SIZE + values * WIRE_WORD;
        most = std::max(most, bytes);
        if (!isBroadcast)
        {
            onAir = std::max(onAir, waits.Unicast(bytes, nodes.Get(device), models));
        }
    }
    if (p.algorithm == "aircomp")
    {
        // Heads, and slots of others, in which a device that is ahead has no part
        const auto head = MessageHeader::SIZE + (2 + 2 * uint64_t{p.devices - 1}) * WIRE_WORD;
        const std::size_t numbers = agents[0].learner->GetWeights()->size();
        onAir = waits.Broadcast(head) + FindSlots(p, nodes, numbers);
    }
    else if (isBroadcast)
    {
        onAir = waits.Broadcast(most); // of all devices
    }
    const bool isByTurns = p.algorithm == "braintorrent";
    const Time computing = isByTurns ? longest : std::max(longest, LEAD * (longest - shortest));
    Time announcing;
    if (p.algorithm == "gossipfl")
    {
        announcing = waits.Broadcast(GossipFlApplication::GetRatesSize(p.devices));
    }
    const auto complete = [](double& timeout, double least, Time time, double before = 0) {
        const double computed = before + WaitEstimator::AddMargin(time).GetSeconds();
        timeout = timeout == 0 ? std::max(least, computed) : timeout;
    };
    complete(p.announceTime, 1, announcing);
    // A coordinator may still exchange its part, and all may announce their rates before the pairs;
    // a peer that is asked for its version does not
    complete(p.controlTimeout, 5, computing + (isByTurns ? Time() : onAir) + announcing);
    complete(p.transferTimeout, 60, computing + onAir);
    complete(p.turnTimeout, 120, 2 * longest, p.controlTimeout + p.transferTimeout);
}

void
RunGossip(GossipParameters& p, std::ostream& output)
{
    PrepareParameters(p);
    ScenarioSamples samples = LoadSamples(p, p.targetGroups);
    const auto malicious = DrawMalicious(p, p.devices);
    PoisonSamples(p, malicious, samples);
    SimulatorGuard guard;
    const ScenarioNetwork network = MakeNetwork(p);
    const auto agents = MakeAgents(p, samples, malicious);
    const auto& learner = agents[0].learner;
    const std::size_t weights = learner->GetWeights()->size() * learner->GetMultiplicity();
    p.Require(p.Get<uint32_t>("segments") <= weights,
              "segments",
              fmt::format("at most the {} weights of the model", weights));
    CheckCompression(p, *learner);
    CompleteTimeouts(p, network.nodes, agents);
    const std::string& type = TYPES.at(p.algorithm);
    GossipHelper helper(type, MakePool(p), SeedFor(RandomPurpose::PARTICIPATION));
    SetAttributes(p, type, helper);
    const ApplicationContainer applications = helper.Install(network.nodes, agents);

    RunResults results(p,
                       {"gossip", "algorithm", GetMeasure(samples, "reference"), malicious},
                       samples,
                       network,
                       output);
    results.WritePartition(samples);
    RunRecorder recorder(*results.tables, applications);
    GossipRecorder exchanges(*results.tables, applications);
    results.Play(p, recorder, applications);
    results.Print(exchanges.FindShortWaits(TIMEOUTS));
    WriteLearners(p, results, samples, GetLearners(agents));
    results.Finish();
}
