/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-scenario.h"

#include "ns3/collab-scenario-arguments.h"

#include <iostream>

using namespace ns3::collab;

int
main(int argc, char* argv[])
{
    return RunScenario("prediction-consensus", [&]() {
        PredictionConsensusParameters p;
        ScenarioArguments arguments(
            __FILE__,
            "Agents learn together by agreeing on labels of shared unlabeled samples, over a lossy "
            "D2D network.\n"
            "(Fan, Mendler-Duenner, Jaggi, \"Collaborative Learning via Prediction Consensus\", "
            "NeurIPS 2023.)");
        arguments.Add("devices", "number of agents, at least 2", p.devices);
        arguments.Add("dataDir", "folder of the IDX files", p.dataDir);
        arguments.Add("samples", "labelled samples a device, on average", p.samples);
        arguments.Add(
            "referenceSamples", "size of X*, a multiple of the classes", p.referenceSamples);
        arguments.Add("testSamples", "size of the global test set", p.testSamples);
        arguments.Add("partition", "dirichlet or iid", p.partition);
        arguments.Add("alpha", "concentration of the Dirichlet partition", p.alpha);
        arguments.Add("minimumSamples", "least samples of a device", p.minimumSamples);
        arguments.Add("lowQuality", "devices with bad labels, e.g. 2,9, or none", p.lowQuality);
        arguments.Add("labelNoise", "what is bad about them: shift or permute", p.labelNoise);
        arguments.Add("model", "model of every agent, such as mlp, mlp:100-50 or netcnn", p.model);
        arguments.Add("learningRate", "of Adam", p.learningRate);
        arguments.Add("batchSize", "local samples a step", p.batchSize);
        arguments.Add("referenceBatchSize", "X* samples a step", p.referenceBatchSize);
        arguments.Add("trust", "dynamic, static, naive or local (no exchange)", p.trust);
        arguments.Add("rounds", "rounds", p.rounds);
        arguments.Add("pretrainingRounds", "rounds before the first exchange", p.pretrainingRounds);
        arguments.Add("localEpochs", "passes over the local samples a round", p.localEpochs);
        arguments.Add("lambda", "weight of the distance to the pseudo-labels", p.lambda);
        arguments.Add("missing", "for lost predictions: stale or exclude", p.missing);
        arguments.Add("loss", "of the radio: best-effort or reliable (ARQ)", p.loss);
        arguments.Add("deadline", "longest wait for predictions [s]", p.deadline);
        arguments.Add("maxOutage",
                      "outage probability of the longest link, by log-distance path loss",
                      p.maxOutage);
        arguments.Add("battery", "charge of each device [J]", p.battery);
        arguments.Add("threads", "host threads, 0 for one a core", p.threads);
        arguments.Add("runDir", "run folder to write; must not exist", p.runDir);
        arguments.Add("recorder", "format of the tables: csv or sqlite (run.sqlite)", p.recorder);
        arguments.Add("quiet", "print nothing but errors", p.quiet);
        arguments.Parse(argc, argv);
        RunPredictionConsensus(p, std::cout);
    });
}
