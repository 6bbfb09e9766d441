/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-topology.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3::collab
{

namespace
{

/// @param users how many; must not be 0
void
CheckUsers(std::size_t users)
{
    CheckArgument(users != 0, "a graph of no users");
}

/// @param first a position
/// @param second another one
/// @return their distance [m]
double
ComputeDistance(const UserPosition& first, const UserPosition& second)
{
    return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

/// @param neighborhoods by user
/// @param user who hears
/// @param other who is heard, or not
/// @return whether it is
bool
Hears(const Neighborhoods& neighborhoods, uint32_t user, uint32_t other)
{
    const auto& heard = neighborhoods[user];
    return std::binary_search(heard.begin(), heard.end(), other);
}

/// @param neighborhoods by user; sorted, and rid of who is in one twice
void
Sort(Neighborhoods& neighborhoods)
{
    for (auto& heard : neighborhoods)
    {
        std::sort(heard.begin(), heard.end());
        heard.erase(std::unique(heard.begin(), heard.end()), heard.end());
    }
}

} // namespace

Neighborhoods
MakeCompleteNeighborhoods(uint32_t users)
{
    CheckUsers(users);
    Neighborhoods neighborhoods(users);
    for (uint32_t i = 0; i < users; ++i)
    {
        for (uint32_t j = 0; j < users; ++j)
        {
            if (j != i)
            {
                neighborhoods[i].push_back(j);
            }
        }
    }
    return neighborhoods;
}

Neighborhoods
MakeRingNeighborhoods(uint32_t users)
{
    CheckUsers(users);
    Neighborhoods neighborhoods(users);
    for (uint32_t i = 0; users > 1 && i < users; ++i)
    {
        neighborhoods[i] = {(i + users - 1) % users, (i + 1) % users};
    }
    Sort(neighborhoods);
    return neighborhoods;
}

Neighborhoods
MakeStarNeighborhoods(uint32_t users)
{
    CheckUsers(users);
    Neighborhoods neighborhoods(users);
    for (uint32_t i = 1; i < users; ++i)
    {
        neighborhoods[0].push_back(i);
        neighborhoods[i] = {0};
    }
    return neighborhoods;
}

GridShape
ComputeGridShape(uint32_t users)
{
    CheckUsers(users);
    auto rows = static_cast<uint32_t>(std::sqrt(static_cast<double>(users)));
    while (users % rows != 0)
    {
        --rows;
    }
    return {rows, users / rows};
}

Neighborhoods
MakeGridNeighborhoods(uint32_t users)
{
    const GridShape shape = ComputeGridShape(users);
    Neighborhoods neighborhoods(users);
    for (uint32_t i = 0; i < users; ++i)
    {
        const uint32_t row = i / shape.columns;
        const uint32_t column = i % shape.columns;
        if (row > 0)
        {
            neighborhoods[i].push_back(i - shape.columns);
        }
        if (column > 0)
        {
            neighborhoods[i].push_back(i - 1);
        }
        if (column + 1 < shape.columns)
        {
            neighborhoods[i].push_back(i + 1);
        }
        if (row + 1 < shape.rows)
        {
            neighborhoods[i].push_back(i + shape.columns);
        }
    }
    return neighborhoods;
}

Neighborhoods
MakeGeometricNeighborhoods(const std::vector<UserPosition>& positions, double radius)
{
    CheckUsers(positions.size());
    CheckArgument(radius >= 0, "a radius of {} m is negative", radius);
    Neighborhoods neighborhoods(positions.size());
    for (uint32_t i = 0; i < positions.size(); ++i)
    {
        for (uint32_t j = 0; j < positions.size(); ++j)
        {
            if (j != i && ComputeDistance(positions[i], positions[j]) <= radius)
            {
                neighborhoods[i].push_back(j);
            }
        }
    }
    return neighborhoods;
}

double
ComputeConnectingRadius(const std::vector<UserPosition>& positions)
{
    CheckUsers(positions.size());
    // Prim's algorithm: distance of each user from the tree; of those in it, negative
    std::vector<double> distance(positions.size(), std::numeric_limits<double>::infinity());
    distance[0] = 0;
    double longest = 0;
    for (std::size_t joined = 0; joined < positions.size(); ++joined)
    {
        std::size_t nearest = positions.size();
        for (std::size_t i = 0; i < positions.size(); ++i)
        {
            if (distance[i] >= 0 &&
                (nearest == positions.size() || distance[i] < distance[nearest]))
            {
                nearest = i;
            }
        }
        longest = std::max(longest, distance[nearest]);
        distance[nearest] = -1;
        for (std::size_t i = 0; i < positions.size(); ++i)
        {
            distance[i] = std::min(distance[i], ComputeDistance(positions[nearest], positions[i]));
        }
    }
    return longest;
}

Neighborhoods
MakeNearestNeighborhoods(const std::vector<UserPosition>& positions, uint32_t count, bool symmetric)
{
    CheckUsers(positions.size());
    CheckArgument(count < positions.size(),
                  "of {} users nobody has {} others near it",
                  positions.size(),
                  count);
    Neighborhoods neighborhoods(positions.size());
    for (uint32_t i = 0; i < positions.size(); ++i)
    {
        std::vector<uint32_t> others(positions.size());
        std::iota(others.begin(), others.end(), 0);
        others.erase(others.begin() + i);
        std::stable_sort(others.begin(), others.end(), [&](uint32_t a, uint32_t b) {
            return ComputeDistance(positions[i], positions[a]) <
                   ComputeDistance(positions[i], positions[b]);
        });
        for (uint32_t k = 0; k < count; ++k)
        {
            neighborhoods[i].push_back(others[k]);
            if (symmetric)
            {
                neighborhoods[others[k]].push_back(i);
            }
        }
    }
    Sort(neighborhoods);
    return neighborhoods;
}

bool
IsUndirected(const Neighborhoods& neighborhoods)
{
    for (uint32_t i = 0; i < neighborhoods.size(); ++i)
    {
        for (const uint32_t j : neighborhoods[i])
        {
            if (!Hears(neighborhoods, j, i))
            {
                return false;
            }
        }
    }
    return true;
}

bool
IsStar(const Neighborhoods& neighborhoods)
{
    return !neighborhoods.empty() &&
           neighborhoods == MakeStarNeighborhoods(static_cast<uint32_t>(neighborhoods.size()));
}

void
CheckNeighborhoods(const Neighborhoods& neighborhoods)
{
    CheckUsers(neighborhoods.size());
    for (std::size_t i = 0; i < neighborhoods.size(); ++i)
    {
        for (std::size_t k = 0; k < neighborhoods[i].size(); ++k)
        {
            const uint32_t j = neighborhoods[i][k];
            const bool ascends = k == 0 || neighborhoods[i][k - 1] < j;
            CheckArgument(j != i && j < neighborhoods.size() && ascends,
                          "user {} of {} cannot hear user {}: others are expected, ascending",
                          i,
                          neighborhoods.size(),
                          j);
        }
    }
}

} // namespace ns3::collab
