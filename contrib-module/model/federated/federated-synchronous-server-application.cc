/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-synchronous-server-application.h"

#include "ns3/abort.h"
#include "ns3/collab-analog-port.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/double.h"
#include "ns3/federated-participation.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("FederatedSynchronousServerApplication");
NS_OBJECT_ENSURE_REGISTERED(FederatedSynchronousServerApplication);

TypeId
FederatedSynchronousServerApplication::GetTypeId()
{
    using App = FederatedSynchronousServerApplication;
    static TypeId tid = TypeId("ns3::collab::FederatedSynchronousServerApplication")
                            .SetParent<FederatedServerApplication>()
                            .SetGroupName("Collab")
                            .AddConstructor<App>()
                            .AddAttribute("Participation",
                                          "Fraction of the devices that is drawn to take part in a "
                                          "round, unless one of each set is.",
                                          DoubleValue(1.0),
                                          MakeDoubleAccessor(&App::m_participation),
                                          MakeDoubleChecker<double>(1e-9, 1.0));
    return tid;
}

FederatedSynchronousServerApplication::FederatedSynchronousServerApplication() = default;

void
FederatedSynchronousServerApplication::SetSets(std::vector<std::vector<uint32_t>> sets)
{
    m_sets = std::move(sets);
}

void
FederatedSynchronousServerApplication::CheckClients() const
{
    FederatedServerApplication::CheckClients();
    const FederatedOptions options = GetOptions();
    NS_ABORT_MSG_IF(options.GetTraits().isAsynchronous,
                    "FederatedSynchronousServerApplication on node "
                        << GetDeviceId()
                        << ": the Algorithm FedBuff needs a FederatedBufferedServerApplication");
    const bool hasSets = options.algorithm == FederatedAlgorithm::SEMI_DECENTRALIZED;
    NS_ABORT_MSG_IF(hasSets == m_sets.empty(),
                    "FederatedSynchronousServerApplication on node "
                        << GetDeviceId()
                        << ": the Algorithm SemiDecentralized needs sets, and no other has any");
    std::set<uint32_t> members;
    std::size_t count = 0;
    for (const auto& set : m_sets)
    {
        members.insert(set.begin(), set.end());
        count += set.size();
    }
    const auto& clients = GetClients();
    NS_ABORT_MSG_UNLESS(
        members.size() == count &&
            std::includes(clients.begin(), clients.end(), members.begin(), members.end()),
        "FederatedSynchronousServerApplication on node "
            << GetDeviceId() << ": sets must be disjoint, and of clients");
}

void
FederatedSynchronousServerApplication::DoStart()
{
    FederatedServerApplication::DoStart();
    if (!IsAnalog())
    {
        return;
    }
    GetTransport()->GetAnalogPort(GetClients().front()); // refuses what has none
    On<FederatedSlot>([](const Received<FederatedSlot>&) {
        throw PayloadError("a slot that is not the server's");
    });
    FederatedHead expected;
    expected.samples = GetMaxSamples();
    On<FederatedHead>(
        [this](const Received<FederatedHead>& head) {
            if (IsInTime(head.round, head.sender))
            {
                m_heads[head.sender] = head.body;
                m_awaited.erase(head.sender);
            }
        },
        expected);
}

Process
FederatedSynchronousServerApplication::Round() // McMahan et al., algorithm 1: the server
{
    const std::vector<uint32_t> sampled = DrawParticipants(); // S_t
    m_sampled.push_back(sampled);
    m_updates.clear();
    m_heads.clear();
    m_awaited = std::set<uint32_t>(sampled.begin(), sampled.end());
    m_isCollecting = true;
    const Time end = Simulator::Now() + GetDeadline();

    EnterPhase("download");
    SendModel(GetRound(),
              m_sets.empty() ? sampled : GetClients(),
              sampled,
              [this](uint32_t device) { m_awaited.erase(device); });
    const auto isSent = [this]() { return !IsSending(); };
    const bool isInTime = co_await WaitUntil(isSent, GetDeadline());
    if (isInTime)
    {
        EnterPhase("collect");
        const auto isComplete = [this]() { return m_awaited.empty(); };
        co_await WaitUntil(isComplete, end - Simulator::Now());
    }
    m_isCollecting = false;
    CancelModels();

    Harvest harvest;
    harvest.record.round = GetRound();
    harvest.record.sampled = sampled;
    harvest.expected = sampled.size();
    for (const auto& [device, update] : m_updates)
    {
        harvest.record.uploaded.push_back(device);
        harvest.record.staleness.push_back(0);
        harvest.updates.push_back(update->ToUpdate());
    }
    if (!m_heads.empty())
    {
        co_await Superpose(harvest);
    }
    co_await Aggregate(harvest);
    co_await Conclude();
}

