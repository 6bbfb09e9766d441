/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-passes.h"

#include "collab-torch-losses.h"

#include "ns3/collab-flat-tensor.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-small-losses.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/tensor.h>
#include <utility>

namespace ns3::collab
{

namespace
{

/// What at::cross_entropy_loss() takes for a sample without a label: none has it here
constexpr int64_t NO_LABEL = -100;

/// @param config configuration of a learner that computes with the host's ways
/// @return its model, if that is a small network, whose loss can be differentiated without LibTorch
std::optional<SmallNetwork>
MakeSmall(const TorchLearnerConfig& config)
{
    const NamedModel named = FindModel(config.model);
    const bool isSmall = named.factory.plan && config.nativeSmallNetworks &&
                         config.loss == LossKind::SUPERVISED && !config.variational &&
                         !ChangesCrossEntropy(config);
    return isSmall ? SmallNetwork::Make(named.factory.plan(named.options, MakeModelInput(config)))
                   : std::nullopt;
}

} // namespace

TorchPasses::TorchPasses(const TorchLearnerConfig& config,
                         const TorchModel& model,
                         const std::optional<at::Device>& device)
    : m_config(config),
      m_model(model),
      m_device(device),
      m_isRaw(HasRawOutputs(config)),
      m_generator(SplitMix64(config.shuffleSeed)),
      m_small(device ? std::nullopt : MakeSmall(config))
{
    if (!config.classWeights.empty())
    {
        m_classWeights = at::tensor(config.classWeights).to(device.value_or(at::kCPU));
    }
}

void
TorchPasses::Begin(const PassJob& job)
{
    m_distillation = &job.distillation;
    const DataView* references = job.distillation.targets ? job.distillation.inputs.get() : nullptr;
    m_loader.emplace(m_config.trainData, job.localBatch, references, job.referenceBatch, m_device);
    m_context = {true, job.takesSteps, &m_generator, m_config.channelsLast, m_device.has_value()};
}

void
TorchPasses::End()
{
    m_loader.reset();
}

std::pair<at::Tensor, at::Tensor>
TorchPasses::Forward(const Batch& batch)
{
    const at::Tensor samples = LoadBatch(batch);
    const auto local = static_cast<int64_t>(batch.size);
    const auto references = static_cast<int64_t>(batch.referenceSize);
    const bool isJoined = m_config.joinsBatches && !m_model.MixesSamples();
    if (local > 0 && references > 0 && !isJoined)
    {
        return {m_model.Forward(samples.narrow(0, 0, local), m_context),
                m_model.Forward(samples.narrow(0, local, references), m_context)};
    }
    // One pass for both batches: no layer mixes samples, and larger products are faster.
    const at::Tensor outputs = m_model.Forward(samples, m_context);
    return {outputs.narrow(0, 0, local), outputs.narrow(0, local, references)};
}

at::Tensor
TorchPasses::LoadBatch(const Batch& batch)
{
    at::Tensor samples =
        m_loader->LoadSamples(batch.positions, batch.size, batch.references, batch.referenceSize);
    if (m_context.updatesState && m_config.augmentation && batch.size > 0)
    {
        at::Tensor local = samples.narrow(0, 0, static_cast<int64_t>(batch.size));
        local.copy_(ChangeSamples(*m_config.augmentation, local));
    }
    return samples;
}

at::Tensor
TorchPasses::ChangeSamples(const Augmentation& augmentation, const at::Tensor& samples)
{
    const at::Tensor numbers = samples.cpu();
    const at::Tensor changed = numbers.new_empty(numbers.sizes());
    const std::vector<int64_t>& shape = m_config.trainData.data->sampleShape;
    const int64_t size = samples.numel() / samples.size(0);
    for (int64_t i = 0; i < samples.size(0); ++i)
    {
        Augment(augmentation,
                shape,
                m_generator,
                numbers.data_ptr<float>() + i * size,
                changed.data_ptr<float>() + i * size);
    }
    return changed.to(samples.device());
}

at::Tensor
TorchPasses::LocalLoss(const at::Tensor& outputs, const Batch& batch)
{
    if (m_config.loss == LossKind::TRIPLET)
    {
        const at::Tensor samples = m_loader->LoadSamples(batch.positions, batch.size, nullptr, 0);
        const at::Tensor changed = ChangeSamples(m_config.triplet.augmentation, samples);
        return TripletLoss(outputs, m_model.Forward(changed, m_context), m_config.triplet.margin);
    }
    if (m_config.trainData.data->outputs > 0)
    {
        return SquaredError(outputs, m_loader->LoadTargets(batch.positions, batch.size));
    }
    return at::cross_entropy_loss(outputs,
                                  m_loader->LoadLabels(batch.positions, batch.size),
                                  m_classWeights,
                                  at::Reduction::Mean,
                                  NO_LABEL,
                                  m_config.labelSmoothing);
}

void
TorchPasses::Differentiate(const Batch& batch, LossSums& sums)
{
    const Distillation& distillation = *m_distillation;
    const auto [local, references] = Forward(batch);
    at::Tensor loss;
    if (batch.size > 0)
    {
        loss = LocalLoss(local, batch);
        sums.local.Add(loss, batch.size);
        loss = batch.localWeight == 1 ? loss : loss.mul(batch.localWeight);
    }
    if (distillation.targets && batch.referenceSize > 0)
    {
        const at::Tensor targets =
            GatherTargets(*distillation.targets, batch.references, references.sizes())
                .to(references.device());
        const auto measure = distillation.loss == DistillationLoss::ABSOLUTE_ERROR ? AbsoluteError
                             : m_isRaw                                             ? SquaredError
                                       : SoftCrossEntropy;
        const at::Tensor pull = measure(references, targets);
        sums.distillation.Add(pull, batch.referenceSize);
        loss = loss.defined() ? loss.add(pull, batch.referenceWeight)
                              : pull.mul(batch.referenceWeight);
    }
    loss.backward();
}

void
TorchPasses::DifferentiateSmall(const Batch& batch, const float* weights, LossSums& sums)
{
    const std::size_t size = batch.size + batch.referenceSize;
    const Distillation& distillation = *m_distillation;
    const at::Tensor samples = LoadBatch(batch);
    const std::vector<float>& outputs = m_small->Forward(weights, samples.data_ptr<float>(), size);
    m_outputGradient.resize(outputs.size());
    SampleRange range{size, 0, batch.size, m_small->CountOutputs(), batch.localWeight};
    double loss = 0;
    if (batch.size == 0)
    {
        // Only the reference samples: there is nothing to take a mean of
    }
    else if (m_isRaw)
    {
        const at::Tensor targets = m_loader->LoadTargets(batch.positions, batch.size);
        loss =
            DifferentiateSquaredError(range, outputs, targets.data_ptr<float>(), m_outputGradient);
    }
    else
    {
        const at::Tensor labels = m_loader->LoadLabels(batch.positions, batch.size);
        loss =
            DifferentiateCrossEntropy(range, outputs, labels.data_ptr<int64_t>(), m_outputGradient);
    }
    sums.local.Add(loss, batch.size);
    if (distillation.targets && batch.referenceSize > 0)
    {
        range = {
            size, batch.size, batch.referenceSize, m_small->CountOutputs(), batch.referenceWeight};
        const at::Tensor targets =
            GatherTargets(*distillation.targets,
                          batch.references,
                          {static_cast<int64_t>(batch.referenceSize),
                           static_cast<int64_t>(distillation.targets->columns)});
        const auto differentiate = distillation.loss == DistillationLoss::ABSOLUTE_ERROR
                                       ? DifferentiateAbsoluteError
                                   : m_isRaw ? DifferentiateSquaredError
                                             : DifferentiateSoftCrossEntropy;
        const double pull =
            differentiate(range, outputs, targets.data_ptr<float>(), m_outputGradient);
        sums.distillation.Add(pull, batch.referenceSize);
    }
    m_gradient.resize(m_small->CountWeights());
    m_small->Backward(weights, m_outputGradient, m_gradient.data());
}

at::Tensor
TorchPasses::TakeGradient()
{
    std::vector<at::Tensor> parts;
    for (const at::Tensor& parameter : m_model.GetParameters())
    {
        at::Tensor& gradient = parameter.mutable_grad();
        parts.push_back(gradient.defined() ? gradient.reshape(-1)
                                           : parameter.new_zeros(parameter.numel()));
        gradient.reset(); // the next backward pass hands its own over
    }
    return at::cat(parts);
}

at::Tensor
TorchPasses::DifferentiateStep(const Batch& batch, const at::Tensor& weights, LossSums& sums)
{
    if (m_small)
    {
        DifferentiateSmall(batch, weights.data_ptr<float>(), sums);
        return ViewFlat(m_gradient);
    }
    Differentiate(batch, sums);
    return TakeGradient();
}

RandomGenerator&
TorchPasses::GetGenerator()
{
    return m_generator;
}

const RandomGenerator&
TorchPasses::GetGenerator() const
{
    return m_generator;
}

} // namespace ns3::collab
