/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-greatest-range.h"
#include "ns3/d2d-shadowing-model.h"
#include "ns3/d2d-spatial-index.h"

#include <limits>

namespace ns3::collab::tests
{
namespace
{

/// Something else than ConstantPositionMobilityModel that says nothing when it moves.
class SilentMobilityModel : public ConstantPositionMobilityModel
{
  public:
    /// Get the type ID.
    static TypeId
    GetTypeId()
    {
        static TypeId tid = TypeId("ns3::collab::tests::SilentMobilityModel")
                                .SetParent<ConstantPositionMobilityModel>()
                                .AddConstructor<SilentMobilityModel>();
        return tid;
    }

    Vector silentPosition; //!< where it is

  private:
    Vector
    DoGetPosition() const override
    {
        return silentPosition;
    }
};

NS_OBJECT_ENSURE_REGISTERED(SilentMobilityModel);

class SpatialIndexTest : public SimulatorTest
{
  protected:
    SpatialIndexTest()
    {
        m_random->SetStream(1);
    }

    /// @return a position in the box around the origin
    Vector
    Draw(double extent) const
    {
        const double x = m_random->GetValue(-extent, extent);
        const double y = m_random->GetValue(-extent, extent);
        return Vector(x, y, m_random->GetValue(-extent / 10, extent / 10));
    }

    void
    AddStill(D2dSpatialIndex& index, int count)
    {
        for (int i = 0; i < count; ++i)
        {
            Ptr<MobilityModel> mobility = CreateObject<ConstantPositionMobilityModel>();
            mobility->SetPosition(Draw(1000));
            EXPECT_EQ(index.Add(mobility), m_devices.size());
            m_devices.push_back(mobility);
        }
    }

    /// Compare searches with looking at every device.
    void
    ExpectAsByLookingAtAll(const D2dSpatialIndex& index, int queries) const
    {
        std::size_t found = 0;
        for (int i = 0; i < queries; ++i)
        {
            const Vector position = Draw(1200);
            const double range = m_random->GetValue(0, 400);
            std::vector<uint32_t> expected;
            for (uint32_t device = 0; device < m_devices.size(); ++device)
            {
                if (CalculateDistance(m_devices[device]->GetPosition(), position) <= range)
                {
                    expected.push_back(device);
                }
            }
            ASSERT_EQ(index.FindWithin(position, range), expected);
            found += expected.size();
        }
        EXPECT_GT(found, 0U);
    }

