/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_CHECK_ARGUMENT_H
#define COLLAB_CHECK_ARGUMENT_H

#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

/// @brief Throw an error. Apart from Require(), which is so short that compilers put it in loops.
/// @tparam Error what to throw
/// @param format what to say; see fmt::format()
/// @param args numbers and names in that
template <typename Error, typename... Args>
[[noreturn, gnu::cold, gnu::noinline]] void
Throw(fmt::format_string<Args...> format, Args&&... args)
{
    throw Error(fmt::format(format, std::forward<Args>(args)...));
}

/// @brief Refuse what is not allowed.
/// @tparam Error what to throw
/// @param right what has to hold: true, a pointer that is not null, ...
/// @param format what to say if it does not; see fmt::format()
/// @param args numbers and names in that, which are evaluated in any case
template <typename Error, typename Condition, typename... Args>
void
Require(const Condition& right, fmt::format_string<Args...> format, Args&&... args)
{
    if (!right)
    {
        Throw<Error>(format, std::forward<Args>(args)...);
    }
}

/// @brief Refuse what a function does not allow.
/// @param right what has to hold
/// @param format what to say if it does not; see Require()
/// @param args numbers and names in that
/// @throws std::invalid_argument if it does not
template <typename Condition, typename... Args>
void
CheckArgument(const Condition& right, fmt::format_string<Args...> format, Args&&... args)
{
    Require<std::invalid_argument>(right, format, std::forward<Args>(args)...);
}

} // namespace ns3::collab

#endif /* COLLAB_CHECK_ARGUMENT_H */
