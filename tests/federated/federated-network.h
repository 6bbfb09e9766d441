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
#include "ns3/uinteger.h"

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
        m_models.clear();
        m_participation.clear();
        m_late.clear();
        m_rounds.clear();
        m_ends.clear();
        m_rejects.clear();
        m_outcomes.clear();
    }

    /**
     * @brief Install the applications, device k with the target k + 1 in all elements, the
     * curvature 1 and 10 (k + 1) samples.
     *
     * @param attributes of the applications
     * @param trainFlops operations of a training job, by device; 6e6, which take 1 ms, without
     */
    void
    MakeApplications(const std::vector<std::pair<std::string, std::string>>& attributes = {},
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
            GetTransport(k)->SetServer(Id(m_count));
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
        m_pool = CreateObject<LearnerPool>();
        m_pool->SetAttribute("Threads", UintegerValue(m_threads));
        FederatedHelper helper(m_pool, "ns3::collab::FederatedClientApplication", m_serverType);
        helper.SetAttribute("Rounds", UintegerValue(ROUNDS));
        helper.SetAttribute("LocalEpochs", UintegerValue(1));
        helper.SetAttribute("LearningRate", DoubleValue(0.1));
        helper.SetAttribute("RoundDeadline", TimeValue(Seconds(2)));
        for (const auto& attribute : attributes)
        {
            helper.SetAttribute(attribute.first, StringValue(attribute.second));
        }
        const auto start = std::make_shared<const std::vector<float>>(DIMENSION, 0.0F);
        m_clients = helper.Install(m_nodes.Get(m_count), start, clients, m_agents);
        m_server = helper.GetServer();
        Connect();
    }

    /// @brief Run until all have ended, 1000 s at most.
    void
    Run()
    {
        ns3::Simulator::Stop(ns3::Seconds(1000));
        ns3::Simulator::Run();
    }

    void
    TearDown() override
    {
        m_clients = ns3::ApplicationContainer();
        m_server = nullptr;
        if (m_pool)
        {
            m_pool->Dispose();
            m_pool = nullptr;
        }
        DeviceNetwork::TearDown();
    }

    /**
     * @param device number of a device in this network
     * @return number of its node
     */
    uint32_t
    Id(uint32_t device) const
    {
        return m_nodes.Get(device)->GetId();
    }

    /**
     * @param ids numbers of nodes
     * @return devices by their numbers in this network
     */
    std::vector<uint32_t>
    Numbers(std::vector<uint32_t> ids) const
    {
        for (auto& id : ids)
        {
            id -= Id(0);
        }
        return ids;
    }

    /**
     * @param device number of a device in this network
     * @param name of a metric
     * @return the metric in every round of the device
     */
    std::vector<double>
    MetricOf(uint32_t device, const std::string& name) const
    {
        std::vector<double> values;
        for (const auto& record : m_rounds)
        {
            for (const auto& metric : record.metrics)
            {
                if (record.device == Id(device) && metric.first == name)
                {
                    values.push_back(metric.second);
                }
            }
        }
        return values;
    }

    /// @param device that is to lose everything that it should receive
    void
    Deafen(uint32_t device)
    {
        GetRadio(device)->GetPhy()->SetAttribute("RxSensitivity", ns3::DoubleValue(0));
    }

    /// @param device that is to receive again
    void
    Hear(uint32_t device)
    {
        GetRadio(device)->GetPhy()->SetAttribute("RxSensitivity", ns3::DoubleValue(-120));
    }

    /// @param device that goes off
    void
    SwitchOff(uint32_t device)
    {
        m_nodes.Get(device)->GetObject<ns3::collab::Processor>()->SwitchOff();
        GetRadio(device)->GetMac()->SwitchOff();
    }

    /// Class of the server's application
    std::string m_serverType = "ns3::collab::FederatedSynchronousServerApplication";
    uint32_t m_threads = 1;                                     //!< that compute jobs
    uint32_t m_count = CLIENTS;                                 //!< devices without the server
    std::vector<std::shared_ptr<QuadraticLearner>> m_learners;  //!< of the devices
    std::vector<ns3::collab::FederatedAgent> m_agents;          //!< the devices
    ns3::Ptr<ns3::collab::LearnerPool> m_pool;                  //!< of all
    ns3::ApplicationContainer m_clients;                        //!< of the devices
    ns3::Ptr<ns3::collab::FederatedServerApplication> m_server; //!< of the server
    std::map<uint32_t, std::set<uint32_t>> m_models; //!< devices that received a model, by round
    std::vector<ns3::collab::ParticipationRecord> m_participation; //!< of all rounds
    std::vector<std::pair<uint32_t, uint32_t>> m_late;             //!< rounds and devices
    std::vector<ns3::collab::RoundRecord> m_rounds;                //!< of all
    std::map<uint32_t, bool> m_ends;                               //!< by number
    std::vector<std::string> m_rejects;                            //!< why messages were refused
    std::vector<ns3::collab::MessageOutcome> m_outcomes;           //!< of all messages

  private:
    /// Listen to everything
    void
    Connect()
    {
        using namespace ns3;
        using namespace ns3::collab;
        m_server->TraceConnectWithoutContext(
            "Participation",
            Callback<void, const ParticipationRecord&>(
                [this](const ParticipationRecord& record) { m_participation.push_back(record); }));
        m_server->TraceConnectWithoutContext(
            "Late", Callback<void, uint32_t, uint32_t>([this](uint32_t round, uint32_t device) {
                m_late.emplace_back(round, device - Id(0));
            }));
        ApplicationContainer all(m_clients);
        all.Add(m_server);
        for (uint32_t i = 0; i < all.GetN(); ++i)
        {
            all.Get(i)->TraceConnectWithoutContext(
                "Round", Callback<void, const RoundRecord&>([this](const RoundRecord& record) {
                    m_rounds.push_back(record);
                }));
            all.Get(i)->TraceConnectWithoutContext(
                "End", Callback<void, uint32_t, bool>([this](uint32_t device, bool done) {
                    m_ends[device - Id(0)] = done;
                }));
            GetTransport(i)->TraceConnectWithoutContext(
                "Outcome", Callback<void, const MessageOutcome&>([this](const MessageOutcome& o) {
                    m_outcomes.push_back(o);
                }));
            GetTransport(i)->TraceConnectWithoutContext(
                "Reject",
                Callback<void, uint32_t, const std::string&>(
                    [this](uint32_t, const std::string& reason) { m_rejects.push_back(reason); }));
        }
        for (uint32_t i = 0; i < m_count; ++i)
        {
            m_clients.Get(i)->TraceConnectWithoutContext(
                "Model",
                Callback<void, uint32_t, uint32_t>([this](uint32_t device, uint32_t round) {
                    m_models[round].insert(device - Id(0));
                }));
        }
        StopWhenAllEnd(all);
    }
};

} // namespace tests

#endif /* FEDERATED_FEDERATED_NETWORK_H */
