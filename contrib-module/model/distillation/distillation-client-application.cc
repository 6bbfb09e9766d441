/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation-client-application.h"

#include "ns3/abort.h"
#include "ns3/collab-processor.h"
#include "ns3/collab-sample-reader.h"
#include "ns3/distillation-density-ratio.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(DistillationClientApplication);

namespace
{

/// @param view samples
/// @return samples x features
Matrix<double>
ReadFeatures(const DataView& view)
{
    SampleReader reader(view);
    const std::size_t features = view.data->SampleSize();
    std::vector<float> sample(features);
    Matrix<double> numbers(view.Size(), features);
    for (std::size_t i = 0; i < view.Size(); ++i)
    {
        reader.Read(view.indices[i], sample.data());
        std::copy(sample.begin(), sample.end(), numbers.Row(i));
    }
    return numbers;
}

} // namespace

TypeId
DistillationClientApplication::GetTypeId()
{
    using App = DistillationClientApplication;
    static TypeId tid =
        AddLocalEpochs(TypeId("ns3::collab::DistillationClientApplication")
                           .SetParent<DistillationApplication>()
                           .SetGroupName("Collab")
                           .AddConstructor<App>())
            .AddAttribute("DigestEpochs",
                          "Passes over X* toward the labels in a round.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&App::m_digestEpochs),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ClientThreshold",
                          "Selective-FD: quantile of the density ratios of own samples that a "
                          "sample of X* has to reach for the device to say something of it.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&App::m_clientThreshold),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

DistillationClientApplication::DistillationClientApplication() = default;

void
DistillationClientApplication::DoDispose()
{
    DistillationApplication::DoDispose();
    m_reference.reset();
    m_own.reset();
}

void
DistillationClientApplication::SetReference(std::shared_ptr<const DataView> reference)
{
    m_reference = std::move(reference);
    SetShape(m_reference->Size(), m_reference->data->classes);
}

void
DistillationClientApplication::SetOwnSamples(std::shared_ptr<const DataView> own, uint64_t seed)
{
    m_own = std::move(own);
    m_seed = seed;
}

Columns<DistillationClientApplication::Metrics>
DistillationClientApplication::GetColumns() const
{
    const Columns<Metrics> first = {
        {"collaborative",
         "",
         "1 if labels of this round have come from the server, 0 if not",
         &Metrics::isCollaborative}};
    const Columns<Metrics> last = {
        {"local_loss",
         "nat",
         "cross-entropy on the own samples, mean over the last epoch",
         &Metrics::localLoss},
        {"distillation_loss",
         "",
         "soft cross-entropy [nat] to the labels of X*, in FedMD absolute error of class scores, "
         "mean over the last epoch; NaN without labels",
         &Metrics::distillationLoss},
        {"accuracy_pseudo_labels",
         "",
         "part of the labels at hand that have the right class; NaN without labels",
         &Metrics::labelAccuracy},
        {"sent", "", "samples of X* that the device has sent predictions of", &Metrics::sent},
        {"labeled", "", "samples of X* with a label at hand", &Metrics::labeled}};
    const Evaluations& evaluations = GetEvaluations();
    return first +
           evaluations.MakeColumns(evaluations.GetMeasures(GetCommonMeasures()), &Metrics::scores) +
           last;
}

std::vector<Metric>
DistillationClientApplication::GetMetrics() const
{
    return DescribeMetrics(GetColumns());
}

void
DistillationClientApplication::DoStart()
{
    const bool selects = GetOptions().algorithm == DistillationAlgorithm::SELECTIVE_FD;
    NS_ABORT_MSG_UNLESS(GetLearner() && CountSamples() > 0 && CountClasses() > 0 &&
                            GetTransport()->GetServer() && (m_own || !selects),
                        "DistillationClientApplication on node "
                            << GetDeviceId()
                            << ": needs a learner, a reference set with classes, a transport that "
                               "knows the server, and for SelectiveFd own samples");
    m_cache.emplace(CountSamples(), CountClasses(), GetCacheDuration());
    Listen(ExpectMessage<PooledLabels>());
    On<DevicePredictions>(
        [](const Received<DevicePredictions>&) {
            throw PayloadError("predictions for the server");
        },
        ExpectMessage<DevicePredictions>());
}

Process
DistillationClientApplication::Round() // FedMD, DS-FL and Selective-FD: algorithm 1 of each
{
    m_metrics = {};
    const bool isFedMd = GetOptions().algorithm == DistillationAlgorithm::FEDMD;
    const bool exchanges = GetRound() >= GetPretrainingRounds();
    if (!exchanges || !isFedMd)
    {
        co_await Learn();
    }
    if (exchanges)
    {
        co_await Exchange();
        co_await Digest();
    }
    if (exchanges && isFedMd)
    {
        co_await Learn(); // "revisit"
    }
    auto scores = co_await Evaluate();
    m_metrics.scores = std::make_shared<std::vector<Score>>(std::move(scores));
    Report(m_metrics, GetColumns());
}

Process
DistillationClientApplication::Learn()
{
    TrainOptions options;
    options.measures = false;
    const Trained trained = co_await Train(MakeTask(), options);
    m_metrics.localLoss = trained.report.localLoss;
}

Process
DistillationClientApplication::Exchange()
{
    co_await Select();
    LabeledRows said;
    const auto due = m_cache->FindDue(GetRound());
    std::copy_if(due.begin(), due.end(), std::back_inserter(said.samples), [this](uint32_t sample) {
        return m_selected[sample];
    });
    if (!said.samples.empty())
    {
        const auto inputs = ViewOf(said.samples);
        const bool areScores = GetOptions().UsesScores();
        const std::function<Matrix<float>()> predict =
            [learner = GetLearner(), inputs, areScores]() {
                return areScores ? learner->PredictScores(*inputs) : learner->Predict(*inputs);
            };
        said.rows =
            co_await Compute("predict", GetLearner()->CountPredictFlops(inputs->Size()), predict);
    }
    m_metrics.sent = said.samples.size();

    EnterPhase("exchange");
    const uint32_t server = *GetTransport()->GetServer();
    const std::vector<uint32_t> from = {server};
    Send(server, MakeMessage<DevicePredictions>(said)); // also an empty one, which asks for labels
    // The server may wait that long for others first
    const auto heard = co_await Hear<PooledLabels>(from, GetPatience() * 2);
    const auto labels = heard.find(server);
    m_metrics.isCollaborative = labels != heard.end();
    if (m_metrics.isCollaborative)
    {
        m_cache->Store(GetRound(), labels->second->Get());
    }
}

Process
DistillationClientApplication::Digest()
{
    const LabeledRows labels = m_cache->GetValid(GetRound());
    m_metrics.labeled = labels.samples.size();
    m_metrics.labelAccuracy = ScoreLabels(labels);
    if (labels.samples.empty())
    {
        co_return;
    }
    TrainOptions options;
    options.measures = false;
    const Trained trained = co_await Train(MakeDigestion(labels), options);
    m_metrics.distillationLoss = trained.report.distillationLoss;
}

Process
DistillationClientApplication::Select()
{
    if (!m_selected.empty())
    {
        co_return;
    }
    if (GetOptions().algorithm != DistillationAlgorithm::SELECTIVE_FD)
    {
        m_selected.assign(CountSamples(), true);
        co_return;
    }
    const std::function<std::vector<bool>()> select =
        [own = m_own, reference = m_reference, seed = m_seed, quantile = m_clientThreshold]() {
            const Matrix<double> features = ReadFeatures(*own);
            const DensityRatio ratio(features,
                                     DrawUniform(features, DensityRatio::USUAL_AUXILIARY, seed));
            return SelectLikely(
                ratio.EstimateOwn(), ratio.Estimate(ReadFeatures(*reference)), quantile);
        };
    m_selected = co_await Compute("select", CountSelectionFlops(), select);
}

std::shared_ptr<const DataView>
DistillationClientApplication::ViewOf(const std::vector<uint32_t>& samples) const
{
    auto view = std::make_shared<DataView>();
    view->data = m_reference->data;
    view->transform = m_reference->transform;
    std::transform(samples.begin(),
                   samples.end(),
                   std::back_inserter(view->indices),
                   [this](uint32_t sample) { return m_reference->indices[sample]; });
    return view;
}

TrainTask
DistillationClientApplication::MakeDigestion(const LabeledRows& labels) const
{
    TrainTask task = MakeTask();
    task.epochs = m_digestEpochs;
    task.distillation.inputs = ViewOf(labels.samples);
    task.distillation.targets = std::make_shared<const Matrix<float>>(labels.rows);
    task.distillation.lambda = 1;
    task.distillation.isAlone = true;
    if (GetOptions().UsesScores())
    {
        task.distillation.loss = DistillationLoss::ABSOLUTE_ERROR;
    }
    return task;
}

double
DistillationClientApplication::ScoreLabels(const LabeledRows& labels) const
{
    if (m_reference->labels.empty() || labels.samples.empty())
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::size_t right = 0;
    for (std::size_t i = 0; i < labels.samples.size(); ++i)
    {
        const float* row = labels.rows.Row(i);
        right += std::max_element(row, row + labels.rows.columns) - row ==
                 m_reference->labels[labels.samples[i]];
    }
    return static_cast<double>(right) / static_cast<double>(labels.samples.size());
}

uint64_t
DistillationClientApplication::CountSelectionFlops() const
{
    return GetOptions().algorithm == DistillationAlgorithm::SELECTIVE_FD
               ? DensityRatio::CountFlops(m_own->Size(),
                                          DensityRatio::USUAL_AUXILIARY,
                                          CountSamples(),
                                          m_own->data->SampleSize())
               : 0;
}

Time
DistillationClientApplication::GetComputingDuration() const
{
    const auto processor = GetNode()->GetObject<Processor>();
    LabeledRows all;
    all.samples.resize(CountSamples());
    all.rows = Matrix<float>(CountSamples(), CountClasses());
    return processor->GetDuration(GetLearner()->CountMostTrainFlops(MakeTask())) +
           processor->GetDuration(GetLearner()->CountMostTrainFlops(MakeDigestion(all))) +
           processor->GetDuration(GetLearner()->CountPredictFlops(CountSamples())) +
           processor->GetDuration(CountSelectionFlops());
}

Time
DistillationClientApplication::GetPretrainingDuration() const
{
    const auto processor = GetNode()->GetObject<Processor>();
    return processor->GetDuration(GetLearner()->CountMostTrainFlops(MakeTask())) *
               static_cast<int64_t>(GetPretrainingRounds()) +
           GetComputingDuration();
}

} // namespace ns3::collab
