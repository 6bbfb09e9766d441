/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_LEARNER_H
#define COLLAB_TORCH_LEARNER_H

#include "collab-torch-learner-config.h"

#include "ns3/collab-learner.h"

#include <memory>
#include <vector>

namespace ns3::collab
{

/**
 * @brief Make a learner with random initial parameters.
 *
 * A step takes a batch of local samples, in a new random order every epoch, and follows by the
 * optimizer the gradient of the mean loss on it, plus, if there are targets psi, lambda times the
 * mean of -sum_c psi_c log(p_c + 1e-8) over a batch of X*, plus the other ObjectiveTerms. One
 * optimizer's state is kept for the learner's whole life, unless a task resets it.
 *
 * Initial weights and biases of a layer are uniform between -1/sqrt(n) and 1/sqrt(n), n being the
 * number of inputs that one of its outputs reads: what PyTorch does by default for these layers.
 *
 * Operations are counted as LayerCost does. With C classes or outputs:
 * - prediction: 5 C - 2 a sample for the softmax (greatest logit, subtractions, exponentials, sum,
 *   divisions); nothing in regression.
 * - cross-entropy: 6 C + 1 a local sample: softmax; logarithm of one probability and its addition
 * to the loss; gradient, C + 1 (probability minus label, divided by the size of the batch).
 *   Label smoothing: 2 C + 2 more, for the other logarithms, their sum and its part of the loss;
 *   class weights: 2 more.
 * - distillation: 15 C - 3 a sample of X*: softmax; 4 C for the loss (adding 1e-8, logarithm,
 * product with the target, sum); 6 C - 1 for the gradient p_k (sum_c u_c p_c - u_k) with u = psi /
 * (p + 1e-8), times lambda over the size of the batch.
 * - squared and absolute error: 4 C a sample: difference, its square or size, sum, and the
 *   gradient's product or sign.
 * - triplets of embeddings of width D: two forward and backward passes a sample, and 13 D + 9.
 * - optimizer: CountOptimizerFlops() a parameter and step; l2: 2 more, proximal term: 3 more,
 *   correction: 1 more.
 * - DP-SGD: a forward and a backward pass a sample of the drawn lots, each with 4 a parameter
 * (square, sum, scale, sum over the lot), and 2 a parameter and step (noise, division).
 * - a belief: BELIEF_DRAW_FLOPS + BELIEF_GRADIENT_FLOPS a weight and step, and the optimizer's
 *   twice; a prediction is predictionDraws passes with their softmax and average.
 *
 * Random draws, changing samples and reading them are not counted.
 *
 * @param config what to build
 * @return a learner that computes with LibTorch on the calling thread
 * @throws std::invalid_argument if a value is not allowed; the text names it and what is allowed
 */
std::unique_ptr<Learner> MakeTorchLearner(TorchLearnerConfig config);

/// @brief Make a learner that starts from given weights instead of random ones.
/// @param config what to build
/// @param weights weights as Learner::GetWeights() gives them: weights, then biases, layer by layer
/// in the order of the forward pass; weights row-major as outputs x inputs, or output channels x
/// input channels x height x width
/// @return the learner
/// @throws std::invalid_argument if a value is not allowed or their number is not the model's
std::unique_ptr<Learner> MakeTorchLearner(TorchLearnerConfig config,
                                          const std::vector<float>& weights);

/// @brief Make a learner that shares given weights with others until it trains.
/// @param config what to build
/// @param weights weights as Learner::GetWeights() gives them; not null
/// @return the learner
/// @throws std::invalid_argument as the other one does
std::unique_ptr<Learner> MakeTorchLearner(TorchLearnerConfig config, FlatVector weights);

/// @brief Draw the weights that MakeTorchLearner() would start from.
/// @param config configuration of a learner; its data set must be there, its samples are not read
/// @return the weights, to be shared by many learners
/// @throws std::invalid_argument if the model cannot be built
FlatVector DrawInitialWeights(const TorchLearnerConfig& config);

} // namespace ns3::collab

#endif /* COLLAB_TORCH_LEARNER_H */
