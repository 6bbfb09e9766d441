/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-application.h"

#include "prediction-consensus-answers.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-message-header.h"
#include "ns3/collab-processor.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("PredictionConsensusApplication");
NS_OBJECT_ENSURE_REGISTERED(PredictionConsensusApplication);

namespace
{

/// What is measured on each set of samples
const std::vector<ScoreMetric> MEASURES = {
    {{"accuracy", "1", "fraction of the samples NAME that the model labels right"},
     &Score::accuracy},
    {{"balanced_accuracy", "1", "the same, mean over the classes of NAME"},
     &Score::balancedAccuracy}};

/// The same in regression
const std::vector<ScoreMetric> REGRESSION_MEASURES = {
    {{"squared_error", "", "mean squared error on the samples NAME"}, &Score::loss},
    {{"determination", "1", "1 - squared error / variance of the targets of NAME"},
     &Score::determination}};

/// How good pseudo-labels are, which only the researcher can tell
constexpr const char* PSEUDO_LABEL_ACCURACY = "accuracy_pseudo_labels";

} // namespace

/// What the trust job computes
struct PredictionConsensusApplication::TrustResult
{
    std::vector<double> affinities;               //!< of each agent of the panel
    double own = 1;                               //!< the agent's to itself, for those known before
    std::vector<double> weights;                  //!< of each agent of the panel
    std::shared_ptr<const Matrix<float>> targets; //!< pseudo-labels
};

