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
#include "ns3/collab-message-header.h"
#include "ns3/collab-processor.h"
#include "ns3/collab-random.h"
#include "ns3/collab-read-attribute.h"
#include "ns3/collab-seed.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("PredictionConsensusApplication");
NS_OBJECT_ENSURE_REGISTERED(PredictionConsensusApplication);

namespace
{

/// @param neighbors devices that were expected
/// @param heard by device
/// @param used devices, ascending
/// @return how many of those expected or heard were not used
std::size_t
CountOthers(const std::vector<uint32_t>& neighbors,
            const Inbox<SoftLabels>::Bodies& heard,
            const std::vector<uint32_t>& used)
{
    std::set<uint32_t> all(neighbors.begin(), neighbors.end());
    for (const auto& entry : heard)
    {
        all.insert(entry.first);
    }
    for (const uint32_t device : used)
    {
        all.erase(device);
    }
    return all.size();
}

/// @param agents number of them
/// @return pairs of which ideal trust compares predictions, an agent with itself too
std::size_t
CountPairs(std::size_t agents)
{
    return agents * (agents + 1) / 2;
}

/// @param panel predictions at hand
/// @param given importance by device, where it is not 1
/// @return that of each of the panel
std::vector<double>
ListImportance(const TrustPanel& panel, const std::map<uint32_t, double>& given)
{
    std::vector<double> importance;
    for (const uint32_t agent : panel.agents)
    {
        const auto found = given.find(agent);
        importance.push_back(found == given.end() ? 1 : found->second);
    }
    return importance;
}

} // namespace

