/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-learner.h"

#include "collab-torch-learner-class.h"
#include "collab-torch-prediction.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-linear-evaluation.h"
#include "ns3/collab-metrics.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-regression-score.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param config configuration of a learner
/// @param model its model
/// @param batchSize local samples of a step
/// @param samples samples of a job
/// @throws std::invalid_argument if they are too few for the model
void
CheckBatchSize(const TorchLearnerConfig& config,
               const TorchModel& model,
               std::size_t batchSize,
               std::size_t samples)
{
    CheckArgument(!model.NeedsTwoSamples() || std::min(batchSize, samples) >= 2,
                  "batchSize {} of {} samples, but model {} normalizes batches of one value a "
                  "channel and needs at least 2 samples in each",
                  batchSize,
                  samples,
                  config.model);
}

/// @param config configuration of a learner
/// @param model its model
/// @param outputs number of outputs of the model
/// @throws std::invalid_argument if the model cannot be trained so
void
CheckModel(const TorchLearnerConfig& config, const TorchModel& model, std::size_t outputs)
{
    CheckOutputs(config, outputs);
    const bool hasState = model.CountParameters() != model.CountWeights();
    CheckArgument(!config.variational || !hasState,
                  "model {} has running statistics or frozen weights, of which there are no "
                  "beliefs",
                  config.model);
    CheckBatchSize(config, model, config.batchSize, config.trainData.Size());
    CheckArgument(!config.dpSgd || !model.MixesSamples(),
                  "DP-SGD with model {}, whose samples change each other's outputs; expected one "
                  "without batch normalization",
                  config.model);
    const auto& specs = model.GetSpecs();
    CheckArgument(!config.dpSgd || std::all_of(specs.begin(),
                                               specs.end(),
                                               [](const WeightSpec& spec) {
                                                   return spec.trainable || spec.isFrozen;
                                               }),
                  "DP-SGD with model {}, whose buffers go along with its weights, neither clipped "
                  "nor with noise; expected one without buffers",
                  config.model);
}

} // namespace

TorchLearner::TorchLearner(TorchLearnerConfig config,
                           std::unique_ptr<TorchModel> model,
                           FlatVector weights)
    : m_config(std::move(config)),
      m_model(std::move(model)),
      m_device(m_config.device == "host"
                   ? std::nullopt
                   : std::optional<at::Device>(OpenTorchDevice(m_config.device))),
      m_outputs(CountOutputs(m_config.model, MakeModelInput(m_config))),
      m_cost(m_config,
             DescribeModel(m_config.model, MakeModelInput(m_config)),
             m_outputs,
             m_model->MixesSamples()),
      m_passes(m_config, *m_model, m_device),
      m_order(m_config),
      m_optimizer(m_config.optimizer)
{
    CheckModel(m_config, *m_model, m_outputs);
    if (IsVariational())
    {
        m_belief.emplace(*m_config.variational, m_model->CountParameters());
    }
    SetWeights(weights ? std::move(weights) : DrawInitialWeights(m_config));
}

bool
TorchLearner::IsVariational() const
{
    return m_config.variational.has_value();
}

bool
TorchLearner::IsNatural() const
{
    return IsVariational() && m_config.variational->isNatural;
}

std::size_t
TorchLearner::CountWeights() const
{
    return IsVariational() ? 2 * m_model->CountParameters() : m_model->CountWeights();
}

void
TorchLearner::CheckJob(const ObjectiveTerms& terms) const
{
    CheckDistillation(terms.distillation, *m_config.trainData.data, m_outputs);
    CheckTerms(terms, CountWeights(), IsVariational());
}

void
TorchLearner::CheckTask(const TrainTask& task) const
{
    CheckJob(task);
    CheckArgument(task.learningRate >= 0 && std::isfinite(task.learningRate),
                  "learningRate {} is not 0 or positive and finite",
                  task.learningRate);
    CheckPositions(task.positions, m_config.trainData.Size());
    CheckKlScale(task.klScale, IsVariational());
    CheckArgument(!IsNatural() || (task.klScale * m_config.variational->klWeight > 0 &&
                                   task.learningRate <= 1 && !task.returnsGradient),
                  "a natural step with klScale {} times klWeight {} and learningRate {}, expected "
                  "a positive product, at most 1, and no gradient to return",
                  task.klScale,
                  IsNatural() ? m_config.variational->klWeight : 1,
                  task.learningRate);
    CheckArgument(m_config.loss != LossKind::TRIPLET || task.batchSize != 1,
                  "batchSize 1, but a triplet needs at least 2 samples");
    CheckArgument(m_config.loss != LossKind::TRIPLET || task.positions.size() != 1,
                  "1 position, but a triplet needs at least 2 samples");
    if (task.batchSize > 0 || !task.positions.empty())
    {
        CheckBatchSize(m_config,
                       *m_model,
                       task.batchSize > 0 ? task.batchSize : m_config.batchSize,
                       m_cost.Samples(task));
    }
}

FlatVector
TorchLearner::GetWeights() const
{
    if (!IsVariational())
    {
        return m_weights.Get();
    }
    std::vector<float> belief = *m_weights.Get();
    const std::size_t count = belief.size() / 2;
    RhoToDeviations(belief.data() + count, count, belief.data() + count);
    return std::make_shared<const std::vector<float>>(std::move(belief));
}

