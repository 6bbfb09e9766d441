/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-learner.h"

#include "collab-torch-learner-class.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-linear-evaluation.h"
#include "ns3/collab-metrics.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-regression-score.h"

#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <atomic>
#include <c10/core/InferenceMode.h>
#include <cmath>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param config configuration of a learner without labels
/// @throws std::invalid_argument if it has a probe by which embeddings cannot be scored
void
CheckProbe(const TorchLearnerConfig& config)
{
    if (!config.probe)
    {
        return;
    }
    const DataView& probe = *config.probe;
    CheckView(probe, "probe", *config.trainData.data);
    CheckArgument(
        probe.Size() != 0 && probe.labels.size() == probe.Size() && probe.data->classes != 0,
        "probe: {} samples with {} labels of {} classes, expected as many, and at least 1",
        probe.Size(),
        probe.labels.size(),
        probe.data->classes);
}

/// @param config what to build
/// @return whether its cross-entropy is another one than -log p of the label
bool
ChangesCrossEntropy(const TorchLearnerConfig& config)
{
    return config.labelSmoothing > 0 || !config.classWeights.empty();
}

/// @param config configuration of a learner
/// @throws std::invalid_argument if its loss cannot be as it says
void
CheckClassLoss(const TorchLearnerConfig& config)
{
    const DataView& samples = config.trainData;
    CheckArgument(config.labelSmoothing >= 0 && config.labelSmoothing < 1,
                  "labelSmoothing {} is not from 0 to below 1",
                  config.labelSmoothing);
    CheckArgument(!ChangesCrossEntropy(config) ||
                      (config.loss == LossKind::SUPERVISED && samples.data->outputs == 0),
                  "label smoothing and class weights are for samples with labels");
    const auto& weights = config.classWeights;
    const auto isWrong = [](float weight) { return !(weight >= 0) || !std::isfinite(weight); };
    CheckArgument(weights.empty() || (weights.size() == samples.data->classes &&
                                      std::none_of(weights.begin(), weights.end(), isWrong)),
                  "classWeights: {} numbers for {} classes, expected as many, none negative",
                  weights.size(),
                  samples.data->classes);
    const auto isIgnored = [&](int64_t label) {
        return weights[static_cast<std::size_t>(label)] == 0;
    };
    CheckArgument(weights.empty() ||
                      std::none_of(samples.labels.begin(), samples.labels.end(), isIgnored),
                  "classWeights: a class of the samples has the weight 0");
}

/// @param config configuration of a learner
/// @throws std::invalid_argument if its steps cannot be private
void
CheckPrivacy(const TorchLearnerConfig& config)
{
    if (!config.dpSgd)
    {
        return;
    }
    CheckDpSgd(*config.dpSgd);
    CheckArgument(config.loss != LossKind::TRIPLET && !config.variational &&
                      config.classWeights.empty() && config.sampleOrders.empty(),
                  "DP-SGD with triplets, a belief, class weights or sampleOrders, for which it is "
                  "not defined");
}

/// @param config what to build
/// @return the same
/// @throws std::invalid_argument if a value is not allowed
TorchLearnerConfig
Checked(TorchLearnerConfig config)
{
    CheckArgument(config.trainData.data, "trainData: there is no data set");
    const bool isTriplet = config.loss == LossKind::TRIPLET;
    CheckView(config.trainData, "trainData", *config.trainData.data);
    CheckTrainData(config.trainData, !isTriplet);
    CheckArgument(config.learningRate > 0 && std::isfinite(config.learningRate),
                  "learningRate {} is not positive and finite",
                  config.learningRate);
    CheckArgument(config.batchSize != 0 && config.referenceBatchSize != 0,
                  "batchSize {} and referenceBatchSize {} must be at least 1",
                  config.batchSize,
                  config.referenceBatchSize);
    CheckTorchDevice(config.device);
    CheckArgument(config.device == "host" || !config.variational,
                  "device {}, but a belief is drawn on the host",
                  config.device);
    CheckSampleOrders(config.sampleOrders, config.trainData.Size());
    CheckOptimizer(config.optimizer);
    if (config.balancesClasses)
    {
        config.classWeights = BalanceClasses(config.trainData);
    }
    CheckClassLoss(config);
    if (config.variational)
    {
        CheckVariational(*config.variational);
    }
    if (config.augmentation)
    {
        CheckAugmentation(*config.augmentation);
    }
    CheckArgument(!config.augmentation ||
                      (config.trainData.data->kind != FeatureKind::TOKENS && !isTriplet),
                  "augmentation of tokens, or beside that of triplets");
    CheckPrivacy(config);
    if (!isTriplet)
    {
        return config;
    }
    CheckAugmentation(config.triplet.augmentation);
    CheckProbe(config);
    const bool isTokens = config.trainData.data->kind == FeatureKind::TOKENS;
    CheckArgument(!isTokens && config.trainData.Size() >= 2 && config.batchSize >= 2 &&
                      config.triplet.margin > 0,
                  "triplets of {} samples of kind {} in batches of {} with the margin {}, expected "
                  "at least 2 and 2, no tokens, and a positive margin",
                  config.trainData.Size(),
                  ToString(config.trainData.data->kind),
                  config.batchSize,
                  config.triplet.margin);
    return config;
}

