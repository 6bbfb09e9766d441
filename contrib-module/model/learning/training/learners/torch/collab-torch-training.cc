/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-learner-class.h"

#include "ns3/collab-batch-cut.h"
#include "ns3/collab-learner-checks.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr double NONE = std::numeric_limits<double>::quiet_NaN(); //!< no loss

/// @param distillation distillation of a job
/// @return number of samples of X*; 0 without targets
std::size_t
CountReferences(const Distillation& distillation)
{
    return distillation.targets ? distillation.inputs->Size() : 0;
}

/// @param task a gradient to compute
/// @param own number of the learner's own samples
/// @return positions of its samples
/// @throws std::invalid_argument if one is not that of a sample
std::vector<uint32_t>
PositionsOf(const GradientTask& task, std::size_t own)
{
    std::vector<uint32_t> positions = task.positions;
    if (positions.empty())
    {
        positions.resize(own);
        std::iota(positions.begin(), positions.end(), 0U);
    }
    CheckPositions(positions, own);
    return positions;
}

/// @param config configuration of a learner
/// @param positions positions of samples
/// @param count number of samples
/// @return sum of the weights of their classes; their number without such weights
double
WeighSamples(const TorchLearnerConfig& config, const uint32_t* positions, std::size_t count)
{
    if (config.classWeights.empty())
    {
        return static_cast<double>(count);
    }
    const auto& labels = config.trainData.labels;
    return std::accumulate(positions, positions + count, 0.0, [&](double sum, uint32_t position) {
        return sum + double{config.classWeights[static_cast<std::size_t>(labels[position])]};
    });
}

} // namespace

TrainReport
TorchLearner::Train(const TrainTask& task)
{
    CheckTask(task);
    TrainReport report;
    const uint64_t steps = m_cost.Steps(task);
    if (task.resetsOptimizer)
    {
        m_optimizer.Reset();
    }
    if (steps == 0)
    {
        return report;
    }
    if (m_weights.BeginWriting() && !IsVariational())
    {
        BindWeights();
    }
    const auto scope = EnterDevice();
    BeginJob(task);
    m_passes.Begin({task.distillation,
                    m_cost.CutEpoch(task).Greatest(),
                    m_cost.CutReferences(CountReferences(task.distillation)).Greatest(),
                    true});
    LossSums sums;
    while (report.steps < steps)
    {
        sums = TrainEpoch(task, steps - report.steps, report);
    }
    report.localLoss = sums.local.Mean(NONE);
    report.distillationLoss = sums.distillation.Mean(0);
    EndJob(true);
    if (task.dropsOptimizer)
    {
        m_optimizer.Reset();
    }
    return report;
}

LossSums
TorchLearner::TrainEpoch(const TrainTask& task, uint64_t steps, TrainReport& report)
{
    const Distillation& distillation = task.distillation;
    const std::vector<uint32_t> order = m_config.dpSgd || distillation.isAlone
                                            ? std::vector<uint32_t>()
                                            : m_order.NextPass(m_config, task.positions);
    ReferenceCycle cycle(m_cost.CutReferences(CountReferences(distillation)));
    const BatchCut cut = m_cost.CutEpoch(task);
    const std::size_t batchSize = m_cost.BatchSize(task);
    const uint64_t stepsNow = std::min<uint64_t>(steps, m_cost.StepsOfEpoch(task));
    LossSums sums;
    for (uint64_t step = 0; step < stepsNow; ++step)
    {
        Batch batch;
        const std::vector<uint32_t> references =
            m_order.NextReferences(m_config, CountReferences(distillation), cycle);
        batch.references = references.data();
        batch.referenceSize = references.size();
        batch.referenceWeight = distillation.lambda;
        const bool isLast = step + 1 == steps;
        ++report.steps;
        if (IsPrivate(task))
        {
            std::vector<float> gradient = DifferentiatePrivately(task, batch, sums);
            Step(task, ViewFlat(gradient).to(m_device.value_or(at::kCPU)), report, isLast);
            continue;
        }
        if (!m_config.dpSgd && !distillation.isAlone)
        {
            batch.positions = order.data() + step * batchSize;
            batch.size = cut.Size(step);
        }
        DrawWeights();
        Step(task, m_passes.DifferentiateStep(batch, m_bound, sums), report, isLast);
    }
    return sums;
}

void
TorchLearner::AddTerms(const ObjectiveTerms& terms, const at::Tensor& gradient) const
{
    const at::Tensor weights = m_bound.narrow(0, 0, gradient.numel());
    if (terms.l2 > 0)
    {
        gradient.add_(weights.mul(terms.l2));
    }
    if (terms.mu > 0)
    {
        gradient.add_(weights.sub(m_terms.center.narrow(0, 0, gradient.numel())).mul_(terms.mu));
    }
    if (terms.correction)
    {
        gradient.add_(m_terms.correction.narrow(0, 0, gradient.numel()));
    }
}

