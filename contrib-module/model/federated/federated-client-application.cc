/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-client-application.h"

#include "federated-update-encoder.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-processor.h"
#include "ns3/collab-random.h"
#include "ns3/collab-read-attribute.h"
#include "ns3/collab-seed.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("FederatedClientApplication");
NS_OBJECT_ENSURE_REGISTERED(FederatedClientApplication);

namespace
{

/// What is measured on each set of samples
const std::vector<ScoreMetric> MEASURES = {
    {{"accuracy", "1", "fraction of the samples NAME that the model labels right"},
     &Score::accuracy},
    {{"balanced_accuracy", "1", "the same, mean over the classes of NAME"},
     &Score::balancedAccuracy},
    {{"loss", "nat", "cross-entropy of the model on the samples NAME"}, &Score::loss}};

} // namespace

TypeId
FederatedClientApplication::GetTypeId()
{
    using App = FederatedClientApplication;
    static TypeId tid =
        TypeId("ns3::collab::FederatedClientApplication")
            .SetParent<FederatedApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("LocalEpochs",
                          "Passes over the local samples in a round.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&App::m_localEpochs),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LocalSteps",
                          "If not 0: steps on the local samples in a round, instead of passes.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&App::m_localSteps),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "LearningRate",
                "Of the learner's steps; 0 for the learner's own, which SCAFFOLD does not "
                "know and so does not allow.",
                DoubleValue(0.0),
                MakeDoubleAccessor(&App::m_learningRate),
                MakeDoubleChecker<double>(0.0))
            .AddAttribute("ResetsOptimizer",
                          "Whether the optimizer's moments are forgotten in every round.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&App::m_resetsOptimizer),
                          MakeBooleanChecker())
            .AddAttribute("UploadAttempts",
                          "Reliable updates: how often one is sent until the server has "
                          "acknowledged it, each time with the radio's own repetitions.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&App::m_uploadAttempts),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ErrorFeedback",
                          "Whether what compression of a change has lost is added to the next "
                          "change: see ErrorFeedback.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&App::m_errorFeedback),
                          MakeBooleanChecker())
            .AddAttribute("UpdatePrivacy",
                          "Local differential privacy of the changes that are uploaded: greatest "
                          "norm, standard deviation of the noise in each element, and delta at "
                          "which the privacy spent is told, such as "
                          "clip=1,sigma=0.5,delta=1e-5. Empty: none. A device with a "
                          "GradientAttack neither clips what it forges nor adds noise to it.",
                          StringValue(""),
                          MakeStringAccessor(&App::SetUpdatePrivacy, &App::GetUpdatePrivacy),
                          MakeStringChecker())
            .AddAttribute("GradientAttack",
                          "How the device forges the change that it uploads; see "
                          "MakeGradientAttack(). Empty: it does not.",
                          StringValue(""),
                          MakeStringAccessor(&App::SetGradientAttack, &App::GetGradientAttack),
                          MakeStringChecker())
            .AddAttribute("AttackTarget",
                          "What GradientAttack is applied to: the change that is uploaded, or the "
                          "weights that it leads to.",
                          compat::EnumAttribute(AttackTarget::GRADIENT),
                          compat::EnumAccessor(&App::m_attackTarget),
                          compat::EnumChecker(
                              AttackTarget::GRADIENT, "Gradient", AttackTarget::WEIGHTS, "Weights"))
            .AddTraceSource("Model",
                            "The device has received a model from the server.",
                            MakeTraceSourceAccessor(&App::m_modelTrace),
                            "ns3::collab::FederatedClientApplication::ModelTracedCallback");
    return tid;
}

FederatedClientApplication::FederatedClientApplication() = default;

void
FederatedClientApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_learner.reset();
    m_client.reset();
    m_encoder.reset();
    m_evaluations.Clear();
    m_pending.reset();
    FederatedApplication::DoDispose();
}

void
FederatedClientApplication::SetLearner(std::shared_ptr<Learner> learner, uint32_t samples)
{
    NS_ABORT_MSG_IF(IsRunning(),
                    "FederatedClientApplication::SetLearner: the application runs already");
    m_learner = std::move(learner);
    m_samples = samples;
}

void
FederatedClientApplication::SetCompressionSeed(uint64_t seed)
{
    m_seed = seed;
}

void
FederatedClientApplication::AddEvaluation(std::shared_ptr<SharedEvaluation> evaluation)
{
    m_evaluations.Add(std::move(evaluation));
}

void
FederatedClientApplication::SetCollusion(std::shared_ptr<GradientCollusion> collusion)
{
    m_adversary.SetCollusion(std::move(collusion), GetDeviceId());
}

