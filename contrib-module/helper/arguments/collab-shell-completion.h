/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SHELL_COMPLETION_H
#define COLLAB_SHELL_COMPLETION_H

#include "collab-parameter-list.h"

#include <ostream>
#include <string>

namespace ns3::collab
{

/// @ingroup collab-helper
/// @brief Print a script that teaches a shell a program's arguments and their choices.
/// @param shell "bash" or "zsh"
/// @param program its name
/// @param parameters parameters of the program
/// @param output where to print
/// @throws UserError for another shell
void PrintCompletion(const std::string& shell,
                     const std::string& program,
                     const ParameterList& parameters,
                     std::ostream& output);

} // namespace ns3::collab

#endif /* COLLAB_SHELL_COMPLETION_H */
