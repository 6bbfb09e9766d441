/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-bound-scenario.h"
#include "common/scenario-main.h"

int
main(int argc, char* argv[])
{
    return PlayScenario<CommitteeBoundParameters>(
        argc,
        argv,
        __FILE__,
        "The error of a ridge regression that a committee learns, beside Theorem 1's bound.\n"
        "(Che, Li, Chen, He, Zheng, \"A Decentralized Federated Learning Framework via "
        "Committee Mechanism with Convergence Guarantee\", IEEE TPDS 2022.)",
        RunCommitteeBound);
}
