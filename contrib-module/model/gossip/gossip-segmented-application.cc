/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-segmented-application.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("SegmentedGossipApplication");
NS_OBJECT_ENSURE_REGISTERED(SegmentedGossipApplication);

TypeId
SegmentedGossipApplication::GetTypeId()
{
    using App = SegmentedGossipApplication;
    static TypeId tid =
        TypeId("ns3::collab::SegmentedGossipApplication")
            .SetParent<GossipApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("Segments",
                          "Parts into which the model is cut (S).",
                          UintegerValue(10),
                          MakeUintegerAccessor(&App::m_segments),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Replicas",
                          "Peers from which each segment is pulled (R).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&App::m_replicas),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("PullTimeout",
                          "Longest wait for segments, some of whose holders may train.",
                          TimeValue(Seconds(30)),
                          MakeTimeAccessor(&App::m_pullTimeout),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

SegmentedGossipApplication::SegmentedGossipApplication() = default;

void
SegmentedGossipApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    DoHalt();
    m_trained.reset();
    GossipApplication::DoDispose();
}

void
SegmentedGossipApplication::DoStart()
{
    NS_LOG_FUNCTION(this);
    GossipApplication::DoStart();
    NS_ABORT_MSG_IF(m_segments > GetNumbers(),
                    "SegmentedGossipApplication: " << m_segments << " segments of " << GetNumbers()
                                                   << " weights");
    RegisterNumbers(
        PULL, "pull", [this](const Message& message, const std::vector<uint32_t>& numbers) {
            HandlePull(message, numbers);
        });
    RegisterWeights(SEGMENT, "segment", [this](const Message& message, const auto& segment) {
        HandleSegment(message, segment);
    });
}

void
SegmentedGossipApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    Train([this]() { EndTrain(); });
}

void
SegmentedGossipApplication::EndTrain()
{
    m_trained = GetModel();
    m_trainedRound = GetRound();
    const auto isDue = [this](const Request& request) { return request.round > GetRound(); };
    const auto later = std::stable_partition(m_requests.begin(), m_requests.end(), isDue);
    const std::vector<Request> due(later, m_requests.end());
    m_requests.erase(later, m_requests.end());
    for (const auto& request : due)
    {
        Give(request);
    }

    EnterPhase("pull");
    m_pulling = true;
    m_received.clear();
    const uint32_t round = GetRound();
    const uint64_t seed = SplitMix64(SplitMix64(GetSharedSeed() + GetDeviceId()) + round);
    const auto sources = DrawSources(GetPeers(), m_segments, m_replicas, seed);
    for (uint32_t segment = 0; segment < m_segments; ++segment)
    {
        for (const uint32_t peer : sources[segment])
        {
            m_awaited.insert({peer, segment});
        }
    }
    m_event = Simulator::Schedule(m_pullTimeout, &SegmentedGossipApplication::EndPull, this);
    for (const auto& source : m_awaited)
    {
        Delivery pull;
        pull.receiver = source.first;
        pull.content.kind = PULL;
        pull.content.round = round;
        pull.content.payload =
            std::make_shared<const GossipNumbersPayload>(std::vector<uint32_t>{source.second});
        pull.wanted = [this, round]() { return m_pulling && GetRound() == round; };
        pull.finished = [this, round, source](bool isThere) {
            if (!isThere && m_pulling && GetRound() == round && m_awaited.erase(source) > 0)
            {
                NoteExchange(source.first, source.second, false);
                CheckPull();
            }
        };
        Deliver(std::move(pull));
    }
}

void
SegmentedGossipApplication::HandlePull(const Message& message, const std::vector<uint32_t>& numbers)
{
    if (numbers.size() != 1 || numbers[0] >= m_segments)
    {
        throw PayloadError("a request for no segment");
    }
    const Request request = {message.sender, numbers[0], message.round, Simulator::Now()};
    if (m_trainedRound && *m_trainedRound >= message.round)
    {
        Give(request);
        return;
    }
    const bool isKnown =
        std::any_of(m_requests.begin(), m_requests.end(), [&request](const Request& other) {
            return other.sender == request.sender && other.segment == request.segment &&
                   other.round == request.round;
        });
    if (isKnown)
    {
        throw PayloadError("a request that waits already");
    }
    m_requests.push_back(request);
}

void
SegmentedGossipApplication::Give(const Request& request)
{
    const GossipSegment numbers = GetSegment(GetNumbers(), m_segments, request.segment);
    const GossipSegment range = GetWeightsOf(numbers);
    const auto first = m_trained->begin() + static_cast<std::ptrdiff_t>(range.first);
    Delivery segment;
    segment.receiver = request.sender;
    segment.content.kind = SEGMENT;
    segment.content.round = request.round;
    segment.content.payload =
        MakeWeights(std::make_shared<const std::vector<float>>(
                        first, first + static_cast<std::ptrdiff_t>(range.count)),
                    request.segment,
                    numbers.count);
    segment.deadline = request.time + m_pullTimeout; // its receiver waits no longer than that
    Deliver(std::move(segment));
}

void
SegmentedGossipApplication::HandleSegment(
    const Message& message, const std::shared_ptr<const GossipWeightsPayload>& segment)
{
    const Source source = {message.sender, segment->GetNumber()};
    if (!m_pulling || message.round != GetRound() || m_awaited.count(source) == 0)
    {
        throw PayloadError("a segment that is not asked for, or late");
    }
    segment->Check(GetSegment(GetNumbers(), m_segments, source.second).count, GetMaxSamples());
    m_awaited.erase(source);
    m_received[source] = segment;
    NoteExchange(source.first, source.second, true);
    CheckPull();
}

void
SegmentedGossipApplication::CheckPull()
{
    if (m_pulling && m_awaited.empty())
    {
        EndPull();
    }
}

void
SegmentedGossipApplication::EndPull()
{
    NS_LOG_FUNCTION(this << m_received.size() << m_awaited.size());
    m_event.Cancel();
    m_pulling = false;
    for (const auto& [peer, segment] : m_awaited)
    {
        NoteExchange(peer, segment, false, "PullTimeout");
    }
    m_awaited.clear();
    if (m_received.empty())
    {
        FinishRound();
        return;
    }
    std::size_t count = 0;
    std::vector<GossipPart> parts;
    for (const auto& [source, segment] : m_received)
    {
        const GossipSegment numbers = GetSegment(GetNumbers(), m_segments, source.second);
        const GossipSegment range = GetWeightsOf(numbers);
        count += numbers.count;
        parts.push_back({range.first,
                         segment->GetWeights()->data(),
                         range.count,
                         static_cast<double>(segment->GetSamples())});
    }
    Merge(
        CountMergeFlops(GetNumbers(), count),
        [own = m_trained, samples = GetSamples(), received = m_received, parts]() {
            return MergeParts(*own, samples, parts); // which point into what was received
        },
        [this]() { FinishRound(); });
}

void
SegmentedGossipApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_pulling = false;
    m_event.Cancel();
}

} // namespace collab
} // namespace ns3
