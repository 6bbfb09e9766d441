/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-label-application.h"

#include "graph-discovery-payloads.h"

#include "ns3/abort.h"
#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("LabelDiscoveryApplication");
NS_OBJECT_ENSURE_REGISTERED(LabelDiscoveryApplication);

namespace
{

constexpr uint16_t LINK = 707;      //!< kind of messages: a receiver wants datapoints
constexpr uint16_t OFFER = 708;     //!< kind of messages: V
constexpr uint16_t REQUEST = 709;   //!< kind of messages: Q
constexpr uint16_t GRANT = 710;     //!< kind of messages: U
constexpr uint32_t OFFER_BYTES = 1; //!< of a partition in V

/**
 * Operations of a slot for each partition: V, Q, U, their sums, Dhat, the gate, two normalizations
 * and the distance.
 */
constexpr uint64_t LABEL_FLOPS = 24;

} // namespace

TypeId
LabelDiscoveryApplication::GetTypeId()
{
    using App = LabelDiscoveryApplication;
    static TypeId tid =
        TypeId("ns3::collab::LabelDiscoveryApplication")
            .SetParent<GraphDiscoveryApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("LeastLabels",
                          "Lhat of (8): labels that must be reached for a reward.",
                          UintegerValue(LabelScoreOptions().leastLabels),
                          MakeUintegerAccessor(&App::m_leastLabels),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ThresholdSlack",
                          "Part of the threshold with which a label counts as reached; 1 is (8) as "
                          "printed, with which no label is ever gained over a lossy link.",
                          DoubleValue(LabelScoreOptions().thresholdSlack),
                          MakeDoubleAccessor(&App::m_thresholdSlack),
                          MakeDoubleChecker<double>(1e-9, 1.0))
            .AddAttribute("Distance",
                          "From labels before to labels after: 1-Wasserstein with the ground "
                          "distance |l - l'|, total variation, or Jensen-Shannon.",
                          compat::EnumAttribute(DiversityDistance::WASSERSTEIN),
                          compat::EnumAccessor(&App::m_distance),
                          compat::EnumChecker(DiversityDistance::WASSERSTEIN,
                                              "Wasserstein",
                                              DiversityDistance::DISCRETE,
                                              "Discrete",
                                              DiversityDistance::JENSEN_SHANNON,
                                              "JensenShannon"))
            .AddAttribute(
                "ThresholdShare",
                "b_i as part of the device's first datapoints over the partitions. Above 1 "
                "for devices of few labels, which else give nearly all of them away.",
                DoubleValue(1.0),
                MakeDoubleAccessor(&App::m_thresholdShare),
                MakeDoubleChecker<double>(0.0, 1000.0))
            .AddAttribute("Components",
                          "d: components of the subspace that partitions are found in; 0 for none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&App::m_components),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("LinkDeadline",
                          "How long links may take; 0: see SlotMessages.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&App::m_linkDeadline),
                          MakeTimeChecker(Time()))
            .AddAttribute("OfferDeadline",
                          "How long offers may take after that; 0: see SlotMessages.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&App::m_offerDeadline),
                          MakeTimeChecker(Time()))
            .AddAttribute("RequestDeadline",
                          "How long requests may take after that; 0 for as long as one does.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&App::m_requestDeadline),
                          MakeTimeChecker(Time()));
    return tid;
}

LabelDiscoveryApplication::LabelDiscoveryApplication() = default;

void
LabelDiscoveryApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_partitioner = LabelPartitioner();
    GraphDiscoveryApplication::DoDispose();
}

void
LabelDiscoveryApplication::SetPartitioner(LabelPartitioner partitioner)
{
    m_partitioner = std::move(partitioner);
}

const PartitionCounts&
LabelDiscoveryApplication::GetThresholds() const
{
    return m_thresholds;
}

