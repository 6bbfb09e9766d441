/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("PredictionConsensusApplication");
NS_OBJECT_ENSURE_REGISTERED(PredictionConsensusApplication);

/// What the trust job computes
struct PredictionConsensusApplication::TrustResult
{
    std::vector<double> affinities;               //!< of each agent of the panel
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
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("TrustMode",
                          "How peers are weighed; Local is training without any exchange.",
                          compat::EnumAttribute(TrustMode::DYNAMIC),
                          compat::EnumAccessor(&App::m_trustMode),
                          compat::EnumChecker(TrustMode::DYNAMIC,
                                              "Dynamic",
                                              TrustMode::STATIC,
                                              "Static",
                                              TrustMode::NAIVE,
                                              "Naive",
                                              TrustMode::LOCAL,
                                              "Local"))
            .AddAttribute(
                "TrustInterval",
                "With dynamic trust: collaborative rounds from one computation to the next.",
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
            .AddAttribute("MissingPolicy",
                          "What stands in for predictions that did not arrive in their round.",
                          compat::EnumAttribute(MissingPolicy::STALE),
                          compat::EnumAccessor(&App::m_missingPolicy),
                          compat::EnumChecker(
                              MissingPolicy::STALE, "Stale", MissingPolicy::EXCLUDE, "Exclude"))
            .AddAttribute(
                "LossPolicy",
                "What the radio does about lost predictions.",
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
    m_evaluations.clear();
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
    m_evaluations.emplace_back(name, std::move(labelled));
}

std::vector<Metric>
PredictionConsensusApplication::GetMetrics() const
{
    std::vector<Metric> metrics = {
        {"collaborative", "", "1 if predictions were exchanged in the round, 0 if not"}};
    for (const auto& evaluation : m_evaluations)
    {
        const std::string& name = evaluation.first;
        metrics.push_back({"accuracy_" + name,
                           "1",
                           "fraction of the samples " + name + " that the model labels right"});
        metrics.push_back(
            {"balanced_accuracy_" + name, "1", "the same, mean over the classes of " + name});
    }
    metrics.push_back(
        {"local_loss", "nat", "cross-entropy on the own samples, mean over the last epoch"});
    metrics.push_back({"distillation_loss",
                       "nat",
                       "soft cross-entropy to the pseudo-labels, mean over the last epoch"});
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
    const std::size_t samples = m_reference->Size();
    const std::size_t classes = m_reference->data->classes;
    GetTransport()->RegisterKind(
        SOFT_LABELS,
        "soft-labels",
        [samples, classes](const uint8_t* bytes, std::size_t size) {
            return SoftLabelPayload::Parse(bytes, size, samples, classes);
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
            m_own = std::make_shared<const SoftLabelPayload>(std::move(*labels));
            CheckOwnLabels();
            BeginExchange();
        });
}

void
PredictionConsensusApplication::CheckOwnLabels() const
{
    try
    {
        m_own->Check(m_reference->Size(), m_reference->data->classes);
    }
    catch (const PayloadError& error)
    {
        throw std::runtime_error(fmt::format(
            "the learner of device {} has no usable predictions in round {}: {}; has it "
            "diverged (learning rate)?",
            GetDeviceId(),
            GetRound(),
            error.what()));
    }
}

void
PredictionConsensusApplication::BeginExchange()
{
    EnterPhase("exchange");
    GetTransport()->Broadcast(SOFT_LABELS, GetRound(), m_own, m_lossPolicy);
    const auto neighbors = GetTransport()->GetNeighbors();
    m_awaited = std::set<uint32_t>(neighbors.begin(), neighbors.end());
    for (const auto& [peer, predictions] : m_heard)
    {
        if (predictions.rbegin()->first >= GetRound())
        {
            m_awaited.erase(peer);
        }
    }
    m_exchanging = true;
    m_deadlineEvent =
        Simulator::Schedule(m_deadline, &PredictionConsensusApplication::EndExchange, this);
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
    const auto labels = std::dynamic_pointer_cast<const SoftLabelPayload>(message.payload);
    try
    {
        if (!labels)
        {
            throw PayloadError("no soft labels");
        }
        labels->Check(m_reference->Size(), m_reference->data->classes);
        if (message.round >= GetRounds())
        {
            throw PayloadError("a round that this run does not have");
        }
    }
    catch (const PayloadError& error)
    {
        GetTransport()->Reject(error.what());
        return;
    }
    m_heard[message.sender][message.round] = Prediction{message.round, labels};
    if (message.round >= GetRound())
    {
        m_awaited.erase(message.sender);
        CheckExchange();
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
    available[GetDeviceId()] = Prediction{GetRound(), m_own};
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
    EnterPhase("trust");
    auto panel = std::make_shared<const Panel>(CollectPanel());
    auto result = std::make_shared<TrustResult>();
    result->affinities.resize(panel->peers.size(), 1.0);
    std::vector<std::size_t> judged;
    if (m_trustMode != TrustMode::NAIVE)
    {
        const bool due = IsTrustDue();
        for (std::size_t i = 0; i < panel->peers.size(); ++i)
        {
            const auto known = m_affinities.find(panel->peers[i]);
            if (due || known == m_affinities.end())
            {
                judged.push_back(i);
            }
            else
            {
                result->affinities[i] = known->second;
            }
        }
    }
    const uint64_t flops = CountTrustFlops(
        m_reference->Size(), m_reference->data->classes, judged.size(), panel->peers.size());
    RunJob(
        flops,
        [panel, judged, result, options = m_trustOptions]() {
            ComputeTrust(*panel, judged, options, *result);
        },
        [this, panel, result]() {
            RecordTrust(*panel, *result);
            BeginTrain(result->targets);
        });
}

void
PredictionConsensusApplication::ComputeTrust(const Panel& panel,
                                             const std::vector<std::size_t>& judged,
                                             const TrustOptions& options,
                                             TrustResult& result)
{
    const Matrix<float>& own = panel.predictions[panel.self].labels->GetProbabilities();
    const std::vector<double> confidence = ComputeConfidence(own, options);
    std::vector<const Matrix<float>*> predictions;
    for (const auto& prediction : panel.predictions)
    {
        predictions.push_back(&prediction.labels->GetProbabilities());
    }
    for (const std::size_t agent : judged)
    {
        result.affinities[agent] = ComputeAffinity(own, *predictions[agent], confidence);
    }
    result.weights = NormalizeTrust(result.affinities);
    result.targets =
        std::make_shared<const Matrix<float>>(MixPredictions(result.weights, predictions));
}

void
PredictionConsensusApplication::RecordTrust(const Panel& panel, const TrustResult& result)
{
    TrustRecord record;
    record.round = GetRound();
    record.device = GetDeviceId();
    for (std::size_t i = 0; i < panel.peers.size(); ++i)
    {
        m_affinities[panel.peers[i]] = result.affinities[i];
        TrustRecord::Entry entry;
        entry.peer = panel.peers[i];
        entry.weight = result.weights[i];
        entry.ageRounds = static_cast<int32_t>(GetRound() - panel.predictions[i].round);
        if (i != panel.self)
        {
            ++(entry.ageRounds == 0 ? m_used : m_stale);
        }
        m_awaited.erase(entry.peer);
        record.row.push_back(entry);
    }
    m_excluded = m_awaited.size();
    m_trustTrace(record);
    // What a later round can still use: the newest of each peer, and all from this round on
    for (auto& [peer, predictions] : m_heard)
    {
        const uint32_t newest = predictions.rbegin()->first;
        predictions.erase(predictions.begin(),
                          predictions.lower_bound(std::min(GetRound(), newest)));
    }
}

void
PredictionConsensusApplication::BeginTrain(std::shared_ptr<const Matrix<float>> targets)
{
    EnterPhase("train");
    TrainTask task;
    task.epochs = m_localEpochs;
    task.distillation.inputs = m_reference;
    task.distillation.targets = std::move(targets);
    task.distillation.lambda = m_lambda;
    struct Outcome
    {
        TrainReport report;
        std::vector<Score> scores;
    };
    auto outcome = std::make_shared<Outcome>();
    RunJob(
        m_learner->CountTrainFlops(task),
        [learner = m_learner, evaluations = m_evaluations, task, outcome]() {
            outcome->report = learner->Train(task);
            for (const auto& evaluation : evaluations)
            {
                outcome->scores.push_back(learner->Evaluate(*evaluation.second));
            }
        },
        [this, task, outcome]() {
            std::vector<std::pair<std::string, double>> metrics;
            metrics.emplace_back("collaborative", task.distillation.targets ? 1 : 0);
            for (std::size_t i = 0; i < m_evaluations.size(); ++i)
            {
                const std::string& name = m_evaluations[i].first;
                const Score& score = outcome->scores[i];
                metrics.emplace_back("accuracy_" + name, score.accuracy);
                metrics.emplace_back("balanced_accuracy_" + name, score.balancedAccuracy);
            }
            metrics.emplace_back("local_loss", outcome->report.localLoss);
            metrics.emplace_back("distillation_loss", outcome->report.distillationLoss);
            metrics.emplace_back("heard", m_used);
            metrics.emplace_back("stale", m_stale);
            metrics.emplace_back("excluded", m_excluded);
            EndRound(std::move(metrics));
        });
}

void
PredictionConsensusApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_exchanging = false;
    m_deadlineEvent.Cancel();
}

} // namespace collab
} // namespace ns3
