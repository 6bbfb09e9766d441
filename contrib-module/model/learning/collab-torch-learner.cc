/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-learner.h"

#include "collab-metrics.h"
#include "collab-model-description.h"
#include "collab-random.h"
#include "collab-torch-batches.h"
#include "collab-torch-model.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/log.h>
#include <ATen/ops/softmax.h>
#include <algorithm>
#include <c10/core/InferenceMode.h>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>
#include <torch/optim/adam.h>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

constexpr double LOGARITHM_GUARD = 1e-8;        //!< added to probabilities before the logarithm
constexpr std::size_t PREDICTION_BATCH = 256;   //!< samples of one forward pass of Predict()
constexpr uint64_t ADAM_FLOPS_A_PARAMETER = 13; //!< of one step, see MakeTorchLearner()

/// Losses of one epoch, summed over samples.
struct EpochLoss
{
    double local = 0;        //!< cross-entropy on the local samples [nat]
    double distillation = 0; //!< soft cross-entropy on the reference samples [nat]
};

/**
 * @param view samples to read
 * @param what says in an error text what they are for
 * @param sampleShape shape that the model reads
 * @throws std::invalid_argument if the view is not of samples that the model reads
 */
void
CheckView(const DataView& view, const char* what, const std::vector<int64_t>& sampleShape)
{
    if (!view.data)
    {
        throw std::invalid_argument(fmt::format("{}: there is no data set", what));
    }
    if (view.data->sampleShape != sampleShape)
    {
        throw std::invalid_argument(fmt::format("{}: samples of shape ({}), the model reads ({})",
                                                what,
                                                fmt::join(view.data->sampleShape, ", "),
                                                fmt::join(sampleShape, ", ")));
    }
    if (view.data->CountFeatures() != view.data->Size() * view.data->SampleSize())
    {
        throw std::invalid_argument(fmt::format("{}: {} features for {} samples of {}",
                                                what,
                                                view.data->CountFeatures(),
                                                view.data->Size(),
                                                view.data->SampleSize()));
    }
    for (uint32_t index : view.indices)
    {
        if (index >= view.data->Size())
        {
            throw std::invalid_argument(fmt::format(
                "{}: index {} is not below {} samples", what, index, view.data->Size()));
        }
    }
}

/**
 * @param view the learner's own samples
 * @throws std::invalid_argument if a label is missing or not below the number of classes
 */
void
CheckTrainLabels(const DataView& view)
{
    if (view.Size() == 0 || view.labels.size() != view.Size())
    {
        throw std::invalid_argument(fmt::format("trainData: {} samples with {} labels, expected "
                                                "equally many and at least 1",
                                                view.Size(),
                                                view.labels.size()));
    }
    for (int64_t label : view.labels)
    {
        if (label < 0 || label >= static_cast<int64_t>(view.data->classes))
        {
            throw std::invalid_argument(fmt::format(
                "trainData: label {} is not below {} classes", label, view.data->classes));
        }
    }
}

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
    CheckView(config.trainData, "trainData", config.trainData.data->sampleShape);
    CheckTrainLabels(config.trainData);
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
    return config;
}

/// The learner of MakeTorchLearner().
class TorchLearner : public Learner
{
  public:
    /**
     * @param config what to build, already checked
     * @param model with its parameters set
     */
    TorchLearner(TorchLearnerConfig config, std::unique_ptr<TorchModel> model);

    TrainReport Train(const TrainTask& task) override;
    Matrix<float> Predict(const DataView& inputs) override;
    Score Evaluate(const DataView& labelled) override;
    uint64_t CountTrainFlops(const TrainTask& task) const override;
    uint64_t CountPredictFlops(std::size_t samples) const override;
    uint64_t GetParameterCount() const override;

  private:
    /// @return number of steps of an epoch
    std::size_t CountSteps() const;

    /**
     * @param distillation pull to check
     * @throws std::invalid_argument if its inputs and targets do not belong together
     */
    void CheckDistillation(const Distillation& distillation) const;

    /**
     * @brief One pass over the local samples.
     * @param distillation added to every step if its targets are set
     * @param loader of the samples
     * @return the losses
     */
    EpochLoss TrainEpoch(const Distillation& distillation, StepLoader& loader);

    /**
     * @param logits of the reference batch
     * @param distillation with its targets
     * @param begin first target of the batch
     * @return mean soft cross-entropy on the batch
     */
    at::Tensor DistillationLoss(const at::Tensor& logits,
                                const Distillation& distillation,
                                std::size_t begin) const;