FlatVector
TorchLearner::Share(const at::Tensor& gradient) const
{
    auto shared = std::make_shared<std::vector<float>>(CopyFlat(gradient));
    shared->resize(CountWeights(), 0.0F);
    return shared;
}

at::Tensor
TorchLearner::FinishGradient(const ObjectiveTerms& terms,
                             const at::Tensor& gradient,
                             double divergenceWeight)
{
    if (m_belief) // of which there are no other terms
    {
        return ViewFlat(m_belief->Differentiate(
            *m_weights.Get(), CopyFlat(gradient), terms.prior, divergenceWeight));
    }
    AddTerms(terms, gradient);
    return gradient;
}

void
TorchLearner::Step(const TrainTask& task,
                   const at::Tensor& gradient,
                   TrainReport& report,
                   bool isLast)
{
    const double rate = (task.learningRate > 0 ? task.learningRate : m_config.learningRate) *
                        GetRateFactor(m_config.optimizer.schedule, m_stepsTaken++);
    const double klWeight = IsVariational() ? m_config.variational->klWeight * task.klScale : 0;
    const double divergenceWeight = klWeight / static_cast<double>(m_cost.Samples(task));
    if (IsNatural())
    {
        m_belief->StepNaturally(
            m_weights.GetOwn(), CopyFlat(gradient), task.prior, divergenceWeight, rate);
        return;
    }
    const at::Tensor finished = FinishGradient(task, gradient, divergenceWeight);
    m_optimizer.LimitNorm(finished);
    const at::Tensor learned = IsVariational() ? ViewFlat(m_weights.GetOwn()) : m_bound;
    m_optimizer.Step(rate, finished, learned.narrow(0, 0, finished.numel()));
    if (isLast && task.returnsGradient)
    {
        report.lastGradient = Share(finished);
    }
}

void
TorchLearner::DrawWeights()
{
    if (m_belief)
    {
        m_model->Bind(ViewFlat(m_belief->Draw(*m_weights.Get(), m_passes.GetGenerator())));
    }
}

LossSums
TorchLearner::DifferentiateAll(const GradientTask& task, const std::vector<uint32_t>& positions)
{
    const std::size_t total = positions.size();
    const std::size_t referenceTotal = CountReferences(task.distillation);
    const BatchCut passes = m_cost.CutPasses(total);
    const BatchCut referencePasses = m_cost.CutPasses(referenceTotal);
    m_passes.Begin({task.distillation, passes.Greatest(), referencePasses.Greatest(), false});
    const double totalWeight = WeighSamples(m_config, positions.data(), total);
    std::vector<uint32_t> all(referenceTotal);
    std::iota(all.begin(), all.end(), 0U);
    LossSums sums;
    for (std::size_t pass = 0; pass < passes.Count(); ++pass)
    {
        Batch batch;
        batch.positions = positions.data() + pass * PASS_SAMPLES;
        batch.size = passes.Size(pass);
        batch.localWeight = WeighSamples(m_config, batch.positions, batch.size) / totalWeight;
        m_passes.Differentiate(batch, sums);
    }
    for (std::size_t pass = 0; pass < referencePasses.Count(); ++pass)
    {
        Batch batch;
        batch.references = all.data() + pass * PASS_SAMPLES;
        batch.referenceSize = referencePasses.Size(pass);
        batch.referenceWeight = task.distillation.lambda *
                                static_cast<double>(batch.referenceSize) /
                                static_cast<double>(referenceTotal);
        m_passes.Differentiate(batch, sums);
    }
    return sums;
}

GradientReport
TorchLearner::ComputeGradient(const GradientTask& task)
{
    CheckJob(task);
    CheckArgument(!m_config.dpSgd,
                  "a gradient of a learner with DP-SGD, which would not be private");
    const std::vector<uint32_t> positions = PositionsOf(task, m_config.trainData.Size());
    DrawWeights();
    const auto scope = EnterDevice();
    BeginJob(task);
    const LossSums sums = DifferentiateAll(task, positions);
    const double klWeight = IsVariational() ? m_config.variational->klWeight : 0;
    const at::Tensor gradient = FinishGradient(
        task, m_passes.TakeGradient(), klWeight / static_cast<double>(m_config.trainData.Size()));
    GradientReport report;
    report.localLoss = sums.local.Mean(NONE);
    report.distillationLoss = sums.distillation.Mean(0);
    report.gradient = Share(gradient);
    EndJob(false);
    return report;
}

} // namespace ns3::collab
