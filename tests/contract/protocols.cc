/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "contract/protocols.h"

#include "belief-consensus/belief-network.h"
#include "support/diverging-learner.h"
#include "support/table-learner.h"

#include "ns3/collab-shared-evaluation.h"
#include "ns3/committee-helper.h"
#include "ns3/d2d-channel.h"
#include "ns3/distillation-helper.h"
#include "ns3/federated-helper.h"
#include "ns3/gossip-helper.h"
#include "ns3/graph-discovery-helper.h"
#include "ns3/prediction-consensus-helper.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::collab;

namespace tests
{

std::shared_ptr<Learner>
ContractBench::MakeLearner(uint32_t device)
{
    if (m_setting.makeLearner)
    {
        m_learners.push_back(m_setting.makeLearner(device));
    }
    else
    {
        const bool fails = m_setting.fails == device;
        m_learners.push_back(std::make_shared<DivergingLearner>(
            std::vector<float>{1 + 0.1F * static_cast<float>(device), 2, 3, 4},
            fails ? m_setting.firstFailure : DivergingLearner::NEVER));
    }
    return m_learners.back();
}

std::shared_ptr<const DataView>
ContractBench::GetSamples() const
{
    return m_setting.samples ? m_setting.samples : MakeReference(8, 2);
}

namespace
{

constexpr uint64_t SEED = 11; //!< of what devices share
/// By which devices of federated learning send at once
const std::pair<std::string, std::string> ANALOG = {"Uplink", "Analog"};

/// @brief Let links not fade: analog aggregation has to know how they do.
void
FadeNoMore(ContractBench& bench)
{
    bench.GetRadio(0)->GetD2dChannel()->SetAttribute(
        "OutageModel", StringValue("ns3::collab::D2dThresholdOutageModel"));
}

ApplicationContainer
InstallPredictionConsensus(ContractBench& bench, const Attributes& attributes)
{
    std::vector<PredictionConsensusAgent> agents;
    for (const uint32_t device : bench.Ids())
    {
        const auto samples = bench.GetSamples();
        agents.push_back(
            {bench.MakeLearner(device), samples, {{"all", samples}}, {{"all", samples}}});
    }
    PredictionConsensusHelper helper(bench.m_pool);
    ProtocolBench::SetAttributes(
        helper, {{"Rounds", "3"}, {"PretrainingRounds", "1"}, {"RoundDeadline", "1s"}});
    ProtocolBench::SetAttributes(helper, attributes);
    return helper.Install(bench.m_nodes, agents);
}

/// @param bench whose last node is the server
/// @return applications of devices and server
ApplicationContainer
InstallFederated(FederatedHelper helper, ContractBench& bench, const Attributes& attributes)
{
    const uint32_t server = bench.m_nodes.GetN() - 1;
    NodeContainer clients;
    std::vector<FederatedAgent> agents;
    std::vector<uint32_t> ids;
    for (uint32_t device = 0; device < server; ++device)
    {
        clients.Add(bench.m_nodes.Get(device));
        ids.push_back(device);
        bench.GetTransport(device)->SetServer(server);
        FederatedAgent agent;
        agent.learner = bench.MakeLearner(device);
        agent.samples = 10;
        agent.evaluations = {std::make_shared<SharedEvaluation>("all", bench.GetSamples())};
        agents.push_back(agent);
    }
    ProtocolBench::SetAttributes(helper, {{"Rounds", "3"}, {"RoundDeadline", "1s"}});
    ProtocolBench::SetAttributes(helper, attributes);
    auto applications = helper.Install(
        bench.m_nodes.Get(server), agents.front().learner->GetWeights(), clients, agents);
    helper.GetServer()->SetEnsemble(
        std::make_shared<DivergingLearner>(std::vector<float>{1, 2, 3, 4}, DivergingLearner::NEVER),
        bench.GetSamples());
    applications.Add(helper.GetServer());
    return applications;
}

ApplicationContainer
InstallSynchronous(ContractBench& bench, const Attributes& attributes)
{
    FederatedHelper helper(bench.m_pool);
    ProtocolBench::SetAttributes(helper, {{"LocalEpochs", "1"}});
    if (std::find(attributes.begin(), attributes.end(), ANALOG) != attributes.end())
    {
        FadeNoMore(bench);
    }
    return InstallFederated(helper, bench, attributes);
}

ApplicationContainer
InstallBuffered(ContractBench& bench, const Attributes& attributes)
{
    FederatedHelper helper(bench.m_pool,
                           "ns3::collab::FederatedClientApplication",
                           "ns3::collab::FederatedBufferedServerApplication");
    ProtocolBench::SetAttributes(helper, {{"LocalEpochs", "1"}});
    return InstallFederated(helper, bench, attributes);
}

ApplicationContainer
InstallSemiDecentralized(ContractBench& bench, const Attributes& attributes)
{
    FederatedHelper helper(bench.m_pool, "ns3::collab::SemiDecentralizedClientApplication");
    helper.SetSets({{0, 1}, {2, 3}});
    helper.SetSamplingSeed(SEED);
    return InstallFederated(helper, bench, attributes);
}

ApplicationContainer
InstallDistillation(ContractBench& bench, const Attributes& attributes)
{
    const uint32_t server = bench.m_nodes.GetN() - 1;
    NodeContainer clients;
    std::vector<DistillationAgent> agents;
    for (uint32_t device = 0; device < server; ++device)
    {
        clients.Add(bench.m_nodes.Get(device));
        bench.GetTransport(device)->SetServer(server);
        const auto samples = bench.GetSamples();
        agents.push_back({bench.MakeLearner(device),
                          samples,
                          samples,
                          SEED,
                          {std::make_shared<SharedEvaluation>("all", samples)}});
    }
    DistillationHelper helper(bench.m_pool);
    ProtocolBench::SetAttributes(
        helper, {{"Rounds", "3"}, {"PretrainingRounds", "1"}, {"RoundDeadline", "1s"}});
    ProtocolBench::SetAttributes(helper, attributes);
    auto applications = helper.Install(bench.m_nodes.Get(server), clients, agents);
    applications.Add(helper.GetServer());
    return applications;
}

/// @return what installs them
std::function<ApplicationContainer(ContractBench&, const Attributes&)>
InstallGossip(const std::string& type, const Attributes& own)
{
    return [=](ContractBench& bench, const Attributes& attributes) {
        std::vector<GossipAgent> agents;
        for (const uint32_t device : bench.Ids())
        {
            agents.push_back({bench.MakeLearner(device), 10, "", {{"all", bench.GetSamples()}}});
        }
        if (type == "AirCompGossip" && bench.GetRadio(0))
        {
            FadeNoMore(bench);
        }
        GossipHelper helper("ns3::collab::" + type + "Application", bench.m_pool, SEED);
        ProtocolBench::SetAttributes(helper, {{"LocalEpochs", "1"}});
        ProtocolBench::SetAttributes(helper, own);
        ProtocolBench::SetAttributes(helper, attributes);
        return helper.Install(bench.m_nodes, agents);
    };
}

/// @return what installs the committee mechanism
std::function<ApplicationContainer(ContractBench&, const Attributes&)>
InstallCommittee(const std::string& rule)
{
    return [=](ContractBench& bench, const Attributes& attributes) {
        std::vector<CommitteeAgent> agents;
        for (const uint32_t device : bench.Ids())
        {
            agents.push_back({bench.MakeLearner(device), 10, "", ""});
        }
        CommitteeHelper helper(bench.m_pool, SEED);
        ProtocolBench::SetAttributes(helper,
                                     {{"Rounds", "3"},
                                      {"QuorumRule", rule},
                                      {"CommitteeSize", "4"},
                                      {"TrainingClients", "4"},
                                      {"Patience", "50s"},
                                      {"GradientTimeout", "1s"}});
        ProtocolBench::SetAttributes(helper, attributes);
        helper.AddEvaluation(std::make_shared<SharedEvaluation>("all", bench.GetSamples()));
        return helper.Install(bench.m_nodes, agents);
    };
}

/// @return what installs users that see one of two bits each, and trust each other alike
std::function<ApplicationContainer(ContractBench&, const Attributes&)>
InstallBeliefs(const std::string& type)
{
    return [=](ContractBench& bench, const Attributes& attributes) {
        const uint32_t users = bench.m_nodes.GetN();
        std::vector<std::unique_ptr<BeliefModel>> models;
        for (uint32_t user = 0; user < users; ++user)
        {
            models.push_back(std::make_unique<TestBelief>(MakeBitBelief(user % 2, SEED + user),
                                                          TestBelief::Settings{}));
        }
        BeliefConsensusHelper helper(bench.m_pool, "ns3::collab::" + type + "Application");
        ProtocolBench::SetAttributes(helper, {{"Rounds", "4"}});
        ProtocolBench::SetAttributes(helper, attributes);
        const auto applications =
            helper.Install(bench.m_nodes, std::move(models), MakeUniformWeights(users));
        BeliefConsensusHelper::AssignStreams(applications, 1000);
        return applications;
    };
}

/// @return places of so many labels, all devices with eight datapoints of two of them
std::vector<DiscoveryAgent>
MakeDiscoveryAgents(uint32_t devices, uint32_t labels)
{
    constexpr uint32_t FEATURES = 3;
    auto data = std::make_shared<DataSet>();
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {FEATURES};
    data->classes = labels;
    std::vector<DiscoveryAgent> agents(devices);
    for (uint32_t device = 0; device < devices; ++device)
    {
        std::vector<uint32_t> own;
        for (uint32_t i = 0; i < 16; ++i)
        {
            const uint32_t label = (device + i % 2) % labels;
            own.push_back(static_cast<uint32_t>(data->labels.size()));
            data->labels.push_back(label);
            for (uint32_t f = 0; f < FEATURES; ++f)
            {
                data->numbers.push_back((label == f ? 10.0F : 0.0F) +
                                        0.1F * static_cast<float>((i * 7 + f * 3 + device) % 10));
            }
        }
        agents[device].samples.indices = own;
        agents[device].seed = SEED + device;
    }
    for (auto& agent : agents)
    {
        agent.samples = MakeView(data, agent.samples.indices);
    }
    return agents;
}

/// @return what installs devices that look for others
std::function<ApplicationContainer(ContractBench&, const Attributes&)>
InstallDiscovery(const std::string& type, const Attributes& own)
{
    return [=](ContractBench& bench, const Attributes& attributes) {
        constexpr uint32_t LABELS = 3;
        const uint32_t devices = bench.m_nodes.GetN();
        auto agents = MakeDiscoveryAgents(devices, LABELS);
        if (type == "LatentDiscovery")
        {
            for (auto& agent : agents)
            {
                agent.samples.labels.clear();
            }
        }
        GraphDiscoveryHelper helper("ns3::collab::" + type + "Application", bench.m_pool);
        ProtocolBench::SetAttributes(helper,
                                     {{"Rounds", "1"},
                                      {"Iterations", "4"},
                                      {"ExchangeDeadline", "1s"},
                                      {"ReceiptDeadline", "100ms"}});
        ProtocolBench::SetAttributes(helper, own);
        ProtocolBench::SetAttributes(helper, attributes);
        const auto trust = DrawTrust(devices, LABELS, {TrustStructure::FULL, 0, 0}, SEED);
        return helper.Install(bench.m_nodes, agents, trust);
    };
}

/// What arrives of models and predictions is used
const ProtocolForm PARTIAL = {"Partial", {{"LossPolicy", "Partial"}}};

/// @return prediction consensus
Protocol
MakePredictionConsensus()
{
    Protocol protocol;
    protocol.name = "PredictionConsensus";
    protocol.believes = {Strange::STRANGERS};
    protocol.forms = {{"InBytes", {}, "Bytes"},
                      PARTIAL,
                      {"TopLabels", {{"LabelTopK", "1"}, {"LabelPrecision", "Float16"}}, "Bytes"},
                      {"MajorityVote", {{"ConsensusMode", "MajorityVote"}}},
                      {"MajorityVoteInBytes", {{"ConsensusMode", "MajorityVote"}}, "Bytes"}};
    protocol.install = InstallPredictionConsensus;
    return protocol;
}

/// @return federated learning with a server that is one of the devices, in rounds
Protocol
MakeFederated()
{
    Protocol protocol;
    protocol.name = "Federated";
    protocol.server = 3;
    protocol.endsAlike = true;
    protocol.hasOneModel = true;
    protocol.forms = {
        {"Int8", {{"Compression", "int8"}}, "Bytes"},
        {"FedProxMedian", {{"Algorithm", "FedProx"}, {"AggregationRule", "median"}}},
        {"Scaffold", {{"Algorithm", "Scaffold"}, {"LearningRate", "0.1"}}},
        {"FedDyn", {{"Algorithm", "FedDyn"}}},
        {"FedDf", {{"Algorithm", "FedDf"}}},
        {"FedKSeed", {{"Algorithm", "FedKSeed"}, {"Compression", "top-k:k=2"}}, "Bytes"},
        PARTIAL,
        {"PartialReliable", {{"LossPolicy", "PartialReliable"}}},
        {"FedNova", {{"Algorithm", "FedNova"}, {"Compression", "random-k:fraction=0.5"}}},
        {"Analog", {ANALOG}, "Bytes", true}};
    protocol.install = InstallSynchronous;
    return protocol;
}

/// @return federated distillation with a server that is one of the devices
Protocol
MakeDistillation()
{
    Protocol protocol;
    protocol.name = "Distillation";
    protocol.server = 3;
    protocol.believes = {Strange::STRANGERS};
    protocol.forms = {{"InBytes", {}, "Bytes"},
                      {"Cached", {{"Algorithm", "DsFl"}, {"CacheDuration", "1"}}},
                      {"Selective", {{"Algorithm", "SelectiveFd"}}, "Bytes"}};
    protocol.install = InstallDistillation;
    return protocol;
}

/// @return federated learning with a server that has a buffer
Protocol
MakeBuffered()
{
    Protocol protocol;
    protocol.name = "FedBuff";
    protocol.believes = {Strange::DUPLICATES}; // the same model is another assignment
    protocol.forms = {PARTIAL};
    protocol.server = 3;
    protocol.hasOneModel = true;
    protocol.install = InstallBuffered;
    return protocol;
}

/// @return federated learning in sets of devices, with a base station
Protocol
MakeSemiDecentralized()
{
    Protocol protocol;
    protocol.name = "SemiDecentralized";
    protocol.server = 4;
    protocol.hasBaseStation = true;
    protocol.endsAlike = true;
    protocol.hasOneModel = true;
    protocol.forms = {{"Int8", {{"Compression", "int8"}}, "Bytes"}};
    protocol.divergenceEndsRun = true;
    protocol.install = InstallSemiDecentralized;
    return protocol;
}

/// @return gossip
Protocol
MakeGossip(const std::string& name, uint32_t rounds, Attributes attributes)
{
    Protocol protocol;
    protocol.name = name;
    protocol.rounds = rounds;
    protocol.trainsSeldom = name == "BrainTorrent" || name == "Teleportation"; // in turns
    protocol.forms = {PARTIAL};
    if (name == "DecentralizedFedAvgm")
    {
        protocol.forms = {{"Int8", {{"Compression", "int8"}}, "Bytes"}};
    }
    if (name == "AirCompGossip")
    {
        protocol.isAnalog = true;
        protocol.forms = {{"InBytes", {}, "Bytes"}};
    }
    if (name == "SegmentedGossip")
    {
        protocol.believes = {Strange::QUESTIONS}; // and gives the model that it has by then
    }
    attributes.emplace_back("Rounds", std::to_string(rounds));
    protocol.install = InstallGossip(name, attributes);
    return protocol;
}

/// @param rule of quorums: Paper or Byzantine
/// @return the committee mechanism
Protocol
MakeCommittee(const std::string& rule)
{
    Protocol protocol;
    protocol.name = rule + "Committee";
    protocol.devices = 8;
    protocol.resumes = true;
    protocol.endsAlike = true;
    protocol.hasOneModel = true;
    protocol.believes = {Strange::ROUNDS};
    protocol.forms = {{"Accumulated", {{"GradientMode", "Accumulated"}}, "Bytes"},
                      {"Printed", {{"GradientMode", "Printed"}}, "Bytes"}};
    protocol.install = InstallCommittee(rule);
    return protocol;
}

/// @return consensus of beliefs
Protocol
MakeBeliefs(const std::string& name)
{
    Protocol protocol;
    protocol.name = name;
    protocol.rounds = 4;
    protocol.learns = false;
    if (name == "BeliefGossip")
    {
        protocol.believes = {Strange::DUPLICATES}; // counted as outdated
    }
    protocol.install = InstallBeliefs(name);
    return protocol;
}

/// @return graph discovery
Protocol
MakeDiscovery(const std::string& name, const Attributes& attributes)
{
    Protocol protocol;
    protocol.name = name;
    protocol.rounds = 1;
    protocol.learns = false;
    protocol.believes = {Strange::ROUNDS};
    protocol.forms = {{"Repeated", {{"DataLossPolicy", "PartialReliable"}}},
                      {"Retained", {{"RetainUntilAcked", "true"}}}};
    if (name == "LatentDiscovery")
    {
        protocol.believes.insert(Strange::PARTS); // of clusters, as many as there are
    }
    protocol.install = InstallDiscovery(name, attributes);
    return protocol;
}

} // namespace

std::vector<Protocol>
GetProtocols()
{
    return {
        MakePredictionConsensus(),
        MakeFederated(),
        MakeDistillation(),
        MakeBuffered(),
        MakeSemiDecentralized(),
        MakeGossip("BrainTorrent", 6, {}),
        MakeGossip("GossipFl", 3, {{"Fraction", "0.5"}}),
        MakeGossip("SegmentedGossip", 3, {{"Segments", "2"}}),
        MakeGossip("ChocoSgd", 3, {{"Compression", "top-k:k=2"}}),
        MakeGossip("StochasticGradientPush", 3, {}),
        MakeGossip("EpidemicLearning", 3, {{"Receivers", "2"}}),
        MakeGossip("Teleportation", 3, {{"Active", "3"}}),
        MakeGossip("DecentralizedFedAvgm", 3, {}),
        MakeGossip("AirCompGossip", 3, {}),
        MakeCommittee("Paper"),
        MakeCommittee("Byzantine"),
        MakeBeliefs("BeliefConsensus"),
        MakeBeliefs("BeliefGossip"),
        MakeDiscovery("LabelDiscovery", {}),
        MakeDiscovery("LatentDiscovery", {{"Components", "2"}}),
    };
}

} // namespace tests
