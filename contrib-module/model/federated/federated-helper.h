/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_HELPER_H
#define FEDERATED_HELPER_H

#include "federated-client-application.h"
#include "federated-server-application.h"

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
/// @brief What one device learns with.
struct FederatedAgent
{
    std::shared_ptr<Learner> learner; //!< model and data; null if it is known later
    uint32_t samples = 0;             //!< number of its samples
    uint64_t compressionSeed = 0;     //!< of what is random in the compression of its updates
    std::string gradientAttack;       //!< attribute GradientAttack
    uint64_t attackSeed = 0;          //!< of what is random in the attack
    /// What to measure the global model on at the end of every round, perhaps with other devices
    std::vector<std::shared_ptr<SharedEvaluation>> evaluations;
    bool isStraggler = false; //!< whether it never takes part in aggregation
};

/// @ingroup collab
/// @brief Installs a server's application and FederatedClientApplications.
class FederatedHelper
{
  public:
    /// @param pool where all jobs are computed, those of the server too
    /// @param clientType of the devices' applications: FederatedClientApplication, or a subclass
    /// such as SemiDecentralizedClientApplication
    /// @param serverType of the server's application: FederatedSynchronousServerApplication, or
    /// FederatedBufferedServerApplication for FedBuff
    explicit FederatedHelper(
        Ptr<LearnerPool> pool,
        const std::string& clientType = "ns3::collab::FederatedClientApplication",
        const std::string& serverType = "ns3::collab::FederatedSynchronousServerApplication");

    /// @brief Set an attribute of all applications that have it.
    /// @param name of an attribute of the server's application, of the devices' applications or of
    /// both
    /// @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value);
    /// @param name of an attribute of the server's application
    /// @param value its value
    void SetServerAttribute(const std::string& name, const AttributeValue& value);
    /// @param name of an attribute of the devices' applications
    /// @param value its value
    void SetClientAttribute(const std::string& name, const AttributeValue& value);
    /// @param seed of the draws of those that take part in a round
    void SetSamplingSeed(uint64_t seed);
    /// @brief Part the devices in sets, for SemiDecentralizedClientApplication.
    /// @param sets of numbers of nodes: disjoint, and every device in one; see MakeSets()
    void SetSets(std::vector<std::vector<uint32_t>> sets);

    /**
     * @brief Install the devices, and then the server that they send to.
     *
     * The agents may have no learners yet, and the model may be null: SetLearners() then gives them
     * before the applications start (see ApplicationContainer::Start()).
     *
     * When the server ends, the devices end the rounds that they have left; see
     * FederatedClientApplication::Conclude().
     *
     * @param server node of the base station; see D2sHelper
     * @param model initial weights
     * @param nodes one a device, with a Transport that knows the server by the time of starting
     * @param agents what each of them learns with, in the same order
     * @return the devices' applications; GetServer() gives the server's
     */
    ApplicationContainer Install(Ptr<Node> server,
                                 FlatVector model,
                                 const NodeContainer& nodes,
                                 const std::vector<FederatedAgent>& agents);

    /// @brief Say what is learned, before the applications start.
    /// @param model initial weights
    /// @param agents with a learner and its samples each, in the order of Install(); the rest stays
    /// as it was then
    void SetLearners(FlatVector model, const std::vector<FederatedAgent>& agents) const;

    /// @return the server's application; null before Install()
    Ptr<FederatedServerApplication> GetServer() const;

  private:
    /// @brief Set what FedBuff or sets of devices need, and nobody has given.
    void SetUsual();
    /// @param agent what a device learns with
    /// @param node of the device
    /// @return its application, installed on the node
    Ptr<FederatedClientApplication> InstallClient(const FederatedAgent& agent,
                                                  Ptr<Node> node) const;

    ObjectFactory m_serverFactory;             //!< makes the server's application
    ObjectFactory m_clientFactory;             //!< makes the devices' applications
    Ptr<LearnerPool> m_pool;                   //!< where jobs are computed
    uint64_t m_samplingSeed = 0;               //!< of the draws of participants
    std::vector<std::vector<uint32_t>> m_sets; //!< of devices
    ApplicationContainer m_clients;            //!< of the devices
    Ptr<FederatedServerApplication> m_server;  //!< the server's application
};

} // namespace ns3::collab

#endif /* FEDERATED_HELPER_H */
