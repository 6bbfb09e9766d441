/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Links that are kept give the same results as links that are computed anew, and spare the work.
 */

#include "wireless/links/counted-loss.h"
#include "wireless/wireless-bench.h"

namespace ns3::collab::tests
{
namespace
{

/// What is varied between runs of one scenario
struct Variant
{
    std::string access;            //!< attribute Access
    std::string fidelity;          //!< attribute Fidelity
    std::string lossModel;         //!< TypeId name of the path loss
    std::string keeping = "Auto";  //!< attribute KeepLinks
    std::string links = "1000000"; //!< attribute KeptLinks
};

/// @param out where to print a variant to
void
PrintTo(const Variant& variant, std::ostream* out)
{
    *out << variant.access << ' ' << variant.fidelity << ' ' << variant.lossModel;
}

/// Radios of which some move, and whose places and powers change while they send
class ChangingScenario
{
  public:
    explicit ChangingScenario(const Variant& variant)
        : m_network(MakePlaces(),
                    {variant.lossModel},
                    {{"RxSensitivity", "-105"}},
                    {{"Access", variant.access},
                     {"Fidelity", variant.fidelity},
                     {"KeepLinks", variant.keeping},
                     {"KeptLinks", variant.links}})
    {
    }

    /// @return what became of every burst, as text
    std::string
    Run()
    {
        for (int i = 0; i < 700; ++i)
        {
            At(MilliSeconds(20 * i), [this] { Act(); });
        }
        Simulator::Run();
        EXPECT_GT(m_network.Receptions().size(), 700U);
        return m_network.DescribeBursts();
    }

  private:
    double
    Draw(double minimum, double maximum)
    {
        return m_random->GetValue(minimum, maximum);
    }

    /// @return a place in a square of 2 km
    Vector
    DrawPlace()
    {
        const double x = Draw(0, 2000);
        return Vector(x, Draw(0, 2000), 0);
    }

    /// @return places of which every eighth moves
    std::vector<Ptr<MobilityModel>>
    MakePlaces()
    {
        m_random->SetStream(1);
        std::vector<Ptr<MobilityModel>> places;
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            const Vector place = DrawPlace();
            const Vector velocity(Draw(-30, 30), Draw(-30, 30), 0);
            places.push_back(i % 8 == 0 ? Moving(place, velocity) : Standing(place.x, place.y));
        }
        return places;
    }

    /// Sends something, and sometimes changes something.
    void
    Act()
    {
        const uint32_t sender = m_random->GetInteger(0, COUNT - 1);
        const uint32_t other = m_random->GetInteger(0, COUNT - 1);
        switch (m_random->GetInteger(0, 5))
        {
        case 0:
            m_network.Place(other)->SetPosition(DrawPlace());
            break;
        case 1:
            m_network.Phy(other)->SetAttribute("TxPower", DoubleValue(Draw(5, 25)));
            break;
        case 2:
            m_network.Phy(other)->SetAttribute("RxSensitivity", DoubleValue(Draw(-108, -90)));
            break;
        default:
            break;
        }
        m_network.SendBurst(sender,
                            other % 3 == 0 ? GroupBurst(sender) : m_network.Burst(BROADCAST, 500));
    }

    /// @return a burst for every fifth device, always of the same group
    const D2dBurst&
    GroupBurst(uint32_t sender)
    {
        D2dBurst& burst = m_bursts[sender];
        if (!burst.group)
        {
            std::vector<uint32_t> members;
            for (uint32_t i = sender % 5; i < COUNT; i += 5)
            {
                if (i != sender)
                {
                    members.push_back(i);
                }
            }
            burst = m_network.GroupBurst(members, 500);
        }
        return burst;
    }

    static constexpr uint32_t COUNT = 60; //!< number of devices

    Ptr<UniformRandomVariable> m_random = CreateObject<UniformRandomVariable>(); //!< of changes
    TestNetwork m_network;                                                       //!< the devices
    std::map<uint32_t, D2dBurst> m_bursts;                                       //!< by sender
};

class KeptLinksTest : public SimulatorTest, public testing::WithParamInterface<Variant>
{
};

INSTANTIATE_TEST_SUITE_P(
    Radios,
    KeptLinksTest,
    testing::Values(Variant{"Ofdma", "Burst", "ns3::LogDistancePropagationLossModel"},
                    Variant{"Ofdma", "Packet", "TellingPathLoss"},
                    Variant{"Shared", "Packet", "ns3::LogDistancePropagationLossModel"},
                    Variant{"Ofdma", "Burst", "ns3::collab::D2dShadowingModel"}));

TEST_P(KeptLinksTest, GiveWhatLinksComputedAnewGive)
{
    const auto run = [](Variant variant, const std::string& keeping, const std::string& links) {
        Simulator::Destroy();
        variant.keeping = keeping;
        variant.links = links;
        RngSeedManager::SetSeed(1);
        return ChangingScenario(variant).Run();
    };
    const std::string expected = run(GetParam(), "Never", "1000000");
    EXPECT_EQ(run(GetParam(), "Auto", "1000000"), expected);
    EXPECT_EQ(run(GetParam(), "Auto", "300"), expected) << "few links are kept";
    EXPECT_EQ(run(GetParam(), "Auto", "0"), expected) << "none but the last are kept";
}

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
