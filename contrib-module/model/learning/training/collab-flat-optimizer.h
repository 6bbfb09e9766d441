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
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @brief Takes the steps of OptimizerOptions on a flat vector of weights, in one pass over it, and
 * keeps the moments of the gradients between them.
 */
class FlatOptimizer
{
  public:
    /**
     * @param options already checked
     */
    explicit FlatOptimizer(const OptimizerOptions& options);

    /**
     * @brief Begin a step.
     * @param size number of weights; always the same
     * @param learningRate of the step
     */
    void Begin(std::size_t size, double learningRate);
    /**
     * @brief Change some of the weights in the step that has begun.
     * @param begin place of the first one in the flat vector
     * @param count number of weights
     * @param gradients of these
     * @param[in,out] weights these
     */
    void Update(std::size_t begin, std::size_t count, const float* gradients, float* weights);

    /// Forget all moments, and need no memory for them until the next step.
    void Reset();

  private:
    OptimizerOptions m_options;         //!< constants
    uint64_t m_steps = 0;               //!< taken since the moments were 0
    double m_learningRate = 0;          //!< of the present step
    std::vector<float> m_firstMoments;  //!< of ADAM, or the momentum of SGD
    std::vector<float> m_secondMoments; //!< of ADAM
};

} // namespace collab
} // namespace ns3

#endif /* COLLAB_FLAT_OPTIMIZER_H */
