/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-watch.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace
{

std::atomic<int64_t> g_inUse{0}; //!< bytes that were allocated and not freed
std::atomic<int64_t> g_peak{0};  //!< greatest value of it since the last MemoryWatch began
std::atomic<int64_t> g_begin{0}; //!< what it was then

/// @param size number of bytes
/// @return memory for them
void*
Allocate(std::size_t size)
{
    void* memory = std::malloc(std::max<std::size_t>(size, 1));
    if (!memory)
    {
        throw std::bad_alloc();
    }
    const int64_t inUse = g_inUse += static_cast<int64_t>(malloc_usable_size(memory));
    int64_t peak = g_peak;
    while (inUse > peak && !g_peak.compare_exchange_weak(peak, inUse))
    {
    }
    return memory;
}

/// @param memory from Allocate(), or null
void
Free(void* memory)
{
    g_inUse -= static_cast<int64_t>(malloc_usable_size(memory));
    std::free(memory);
}

} // namespace

void*
operator new(std::size_t size)
{
    return Allocate(size);
}

void*
operator new[](std::size_t size)
{
    return Allocate(size);
}

void
operator delete(void* memory) noexcept
{
    Free(memory);
}

void
operator delete[](void* memory) noexcept
{
    Free(memory);
}

void
operator delete(void* memory, std::size_t) noexcept
{
    Free(memory);
}

void
operator delete[](void* memory, std::size_t) noexcept
{
    Free(memory);
}

namespace tests
{

MemoryWatch::MemoryWatch()
{
    g_begin = g_inUse.load();
    g_peak = g_inUse.load();
}

uint64_t
MemoryWatch::GetPeak() const
{
    return static_cast<uint64_t>(g_peak - g_begin);
}

} // namespace tests
