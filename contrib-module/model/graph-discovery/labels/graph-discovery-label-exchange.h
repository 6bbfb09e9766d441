/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_LABEL_EXCHANGE_H
#define GRAPH_DISCOVERY_LABEL_EXCHANGE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Numbers of datapoints, one a partition.
using PartitionCounts = std::vector<uint32_t>;

/// @brief What a transmitter offers a receiver that asked it, (9).
/// @param held D_j
/// @param thresholds b_j
/// @param trusted T_j[i, .], as many as there are partitions
/// @return V_{j -> i}: 1 where j trusts i and holds more than b_j, else 0
/// @throws std::invalid_argument if the sizes differ
std::vector<uint8_t> OfferLabels(const PartitionCounts& held,
                                 const PartitionCounts& thresholds,
                                 const std::vector<uint8_t>& trusted);

/// @brief What a receiver requests of a transmitter, (10).
/// @param held D_i
/// @param thresholds b_i
/// @param offer V_{j -> i}
/// @param most datapoints in all that may be requested (attribute EnforceBudget): a request for
/// more is scaled down by largest remainders
/// @return Q_{j -> i}: max(b_i - D_i, 0) where it is offered
/// @throws std::invalid_argument if the sizes differ
PartitionCounts RequestLabels(const PartitionCounts& held,
                              const PartitionCounts& thresholds,
                              const std::vector<uint8_t>& offer,
                              uint64_t most = UINT64_MAX);

/**
 * @brief What a transmitter allots to all that have requested, (11), in whole datapoints.
 *
 * Where the requests for a partition together are more than D_j - b_j, each gets its share of that
 * rounded down, and one more by the largest remainder, of equal ones to the first receiver. So all
 * of D_j - b_j is allotted then, and nobody gets more than it requested.
 *
 * @param held D_j
 * @param thresholds b_j
 * @param requests Q_{j -> i} of each receiver i, in the ascending order of their numbers
 * @return U_{j -> i}, in the same order
 * @throws std::invalid_argument if the sizes differ
 */
std::vector<PartitionCounts> AllotLabels(const PartitionCounts& held,
                                         const PartitionCounts& thresholds,
                                         const std::vector<PartitionCounts>& requests);

/// @brief Divide whole things in proportion to weights, by largest remainders.
/// @param total number of things
/// @param weights of those who share, not negative, with a positive sum if total is not 0
/// @return number for each, of sum total; of equal remainders the first come first
/// @throws std::invalid_argument if a weight is negative or not finite, or all are 0
std::vector<uint32_t> DivideByLargestRemainder(uint32_t total, const std::vector<double>& weights);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_LABEL_EXCHANGE_H */
