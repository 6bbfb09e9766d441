/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-scenario.h"

#include <iostream>

using namespace ns3::collab;

int
main(int argc, char* argv[])
{
    return RunScenario("gossip", [&]() {
        GossipParameters p;
        ScenarioArguments arguments(
            __FILE__,
            "Devices learn together without a server, by exchanging models or parts of them over a "
            "lossy D2D network: BrainTorrent, GossipFL or segmented gossip.\n"
            "Data, devices and seeds are those of prediction-consensus.");
        AddSampleArguments(arguments, p);
        AddModelArguments(arguments, p);
        arguments.Add("algorithm", "braintorrent, gossipfl or segmented", p.algorithm);
        arguments.Add("optimizer", "adam or sgd", p.optimizer);
        arguments.Add("sgdLearningRate", "of SGD", p.sgdLearningRate);
        arguments.Add("rounds", "rounds; of braintorrent turns of one device", p.rounds);
        arguments.Add("localEpochs", "passes over the local samples a training", p.localEpochs);
        arguments.Add("localSteps", "steps of a training; 0 for whole passes", p.localSteps);
        arguments.Add(
            "fraction", "gossipfl: part of the weights that is exchanged in a round", p.fraction);
        arguments.Add("avoidedLinks",
                      "gossipfl: part of the links, the slowest ones, that is avoided",
                      p.avoidedLinks);
        arguments.Add("connectionWindow",
                      "gossipfl: rounds within which exchanges are to connect all devices",
                      p.connectionWindow);
        arguments.Add("segments", "segmented: parts of the model", p.segments);
        arguments.Add("replicas", "segmented: peers from which each segment is pulled", p.replicas);
        arguments.Add("loss", "of the radio: best-effort or reliable (ARQ)", p.loss);
        arguments.Add("controlTimeout", "longest wait for versions or pairs [s]", p.controlTimeout);
        arguments.Add("transferTimeout", "longest wait for weights [s]", p.transferTimeout);
        arguments.Add(
            "turnTimeout", "braintorrent: patience with another device's turn [s]", p.turnTimeout);
        AddRunArguments(arguments, p);
        arguments.Parse(argc, argv);
        RunGossip(p, std::cout);
    });
}
