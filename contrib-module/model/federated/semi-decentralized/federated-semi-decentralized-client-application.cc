/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-semi-decentralized-client-application.h"

#include "federated-set-payloads.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-processor.h"
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

NS_LOG_COMPONENT_DEFINE("SemiDecentralizedClientApplication");
NS_OBJECT_ENSURE_REGISTERED(SemiDecentralizedClientApplication);

TypeId
SemiDecentralizedClientApplication::GetTypeId()
{
    using App = SemiDecentralizedClientApplication;
    static TypeId tid =
        TypeId("ns3::collab::SemiDecentralizedClientApplication")
            .SetParent<FederatedClientApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("SetSteps",
                          "Steps on the local samples between exchanges within the set.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&App::m_setSteps),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ConsensusDeadline",
                          "Longest wait of an exchange for the models of the set.",
                          TimeValue(Seconds(25)),
                          MakeTimeAccessor(&App::m_deadline),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Weighting",
                          "By what models are weighed, within sets and by the server.",
                          compat::EnumAttribute(FederatedSetWeighting::SAMPLES),
                          compat::EnumAccessor(&App::m_weighting),
                          compat::EnumChecker(FederatedSetWeighting::SAMPLES,
                                              "Samples",
                                              FederatedSetWeighting::UNIFORM,
                                              "Uniform"))
            .AddAttribute(
                "TakesTurns",
                "Whether the devices of a set send one after the other; else all at once.",
                BooleanValue(true),
                MakeBooleanAccessor(&App::m_takesTurns),
                MakeBooleanChecker())
            .AddAttribute("Retries",
                          "How often a reliable model for the set is sent again when the radio has "
                          "given it up.",
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
                          "Greatest number of samples that a peer is believed to have.",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&App::m_maxSamples),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource(
                "Exchange",
                "An exchange of models within the set has ended.",
                MakeTraceSourceAccessor(&App::m_exchangeTrace),
                "ns3::collab::SemiDecentralizedClientApplication::ExchangeTracedCallback");
    return tid;
}

SemiDecentralizedClientApplication::SemiDecentralizedClientApplication() = default;

void
SemiDecentralizedClientApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    DropTraining();
    m_repeater.reset();
    m_inboxes.clear();
    m_model = Model();
    FederatedClientApplication::DoDispose();
}

void
SemiDecentralizedClientApplication::SetSet(std::vector<uint32_t> set, uint64_t seed)
{
    m_set = std::move(set);
    m_setSeed = seed;
}

std::vector<Metric>
SemiDecentralizedClientApplication::GetMetrics() const
{
    auto metrics = FederatedClientApplication::GetMetrics();
    metrics.push_back(
        {"merged", "", "models of its set that the device has averaged with its own"});
    metrics.push_back({"missing", "", "models of its set that did not come in time"});
    return metrics;
}

Time
SemiDecentralizedClientApplication::GetComputingDuration() const
{
    TrainTask task;
    task.steps = m_setSteps;
    return GetNode()->GetObject<Processor>()->GetDuration(GetLearner()->CountMostTrainFlops(task));
}

void
SemiDecentralizedClientApplication::DoStart()
{
    FederatedClientApplication::DoStart();
    NS_ABORT_MSG_UNLESS(
        GetOptions().algorithm == FederatedAlgorithm::SEMI_DECENTRALIZED && MakeTask().steps > 0,
        "SemiDecentralizedClientApplication on node "
            << GetDeviceId() << ": needs the Algorithm SemiDecentralized, and LocalSteps");
    m_peers = m_set;
    std::sort(m_peers.begin(), m_peers.end());
    m_peers.erase(std::remove(m_peers.begin(), m_peers.end(), GetDeviceId()), m_peers.end());
    m_generator.seed(SplitMix64(SplitMix64(m_setSeed) + GetDeviceId()));
    DeliveryRepeater::Options sending;
    sending.policy = GetLossPolicy();
    sending.retries = m_retries;
    sending.delay = m_retryDelay;
    sending.draw = [this](double greatest) {
        return boost::random::uniform_real_distribution<double>(0, greatest)(m_generator);
    };
    sending.isAlive = [this](const Delivery&) { return IsRunning(); };
    m_repeater = std::make_unique<DeliveryRepeater>(GetTransport(), std::move(sending));
    GetTransport()->RegisterKind(
        SET_MODEL,
        "set-model",
        [dimension = GetLearner()->GetWeights()->size(),
         multiplicity = GetLearner()->GetMultiplicity()](const uint8_t* bytes, std::size_t size) {
            return FederatedSetPayload::Parse(bytes, size, dimension, multiplicity);
        },
        [this](const Message& message) { HandleSetModel(message); });
}

