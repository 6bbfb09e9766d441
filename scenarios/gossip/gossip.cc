/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-main.h"
#include "gossip-scenario.h"

int
main(int argc, char* argv[])
{
    return PlayScenario<GossipParameters>(
        argc,
        argv,
        __FILE__,
        "Devices learn together without a server, by exchanging models or parts of them over a "
        "lossy D2D network: BrainTorrent, GossipFL, segmented gossip, CHOCO-SGD, stochastic "
        "gradient push, epidemic learning, Teleportation, DFedAvgM or decentralized SGD over the "
        "air.\n"
        "Data, devices and seeds are those of prediction-consensus.",
        RunGossip);
}