void
TorchLearner::SetWeights(FlatVector weights)
{
    CheckArgument(weights, "weights: there are none");
    CheckFlatVector(weights, "weights", CountWeights());
    if (IsVariational())
    {
        const std::size_t count = weights->size() / 2;
        const auto deviations = weights->begin() + static_cast<std::ptrdiff_t>(count);
        CheckArgument(*std::min_element(deviations, weights->end()) > 0,
                      "weights: a standard deviation is not positive");
        auto belief = std::make_shared<std::vector<float>>(*weights);
        DeviationsToRho(belief->data() + count, count, belief->data() + count);
        m_weights.Set(std::move(belief));
        return;
    }
    m_weights.Set(std::move(weights));
    BindWeights();
}

void
TorchLearner::BindWeights()
{
    m_bound =
        ViewFlat(*m_weights.Get()); // the model only writes after LearnerWeights::BeginWriting()
    m_model->Bind(m_bound);
}

std::unique_ptr<DeviceScope>
TorchLearner::EnterDevice() const
{
    return m_device ? std::make_unique<DeviceScope>(*m_device) : nullptr;
}

void
TorchLearner::BeginJob(const ObjectiveTerms& terms)
{
    const at::Device device = m_device.value_or(at::kCPU);
    m_terms.center = terms.center ? ViewFlat(*terms.center).to(device) : at::Tensor();
    m_terms.correction = terms.correction ? ViewFlat(*terms.correction).to(device) : at::Tensor();
    if (m_device)
    {
        m_bound = ViewFlat(*m_weights.Get()).to(device, at::kFloat, false, true);
        m_model->Bind(m_bound);
    }
}

void
TorchLearner::EndJob(bool hasTrained)
{
    m_passes.End();
    m_terms = {};
    if (m_device && hasTrained)
    {
        ViewFlat(m_weights.GetOwn()).copy_(m_bound);
    }
    if (m_device)
    {
        BindWeights();
    }
}

Matrix<float>
TorchLearner::Predict(const DataView& inputs)
{
    return PredictAll(inputs, HasRawOutputs(m_config));
}

Matrix<float>
TorchLearner::PredictScores(const DataView& inputs)
{
    return PredictAll(inputs, true);
}

Matrix<float>
TorchLearner::PredictAll(const DataView& inputs, bool isRaw)
{
    CheckView(inputs, "inputs", *m_config.trainData.data);
    Matrix<float> outputs(inputs.Size(), m_outputs);
    const PredictionWay way{m_device, m_config.channelsLast, isRaw};
    if (!IsVariational())
    {
        const auto scope = EnterDevice();
        BeginJob({});
        AddPredictions(*m_model, way, inputs, outputs, true);
        EndJob(false);
        return outputs;
    }
    RandomGenerator generator(m_config.shuffleSeed); // the same belief predicts the same
    const uint32_t draws = m_config.variational->predictionDraws;
    for (uint32_t draw = 0; draw < draws; ++draw)
    {
        m_model->Bind(ViewFlat(m_belief->Draw(*m_weights.Get(), generator)));
        AddPredictions(*m_model, way, inputs, outputs, draw == 0);
    }
    for (float& output : outputs.values)
    {
        output /= static_cast<float>(draws);
    }
    return outputs;
}

Score
TorchLearner::Evaluate(const DataView& labelled)
{
    if (m_config.loss == LossKind::TRIPLET)
    {
        return EvaluateEmbeddings(labelled);
    }
    const Matrix<float> predictions = Predict(labelled);
    return m_config.trainData.data->outputs > 0 ? ScoreRegression(predictions, labelled)
                                                : ScorePredictions(predictions, labelled.labels);
}

Score
TorchLearner::EvaluateEmbeddings(const DataView& labelled)
{
    CheckArgument(m_config.probe, "embeddings cannot be scored against labels");
    const DataView& probe = *m_config.probe;
    const Matrix<float> known = Predict(probe);
    const Matrix<float> tested = Predict(labelled);
    return EvaluateLinearly({known, probe.labels}, {tested, labelled.labels}, probe.data->classes);
}

uint64_t
TorchLearner::CountTrainFlops(const TrainTask& task) const
{
    CheckTask(task);
    return IsPrivate(task) ? m_cost.TrainPrivately(task,
                                                   CountDrawn(m_cost.Samples(task),
                                                              m_cost.BatchSize(task),
                                                              m_cost.Steps(task),
                                                              m_order.generator))
                           : m_cost.Train(task);
}

uint64_t
TorchLearner::CountMostTrainFlops(const TrainTask& task) const
{
    CheckTask(task);
    return IsPrivate(task) ? m_cost.TrainPrivately(task,
                                                   FindMostDrawn(m_cost.Samples(task),
                                                                 m_cost.BatchSize(task),
                                                                 m_cost.Steps(task)))
                           : m_cost.Train(task);
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

FlatVector
DrawInitialWeights(const TorchLearnerConfig& config)
{
    CheckArgument(config.trainData.data, "trainData: there is no data set");
    const auto model = MakeTorchModel(config.model, MakeModelInput(config));
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
    config = CheckTorchLearnerConfig(std::move(config));
    auto model = MakeTorchModel(config.model, MakeModelInput(config));
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

} // namespace ns3::collab
