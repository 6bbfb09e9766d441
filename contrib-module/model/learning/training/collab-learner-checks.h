/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LEARNER_CHECKS_H
#define COLLAB_LEARNER_CHECKS_H

#include "collab-learner.h"

#include "ns3/collab-data-set.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @param view samples to read
/// @param what words for their use in an error text
/// @param own data set that the model was made for
/// @throws std::invalid_argument if the view is not of samples that the model reads
void CheckView(const DataView& view, const std::string& what, const DataSet& own);

/// @param view the learner's own samples
/// @param needsLabels whether there must be labels or targets
/// @throws std::invalid_argument if there are no samples, if a label is missing or not below the
/// number of classes, if a number or target is not finite, or a token not in the vocabulary
void CheckTrainData(const DataView& view, bool needsLabels);

/// @param orders orders of passes over samples
/// @param samples number of samples
/// @throws std::invalid_argument if one is no permutation of 0 to samples - 1
void CheckSampleOrders(const std::vector<std::vector<uint32_t>>& orders, std::size_t samples);

/// @param positions positions of samples in the learner's own view
/// @param samples number of the learner's own
/// @throws std::invalid_argument if one is not that of a sample
void CheckPositions(const std::vector<uint32_t>& positions, std::size_t samples);

/// @param scale scale of a job's divergence, TrainTask::klScale
/// @param isVariational whether the learner has a divergence
/// @throws std::invalid_argument if it is negative, not finite, or has nothing to scale
void CheckKlScale(double scale, bool isVariational);

/// @param distillation pull to check
/// @param own data set that the model was made for
/// @param outputs number of outputs of the model
/// @throws std::invalid_argument if its inputs and targets do not belong together
void CheckDistillation(const Distillation& distillation, const DataSet& own, std::size_t outputs);

/// @param vector vector to check; null is allowed
/// @param what words for it in an error text
/// @param length length that it must have
/// @throws std::invalid_argument if it has another one or a number is not finite
void CheckFlatVector(const FlatVector& vector, const std::string& what, std::size_t length);

/// @param terms terms of a job
/// @param weights number of weights of the learner
/// @param isVariational whether its weights are means and standard deviations
/// @throws std::invalid_argument if a vector or a factor is not allowed
void CheckTerms(const ObjectiveTerms& terms, std::size_t weights, bool isVariational);

/// @param learner a learner
/// @return whether all its weights are finite, as they are not if training has diverged
bool HasFiniteWeights(const Learner& learner);

} // namespace ns3::collab

#endif /* COLLAB_LEARNER_CHECKS_H */
