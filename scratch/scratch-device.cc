/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/// @file
/// The least that a program can be: a device with a radio, a battery and a processor.

#include "ns3/collab-module.h"
#include "ns3/core-module.h"
#include "ns3/energy-source-container.h"
#include "ns3/mobility-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::collab;

int
main(int argc, char* argv[])
{
    return RunScenario("scratch-device", [&]() {
        ParameterList list;
        ScenarioArguments(__FILE__, "A device that does nothing.", list).Parse(argc, argv);
        NodeContainer nodes(1);
        MobilityHelper().Install(nodes);
        DeviceProfileHelper().Install(D2dHelper().Install(nodes));
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        const auto watch =
            DepletionWatch::Of(nodes.Get(0)->GetObject<EnergySourceContainer>()->Get(0));
        std::cout << "a second of idling costs " << GetTotal(watch->GetEnergyByKindJ()) << " J\n";
        Simulator::Destroy();
    });
}
