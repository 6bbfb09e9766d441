/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/graph-discovery-policy.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace ns3::collab;

TEST(PolicyWeights, AreKeptAndGiveTheSameBitsEachTime)
{
    constexpr uint32_t PEERS = 9;
    PolicyOptions options;
    options.psi = PsiRule::CUMULATIVE;
    options.reduction = 0;
    GraphDiscoveryPolicy policy(PEERS, options);
    std::vector<double> expected;
    for (uint32_t peer = 0; peer < PEERS; ++peer)
    {
        const double reward = std::sin(1.7 * peer);
        policy.Learn({}, peer, reward);
        expected.push_back(std::exp(reward)); // not less the greatest, with which it would move
    }
    const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
    for (double& weight : expected)
    {
        weight /= sum;
    }
    EXPECT_EQ(policy.GetProbabilities({}), expected);
}
