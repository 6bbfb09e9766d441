/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-burst-series.h"

#include <algorithm>
#include <map>

namespace ns3::collab
{

D2dGroup
FindDeaf(const D2dBurstReport& report)
{
    std::vector<uint32_t> nodes;
    for (const auto& outcome : report.outcomes)
    {
        if (outcome.reason == D2dLossReason::HALF_DUPLEX)
        {
            nodes.push_back(outcome.receiverNode);
        }
    }
    return nodes.empty() ? nullptr
                         : std::make_shared<const std::vector<uint32_t>>(std::move(nodes));
}

void
JoinReport(D2dBurstReport& whole, const D2dBurstReport& part)
{
    whole.fragments = part.fragments;
    whole.fragmentBytes = part.fragmentBytes;
    whole.attempts += part.attempts;
    whole.bytesSent = std::max(whole.bytesSent, part.bytesSent);
    whole.spectralEfficiency =
        part.attempts > 0 ? part.spectralEfficiency : whole.spectralEfficiency;
    whole.end = part.end;
    whole.airtime += part.airtime;
    whole.stopped = part.stopped;
    std::map<uint32_t, const D2dReceiverOutcome*> now;
    for (const auto& outcome : part.outcomes)
    {
        now[outcome.receiverNode] = &outcome;
    }
    for (auto& outcome : whole.outcomes)
    {
        const auto found = now.find(outcome.receiverNode);
        outcome = found != now.end() ? *found->second : outcome;
    }
}

} // namespace ns3::collab
