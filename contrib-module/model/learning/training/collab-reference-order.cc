/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-reference-order.h"

#include "ns3/collab-check-argument.h"

#include <limits>
#include <locale>
#include <sstream>

namespace ns3::collab
{

ShuffledReferences::ShuffledReferences(uint64_t seed)
    : m_generator(seed),
      m_begin(m_generator)
{
}

void
ShuffledReferences::BeginPass()
{
    m_begin = m_generator;
    m_order = DrawPermutation(static_cast<uint32_t>(m_order.size()), m_generator);
    m_next = 0;
}

std::vector<uint32_t>
ShuffledReferences::Take(std::size_t samples, std::size_t size)
{
    if (m_order.size() != samples)
    {
        m_order.resize(samples);
        BeginPass();
    }
    std::vector<uint32_t> taken;
    while (taken.size() < size)
    {
        if (m_next == m_order.size())
        {
            BeginPass();
        }
        taken.push_back(m_order[m_next++]);
    }
    return taken;
}

std::string
ShuffledReferences::GetState() const
{
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << m_order.size() << " " << m_next << " " << m_begin;
    return text.str();
}

void
ShuffledReferences::SetState(const std::string& state)
{
    std::istringstream text(state);
    text.imbue(std::locale::classic());
    std::size_t samples = 0;
    std::size_t next = 0;
    RandomGenerator begin;
    CheckArgument(text >> samples >> next >> begin && (text >> std::ws).eof() && next <= samples &&
                      samples <= std::numeric_limits<uint32_t>::max(),
                  "state of a walk over X*: \"{}\"",
                  state.substr(0, 40));
    m_generator = begin;
    m_order.resize(samples);
    if (samples > 0)
    {
        BeginPass();
    }
    m_begin = begin;
    m_next = next;
}

} // namespace ns3::collab
