/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SEMI_DECENTRALIZED_NETWORK_H
#define FEDERATED_SEMI_DECENTRALIZED_NETWORK_H

#include "support/device-installation.h"
#include "support/quadratic-learner.h"

#include "ns3/collab-transport.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2s-helper.h"
#include "ns3/federated-helper.h"
#include "ns3/federated-participation.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

/// What a run of semi-decentralized learning depends on
struct SemiDecentralizedOptions
{
    DeviceOptions network;            //!< of the D2D links, and how many devices
    uint32_t setSize = 5;             //!< devices of a set
    uint32_t rounds = 3;              //!< rounds
    std::vector<uint32_t> slow;       //!< devices whose steps take 5 s each, not 1 ms
    std::vector<uint32_t> stragglers; //!< devices that never take part in aggregation
    /// attributes of the applications
    std::vector<std::pair<std::string, std::string>> attributes;
};

/**
 * Devices with D2D links of one outage probability, and a server that they reach by another radio
 * without loss. Device k has the target k + 1 in all elements and 10 (k + 1) samples; its steps are
 * gradient descent of rate 0.1.
 */
class SemiDecentralizedNetwork : public ::testing::Test
{
  protected:
    static constexpr uint32_t DIMENSION = 30; //!< numbers of the model
    static constexpr uint64_t SEED = 11;      //!< of the server's draws

    /// Make network and applications
    void
    Make(const SemiDecentralizedOptions& options)
    {
        using namespace ns3;
        using namespace ns3::collab;
        m_options = options;
        m_outcomes.clear();
        m_rounds.clear();
        m_ends.clear();
        m_given.clear();
        m_rejects = 0;
        m_nodes = NodeContainer(options.network.devices);
        m_d2d = InstallDevices(options.network, m_nodes);
        m_server = NodeContainer(1);
        D2sHelper d2s;
        d2s.AddPropagationLossModel("ns3::FixedRssLossModel", "Rss", DoubleValue(-60.0));
        d2s.SetChannelAttribute("OutageModel",
                                StringValue("ns3::collab::D2dFixedOutageModel[Probability=0]"));
        d2s.SetDeviceAttribute("Duplex", StringValue("Full"));
        d2s.SetTransportAttribute("PayloadMode", StringValue(options.network.payloadMode));
        m_d2s = d2s.InstallServer(m_server.Get(0), m_nodes);
        D2sHelper::AssignStreams(m_d2s, 1000);
        DeviceProfileHelper profile;
        profile.SetRadioAttribute("Account", StringValue("D2s"));
        profile.Install(m_d2s);
        Install();
        Connect();
    }

    /// Run until all have ended, at most so long
    void
    Run(ns3::Time limit = ns3::Seconds(1000))
    {
        ns3::Simulator::Stop(limit);
        ns3::Simulator::Run();
    }

    void
    TearDown() override
    {
        m_clients = ns3::ApplicationContainer();
        m_application = nullptr;
        m_d2d = ns3::NetDeviceContainer();
        m_d2s = ns3::NetDeviceContainer();
        m_nodes = ns3::NodeContainer();
        m_server = ns3::NodeContainer();
        if (m_pool)
        {
            m_pool->Dispose();
            m_pool = nullptr;
        }
        ns3::Simulator::Destroy();
    }

    /// @return number of a device in this network; that of the server is the number of devices
    uint32_t
    NumberOf(uint32_t id) const
    {
        return id - m_nodes.Get(0)->GetId();
    }

    /// @return the metric in every round of a device
    std::vector<double>
    MetricOf(uint32_t device, const std::string& name) const
    {
        std::vector<double> values;
        for (const auto& record : m_rounds)
        {
            for (const auto& metric : record.metrics)
            {
                if (NumberOf(record.device) == device && metric.first == name)
                {
                    values.push_back(metric.second);
                }
            }
        }
        return values;
    }

    SemiDecentralizedOptions m_options;        //!< of the run
    ns3::NodeContainer m_nodes;                //!< the devices
    ns3::NodeContainer m_server;               //!< the base station
    ns3::NetDeviceContainer m_d2d;             //!< the devices' D2D radios
    ns3::NetDeviceContainer m_d2s;             //!< radios of server and devices
    ns3::Ptr<ns3::collab::LearnerPool> m_pool; //!< of all
    ns3::ApplicationContainer m_clients;       //!< of the devices
    ns3::Ptr<ns3::collab::FederatedServerApplication> m_application; //!< of the server
    std::vector<std::vector<uint32_t>> m_sets;                       //!< by number
    std::vector<std::shared_ptr<QuadraticLearner>> m_learners;       //!< of the devices
    std::vector<ns3::collab::MessageOutcome> m_outcomes;             //!< of all messages
    std::vector<ns3::collab::RoundRecord> m_rounds;                  //!< of all
    std::map<uint32_t, bool> m_ends;                                 //!< by number
    std::map<std::pair<uint32_t, bool>, uint32_t> m_given;           //!< packets, by number and D2S
    uint32_t m_rejects = 0;                                          //!< messages not believed

