/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-tensor-names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <stdexcept>

namespace ns3::collab
{

namespace
{

/// @param pattern pattern in which * stands for any text and ? for any character
/// @param text text to compare with
/// @return whether it fits
bool
FitsPattern(const char* pattern, const char* text)
{
    if (*pattern == '*')
    {
        return FitsPattern(pattern + 1, text) || (*text != '\0' && FitsPattern(pattern, text + 1));
    }
    const bool isSame = *pattern == *text || (*pattern == '?' && *text != '\0');
    return isSame && (*text == '\0' || FitsPattern(pattern + 1, text + 1));
}

} // namespace

std::set<std::string>
FindTensors(const std::vector<WeightSpec>& specs, const std::string& patterns)
{
    std::set<std::string> found;
    std::istringstream list(patterns);
    for (std::string pattern; std::getline(list, pattern, ',');)
    {
        std::vector<std::string> known;
        bool fitsAny = false;
        for (const WeightSpec& spec : specs)
        {
            known.push_back(spec.name);
            if (FitsPattern(pattern.c_str(), spec.name.c_str()))
            {
                found.insert(spec.name);
                fitsAny = true;
            }
        }
        if (!fitsAny)
        {
            throw std::invalid_argument(fmt::format(
                "no tensor is called \"{}\"; there are {}", pattern, fmt::join(known, ", ")));
        }
    }
    return found;
}

} // namespace ns3::collab
