/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PARALLEL_FOR_H
#define COLLAB_PARALLEL_FOR_H

#include <cstddef>
#include <functional>
#include <vector>

namespace ns3::collab
{

/**
 * @brief Call a function for 0 to count - 1, by several threads; the calling thread is one of them.
 *
 * Which thread makes which call, and in what order, is left to chance: calls must not depend on
 * each other. Results that are put together in the order of the indices are then the same for any
 * number of threads.
 *
 * @param threads number of threads; at least 1
 * @param count number of calls
 * @param call function that gets the index
 * @throws std::invalid_argument if threads is 0; otherwise what the call with the lowest index that
 * failed has thrown
 */
void ParallelFor(unsigned threads,
                 std::size_t count,
                 const std::function<void(std::size_t index)>& call);

/// @ingroup collab-learning
/// @brief Elements from begin up to, not including, end.
struct IndexRange
{
    std::size_t begin = 0; //!< first element
    std::size_t end = 0;   //!< one after the last
};

/// @brief Split a vector into ranges that depend on nothing but its size.
/// @param size number of elements
/// @param least elements of a range, except of the last; all but the last are multiples of it
/// @param most number of ranges; at least 1
/// @return the ranges, in order
std::vector<IndexRange> SplitRange(std::size_t size, std::size_t least, std::size_t most);

} // namespace ns3::collab

#endif /* COLLAB_PARALLEL_FOR_H */
