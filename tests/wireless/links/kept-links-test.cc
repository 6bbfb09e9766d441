/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Links that are kept spare the work to compute them anew. ChangingLinksTest says that they are
 * right.
 */

#include "wireless/links/counted-loss.h"
#include "wireless/wireless-bench.h"

namespace ns3::collab::tests
{
namespace
{

/// Radios in a row, all in range of each other, that count how often the path loss is asked for
class RowTest : public SimulatorTest
{
  protected:
    void
    Install(uint32_t standing, uint32_t moving)
    {
        std::vector<Ptr<MobilityModel>> places;
        for (uint32_t i = 0; i < standing + moving; ++i)
        {
            places.push_back(i < standing ? Standing(i) : Moving(Vector(i, 0, 0), Vector()));
        }
        m_network.emplace(places, std::vector<std::string>{"TellingPathLoss"});
    }

    /// @return how often the path loss is asked for the links of a device
    uint64_t
    CountAsked(uint32_t device) const
    {
        const auto model = DynamicCast<CountedLoss>(m_network->LossModel());
        const uint64_t before = model->asked;
        EXPECT_EQ(m_network->Channel()->GetLinks(m_network->Device(device)).size(),
                  m_network->Size() - 1);
        return model->asked - before;
    }

    std::optional<TestNetwork> m_network; //!< the devices
    static constexpr uint64_t BOTH = 2;   //!< powers of a link, there and back
};

TEST_F(RowTest, OnlyLinksOfDevicesThatMoveAreComputedAtEachSend)
{
    Install(50, 2);
    EXPECT_EQ(CountAsked(0), 51 * BOTH);
    EXPECT_EQ(CountAsked(0), 2 * BOTH);
    EXPECT_EQ(CountAsked(51), 51 * BOTH);
    EXPECT_EQ(CountAsked(51), 51 * BOTH) << "it moves itself";
    EXPECT_THAT(m_network->Channel()->ExplainUnkeptLinks(), HasSubstr("and 1 more move"));
}

TEST_F(RowTest, WhatChangesOfOneDeviceCostsItsLinksAlone)
{
    Install(50, 0);
    for (uint32_t i = 0; i < 50; ++i)
    {
        CountAsked(i);
    }
    m_network->Set(7, "TxPower", "17.3");
    EXPECT_EQ(CountAsked(0), BOTH);
    EXPECT_EQ(CountAsked(0), 0U);
    m_network->Set(7, "TxPower", "17.4");
    m_network->Set(8, "RxSensitivity", "-110");
    m_network->Place(9)->SetPosition(Vector(0, 9, 0));
    m_network->Place(9)->SetPosition(Vector(0, 8, 0));
    EXPECT_EQ(CountAsked(0), 3 * BOTH);
    EXPECT_EQ(CountAsked(1), 3 * BOTH);
    EXPECT_EQ(CountAsked(7), 49 * BOTH) << "all of its own";
    EXPECT_EQ(CountAsked(7), 0U);
}

TEST_F(RowTest, LinksAskedForLeastRecentlyAreForgottenFirst)
{
    Install(20, 0);
    m_network->Channel()->SetAttribute("KeptLinks", UintegerValue(10 * 19));
    for (uint32_t i = 0; i < 10; ++i)
    {
        EXPECT_EQ(CountAsked(i), 19 * BOTH);
    }
    EXPECT_EQ(CountAsked(0), 0U) << "ten fit";
    EXPECT_EQ(CountAsked(10), 19 * BOTH);
    EXPECT_EQ(CountAsked(0), 0U);
    EXPECT_EQ(CountAsked(9), 0U);
    EXPECT_EQ(CountAsked(1), 19 * BOTH) << "forgotten";
}

} // namespace
} // namespace ns3::collab::tests
