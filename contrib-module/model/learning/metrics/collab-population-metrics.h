/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_POPULATION_METRICS_H
#define COLLAB_POPULATION_METRICS_H

#include "ns3/collab-matrix.h"
#include "ns3/collab-vector-stack.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @brief How often two models predict different classes.
 *
 * @param a class that the first model predicts for each sample
 * @param b class that the second one predicts
 * @return fraction of the samples; NaN if there are none
 * @throws std::invalid_argument if they are not of the same samples
 */
double Disagreement(const std::vector<int64_t>& a, const std::vector<int64_t>& b);

/**
 * @brief How often two models of a population predict different classes: the mean over all pairs.
 *
 * @param predictions for each model the class that it predicts for each sample
 * @return fraction of the samples; NaN for less than two models or if there are no samples
 * @throws std::invalid_argument if they are not of the same samples
 */
double MeanDisagreement(const std::vector<std::vector<int64_t>>& predictions);

/// @ingroup collab
/// @brief How far the parameters of a population are from their mean.
struct ConsensusDistance
{
    double meanSquare = 0; //!< mean of squared l2 distances to the mean
    double rms = 0;        //!< root of that
    double greatest = 0;   //!< greatest l2 distance to the mean
};

/**
 * @brief How far models are from consensus (Kong et al., ICML 2021: rms is their Xi).
 *
 * @param parameters of each model
 * @param threads number of threads; the result does not depend on it
 * @return distances to their mean, which is rounded to float
 * @throws std::invalid_argument if a parameter is not finite
 */
ConsensusDistance GetConsensusDistance(const VectorStack& parameters, unsigned threads = 1);

/**
 * @brief Fairness: how the worst tenth of a population fares.
 *
 * @param values one a device, such as accuracies; the greater the better
 * @return mean of the ceil(N / 10) least values; NaN if there are none or one is NaN
 */
double WorstDecileMean(std::vector<double> values);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_POPULATION_METRICS_H */
