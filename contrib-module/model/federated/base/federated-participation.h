/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_PARTICIPATION_H
#define FEDERATED_PARTICIPATION_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @param devices number of devices that can take part
/// @param fraction of them that does; above 0, at most 1
/// @return how many devices SampleParticipants() draws: at least 1
/// @throws std::invalid_argument if the fraction is not allowed
std::size_t CountParticipants(uint32_t devices, double fraction);

/// @brief Draw the devices that take part in a round, each set of that size equally likely.
/// @param devices N, number of devices
/// @param fraction of them that takes part; above 0, at most 1
/// @param seed of the draw
/// @return positions from 0 to N - 1, ascending: round(fraction N) of them, at least one
/// @throws std::invalid_argument if the fraction is not allowed
std::vector<uint32_t> SampleParticipants(uint32_t devices, double fraction, uint64_t seed);

/// @param devices devices, in order
/// @param size of each set; positive
/// @return disjoint sets of neighbors in that order; the last one may be smaller
/// @throws std::invalid_argument if the size is 0
std::vector<std::vector<uint32_t>> MakeSets(const std::vector<uint32_t>& devices, uint32_t size);

/// @brief Draw one device of each set, uniformly at random.
/// @param sets of devices; an empty one gives nobody
/// @param seed of the draws
/// @return the devices, ascending
std::vector<uint32_t> SampleOneOfEach(const std::vector<std::vector<uint32_t>>& sets,
                                      uint64_t seed);

} // namespace ns3::collab

#endif /* FEDERATED_PARTICIPATION_H */
