/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-buffered-server-application.h"

#include "ns3/abort.h"
#include "ns3/collab-random.h"
#include "ns3/federated-participation.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("FederatedBufferedServerApplication");
NS_OBJECT_ENSURE_REGISTERED(FederatedBufferedServerApplication);

TypeId
FederatedBufferedServerApplication::GetTypeId()
{
    using App = FederatedBufferedServerApplication;
    static TypeId tid =
        TypeId("ns3::collab::FederatedBufferedServerApplication")
            .SetParent<FederatedServerApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("BufferSize",
                          "K, updates that make the server's step.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&App::m_bufferSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Concurrency",
                          "Devices that train at a time, as long as there are as many; 0 for all.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&App::m_concurrency),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxMisses",
                          "Models in a row that a device may leave without an update in time: then "
                          "it gets no more. Without devices the application ends.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&App::m_maxMisses),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource(
                "Assignment",
                "A device is sent a model to train from.",
                MakeTraceSourceAccessor(&App::m_assignmentTrace),
                "ns3::collab::FederatedBufferedServerApplication::AssignmentTracedCallback");
    return tid;
}

FederatedBufferedServerApplication::FederatedBufferedServerApplication() = default;

void
FederatedBufferedServerApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (auto& occupied : m_occupied)
    {
        occupied.second.end.Cancel();
    }
    m_occupied.clear();
    m_buffer.clear();
    FederatedServerApplication::DoDispose();
}

Time
FederatedBufferedServerApplication::GetAftermath() const
{
    return GetDeadline();
}

void
FederatedBufferedServerApplication::CheckClients() const
{
    FederatedServerApplication::CheckClients();
    NS_ABORT_MSG_UNLESS(GetOptions().IsAsynchronous(),
                        "FederatedBufferedServerApplication on node "
                            << GetDeviceId() << ": the Algorithm must be FedBuff");
}

void
FederatedBufferedServerApplication::DoStart()
{
    FederatedServerApplication::DoStart();
    m_places = SelectPrompt(GetClients()).size();
    if (m_concurrency > 0)
    {
        m_places = std::min<std::size_t>(m_places, m_concurrency);
    }
    m_last = GetDeviceId(); // nobody yet
}

void
FederatedBufferedServerApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    m_aggregating = false;
    m_sampled.clear();
    m_missed = 0;
    EnterPhase("collect");
    CheckBuffer();
    FillPlaces();
}

std::vector<uint32_t>
FederatedBufferedServerApplication::ListIdle() const
{
    std::vector<uint32_t> idle;
    for (const uint32_t device : SelectPrompt(GetClients()))
    {
        const auto misses = m_misses.find(device);
        const bool isGivenUp = misses != m_misses.end() && misses->second >= m_maxMisses;
        if (!isGivenUp && m_occupied.count(device) == 0)
        {
            idle.push_back(device);
        }
    }
    if (idle.size() > 1)
    {
        idle.erase(std::remove(idle.begin(), idle.end(), m_last), idle.end());
    }
    return idle;
}

void
FederatedBufferedServerApplication::FillPlaces()
{
    if (m_aggregating || IsDelivering() || !IsRunning())
    {
        return; // the next model is about to be there
    }
    while (m_places > 0)
    {
        const std::vector<uint32_t> idle = ListIdle();
        if (idle.empty())
        {
            break;
        }
        Assign(SampleOneOfEach({idle}, SplitMix64(GetSamplingSeed() + m_draws++))[0]);
    }
    if (m_occupied.empty())
    {
        NS_LOG_INFO("no device answers any more");
        StopForGood();
    }
}

void
FederatedBufferedServerApplication::Assign(uint32_t device)
{
    const uint32_t number = GetTransport()->Send(
        device,
        {MODEL, GetRound(), MakeModel({device})},
        SendOptions(GetLossPolicy(), [this, device](const DeliveryReport& report) {
            HandleAssigned(device, report);
        }));
    NS_LOG_LOGIC("assignment " << number << " of device " << device);
    m_assigned[number] = {device, GetRound()};
    Occupation& occupation = m_occupied[device];
    occupation.number = number;
    occupation.end = Simulator::Schedule(
        GetDeadline(), &FederatedBufferedServerApplication::Expire, this, device);
    m_sampled.insert(device);
    --m_places;
    m_assignmentTrace(device, GetRound(), number);
}

