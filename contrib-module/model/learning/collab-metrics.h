/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_METRICS_H
#define COLLAB_METRICS_H

#include "collab-learner.h"
#include "collab-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @param probabilities class probabilities, samples x classes
 * @return index of each row's greatest element, the first one of equals
 */
std::vector<int64_t> PredictedClasses(const Matrix<float>& probabilities);

/**
 * @param probabilities class probabilities, samples x classes
 * @param labels true class of each sample
 * @return accuracy, balanced accuracy and mean cross-entropy, in which a probability below 1e-12
 * counts as 1e-12
 * @throws std::invalid_argument if the numbers of rows and labels differ or if a label is no column
 */
Score ScorePredictions(const Matrix<float>& probabilities, const std::vector<int64_t>& labels);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_METRICS_H */
