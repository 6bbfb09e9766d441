/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_OPTIMIZER_H
#define COLLAB_TORCH_OPTIMIZER_H

#include "collab-optimizer.h"

#include <ATen/core/Tensor.h>
#include <vector>

namespace ns3
{
namespace collab
{

/// Takes steps and keeps the moments of the gradients between them.
class TorchOptimizer
{
  public:
    /**
     * @param options already checked
     */
    explicit TorchOptimizer(const OptimizerOptions& options);

    /**
     * @brief Change parameters in place.
     * @param parameters contiguous; always of the same shapes
     * @param gradients one of each, contiguous; are overwritten
     * @param learningRate of the step
     */
    void Step(const std::vector<at::Tensor>& parameters,
              const std::vector<at::Tensor>& gradients,
              double learningRate);

    /// Forget all moments.
    void Reset();

  private:
    /**
     * @param parameter to change
     * @param gradient of it
     * @param index of both
     * @param learningRate of the step
     */
    void StepAdam(const at::Tensor& parameter,
                  const at::Tensor& gradient,
                  std::size_t index,
                  double learningRate);

    /**
     * @param parameter to change
     * @param gradient of it
     * @param index of both
     * @param learningRate of the step
     */
    void StepSgd(const at::Tensor& parameter,
                 const at::Tensor& gradient,
                 std::size_t index,
                 double learningRate);

    OptimizerOptions m_options;              //!< constants
    uint64_t m_steps = 0;                    //!< taken since the moments were 0
    std::vector<at::Tensor> m_firstMoments;  //!< or the momentum of SGD; none before the first step
    std::vector<at::Tensor> m_secondMoments; //!< of ADAM
};

} // namespace collab
} // namespace ns3

#endif /* COLLAB_TORCH_OPTIMIZER_H */
