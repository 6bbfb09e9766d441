/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-semi-decentralized-client-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-processor.h"
#include "ns3/collab-random.h"
#include "ns3/collab-vector-stack.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("SemiDecentralizedClientApplication");
NS_OBJECT_ENSURE_REGISTERED(SemiDecentralizedClientApplication);

TypeId
SemiDecentralizedClientApplication::GetTypeId()
{
    using App = SemiDecentralizedClientApplication;
    static TypeId tid =
        AddRetries(
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
                    MakeBooleanChecker()))
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
SemiDecentralizedClientApplication::SetSet(std::vector<uint32_t> set, uint64_t seed)
{
    m_set = std::move(set);
    m_setSeed = seed;
}

Columns<FederatedClientApplication::Metrics>
SemiDecentralizedClientApplication::GetColumns() const
{
    return FederatedClientApplication::GetColumns() +
           Columns<Metrics>{
               {"merged",
                "",
                "models of its set that the device has averaged with its own",
                &Metrics::merged},
               {"missing", "", "models of its set that did not come in time", &Metrics::missing}};
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
    SeedRetries(SplitMix64(SplitMix64(m_setSeed) + GetDeviceId()));
    FederatedSetModel expected;
    expected.exchange = MakeTask().steps / m_setSteps;
    expected.samples = m_maxSamples;
    expected.change =
        EncodedVector::Expect(GetLearner()->GetWeights()->size(), GetLearner()->GetMultiplicity());
    On<FederatedSetModel>(
        [this](const Received<FederatedSetModel>& model) { HandleSetModel(model); }, expected);
}

uint32_t
SemiDecentralizedClientApplication::GetWeight() const
{
    return m_weighting == FederatedSetWeighting::SAMPLES ? GetSamples() : 1;
}

Process
SemiDecentralizedClientApplication::Participate(Model model) // Lin et al., algorithm 1
{
    if (m_metrics.isAsked)
    {
        GetAdversary().Begin(model.round);
    }
    const auto work = std::make_shared<Work>();
    work->model = model;
    work->update.samples = GetWeight();
    const uint32_t all = MakeTask().steps;
    for (uint32_t done = 0; done < all;)
    {
        const uint32_t steps = std::min(m_setSteps, all - done);
        co_await TrainOn(work, done, steps);
        if (IsOutdated())
        {
            GetAdversary().Withdraw();
            co_return;
        }
        done += steps;
        work->trainsOn = done < all;
        if (work->sent)
        {
            co_await Exchange(work);
            if (IsOutdated())
            {
                co_return;
            }
        }
    }
    if (m_metrics.isAsked)
    {
        co_await Upload(model, work->update);
    }
    else
    {
        EnterPhase("wait");
    }
}

Process
SemiDecentralizedClientApplication::TrainOn(std::shared_ptr<Work> work,
                                            uint32_t done,
                                            uint32_t steps)
{
    TrainTask task = MakeTask();
    const bool isLast = done + steps == task.steps;
    task.steps = steps;
    task.dropsOptimizer = task.resetsOptimizer && isLast; // the next round begins without
    task.resetsOptimizer = task.resetsOptimizer && done == 0;
    const FlatVector weights = work->model->vectors.weights.GetValues();
    GetClient()->Prepare(weights, nullptr, task);
    const auto update = std::make_shared<FederatedUpdate>();
    const auto sent = std::make_shared<EncodedVector>();
    const bool exchanges = steps == m_setSteps && !m_peers.empty();
    TrainOptions options = MakeOptions(work->model, update, isLast);
    options.after = [finish = options.after,
                     compressor = GetCompressor(),
                     seed = SplitMix64(SplitMix64(m_compressionSeed + work->model.sequence) + 1 +
                                       work->exchange),
                     exchanges,
                     update,
                     sent](Learner& learner, const Trained& trained) {
        finish(learner, trained);
        if (exchanges)
        {
            *sent = EncodeVector(update->change, *compressor, seed, learner.GetMultiplicity());
        }
    };
    const Trained trained = co_await Train(task, options);
    NoteTraining(trained);
    work->update.change = update->change;
    FederatedSetModel model;
    model.exchange = work->exchange;
    model.samples = GetWeight();
    model.change = *sent;
    work->sent = exchanges ? Pack(std::move(model)) : nullptr;
}

