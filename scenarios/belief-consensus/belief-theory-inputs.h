/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_THEORY_INPUTS_H
#define BELIEF_THEORY_INPUTS_H

#include "belief-losses.h"
#include "belief-parameters.h"

#include "ns3/belief-consensus-mixing.h"
#include "ns3/collab-matrix.h"

/// What the theory of a run depends on
struct BeliefTheoryInputs
{
    const BeliefParameters& p;               //!< of the run
    const ns3::collab::Matrix<double>& w;    //!< W
    const BeliefLosses& losses;              //!< p_ij
    const ns3::collab::MixingReport& mixing; //!< of W
};

#endif /* BELIEF_THEORY_INPUTS_H */
