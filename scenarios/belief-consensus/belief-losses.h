/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_LOSSES_H
#define BELIEF_LOSSES_H

#include "belief-consensus-scenario.h"

#include "ns3/belief-consensus-mixing.h"
#include "ns3/collab-matrix.h"
#include "ns3/d2d-arq-rules.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <string>

/// A burst for several receivers, as one of them sees it
struct BeliefBurst
{
    uint64_t fragments = 1;        //!< of the burst; at least 1
    uint32_t attempts = 1;         //!< transmissions that a fragment may have; at least 1
    double outage = 0;             //!< of a fragment
    double acknowledgmentLoss = 0; //!< of an acknowledgment on the way back
    ns3::collab::D2dArq arq = ns3::collab::D2dArq::STOP_AND_WAIT; //!< if it has several attempts
};

/**
 * @brief How often a burst that is for several receivers lacks a fragment at one of them.
 *
 * All fragments are sent once to all. Then those that a receiver has not acknowledged are repeated
 * for it. With stop-and-wait that is given up at the first of them whose acknowledgment does not
 * come in time, whether or not the receiver has it: what comes after it stays as it was.
 *
 * @return the probability
 */
double ComputeBurstLoss(const BeliefBurst& burst);

/// How often whole beliefs are lost, if nothing else is sent
struct BeliefLosses
{
    ns3::collab::Matrix<double> probabilities; //!< p_ij; 0 where i does not listen to j
    std::string unknown; //!< why they are not known; empty if they are. Then they are 0
    double airtime = 0;  //!< of a belief that is sent once [s]

    /// @return the greatest of them
    double GetGreatest() const;
};

/// How users weigh each other
struct BeliefTrust
{
    ns3::collab::Matrix<double> w;    //!< W
    BeliefLosses losses;              //!< p_ij
    ns3::collab::MixingReport mixing; //!< of W; no influence if it has no unique one
};

/// @param w W, by which i listens to j where W_ij > 0
/// @return losses on the channel as it is now, at the rates that senders choose
BeliefLosses FindBeliefLosses(const BeliefParameters& p,
                              const ns3::collab::Matrix<double>& w,
                              const ns3::NodeContainer& nodes,
                              uint64_t bytes);

#endif /* BELIEF_LOSSES_H */
