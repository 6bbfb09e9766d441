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

namespace ns3
{
namespace collab
{

/// @brief Refuse what a function does not allow.
/// @param right what has to hold
/// @param format what to say if it does not; see fmt::format()
/// @param args numbers and names in that
/// @throws std::invalid_argument if it does not
template <typename... Args>
void
CheckArgument(bool right, fmt::format_string<Args...> format, Args&&... args)
{
    if (!right)
    {
        throw std::invalid_argument(fmt::format(format, std::forward<Args>(args)...));
    }
}

} // namespace collab
} // namespace ns3

#endif /* COLLAB_CHECK_ARGUMENT_H */
