/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_RUN_H
#define SCENARIO_RUN_H

#include "scenario-samples.h"

#include "ns3/vector.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// What a run is called, and the parameters that change its results
struct RunDescription
{
    std::string scenario;                     //!< name of the scenario
    const nlohmann::ordered_json& parameters; //!< by name
    const nlohmann::ordered_json& defaults;   //!< the same, as they are if nothing is given
    std::vector<uint32_t> malicious = {};     //!< devices, ascending
};

/**
 * @param run its name and parameters
 * @param p parameters that scenarios have in common
 * @param samples the samples of all devices
 * @param positions of all devices
 * @param models of all devices; none if all have that of the parameters
 * @return the contents of run.json: all that defines the run, and nothing of the host
 */
std::string DescribeRun(const RunDescription& run,
                        const CommonParameters& p,
                        const ScenarioSamples& samples,
                        const std::vector<ns3::Vector>& positions,
                        const std::vector<std::string>& models = {});

#endif /* SCENARIO_RUN_H */
