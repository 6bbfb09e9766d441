/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_DOWNSTREAM_H
#define GRAPH_DISCOVERY_DOWNSTREAM_H

#include "common/scenario.h"
#include "graph-discovery-scenario.h"

#include "ns3/federated-helper.h"
#include "ns3/federated-server-application.h"
#include "ns3/gossip-helper.h"

/// @throws UserError if nothing can be learned from the samples as asked
void CheckDownstream(const GraphDiscoveryParameters& p, const ScenarioSamples& samples);

/// The learning after the exchange of datapoints: installed before the run, told then what each
/// device has
class DiscoveryDownstream
{
  public:
    /// @brief Install the applications, which start later.
    /// @param p parameters of the run, which get the deadlines that are in force; must live as long
    /// as this object
    /// @param samples the samples of all devices; must live as long as this object
    /// @param start when to begin
    DiscoveryDownstream(GraphDiscoveryParameters& p,
                        const ScenarioSamples& samples,
                        const ScenarioNetwork& network,
                        ns3::Ptr<ns3::collab::LearnerPool> pool,
                        ns3::Time start);

    /// @brief Give each device what it learns with; just before the start.
    /// @param samples that each device has then
    /// @throws UserError if a device that is to learn has none
    void SetSamples(const std::vector<ns3::collab::DataView>& samples);

    /// @return what the final model of the server makes of some samples, a row a sample
    ns3::collab::Matrix<float> Embed(const ns3::collab::DataView& samples) const;

    /// Write all models, and the privacy that they have spent, if the user wants them
    void WriteModels(RunResults& results) const;

    ns3::ApplicationContainer devices; //!< applications of the devices
    /// application of the server; null if there is none
    ns3::Ptr<ns3::collab::FederatedServerApplication> server;

  private:
    /// Install applications that learn with a server
    void InstallFederated(const ScenarioNetwork& network,
                          ns3::Ptr<ns3::collab::LearnerPool> pool,
                          const std::shared_ptr<ns3::collab::Learner>& busiest);
    /// Install applications that learn from each other alone
    void InstallGossip(const ScenarioNetwork& network,
                       ns3::Ptr<ns3::collab::LearnerPool> pool,
                       const std::shared_ptr<ns3::collab::Learner>& busiest);

    GraphDiscoveryParameters& m_p;                             //!< parameters of the run
    const ScenarioSamples& m_samples;                          //!< of all devices
    ns3::collab::FlatVector m_weights;                         //!< that all begin with
    std::unique_ptr<ns3::collab::FederatedHelper> m_federated; //!< with a server
    std::vector<ns3::collab::FederatedAgent> m_agents;         //!< with a server
    std::vector<ns3::collab::GossipAgent> m_gossips;           //!< without a server
};

#endif /* GRAPH_DISCOVERY_DOWNSTREAM_H */
