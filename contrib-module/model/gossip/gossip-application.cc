/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-vector-stack.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <iterator>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("GossipApplication");
NS_OBJECT_ENSURE_REGISTERED(GossipApplication);

namespace
{

constexpr uint8_t CONTROL_PRIORITY = 1; //!< of small messages: before weights

/// What is measured on each set of samples
const std::vector<ScoreMetric> MEASURES = {
    {{"accuracy", "1", "fraction of the samples NAME that the model labels right"},
     &Score::accuracy},
    {{"loss", "nat", "cross-entropy of the model on them"}, &Score::loss}};

} // namespace

TypeId
GossipApplication::GetTypeId()
{
    using App = GossipApplication;
    static TypeId tid =
        TypeId("ns3::collab::GossipApplication")
            .SetParent<CollaborationApplication>()
            .SetGroupName("Collab")
            .AddAttribute("LocalEpochs",
                          "Passes over the local samples in a training, unless there are "
                          "LocalSteps.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&App::m_localEpochs),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LocalSteps",
                          "Steps of a training; 0 for whole passes.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&App::m_localSteps),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("LearningRate",
                          "Of the learner's steps; 0 for the learner's own.",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&App::m_learningRate),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("ResetsOptimizer",
                          "Whether the optimizer's moments are forgotten before each training.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&App::m_resetsOptimizer),
                          MakeBooleanChecker())
            .AddAttribute(
                "LossPolicy",
                "What the radio does about lost messages; Reliable: ARQ.",
                compat::EnumAttribute(LossPolicy::RELIABLE),
                compat::EnumAccessor(&App::m_lossPolicy),
                compat::EnumChecker(
                    LossPolicy::BEST_EFFORT, "BestEffort", LossPolicy::RELIABLE, "Reliable"))
            .AddAttribute("Retries",
                          "How often a reliable message to one device is sent again when the radio "
                          "has given it up.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&App::m_retries),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RetryDelay",
                          "Mean of the random time before the first retry; doubled for each "
                          "further one. It parts half-duplex devices that send to each other.",
                          TimeValue(MilliSeconds(20)),
                          MakeTimeAccessor(&App::m_retryDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("MaxSamples",
                          "Greatest data size that a peer is believed to have.",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&App::m_maxSamples),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource("Exchange",
                            "A model or part that the device wanted has come, or has not in time.",
                            MakeTraceSourceAccessor(&App::m_exchangeTrace),
                            "ns3::collab::GossipApplication::ExchangeTracedCallback");
    return tid;
}

GossipApplication::GossipApplication() = default;

void
GossipApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_learner.reset();
    m_repeater.reset();
    m_evaluations.Clear();
    CollaborationApplication::DoDispose();
}

void
GossipApplication::SetLearner(std::shared_ptr<Learner> learner, uint32_t samples)
{
    NS_ABORT_MSG_IF(IsRunning(), "GossipApplication::SetLearner: the application runs already");
    m_learner = std::move(learner);
    m_samples = samples;
}

void
GossipApplication::SetFederation(std::vector<uint32_t> devices, uint64_t seed)
{
    m_devices = std::move(devices);
    m_seed = seed;
}

void
GossipApplication::AddEvaluation(const std::string& name, std::shared_ptr<const DataView> labelled)
{
    m_evaluations.Add(name, std::move(labelled));
}

FlatVector
GossipApplication::GetModel() const
{
    return m_learner ? m_learner->GetWeights() : nullptr;
}

Time
GossipApplication::GetTrainingDuration(uint32_t round) const
{
    const bool isTraining = IsRunning() && m_trainingRound && *m_trainingRound <= round;
    return isTraining ? m_trainingDuration : Time();
}

std::vector<Metric>
GossipApplication::GetMetrics() const
{
    std::vector<Metric> metrics = {
        {"merged", "", "models or parts of others that the device has merged"},
        {"missing", "", "models or parts that it wanted and did not get in time"},
        {"local_loss",
         "nat",
         "cross-entropy on the own samples, mean over the last epoch; NaN if it did not train"}};
    m_evaluations.AddMetrics(m_evaluations.GetMeasures(MEASURES), metrics);
    return metrics;
}

void
GossipApplication::DoStart()
{
    NS_ABORT_MSG_UNLESS(m_learner && m_learner->GetWeights() && m_samples > 0,
                        "GossipApplication on node "
                            << GetDeviceId() << ": needs a learner with weights, and samples");
    NS_ABORT_MSG_UNLESS(m_devices.size() >= 2 &&
                            std::binary_search(m_devices.begin(), m_devices.end(), GetDeviceId()),
                        "GossipApplication on node " << GetDeviceId()
                                                     << ": needs the devices, itself among them");
    m_dimension = m_learner->GetWeights()->size();
    std::copy_if(m_devices.begin(),
                 m_devices.end(),
                 std::back_inserter(m_peers),
                 [self = GetDeviceId()](uint32_t device) { return device != self; });
    m_generator.seed(SplitMix64(SplitMix64(m_seed) + GetDeviceId()));
    DeliveryRepeater::Options sending;
    sending.policy = m_lossPolicy;
    sending.retries = m_retries;
    sending.delay = m_retryDelay;
    sending.draw = [this](double greatest) {
        return boost::random::uniform_real_distribution<double>(0, greatest)(m_generator);
    };
    sending.isAlive = [this](const Delivery&) { return IsAnswering(); };
    m_repeater = std::make_unique<DeliveryRepeater>(GetTransport(), std::move(sending));
}

void
GossipApplication::Deliver(Delivery delivery)
{
    const bool isSmall = !delivery.content.payload ||
                         dynamic_cast<const GossipNumbersPayload*>(delivery.content.payload.get());
    delivery.priority = isSmall ? CONTROL_PRIORITY : 0;
    if (delivery.finished)
    {
        delivery.finished = [this, finished = std::move(delivery.finished)](bool isThere) {
            if (IsAnswering())
            {
                finished(isThere);
            }
        };
    }
    m_repeater->Send(std::move(delivery));
}

void
GossipApplication::Announce(uint16_t kind,
                            uint32_t round,
                            std::vector<uint32_t> numbers,
                            bool untilHeard)
{
    SendOptions options(m_lossPolicy);
    options.priority = CONTROL_PRIORITY;
    const auto payload = std::make_shared<const GossipNumbersPayload>(std::move(numbers));
    if (untilHeard && m_lossPolicy == LossPolicy::RELIABLE)
    {
        options.delivered = [this, kind, round, payload](const DeliveryReport& report) {
            if (!IsAnswering() || report.cancelled)
            {
                return;
            }
            const auto& heard = report.acknowledged;
            for (const uint32_t device : GetTransport()->GetNeighbors())
            {
                if (std::binary_search(m_peers.begin(), m_peers.end(), device) &&
                    std::find(heard.begin(), heard.end(), device) == heard.end())
                {
                    Deliver({device, kind, round, payload});
                }
            }
        };
    }
    GetTransport()->Broadcast({kind, round, payload}, options);
}

void
GossipApplication::RegisterNumbers(
    uint16_t kind,
    const std::string& name,
    std::function<void(const Message&, const std::vector<uint32_t>&)> receiver)
{
    GetTransport()->RegisterKind(
        kind,
        name,
        GossipNumbersPayload::Parse,
        [this, receiver = std::move(receiver)](const Message& message) {
            try
            {
                const auto payload =
                    std::dynamic_pointer_cast<const GossipNumbersPayload>(message.payload);
                if (!payload || message.round >= GetRounds() ||
                    !std::binary_search(m_peers.begin(), m_peers.end(), message.sender))
                {
                    throw PayloadError("no numbers of a peer for a round of this run");
                }
                if (IsAnswering())
                {
                    receiver(message, payload->GetNumbers());
                }
            }
            catch (const PayloadError& error)
            {
                GetTransport()->Reject(error.what());
            }
        });
}

void
GossipApplication::RegisterWeights(
    uint16_t kind,
    const std::string& name,
    std::function<void(const Message&, const std::shared_ptr<const GossipWeightsPayload>&)>
        receiver)
{
    GetTransport()->RegisterKind(
        kind,
        name,
        [multiplicity = GetMultiplicity()](const uint8_t* bytes, std::size_t size) {
            return GossipWeightsPayload::Parse(bytes, size, multiplicity);
        },
        [this, receiver = std::move(receiver)](const Message& message) {
            try
            {
                const auto payload =
                    std::dynamic_pointer_cast<const GossipWeightsPayload>(message.payload);
                if (!payload || message.round >= GetRounds() ||
                    !std::binary_search(m_peers.begin(), m_peers.end(), message.sender))
                {
                    throw PayloadError("no weights of a peer for a round of this run");
                }
                if (IsRunning())
                {
                    receiver(message, payload);
                }
            }
            catch (const PayloadError& error)
            {
                GetTransport()->Reject(error.what());
            }
        });
}

void
GossipApplication::RunMeasured(uint64_t flops,
                               std::function<void()> work,
                               std::function<void()> done)
{
    auto scores = std::make_shared<std::vector<Score>>();
    m_busy = true;
    RunJob(
        flops,
        [learner = m_learner, evaluations = m_evaluations, work = std::move(work), scores]() {
            work();
            *scores = evaluations.Evaluate(*learner);
        },
        [this, scores, done = std::move(done)]() {
            m_busy = false;
            m_scores = scores;
            done();
        });
}

void
GossipApplication::Train(std::function<void()> done)
{
    EnterPhase("train");
    TrainTask task;
    task.epochs = m_localEpochs;
    task.steps = m_localSteps;
    task.learningRate = m_learningRate;
    task.resetsOptimizer = m_resetsOptimizer;
    task.dropsOptimizer = m_resetsOptimizer; // the next training begins without
    const uint64_t flops = m_learner->CountTrainFlops(task);
    m_trainingRound = GetRound();
    m_trainingDuration = GetNode()->GetObject<Processor>()->GetDuration(flops);
    auto loss = std::make_shared<double>(0);
    auto isFinite = std::make_shared<bool>(true);
    RunMeasured(
        flops,
        [learner = m_learner, task, loss, isFinite]() {
            *loss = learner->Train(task).localLoss;
            *isFinite = HasFiniteWeights(*learner);
        },
        [this, loss, isFinite, done = std::move(done)]() {
            m_loss = *loss;
            NoteTrained(*isFinite);
            m_trainingRound.reset();
            done();
        });
}

void
GossipApplication::Merge(uint64_t flops,
                         std::function<std::vector<float>()> work,
                         std::function<void()> done)
{
    EnterPhase("merge");
    RunMeasured(
        flops,
        [learner = m_learner, work = std::move(work)]() {
            auto merged = std::make_shared<const std::vector<float>>(work());
            if (AreFinite(*merged))
            {
                learner->SetWeights(std::move(merged));
            }
        },
        std::move(done));
}

void
GossipApplication::FinishRound()
{
    constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::pair<std::string, double>> metrics = {
        {"merged", m_merged}, {"missing", m_missing}, {"local_loss", m_loss}};
    m_evaluations.AddValues(m_evaluations.GetMeasures(MEASURES), m_scores.get(), metrics);
    m_merged = 0;
    m_missing = 0;
    m_loss = NONE;
    EndRound(std::move(metrics));
}

void
GossipApplication::NoteExchange(uint32_t peer,
                                uint32_t part,
                                bool received,
                                const std::string& timeout)
{
    received ? ++m_merged : ++m_missing;
    CountMessages(received ? 1 : 0, 1);
    m_exchangeTrace({GetRound(), GetDeviceId(), peer, part, received, Simulator::Now(), timeout});
}

bool
GossipApplication::IsBusy() const
{
    return m_busy;
}

bool
GossipApplication::IsAnswering() const
{
    return IsRunning() || IsFinished();
}

const std::vector<uint32_t>&
GossipApplication::GetPeers() const
{
    return m_peers;
}

const std::vector<uint32_t>&
GossipApplication::GetDevices() const
{
    return m_devices;
}

uint64_t
GossipApplication::GetSharedSeed() const
{
    return m_seed;
}

uint32_t
GossipApplication::GetSamples() const
{
    return m_samples;
}

uint32_t
GossipApplication::GetMaxSamples() const
{
    return m_maxSamples;
}

std::size_t
GossipApplication::GetDimension() const
{
    return m_dimension;
}

uint32_t
GossipApplication::GetMultiplicity() const
{
    return m_learner->GetMultiplicity();
}

std::size_t
GossipApplication::GetNumbers() const
{
    return m_dimension * GetMultiplicity();
}

GossipSegment
GossipApplication::GetWeightsOf(const GossipSegment& numbers) const
{
    const std::size_t multiplicity = GetMultiplicity();
    const std::size_t count = (numbers.count + multiplicity - 1) / multiplicity;
    return {std::min(numbers.first / multiplicity, m_dimension - count), count};
}

std::shared_ptr<const GossipWeightsPayload>
GossipApplication::MakeWeights(FlatVector payload, uint32_t number, std::size_t count) const
{
    return std::make_shared<const GossipWeightsPayload>(
        number, m_samples, std::move(payload), GetMultiplicity(), count);
}

} // namespace collab
} // namespace ns3