/// @param config configuration of a learner, with a data set
/// @return what its model reads
ModelInput
InputOf(const TorchLearnerConfig& config)
{
    ModelInput input = MakeModelInput(*config.trainData.data);
    if (config.embedding)
    {
        input.embedding = config.embedding;
    }
    input.graph = config.graph;
    return input;
}

} // namespace

TorchLearner::TorchLearner(TorchLearnerConfig config,
                           std::unique_ptr<TorchModel> model,
                           FlatVector weights)
    : m_config(std::move(config)),
      m_model(std::move(model)),
      m_outputs(CountOutputs(m_config.model, InputOf(m_config))),
      m_cost(m_config,
             DescribeModel(m_config.model, InputOf(m_config)),
             m_outputs,
             m_model->MixesSamples()),
      m_optimizer(m_config.optimizer),
      m_generator(m_config.shuffleSeed),
      m_references(SplitMix64(SplitMix64(m_config.shuffleSeed))),
      m_drawGenerator(SplitMix64(m_config.shuffleSeed))
{
    CheckOutputs();
    CheckBatchSize(m_config.batchSize, m_config.trainData.Size());
    CheckArgument(!m_config.dpSgd || !m_model->MixesSamples(),
                  "DP-SGD with model {}, whose samples change each other's outputs; expected one "
                  "without batch normalization",
                  m_config.model);
    CheckArgument(!m_config.dpSgd || m_model->CountWeights() <= m_model->CountParameters(),
                  "DP-SGD with model {}, whose buffers go along with its weights, neither clipped "
                  "nor with noise; expected one without buffers",
                  m_config.model);
    if (m_config.device != "host")
    {
        m_device = OpenTorchDevice(m_config.device);
    }
    if (!m_config.classWeights.empty())
    {
        m_classWeights = at::tensor(m_config.classWeights).to(m_device.value_or(at::kCPU));
    }
    if (!m_device && m_config.nativeSmallNetworks && m_config.loss == LossKind::SUPERVISED &&
        !IsVariational() && !ChangesCrossEntropy(m_config))
    {
        const NamedModel named = FindModel(m_config.model);
        m_small = named.factory.plan
                      ? SmallNetwork::Make(named.factory.plan(named.options, InputOf(m_config)))
                      : std::nullopt;
    }
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
    CheckArgument(m_config.loss != LossKind::SUPERVISED || m_outputs == expected,
                  "model {} makes {} outputs, the data set has {} {}",
                  m_config.model,
                  m_outputs,
                  expected,
                  data.outputs > 0 ? "targets" : "classes");
    CheckArgument(!IsVariational() || m_model->CountParameters() == m_model->CountWeights(),
                  "model {} has running statistics, of which there are no beliefs",
                  m_config.model);
}

