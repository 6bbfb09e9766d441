/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_APPLICATION_H
#define GRAPH_DISCOVERY_APPLICATION_H

#include "graph-discovery-choice-application.h"

#include "ns3/collab-columns.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief One iteration of a device's learning, for traces.
struct DiscoveryRecord
{
    uint32_t round = 0;      //!< pass, from 0
    uint32_t iteration = 0;  //!< of the pass, from 0
    uint32_t device = 0;     //!< receiver
    uint32_t peer = 0;       //!< transmitter that it chose
    double outage = 0;       //!< P_D of the link
    bool granted = false;    //!< whether a grant has come
    double score = 0;        //!< diversity: g, or the sum of traces' ratios
    double localReward = 0;  //!< rL
    double globalReward = 0; //!< rG
    double reward = 0;       //!< R
};

/// @ingroup collab
/// @brief An edge of the final graph of a pass, for traces.
struct EdgeRecord
{
    uint32_t round = 0;           //!< pass, from 0
    uint32_t device = 0;          //!< receiver
    std::optional<uint32_t> peer; //!< transmitter, if there is any
    double outage = 0;            //!< P_D of the link
    double probability = 1;       //!< that the policy gave it
    uint64_t granted = 0;         //!< datapoints
    uint64_t taken = 0;           //!< datapoints that came
    uint64_t sent = 0;            //!< datapoints that the device gave away
    uint64_t putBack = 0;         //!< of these, that it took back
    double score = 0;             //!< expected diversity: g, or the sum of traces' ratios
    double localReward = 0;       //!< rL of the graph
    PartitionCounts before;       //!< D_i
    uint64_t samples = 0;         //!< datapoints that the device has then
};

/// @ingroup collab
/// @brief What is measured in a pass.
struct PassMetrics
{
    EdgeRecord edge;      //!< of the pass
    double rewardSum = 0; //!< of R
    double localSum = 0;  //!< of rL
    uint64_t learned = 0; //!< iterations
    uint64_t grants = 0;  //!< of these, with a grant

    /// @param sum over iterations
    /// @return mean of it; NaN without iterations
    double GetMean(double sum) const;
    /// @return all metrics
    static Columns<PassMetrics> GetColumns();
};

/**
 * @ingroup collab
 * @brief A device that learns whom to ask for datapoints (Wagle et al., Sec. IV), and asks.
 *
 * A round is a pass: one more incoming edge. Its parts begin at times that all devices know, for
 * applications must start together:
 * - phase "setup": what has to be known beforehand, for what the method needs; see
 *   DiscoveryGroupApplication and the subclasses;
 * - phase "discovery", only with Method Learned: Iterations slots. In each, a device draws a
 *   transmitter by its policy, messages tell what it would get of it (see the subclasses), its
 *   reward is sent to its cluster at once, and the policy learns from both;
 * - phase "exchange": one more slot, with the best transmitter of each device, and then the granted
 *   datapoints are really sent.
 *
 * What is late or lost counts as not sent; a cluster's member whose reward is missing counts with
 * its last one, or 0. A policy is new in every pass, and no transmitter is asked in two passes.
 *
 * A device whose computation is not done when a slot begins sits that one out.
 */
