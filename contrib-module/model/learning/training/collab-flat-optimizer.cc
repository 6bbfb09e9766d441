/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-flat-optimizer.h"

#include "ns3/collab-processor-kernel.h"

#include <cmath>

namespace ns3
{
namespace collab
{

namespace
{

/// Constants of one step of Adam
struct AdamStep
{
    float beta1;       //!< of the first moments
    float beta2;       //!< of the second moments
    float rest1;       //!< 1 - beta1, rounded once
    float rest2;       //!< 1 - beta2, rounded once
    float rate;        //!< learning rate over the first moments' correction
    float correction;  //!< square root of the second moments'
    float epsilon;     //!< added to the denominator
    float weightDecay; //!< times the weights, added to the gradient
    float kept;        //!< part of the weights that decoupled decay leaves
};

/**
 * @param step its constants
 * @param count number of weights
 * @param gradients of them
 * @param[in,out] first moments
 * @param[in,out] second moments
 * @param[in,out] weights the weights
 */
COLLAB_PROCESSOR_KERNEL void
StepAdam(const AdamStep& step,
         std::size_t count,
         const float* __restrict gradients,
         float* __restrict first,
         float* __restrict second,
         float* __restrict weights)
{
    const AdamStep s = step; // so that the compiler knows that it does not change
    for (std::size_t i = 0; i < count; ++i)
    {
        const float gradient = gradients[i] + s.weightDecay * weights[i];
        // PyTorch's Adam fuses these products, so that both round alike.
        first[i] = std::fma(s.rest1, gradient, s.beta1 * first[i]);
        second[i] = std::fma(s.rest2 * gradient, gradient, s.beta2 * second[i]);
        weights[i] = s.kept * weights[i] -
                     s.rate * first[i] / (std::sqrt(second[i]) / s.correction + s.epsilon);
    }
}

/**
 * @param options constants
 * @param learningRate of the step
 * @param count number of weights
 * @param gradients of them
 * @param[in,out] momentum one for each; not read if there is none
 * @param[in,out] weights the weights
 */
COLLAB_PROCESSOR_KERNEL void
StepSgd(const OptimizerOptions& options,
        double learningRate,
        std::size_t count,
        const float* __restrict gradients,
        float* __restrict momentum,
        float* __restrict weights)
{
    const auto rate = static_cast<float>(learningRate);
    const auto decay = static_cast<float>(options.weightDecay);
    const auto kept = static_cast<float>(options.momentum);
    if (options.momentum == 0)
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            weights[i] -= rate * (gradients[i] + decay * weights[i]);
        }
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
    {
        const float gradient = gradients[i] + decay * weights[i];
        momentum[i] = kept * momentum[i] + gradient;
        weights[i] -= rate * (options.isNesterov ? gradient + kept * momentum[i] : momentum[i]);
    }
}

} // namespace

FlatOptimizer::FlatOptimizer(const OptimizerOptions& options)
    : m_options(options)
{
}

void
FlatOptimizer::Reset()
{
    m_steps = 0;
    std::vector<float>().swap(m_firstMoments);
    std::vector<float>().swap(m_secondMoments);
}

void
FlatOptimizer::Begin(std::size_t size, double learningRate)
{
    const bool isAdam = m_options.kind == OptimizerKind::ADAM;
    m_firstMoments.resize(isAdam || m_options.momentum > 0 ? size : 0);
    m_secondMoments.resize(isAdam ? size : 0);
    m_learningRate = learningRate;
    ++m_steps;
}

void
FlatOptimizer::Update(std::size_t begin, std::size_t count, const float* gradients, float* weights)
{
    if (m_options.kind == OptimizerKind::SGD)
    {
        float* momentum = m_options.momentum > 0 ? m_firstMoments.data() + begin : nullptr;
        StepSgd(m_options, m_learningRate, count, gradients, momentum, weights);
        return;
    }
    const auto steps = static_cast<double>(m_steps);
    AdamStep step{};
    step.beta1 = static_cast<float>(m_options.beta1);
    step.beta2 = static_cast<float>(m_options.beta2);
    step.rest1 = static_cast<float>(1 - m_options.beta1);
    step.rest2 = static_cast<float>(1 - m_options.beta2);
    step.rate = static_cast<float>(m_learningRate / (1 - std::pow(m_options.beta1, steps)));
    step.correction = static_cast<float>(std::sqrt(1 - std::pow(m_options.beta2, steps)));
    step.epsilon = static_cast<float>(m_options.epsilon);
    const auto decay = static_cast<float>(m_options.weightDecay);
    step.weightDecay = m_options.decouplesDecay ? 0.0F : decay;
    step.kept = m_options.decouplesDecay
                    ? static_cast<float>(1 - m_learningRate * m_options.weightDecay)
                    : 1.0F;
    StepAdam(step,
             count,
             gradients,
             m_firstMoments.data() + begin,
             m_secondMoments.data() + begin,
             weights);
}

} // namespace collab
} // namespace ns3
