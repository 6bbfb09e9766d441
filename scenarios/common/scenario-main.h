/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_MAIN_H
#define SCENARIO_MAIN_H

#include "scenario-parameters.h"

#include "ns3/collab-many-runs.h"
#include "ns3/collab-scenario-arguments.h"

#include "ns3/simulator.h"

#include <filesystem>
#include <iostream>
#include <ostream>
#include <string>

/// @brief The main function of a scenario.
/// @tparam P its parameters
/// @param file the source file of the program, __FILE__: its name is the scenario's
/// @return the exit status
template <typename P>
int
PlayScenario(int argc,
             char* argv[],
             const std::string& file,
             const std::string& usage,
             void (*run)(P&, std::ostream&))
{
    ns3::collab::RunProgram program;
    program.name = std::filesystem::path(file).stem().string();
    program.check = [&](int count, char* given[]) {
        P p;
        ns3::collab::ScenarioArguments(file, usage, p).Parse(count, given);
        PrepareParameters(p);
    };
    program.play = [&](int count, char* given[], const std::string& folder) {
        P p;
        ns3::collab::ScenarioArguments(file, usage, p).Parse(count, given);
        if (!folder.empty())
        {
            p.runDir = (std::filesystem::path(p.runDir) / folder).string();
        }
        // Runs nothing, but ns-3 no longer lists all Times in case their resolution changes
        ns3::Simulator::Run();
        run(p, std::cout);
    };
    return ns3::collab::PlayRuns(program, argc, argv);
}

#endif /* SCENARIO_MAIN_H */
