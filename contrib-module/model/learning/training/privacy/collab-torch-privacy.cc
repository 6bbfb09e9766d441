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

bool
TorchLearner::IsPrivate(const TrainTask& task) const
{
    return m_config.dpSgd && !task.distillation.isAlone;
}

std::vector<float>
TorchLearner::DifferentiatePrivately(const TrainTask& task, const Batch& references, LossSums& sums)
{
    const DpSgdOptions& options = *m_config.dpSgd;
    const auto lotSize = static_cast<double>(m_cost.BatchSize(task));
    const double rate = lotSize / static_cast<double>(m_cost.Samples(task));
    std::vector<float> sum(m_model->CountParameters(), 0.0F);
    for (const uint32_t drawn : DrawLot(m_cost.Samples(task), rate, m_order.generator))
    {
        const uint32_t position = task.positions.empty() ? drawn : task.positions[drawn];
        Batch one;
        one.positions = &position;
        one.size = 1;
        const at::Tensor gradient = m_passes.DifferentiateStep(one, m_bound, sums);
        AddClipped(options.clip, CopyFlat(gradient), sum);
    }
    AddNoise(options, lotSize, m_passes.GetGenerator(), sum);
    m_accountant.AddSteps(rate, options.noise, 1);
    if (task.distillation.targets)
    {
        const std::vector<float> pull =
            CopyFlat(m_passes.DifferentiateStep(references, m_bound, sums));
        std::transform(sum.begin(), sum.end(), pull.begin(), sum.begin(), std::plus<>());
    }
    return sum;
}

double
TorchLearner::GetEpsilon(double delta) const
{
    return m_config.dpSgd ? m_accountant.GetEpsilon(delta)
                          : std::numeric_limits<double>::infinity();
}

} // namespace ns3::collab