void
FederatedClientApplication::SetAttackSeed(uint64_t seed)
{
    m_attackSeed = seed;
}

void
FederatedClientApplication::SetGradientAttack(std::string specification)
{
    ReadAttribute("GradientAttack", specification, [this](const std::string& name) {
        m_adversary.SetAttack(name);
        return true;
    });
}

std::string
FederatedClientApplication::GetGradientAttack() const
{
    return m_adversary.GetAttack();
}

void
FederatedClientApplication::SetUpdatePrivacy(std::string specification)
{
    if (!specification.empty())
    {
        ReadAttribute("UpdatePrivacy", specification, ReadUpdatePrivacy);
    }
    m_updatePrivacy = std::move(specification);
}

std::string
FederatedClientApplication::GetUpdatePrivacy() const
{
    return m_updatePrivacy;
}

double
FederatedClientApplication::GetUpdateEpsilon() const
{
    return m_encoder ? m_encoder->GetEpsilon() : std::numeric_limits<double>::infinity();
}

std::vector<Metric>
FederatedClientApplication::GetMetrics() const
{
    std::vector<Metric> metrics = {
        {"collaborative", "", "1 if the device got the model made in the round, 0 if not"}};
    m_evaluations.AddMetrics(m_evaluations.GetMeasures(MEASURES), metrics);
    metrics.push_back({"local_loss",
                       "nat",
                       "cross-entropy on the own samples, mean over the last epoch; NaN if the "
                       "device did not train"});
    metrics.push_back({"asked", "", "1 if the device knows that it was to take part"});
    metrics.push_back({"sent", "", "1 if the device has sent an update"});
    return metrics;
}

void
FederatedClientApplication::CheckAttributes() const
{
    NS_ABORT_MSG_UNLESS(m_learner && m_learner->GetWeights() && m_samples > 0,
                        "FederatedClientApplication on node "
                            << GetDeviceId() << ": needs a learner with weights, and samples");
    NS_ABORT_MSG_UNLESS(GetTransport()->GetServer(),
                        "FederatedClientApplication on node "
                            << GetDeviceId()
                            << ": its transport knows no server; see Transport::SetServer()");
    NS_ABORT_MSG_IF(GetOptions().HasControls() && m_learningRate == 0,
                    "FederatedClientApplication on node "
                        << GetDeviceId() << ": SCAFFOLD needs the attribute LearningRate");
    const FederatedOptions options = GetOptions();
    NS_ABORT_MSG_IF(
        !m_updatePrivacy.empty() &&
            (options.HasControls() || options.algorithm == FederatedAlgorithm::SEMI_DECENTRALIZED),
        "FederatedClientApplication on node "
            << GetDeviceId() << ": UpdatePrivacy does not protect the control variates "
            << "of SCAFFOLD, nor the models that devices of a set exchange");
    NS_ABORT_MSG_IF(!m_updatePrivacy.empty() &&
                        m_learner->GetWeights()->size() > m_learner->GetParameterCount(),
                    "FederatedClientApplication on node "
                        << GetDeviceId() << ": UpdatePrivacy needs a model without state beside "
                        << "its weights, such as the running variances of batch normalization");
    NS_ABORT_MSG_IF((m_errorFeedback || !GetCompressor()->IsContraction()) &&
                        m_learner->GetWeights()->size() > m_learner->GetParameterCount(),
                    "FederatedClientApplication on node "
                        << GetDeviceId() << ": ErrorFeedback, and compressors that scale what they "
                        << "send, would make running variances negative; they need a model "
                        << "without state beside its weights");
    NS_ABORT_MSG_IF(m_errorFeedback && options.algorithm == FederatedAlgorithm::FEDDYN,
                    "FederatedClientApplication on node "
                        << GetDeviceId() << ": ErrorFeedback would add what FedDyn's next change "
                        << "has by itself, since g_k remembers only what was sent");
    NS_ABORT_MSG_IF(options.SendsSteps() && options.localMomentum > 0 && !m_resetsOptimizer,
                    "FederatedClientApplication on node "
                        << GetDeviceId() << ": FedNova with LocalMomentum needs ResetsOptimizer, "
                        << "since momentum of earlier rounds is in no number of steps");
    NS_ABORT_MSG_IF(options.IsAsynchronous() && m_adversary.NeedsAccomplices(),
                    "FederatedClientApplication on node "
                        << GetDeviceId() << ": the GradientAttack " << GetGradientAttack()
                        << " needs other devices' changes of the same round, and FedBuff has none");
}

