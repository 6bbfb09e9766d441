/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A whole scenario: devices with few labelled images each learn together over a D2D network.
 *
 * After two rounds of training alone, devices broadcast what they believe about a shared set of
 * unlabeled images, weigh each other by agreement, and train towards the weighted mean.
 */

#include "ns3/collab-module.h"
#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"

#include <iomanip>
#include <iostream>
#include <numeric>

using namespace ns3;
using namespace ns3::collab;

/// @param record a round that a device has ended
static void
PrintRow(const RoundRecord& record)
{
    std::cout << std::fixed << std::setprecision(3) << std::setw(8) << record.end.GetSeconds()
              << std::setw(6) << record.round << std::setw(7) << record.device;
    for (const auto& [name, value] : record.metrics)
    {
        if (name == "accuracy_global" || name == "heard")
        {
            std::cout << std::setprecision(name == "heard" ? 0 : 3) << std::setw(13) << value;
        }
    }
    std::cout << std::endl;
}

int
main(int argc, char* argv[])
{
    return RunScenario("prediction-consensus-minimal", [&]() {
        constexpr uint32_t DEVICES = 5;
        const std::string consensusType = "ns3::collab::PredictionConsensusApplication::";
        std::string dataDir = "/usr/share/datasets/fashion-mnist";
        ParameterList list;
        list.Add("dataDir", dataDir, "folder of the IDX files");
        list.Take("rounds", "ns3::collab::CollaborationApplication::Rounds")
            .Help("rounds, the first two of them alone")
            .Default(6);
        ScenarioArguments(__FILE__, "Prediction consensus in one page.", list).Parse(argc, argv);
        SetDefaultUnlessGiven(consensusType + "PretrainingRounds", UintegerValue(2));
        SetDefaultUnlessGiven(consensusType + "LossPolicy", StringValue("Reliable")); // by ARQ
        ConfigureTorchProcess();

        // Who holds which images: X* is shared and unlabeled, the rest is dealt out unevenly.
        const auto data = LoadIdxDataSet(dataDir, true);
        std::vector<uint32_t> shared(10000), own(DEVICES * 200), test(1000);
        std::iota(shared.begin(), shared.end(), 0);
        std::iota(own.begin(), own.end(), shared.size());
        std::iota(test.begin(), test.end(), 0);
        shared = DrawBalanced( // 20 of each of the 10 classes
            data->labels,
            shared,
            10,
            200,
            SeedFor(RandomPurpose::REFERENCE));
        const auto reference = std::make_shared<DataView>(MakeView(data, shared));
        const auto parts = PartitionDirichlet(
            data->labels, own, 10, DEVICES, 0.5, 50, SeedFor(RandomPurpose::PARTITION));
        auto global = std::make_shared<DataView>(MakeView(LoadIdxDataSet(dataDir, false), test));

        // The network: nodes 100 m apart, D2D radios, batteries and processors.
        NodeContainer nodes(DEVICES);
        MobilityHelper mobility;
        mobility.SetPositionAllocator("ns3::GridPositionAllocator", "DeltaX", DoubleValue(100));
        mobility.Install(nodes);
        NetDeviceContainer radios = D2dHelper().Install(nodes);
        D2dHelper::AssignStreams(radios, 0);
        DeviceProfileHelper().Install(radios);

        // What each device learns with, and the protocol that runs on it.
        std::vector<PredictionConsensusAgent> agents;
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            TorchLearnerConfig config; // of a multilayer perceptron, by default
            config.trainData = MakeView(data, parts[i]);
            config.initializationSeed = SeedFor(RandomPurpose::INITIALIZATION, i);
            config.shuffleSeed = SeedFor(RandomPurpose::SHUFFLE, i);
            agents.push_back({MakeTorchLearner(config), reference, {{"global", global}}});
        }
        PredictionConsensusHelper consensus(CreateObject<LearnerPool>());
        consensus.SetAttribute("Rounds", UintegerValue(list.Get<uint32_t>("rounds")));
        ApplicationContainer applications = consensus.Install(nodes, agents);
        for (auto it = applications.Begin(); it != applications.End(); ++it)
        {
            (*it)->TraceConnectWithoutContext("Round", MakeCallback(&PrintRow));
        }
        std::cout << "time [s] round device accuracy [1] peers heard\n";
        StopWhenAllEnd(applications);
        Simulator::Run();
        Simulator::Destroy();
    });
}
