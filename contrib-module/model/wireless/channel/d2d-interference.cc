/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-interference.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace collab
{

uint64_t
D2dInterference::Begin(const std::vector<D2dReach>& reach,
                       std::vector<uint32_t> receivers,
                       Time airtime)
{
    const Time now = Simulator::Now();
    const uint64_t number = m_next++;
    Signal& added = m_signals[number];
    for (const auto& place : reach)
    {
        added.powerW[place.device] = place.powerW;
    }
    added.worstW.assign(receivers.size(), 0.0);
    added.receivers = std::move(receivers);
    added.end = now + airtime;
    // Only a signal that begins makes the interference of others greater
    for (auto& [other, signal] : m_signals)
    {
        for (std::size_t i = 0; signal.end > now && i < signal.receivers.size(); ++i)
        {
            signal.worstW[i] =
                std::max(signal.worstW[i], GetInterferenceW(other, signal.receivers[i]));
        }
    }
    return number;
}

std::vector<double>
D2dInterference::End(uint64_t signal)
{
    const auto found = m_signals.find(signal);
    std::vector<double> worstW = std::move(found->second.worstW);
    m_signals.erase(found);
    return worstW;
}

double
D2dInterference::GetInterferenceW(uint64_t number, uint32_t device) const
{
    const Time now = Simulator::Now();
    double sumW = 0;
    for (const auto& [other, signal] : m_signals)
    {
        const auto power = signal.powerW.find(device);
        if (other != number && signal.end > now && power != signal.powerW.end())
        {
            sumW += power->second;
        }
    }
    return sumW;
}

} // namespace collab
} // namespace ns3
