/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_HELPER_H
#define COMMITTEE_HELPER_H

#include "ns3/application-container.h"
#include "ns3/collab-learner-pool.h"
#include "ns3/collab-learner.h"
#include "ns3/collab-shared-evaluation.h"
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
/// @brief What one device of the committee mechanism learns with, and does wrong.
struct CommitteeAgent
{
    std::shared_ptr<Learner> learner; //!< model and data
    uint32_t samples = 0;             //!< number of its samples
    std::string gradientAttack;       //!< attribute GradientAttack
    std::string misbehavior;          //!< attribute Misbehavior
};

/**
 * @ingroup collab
 * @brief Installs CommitteeApplications.
 *
 * Byzantine devices know of each other, and tell devices with an even number another story than
 * those with an odd one.
 */
class CommitteeHelper
{
  public:
    /// @param pool where all devices' jobs are computed
    /// @param seed of what is pseudo-random and shared by all devices
    CommitteeHelper(Ptr<LearnerPool> pool, uint64_t seed);

    /// @param name of an attribute of CommitteeApplication
    /// @param value its value
    void
    SetAttribute(const std::string& name, const AttributeValue& value)
    {
        m_factory.Set(name, value);
    }

    /// @param bytes size of an authenticator; see KeyRing
    void
    SetAuthenticatorBytes(uint32_t bytes)
    {
        m_authenticatorBytes = bytes;
    }

    /// @param evaluation of models, by all devices
    void
    AddEvaluation(std::shared_ptr<SharedEvaluation> evaluation)
    {
        m_evaluations.push_back(std::move(evaluation));
    }

    /// @param nodes one a device, with a Transport and a Processor by the time of starting
    /// @param agents what each of them learns with, in the same order
    /// @return the applications
    /// @throws UserError if an attack or a misbehavior is none
    ApplicationContainer Install(const NodeContainer& nodes,
                                 const std::vector<CommitteeAgent>& agents) const;

  private:
    ObjectFactory m_factory;                                      //!< makes applications
    Ptr<LearnerPool> m_pool;                                      //!< where jobs are computed
    uint64_t m_seed;                                              //!< shared by all devices
    uint32_t m_authenticatorBytes = 64;                           //!< size of an authenticator
    std::vector<std::shared_ptr<SharedEvaluation>> m_evaluations; //!< what to measure on
};

} // namespace ns3::collab

#endif /* COMMITTEE_HELPER_H */
