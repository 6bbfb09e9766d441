/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SEMI_DECENTRALIZED_NETWORK_H
#define FEDERATED_SEMI_DECENTRALIZED_NETWORK_H

#include "support/device-network.h"
#include "support/quadratic-learner.h"

#include "ns3/federated-helper.h"
#include "ns3/federated-participation.h"

#include <algorithm>
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
    Attributes attributes;            //!< of the applications
};

/// Devices with D2D links of one outage probability, and a server, the last node, that they reach
/// by another radio without loss. Device k has the target k + 1 in all elements and 10 (k + 1)
/// samples; its steps are gradient descent of rate 0.1.
class SemiDecentralizedNetwork : public DeviceNetwork
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
        MakeDevices(options.network);
        AddServer();
        FederatedHelper helper(MakePool(), "ns3::collab::SemiDecentralizedClientApplication");
        SetAttributes(helper,
                      {{"Rounds", std::to_string(options.rounds)}, {"RoundDeadline", "20s"}});
        SetAttributes(helper, options.attributes);
        const uint32_t server = options.network.devices;
        NodeContainer clients;
        std::vector<uint32_t> ids;
        for (uint32_t k = 0; k < server; ++k)
        {
            clients.Add(m_nodes.Get(k));
            ids.push_back(k);
        }
        m_sets = MakeSets(ids, options.setSize);
        helper.SetSets(m_sets);
        helper.SetSamplingSeed(SEED);
        const auto start = std::make_shared<const std::vector<float>>(DIMENSION, 0.0F);
        m_clients = helper.Install(m_nodes.Get(server), start, clients, MakeAgents());
        m_application = helper.GetServer();
        ApplicationContainer all(m_clients);
        all.Add(m_application);
        Watch(all);
        m_given.clear();
        Count(m_devices, false);
        Count(m_serverRadios, true);
    }

    SemiDecentralizedOptions m_options;                              //!< of the run
    ns3::ApplicationContainer m_clients;                             //!< of the devices
    ns3::Ptr<ns3::collab::FederatedServerApplication> m_application; //!< of the server
    std::vector<std::vector<uint32_t>> m_sets;                       //!< by number
    std::vector<std::shared_ptr<QuadraticLearner>> m_learners;       //!< of the devices
    std::map<std::pair<uint32_t, bool>, uint32_t> m_given;           //!< packets, by number and D2S

  private:
    /// @return what devices learn with
    std::vector<ns3::collab::FederatedAgent>
    MakeAgents()
    {
        using namespace ns3::collab;
        constexpr uint64_t STEP_FLOPS = 6000000;
        m_learners.clear();
        std::vector<FederatedAgent> agents;
        for (uint32_t k = 0; k < m_options.network.devices; ++k)
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
        }
        return agents;
    }

    /// Count the packets that are given to radios
    void
    Count(const ns3::NetDeviceContainer& radios, bool isD2s)
    {
        for (uint32_t i = 0; i < radios.GetN(); ++i)
        {
            const uint32_t number = radios.Get(i)->GetNode()->GetId();
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
