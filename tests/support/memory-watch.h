/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MEMORY_WATCH_H
#define MEMORY_WATCH_H

#include <cstdint>

namespace tests
{

/**
 * @brief Tells how much memory a piece of a test takes, which does not depend on the machine.
 *
 * A program that uses it has operators new and delete that count. One at a time.
 */
class MemoryWatch
{
  public:
    /// Begins to watch.
    MemoryWatch();
    /// @return most bytes by which memory in use has exceeded what it was at the beginning
    uint64_t GetPeak() const;
};

} // namespace tests

#endif /* MEMORY_WATCH_H */