uint32_t
SemiDecentralizedClientApplication::CountExchanges() const
{
    return MakeTask().steps / m_setSteps;
}

uint32_t
SemiDecentralizedClientApplication::GetWeight() const
{
    return m_weighting == FederatedSetWeighting::SAMPLES ? GetSamples() : 1;
}

bool
SemiDecentralizedClientApplication::TrainsFrom(const Model& model) const
{
    return model.round < GetRounds();
}

void
SemiDecentralizedClientApplication::BeginTrain(const Model& model)
{
    NS_LOG_FUNCTION(this << model.round);
    m_model = model;
    m_steps = 0;
    m_exchange = 0;
    m_update = FederatedUpdate();
    m_update.samples = GetWeight();
    if (IsSampled())
    {
        BeginForging(model.round);
    }
    TrainOn();
}

void
SemiDecentralizedClientApplication::TrainOn()
{
    EnterPhase("train");
    const FlatVector weights = m_model.payload->GetModel();
    TrainTask task = MakeTask();
    const uint32_t steps = std::min(m_setSteps, task.steps - m_steps);
    const bool isLast = m_steps + steps == task.steps;
    task.steps = steps;
    task.dropsOptimizer = task.resetsOptimizer && isLast; // the next round begins without
    task.resetsOptimizer = task.resetsOptimizer && m_steps == 0;
    GetClient()->Prepare(weights, nullptr, task);
    struct Outcome
    {
        double loss = 0;
        bool isFinite = true;
        FederatedUpdate update;
        std::shared_ptr<const FederatedSetPayload> payload;
    };
    auto outcome = std::make_shared<Outcome>();
    const bool exchanges = steps == m_setSteps && !m_peers.empty();
    const uint64_t seed = SplitMix64(GetCompressionSeed(m_model.round) + 1 + m_exchange);
    RunTraining(
        GetLearner()->CountTrainFlops(task) +
            GetClient()->CountFlops(weights->size() * GetLearner()->GetMultiplicity()),
        [learner = GetLearner(),
         client = GetClient(),
         compressor = GetCompressor(),
         task,
         weights,
         exchanges,
         isLast,
         seed,
         weight = GetWeight(),
         exchange = m_exchange,
         outcome]() {
            const TrainReport report = learner->Train(task);
            outcome->loss = report.localLoss;
            outcome->isFinite = HasFiniteWeights(*learner);
            outcome->update = client->Finish(
                *weights, nullptr, *learner->GetWeights(), report.steps, task.learningRate);
            if (exchanges)
            {
                outcome->payload = std::make_shared<const FederatedSetPayload>(
                    exchange,
                    weight,
                    Encode(outcome->update.change, *compressor, seed, learner->GetMultiplicity()));
            }
            if (isLast)
            {
                learner->SetWeights(weights); // which all devices share; its own have served
            }
        },
        [this, outcome, steps]() {
            SetLocalLoss(outcome->loss);
            NoteTrained(outcome->isFinite);
            if (!TurnToNewer())
            {
                EndSteps(m_steps + steps, outcome->update, outcome->payload);
            }
        });
}

