/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <cmath>

namespace ns3
{
namespace collab
{

TorchOptimizer::TorchOptimizer(const OptimizerOptions& options)
    : m_options(options)
{
}

void
TorchOptimizer::Reset()
{
    m_steps = 0;
    m_firstMoments.clear();
    m_secondMoments.clear();
}

void
TorchOptimizer::Step(const std::vector<at::Tensor>& parameters,
                     const std::vector<at::Tensor>& gradients,
                     double learningRate)
{
    const at::NoGradGuard guard;
    const bool isAdam = m_options.kind == OptimizerKind::ADAM;
    if (m_steps == 0)
    {
        for (const at::Tensor& parameter : parameters)
        {
            if (isAdam || m_options.momentum > 0)
            {
                m_firstMoments.push_back(at::zeros(parameter.sizes()));
            }
            if (isAdam)
            {
                m_secondMoments.push_back(at::zeros(parameter.sizes()));
            }
        }
    }
    ++m_steps;
    for (std::size_t i = 0; i < parameters.size(); ++i)
    {
        if (m_options.weightDecay > 0)
        {
            gradients[i].add_(parameters[i], m_options.weightDecay);
        }
        if (isAdam)
        {
            StepAdam(parameters[i], gradients[i], i, learningRate);
        }
        else
        {
            StepSgd(parameters[i], gradients[i], i, learningRate);
        }
    }
}

void
TorchOptimizer::StepAdam(const at::Tensor& parameter,
                         const at::Tensor& gradient,
                         std::size_t index,
                         double learningRate)
{
    const auto steps = static_cast<double>(m_steps);
    const double correction1 = 1 - std::pow(m_options.beta1, steps);
    const double correction2 = 1 - std::pow(m_options.beta2, steps);
    const at::Tensor& first = m_firstMoments[index];
    const at::Tensor& second = m_secondMoments[index];
    first.mul_(m_options.beta1).add_(gradient, 1 - m_options.beta1);
    second.mul_(m_options.beta2).addcmul_(gradient, gradient, 1 - m_options.beta2);
    // The gradient is not needed any more: its memory takes the denominator.
    gradient.copy_(second).sqrt_().div_(std::sqrt(correction2)).add_(m_options.epsilon);
    parameter.addcdiv_(first, gradient, -learningRate / correction1);
}

void
TorchOptimizer::StepSgd(const at::Tensor& parameter,
                        const at::Tensor& gradient,
                        std::size_t index,
                        double learningRate)
{
    if (m_options.momentum == 0)
    {
        parameter.add_(gradient, -learningRate);
        return;
    }
    const at::Tensor& momentum = m_firstMoments[index];
    momentum.mul_(m_options.momentum).add_(gradient);
    if (m_options.isNesterov)
    {
        parameter.add_(gradient.add_(momentum, m_options.momentum), -learningRate);
    }
    else
    {
        parameter.add_(momentum, -learningRate);
    }
}

} // namespace collab
} // namespace ns3
