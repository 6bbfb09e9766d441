/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-learner.h"

#include "collab-learner-checks.h"
#include "collab-metrics.h"
#include "collab-model-registry.h"
#include "collab-random.h"
#include "collab-regression-score.h"
#include "collab-torch-batches.h"
#include "collab-torch-cost.h"
#include "collab-torch-losses.h"
#include "collab-torch-model.h"
#include "collab-torch-optimizer.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/softmax.h>
#include <algorithm>
#include <atomic>
#include <c10/core/InferenceMode.h>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

/// Losses, summed over samples, and how many samples these were.
struct LossSums
{
    double local = 0;          //!< on the local samples
    double distillation = 0;   //!< on the reference samples
    uint64_t localSamples = 0; //!< number of local samples
    uint64_t references = 0;   //!< number of reference samples

    /// @return mean of the local loss; 0 without samples
    double
    MeanLocal() const
    {
        return localSamples > 0 ? local / static_cast<double>(localSamples) : 0;
    }

    /// @return mean of the distillation's; 0 without samples
    double
    MeanDistillation() const
    {
        return references > 0 ? distillation / static_cast<double>(references) : 0;
    }
};

/// The samples of one forward and backward pass.
struct Batch
{
    const uint32_t* positions = nullptr; //!< of local samples in their view
    std::size_t size = 0;                //!< number of local samples
    std::size_t referenceBegin = 0;      //!< first reference sample
    std::size_t referenceSize = 0;       //!< number of reference samples
    double localWeight = 1;              //!< of the local loss
    double referenceWeight = 0;          //!< of the distillation's
};

/**
 * @param config what to build
 * @return the same
 * @throws std::invalid_argument if a value is not allowed
 */
TorchLearnerConfig
Checked(TorchLearnerConfig config)
{
    if (!config.trainData.data)
    {
        throw std::invalid_argument("trainData: there is no data set");
    }
    const bool isTriplet = config.loss == LossKind::TRIPLET;
    CheckView(config.trainData, "trainData", config.trainData.data->sampleShape);
    CheckTrainData(config.trainData, !isTriplet);
    if (!(config.learningRate > 0) || !std::isfinite(config.learningRate))
    {
        throw std::invalid_argument(
            fmt::format("learningRate {} is not positive and finite", config.learningRate));
    }
    if (config.batchSize == 0 || config.referenceBatchSize == 0)
    {
        throw std::invalid_argument(
            fmt::format("batchSize {} and referenceBatchSize {} must be at least 1",
                        config.batchSize,
                        config.referenceBatchSize));
    }
    CheckOptimizer(config.optimizer);
    if (config.variational)
    {
        CheckVariational(*config.variational);
    }
    if (!isTriplet)
    {
        return config;
    }
    CheckAugmentation(config.triplet.augmentation);
    const bool isTokens = config.trainData.data->kind == FeatureKind::TOKENS;
    if (isTokens || config.trainData.Size() < 2 || config.batchSize < 2 ||
        !(config.triplet.margin > 0))
    {
        throw std::invalid_argument(
            fmt::format("triplets of {} samples of kind {} in batches of {} with the margin {}, "
                        "expected at least 2 and 2, no tokens, and a positive margin",
                        config.trainData.Size(),
                        ToString(config.trainData.data->kind),
                        config.batchSize,
                        config.triplet.margin));
    }
    return config;
}

/**
 * @param config of a learner, with a data set
 * @return what its model reads
 */
ModelInput
InputOf(const TorchLearnerConfig& config)
{
    ModelInput input = MakeModelInput(*config.trainData.data);
    input.embedding = config.embedding;
    input.graph = config.graph;
    return input;
}

/// The learner of MakeTorchLearner().
class TorchLearner : public Learner
{
  public:
    /**
     * @param config what to build, already checked
     * @param model not bound to weights yet
     * @param weights to start from; null for random ones
     */
    TorchLearner(TorchLearnerConfig config, std::unique_ptr<TorchModel> model, FlatVector weights);

    TrainReport Train(const TrainTask& task) override;
    Matrix<float> Predict(const DataView& inputs) override;
    Score Evaluate(const DataView& labelled) override;
    uint64_t CountTrainFlops(const TrainTask& task) const override;
    uint64_t CountPredictFlops(std::size_t samples) const override;
    uint64_t GetParameterCount() const override;
    FlatVector GetWeights() const override;
    void SetWeights(FlatVector weights) override;
    GradientReport ComputeGradient(const GradientTask& task) override;
    uint64_t CountGradientFlops(const GradientTask& task) const override;

