/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_OPTIMIZER_H
#define COLLAB_OPTIMIZER_H

#include "collab-rate-schedule.h"

#include <cstdint>
#include <string>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief How a learner follows its gradient.
enum class OptimizerKind : uint8_t
{
    ADAM, //!< Kingma, Ba, ICLR 2015
    SGD,  //!< stochastic gradient descent, perhaps with momentum
};

/**
 * @ingroup collab-learning
 * @brief Constants of an optimizer; all steps are PyTorch's.
 *
 * With g the gradient plus weightDecay w:
 * - ADAM: m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g^2; after the t-th step
 *   w -= rate / (1 - beta1^t) m / (sqrt(v / (1 - beta2^t)) + epsilon).
 * - SGD: b = momentum b + g, from b = 0; w -= rate b, or with Nesterov's rate (g + momentum b).
 */
struct OptimizerOptions
{
    OptimizerKind kind = OptimizerKind::ADAM; //!< which one
    double momentum = 0;                      //!< SGD: 0 to below 1
    bool isNesterov = false;                  //!< SGD: looks ahead; needs momentum
    double weightDecay = 0;                   //!< not negative
    double beta1 = 0.9;                       //!< ADAM: 0 to below 1
    double beta2 = 0.999;                     //!< ADAM: 0 to below 1
    double epsilon = 1e-8;                    //!< ADAM: positive
    /// ADAM: whether weightDecay makes weights smaller by rate times weightDecay times themselves
    /// before the step, and is no part of g (AdamW: Loshchilov, Hutter, ICLR 2019)
    bool decouplesDecay = false;
    /// greatest l2 norm of the gradient of a step, beyond which it is shortened to that; 0 for none
    double maxNorm = 0;
    RateSchedule schedule; //!< of the learning rate
};

/// @param options options to check
/// @throws std::invalid_argument if a value is not allowed
void CheckOptimizer(const OptimizerOptions& options);

/// @brief Read constants of an optimizer from text.
/// @param text such as "weightDecay=1e-4,maxNorm=1"; keys are the names of the members, and
/// "nesterov" and "decoupled", which are 0 or 1; empty for no change
/// @param[in,out] options options, of which the text replaces those that it names
/// @throws std::invalid_argument that names what is not allowed, and what is
void ReadOptimizerOptions(const std::string& text, OptimizerOptions& options);

/// @param options options of an optimizer
/// @return operations of a step for each parameter. ADAM: 13, of which 3 for the first moment, 4
/// for the second, 3 for the denominator and 3 for the update. SGD: 2, and 2 more with momentum,
/// and 2 more with Nesterov's. Weight decay: 2 more. A greatest norm: 3 more, for squares, their
/// sum and the product
uint64_t CountOptimizerFlops(const OptimizerOptions& options);

} // namespace ns3::collab

#endif /* COLLAB_OPTIMIZER_H */
