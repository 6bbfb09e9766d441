/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-network.h"

#include <gtest/gtest.h>

using namespace ns3::collab;

namespace
{

class BeliefStreamsTest : public tests::BeliefNetworkTest
{
};

} // namespace

TEST_F(BeliefStreamsTest, EachUserHasOneOfItsOwn)
{
    Options options;
    options.devices = 3;
    MakeNetwork(options);
    tests::BeliefUsers users;
    users.models = tests::MakeBitBeliefs(3);
    users.w = tests::MakeUniformWeights(3);
    Install(std::move(users));
    EXPECT_EQ(BeliefConsensusHelper::AssignStreams(m_applications, 50), 3);
}
