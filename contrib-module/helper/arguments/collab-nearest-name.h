/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_NEAREST_NAME_H
#define COLLAB_NEAREST_NAME_H

#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-helper
 * @brief Find which names may have been meant by one that is none.
 *
 * Nearest are the names with the fewest letters left out, added, replaced or exchanged with the
 * next one, whatever their case. No letter is wrong in what is the last part of a name, as D2dPhy
 * is of ns3::collab::D2dPhy. A name is near if no more than a third of the letters are wrong, not
 * counting those of namespaces.
 *
 * @param given the name that is none
 * @param names names to choose from
 * @return at most three of the nearest names, in alphabetical order; none if none is near
 */
std::vector<std::string> FindNearest(const std::string& given, std::vector<std::string> names);

/// @ingroup collab-helper
/// @param names names that may have been meant
/// @param otherwise text to return if there are none
/// @return "; did you mean A or B?", to follow what was given
std::string AskFor(const std::vector<std::string>& names, const std::string& otherwise);

} // namespace ns3::collab

#endif /* COLLAB_NEAREST_NAME_H */
