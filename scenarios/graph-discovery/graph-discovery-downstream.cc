/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-downstream.h"

#include "federated/federated-setup.h"
#include "gossip/gossip-scenario.h"
#include "graph-discovery-devices.h"

#include <numeric>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @return labelled samples of the test set, none of those that models are judged by
std::shared_ptr<const DataView>
MakeProbe(const GraphDiscoveryParameters& p, const ScenarioSamples& samples)
{
    const auto begin = samples.testOrder.begin() + p.testSamples;
    return std::make_shared<const DataView>(
        MakeView(samples.global->data, std::vector<uint32_t>(begin, begin + p.probeSamples)));
}

/// @param own what it learns from; empty if it is not known yet
/// @return what it learns with
TorchLearnerConfig
MakeConfig(const GraphDiscoveryParameters& p,
           const ScenarioSamples& samples,
           uint32_t device,
           const DataView& own)
{
    TorchLearnerConfig config = MakeLearnerConfig(p, samples, device);
    config.trainData = own;
    if (p.IsUnsupervised())
    {
        config.loss = LossKind::TRIPLET;
        config.triplet.augmentation = MakeContrastiveAugmentation(*samples.global->data);
        config.probe = MakeProbe(p, samples);
    }
    return config;
}

/// @param weights that all begin with
/// @return what a device learns with that all others have given their datapoints to: none of those
/// after the exchange computes longer
std::shared_ptr<Learner>
MakeBusiestLearner(const GraphDiscoveryParameters& p,
                   const ScenarioSamples& samples,
                   const FlatVector& weights)
{
    std::vector<uint32_t> all(p.devices);
    std::iota(all.begin(), all.end(), 0);
    return MakeLearner(MakeConfig(p, samples, 0, JoinSamples(samples, all)), weights);
}

/// @return what makes the server and the devices
std::unique_ptr<FederatedHelper>
MakeHelper(const GraphDiscoveryParameters& p, const NodeContainer& nodes, Ptr<LearnerPool> pool)
{
    auto helper = MakeFederation(p,
                                 {pool,
                                  p.GetSgdRate().value_or(p.learningRate),
                                  p.HasSets() ? p.setSize : 0,
                                  p.IsAsynchronous()},
                                 nodes);
    for (const auto& choice : p.Find("downstream")->GetDescription().choices)
    {
        if (choice.text == p.downstream)
        {
            helper->SetAttribute("Algorithm", StringValue(choice.attributeText));
        }
    }
    return helper;
}

/// @brief Give the learning what it has of a run, and the values of given attributes.
/// @param[in,out] learning parameters of the scenario that is the learning alone
void
Describe(const GraphDiscoveryParameters& p, CommonParameters& learning)
{
    learning.AdoptGivenAttributes();
    learning.devices = p.devices;
    learning.Set("localSteps", p.Get<uint32_t>("localSteps"));
}

/// @brief Let a server wait for devices, and devices of sets for each other, as they would without
/// graph discovery.
/// @param p parameters of the run; gets the deadlines that are in force
/// @param applications of all devices, with what they learn with if they have all datapoints
void
SetServerDeadlines(GraphDiscoveryParameters& p,
                   const Ptr<FederatedServerApplication>& server,
                   const ApplicationContainer& applications)
{
    FederatedParameters federated;
    Describe(p, federated);
    federated.Set("algorithm", p.downstream);
    federated.setSize = p.setSize;
    federated.Set("setSteps", p.Get<uint32_t>("setSteps"));
    federated.Set("concurrency", p.devices); // fedbuff: no more train at a time
    federated.roundDeadline = p.roundDeadline;
    federated.setDeadline = p.setDeadline;
    SetFederatedDeadlines(federated, server, applications);
    p.roundDeadline = federated.roundDeadline;
    p.setDeadline = federated.setDeadline;
}

/// @brief Work out how long devices without a server wait for each other's models, unless
/// --roundDeadline says so.
/// @param p parameters of the run; gets the deadline that is in force
/// @param learner what a device learns with if it has all datapoints
void
CompletePullDeadline(GraphDiscoveryParameters& p,
                     const NodeContainer& nodes,
                     const std::shared_ptr<Learner>& learner)
{
    if (p.roundDeadline > 0)
    {
        return;
    }
    GossipParameters gossip;
    Describe(p, gossip);
    gossip.algorithm = "segmented";
    gossip.Set("replicas", p.Get<uint32_t>("peers"));
    GossipAgent agent;
    agent.learner = learner;
    CompleteTimeouts(gossip, nodes, std::vector<GossipAgent>(p.devices, agent));
    constexpr double LEAST = 120; // as with a server
    p.roundDeadline = std::max(LEAST, gossip.transferTimeout);
}

} // namespace

