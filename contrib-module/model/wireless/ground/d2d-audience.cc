/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-audience.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::collab
{

D2dAudience::D2dAudience(std::vector<D2dLink> linksToAll)
    : links(std::move(linksToAll)),
      order(links.size())
{
    std::iota(order.begin(), order.end(), 0);
    const auto isEarlier = [this](uint32_t a, uint32_t b) {
        return links[a].delay < links[b].delay;
    };
    if (!std::is_sorted(order.begin(), order.end(), isEarlier))
    {
        std::stable_sort(order.begin(), order.end(), isEarlier);
    }
    for (uint32_t place = 0; place < order.size(); ++place)
    {
        const Time delay = links[order[place]].delay;
        if (groups.empty() || groups.back().delay != delay)
        {
            groups.push_back({delay, place, place});
        }
        ++groups.back().last;
    }
}

} // namespace ns3::collab
