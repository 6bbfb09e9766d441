/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-ensemble.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::collab
{

FederatedEnsemble::FederatedEnsemble(std::shared_ptr<Learner> learner,
                                     std::shared_ptr<const DataView> inputs,
                                     uint32_t steps)
    : m_learner(std::move(learner)),
      m_inputs(std::move(inputs)),
      m_steps(steps)
{
}

std::shared_ptr<const Matrix<float>>
FederatedEnsemble::MakeTargets(const std::vector<FlatVector>& models) const
{
    Matrix<double> sum(m_inputs->Size(), m_inputs->data->classes);
    for (const FlatVector& model : models)
    {
        m_learner->SetWeights(model);
        const Matrix<float> scores = m_learner->PredictScores(*m_inputs);
        std::transform(scores.values.begin(),
                       scores.values.end(),
                       sum.values.begin(),
                       sum.values.begin(),
                       [](float score, double others) { return others + score; });
    }
    auto targets = std::make_shared<Matrix<float>>(sum.rows, sum.columns);
    for (std::size_t i = 0; i < sum.rows; ++i)
    {
        double* row = sum.Row(i);
        const double greatest = *std::max_element(row, row + sum.columns);
        double whole = 0;
        for (std::size_t c = 0; c < sum.columns; ++c)
        {
            row[c] = std::exp((row[c] - greatest) / static_cast<double>(models.size()));
            whole += row[c];
        }
        std::transform(row, row + sum.columns, targets->Row(i), [whole](double part) {
            return static_cast<float>(part / whole);
        });
    }
    return targets;
}

TrainTask
FederatedEnsemble::MakeTask(std::shared_ptr<const Matrix<float>> targets) const
{
    TrainTask task;
    task.steps = m_steps;
    task.resetsOptimizer = true;
    task.distillation.inputs = m_inputs;
    task.distillation.targets = std::move(targets);
    task.distillation.lambda = 1;
    task.distillation.isAlone = true;
    return task;
}

FlatVector
FederatedEnsemble::Distill(const FlatVector& start, const std::vector<FlatVector>& models) const
{
    const auto areFinite = [](const std::vector<float>& values) {
        return std::all_of(
            values.begin(), values.end(), [](float value) { return std::isfinite(value); });
    };
    const auto targets = MakeTargets(models);
    if (!areFinite(targets->values)) // a model has diverged
    {
        return start;
    }
    m_learner->SetWeights(start);
    m_learner->Train(MakeTask(targets));
    const FlatVector student = m_learner->GetWeights();
    return areFinite(*student) ? student : start;
}

uint64_t
FederatedEnsemble::CountFlops(std::size_t models) const
{
    const uint64_t numbers = m_inputs->Size() * m_inputs->data->classes;
    const auto any =
        std::make_shared<const Matrix<float>>(m_inputs->Size(), m_inputs->data->classes);
    return models * (m_learner->CountPredictFlops(m_inputs->Size()) + numbers) + 6 * numbers +
           m_learner->CountTrainFlops(MakeTask(any));
}

} // namespace ns3::collab
