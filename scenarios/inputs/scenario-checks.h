/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_CHECKS_H
#define SCENARIO_CHECKS_H

#include "ns3/collab-error.h"

#include <fmt/format.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

/// @throws UserError if the value of an argument is none of those that are allowed
void RequireOneOf(const std::string& name,
                  const std::string& value,
                  const std::vector<std::string>& allowed);

/// @param attribute name with the type that declares it
/// @param instead function that decides instead
/// @throws UserError if the user has given it
void RefuseAttribute(const std::string& attribute, const std::string& instead);

/// @return what comes after the prefix; nothing if the value has another form
std::optional<std::string> FindAfter(const std::string& given, const std::string& prefix);

/// @return what stands between separators; nothing of an empty list
std::vector<std::string> SplitList(const std::string& list, char separator = ',');

/// @return PATH if the value is file:PATH; else nothing
std::optional<std::string> FindFile(const std::string& given);

/// @param fulfilled whether an argument is allowed
/// @param allowed what it may be
/// @throws UserError if it is not allowed
template <typename T>
void
Require(bool fulfilled, const std::string& name, const T& value, const std::string& allowed)
{
    if (!fulfilled)
    {
        throw ns3::collab::UserError(
            fmt::format("argument --{}={} is not allowed; it must be {}", name, value, allowed));
    }
}

/// @tparam Error thrown if the value cannot be used; DataFileError for the contents of a file
/// @param name name of an argument
/// @param value value as given
/// @param check function that throws it
/// @throws UserError that names the argument, for the same reason
template <typename Error = std::invalid_argument, typename T, typename F>
void
CheckArgument(const std::string& name, const T& value, const F& check)
{
    try
    {
        check();
    }
    catch (const Error& error)
    {
        throw ns3::collab::UserError(
            fmt::format("argument --{}={} is not allowed: {}", name, value, error.what()));
    }
}

#endif /* SCENARIO_CHECKS_H */
