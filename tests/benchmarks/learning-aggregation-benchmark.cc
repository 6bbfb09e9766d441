/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What aggregation rules cost, beside what the machine needs to read the vectors and, if there is a
 * BLAS, to multiply them with each other. Arguments: n, d, threads.
 */

#include "ns3/collab-aggregation-rule.h"
#include "ns3/collab-random.h"

#include <benchmark/benchmark.h>
#include <string>
#include <vector>

#ifdef COLLAB_HAVE_BLAS
extern "C"
{
    void ssyrk_(const char* uplo,
                const char* trans,
                const int* n,
                const int* k,
                const float* alpha,
                const float* a,
                const int* lda,
                const float* beta,
                float* c,
                const int* ldc);
}
#endif

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

constexpr int64_t MOST_VECTORS = 100;
constexpr int64_t MOST_ELEMENTS = 1000000;

/// @return MOST_VECTORS rows of MOST_ELEMENTS numbers from -1 to 1, made once
const Matrix<float>&
GetNumbers()
{
    static const Matrix<float> numbers = [] {
        Matrix<float> made(MOST_VECTORS, MOST_ELEMENTS);
        for (std::size_t i = 0; i < made.values.size(); ++i)
        {
            const auto whole = static_cast<int32_t>(SplitMix64(i));
            made.values[i] = static_cast<float>(whole) / 2147483648.0F;
        }
        return made;
    }();
    return numbers;
}

/// @return so many vectors of so many elements
VectorStack
GetVectors(const benchmark::State& state)
{
    std::vector<const float*> rows;
    for (int64_t i = 0; i < state.range(0); ++i)
    {
        rows.push_back(GetNumbers().Row(static_cast<std::size_t>(i)));
    }
    return {std::move(rows), static_cast<std::size_t>(state.range(1))};
}

/// @param state whose work has been done
void
CountBytes(benchmark::State& state)
{
    state.SetBytesProcessed(state.iterations() * state.range(0) * state.range(1) *
                            static_cast<int64_t>(sizeof(float)));
}

/// @param rule specification
void
Aggregate(benchmark::State& state, const char* rule)
{
    const VectorStack vectors = GetVectors(state);
    const auto made = MakeAggregationRule(rule);
    const std::vector<double> weights(vectors.Count(), 1);
    std::vector<float> result(vectors.Dimension());
    for (auto _ : state)
    {
        made->Aggregate(vectors, weights, result.data());
        benchmark::DoNotOptimize(result.data());
    }
    CountBytes(state);
}

/// @brief The bound of the memory: every element is read once.
void
ReadVectors(benchmark::State& state)
{
    const VectorStack vectors = GetVectors(state);
    for (auto _ : state)
    {
        constexpr std::size_t SUMS = 64; // independent, so that only reading takes time
        float sums[SUMS] = {};
        for (const float* row : vectors.Rows())
        {
            for (std::size_t k = 0; k + SUMS <= vectors.Dimension(); k += SUMS)
            {
                for (std::size_t i = 0; i < SUMS; ++i)
                {
                    sums[i] += row[k + i];
                }
            }
        }
        benchmark::DoNotOptimize(sums);
    }
    CountBytes(state);
}

#ifdef COLLAB_HAVE_BLAS
/// @brief The bound of arithmetic: inner products of all pairs, as numpy has them computed.
void
MultiplyByBlas(benchmark::State& state)
{
    const auto n = static_cast<int>(state.range(0));
    const auto d = static_cast<int>(state.range(1));
    const auto stride = static_cast<int>(MOST_ELEMENTS);
    std::vector<float> products(static_cast<std::size_t>(n) * n);
    const float one = 1;
    const float zero = 0;
    for (auto _ : state)
    {
        ssyrk_("U", "T", &n, &d, &one, GetNumbers().Row(0), &stride, &zero, products.data(), &n);
        benchmark::DoNotOptimize(products.data());
    }
    CountBytes(state);
}
#endif

/// @param benchmark gets n and d
void
AllSizes(benchmark::internal::Benchmark* benchmark)
{
    benchmark->ArgsProduct({{25, 100}, {100000, 1000000}})->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(Aggregate, mean, "mean")->Apply(AllSizes);
BENCHMARK_CAPTURE(Aggregate, median, "median")->Apply(AllSizes);
BENCHMARK_CAPTURE(Aggregate, trimmed_mean, "trimmed-mean:beta=0.2")->Apply(AllSizes);
BENCHMARK_CAPTURE(Aggregate, krum, "krum:f=5")->Apply(AllSizes);
BENCHMARK_CAPTURE(Aggregate, geometric_median_3, "geometric-median:tolerance=0,iterations=3")
    ->Apply(AllSizes);
BENCHMARK(ReadVectors)->Apply(AllSizes);
#ifdef COLLAB_HAVE_BLAS
BENCHMARK(MultiplyByBlas)->Apply(AllSizes);
#endif

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
