/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_APPLICATION_H
#define GRAPH_DISCOVERY_APPLICATION_H

#include "graph-discovery-group-application.h"

#include "ns3/collab-random.h"
#include "ns3/graph-discovery-policy.h"
#include "ns3/graph-discovery-reward.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief How devices choose from whom they get datapoints.
enum class GraphMethod
{
    LEARNED,      //!< by the policy that they have learned
    NONE,         //!< from nobody
    CLOSEST,      //!< from whom they hear best
    MOST_TRUSTED, //!< from whom trusts them with most partitions, as it has told
    UNIFORM,      //!< from anybody, all equally likely
    GIVEN,        //!< from those that SetGivenPeers() says
};

/// @ingroup collab
/// @brief What counts as datapoints from outside of a cluster, d'_k.
enum class BudgetCount
{
    REQUESTED, //!< those that are granted, U
    RECEIVED,  //!< those that arrive
};

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
class GraphDiscoveryApplication : public DiscoveryGroupApplication
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    GraphDiscoveryApplication();

    /// @param peers device to ask in each pass, for Method Given; nobody in a pass without one
    void SetGivenPeers(std::vector<std::optional<uint32_t>> peers);
    // What follows needs the node's transport and processor

    /// @return whether policies are learned
    bool IsLearned() const;
    /// @return duration of a slot; of the longest ones, see GetSharePeriod()
    Time GetSlotDuration() const;
    /// @param pass from 0
    /// @return when it begins, from the start
    Time GetPassBegin(uint32_t pass) const;
    /// @param pass from 0
    /// @return when its slots begin, from its begin: the first one has a longer setup
    Time GetSlotsBegin(uint32_t pass = 0) const;
    /// @param pass from 0
    /// @return when the slot begins whose grants are real, from the begin of the pass
    Time GetFinalSlotBegin(uint32_t pass = 0) const;
    /// @param pass from 0
    /// @return when datapoints are sent, from the begin of the pass
    Time GetDataBegin(uint32_t pass = 0) const;
    /// @param pass from 0
    /// @return its duration
    Time GetPassDuration(uint32_t pass = 0) const;
    /// @return duration of all passes
    Time GetDuration() const;

    std::vector<Metric> GetMetrics() const override;

    /**
     * TracedCallback signature for iterations.
     *
     * @param record an iteration
     */
    typedef void (*DiscoveryTracedCallback)(const DiscoveryRecord& record);
    /**
     * TracedCallback signature for edges.
     *
     * @param record an edge
     */
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

    void DoDispose() override;
    void DoStart() override;
    void BeginRound() override;
    void DoHalt() override;

    /// @return what the common setup needs for this paradigm
    virtual SetupNeeds GetNeeds() const = 0;
    /// @param pass from 0
    /// @return how long the own part of its setup takes
    virtual Time GetOwnSetupDuration(uint32_t pass) const = 0;
    /**
     * @brief Do the own part of the setup.
     * @param done called when that is done, not before the time of GetOwnSetupDuration() is over
     * unless others do not depend on it
     */
    virtual void SetUp(std::function<void()> done) = 0;
    /// @return how long a slot takes from its begin to the last request
    virtual Time GetAskDuration() const = 0;
    /// @return bytes of the payload of the largest grant
    virtual uint64_t CountGrantBytes() const = 0;
    /// @brief Forget the slot before, and learn about the present one.
    virtual void ClearSlot() = 0;
    /// @param peer index of the transmitter to ask
    virtual void Ask(uint32_t peer) = 0;
    /// @brief Grant what was requested in this slot.
    virtual void Grant() = 0;
    /// @param samples datapoints of a device
    /// @return floating-point operations of what PrepareGain() gives there
    virtual uint64_t CountGainFlops(uint64_t samples) const = 0;
    /**
     * @param link that was tried
     * @return computes what the grants of this slot come to, on any thread
     */
    virtual std::function<Gain()> PrepareGain(const Link& link) = 0;
    /// @return whether that is so little work that no thread is worth it
    virtual bool IsGainLight() const = 0;
    /// @brief The gain of this slot is known: tell it, beside the reward, if there is need.
    virtual void ShareGain();
    /// @return slots from one in which ShareGain() tells something to the next; the first does
    virtual uint32_t GetSharePeriod() const;
    /// @return bytes of the payloads that ShareGain() sends at most
    virtual uint64_t CountSharedBytes() const;
    /// @param shares whether gains are shared in the slot
    /// @return floating-point operations of PrepareGlobal(); 0 if there is nothing to prepare
    virtual uint64_t CountGlobalFlops(bool shares) const;
    /// @return works out, on any thread, what GetGlobalReward() needs of what others have told
    virtual std::function<void()> PrepareGlobal();
    /**
     * @param localReward of this device
     * @param points d'_k
     * @return rG
     */
    virtual double GetGlobalReward(double localReward, uint64_t points) const = 0;
    /// @return datapoints granted in this slot, by number of the receiver
    virtual std::vector<std::pair<uint32_t, PartitionCounts>> GetGifts() const = 0;
    /// @return datapoints that the link of this slot may bring at most
    virtual uint64_t GetMostFrom() const = 0;
    /// @return D_i now
    virtual PartitionCounts CountPartitions() const = 0;

    /// @return what the common setup needs for the method
    SetupNeeds GetMethodNeeds() const;
    /// @return whether devices ask each other for datapoints at all
    bool Asks() const;
    /// @param iteration slot of a pass, from 0
    /// @return whether gains are shared in it
    bool Shares(uint32_t iteration) const;
    /// @return bytes of a number of datapoints on the wire
    uint32_t GetCountBytes() const;
    /// @return greatest number of datapoints that such a number can be
    uint32_t GetGreatestCount() const;
    /// @return attribute SlotMessages
    uint32_t GetSlotMessages() const;
    /// @return weights of rewards
    RewardOptions GetRewardOptions() const;
    /// @param own local reward of this device
    /// @return local rewards of the own cluster, as far as known
    std::vector<double> GetClusterRewards(double own) const;
    /// @param peer index of the transmitter
    /// @return how many datapoints may be requested of it; see attribute EnforceBudget
    uint64_t GetRequestLimit(uint32_t peer) const;
    /**
     * @brief Say how many of some datapoints arrive, as far as rewards are concerned.
     *
     * @param granted number of them
     * @param outage P_D of the link
     * @param generator of draws
     * @return (1 - P_D) of them, or with ExpectedValueExchange false a binomial draw; what ARQ
     * would bring besides is not counted, as in the paper
     */
    double GetArriving(uint32_t granted, double outage, RandomGenerator& generator) const;
    /// @return number of the present slot, the round of its messages
    uint32_t GetSlot() const;
    /// @return begin of the present slot
    Time GetSlotBegin() const;
    /// @return link that is tried in this slot
    const Link& GetLink() const;
    /// @return whether datapoints follow this slot
    bool IsFinalSlot() const;
    /**
     * @param message of a slot
     * @param deadline of its kind, from the begin of the slot
     * @return whether it is of the present slot, and not late
     */
    bool IsInTime(const Message& message, Time deadline) const;
    /// @return end of grants, from the begin of a slot; once started
    Time GetGrantEnd() const;
    /// @return end of rewards, from the begin of the present slot
    Time GetRewardEnd() const;

  private:
    /// A member of the cluster, as far as known
    struct Member
    {
        double reward = 0;   //!< rL
        uint32_t points = 0; //!< d'_i
    };

    /// @return end of grants, from the begin of a slot
    Time FindGrantEnd() const;
    /// @param shares whether gains are shared in the slot
    /// @return end of rewards, from the begin of a slot
    Time FindRewardEnd(bool shares) const;
    /// @param shares whether gains are shared in the slot
    /// @return duration of the slot
    Time FindSlotDuration(bool shares) const;
    /**
     * @param slots number of slots of a pass, from the first one on
     * @param sharing duration of one in which gains are shared
     * @param quiet duration of another one
     * @return how long they take together
     */
    Time AddSlots(uint32_t slots, Time sharing, Time quiet) const;
    /// @param samples datapoints of a device
    /// @return floating-point operations of a slot there, once grants are known
    uint64_t CountSlotFlops(uint64_t samples) const;
    /// @return iterations of a pass
    uint32_t CountIterations() const;
    /// @brief Begin the pass GetRound().
    void BeginPass();
    /// @param sender index
    /// @param message its reward
    void HandleReward(uint32_t sender, const Message& message);
    /// @brief The setup is over: wait for the first slot.
    void EndSetup();
    /// @brief Make the policy of this pass.
    void MakePolicy();
    /// @return level of each peer's RSS now; none with one level
    std::vector<uint32_t> GetLevels() const;
    /// @return index of the transmitter of the final slot
    uint32_t ChooseFinal();
    /// @return P_D of all devices now
    std::vector<double> GetOutages() const;
    /// @brief Begin a slot.
    void BeginSlot();
    /// @brief All requests are there, or lost.
    void EndAsking();
    /// @brief All grants are there, or lost.
    void EndGranting();
    /// @param gain of this slot
    void TakeGain(const Gain& gain);
    /// @brief All rewards are there, or lost.
    void EndSlot();
    /// @brief Go on once rewards are over and the gain known.
    void ContinueSlot();
    /// @brief Learn, and wait for the next slot.
    void ConcludeSlot();
    /// @brief Learn from the slot.
    void Learn();
    /// @param least begin the next slot that has not begun, of this number at least
    void ScheduleSlot(uint32_t least);
    /**
     * @param offset from the begin of the slot, which may be over
     * @param next part of the slot
     */
    void ScheduleAt(Time offset, void (GraphDiscoveryApplication::*next)());
    /// @brief The final slot is over: exchange datapoints.
    void BeginData();
    /// @brief End the pass.
    void EndPass();

    GraphMethod m_method;        //!< attribute Method
    uint32_t m_iterations;       //!< attribute Iterations
    uint32_t m_countBits;        //!< attribute CountBits
    uint32_t m_slotMessages;     //!< attribute SlotMessages
    Time m_grantDeadline;        //!< attribute GrantDeadline
    Time m_rewardDeadline;       //!< attribute RewardDeadline
    double m_diversityWeight;    //!< attribute DiversityWeight
    double m_reliabilityWeight;  //!< attribute ReliabilityWeight
    double m_budgetWeight;       //!< attribute BudgetWeight
    double m_budget;             //!< attribute Budget
    double m_globalWeight;       //!< attribute GlobalWeight
    bool m_dividesByCluster;     //!< attribute DividesByCluster
    BudgetCount m_budgetCount;   //!< attribute BudgetCount
    bool m_enforcesBudget;       //!< attribute EnforceBudget
    bool m_isExpectedValue;      //!< attribute ExpectedValueExchange
    PsiRule m_psi;               //!< attribute Psi
    UntriedRule m_untried;       //!< attribute Untried
    BufferMeanRule m_bufferMean; //!< attribute BufferMean
    uint32_t m_buffer;           //!< attribute Buffer
    double m_reduction;          //!< attribute Reduction
    uint32_t m_levelCount;       //!< attribute StateLevels
    StateRule m_state;           //!< attribute State
    double m_stateMinimumW;      //!< attribute StateMinimum
    double m_stateMaximumW;      //!< attribute StateMaximum

    std::vector<std::optional<uint32_t>> m_givenPeers; //!< by pass
    std::vector<Member> m_known;                       //!< by index
    std::vector<uint8_t> m_excluded;                   //!< by index: not to be asked any more
    std::unique_ptr<GraphDiscoveryPolicy> m_policy;    //!< of this pass
    Time m_askDuration;                                //!< from the begin of a slot
    Time m_grantEnd;                                   //!< from the begin of a slot
    Time m_sharingEnd;      //!< end of rewards where gains are shared, from the begin of a slot
    Time m_quietEnd;        //!< end of rewards in other slots, from the begin of a slot
    Time m_sharingDuration; //!< of a slot in which gains are shared
    Time m_quietDuration;   //!< of another slot
    Time m_rewardEnd;       //!< of the present slot, from its begin
    Time m_start;           //!< of the first pass
    Time m_slotsBegin;      //!< of the pass: begin of its first slot

    uint32_t m_iteration = 0;       //!< slot of this pass
    Time m_slotBegin;               //!< when it began
    bool m_isInSlot = false;        //!< whether the device is in a slot
    bool m_isComputing = false;     //!< whether its gain is not known yet
    bool m_isTimeOver = false;      //!< whether rewards are over
    std::vector<uint32_t> m_levels; //!< of the present slot
    Link m_link;                    //!< of the present slot
    Gain m_gain;                    //!< of the present slot
    double m_localReward = 0;       //!< of the present slot
    uint32_t m_points = 0;          //!< d'_i of the present slot
    EventId m_event;                //!< next part of a pass

    EdgeRecord m_edge;      //!< of this pass
    double m_rewardSum = 0; //!< of R over this pass
    double m_localSum = 0;  //!< of rL over this pass
    uint64_t m_learned = 0; //!< iterations of this pass
    uint64_t m_grants = 0;  //!< of these, with a grant

    TracedCallback<const DiscoveryRecord&> m_discoveryTrace; //!< trace source Discovery
    TracedCallback<const EdgeRecord&> m_edgeTrace;           //!< trace source Edge
};

} // namespace collab
} // namespace ns3

#endif /* GRAPH_DISCOVERY_APPLICATION_H */
