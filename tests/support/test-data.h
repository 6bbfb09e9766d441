/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEST_DATA_H
#define TEST_DATA_H

#include <string>

/// @brief Find a file that tests read.
/// @param name its path in tests/data
/// @return its path on this machine. Only one source is compiled with it, so that a compiler cache
/// serves every checkout
std::string GetTestData(const std::string& name);

#endif /* TEST_DATA_H */
