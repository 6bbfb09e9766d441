/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-outer-places.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace ns3::collab
{

namespace
{

/// How far places are along a direction in the plane
struct OuterExtent
{
    double x = 0;                                               //!< the direction, of length 1
    double y = 0;                                               //!< the same
    double least = std::numeric_limits<double>::infinity();     //!< least coordinate along it [m]
    double greatest = -std::numeric_limits<double>::infinity(); //!< greatest one [m]
    std::size_t first = 0;                                      //!< a place with the least one
    std::size_t last = 0;                                       //!< one with the greatest one

    /// @return coordinate of a place
    double
    Measure(const Vector& place) const
    {
        return place.x * x + place.y * y;
    }

    /// Make it reach to a place
    void
    Add(const Vector& place, std::size_t index)
    {
        const double coordinate = Measure(place);
        if (coordinate < least)
        {
            least = coordinate;
            first = index;
        }
        if (coordinate > greatest)
        {
            greatest = coordinate;
            last = index;
        }
    }

    /// @return how far the farthest place is from one, along the direction
    double
    GetFarthest(const Vector& place) const
    {
        const double coordinate = Measure(place);
        return std::max(greatest - coordinate, coordinate - least);
    }
};

} // namespace

std::vector<std::size_t>
FindOuterPlaces(const std::vector<Vector>& places)
{
    constexpr std::size_t DIRECTIONS = 64;
    constexpr double STEP = M_PI / DIRECTIONS;
    constexpr double MARGIN = 1e-9; // against rounding
    if (places.empty())
    {
        return {};
    }
    std::vector<OuterExtent> extents(DIRECTIONS);
    std::set<std::size_t> extremes;
    for (std::size_t k = 0; k < DIRECTIONS; ++k)
    {
        extents[k].x = std::cos(static_cast<double>(k) * STEP);
        extents[k].y = std::sin(static_cast<double>(k) * STEP);
        for (std::size_t i = 0; i < places.size(); ++i)
        {
            extents[k].Add(places[i], i);
        }
        extremes.insert({extents[k].first, extents[k].last});
    }
    const auto [lowest, highest] = std::minmax_element(
        places.begin(), places.end(), [](const Vector& a, const Vector& b) { return a.z < b.z; });
    extremes.insert({static_cast<std::size_t>(lowest - places.begin()),
                     static_cast<std::size_t>(highest - places.begin())});
    double longest = 0; // there is a way as long as this
    for (const std::size_t a : extremes)
    {
        for (const std::size_t b : extremes)
        {
            longest = std::max(longest, CalculateDistance(places[a], places[b]));
        }
    }
    if (longest == 0)
    {
        return {0};
    }
    // Any way in the plane is nearly along one of the directions
    const double slant = 1 / std::cos(STEP / 2);
    std::vector<std::size_t> outer;
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        double farthest = 0;
        for (const OuterExtent& extent : extents)
        {
            farthest = std::max(farthest, extent.GetFarthest(places[i]));
        }
        const double climb = std::max(highest->z - places[i].z, places[i].z - lowest->z);
        if (std::hypot(farthest * slant, climb) >= longest * (1 - MARGIN))
        {
            outer.push_back(i);
        }
    }
    return outer;
}

} // namespace ns3::collab
