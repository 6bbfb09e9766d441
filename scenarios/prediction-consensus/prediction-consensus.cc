/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-main.h"
#include "prediction-consensus-scenario.h"

int
main(int argc, char* argv[])
{
    return PlayScenario<PredictionConsensusParameters>(
        argc,
        argv,
        __FILE__,
        "Agents learn together by agreeing on labels of shared unlabeled samples, over a lossy "
        "D2D network.\n"
        "(Fan, Mendler-Duenner, Jaggi, \"Collaborative Learning via Prediction Consensus\", "
        "NeurIPS 2023.)",
        RunPredictionConsensus);
}
