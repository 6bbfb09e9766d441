/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_NETWORK_H
#define SCENARIO_NETWORK_H

#include "scenario-parameters.h"

#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/vector.h"

#include <vector>

/**
 * @brief Scatter the devices in a disc, scaled so that the two farthest apart have the outage asked
 * for.
 *
 * @param p parameters of the run
 * @param nodes the devices
 * @return their positions
 */
std::vector<ns3::Vector> PlaceDevices(const CommonParameters& p, const ns3::NodeContainer& nodes);

/**
 * @brief Give every device a radio for D2D, a transport, a processor and a battery.
 *
 * @param p parameters of the run
 * @param nodes the devices, in place
 */
void InstallNetwork(const CommonParameters& p, const ns3::NodeContainer& nodes);

/**
 * @brief Transmit power at which a link has a given outage probability.
 *
 * Of radios that are as by default apart from that, by log-distance path loss.
 *
 * @param outage the outage probability
 * @param distance between the two [m]
 * @return the power [dBm]
 */
double GetPowerForOutage(double outage, double distance);

/// Frees what ns-3 holds, however the run ends
struct SimulatorGuard
{
    ~SimulatorGuard()
    {
        ns3::Simulator::Destroy();
    }
};

#endif /* SCENARIO_NETWORK_H */