  private:
    /// @return whether the learner has a belief instead of weights
    bool IsVariational() const;
    /// @return length of the vectors of GetWeights() and SetWeights()
    std::size_t CountWeights() const;
    /// @return what the model's outputs mean
    bool HasRawOutputs() const;

    /// @throws std::invalid_argument if the model does not make what the loss needs
    void CheckOutputs() const;
    /**
     * @param terms of a job
     * @throws std::invalid_argument if one is not allowed
     */
    void CheckJob(const ObjectiveTerms& terms) const;
    /**
     * @param task a training job
     * @throws std::invalid_argument if a value is not allowed
     */
    void CheckTask(const TrainTask& task) const;

    /// Get weights of one's own, by a copy if others can see them.
    void BeginWriting();
    /// Let the model's tensors show the present weights.
    void BindWeights();

    /**
     * @brief Some steps of one pass over the local samples.
     * @param task the job
     * @param steps most steps to take
     * @param loader of the samples
     * @param report to which the last gradient is added
     * @return the losses
     */
    LossSums TrainEpoch(const TrainTask& task,
                        uint64_t steps,
                        StepLoader& loader,
                        TrainReport& report);
    /**
     * @brief Forward and backward pass; gradients are added to the parameters'.
     * @param batch of samples
     * @param distillation of the job
     * @param loader of the samples
     * @param context of the forward pass
     * @param sums to which the losses are added
     */
    void Differentiate(const Batch& batch,
                       const Distillation& distillation,
                       StepLoader& loader,
                       const ForwardContext& context,
                       LossSums& sums);
    /**
     * @param batch of samples
     * @param loader of the samples
     * @param context of the forward pass
     * @return outputs of the local samples, and of the reference samples
     */
    std::pair<at::Tensor, at::Tensor> ForwardBatch(const Batch& batch,
                                                   StepLoader& loader,
                                                   const ForwardContext& context) const;
    /**
     * @param outputs of the local samples
     * @param batch of samples
     * @param loader of the samples
     * @param context of the forward pass
     * @return the mean loss
     */
    at::Tensor LocalLoss(const at::Tensor& outputs,
                         const Batch& batch,
                         StepLoader& loader,
                         const ForwardContext& context);
    /**
     * @param samples of a batch
     * @return the same changed at random
     */
    at::Tensor ChangeSamples(const at::Tensor& samples);

    /// @return gradients of the last backward pass, which the parameters give away
    std::vector<at::Tensor> TakeGradients();
    /**
     * @brief Take a step with the gradients of the last backward pass.
     * @param task the job
     * @param report to which the gradient is added if it is to be returned
     * @param isLast whether it is the last step of the job
     */
    void Step(const TrainTask& task, TrainReport& report, bool isLast);
    /**
     * @brief Take a variational learner's step.
     * @param task the job
     * @param gradients by the weights drawn
     * @return gradient by the belief, to be overwritten
     */
    std::vector<float> StepBelief(const TrainTask& task, const std::vector<at::Tensor>& gradients);
    /**
     * @param terms of a job
     * @param begin place of the numbers in the flat vector
     * @param count number of trained numbers
     * @param gradient of these, to which the terms' are added
     */
    void AddTerms(const ObjectiveTerms& terms,
                  std::size_t begin,
                  std::size_t count,
                  float* gradient) const;
    /**
     * @param tensors one for each parameter
     * @return their numbers as a flat vector, zeros for state
     */
    std::vector<float> Flatten(const std::vector<at::Tensor>& tensors) const;
    /**
     * @param terms of a job
     * @return the job's prior, or else the learner's own
     */
    FlatVector PriorOf(const ObjectiveTerms& terms) const;

    /**
     * @brief Add the outputs for all samples, at the weights that the model is bound to.
     * @param inputs samples
     * @param outputs samples x outputs
     * @param isFirst whether to replace what is there
     */
    void AddPredictions(const DataView& inputs, Matrix<float>& outputs, bool isFirst) const;

