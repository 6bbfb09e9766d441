/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_FLAT_OPTIMIZER_H
#define COLLAB_FLAT_OPTIMIZER_H

#include "collab-optimizer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace at
{
class Tensor; // LibTorch's headers would cost every file that includes this one seconds
}

namespace ns3::collab
{

/// What an optimizer keeps between steps
struct OptimizerState
{
    uint64_t steps = 0;               //!< taken since the moments were 0
    std::vector<float> firstMoments;  //!< of ADAM, or the momentum of SGD
    std::vector<float> secondMoments; //!< of ADAM
};

/**
 * @brief Takes the steps of OptimizerOptions on a flat vector of weights, and keeps the moments of
 * the gradients between them.
 *
 * Made of LibTorch's operations in the order of torch.optim, on whatever device the weights are.
 */
class FlatOptimizer
{
  public:
    /// @param options already checked
    explicit FlatOptimizer(const OptimizerOptions& options);
    ~FlatOptimizer();

    /// @brief If a gradient is too long, make it shorter, as PyTorch's clip_grad_norm_() does.
    /// @param[in,out] gradient gradient of all weights
    void LimitNorm(const at::Tensor& gradient) const;
    /// @param learningRate learning rate of the step
    /// @param gradient one number for each weight; always of the same size
    /// @param[in,out] weights weights, as many as numbers in the gradient, on the same device
    void Step(double learningRate, const at::Tensor& gradient, const at::Tensor& weights);
    /// @param learningRate learning rate of the step
    /// @param gradient one number for each weight; always of the same size
    /// @param[in,out] weights weights, as many as numbers in the gradient
    void Step(double learningRate, std::vector<float>& gradient, std::vector<float>& weights);

    /// Forget all moments, and need no memory for them until the next step.
    void Reset();

    /// @return what is kept until the next step
    OptimizerState GetState() const;
    /// @param state state of an optimizer with the same options, of as many weights
    void SetState(const OptimizerState& state);

  private:
    struct Moments;

    /// @param learningRate learning rate of the step
    /// @param gradient gradient of the weights, with what is added to it for their decay
    /// @param[in,out] weights weights, as many as numbers in the gradient
    void StepAdam(double learningRate, const at::Tensor& gradient, const at::Tensor& weights);
    /// @param learningRate learning rate of the step
    /// @param gradient gradient of the weights, with what is added to it for their decay
    /// @param[in,out] weights weights, as many as numbers in the gradient
    void StepSgd(double learningRate, const at::Tensor& gradient, const at::Tensor& weights);

    OptimizerOptions m_options;         //!< constants
    uint64_t m_steps = 0;               //!< taken since the moments were 0
    std::unique_ptr<Moments> m_moments; //!< where the weights were at the last step; null before
};

} // namespace ns3::collab

#endif /* COLLAB_FLAT_OPTIMIZER_H */
