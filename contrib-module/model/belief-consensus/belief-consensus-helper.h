/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_HELPER_H
#define BELIEF_CONSENSUS_HELPER_H

#include "ns3/application-container.h"
#include "ns3/belief-consensus-belief.h"
#include "ns3/collab-learner-pool.h"
#include "ns3/collab-matrix.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Installs BeliefConsensusApplications or BeliefGossipApplications.
class BeliefConsensusHelper
{
  public:
    /// @param pool where all users' jobs are computed; one is made if it is null
    /// @param type of the applications
    explicit BeliefConsensusHelper(
        Ptr<LearnerPool> pool = nullptr,
        const std::string& type = "ns3::collab::BeliefConsensusApplication");

    /// @param name of an attribute of the applications
    /// @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /// @brief Name users that do not tell the truth; see the attributes Lie and LieStrength.
    /// @param users places among the nodes
    /// @param lie name of a lie, as the attribute has it
    /// @param strength of the lie
    void SetLiars(std::set<uint32_t> users, const std::string& lie, double strength);

    /// @brief Weigh neighbors by the radio's own links instead of by the weights of Install(),
    /// which then only say who listens to whom.
    void UseReliability();

    /// @param nodes one a user, with a Transport and a Processor by the time of starting
    /// @param models of the users, in the same order
    /// @param w the trust matrix W: row i has the weights that user i gives to others; rows sum to
    /// 1, and W_ij > 0 says that i listens to j. An empty one for users that learn alone
    /// @return the applications
    ApplicationContainer Install(const NodeContainer& nodes,
                                 std::vector<std::unique_ptr<BeliefModel>> models,
                                 const Matrix<double>& w) const;

    /// @brief Assign fixed streams to the random variables of the users.
    /// @param applications that were installed
    /// @param stream first stream index to use
    /// @return number of stream indices used
    static int64_t AssignStreams(const ApplicationContainer& applications, int64_t stream);

  private:
    ObjectFactory m_factory;      //!< makes applications
    Ptr<LearnerPool> m_pool;      //!< where jobs are computed
    std::set<uint32_t> m_liars;   //!< places of those that do not tell the truth
    std::string m_lie = "None";   //!< what they do
    double m_lieStrength = 1;     //!< how much of it
    bool m_isReliability = false; //!< whether the radio's links say what neighbors weigh
};

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_HELPER_H */