    TorchLearnerConfig m_config;         //!< what was built
    std::unique_ptr<TorchModel> m_model; //!< what learns
    std::size_t m_outputs;               //!< of the model
    LearnerCost m_cost;                  //!< counts operations
    TorchOptimizer m_optimizer;          //!< with its state
    RandomGenerator m_generator;         //!< of the order of samples
    RandomGenerator m_drawGenerator;     //!< of masks, changed samples and weights drawn
    /// the model's weights, or all means and then all r of a belief
    std::shared_ptr<const std::vector<float>> m_weights;
    std::vector<float>* m_ownWeights = nullptr; //!< the same if it was made here, else null
    std::vector<float> m_drawnWeights;          //!< by a belief
    FlatVector m_ownPrior;                      //!< of a belief, if a job has none
    std::vector<float> m_noise;                 //!< that they were drawn with
};

TorchLearner::TorchLearner(TorchLearnerConfig config,
                           std::unique_ptr<TorchModel> model,
                           FlatVector weights)
    : m_config(std::move(config)),
      m_model(std::move(model)),
      m_outputs(CountOutputs(m_config.model, InputOf(m_config))),
      m_cost(m_config, DescribeModel(m_config.model, InputOf(m_config)), m_outputs),
      m_optimizer(m_config.optimizer),
      m_generator(m_config.shuffleSeed),
      m_drawGenerator(SplitMix64(m_config.shuffleSeed))
{
    CheckOutputs();
    if (IsVariational())
    {
        std::vector<float> prior(CountWeights(), 0.0F);
        std::fill(prior.begin() + static_cast<std::ptrdiff_t>(prior.size() / 2),
                  prior.end(),
                  static_cast<float>(m_config.variational->priorDeviation));
        m_ownPrior = std::make_shared<const std::vector<float>>(std::move(prior));
    }
    if (!weights)
    {
        weights = DrawInitialWeights(m_config);
    }
    SetWeights(std::move(weights));
}

bool
TorchLearner::IsVariational() const
{
    return m_config.variational.has_value();
}

std::size_t
TorchLearner::CountWeights() const
{
    return IsVariational() ? 2 * m_model->CountParameters() : m_model->CountWeights();
}

bool
TorchLearner::HasRawOutputs() const
{
    return m_config.loss == LossKind::TRIPLET || m_config.trainData.data->outputs > 0;
}

void
TorchLearner::CheckOutputs() const
{
    const DataSet& data = *m_config.trainData.data;
    const std::size_t expected = data.outputs > 0 ? data.outputs : data.classes;
    if (m_config.loss == LossKind::SUPERVISED && m_outputs != expected)
    {
        throw std::invalid_argument(fmt::format("model {} makes {} outputs, the data set has {} {}",
                                                m_config.model,
                                                m_outputs,
                                                expected,
                                                data.outputs > 0 ? "targets" : "classes"));
    }
    if (IsVariational() && m_model->CountParameters() != m_model->CountWeights())
    {
        throw std::invalid_argument(fmt::format(
            "model {} has running statistics, of which there are no beliefs", m_config.model));
    }
}

void
TorchLearner::CheckJob(const ObjectiveTerms& terms) const
{
    CheckDistillation(terms.distillation, m_config.trainData.data->sampleShape, m_outputs);
    CheckTerms(terms, CountWeights(), IsVariational());
}

void
TorchLearner::CheckTask(const TrainTask& task) const
{
    CheckJob(task);
    if (!(task.learningRate >= 0) || !std::isfinite(task.learningRate))
    {
        throw std::invalid_argument(
            fmt::format("learningRate {} is not 0 or positive and finite", task.learningRate));
    }
    if (m_config.loss == LossKind::TRIPLET && task.batchSize == 1)
    {
        throw std::invalid_argument("batchSize 1, but a triplet needs at least 2 samples");
    }
}

FlatVector
TorchLearner::GetWeights() const
{
    if (!IsVariational())
    {
        return m_weights;
    }
    std::vector<float> belief = *m_weights;
    const std::size_t count = belief.size() / 2;
    RhoToDeviations(belief.data() + count, count, belief.data() + count);
    return std::make_shared<const std::vector<float>>(std::move(belief));
}

