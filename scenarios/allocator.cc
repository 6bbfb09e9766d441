/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include <mimalloc.h>

namespace
{

/// Memory that is free for as long goes back to the system [ms]. By mimalloc's default of 25 ms
/// vectors of a model's size, which a step allocates again and again, cost a page fault every 4 kB.
constexpr long DECOMMIT_DELAY_MS = 1000;

/// Keeps memory, and takes it in pages of 2 MB where the system has them (transparent huge pages):
/// kept or not, what LibTorch allocates for a batch would cost a page fault every 4 kB.
void
SetUpAllocator(int, char**, char**)
{
    mi_option_set(mi_option_decommit_delay, DECOMMIT_DELAY_MS);
    mi_option_enable(mi_option_large_os_pages);
}

/// Called before the initializers of all libraries, among them LibTorch's, which allocate megabytes
[[gnu::section(".preinit_array"), gnu::used]] void (*const SET_UP)(int, char**, char**) =
    SetUpAllocator;

} // namespace
