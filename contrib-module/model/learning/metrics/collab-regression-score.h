/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_REGRESSION_SCORE_H
#define COLLAB_REGRESSION_SCORE_H

#include "ns3/collab-learner.h"

namespace ns3::collab
{

/// @param outputs predictions, samples x outputs
/// @param view the samples, of a data set for regression
/// @return mean squared error over samples and outputs, and coefficient of determination; the
/// others are NaN
/// @throws std::invalid_argument if the shapes do not fit
Score ScoreRegression(const Matrix<float>& outputs, const DataView& view);

} // namespace ns3::collab

#endif /* COLLAB_REGRESSION_SCORE_H */
