/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-label-application.h"

#include "ns3/abort.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("LabelDiscoveryApplication");
NS_OBJECT_ENSURE_REGISTERED(LabelDiscoveryApplication);

namespace
{

/// Operations of a slot for each partition: V, Q, U, their sums, Dhat, the gate, two normalizations
/// and the distance.
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
            .AddAttribute("ThresholdShare",
                          "b_i as part of the device's first datapoints over the partitions. Above "
                          "1 for devices of few labels, which else give nearly all of them away.",
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
    const SlowestDevice slowest = GetSlowest();
    const LossPolicy policy = GetControlLossPolicy();
    m_linkEnd = slowest.GetStage(m_linkDeadline, 0, SlowestDevice::SINGLE_MESSAGE, policy);
    m_offerEnd =
        m_linkEnd + slowest.GetStage(m_offerDeadline, GetPartitions(), GetSlotMessages(), policy);
    const PartitionNumbers bits = {PartitionCounts(GetPartitions()), 1};
    const PartitionNumbers numbers = {PartitionCounts(GetPartitions()), GetCountBytes()};
    OnControl<LinkRequest>(
        [this](uint32_t sender, const auto& message) { HandleLink(sender, message.round); });
    OnControl<LabelOffer>(
        [this](uint32_t sender, const auto& message) { HandleOffer(sender, message); }, {bits});
    OnControl<LabelRequest>(
        [this](uint32_t sender, const auto& message) { HandleRequest(sender, message); },
        {numbers});
    OnControl<LabelGrant>(
        [this](uint32_t sender, const auto& message) { HandleGrant(sender, message); }, {numbers});
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
        flops += CountSubspaceFlops();
    }
    return GetSlowest().GetComputing(flops);
}

Process
LabelDiscoveryApplication::SetUp()
{
    uint64_t flops = GetPartitions();
    if (!m_subspace && m_components > 0)
    {
        flops += CountSubspaceFlops();
    }
    if (m_partitioner.find)
    {
        flops += m_partitioner.flops(GetSamples());
    }
    Partitioned found = co_await Compute("", flops, PreparePartitions(), !m_partitioner.find);
    m_subspace = found.subspace;
    GetHoldings().SetLabels(found.view.labels);
    GetHoldings().SetPartitions(std::move(found.partitions), GetPartitions());
}

std::function<LabelDiscoveryApplication::Partitioned()>
LabelDiscoveryApplication::PreparePartitions() const
{
    std::function<Matrix<float>()> prepare;
    if (!m_subspace && m_components > 0)
    {
        prepare = PrepareSubspace();
    }
    return [prepare, view = GetSamples(), find = m_partitioner.find, subspace = m_subspace]() {
        Partitioned found{view, {}, subspace};
        if (!subspace)
        {
            found.subspace =
                std::make_shared<const Matrix<float>>(prepare ? prepare() : Matrix<float>());
        }
        if (find)
        {
            found.partitions = find(found.view, *found.subspace);
        }
        else
        {
            found.partitions.assign(found.view.labels.begin(), found.view.labels.end());
        }
        return found;
    };
}

Time
LabelDiscoveryApplication::GetAskDuration() const
{
    constexpr uint32_t SINGLE = SlowestDevice::SINGLE_MESSAGE;
    const SlowestDevice slowest = GetSlowest();
    const LossPolicy policy = GetControlLossPolicy();
    return slowest.GetStage(m_linkDeadline, 0, SINGLE, policy) +
           slowest.GetStage(m_offerDeadline, GetPartitions(), GetSlotMessages(), policy) +
           slowest.GetStage(m_requestDeadline, CountGrantBytes(), SINGLE, policy);
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
    SendControl(peer, LinkRequest(), GetSlot(), GetSlotBegin() + m_linkEnd);
}

void
LabelDiscoveryApplication::HandleLink(uint32_t sender, uint32_t slot)
{
    if (!IsInTime(slot, m_linkEnd) || m_receivers.count(sender) > 0)
    {
        return;
    }
    const auto offer = OfferLabels(GetHeld(), m_thresholds, GetTrusted(sender)); // V, (9)
    m_receivers[sender].offer = offer;
    SendControl(sender,
                LabelOffer{{PartitionCounts(offer.begin(), offer.end()), 1}},
                GetSlot(),
                GetSlotBegin() + m_offerEnd);
}