void
LabelDiscoveryApplication::DoStart()
{
    GraphDiscoveryApplication::DoStart();
    const double threshold = m_thresholdShare * static_cast<double>(GetHoldings().GetSize()) /
                             static_cast<double>(GetPartitions());
    m_thresholds.assign(GetPartitions(), static_cast<uint32_t>(std::lround(threshold)));
    NS_ABORT_MSG_IF(m_thresholds[0] > GetGreatestCount(),
                    "LabelDiscoveryApplication: the threshold of "
                        << m_thresholds[0] << " datapoints is more than CountBits can tell, "
                        << GetGreatestCount());
    const LossPolicy policy = GetControlLossPolicy();
    m_linkEnd = GetStage(m_linkDeadline, 0, SINGLE_MESSAGE, policy);
    m_offerEnd = m_linkEnd + GetStage(m_offerDeadline, GetPartitions(), GetSlotMessages(), policy);
    m_requestEnd = GetAskDuration();
    const auto parse = [this](const uint8_t* bytes, std::size_t size) {
        return PartitionCountsPayload::Parse(bytes, size, GetCountBytes());
    };
    using App = LabelDiscoveryApplication;
    const auto handle = [this](void (App::*handler)(uint32_t, const Message&)) {
        return [this, handler](uint32_t sender, const Message& message) {
            (this->*handler)(sender, message);
        };
    };
    RegisterControl(LINK, "link", nullptr, handle(&App::HandleLink));
    RegisterControl(
        OFFER,
        "offer",
        [](const uint8_t* bytes, std::size_t size) {
            return PartitionCountsPayload::Parse(bytes, size, OFFER_BYTES);
        },
        handle(&App::HandleOffer));
    RegisterControl(REQUEST, "request", parse, handle(&App::HandleRequest));
    RegisterControl(GRANT, "grant", parse, handle(&App::HandleGrant));
}

GraphDiscoveryApplication::SetupNeeds
LabelDiscoveryApplication::GetNeeds() const
{
    SetupNeeds needs = GetMethodNeeds();
    needs.components = m_components;
    return needs;
}

Time
LabelDiscoveryApplication::GetOwnSetupDuration(uint32_t pass) const
{
    uint64_t flops = GetPartitions();
    if (m_partitioner.find)
    {
        flops += m_partitioner.plannedFlops(GetPlannedSamples());
    }
    if (m_components > 0 && pass == 0)
    {
        flops += CountSubspaceFlops(m_components);
    }
    return GetPlannedDuration(flops);
}

void
LabelDiscoveryApplication::SetUp(std::function<void()> done)
{
    struct Result
    {
        DataView view;                    //!< with believed labels
        std::vector<uint32_t> partitions; //!< of each sample
    };

    auto result = std::make_shared<Result>();
    result->view = GetSamples();
    uint64_t flops = GetPartitions();
    std::function<Matrix<float>()> prepare;
    if (!m_subspace)
    {
        m_subspace = std::make_shared<Matrix<float>>();
        if (m_components > 0)
        {
            prepare = PrepareSubspace();
            flops += CountSubspaceFlops(m_components);
        }
    }
    if (m_partitioner.find)
    {
        flops += m_partitioner.flops(result->view);
    }
    RunJob(
        flops,
        [result, prepare, find = m_partitioner.find, subspace = m_subspace]() {
            if (prepare)
            {
                *subspace = prepare();
            }
            if (find)
            {
                result->partitions = find(result->view, *subspace);
            }
            else
            {
                result->partitions.assign(result->view.labels.begin(), result->view.labels.end());
            }
        },
        [this, result, done = std::move(done)]() {
            GetHoldings().SetLabels(result->view.labels);
            GetHoldings().SetPartitions(std::move(result->partitions), GetPartitions());
            m_held = GetHoldings().Count();
            done();
        },
        !m_partitioner.find);
}

