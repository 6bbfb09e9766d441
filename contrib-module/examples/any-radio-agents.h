/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ANY_RADIO_AGENTS_H
#define ANY_RADIO_AGENTS_H

#include "ns3/collab-module.h"

#include <memory>
#include <numeric>
#include <string>
#include <vector>

/**
 * @param dataDir folder of the IDX files
 * @param devices number of agents
 * @return agents with some 200 labeled images each and 200 unlabeled ones that they share
 */
inline std::vector<ns3::collab::PredictionConsensusAgent>
MakeAgents(const std::string& dataDir, uint32_t devices)
{
    using namespace ns3::collab;
    const auto data = LoadIdxDataSet(dataDir, true);
    std::vector<uint32_t> shared(200);
    std::vector<uint32_t> own(devices * 200);
    std::vector<uint32_t> test(1000);
    std::iota(shared.begin(), shared.end(), 0);
    std::iota(own.begin(), own.end(), shared.size());
    std::iota(test.begin(), test.end(), 0);
    const auto reference = std::make_shared<DataView>(MakeView(data, shared));
    const auto global = std::make_shared<DataView>(MakeView(LoadIdxDataSet(dataDir, false), test));
    const auto parts = PartitionDirichlet(
        data->labels, own, 10, devices, 0.5, 50, SeedFor(RandomPurpose::PARTITION));
    std::vector<PredictionConsensusAgent> agents;
    for (uint32_t i = 0; i < devices; ++i)
    {
        TorchLearnerConfig config; // of a multilayer perceptron, by default
        config.trainData = MakeView(data, parts[i]);
        config.initializationSeed = SeedFor(RandomPurpose::INITIALIZATION, i);
        config.shuffleSeed = SeedFor(RandomPurpose::SHUFFLE, i);
        agents.push_back({MakeTorchLearner(config), reference, {{"global", global}}});
    }
    return agents;
}

#endif /* ANY_RADIO_AGENTS_H */
