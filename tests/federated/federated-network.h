/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_FEDERATED_NETWORK_H
#define FEDERATED_FEDERATED_NETWORK_H

#include "support/device-network.h"
#include "support/quadratic-learner.h"

#include "ns3/federated-helper.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

/// Devices and a server, the last node, that all hear each other
class FederatedNetwork : public DeviceNetwork
{
  public:
    static constexpr uint32_t CLIENTS = 3;    //!< devices, unless options say another number
    static constexpr uint32_t ROUNDS = 3;     //!< unless an attribute says another number
    static constexpr uint32_t DIMENSION = 50; //!< numbers of the model

  protected:
    /// @param options of the network; its devices are those without the server
    void
    MakeNetwork(Options options = {})
    {
        m_count = options.devices;
        options.devices = m_count + 1;
        MakeDevices(options);
    }

    /// @brief Install the applications, device k with the target k + 1 in all elements, the
    /// curvature 1 and 10 (k + 1) samples.
    /// @param attributes of the applications
    /// @param trainFlops operations of a training job, by device; 6e6, which take 1 ms, without
    void
    MakeApplications(const Attributes& attributes = {},
                     const std::vector<uint64_t>& trainFlops = {})
    {
        using namespace ns3;
        using namespace ns3::collab;
        NodeContainer clients;
        m_learners.clear();
        m_agents.clear();
        for (uint32_t k = 0; k < m_count; ++k)
        {
            clients.Add(m_nodes.Get(k));
            GetTransport(k)->SetServer(m_count);
            m_learners.push_back(std::make_shared<QuadraticLearner>(
                std::vector<float>(DIMENSION, static_cast<float>(k + 1)),
                1,
                0.1,
                k < trainFlops.size() ? trainFlops[k] : 6000000));
            FederatedAgent agent;
            agent.learner = m_learners.back();
            agent.samples = 10 * (k + 1);
            agent.evaluations = {std::make_shared<SharedEvaluation>(
                "global", std::make_shared<const DataView>(), 0)};
            m_agents.push_back(agent);
        }
        FederatedHelper helper(MakePool(), "ns3::collab::FederatedClientApplication", m_serverType);
        SetAttributes(helper,
                      {{"Rounds", std::to_string(ROUNDS)},
                       {"LocalEpochs", "1"},
                       {"LearningRate", "0.1"},
                       {"RoundDeadline", "2s"}});
        SetAttributes(helper, attributes);
        const auto start = std::make_shared<const std::vector<float>>(DIMENSION, 0.0F);
        m_clients = helper.Install(m_nodes.Get(m_count), start, clients, m_agents);
        m_server = helper.GetServer();
        ApplicationContainer all(m_clients);
        all.Add(m_server);
        Watch(all);
        ListenToLearning();
    }

    /// @brief Make a network, and install the applications on it.
    /// @param attributes of the applications
    /// @param options of the network
    void
    Make(const Attributes& attributes = {}, const Options& options = {})
    {
        MakeNetwork(options);
        MakeApplications(attributes);
    }

    /// Class of the server's application
    std::string m_serverType = "ns3::collab::FederatedSynchronousServerApplication";
    uint32_t m_count = CLIENTS;                                 //!< devices without the server
    std::vector<std::shared_ptr<QuadraticLearner>> m_learners;  //!< of the devices
    std::vector<ns3::collab::FederatedAgent> m_agents;          //!< the devices
    ns3::ApplicationContainer m_clients;                        //!< of the devices
    ns3::Ptr<ns3::collab::FederatedServerApplication> m_server; //!< of the server
    std::map<uint32_t, std::set<uint32_t>> m_models; //!< devices that received a model, by round
    std::vector<ns3::collab::ParticipationRecord> m_participation; //!< of all rounds
    std::vector<std::pair<uint32_t, uint32_t>> m_late;             //!< rounds and devices

  private:
    /// @brief Listen to what federated applications alone trace.
    void
    ListenToLearning()
    {
        using namespace ns3;
        m_participation.clear();
        m_late.clear();
        m_models.clear();
        m_server->TraceConnectWithoutContext(
            "Participation",
            Callback<void, const collab::ParticipationRecord&>(
                [this](const auto& record) { m_participation.push_back(record); }));
        m_server->TraceConnectWithoutContext(
            "Late", Callback<void, uint32_t, uint32_t>([this](uint32_t round, uint32_t device) {
                m_late.emplace_back(round, device);
            }));
        for (uint32_t i = 0; i < m_count; ++i)
        {
            m_clients.Get(i)->TraceConnectWithoutContext(
                "Model",
                Callback<void, uint32_t, uint32_t>(
                    [this](uint32_t device, uint32_t round) { m_models[round].insert(device); }));
        }
    }
};

} // namespace tests

#endif /* FEDERATED_FEDERATED_NETWORK_H */