Time
LabelDiscoveryApplication::GetAskDuration() const
{
    const LossPolicy policy = GetControlLossPolicy();
    const uint64_t bytes = uint64_t{GetPartitions()} * GetCountBytes();
    return GetStage(m_linkDeadline, 0, SINGLE_MESSAGE, policy) +
           GetStage(m_offerDeadline, GetPartitions(), GetSlotMessages(), policy) +
           GetStage(m_requestDeadline, bytes, SINGLE_MESSAGE, policy);
}

uint64_t
LabelDiscoveryApplication::CountGrantBytes() const
{
    return uint64_t{GetPartitions()} * GetCountBytes();
}

void
LabelDiscoveryApplication::ClearSlot()
{
    m_receivers.clear();
    m_request.clear();
    m_granted.clear();
}

void
LabelDiscoveryApplication::Ask(uint32_t peer)
{
    SendControl(peer, LINK, GetSlot(), nullptr, GetSlotBegin() + m_linkEnd);
}

void
LabelDiscoveryApplication::SendCounts(uint32_t device,
                                      uint16_t kind,
                                      const PartitionCounts& counts,
                                      Time deadline)
{
    const uint32_t bytes = kind == OFFER ? OFFER_BYTES : GetCountBytes();
    SendControl(device,
                kind,
                GetSlot(),
                std::make_shared<const PartitionCountsPayload>(counts, bytes),
                GetSlotBegin() + deadline);
}

const PartitionCounts&
LabelDiscoveryApplication::CheckCounts(const Message& message) const
{
    const auto& counts = ReadPayload<PartitionCountsPayload>(message).GetCounts();
    if (counts.size() != GetPartitions())
    {
        throw PayloadError(fmt::format("{} numbers, expected {}", counts.size(), GetPartitions()));
    }
    return counts;
}

void
LabelDiscoveryApplication::HandleLink(uint32_t sender, const Message& message)
{
    if (!IsInTime(message, m_linkEnd) ||
        std::any_of(m_receivers.begin(), m_receivers.end(), [sender](const Receiver& receiver) {
            return receiver.device == sender;
        }))
    {
        return;
    }
    Receiver receiver;
    receiver.device = sender;
    receiver.offer = OfferLabels(m_held, m_thresholds, GetTrusted(sender));
    m_receivers.push_back(receiver);
    SendCounts(
        sender, OFFER, PartitionCounts(receiver.offer.begin(), receiver.offer.end()), m_offerEnd);
}

void
LabelDiscoveryApplication::HandleOffer(uint32_t sender, const Message& message)
{
    if (!IsInTime(message, m_offerEnd))
    {
        return;
    }
    const PartitionCounts& bits = CheckCounts(message);
    if (sender != GetLink().peer || !m_request.empty())
    {
        throw PayloadError("an offer that was not asked for");
    }
    if (std::any_of(bits.begin(), bits.end(), [](uint32_t bit) { return bit > 1; }))
    {
        throw PayloadError("an offer of something else than bits");
    }
    const std::vector<uint8_t> offer(bits.begin(), bits.end());
    m_request = RequestLabels(m_held, m_thresholds, offer, GetRequestLimit(sender));
    if (std::any_of(m_request.begin(), m_request.end(), [](uint32_t q) { return q > 0; }))
    {
        SendCounts(sender, REQUEST, m_request, m_requestEnd);
    }
}

void
LabelDiscoveryApplication::HandleRequest(uint32_t sender, const Message& message)
{
    if (!IsInTime(message, m_requestEnd))
    {
        return;
    }
    const PartitionCounts& request = CheckCounts(message);
    const auto receiver = std::find_if(m_receivers.begin(),
                                       m_receivers.end(),
                                       [sender](const Receiver& r) { return r.device == sender; });
    if (receiver == m_receivers.end() || !receiver->request.empty())
    {
        throw PayloadError("a request without an offer");
    }
    for (uint32_t l = 0; l < GetPartitions(); ++l)
    {
        if (request[l] > 0 && receiver->offer[l] == 0)
        {
            throw PayloadError(fmt::format("a request for partition {}, which was not offered", l));
        }
    }
    receiver->request = request;
}

