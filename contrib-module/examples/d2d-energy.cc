/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A device broadcasts until its battery is empty.
 *
 * Device 0 sends 100 000 bytes once a second, device 1 listens; both begin with the same charge.
 * Every second the program prints what each of them has spent, by kind, what is left, and how many
 * whole messages it has received. A device without energy goes silent in the middle of what it is
 * sending, and that message reaches nobody.
 */

#include "ns3/collab-module.h"
#include "ns3/core-module.h"
#include "ns3/energy-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"

#include <iomanip>
#include <iostream>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

/// @brief Print a row of the table.
/// @param radio the radio of a device
/// @param received whole messages that it has received
static void
PrintRow(Ptr<D2dNetDevice> radio, uint32_t received)
{
    Ptr<EnergySource> battery = radio->GetNode()->GetObject<EnergySourceContainer>()->Get(0);
    std::cout << std::fixed << std::setprecision(3) << std::setw(8) << Simulator::Now().GetSeconds()
              << std::setw(7) << radio->GetNode()->GetId();
    // The watch of a battery adds up all that draws from it: here the radio and the processor.
    const EnergyByKind joules = DepletionWatch::Of(battery)->GetEnergyByKindJ();
    const std::pair<EnergyKind, int> columns[] = {
        {EnergyKind::TX, 7}, {EnergyKind::RX, 7}, {EnergyKind::IDLE, 9}, {EnergyKind::COMPUTE, 12}};
    for (const auto& [kind, width] : columns)
    {
        std::cout << std::setw(width) << joules[static_cast<std::size_t>(kind)];
    }
    std::cout << std::setw(9) << battery->GetRemainingEnergy() << std::setw(6)
              << (radio->GetPhy()->IsOn() ? "on" : "off") << std::setw(9) << received << std::endl;
}

int
main(int argc, char* argv[])
{
    return RunScenario("d2d-energy", [&]() {
        double battery = 2.0;
        uint32_t duration = 8;
        ParameterList list;
        list.Add("battery", battery, "charge of each device at the beginning [J]").Above(0);
        list.Add("duration", duration, "simulated time [s]").Above(0);
        ScenarioArguments(__FILE__, "A device that runs out of energy.", list).Parse(argc, argv);

        NodeContainer nodes(2);
        MobilityHelper mobility; // both at one place, so that no message is lost to outage
        mobility.Install(nodes);
        NetDeviceContainer radios = D2dHelper().Install(nodes);
        D2dHelper::AssignStreams(radios, 0);
        Ptr<D2dNetDevice> sender = DynamicCast<D2dNetDevice>(radios.Get(0));
        Ptr<D2dNetDevice> receiver = DynamicCast<D2dNetDevice>(radios.Get(1));

        // A battery and a processor on each node; the radio draws from the battery as well.
        DeviceProfileHelper profile;
        profile.SetSourceAttribute("BasicEnergySourceInitialEnergyJ", DoubleValue(battery));
        profile.Install(radios);

        uint32_t received = 0;
        const Callback<void, Ptr<const Packet>> count([&](Ptr<const Packet>) { ++received; });
        receiver->GetMac()->TraceConnectWithoutContext("MacRx", count);
        for (uint32_t second = 0; second < duration; ++second)
        {
            Simulator::Schedule(Seconds(second), [sender]() {
                Ptr<Packet> packet = Create<Packet>(100000);
                const uint16_t protocol = D2dTransport::PROTOCOL + 1; // any that nobody else uses
                const Mac48Address all = Mac48Address::GetBroadcast();
                sender->GetMac()->SendBurst({packet, all, protocol, D2dReliability::BEST_EFFORT});
            });
            Simulator::Schedule(Seconds(second + 1), [sender, receiver, &received]() {
                PrintRow(sender, 0);
                PrintRow(receiver, received);
            });
        }

        std::cout << "time [s] device tx [J] rx [J] idle [J] compute [J] left [J] radio received\n";
        Simulator::Stop(Seconds(duration)); // a battery has events for as long as the run goes on
        Simulator::Run();
        Simulator::Destroy();
    });
}