TypeId
PredictionConsensusApplication::GetTypeId()
{
    using App = PredictionConsensusApplication;
    const auto common = [](TypeId type) {
        return AddPartialLossPolicy(AddLocalEpochs(type), LossPolicy::BEST_EFFORT);
    };
    static TypeId tid =
        common(TypeId("ns3::collab::PredictionConsensusApplication")
                   .SetParent<LearningApplication>()
                   .SetGroupName("Collab")
                   .AddConstructor<App>())
            .AddAttribute("PretrainingRounds",
                          "Rounds of local training before the first exchange.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&App::m_pretrainingRounds),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Lambda",
                          "Weight of the distance to the pseudo-labels.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&App::m_lambda),
                          MakeDoubleChecker<double>(0.0, std::numeric_limits<float>::max()))
            .AddAttribute("TrustMode",
                          "How peers are weighed; Ideal as if it were known how important each "
                          "should be. Without any exchange: Local is training on own samples, "
                          "Oracle pulls to the true labels of X*, which no agent knows.",
                          compat::EnumAttribute(TrustMode::DYNAMIC),
                          compat::EnumAccessor(&App::m_trustMode),
                          compat::EnumChecker(TrustMode::DYNAMIC,
                                              "Dynamic",
                                              TrustMode::STATIC,
                                              "Static",
                                              TrustMode::NAIVE,
                                              "Naive",
                                              TrustMode::IDEAL,
                                              "Ideal",
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
            .AddAttribute("ConfidenceWeighting",
                          "Whether agents weigh samples by their own confidence (beta of eq. (6)).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&App::m_confidenceWeighting),
                          MakeBooleanChecker())
            .AddAttribute(
                "EntropyOffset",
                "Added to the entropy in beta: 1 is the authors' code, 0 the paper's formula.",
                DoubleValue(1.0),
                MakeDoubleAccessor(&App::m_entropyOffset),
                MakeDoubleChecker<double>(0.0))
            .AddAttribute("EntropyFloor",
                          "Least value of entropy plus offset [nat].",
                          DoubleValue(1e-3),
                          MakeDoubleAccessor(&App::m_entropyFloor),
                          MakeDoubleChecker<double>(1e-12))
            .AddAttribute(
                "PredictionAttack",
                "How the agent lies: it tells the probability of each class of the next one "
                "(Shift), or those of the classes 0 and 1 of each other (Target).",
                compat::EnumAttribute(PredictionAttack::NONE),
                compat::EnumAccessor(&App::m_attack),
                compat::EnumChecker(PredictionAttack::NONE,
                                    "None",
                                    PredictionAttack::SHIFT,
                                    "Shift",
                                    PredictionAttack::TARGET,
                                    "Target"))
            .AddAttribute("PredictionPrivacy",
                          "Local differential privacy of predictions: standard deviation of the "
                          "noise in each probability, and delta at which the privacy spent is "
                          "told, such as sigma=0.5,delta=1e-5. Empty: none. An agent with a "
                          "PredictionAttack adds no noise. Not in regression.",
                          StringValue(""),
                          MakeStringAccessor(&App::m_predictionPrivacy),
                          MakeStringChecker())
            .AddAttribute("ConsensusMode",
                          "What agents agree on: the mean of their soft labels, the median, or the "
                          "class that most of their weight is for, of which only classes travel "
                          "(AIMHI).",
                          compat::EnumAttribute(ConsensusMode::SOFT_LABELS),
                          compat::EnumAccessor(&App::m_consensusMode),
                          compat::EnumChecker(ConsensusMode::SOFT_LABELS,
                                              "SoftLabels",
                                              ConsensusMode::MEDIAN,
                                              "Median",
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

void
PredictionConsensusApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    LearningApplication::DoDispose();
    m_reference.reset();
    m_probes.clear();
}

void
PredictionConsensusApplication::SetReference(std::shared_ptr<const DataView> reference)
{
    m_reference = std::move(reference);
}

void
PredictionConsensusApplication::AddProbe(const std::string& name,
                                         std::shared_ptr<const DataView> inputs)
{
    m_probes.emplace_back(name, std::move(inputs));
}

void
PredictionConsensusApplication::SetImportance(uint32_t device, double importance)
{
    m_importance[device] = importance;
}

double
PredictionConsensusApplication::GetPredictionEpsilon() const
{
    return m_release ? m_release->GetEpsilon() : 0;
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
    return DescribeMetrics(ConsensusMetrics::GetColumns(GetEvaluations(), IsRegression()));
}

void
PredictionConsensusApplication::DoStart()
{
    NS_ABORT_MSG_UNLESS(GetLearner() && m_reference && m_reference->Size() > 0,
                        "PredictionConsensusApplication on node "
                            << GetDeviceId() << ": needs a learner and a reference set");
    NS_ABORT_MSG_IF(
        IsRegression() &&
            (m_consensusMode != ConsensusMode::SOFT_LABELS || m_trustMode == TrustMode::IDEAL ||
             m_attack != PredictionAttack::NONE || !m_predictionPrivacy.empty() || m_labelTopK > 0),
        "PredictionConsensusApplication on node "
            << GetDeviceId()
            << ": regression has no classes; ConsensusMode must be SoftLabels, "
               "TrustMode not Ideal, PredictionAttack None, PredictionPrivacy empty and "
               "LabelTopK 0");
    std::optional<PredictionPrivacy> privacy;
    if (!m_predictionPrivacy.empty())
    {
        privacy = ReadAttribute("PredictionPrivacy", m_predictionPrivacy, ReadPredictionPrivacy);
    }
    // No program can forget it: two agents of one seed would add the same noise
    const uint64_t noiseSeed = SplitMix64(SeedFor(RandomPurpose::PRIVACY, GetDeviceId()));
    m_release.emplace(
        m_reference->Size(), CountColumns(), GetFormat(), m_attack, privacy, noiseSeed);
    SoftLabels expected;
    expected.predictions.rows = m_reference->Size();
    expected.predictions.columns = CountColumns();
    expected.format = GetFormat();
    Listen(expected);
}

Process
PredictionConsensusApplication::Round()
{
    m_metrics = {};
    m_trust.reset();
    if (m_trustMode == TrustMode::LOCAL || GetRound() < m_pretrainingRounds)
    {
        co_await Distill(nullptr);
    }
    else if (m_trustMode == TrustMode::ORACLE)
    {
        co_await Distill(
            std::make_shared<const Matrix<float>>(ListAnswers(*m_reference, CountColumns())));
    }
    else
    {
        const Predictions targets = co_await Agree();
        co_await Distill(targets);
    }
}

ProcessOf<PredictionConsensusApplication::Predictions>
PredictionConsensusApplication::Agree()
{
    Matrix<float> labels = co_await Predict(m_reference);
    auto released = m_release->Make(std::move(labels),
                                    fmt::format("device {}, round {}", GetDeviceId(), GetRound()));
    const auto sent = Pack(std::move(released.sent));
    m_own = released.own ? released.own : Predictions(sent, &sent->Get().predictions);

    EnterPhase("exchange"); // which the own broadcast may not have left yet when the wait is over
    Broadcast(sent);
    const auto neighbors = GetTransport()->GetNeighbors();
    const auto heard = co_await Hear<SoftLabels>(neighbors, GetPatience());
    if (!released.fault.empty())
    {
        NS_LOG_WARN(released.fault);
        m_metrics.excluded = GetTransport()->GetNeighbors().size();
        co_return nullptr;
    }

    const auto panel = std::make_shared<const TrustPanel>(CollectPanel(sent));
    const TrustPlan plan = PlanTrust(*panel);
    const std::size_t judged =
        m_trustMode == TrustMode::IDEAL
            ? CountPairs(panel->agents.size())
            : plan.judged.size() + (plan.JudgesLateOnes(panel->self) ? 1 : 0);
    const auto judge = [panel, plan]() { return ComputeTrust(*panel, plan); };
    const TrustResult result = co_await Compute(
        "trust",
        CountTrustFlops(m_reference->Size(), CountColumns(), judged, panel->agents.size(), plan),
        judge);
    RecordTrust(*panel, result);
    m_metrics.excluded = CountOthers(neighbors, heard, panel->agents);
    co_return result.targets;
}

Process
PredictionConsensusApplication::Distill(Predictions targets)
{
    struct Found
    {
        double accuracy = std::numeric_limits<double>::quiet_NaN(); // of pseudo-labels
        std::vector<Predictions> predictions;                       // of the probes
    };
    const auto found = std::make_shared<Found>();
    TrainOptions options;
    options.after = [reference = m_reference,
                     probes = m_predictionTrace.IsEmpty() ? NamedViews() : m_probes,
                     targets,
                     found](Learner& learner, const Trained&) {
        if (targets)
        {
            found->accuracy = ScorePseudoLabels(*reference, *targets);
        }
        for (const auto& probe : probes)
        {
            found->predictions.push_back(
                std::make_shared<const Matrix<float>>(learner.Predict(*probe.second)));
        }
    };
    Trained trained = co_await Train(MakeTask(targets), options);
    m_localLoss = trained.report.localLoss;
    for (std::size_t i = 0; i < found->predictions.size(); ++i)
    {
        m_predictionTrace({GetRound(), GetDeviceId(), m_probes[i].first, found->predictions[i]});
    }
    if (m_trust) // now, since a device that was off has judged again
    {
        m_trustTrace(*m_trust);
    }
    m_metrics.isCollaborative = targets != nullptr;
    m_metrics.scores = std::make_shared<std::vector<Score>>(std::move(trained.scores));
    m_metrics.localLoss = trained.report.localLoss;
    m_metrics.distillationLoss = trained.report.distillationLoss;
    m_metrics.pseudoLabelAccuracy = found->accuracy;
    Report(m_metrics, ConsensusMetrics::GetColumns(GetEvaluations(), IsRegression()));
}

Time
PredictionConsensusApplication::GetPatience() const
{
    return GetRound() == m_pretrainingRounds ? std::max(m_deadline, m_firstDeadline) : m_deadline;
}

bool
PredictionConsensusApplication::IsTrustDue() const
{
    return m_trustMode == TrustMode::DYNAMIC &&
           (GetRound() - m_pretrainingRounds) % m_trustInterval == 0;
}

TrustPanel
PredictionConsensusApplication::CollectPanel(const Packed<SoftLabels>& sent)
{
    struct Prediction
    {
        uint32_t round;
        Predictions labels;
        Arrival arrived = {};
    };
    std::map<uint32_t, Prediction> available;
    const auto take = [this, &available](uint32_t peer, const auto& entry) {
        const auto& labels = entry.second;
        available[peer] = {entry.first,
                           labels->arrived.IsWhole()
                               ? Predictions(labels, &labels->predictions)
                               : std::make_shared<const Matrix<float>>(labels->Complete(*m_own)),
                           labels->arrived};
    };
    for (const auto& [peer, messages] : GetInbox<SoftLabels>().GetAll())
    {
        const auto inRound = messages.find(GetRound());
        if (inRound != messages.end())
        {
            take(peer, *inRound);
        }
        else if (m_missingPolicy == MissingPolicy::STALE)
        {
            take(peer, *messages.rbegin());
        }
    }
    // An agent votes as it has told the others; of soft labels it has its own exactly
    const bool isMajority = m_consensusMode == ConsensusMode::MAJORITY_VOTE;
    available[GetDeviceId()] = {GetRound(),
                                isMajority ? Predictions(sent, &sent->Get().predictions) : m_own};
    TrustPanel panel;
    for (const auto& [agent, prediction] : available)
    {
        if (agent == GetDeviceId())
        {
            panel.self = panel.agents.size();
        }
        panel.Add(agent, prediction.round, prediction.labels, prediction.arrived);
    }
    return panel;
}

TrustPlan
PredictionConsensusApplication::MakePlan() const
{
    TrustPlan plan;
    plan.options.confidenceWeighting = m_confidenceWeighting;
    plan.options.entropyOffset = m_entropyOffset;
    plan.options.entropyFloor = m_entropyFloor;
    plan.own = m_own;
    plan.isRegression = IsRegression();
    plan.mode = m_consensusMode;
    plan.regressionTrust = m_regressionTrust;
    plan.scale = GetScale();
    return plan;
}

TrustPlan
PredictionConsensusApplication::PlanTrust(const TrustPanel& panel) const
{
    TrustPlan plan = MakePlan();
    plan.known.resize(panel.agents.size(), 1.0);
    if (m_trustMode == TrustMode::NAIVE)
    {
        return plan;
    }
    if (m_trustMode == TrustMode::IDEAL)
    {
        plan.importance = ListImportance(panel, m_importance);
        return plan;
    }
    m_memory.Recall(panel, IsTrustDue(), plan);
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

void
PredictionConsensusApplication::RecordTrust(const TrustPanel& panel, const TrustResult& result)
{
    m_memory.Keep(panel, result);
    TrustRecord record;
    record.round = GetRound();
    record.device = GetDeviceId();
    for (std::size_t i = 0; i < panel.agents.size(); ++i)
    {
        TrustRecord::Entry entry;
        entry.peer = panel.agents[i];
        entry.weight = result.weights[i];
        entry.ageRounds = static_cast<int32_t>(GetRound() - panel.rounds[i]);
        if (i != panel.self)
        {
            ++(entry.ageRounds == 0 ? m_metrics.used : m_metrics.stale);
        }
        record.row.push_back(entry);
    }
    m_trust = std::move(record);
}

TrainTask
PredictionConsensusApplication::MakeTask(Predictions targets) const
{
    TrainTask task = LearningApplication::MakeTask();
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
    const std::size_t agents = peers + 1;
    const std::size_t judged = m_trustMode == TrustMode::IDEAL ? CountPairs(agents) : agents;
    return processor->GetDuration(
               CountTrustFlops(m_reference->Size(), CountColumns(), judged, agents, MakePlan())) +
           processor->GetDuration(GetLearner()->CountMostTrainFlops(MakeTask(any))) +
           GetPredictingDuration();
}

uint64_t
PredictionConsensusApplication::GetMessageSize() const
{
    const Matrix<float> any(m_reference->Size(), CountColumns());
    return MessageHeader::SIZE + SoftLabels(any, GetFormat()).WireSize();
}

Time
PredictionConsensusApplication::GetPretrainingDuration() const
{
    const Time round = GetNode()->GetObject<Processor>()->GetDuration(
        GetLearner()->CountMostTrainFlops(MakeTask(nullptr)));
    return round * static_cast<int64_t>(m_pretrainingRounds) + GetPredictingDuration();
}

Time
PredictionConsensusApplication::GetPredictingDuration() const
{
    return GetNode()->GetObject<Processor>()->GetDuration(
        GetLearner()->CountPredictFlops(m_reference->Size()));
}

} // namespace ns3::collab
