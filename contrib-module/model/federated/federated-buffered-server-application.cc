/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-buffered-server-application.h"

#include "ns3/abort.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/federated-participation.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::collab
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

Time
FederatedBufferedServerApplication::GetAftermath() const
{
    return GetDeadline();
}

void
FederatedBufferedServerApplication::CheckClients() const
{
    FederatedServerApplication::CheckClients();
    NS_ABORT_MSG_UNLESS(GetOptions().GetTraits().isAsynchronous,
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

Process
FederatedBufferedServerApplication::Round() // Nguyen et al., algorithm 1: the server
{
    m_sampled.clear();
    m_missed = 0;
    EnterPhase("collect");
    FillPlaces();
    const auto isFull = [this]() { return m_buffer.size() >= m_bufferSize; };
    co_await WaitUntil(isFull);
    const Harvest harvest = TakeBuffer();
    co_await Aggregate(harvest);
    if (GetRound() + 1 == GetRounds())
    {
        DropAssignments();
    }
    co_await Conclude();
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
    if (GetPhase() != "collect" || m_buffer.size() >= m_bufferSize || !IsRunning())
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
        Spawn(Assign(SampleOneOfEach({idle}, SplitMix64(GetSamplingSeed() + m_draws++))[0]));
    }
    if (m_occupied.empty())
    {
        NS_LOG_INFO("no device answers any more");
        StopForGood();
    }
}

FederatedBufferedServerApplication::Occupation*
FederatedBufferedServerApplication::FindOccupation(uint32_t device, uint32_t number)
{
    const auto found = m_occupied.find(device);
    return found != m_occupied.end() && found->second.number == number ? &found->second : nullptr;
}

Process
FederatedBufferedServerApplication::Assign(uint32_t device)
{
    const Time end = Simulator::Now() + GetDeadline();
    const SendOptions options(GetLossPolicy(), [this, device](const DeliveryReport& report) {
        if (Occupation* const occupation = FindOccupation(device, report.sequence))
        {
            occupation->isLost = IsLost(device, report);
            CheckWaits();
        }
    });
    const uint32_t number = Send(device, MakeModel({device}), options);
    NS_LOG_LOGIC("assignment " << number << " of device " << device);
    m_assigned[number] = {device, GetRound()};
    m_occupied[device] = {number, false};
    m_sampled.insert(device);
    --m_places;
    m_assignmentTrace(device, GetRound(), number);

    const auto isAnswered = [this, device, number]() { return !FindOccupation(device, number); };
    const auto isOver = [this, device, number]() {
        const Occupation* const occupation = FindOccupation(device, number);
        return !occupation || occupation->isLost;
    };
    const bool isInTime = co_await WaitUntil(isOver, GetDeadline());
    if (isAnswered())
    {
        co_return;
    }
    if (!isInTime)
    {
        m_occupied.erase(device);
        GetTransport()->Cancel(number); // it may still be in the queue
        Miss(device);
        co_return;
    }
    Miss(device); // at once, but it is not drawn before the deadline
    const bool isLate = co_await WaitUntil(isAnswered, end - Simulator::Now());
    if (!isLate)
    {
        m_occupied.erase(device);
        FillPlaces(); // the place is not its own any more, but there may be one for it
    }
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
FederatedBufferedServerApplication::TakeUpdate(const Received<FederatedUpload>& update)
{
    const auto assigned = m_assigned.find(update->assignment);
    Require<PayloadError>(assigned != m_assigned.end() &&
                              assigned->second.device == update.sender &&
                              assigned->second.version == update.round,
                          "an update that was not asked for, or a second one");
    m_last = update.sender;
    m_misses.erase(update.sender);
    const Occupation* const occupation = FindOccupation(update.sender, assigned->first);
    if (occupation && !occupation->isLost)
    {
        ++m_places;
    }
    else
    {
        CountLate(update.round, update.sender);
    }
    if (occupation)
    {
        m_occupied.erase(update.sender);
    }
    if (GetPhase() != "deliver")
    {
        m_buffer.push_back({assigned->second, update.body});
    }
    m_assigned.erase(assigned);
    FillPlaces();
}

FederatedServerApplication::Harvest
FederatedBufferedServerApplication::TakeBuffer()
{
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
        FederatedUpdate update = entry->update->ToUpdate();
        update.staleness = GetRound() - entry->assignment.version;
        harvest.record.uploaded.push_back(entry->assignment.device);
        harvest.record.staleness.push_back(update.staleness);
        harvest.updates.push_back(std::move(update));
    }
    m_buffer.erase(m_buffer.begin(), end);
    return harvest;
}

void
FederatedBufferedServerApplication::DropAssignments()
{
    for (const auto& [device, occupation] : std::exchange(m_occupied, {}))
    {
        GetTransport()->Cancel(occupation.number);
    }
    StopSpawned();
}

} // namespace ns3::collab
