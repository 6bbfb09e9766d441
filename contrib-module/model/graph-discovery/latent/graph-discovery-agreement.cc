/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-agreement.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-matrix.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Divergences below count as that, so that ratios of those of equal clusters are finite
constexpr double LEAST_DIVERGENCE = 1e-9;

/// The clusters of a device
using FactoredClusters = std::vector<FactoredCluster>;

/// @param first a cluster
/// @param second another one
/// @return KL(first, second) [nat]
double
ComputeDivergence(const FactoredCluster& first, const FactoredCluster& second)
{
    return std::max(second.DivergenceOf(first), LEAST_DIVERGENCE);
}

} // namespace

/// The divergences of all ordered pairs of devices
struct SystemAgreement::State
{
    /// Of an ordered pair of devices
    struct Pair
    {
        std::vector<double> before; //!< hB, by clusters of both; none if a device is unknown
        double sumBefore = 0;       //!< of hB
        double sumAfter = 0;        //!< of hA
        double sumRatios = 0;       //!< of hB / hA
    };

    /// @param devices N
    /// @param chosen rule
    State(uint32_t devices, AgreementRule chosen)
        : rule(chosen),
          before(devices),
          after(devices),
          pairs(devices, devices)
    {
    }

    /// @param device to be checked
    /// @param clusters to be told of it
    /// @return them
    /// @throws std::invalid_argument if there is no such device or one has another width than
    /// others in the system
    FactoredClusters Accept(uint32_t device, const std::vector<GaussianCluster>& clusters);

    /// @brief Compute the divergences of a pair before.
    /// @param i first device
    /// @param j second device
    void CompareBefore(std::size_t i, std::size_t j);
    /// @brief Compute the divergences of a pair after.
    /// @param i first device
    /// @param j second device
    void CompareAfter(std::size_t i, std::size_t j);
    /// @brief Do something with all pairs that a device is in.
    /// @param device known
    /// @param compare what to do
    void ForPairs(std::size_t device, void (State::*compare)(std::size_t, std::size_t));

    AgreementRule rule;                   //!< how divergences become one number
    std::size_t width = 0;                //!< of all clusters; 0 if none is known
    std::vector<FactoredClusters> before; //!< by device; none if it is unknown
    std::vector<FactoredClusters> after;  //!< by device
    Matrix<Pair> pairs;                   //!< by first and second device
};

FactoredClusters
SystemAgreement::State::Accept(uint32_t device, const std::vector<GaussianCluster>& clusters)
{
    CheckArgument(device < before.size(), "device {} of {}", device, before.size());
    FactoredClusters factored;
    for (const GaussianCluster& cluster : clusters)
    {
        if (width == 0)
        {
            width = cluster.mean.size();
        }
        CheckArgument(cluster.mean.size() == width,
                      "a cluster of {} numbers, others have {}",
                      cluster.mean.size(),
                      width);
        factored.emplace_back(cluster);
    }
    return factored;
}

void
SystemAgreement::State::CompareBefore(std::size_t i, std::size_t j)
{
    Pair& pair = pairs(i, j);
    pair.before.clear();
    pair.sumBefore = 0;
    for (const FactoredCluster& first : before[i])
    {
        for (const FactoredCluster& second : before[j])
        {
            pair.before.push_back(ComputeDivergence(first, second));
            pair.sumBefore += pair.before.back();
        }
    }
}

void
SystemAgreement::State::CompareAfter(std::size_t i, std::size_t j)
{
    Pair& pair = pairs(i, j);
    pair.sumAfter = 0;
    pair.sumRatios = 0;
    auto divergenceBefore = pair.before.begin();
    for (const FactoredCluster& first : after[i])
    {
        for (const FactoredCluster& second : after[j])
        {
            const double divergence = ComputeDivergence(first, second);
            pair.sumAfter += divergence;
            pair.sumRatios += *divergenceBefore++ / divergence;
        }
    }
}

void
SystemAgreement::State::ForPairs(std::size_t device,
                                 void (State::*compare)(std::size_t, std::size_t))
{
    for (std::size_t other = 0; other < before.size(); ++other)
    {
        if (other != device)
        {
            (this->*compare)(device, other);
            (this->*compare)(other, device);
        }
    }
}

SystemAgreement::SystemAgreement(uint32_t devices, AgreementRule rule)
    : m_state(std::make_unique<State>(devices, rule))
{
}

SystemAgreement::~SystemAgreement() = default;

void
SystemAgreement::SetBefore(uint32_t device, const std::vector<GaussianCluster>& clusters)
{
    State& state = *m_state;
    FactoredClusters factored = state.Accept(device, clusters);
    state.after[device] = factored;
    state.before[device] = std::move(factored);
    state.ForPairs(device, &State::CompareBefore);
    state.ForPairs(device, &State::CompareAfter);
}

void
SystemAgreement::SetAfter(uint32_t device, const std::vector<GaussianCluster>& clusters)
{
    State& state = *m_state;
    FactoredClusters factored = state.Accept(device, clusters);
    CheckArgument(factored.size() == state.before[device].size(),
                  "device {} has {} clusters after, {} before",
                  device,
                  factored.size(),
                  state.before[device].size());
    state.after[device] = std::move(factored);
    state.ForPairs(device, &State::CompareAfter);
}

double
SystemAgreement::Get() const
{
    return Get(m_state->rule);
}

double
SystemAgreement::Get(AgreementRule rule) const
{
    double before = 0;
    double after = 0;
    double ratios = 0;
    std::size_t count = 0;
    for (const State::Pair& pair : m_state->pairs.values)
    {
        before += pair.sumBefore;
        after += pair.sumAfter;
        ratios += pair.sumRatios;
        count += pair.before.size();
    }
    if (count == 0 || rule == AgreementRule::SUM)
    {
        return ratios;
    }
    return rule == AgreementRule::MEAN_RATIO ? ratios / static_cast<double>(count)
                                             : before / after - 1;
}

ToldAgreement::ToldAgreement(uint32_t devices, AgreementRule rule)
    : m_system(devices, rule)
{
}

double
ToldAgreement::Update(const Told& before, const Told& after)
{
    for (const auto& [device, clusters] : before)
    {
        try
        {
            m_system.SetBefore(device, clusters);
            m_known[device] = clusters.size();
        }
        catch (const std::invalid_argument&)
        {
            continue;
        }
    }
    for (const auto& [device, clusters] : after)
    {
        const auto known = m_known.find(device);
        try
        {
            if (known != m_known.end() && known->second == clusters.size())
            {
                m_system.SetAfter(device, clusters);
            }
        }
        catch (const std::invalid_argument&)
        {
            continue;
        }
    }
    const double agreement = m_system.Get();
    return std::isfinite(agreement) ? agreement : 0;
}

} // namespace ns3::collab
