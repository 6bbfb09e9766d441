/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-policy.h"

#include "graph-discovery-checks.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

namespace
{

/// @param generator to draw with, by one number: a distribution of Boost draws again where rounding
/// gives 1
/// @return a number from 0 to below 1
double
DrawFraction(RandomGenerator& generator)
{
    constexpr uint32_t UNUSED_BITS = 11; // of 64, which the 53 of a double leave
    return static_cast<double>(generator() >> UNUSED_BITS) * 0x1p-53;
}

/// @param weight, or a sum of such, of some reference
/// @return whether it is so far from what double holds that no other that matters is beyond that
bool
IsExact(double weight)
{
    return weight > 1e-150 && weight < 1e150;
}

/// @param options to check
/// @throws std::invalid_argument if a value is not allowed
void
CheckOptions(const PolicyOptions& options)
{
    CheckArgument(options.buffer != 0 && options.levels != 0,
                  "a buffer of {} rewards and {} levels, but at least 1 of each is needed",
                  options.buffer,
                  options.levels);
    CheckProbability("reduction", options.reduction);
}

} // namespace

void
GraphDiscoveryPolicy::Sum::Add(double term)
{
    const double sum = value + term; // Knuth's two-sum: sum and rest together are exact
    const double added = sum - value;
    error += (value - (sum - added)) + (term - added);
    value = sum;
}

double
GraphDiscoveryPolicy::Sum::Get() const
{
    return value + error;
}

bool
GraphDiscoveryPolicy::Sum::IsMoreThan(double factor, double count) const
{
    const double product = factor * count;
    const double rest = std::fma(factor, count, -product);
    return (value - product) + (error - rest) > 0;
}

double
GraphDiscoveryPolicy::Cell::GetMean() const
{
    return rewards.Get() / static_cast<double>(count);
}

GraphDiscoveryPolicy::GraphDiscoveryPolicy(uint32_t peers, const PolicyOptions& options)
    : m_options(options),
      m_masked(peers, 0),
      m_values(peers)
{
    CheckOptions(options);
    CheckArgument(peers != 0, "a policy for 0 peers, but at least 1 is needed");
    m_buffer.reserve(options.buffer);
    m_cells.resize(std::size_t{options.levels} * peers);
    m_weights.assign(m_cells.size(), UNTRIED);
}

void
GraphDiscoveryPolicy::Mask(uint32_t peer)
{
    m_masked.at(peer) = 1;
}

bool
GraphDiscoveryPolicy::IsMasked(uint32_t peer) const
{
    return m_masked.at(peer) != 0;
}

void
GraphDiscoveryPolicy::CheckLevels(const std::vector<uint32_t>& levels) const
{
    if (m_options.levels == 1)
    {
        return;
    }
    CheckSize("levels", m_masked.size(), levels.size());
    for (const uint32_t level : levels)
    {
        CheckArgument(
            level < m_options.levels, "level {}, allowed are 0 to {}", level, m_options.levels - 1);
    }
}

std::size_t
GraphDiscoveryPolicy::FindPlace(const std::vector<uint32_t>& levels, std::size_t peer) const
{
    return (m_options.levels > 1 ? levels[peer] : 0) * m_masked.size() + peer;
}

void
GraphDiscoveryPolicy::ReadValues(const std::vector<uint32_t>& levels) const
{
    const double untried = GetUntried();
    for (std::size_t peer = 0; peer < m_masked.size(); ++peer)
    {
        const Cell& cell = m_cells[FindPlace(levels, peer)];
        const double value = cell.count > 0 ? cell.GetMean() : untried;
        m_values[peer] = m_masked[peer] ? -std::numeric_limits<double>::infinity() : value;
    }
}

bool
GraphDiscoveryPolicy::WeighFast(const std::vector<uint32_t>& levels, double& sum) const
{
    const double untried = std::exp(GetUntried() - m_reference);
    sum = 0;
    for (std::size_t peer = 0; peer < m_masked.size(); ++peer)
    {
        const double weight = m_weights[FindPlace(levels, peer)];
        m_values[peer] = m_masked[peer] ? 0 : (weight == UNTRIED ? untried : weight);
        sum += m_values[peer];
    }
    return IsExact(sum);
}

