/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FUZZ_TARGETS_H
#define FUZZ_TARGETS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

/// Reads some bytes as a file of one format, and ends the program if anything but an error is
/// thrown
using FuzzTarget = void (*)(const uint8_t* bytes, std::size_t size);

/// @return a target for each format, by name
const std::map<std::string, FuzzTarget>& GetFuzzTargets();

#endif /* FUZZ_TARGETS_H */
