/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-nearest-name.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ns3::collab
{

namespace
{

constexpr std::size_t MOST_NAMES = 3;        //!< in a question
constexpr std::size_t LETTERS_PER_ERROR = 3; //!< given, for each one that may be wrong
constexpr std::size_t LONGEST_NAME = 200;    //!< no name of ns-3 is longer

/// @param text any text
/// @return it in lower case
std::string
ToLower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    return text;
}

/// @brief Optimal string alignment: an exchange of two neighbors is one error.
/// @param a a text
/// @param b another one
/// @return the least number of errors that make one of the other
std::size_t
CountErrors(const std::string& a, const std::string& b)
{
    std::vector<std::vector<std::size_t>> errors(a.size() + 1,
                                                 std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
    {
        for (std::size_t j = 0; j <= b.size(); ++j)
        {
            if (i == 0 || j == 0)
            {
                errors[i][j] = i + j;
                continue;
            }
            const std::size_t replaced = a[i - 1] == b[j - 1] ? 0 : 1;
            errors[i][j] = std::min(
                {errors[i - 1][j] + 1, errors[i][j - 1] + 1, errors[i - 1][j - 1] + replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            {
                errors[i][j] = std::min(errors[i][j], errors[i - 2][j - 2] + 1);
            }
        }
    }
    return errors[a.size()][b.size()];
}

/// @param name name of a type or attribute
/// @param part a name
/// @return whether it is the end of that, behind ::
bool
EndsWithPart(const std::string& name, const std::string& part)
{
    const std::string end = "::" + part;
    return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

} // namespace

std::vector<std::string>
FindNearest(const std::string& given, std::vector<std::string> names)
{
    if (given.size() > LONGEST_NAME)
    {
        return {};
    }
    const std::string wrong = ToLower(given);
    const std::size_t colon = wrong.rfind(':');
    const std::size_t own = colon == std::string::npos ? wrong.size() : wrong.size() - colon - 1;
    std::sort(names.begin(), names.end());
    std::size_t fewest = own / LETTERS_PER_ERROR;
    std::vector<std::string> nearest;
    for (const std::string& name : names)
    {
        const std::string right = ToLower(name);
        const std::size_t errors = EndsWithPart(right, wrong) ? 0 : CountErrors(wrong, right);
        if (errors < fewest)
        {
            nearest.clear();
            fewest = errors;
        }
        if (errors == fewest && nearest.size() < MOST_NAMES)
        {
            nearest.push_back(name);
        }
    }
    return nearest;
}

std::string
AskFor(const std::vector<std::string>& names, const std::string& otherwise)
{
    return names.empty() ? otherwise : fmt::format("; did you mean {}?", fmt::join(names, " or "));
}

} // namespace ns3::collab