void
TorchLearner::SetWeights(FlatVector weights)
{
    if (!weights)
    {
        throw std::invalid_argument("weights: there are none");
    }
    CheckFlatVector(weights, "weights", CountWeights());
    m_ownWeights = nullptr;
    if (IsVariational())
    {
        const std::size_t count = weights->size() / 2;
        const auto deviations = weights->begin() + static_cast<std::ptrdiff_t>(count);
        if (*std::min_element(deviations, weights->end()) <= 0)
        {
            throw std::invalid_argument("weights: a standard deviation is not positive");
        }
        auto belief = std::make_shared<std::vector<float>>(*weights);
        DeviationsToRho(belief->data() + count, count, belief->data() + count);
        m_ownWeights = belief.get();
        m_weights = std::move(belief);
        return;
    }
    m_weights = std::move(weights);
    BindWeights();
}

void
TorchLearner::BindWeights()
{
    // The model only writes after BeginWriting().
    m_model->Bind(const_cast<float*>(m_weights->data()));
}

void
TorchLearner::BeginWriting()
{
    const bool isAlone = m_ownWeights && m_weights.use_count() == 1;
    std::atomic_thread_fence(std::memory_order_acquire); // after the last other owner's reads
    if (isAlone)
    {
        return;
    }
    auto copy = std::make_shared<std::vector<float>>(*m_weights);
    m_ownWeights = copy.get();
    m_weights = std::move(copy);
    if (!IsVariational())
    {
        BindWeights();
    }
}

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
    const DataView* references =
        task.distillation.targets ? task.distillation.inputs.get() : nullptr;
    const std::size_t referenceSize = references ? references->Size() : 0;
    StepLoader loader(m_config.trainData,
                      m_cost.BatchSize(task),
                      references,
                      std::min<std::size_t>(m_config.referenceBatchSize, referenceSize));
    LossSums sums;
    while (report.steps < steps)
    {
        sums = TrainEpoch(task, steps - report.steps, loader, report);
    }
    report.localLoss = sums.MeanLocal();
    report.distillationLoss = sums.MeanDistillation();
    return report;
}

LossSums
TorchLearner::TrainEpoch(const TrainTask& task,
                         uint64_t steps,
                         StepLoader& loader,
                         TrainReport& report)
{
    const Distillation& distillation = task.distillation;
    const std::size_t total = m_config.trainData.Size();
    const auto order = DrawPermutation(static_cast<uint32_t>(total), m_generator);
    ReferenceCycle cycle(distillation.targets ? distillation.inputs->Size() : 0,
                         m_config.referenceBatchSize);
    const std::size_t batchSize = m_cost.BatchSize(task);
    const uint64_t stepsNow = std::min<uint64_t>(steps, m_cost.StepsOfEpoch(task));
    const ForwardContext context{true, true, &m_drawGenerator};
    LossSums sums;
    for (uint64_t step = 0; step < stepsNow; ++step)
    {
        Batch batch;
        batch.positions = order.data() + step * batchSize;
        batch.size = std::min<std::size_t>(batchSize, total - step * batchSize);
        batch.referenceBegin = cycle.Begin();
        batch.referenceSize = cycle.BatchSize();
        batch.referenceWeight = distillation.lambda;
        if (IsVariational())
        {
            DrawFromBelief(*m_weights, m_drawGenerator, m_noise, m_drawnWeights);
            m_model->Bind(m_drawnWeights.data());
        }
        Differentiate(batch, distillation, loader, context, sums);
        if (distillation.targets)
        {
            cycle.Advance();
        }
        ++report.steps;
        Step(task, report, step + 1 == steps);
    }
    return sums;
}

std::pair<at::Tensor, at::Tensor>
TorchLearner::ForwardBatch(const Batch& batch,
                           StepLoader& loader,
                           const ForwardContext& context) const
{
    const at::Tensor samples =
        loader.LoadSamples(batch.positions, batch.size, batch.referenceBegin, batch.referenceSize);
    const auto local = static_cast<int64_t>(batch.size);
    const auto references = static_cast<int64_t>(batch.referenceSize);
    if (local > 0 && references > 0 && m_model->MixesSamples())
    {
        return {m_model->Forward(samples.narrow(0, 0, local), context),
                m_model->Forward(samples.narrow(0, local, references), context)};
    }
    // One pass for both batches: no layer mixes samples, and larger products are faster.
    const at::Tensor outputs = m_model->Forward(samples, context);
    return {outputs.narrow(0, 0, local), outputs.narrow(0, local, references)};
}

