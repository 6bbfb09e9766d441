/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "contract/protocols.h"

#include "support/diverging-learner.h"
#include "support/table-learner.h"

#include "ns3/belief-consensus-belief.h"
#include "ns3/belief-consensus-discrete.h"
#include "ns3/belief-consensus-helper.h"
#include "ns3/collab-shared-evaluation.h"
#include "ns3/committee-helper.h"
#include "ns3/federated-helper.h"
#include "ns3/gossip-helper.h"
#include "ns3/graph-discovery-helper.h"
#include "ns3/prediction-consensus-helper.h"

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
            std::vector<float>{1, 2, 3, 4 + 0.01F * static_cast<float>(device)},
            fails ? m_setting.firstFailure : DivergingLearner::NEVER));
    }
    return m_learners.back();
}

namespace
{

constexpr uint64_t SEED = 11; //!< of what devices share

/// @return what models are measured on
std::shared_ptr<const DataView>
GetSamples()
{
    return MakeReference(8, 2);
}

ApplicationContainer
InstallPredictionConsensus(ContractBench& bench, const Attributes& attributes)
{
    std::vector<PredictionConsensusAgent> agents;
    for (const uint32_t device : bench.Ids())
    {
        const auto samples = GetSamples();
        agents.push_back(
            {bench.MakeLearner(device), samples, {{"all", samples}}, {{"all", samples}}});
    }
    PredictionConsensusHelper helper(bench.m_pool);
    ProtocolBench::SetAttributes(
        helper, {{"Rounds", "3"}, {"PretrainingRounds", "1"}, {"RoundDeadline", "1s"}});
    ProtocolBench::SetAttributes(helper, attributes);
    return helper.Install(bench.m_nodes, agents);
}

/**
 * @param helper of the applications
 * @param bench whose last node is the server
 * @param attributes of the applications
 * @return applications of devices and server
 */
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
        agent.evaluations = {std::make_shared<SharedEvaluation>("all", GetSamples())};
        agents.push_back(agent);
    }
    ProtocolBench::SetAttributes(helper, {{"Rounds", "3"}, {"RoundDeadline", "1s"}});
    ProtocolBench::SetAttributes(helper, attributes);
    auto applications = helper.Install(
        bench.m_nodes.Get(server), agents.front().learner->GetWeights(), clients, agents);
    applications.Add(helper.GetServer());
    return applications;
}

ApplicationContainer
InstallSynchronous(ContractBench& bench, const Attributes& attributes)
{
    FederatedHelper helper(bench.m_pool);
    ProtocolBench::SetAttributes(helper, {{"LocalEpochs", "1"}});
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

/**
 * @param type of the applications
 * @param own attributes
 * @return what installs them
 */
std::function<ApplicationContainer(ContractBench&, const Attributes&)>
MakeGossip(const std::string& type, const Attributes& own)
{
    return [=](ContractBench& bench, const Attributes& attributes) {
        std::vector<GossipAgent> agents;
        for (const uint32_t device : bench.Ids())
        {
            agents.push_back({bench.MakeLearner(device), 10, {{"all", GetSamples()}}});
        }
        GossipHelper helper("ns3::collab::" + type + "Application", bench.m_pool, SEED);
        ProtocolBench::SetAttributes(helper, {{"LocalEpochs", "1"}});
        ProtocolBench::SetAttributes(helper, own);
        ProtocolBench::SetAttributes(helper, attributes);
        return helper.Install(bench.m_nodes, agents);
    };
}

/**
 * @param rule of quorums
 * @return what installs the committee mechanism
 */
std::function<ApplicationContainer(ContractBench&, const Attributes&)>
MakeCommittee(const std::string& rule)
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
                                      {"GradientTimeout", "1s"}});
        ProtocolBench::SetAttributes(helper, attributes);
        helper.AddEvaluation(std::make_shared<SharedEvaluation>("all", GetSamples()));
        return helper.Install(bench.m_nodes, agents);
    };
}

/**
 * @param type of the applications
 * @return what installs users that see one of two bits each, and trust each other alike
 */
