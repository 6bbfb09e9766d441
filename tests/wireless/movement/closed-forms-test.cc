/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Devices that move, beside what geometry and integrals give.

#include "wireless/wireless-bench.h"

#include "ns3/random-walk-2d-mobility-model.h"
#include "ns3/rectangle.h"

#include <cmath>

namespace ns3::collab::tests
{
namespace
{

constexpr double SIDE_M = 400; //!< of the square
/// Outage probability is 1 - exp(-(d / D)^3) with this D, by the losses below
constexpr double REACH_M = 300;

/// @return density of the distance of two uniform places in the unit square
double
DistanceDensity(double s)
{
    constexpr double PI = 3.141592653589793;
    if (s <= 1)
    {
        return 2 * s * (PI - 4 * s + s * s);
    }
    const double root = std::sqrt(s * s - 1);
    return 2 * s * (4 * root - (s * s + 2 - PI) - 4 * std::atan(root));
}

/// @return the mean outage probability of two uniform places in the square, and the whole density
std::pair<double, double>
IntegrateOutage()
{
    constexpr uint32_t STEPS = 100000;
    const double step = std::sqrt(2.0) / STEPS;
    double mean = 0;
    double all = 0;
    for (uint32_t i = 0; i < STEPS; ++i)
    {
        const double s = (i + 0.5) * step;
        all += DistanceDensity(s) * step;
        mean -= std::expm1(-std::pow(s * SIDE_M / REACH_M, 3)) * DistanceDensity(s) * step;
    }
    return {mean, all};
}

/// @return a walker in the square that begins in its corner
Ptr<MobilityModel>
MakeWalker(int64_t stream)
{
    const auto walker = CreateObject<RandomWalk2dMobilityModel>();
    walker->SetAttribute("Bounds", RectangleValue(Rectangle(0, SIDE_M, 0, SIDE_M)));
    walker->SetAttribute("Mode", StringValue("Distance"));
    walker->SetAttribute("Distance", DoubleValue(SIDE_M / 10));
    walker->SetAttribute("Speed", StringValue("ns3::ConstantRandomVariable[Constant=40]"));
    walker->SetPosition(Vector(1, 1, 0));
    walker->AssignStreams(stream);
    return walker;
}

using MovingLinksTest = SimulatorTest;

TEST_F(MovingLinksTest, WalkersHaveTheMeanOutageOfUniformPlaces)
{
    constexpr uint32_t WALKERS = 20;
    std::vector<Ptr<MobilityModel>> walkers;
    for (uint32_t i = 0; i < WALKERS; ++i)
    {
        walkers.push_back(MakeWalker(10 * i));
    }
    // At 1 bit/s/Hz the threshold is 1: a link has the exponent 1 where RSS equals the noise
    TestNetwork network(walkers,
                        {"ns3::LogDistancePropagationLossModel[Exponent=3|ReferenceLoss=0]"},
                        {{"TxPower", "0"}, {"RxSensitivity", "-1000"}});
    network.Channel()->SetAttribute("NoisePower", DoubleValue(std::pow(REACH_M, -3) * 1e-3));
    std::vector<double> means;
    for (uint32_t look = 1; look <= 100; ++look)
    {
        At(Seconds(40 + 40 * look), [&] {
            double sum = 0;
            for (uint32_t i = 0; i < WALKERS; ++i)
            {
                for (uint32_t j = 0; j < i; ++j)
                {
                    sum += network.Outage(i, j);
                }
            }
            means.push_back(sum / (WALKERS * (WALKERS - 1) / 2.0));
        });
    }
    RunFor(Seconds(4100));
    const auto [expected, all] = IntegrateOutage();
    EXPECT_NEAR(all, 1, 1e-6);
    const Moments moments = Describe(means);
    EXPECT_LT(moments.standardError, 0.02 * expected);
    EXPECT_NEAR(moments.mean, expected, 4 * moments.standardError);
}

TEST_F(MovingLinksTest, ContactsLastAsLongAsTheWayThroughTheRange)
{
    constexpr double RANGE_M = 100;
    constexpr double SPEED = 30;   // [m/s]
    constexpr double ASIDE_M = 60; // at the closest
    TestNetwork network({Standing(0), Moving(Vector(-300, ASIDE_M, 0), Vector(SPEED, 0, 0))},
                        {"ns3::RangePropagationLossModel[MaxRange=100]"},
                        {},
                        {{"OutageModel", "ns3::collab::D2dFixedOutageModel"}});
    constexpr double PERIOD_S = 0.01;
    for (uint32_t i = 0; i < 2000; ++i)
    {
        network.SendAt(Seconds(i * PERIOD_S), 0, 1, 10);
    }
    Simulator::Run();
    ASSERT_FALSE(network.Receptions().empty());
    const double half = std::sqrt(RANGE_M * RANGE_M - ASIDE_M * ASIDE_M) / SPEED;
    EXPECT_NEAR(network.Receptions().front().time.GetSeconds(), 10 - half, 2 * PERIOD_S);
    EXPECT_NEAR(network.Receptions().back().time.GetSeconds(), 10 + half, 2 * PERIOD_S);
    EXPECT_NEAR(
        static_cast<double>(network.Receptions().size()) * PERIOD_S, 2 * half, 2 * PERIOD_S);
}

} // namespace
} // namespace ns3::collab::tests