void
FederatedClientApplication::DoStart()
{
    CheckAttributes();
    std::optional<UpdatePrivacy> privacy;
    if (!m_updatePrivacy.empty() && GetGradientAttack().empty())
    {
        privacy = ReadUpdatePrivacy(m_updatePrivacy);
    }
    // No program can forget it: two devices of one seed would add the same noise
    const uint64_t noiseSeed = SplitMix64(SeedFor(RandomPurpose::PRIVACY, GetDeviceId()));
    m_encoder =
        std::make_shared<UpdateEncoder>(GetCompressor(), m_errorFeedback, privacy, noiseSeed);
    m_client = MakeClient();
    RegisterKinds(
        m_learner->GetWeights()->size(),
        m_learner->GetMultiplicity(),
        [this](const Message& message) { HandleModel(message); },
        [this](const Message&) { GetTransport()->Reject("an update for the server"); });
}

void
FederatedClientApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    m_sampled = false;
    m_uploaded = false;
    m_loss = std::numeric_limits<double>::quiet_NaN();
    EnterPhase("wait");
}

std::shared_ptr<const FederatedModelPayload>
FederatedClientApplication::CheckModel(const Message& message) const
{
    if (message.sender != GetTransport()->GetServer())
    {
        throw PayloadError("a model that is not from the server");
    }
    const auto model = std::dynamic_pointer_cast<const FederatedModelPayload>(message.payload);
    if (!model)
    {
        throw PayloadError("no model");
    }
    const FederatedOptions options = GetOptions();
    model->Check(m_learner->GetWeights()->size(), options.HasControls(), options.HasMemory());
    if (message.round > GetRounds())
    {
        throw PayloadError("a round that this run does not have");
    }
    const bool isRepeated = options.IsAsynchronous() && message.round == m_newest;
    if (m_newest && message.round <= *m_newest && !isRepeated)
    {
        throw PayloadError("a model that is not new");
    }
    return model;
}

void
FederatedClientApplication::HandleModel(const Message& message)
{
    NS_LOG_FUNCTION(this << message.sender << message.round);
    if (!IsRunning())
    {
        return;
    }
    try
    {
        const bool isAsynchronous = GetOptions().IsAsynchronous();
        m_pending = Model{
            message.round, CheckModel(message), isAsynchronous ? message.sequence : message.round};
    }
    catch (const PayloadError& error)
    {
        GetTransport()->Reject(error.what());
        return;
    }
    m_newest = message.round;
    m_modelTrace(GetDeviceId(), message.round);
    if (m_upload && IsOutdated())
    {
        const uint32_t sequence = *m_upload;
        m_upload.reset();
        GetTransport()->Cancel(sequence);
    }
    if (!m_busy && !m_upload)
    {
        Continue();
    }
}

bool
FederatedClientApplication::IsOutdated() const
{
    const bool isNewer = m_pending && !GetOptions().IsAsynchronous();
    return isNewer || m_concluded || (m_pending && m_pending->round == GetRounds());
}

void
FederatedClientApplication::Continue()
{
    if (m_pending || m_concluded)
    {
        DropTraining();
    }
    const bool isFirst = m_pending && !m_scores && m_pending->round > 0;
    if (isFirst)
    {
        Measure(nullptr, [this]() { Continue(); }); // what it has had in the rounds before
    }
    else if (m_pending)
    {
        const Model model = *m_pending;
        m_pending.reset();
        Measure(model.payload->GetModel(), [this, model]() { TakeModel(model); });
    }
    else if (m_concluded && !m_scores)
    {
        Measure(nullptr, [this]() { EndRoundsBefore(GetRounds(), false); });
    }
    else if (m_concluded)
    {
        EndRoundsBefore(GetRounds(), false);
    }
}

void
FederatedClientApplication::Measure(FlatVector weights, std::function<void()> done)
{
    m_busy = true;
    auto scores = std::make_shared<std::vector<Score>>();
    RunJob(
        0,
        [learner = m_learner, evaluations = m_evaluations, weights, scores]() {
            if (weights)
            {
                learner->SetWeights(weights);
            }
            *scores = evaluations.Evaluate(*learner);
        },
        [this, scores, done = std::move(done)]() {
            m_busy = false;
            m_former = std::exchange(m_scores, scores);
            done();
        });
}

void
FederatedClientApplication::TakeModel(const Model& model)
{
    m_adversary.Withdraw();
    EndRoundsBefore(model.round, true);
    if (!IsRunning())
    {
        return;
    }
    const auto& participants = model.payload->GetParticipants();
    m_sampled = std::binary_search(participants.begin(), participants.end(), GetDeviceId());
    if (m_pending || !TrainsFrom(model))
    {
        Continue();
        return;
    }
    BeginTrain(model);
}

