/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-main.h"
#include "distillation-scenario.h"

int
main(int argc, char* argv[])
{
    return PlayScenario<DistillationParameters>(
        argc,
        argv,
        __FILE__,
        "Devices learn from each other's predictions on unlabeled samples, which a server at a "
        "base station pools, over lossy links (D2S): FedMD, DS-FL with or without cached labels, "
        "or Selective-FD.\n"
        "Data, X*, devices and seeds are those of prediction-consensus.",
        RunDistillation);
}
