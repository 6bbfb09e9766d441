/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-cost.h"

#include "ns3/collab-torch-batches.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @param samples number of samples
 * @param batch most samples of a pass
 * @return number of passes
 */
uint64_t
CountPasses(uint64_t samples, uint64_t batch)
{
    return (samples + batch - 1) / batch;
}

} // namespace

LearnerCost::LearnerCost(const TorchLearnerConfig& config,
                         ModelDescription description,
                         uint64_t outputs)
    : m_description(std::move(description)),
      m_outputs(outputs),
      m_samples(config.trainData.Size()),
      m_batchSize(config.batchSize),
      m_referenceBatch(config.referenceBatchSize),
      m_optimizer(config.optimizer),
      m_draws(config.variational ? config.variational->predictionDraws : 0),
      m_isRegression(config.trainData.data->outputs > 0),
      m_isTriplet(config.loss == LossKind::TRIPLET)
{
}

std::size_t
LearnerCost::BatchSize(const TrainTask& task) const
{
    return std::min(task.batchSize > 0 ? task.batchSize : m_batchSize, m_samples);
}

std::size_t
LearnerCost::StepsOfEpoch(const TrainTask& task) const
{
    const std::size_t batch = BatchSize(task);
    const std::size_t rest = m_samples % batch;
    // A triplet needs two samples: a last batch of one is left out.
    return m_samples / batch + (rest > (m_isTriplet ? 1 : 0) ? 1 : 0);
}

uint64_t
LearnerCost::Steps(const TrainTask& task) const
{
    return task.steps > 0 ? task.steps : uint64_t{task.epochs} * StepsOfEpoch(task);
}

uint64_t
LearnerCost::Passes(uint64_t local, uint64_t references, uint64_t passes) const
{
    const uint64_t c = m_outputs;
    uint64_t localLoss = m_isRegression ? 4 * c : 6 * c + 1;
    uint64_t samples = local + references;
    if (m_isTriplet)
    {
        localLoss = 13 * c + 9;
        samples += local;
    }
    const bool pullsOutputs = m_isRegression || m_isTriplet;
    const uint64_t referenceLoss = pullsOutputs ? 4 * c : 15 * c - 3;
    return m_description.CountTrainingFlops(samples, passes) + local * localLoss +
           references * referenceLoss;
}

uint64_t
LearnerCost::Terms(const ObjectiveTerms& terms) const
{
    const uint64_t weights = m_description.CountParameters();
    const uint64_t belief = m_draws > 0 ? BELIEF_DRAW_FLOPS + BELIEF_GRADIENT_FLOPS : 0;
    return weights *
           (belief + (terms.l2 > 0 ? 2 : 0) + (terms.mu > 0 ? 3 : 0) + (terms.correction ? 1 : 0));
}

uint64_t
LearnerCost::Train(const TrainTask& task) const
{
    const uint64_t steps = Steps(task);
    const uint64_t batch = BatchSize(task);
    const uint64_t cycle = StepsOfEpoch(task);
    const uint64_t epochs = steps / cycle;
    const uint64_t rest = steps % cycle; // batches of an epoch that is broken off are all full
    const uint64_t local = epochs * std::min<uint64_t>(cycle * batch, m_samples) + rest * batch;
    uint64_t references = 0;
    if (task.distillation.targets)
    {
        const ReferenceCycle walk(task.distillation.inputs->Size(), m_referenceBatch);
        references = epochs * walk.CountSamples(cycle) + walk.CountSamples(rest);
    }
    const uint64_t update = Parameters() * CountOptimizerFlops(m_optimizer);
    return Passes(local, references, steps) + steps * (update + Terms(task));
}

uint64_t
LearnerCost::Gradient(const GradientTask& task) const
{
    const uint64_t local = task.positions.empty() ? m_samples : task.positions.size();
    const uint64_t references =
        task.distillation.targets ? task.distillation.inputs->Size() : uint64_t{0};
    const uint64_t passes =
        CountPasses(local, PASS_SAMPLES) + CountPasses(references, PASS_SAMPLES);
    return Passes(local, references, passes) + Terms(task);
}

uint64_t
LearnerCost::Predict(std::size_t samples) const
{
    const bool isRaw = m_isRegression || m_isTriplet;
    const uint64_t passes = CountPasses(samples, PASS_SAMPLES);
    const uint64_t once = m_description.CountForwardFlops(samples, passes) +
                          samples * (isRaw ? 0 : 5 * m_outputs - 2);
    if (m_draws == 0)
    {
        return once;
    }
    const uint64_t draw = BELIEF_DRAW_FLOPS * m_description.CountParameters();
    return m_draws * (once + draw + samples * m_outputs) + samples * m_outputs;
}

uint64_t
LearnerCost::Parameters() const
{
    return m_description.CountParameters() * (m_draws > 0 ? 2 : 1);
}

} // namespace collab
} // namespace ns3
