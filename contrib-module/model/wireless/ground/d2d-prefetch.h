/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_PREFETCH_H
#define D2D_PREFETCH_H

#include <cstddef>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Begin to fetch memory that is about to be read and written, without waiting for it.
/// @param first where it begins
/// @param last address behind its end
inline void
PrefetchD2d([[maybe_unused]] const void* first, [[maybe_unused]] const void* last)
{
#ifdef __GNUC__
    constexpr std::ptrdiff_t CACHE_LINE_BYTES = 64;
    for (const auto* line = static_cast<const char*>(first); line < last; line += CACHE_LINE_BYTES)
    {
        __builtin_prefetch(line, 1);
    }
#endif
}

} // namespace ns3::collab

#endif /* D2D_PREFETCH_H */