TypeId
PredictionConsensusApplication::GetTypeId()
{
    using App = PredictionConsensusApplication;
    static TypeId tid =
        TypeId("ns3::collab::PredictionConsensusApplication")
            .SetParent<CollaborationApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("PretrainingRounds",
                          "Rounds of local training before the first exchange.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&App::m_pretrainingRounds),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("LocalEpochs",
                          "Passes over the local samples in a round.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&App::m_localEpochs),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Lambda",
                          "Weight of the distance to the pseudo-labels.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&App::m_lambda),
                          MakeDoubleChecker<double>(0.0, std::numeric_limits<float>::max()))
            .AddAttribute("TrustMode",
                          "How peers are weighed. Without any exchange: Local is training on own "
                          "samples, Oracle pulls to the true labels of X*, which no agent knows.",
                          compat::EnumAttribute(TrustMode::DYNAMIC),
                          compat::EnumAccessor(&App::m_trustMode),
                          compat::EnumChecker(TrustMode::DYNAMIC,
                                              "Dynamic",
                                              TrustMode::STATIC,
                                              "Static",
                                              TrustMode::NAIVE,
                                              "Naive",
                                              TrustMode::LOCAL,
                                              "Local",
                                              TrustMode::ORACLE,
                                              "Oracle"))
            .AddAttribute(
                "TrustInterval",
                "Dynamic: collaborative rounds from one computation of trust to the next.",
                UintegerValue(1),
                MakeUintegerAccessor(&App::m_trustInterval),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "ConfidenceWeighting",
                "Whether agents weigh samples by their own confidence (beta of eq. (6)).",
                BooleanValue(true),
                MakeBooleanAccessor(&App::SetConfidenceWeighting, &App::GetConfidenceWeighting),
                MakeBooleanChecker())
            .AddAttribute(
                "EntropyOffset",
                "Added to the entropy in beta: 1 is the authors' code, 0 the paper's formula.",
                DoubleValue(1.0),
                MakeDoubleAccessor(&App::SetEntropyOffset, &App::GetEntropyOffset),
                MakeDoubleChecker<double>(0.0))
            .AddAttribute("EntropyFloor",
                          "Least value of entropy plus offset [nat].",
                          DoubleValue(1e-3),
                          MakeDoubleAccessor(&App::SetEntropyFloor, &App::GetEntropyFloor),
                          MakeDoubleChecker<double>(1e-12))
            .AddAttribute("ConsensusMode",
                          "What agents agree on: the mean of their soft labels, or the class that "
                          "most of their weight is for, of which only classes travel (AIMHI).",
                          compat::EnumAttribute(ConsensusMode::SOFT_LABELS),
                          compat::EnumAccessor(&App::m_consensusMode),
                          compat::EnumChecker(ConsensusMode::SOFT_LABELS,
                                              "SoftLabels",
                                              ConsensusMode::MAJORITY_VOTE,
                                              "MajorityVote"))
            .AddAttribute(
                "LabelPrecision",
                "Numbers of which soft labels are made on the air.",
                compat::EnumAttribute(LabelPrecision::FLOAT32),
                compat::EnumAccessor(&App::m_labelPrecision),
                compat::EnumChecker(
                    LabelPrecision::FLOAT32, "Float32", LabelPrecision::FLOAT16, "Float16"))
            .AddAttribute("LabelTopK",
                          "Classes of a sample whose probabilities are sent, with their numbers, "
                          "scaled to add up to 1; 0 for all. Not in regression.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&App::m_labelTopK),
                          MakeUintegerChecker<uint32_t>(0, 65536))
            .AddAttribute(
                "RegressionTrust",
                "In regression: judge by the distance of outputs, or by their cosine, "
                "which is eq. (6) taken literally.",
                compat::EnumAttribute(RegressionTrust::DISTANCE),
                compat::EnumAccessor(&App::m_regressionTrust),
                compat::EnumChecker(
                    RegressionTrust::DISTANCE, "Distance", RegressionTrust::COSINE, "Cosine"))
            .AddAttribute("SimilarityScale",
                          "In regression by distance: difference of outputs at which two agents "
                          "are half alike [units of the output]; 0 for the agent's own root mean "
                          "square error on its samples.",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&App::m_similarityScale),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("MissingPolicy",
                          "What stands in for predictions that did not arrive in their round.",
                          compat::EnumAttribute(MissingPolicy::STALE),
                          compat::EnumAccessor(&App::m_missingPolicy),
                          compat::EnumChecker(
                              MissingPolicy::STALE, "Stale", MissingPolicy::EXCLUDE, "Exclude"))
            .AddAttribute(
                "LossPolicy",
                "What the radio does about lost predictions; Reliable: ARQ.",
                compat::EnumAttribute(LossPolicy::BEST_EFFORT),
                compat::EnumAccessor(&App::m_lossPolicy),
                compat::EnumChecker(
                    LossPolicy::BEST_EFFORT, "BestEffort", LossPolicy::RELIABLE, "Reliable"))
            .AddAttribute(
                "RoundDeadline",
                "Longest time from an agent's broadcast to the end of its wait for others.",
                TimeValue(Seconds(5)),
                MakeTimeAccessor(&App::m_deadline),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("FirstDeadline",
                          "The same in the first exchange, before which all rounds of pretraining "
                          "are; RoundDeadline if that is longer.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&App::m_firstDeadline),
                          MakeTimeChecker(Seconds(0)))
            .AddTraceSource(
                "Prediction",
                "What the model says of the samples given to AddProbe, at the end of every round.",
                MakeTraceSourceAccessor(&App::m_predictionTrace),
                "ns3::collab::PredictionConsensusApplication::PredictionTracedCallback")
            .AddTraceSource("Trust",
                            "The agent's row of the trust matrix.",
                            MakeTraceSourceAccessor(&App::m_trustTrace),
                            "ns3::collab::PredictionConsensusApplication::TrustTracedCallback");
    return tid;
}

PredictionConsensusApplication::PredictionConsensusApplication() = default;

void
PredictionConsensusApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_deadlineEvent.Cancel();
    m_learner.reset();
    m_reference.reset();
    m_evaluations.Clear();
    m_probes.clear();
    m_heard.clear();
    CollaborationApplication::DoDispose();
}

void
PredictionConsensusApplication::SetLearner(std::shared_ptr<Learner> learner)
{
    m_learner = std::move(learner);
}

void
PredictionConsensusApplication::SetReference(std::shared_ptr<const DataView> reference)
{
    m_reference = std::move(reference);
}

void
PredictionConsensusApplication::AddEvaluation(const std::string& name,
                                              std::shared_ptr<const DataView> labelled)
{
    m_evaluations.Add(name, std::move(labelled));
}

void
PredictionConsensusApplication::AddProbe(const std::string& name,
                                         std::shared_ptr<const DataView> inputs)
{
    m_probes.emplace_back(name, std::move(inputs));
}

