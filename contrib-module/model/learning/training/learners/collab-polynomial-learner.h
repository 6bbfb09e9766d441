/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_POLYNOMIAL_LEARNER_H
#define COLLAB_POLYNOMIAL_LEARNER_H

#include "ns3/collab-learner.h"

#include <memory>

namespace ns3::collab
{

/**
 * @brief Make a learner that fits a polynomial of one number exactly, by least squares.
 *
 * Train() finds the coefficients w that make the mean squared error on the own samples, plus lambda
 * times that to the targets of distillation, least, whatever the number of epochs or steps: the
 * arg min of Algorithm 1 in Fan et al. (NeurIPS 2023). It counts as one step. There is no optimizer
 * and nothing random. Weights are the coefficients of powers 0, 1, ...; they are 0 until the first
 * training. Of the other terms of a task, only l2, which makes the fit a ridge regression, is
 * known.
 *
 * Operations, with p = degree + 1 coefficients:
 * - a sample of a training: p - 2 products for its powers, and p (p + 1) + 2 p for products and
 * sums of the normal equations, whose matrix is symmetric; and for its part of the loss 2 p + 2.
 * - a training: p^3 / 3 + 2 p^2, rounded down, to solve them by Cholesky's method.
 * - a prediction: 2 (p - 1), by Horner's scheme.
 *
 * @param trainData the own samples: one number and one target each; at least one
 * @param degree greatest power; 1 to 20
 * @return the learner
 * @throws std::invalid_argument if the samples or the degree are not allowed
 */
std::unique_ptr<Learner> MakePolynomialLearner(DataView trainData, uint32_t degree);

} // namespace ns3::collab

#endif /* COLLAB_POLYNOMIAL_LEARNER_H */
