/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-main.h"
#include "graph-discovery-agreement-scenario.h"

int
main(int argc, char* argv[])
{
    return PlayScenario<GraphDiscoveryAgreementParameters>(
        argc,
        argv,
        __FILE__,
        "How devices agree after samples without labels are dealt out otherwise than before, as\n"
        "the reward of graph discovery measures it; there is no network.\n"
        "(Wagle, Das, Love, Brinton, \"Multi-Agent Reinforcement Learning for Graph Discovery in "
        "D2D-Enabled Federated Learning\", 2025: (17), App. B.)",
        RunGraphDiscoveryAgreement);
}