bool
PredictionConsensusApplication::IsRegression() const
{
    return m_reference && m_reference->data->outputs > 0;
}

std::size_t
PredictionConsensusApplication::CountColumns() const
{
    return IsRegression() ? m_reference->data->outputs : m_reference->data->classes;
}

PredictionFormat
PredictionConsensusApplication::GetFormat() const
{
    if (IsRegression())
    {
        return {PredictionKind::VALUES, m_labelPrecision, 0};
    }
    if (m_consensusMode == ConsensusMode::MAJORITY_VOTE)
    {
        return {PredictionKind::CLASSES, LabelPrecision::FLOAT32, 0};
    }
    return {PredictionKind::PROBABILITIES, m_labelPrecision, m_labelTopK};
}

std::vector<Metric>
PredictionConsensusApplication::GetMetrics() const
{
    std::vector<Metric> metrics = {
        {"collaborative",
         "",
         "1 if the device trained toward pseudo-labels, or as an oracle toward the true ones of "
         "X*; 0 if on its own samples alone"}};
    m_evaluations.AddMetrics(IsRegression() ? REGRESSION_MEASURES : MEASURES, metrics);
    const std::string unit = IsRegression() ? "" : "nat";
    metrics.push_back({"local_loss",
                       unit,
                       IsRegression() ? "squared error on the own samples, in the last epoch"
                                      : "cross-entropy on the own samples, mean over the last "
                                        "epoch"});
    metrics.push_back({"distillation_loss",
                       unit,
                       IsRegression() ? "squared distance to the pseudo-labels, in the last epoch"
                                      : "soft cross-entropy to the pseudo-labels, mean over the "
                                        "last epoch"});
    if (!IsRegression())
    {
        metrics.push_back(
            {PSEUDO_LABEL_ACCURACY,
             "",
             "part of X* to which the pseudo-labels give the right class; NaN without "
             "pseudo-labels"});
    }
    metrics.push_back({"heard", "", "peers whose predictions of this round were used"});
    metrics.push_back({"stale", "", "peers whose predictions of another round were used"});
    metrics.push_back({"excluded", "", "neighbors whose predictions were not used"});
    return metrics;
}

void
PredictionConsensusApplication::SetConfidenceWeighting(bool weighting)
{
    m_trustOptions.confidenceWeighting = weighting;
}

bool
PredictionConsensusApplication::GetConfidenceWeighting() const
{
    return m_trustOptions.confidenceWeighting;
}

void
PredictionConsensusApplication::SetEntropyOffset(double offset)
{
    m_trustOptions.entropyOffset = offset;
}

double
PredictionConsensusApplication::GetEntropyOffset() const
{
    return m_trustOptions.entropyOffset;
}

void
PredictionConsensusApplication::SetEntropyFloor(double floor)
{
    m_trustOptions.entropyFloor = floor;
}

double
PredictionConsensusApplication::GetEntropyFloor() const
{
    return m_trustOptions.entropyFloor;
}

void
PredictionConsensusApplication::DoStart()
{
    NS_ABORT_MSG_UNLESS(m_learner && m_reference && m_reference->Size() > 0,
                        "PredictionConsensusApplication on node "
                            << GetDeviceId() << ": needs a learner and a reference set");
    NS_ABORT_MSG_IF(IsRegression() &&
                        (m_consensusMode == ConsensusMode::MAJORITY_VOTE || m_labelTopK > 0),
                    "PredictionConsensusApplication on node "
                        << GetDeviceId()
                        << ": regression has no classes to vote on or to choose from; "
                           "ConsensusMode must be SoftLabels and LabelTopK 0");
    GetTransport()->RegisterKind(
        SOFT_LABELS,
        "soft-labels",
        [samples = m_reference->Size(), columns = CountColumns(), format = GetFormat()](
            const uint8_t* bytes, std::size_t size) {
            return SoftLabelPayload::Parse(bytes, size, samples, columns, format);
        },
        [this](const Message& message) { HandleSoftLabels(message); });
}

