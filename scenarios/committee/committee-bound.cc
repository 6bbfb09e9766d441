/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-bound-scenario.h"

#include "ns3/collab-scenario-arguments.h"

#include <iostream>

using namespace ns3::collab;

int
main(int argc, char* argv[])
{
    return RunScenario("committee-bound", [&]() {
        CommitteeBoundParameters p;
        ScenarioArguments arguments(
            __FILE__,
            "The error of a ridge regression that a committee learns, beside Theorem 1's bound.\n"
            "(Che, Li, Chen, He, Zheng, \"A Decentralized Federated Learning Framework via "
            "Committee Mechanism with Convergence Guarantee\", IEEE TPDS 2022.)");
        arguments.Add("selection", "I (highest scores) or II (lowest)", p.selection);
        arguments.Add("rounds", "rounds", p.rounds);
        arguments.Add("clients", "K, all clients", p.clients);
        arguments.Add("training", "n, clients that train in a round", p.training);
        arguments.Add("committee", "C, members of the committee", p.committee);
        arguments.Add("acceptPercent", "alpha, gradients that are accepted [%]", p.acceptPercent);
        arguments.Add("threads", "of no effect", p.threads);
        arguments.Add("runDir", "run folder to write; must not exist", p.runDir);
        arguments.Add("recorder", "format of the tables: csv or sqlite (run.sqlite)", p.recorder);
        arguments.Add("quiet", "print nothing but errors", p.quiet);
        arguments.Parse(argc, argv);
        RunCommitteeBound(p, std::cout);
    });
}
