/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-torch-learner-class.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace ns3::collab
{

std::vector<float>
TorchLearner::DifferentiateFlat(const Batch& batch,
                                const Distillation& distillation,
                                StepLoader& loader,
                                const ForwardContext& context,
                                LossSums& sums)
{
    if (m_small)
    {
        DifferentiateSmall(batch, distillation, loader, sums);
        return m_gradient;
    }
    Differentiate(batch, distillation, loader, context, sums);
    return CopyFlat(TakeGradient());
}

void
TorchLearner::DifferentiatePrivately(const TrainTask& task,
                                     const Batch& references,
                                     StepLoader& loader,
                                     const ForwardContext& context,
                                     LossSums& sums)
{
    const DpSgdOptions& options = *m_config.dpSgd;
    const auto lotSize = static_cast<double>(m_cost.BatchSize(task));
    const double rate = lotSize / static_cast<double>(m_cost.Samples(task));
    std::vector<float> sum(m_model->CountParameters(), 0.0F);
    for (const uint32_t drawn : DrawLot(m_cost.Samples(task), rate, m_generator))
    {
        const uint32_t position = task.positions.empty() ? drawn : task.positions[drawn];
        Batch one;
        one.positions = &position;
        one.size = 1;
        AddClipped(options.clip, DifferentiateFlat(one, {}, loader, context, sums), sum);
    }
    AddNoise(options, lotSize, m_drawGenerator, sum);
    m_accountant.AddSteps(rate, options.noise, 1);
    if (task.distillation.targets)
    {
        const std::vector<float> pull =
            DifferentiateFlat(references, task.distillation, loader, context, sums);
        std::transform(sum.begin(), sum.end(), pull.begin(), sum.begin(), std::plus<>());
    }
    m_gradient = std::move(sum);
}

uint64_t
TorchLearner::CountLots(const TrainTask& task) const
{
    const std::size_t samples = m_cost.Samples(task);
    const double rate = static_cast<double>(m_cost.BatchSize(task)) / static_cast<double>(samples);
    RandomGenerator generator = m_generator; // a copy, which draws the same
    uint64_t drawn = 0;
    for (uint64_t step = 0; step < m_cost.Steps(task); ++step)
    {
        drawn += DrawLot(samples, rate, generator).size();
    }
    return drawn;
}

double
TorchLearner::GetEpsilon(double delta) const
{
    return m_config.dpSgd ? m_accountant.GetEpsilon(delta)
                          : std::numeric_limits<double>::infinity();
}

} // namespace ns3::collab