void
PredictionConsensusApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    m_used = 0;
    m_stale = 0;
    m_excluded = 0;
    if (m_trustMode == TrustMode::LOCAL || GetRound() < m_pretrainingRounds)
    {
        BeginTrain(nullptr);
        return;
    }
    if (m_trustMode == TrustMode::ORACLE)
    {
        BeginTrain(
            std::make_shared<const Matrix<float>>(ListAnswers(*m_reference, CountColumns())));
        return;
    }
    BeginPredict();
}

void
PredictionConsensusApplication::BeginPredict()
{
    EnterPhase("predict");
    auto labels = std::make_shared<Matrix<float>>();
    RunJob(
        m_learner->CountPredictFlops(m_reference->Size()),
        [learner = m_learner, reference = m_reference, labels]() {
            *labels = learner->Predict(*reference);
        },
        [this, labels]() {
            m_isUsable = ArePredictions(*labels);
            KeepOwnLabels(std::move(*labels));
            BeginExchange();
        });
}

bool
PredictionConsensusApplication::ArePredictions(const Matrix<float>& labels) const
{
    if (labels.rows != m_reference->Size() || labels.columns != CountColumns())
    {
        throw std::runtime_error(fmt::format(
            "device {}, round {}: predictions of shape {} x {} from the learner, expected {} x {}",
            GetDeviceId(),
            GetRound(),
            labels.rows,
            labels.columns,
            m_reference->Size(),
            CountColumns()));
    }
    try
    {
        CheckPredictions(labels, labels.rows, labels.columns, GetFormat().kind);
        return true;
    }
    catch (const PayloadError& error)
    {
        NS_LOG_WARN("device " << GetDeviceId() << " has diverged, in round " << GetRound() << ": "
                              << error.what());
        return false;
    }
}

void
PredictionConsensusApplication::KeepOwnLabels(Matrix<float> labels)
{
    const bool isMajority = m_consensusMode == ConsensusMode::MAJORITY_VOTE;
    const bool isExact = !isMajority && m_labelPrecision == LabelPrecision::FLOAT32 &&
                         (m_labelTopK == 0 || m_labelTopK >= labels.columns);
    if (isExact)
    {
        m_sent = std::make_shared<const SoftLabelPayload>(std::move(labels), GetFormat());
        m_own = std::shared_ptr<const Matrix<float>>(m_sent, &m_sent->GetProbabilities());
        return;
    }
    m_own = std::make_shared<const Matrix<float>>(std::move(labels));
    m_sent = std::make_shared<const SoftLabelPayload>(*m_own, GetFormat());
}

void
PredictionConsensusApplication::BeginExchange()
{
    EnterPhase("exchange");
    GetTransport()->Broadcast(SOFT_LABELS, GetRound(), m_sent, m_lossPolicy);
    const auto neighbors = GetTransport()->GetNeighbors();
    m_neighbors = std::set<uint32_t>(neighbors.begin(), neighbors.end());
    m_awaited = m_neighbors;
    ForgetThoseThatHaveSent();
    m_exchanging = true;
    const bool isFirst = GetRound() == m_pretrainingRounds;
    m_deadlineEvent =
        Simulator::Schedule(isFirst ? std::max(m_deadline, m_firstDeadline) : m_deadline,
                            &PredictionConsensusApplication::EndExchange,
                            this);
    CheckExchange();
}

void
PredictionConsensusApplication::HandleSoftLabels(const Message& message)
{
    NS_LOG_FUNCTION(this << message.sender << message.round);
    if (!IsRunning())
    {
        return;
    }
    if (message.round < GetRounds())
    {
        uint32_t& latest = m_latest[message.sender];
        latest = std::max(latest, message.round);
    }
    ForgetThoseThatHaveSent();
    const auto labels = std::dynamic_pointer_cast<const SoftLabelPayload>(message.payload);
    try
    {
        if (!labels)
        {
            throw PayloadError("no soft labels");
        }
        labels->Check(m_reference->Size(), CountColumns(), GetFormat());
        if (message.round >= GetRounds())
        {
            throw PayloadError("a round that this run does not have");
        }
    }
    catch (const PayloadError& error)
    {
        GetTransport()->Reject(error.what());
        CheckExchange();
        return;
    }
    m_heard[message.sender][message.round] = Prediction{
        message.round, std::shared_ptr<const Matrix<float>>(labels, &labels->GetProbabilities())};
    CheckExchange();
}

