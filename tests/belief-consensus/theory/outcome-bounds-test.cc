/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/belief-consensus-sample-bound.h"

#include <cmath>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::collab;

namespace
{

/// @return one user that always sees the same, with an input of this probability
std::vector<SampleTable>
MakeSureTable(double inputProbability)
{
    return {{{inputProbability, -std::log(inputProbability), {0, -1}}}};
}

} // namespace

TEST(SampleOutcomeBounds, AnInputsProbabilityMayBeRounded)
{
    EXPECT_NO_THROW(CheckSampleTables(MakeSureTable(1)));
    EXPECT_NO_THROW(CheckSampleTables(MakeSureTable(1 + 1e-9)));
    EXPECT_THROW(CheckSampleTables(MakeSureTable(1 + 2e-9)), std::invalid_argument);
}
