/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-power-draw.h"

#include <gtest/gtest.h>

namespace ns3::collab
{
namespace
{

TEST(PowerDraw, SumsAsOverAllKinds)
{
    // 0.1 + 0.2 + 0.3 depends on the order: that of the kinds, and not of Add()
    PowerDraw draw;
    draw.Add(EnergyKind::D2S_RX, 0.3);
    draw.Add(EnergyKind::IDLE, 0.2);
    draw.Add(EnergyKind::TX, 0.1);
    EnergyByKind watts{};
    watts[static_cast<std::size_t>(EnergyKind::TX)] = 0.1;
    watts[static_cast<std::size_t>(EnergyKind::IDLE)] = 0.2;
    watts[static_cast<std::size_t>(EnergyKind::D2S_RX)] = 0.3;
    EXPECT_NE(0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1);
    EXPECT_EQ(draw.GetTotalW(), GetTotal(watts));
}

TEST(PowerDraw, SpendsOnItsKindsOnly)
{
    PowerDraw draw;
    draw.Add(EnergyKind::RX, 0.25);
    draw.Add(EnergyKind::IDLE, 0.5);
    EnergyByKind joules{};
    joules.fill(1.0);
    draw.Spend(4, joules);
    EXPECT_EQ(joules, (EnergyByKind{1, 2, 3, 1, 1, 1, 1}));
}

TEST(PowerDraw, NoPowerIsNoKind)
{
    PowerDraw draw;
    draw.Add(EnergyKind::TX, 0.0);
    EXPECT_TRUE(draw == PowerDraw());
    draw.Add(EnergyKind::RX, 0.2);
    EXPECT_TRUE(draw.IsOnly(EnergyKind::RX, 0.2));
    EXPECT_FALSE(draw.IsOnly(EnergyKind::IDLE, 0.2));
    EXPECT_FALSE(draw.IsOnly(EnergyKind::RX, 0.1));
    draw.Add(EnergyKind::IDLE, 0.2);
    EXPECT_FALSE(draw.IsOnly(EnergyKind::RX, 0.2));
}

TEST(PowerDraw, IsTheSameByKindAndPower)
{
    PowerDraw rx;
    rx.Add(EnergyKind::RX, 0.2);
    PowerDraw idle;
    idle.Add(EnergyKind::IDLE, 0.2);
    PowerDraw again;
    again.Add(EnergyKind::RX, 0.2);
    EXPECT_TRUE(rx == again);
    EXPECT_FALSE(rx == idle);
    again.Add(EnergyKind::TX, 1.0);
    EXPECT_FALSE(rx == again);
}

} // namespace
} // namespace ns3::collab
