/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_LINEAR_THEORY_H
#define BELIEF_CONSENSUS_LINEAR_THEORY_H

#include "ns3/collab-matrix.h"

#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * Closed forms for Example 1 of Lalitha et al., distributed Bayesian linear regression: labels are
 * theta' phi plus Gaussian noise, phi = [1 x']', of a mean that users learn together.
 */

/// @ingroup collab
/// @brief What a user's samples are like.
struct LinearUser
{
    Matrix<double> secondMoment; //!< E_j[phi phi'], symmetric, positive semidefinite
    double noise = 1;            //!< standard deviation of its labels' noise alpha, positive
};

/// @ingroup collab
/// @brief n times the mean excess squared error after many instants n, without the test's noise.
struct LinearLimits
{
    double cooperating = 0; //!< of users who pool beliefs
    double central = 0;     //!< of one who has all samples of all users
    double ratio = 0;       //!< cooperating : central; 1 at least
};

/**
 * @brief What n E[(theta-hat - theta*)' T (theta-hat - theta*)] tends to.
 *
 * trace(T A^-1 B A^-1) with A = sum_j g_j E_j / alpha_j^2 and B = sum_j g_j^2 E_j / alpha_j^2. The
 * central user's g_j are all 1.
 *
 * With lost messages g = v-bar of E[W_t] is an approximation: the weights with which samples are
 * counted vary then, which adds to the error.
 *
 * @param users by user
 * @param powers g_j, positive: v_j; 1 if likelihoods are raised to the power 1 / v_j
 * @param test T, the second moment E[phi phi'] of test inputs
 * @return the limits
 * @throws std::invalid_argument if sizes differ, a power or noise is not positive, or all users
 * together cannot learn theta
 */
LinearLimits ComputeLinearLimits(const std::vector<LinearUser>& users,
                                 const std::vector<double>& powers,
                                 const Matrix<double>& test);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_LINEAR_THEORY_H */
