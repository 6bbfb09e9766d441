/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_HELPER_H
#define GRAPH_DISCOVERY_HELPER_H

#include "ns3/application-container.h"
#include "ns3/attribute.h"
#include "ns3/collab-learner-pool.h"
#include "ns3/graph-discovery-label-application.h"
#include "ns3/graph-discovery-trust.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What one device has when it begins to look for others.
struct DiscoveryAgent
{
    DataView samples;                           //!< its datapoints
    uint64_t seed = 0;                          //!< of its draws
    std::vector<std::optional<uint32_t>> peers; //!< by pass, for Method Given: numbers
    LabelPartitioner partitioner;               //!< of them, if not by labels
};

/// @ingroup collab
/// @brief Installs LabelDiscoveryApplications or LatentDiscoveryApplications.
class GraphDiscoveryHelper
{
  public:
    /// @param type of the applications
    /// @param pool where jobs are computed
    GraphDiscoveryHelper(const std::string& type, Ptr<LearnerPool> pool);

    /// @param name of an attribute of the applications
    /// @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /// @brief Install one application a node. All must start at the same time.
    /// @param nodes with transports, processors and ascending numbers
    /// @param agents what each device has
    /// @param trust T_j of each device, N x L
    /// @return the applications
    ApplicationContainer Install(const NodeContainer& nodes,
                                 const std::vector<DiscoveryAgent>& agents,
                                 const TrustMatrices& trust) const;

  private:
    ObjectFactory m_factory; //!< makes applications
    Ptr<LearnerPool> m_pool; //!< where jobs are computed
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_HELPER_H */
