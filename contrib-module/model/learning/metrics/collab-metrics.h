/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_METRICS_H
#define COLLAB_METRICS_H

#include "ns3/collab-learner.h"
#include "ns3/collab-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @param probabilities class probabilities, samples x classes
/// @return index of each row's greatest element, the first one of equals
std::vector<int64_t> PredictedClasses(const Matrix<float>& probabilities);

/// @param probabilities class probabilities, samples x classes
/// @param labels true class of each sample
/// @return accuracy, balanced accuracy and mean cross-entropy, in which a probability below 1e-12
/// counts as 1e-12; all NaN if there are no samples or a probability is NaN
/// @throws std::invalid_argument if the numbers of rows and labels differ or if a label is no
/// column
Score ScorePredictions(const Matrix<float>& probabilities, const std::vector<int64_t>& labels);

/// @ingroup collab-learning
/// @brief How well one class is recognized.
struct ClassScore
{
    uint64_t samples = 0;   //!< of the class
    uint64_t predicted = 0; //!< that were taken for the class
    uint64_t right = 0;     //!< both
    double recall = 0;      //!< right / samples; NaN if there are none
    double precision = 0;   //!< right / predicted; NaN if there are none
};

/// @param probabilities class probabilities, samples x classes
/// @param labels true class of each sample
/// @return one score a class
/// @throws std::invalid_argument if the numbers of rows and labels differ or if a label is no
/// column
std::vector<ClassScore> ScoreClasses(const Matrix<float>& probabilities,
                                     const std::vector<int64_t>& labels);

/**
 * @brief Expected calibration error (Guo et al., ICML 2017, eq. (3)).
 *
 * Samples are binned by the probability of their predicted class, in equal widths (l, u] as the
 * authors have them; the error is the mean over samples of | accuracy - mean probability | of their
 * bin.
 *
 * @param probabilities class probabilities, samples x classes
 * @param labels true class of each sample
 * @param bins number of bins; at least 1
 * @return the error, from 0 to 1; NaN if there are no samples or a probability is NaN
 * @throws std::invalid_argument if the numbers of rows and labels differ, if a label is no column,
 * if there are no bins or if a probability is outside of 0 to 1
 */
double ExpectedCalibrationError(const Matrix<float>& probabilities,
                                const std::vector<int64_t>& labels,
                                uint32_t bins = 15);

/// @param probabilities class probabilities, samples x classes
/// @return entropy of each row [nat]; 0 log 0 is 0
std::vector<double> PredictiveEntropies(const Matrix<float>& probabilities);

/// @brief Area under the receiver operating characteristic (AUROC).
/// @param negatives scores of samples of one kind
/// @param positives scores of samples of the other kind
/// @return probability that a random positive has the greater score, ties counting one half; NaN if
/// one kind has no samples or a score is NaN
double AreaUnderRoc(std::vector<double> negatives, const std::vector<double>& positives);

} // namespace ns3::collab

#endif /* COLLAB_METRICS_H */