bool
FederatedClientApplication::TrainsFrom(const Model&) const
{
    return m_sampled;
}

void
FederatedClientApplication::DropTraining()
{
    // The training is a job, which is finished in any case.
}

void
FederatedClientApplication::AddRoundValues(std::vector<std::pair<std::string, double>>&)
{
    // All that is measured here is always there.
}

std::shared_ptr<FederatedClient>
FederatedClientApplication::MakeClient() const
{
    return std::make_shared<FederatedClient>(
        GetOptions(), m_learner->GetParameterCount() / m_learner->GetMultiplicity());
}

TrainTask
FederatedClientApplication::MakeTask() const
{
    return MakeTask(*m_client);
}

TrainTask
FederatedClientApplication::MakeTask(const FederatedClient& client) const
{
    TrainTask task;
    task.epochs = m_localEpochs;
    task.steps = m_localSteps;
    task.learningRate = m_learningRate;
    task.resetsOptimizer = m_resetsOptimizer;
    client.Plan(m_samples, task);
    return task;
}

uint64_t
FederatedClientApplication::CountOwnFlops(const FederatedClient& client) const
{
    return client.CountFlops(m_learner->GetWeights()->size() * m_learner->GetMultiplicity());
}

Time
FederatedClientApplication::GetTrainingDuration() const
{
    const auto client = MakeClient();
    return GetNode()->GetObject<Processor>()->GetDuration(
        m_learner->CountMostTrainFlops(MakeTask(*client)) + CountOwnFlops(*client));
}

void
FederatedClientApplication::RunTraining(uint64_t flops,
                                        std::function<void()> work,
                                        std::function<void()> done)
{
    m_busy = true;
    RunJob(flops, std::move(work), [this, done = std::move(done)]() {
        m_busy = false;
        done();
    });
}

bool
FederatedClientApplication::TurnToNewer()
{
    if (!IsOutdated())
    {
        return false;
    }
    m_adversary.Withdraw();
    Continue();
    return true;
}

void
FederatedClientApplication::BeginTrain(const Model& model)
{
    EnterPhase("train");
    TrainTask task = MakeTask();
    task.dropsOptimizer = task.resetsOptimizer; // the next training begins without
    const FlatVector weights = model.payload->GetModel();
    const FlatVector control = model.payload->GetControl();
    m_client->Settle(model.payload->IsOdd(GetDeviceId()));
    m_client->Prepare(weights, control, task);
    struct Outcome
    {
        double loss = 0;
        bool isFinite = true;
        FederatedUpdate update;
    };
    auto outcome = std::make_shared<Outcome>();
    BeginForging(model.round);
    RunTraining(
        m_learner->CountTrainFlops(task) + CountOwnFlops(*m_client),
        [learner = m_learner, client = m_client, task, weights, control, outcome]() {
            const TrainReport report = learner->Train(task);
            outcome->loss = report.localLoss;
            outcome->isFinite = HasFiniteWeights(*learner);
            outcome->update = client->Finish(
                *weights, control, *learner->GetWeights(), report.steps, task.learningRate);
            learner->SetWeights(weights); // which all devices share; its own have served
        },
        [this, outcome, model]() {
            SetLocalLoss(outcome->loss);
            NoteTrained(outcome->isFinite);
            if (!TurnToNewer())
            {
                outcome->update.samples = m_samples;
                PrepareUpload(model, outcome->update);
            }
        });
}

void
FederatedClientApplication::PrepareUpload(const Model& model, const FederatedUpdate& update)
{
    GradientAdversary::Upload upload;
    upload.round = model.round;
    upload.honest = update.change;
    upload.count = model.payload->GetParticipants().size();
    upload.seed = SplitMix64(m_attackSeed + model.number);
    upload.target = m_attackTarget;
    upload.model = model.payload->GetModel();
    m_adversary.Forge(upload, [this, model, update](FlatVector sent) {
        EncodeUpload(model, update, std::move(sent));
    });
}

