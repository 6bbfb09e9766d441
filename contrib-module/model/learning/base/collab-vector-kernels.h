/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_VECTOR_KERNELS_H
#define COLLAB_VECTOR_KERNELS_H

#include "collab-parallel-for.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// Rows that the distance kernel handles together; its result is padded to a multiple
constexpr std::size_t DISTANCE_TILE = 4;
/// Rows that the selection kernel sorts in registers, before it takes comparators from its list
constexpr std::size_t PRESORTED_ROWS = 8;

/// @ingroup collab-learning
/// @brief Compare-exchange operations that move the elements of certain ranks to certain places.
struct SelectionNetwork
{
    std::size_t size = 0;  //!< number of elements
    std::size_t first = 0; //!< least rank that is selected, from 0
    std::size_t last = 0;  //!< one after the greatest
    /// Each orders two places, the lesser element first; done after each complete group of
    /// PRESORTED_ROWS places has been sorted
    std::vector<std::pair<uint32_t, uint32_t>> comparators;
};

/**
 * @brief Make a network that selects a range of ranks.
 *
 * Batcher's odd-even merge sort (1968) without what the selection does not need: comparators that
 * no selected place depends on, and those that only order the selected elements among themselves.
 *
 * @param size number of elements
 * @param first least rank that is selected
 * @param last one after the greatest rank that is selected
 * @return the network: after it, places first to last - 1 hold the elements of these ranks, in any
 * order
 */
SelectionNetwork MakeSelectionNetwork(std::size_t size, std::size_t first, std::size_t last);

/**
 * @ingroup collab-learning
 * @brief The inner loops of aggregation, for the widest vectors that the processor has.
 *
 * All work on a range of columns of n rows. Inner loops use float, sums over many elements double.
 */
struct VectorKernels
{
    /**
     * @brief Add sums of squared differences over the range to distances.
     *
     * Differences are taken before they are squared: vectors that are close to each other and far
     * from zero lose nothing by cancellation, as they would in a matrix of inner products.
     *
     * Arguments: rows; their number n; range; matrix of m x m, m = n rounded up to a multiple of
     * DISTANCE_TILE, of which element (i, j) is added to for j <= i < n; the rest holds nothing of
     * use. An element (i, i) is 0, or NaN if row i is not finite in the range.
     */
    void (*addSquaredDistances)(const float* const* rows,
                                std::size_t count,
                                IndexRange range,
                                double* distances);

    /**
     * @brief The mean of the selected elements of every column.
     *
     * Arguments: rows; network; range; result, indexed as the rows are. Returns false if an element
     * is NaN or infinite.
     */
    bool (*selectedMean)(const float* const* rows,
                         const SelectionNetwork& network,
                         IndexRange range,
                         float* result);

    /**
     * @brief A weighted sum of the rows.
     *
     * Arguments: rows; their number; range; weights; result of range.end - range.begin elements.
     */
    void (*weightedSum)(const float* const* rows,
                        std::size_t count,
                        IndexRange range,
                        const double* weights,
                        double* result);

    /**
     * @brief Sum of squared differences between a row and a point.
     *
     * Arguments: row; range; point of range.end - range.begin elements.
     */
    double (*squaredDistance)(const float* row, IndexRange range, const double* point);

    const char* name; //!< of the instructions used, e.g. "AVX-512"
};

/// @return the kernels for this processor
const VectorKernels& GetVectorKernels();

/// @return those of all kernels that this processor can run, the fastest first; for tests
std::vector<VectorKernels> GetRunnableVectorKernels();

} // namespace ns3::collab

#endif /* COLLAB_VECTOR_KERNELS_H */
