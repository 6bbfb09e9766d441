/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-build-versions.h"

#include "collab-build-constants.h" // written anew by each build whose answer differs

namespace ns3::collab
{

std::map<std::string, std::string>
GetBuildVersions()
{
    return {{"collab", COLLAB_VERSION},
            {"commit", COLLAB_COMMIT},
            {"sources", COLLAB_SOURCES},
            {"ns3", COLLAB_NS3_VERSION}};
}

} // namespace ns3::collab
