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

#endif /* TEST_VECTORS_H */
