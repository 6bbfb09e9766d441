/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"

#include "ns3/collab-generated-data-sets.h"

#include <gmock/gmock.h>
#include <stdexcept>

namespace
{

using namespace ns3::collab;

TEST(GeneratedOptions, ARefusalNamesTheOptionAndItsValue)
{
    PolynomialOptions options;
    options.noise = -1.5;
    EXPECT_EQ(tests::ErrorOf([&] { GeneratePolynomial(options, 1); }),
              "noise -1.5, allowed are finite values from 0");
}

} // namespace
