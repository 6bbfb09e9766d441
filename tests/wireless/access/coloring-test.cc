/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-coloring.h"

#include <random>

namespace ns3::collab::tests
{
namespace
{

/// @return pairs of neighbors of one color
std::size_t
CountConflicts(const D2dGraph& graph, const std::vector<uint32_t>& color)
{
    std::size_t conflicts = 0;
    for (std::size_t vertex = 0; vertex < graph.size(); ++vertex)
    {
        conflicts +=
            std::count_if(graph[vertex].begin(), graph[vertex].end(), [&](uint32_t neighbor) {
                return neighbor > vertex && color[neighbor] == color[vertex];
            });
    }
    return conflicts;
}

/// @return links of each to three others
D2dGraph
DrawLinks(uint32_t vertices, std::mt19937_64& generator)
{
    D2dGraph links(vertices);
    for (uint32_t from = 0; from < vertices; ++from)
    {
        for (int i = 0; i < 3; ++i)
        {
            const auto to = static_cast<uint32_t>(generator() % vertices);
            if (to != from)
            {
                links[from].push_back(to);
            }
        }
    }
    return links;
}

TEST(ColoringTest, AGraphHasEachLinkBothWaysAndOnce)
{
    EXPECT_THAT(MakeD2dGraph({{2}, {0, 0}, {0}}),
                ElementsAre(ElementsAre(1, 2), ElementsAre(0), ElementsAre(0)));
}

TEST(ColoringTest, TheSquareHasNeighborsOfNeighbors)
{
    // 0 - 1 - 2 - 3, and 4 alone
    const D2dGraph path = {{1}, {0, 2}, {1, 3}, {2}, {}};
    EXPECT_THAT(SquareD2dGraph(path),
                ElementsAre(ElementsAre(1, 2),
                            ElementsAre(0, 2, 3),
                            ElementsAre(0, 1, 3),
                            ElementsAre(1, 2),
                            IsEmpty()));
}

TEST(ColoringTest, TheLargestDegreeComesFirst)
{
    // A crown: in the order of numbers it takes three colors, which by degrees takes two. 6 and 7
    // raise the degrees of 0 and 2, which so come first
    const D2dGraph crown =
        MakeD2dGraph({{3, 5, 6}, {2, 4}, {1, 5, 7}, {0, 4}, {1, 3}, {0, 2}, {0}, {2}});
    const auto colors = ColorGreedily(crown);
    EXPECT_EQ(CountConflicts(crown, colors), 0U);
    // By hand: 0 and 2 (degree 3) get 0; 1 next to 2 gets 1; 3 and 5 get 1; 4 next to 1 and 3 gets
    // 0
    EXPECT_THAT(colors, ElementsAre(0, 1, 0, 1, 0, 1, 1, 1));
}

TEST(ColoringTest, RandomGraphsAreColoredProperlyWithinTheBound)
{
    std::mt19937_64 generator(1);
    for (int i = 0; i < 50; ++i)
    {
        const D2dGraph graph = MakeD2dGraph(DrawLinks(5 + i * 4, generator));
        const auto color = ColorGreedily(graph);
        std::size_t degree = 0;
        for (const auto& neighbors : graph)
        {
            degree = std::max(degree, neighbors.size());
        }
        EXPECT_EQ(CountConflicts(graph, color), 0U);
        EXPECT_LE(*std::max_element(color.begin(), color.end()), degree);
    }
}

TEST(ColoringTest, WithTooFewColorsConflictsAreFewerThanByChance)
{
    std::mt19937_64 generator(2);
    const D2dGraph graph = MakeD2dGraph(DrawLinks(300, generator));
    std::size_t edges = 0;
    for (const auto& neighbors : graph)
    {
        edges += neighbors.size();
    }
    const auto color = ColorGreedily(graph, 2);
    EXPECT_EQ(*std::max_element(color.begin(), color.end()), 1U);
    EXPECT_LT(CountConflicts(graph, color), edges / 2 * 0.3) << "by chance half of the edges";
    EXPECT_THAT(ColorGreedily(graph, 1), testing::Each(0U));
}

} // namespace
} // namespace ns3::collab::tests
