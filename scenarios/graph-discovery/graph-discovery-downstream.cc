/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-downstream.h"

#include "common/scenario-checks.h"
#include "common/scenario-learners.h"
#include "common/scenario-network.h"

#include "ns3/boolean.h"
#include "ns3/collab-error.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-shared-evaluation.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/double.h"
#include "ns3/federated-client-application.h"
#include "ns3/federated-semi-decentralized-client-application.h"
#include "ns3/gossip-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @param p parameters of the run
/// @return TypeId name of the devices' applications with a server
std::string
GetClientType(const GraphDiscoveryParameters& p)
{
    return p.downstream == "semi-decentralized"
               ? SemiDecentralizedClientApplication::GetTypeId().GetName()
               : FederatedClientApplication::GetTypeId().GetName();
}

/// @param p parameters of the run
/// @return attribute Algorithm of applications with a server
std::string
GetAlgorithm(const GraphDiscoveryParameters& p)
{
    if (p.downstream == "semi-decentralized")
    {
        return "SemiDecentralized";
    }
    return p.downstream == "fedprox" ? "FedProx" : "FedAvg";
}

/**
 * @param p parameters of the run
 * @param samples the samples of all devices
 * @return labelled samples of the test set, behind those that models are judged by
 * @throws UserError if there are not as many
 */
std::shared_ptr<const DataView>
MakeProbe(const GraphDiscoveryParameters& p, const ScenarioSamples& samples)
{
    const std::size_t all = samples.global->data->Size();
    Require(uint64_t{p.testSamples} + p.probeSamples <= all,
            "probeSamples",
            p.probeSamples,
            fmt::format("at most {}, of {} test samples beside --testSamples={}",
                        all - p.testSamples,
                        all,
                        p.testSamples));
    std::vector<uint32_t> indices(p.probeSamples);
    std::iota(indices.begin(), indices.end(), p.testSamples);
    return std::make_shared<const DataView>(MakeView(samples.global->data, indices));
}

/**
 * @param p parameters of the run
 * @param samples the samples of all devices
 * @param device index of a device
 * @param own what it learns from; empty if it is not known yet
 * @return what it learns with
 */
TorchLearnerConfig
MakeConfig(const GraphDiscoveryParameters& p,
           const ScenarioSamples& samples,
           uint32_t device,
           const DataView& own)
{
    TorchLearnerConfig config = MakeLearnerConfig(p, samples, device);
    config.trainData = own;
    if (p.downstream == "fedsgd")
    {
        UseSgd(p.sgdLearningRate, config);
        config.batchSize = std::numeric_limits<uint32_t>::max(); // a step of all samples
    }
    if (p.IsUnsupervised())
    {
        config.loss = LossKind::TRIPLET;
        config.triplet.augmentation = MakeContrastiveAugmentation(*samples.global->data);
        config.probe = MakeProbe(p, samples);
    }
    return config;
}

/**
 * @param p parameters of the run
 * @param parameters the same, as declared
 * @param nodes the devices
 * @param helper gets them
 */
void
Configure(const GraphDiscoveryParameters& p,
          const ParameterList& parameters,
          const NodeContainer& nodes,
          FederatedHelper& helper)
{
    parameters.Apply(FederatedServerApplication::GetTypeId(),
                     [&helper](const std::string& name, const AttributeValue& value) {
                         helper.SetServerAttribute(name, value);
                     });
    parameters.Apply(TypeId::LookupByName(GetClientType(p)),
                     [&helper](const std::string& name, const AttributeValue& value) {
                         helper.SetClientAttribute(name, value);
                     });
    const bool isOneStep = p.downstream == "fedsgd";
    if (!IsAttributeGiven("ns3::collab::FederatedApplication::Algorithm"))
    {
        helper.SetAttribute("Algorithm", StringValue(GetAlgorithm(p)));
    }
    helper.SetClientAttribute("LocalSteps", UintegerValue(isOneStep ? 1 : p.localSteps));
    helper.SetClientAttribute("LearningRate",
                              DoubleValue(isOneStep ? p.sgdLearningRate : p.learningRate));
    helper.SetSamplingSeed(SeedFor(RandomPurpose::PARTICIPATION));
    if (p.downstream == "semi-decentralized")
    {
        std::vector<uint32_t> devices;
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            devices.push_back(nodes.Get(i)->GetId());
        }
        helper.SetSets(MakeSets(devices, p.setSize));
        if (!IsAttributeGiven("ns3::collab::SemiDecentralizedClientApplication::TakesTurns") &&
            !IsAttributeGiven("ns3::collab::D2dNetDevice::Duplex"))
        {
            helper.SetClientAttribute("TakesTurns",
                                      BooleanValue(false)); // radios hear all the time
        }
    }
}

} // namespace

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

DiscoveryDownstream::DiscoveryDownstream(const GraphDiscoveryParameters& p,
                                         const ParameterList& parameters,
                                         const ScenarioSamples& samples,
                                         Ptr<Node> server,
                                         const NodeContainer& nodes,
                                         Ptr<LearnerPool> pool,
                                         Time start)
    : m_state(std::unique_ptr<State>(new State{p, samples, nullptr, nullptr, {}, {}, {}}))
{
    m_state->weights = DrawWeights(MakeConfig(p, samples, 0, samples.train[0]));
    if (p.HasServer())
    {
        const auto global = std::make_shared<SharedEvaluation>("global", samples.global);
        const auto stragglers = DrawStragglers(p.stragglers, p.devices);
        m_state->agents.resize(p.devices);
        for (uint32_t device = 0; device < p.devices; ++device)
        {
            FederatedAgent& agent = m_state->agents[device];
            agent.compressionSeed = SeedFor(RandomPurpose::COMPRESSION, device);
            agent.evaluations = {global};
            agent.isStraggler = std::binary_search(stragglers.begin(), stragglers.end(), device);
        }
        m_state->federated = std::make_unique<FederatedHelper>(pool, GetClientType(p));
        Configure(p, parameters, nodes, *m_state->federated);
        m_state->devices = m_state->federated->Install(server, nullptr, nodes, m_state->agents);
        ApplicationContainer(m_state->federated->GetServer()).Start(start);
    }
    else
    {
        const std::string type = "ns3::collab::SegmentedGossipApplication";
        GossipHelper helper(type, pool, SeedFor(RandomPurpose::PARTICIPATION));
        SetAttributes(parameters, type, helper);
        helper.SetAttribute("Segments", UintegerValue(1));
        helper.SetAttribute("LocalSteps", UintegerValue(p.localSteps));
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
        std::shared_ptr<Learner> learner =
            MakeLearner(MakeConfig(state.p, state.samples, device, samples[device]), state.weights);
        const auto size = static_cast<uint32_t>(samples[device].Size());
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
