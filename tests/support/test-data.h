/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEST_DATA_H
#define TEST_DATA_H

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

/// @brief Find a file that tests read.
/// @param name its path in tests/data
/// @return its path on this machine. Only one source is compiled with it, so that a compiler cache
/// serves every checkout
std::string GetTestData(const std::string& name);

namespace tests
{

/// @return bytes that are written as "0a ff 07"
inline std::vector<uint8_t>
FromHex(const std::string& text)
{
    std::istringstream words(text);
    std::vector<uint8_t> bytes;
    for (uint32_t byte = 0; words >> std::hex >> byte;)
    {
        bytes.push_back(static_cast<uint8_t>(byte));
    }
    return bytes;
}

} // namespace tests

#endif /* TEST_DATA_H */
