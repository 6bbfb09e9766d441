/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PROCESSOR_KERNEL_H
#define COLLAB_PROCESSOR_KERNEL_H

/**
 * @file
 * A function marked COLLAB_PROCESSOR_KERNEL is compiled for several kinds of processors, and the
 * best one for the present processor is chosen when the library is loaded. Kinds are told by what
 * they can do, as GCC finds an architecture like "haswell" on processors of one make only. Its
 * source file is compiled so that sums of products may use fused multiply-adds: last bits differ
 * between kinds of processors, and never between numbers of threads.
 */

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define COLLAB_PROCESSOR_KERNEL \
    __attribute__((target_clones("avx512f", "arch=haswell", "fma", "default")))
#else
#define COLLAB_PROCESSOR_KERNEL
#endif

#endif /* COLLAB_PROCESSOR_KERNEL_H */
