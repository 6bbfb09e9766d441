/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_BUILD_VERSIONS_H
#define COLLAB_BUILD_VERSIONS_H

#include <map>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-tracing
 * @brief Tell what the module was built from, for run.json.
 *
 * @return by name: "collab", the version; "commit", of Git, with -dirty behind it if sources of the
 *     module or of the scenarios differed from it; "sources", a digest of the module's sources,
 * which stays the same if a commit changes other files only; "ns3", the version of ns-3. What was
 * not known when the module was built is "unknown".
 */
std::map<std::string, std::string> GetBuildVersions();

} // namespace ns3::collab

#endif /* COLLAB_BUILD_VERSIONS_H */
