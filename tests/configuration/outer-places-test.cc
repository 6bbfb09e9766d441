/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/d2d-outer-places.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace
{

/// @return both ends of each pair that is as far apart as any
std::set<std::size_t>
FindEnds(const std::vector<Vector>& places)
{
    std::set<std::size_t> ends;
    double longest = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        for (std::size_t j = 0; j < places.size(); ++j)
        {
            const double distance = CalculateDistance(places[i], places[j]);
            if (distance > longest)
            {
                longest = distance;
                ends.clear();
            }
            if (distance == longest && distance > 0)
            {
                ends.insert({i, j});
            }
        }
    }
    return ends;
}

/// Places of several shapes
class OuterPlacesTest : public ::testing::TestWithParam<std::string>
{
  protected:
    std::vector<Vector>
    Draw(std::size_t size, uint32_t seed) const
    {
        std::mt19937 generator(seed);
        std::uniform_real_distribution<double> uniform(-1, 1);
        std::vector<Vector> places;
        while (places.size() < size)
        {
            Vector place(uniform(generator), uniform(generator), uniform(generator));
            const double length = std::hypot(place.x, place.y);
            if (GetParam() == "square")
            {
                place.z = 1.5;
            }
            else if (GetParam() == "grid")
            {
                place = Vector(places.size() % 20 * 7.3, places.size() / 20 * 7.3, 1.5);
            }
            else if (GetParam() == "circle")
            {
                place = Vector(1000 + place.x / length, place.y / length, 0);
            }
            else if (GetParam() == "disc" && length > 1)
            {
                continue;
            }
            else if (GetParam() == "line")
            {
                place = Vector(place.x * 5, place.x * 3, 0);
            }
            places.push_back(place);
        }
        return places;
    }
};

INSTANTIATE_TEST_SUITE_P(Shapes,
                         OuterPlacesTest,
                         ::testing::Values("square", "grid", "circle", "disc", "line", "cube"));

} // namespace

TEST_P(OuterPlacesTest, NoEndOfALongestWayIsLeftOut)
{
    for (uint32_t seed = 1; seed <= 5; ++seed)
    {
        const std::vector<Vector> places = Draw(400, seed);
        const std::vector<std::size_t> outer = FindOuterPlaces(places);
        EXPECT_TRUE(std::is_sorted(outer.begin(), outer.end()));
        for (const std::size_t end : FindEnds(places))
        {
            EXPECT_TRUE(std::binary_search(outer.begin(), outer.end(), end)) << end;
        }
        if (GetParam() != "circle" && GetParam() != "cube")
        {
            EXPECT_LT(outer.size(), GetParam() == "disc" ? 60 : 40) << "of 400";
        }
    }
}

TEST(OuterPlaceTest, OfAGridOnlyCornersAreLeft)
{
    std::vector<Vector> places;
    for (int i = 0; i < 36; ++i)
    {
        places.emplace_back(i % 6, i / 6, 0);
    }
    EXPECT_THAT(FindOuterPlaces(places), ElementsAre(0, 5, 30, 35));
}

TEST(OuterPlaceTest, OfOnePlaceTheFirstIsLeft)
{
    EXPECT_THAT(FindOuterPlaces({}), IsEmpty());
    EXPECT_THAT(FindOuterPlaces({Vector(1, 2, 3)}), ElementsAre(0));
    EXPECT_THAT(FindOuterPlaces(std::vector<Vector>(5, Vector(1, 2, 3))), ElementsAre(0));
}
