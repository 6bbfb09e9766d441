/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-reliable-clusters.h"

#include "graph-discovery-checks.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param outage P_D(i, j)
/// @return the greater one of both directions of each pair
/// @throws std::invalid_argument if the matrix is not square or one is no probability
Matrix<double>
TakeWorseDirection(const Matrix<double>& outage)
{
    CheckArgument(outage.rows == outage.columns,
                  "outage of {} receivers by {} transmitters, but both must be the devices",
                  outage.rows,
                  outage.columns);
    Matrix<double> distance(outage.rows, outage.rows);
    for (std::size_t i = 0; i < outage.rows; ++i)
    {
        for (std::size_t j = 0; j < outage.rows; ++j)
        {
            if (i != j)
            {
                CheckProbability("outage", outage(i, j));
                distance(i, j) = std::max(outage(i, j), outage(j, i));
            }
        }
    }
    return distance;
}

/// @param distance between clusters, each in the place of its lowest device
/// @param clusters that there are, ascending
/// @return the nearest two, of equal ones the first
std::pair<uint32_t, uint32_t>
FindNearest(const Matrix<double>& distance, const std::vector<uint32_t>& clusters)
{
    std::pair<uint32_t, uint32_t> nearest;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < clusters.size(); ++a)
    {
        for (std::size_t b = a + 1; b < clusters.size(); ++b)
        {
            if (distance(clusters[a], clusters[b]) < least)
            {
                least = distance(clusters[a], clusters[b]);
                nearest = {clusters[a], clusters[b]};
            }
        }
    }
    return nearest;
}

/// @param lowest lowest device of each device's cluster
/// @return clusters, numbered from 0 in the order of these
std::vector<uint32_t>
NumberClusters(const std::vector<uint32_t>& lowest)
{
    std::vector<uint32_t> numbers(lowest.size());
    uint32_t count = 0;
    for (std::size_t i = 0; i < lowest.size(); ++i)
    {
        numbers[i] = lowest[i] == i ? count++ : numbers[lowest[i]];
    }
    return numbers;
}

} // namespace

std::vector<uint32_t>
FindReliableClusters(const Matrix<double>& outage, double threshold)
{
    CheckProbability("threshold of outage", threshold);
    Matrix<double> distance = TakeWorseDirection(outage);
    std::vector<uint32_t> lowest(outage.rows);
    std::iota(lowest.begin(), lowest.end(), 0U);
    std::vector<uint32_t> clusters = lowest;
    while (clusters.size() > 1)
    {
        const auto [kept, merged] = FindNearest(distance, clusters);
        if (distance(kept, merged) > threshold)
        {
            break;
        }
        for (const uint32_t other : clusters)
        {
            const double farther = std::max(distance(kept, other), distance(merged, other));
            distance(kept, other) = farther;
            distance(other, kept) = farther;
        }
        std::replace(lowest.begin(), lowest.end(), merged, kept);
        clusters.erase(std::find(clusters.begin(), clusters.end(), merged));
    }
    return NumberClusters(lowest);
}

} // namespace ns3::collab
