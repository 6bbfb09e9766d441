/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-parameter-value.h"

#include "collab-number-text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ns3
{
namespace collab
{

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

} // namespace collab
} // namespace ns3
