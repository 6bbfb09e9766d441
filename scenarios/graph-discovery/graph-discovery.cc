/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-main.h"
#include "graph-discovery-scenario.h"

int
main(int argc, char* argv[])
{
    return PlayScenario<GraphDiscoveryParameters>(
        argc,
        argv,
        __FILE__,
        "Devices learn by multi-agent reinforcement learning whom to ask for datapoints over a "
        "lossy D2D network (Wagle et al.), exchange them, and then learn a model.\n"
        "With the same seed all methods have the same devices, data, trust and links.",
        RunGraphDiscovery);
}
