/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-scenario.h"

#include "ns3/collab-scenario-arguments.h"

#include <iostream>

using namespace ns3::collab;

int
main(int argc, char* argv[])
{
    return RunScenario("committee", [&]() {
        CommitteeParameters p;
        ScenarioArguments arguments(
            __FILE__,
            "Devices learn together without a server: an elected committee scores, selects and "
            "aggregates their gradients, by votes that cross a lossy D2D network.\n"
            "(Che, Li, Chen, He, Zheng, \"A Decentralized Federated Learning Framework via "
            "Committee Mechanism with Convergence Guarantee\", IEEE TPDS 2022.)");
        AddSampleArguments(arguments, p);
        AddModelArguments(arguments, p);
        arguments.Add("rounds", "rounds", p.rounds);
        arguments.Add("activePercent", "devices that are active in a round [%]", p.activePercent);
        arguments.Add("committeePercent",
                      "omega, active devices that are the committee [%]",
                      p.committeePercent);
        arguments.Add("acceptPercent", "alpha, gradients that are accepted [%]", p.acceptPercent);
        arguments.Add("selection", "I (highest scores) or II (lowest)", p.selection);
        arguments.Add("election", "middle, top or random", p.election);
        arguments.Add("quorum", "paper or byzantine (commit certificates)", p.quorum);
        arguments.Add("primaryVotes", "with paper: count the primary's vote", p.primaryVotes);
        arguments.Add("maxAttempts", "primaries of a vote", p.maxAttempts);
        arguments.Add("measureClients",
                      "measure every model on all devices' own test samples too",
                      p.measureClients);
        AddMaliceArguments(arguments, p);
        AddFaultArguments(arguments, p);
        arguments.Add("misbehavior",
                      "of malicious members, such as equivocate+split-scores, or none",
                      p.misbehavior);
        arguments.Add("localSteps", "tau, steps of SGD a round", p.localSteps);
        arguments.Add("localRate", "learning rate of a step of SGD", p.localRate);
        arguments.Add("globalRate", "learning rate of a round", p.globalRate);
        arguments.Add("gradient", "last or accumulated", p.gradient);
        arguments.Add("upload", "unicast or broadcast", p.upload);
        arguments.Add("loss", "of the radio: best-effort or reliable (ARQ)", p.loss);
        arguments.Add("gradientTimeout", "longest wait for gradients [s]", p.gradientTimeout);
        arguments.Add("scoreTimeout", "longest wait for scores [s]", p.scoreTimeout);
        arguments.Add("attemptTimeout", "patience with a primary [s]", p.attemptTimeout);
        arguments.Add("modelTimeout", "time to broadcast the model [s]", p.modelTimeout);
        arguments.Add("authenticator", "size of an authenticator [B]", p.authenticator);
        AddRunArguments(arguments, p);
        arguments.Parse(argc, argv);
        RunCommittee(p, std::cout);
    });
}