void
FederatedClientApplication::EncodeUpload(const Model& model,
                                         const FederatedUpdate& update,
                                         FlatVector sent)
{
    if (!IsRunning() || m_busy || GetRound() != model.round)
    {
        return; // an accomplice was late, and the device has gone on
    }
    auto payload = std::make_shared<std::shared_ptr<const FederatedUpdatePayload>>();
    std::optional<uint32_t> steps;
    if (GetOptions().SendsSteps())
    {
        steps = static_cast<uint32_t>(update.steps);
    }
    std::optional<uint32_t> assignment;
    if (GetOptions().IsAsynchronous())
    {
        assignment = model.number;
    }
    m_busy = true;
    RunJob(
        0,
        [compressor = GetCompressor(),
         encoder = m_encoder,
         seed = GetCompressionSeed(model.number),
         multiplicity = m_learner->GetMultiplicity(),
         client = m_client,
         update,
         sent = std::move(sent),
         steps,
         assignment,
         payload]() {
            *payload = std::make_shared<const FederatedUpdatePayload>(
                static_cast<uint32_t>(update.samples),
                encoder->Encode(sent, seed, multiplicity),
                Encode(update.controlChange, *compressor, seed, multiplicity),
                steps,
                assignment);
            FederatedUpdate read = update;
            read.controlChange = (*payload)->GetControlChange();
            if (sent == update.change)
            {
                read.change = (*payload)->GetChange();
            } // else it is forged, and what the device has learned is something else
            client->Remember(read);
        },
        [this, payload, round = model.round]() {
            m_busy = false;
            if (IsOutdated())
            {
                Continue();
                return;
            }
            BeginUpload(round, *payload);
        });
}

void
FederatedClientApplication::BeginUpload(uint32_t round,
                                        std::shared_ptr<const FederatedUpdatePayload> payload)
{
    EnterPhase("upload");
    m_uploaded = true;
    Upload({round, std::move(payload), 1});
}

void
FederatedClientApplication::Upload(const Attempt& attempt)
{
    m_upload = GetTransport()->Send(
        *GetTransport()->GetServer(),
        {UPDATE, attempt.round, attempt.payload},
        SendOptions(GetLossPolicy(), [this, attempt](const DeliveryReport& report) {
            HandleUploaded(attempt, report);
        }));
}

void
FederatedClientApplication::HandleUploaded(const Attempt& attempt, const DeliveryReport& report)
{
    if (!IsRunning() || m_upload != report.sequence)
    {
        return;
    }
    m_upload.reset();
    const bool lost = GetLossPolicy() == LossPolicy::RELIABLE && report.acknowledged.empty();
    if (lost && attempt.number < m_uploadAttempts && !m_concluded)
    {
        Upload({attempt.round, attempt.payload, attempt.number + 1});
        return;
    }
    EnterPhase("wait");
    if (m_pending)
    {
        Continue();
    }
}

void
FederatedClientApplication::EndRoundsBefore(uint32_t round, bool fresh)
{
    while (IsRunning() && GetRound() < round)
    {
        const bool isHeard = fresh && GetRound() + 1 == round;
        // Without rounds nobody else than the server knows which models a device is to get, but the
        // final one, which is for all
        const bool isFinal = GetRound() + 1 == GetRounds();
        const bool isExpected = isHeard || isFinal || !GetOptions().IsAsynchronous();
        CountMessages(isHeard ? 1 : 0, isExpected ? 1 : 0);
        std::vector<std::pair<std::string, double>> metrics;
        metrics.emplace_back("collaborative", isHeard ? 1 : 0);
        const bool isFormer = fresh && !isHeard; // what it has had in all rounds but the last
        m_evaluations.AddValues(m_evaluations.GetMeasures(MEASURES),
                                isFormer ? m_former.get() : m_scores.get(),
                                metrics);
        metrics.emplace_back("local_loss", m_loss);
        metrics.emplace_back("asked", m_sampled ? 1 : 0);
        metrics.emplace_back("sent", m_uploaded ? 1 : 0);
        AddRoundValues(metrics);
        EndRound(std::move(metrics));
    }
}

void
FederatedClientApplication::Conclude()
{
    NS_LOG_FUNCTION(this);
    if (!IsRunning())
    {
        return;
    }
    m_concluded = true;
    if (!m_busy)
    {
        Continue();
    }
}

bool
FederatedClientApplication::IsSampled() const
{
    return m_sampled;
}

void
FederatedClientApplication::BeginForging(uint32_t round)
{
    m_adversary.Begin(round);
}

void
FederatedClientApplication::SetLocalLoss(double loss)
{
    m_loss = loss;
}

const std::shared_ptr<Learner>&
FederatedClientApplication::GetLearner() const
{
    return m_learner;
}

uint32_t
FederatedClientApplication::GetSamples() const
{
    return m_samples;
}

const std::shared_ptr<FederatedClient>&
FederatedClientApplication::GetClient() const
{
    return m_client;
}

uint64_t
FederatedClientApplication::GetCompressionSeed(uint32_t number) const
{
    return SplitMix64(m_seed + number);
}

void
FederatedClientApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_adversary.Withdraw();
    m_busy = false;
    m_pending.reset();
    m_upload.reset();
}

} // namespace collab
} // namespace ns3
