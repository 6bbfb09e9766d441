/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_HELPER_H
#define GOSSIP_HELPER_H

#include "ns3/application-container.h"
#include "ns3/collab-learner-pool.h"
#include "ns3/collab-learner.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What one device learns with.
struct GossipAgent
{
    std::shared_ptr<Learner> learner; //!< model and data; null if it is known later
    uint32_t samples = 0;             //!< number of its samples
    std::string attack; //!< how it forges what it tells; see MakeGradientAttack(); empty: not
    /// What to measure the model on whenever it has changed, by name
    std::vector<std::pair<std::string, std::shared_ptr<const DataView>>> evaluations;
};

/// @ingroup collab
/// @brief Installs the applications of one algorithm of gossip.
class GossipHelper
{
  public:
    /// @param type of the applications, such as "ns3::collab::GossipFlApplication"
    /// @param pool where all devices' jobs are computed
    /// @param seed of what is pseudo-random and shared by all devices
    GossipHelper(const std::string& type, Ptr<LearnerPool> pool, uint64_t seed);

    /// @param name of an attribute of the applications
    /// @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /// @param nodes one a device, with a Transport and a Processor by the time of starting
    /// @param agents what each of them learns with, in the same order
    /// @return the applications
    ApplicationContainer Install(const NodeContainer& nodes,
                                 const std::vector<GossipAgent>& agents) const;

    /// @brief Say what devices learn with, before they start (see ApplicationContainer::Start()).
    /// @param applications as Install() has made them
    /// @param agents with a learner and its samples each, in the same order; the rest stays as it
    /// was
    static void SetLearners(const ApplicationContainer& applications,
                            const std::vector<GossipAgent>& agents);

  private:
    ObjectFactory m_factory; //!< makes applications
    Ptr<LearnerPool> m_pool; //!< where jobs are computed
    uint64_t m_seed;         //!< shared by all devices
};

} // namespace ns3::collab

#endif /* GOSSIP_HELPER_H */