void
PredictionConsensusApplication::ForgetThoseThatHaveSent()
{
    for (const auto& [peer, round] : m_latest)
    {
        if (round >= GetRound())
        {
            m_awaited.erase(peer); // whatever it was, also if it was refused
        }
    }
}

void
PredictionConsensusApplication::CheckExchange()
{
    // The own broadcast may still be waiting for the medium: the agent computes meanwhile.
    if (m_exchanging && m_awaited.empty())
    {
        EndExchange();
    }
}

bool
PredictionConsensusApplication::IsTrustDue() const
{
    return m_trustMode == TrustMode::DYNAMIC &&
           (GetRound() - m_pretrainingRounds) % m_trustInterval == 0;
}

PredictionConsensusApplication::Panel
PredictionConsensusApplication::CollectPanel() const
{
    std::map<uint32_t, Prediction> available;
    // An agent votes as it has told the others; of soft labels it has its own exactly
    const bool isMajority = m_consensusMode == ConsensusMode::MAJORITY_VOTE;
    available[GetDeviceId()] = Prediction{
        GetRound(),
        isMajority ? std::shared_ptr<const Matrix<float>>(m_sent, &m_sent->GetProbabilities())
                   : m_own};
    for (const auto& [peer, predictions] : m_heard)
    {
        const auto inRound = predictions.find(GetRound());
        if (inRound != predictions.end())
        {
            available[peer] = inRound->second;
        }
        else if (m_missingPolicy == MissingPolicy::STALE)
        {
            available[peer] = predictions.rbegin()->second;
        }
    }
    Panel panel;
    for (const auto& [peer, prediction] : available)
    {
        if (peer == GetDeviceId())
        {
            panel.self = panel.peers.size();
        }
        panel.peers.push_back(peer);
        panel.predictions.push_back(prediction);
    }
    return panel;
}

void
PredictionConsensusApplication::EndExchange()
{
    NS_LOG_FUNCTION(this << m_awaited.size());
    m_exchanging = false;
    m_deadlineEvent.Cancel();
    CountPredictions();
    if (!m_isUsable)
    {
        m_excluded = GetTransport()->GetNeighbors().size();
        ForgetPredictions();
        BeginTrain(nullptr);
        return;
    }
    EnterPhase("trust");
    auto panel = std::make_shared<const Panel>(CollectPanel());
    auto result = std::make_shared<TrustResult>();
    const TrustPlan plan = PlanTrust(*panel, *result);
    RunJob(
        CountTrustFlops(plan.judged.size() + (plan.JudgesLateOnes(panel->self) ? 1 : 0),
                        panel->peers.size()),
        [panel, plan, result]() { ComputeTrust(*panel, plan, *result); },
        [this, panel, result]() {
            RecordTrust(*panel, *result);
            BeginTrain(result->targets);
        });
}

void
PredictionConsensusApplication::CountPredictions()
{
    std::size_t heard = 0;
    for (const auto& [peer, predictions] : m_heard)
    {
        if (predictions.count(GetRound()) > 0)
        {
            ++heard;
            m_neighbors.insert(peer); // it has come into range since
        }
    }
    CountMessages(heard, m_neighbors.size());
}

PredictionConsensusApplication::TrustPlan
PredictionConsensusApplication::PlanTrust(const Panel& panel, TrustResult& result) const
{
    TrustPlan plan;
    plan.options = m_trustOptions;
    plan.own = m_own;
    plan.isRegression = IsRegression();
    plan.isMajority = m_consensusMode == ConsensusMode::MAJORITY_VOTE;
    plan.regressionTrust = m_regressionTrust;
    plan.scale = GetScale();
    result.affinities.resize(panel.peers.size(), 1.0);
    if (m_trustMode == TrustMode::NAIVE)
    {
        return plan;
    }
    const auto self = m_affinities.find(GetDeviceId());
    const bool isAnyKnown = !IsTrustDue() && self != m_affinities.end();
    result.own = isAnyKnown ? self->second.value : 1.0;
    for (std::size_t i = 0; i < panel.peers.size(); ++i)
    {
        const auto known = m_affinities.find(panel.peers[i]);
        if (isAnyKnown && known != m_affinities.end())
        {
            result.affinities[i] = known->second.value * (result.own / known->second.own);
        }
        else
        {
            plan.judged.push_back(i);
        }
    }
    return plan;
}