void
FederatedBufferedServerApplication::HandleAssigned(uint32_t device, const DeliveryReport& report)
{
    const auto found = m_occupied.find(device);
    if (!IsRunning() || found == m_occupied.end() || found->second.number != report.sequence ||
        !IsLost(device, report))
    {
        return;
    }
    found->second.isLost = true;
    Miss(device);
}

void
FederatedBufferedServerApplication::Expire(uint32_t device)
{
    const Occupation occupation = m_occupied.at(device);
    m_occupied.erase(device);
    GetTransport()->Cancel(occupation.number); // it may still be in the queue
    if (occupation.isLost)
    {
        FillPlaces(); // the place is not its own any more, but there may be one for it
        return;
    }
    Miss(device);
}

void
FederatedBufferedServerApplication::Miss(uint32_t device)
{
    NS_LOG_FUNCTION(this << device);
    ++m_misses[device];
    ++m_missed;
    ++m_places;
    FillPlaces();
}

void
FederatedBufferedServerApplication::CheckAsked(const Message& message,
                                               const FederatedUpdatePayload& update) const
{
    const auto found = m_assigned.find(update.GetAssignment());
    if (found == m_assigned.end() || found->second.device != message.sender ||
        found->second.version != message.round)
    {
        throw PayloadError("an update that was not asked for, or a second one");
    }
}

void
FederatedBufferedServerApplication::TakeUpdate(const Message& message,
                                               std::shared_ptr<const FederatedUpdatePayload> update)
{
    const auto assigned = m_assigned.find(update->GetAssignment());
    m_last = message.sender;
    m_misses.erase(message.sender);
    const auto occupied = m_occupied.find(message.sender);
    const bool isWaited =
        occupied != m_occupied.end() && occupied->second.number == assigned->first;
    const bool isInTime = isWaited && !occupied->second.isLost;
    if (isWaited)
    {
        occupied->second.end.Cancel();
        m_occupied.erase(occupied);
    }
    if (isInTime)
    {
        ++m_places;
    }
    else
    {
        CountLate(message.round, message.sender);
    }
    if (!IsDelivering())
    {
        m_buffer.push_back({assigned->second, std::move(update)});
    }
    m_assigned.erase(assigned);
    CheckBuffer();
    FillPlaces();
}

void
FederatedBufferedServerApplication::CheckBuffer()
{
    if (m_aggregating || m_buffer.size() < m_bufferSize)
    {
        return;
    }
    m_aggregating = true;
    // Ascending devices, as in rounds; what is of one device stays in the order of arrival
    const auto end = m_buffer.begin() + m_bufferSize;
    std::stable_sort(m_buffer.begin(), end, [](const Entry& a, const Entry& b) {
        return a.assignment.device < b.assignment.device;
    });
    Harvest harvest;
    harvest.record.round = GetRound();
    harvest.record.sampled.assign(m_sampled.begin(), m_sampled.end());
    harvest.expected = m_bufferSize + m_missed;
    for (auto entry = m_buffer.begin(); entry != end; ++entry)
    {
        FederatedUpdate update = ToUpdate(*entry->payload);
        update.staleness = GetRound() - entry->assignment.version;
        harvest.record.uploaded.push_back(entry->assignment.device);
        harvest.record.staleness.push_back(update.staleness);
        harvest.updates.push_back(std::move(update));
    }
    m_buffer.erase(m_buffer.begin(), end);
    Aggregate(std::move(harvest));
}

void
FederatedBufferedServerApplication::BeginDelivery()
{
    DropAssignments();
}

void
FederatedBufferedServerApplication::DropAssignments()
{
    const auto occupied = std::exchange(m_occupied, {});
    for (const auto& [device, occupation] : occupied)
    {
        Simulator::Cancel(occupation.end);
        GetTransport()->Cancel(occupation.number);
    }
}

void
FederatedBufferedServerApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    DropAssignments();
    FederatedServerApplication::DoHalt();
}

} // namespace collab
} // namespace ns3
