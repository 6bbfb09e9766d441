/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-specification.h"

#include "collab-check-argument.h"

#include "ns3/collab-number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

Specification::Specification(std::string kind, const std::string& text)
    : m_kind(std::move(kind)),
      m_name(text.substr(0, text.find(':')))
{
    if (text.find(':') == std::string::npos)
    {
        return;
    }
    std::istringstream parameters(text.substr(m_name.size() + 1) + ",");
    for (std::string parameter; std::getline(parameters, parameter, ',');)
    {
        const std::size_t equals = parameter.find('=');
        CheckArgument(equals != 0 && equals != std::string::npos && equals + 1 != parameter.size(),
                      "{} '{}': found '{}', expected NAME:KEY=VALUE,KEY=VALUE",
                      m_kind,
                      text,
                      parameter);
        CheckArgument(
            m_values.emplace(parameter.substr(0, equals), parameter.substr(equals + 1)).second,
            "{} '{}': {} is given twice",
            m_kind,
            text,
            parameter.substr(0, equals));
    }
}

const std::string&
Specification::GetName() const
{
    return m_name;
}

bool
Specification::Has(const std::string& key)
{
    m_known.insert(key);
    return m_values.count(key) > 0;
}

double
Specification::GetNumber(const std::string& key, double fallback, double least, double most)
{
    if (!Has(key))
    {
        return fallback;
    }
    const auto value = ParseNumber(m_values[key]);
    if (!value || !(*value >= least && *value <= most))
    {
        RefuseValue(key, m_values[key], fmt::format("a number from {} to {}", least, most));
    }
    return *value;
}

uint64_t
Specification::GetCount(const std::string& key, uint64_t fallback, uint64_t least, uint64_t most)
{
    if (!Has(key))
    {
        return fallback;
    }
    const auto value = ParseWholeNumber<uint64_t>(m_values[key]);
    if (!value || *value < least || *value > most)
    {
        RefuseValue(key, m_values[key], fmt::format("a whole number from {} to {}", least, most));
    }
    return *value;
}

void
Specification::CheckKeys() const
{
    for (const auto& value : m_values)
    {
        if (m_known.count(value.first) == 0)
        {
            throw std::invalid_argument(
                m_known.empty() ? fmt::format("{} {} takes no parameter, was given {}={}",
                                              m_kind,
                                              m_name,
                                              value.first,
                                              value.second)
                                : fmt::format("{} {} has no parameter '{}'; known: {}",
                                              m_kind,
                                              m_name,
                                              value.first,
                                              fmt::join(m_known, ", ")));
        }
    }
}

void
Specification::RefuseName(const std::vector<std::string>& known) const
{
    throw std::invalid_argument(
        fmt::format("unknown {} '{}'; known: {}", m_kind, m_name, fmt::join(known, ", ")));
}

void
Specification::RefuseValue(const std::string& key,
                           const std::string& value,
                           const std::string& allowed) const
{
    throw std::invalid_argument(fmt::format(
        "{} {}: {} was given '{}', allowed is {}", m_kind, m_name, key, value, allowed));
}

} // namespace ns3::collab
