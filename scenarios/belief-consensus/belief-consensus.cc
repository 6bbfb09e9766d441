/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-scenario.h"
#include "common/scenario-main.h"

int
main(int argc, char* argv[])
{
    return PlayScenario<BeliefParameters>(
        argc,
        argv,
        __FILE__,
        "Users learn together by exchanging beliefs over a lossy D2D network (Lalitha et al., "
        "2018): about hypotheses, a linear model or the weights of a network; beside what they "
        "learn alone, one that has all data, and D-PSGD.",
        RunBeliefConsensus);
}