class GraphDiscoveryApplication : public DiscoveryChoiceApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    GraphDiscoveryApplication();

    /// @return when parts of passes begin; needs the node's transport and processor
    PassPlan GetPlan() const;

    std::vector<Metric> GetMetrics() const override;

    /// TracedCallback signature for iterations.
    /// @param record an iteration
    typedef void (*DiscoveryTracedCallback)(const DiscoveryRecord& record);
    /// TracedCallback signature for edges.
    /// @param record an edge
    typedef void (*EdgeTracedCallback)(const EdgeRecord& record);

  protected:
    /// A link that is tried
    struct Link
    {
        uint32_t peer = NOBODY; //!< index of the transmitter
        double outage = 0;      //!< P_D; 0 without a transmitter
    };

    /// What the messages of a slot come to for a receiver
    struct Gain
    {
        bool granted = false; //!< whether a grant has come
        double score = 0;     //!< diversity
        uint64_t points = 0;  //!< U of the edge, datapoints
        double received = 0;  //!< of these, that would arrive
    };

    void DoStart() override;
    void DoResume() override;
    std::optional<uint32_t> FindPresentRound() const override;
    Process Round() override;

    /// @param pass from 0
    /// @return how long the own part of its setup takes
    virtual Time GetOwnSetupDuration(uint32_t pass) const = 0;
    /// @brief Do the own part of the setup, for GetOwnSetupDuration() at least unless others do not
    /// depend on it.
    virtual Process SetUp() = 0;
    /// @return how long a slot takes from its begin to the last request
    virtual Time GetAskDuration() const = 0;
    /// @return bytes of the payload of the largest grant
    virtual uint64_t CountGrantBytes() const = 0;
    /// @brief Forget the slot before, and learn about the present one.
    virtual void ClearSlot() = 0;
    /// @param peer index of the transmitter to ask
    virtual void Ask(uint32_t peer) = 0;
    /// @brief Grant what was requested in this slot.
    /// @return datapoints that are granted
    virtual Gifts Grant() = 0;
    /// @param samples datapoints of a device
    /// @return floating-point operations of FindGain() there, without the policy's
    virtual uint64_t CountGainFlops(uint64_t samples) const = 0;
    /// @param link that was tried
    /// @return something to wait for: what the grants of this slot come to
    virtual JobWait<Gain> FindGain(const Link& link) = 0;
    /// @brief The gain of this slot is known: tell it, beside the reward, if there is need.
    virtual void
    ShareGain()
    {
    }

    /// @return slots from one in which ShareGain() tells something to the next; the first does
    virtual uint32_t
    GetSharePeriod() const
    {
        return 1;
    }

    /// @return bytes of the payloads that ShareGain() sends at most
    virtual uint64_t
    CountSharedBytes() const
    {
        return 0;
    }

    /// @param shares whether gains are shared in the slot
    /// @return floating-point operations of JudgeAll(); 0 if there is nothing to judge
    virtual uint64_t
    CountGlobalFlops([[maybe_unused]] bool shares) const
    {
        return 0;
    }

    /// @brief Work out what GetGlobalReward() needs of what others have told.
    virtual Process JudgeAll();
    /// @param localReward of this device
    /// @param points d'_k
    /// @return rG
    virtual double GetGlobalReward(double localReward, uint64_t points) const = 0;
    /// @return datapoints that the link of this slot may bring at most
    virtual uint64_t GetMostFrom() const = 0;

    /// @return bytes of a number of datapoints on the wire
    uint32_t
    GetCountBytes() const
    {
        return m_countBits / 8;
    }

    /// @return greatest number of datapoints that such a number can be
    uint32_t
    GetGreatestCount() const
    {
        return (1U << m_countBits) - 1;
    }

    /// @return attribute SlotMessages
    uint32_t
    GetSlotMessages() const
    {
        return m_slotMessages;
    }

    /// @param samples datapoints of a device
    /// @return floating-point operations of a slot there, once grants are known
    uint64_t CountSlotFlops(uint64_t samples) const;
    /// @return D_i of this pass
    const PartitionCounts&
    GetHeld() const
    {
        return m_held;
    }

    /// @return datapoints granted in this slot
    const Gifts&
    GetGifts() const
    {
        return m_gifts;
    }

    /// @return the times of this run
    const PassPlan&
    GetTimes() const
    {
        return m_plan;
    }

    /// @return number of the present slot, the round of its messages
    uint32_t GetSlot() const;
    /// @return begin of the present slot
    Time
    GetSlotBegin() const
    {
        return m_slotBegin;
    }

    /// @return whether gains are shared in the present slot
    bool
    SharesNow() const
    {
        return m_plan.Shares(m_iteration);
    }

    /// @return end of rewards, from the begin of the present slot
    Time
    GetRewardEnd() const
    {
        return m_plan.GetRewardEnd(m_iteration);
    }

    /// @return link that is tried in this slot
    const Link&
    GetLink() const
    {
        return m_link;
    }

    /// @param slot that a message is of
    /// @param deadline of its kind, from the begin of the slot
    /// @return whether it is of the present slot, and not late
    bool IsInTime(uint32_t slot, Time deadline) const;

  private:
    /// @brief One slot, from its begin to the end of its rewards.
    Process Slot();
    /// @return whether datapoints follow this slot
    bool
    IsFinalSlot() const
    {
        return m_iteration == m_plan.iterations;
    }

    /// @brief Work out the local reward of the present slot.
    void Reward();
    /// @brief Tell the cluster the reward of the present slot.
    void TellReward();
    /// @brief Learn from the slot.
    void Learn();
    /// @return transmitter of the final slot, noted as the edge of this pass
    std::optional<uint32_t> TakeEdge();

    uint32_t m_iterations;   //!< attribute Iterations
    uint32_t m_countBits;    //!< attribute CountBits
    uint32_t m_slotMessages; //!< attribute SlotMessages
    Time m_grantDeadline;    //!< attribute GrantDeadline
    Time m_rewardDeadline;   //!< attribute RewardDeadline

    PartitionCounts m_held; //!< D_i of this pass
    PassPlan m_plan;        //!< when parts of passes begin

    uint32_t m_iteration = 0; //!< slot of this pass
    Time m_slotBegin;         //!< when it began
    bool m_isInSlot = false;  //!< whether its rewards are not over
    Link m_link;              //!< of the present slot
    Gifts m_gifts;            //!< of the present slot
    Gain m_gain;              //!< of the present slot
    double m_localReward = 0; //!< of the present slot
    uint32_t m_points = 0;    //!< d'_i of the present slot
    PassMetrics m_metrics;    //!< of this pass

    TracedCallback<const DiscoveryRecord&> m_discoveryTrace; //!< trace source Discovery
    TracedCallback<const EdgeRecord&> m_edgeTrace;           //!< trace source Edge
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_APPLICATION_H */
