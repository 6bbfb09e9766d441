/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-policy.h"

#include "graph-discovery-checks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @param generator to draw with, by one number: a distribution of Boost draws again where rounding
 * gives 1
 * @return a number from 0 to below 1
 */
double
DrawFraction(RandomGenerator& generator)
{
    constexpr uint32_t UNUSED_BITS = 11; // of 64, which the 53 of a double leave
    return static_cast<double>(generator() >> UNUSED_BITS) * 0x1p-53;
}

/**
 * @param options to check
 * @throws std::invalid_argument if a value is not allowed
 */
void
CheckOptions(const PolicyOptions& options)
{
    if (options.buffer == 0 || options.levels == 0)
    {
        throw std::invalid_argument(
            fmt::format("a buffer of {} rewards and {} levels, but at least 1 of each is needed",
                        options.buffer,
                        options.levels));
    }
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

GraphDiscoveryPolicy::GraphDiscoveryPolicy(uint32_t peers, const PolicyOptions& options)
    : m_options(options),
      m_masked(peers, 0),
      m_values(peers)
{
    CheckOptions(options);
    if (peers == 0)
    {
        throw std::invalid_argument("a policy for 0 peers, but at least 1 is needed");
    }
    m_buffer.reserve(options.buffer);
    Forget();
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
GraphDiscoveryPolicy::Forget()
{
    m_buffer.clear();
    m_sum = Sum();
    m_steps = 0;
    m_cells.assign(IsJoint() ? 0 : std::size_t{m_options.levels} * m_masked.size(), Cell());
    m_slots.clear();
    m_states.clear();
    m_uses.clear();
    m_free.clear();
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
        if (level >= m_options.levels)
        {
            throw std::invalid_argument(
                fmt::format("level {}, allowed are 0 to {}", level, m_options.levels - 1));
        }
    }
}

void
GraphDiscoveryPolicy::ReadValues(const std::vector<uint32_t>& levels) const
{
    CheckLevels(levels);
    const std::size_t peers = m_masked.size();
    uint32_t slot = 0;
    if (IsJoint())
    {
        const auto found = m_slots.find(levels);
        slot = found == m_slots.end() ? NO_SLOT : found->second;
    }
    const bool hasLevels = m_options.levels > 1 && !IsJoint();
    const bool hasTable = m_options.psi != PsiRule::PRINTED && slot != NO_SLOT;
    const double untried = m_options.untried == UntriedRule::ZERO ? 0 : GetBufferMean();
    for (std::size_t peer = 0; peer < peers; ++peer)
    {
        const std::size_t row = hasLevels ? levels[peer] : slot;
        const Cell cell = hasTable ? m_cells[row * peers + peer] : Cell();
        const double value =
            cell.count > 0 ? cell.rewards.Get() / static_cast<double>(cell.count) : untried;
        m_values[peer] = m_masked[peer] ? -std::numeric_limits<double>::infinity() : value;
    }
}

double
GraphDiscoveryPolicy::Weigh(const std::vector<uint32_t>& levels) const
{
    ReadValues(levels);
    const double greatest = *std::max_element(m_values.begin(), m_values.end());
    double sum = 0;
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
    uint32_t drawn = NOBODY;
    for (uint32_t peer = 0; peer < m_values.size() && !(drawn != NOBODY && left < 0); ++peer)
    {
        if (m_values[peer] > 0)
        {
            drawn = peer; // the last one too if rounding leaves something
            left -= m_values[peer];
        }
    }
    return drawn;
}

uint32_t
GraphDiscoveryPolicy::GetBest(const std::vector<uint32_t>& levels) const
{
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
    Cell& cell = m_cells[oldest.slot * m_masked.size() + oldest.peer];
    cell.rewards.Add(-oldest.reward);
    --cell.count;
    if (cell.count == 0)
    {
        cell = Cell();
    }
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
    if (peer >= m_masked.size() || !std::isfinite(reward))
    {
        throw std::invalid_argument(
            fmt::format("reward {} for peer {} of {}", reward, peer, m_masked.size()));
    }
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
    Cell& cell = m_cells[entry.slot * m_masked.size() + peer];
    cell.rewards.Add(weighted);
    ++cell.count;
    if (IsJoint())
    {
        ++m_uses[entry.slot];
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

} // namespace collab
} // namespace ns3
