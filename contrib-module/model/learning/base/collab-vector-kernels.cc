/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-vector-kernels.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

// Vector types of GCC and Clang. Kernels are templates of the number of floats in a vector, and
// functions for one kind of processor instantiate them.
#define COLLAB_KERNEL static inline __attribute__((always_inline))
#if defined(__x86_64__)
#ifdef __clang__
#define COLLAB_AVX512 __attribute__((target("avx512f,fma")))
#else
#define COLLAB_AVX512 __attribute__((target("avx512f,fma,prefer-vector-width=512")))
#endif
#define COLLAB_AVX2 __attribute__((target("avx2,fma")))
#endif
// Vectors are passed between kernels of one function only, which are inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace ns3::collab
{

namespace
{

constexpr std::size_t MOST_BYTES_PACKED = 1UL << 20; //!< what the distance kernel keeps in cache
constexpr std::size_t MOST_COLUMNS_PACKED = 2048;    //!< float sums are not longer than that
constexpr std::size_t LEAST_COLUMNS_PACKED = 256;    //!< fewer would not pay
constexpr std::size_t PREFETCH_COLUMNS = 64;         //!< how far to read ahead of a selection

/// @tparam W number of elements
template <int W>
struct Lanes
{
    /// Vector of W floats
    typedef float Floats __attribute__((vector_size(W * sizeof(float))));
    /// Half as many floats
    typedef float HalfFloats __attribute__((vector_size(W / 2 * sizeof(float))));
    /// As many doubles
    typedef double HalfDoubles __attribute__((vector_size(W / 2 * sizeof(double))));
};

/// Memory for vectors
class AlignedFloats
{
  public:
    /// @param size number of elements, a multiple of 16
    explicit AlignedFloats(std::size_t size)
        : m_values(static_cast<float*>(std::aligned_alloc(64, size * sizeof(float))))
    {
        if (!m_values)
        {
            throw std::bad_alloc();
        }
    }

    ~AlignedFloats()
    {
        std::free(m_values);
    }

    AlignedFloats(const AlignedFloats&) = delete;
    AlignedFloats& operator=(const AlignedFloats&) = delete;

    /// @return the first element
    float*
    Get() const
    {
        return m_values;
    }

  private:
    float* m_values; //!< the elements
};

/// @param from first element, anywhere
/// @param left elements that there are
/// @return W elements, 0 in the place of those that there are not
template <int W>
COLLAB_KERNEL typename Lanes<W>::Floats
Load(const float* from, std::size_t left)
{
    typename Lanes<W>::Floats values{};
    if (left >= W)
    {
        std::memcpy(&values, from, sizeof(values));
    }
    else
    {
        std::memcpy(&values, from, left * sizeof(float));
    }
    return values;
}

/// @param values values to add up
/// @return their sum, halves first
template <int W>
COLLAB_KERNEL double
AddUp(const typename Lanes<W>::Floats& values)
{
    float sums[W];
    std::memcpy(sums, &values, sizeof(sums));
    for (int half = W / 2; half >= 1; half /= 2)
    {
        for (int lane = 0; lane < half; ++lane)
        {
            sums[lane] += sums[lane + half];
        }
    }
    return sums[0];
}

/// @param rows rows of which some columns are packed
/// @param count number of rows
/// @param tile index of DISTANCE_TILE rows; behind the last row, it is repeated
/// @param range columns to pack
/// @param[out] packed packed rows: for each W columns, those of one row after the other
template <int W>
COLLAB_KERNEL void
PackTile(
    const float* const* rows, std::size_t count, std::size_t tile, IndexRange range, float* packed)
{
    const float* tileRows[DISTANCE_TILE];
    for (std::size_t i = 0; i < DISTANCE_TILE; ++i)
    {
        tileRows[i] = rows[std::min(tile * DISTANCE_TILE + i, count - 1)];
    }
    for (std::size_t column = range.begin; column < range.end; column += W)
    {
        for (const float* row : tileRows)
        {
            const auto values = Load<W>(row + column, range.end - column);
            std::memcpy(packed, &values, sizeof(values));
            packed += W;
        }
    }
}

/// @param a packed tile
/// @param b packed tile
/// @param steps number of vectors of each row
/// @param[in,out] distances element (i, j) of the tile's distances is added to
/// @param stride stride of distances
template <int W>
COLLAB_KERNEL void
AddTileDistances(
    const float* a, const float* b, std::size_t steps, double* distances, std::size_t stride)
{
    using Floats = typename Lanes<W>::Floats;
    constexpr std::size_t T = DISTANCE_TILE;
    Floats sums[T][T] = {};
    const auto* nextA = reinterpret_cast<const Floats*>(a);
    const auto* nextB = reinterpret_cast<const Floats*>(b);
    for (std::size_t step = 0; step < steps; ++step, nextA += T, nextB += T)
    {
        for (std::size_t j = 0; j < T; ++j)
        {
            for (std::size_t i = 0; i < T; ++i)
            {
                const Floats difference = nextA[i] - nextB[j];
                sums[i][j] += difference * difference;
            }
        }
    }
    for (std::size_t i = 0; i < T; ++i)
    {
        for (std::size_t j = 0; j < T; ++j)
        {
            distances[i * stride + j] += AddUp<W>(sums[i][j]);
        }
    }
}

/// VectorKernels::addSquaredDistances
template <int W>
COLLAB_KERNEL void
AddSquaredDistances(const float* const* rows,
                    std::size_t count,
                    IndexRange range,
                    double* distances)
{
    const std::size_t tiles = (count + DISTANCE_TILE - 1) / DISTANCE_TILE;
    const std::size_t stride = tiles * DISTANCE_TILE;
    const std::size_t fitting = MOST_BYTES_PACKED / (stride * sizeof(float)) / 16 * 16;
    const std::size_t columns =
        std::min(std::max(fitting, LEAST_COLUMNS_PACKED), MOST_COLUMNS_PACKED);
    const AlignedFloats packed(stride * columns);
    const std::size_t tileSize = DISTANCE_TILE * columns;
    for (std::size_t begin = range.begin; begin < range.end; begin += columns)
    {
        const IndexRange block{begin, std::min(begin + columns, range.end)};
        const std::size_t steps = (block.end - block.begin + W - 1) / W;
        for (std::size_t i = 0; i < tiles; ++i)
        {
            PackTile<W>(rows, count, i, block, packed.Get() + i * tileSize);
            for (std::size_t j = 0; j <= i; ++j)
            {
                AddTileDistances<W>(packed.Get() + i * tileSize,
                                    packed.Get() + j * tileSize,
                                    steps,
                                    distances + (i * stride + j) * DISTANCE_TILE,
                                    stride);
            }
        }
    }
}

/// @param[in,out] a vector that becomes the lesser, by lane
/// @param[in,out] b vector that becomes the greater
template <typename Floats>
COLLAB_KERNEL void
CompareExchange(Floats& a, Floats& b)
{
    const Floats lesser = a < b ? a : b;
    b = a < b ? b : a;
    a = lesser;
}

/// @brief Batcher's network for PRESORTED_ROWS elements.
/// @param[in,out] values values to sort, by lane
template <typename Floats>
COLLAB_KERNEL void
SortRegisters(Floats* values)
{
    constexpr uint8_t PAIRS[19][2] = {{0, 1},
                                      {2, 3},
                                      {4, 5},
                                      {6, 7},
                                      {0, 2},
                                      {1, 3},
                                      {4, 6},
                                      {5, 7},
                                      {1, 2},
                                      {5, 6},
                                      {0, 4},
                                      {1, 5},
                                      {2, 6},
                                      {3, 7},
                                      {2, 4},
                                      {3, 5},
                                      {1, 2},
                                      {3, 4},
                                      {5, 6}};
#pragma GCC unroll 19
    for (const auto& pair : PAIRS)
    {
        CompareExchange(values[pair[0]], values[pair[1]]);
    }
}

/// @param from first of W elements
/// @param left elements that there are
/// @param[in,out] notFinite vector that becomes NaN in the lanes where an element is not finite
/// @return the elements
template <int W>
COLLAB_KERNEL typename Lanes<W>::Floats
LoadChecked(const float* from, std::size_t left, typename Lanes<W>::Floats& notFinite)
{
    // Hundreds of rows are too many streams for the processor's own prefetching.
    __builtin_prefetch(left > PREFETCH_COLUMNS ? from + PREFETCH_COLUMNS : from);
    const auto values = Load<W>(from, left);
    notFinite += values * 0.0F;
    return values;
}

/// @brief Load W columns of all rows, and sort each complete group of PRESORTED_ROWS.
/// @param rows rows to load from
/// @param count number of rows
/// @param column first of the W
/// @param left columns that there are
/// @param[out] places one vector a row
/// @param[in,out] notFinite vector that becomes NaN in the lanes where an element is not finite
template <int W>
COLLAB_KERNEL void
LoadPresorted(const float* const* rows,
              std::size_t count,
              std::size_t column,
              std::size_t left,
              typename Lanes<W>::Floats* places,
              typename Lanes<W>::Floats& notFinite)
{
    std::size_t row = 0;
    for (; row + PRESORTED_ROWS <= count; row += PRESORTED_ROWS)
    {
        typename Lanes<W>::Floats group[PRESORTED_ROWS];
        for (std::size_t i = 0; i < PRESORTED_ROWS; ++i)
        {
            group[i] = LoadChecked<W>(rows[row + i] + column, left, notFinite);
        }
        SortRegisters(group);
        std::memcpy(places + row, group, sizeof(group));
    }
    for (; row < count; ++row)
    {
        places[row] = LoadChecked<W>(rows[row] + column, left, notFinite);
    }
}

/// @param places one vector a row
/// @param network network that says which places count
/// @param[out] result mean of each lane
/// @param left lanes to write
template <int W>
COLLAB_KERNEL void
StoreMean(const typename Lanes<W>::Floats* places,
          const SelectionNetwork& network,
          float* result,
          std::size_t left)
{
    using HalfFloats = typename Lanes<W>::HalfFloats;
    using HalfDoubles = typename Lanes<W>::HalfDoubles;
    HalfDoubles low{};
    HalfDoubles high{};
    for (std::size_t place = network.first; place < network.last; ++place)
    {
        HalfFloats halves[2];
        std::memcpy(halves, places + place, sizeof(halves));
        low += __builtin_convertvector(halves[0], HalfDoubles);
        high += __builtin_convertvector(halves[1], HalfDoubles);
    }
    const auto divisor = static_cast<double>(network.last - network.first);
    const HalfFloats means[2] = {__builtin_convertvector(low / divisor, HalfFloats),
                                 __builtin_convertvector(high / divisor, HalfFloats)};
    std::memcpy(result, means, std::min<std::size_t>(left, W) * sizeof(float));
}

/// VectorKernels::selectedMean
template <int W>
COLLAB_KERNEL bool
SelectedMean(const float* const* rows,
             const SelectionNetwork& network,
             IndexRange range,
             float* result)
{
    using Floats = typename Lanes<W>::Floats;
    const AlignedFloats memory(network.size * std::max(W, 16));
    auto* places = reinterpret_cast<Floats*>(memory.Get());
    Floats notFinite{};
    for (std::size_t column = range.begin; column < range.end; column += W)
    {
        const std::size_t left = range.end - column;
        LoadPresorted<W>(rows, network.size, column, left, places, notFinite);
        for (const auto& [a, b] : network.comparators)
        {
            Floats lesser = places[a];
            Floats greater = places[b];
            CompareExchange(lesser, greater);
            places[a] = lesser;
            places[b] = greater;
        }
        StoreMean<W>(places, network, result + column, left);
    }
    return AddUp<W>(notFinite) == 0;
}

/// @tparam R number of rows, taken together so that the sums are read and written less often
/// @param rows the first of them
/// @param range columns
/// @param weights weights of the rows
/// @param[in,out] result sums, to which the products are added
template <int W, int R>
COLLAB_KERNEL void
AddWeighted(const float* const* rows, IndexRange range, const double* weights, double* result)
{
    using HalfFloats = typename Lanes<W>::HalfFloats;
    using HalfDoubles = typename Lanes<W>::HalfDoubles;
    constexpr std::size_t STEP = W / 2;
    const std::size_t size = range.end - range.begin;
    std::size_t column = 0;
    for (; column + STEP <= size; column += STEP)
    {
        HalfDoubles sum;
        std::memcpy(&sum, result + column, sizeof(sum));
        for (int i = 0; i < R; ++i)
        {
            HalfFloats values;
            std::memcpy(&values, rows[i] + range.begin + column, sizeof(values));
            sum += weights[i] * __builtin_convertvector(values, HalfDoubles);
        }
        std::memcpy(result + column, &sum, sizeof(sum));
    }
    for (; column < size; ++column)
    {
        for (int i = 0; i < R; ++i)
        {
            result[column] += weights[i] * static_cast<double>(rows[i][range.begin + column]);
        }
    }
}

/// VectorKernels::weightedSum
template <int W>
COLLAB_KERNEL void
WeightedSum(const float* const* rows,
            std::size_t count,
            IndexRange range,
            const double* weights,
            double* result)
{
    constexpr std::size_t TOGETHER = 4;
    std::fill_n(result, range.end - range.begin, 0.0);
    std::size_t i = 0;
    for (; i + TOGETHER <= count; i += TOGETHER)
    {
        AddWeighted<W, TOGETHER>(rows + i, range, weights + i, result);
    }
    for (; i < count; ++i)
    {
        AddWeighted<W, 1>(rows + i, range, weights + i, result);
    }
}

/// VectorKernels::squaredDistance
template <int W>
COLLAB_KERNEL double
SquaredDistance(const float* row, IndexRange range, const double* point)
{
    using HalfFloats = typename Lanes<W>::HalfFloats;
    using HalfDoubles = typename Lanes<W>::HalfDoubles;
    constexpr std::size_t STEP = W / 2;
    constexpr std::size_t CHAINS = 4; // sums side by side, to hide the latency of an addition
    const std::size_t size = range.end - range.begin;
    const float* values = row + range.begin;
    HalfDoubles sums[CHAINS] = {};
    std::size_t column = 0;
    for (; column + CHAINS * STEP <= size; column += CHAINS * STEP)
    {
        for (std::size_t chain = 0; chain < CHAINS; ++chain)
        {
            HalfFloats some;
            HalfDoubles center;
            std::memcpy(&some, values + column + chain * STEP, sizeof(some));
            std::memcpy(&center, point + column + chain * STEP, sizeof(center));
            const HalfDoubles difference = __builtin_convertvector(some, HalfDoubles) - center;
            sums[chain] += difference * difference;
        }
    }
    double rest = 0;
    for (; column < size; ++column)
    {
        const double difference = static_cast<double>(values[column]) - point[column];
        rest += difference * difference;
    }
    const HalfDoubles sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (std::size_t lane = 0; lane < STEP; ++lane)
    {
        rest += sum[lane];
    }
    return rest;
}

/// @brief Batcher's odd-even merge sort, after complete groups of PRESORTED_ROWS have been sorted.
/// @param size number of elements
/// @return its comparators, in order
std::vector<std::pair<uint32_t, uint32_t>>
MakeSortingNetwork(std::size_t size)
{
    const std::size_t presorted = size / PRESORTED_ROWS * PRESORTED_ROWS;
    std::vector<std::pair<uint32_t, uint32_t>> comparators;
    for (std::size_t sorted = 1; sorted < size; sorted *= 2)
    {
        for (std::size_t step = sorted; step >= 1; step /= 2)
        {
            for (std::size_t a = step % sorted; a + step < size; ++a)
            {
                const bool inRun = (a - step % sorted) / step % 2 == 0;
                const bool inMerge = a / (2 * sorted) == (a + step) / (2 * sorted);
                const bool isDone = sorted < PRESORTED_ROWS && a < presorted;
                if (inRun && inMerge && !isDone)
                {
                    comparators.emplace_back(a, a + step);
                }
            }
        }
    }
    return comparators;
}

// The four kernels for one kind of processor; its attribute may be empty
#define COLLAB_DEFINE_KERNELS(suffix, attribute, width)                                   \
    attribute void AddSquaredDistances##suffix(                                           \
        const float* const* rows, std::size_t count, IndexRange range, double* distances) \
    {                                                                                     \
        AddSquaredDistances<width>(rows, count, range, distances);                        \
    }                                                                                     \
    attribute bool SelectedMean##suffix(const float* const* rows,                         \
                                        const SelectionNetwork& network,                  \
                                        IndexRange range,                                 \
                                        float* result)                                    \
    {                                                                                     \
        return SelectedMean<width>(rows, network, range, result);                         \
    }                                                                                     \
    attribute void WeightedSum##suffix(const float* const* rows,                          \
                                       std::size_t count,                                 \
                                       IndexRange range,                                  \
                                       const double* weights,                             \
                                       double* result)                                    \
    {                                                                                     \
        WeightedSum<width>(rows, count, range, weights, result);                          \
    }                                                                                     \
    attribute double SquaredDistance##suffix(                                             \
        const float* row, IndexRange range, const double* point)                          \
    {                                                                                     \
        return SquaredDistance<width>(row, range, point);                                 \
    }                                                                                     \
    constexpr VectorKernels KERNELS_##suffix = {AddSquaredDistances##suffix,              \
                                                SelectedMean##suffix,                     \
                                                WeightedSum##suffix,                      \
                                                SquaredDistance##suffix,                  \
                                                #suffix};

