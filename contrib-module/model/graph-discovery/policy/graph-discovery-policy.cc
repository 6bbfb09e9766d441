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
    m_cells.resize(IsJoint() ? 0 : std::size_t{options.levels} * peers);
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

bool
GraphDiscoveryPolicy::IsJoint() const
{
    return m_options.state == StateRule::JOINT && m_options.levels > 1;
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

uint32_t
GraphDiscoveryPolicy::FindSlot(const std::vector<uint32_t>& levels) const
{
    if (m_options.psi == PsiRule::PRINTED)
    {
        return NO_SLOT; // all pairs have one value
    }
    if (!IsJoint())
    {
        return 0;
    }
    const auto found = m_slots.find(levels);
    return found == m_slots.end() ? NO_SLOT : found->second;
}

double
GraphDiscoveryPolicy::GetUntried() const
{
    return m_options.untried == UntriedRule::ZERO ? 0 : GetBufferMean();
}

void
GraphDiscoveryPolicy::ReadValues(const std::vector<uint32_t>& levels) const
{
    const std::size_t peers = m_masked.size();
    const uint32_t slot = FindSlot(levels);
    const bool hasLevels = m_options.levels > 1 && !IsJoint();
    const double untried = GetUntried();
    for (std::size_t peer = 0; peer < peers; ++peer)
    {
        const std::size_t row = hasLevels ? levels[peer] : slot;
        const Cell cell = slot == NO_SLOT ? Cell() : m_cells[row * peers + peer];
        const double value = cell.count > 0 ? cell.GetMean() : untried;
        m_values[peer] = m_masked[peer] ? -std::numeric_limits<double>::infinity() : value;
    }
}

bool
GraphDiscoveryPolicy::WeighFast(const std::vector<uint32_t>& levels, double& sum) const
{
    const std::size_t peers = m_masked.size();
    const uint32_t slot = FindSlot(levels);
    if (slot == NO_SLOT)
    {
        return false;
    }
    const bool hasLevels = m_options.levels > 1 && !IsJoint();
    const double untried = std::exp(GetUntried() - m_reference);
    sum = 0;
    for (std::size_t peer = 0; peer < peers; ++peer)
    {
        const std::size_t row = hasLevels ? levels[peer] : slot;
        const double weight = m_weights[row * peers + peer];
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

uint32_t
GraphDiscoveryPolicy::TakeSlot(const std::vector<uint32_t>& levels, uint32_t peer)
{
    if (!IsJoint())
    {
        return m_options.levels > 1 ? levels[peer] : 0;
    }
    const auto [state, isNew] = m_slots.emplace(levels, NO_SLOT);
    if (!isNew)
    {
        return state->second;
    }
    if (m_free.empty())
    {
        m_free.push_back(static_cast<uint32_t>(m_states.size()));
        m_states.emplace_back();
        m_uses.push_back(0);
        m_cells.resize(m_cells.size() + m_masked.size());
        m_weights.resize(m_cells.size(), UNTRIED);
    }
    state->second = m_free.back();
    m_free.pop_back();
    m_states[state->second] = levels;
    return state->second;
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
    const std::size_t place = oldest.slot * m_masked.size() + oldest.peer;
    Cell& cell = m_cells[place];
    cell.rewards.Add(-oldest.reward);
    --cell.count;
    if (cell.count == 0)
    {
        cell = Cell();
    }
    UpdateWeight(place);
    if (IsJoint() && --m_uses[oldest.slot] == 0)
    {
        m_slots.erase(m_states[oldest.slot]);
        m_free.push_back(oldest.slot);
    }
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
    const Entry entry{
        m_options.psi == PsiRule::PRINTED ? 0 : TakeSlot(levels, peer), peer, weighted};
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
    if (m_options.psi == PsiRule::PRINTED)
    {
        return;
    }
    const std::size_t place = entry.slot * m_masked.size() + peer;
    m_cells[place].rewards.Add(weighted);
    ++m_cells[place].count;
    UpdateWeight(place);
    if (IsJoint())
    {
        ++m_uses[entry.slot];
    }
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
GraphDiscoveryPolicy::GetDivisor() const
{
    return m_options.bufferMean == BufferMeanRule::PRINTED
               ? m_options.buffer
               : static_cast<double>(std::max<std::size_t>(m_buffer.size(), 1));
}

uint64_t
GraphDiscoveryPolicy::GetSteps() const
{
    return m_steps;
}

} // namespace ns3::collab
