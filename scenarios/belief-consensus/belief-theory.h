/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_THEORY_H
#define BELIEF_THEORY_H

#include "belief-losses.h"
#include "belief-watch.h"

#include "ns3/belief-consensus-recorder.h"

#include <string>
#include <vector>

/// @return all that is known beforehand of users who pool beliefs, as rows of the table theory
std::vector<ns3::collab::BeliefTheoryRow> ComputeBeliefTheory(const BeliefParameters& p,
                                                              const BeliefTrust& trust);

/// @brief Work out what follows from the weights that were in force, where W changes in the run.
/// @param watch what was seen of the run, which is over
/// @return rows of the table theory; none if users pooled nothing
std::vector<ns3::collab::BeliefTheoryRow> ComputeMeanTheory(const BeliefParameters& p,
                                                            const BeliefWatch& watch);

/// @return D = 2 R (1 + S), which honest users of the family discrete never exceed if nothing is
/// lost and all update in common instants [nat]; R is of all samples of an instant
double ComputeHonestRadius(const BeliefParameters& p, const BeliefTrust& trust);

/// @return lines with those rows of the table theory that are of all users
std::string FormatBeliefTheory(const std::vector<ns3::collab::BeliefTheoryRow>& rows);

#endif /* BELIEF_THEORY_H */
