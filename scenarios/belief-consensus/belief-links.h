/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_LINKS_H
#define BELIEF_LINKS_H

#include "belief-consensus-scenario.h"
#include "common/scenario.h"

#include "ns3/belief-consensus-weights.h"
#include "ns3/collab-matrix.h"

/**
 * @brief Place the users and give them radios, batteries, processors and transports.
 *
 * With --links=graph neighbors of the topology hear each other, all with the same outage
 * probability, and others nothing; the devices are anywhere in a square of 100 m. Radios are full
 * duplex unless the attribute is given: each has a subchannel of its own, on which it can send what
 * an instant has while it hears the others.
 *
 * @param[out] neighborhoods who hears whom: N(i) by user; all empty if users learn alone
 */
ScenarioNetwork InstallBeliefLinks(const BeliefParameters& p,
                                   ns3::collab::Neighborhoods& neighborhoods);

/// @brief How well users hear each other, by which they weigh each other with
/// --weights=reliability, as soon as their radios know it.
/// @return P_D, the probability that a part of a message is lost from j to i; 0 where i does not
/// listen to j
ns3::collab::Matrix<double> GetOutageProbabilities(const ns3::collab::Neighborhoods& neighborhoods,
                                                   const ns3::NodeContainer& nodes);

/// @return W
/// @throws UserError if the arguments give none
ns3::collab::Matrix<double> MakeTrustMatrix(const BeliefParameters& p,
                                            const ns3::collab::Neighborhoods& neighborhoods,
                                            const ns3::collab::Matrix<double>& outages);

/// @brief Refuse a W for which Assumption 2 does not hold, or warn.
/// @throws UserError that says what is wrong, if that is to be refused
void RequireSuitableGraph(const BeliefParameters& p, const ns3::collab::Matrix<double>& w);

#endif /* BELIEF_LINKS_H */
