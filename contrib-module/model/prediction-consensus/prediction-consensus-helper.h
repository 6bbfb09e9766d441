/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_HELPER_H
#define PREDICTION_CONSENSUS_HELPER_H

#include "ns3/application-container.h"
#include "ns3/collab-learner-pool.h"
#include "ns3/collab-learner.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What one agent learns with.
struct PredictionConsensusAgent
{
    std::shared_ptr<Learner> learner;          //!< model and data
    std::shared_ptr<const DataView> reference; //!< the shared unlabeled set X*
    /// What to measure it on at the end of every round, by name
    std::vector<std::pair<std::string, std::shared_ptr<const DataView>>> evaluations;
    /// What to trace its predictions of, by name
    std::vector<std::pair<std::string, std::shared_ptr<const DataView>>> probes{};
};

/// @ingroup collab
/// @brief Installs PredictionConsensusApplications.
class PredictionConsensusHelper
{
  public:
    /// @param pool where all agents' jobs are computed
    explicit PredictionConsensusHelper(Ptr<LearnerPool> pool);

    /// @param name of an attribute of PredictionConsensusApplication
    /// @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /// @param nodes one a device, with a Transport and a Processor by the time of starting
    /// @param agents what each of them learns with, in the same order
    /// @return the applications
    ApplicationContainer Install(const NodeContainer& nodes,
                                 const std::vector<PredictionConsensusAgent>& agents) const;

  private:
    ObjectFactory m_factory; //!< makes applications
    Ptr<LearnerPool> m_pool; //!< where jobs are computed
};

} // namespace ns3::collab

#endif /* PREDICTION_CONSENSUS_HELPER_H */
