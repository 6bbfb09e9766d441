/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation-label-cache.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace ns3::collab
{

LabelCache::LabelCache(std::size_t samples, std::size_t classes, uint32_t duration)
    : m_labels(samples, classes),
      m_made(samples),
      m_duration(duration)
{
}

bool
LabelCache::IsValid(uint32_t sample, uint32_t round) const
{
    return m_made[sample] && round - *m_made[sample] <= m_duration;
}

std::vector<uint32_t>
LabelCache::FindDue(uint32_t round) const
{
    std::vector<uint32_t> due;
    for (uint32_t sample = 0; sample < m_made.size(); ++sample)
    {
        if (!IsValid(sample, round))
        {
            due.push_back(sample);
        }
    }
    return due;
}

void
LabelCache::Store(uint32_t round, const LabeledRows& labels)
{
    for (std::size_t i = 0; i < labels.samples.size(); ++i)
    {
        m_made[labels.samples[i]] = round;
        std::copy_n(labels.rows.Row(i), m_labels.columns, m_labels.Row(labels.samples[i]));
    }
}

LabeledRows
LabelCache::GetValid(uint32_t round) const
{
    std::vector<uint32_t> all(m_made.size());
    std::iota(all.begin(), all.end(), 0);
    return GetValid(round, all);
}

LabeledRows
LabelCache::GetValid(uint32_t round, const std::vector<uint32_t>& samples) const
{
    LabeledRows valid;
    std::copy_if(samples.begin(),
                 samples.end(),
                 std::back_inserter(valid.samples),
                 [this, round](uint32_t sample) { return IsValid(sample, round); });
    valid.rows = Matrix<float>(valid.samples.size(), m_labels.columns);
    for (std::size_t i = 0; i < valid.samples.size(); ++i)
    {
        std::copy_n(m_labels.Row(valid.samples[i]), m_labels.columns, valid.rows.Row(i));
    }
    return valid;
}

} // namespace ns3::collab