void
SemiDecentralizedClientApplication::EndSteps(
    uint32_t steps,
    const FederatedUpdate& update,
    const std::shared_ptr<const FederatedSetPayload>& payload)
{
    m_steps = steps;
    m_update.change = update.change;
    if (payload)
    {
        BeginExchange(payload);
        return;
    }
    GoOn();
}

void
SemiDecentralizedClientApplication::BeginExchange(
    const std::shared_ptr<const FederatedSetPayload>& payload)
{
    NS_LOG_FUNCTION(this << m_model.round << m_exchange);
    EnterPhase("consensus");
    m_exchanging = true;
    m_awaited.clear();
    for (const uint32_t peer : m_peers)
    {
        if (!FindModel(peer))
        {
            m_awaited.insert(peer);
        }
    }
    m_event =
        Simulator::Schedule(m_deadline, &SemiDecentralizedClientApplication::EndExchange, this);
    m_payload = payload;
    if (m_takesTurns)
    {
        const auto before = std::lower_bound(m_peers.begin(), m_peers.end(), GetDeviceId());
        const int64_t turn = before - m_peers.begin();
        const auto devices = static_cast<int64_t>(m_peers.size()) + 1;
        m_turn = Simulator::Schedule(TimeStep(m_deadline.GetTimeStep() / devices * turn),
                                     &SemiDecentralizedClientApplication::SendModel,
                                     this);
        CheckTurn();
    }
    else
    {
        SendModel();
    }
    CheckExchange();
}

void
SemiDecentralizedClientApplication::CheckTurn()
{
    const auto before = std::lower_bound(m_peers.begin(), m_peers.end(), GetDeviceId());
    if (m_payload && std::all_of(m_peers.begin(), before, [this](uint32_t peer) {
            return FindModel(peer) != nullptr;
        }))
    {
        SendModel();
    }
}

void
SemiDecentralizedClientApplication::SendModel()
{
    NS_LOG_FUNCTION(this);
    m_turn.Cancel();
    // The successor comes last, so that nobody else is to be sent to when its turn begins
    std::vector<uint32_t> receivers = m_peers;
    auto successor = std::upper_bound(receivers.begin(), receivers.end(), GetDeviceId());
    successor = successor == receivers.end() ? receivers.begin() : successor;
    std::rotate(receivers.begin(), std::next(successor), receivers.end());
    for (const uint32_t peer : receivers)
    {
        Delivery delivery;
        delivery.receiver = peer;
        delivery.content.kind = SET_MODEL;
        delivery.content.round = m_model.round;
        delivery.content.payload = m_payload;
        delivery.deadline = Simulator::Now() + m_deadline;
        delivery.finished =
            [this, round = m_model.round, exchange = m_exchange, peer](bool isThere) {
                if (!isThere && m_exchanging && m_model.round == round && m_exchange == exchange)
                {
                    m_awaited.erase(peer);
                    CheckExchange();
                }
            };
        m_repeater->Send(std::move(delivery));
    }
    m_payload.reset();
}

std::shared_ptr<const FederatedSetPayload>
SemiDecentralizedClientApplication::FindModel(uint32_t peer) const
{
    const auto inbox = m_inboxes.find(peer);
    if (inbox == m_inboxes.end() || inbox->second.round != m_model.round)
    {
        return nullptr;
    }
    const auto model = inbox->second.models.find(m_exchange);
    return model == inbox->second.models.end() ? nullptr : model->second;
}

std::shared_ptr<const FederatedSetPayload>
SemiDecentralizedClientApplication::CheckSetModel(const Message& message) const
{
    const auto payload = std::dynamic_pointer_cast<const FederatedSetPayload>(message.payload);
    if (!payload || message.round >= GetRounds() ||
        !std::binary_search(m_peers.begin(), m_peers.end(), message.sender))
    {
        throw PayloadError("no model of a device of the set for a round of this run");
    }
    payload->Check(CountExchanges(), GetLearner()->GetWeights()->size(), m_maxSamples);
    return payload;
}

