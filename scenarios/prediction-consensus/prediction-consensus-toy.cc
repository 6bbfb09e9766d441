/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-toy-scenario.h"

#include "ns3/collab-scenario-arguments.h"

#include <iostream>

using namespace ns3::collab;

int
main(int argc, char* argv[])
{
    return RunScenario("prediction-consensus-toy", [&]() {
        ConsensusToyParameters p;
        ScenarioArguments arguments(
            __FILE__,
            "Examples of prediction consensus that can be drawn, over a D2D network.\n"
            "(Fan, Mendler-Duenner, Jaggi, \"Collaborative Learning via Prediction Consensus\", "
            "NeurIPS 2023, Fig. 1, 2 and 7.)");
        arguments.Add("experiment",
                      "regression (Fig. 1), two-degrees (Fig. 7) or boundaries (Fig. 2)",
                      p.experiment);
        arguments.Add("trust", "dynamic, static, naive or local (no exchange)", p.trust);
        arguments.Add("rounds", "collaborative rounds; 0 for the paper's: 20, 50 or 50", p.rounds);
        arguments.Add("pretrainingRounds",
                      "rounds before the first exchange; 0 for 1, 1 or 20",
                      p.pretrainingRounds);
        arguments.Add("localEpochs", "boundaries: local passes a round", p.localEpochs);
        arguments.Add("agentSamples", "samples of an agent", p.agentSamples);
        arguments.Add("lambda", "weight of the distance to the pseudo-labels", p.lambda);
        AddModelArguments(arguments, p);
        AddRunArguments(arguments, p);
        arguments.Parse(argc, argv);
        RunConsensusToy(p, std::cout);
    });
}
