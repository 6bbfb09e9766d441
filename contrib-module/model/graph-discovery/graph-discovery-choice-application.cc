/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-choice-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/graph-discovery-baselines.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

namespace ns3::collab
{

TypeId
DiscoveryChoiceApplication::AddMethod(TypeId type)
{
    using App = DiscoveryChoiceApplication;
    return type.AddAttribute("Method",
                             "How devices choose from whom they get datapoints.",
                             compat::EnumAttribute(GraphMethod::LEARNED),
                             compat::EnumAccessor(&App::m_method),
                             compat::EnumChecker(GraphMethod::LEARNED,
                                                 "Learned",
                                                 GraphMethod::NONE,
                                                 "None",
                                                 GraphMethod::CLOSEST,
                                                 "Closest",
                                                 GraphMethod::MOST_TRUSTED,
                                                 "MostTrusted",
                                                 GraphMethod::UNIFORM,
                                                 "Uniform",
                                                 GraphMethod::GIVEN,
                                                 "Given"));
}

TypeId
DiscoveryChoiceApplication::AddRewards(TypeId type)
{
    using App = DiscoveryChoiceApplication;
    return type
        .AddAttribute("DiversityWeight",
                      "a1 of local rewards, (13) and (16).",
                      DoubleValue(RewardOptions().diversity),
                      MakeDoubleAccessor(&App::m_diversityWeight),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("ReliabilityWeight",
                      "a2 of local rewards, (13) and (16).",
                      DoubleValue(RewardOptions().reliability),
                      MakeDoubleAccessor(&App::m_reliabilityWeight),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("BudgetWeight",
                      "a3 of global rewards, (14) and (17).",
                      DoubleValue(RewardOptions().budget),
                      MakeDoubleAccessor(&App::m_budgetWeight),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("Budget",
                      "B_k: datapoints from outside of a cluster.",
                      DoubleValue(RewardOptions().budgetPoints),
                      MakeDoubleAccessor(&App::m_budget),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("GlobalWeight",
                      "gamma: weight of the global reward.",
                      DoubleValue(RewardOptions().global),
                      MakeDoubleAccessor(&App::m_globalWeight),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("DividesByCluster",
                      "Whether (14) divides local rewards by the size of the cluster, not by "
                      "the number of devices, as printed.",
                      BooleanValue(RewardOptions().dividesByCluster),
                      MakeBooleanAccessor(&App::m_dividesByCluster),
                      MakeBooleanChecker())
        .AddAttribute("EnforceBudget",
                      "Whether requests to devices outside of the cluster are cut to what is "
                      "left of its budget, as far as known; without learning nothing is, and "
                      "each device of a cluster has an equal share of its budget.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&App::m_enforcesBudget),
                      MakeBooleanChecker());
}

TypeId
DiscoveryChoiceApplication::AddPolicy(TypeId type)
{
    using App = DiscoveryChoiceApplication;
    return type
        .AddAttribute("Psi",
                      "Which rewards the policy is made of: those in the buffer of the same "
                      "state and peer, all in the buffer (as printed: does not learn), or all "
                      "so far of the same state and peer.",
                      compat::EnumAttribute(PsiRule::WINDOW),
                      compat::EnumAccessor(&App::m_psi),
                      compat::EnumChecker(PsiRule::WINDOW,
                                          "Window",
                                          PsiRule::PRINTED,
                                          "Printed",
                                          PsiRule::CUMULATIVE,
                                          "Cumulative"))
        .AddAttribute("Untried",
                      "Value of peers that were not tried in a state: the mean of the buffer, or "
                      "0, with which a device may stay with its first try.",
                      compat::EnumAttribute(UntriedRule::MEAN),
                      compat::EnumAccessor(&App::m_untried),
                      compat::EnumChecker(UntriedRule::MEAN, "Mean", UntriedRule::ZERO, "Zero"))
        .AddAttribute("Buffer",
                      "H: rewards in the buffer.",
                      UintegerValue(PolicyOptions().buffer),
                      MakeUintegerAccessor(&App::m_buffer),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("Reduction",
                      "delta: part that is taken off rewards below the buffer's mean.",
                      DoubleValue(PolicyOptions().reduction),
                      MakeDoubleAccessor(&App::m_reduction),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("StateLevels",
                      "Levels of RSS that the policy tells apart; 1 for none.",
                      UintegerValue(PolicyOptions().levels),
                      MakeUintegerAccessor(&App::m_levelCount),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("StateMinimum",
                      "RSS at the lower end of the lowest level [W].",
                      DoubleValue(0.05),
                      MakeDoubleAccessor(&App::m_stateMinimumW),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("StateMaximum",
                      "RSS at the upper end of the highest level [W].",
                      DoubleValue(0.55),
                      MakeDoubleAccessor(&App::m_stateMaximumW),
                      MakeDoubleChecker<double>(0.0));
}

void
DiscoveryChoiceApplication::DoStart()
{
    DiscoveryGroupApplication::DoStart();
    NS_ABORT_MSG_UNLESS(m_levelCount == 1 || m_stateMinimumW < m_stateMaximumW,
                        "GraphDiscoveryApplication: StateMinimum is "
                            << m_stateMinimumW << " W, expected less than StateMaximum, "
                            << m_stateMaximumW << " W");
    ForgetRewards();
    m_excluded.assign(CountDevices(), 0);
    Exclude(GetOwnIndex());
}

void
DiscoveryChoiceApplication::SetGivenPeers(std::vector<std::optional<uint32_t>> peers)
{
    m_givenPeers = std::move(peers);
}

bool
DiscoveryChoiceApplication::Asks() const
{
    return m_method != GraphMethod::NONE;
}

bool
DiscoveryChoiceApplication::IsLearned() const
{
    return m_method == GraphMethod::LEARNED;
}

void
DiscoveryChoiceApplication::MakePolicy()
{
    PolicyOptions options;
    options.psi = m_psi;
    options.untried = m_untried;
    options.buffer = m_buffer;
    options.reduction = m_reduction;
    options.levels = m_levelCount;
    m_policy = std::make_unique<GraphDiscoveryPolicy>(CountDevices(), options);
    for (uint32_t peer = 0; peer < CountDevices(); ++peer)
    {
        if (m_excluded[peer] || !GetTransport()->GetLinkQuality(GetDevices()[peer]))
        {
            m_policy->Mask(peer);
        }
    }
}

std::vector<uint32_t>
DiscoveryChoiceApplication::GetLevels() const
{
    std::vector<uint32_t> levels;
    if (m_levelCount == 1)
    {
        return levels;
    }
    levels.resize(CountDevices());
    const double width = (m_stateMaximumW - m_stateMinimumW) / m_levelCount;
    for (uint32_t peer = 0; peer < CountDevices(); ++peer)
    {
        const auto quality = peer == GetOwnIndex()
                                 ? std::nullopt
                                 : GetTransport()->GetLinkQuality(GetDevices()[peer]);
        const double cell = quality ? (quality->rssW - m_stateMinimumW) / width : 0.0;
        levels[peer] = static_cast<uint32_t>(std::clamp(cell, 0.0, m_levelCount - 1.0));
    }
    return levels;
}

std::vector<double>
DiscoveryChoiceApplication::GetOutages() const
{
    std::vector<double> outages(CountDevices(), 1.0);
    for (uint32_t peer = 0; peer < CountDevices(); ++peer)
    {
        if (peer != GetOwnIndex())
        {
            outages[peer] = GetOutage(peer);
        }
    }
    return outages;
}

uint32_t
DiscoveryChoiceApplication::ChooseFinal()
{
    m_levels = GetLevels();
    std::vector<uint8_t> excluded(CountDevices());
    for (uint32_t peer = 0; peer < CountDevices(); ++peer)
    {
        excluded[peer] = m_policy->IsMasked(peer) ? 1 : 0;
    }
    switch (m_method)
    {
    case GraphMethod::LEARNED:
        return m_policy->GetBest(m_levels);
    case GraphMethod::CLOSEST:
        return ChooseClosest(GetOutages(), excluded);
    case GraphMethod::MOST_TRUSTED:
        return ChooseMostTrusted(GetTrustedWith(), GetOutages(), excluded);
    case GraphMethod::UNIFORM:
        return ChooseUniform(excluded, GetGenerator());
    case GraphMethod::GIVEN:
    {
        const auto given =
            GetRound() < m_givenPeers.size() ? m_givenPeers[GetRound()] : std::nullopt;
        const uint32_t peer = given ? FindIndex(*given) : NOBODY;
        return peer == NOBODY || excluded[peer] ? NOBODY : peer;
    }
    case GraphMethod::NONE:
        break;
    }
    return NOBODY;
}

uint32_t
DiscoveryChoiceApplication::DrawPeer()
{
    m_levels = GetLevels();
    return m_policy->Draw(m_levels, GetGenerator());
}

void
DiscoveryChoiceApplication::Exclude(uint32_t peer)
{
    m_excluded[peer] = 1;
}

double
DiscoveryChoiceApplication::GetProbability(uint32_t peer) const
{
    return IsLearned() ? m_policy->GetProbabilities(m_levels)[peer] : 1.0;
}

void
DiscoveryChoiceApplication::LearnPeer(uint32_t peer, double reward)
{
    m_policy->Learn(m_levels, peer, reward);
}

DiscoveryGroupApplication::SetupNeeds
DiscoveryChoiceApplication::GetMethodNeeds() const
{
    SetupNeeds needs;
    needs.links = Asks();
    needs.clusters = IsLearned() || (Asks() && m_enforcesBudget);
    needs.trust = m_method == GraphMethod::MOST_TRUSTED;
    return needs;
}

RewardOptions
DiscoveryChoiceApplication::GetRewardOptions() const
{
    RewardOptions options;
    options.diversity = m_diversityWeight;
    options.reliability = m_reliabilityWeight;
    options.budget = m_budgetWeight;
    options.budgetPoints = m_budget;
    options.global = m_globalWeight;
    options.dividesByCluster = m_dividesByCluster;
    return options;
}

std::vector<double>
DiscoveryChoiceApplication::GetClusterRewards(double own) const
{
    std::vector<double> rewards = {own};
    for (const uint32_t member : GetMembers())
    {
        rewards.push_back(m_known[member].reward);
    }
    return rewards;
}

uint64_t
DiscoveryChoiceApplication::GetRequestLimit(uint32_t peer) const
{
    if (!m_enforcesBudget || IsMember(peer))
    {
        return UINT64_MAX;
    }
    double left = m_budget;
    if (!IsLearned())
    {
        // Nobody tells what it draws: each device of the cluster has its share
        left /= static_cast<double>(GetMembers().size() + 1);
    }
    for (const uint32_t member : GetMembers())
    {
        left -= m_known[member].points;
    }
    return static_cast<uint64_t>(std::max(0.0, left));
}

void
DiscoveryChoiceApplication::ForgetRewards()
{
    m_known.assign(CountDevices(), Member());
}

void
DiscoveryChoiceApplication::SetKnown(uint32_t member, double reward, uint32_t points)
{
    m_known[member] = {reward, points};
}

uint64_t
DiscoveryChoiceApplication::CountKnownPoints() const
{
    const auto& members = GetMembers();
    return std::accumulate(
        members.begin(), members.end(), uint64_t{0}, [this](uint64_t sum, uint32_t member) {
            return sum + m_known[member].points;
        });
}

} // namespace ns3::collab
