/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How long a device profile takes to train networks, beside published measurements of the board:
 * reads a table of measurements, and prints one with the durations of the profile's processor, by
 * six operations per multiply-add of the forward pass.
 */

#include "ns3/abort.h"
#include "ns3/collab-processor.h"
#include "ns3/command-line.h"
#include "ns3/device-profile-helper.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"

#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

namespace
{

using namespace ns3;
using namespace ns3::collab;

/// @param macs multiply-adds of the forward pass of a job
/// @return operations with its backward pass
uint64_t
CountFlops(double macs)
{
    return static_cast<uint64_t>(6 * macs);
}

/// @brief Print a row of the table.
/// @param line source, network, multiply-adds per image, images and seconds
/// @param processor of the profile
void
PrintRow(const std::string& line, const Processor& processor)
{
    std::istringstream cells(line);
    std::string source;
    std::string network;
    double macs = 0;
    double images = 0;
    double measuredS = 0;
    char comma = 0;
    std::getline(cells, source, ',');
    std::getline(cells, network, ',');
    cells >> macs >> comma >> images >> comma >> measuredS;
    NS_ABORT_MSG_IF(!cells || measuredS <= 0, "measured-training: no measurement: " << line);
    const double seconds = processor.GetDuration(CountFlops(macs * images)).GetSeconds();
    std::cout << fmt::format("{}_,{},{:.4g},{:g},{:.1f},{:.1f},{:.2f}\n",
                             source,
                             network,
                             macs / 1e6,
                             images,
                             measuredS,
                             seconds,
                             seconds / measuredS);
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string profile = "ns3fl-raspberry-pi-4";
    std::string measured = "tests/validation/measured-training.csv";
    CommandLine arguments(__FILE__);
    arguments.AddValue("profile", "preset of DeviceProfileHelper", profile);
    arguments.AddValue("measured", "table of measurements", measured);
    arguments.Parse(argc, argv);

    std::ifstream table(measured);
    std::string line;
    if (!std::getline(table, line)) // the names of its columns
    {
        std::cerr << "measured-training: cannot read " << measured << '\n';
        return 2;
    }
    const NodeContainer nodes(1);
    DeviceProfileHelper(profile).InstallProcessors(nodes);
    std::cout << fmt::format("# measured-training --profile={}\n"
                             "Source,Network,Million multiply-adds per image,Images,"
                             "Measured seconds,Profile seconds,Profile / measured\n",
                             profile);
    while (std::getline(table, line))
    {
        PrintRow(line, *nodes.Get(0)->GetObject<Processor>());
    }
    Simulator::Destroy();
    return 0;
}
