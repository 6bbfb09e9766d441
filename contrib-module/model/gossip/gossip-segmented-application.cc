/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-segmented-application.h"

#include "ns3/abort.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::collab
{

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

void
SegmentedGossipApplication::DoStart()
{
    GossipApplication::DoStart();
    NS_ABORT_MSG_IF(m_segments > GetNumbers(),
                    "SegmentedGossipApplication: " << m_segments << " segments of " << GetNumbers()
                                                   << " weights");
    auto expected = MakeWeights<gossip::Segment>(GetNumbers());
    expected.segments = m_segments;
    OnPeer<gossip::Pull>([this](const Received<gossip::Pull>& pull) { HandlePull(pull); });
    OnPeer<gossip::Segment>(
        [this](const Received<gossip::Segment>& segment) { HandleSegment(segment); }, expected);
}

Process
SegmentedGossipApplication::Round() // Hu et al., algorithm 1
{
    co_await TrainLocally();
    KeepTrained();

    EnterPhase("pull");
    DrawAwaited();
    m_received.clear();
    const std::function<gossip::Pull(uint32_t)> ask = [](uint32_t segment) {
        return gossip::Pull{segment};
    };
    co_await RequestAll(ask, m_pullTimeout, "PullTimeout");

    if (!m_received.empty())
    {
        co_await MergeReceived();
    }
    ReportRound();
}

void
SegmentedGossipApplication::KeepTrained()
{
    m_trained = GetModel();
    m_trainedRound = GetRound();
    const auto isLater = [this](const Request& request) { return request.round > GetRound(); };
    const auto later = std::stable_partition(m_requests.begin(), m_requests.end(), isLater);
    const std::vector<Request> due(later, m_requests.end());
    m_requests.erase(later, m_requests.end());
    for (const auto& request : due)
    {
        Give(request);
    }
}

void
SegmentedGossipApplication::DrawAwaited()
{
    const uint64_t seed = SplitMix64(SplitMix64(m_seed + GetDeviceId()) + GetRound());
    const auto sources = DrawSources(ListPeers(), m_segments, m_replicas, seed);
    for (uint32_t segment = 0; segment < m_segments; ++segment)
    {
        for (const uint32_t peer : sources[segment])
        {
            m_awaited.insert({peer, segment});
        }
    }
}

void
SegmentedGossipApplication::HandlePull(const Received<gossip::Pull>& message)
{
    Require<PayloadError>(message->segment < m_segments, "a request for no segment");
    const Request request = {message.sender, message->segment, message.round, Simulator::Now()};
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
    Require<PayloadError>(!isKnown, "a request that waits already");
    m_requests.push_back(request);
}

void
SegmentedGossipApplication::Give(const Request& request)
{
    const GossipSegment range = GetWeightsOf(GetNumbersOf(request.segment));
    const auto first = m_trained->begin() + static_cast<std::ptrdiff_t>(range.first);
    auto segment =
        MakeWeights<gossip::Segment>(GetNumbers(),
                                     std::make_shared<const std::vector<float>>(
                                         first, first + static_cast<std::ptrdiff_t>(range.count)));
    segment.segment = request.segment;
    segment.segments = m_segments;
    DeliverOptions options;
    options.round = request.round;
    options.deadline = request.time + m_pullTimeout; // its receiver waits no longer than that
    Post(request.sender, Pack(std::move(segment)), options);
}

void
SegmentedGossipApplication::HandleSegment(const Received<gossip::Segment>& message)
{
    const Source source = {message.sender, message->segment};
    Require<PayloadError>(GetPhase() == "pull" && message.round == GetRound() &&
                              m_awaited.erase(source) != 0,
                          "a segment that is not asked for, or late");
    m_received[source] = message.body;
    NoteExchange(source.first, source.second, true);
}

GossipSegment
SegmentedGossipApplication::GetNumbersOf(uint32_t index) const
{
    return GetSegment(GetNumbers(), m_segments, index);
}

Process
SegmentedGossipApplication::MergeReceived()
{
    std::size_t count = 0;
    std::vector<GossipPart> parts;
    for (const auto& [source, segment] : m_received)
    {
        const GossipSegment numbers = GetNumbersOf(source.second);
        const GossipSegment range = GetWeightsOf(numbers);
        count += numbers.count;
        parts.push_back({range.first,
                         segment->values->data(),
                         range.count,
                         static_cast<double>(segment->samples),
                         segment->arrived});
    }
    const auto merge = [own = m_trained, samples = GetSamples(), received = m_received, parts]() {
        return MergeParts(*own, samples, parts); // which point into what was received
    };
    co_await Merge(CountMergeFlops(GetNumbers(), count), merge);
}

} // namespace ns3::collab
