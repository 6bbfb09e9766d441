/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_FAULTS_H
#define SCENARIO_FAULTS_H

#include "scenario-parameters.h"

#include "ns3/node-container.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

/// Networks that fall apart
struct FaultParameters
{
    std::string partitions = "none"; //!< e.g. "100-200:0-49": those devices are cut off [s]

    /// @param list list that gets the parameter
    void DeclareFaults(ns3::collab::ParameterList& list);

    /// @throws UserError that names what was given and what is allowed
    void ValidateFaults(uint32_t devices) const;
};

/**
 * @brief Let all faults happen at their times.
 *
 * Partitions are put around the outage model that the channel has, be it a given one: outside of
 * them, and within their parts, it decides.
 */
void ScheduleFaults(const FaultParameters& p, const ns3::NodeContainer& nodes);

#endif /* SCENARIO_FAULTS_H */
