/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-synchronous-server-application.h"

#include "ns3/abort.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/double.h"
#include "ns3/federated-participation.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>

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

Process
FederatedSynchronousServerApplication::Round() // McMahan et al., algorithm 1: the server
{
    const std::vector<uint32_t> sampled = DrawParticipants(); // S_t
    m_sampled.push_back(sampled);
    m_updates.clear();
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

void
FederatedSynchronousServerApplication::TakeUpdate(const Received<FederatedUpload>& update)
{
    Require<PayloadError>(update.round < m_sampled.size() &&
                              std::binary_search(m_sampled[update.round].begin(),
                                                 m_sampled[update.round].end(),
                                                 update.sender),
                          "an update that was not asked for");
    Require<PayloadError>(m_heard.insert({update.round, update.sender}).second,
                          "a second update for one round");
    if (!m_isCollecting || update.round != GetRound())
    {
        CountLate(update.round, update.sender);
        return;
    }
    m_updates[update.sender] = update.body;
    m_awaited.erase(update.sender);
}

} // namespace ns3::collab