COLLAB_DEFINE_KERNELS(Portable, , 4)
#ifdef COLLAB_AVX512
COLLAB_DEFINE_KERNELS(Avx2, COLLAB_AVX2, 8)
COLLAB_DEFINE_KERNELS(Avx512, COLLAB_AVX512, 16)
#endif

#undef COLLAB_DEFINE_KERNELS

} // namespace

SelectionNetwork
MakeSelectionNetwork(std::size_t size, std::size_t first, std::size_t last)
{
    SelectionNetwork network{size, first, last, MakeSortingNetwork(size)};
    enum class Need
    {
        NONE,
        SELECTED, // wanted in any order among the selected
        EXACT     // a later comparator needs it
    };
    std::vector<Need> needs(size, Need::NONE);
    std::fill(needs.begin() + static_cast<std::ptrdiff_t>(first),
              needs.begin() + static_cast<std::ptrdiff_t>(last),
              Need::SELECTED);
    const auto isUnneeded = [&](const auto& comparator) {
        Need& a = needs[comparator.first];
        Need& b = needs[comparator.second];
        if (a == b && a != Need::EXACT)
        {
            return true;
        }
        a = b = Need::EXACT;
        return false;
    };
    auto& comparators = network.comparators;
    std::reverse(comparators.begin(), comparators.end()); // what is needed is known from the end
    std::vector<std::pair<uint32_t, uint32_t>> needed;
    std::copy_if(comparators.begin(),
                 comparators.end(),
                 std::back_inserter(needed),
                 [&](const auto& comparator) { return !isUnneeded(comparator); });
    std::reverse(needed.begin(), needed.end());
    comparators = std::move(needed);
    return network;
}

const VectorKernels&
GetVectorKernels()
{
    static const VectorKernels kernels = GetRunnableVectorKernels().front();
    return kernels;
}

std::vector<VectorKernels>
GetRunnableVectorKernels()
{
    std::vector<VectorKernels> runnable;
#ifdef COLLAB_AVX512
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma"))
    {
        runnable.push_back(KERNELS_Avx512);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    {
        runnable.push_back(KERNELS_Avx2);
    }
#endif
    runnable.push_back(KERNELS_Portable);
    return runnable;
}

} // namespace ns3::collab

#undef COLLAB_KERNEL
#undef COLLAB_AVX512
#undef COLLAB_AVX2
