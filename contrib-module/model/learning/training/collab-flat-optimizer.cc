/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-flat-optimizer.h"

#include "ns3/collab-flat-tensor.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/zeros_like.h>
#include <cmath>

namespace ns3::collab
{

/// What the gradients so far have left
struct FlatOptimizer::Moments
{
    at::Tensor first;  //!< of ADAM, or the momentum of SGD
    at::Tensor second; //!< of ADAM
};

namespace
{

/// @param tensor tensor of numbers on any device; may be undefined
/// @return these
std::vector<float>
ToVector(const at::Tensor& tensor)
{
    return tensor.defined() ? CopyFlat(tensor) : std::vector<float>();
}

/// @param numbers numbers to copy
/// @return these, undefined if there are none
at::Tensor
ToTensor(const std::vector<float>& numbers)
{
    return numbers.empty() ? at::Tensor() : ViewFlat(numbers).clone();
}

} // namespace

FlatOptimizer::FlatOptimizer(const OptimizerOptions& options)
    : m_options(options)
{
}

FlatOptimizer::~FlatOptimizer() = default;

void
FlatOptimizer::Reset()
{
    m_steps = 0;
    m_moments.reset();
}

OptimizerState
FlatOptimizer::GetState() const
{
    OptimizerState state;
    state.steps = m_steps;
    if (m_moments)
    {
        state.firstMoments = ToVector(m_moments->first);
        state.secondMoments = ToVector(m_moments->second);
    }
    return state;
}

void
FlatOptimizer::SetState(const OptimizerState& state)
{
    m_steps = state.steps;
    m_moments.reset();
    if (!state.firstMoments.empty())
    {
        m_moments = std::make_unique<Moments>();
        m_moments->first = ToTensor(state.firstMoments);
        m_moments->second = ToTensor(state.secondMoments);
    }
}

void
FlatOptimizer::LimitNorm(const at::Tensor& gradient) const
{
    if (m_options.maxNorm > 0)
    {
        const at::Tensor norm = at::norm(gradient, 2, at::kDouble);
        gradient.mul_(norm.add(1e-6).reciprocal().mul(m_options.maxNorm).clamp_max(1));
    }
}

void
FlatOptimizer::Step(double learningRate, const at::Tensor& gradient, const at::Tensor& weights)
{
    const at::AutoGradMode isRecorded(false);
    ++m_steps;
    if (!m_moments && (m_options.kind == OptimizerKind::ADAM || m_options.momentum > 0))
    {
        m_moments = std::make_unique<Moments>();
        m_moments->first = at::zeros_like(gradient);
        m_moments->second =
            m_options.kind == OptimizerKind::ADAM ? at::zeros_like(gradient) : at::Tensor();
    }
    if (m_moments && m_moments->first.device() != gradient.device()) // they were set on the host
    {
        m_moments->first = m_moments->first.to(gradient.device());
        m_moments->second =
            m_moments->second.defined() ? m_moments->second.to(gradient.device()) : at::Tensor();
    }
    const bool addsDecay = m_options.weightDecay > 0 && !m_options.decouplesDecay;
    const at::Tensor decaying = addsDecay ? gradient.add(weights, m_options.weightDecay) : gradient;
    if (m_options.kind == OptimizerKind::SGD)
    {
        StepSgd(learningRate, decaying, weights);
    }
    else
    {
        StepAdam(learningRate, decaying, weights);
    }
}

void
FlatOptimizer::Step(double learningRate, std::vector<float>& gradient, std::vector<float>& weights)
{
    Step(learningRate, ViewFlat(gradient), ViewFlat(weights));
}

void
FlatOptimizer::StepAdam(double learningRate, const at::Tensor& gradient, const at::Tensor& weights)
{
    const auto steps = static_cast<double>(m_steps);
    const double correction1 = 1 - std::pow(m_options.beta1, steps);
    const double correction2 = std::sqrt(1 - std::pow(m_options.beta2, steps));
    if (m_options.decouplesDecay && m_options.weightDecay > 0)
    {
        weights.mul_(1 - learningRate * m_options.weightDecay);
    }
    m_moments->first.mul_(m_options.beta1).add_(gradient, 1 - m_options.beta1);
    m_moments->second.mul_(m_options.beta2).addcmul_(gradient, gradient, 1 - m_options.beta2);
    const at::Tensor deviations =
        m_moments->second.sqrt().div_(correction2).add_(m_options.epsilon);
    weights.addcdiv_(m_moments->first, deviations, -learningRate / correction1);
}

void
FlatOptimizer::StepSgd(double learningRate, const at::Tensor& gradient, const at::Tensor& weights)
{
    if (m_options.momentum == 0)
    {
        weights.add_(gradient, -learningRate);
        return;
    }
    m_moments->first.mul_(m_options.momentum).add_(gradient);
    weights.add_(m_options.isNesterov ? gradient.add(m_moments->first, m_options.momentum)
                                      : m_moments->first,
                 -learningRate);
}

} // namespace ns3::collab
