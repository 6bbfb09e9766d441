/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-scenario.h"

#include <iostream>

using namespace ns3::collab;

int
main(int argc, char* argv[])
{
    return RunScenario("federated", [&]() {
        FederatedParameters p;
        ScenarioArguments arguments(
            __FILE__,
            "Devices train one model with a server at a base station, over lossy links (D2S): "
            "FedAvg, FedProx, SCAFFOLD or FedDyn.\n"
            "Data, devices and seeds are those of prediction-consensus.");
        AddSampleArguments(arguments, p);
        AddModelArguments(arguments, p);
        arguments.Add("algorithm", "fedavg, fedprox, scaffold or feddyn", p.algorithm);
        arguments.Add("optimizer", "adam, sgd, or auto: sgd for scaffold, else adam", p.optimizer);
        arguments.Add("sgdLearningRate", "of SGD", p.sgdLearningRate);
        arguments.Add("rounds", "rounds", p.rounds);
        arguments.Add("localEpochs", "passes over the local samples a round", p.localEpochs);
        arguments.Add("localSteps",
                      "if not 0: steps on the local samples a round, instead of passes",
                      p.localSteps);
        arguments.Add("mu", "fedprox: weight of the proximal term", p.mu);
        arguments.Add("feddynAlpha", "feddyn: weight of the regularizer", p.feddynAlpha);
        arguments.Add("serverRate", "scaffold: step size of the server", p.serverRate);
        arguments.Add("participation", "fraction of the devices in a round", p.participation);
        arguments.Add(
            "aggregation", "rule, such as mean, median:f=1 or trimmed-mean:b=1", p.aggregation);
        arguments.Add("measureClients",
                      "measure every model on all devices' own test samples too",
                      p.measureClients);
        AddMaliceArguments(arguments, p);
        arguments.Add("uplinkCompression",
                      "of updates, such as float16, int8 or top-k:fraction=0.1",
                      p.uplinkCompression);
        arguments.Add(
            "downlinkCompression", "of models: float32, float16 or int8", p.downlinkCompression);
        arguments.Add("downlink", "how models are sent: broadcast or unicast", p.downlink);
        arguments.Add("loss", "of the radio: best-effort or reliable (ARQ)", p.loss);
        arguments.Add("roundDeadline",
                      "longest time from the model to the end of a round [s]",
                      p.roundDeadline);
        arguments.Add("serverOutage",
                      "outage probability of the farthest device's link to the server, which sets "
                      "the devices' power",
                      p.serverOutage);
        arguments.Add(
            "slowDevices", "devices with slow processors, e.g. 1,5, or none", p.slowDevices);
        arguments.Add("slowdown", "how many times as long their jobs take", p.slowdown);
        AddRunArguments(arguments, p);
        arguments.Parse(argc, argv);
        RunFederated(p, std::cout);
    });
}
