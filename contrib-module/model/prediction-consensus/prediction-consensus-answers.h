/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_ANSWERS_H
#define PREDICTION_CONSENSUS_ANSWERS_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-matrix.h"

namespace ns3::collab
{

/// @ingroup collab
/// @brief What no agent knows: the answers for X*, as targets to pull to.
/// @param reference X*
/// @param columns classes, or outputs in regression
/// @return one row a sample: 1 at its class and else 0, or its targets
/// @throws std::invalid_argument if X* has no labels, or one that is no class
Matrix<float> ListAnswers(const DataView& reference, std::size_t columns);

/// @ingroup collab
/// @brief Compare pseudo-labels with the labels that X* has.
/// @param reference X*
/// @param pseudoLabels one row of class probabilities a sample
/// @return part of X* whose label is the most probable class, of equals the one with the lowest
/// number; NaN if X* has no labels
double ScorePseudoLabels(const DataView& reference, const Matrix<float>& pseudoLabels);

} // namespace ns3::collab

#endif /* PREDICTION_CONSENSUS_ANSWERS_H */
