/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A network of Gaussian beliefs: five sensors in a row learn a plane of which each sees one line.
 *
 * Every 100 ms a sensor measures once, updates its belief about intercept and slopes, broadcasts
 * the belief, and pools what it has heard from the sensors beside it. A message that is lost leaves
 * its weight to the sensor itself.
 */

#include "ns3/collab-module.h"
#include "ns3/core-module.h"
#include "ns3/network-module.h"

#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::collab;

/// @param record an instant that a sensor has ended
static void
PrintRow(const RoundRecord& record)
{
    const uint32_t instant = record.round + 1;
    if (instant == 1 || instant == 10 || instant % 100 == 0)
    {
        std::cout << std::setw(8) << record.end.GetSeconds() << std::setw(9) << instant
                  << std::setw(7) << record.device << std::setw(13) << record.metrics[0].second
                  << std::setw(12) << record.metrics[3].second << std::endl;
    }
}

int
main(int argc, char* argv[])
{
    return RunScenario("gaussian-beliefs", [&]() {
        constexpr uint32_t SENSORS = 5;
        double spacing = 300;
        ParameterList list;
        list.Take("instants", "ns3::collab::CollaborationApplication::Rounds")
            .Help("how often each measures")
            .Default(300);
        list.Add("spacing", spacing, "from one sensor to the next [m]");
        ScenarioArguments(__FILE__, "Sensors in a row learn a plane together.", list)
            .Parse(argc, argv);
        const std::string userType = "ns3::collab::BeliefConsensusApplication::";
        SetDefaultUnlessGiven(userType + "Interval", TimeValue(MilliSeconds(100)));
        SetDefaultUnlessGiven(userType + "MissingPolicy", StringValue("Self"));

        // The network: radios, batteries and processors in a row. Half-duplex radios take turns.
        NodeContainer nodes = MakeD2dDevices(SENSORS, spacing);

        // What each sensor measures: the height of a plane, along one of two axes.
        std::vector<std::unique_ptr<BeliefModel>> models;
        for (uint32_t i = 0; i < SENSORS; ++i)
        {
            GaussianBeliefConfig config;
            config.theta = {-0.3, 0.5, 0.8}; // intercept and slopes, which no sensor knows
            config.observers = {i % 2 == 0 ? LinearObserver{{-1, 0}, {1, 0}}
                                           : LinearObserver{{0, -1.5}, {0, 1.5}}};
            config.seeds = {SeedFor(RandomPurpose::DATA_SET, i)};
            config.test = LinearObserver{{-1, -1.5}, {1, 1.5}};
            models.push_back(MakeGaussianBelief(std::move(config)));
        }

        // Whom each listens to, and how much: a row is a grid with one row.
        WeightSettings trust;
        trust.rule = WeightRule::METROPOLIS;
        const Matrix<double> w = MakeWeights(MakeGridNeighborhoods(SENSORS), trust);
        std::cout << "weights are " << (CheckGraph(w).problem.empty() ? "" : "not ")
                  << "fit for consensus\n";

        BeliefConsensusHelper consensus;
        consensus.SetAttribute("Rounds", UintegerValue(list.Get<uint32_t>("instants")));
        const auto users = consensus.Install(nodes, std::move(models), w);
        BeliefConsensusHelper::AssignStreams(users, 1000);
        for (uint32_t i = 0; i < SENSORS; ++i)
        {
            users.Get(i)->TraceConnectWithoutContext("Round", MakeCallback(&PrintRow));
        }
        std::cout << "time [s]  instant sensor excess error coverage [1]\n";
        StopWhenAllEnd(users);
        Simulator::Run();
        Simulator::Destroy();
    });
}
