/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A walk on a line, as a program of ns-3 alone: the tests run and sweep it from Python.

#include "ns3/command-line.h"
#include "ns3/random-variable-stream.h"

#include <fstream>
#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    uint32_t steps = 10;
    CommandLine arguments(__FILE__);
    arguments.AddValue("steps", "how many steps to go", steps);
    arguments.Parse(argc, argv);

    const auto step = CreateObject<UniformRandomVariable>();
    std::ofstream walk("walk.csv");
    walk << "step,x\n";
    double x = 0;
    for (uint32_t i = 0; i < steps; ++i)
    {
        x += step->GetValue() - 0.5;
        walk << i << ',' << x << '\n';
    }
    std::cout << "ends at " << x << '\n';
    return 0;
}