double
PredictionConsensusApplication::GetScale() const
{
    // A model that fits its own samples exactly would else trust nobody
    constexpr double LEAST = 1e-3;
    const double scale = m_similarityScale > 0 ? m_similarityScale : std::sqrt(m_localLoss);
    return scale < std::numeric_limits<double>::infinity() ? std::max(scale, LEAST)
                                                           : std::numeric_limits<double>::max();
}

uint64_t
PredictionConsensusApplication::CountTrustFlops(std::size_t judged, std::size_t mixed) const
{
    const std::size_t samples = m_reference->Size();
    const std::size_t columns = CountColumns();
    if (IsRegression())
    {
        return CountValueTrustFlops(samples, columns, judged, mixed);
    }
    return CountJudgingFlops(samples, columns, judged) +
           (m_consensusMode == ConsensusMode::MAJORITY_VOTE
                ? CountVotingFlops(samples, columns, mixed)
                : CountMixingFlops(samples, columns, mixed));
}

void
PredictionConsensusApplication::ComputeAffinities(const Panel& panel,
                                                  const TrustPlan& plan,
                                                  TrustResult& result)
{
    const Matrix<float>& own = *panel.predictions[panel.self].labels;
    std::vector<double> confidence;
    if (!plan.isRegression)
    {
        confidence = ComputeConfidence(*plan.own, plan.options);
    }
    const auto judge = [&](const Matrix<float>& other) {
        if (!plan.isRegression)
        {
            return ComputeAffinity(own, other, confidence);
        }
        return plan.regressionTrust == RegressionTrust::COSINE
                   ? ComputeValueCosine(own, other)
                   : ComputeValueAffinity(own, other, plan.scale);
    };
    for (const std::size_t agent : plan.judged)
    {
        result.affinities[agent] = judge(*panel.predictions[agent].labels);
    }
    if (plan.JudgesLateOnes(panel.self))
    {
        // The confidence of another round is in the others' affinities: one's own makes them equal
        const double unit = result.own / judge(own);
        for (const std::size_t agent : plan.judged)
        {
            result.affinities[agent] *= unit;
        }
    }
}

void
PredictionConsensusApplication::ComputeTrust(const Panel& panel,
                                             const TrustPlan& plan,
                                             TrustResult& result)
{
    ComputeAffinities(panel, plan, result);
    result.weights = NormalizeTrust(result.affinities);
    std::vector<const Matrix<float>*> predictions;
    for (const auto& prediction : panel.predictions)
    {
        predictions.push_back(prediction.labels.get());
    }
    const auto mix =
        plan.isRegression ? MixValues : (plan.isMajority ? VoteByMajority : MixPredictions);
    result.targets = std::make_shared<const Matrix<float>>(mix(result.weights, predictions));
}

void
PredictionConsensusApplication::RecordTrust(const Panel& panel, const TrustResult& result)
{
    TrustRecord record;
    record.round = GetRound();
    record.device = GetDeviceId();
    for (std::size_t i = 0; i < panel.peers.size(); ++i)
    {
        m_affinities[panel.peers[i]] = {result.affinities[i], result.affinities[panel.self]};
        TrustRecord::Entry entry;
        entry.peer = panel.peers[i];
        entry.weight = result.weights[i];
        entry.ageRounds = static_cast<int32_t>(GetRound() - panel.predictions[i].round);
        if (i != panel.self)
        {
            ++(entry.ageRounds == 0 ? m_used : m_stale);
        }
        m_neighbors.erase(entry.peer);
        record.row.push_back(entry);
    }
    m_excluded = m_neighbors.size();
    m_trustTrace(record);
    ForgetPredictions();
}

void
PredictionConsensusApplication::ForgetPredictions()
{
    // What a later round can still use: the newest of each peer, and all from this round on
    for (auto& [peer, predictions] : m_heard)
    {
        const uint32_t newest = predictions.rbegin()->first;
        predictions.erase(predictions.begin(),
                          predictions.lower_bound(std::min(GetRound(), newest)));
    }
}

