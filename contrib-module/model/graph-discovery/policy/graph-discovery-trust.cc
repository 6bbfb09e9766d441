/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-trust.h"

#include "graph-discovery-checks.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/bernoulli_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <map>

namespace ns3::collab
{

namespace
{

/// @param[in,out] trust gets 1 in blocks along the diagonal of its rows and columns in random
/// order, until either are used up: a device that none falls to is not trusted at all
/// @param generator to draw with
void
SetBlocks(Matrix<uint8_t>& trust, RandomGenerator& generator)
{
    const auto rows = DrawPermutation(static_cast<uint32_t>(trust.rows), generator);
    const auto columns = DrawPermutation(static_cast<uint32_t>(trust.columns), generator);
    boost::random::uniform_int_distribution<uint32_t> draw(2, 4);
    std::size_t row = 0;
    std::size_t column = 0;
    while (row < trust.rows && column < trust.columns)
    {
        const std::size_t endOfRows = std::min<std::size_t>(row + draw(generator), trust.rows);
        const std::size_t endOfColumns =
            std::min<std::size_t>(column + draw(generator), trust.columns);
        for (std::size_t r = row; r < endOfRows; ++r)
        {
            for (std::size_t c = column; c < endOfColumns; ++c)
            {
                trust(rows[r], columns[c]) = 1;
            }
        }
        row = endOfRows;
        column = endOfColumns;
    }
}

/// @param size number of rows or columns
/// @param part of them that is drawn, rounded down
/// @param generator to draw with
/// @return which
std::vector<uint32_t>
DrawPart(std::size_t size, double part, RandomGenerator& generator)
{
    std::vector<uint32_t> drawn = DrawPermutation(static_cast<uint32_t>(size), generator);
    drawn.resize(static_cast<std::size_t>(part * static_cast<double>(size)));
    return drawn;
}

/// @param[in,out] trust gets rows or columns of 0
/// @param options which and how many
/// @param generator to draw with
void
ClearSome(Matrix<uint8_t>& trust, const DiscoveryTrustOptions& options, RandomGenerator& generator)
{
    if (options.structure == TrustStructure::ROWS)
    {
        for (const uint32_t row : DrawPart(trust.rows, options.sparsity, generator))
        {
            std::fill_n(trust.Row(row), trust.columns, 0);
        }
    }
    if (options.structure == TrustStructure::COLUMNS)
    {
        for (const uint32_t column : DrawPart(trust.columns, options.sparsity, generator))
        {
            for (std::size_t row = 0; row < trust.rows; ++row)
            {
                trust(row, column) = 0;
            }
        }
    }
}

/// @param[in,out] trust T_j, of zeros
/// @param options how
/// @param generator of the device
void
Fill(Matrix<uint8_t>& trust, const DiscoveryTrustOptions& options, RandomGenerator& generator)
{
    switch (options.structure)
    {
    case TrustStructure::NONE:
        return;
    case TrustStructure::FULL:
        std::fill(trust.values.begin(), trust.values.end(), 1);
        return;
    case TrustStructure::BLOCK:
        SetBlocks(trust, generator);
        return;
    case TrustStructure::RANDOM:
    case TrustStructure::ROWS:
    case TrustStructure::COLUMNS:
        boost::random::bernoulli_distribution<double> draw(options.density);
        for (uint8_t& entry : trust.values)
        {
            entry = draw(generator) ? 1 : 0;
        }
        ClearSome(trust, options, generator);
        return;
    }
}

} // namespace

TrustStructure
ParseTrustStructure(const std::string& name)
{
    static const std::map<std::string, TrustStructure> STRUCTURES = {
        {"random", TrustStructure::RANDOM},
        {"block", TrustStructure::BLOCK},
        {"rows", TrustStructure::ROWS},
        {"columns", TrustStructure::COLUMNS},
        {"full", TrustStructure::FULL},
        {"none", TrustStructure::NONE},
    };
    const auto found = STRUCTURES.find(name);
    CheckArgument(found != STRUCTURES.end(),
                  "trust '{}', allowed are random, block, rows, columns, full, none",
                  name);
    return found->second;
}

TrustMatrices
DrawTrust(uint32_t devices,
          uint32_t partitions,
          const DiscoveryTrustOptions& options,
          uint64_t seed)
{
    CheckArgument(devices != 0 && partitions != 0,
                  "{} devices with {} partitions, but at least 1 of each is needed",
                  devices,
                  partitions);
    CheckProbability("density", options.density);
    CheckProbability("sparsity", options.sparsity);
    TrustMatrices trust(devices, Matrix<uint8_t>(devices, partitions, 0));
    for (uint32_t device = 0; device < devices; ++device)
    {
        RandomGenerator generator(SplitMix64(SplitMix64(seed) ^ device));
        Fill(trust[device], options, generator);
    }
    return trust;
}

} // namespace ns3::collab