at::Tensor
TorchLearner::ChangeSamples(const at::Tensor& samples)
{
    const at::Tensor changed = samples.new_empty(samples.sizes());
    const std::vector<int64_t>& shape = m_config.trainData.data->sampleShape;
    const int64_t size = samples.numel() / samples.size(0);
    for (int64_t i = 0; i < samples.size(0); ++i)
    {
        Augment(m_config.triplet.augmentation,
                shape,
                m_drawGenerator,
                samples.data_ptr<float>() + i * size,
                changed.data_ptr<float>() + i * size);
    }
    return changed;
}

at::Tensor
TorchLearner::LocalLoss(const at::Tensor& outputs,
                        const Batch& batch,
                        StepLoader& loader,
                        const ForwardContext& context)
{
    if (m_config.loss == LossKind::TRIPLET)
    {
        const at::Tensor samples = loader.LoadSamples(batch.positions, batch.size, 0, 0);
        return TripletLoss(
            outputs, m_model->Forward(ChangeSamples(samples), context), m_config.triplet.margin);
    }
    if (m_config.trainData.data->outputs > 0)
    {
        return SquaredError(outputs, loader.LoadTargets(batch.positions, batch.size));
    }
    return at::cross_entropy_loss(outputs, loader.LoadLabels(batch.positions, batch.size));
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
        sums.local += loss.item<double>() * static_cast<double>(batch.size);
        sums.localSamples += batch.size;
        loss = batch.localWeight == 1 ? loss : loss.mul(batch.localWeight);
    }
    if (distillation.targets && batch.referenceSize > 0)
    {
        const at::Tensor targets =
            ViewTargets(*distillation.targets, batch.referenceBegin, references.sizes());
        const at::Tensor pull = HasRawOutputs() ? SquaredError(references, targets)
                                                : SoftCrossEntropy(references, targets);
        sums.distillation += pull.item<double>() * static_cast<double>(batch.referenceSize);
        sums.references += batch.referenceSize;
        loss = loss.defined() ? loss.add(pull, batch.referenceWeight)
                              : pull.mul(batch.referenceWeight);
    }
    loss.backward();
}

std::vector<at::Tensor>
TorchLearner::TakeGradients()
{
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& parameter : m_model->GetParameters())
    {
        at::Tensor& gradient = parameter.mutable_grad();
        gradients.push_back(gradient.defined() ? gradient.contiguous()
                                               : parameter.new_zeros(parameter.sizes()));
        gradient.reset(); // the next backward pass hands its own over
    }
    return gradients;
}

void
TorchLearner::AddTerms(const ObjectiveTerms& terms,
                       std::size_t begin,
                       std::size_t count,
                       float* gradient) const
{
    const float* weights = m_weights->data() + begin;
    if (terms.l2 > 0)
    {
        const auto l2 = static_cast<float>(terms.l2);
        for (std::size_t i = 0; i < count; ++i)
        {
            gradient[i] += l2 * weights[i];
        }
    }
    if (terms.mu > 0)
    {
        const auto mu = static_cast<float>(terms.mu);
        const float* center = terms.center->data() + begin;
        for (std::size_t i = 0; i < count; ++i)
        {
            gradient[i] += mu * (weights[i] - center[i]);
        }
    }
    if (terms.correction)
    {
        const float* correction = terms.correction->data() + begin;
        for (std::size_t i = 0; i < count; ++i)
        {
            gradient[i] += correction[i];
        }
    }
}

std::vector<float>
TorchLearner::Flatten(const std::vector<at::Tensor>& tensors) const
{
    std::vector<float> flat(m_model->CountWeights(), 0.0F);
    float* next = flat.data();
    for (const at::Tensor& tensor : tensors)
    {
        next = std::copy_n(tensor.data_ptr<float>(), tensor.numel(), next);
    }
    return flat;
}

FlatVector
TorchLearner::PriorOf(const ObjectiveTerms& terms) const
{
    return terms.prior ? terms.prior : m_ownPrior;
}

