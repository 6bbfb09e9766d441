/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_ENDPOINT_H
#define COMMITTEE_ENDPOINT_H

#include "ns3/committee-misbehavior.h"
#include "ns3/committee-node.h"
#include "ns3/committee-settings.h"
#include "ns3/event-id.h"
#include "ns3/simulator.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How a device of the committee mechanism sends, receives and keeps time; and what it sends
/// besides if it misbehaves.
class CommitteeEndpoint : public CommitteeSettings, protected CommitteeHost
{
  public:
    CommitteeEndpoint();
    ~CommitteeEndpoint() override;

    /// @return what the device, which has started, does in the present round
    CommitteeRole
    GetRole() const
    {
        return m_node->GetRole();
    }

    /// @return the newest model that the device has; what it begins with if it has not started
    FlatVector
    GetModel() const
    {
        return m_node ? m_node->GetModel() : GetLearner()->GetWeights();
    }

    /// @return whether that is the model of the last block that the device knows
    bool
    HasModel() const
    {
        return m_node && m_node->HasModel();
    }

    /// @return the committee of the present round, ascending, as a device knows it that has started
    const std::vector<uint32_t>&
    GetCommittee() const
    {
        return m_node->GetChain().GetCommittee();
    }

    /// @return how rounds have ended, as far as the device knows; empty if it has not started, as
    /// one without charge never does
    const CommitteeChain& GetChain() const;

  protected:
    void DoDispose() override;
    bool
    IsAnswering() const override
    {
        return IsRunning() || IsFinished();
    }

    bool
    IsAlive(const Delivery& delivery) const override
    {
        return IsAnswering() && delivery.content.round >= GetRound();
    }

    // CommitteeHost
    void Send(uint32_t receiver, const CommitteeMessage& message) override;
    void Broadcast(const CommitteeMessage& message) override;
    void SetTimer(CommitteeTimer timer, uint64_t delayNs) override;
    void
    CancelTimer(CommitteeTimer timer) override
    {
        m_timers[static_cast<std::size_t>(timer)].Cancel();
    }

    uint64_t
    GetNowNs() const override
    {
        return static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
    }

    void
    Reject(const std::string& reason) override
    {
        GetTransport()->Reject(reason);
    }

    /// @brief Make the node of this device.
    void MakeNode();
    /// @brief Take part in messages of all kinds.
    void Listen();
    /// @brief Send what a device that misbehaves makes up.
    void Disturb();

    std::unique_ptr<CommitteeNode> m_node;    //!< decides what to do
    std::unique_ptr<DeviantDevice> m_deviant; //!< makes things up; null if honest
    EventId m_timers[COMMITTEE_TIMERS];       //!< of the node

  private:
    /// @return digest of the model made of an order's gradients, if they are there
    std::optional<Digest> Guess(const AggregationOrder& order) const;
    /// @param message any
    /// @param send gets it as the network carries it, its round, and its priority
    template <typename F>
    void Dispatch(const CommitteeMessage& message, F send) const;
};

} // namespace ns3::collab

#endif /* COMMITTEE_ENDPOINT_H */
