/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MODEL_OPTIONS_H
#define COLLAB_MODEL_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @brief Read options that are numbers with dashes between them, e.g. "100-50".
/// @param model named in an error text
/// @param options options to read
/// @param defaults defaults taken if there are no options
/// @return the numbers, each positive
/// @throws std::invalid_argument if there is anything else
std::vector<int64_t> ReadSizes(const std::string& model,
                               const std::string& options,
                               const std::vector<int64_t>& defaults);

/// @param model named in an error text
/// @param options options to read
/// @param fallback fallback taken if there are no options
/// @return the only number among the options
/// @throws std::invalid_argument if there is anything else
int64_t ReadSize(const std::string& model, const std::string& options, int64_t fallback);

/// @param model named in an error text
/// @param options options to read
/// @param known what is allowed; the first one is taken if there are no options
/// @return one of the known ones
/// @throws std::invalid_argument if it is none of them
std::string ReadChoice(const std::string& model,
                       const std::string& options,
                       const std::vector<std::string>& known);

} // namespace ns3::collab

#endif /* COLLAB_MODEL_OPTIONS_H */
