/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LABEL_GAMES_H
#define LABEL_GAMES_H

/// @file
/// Games that tests and benchmarks of graphs share.

#include "ns3/collab-random.h"
#include "ns3/graph-discovery-game.h"
#include "ns3/graph-discovery-reliable-clusters.h"

#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

namespace ns3::collab
{
namespace test
{

/// P_D between the ends of a diameter of the disc
constexpr double GREATEST_OUTAGE = 0.4;

/// @param devices N
/// @param generator to draw with
/// @return squared distances between uniform positions in a disc of diameter 1; 1 on the diagonal
inline Matrix<double>
DrawSquaredDistances(uint32_t devices, RandomGenerator& generator)
{
    boost::random::uniform_real_distribution<double> draw(-0.5, 0.5);
    std::vector<std::pair<double, double>> positions;
    while (positions.size() < devices)
    {
        const double x = draw(generator);
        const double y = draw(generator);
        if (std::hypot(x, y) <= 0.5)
        {
            positions.emplace_back(x, y);
        }
    }
    Matrix<double> squares(devices, devices, 1);
    for (uint32_t i = 0; i < devices; ++i)
    {
        for (uint32_t j = 0; j < devices; ++j)
        {
            if (i != j)
            {
                const double distance = std::hypot(positions[i].first - positions[j].first,
                                                   positions[i].second - positions[j].second);
                squares(i, j) = distance * distance;
            }
        }
    }
    return squares;
}

/// @param squares squared distances over a diameter of 1
/// @return RSS that falls with their squares, which has GREATEST_OUTAGE over 1 with the noise 1 W
/// and the rate 1 bit/s/Hz [W]
inline Matrix<double>
MakeRss(const Matrix<double>& squares)
{
    Matrix<double> rss = squares;
    for (double& value : rss.values)
    {
        value = 1 / (-std::log(1 - GREATEST_OUTAGE) * value);
    }
    return rss;
}

/// @brief The setting of the paper's supervised experiments: 10 labels, of which each device has 3
/// with 840, 240 and 120 of its 1200 samples, b = 120, half of all trust.
/// @param devices N
/// @param seed of all draws
/// @param[out] rss of the links, if it is wanted [W]
/// @return the game
inline LabelGame
MakeSkewedGame(uint32_t devices, uint64_t seed, Matrix<double>* rss = nullptr)
{
    constexpr uint32_t LABELS = 10;
    RandomGenerator generator(seed);
    LabelGame game;
    for (uint32_t i = 0; i < devices; ++i)
    {
        game.held.emplace_back(LABELS, 0);
        const auto labels = DrawPermutation(LABELS, generator);
        game.held[i][labels[0]] = 840;
        game.held[i][labels[1]] = 240;
        game.held[i][labels[2]] = 120;
        game.thresholds.emplace_back(LABELS, 120);
    }
    game.trust = DrawTrust(devices, LABELS, DiscoveryTrustOptions(), generator());
    const Matrix<double> power = MakeRss(DrawSquaredDistances(devices, generator));
    game.outage = power;
    for (double& value : game.outage.values)
    {
        value = 1 - std::exp(-1 / value);
    }
    game.cluster = FindReliableClusters(game.outage, 0.1);
    if (rss != nullptr)
    {
        *rss = power;
    }
    return game;
}

} // namespace test
} // namespace ns3::collab

#endif /* LABEL_GAMES_H */