void
TorchLearner::Step(const TrainTask& task, TrainReport& report, bool isLast)
{
    const std::vector<at::Tensor> gradients = TakeGradients();
    const double rate = task.learningRate > 0 ? task.learningRate : m_config.learningRate;
    const bool returnsGradient = isLast && task.returnsGradient;
    if (IsVariational())
    {
        std::vector<float> gradient = StepBelief(task, gradients);
        if (returnsGradient)
        {
            report.lastGradient = std::make_shared<const std::vector<float>>(gradient);
        }
        const auto size = static_cast<int64_t>(gradient.size());
        m_optimizer.Step({at::from_blob(m_ownWeights->data(), {size})},
                         {at::from_blob(gradient.data(), {size})},
                         rate);
        return;
    }
    std::size_t begin = 0;
    for (const at::Tensor& gradient : gradients)
    {
        const auto count = static_cast<std::size_t>(gradient.numel());
        AddTerms(task, begin, count, gradient.data_ptr<float>());
        begin += count;
    }
    if (returnsGradient)
    {
        report.lastGradient = std::make_shared<const std::vector<float>>(Flatten(gradients));
    }
    m_optimizer.Step(m_model->GetParameters(), gradients, rate);
}

std::vector<float>
TorchLearner::StepBelief(const TrainTask& task, const std::vector<at::Tensor>& gradients)
{
    const double weight =
        m_config.variational->klWeight / static_cast<double>(m_config.trainData.Size());
    return DifferentiateBelief(*m_weights, m_noise, Flatten(gradients), *PriorOf(task), weight)
        .gradient;
}

GradientReport
TorchLearner::ComputeGradient(const GradientTask& task)
{
    CheckJob(task);
    std::vector<uint32_t> positions = task.positions;
    const std::size_t own = m_config.trainData.Size();
    if (positions.empty())
    {
        positions.resize(own);
        std::iota(positions.begin(), positions.end(), 0U);
    }
    const auto wrong = std::find_if(
        positions.begin(), positions.end(), [own](uint32_t position) { return position >= own; });
    if (wrong != positions.end())
    {
        throw std::invalid_argument(
            fmt::format("position {} is not below {} samples", *wrong, own));
    }
    const DataView* references =
        task.distillation.targets ? task.distillation.inputs.get() : nullptr;
    const std::size_t referenceTotal = references ? references->Size() : 0;
    StepLoader loader(m_config.trainData,
                      std::min(PASS_SAMPLES, positions.size()),
                      references,
                      std::min(PASS_SAMPLES, referenceTotal));
    if (IsVariational())
    {
        DrawFromBelief(*m_weights, m_drawGenerator, m_noise, m_drawnWeights);
        m_model->Bind(m_drawnWeights.data());
    }
    const ForwardContext context{true, false, &m_drawGenerator};
    LossSums sums;
    for (std::size_t begin = 0; begin < positions.size(); begin += PASS_SAMPLES)
    {
        Batch batch;
        batch.positions = positions.data() + begin;
        batch.size = std::min(PASS_SAMPLES, positions.size() - begin);
        batch.localWeight = static_cast<double>(batch.size) / static_cast<double>(positions.size());
        Differentiate(batch, task.distillation, loader, context, sums);
    }
    for (std::size_t begin = 0; begin < referenceTotal; begin += PASS_SAMPLES)
    {
        Batch batch;
        batch.referenceBegin = begin;
        batch.referenceSize = std::min(PASS_SAMPLES, referenceTotal - begin);
        batch.referenceWeight = task.distillation.lambda *
                                static_cast<double>(batch.referenceSize) /
                                static_cast<double>(referenceTotal);
        Differentiate(batch, task.distillation, loader, context, sums);
    }
    std::vector<float> gradient = Flatten(TakeGradients());
    if (IsVariational())
    {
        const double weight = m_config.variational->klWeight / static_cast<double>(own);
        gradient =
            DifferentiateBelief(*m_weights, m_noise, gradient, *PriorOf(task), weight).gradient;
    }
    AddTerms(task, 0, m_model->CountParameters(), gradient.data());
    GradientReport report;
    report.localLoss = sums.MeanLocal();
    report.distillationLoss = sums.MeanDistillation();
    report.gradient = std::make_shared<const std::vector<float>>(std::move(gradient));
    return report;
}

