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

[[maybe_unused]] const bool KEEPS_MEMORY =
    (mi_option_set(mi_option_decommit_delay, DECOMMIT_DELAY_MS), true);

} // namespace