Process
SemiDecentralizedClientApplication::Exchange(std::shared_ptr<Work> work)
{
    NS_LOG_FUNCTION(this << work->model.round << work->exchange);
    EnterPhase("consensus");
    const Time end = Simulator::Now() + m_deadline;
    const auto awaited = std::make_shared<std::set<uint32_t>>(m_peers.begin(), m_peers.end());
    const auto isHere = [this, work](uint32_t peer) { return FindModel(*work, peer) != nullptr; };
    if (m_takesTurns)
    {
        const auto before = std::lower_bound(m_peers.begin(), m_peers.end(), GetDeviceId());
        const int64_t turn = before - m_peers.begin();
        const auto devices = static_cast<int64_t>(m_peers.size()) + 1;
        const Time share = TimeStep(m_deadline.GetTimeStep() / devices * turn);
        const auto isTurn = [this, before, isHere]() {
            return std::all_of(m_peers.begin(), before, isHere) || IsOutdated();
        };
        co_await WaitUntil(isTurn, share);
    }
    if (IsOutdated())
    {
        co_return;
    }
    for (const uint32_t peer : ListReceivers())
    {
        Spawn(SendTo(work, peer, awaited));
    }
    const auto isOver = [this, awaited, isHere]() {
        return std::all_of(awaited->begin(), awaited->end(), isHere) || IsOutdated();
    };
    co_await WaitUntil(isOver, end - Simulator::Now());
    if (!IsOutdated())
    {
        co_await Merge(work);
    }
}

std::vector<uint32_t>
SemiDecentralizedClientApplication::ListReceivers() const
{
    std::vector<uint32_t> receivers = m_peers;
    auto successor = std::upper_bound(receivers.begin(), receivers.end(), GetDeviceId());
    successor = successor == receivers.end() ? receivers.begin() : successor;
    std::rotate(receivers.begin(), std::next(successor), receivers.end());
    return receivers;
}

Process
SemiDecentralizedClientApplication::SendTo(std::shared_ptr<const Work> work,
                                           uint32_t peer,
                                           std::shared_ptr<std::set<uint32_t>> awaited)
{
    DeliverOptions options;
    options.round = work->model.round;
    options.deadline = Simulator::Now() + m_deadline;
    const bool isThere = co_await Deliver(peer, work->sent, options);
    if (!isThere)
    {
        awaited->erase(peer);
        CheckWaits();
    }
}

std::shared_ptr<const FederatedSetModel>
SemiDecentralizedClientApplication::FindModel(const Work& work, uint32_t peer) const
{
    const auto inbox = m_inboxes.find(peer);
    if (inbox == m_inboxes.end() || inbox->second.round != work.model.round)
    {
        return nullptr;
    }
    const auto model = inbox->second.models.find(work.exchange);
    return model == inbox->second.models.end() ? nullptr : model->second;
}

void
SemiDecentralizedClientApplication::HandleSetModel(const Received<FederatedSetModel>& model)
{
    NS_LOG_FUNCTION(this << model.sender << model.round);
    Require<PayloadError>(model.round < GetRounds() &&
                              std::binary_search(m_peers.begin(), m_peers.end(), model.sender),
                          "no model of a device of the set for a round of this run");
    PeerModels& inbox = m_inboxes[model.sender];
    if (model.round > inbox.round)
    {
        inbox = {model.round, {}};
    }
    if (model.round == inbox.round) // else it is late, as may happen
    {
        // The first one counts; another one comes if its acknowledgments were lost
        inbox.models.emplace(model->exchange, model.body);
    }
}

Process
SemiDecentralizedClientApplication::Merge(std::shared_ptr<Work> work)
{
    work->update.samples = GetWeight();
    std::vector<FederatedUpdate> updates(1, work->update);
    FederatedSetExchange exchange{work->model.round, GetDeviceId(), m_peers.size(), {}};
    for (const uint32_t peer : m_peers)
    {
        if (const auto model = FindModel(*work, peer))
        {
            FederatedUpdate update;
            update.samples = model->samples;
            update.change = model->change.GetValues();
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
    m_metrics.merged += merged;
    m_metrics.missing += m_peers.size() - merged;
    ++work->exchange;
    if (merged == 0)
    {
        co_return;
    }
    const FlatVector weights = work->model->vectors.weights.GetValues();
    const uint64_t flops =
        CountAverageFlops(weights->size() * GetLearner()->GetMultiplicity(), updates.size());
    const auto average = [learner = GetLearner(),
                          trainsOn = work->trainsOn,
                          weights,
                          updates = std::move(updates)]() {
        const FederatedUpdate mean = AverageUpdates(updates);
        auto model = std::make_shared<std::vector<float>>(*weights);
        for (std::size_t i = 0; i < model->size(); ++i)
        {
            (*model)[i] += (*mean.change)[i];
        }
        if (!AreFinite(*model))
        {
            return updates[0]; // the own training has diverged
        }
        if (trainsOn)
        {
            learner->SetWeights(std::move(model));
        }
        return mean;
    };
    work->update = co_await Compute("merge", flops, average);
    if (IsOutdated())
    {
        GetAdversary().Withdraw();
    }
}

} // namespace ns3::collab
