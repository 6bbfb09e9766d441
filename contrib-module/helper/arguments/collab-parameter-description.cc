/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-parameter-description.h"

#include "collab-number-text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ns3::collab
{

namespace
{

/// @param number as short as "1e-9" instead of "1e-09"
std::string
WriteBound(double number)
{
    std::string text = fmt::format("{:g}", number);
    const std::size_t exponent = text.find_first_of("e");
    if (exponent != std::string::npos)
    {
        const bool isNegative = text[exponent + 1] == '-';
        text = text.substr(0, exponent) + (isNegative ? "e-" : "e") +
               text.substr(text.find_first_not_of("e+-0", exponent));
    }
    return text;
}

} // namespace

void
ParameterRange::SetMin(double least, bool isOpen)
{
    m_min = least;
    m_isMinOpen = isOpen;
}

void
ParameterRange::SetMax(double greatest, bool isOpen)
{
    m_max = greatest;
    m_isMaxOpen = isOpen;
}

void
ParameterRange::AddZero()
{
    m_hasZero = true;
}

bool
ParameterRange::Contains(double number) const
{
    if (m_hasZero && number == 0)
    {
        return true;
    }
    return std::isfinite(number) && number >= m_min && !(m_isMinOpen && number == m_min) &&
           number <= m_max && !(m_isMaxOpen && number == m_max);
}

std::pair<double, double>
ParameterRange::GetLimits() const
{
    return {m_hasZero ? std::min(0.0, m_min) : m_min, m_max};
}

std::string
ParameterRange::ToText(const std::string& unit, bool isWhole) const
{
    const std::string bounds = GetBoundsText(unit.empty() ? "" : " " + unit, isWhole);
    return m_hasZero ? "0, or " + bounds : bounds;
}

std::string
ParameterRange::GetBoundsText(const std::string& unit, bool isWhole) const
{
    const std::string min = WriteBound(m_min);
    const std::string max = WriteBound(m_max);
    if (std::isinf(m_min) && std::isinf(m_max))
    {
        return "";
    }
    if (std::isinf(m_max))
    {
        return (m_isMinOpen ? "greater than " + min
                : isWhole   ? "at least " + min
                            : min + " or greater") +
               unit;
    }
    if (std::isinf(m_min))
    {
        return (m_isMaxOpen ? "below " : "at most ") + max + unit;
    }
    if (m_isMinOpen && m_isMaxOpen)
    {
        return unit.empty() ? fmt::format("between {} and {}, both excluded", min, max)
                            : fmt::format("greater than {} and below {}{}", min, max, unit);
    }
    if (m_isMinOpen)
    {
        return fmt::format("above {}, at most {}{}", min, max, unit);
    }
    return m_isMaxOpen ? fmt::format("{} or greater, and below {}{}", min, max, unit)
                       : fmt::format("{} to {}{}", min, max, unit);
}

std::string
ToText(const ParameterValue& value)
{
    return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

nlohmann::ordered_json
ToJson(const ParameterValue& value)
{
    return std::visit([](const auto& v) { return nlohmann::ordered_json(v); }, value);
}

double
ToNumber(const ParameterValue& value)
{
    double number = 0;
    std::visit([&number](const auto& v) { AssignValue(number, v); }, value);
    return number;
}

const char*
GetTypeName(const ParameterValue& value)
{
    return std::visit(
        [](const auto& v) {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, bool>)
            {
                return "flag";
            }
            else if constexpr (std::is_same_v<T, std::string>)
            {
                return "text";
            }
            else if constexpr (std::is_floating_point_v<T>)
            {
                return "number";
            }
            else
            {
                return std::is_unsigned_v<T> ? "unsigned integer" : "integer";
            }
        },
        value);
}

bool
IsReadable(const std::string& text, const ParameterValue& value)
{
    return std::visit(
        [&text](const auto& v) {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, std::string>)
            {
                return true;
            }
            else if constexpr (std::is_same_v<T, bool>)
            {
                return text == "true" || text == "false" || text == "1" || text == "0" ||
                       text == "t" || text == "f";
            }
            else
            {
                return IsNumberText<T>(text);
            }
        },
        value);
}

} // namespace ns3::collab