    /**
     * @brief Follow the gradient of a loss.
     * @param loss of this step
     */
    void Step(const at::Tensor& loss);

    TorchLearnerConfig m_config;         //!< what was built
    ModelDescription m_description;      //!< cost of the model
    std::unique_ptr<TorchModel> m_model; //!< what learns
    torch::optim::Adam m_optimizer;      //!< with its state
    RandomGenerator m_generator;         //!< of the order of samples
};

TorchLearner::TorchLearner(TorchLearnerConfig config, std::unique_ptr<TorchModel> model)
    : m_config(std::move(config)),
      m_description(DescribeModel(
          m_config.model, m_config.trainData.data->sampleShape, m_config.trainData.data->classes)),
      m_model(std::move(model)),
      m_optimizer(m_model->GetParameters(), torch::optim::AdamOptions(m_config.learningRate)),
      m_generator(m_config.shuffleSeed)
{
}

TrainReport
TorchLearner::Train(const TrainTask& task)
{
    const Distillation& distillation = task.distillation;
    CheckDistillation(distillation);
    const DataView& local = m_config.trainData;
    const DataView* references = distillation.targets ? distillation.inputs.get() : nullptr;
    const std::size_t referenceSize = references ? references->Size() : 0;
    StepLoader loader(local,
                      std::min<std::size_t>(m_config.batchSize, local.Size()),
                      references,
                      std::min<std::size_t>(m_config.referenceBatchSize, referenceSize));
    EpochLoss loss;
    for (uint32_t epoch = 0; epoch < task.epochs; ++epoch)
    {
        loss = TrainEpoch(distillation, loader);
    }
    TrainReport report;
    report.steps = uint64_t{task.epochs} * CountSteps();
    report.localLoss = loss.local / static_cast<double>(local.Size());
    if (references)
    {
        const ReferenceCycle cycle(referenceSize, m_config.referenceBatchSize);
        report.distillationLoss =
            loss.distillation / static_cast<double>(cycle.CountSamples(CountSteps()));
    }
    return report;
}

EpochLoss
TorchLearner::TrainEpoch(const Distillation& distillation, StepLoader& loader)
{
    const std::size_t total = m_config.trainData.Size();
    const auto order = DrawPermutation(static_cast<uint32_t>(total), m_generator);
    ReferenceCycle cycle(distillation.targets ? distillation.inputs->Size() : 0,
                         m_config.referenceBatchSize);
    EpochLoss sum;
    for (std::size_t begin = 0; begin < total; begin += m_config.batchSize)
    {
        const uint32_t* positions = order.data() + begin;
        const std::size_t size = std::min<std::size_t>(m_config.batchSize, total - begin);
        const auto localSize = static_cast<int64_t>(size);
        const auto referenceSize = static_cast<int64_t>(cycle.BatchSize());
        // One pass for both batches: no layer mixes samples, and larger products are faster.
        const at::Tensor logits =
            m_model->Forward(loader.LoadSamples(positions, size, cycle.Begin(), cycle.BatchSize()));
        at::Tensor loss = at::cross_entropy_loss(logits.narrow(0, 0, localSize),
                                                 loader.LoadLabels(positions, size));
        sum.local += loss.item<double>() * static_cast<double>(localSize);
        if (distillation.targets)
        {
            const at::Tensor pull = DistillationLoss(
                logits.narrow(0, localSize, referenceSize), distillation, cycle.Begin());
            sum.distillation += pull.item<double>() * static_cast<double>(referenceSize);
            loss = loss.add(pull, distillation.lambda);
            cycle.Advance();
        }
        Step(loss);
    }
    return sum;
}

at::Tensor
TorchLearner::DistillationLoss(const at::Tensor& logits,
                               const Distillation& distillation,
                               std::size_t begin) const
{
    // LibTorch has no tensor of constants; this one is only read.
    auto* row = const_cast<float*>(distillation.targets->Row(begin));
    const at::Tensor targets = at::from_blob(row, logits.sizes());
    return at::softmax(logits, 1)
        .add(LOGARITHM_GUARD)
        .log()
        .mul(targets)
        .sum()
        .div(-logits.size(0));
}

void
TorchLearner::Step(const at::Tensor& loss)
{
    loss.backward();
    m_optimizer.step();
    for (const at::Tensor& parameter : m_model->GetParameters())
    {
        parameter.mutable_grad().reset(); // the next backward pass hands its own over
    }
}

