/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_THEORY_H
#define BELIEF_THEORY_H

#include "belief-theory-inputs.h"
#include "belief-watch.h"

#include "ns3/belief-consensus-recorder.h"

#include <ostream>
#include <vector>

/// @brief Work out all that is known beforehand of users who pool beliefs.
/// @return rows of the table theory
std::vector<ns3::collab::BeliefTheoryRow> ComputeBeliefTheory(const BeliefTheoryInputs& inputs);

/// @brief Work out what follows from the weights that were in force, where W changes in the run.
/// @param inputs of the run, which is over
/// @return rows of the table theory; none if users pooled nothing
std::vector<ns3::collab::BeliefTheoryRow> ComputeMeanTheory(const BeliefTheoryInputs& inputs,
                                                            const BeliefWatch& watch);

/// @return D = 2 R (1 + S), which honest users of the family discrete never exceed if nothing is
/// lost and all update in common instants [nat]; R is of all samples of an instant
double ComputeHonestRadius(const BeliefTheoryInputs& inputs);

/// @param output gets those that are of all users
void PrintBeliefTheory(const std::vector<ns3::collab::BeliefTheoryRow>& rows, std::ostream& output);

#endif /* BELIEF_THEORY_H */
