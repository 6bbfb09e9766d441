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
        AddSampleArguments(arguments, p);
        AddModelArguments(arguments, p);
        arguments.Add(
            "models",
            "models of the first and the other half of the agents, e.g. netcnn,linear, or "
            "of each; --model if empty",
            p.models);
        arguments.Add("referenceBatchSize", "X* samples a step", p.referenceBatchSize);
        arguments.Add("trust", "dynamic, static, naive or local (no exchange)", p.trust);
        arguments.Add("trustInterval", "dynamic: rounds from one to the next", p.trustInterval);
        arguments.Add("consensus", "on soft labels: soft, or majority-vote", p.consensus);
        arguments.Add("rounds", "rounds", p.rounds);
        arguments.Add("pretrainingRounds", "rounds before the first exchange", p.pretrainingRounds);
        arguments.Add("localEpochs", "passes over the local samples a round", p.localEpochs);
        arguments.Add("lambda", "weight of the distance to the pseudo-labels", p.lambda);
        arguments.Add("missing", "for lost predictions: stale or exclude", p.missing);
        arguments.Add("loss", "of the radio: best-effort or reliable (ARQ)", p.loss);
        arguments.Add("deadline", "longest wait for predictions [s]", p.deadline);
        AddRunArguments(arguments, p);
        arguments.Parse(argc, argv);
        RunPredictionConsensus(p, std::cout);
    });
}