double
GraphDiscoveryPolicy::Weigh(const std::vector<uint32_t>& levels) const
{
    CheckLevels(levels);
    double sum = 0;
    if (WeighFast(levels, sum))
    {
        return sum;
    }
    ReadValues(levels);
    const double greatest = *std::max_element(m_values.begin(), m_values.end());
    sum = 0;
    for (double& value : m_values)
    {
        value = std::isinf(value) ? 0 : std::exp(value - greatest);
        sum += value;
    }
    return sum;
}

std::vector<double>
GraphDiscoveryPolicy::GetProbabilities(const std::vector<uint32_t>& levels) const
{
    const double sum = Weigh(levels);
    std::vector<double> probabilities(m_values);
    for (double& probability : probabilities)
    {
        probability = sum > 0 ? probability / sum : 0;
    }
    return probabilities;
}

uint32_t
GraphDiscoveryPolicy::Draw(const std::vector<uint32_t>& levels, RandomGenerator& generator) const
{
    double left = Weigh(levels) * DrawFraction(generator);
    const auto peers = static_cast<uint32_t>(m_values.size());
    for (uint32_t peer = 0; peer < peers; ++peer)
    {
        left -= m_values[peer];
        if (left < 0)
        {
            return peer;
        }
    }
    for (uint32_t peer = peers; peer-- > 0;) // rounding has left something
    {
        if (m_values[peer] > 0)
        {
            return peer;
        }
    }
    return NOBODY;
}

uint32_t
GraphDiscoveryPolicy::GetBest(const std::vector<uint32_t>& levels) const
{
    CheckLevels(levels);
    ReadValues(levels);
    const auto best = std::max_element(m_values.begin(), m_values.end());
    return std::isinf(*best) ? NOBODY : static_cast<uint32_t>(best - m_values.begin());
}

void
GraphDiscoveryPolicy::DropOldest()
{
    if (m_buffer.size() < m_options.buffer)
    {
        return;
    }
    const Entry& oldest = m_buffer[m_steps % m_options.buffer];
    m_sum.Add(-oldest.reward);
    if (m_options.psi != PsiRule::WINDOW)
    {
        return;
    }
    Cell& cell = m_cells[oldest.place];
    cell.rewards.Add(-oldest.reward);
    --cell.count;
    if (cell.count == 0)
    {
        cell = Cell();
    }
    UpdateWeight(oldest.place);
}

void
GraphDiscoveryPolicy::Learn(const std::vector<uint32_t>& levels, uint32_t peer, double reward)
{
    CheckLevels(levels);
    CheckArgument(peer < m_masked.size() && std::isfinite(reward),
                  "reward {} for peer {} of {}",
                  reward,
                  peer,
                  m_masked.size());
    const bool isLess = m_sum.IsMoreThan(reward, GetDivisor());
    const double weighted = reward * (isLess ? 1 - m_options.reduction : 1);
    DropOldest();
    const Entry entry{FindPlace(levels, peer), weighted};
    if (m_buffer.size() < m_options.buffer)
    {
        m_buffer.push_back(entry);
    }
    else
    {
        m_buffer[m_steps % m_options.buffer] = entry;
    }
    m_sum.Add(weighted);
    ++m_steps;
    Cell& cell = m_cells[entry.place];
    if (m_options.psi == PsiRule::PRINTED)
    {
        cell = {m_sum, m_buffer.size()};
    }
    else
    {
        cell.rewards.Add(weighted);
        ++cell.count;
    }
    UpdateWeight(entry.place);
}

void
GraphDiscoveryPolicy::UpdateWeight(std::size_t place)
{
    const auto weigh = [this](const Cell& cell) {
        return cell.count > 0 ? std::exp(cell.GetMean() - m_reference) : UNTRIED;
    };
    m_weights[place] = weigh(m_cells[place]);
    if (m_cells[place].count > 0 && !IsExact(m_weights[place]))
    {
        m_reference = m_cells[place].GetMean();
        std::transform(m_cells.begin(), m_cells.end(), m_weights.begin(), weigh);
    }
}

double
GraphDiscoveryPolicy::GetBufferMean() const
{
    return m_sum.Get() / GetDivisor();
}

double
GraphDiscoveryPolicy::GetUntried() const
{
    return m_options.untried == UntriedRule::MEAN ? GetBufferMean() : 0;
}

double
GraphDiscoveryPolicy::GetDivisor() const
{
    return static_cast<double>(std::max<std::size_t>(m_buffer.size(), 1));
}

uint64_t
GraphDiscoveryPolicy::GetSteps() const
{
    return m_steps;
}

} // namespace ns3::collab