void
TorchLearner::CheckBatchSize(std::size_t batchSize, std::size_t samples) const
{
    CheckArgument(!m_model->NeedsTwoSamples() || std::min(batchSize, samples) >= 2,
                  "batchSize {} of {} samples, but model {} normalizes batches of one value a "
                  "channel and needs at least 2 samples in each",
                  batchSize,
                  samples,
                  m_config.model);
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
    CheckArgument(m_config.loss != LossKind::TRIPLET || task.batchSize != 1,
                  "batchSize 1, but a triplet needs at least 2 samples");
    CheckArgument(m_config.loss != LossKind::TRIPLET || task.positions.size() != 1,
                  "1 position, but a triplet needs at least 2 samples");
    if (task.batchSize > 0 || !task.positions.empty())
    {
        CheckBatchSize(task.batchSize > 0 ? task.batchSize : m_config.batchSize,
                       m_cost.Samples(task));
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
    CheckArgument(weights, "weights: there are none");
    CheckFlatVector(weights, "weights", CountWeights());
    m_ownWeights = nullptr;
    if (IsVariational())
    {
        const std::size_t count = weights->size() / 2;
        const auto deviations = weights->begin() + static_cast<std::ptrdiff_t>(count);
        CheckArgument(*std::min_element(deviations, weights->end()) > 0,
                      "weights: a standard deviation is not positive");
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
    m_bound = ViewFlat(*m_weights); // the model only writes after BeginWriting()
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
        m_bound = ViewFlat(*m_weights).to(device, at::kFloat, false, true);
        m_model->Bind(m_bound);
    }
}

void
TorchLearner::EndJob(bool hasTrained)
{
    m_terms = {};
    if (m_device && hasTrained)
    {
        ViewFlat(*m_ownWeights).copy_(m_bound);
    }
    if (m_device)
    {
        BindWeights();
    }
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

Matrix<float>
TorchLearner::Predict(const DataView& inputs)
{
    return PredictAll(inputs, HasRawOutputs());
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
    if (!IsVariational())
    {
        const auto scope = EnterDevice();
        BeginJob({});
        AddPredictions(inputs, isRaw, outputs, true);
        EndJob(false);
        return outputs;
    }
    RandomGenerator generator(m_config.shuffleSeed); // the same belief predicts the same
    const uint32_t draws = m_config.variational->predictionDraws;
    for (uint32_t draw = 0; draw < draws; ++draw)
    {
        DrawFromBelief(*m_weights, generator, m_noise, m_drawnWeights);
        m_model->Bind(ViewFlat(m_drawnWeights));
        AddPredictions(inputs, isRaw, outputs, draw == 0);
    }
    for (float& output : outputs.values)
    {
        output /= static_cast<float>(draws);
    }
    return outputs;
}

void
TorchLearner::AddPredictions(const DataView& inputs,
                             bool isRaw,
                             Matrix<float>& outputs,
                             bool isFirst) const
{
    const c10::InferenceMode guard;
    ForwardContext context;
    context.channelsLast = m_config.channelsLast;
    context.isOnDevice = m_device.has_value();
    ViewReader reader(inputs, m_device);
    const at::Tensor samples =
        MakeSampleTensor(*inputs.data, m_device ? 0 : std::min(PASS_SAMPLES, inputs.Size()));
    for (std::size_t begin = 0; begin < inputs.Size(); begin += PASS_SAMPLES)
    {
        const std::size_t size = std::min(PASS_SAMPLES, inputs.Size() - begin);
        const auto position = [begin](std::size_t i) { return begin + i; };
        if (!m_device)
        {
            reader.Read(size, position, samples, 0);
        }
        const at::Tensor raw =
            m_model->Forward(m_device ? reader.Make(size, position)
                                      : samples.narrow(0, 0, static_cast<int64_t>(size)),
                             context);
        const at::Tensor batch = (isRaw ? raw : at::softmax(raw, 1)).cpu().contiguous();
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
    return IsPrivate(task) ? m_cost.TrainPrivately(task, CountLots(task)) : m_cost.Train(task);
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

bool
TorchLearner::IsPrivate(const TrainTask& task) const
{
    return m_config.dpSgd && !task.distillation.isAlone;
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

std::vector<float>
BalanceClasses(const DataView& samples)
{
    std::vector<std::size_t> counts(samples.data->classes);
    for (const int64_t label : samples.labels)
    {
        ++counts.at(static_cast<std::size_t>(label));
    }
    const auto present = counts.size() - std::count(counts.begin(), counts.end(), 0);
    const double even = static_cast<double>(samples.Size()) / static_cast<double>(present);
    std::vector<float> weights;
    for (const std::size_t count : counts)
    {
        weights.push_back(count > 0 ? static_cast<float>(even / static_cast<double>(count)) : 1.0F);
    }
    return weights;
}

ModelInput
MakeModelInput(const DataSet& data)
{
    ModelInput input;
    input.sampleShape = data.sampleShape;
    input.outputs = data.outputs > 0 ? data.outputs : data.classes;
    input.vocabulary = data.kind == FeatureKind::TOKENS ? data.vocabulary : 0;
    input.embedding = data.tokenVectors;
    return input;
}

FlatVector
DrawInitialWeights(const TorchLearnerConfig& config)
{
    CheckArgument(config.trainData.data, "trainData: there is no data set");
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

} // namespace ns3::collab
