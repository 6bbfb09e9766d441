/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_ERROR_H
#define COLLAB_ERROR_H

#include <stdexcept>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A user's mistake; what() names what was given and what is allowed, in one line.
class UserError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// @ingroup collab
/// @brief A data file that cannot be used; what() names the file, the place and the reason.
class DataFileError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

} // namespace ns3::collab

#endif /* COLLAB_ERROR_H */
