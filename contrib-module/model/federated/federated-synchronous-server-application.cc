/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-synchronous-server-application.h"

#include "ns3/abort.h"
#include "ns3/collab-random.h"
#include "ns3/double.h"
#include "ns3/federated-participation.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("FederatedSynchronousServerApplication");
NS_OBJECT_ENSURE_REGISTERED(FederatedSynchronousServerApplication);

TypeId
FederatedSynchronousServerApplication::GetTypeId()
{
    using App = FederatedSynchronousServerApplication;
    static TypeId tid =
        TypeId("ns3::collab::FederatedSynchronousServerApplication")
            .SetParent<FederatedServerApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("Participation",
                          "Fraction of the devices that is drawn to take part in a round, unless "
                          "one of each set is.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&App::m_participation),
                          MakeDoubleChecker<double>(1e-9, 1.0));
    return tid;
}

FederatedSynchronousServerApplication::FederatedSynchronousServerApplication() = default;

void
FederatedSynchronousServerApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_deadlineEvent.Cancel();
    m_updates.clear();
    FederatedServerApplication::DoDispose();
}

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
    NS_ABORT_MSG_IF(options.IsAsynchronous(),
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
FederatedSynchronousServerApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    const std::vector<uint32_t> sampled = DrawParticipants();
    m_sampled.push_back(sampled);
    m_updates.clear();
    m_awaited = std::set<uint32_t>(sampled.begin(), sampled.end());
    m_collecting = true;
    m_deadlineEvent = Simulator::Schedule(
        GetDeadline(), &FederatedSynchronousServerApplication::EndCollect, this);
    EnterPhase("download");
    SendModel(GetRound(), m_sets.empty() ? sampled : GetClients(), sampled);
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
FederatedSynchronousServerApplication::HandleDelivery(const std::vector<uint32_t>& receivers,
                                                      const DeliveryReport& report)
{
    if (!m_collecting)
    {
        return;
    }
    for (const uint32_t device : receivers)
    {
        if (IsLost(device, report))
        {
            m_awaited.erase(device);
        }
    }
    if (!IsSending())
    {
        EnterPhase("collect");
    }
    CheckCollect();
}

void
FederatedSynchronousServerApplication::CheckAsked(const Message& message,
                                                  const FederatedUpdatePayload&) const
{
    if (message.round >= m_sampled.size() || !std::binary_search(m_sampled[message.round].begin(),
                                                                 m_sampled[message.round].end(),
                                                                 message.sender))
    {
        throw PayloadError("an update that was not asked for");
    }
    if (m_heard.count({message.round, message.sender}) > 0)
    {
        throw PayloadError("a second update for one round");
    }
}

void
FederatedSynchronousServerApplication::TakeUpdate(
    const Message& message, std::shared_ptr<const FederatedUpdatePayload> update)
{
    m_heard.insert({message.round, message.sender});
    if (!m_collecting || message.round != GetRound())
    {
        CountLate(message.round, message.sender);
        return;
    }
    m_updates[message.sender] = std::move(update);
    m_awaited.erase(message.sender);
    CheckCollect();
}

void
FederatedSynchronousServerApplication::CheckCollect()
{
    if (m_collecting && m_awaited.empty() && !IsSending())
    {
        EndCollect();
    }
}

void
FederatedSynchronousServerApplication::EndCollect()
{
    NS_LOG_FUNCTION(this << m_updates.size());
    m_deadlineEvent.Cancel();
    m_collecting = false;
    CancelModels();
    Harvest harvest;
    harvest.record.round = GetRound();
    harvest.record.sampled = m_sampled.back();
    harvest.expected = m_sampled.back().size();
    for (const auto& [device, payload] : m_updates)
    {
        harvest.record.uploaded.push_back(device);
        harvest.record.staleness.push_back(0);
        harvest.updates.push_back(ToUpdate(*payload));
    }
    Aggregate(std::move(harvest));
}

void
FederatedSynchronousServerApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_collecting = false;
    m_deadlineEvent.Cancel();
    FederatedServerApplication::DoHalt();
}

} // namespace collab
} // namespace ns3
