/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_CHOICE_APPLICATION_H
#define GRAPH_DISCOVERY_CHOICE_APPLICATION_H

#include "graph-discovery-group-application.h"

#include "ns3/graph-discovery-policy.h"
#include "ns3/graph-discovery-reward.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
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

/**
 * @ingroup collab
 * @brief A device that chooses from whom it gets datapoints.
 *
 * It learns that by its rewards, and by those that its cluster tells. A policy is new in every
 * pass, and no transmitter is asked in two passes.
 */
class DiscoveryChoiceApplication : public DiscoveryGroupApplication
{
  public:
    /// @param peers device to ask in each pass, for Method Given; nobody in a pass without one
    void SetGivenPeers(std::vector<std::optional<uint32_t>> peers);
    /// @return whether policies are learned
    bool IsLearned() const;

  protected:
    void DoStart() override;

    /// @param type of the applications
    /// @return the same with the attribute Method
    static TypeId AddMethod(TypeId type);
    /// @param type of the applications
    /// @return the same with the attributes of policies
    static TypeId AddPolicy(TypeId type);

    /// @param type of the applications
    /// @return the same with the attributes of rewards
    static TypeId AddRewards(TypeId type);

    /// @return whether devices ask each other for datapoints at all
    bool Asks() const;
    /// @return what the common setup needs for the method
    SetupNeeds GetMethodNeeds() const;
    /// @brief Make the policy of this pass.
    void MakePolicy();
    /// @return index of the transmitter to try, drawn by the policy; NOBODY if there is none
    uint32_t DrawPeer();
    /// @return index of the transmitter of this pass; NOBODY if there is none
    uint32_t ChooseFinal();
    /// @param peer index of the transmitter of this pass: not to be asked any more
    void Exclude(uint32_t peer);
    /// @param peer index of a transmitter that was just drawn or chosen
    /// @return probability that the method gave it
    double GetProbability(uint32_t peer) const;
    /// @param peer index of the transmitter that was drawn last
    /// @param reward R
    void LearnPeer(uint32_t peer, double reward);

    /// @return weights of rewards
    RewardOptions GetRewardOptions() const;
    /// @brief Forget what the cluster has told.
    void ForgetRewards();
    /// @param member index of a member of the cluster
    /// @param reward rL that it has told
    /// @param points d'_i that it has told
    void SetKnown(uint32_t member, double reward, uint32_t points);
    /// @param own local reward of this device
    /// @return local rewards of the own cluster, as far as known
    std::vector<double> GetClusterRewards(double own) const;
    /// @return sum of d'_i of the others of the own cluster, as far as known
    uint64_t CountKnownPoints() const;
    /// @param peer index of the transmitter
    /// @return how many datapoints may be requested of it; see attribute EnforceBudget
    uint64_t GetRequestLimit(uint32_t peer) const;

  private:
    /// A member of the cluster, as far as known
    struct Member
    {
        double reward = 0;   //!< rL
        uint32_t points = 0; //!< d'_i
    };

    /// @return level of each peer's RSS now; none with one level
    std::vector<uint32_t> GetLevels() const;
    /// @return P_D of all devices now
    std::vector<double> GetOutages() const;

    GraphMethod m_method;       //!< attribute Method
    double m_diversityWeight;   //!< attribute DiversityWeight
    double m_reliabilityWeight; //!< attribute ReliabilityWeight
    double m_budgetWeight;      //!< attribute BudgetWeight
    double m_budget;            //!< attribute Budget
    double m_globalWeight;      //!< attribute GlobalWeight
    bool m_dividesByCluster;    //!< attribute DividesByCluster
    bool m_enforcesBudget;      //!< attribute EnforceBudget
    PsiRule m_psi;              //!< attribute Psi
    UntriedRule m_untried;      //!< attribute Untried
    uint32_t m_buffer;          //!< attribute Buffer
    double m_reduction;         //!< attribute Reduction
    uint32_t m_levelCount;      //!< attribute StateLevels
    double m_stateMinimumW;     //!< attribute StateMinimum
    double m_stateMaximumW;     //!< attribute StateMaximum

    std::vector<std::optional<uint32_t>> m_givenPeers; //!< by pass
    std::vector<Member> m_known;                       //!< by index
    std::vector<uint8_t> m_excluded;                   //!< by index: not to be asked any more
    std::unique_ptr<GraphDiscoveryPolicy> m_policy;    //!< of this pass
    std::vector<uint32_t> m_levels;                    //!< when a transmitter was drawn or chosen
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_CHOICE_APPLICATION_H */
