/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEST_VECTORS_H
#define TEST_VECTORS_H

#include "ns3/collab-matrix.h"
#include "ns3/collab-random.h"

#include <boost/random/normal_distribution.hpp>

/**
 * @param n number of vectors
 * @param d number of elements of each
 * @param seed of the numbers
 * @return vectors of standard normal numbers, one a row
 */
inline ns3::collab::Matrix<float>
MakeRandomVectors(std::size_t n, std::size_t d, uint64_t seed)
{
    ns3::collab::RandomGenerator generator(seed);
    boost::random::normal_distribution<double> draw;
    ns3::collab::Matrix<float> vectors(n, d);
    for (float& value : vectors.values)
    {
        value = static_cast<float>(draw(generator));
    }
    return vectors;
}

/**
 * @param n number of vectors
 * @param d number of elements of each
 * @param seed of the numbers
 * @return vectors of numbers in [0, 1), one a row, as make-unlabeled-reference.py makes them
 */
inline ns3::collab::Matrix<float>
MakeUniformVectors(std::size_t n, std::size_t d, uint64_t seed)
{
    ns3::collab::Matrix<float> vectors(n, d);
    uint64_t next = seed << 32;
    for (float& value : vectors.values)
    {
        value = static_cast<float>(ns3::collab::SplitMix64(next++) >> 40) / 16777216.0F;
    }
    return vectors;
}

/**
 * @param n number of vectors
 * @param d number of elements of each
 * @param clusters number of centers; vector i is near that of number i mod clusters
 * @param spread of vectors around their center; its deviation is half of it
 * @param seed of the numbers; the next three ones are used too
 * @return the vectors, one a row, as make-unlabeled-reference.py makes them
 */
inline ns3::collab::Matrix<float>
MakeBlobs(std::size_t n, std::size_t d, std::size_t clusters, float spread, uint64_t seed)
{
    const auto centers = MakeUniformVectors(clusters, d, seed);
    const auto first = MakeUniformVectors(n, d, seed + 1);
    const auto second = MakeUniformVectors(n, d, seed + 2);
    const auto third = MakeUniformVectors(n, d, seed + 3);
    ns3::collab::Matrix<float> vectors(n, d);
    for (std::size_t i = 0; i < n; ++i)
    {
        for (std::size_t j = 0; j < d; ++j)
        {
            const float noise = first(i, j) + second(i, j) + third(i, j) - 1.5F;
            vectors(i, j) = 4 * centers(i % clusters, j) + spread * noise;
        }
    }
    return vectors;
}

#endif /* TEST_VECTORS_H */