    Ptr<UniformRandomVariable> m_random = CreateObject<UniformRandomVariable>(); //!< positions
    std::vector<Ptr<MobilityModel>> m_devices;                                   //!< all devices
};

TEST_F(SpatialIndexTest, FindsAsByLookingAtAll)
{
    for (const double cellSize : {3.0, 100.0, 5000.0})
    {
        m_devices.clear();
        D2dSpatialIndex index(cellSize);
        AddStill(index, 2000);
        ExpectAsByLookingAtAll(index, 200);
    }
}

TEST_F(SpatialIndexTest, FollowsMovesAndAdditions)
{
    D2dSpatialIndex index(100);
    AddStill(index, 500);
    for (int round = 0; round < 20; ++round)
    {
        for (int i = 0; i < 50; ++i)
        {
            m_devices[m_random->GetInteger(0, m_devices.size() - 1)]->SetPosition(Draw(1000));
        }
        AddStill(index, 10);
        ExpectAsByLookingAtAll(index, 20);
    }
}

TEST_F(SpatialIndexTest, AsksModelsThatMoveByThemselves)
{
    D2dSpatialIndex index(100);
    AddStill(index, 300);
    std::vector<Ptr<SilentMobilityModel>> silent;
    for (int i = 0; i < 100; ++i)
    {
        silent.push_back(CreateObject<SilentMobilityModel>());
        index.Add(silent.back());
        m_devices.push_back(silent.back());
        Ptr<ConstantVelocityMobilityModel> fast = CreateObject<ConstantVelocityMobilityModel>();
        fast->SetPosition(Draw(1000));
        fast->SetVelocity(Draw(50));
        index.Add(fast);
        m_devices.push_back(fast);
    }
    for (int second = 0; second < 10; ++second)
    {
        At(Seconds(second), [&] {
            for (const auto& mobility : silent)
            {
                mobility->silentPosition = Draw(1000);
            }
            ExpectAsByLookingAtAll(index, 20);
        });
    }
    Simulator::Run();
}

TEST_F(SpatialIndexTest, BordersAndExtremes)
{
    D2dSpatialIndex index(10);
    for (const double x : {0.0, 10.0, -10.0, 20.0, 1e30, -1e30})
    {
        m_devices.push_back(CreateObject<ConstantPositionMobilityModel>());
        m_devices.back()->SetPosition(Vector(x, 0, 0));
        index.Add(m_devices.back());
    }
    EXPECT_EQ(index.FindWithin(Vector(0, 0, 0), 10), (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(index.FindWithin(Vector(0, 0, 0), std::nextafter(10, 0)), std::vector<uint32_t>{0});
    EXPECT_EQ(index.FindWithin(Vector(0, 0, 0), 0), std::vector<uint32_t>{0});
    EXPECT_EQ(index.FindWithin(Vector(0, 0, 0), -1), std::vector<uint32_t>{});
    EXPECT_EQ(index.FindWithin(Vector(0, 0, 0), 1e20), (std::vector<uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(index.FindWithin(Vector(0, 0, 0), std::numeric_limits<double>::infinity()).size(),
              6U);
    EXPECT_EQ(index.FindWithin(Vector(1e30, 0, 0), 1), std::vector<uint32_t>{4});
}

TEST_F(SpatialIndexTest, LeavesNothingBehind)
{
    Ptr<MobilityModel> mobility = CreateObject<ConstantPositionMobilityModel>();
    auto index = std::make_unique<D2dSpatialIndex>(10);
    index->Add(mobility);
    index.reset();
    mobility->SetPosition(Vector(100, 0, 0)); // must not call the index
    D2dSpatialIndex other(10);
    other.Add(mobility);
    EXPECT_EQ(other.FindWithin(Vector(100, 0, 0), 1), std::vector<uint32_t>{0});
}

class GreatestRangeTest : public SimulatorTest
{
  protected:
    /// Expect that power just suffices at the greatest range.
    static double
    ExpectBorder(Ptr<PropagationLossModel> chain, double rxPowerDbm, double height = 0)
    {
        const double range = FindD2dGreatestRange(chain, 20, rxPowerDbm, height).value();
        Ptr<MobilityModel> a = CreateObject<ConstantPositionMobilityModel>();
        Ptr<MobilityModel> b = CreateObject<ConstantPositionMobilityModel>();
        a->SetPosition(Vector(0, 0, height));
        b->SetPosition(Vector(range, 0, height));
        EXPECT_GE(chain->CalcRxPower(20, a, b), rxPowerDbm);
        b->SetPosition(Vector(range * (1 + 1e-12) + 1e-12, 0, height));
        EXPECT_LT(chain->CalcRxPower(20, a, b), rxPowerDbm);
        return range;
    }
};

TEST_F(GreatestRangeTest, LogDistanceByHand)
{
    Ptr<PropagationLossModel> model = CreateObject<LogDistancePropagationLossModel>();
    // 20 - 46.6777 - 30 log10(d) = -90
    EXPECT_NEAR(ExpectBorder(model, -90), std::pow(10, (110 - 46.6777) / 30), 1e-9);
    EXPECT_EQ(FindD2dGreatestRange(model, 20, -10), 0);
    EXPECT_EQ(FindD2dGreatestRange(model, 20, -1000), std::numeric_limits<double>::infinity());
}

TEST_F(GreatestRangeTest, OtherModelsAndChains)
{
    Ptr<PropagationLossModel> friis = CreateObject<FriisPropagationLossModel>();
    const double wavelength = 299792458.0 / 5.15e9;
    EXPECT_NEAR(ExpectBorder(friis, -90) / (wavelength / (4 * M_PI) * std::pow(10, 5.5)), 1, 1e-6);
    ExpectBorder(CreateObject<ThreeLogDistancePropagationLossModel>(), -80);
    Ptr<PropagationLossModel> chain = CreateObject<LogDistancePropagationLossModel>();
    Ptr<PropagationLossModel> range = CreateObject<RangePropagationLossModel>();
    range->SetAttribute("MaxRange", DoubleValue(77.7));
    chain->SetNext(range);
    EXPECT_EQ(ExpectBorder(chain, -90), 77.7);
    range->SetNext(friis);
    EXPECT_LT(ExpectBorder(chain, -100), 77.7);
}

TEST_F(GreatestRangeTest, HeightMattersOverTheGround)
{
    Ptr<PropagationLossModel> ground = CreateObject<TwoRayGroundPropagationLossModel>();
    EXPECT_NEAR(ExpectBorder(ground, -90, 2), 2 * std::pow(10, 110.0 / 40), 1e-6); // (h^2/d^2)^2
    EXPECT_GT(ExpectBorder(ground, -90, 3), ExpectBorder(ground, -90, 2));
    EXPECT_EQ(FindD2dGreatestRange(ground, 20, -90, 0), 0.5); // nothing beyond MinDistance
}

TEST_F(GreatestRangeTest, KnowsNothingOfOtherModels)
{
    EXPECT_FALSE(FindD2dGreatestRange(nullptr, 20, -90));
    EXPECT_FALSE(FindD2dGreatestRange(CreateObject<D2dShadowingModel>(), 20, -90));
    EXPECT_FALSE(FindD2dGreatestRange(CreateObject<FixedRssLossModel>(), 20, -90));
    Ptr<PropagationLossModel> chain = CreateObject<LogDistancePropagationLossModel>();
    chain->SetNext(CreateObject<FixedRssLossModel>());
    EXPECT_FALSE(FindD2dGreatestRange(chain, 20, -90));
    chain->SetNext(CreateObject<NakagamiPropagationLossModel>());
    EXPECT_FALSE(FindD2dGreatestRange(chain, 20, -90));
}

TEST_F(GreatestRangeTest, KnowsNothingWhenPowerGrows)
{
    Ptr<PropagationLossModel> model = CreateObject<LogDistancePropagationLossModel>();
    model->SetAttribute("Exponent", DoubleValue(-0.1));
    EXPECT_FALSE(FindD2dGreatestRange(model, 20, -90));
}

} // namespace
} // namespace ns3::collab::tests
