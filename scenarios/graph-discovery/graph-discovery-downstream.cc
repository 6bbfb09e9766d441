/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-downstream.h"

#include "common/scenario-learners.h"
#include "common/scenario-network.h"
#include "federated/federated-configuration.h"
#include "federated/federated-deadlines.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "graph-discovery-devices.h"
#include "inputs/scenario-checks.h"

#include "ns3/collab-error.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-model-description.h"
#include "ns3/collab-shared-evaluation.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/gossip-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

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
    if (p.UsesSgd())
    {
        UseSgd(p, p.sgdLearningRate, config);
    }
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
    DataView all = samples.train[0];
    for (uint32_t device = 1; device < p.devices; ++device)
    {
        const DataView& own = samples.train[device];
        all.indices.insert(all.indices.end(), own.indices.begin(), own.indices.end());
        all.labels.insert(all.labels.end(), own.labels.begin(), own.labels.end());
    }
    return MakeLearner(MakeConfig(p, samples, 0, all), weights);
}

/// @param helper gets them
void
Configure(const GraphDiscoveryParameters& p, const NodeContainer& nodes, FederatedHelper& helper)
{
    Federation federation;
    federation.learningRate = p.UsesSgd() ? p.sgdLearningRate : p.learningRate;
    federation.setSize = p.HasSets() ? p.setSize : 0;
    federation.isAsynchronous = p.IsAsynchronous();
    ConfigureFederation(p, federation, nodes, helper);
    for (const auto& choice : p.Find("downstream")->GetDescription().choices)
    {
        if (choice.text == p.downstream)
        {
            helper.SetAttribute("Algorithm", StringValue(choice.attributeText));
        }
    }
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
    CheckModel(p.model, [&]() { DescribeModel(p.model, MakeModelInput(data)); });
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

struct DiscoveryDownstream::State
{
    const GraphDiscoveryParameters& p;          //!< parameters of the run
    const ScenarioSamples& samples;             //!< of all devices
    FlatVector weights;                         //!< that all begin with
    std::unique_ptr<FederatedHelper> federated; //!< with a server
    std::vector<FederatedAgent> agents;         //!< with a server
    std::vector<GossipAgent> gossips;           //!< without a server
    ApplicationContainer devices;               //!< their applications
};

DiscoveryDownstream::DiscoveryDownstream(GraphDiscoveryParameters& p,
                                         const ScenarioSamples& samples,
                                         Ptr<Node> server,
                                         const NodeContainer& nodes,
                                         Ptr<LearnerPool> pool,
                                         Time start)
    : m_state(std::unique_ptr<State>(new State{p, samples, nullptr, nullptr, {}, {}, {}}))
{
    m_state->weights = DrawWeights(p, MakeConfig(p, samples, 0, samples.train[0]));
    const std::shared_ptr<Learner> busiest = MakeBusiestLearner(p, samples, m_state->weights);
    if (p.HasServer())
    {
        const auto global = std::make_shared<SharedEvaluation>("global", samples.global);
        const auto stragglers = DrawStragglers(p.stragglers, p.devices);
        m_state->agents.resize(p.devices);
        for (uint32_t device = 0; device < p.devices; ++device)
        {
            FederatedAgent& agent = m_state->agents[device];
            agent.compressionSeed = SeedFor(RandomPurpose::COMPRESSION, device);
            agent.learner = busiest; // until it is known what each one has
            agent.evaluations = {global};
            agent.isStraggler = std::binary_search(stragglers.begin(), stragglers.end(), device);
        }
        m_state->federated =
            std::make_unique<FederatedHelper>(pool,
                                              GetClientType(p.HasSets()).GetName(),
                                              GetServerType(p.IsAsynchronous()).GetName());
        Configure(p, nodes, *m_state->federated);
        m_state->devices =
            m_state->federated->Install(server, m_state->weights, nodes, m_state->agents);
        SetServerDeadlines(p, GetServer(), m_state->devices);
        ApplicationContainer(m_state->federated->GetServer()).Start(start);
    }
    else
    {
        CompletePullDeadline(p, nodes, busiest);
        const std::string type = "ns3::collab::SegmentedGossipApplication";
        GossipHelper helper(type, pool, SeedFor(RandomPurpose::PARTICIPATION));
        SetAttributes(p, type, helper);
        if (!IsAttributeGiven("ns3::collab::SegmentedGossipApplication::Segments"))
        {
            helper.SetAttribute("Segments", UintegerValue(1)); // whole models
        }
        m_state->gossips.resize(p.devices);
        for (auto& agent : m_state->gossips)
        {
            agent.evaluations = {{"global", samples.global}};
        }
        m_state->devices = helper.Install(nodes, m_state->gossips);
    }
    m_state->devices.Start(start);
}

DiscoveryDownstream::~DiscoveryDownstream() = default;

void
DiscoveryDownstream::SetSamples(const std::vector<DataView>& samples)
{
    State& state = *m_state;
    for (uint32_t device = 0; device < state.p.devices; ++device)
    {
        if (samples[device].Size() == 0)
        {
            throw UserError(fmt::format("device {} has given all of its datapoints away; raise "
                                        "argument --thresholdShare={}",
                                        device,
                                        state.p.thresholdShare));
        }
        DataView own = samples[device];
        if (state.p.paradigm == "semi-supervised" && own.labels.empty())
        {
            // It has died before it could find the others, or been too late with them
            own = HidePart(state.p, state.samples.train[device], device).labeled;
        }
        const auto size = static_cast<uint32_t>(own.Size());
        std::shared_ptr<Learner> learner =
            MakeLearner(MakeConfig(state.p, state.samples, device, std::move(own)), state.weights);
        if (state.federated)
        {
            state.agents[device].learner = std::move(learner);
            state.agents[device].samples = size;
        }
        else
        {
            state.gossips[device].learner = std::move(learner);
            state.gossips[device].samples = size;
        }
    }
    if (state.federated)
    {
        state.federated->SetLearners(state.weights, state.agents);
        return;
    }
    GossipHelper::SetLearners(state.devices, state.gossips);
}

Matrix<float>
DiscoveryDownstream::Embed(const DataView& samples) const
{
    const auto learner =
        MakeLearner(MakeConfig(m_state->p, m_state->samples, 0, samples), GetServer()->GetModel());
    return learner->Predict(samples);
}

void
DiscoveryDownstream::WriteModels(const RunFolder& folder, TableStore& tables) const
{
    const State& state = *m_state;
    const std::vector<std::string> models(state.p.devices, state.p.model);
    const auto learners = state.federated ? GetLearners(state.agents) : GetLearners(state.gossips);
    WritePrivacy(tables, ListPrivacy(state.p, learners));
    auto written = ListModels(learners, models);
    if (state.federated)
    {
        written.push_back({"server", state.p.model, GetServer()->GetModel()});
    }
    ::WriteModels(state.p, folder, state.samples, written);
}

const ApplicationContainer&
DiscoveryDownstream::GetDevices() const
{
    return m_state->devices;
}

Ptr<FederatedServerApplication>
DiscoveryDownstream::GetServer() const
{
    return m_state->federated ? m_state->federated->GetServer() : nullptr;
}