void
LabelDiscoveryApplication::HandleOffer(uint32_t sender, const Received<LabelOffer>& offer)
{
    if (!IsInTime(offer.round, m_offerEnd))
    {
        return;
    }
    Require<PayloadError>(sender == GetLink().peer && m_request.empty(),
                          "an offer that was not asked for");
    const std::vector<uint8_t> offered(offer->counts.begin(), offer->counts.end());
    m_request = RequestLabels(GetHeld(), m_thresholds, offered, GetRequestLimit(sender)); // Q, (10)
    if (std::any_of(m_request.begin(), m_request.end(), [](uint32_t q) { return q > 0; }))
    {
        SendControl(sender,
                    LabelRequest{{m_request, GetCountBytes()}},
                    GetSlot(),
                    GetSlotBegin() + GetTimes().askEnd);
    }
}

void
LabelDiscoveryApplication::HandleRequest(uint32_t sender, const Received<LabelRequest>& request)
{
    if (!IsInTime(request.round, GetTimes().askEnd))
    {
        return;
    }
    const auto receiver = m_receivers.find(sender);
    Require<PayloadError>(receiver != m_receivers.end() && receiver->second.request.empty(),
                          "a request without an offer");
    for (uint32_t l = 0; l < GetPartitions(); ++l)
    {
        Require<PayloadError>(request->counts[l] == 0 || receiver->second.offer[l] != 0,
                              "a request for partition {}, which was not offered",
                              l);
    }
    receiver->second.request = request->counts;
}

LabelDiscoveryApplication::Gifts
LabelDiscoveryApplication::Grant()
{
    std::vector<uint32_t> receivers;
    std::vector<PartitionCounts> requests;
    for (const auto& [device, receiver] : m_receivers)
    {
        if (!receiver.request.empty())
        {
            receivers.push_back(device);
            requests.push_back(receiver.request);
        }
    }
    const auto grants = AllotLabels(GetHeld(), m_thresholds, requests); // U, (11)
    Gifts gifts;
    for (std::size_t i = 0; i < grants.size(); ++i)
    {
        gifts.emplace_back(GetDevices()[receivers[i]], grants[i]);
        SendControl(receivers[i],
                    LabelGrant{{grants[i], GetCountBytes()}},
                    GetSlot(),
                    GetSlotBegin() + GetTimes().grantEnd);
    }
    return gifts;
}

void
LabelDiscoveryApplication::HandleGrant(uint32_t sender, const Received<LabelGrant>& grant)
{
    if (!IsInTime(grant.round, GetTimes().grantEnd))
    {
        return;
    }
    Require<PayloadError>(sender == GetLink().peer && !m_request.empty() && m_granted.empty(),
                          "a grant that was not requested");
    for (uint32_t l = 0; l < GetPartitions(); ++l)
    {
        Require<PayloadError>(grant->counts[l] <= m_request[l],
                              "a grant of {} in partition {}, of which {} were requested",
                              grant->counts[l],
                              l,
                              m_request[l]);
    }
    m_granted = grant->counts;
}

uint64_t
LabelDiscoveryApplication::CountGainFlops(uint64_t) const
{
    return LABEL_FLOPS * GetPartitions();
}

JobWait<LabelDiscoveryApplication::Gain>
LabelDiscoveryApplication::FindGain(const Link& link)
{
    Gain gain;
    gain.granted = !m_granted.empty();
    std::vector<double> after(GetHeld().begin(), GetHeld().end()); // Dhat_i, (12)
    for (std::size_t l = 0; l < m_granted.size(); ++l)
    {
        const double arriving = (1 - link.outage) * m_granted[l];
        gain.points += m_granted[l];
        gain.received += arriving;
        after[l] += arriving;
    }
    for (const auto& [device, counts] : GetGifts())
    {
        for (std::size_t l = 0; l < counts.size(); ++l)
        {
            after[l] -= counts[l];
        }
    }
    LabelScoreOptions options;
    options.distance = m_distance;
    options.thresholdSlack = m_thresholdSlack;
    options.leastLabels = m_leastLabels;
    gain.score = ScoreLabels(GetHeld(), after, m_thresholds, options); // g, (8)
    return Compute("",
                   CountSlotFlops(GetHoldings().GetSize()),
                   std::function<Gain()>([gain]() { return gain; }),
                   true);
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

uint64_t
LabelDiscoveryApplication::GetMostFrom() const
{
    const PartitionCounts& counts = m_granted.empty() ? m_request : m_granted;
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

} // namespace ns3::collab
