/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_NUMBER_TEXT_H
#define COLLAB_NUMBER_TEXT_H

#include <sstream>
#include <string>
#include <type_traits>

namespace ns3::collab
{

/// @ingroup collab-helper
/// @tparam T a kind of number
/// @param text a value as given
/// @return whether it is a T
template <typename T>
bool
IsNumberText(const std::string& text)
{
    if (std::is_unsigned<T>::value && text.find('-') != std::string::npos)
    {
        return false;
    }
    std::istringstream stream(text);
    T value;
    stream >> value;
    return !stream.fail() && stream.rdbuf()->in_avail() == 0;
}

} // namespace ns3::collab

#endif /* COLLAB_NUMBER_TEXT_H */
