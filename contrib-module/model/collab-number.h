/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_NUMBER_H
#define COLLAB_NUMBER_H

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <version>
#ifndef __cpp_lib_to_chars
#include <locale>
#include <sstream>
#include <string>
#endif

namespace ns3::collab
{

/// @tparam T an unsigned type
/// @param text digits and nothing else
/// @return the number, or nothing if the text is anything else, or more than T can be
template <typename T = uint32_t>
std::optional<T>
ParseWholeNumber(std::string_view text)
{
    static_assert(std::is_unsigned_v<T>, "a sign is no digit");
    T value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isAll = error == std::errc() && rest == text.data() + text.size();
    return isAll ? std::optional<T>(value) : std::nullopt;
}

/// @param text a whole number or one in floating point, in any locale written with a point
/// @return its value, or nothing if the text is anything else; "nan" and "inf" are numbers
inline std::optional<double>
ParseNumber(std::string_view text)
{
    if (!text.empty() && text.front() == '+')
    {
        text.remove_prefix(1);
    }
    double value = 0;
#ifdef __cpp_lib_to_chars
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isAll = error == std::errc() && rest == text.data() + text.size();
#else
    std::istringstream stream{std::string(text)};
    stream.imbue(std::locale::classic());
    const bool isAll = !text.empty() && text.front() > ' ' && stream >> value && stream.peek() < 0;
#endif
    return isAll ? std::optional<double>(value) : std::nullopt;
}

} // namespace ns3::collab

#endif /* COLLAB_NUMBER_H */
