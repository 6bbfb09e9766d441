/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_DOWNSTREAM_H
#define GRAPH_DISCOVERY_DOWNSTREAM_H

#include "common/scenario-samples.h"
#include "graph-discovery-parameters.h"

#include "ns3/application-container.h"
#include "ns3/collab-learner-pool.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-table-store.h"
#include "ns3/federated-helper.h"
#include "ns3/federated-server-application.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <memory>
#include <vector>

/// @throws UserError if nothing can be learned from them as asked
void CheckDownstream(const GraphDiscoveryParameters& p, const ScenarioSamples& samples);

/// The learning after the exchange of datapoints: installed before the run, told then what
/// each device has.
class DiscoveryDownstream
{
  public:
    /// @brief Install the applications, which start later.
    /// @param p parameters of the run, which get the deadlines that are in force; must live as long
    /// as this object
    /// @param samples the samples of all devices; must live as long as this object
    /// @param server node of the base station; null if there is none
    DiscoveryDownstream(GraphDiscoveryParameters& p,
                        const ScenarioSamples& samples,
                        ns3::Ptr<ns3::Node> server,
                        const ns3::NodeContainer& nodes,
                        ns3::Ptr<ns3::collab::LearnerPool> pool,
                        ns3::Time start);
    ~DiscoveryDownstream();

    /// @brief Give each device what it learns with; just before the start.
    /// @param samples that each device has then
    /// @throws UserError if a device that is to learn has none
    void SetSamples(const std::vector<ns3::collab::DataView>& samples);

    /// @brief Read some samples with the final model of the server.
    /// @return what the model makes of them, a row a sample
    ns3::collab::Matrix<float> Embed(const ns3::collab::DataView& samples) const;

    /// Write all models, and the privacy that they have spent, if the user wants them
    void WriteModels(const ns3::collab::RunFolder& folder, ns3::collab::TableStore& tables) const;

    /// @return the devices' applications
    const ns3::ApplicationContainer& GetDevices() const;
    /// @return the server's application; null if there is none
    ns3::Ptr<ns3::collab::FederatedServerApplication> GetServer() const;

  private:
    struct State;
    std::unique_ptr<State> m_state; //!< what is installed
};

#endif /* GRAPH_DISCOVERY_DOWNSTREAM_H */
