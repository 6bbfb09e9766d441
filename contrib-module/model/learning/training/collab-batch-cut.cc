/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-batch-cut.h"

#include <algorithm>

namespace ns3::collab
{

BatchCut::BatchCut(std::size_t samples, std::size_t batch, bool joinsOne)
    : m_samples(samples),
      m_batch(batch),
      m_count((samples + batch - 1) / batch)
{
    if (joinsOne && m_count > 1 && samples % batch == 1)
    {
        --m_count;
    }
}

std::size_t
BatchCut::Count() const
{
    return m_count;
}

std::size_t
BatchCut::Size(std::size_t index) const
{
    return index + 1 < m_count ? m_batch : m_samples - std::min(m_samples, index * m_batch);
}

std::size_t
BatchCut::Greatest() const
{
    return m_count < 2 ? m_samples : std::max(m_batch, Size(m_count - 1));
}

ReferenceCycle::ReferenceCycle(const BatchCut& cut)
    : m_cut(cut)
{
}

std::size_t
ReferenceCycle::Begin() const
{
    return m_begin;
}

std::size_t
ReferenceCycle::BatchSize() const
{
    return m_cut.Size(m_index);
}

void
ReferenceCycle::Advance()
{
    m_begin += BatchSize();
    ++m_index;
    if (m_index == m_cut.Count())
    {
        m_index = 0;
        m_begin = 0;
    }
}

uint64_t
ReferenceCycle::CountSamples(uint64_t batches) const
{
    uint64_t cycle = 0;
    uint64_t rest = 0;
    for (std::size_t i = 0; i < m_cut.Count(); ++i)
    {
        cycle += m_cut.Size(i);
        rest += i < batches % m_cut.Count() ? m_cut.Size(i) : 0;
    }
    return batches / m_cut.Count() * cycle + rest;
}

} // namespace ns3::collab