Matrix<float>
TorchLearner::Predict(const DataView& inputs)
{
    CheckView(inputs, "inputs", m_config.trainData.data->sampleShape);
    Matrix<float> outputs(inputs.Size(), m_outputs);
    if (!IsVariational())
    {
        AddPredictions(inputs, outputs, true);
        return outputs;
    }
    RandomGenerator generator(m_config.shuffleSeed); // the same belief predicts the same
    const uint32_t draws = m_config.variational->predictionDraws;
    for (uint32_t draw = 0; draw < draws; ++draw)
    {
        DrawFromBelief(*m_weights, generator, m_noise, m_drawnWeights);
        m_model->Bind(m_drawnWeights.data());
        AddPredictions(inputs, outputs, draw == 0);
    }
    for (float& output : outputs.values)
    {
        output /= static_cast<float>(draws);
    }
    return outputs;
}

void
TorchLearner::AddPredictions(const DataView& inputs, Matrix<float>& outputs, bool isFirst) const
{
    const c10::InferenceMode guard;
    ViewReader reader(inputs);
    const at::Tensor samples =
        MakeSampleTensor(*inputs.data, std::min(PASS_SAMPLES, inputs.Size()));
    for (std::size_t begin = 0; begin < inputs.Size(); begin += PASS_SAMPLES)
    {
        const std::size_t size = std::min(PASS_SAMPLES, inputs.Size() - begin);
        reader.Read(
            size, [begin](std::size_t i) { return begin + i; }, samples, 0);
        const at::Tensor raw =
            m_model->Forward(samples.narrow(0, 0, static_cast<int64_t>(size)), {});
        const at::Tensor batch = (HasRawOutputs() ? raw : at::softmax(raw, 1)).contiguous();
        const auto* values = batch.data_ptr<float>();
        float* target = outputs.Row(begin);
        std::transform(values, values + batch.numel(), target, target, [=](float made, float sum) {
            return isFirst ? made : sum + made;
        });
    }
}

Score
TorchLearner::Evaluate(const DataView& labelled)
{
    if (m_config.loss == LossKind::TRIPLET)
    {
        throw std::invalid_argument("embeddings cannot be scored against labels");
    }
    const Matrix<float> predictions = Predict(labelled);
    return m_config.trainData.data->outputs > 0 ? ScoreRegression(predictions, labelled)
                                                : ScorePredictions(predictions, labelled.labels);
}

uint64_t
TorchLearner::CountTrainFlops(const TrainTask& task) const
{
    CheckTask(task);
    return m_cost.Train(task);
}

uint64_t
TorchLearner::CountGradientFlops(const GradientTask& task) const
{
    CheckJob(task);
    return m_cost.Gradient(task);
}

uint64_t
TorchLearner::CountPredictFlops(std::size_t samples) const
{
    return m_cost.Predict(samples);
}

uint64_t
TorchLearner::GetParameterCount() const
{
    return m_cost.Parameters();
}

} // namespace

ModelInput
MakeModelInput(const DataSet& data)
{
    ModelInput input;
    input.sampleShape = data.sampleShape;
    input.outputs = data.outputs > 0 ? data.outputs : data.classes;
    input.vocabulary = data.kind == FeatureKind::TOKENS ? data.vocabulary : 0;
    return input;
}

FlatVector
DrawInitialWeights(const TorchLearnerConfig& config)
{
    if (!config.trainData.data)
    {
        throw std::invalid_argument("trainData: there is no data set");
    }
    const auto model = MakeTorchModel(config.model, InputOf(config));
    std::vector<float> weights = model->DrawWeights(config.initializationSeed);
    if (config.variational)
    {
        weights.resize(2 * weights.size(),
                       static_cast<float>(config.variational->initialDeviation));
    }
    return std::make_shared<const std::vector<float>>(std::move(weights));
}

std::unique_ptr<Learner>
MakeTorchLearner(TorchLearnerConfig config, FlatVector weights)
{
    config = Checked(std::move(config));
    auto model = MakeTorchModel(config.model, InputOf(config));
    return std::make_unique<TorchLearner>(std::move(config), std::move(model), std::move(weights));
}

std::unique_ptr<Learner>
MakeTorchLearner(TorchLearnerConfig config)
{
    return MakeTorchLearner(std::move(config), FlatVector());
}

std::unique_ptr<Learner>
MakeTorchLearner(TorchLearnerConfig config, const std::vector<float>& weights)
{
    return MakeTorchLearner(std::move(config), std::make_shared<const std::vector<float>>(weights));
}

} // namespace collab
} // namespace ns3
