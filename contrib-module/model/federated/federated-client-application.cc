/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-client-application.h"

#include "federated-update-encoder.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-processor.h"
#include "ns3/collab-random.h"
#include "ns3/collab-read-attribute.h"
#include "ns3/collab-seed.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

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
        AddAttack(AddTraining(TypeId("ns3::collab::FederatedClientApplication")
                                  .SetParent<FederatedApplication>()
                                  .SetGroupName("Collab")
                                  .AddConstructor<App>()))
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
            .AddTraceSource("Model",
                            "The device has received a model from the server.",
                            MakeTraceSourceAccessor(&App::m_modelTrace),
                            "ns3::collab::FederatedClientApplication::ModelTracedCallback");
    return tid;
}

void
FederatedClientApplication::SetCompressionSeed(uint64_t seed)
{
    m_compressionSeed = seed;
}

void
FederatedClientApplication::SetAttackSeed(uint64_t seed)
{
    m_attackSeed = seed;
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

Columns<FederatedClientApplication::Metrics>
FederatedClientApplication::GetColumns() const
{
    const Columns<Metrics> first = {{"collaborative",
                                     "",
                                     "1 if the device got the model made in the round, 0 if not",
                                     &Metrics::isCollaborative}};
    const Columns<Metrics> last = {
        {"local_loss",
         "nat",
         "cross-entropy on the own samples, mean over the last epoch; NaN if the device did not "
         "train",
         &Metrics::localLoss},
        {"asked", "", "1 if the device knows that it was to take part", &Metrics::isAsked},
        {"sent", "", "1 if the device has sent an update", &Metrics::isSent}};
    const Evaluations& evaluations = GetEvaluations();
    return first + evaluations.MakeColumns(evaluations.GetMeasures(MEASURES), &Metrics::scores) +
           last;
}

std::vector<Metric>
FederatedClientApplication::GetMetrics() const
{
    return DescribeMetrics(GetColumns());
}

void
FederatedClientApplication::CheckAttributes() const
{
    const auto require = [this](bool isSo, const std::string& what) {
        NS_ABORT_MSG_UNLESS(isSo,
                            "FederatedClientApplication on node " << GetDeviceId() << ": " << what);
    };
    const auto& learner = GetLearner();
    require(learner && learner->GetWeights() && GetSamples() > 0,
            "needs a learner with weights, and samples");
    require(GetTransport()->GetServer().has_value(),
            "its transport knows no server; see Transport::SetServer()");
    const FederatedOptions options = GetOptions();
    const FederatedTraits traits = options.GetTraits();
    const bool hasState = learner->GetWeights()->size() > learner->GetParameterCount();
    const bool isPrivate = !m_updatePrivacy.empty();
    require(!traits.hasControls || GetLearningRate() > 0,
            "SCAFFOLD needs the attribute LearningRate");
    require(!isPrivate || (!traits.hasControls &&
                           options.algorithm != FederatedAlgorithm::SEMI_DECENTRALIZED),
            "UpdatePrivacy does not protect the control variates of SCAFFOLD, nor the models that "
            "devices of a set exchange");
    require(!isPrivate || !hasState,
            "UpdatePrivacy needs a model without state beside its weights, such as the running "
            "variances of batch normalization");
    require((!m_errorFeedback && GetCompressor()->IsContraction()) || !hasState,
            "ErrorFeedback, and compressors that scale what they send, would make running "
            "variances negative; they need a model without state beside its weights");
    require(!m_errorFeedback || options.algorithm != FederatedAlgorithm::FEDDYN,
            "ErrorFeedback would add what FedDyn's next change has by itself, since g_k remembers "
            "only what was sent");
    require(!traits.sendsSteps || options.localMomentum == 0 || ResetsOptimizer(),
            "FedNova with LocalMomentum needs ResetsOptimizer, since momentum of earlier rounds is "
            "in no number of steps");
    require(!traits.isAsynchronous || !GetAdversary().NeedsAccomplices(),
            "the GradientAttack " + GetAdversary().GetAttack() +
                " needs other devices' changes of the same round, and FedBuff has none");
    CheckUplink(learner->GetWeights()->size() * learner->GetMultiplicity(),
                learner->GetParameterCount());
    require(!IsAnalog() || (GetCompressor()->IsExact() && !m_errorFeedback && !isPrivate),
            "the Uplink Analog sends numbers as they are: it needs the Compression float32, no "
            "ErrorFeedback, and no UpdatePrivacy, which promises nothing of a sum");
}

void
FederatedClientApplication::DoStart()
{
    CheckAttributes();
    std::optional<UpdatePrivacy> privacy;
    if (!m_updatePrivacy.empty() && GetAdversary().GetAttack().empty())
    {
        privacy = ReadUpdatePrivacy(m_updatePrivacy);
    }
    // No program can forget it: two devices of one seed would add the same noise
    const uint64_t noiseSeed = SplitMix64(SeedFor(RandomPurpose::PRIVACY, GetDeviceId()));
    m_encoder =
        std::make_shared<UpdateEncoder>(GetCompressor(), m_errorFeedback, privacy, noiseSeed);
    m_client = GetClient();
    m_traits = GetOptions().GetTraits();
    const std::size_t dimension = GetLearner()->GetWeights()->size();
    const uint32_t multiplicity = GetLearner()->GetMultiplicity();
    On<FederatedModel>([this](const Model& model) { HandleModel(model); },
                       ExpectModel(dimension, multiplicity));
    On<FederatedUpload>(
        [](const Received<FederatedUpload>&) { throw PayloadError("an update for the server"); },
        ExpectUpload(dimension, multiplicity));
    if (IsAnalog())
    {
        GetTransport()->GetAnalogPort(*GetTransport()->GetServer()); // refuses what has none
        On<FederatedHead>(
            [](const Received<FederatedHead>&) { throw PayloadError("a head for the server"); });
        On<FederatedSlot>([this](const Received<FederatedSlot>& slot) {
            Require<PayloadError>(slot.sender == GetTransport()->GetServer(),
                                  "a slot that is not the server's");
            m_slot = slot;
        });
    }
}

void
FederatedClientApplication::DoResume()
{
    m_taken.reset(); // too late for it
    if (m_pending && m_pending->round < GetRounds())
    {
        m_pending.reset();
    }
}

std::optional<uint32_t>
FederatedClientApplication::FindPresentRound() const
{
    return GetRound(); // the server's next model says it; rounds up to then count as missed
}

void
FederatedClientApplication::HandleModel(const Model& model)
{
    Require<PayloadError>(model.sender == GetTransport()->GetServer(),
                          "a model that is not from the server");
    Require<PayloadError>(model.round <= GetRounds(), "a round that this run does not have");
    const bool isRepeated = m_traits.isAsynchronous && model.round == m_newest;
    Require<PayloadError>(!m_newest || model.round > *m_newest || isRepeated,
                          "a model that is not new");
    m_pending = model;
    if (!m_traits.isAsynchronous)
    {
        m_pending->sequence = model.round;
    }
    m_newest = model.round;
    m_modelTrace(GetDeviceId(), model.round);
}

bool
FederatedClientApplication::IsOutdated() const
{
    const bool isNewer = m_pending && !m_traits.isAsynchronous;
    return isNewer || m_concluded || (m_pending && m_pending->round == GetRounds());
}

Process
FederatedClientApplication::Round()
{
    const GradientWithdrawal atTheEnd(GetAdversary());
    m_metrics = {};
    EnterPhase("wait");
    while (m_goal == GetRound()) // which ends when a later model is here
    {
        if (m_taken)
        {
            const Model model = *std::exchange(m_taken, std::nullopt);
            m_metrics.isAsked = model->Asks(GetDeviceId());
            if (!m_pending)
            {
                co_await Participate(model);
            }
        }
        co_await TakeNext();
    }

    const bool isHeard = m_isFresh && GetRound() + 1 == m_goal;
    // Without rounds nobody else than the server knows which models a device is to get, but the
    // final one, which is for all
    const bool isFinal = GetRound() + 1 == GetRounds();
    const bool isExpected = isHeard || isFinal || !m_traits.isAsynchronous;
    CountMessages(isHeard ? 1 : 0, isExpected ? 1 : 0);
    m_metrics.isCollaborative = isHeard;
    const bool isFormer = m_isFresh && !isHeard; // what it has had in all rounds but the last
    m_metrics.scores = isFormer ? m_former : m_scores;
    Report(m_metrics, GetColumns());
}

Process
FederatedClientApplication::TakeNext()
{
    const auto isNext = [this]() { return m_pending || m_concluded; };
    co_await WaitUntil(isNext);
    const bool isStart = m_pending && m_pending->round == 0;
    if (!m_scores && !isStart) // it has had its own model in the rounds before
    {
        auto own = co_await Evaluate();
        m_scores = std::make_shared<std::vector<Score>>(std::move(own));
    }
    m_isFresh = m_pending.has_value();
    if (!m_isFresh)
    {
        m_goal = GetRounds();
        co_return;
    }
    const Model model = *std::exchange(m_pending, std::nullopt);
    auto scores = co_await Evaluate(model->vectors.weights.GetValues());
    m_former = std::exchange(m_scores, std::make_shared<std::vector<Score>>(std::move(scores)));
    m_taken = model;
    m_goal = model.round;
}

Process
FederatedClientApplication::Participate(Model model) // McMahan et al., algorithm 1: ClientUpdate
{
    if (!m_metrics.isAsked)
    {
        co_return;
    }
    TrainTask task = MakeTask();
    task.dropsOptimizer = task.resetsOptimizer; // the next training begins without
    m_client->Settle(model->IsOdd(GetDeviceId()));
    m_client->Prepare(model->vectors.weights.GetValues(), model->vectors.control.GetValues(), task);
    GetAdversary().Begin(model.round);
    const auto update = std::make_shared<FederatedUpdate>(); // y - x
    const TrainOptions options = MakeOptions(model, update);
    const Trained trained = co_await Train(task, options);
    NoteTraining(trained);
    if (IsOutdated())
    {
        GetAdversary().Withdraw();
        co_return;
    }
    update->samples = GetSamples();
    co_await Upload(model, *update);
}

TrainTask
FederatedClientApplication::MakeTask() const
{
    TrainTask task = FederatedApplication::MakeTask();
    GetClient()->Plan(GetSamples(), task);
    return task;
}

TrainOptions
FederatedClientApplication::MakeOptions(const Model& model,
                                        std::shared_ptr<FederatedUpdate> update,
                                        bool isLast) const
{
    TrainOptions options;
    options.moreFlops = GetClient()->CountFlops(GetLearner()->GetWeights()->size() *
                                                GetLearner()->GetMultiplicity());
    options.measures = false;
    options.after = [client = m_client,
                     weights = model->vectors.weights.GetValues(),
                     control = model->vectors.control.GetValues(),
                     rate = GetLearningRate(),
                     isLast,
                     update](Learner& learner, const Trained& trained) {
        *update =
            client->Finish(*weights, control, *learner.GetWeights(), trained.report.steps, rate);
        if (isLast)
        {
            learner.SetWeights(weights); // which all devices share; its own have served
        }
    };
    return options;
}

void
FederatedClientApplication::NoteTraining(const Trained& trained)
{
    m_metrics.localLoss = trained.report.localLoss;
}

Time
FederatedClientApplication::GetTrainingDuration() const
{
    const uint64_t own = GetClient()->CountFlops(GetLearner()->GetWeights()->size() *
                                                 GetLearner()->GetMultiplicity());
    return GetNode()->GetObject<Processor>()->GetDuration(
        GetLearner()->CountMostTrainFlops(MakeTask()) + own);
}

GradientAdversary::Upload
FederatedClientApplication::MakeForgery(const Model& model, const FlatVector& change) const
{
    GradientAdversary::Upload upload;
    upload.round = model.round;
    upload.honest = change;
    upload.count = model->participants.size();
    upload.seed = SplitMix64(m_attackSeed + model.sequence);
    upload.model = model->vectors.weights.GetValues();
    return upload;
}

Process
FederatedClientApplication::Upload(Model model, FederatedUpdate update)
{
    const auto isOver = [this]() { return IsOutdated(); };
    const FlatVector sent = co_await Forge(MakeForgery(model, update.change), isOver);
    if (!sent)
    {
        co_return;
    }
    if (IsAnalog())
    {
        co_await Superpose(model, sent);
        co_return;
    }
    const auto encoding = MakeEncoding(model, update, sent);
    const Packed<FederatedUpload> message = co_await Compute("", 0, encoding);
    if (IsOutdated())
    {
        co_return;
    }
    EnterPhase("upload");
    m_metrics.isSent = true;
    for (uint32_t attempt = 0; attempt < m_uploadAttempts; ++attempt)
    {
        const auto isThere = std::make_shared<std::optional<bool>>();
        const SendOptions options(GetLossPolicy(), [this, isThere](const DeliveryReport& report) {
            *isThere = GetLossPolicy() != LossPolicy::RELIABLE || !report.acknowledged.empty();
            CheckWaits();
        });
        const uint32_t number = Send(*GetTransport()->GetServer(), message, options, model.round);
        const auto isSent = [this, isThere]() { return isThere->has_value() || IsOutdated(); };
        co_await WaitUntil(isSent);
        if (!isThere->has_value())
        {
            if (!m_concluded)
            {
                GetTransport()->Cancel(number);
            }
            co_return;
        }
        if (**isThere)
        {
            break;
        }
    }
    EnterPhase("wait");
}

Process
FederatedClientApplication::Superpose(Model model, FlatVector change) // Zhu et al., section II
{
    const uint32_t server = *GetTransport()->GetServer();
    const AnalogPort port = GetTransport()->GetAnalogPort(server);
    const auto analog = MakeAnalogUpdate(port, change, GetSamples());
    if (!analog)
    {
        co_return;
    }
    EnterPhase("upload");
    DeliverOptions options;
    options.round = model.round;
    bool isThere = false;
    for (uint32_t attempt = 0; attempt < m_uploadAttempts && !isThere && !IsOutdated(); ++attempt)
    {
        isThere = co_await Deliver(server, analog->head, options);
    }
    const auto isCalled = [this, round = model.round]() {
        return (m_slot && m_slot->round == round) || IsOutdated();
    };
    co_await WaitUntil(isCalled);
    if (!IsOutdated() &&
        std::binary_search((*m_slot)->takers.begin(), (*m_slot)->takers.end(), GetDeviceId()))
    {
        const auto isEnded = std::make_shared<bool>(false);
        const auto over = [this, isEnded](bool hasSent) {
            m_metrics.isSent = hasSent;
            *isEnded = true;
            CheckWaits();
        };
        const auto signal = port.air->Send({port.radio, server, analog->numbers, over});
        const auto isOver = [this, isEnded]() { return *isEnded || IsOutdated(); };
        co_await WaitUntil(isOver);
    }
    EnterPhase("wait");
}

std::function<Packed<FederatedUpload>()>
FederatedClientApplication::MakeEncoding(const Model& model,
                                         const FederatedUpdate& update,
                                         const FlatVector& sent) const
{
    FederatedUpload upload = ExpectUpload(sent->size(), GetLearner()->GetMultiplicity());
    upload.samples = static_cast<uint32_t>(update.samples);
    upload.steps = static_cast<uint32_t>(update.steps);
    upload.assignment = model.sequence;
    return [compressor = GetCompressor(),
            encoder = m_encoder,
            seed = SplitMix64(m_compressionSeed + model.sequence),
            multiplicity = GetLearner()->GetMultiplicity(),
            client = m_client,
            update,
            sent,
            upload]() mutable {
        upload.vectors.weights = encoder->Encode(sent, seed, multiplicity);
        upload.vectors.control =
            EncodeVector(update.controlChange, *compressor, seed, multiplicity);
        FederatedUpdate read = update;
        read.controlChange = upload.vectors.control.GetValues();
        if (sent == update.change)
        {
            read.change = upload.vectors.weights.GetValues();
        } // else it is forged, and what the device has learned is something else
        client->Remember(read);
        return Pack(upload);
    };
}

void
FederatedClientApplication::Conclude()
{
    m_concluded = true;
    CheckWaits();
}

std::shared_ptr<FederatedClient>
FederatedClientApplication::GetClient() const
{
    return m_client ? m_client
                    : std::make_shared<FederatedClient>(GetOptions(),
                                                        GetLearner()->GetParameterCount() /
                                                            GetLearner()->GetMultiplicity());
}

} // namespace ns3::collab
