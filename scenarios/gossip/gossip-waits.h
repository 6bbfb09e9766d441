/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_WAITS_H
#define GOSSIP_WAITS_H

#include "gossip-scenario.h"

#include "ns3/gossip-helper.h"
#include "ns3/node-container.h"

#include <vector>

/**
 * @brief Work out the waits that the user has not given, so that devices wait for all that
 * compute and send.
 *
 * In BrainTorrent all devices train at first, and then one in its turn; a turn can have both, and
 * both waits. In the other algorithms fast devices go ahead of slow ones, a round or so in each
 * round, until a chain of exchanges reaches these: of up to 100 devices with random partners, none
 * was more than 8 rounds ahead.
 *
 * @param p parameters of the run; gets the waits that are in force
 * @param nodes the devices
 * @param agents what they learn with
 */
void CompleteTimeouts(GossipParameters& p,
                      const ns3::NodeContainer& nodes,
                      const std::vector<ns3::collab::GossipAgent>& agents);

#endif /* GOSSIP_WAITS_H */
