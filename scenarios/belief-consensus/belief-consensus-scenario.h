/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_SCENARIO_H
#define BELIEF_CONSENSUS_SCENARIO_H

#include "belief-parameters.h"

#include <ostream>

/**
 * @brief Run belief consensus or what it is compared with once, and write its run folder.
 *
 * With the same parameters, seed and run number, users see the same samples whatever the method,
 * W and the radio are.
 *
 * @param output where to print the theory and the result, unless quiet
 */
void RunBeliefConsensus(BeliefParameters& parameters, std::ostream& output);

#endif /* BELIEF_CONSENSUS_SCENARIO_H */