std::vector<uint32_t>
FederatedSynchronousServerApplication::DrawParticipants() const
{
    const uint64_t seed = SplitMix64(GetSamplingSeed() + GetRound());
    if (!m_sets.empty())
    {
        std::vector<std::vector<uint32_t>> sets;
        std::transform(m_sets.begin(),
                       m_sets.end(),
                       std::back_inserter(sets),
                       [this](const std::vector<uint32_t>& set) { return SelectPrompt(set); });
        return SampleOneOfEach(sets, seed);
    }
    const std::vector<uint32_t> prompt = SelectPrompt(GetClients());
    std::vector<uint32_t> sampled;
    for (const uint32_t position :
         SampleParticipants(static_cast<uint32_t>(prompt.size()), m_participation, seed))
    {
        sampled.push_back(prompt[position]);
    }
    return sampled;
}

bool
FederatedSynchronousServerApplication::IsInTime(uint32_t round, uint32_t device)
{
    Require<PayloadError>(
        round < m_sampled.size() &&
            std::binary_search(m_sampled[round].begin(), m_sampled[round].end(), device),
        "an update that was not asked for");
    Require<PayloadError>(m_heard.insert({round, device}).second, "a second update for one round");
    const bool isInTime = m_isCollecting && round == GetRound();
    if (!isInTime)
    {
        CountLate(round, device);
    }
    return isInTime;
}

void
FederatedSynchronousServerApplication::TakeUpdate(const Received<FederatedUpload>& update)
{
    Require<PayloadError>(!IsAnalog(), "an update by a message, where the Uplink is analog");
    if (IsInTime(update.round, update.sender))
    {
        m_updates[update.sender] = update.body;
        m_awaited.erase(update.sender);
    }
}

Process
FederatedSynchronousServerApplication::Superpose(Harvest& harvest) // Zhu et al., section II
{
    EnterPhase("superpose");
    D2dAnalogPlan plan;
    plan.values = GetModel()->size();
    FederatedSlot slot;
    slot.amplitude = std::numeric_limits<float>::max();
    for (const auto& [device, head] : m_heads)
    {
        plan.takers.push_back({device, static_cast<double>(head->samples)});
        slot.takers.push_back(device);
        slot.amplitude = std::min(slot.amplitude, head->limit);
    }
    plan.amplitude = slot.amplitude;
    const auto isAnnounced = std::make_shared<bool>(false);
    const SendOptions options(GetLossPolicy(), [this, isAnnounced](const DeliveryReport&) {
        *isAnnounced = true;
        CheckWaits();
    });
    Multicast(std::make_shared<const std::vector<uint32_t>>(slot.takers), Pack(slot), options);
    const auto canBegin = [isAnnounced]() { return *isAnnounced; };
    co_await WaitUntil(canBegin);

    const AnalogPort port = GetTransport()->GetAnalogPort(slot.takers.front());
    const auto isEnded = std::make_shared<bool>(false);
    const auto mean = std::make_shared<std::optional<D2dAnalogMean>>();
    const auto over = [this, isEnded, mean](std::optional<D2dAnalogMean> received) {
        *isEnded = true;
        *mean = std::move(received);
        CheckWaits();
    };
    port.air->Receive(port.radio, plan, over);
    const auto isOver = [isEnded]() { return *isEnded; };
    co_await WaitUntil(isOver);
    if (!*mean)
    {
        co_return;
    }
    FederatedUpdate update;
    update.change = std::make_shared<const std::vector<float>>(std::move((*mean)->values));
    for (std::size_t i = 0; i < slot.takers.size(); ++i)
    {
        if ((*mean)->heard[i] > 0)
        {
            harvest.record.uploaded.push_back(slot.takers[i]);
            harvest.record.staleness.push_back(0);
            update.samples += plan.takers[i].weight;
        }
    }
    if (!harvest.record.uploaded.empty())
    {
        harvest.updates.push_back(update);
    }
}

} // namespace ns3::collab
