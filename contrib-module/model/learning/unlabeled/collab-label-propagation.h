/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LABEL_PROPAGATION_H
#define COLLAB_LABEL_PROPAGATION_H

#include "ns3/collab-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// Label of a sample that has none.
constexpr int64_t NO_LABEL = -1;

/// @ingroup collab-learning
/// @brief How labels spread from samples that have one to those that have none.
struct PropagationOptions
{
    uint32_t neighbors = 7;     //!< of each sample, itself included; 1 to the number of samples
    uint32_t iterations = 1000; //!< at most; at least 1
    /// until the distributions of an iteration differ in sum by less than this; not negative
    double tolerance = 1e-3;
};

/// @ingroup collab-learning
/// @brief What label propagation has found.
struct Propagation
{
    std::vector<int64_t> labels; //!< one a sample; those that were given are as they were
    uint32_t iterations = 0;     //!< that were made
    bool isConverged = false;    //!< whether the tolerance was reached
    uint32_t unreached = 0;      //!< samples that got the label of the nearest labelled one
};

/// @param samples samples x features
/// @param neighbors how many, 1 to the number of samples
/// @return indices, samples x neighbors: first the sample itself, then the nearest others, the
/// lower index first where distances are equal
/// @throws std::invalid_argument if the number is out of range, or a sample not finite
Matrix<uint32_t> FindNeighbors(const Matrix<float>& samples, uint32_t neighbors);

/**
 * @brief Label propagation (Zhu, Ghahramani, 2002) over nearest neighbors, as scikit-learn's
 * LabelPropagation(kernel='knn') does it.
 *
 * Each sample i has a distribution y_i over the classes that there are. An iteration replaces that
 * of every sample without a label by the mean over its nearest neighbors, itself included, divided
 * by its sum. Samples with a label keep it. At the end a sample gets its most probable class, the
 * lowest one of equals. Neighbors are not mutual: a sample that no walk along nearest neighbors
 * leads from to a labelled one is never reached; unlike in scikit-learn, which gives it the lowest
 * class, it gets the label of the nearest labelled sample, the first one of equals.
 *
 * @param samples samples x features; finite
 * @param labels one a sample, not negative, or NO_LABEL; at least one is there
 * @param options options of the propagation
 * @return the labels
 * @throws std::invalid_argument if a value is not allowed
 */
Propagation PropagateLabels(const Matrix<float>& samples,
                            const std::vector<int64_t>& labels,
                            const PropagationOptions& options = {});

/**
 * @brief Count the operations of PropagateLabels(), about.
 *
 * For n samples of d features, C classes and k neighbors: n^2 (2 d + 1) for distances, of which
 * the comparisons are not counted, and n C (k + 3) for each of TYPICAL_PROPAGATION_ITERATIONS
 * iterations.
 *
 * @param samples n
 * @param features d
 * @param classes C
 * @param options k
 * @return floating-point operations
 */
uint64_t CountPropagationFlops(uint64_t samples,
                               uint64_t features,
                               uint64_t classes,
                               const PropagationOptions& options);

/// Iterations that simulated time is charged for; the true number depends on the samples.
constexpr uint64_t TYPICAL_PROPAGATION_ITERATIONS = 200;

} // namespace ns3::collab

#endif /* COLLAB_LABEL_PROPAGATION_H */