TrainTask
PredictionConsensusApplication::MakeTask(std::shared_ptr<const Matrix<float>> targets) const
{
    TrainTask task;
    task.epochs = m_localEpochs;
    task.distillation.inputs = m_reference;
    task.distillation.targets = std::move(targets);
    task.distillation.lambda = m_lambda;
    return task;
}

Time
PredictionConsensusApplication::GetComputingDuration(std::size_t peers) const
{
    const auto processor = GetNode()->GetObject<Processor>();
    const auto any = std::make_shared<Matrix<float>>(m_reference->Size(), CountColumns());
    return processor->GetDuration(CountTrustFlops(peers + 1, peers + 1)) +
           processor->GetDuration(m_learner->CountMostTrainFlops(MakeTask(any))) +
           GetPredictingDuration();
}

uint64_t
PredictionConsensusApplication::GetMessageSize() const
{
    const Matrix<float> any(m_reference->Size(), CountColumns());
    return MessageHeader::SIZE + SoftLabelPayload(any, GetFormat()).WireSize();
}

Time
PredictionConsensusApplication::GetPretrainingDuration() const
{
    const Time round = GetNode()->GetObject<Processor>()->GetDuration(
        m_learner->CountMostTrainFlops(MakeTask(nullptr)));
    return round * static_cast<int64_t>(m_pretrainingRounds) + GetPredictingDuration();
}

Time
PredictionConsensusApplication::GetPredictingDuration() const
{
    return GetNode()->GetObject<Processor>()->GetDuration(
        m_learner->CountPredictFlops(m_reference->Size()));
}

void
PredictionConsensusApplication::BeginTrain(std::shared_ptr<const Matrix<float>> targets)
{
    EnterPhase("train");
    const TrainTask task = MakeTask(std::move(targets));
    auto outcome = std::make_shared<TrainOutcome>();
    const NamedViews probes = m_predictionTrace.IsEmpty() ? NamedViews() : m_probes;
    RunJob(
        m_learner->CountTrainFlops(task),
        [learner = m_learner, evaluations = m_evaluations, probes, task, outcome]() {
            outcome->report = learner->Train(task);
            outcome->isFinite = HasFiniteWeights(*learner);
            if (task.distillation.targets)
            {
                outcome->pseudoLabelAccuracy =
                    ScorePseudoLabels(*task.distillation.inputs, *task.distillation.targets);
            }
            outcome->scores = evaluations.Evaluate(*learner);
            for (const auto& probe : probes)
            {
                outcome->predictions.push_back(
                    std::make_shared<const Matrix<float>>(learner->Predict(*probe.second)));
            }
        },
        [this, task, outcome]() {
            FinishTraining(*outcome, task.distillation.targets != nullptr);
        });
}

void
PredictionConsensusApplication::FinishTraining(const TrainOutcome& outcome, bool collaborative)
{
    m_localLoss = outcome.report.localLoss;
    NoteTrained(outcome.isFinite);
    for (std::size_t i = 0; i < outcome.predictions.size(); ++i)
    {
        m_predictionTrace({GetRound(), GetDeviceId(), m_probes[i].first, outcome.predictions[i]});
    }
    std::vector<std::pair<std::string, double>> metrics;
    metrics.emplace_back("collaborative", collaborative ? 1 : 0);
    m_evaluations.AddValues(
        IsRegression() ? REGRESSION_MEASURES : MEASURES, &outcome.scores, metrics);
    metrics.emplace_back("local_loss", outcome.report.localLoss);
    metrics.emplace_back("distillation_loss", outcome.report.distillationLoss);
    if (!IsRegression())
    {
        metrics.emplace_back(PSEUDO_LABEL_ACCURACY, outcome.pseudoLabelAccuracy);
    }
    metrics.emplace_back("heard", m_used);
    metrics.emplace_back("stale", m_stale);
    metrics.emplace_back("excluded", m_excluded);
    EndRound(std::move(metrics));
}

void
PredictionConsensusApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_deadlineEvent.Cancel();
}

} // namespace collab
} // namespace ns3
