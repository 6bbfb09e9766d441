/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/belief-consensus-topology.h"

#include <cmath>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::collab;

TEST(BeliefTopology, CompleteHasAllOthers)
{
    EXPECT_EQ(MakeCompleteNeighborhoods(3), (Neighborhoods{{1, 2}, {0, 2}, {0, 1}}));
    EXPECT_EQ(MakeCompleteNeighborhoods(1), Neighborhoods(1));
    EXPECT_THROW(MakeCompleteNeighborhoods(0), std::invalid_argument);
}

TEST(BeliefTopology, RingClosesAndHasNobodyTwice)
{
    EXPECT_EQ(MakeRingNeighborhoods(4), (Neighborhoods{{1, 3}, {0, 2}, {1, 3}, {0, 2}}));
    EXPECT_EQ(MakeRingNeighborhoods(2), (Neighborhoods{{1}, {0}}));
    EXPECT_EQ(MakeRingNeighborhoods(1), Neighborhoods(1));
}

TEST(BeliefTopology, StarHasUserZeroAsItsCenter)
{
    EXPECT_EQ(MakeStarNeighborhoods(4), (Neighborhoods{{1, 2, 3}, {0}, {0}, {0}}));
    EXPECT_TRUE(IsStar(MakeStarNeighborhoods(4)));
    EXPECT_TRUE(IsStar(MakeRingNeighborhoods(2)));
    EXPECT_FALSE(IsStar(MakeRingNeighborhoods(4)));
    EXPECT_FALSE(IsStar({{1}, {0, 2}, {1}})); // its center is user 1
}

TEST(BeliefTopology, GridIsAsSquareAsItCanBe)
{
    EXPECT_EQ(ComputeGridShape(64).rows, 8);
    EXPECT_EQ(ComputeGridShape(12).rows, 3);
    EXPECT_EQ(ComputeGridShape(12).columns, 4);
    EXPECT_EQ(ComputeGridShape(7).rows, 1);
    EXPECT_EQ(MakeGridNeighborhoods(6),
              (Neighborhoods{{1, 3}, {0, 2, 4}, {1, 5}, {0, 4}, {1, 3, 5}, {2, 4}}));
    EXPECT_EQ(MakeGridNeighborhoods(3), (Neighborhoods{{1}, {0, 2}, {1}}));
}

TEST(BeliefTopology, GeometricConnectsFromTheLongestEdgeOfTheSpanningTreeOn)
{
    const std::vector<UserPosition> positions{{0, 0, 0}, {10, 0, 0}, {3, 4, 0}, {10, 0, 7}};
    EXPECT_DOUBLE_EQ(ComputeConnectingRadius(positions), std::hypot(7, 4));
    EXPECT_EQ(MakeGeometricNeighborhoods(positions, 7.5), (Neighborhoods{{2}, {3}, {0}, {1}}));
    EXPECT_EQ(MakeGeometricNeighborhoods(positions, ComputeConnectingRadius(positions)),
              (Neighborhoods{{2}, {2, 3}, {0, 1}, {1}}));
    EXPECT_EQ(ComputeConnectingRadius({{1, 2, 3}}), 0);
    EXPECT_THROW(MakeGeometricNeighborhoods(positions, -1), std::invalid_argument);
    EXPECT_THROW(MakeGeometricNeighborhoods(positions, std::nan("")), std::invalid_argument);
}

TEST(BeliefTopology, NearestAreDirectedUnlessMadeSymmetric)
{
    const std::vector<UserPosition> line{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {6, 0, 0}};
    EXPECT_EQ(MakeNearestNeighborhoods(line, 1, false), (Neighborhoods{{1}, {0}, {1}, {2}}));
    EXPECT_EQ(MakeNearestNeighborhoods(line, 1, true), (Neighborhoods{{1}, {0, 2}, {1, 3}, {2}}));
    // Equally near
    EXPECT_EQ(MakeNearestNeighborhoods({{1, 0, 0}, {2, 0, 0}, {0, 0, 0}}, 1, false)[0],
              std::vector<uint32_t>{1});
    EXPECT_THROW(MakeNearestNeighborhoods(line, 4, false), std::invalid_argument);
}

TEST(BeliefTopology, KnowsWhetherEverybodyIsHeardBack)
{
    EXPECT_TRUE(IsUndirected(MakeGridNeighborhoods(12)));
    EXPECT_FALSE(IsUndirected({{1}, {2}, {0}}));
}

TEST(BeliefTopology, ChecksNeighborhoods)
{
    EXPECT_NO_THROW(CheckNeighborhoods({{1, 2}, {}, {0}}));
    for (const Neighborhoods& wrong :
         {Neighborhoods{}, {{0}}, {{1}}, {{2, 1}, {}, {}}, {{1, 1}, {}}})
    {
        EXPECT_THROW(CheckNeighborhoods(wrong), std::invalid_argument);
    }
}
