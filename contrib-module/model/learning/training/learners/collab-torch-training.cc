/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-small-losses.h"
#include "collab-torch-learner-class.h"
#include "collab-torch-losses.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-learner-checks.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

/// What at::cross_entropy_loss() takes for a sample without a label: none has it here
constexpr int64_t NO_LABEL = -100;

constexpr double NONE = std::numeric_limits<double>::quiet_NaN(); //!< no loss

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
    BeginWriting();
    const auto scope = EnterDevice();
    BeginJob(task);
    const DataView* references =
        task.distillation.targets ? task.distillation.inputs.get() : nullptr;
    StepLoader loader(m_config.trainData,
                      m_cost.CutEpoch(task).Greatest(),
                      references,
                      m_cost.CutReferences(references ? references->Size() : 0).Greatest(),
                      m_device);
    LossSums sums;
    while (report.steps < steps)
    {
        sums = TrainEpoch(task, steps - report.steps, loader, report);
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

std::vector<uint32_t>
TorchLearner::NextReferences(const Distillation& distillation, ReferenceCycle& cycle)
{
    if (!distillation.targets)
    {
        return {};
    }
    if (m_config.referenceOrder == ReferenceOrder::SHUFFLED)
    {
        const std::size_t samples = distillation.inputs->Size();
        return m_references.Take(samples, m_cost.ReferenceBatch(samples));
    }
    std::vector<uint32_t> positions(cycle.BatchSize());
    std::iota(positions.begin(), positions.end(), static_cast<uint32_t>(cycle.Begin()));
    cycle.Advance();
    return positions;
}

std::vector<uint32_t>
TorchLearner::NextOrder(const std::vector<uint32_t>& positions)
{
    if (!positions.empty())
    {
        return Shuffled(positions, m_generator);
    }
    const std::size_t pass = m_passes++;
    return pass < m_config.sampleOrders.size()
               ? m_config.sampleOrders[pass]
               : DrawPermutation(static_cast<uint32_t>(m_config.trainData.Size()), m_generator);
}

LossSums
TorchLearner::TrainEpoch(const TrainTask& task,
                         uint64_t steps,
                         StepLoader& loader,
                         TrainReport& report)
{
    const Distillation& distillation = task.distillation;
    const std::vector<uint32_t> order = m_config.dpSgd || distillation.isAlone
                                            ? std::vector<uint32_t>()
                                            : NextOrder(task.positions);
    ReferenceCycle cycle(
        m_cost.CutReferences(distillation.targets ? distillation.inputs->Size() : 0));
    const BatchCut cut = m_cost.CutEpoch(task);
    const std::size_t batchSize = m_cost.BatchSize(task);
    const uint64_t stepsNow = std::min<uint64_t>(steps, m_cost.StepsOfEpoch(task));
    const ForwardContext context{
        true, true, &m_drawGenerator, m_config.channelsLast, m_device.has_value()};
    LossSums sums;
    for (uint64_t step = 0; step < stepsNow; ++step)
    {
        Batch batch;
        const std::vector<uint32_t> references = NextReferences(distillation, cycle);
        batch.references = references.data();
        batch.referenceSize = references.size();
        batch.referenceWeight = distillation.lambda;
        if (!m_config.dpSgd && !distillation.isAlone)
        {
            batch.positions = order.data() + step * batchSize;
            batch.size = cut.Size(step);
        }
        if (IsPrivate(task))
        {
            DifferentiatePrivately(task, batch, loader, context, sums);
        }
        else if (m_small)
        {
            DifferentiateSmall(batch, distillation, loader, sums);
        }
        else
        {
            DrawWeights();
            Differentiate(batch, distillation, loader, context, sums);
        }
        ++report.steps;
        Step(task, report, step + 1 == steps);
    }
    return sums;
}

std::pair<at::Tensor, at::Tensor>
TorchLearner::ForwardBatch(const Batch& batch, StepLoader& loader, const ForwardContext& context)
{
    const at::Tensor samples = LoadBatch(batch, loader, context.updatesState);
    const auto local = static_cast<int64_t>(batch.size);
    const auto references = static_cast<int64_t>(batch.referenceSize);
    const bool isJoined = m_config.joinsBatches && !m_model->MixesSamples();
    if (local > 0 && references > 0 && !isJoined)
    {
        return {m_model->Forward(samples.narrow(0, 0, local), context),
                m_model->Forward(samples.narrow(0, local, references), context)};
    }
    // One pass for both batches: no layer mixes samples, and larger products are faster.
    const at::Tensor outputs = m_model->Forward(samples, context);
    return {outputs.narrow(0, 0, local), outputs.narrow(0, local, references)};
}

at::Tensor
TorchLearner::LoadBatch(const Batch& batch, StepLoader& loader, bool isStep)
{
    at::Tensor samples =
        loader.LoadSamples(batch.positions, batch.size, batch.references, batch.referenceSize);
    if (isStep && m_config.augmentation && batch.size > 0)
    {
        at::Tensor local = samples.narrow(0, 0, static_cast<int64_t>(batch.size));
        local.copy_(ChangeSamples(*m_config.augmentation, local));
    }
    return samples;
}

at::Tensor
TorchLearner::ChangeSamples(const Augmentation& augmentation, const at::Tensor& samples)
{
    const at::Tensor numbers = samples.cpu();
    const at::Tensor changed = numbers.new_empty(numbers.sizes());
    const std::vector<int64_t>& shape = m_config.trainData.data->sampleShape;
    const int64_t size = samples.numel() / samples.size(0);
    for (int64_t i = 0; i < samples.size(0); ++i)
    {
        Augment(augmentation,
                shape,
                m_drawGenerator,
                numbers.data_ptr<float>() + i * size,
                changed.data_ptr<float>() + i * size);
    }
    return changed.to(samples.device());
}

at::Tensor
TorchLearner::LocalLoss(const at::Tensor& outputs,
                        const Batch& batch,
                        StepLoader& loader,
                        const ForwardContext& context)
{
    if (m_config.loss == LossKind::TRIPLET)
    {
        const at::Tensor samples = loader.LoadSamples(batch.positions, batch.size, nullptr, 0);
        const at::Tensor changed = ChangeSamples(m_config.triplet.augmentation, samples);
        return TripletLoss(outputs, m_model->Forward(changed, context), m_config.triplet.margin);
    }
    if (m_config.trainData.data->outputs > 0)
    {
        return SquaredError(outputs, loader.LoadTargets(batch.positions, batch.size));
    }
    return at::cross_entropy_loss(outputs,
                                  loader.LoadLabels(batch.positions, batch.size),
                                  m_classWeights,
                                  at::Reduction::Mean,
                                  NO_LABEL,
                                  m_config.labelSmoothing);
}

void
TorchLearner::Differentiate(const Batch& batch,
                            const Distillation& distillation,
                            StepLoader& loader,
                            const ForwardContext& context,
                            LossSums& sums)
{
    const auto [local, references] = ForwardBatch(batch, loader, context);
    at::Tensor loss;
    if (batch.size > 0)
    {
        loss = LocalLoss(local, batch, loader, context);
        sums.local.Add(loss, batch.size);
        loss = batch.localWeight == 1 ? loss : loss.mul(batch.localWeight);
    }
    if (distillation.targets && batch.referenceSize > 0)
    {
        const at::Tensor targets =
            GatherTargets(*distillation.targets, batch.references, references.sizes())
                .to(references.device());
        const auto measure = distillation.loss == DistillationLoss::ABSOLUTE_ERROR ? AbsoluteError
                             : HasRawOutputs()                                     ? SquaredError
                                               : SoftCrossEntropy;
        const at::Tensor pull = measure(references, targets);
        sums.distillation.Add(pull, batch.referenceSize);
        loss = loss.defined() ? loss.add(pull, batch.referenceWeight)
                              : pull.mul(batch.referenceWeight);
    }
    loss.backward();
}

void
TorchLearner::DifferentiateSmall(const Batch& batch,
                                 const Distillation& distillation,
                                 StepLoader& loader,
                                 LossSums& sums)
{
    const std::size_t size = batch.size + batch.referenceSize;
    const at::Tensor samples = LoadBatch(batch, loader, true);
    const std::vector<float>& outputs =
        m_small->Forward(m_weights->data(), samples.data_ptr<float>(), size);
    m_outputGradient.resize(outputs.size());
    SampleRange range{size, 0, batch.size, m_outputs, batch.localWeight};
    double loss = 0;
    if (batch.size == 0)
    {
        // Only the reference samples: there is nothing to take a mean of
    }
    else if (HasRawOutputs())
    {
        const at::Tensor targets = loader.LoadTargets(batch.positions, batch.size);
        loss =
            DifferentiateSquaredError(range, outputs, targets.data_ptr<float>(), m_outputGradient);
    }
    else
    {
        const at::Tensor labels = loader.LoadLabels(batch.positions, batch.size);
        loss =
            DifferentiateCrossEntropy(range, outputs, labels.data_ptr<int64_t>(), m_outputGradient);
    }
    sums.local.Add(loss, batch.size);
    if (distillation.targets)
    {
        range = {size, batch.size, batch.referenceSize, m_outputs, batch.referenceWeight};
        const at::Tensor targets =
            GatherTargets(*distillation.targets,
                          batch.references,
                          {static_cast<int64_t>(batch.referenceSize),
                           static_cast<int64_t>(distillation.targets->columns)});
        const auto differentiate = distillation.loss == DistillationLoss::ABSOLUTE_ERROR
                                       ? DifferentiateAbsoluteError
                                   : HasRawOutputs() ? DifferentiateSquaredError
                                                     : DifferentiateSoftCrossEntropy;
        const double pull =
            differentiate(range, outputs, targets.data_ptr<float>(), m_outputGradient);
        sums.distillation.Add(pull, batch.referenceSize);
    }
    m_gradient.resize(m_small->CountWeights());
    m_small->Backward(m_weights->data(), m_outputGradient, m_gradient.data());
}

at::Tensor
TorchLearner::TakeGradient()
{
    std::vector<at::Tensor> parts;
    for (const at::Tensor& parameter : m_model->GetParameters())
    {
        at::Tensor& gradient = parameter.mutable_grad();
        parts.push_back(gradient.defined() ? gradient.reshape(-1)
                                           : parameter.new_zeros(parameter.numel()));
        gradient.reset(); // the next backward pass hands its own over
    }
    return at::cat(parts);
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
    if (IsVariational())
    {
        m_gradient = ByBelief(terms, CopyFlat(gradient), divergenceWeight);
        return ViewFlat(m_gradient); // of a belief there are no other terms
    }
    AddTerms(terms, gradient);
    return gradient;
}

void
TorchLearner::Step(const TrainTask& task, TrainReport& report, bool isLast)
{
    const double rate = (task.learningRate > 0 ? task.learningRate : m_config.learningRate) *
                        GetRateFactor(m_config.optimizer.schedule, m_stepsTaken++);
    const bool isFlat = m_small || IsPrivate(task);
    const double klWeight = IsVariational() ? m_config.variational->klWeight * task.klScale : 0;
    const at::Tensor gradient =
        FinishGradient(task,
                       isFlat ? ViewFlat(m_gradient).to(m_bound.device()) : TakeGradient(),
                       klWeight / static_cast<double>(m_cost.Samples(task)));
    m_optimizer.LimitNorm(gradient);
    const at::Tensor learned = IsVariational() ? ViewFlat(*m_ownWeights) : m_bound;
    m_optimizer.Step(rate, gradient, learned.narrow(0, 0, gradient.numel()));
    if (isLast && task.returnsGradient)
    {
        report.lastGradient = Share(gradient);
    }
}

std::vector<float>
TorchLearner::ByBelief(const ObjectiveTerms& terms,
                       const std::vector<float>& gradient,
                       double divergenceWeight) const
{
    const FlatVector& prior = terms.prior ? terms.prior : m_ownPrior;
    return DifferentiateBelief(*m_weights, m_noise, gradient, *prior, divergenceWeight).gradient;
}

void
TorchLearner::DrawWeights()
{
    if (IsVariational())
    {
        DrawFromBelief(*m_weights, m_drawGenerator, m_noise, m_drawnWeights);
        m_model->Bind(ViewFlat(m_drawnWeights));
    }
}

std::vector<uint32_t>
TorchLearner::PositionsOf(const GradientTask& task) const
{
    const std::size_t own = m_config.trainData.Size();
    std::vector<uint32_t> positions = task.positions;
    if (positions.empty())
    {
        positions.resize(own);
        std::iota(positions.begin(), positions.end(), 0U);
    }
    CheckPositions(positions, own);
    return positions;
}

double
TorchLearner::WeighSamples(const uint32_t* positions, std::size_t count) const
{
    if (m_config.classWeights.empty())
    {
        return static_cast<double>(count);
    }
    const auto& labels = m_config.trainData.labels;
    return std::accumulate(positions, positions + count, 0.0, [&](double sum, uint32_t position) {
        return sum + double{m_config.classWeights[static_cast<std::size_t>(labels[position])]};
    });
}

LossSums
TorchLearner::DifferentiateAll(const GradientTask& task, const std::vector<uint32_t>& positions)
{
    const std::size_t total = positions.size();
    const DataView* references =
        task.distillation.targets ? task.distillation.inputs.get() : nullptr;
    const std::size_t referenceTotal = references ? references->Size() : 0;
    const BatchCut passes = m_cost.CutPasses(total);
    const BatchCut referencePasses = m_cost.CutPasses(referenceTotal);
    StepLoader loader(
        m_config.trainData, passes.Greatest(), references, referencePasses.Greatest(), m_device);
    const ForwardContext context{
        true, false, &m_drawGenerator, m_config.channelsLast, m_device.has_value()};
    const double totalWeight = WeighSamples(positions.data(), total);
    std::vector<uint32_t> all(referenceTotal);
    std::iota(all.begin(), all.end(), 0U);
    LossSums sums;
    for (std::size_t pass = 0; pass < passes.Count(); ++pass)
    {
        Batch batch;
        batch.positions = positions.data() + pass * PASS_SAMPLES;
        batch.size = passes.Size(pass);
        batch.localWeight = WeighSamples(batch.positions, batch.size) / totalWeight;
        Differentiate(batch, task.distillation, loader, context, sums);
    }
    for (std::size_t pass = 0; pass < referencePasses.Count(); ++pass)
    {
        Batch batch;
        batch.references = all.data() + pass * PASS_SAMPLES;
        batch.referenceSize = referencePasses.Size(pass);
        batch.referenceWeight = task.distillation.lambda *
                                static_cast<double>(batch.referenceSize) /
                                static_cast<double>(referenceTotal);
        Differentiate(batch, task.distillation, loader, context, sums);
    }
    return sums;
}

GradientReport
TorchLearner::ComputeGradient(const GradientTask& task)
{
    CheckJob(task);
    CheckArgument(!m_config.dpSgd,
                  "a gradient of a learner with DP-SGD, which would not be private");
    const std::vector<uint32_t> positions = PositionsOf(task);
    DrawWeights();
    const auto scope = EnterDevice();
    BeginJob(task);
    const LossSums sums = DifferentiateAll(task, positions);
    const double klWeight = IsVariational() ? m_config.variational->klWeight : 0;
    const at::Tensor gradient = FinishGradient(
        task, TakeGradient(), klWeight / static_cast<double>(m_config.trainData.Size()));
    GradientReport report;
    report.localLoss = sums.local.Mean(NONE);
    report.distillationLoss = sums.distillation.Mean(0);
    report.gradient = Share(gradient);
    EndJob(false);
    return report;
}

} // namespace ns3::collab