Matrix<float>
TorchLearner::Predict(const DataView& inputs)
{
    const DataSet& ownData = *m_config.trainData.data;
    CheckView(inputs, "inputs", ownData.sampleShape);
    const c10::InferenceMode guard;
    ViewReader reader(inputs);
    const at::Tensor samples =
        MakeSampleTensor(*inputs.data, std::min(PREDICTION_BATCH, inputs.Size()));
    Matrix<float> probabilities(inputs.Size(), ownData.classes);
    for (std::size_t begin = 0; begin < inputs.Size(); begin += PREDICTION_BATCH)
    {
        const std::size_t size = std::min(PREDICTION_BATCH, inputs.Size() - begin);
        reader.Read(
            size, [begin](std::size_t i) { return begin + i; }, samples, 0);
        const at::Tensor logits =
            m_model->Forward(samples.narrow(0, 0, static_cast<int64_t>(size)));
        const at::Tensor batch = at::softmax(logits, 1).contiguous();
        std::copy_n(batch.data_ptr<float>(), batch.numel(), probabilities.Row(begin));
    }
    return probabilities;
}

Score
TorchLearner::Evaluate(const DataView& labelled)
{
    return ScorePredictions(Predict(labelled), labelled.labels);
}

uint64_t
TorchLearner::CountTrainFlops(const TrainTask& task) const
{
    CheckDistillation(task.distillation);
    const uint64_t classes = m_config.trainData.data->classes;
    const uint64_t steps = CountSteps();
    const uint64_t trainingFlops = m_description.CountTrainingFlops();
    uint64_t flops = m_config.trainData.Size() * (trainingFlops + 6 * classes + 1);
    if (task.distillation.targets)
    {
        const ReferenceCycle cycle(task.distillation.inputs->Size(), m_config.referenceBatchSize);
        flops += cycle.CountSamples(steps) * (trainingFlops + 15 * classes - 3);
    }
    flops += steps * ADAM_FLOPS_A_PARAMETER * GetParameterCount();
    return task.epochs * flops;
}

uint64_t
TorchLearner::CountPredictFlops(std::size_t samples) const
{
    const uint64_t classes = m_config.trainData.data->classes;
    return samples * (m_description.CountForwardFlops() + 5 * classes - 2);
}

uint64_t
TorchLearner::GetParameterCount() const
{
    return m_description.CountParameters();
}

std::size_t
TorchLearner::CountSteps() const
{
    return (m_config.trainData.Size() + m_config.batchSize - 1) / m_config.batchSize;
}

void
TorchLearner::CheckDistillation(const Distillation& distillation) const
{
    if (!distillation.targets)
    {
        return;
    }
    const DataSet& ownData = *m_config.trainData.data;
    const Matrix<float>& targets = *distillation.targets;
    if (!distillation.inputs || distillation.inputs->Size() == 0)
    {
        throw std::invalid_argument("distillation: there are targets but no inputs");
    }
    CheckView(*distillation.inputs, "distillation inputs", ownData.sampleShape);
    if (targets.rows != distillation.inputs->Size() || targets.columns != ownData.classes)
    {
        throw std::invalid_argument(fmt::format("distillation: targets of shape {} x {}, expected "
                                                "{} inputs x {} classes",
                                                targets.rows,
                                                targets.columns,
                                                distillation.inputs->Size(),
                                                ownData.classes));
    }
    const bool finite = std::all_of(targets.values.begin(), targets.values.end(), [](float value) {
        return std::isfinite(value);
    });
    if (!finite || !(distillation.lambda >= 0) || !std::isfinite(distillation.lambda))
    {
        throw std::invalid_argument(fmt::format("distillation: lambda {} and all targets must be "
                                                "finite, and lambda not negative",
                                                distillation.lambda));
    }
}

} // namespace

std::unique_ptr<Learner>
MakeTorchLearner(TorchLearnerConfig config)
{
    config = Checked(std::move(config));
    auto model = MakeTorchModel(
        config.model, config.trainData.data->sampleShape, config.trainData.data->classes);
    model->DrawParameters(config.initializationSeed);
    return std::make_unique<TorchLearner>(std::move(config), std::move(model));
}

std::unique_ptr<Learner>
MakeTorchLearner(TorchLearnerConfig config, const std::vector<float>& parameters)
{
    config = Checked(std::move(config));
    auto model = MakeTorchModel(
        config.model, config.trainData.data->sampleShape, config.trainData.data->classes);
    model->SetParameters(parameters);
    return std::make_unique<TorchLearner>(std::move(config), std::move(model));
}

} // namespace collab
} // namespace ns3
