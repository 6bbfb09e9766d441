/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_MAIN_H
#define SCENARIO_MAIN_H

#include "ns3/collab-scenario-arguments.h"

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
    return ns3::collab::RunScenario(std::filesystem::path(file).stem().string(), [&]() {
        P p;
        ns3::collab::ScenarioArguments(file, usage, p).Parse(argc, argv);
        run(p, std::cout);
    });
}

#endif /* SCENARIO_MAIN_H */
