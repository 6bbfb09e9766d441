/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISTILLATION_HELPER_H
#define DISTILLATION_HELPER_H

#include "distillation-server-application.h"

#include "ns3/application-container.h"
#include "ns3/collab-learner-pool.h"
#include "ns3/collab-learner.h"
#include "ns3/collab-shared-evaluation.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What one device of federated distillation learns with.
struct DistillationAgent
{
    std::shared_ptr<Learner> learner;          //!< model and data
    std::shared_ptr<const DataView> reference; //!< X*, the same for all
    std::shared_ptr<const DataView> own;       //!< own samples; only Selective-FD looks at them
    uint64_t seed = 0;                         //!< of what it compares them with
    /// What to measure the model on at the end of every round
    std::vector<std::shared_ptr<SharedEvaluation>> evaluations;
};

/// @ingroup collab
/// @brief Installs a DistillationServerApplication and DistillationClientApplications.
class DistillationHelper
{
  public:
    /// @param pool where all jobs are computed, those of the server too
    explicit DistillationHelper(Ptr<LearnerPool> pool);

    /// @brief Set an attribute of all applications that have it.
    /// @param name of an attribute of the server's application, of the devices' or of both
    /// @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value);
    /// @param server node of the base station; see D2sHelper
    /// @param nodes one a device, with a Transport that knows the server by the time of starting
    /// @param agents what each of them learns with, in the same order
    /// @return the devices' applications; GetServer() gives the server's
    ApplicationContainer Install(Ptr<Node> server,
                                 const NodeContainer& nodes,
                                 const std::vector<DistillationAgent>& agents);
    /// @return the server's application; null before Install()
    Ptr<DistillationServerApplication> GetServer() const;

  private:
    ObjectFactory m_serverFactory;               //!< makes the server's application
    ObjectFactory m_clientFactory;               //!< makes the devices' applications
    Ptr<LearnerPool> m_pool;                     //!< where jobs are computed
    Ptr<DistillationServerApplication> m_server; //!< the server's application
};

} // namespace ns3::collab

#endif /* DISTILLATION_HELPER_H */
