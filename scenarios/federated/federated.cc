/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-main.h"
#include "federated-scenario.h"

int
main(int argc, char* argv[])
{
    return PlayScenario<FederatedParameters>(
        argc,
        argv,
        __FILE__,
        "Devices train one model with a server at a base station, over lossy links (D2S): "
        "FedAvg, FedProx, SCAFFOLD, FedDyn, FedAvgM, FedNova, FedBuff, FedDF or FedKSeed.\n"
        "Data, devices and seeds are those of prediction-consensus.",
        RunFederated);
}
