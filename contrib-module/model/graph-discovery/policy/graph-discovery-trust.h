/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_TRUST_H
#define GRAPH_DISCOVERY_TRUST_H

#include "ns3/collab-matrix.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief T_j of all devices j, (2): trust[j](i, l) is 1 if j trusts i with its partition l, else 0.
 *
 * What T_j[j, l] says is not read.
 */
using TrustMatrices = std::vector<Matrix<uint8_t>>;

/**
 * @ingroup collab
 * @brief Structure of trust matrices, as in Fig. 16 of Wagle et al.
 *
 * Blocks go on until devices or partitions are used up: with 10 partitions each device trusts about
 * 10 others, however many there are.
 */
enum class TrustStructure
{
    RANDOM,  //!< each entry is 1 with probability density
    BLOCK,   //!< blocks of 2 to 4 devices by 2 to 4 partitions along the diagonal of a random order
    ROWS,    //!< the random one, with half of the rows set to 0
    COLUMNS, //!< the random one, with half of the columns set to 0
    FULL,    //!< all 1
    NONE,    //!< all 0
};

/// @ingroup collab
/// @brief How trust matrices are drawn.
struct DiscoveryTrustOptions
{
    TrustStructure structure = TrustStructure::RANDOM; //!< what they look like
    double density = 0.5;                              //!< probability of 1, from 0 to 1
    double sparsity = 0.5; //!< part of the rows or columns that is 0, rounded down; 0 to 1
};

/// @param name "random", "block", "rows", "columns", "full" or "none"
/// @return the structure
/// @throws std::invalid_argument if it is none of them
TrustStructure ParseTrustStructure(const std::string& name);

/**
 * @brief Draw the trust matrix of every device.
 *
 * T_j depends on seed and j alone, so that fewer devices do not change the others' draws. With the
 * same seed the matrices ROWS and COLUMNS are those of RANDOM but for the zeros.
 *
 * @param devices N; at least 1
 * @param partitions L; at least 1
 * @param options how
 * @param seed of the draws
 * @return T_j, N x L each, for all j
 * @throws std::invalid_argument if a value is not allowed
 */
TrustMatrices DrawTrust(uint32_t devices,
                        uint32_t partitions,
                        const DiscoveryTrustOptions& options,
                        uint64_t seed);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_TRUST_H */
