/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SYNCHRONOUS_SERVER_APPLICATION_H
#define FEDERATED_SYNCHRONOUS_SERVER_APPLICATION_H

#include "federated-server-application.h"

#include "ns3/federated-analog-messages.h"

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief The server of a federated algorithm with rounds: all but FedBuff.
 *
 * A round has three phases:
 * - "download": send the global model to the devices that were drawn to take part;
 * - "collect": wait until their updates are here or RoundDeadline has passed since the model was
 * sent. A device that did not acknowledge the model is not waited for;
 * - "aggregate": make the next model.
 *
 * If the Uplink is analog, it waits for the devices' heads in place of updates, and then has a
 * phase "superpose": it tells the slot to those that are ready, by one multicast, and when all have
 * it or are given up, the slot begins.
 */
class FederatedSynchronousServerApplication : public FederatedServerApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    FederatedSynchronousServerApplication();

    /**
     * @brief Let one device of each set take part in a round, drawn uniformly at random.
     *
     * Needed by FederatedAlgorithm::SEMI_DECENTRALIZED, and by no other. All devices get the model.
     *
     * @param sets of clients, disjoint
     */
    void SetSets(std::vector<std::vector<uint32_t>> sets);

  protected:
    void DoStart() override;
    Process Round() override;
    void CheckClients() const override;
    void TakeUpdate(const Received<FederatedUpload>& update) override;

  private:
    /// @return devices that are to take part in the present round, ascending
    std::vector<uint32_t> DrawParticipants() const;
    /// @param round of an update, or of what announces it
    /// @param device its sender
    /// @return whether it is waited for; if not, it is counted as late
    /// @throws PayloadError if it was not asked for, or comes a second time
    bool IsInTime(uint32_t round, uint32_t device);
    /// @brief Let all that are ready send at once, and receive their mean.
    /// @param[in,out] harvest gets it, as one update
    Process Superpose(Harvest& harvest);

    double m_participation; //!< attribute Participation

    std::vector<std::vector<uint32_t>> m_sets;       //!< see SetSets(); none for no sets
    std::vector<std::vector<uint32_t>> m_sampled;    //!< by round, ascending
    std::set<std::pair<uint32_t, uint32_t>> m_heard; //!< rounds and devices of updates so far
    std::map<uint32_t, std::shared_ptr<const FederatedUpload>> m_updates; //!< by device
    std::map<uint32_t, std::shared_ptr<const FederatedHead>> m_heads;     //!< by device, if analog
    std::set<uint32_t> m_awaited; //!< devices whose updates are missing
    bool m_isCollecting = false;  //!< whether updates are waited for
};

} // namespace ns3::collab

#endif /* FEDERATED_SYNCHRONOUS_SERVER_APPLICATION_H */
