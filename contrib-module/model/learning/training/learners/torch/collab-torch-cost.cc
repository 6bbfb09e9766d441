/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-cost.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

LearnerCost::LearnerCost(const TorchLearnerConfig& config,
                         ModelDescription description,
                         uint64_t outputs,
                         bool mixesSamples)
    : m_description(std::move(description)),
      m_outputs(outputs),
      m_samples(config.trainData.Size()),
      m_batchSize(config.batchSize),
      m_referenceBatch(config.referenceBatchSize),
      m_order(config.referenceOrder),
      m_optimizer(config.optimizer),
      m_draws(config.variational ? config.variational->predictionDraws : 0),
      m_isNatural(config.variational && config.variational->isNatural),
      m_isRegression(config.trainData.data->outputs > 0),
      m_isTriplet(config.loss == LossKind::TRIPLET),
      m_smooths(config.labelSmoothing > 0),
      m_weighs(!config.classWeights.empty()),
      m_mixesSamples(mixesSamples)
{
}

std::size_t
LearnerCost::Samples(const TrainTask& task) const
{
    return task.positions.empty() ? m_samples : task.positions.size();
}

std::size_t
LearnerCost::BatchSize(const TrainTask& task) const
{
    return std::min(task.batchSize > 0 ? task.batchSize : m_batchSize, Samples(task));
}

std::size_t
LearnerCost::StepsOfEpoch(const TrainTask& task) const
{
    if (task.distillation.isAlone)
    {
        return CutReferences(task.distillation.inputs->Size()).Count();
    }
    const std::size_t batch = BatchSize(task);
    // A triplet needs two samples: a last batch of one is left out.
    const bool leavesOut = m_isTriplet && batch > 1 && Samples(task) % batch == 1;
    return CutEpoch(task).Count() - (leavesOut ? 1 : 0);
}

BatchCut
LearnerCost::CutEpoch(const TrainTask& task) const
{
    return {Samples(task), BatchSize(task), m_mixesSamples && !m_isTriplet};
}

BatchCut
LearnerCost::CutReferences(std::size_t samples) const
{
    return {samples, m_referenceBatch, m_mixesSamples};
}

std::size_t
LearnerCost::ReferenceBatch(std::size_t samples) const
{
    return std::min(m_referenceBatch, samples);
}

BatchCut
LearnerCost::CutPasses(std::size_t samples) const
{
    return {samples, PASS_SAMPLES, m_mixesSamples};
}

uint64_t
LearnerCost::Steps(const TrainTask& task) const
{
    return task.steps > 0 ? task.steps : uint64_t{task.epochs} * StepsOfEpoch(task);
}

uint64_t
LearnerCost::Passes(uint64_t local,
                    uint64_t references,
                    uint64_t passes,
                    DistillationLoss loss) const
{
    const uint64_t c = m_outputs;
    uint64_t localLoss =
        m_isRegression ? 4 * c : 6 * c + 1 + (m_smooths ? 2 * c + 2 : 0) + (m_weighs ? 2 : 0);
    uint64_t samples = local + references;
    if (m_isTriplet)
    {
        localLoss = 13 * c + 9;
        samples += local;
    }
    const bool pullsOutputs =
        m_isRegression || m_isTriplet || loss == DistillationLoss::ABSOLUTE_ERROR;
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
    const uint64_t samples = Samples(task);
    const uint64_t batch = BatchSize(task);
    const uint64_t cycle = StepsOfEpoch(task);
    const uint64_t epochs = steps / cycle;
    const uint64_t rest = steps % cycle; // batches of an epoch that is broken off are all full
    const uint64_t epoch = m_isTriplet ? std::min<uint64_t>(cycle * batch, samples) : samples;
    const uint64_t local = task.distillation.isAlone ? 0 : epochs * epoch + rest * batch;
    const uint64_t step =
        m_isNatural
            ? m_description.CountParameters() * (BELIEF_DRAW_FLOPS + BELIEF_NATURAL_FLOPS)
            : Parameters() * CountOptimizerFlops(m_optimizer) + Terms(task);
    return Passes(local, References(task), steps, task.distillation.loss) + steps * step;
}

uint64_t
LearnerCost::References(const TrainTask& task) const
{
    if (!task.distillation.targets)
    {
        return 0;
    }
    const std::size_t samples = task.distillation.inputs->Size();
    if (m_order == ReferenceOrder::SHUFFLED)
    {
        return Steps(task) * ReferenceBatch(samples);
    }
    const ReferenceCycle walk(CutReferences(samples));
    const uint64_t cycle = StepsOfEpoch(task);
    return Steps(task) / cycle * walk.CountSamples(cycle) + walk.CountSamples(Steps(task) % cycle);
}

uint64_t
LearnerCost::TrainPrivately(const TrainTask& task, uint64_t drawn) const
{
    constexpr uint64_t CLIP_FLOPS = 4;  // square, sum, scale, sum over the lot
    constexpr uint64_t NOISE_FLOPS = 2; // noise, division
    const uint64_t steps = Steps(task);
    const uint64_t passes = drawn + (task.distillation.targets ? steps : 0);
    const uint64_t update = Parameters() * (CountOptimizerFlops(m_optimizer) + NOISE_FLOPS);
    return Passes(drawn, References(task), passes, task.distillation.loss) +
           drawn * Parameters() * CLIP_FLOPS + steps * (update + Terms(task));
}

uint64_t
LearnerCost::Gradient(const GradientTask& task) const
{
    const uint64_t local = task.positions.empty() ? m_samples : task.positions.size();
    const uint64_t references =
        task.distillation.targets ? task.distillation.inputs->Size() : uint64_t{0};
    const uint64_t passes = CutPasses(local).Count() + CutPasses(references).Count();
    return Passes(local, references, passes, task.distillation.loss) + Terms(task);
}

uint64_t
LearnerCost::Predict(std::size_t samples) const
{
    const bool isRaw = m_isRegression || m_isTriplet;
    const uint64_t passes = BatchCut(samples, PASS_SAMPLES, false).Count();
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

} // namespace ns3::collab
