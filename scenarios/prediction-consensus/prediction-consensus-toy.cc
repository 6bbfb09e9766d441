/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-main.h"
#include "prediction-consensus-toy-scenario.h"

int
main(int argc, char* argv[])
{
    return PlayScenario<ConsensusToyParameters>(
        argc,
        argv,
        __FILE__,
        "Examples of prediction consensus that can be drawn, over a D2D network.\n"
        "(Fan, Mendler-Duenner, Jaggi, \"Collaborative Learning via Prediction Consensus\", "
        "NeurIPS 2023, Fig. 1, 2 and 7.)",
        RunConsensusToy);
}