  private:
    /// Install the applications
    void
    Install()
    {
        using namespace ns3;
        using namespace ns3::collab;
        constexpr uint64_t STEP_FLOPS = 6000000;
        m_learners.clear();
        std::vector<FederatedAgent> agents;
        std::vector<uint32_t> ids;
        for (uint32_t k = 0; k < m_nodes.GetN(); ++k)
        {
            const auto has = [k](const std::vector<uint32_t>& list) {
                return std::find(list.begin(), list.end(), k) != list.end();
            };
            m_learners.push_back(
                std::make_shared<QuadraticLearner>(std::vector<float>(DIMENSION, k + 1.0F),
                                                   1,
                                                   0.1,
                                                   STEP_FLOPS * (has(m_options.slow) ? 5000 : 1)));
            FederatedAgent agent;
            agent.learner = m_learners.back();
            agent.samples = 10 * (k + 1);
            agent.isStraggler = has(m_options.stragglers);
            agent.evaluations = {std::make_shared<SharedEvaluation>(
                "global", std::make_shared<const DataView>(), 0)};
            agents.push_back(agent);
            ids.push_back(m_nodes.Get(k)->GetId());
        }
        m_pool = CreateObject<LearnerPool>();
        FederatedHelper helper(m_pool, "ns3::collab::SemiDecentralizedClientApplication");
        helper.SetAttribute("Rounds", UintegerValue(m_options.rounds));
        helper.SetAttribute("RoundDeadline", TimeValue(Seconds(20)));
        for (const auto& [name, value] : m_options.attributes)
        {
            helper.SetAttribute(name, StringValue(value));
        }
        const auto sets = MakeSets(ids, m_options.setSize);
        m_sets.clear();
        for (const auto& set : sets)
        {
            m_sets.emplace_back();
            for (const uint32_t id : set)
            {
                m_sets.back().push_back(NumberOf(id));
            }
        }
        helper.SetSets(sets);
        helper.SetSamplingSeed(SEED);
        const auto start = std::make_shared<const std::vector<float>>(DIMENSION, 0.0F);
        m_clients = helper.Install(m_server.Get(0), start, m_nodes, agents);
        m_application = helper.GetServer();
    }

    /// Listen to everything
    void
    Connect()
    {
        using namespace ns3;
        using namespace ns3::collab;
        ApplicationContainer all(m_clients);
        all.Add(m_application);
        for (uint32_t i = 0; i < all.GetN(); ++i)
        {
            Ptr<Application> application = all.Get(i);
            application->TraceConnectWithoutContext(
                "Round", Callback<void, const RoundRecord&>([this](const RoundRecord& record) {
                    m_rounds.push_back(record);
                }));
            application->TraceConnectWithoutContext(
                "End", Callback<void, uint32_t, bool>([this](uint32_t device, bool done) {
                    m_ends[NumberOf(device)] = done;
                }));
            Ptr<Transport> transport = application->GetNode()->GetObject<Transport>();
            transport->TraceConnectWithoutContext(
                "Outcome", Callback<void, const MessageOutcome&>([this](const MessageOutcome& o) {
                    m_outcomes.push_back(o);
                }));
            transport->TraceConnectWithoutContext(
                "Reject",
                Callback<void, uint32_t, const std::string&>(
                    [this](uint32_t, const std::string&) { ++m_rejects; }));
        }
        Count(m_d2d, false);
        Count(m_d2s, true);
        StopWhenAllEnd(all);
    }

    /// Count the packets that are given to radios
    void
    Count(const ns3::NetDeviceContainer& radios, bool isD2s)
    {
        for (uint32_t i = 0; i < radios.GetN(); ++i)
        {
            const uint32_t number = NumberOf(radios.Get(i)->GetNode()->GetId());
            ns3::DynamicCast<ns3::collab::D2dNetDevice>(radios.Get(i))
                ->GetMac()
                ->TraceConnectWithoutContext(
                    "MacTx",
                    ns3::Callback<void, ns3::Ptr<const ns3::Packet>>(
                        [this, number, isD2s](ns3::Ptr<const ns3::Packet>) {
                            ++m_given[{number, isD2s}];
                        }));
        }
    }
};

} // namespace tests

#endif /* FEDERATED_SEMI_DECENTRALIZED_NETWORK_H */
