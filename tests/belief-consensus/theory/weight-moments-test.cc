/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-theory-inputs.h"
#include "belief-theory-reference.h"

#include "ns3/belief-consensus-mixing.h"
#include "ns3/belief-consensus-weight-moments.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::collab;
namespace reference = belief_theory_reference;

TEST(WeightMoments, OfWhomLeavesByHand)
{
    WeightMoments moments(2);
    moments.Add(0, 0, {{0, .5}, {1, .5}});
    moments.Add(0, 1, {{0, .5}, {1, .5}});
    moments.Add(1, 0, {{0, 1}}); // user 1 is gone
    EXPECT_EQ(moments.CountInstants(), 2);
    EXPECT_EQ(moments.GetMean(), MakeSquare(2, {.75, .25, .25, .75}));
    EXPECT_EQ(moments.GetPresence(), (std::vector<double>{1, .5}));
    EXPECT_NEAR(moments.ComputeContraction(), .5, 1e-15); // agreement, or what it was
    moments.Add(3, 0, {{0, 1}});                          // in instant 2 nobody was there
    EXPECT_EQ(moments.GetPresence(), (std::vector<double>{.75, .25}));
    EXPECT_NEAR(moments.ComputeContraction(), .75, 1e-15);
}

TEST(WeightMoments, OfDirectedWeightsByHand)
{
    // (1, -1) becomes (1, 0), whose distance from its mean is (1/2, -1/2)
    WeightMoments moments(2);
    moments.Add(0, 0, {{0, 1}});
    moments.Add(0, 1, {{0, .5}, {1, .5}});
    EXPECT_NEAR(moments.ComputeContraction(), .25, 1e-15);
}

TEST(WeightMoments, AgreeWithNumpy)
{
    constexpr uint32_t USERS = 5;
    const auto w = MakeReferenceWeights(USERS);
    WeightMoments moments(USERS);
    for (uint32_t t = 0; t < 8; ++t)
    {
        const auto isThere = [t](uint32_t user) { return (user + 2 * t) % 5 != 0 && user != t; };
        for (uint32_t i = 0; i < USERS; ++i)
        {
            WeightMoments::Row row = {{i, w(i, i)}};
            for (uint32_t j = 0; j < USERS; ++j)
            {
                if (j != i && isThere(j))
                {
                    row.emplace_back(j, w(i, j));
                }
                else if (j != i)
                {
                    row[0].second += w(i, j);
                }
            }
            if (isThere(i))
            {
                moments.Add(t, i, row);
            }
        }
    }
    const auto mean = moments.GetMean();
    const auto influence = ComputeInfluence(mean);
    for (std::size_t i = 0; i < mean.values.size(); ++i)
    {
        EXPECT_NEAR(mean.values[i], reference::MEAN_OF_PRESENT[i], 1e-15) << i;
    }
    for (uint32_t i = 0; i < USERS; ++i)
    {
        EXPECT_NEAR(influence[i], reference::INFLUENCE_OF_PRESENT[i], 1e-13) << i;
        EXPECT_NEAR(moments.GetPresence()[i], reference::PRESENCE[i], 1e-15) << i;
    }
    EXPECT_NEAR(moments.ComputeContraction(), reference::CONTRACTION, 1e-13);
}

TEST(WeightMoments, ChecksArguments)
{
    EXPECT_THROW(WeightMoments(0), std::invalid_argument);
    WeightMoments moments(2);
    EXPECT_THROW(moments.GetMean(), std::invalid_argument);
    EXPECT_THROW(moments.ComputeContraction(), std::invalid_argument);
    moments.Add(0, 1, {{1, 1}});
    EXPECT_THROW(moments.Add(0, 1, {{1, 1}}), std::invalid_argument);
    EXPECT_THROW(moments.Add(0, 2, {}), std::invalid_argument);
    EXPECT_THROW(moments.Add(0, 0, {{2, 1}}), std::invalid_argument);
}
