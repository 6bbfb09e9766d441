/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_GEOMETRIC_MEDIAN_H
#define COLLAB_GEOMETRIC_MEDIAN_H

#include "ns3/collab-vector-stack.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief When the iterations of GeometricMedian() stop.
struct GeometricMedianOptions
{
    /// nu: a vector nearer than that counts as at that distance; positive, in the vectors' unit
    double smoothing = 1e-6;
    /// stop after a step that is not longer than this part of the median distance between the
    /// vectors and the point; not negative
    double tolerance = 1e-6;
    uint32_t iterations = 100; //!< at most so many steps; at least 1
};

/// @ingroup collab-learning
/// @brief How the iterations of GeometricMedian() went.
struct GeometricMedianReport
{
    uint32_t iterations = 0; //!< steps that were taken
    double objective = 0;    //!< weighted mean distance between the vectors and the result
    bool converged = false;  //!< whether the tolerance was reached
};

/**
 * @brief The weighted geometric median by the smoothed Weiszfeld algorithm.
 *
 * Pillutla, Kakade, Harchaoui, "Robust Aggregation for Federated Learning", IEEE Trans. Signal
 * Process. 2022, algorithm 2: z becomes sum(b_i x_i) / sum(b_i), b_i = a_i / max(nu, |z - x_i|),
 * with a_i the weights. Two things differ from there, since one vector that is far enough off
 * would else decide them: it starts from the coordinate-wise median instead of the mean, from which
 * it would need a step for each factor of about (n - f) / f by which f vectors are too far off; and
 * it stops by the length of a step instead of the fall of the objective, in which the others drown.
 * Each step reads the vectors once; sums are in double precision. It resists vectors that are
 * anything if these have less than half of the weight.
 *
 * @param vectors n vectors of d elements
 * @param weights n weights, which need not add up to 1
 * @param options when to stop
 * @param[out] result d elements; of no use if the function throws
 * @return how it went
 * @throws std::invalid_argument if an element is not finite, or if weights or options are refused
 */
GeometricMedianReport GeometricMedian(const VectorStack& vectors,
                                      const std::vector<double>& weights,
                                      const GeometricMedianOptions& options,
                                      float* result);

} // namespace ns3::collab

#endif /* COLLAB_GEOMETRIC_MEDIAN_H */