void
SemiDecentralizedClientApplication::HandleSetModel(const Message& message)
{
    NS_LOG_FUNCTION(this << message.sender << message.round);
    if (!IsRunning())
    {
        return;
    }
    try
    {
        const auto payload = CheckSetModel(message);
        Inbox& inbox = m_inboxes[message.sender];
        if (message.round > inbox.round)
        {
            inbox = {message.round, {}};
        }
        if (message.round < inbox.round)
        {
            return; // late, as may happen
        }
        // The first one counts; another one comes if its acknowledgments were lost
        inbox.models.emplace(payload->GetExchange(), payload);
    }
    catch (const PayloadError& error)
    {
        GetTransport()->Reject(error.what());
        return;
    }
    if (m_exchanging && FindModel(message.sender))
    {
        m_awaited.erase(message.sender);
        CheckTurn();
        CheckExchange();
    }
}

void
SemiDecentralizedClientApplication::CheckExchange()
{
    if (m_exchanging && m_awaited.empty())
    {
        EndExchange();
    }
}

void
SemiDecentralizedClientApplication::EndExchange()
{
    NS_LOG_FUNCTION(this << m_awaited.size());
    DropTraining();
    std::vector<FederatedUpdate> updates(1, m_update);
    updates[0].samples = GetWeight();
    FederatedSetExchange exchange{m_model.round, GetDeviceId(), m_peers.size(), {}};
    for (const uint32_t peer : m_peers)
    {
        if (const auto model = FindModel(peer))
        {
            FederatedUpdate update;
            update.samples = model->GetSamples();
            update.change = model->GetChange();
            updates.push_back(std::move(update));
        }
        else
        {
            exchange.missing.push_back(peer);
        }
    }
    m_exchangeTrace(exchange);
    const std::size_t merged = updates.size() - 1;
    CountMessages(merged, m_peers.size());
    m_merged += merged;
    m_missing += m_peers.size() - merged;
    ++m_exchange;
    if (merged == 0)
    {
        m_update.samples = GetWeight();
        GoOn();
        return;
    }
    EnterPhase("merge");
    auto average = std::make_shared<FederatedUpdate>();
    const FlatVector weights = m_model.payload->GetModel();
    RunTraining(
        CountAverageFlops(weights->size() * GetLearner()->GetMultiplicity(), updates.size()),
        [learner = GetLearner(),
         trainsOn = m_steps < MakeTask().steps,
         weights,
         updates = std::move(updates),
         average]() {
            *average = AverageUpdates(updates);
            auto merged = std::make_shared<std::vector<float>>(*weights);
            for (std::size_t i = 0; i < merged->size(); ++i)
            {
                (*merged)[i] += (*average->change)[i];
            }
            if (!AreFinite(*merged))
            {
                *average = updates[0]; // the own training has diverged
            }
            else if (trainsOn)
            {
                learner->SetWeights(std::move(merged));
            }
        },
        [this, average]() {
            m_update = *average;
            if (!TurnToNewer())
            {
                GoOn();
            }
        });
}

void
SemiDecentralizedClientApplication::GoOn()
{
    if (m_steps < MakeTask().steps)
    {
        TrainOn();
    }
    else if (IsSampled())
    {
        PrepareUpload(m_model, m_update);
    }
    else
    {
        EnterPhase("wait");
    }
}

void
SemiDecentralizedClientApplication::DropTraining()
{
    m_exchanging = false;
    m_awaited.clear();
    m_payload.reset();
    m_event.Cancel();
    m_turn.Cancel();
}

void
SemiDecentralizedClientApplication::AddRoundValues(
    std::vector<std::pair<std::string, double>>& metrics)
{
    metrics.emplace_back("merged", std::exchange(m_merged, 0));
    metrics.emplace_back("missing", std::exchange(m_missing, 0));
}

void
SemiDecentralizedClientApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    DropTraining();
    FederatedClientApplication::DoHalt();
}

} // namespace collab
} // namespace ns3
