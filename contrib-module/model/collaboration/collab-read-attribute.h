/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_READ_ATTRIBUTE_H
#define COLLAB_READ_ATTRIBUTE_H

#include "ns3/collab-error.h"

#include <stdexcept>
#include <string>

namespace ns3::collab
{

/// @brief Make something of an attribute's text.
/// @tparam Make function of the text that throws std::invalid_argument if it is not allowed
/// @param name name of the attribute
/// @param value its text
/// @param make function of the text that makes the value
/// @return what it makes
/// @throws UserError that names the attribute and its text, if it is not allowed
template <typename Make>
auto
ReadAttribute(const std::string& name, const std::string& value, Make make)
{
    try
    {
        return make(value);
    }
    catch (const std::invalid_argument& error)
    {
        throw UserError("attribute " + name + "=" + value + " is not allowed: " + error.what());
    }
}

} // namespace ns3::collab

#endif /* COLLAB_READ_ATTRIBUTE_H */
