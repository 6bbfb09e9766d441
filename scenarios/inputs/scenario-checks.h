/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_CHECKS_H
#define SCENARIO_CHECKS_H

#include "ns3/collab-error.h"

#include <fmt/format.h>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

/// @param value value as given
/// @param allowed values that it may have
/// @throws UserError if it has none of them
void RequireOneOf(const std::string& name,
                  const std::string& value,
                  const std::vector<std::string>& allowed);

/// @param attribute name with the type that declares it
/// @param instead function that decides instead
/// @throws UserError if the user has given it
void RefuseAttribute(const std::string& attribute, const std::string& instead);

/// @param value value as given
/// @param check function that throws std::invalid_argument if it cannot be used
/// @throws UserError if it cannot
void CheckArgument(const std::string& argument,
                   const std::string& value,
                   const std::function<void()>& check);

/// @return what comes after that; nothing if the value has another form
std::optional<std::string> FindAfter(const std::string& given, const std::string& prefix);

/// @return PATH if it is file:PATH; else nothing
std::optional<std::string> FindFile(const std::string& given);

/// @param value value as given, which names a file
/// @param read function that throws DataFileError if the file cannot be used
/// @throws UserError that names the argument, for the same reason
void CheckFile(const std::string& argument,
               const std::string& value,
               const std::function<void()>& read);

/// @param name name of the model, as given
/// @param check function that throws std::invalid_argument if it cannot be used
/// @throws UserError if it cannot
void CheckModel(const std::string& name, const std::function<void()>& check);

/// @param fulfilled whether an argument is allowed
/// @param value value as given
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

/// @param value value as given
/// @param make function that throws std::invalid_argument if it names nothing
/// @throws UserError if it names nothing
template <typename F>
void
RequireSpecification(const std::string& name, const std::string& value, const F& make)
{
    try
    {
        make(value);
    }
    catch (const std::invalid_argument& error)
    {
        throw ns3::collab::UserError(
            fmt::format("argument --{}={} is not allowed: {}", name, value, error.what()));
    }
}

#endif /* SCENARIO_CHECKS_H */
