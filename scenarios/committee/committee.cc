/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-scenario.h"
#include "common/scenario-main.h"

int
main(int argc, char* argv[])
{
    return PlayScenario<CommitteeParameters>(
        argc,
        argv,
        __FILE__,
        "Devices learn together without a server: an elected committee scores, selects and "
        "aggregates their gradients, by votes that cross a lossy D2D network.\n"
        "(Che, Li, Chen, He, Zheng, \"A Decentralized Federated Learning Framework via "
        "Committee Mechanism with Convergence Guarantee\", IEEE TPDS 2022.)",
        RunCommittee);
}
