/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-net-anim-file.h"

#include <gtest/gtest.h>

using ns3::collab::NetAnimFile;

TEST(NetAnimColors, AreTheSameInAllComponentsOnly)
{
    const NetAnimFile::Color color{10, 20, 30};
    EXPECT_TRUE(color == (NetAnimFile::Color{10, 20, 30}));
    EXPECT_FALSE(color == (NetAnimFile::Color{11, 20, 30}));
    EXPECT_FALSE(color == (NetAnimFile::Color{10, 21, 30}));
    EXPECT_FALSE(color == (NetAnimFile::Color{10, 20, 31}));
}