void
LabelDiscoveryApplication::Grant()
{
    std::sort(m_receivers.begin(), m_receivers.end(), [](const Receiver& a, const Receiver& b) {
        return a.device < b.device;
    });
    m_receivers.erase(std::remove_if(m_receivers.begin(),
                                     m_receivers.end(),
                                     [](const Receiver& r) { return r.request.empty(); }),
                      m_receivers.end());
    std::vector<PartitionCounts> requests;
    for (const auto& receiver : m_receivers)
    {
        requests.push_back(receiver.request);
    }
    const auto grants = AllotLabels(m_held, m_thresholds, requests);
    for (std::size_t i = 0; i < grants.size(); ++i)
    {
        m_receivers[i].grant = grants[i];
        SendCounts(m_receivers[i].device, GRANT, grants[i], GetGrantEnd());
    }
}

void
LabelDiscoveryApplication::HandleGrant(uint32_t sender, const Message& message)
{
    if (!IsInTime(message, GetGrantEnd()))
    {
        return;
    }
    const PartitionCounts& grant = CheckCounts(message);
    if (sender != GetLink().peer || m_request.empty() || !m_granted.empty())
    {
        throw PayloadError("a grant that was not requested");
    }
    for (uint32_t l = 0; l < GetPartitions(); ++l)
    {
        if (grant[l] > m_request[l])
        {
            throw PayloadError(
                fmt::format("a grant of {} in partition {}, of which {} were requested",
                            grant[l],
                            l,
                            m_request[l]));
        }
    }
    m_granted = grant;
}

uint64_t
LabelDiscoveryApplication::CountGainFlops(uint64_t) const
{
    return LABEL_FLOPS * GetPartitions();
}

bool
LabelDiscoveryApplication::IsGainLight() const
{
    return true;
}

std::function<GraphDiscoveryApplication::Gain()>
LabelDiscoveryApplication::PrepareGain(const Link& link)
{
    Gain gain;
    gain.granted = !m_granted.empty();
    std::vector<double> after(m_held.begin(), m_held.end());
    for (std::size_t l = 0; l < m_granted.size(); ++l)
    {
        const double arriving = GetArriving(m_granted[l], link.outage, GetGenerator());
        gain.points += m_granted[l];
        gain.received += arriving;
        after[l] += arriving;
    }
    for (const auto& receiver : m_receivers)
    {
        for (std::size_t l = 0; l < receiver.grant.size(); ++l)
        {
            after[l] -= receiver.grant[l];
        }
    }
    LabelScoreOptions options;
    options.distance = m_distance;
    options.thresholdSlack = m_thresholdSlack;
    options.leastLabels = m_leastLabels;
    gain.score = ScoreLabels(m_held, after, m_thresholds, options);
    return [gain]() { return gain; };
}

double
LabelDiscoveryApplication::GetGlobalReward(double localReward, uint64_t points) const
{
    return GetClusterReward(GetClusterRewards(localReward),
                            points,
                            CountDevices(),
                            static_cast<uint32_t>(GetMembers().size() + 1),
                            GetRewardOptions());
}

std::vector<std::pair<uint32_t, PartitionCounts>>
LabelDiscoveryApplication::GetGifts() const
{
    std::vector<std::pair<uint32_t, PartitionCounts>> gifts;
    for (const auto& receiver : m_receivers)
    {
        gifts.emplace_back(GetDevices()[receiver.device], receiver.grant);
    }
    return gifts;
}

uint64_t
LabelDiscoveryApplication::GetMostFrom() const
{
    const PartitionCounts& counts = m_granted.empty() ? m_request : m_granted;
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

PartitionCounts
LabelDiscoveryApplication::CountPartitions() const
{
    return m_held;
}

} // namespace collab
} // namespace ns3
