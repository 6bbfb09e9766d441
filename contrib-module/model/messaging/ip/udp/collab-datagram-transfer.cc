/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-datagram-transfer.h"

#include "ns3/assert.h"

namespace ns3::collab
{

DatagramTransfer::DatagramTransfer(uint32_t count, uint32_t maxAttempts)
    : m_count(count),
      m_maxAttempts(maxAttempts),
      m_end(count),
      m_acknowledged(maxAttempts > 0 ? count : 0)
{
}

DatagramTransfer::~DatagramTransfer()
{
    for (auto& [index, outstanding] : m_outstanding)
    {
        outstanding.timer.Cancel();
    }
}

std::optional<uint32_t>
DatagramTransfer::TakeNext(bool windowOpen)
{
    uint32_t index = m_next;
    if (!m_repeats.empty())
    {
        index = *m_repeats.begin();
        m_repeats.erase(m_repeats.begin());
    }
    else if (m_next < m_end && windowOpen)
    {
        ++m_next;
    }
    else
    {
        return std::nullopt;
    }
    if (IsAcknowledged())
    {
        ++m_outstanding[index].attempts;
    }
    return index;
}

void
DatagramTransfer::SetTimer(uint32_t index, EventId timer)
{
    m_outstanding.at(index).timer = timer;
}

uint32_t
DatagramTransfer::GetAttempts(uint32_t index) const
{
    const auto found = m_outstanding.find(index);
    return found == m_outstanding.end() ? 0 : found->second.attempts;
}

void
DatagramTransfer::Repeat(uint32_t index)
{
    NS_ASSERT(m_outstanding.count(index));
    m_repeats.insert(index);
}

bool
DatagramTransfer::Settle(uint32_t index, bool acknowledged)
{
    const auto found = m_outstanding.find(index);
    if (found == m_outstanding.end())
    {
        return false;
    }
    found->second.timer.Cancel();
    m_outstanding.erase(found);
    m_repeats.erase(index);
    if (acknowledged && index < m_count)
    {
        m_acknowledged[index] = true;
        while (m_base < m_count && m_acknowledged[m_base])
        {
            ++m_base;
        }
    }
    return true;
}

void
DatagramTransfer::Close(bool notice)
{
    for (auto& [index, outstanding] : m_outstanding)
    {
        outstanding.timer.Cancel();
    }
    m_outstanding.clear();
    m_repeats.clear();
    m_closed = true;
    m_next = m_count;
    m_end = notice ? m_count + 1 : m_count;
}

uint32_t
DatagramTransfer::CountOutstanding() const
{
    return static_cast<uint32_t>(m_outstanding.size());
}

bool
DatagramTransfer::IsSettled() const
{
    return m_next == m_end && m_outstanding.empty();
}

bool
DatagramTransfer::IsAllAcknowledged() const
{
    return IsAcknowledged() && m_base == m_count;
}

bool
DatagramTransfer::HasAcknowledged(uint32_t index) const
{
    return IsAcknowledged() && m_acknowledged[index];
}

} // namespace ns3::collab
