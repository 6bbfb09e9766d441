/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-coloring.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>

namespace ns3
{
namespace collab
{

namespace
{

/// Color of a vertex that has none yet
constexpr uint32_t NO_COLOR = std::numeric_limits<uint32_t>::max();

/// @param graph graph whose lists get the neighbors of each vertex ascending, each once
void
Normalize(D2dGraph& graph)
{
    for (auto& neighbors : graph)
    {
        std::sort(neighbors.begin(), neighbors.end());
        neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
    }
}

} // namespace

D2dGraph
MakeD2dGraph(const D2dGraph& links)
{
    D2dGraph graph = links;
    for (uint32_t from = 0; from < links.size(); ++from)
    {
        for (const uint32_t to : links[from])
        {
            graph[to].push_back(from);
        }
    }
    Normalize(graph);
    return graph;
}

D2dGraph
SquareD2dGraph(const D2dGraph& graph)
{
    D2dGraph square = graph;
    for (uint32_t vertex = 0; vertex < graph.size(); ++vertex)
    {
        for (const uint32_t neighbor : graph[vertex])
        {
            std::copy_if(graph[neighbor].begin(),
                         graph[neighbor].end(),
                         std::back_inserter(square[vertex]),
                         [vertex](uint32_t other) { return other != vertex; });
        }
    }
    Normalize(square);
    return square;
}

std::vector<uint32_t>
ColorGreedily(const D2dGraph& graph, uint32_t colors)
{
    std::vector<uint32_t> order(graph.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&graph](uint32_t a, uint32_t b) {
        return graph[a].size() > graph[b].size();
    });
    std::vector<uint32_t> color(graph.size(), NO_COLOR);
    for (const uint32_t vertex : order)
    {
        // One of the first colors is free, or all are taken
        const std::size_t candidates = std::min<std::size_t>(colors, graph[vertex].size() + 1);
        std::vector<uint32_t> taken(candidates);
        for (const uint32_t neighbor : graph[vertex])
        {
            if (color[neighbor] < candidates)
            {
                ++taken[color[neighbor]];
            }
        }
        const auto least = std::min_element(taken.begin(), taken.end());
        color[vertex] = static_cast<uint32_t>(least - taken.begin());
    }
    return color;
}

} // namespace collab
} // namespace ns3