std::function<ApplicationContainer(ContractBench&, const Attributes&)>
MakeBeliefs(const std::string& type)
{
    return [=](ContractBench& bench, const Attributes& attributes) {
        const uint32_t users = bench.m_nodes.GetN();
        std::vector<std::unique_ptr<BeliefModel>> models;
        for (uint32_t user = 0; user < users; ++user)
        {
            DiscreteBeliefConfig config;
            config.observers = {
                std::make_shared<const DiscreteObserver>(MakeBitObserver(2, user % 2, 0.7, 2))};
            config.seeds = {SEED + user};
            config.best = {2};
            models.push_back(MakeDiscreteBelief(std::move(config)));
        }
        BeliefConsensusHelper helper(bench.m_pool, "ns3::collab::" + type + "Application");
        ProtocolBench::SetAttributes(helper, {{"Rounds", "4"}});
        ProtocolBench::SetAttributes(helper, attributes);
        const auto applications =
            helper.Install(bench.m_nodes, std::move(models), {users, users, 1.0 / users});
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

/**
 * @param type of the applications
 * @param own attributes
 * @return what installs devices that look for others
 */
std::function<ApplicationContainer(ContractBench&, const Attributes&)>
MakeDiscovery(const std::string& type, const Attributes& own)
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

} // namespace

std::vector<Protocol>
GetProtocols()
{
    const std::vector<ProtocolForm> labels = {
        {"InBytes", {}, "Bytes"},
        {"TopLabels", {{"LabelTopK", "1"}, {"LabelPrecision", "Float16"}}, "Bytes"},
        {"MajorityVote", {{"ConsensusMode", "MajorityVote"}}},
        {"MajorityVoteInBytes", {{"ConsensusMode", "MajorityVote"}}, "Bytes"}};
    const std::vector<ProtocolForm> updates = {
        {"Int8", {{"Compression", "int8"}}, "Bytes"},
        {"FedProxMedian", {{"Algorithm", "FedProx"}, {"AggregationRule", "median"}}},
        {"Scaffold", {{"Algorithm", "Scaffold"}, {"LearningRate", "0.1"}}},
        {"FedDyn", {{"Algorithm", "FedDyn"}}}};
    const std::vector<ProtocolForm> gradients = {
        {"Accumulated", {{"GradientMode", "Accumulated"}}, "Bytes"}};
    Protocol none;
    std::vector<Protocol> all;
    const auto add = [&all](Protocol protocol) { all.push_back(std::move(protocol)); };
    add({"PredictionConsensus", 4, {}, false, true, 3, {}, labels, InstallPredictionConsensus});
    add({"Federated", 4, 3, false, true, 3, {}, updates, InstallSynchronous});
    add({"FedBuff", 4, 3, false, true, 3, {}, {}, InstallBuffered});
    add({"SemiDecentralized", 4, 4, true, true, 3, {}, {}, InstallSemiDecentralized});
    add({"BrainTorrent",
         4,
         {},
         false,
         true,
         6,
         {},
         {},
         MakeGossip("BrainTorrent", {{"Rounds", "6"}})});
    add({"GossipFl",
         4,
         {},
         false,
         true,
         3,
         {},
         {},
         MakeGossip("GossipFl", {{"Rounds", "3"}, {"Fraction", "0.5"}})});
    add({"SegmentedGossip",
         4,
         {},
         false,
         true,
         3,
         {},
         {},
         MakeGossip("SegmentedGossip", {{"Rounds", "3"}, {"Segments", "2"}})});
    add({"CommitteeByThePaper", 8, {}, false, true, 3, {}, gradients, MakeCommittee("Paper")});
    add({"ByzantineCommittee", 8, {}, false, true, 3, {}, gradients, MakeCommittee("Byzantine")});
    add({"BeliefConsensus", 4, {}, false, false, 4, {}, {}, MakeBeliefs("BeliefConsensus")});
    add({"BeliefGossip", 4, {}, false, false, 4, {}, {}, MakeBeliefs("BeliefGossip")});
    add({"LabelDiscovery", 4, {}, false, false, 1, {}, {}, MakeDiscovery("LabelDiscovery", {})});
    add({"LatentDiscovery",
         4,
         {},
         false,
         false,
         1,
         {},
         {},
         MakeDiscovery("LatentDiscovery", {{"Components", "2"}})});
    return all;
}

} // namespace tests
