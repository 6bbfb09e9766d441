/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_VECTOR_LANES_H
#define COLLAB_VECTOR_LANES_H

/**
 * @file
 * Vector types of GCC and Clang. Kernels are templates of the number of floats in a vector, and
 * functions for one kind of processor instantiate them. Their source is compiled with
 * -ffp-contract=fast and alone.
 */

/// What a part of a kernel is: inlined, so that it is compiled for the processor of its caller
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

/// @tparam W number of elements
template <int W>
struct Lanes
{
    /// Vector of W floats
    typedef float Floats __attribute__((vector_size(W * sizeof(float))));
    /// As many integers
    typedef int Integers __attribute__((vector_size(W * sizeof(int))));
    /// As many bytes
    typedef unsigned char Bytes __attribute__((vector_size(W)));
};

} // namespace ns3::collab

#endif /* COLLAB_VECTOR_LANES_H */