void
CheckDownstream(const GraphDiscoveryParameters& p, const ScenarioSamples& samples)
{
    const DataSet& data = *samples.global->data;
    CheckArgument("model", p.model, [&]() { DescribeModel(p.model, MakeModelInput(data)); });
    if (!p.IsUnsupervised() || !p.HasDownstream())
    {
        return;
    }
    p.Require(
        data.sampleShape.size() == 3,
        "dataSet",
        "one of images with --paradigm=unsupervised, which are augmented, or without --downstream");
    p.Require(uint64_t{p.testSamples} + p.probeSamples <= data.Size(),
              "probeSamples",
              fmt::format("at most {}, of {} test samples beside --testSamples={}",
                          data.Size() - p.testSamples,
                          data.Size(),
                          p.testSamples));
}

DiscoveryDownstream::DiscoveryDownstream(GraphDiscoveryParameters& p,
                                         const ScenarioSamples& samples,
                                         const ScenarioNetwork& network,
                                         Ptr<LearnerPool> pool,
                                         Time start)
    : m_p(p),
      m_samples(samples),
      m_weights(DrawWeights(p, MakeConfig(p, samples, 0, samples.train[0])))
{
    const std::shared_ptr<Learner> busiest = MakeBusiestLearner(p, samples, m_weights);
    if (p.HasServer())
    {
        InstallFederated(network, pool, busiest);
        ApplicationContainer(server).Start(start);
    }
    else
    {
        InstallGossip(network, pool, busiest);
    }
    devices.Start(start);
}

void
DiscoveryDownstream::InstallFederated(const ScenarioNetwork& network,
                                      Ptr<LearnerPool> pool,
                                      const std::shared_ptr<Learner>& busiest)
{
    const auto global = std::make_shared<SharedEvaluation>("global", m_samples.global);
    const auto stragglers = DrawStragglers(m_p.stragglers, m_p.devices);
    m_agents.resize(m_p.devices);
    for (uint32_t device = 0; device < m_p.devices; ++device)
    {
        FederatedAgent& agent = m_agents[device];
        agent.compressionSeed = SeedFor(RandomPurpose::COMPRESSION, device);
        agent.learner = busiest; // until it is known what each one has
        agent.evaluations = {global};
        agent.isStraggler = std::binary_search(stragglers.begin(), stragglers.end(), device);
    }
    m_federated = MakeHelper(m_p, network.nodes, pool);
    devices = m_federated->Install(network.server, m_weights, network.nodes, m_agents);
    server = m_federated->GetServer();
    SetServerDeadlines(m_p, server, devices);
}

void
DiscoveryDownstream::InstallGossip(const ScenarioNetwork& network,
                                   Ptr<LearnerPool> pool,
                                   const std::shared_ptr<Learner>& busiest)
{
    CompletePullDeadline(m_p, network.nodes, busiest);
    const std::string type = "ns3::collab::SegmentedGossipApplication";
    GossipHelper helper(type, pool, SeedFor(RandomPurpose::PARTICIPATION));
    SetAttributes(m_p, type, helper);
    SetUnlessGiven(helper, type + "::Segments", UintegerValue(1)); // whole models
    m_gossips.resize(m_p.devices);
    for (auto& agent : m_gossips)
    {
        agent.evaluations = {{"global", m_samples.global}};
    }
    devices = helper.Install(network.nodes, m_gossips);
}

void
DiscoveryDownstream::SetSamples(const std::vector<DataView>& samples)
{
    for (uint32_t device = 0; device < m_p.devices; ++device)
    {
        if (samples[device].Size() == 0)
        {
            throw UserError(fmt::format("device {} has given all of its datapoints away; raise "
                                        "argument --thresholdShare={}",
                                        device,
                                        m_p.thresholdShare));
        }
        DataView own = samples[device];
        if (m_p.paradigm == "semi-supervised" && own.labels.empty())
        {
            // It has died before it could find the others, or been too late with them
            own = HidePart(m_p, m_samples.train[device], device).labeled;
        }
        const auto give = [&](auto& agent) {
            agent.samples = static_cast<uint32_t>(own.Size());
            agent.learner = MakeLearner(MakeConfig(m_p, m_samples, device, own), m_weights);
        };
        m_federated ? give(m_agents[device]) : give(m_gossips[device]);
    }
    m_federated ? m_federated->SetLearners(m_weights, m_agents)
                : GossipHelper::SetLearners(devices, m_gossips);
}

Matrix<float>
DiscoveryDownstream::Embed(const DataView& samples) const
{
    return MakeLearner(MakeConfig(m_p, m_samples, 0, samples), server->GetModel())
        ->Predict(samples);
}

void
DiscoveryDownstream::WriteModels(RunResults& results) const
{
    const auto learners = m_federated ? GetLearners(m_agents) : GetLearners(m_gossips);
    WritePrivacy(results, ListPrivacy(m_p, learners));
    auto written = ListModels(m_p, learners);
    if (server)
    {
        written.push_back({"server", m_p.model, server->GetModel()});
    }
    ::WriteModels(m_p, results, m_samples, written);
}
