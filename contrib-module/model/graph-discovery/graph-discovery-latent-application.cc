/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-latent-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("LatentDiscoveryApplication");
NS_OBJECT_ENSURE_REGISTERED(LatentDiscoveryApplication);

namespace
{

/// Clusters as they travel
using SharedClusters = std::vector<std::shared_ptr<const GaussianCluster>>;

/// @param clusters as they travel
/// @return copies of them
std::vector<GaussianCluster>
CopyClusters(const SharedClusters& clusters)
{
    std::vector<GaussianCluster> copies;
    for (const auto& cluster : clusters)
    {
        copies.push_back(*cluster);
    }
    return copies;
}

/// @param list of clusters for (17) that has come
/// @return the clusters
std::vector<GaussianCluster>
ReadClusters(const ClusterList& list)
{
    std::vector<GaussianCluster> clusters;
    for (const auto& entry : list.entries)
    {
        clusters.push_back(*entry.statistics);
    }
    return clusters;
}

/// @param clusters of a device
/// @param shown whether each is shown
/// @return those that are shown, as messages for (17) list them
std::vector<ClusterEntry>
ListShown(const SharedClusters& clusters, const std::vector<uint8_t>& shown)
{
    std::vector<ClusterEntry> entries;
    for (std::size_t l = 0; l < clusters.size(); ++l)
    {
        if (shown[l])
        {
            entries.push_back({static_cast<uint8_t>(entries.size()), 0, clusters[l]});
        }
    }
    return entries;
}

/// @param clusters with their numbers of datapoints
/// @return sum of these
uint64_t
CountPoints(const std::vector<GaussianCluster>& clusters)
{
    uint64_t points = 0;
    for (const auto& cluster : clusters)
    {
        points += cluster.count;
    }
    return points;
}

/// @brief Fill in what a grant leaves out, and remember the rest.
/// @param entries of the grant
/// @param caches whether to remember it
/// @param[in,out] known clusters of the transmitter
/// @return its clusters with their numbers of datapoints
/// @throws PayloadError if they cannot be believed
std::vector<GaussianCluster>
Resolve(const std::vector<ClusterEntry>& entries,
        bool caches,
        std::map<uint8_t, std::shared_ptr<const GaussianCluster>>& known)
{
    std::vector<GaussianCluster> clusters;
    for (const auto& entry : entries)
    {
        const auto found = known.find(entry.cluster);
        const auto statistics = entry.statistics       ? entry.statistics
                                : found != known.end() ? found->second
                                                       : nullptr;
        Require<PayloadError>(statistics, "a grant without a cluster that is not known");
        try
        {
            FactoredCluster check(*statistics); // whether its covariance is positive definite
        }
        catch (const std::invalid_argument& error)
        {
            throw PayloadError(error.what());
        }
        clusters.push_back(*statistics);
        clusters.back().count = entry.points;
        if (caches)
        {
            known[entry.cluster] = statistics;
        }
    }
    return clusters;
}

} // namespace

TypeId
LatentDiscoveryApplication::GetTypeId()
{
    using App = LatentDiscoveryApplication;
    static TypeId tid =
        TypeId("ns3::collab::LatentDiscoveryApplication")
            .SetParent<GraphDiscoveryApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("Components",
                          "d: components of the subspace.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&App::m_components),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RequestShare",
                          "Q as part of the device's datapoints.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&App::m_requestShare),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("ThresholdShare",
                          "b_l as part of the mean size of the device's clusters.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&App::m_thresholdShare),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute(
                "Disclosure",
                "Which clusters a device shows to whom: to each device those with which "
                "it is trusted, or all of them, as printed.",
                compat::EnumAttribute(ClusterDisclosure::TRUSTED),
                compat::EnumAccessor(&App::m_disclosure),
                compat::EnumChecker(
                    ClusterDisclosure::TRUSTED, "Trusted", ClusterDisclosure::PRINTED, "Printed"))
            .AddAttribute("Agreement",
                          "How the divergences of (17) become one number: ratio of their means, "
                          "less 1; sum of ratios, as printed; or mean of ratios.",
                          compat::EnumAttribute(AgreementRule::RATIO_OF_MEANS),
                          compat::EnumAccessor(&App::m_agreementRule),
                          compat::EnumChecker(AgreementRule::RATIO_OF_MEANS,
                                              "RatioOfMeans",
                                              AgreementRule::SUM,
                                              "Sum",
                                              AgreementRule::MEAN_RATIO,
                                              "MeanRatio"))
            .AddAttribute("AgreementPeriod",
                          "Iterations from one telling of clusters for (17) to the next.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&App::m_agreementPeriod),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("CacheStatistics",
                          "Whether means, covariances and centroids that a device knows of another "
                          "one from this pass are not sent again. The same on all devices.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&App::m_caches),
                          MakeBooleanChecker())
            .AddAttribute("ClusteringRestarts",
                          "Seedings of k-means, of which the best result is kept.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&App::m_restarts),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RequestDeadline",
                          "How long requests may take; 0 for as long as one does.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&App::m_requestDeadline),
                          MakeTimeChecker(Time()));
    return tid;
}

LatentDiscoveryApplication::LatentDiscoveryApplication() = default;

void
LatentDiscoveryApplication::SetClusteringSeed(uint64_t seed)
{
    m_clusteringSeed = seed;
}

ClusterFormat
LatentDiscoveryApplication::GetFormat() const
{
    return {m_components, GetCountBytes(), m_caches, GetPartitions()};
}

ClusterFormat
LatentDiscoveryApplication::GetPlainFormat() const
{
    return {m_components, 0, false, GetPartitions()};
}

uint32_t
LatentDiscoveryApplication::CountRequested(uint64_t samples) const
{
    return static_cast<uint32_t>(std::lround(m_requestShare * static_cast<double>(samples)));
}

bool
LatentDiscoveryApplication::UsesAgreement() const
{
    return IsLearned() && GetRewardOptions().global > 0;
}

void
LatentDiscoveryApplication::DoStart()
{
    GraphDiscoveryApplication::DoStart();
    const uint32_t requested = CountRequested(GetHoldings().GetSize());
    NS_ABORT_MSG_IF(requested > GetGreatestCount(),
                    "LatentDiscoveryApplication: the request for "
                        << requested << " datapoints is more than CountBits can tell, "
                        << GetGreatestCount());
    NS_ABORT_MSG_IF(m_caches && GetPartitions() > MOST_CACHED,
                    "LatentDiscoveryApplication: CacheStatistics with "
                        << GetPartitions() << " clusters, at most " << MOST_CACHED);
    ClusterRequest request;
    request.format = GetFormat();
    OnControl<ClusterRequest>(
        [this](uint32_t sender, const auto& message) { HandleRequest(sender, message); }, request);
    OnControl<ClusterGrant>(
        [this](uint32_t sender, const auto& message) { HandleGrant(sender, message); },
        {{GetFormat(), {}}});
    OnControl<ClustersBefore>(
        [this](uint32_t sender, const auto& message) {
            if (message.round == GetRound() && UsesAgreement())
            {
                m_before[sender] = ReadClusters(*message);
            }
        },
        {{GetPlainFormat(), {}}});
    OnControl<ClustersAfter>(
        [this](uint32_t sender, const auto& message) {
            if (IsInTime(message.round, GetRewardEnd()) && UsesAgreement())
            {
                m_after[sender] = ReadClusters(*message);
            }
        },
        {{GetPlainFormat(), {}}});
}

Process
LatentDiscoveryApplication::Round()
{
    m_before.clear(); // of the pass before, told too late for it
    return GraphDiscoveryApplication::Round();
}

GraphDiscoveryApplication::SetupNeeds
LatentDiscoveryApplication::GetNeeds() const
{
    SetupNeeds needs = GetMethodNeeds();
    needs.components = Asks() ? m_components : 0;
    return needs;
}

OwnClustersOptions
LatentDiscoveryApplication::GetClusteringOptions() const
{
    return {m_components, GetPartitions(), m_restarts, m_clusteringSeed};
}

Time
LatentDiscoveryApplication::GetOwnSetupDuration(uint32_t pass) const
{
    if (!Asks())
    {
        return Time();
    }
    const SlowestDevice slowest = GetSlowest();
    Time duration =
        slowest.GetComputing((pass == 0 ? CountSubspaceFlops() : 0) +
                             CountOwnClustersFlops(GetPlannedSamples(),
                                                   GetHoldings().GetDataSet()->SampleSize(),
                                                   GetPartitions(),
                                                   GetClusteringOptions()));
    if (UsesAgreement())
    {
        // A reliable broadcast serves one receiver after the other
        const uint32_t messages = m_disclosure == ClusterDisclosure::PRINTED ? CountDevices() : 1;
        duration += slowest.GetTellingStage(CountSharedBytes(), messages, LossPolicy::RELIABLE);
    }
    return duration;
}

Process
LatentDiscoveryApplication::SetUp()
{
    const Time end = Simulator::Now() + GetOwnSetupDuration(GetRound());
    m_told = std::make_shared<ToldAgreement>(CountDevices(), m_agreementRule);
    m_agreement = 0;
    const OwnClustersOptions options = GetClusteringOptions();
    if (!Asks()) // then nobody wants to know clusters: there is one
    {
        TakeClusters(PutInOneCluster(GetHoldings().GetSize(), options));
        co_return;
    }
    const DataView view = GetSamples();
    const std::function<std::shared_ptr<const Matrix<float>>()> makeSubspace =
        [subspace = m_subspace, prepare = PrepareSubspace()]() {
            return subspace ? subspace : std::make_shared<const Matrix<float>>(prepare());
        };
    const uint64_t flops = (m_subspace ? 0 : CountSubspaceFlops()) +
                           CountOwnClustersFlops(view.Size(),
                                                 view.data->SampleSize(),
                                                 std::min<uint64_t>(GetPartitions(), view.Size()),
                                                 options);
    const std::function<OwnClusters()> find = [view, makeSubspace, options]() {
        return FindOwnClusters(view, makeSubspace, options);
    };
    TakeClusters(co_await Compute("", flops, find));
    if (UsesAgreement())
    {
        m_before[GetOwnIndex()] = CopyClusters(m_clusters);
        TellClusters<ClustersBefore>(m_clusters, GetRound(), end);
    }
}

void
LatentDiscoveryApplication::TakeClusters(const OwnClusters& own)
{
    m_subspace = own.subspace;
    m_centroids = own.clustering.centroids;
    m_moments = std::make_shared<const std::vector<ClusterMoments>>(own.moments);
    m_clusters = RoundClusters(own.moments);
    GetHoldings().SetPartitions(own.clustering.labels, GetPartitions());
    const double threshold = m_thresholdShare * static_cast<double>(GetHoldings().GetSize()) /
                             static_cast<double>(GetPartitions());
    m_thresholds.assign(GetPartitions(), static_cast<uint32_t>(std::lround(threshold)));
    m_known.clear();
    m_remote.clear();
}

template <typename T>
void
LatentDiscoveryApplication::TellClusters(const SharedClusters& clusters,
                                         uint32_t round,
                                         Time deadline)
{
    const auto show = [&](const std::vector<uint8_t>& shown) {
        return T{{GetPlainFormat(), ListShown(clusters, shown)}};
    };
    if (m_disclosure == ClusterDisclosure::PRINTED)
    {
        SendOptions options = std::is_same_v<T, ClustersBefore>
                                  ? MakeSetupOptions(deadline)
                                  : SendOptions(LossPolicy::BEST_EFFORT);
        options.deadline = deadline;
        options.priority = CONTROL_PRIORITY;
        Broadcast(show(std::vector<uint8_t>(clusters.size(), 1)), options, round);
        return;
    }
    for (uint32_t device = 0; device < CountDevices(); ++device)
    {
        T message = show(GetTrusted(device));
        if (device != GetOwnIndex() && !message.entries.empty())
        {
            SendControl(device, std::move(message), round, deadline);
        }
    }
}

Time
LatentDiscoveryApplication::GetAskDuration() const
{
    const uint64_t bytes = GetCountBytes() + (m_caches ? sizeof(uint16_t) : 0) +
                           uint64_t{GetPartitions()} * m_components * sizeof(float);
    return GetSlowest().GetStage(
        m_requestDeadline, bytes, SlowestDevice::SINGLE_MESSAGE, GetControlLossPolicy());
}

uint64_t
LatentDiscoveryApplication::CountGrantBytes() const
{
    const uint64_t d = m_components;
    return GetPartitions() *
           ((m_caches ? 1 : 0) + GetCountBytes() + (d + d * d) * uint64_t{sizeof(float)});
}

uint32_t
LatentDiscoveryApplication::GetSharePeriod() const
{
    return UsesAgreement() ? m_agreementPeriod : 1;
}

uint64_t
LatentDiscoveryApplication::CountSharedBytes() const
{
    if (!UsesAgreement())
    {
        return 0;
    }
    const uint64_t d = m_components;
    const uint64_t bytes = GetPartitions() * (d + d * d) * sizeof(float);
    return m_disclosure == ClusterDisclosure::PRINTED ? bytes : bytes * (CountDevices() - 1);
}

void
LatentDiscoveryApplication::ClearSlot()
{
    m_receivers.clear();
    m_requested = 0;
    m_granted.reset();
    m_result.reset();
    m_after.clear();
}

void
LatentDiscoveryApplication::Ask(uint32_t peer)
{
    m_requested = static_cast<uint32_t>(std::min<uint64_t>(
        {CountRequested(GetHoldings().GetSize()), GetGreatestCount(), GetRequestLimit(peer)}));
    if (m_requested == 0)
    {
        return;
    }
    ClusterRequest request;
    request.format = GetFormat();
    request.requested = m_requested;
    for (const auto& entry : m_known[peer])
    {
        request.known = static_cast<uint16_t>(request.known | (1U << entry.first));
    }
    if (!m_caches || m_known[peer].empty()) // a grant tells that the centroids have come
    {
        request.centroids = GetCentroids(peer);
    }
    SendControl(peer, std::move(request), GetSlot(), GetSlotBegin() + GetTimes().askEnd);
}

std::shared_ptr<const Matrix<float>>
LatentDiscoveryApplication::GetCentroids(uint32_t peer) const
{
    const std::vector<uint8_t> trusted = GetTrusted(peer);
    auto centroids = std::make_shared<Matrix<float>>();
    centroids->columns = m_components;
    for (uint32_t l = 0; l < GetPartitions(); ++l)
    {
        if (trusted[l] || m_disclosure == ClusterDisclosure::PRINTED)
        {
            centroids->values.insert(
                centroids->values.end(), m_centroids.Row(l), m_centroids.Row(l) + m_components);
            ++centroids->rows;
        }
    }
    return centroids;
}

void
LatentDiscoveryApplication::HandleRequest(uint32_t sender, const Received<ClusterRequest>& request)
{
    if (!IsInTime(request.round, GetTimes().askEnd) ||
        !Asks()) // then it has no clusters to give of
    {
        return;
    }
    Require<PayloadError>(m_receivers.count(sender) == 0, "a second request");
    if (request->centroids)
    {
        m_remote[sender] = request->centroids;
    }
    if (request->requested > 0) // else no share is kept for it
    {
        m_receivers[sender] = {request->requested, request->known};
    }
}

LatentDiscoveryApplication::Gifts
LatentDiscoveryApplication::Grant()
{
    std::vector<std::vector<uint8_t>> trusted;
    for (const auto& entry : m_receivers)
    {
        trusted.push_back(GetTrusted(entry.first));
    }
    const auto shares = ShareClusters(GetHeld(), m_thresholds, trusted); // V, (9)
    Gifts gifts;
    for (const auto& [device, receiver] : m_receivers)
    {
        const auto& share = shares[gifts.size()];
        const auto remote = m_remote.find(device);
        PartitionCounts granted =
            SplitRequest(receiver.requested, // (15)
                         m_centroids,
                         remote == m_remote.end() ? Matrix<float>() : *remote->second);
        ClusterGrant grant{{GetFormat(), {}}};
        for (uint32_t l = 0; l < GetPartitions(); ++l)
        {
            granted[l] = std::min({granted[l], share[l], GetGreatestCount()});
            if (granted[l] > 0)
            {
                const bool isKnown = m_caches && ((receiver.known >> l) & 1U) != 0;
                grant.entries.push_back(
                    {static_cast<uint8_t>(l), granted[l], isKnown ? nullptr : m_clusters[l]});
            }
        }
        gifts.emplace_back(GetDevices()[device], granted);
        if (!grant.entries.empty())
        {
            SendControl(device, std::move(grant), GetSlot(), GetSlotBegin() + GetTimes().grantEnd);
        }
    }
    return gifts;
}

void
LatentDiscoveryApplication::HandleGrant(uint32_t sender, const Received<ClusterGrant>& grant)
{
    if (!IsInTime(grant.round, GetTimes().grantEnd))
    {
        return;
    }
    Require<PayloadError>(sender == GetLink().peer && !m_granted, "a grant that was not requested");
    auto granted = Resolve(grant->entries, m_caches, m_known[sender]);
    const uint64_t points = CountPoints(granted);
    Require<PayloadError>(
        points <= m_requested, "a grant of {}, of which {} were requested", points, m_requested);
    m_granted = std::make_shared<const Clusters>(std::move(granted));
}

uint64_t
LatentDiscoveryApplication::CountGainFlops(uint64_t samples) const
{
    // Of each datapoint that is drawn: a product with a triangle, distances, and outer products
    const uint64_t d = m_components;
    const uint64_t point = d * d + 3 * d * GetPartitions() + d * d;
    return CountRequested(samples) * point + GetPartitions() * (d * d * d / 3 + 3 * d);
}

JobWait<LatentDiscoveryApplication::Gain>
LatentDiscoveryApplication::FindGain(const Link& link)
{
    Gain gain;
    gain.granted = m_granted != nullptr;
    Clusters arriving = m_granted ? *m_granted : Clusters();
    for (auto& cluster : arriving)
    {
        gain.points += cluster.count;
        cluster.count =
            static_cast<uint32_t>(std::lround((1 - link.outage) * cluster.count));
        gain.received += cluster.count;
    }
    m_result = std::make_shared<SharedClusters>();
    const auto find = [gain,
                       arriving = std::move(arriving),
                       own = m_moments,
                       result = m_result,
                       seed = GetGenerator()()]() {
        const bool isEmpty = std::all_of(
            own->begin(), own->end(), [](const ClusterMoments& m) { return m.count == 0; });
        const auto after = isEmpty ? *own : AddSampledPoints(*own, arriving, seed); // steps 8, 9
        Gain found = gain;
        found.score = ScoreClusters(*own, after); // of (16)
        *result = RoundClusters(after);
        return found;
    };
    return Compute("", CountSlotFlops(GetHoldings().GetSize()), std::function<Gain()>(find));
}

void
LatentDiscoveryApplication::ShareGain()
{
    if (UsesAgreement())
    {
        TellClusters<ClustersAfter>(*m_result, GetSlot(), GetSlotBegin() + GetRewardEnd());
    }
}

uint64_t
LatentDiscoveryApplication::CountGlobalFlops(bool shares) const
{
    if (!UsesAgreement())
    {
        return 0;
    }
    // Where nobody tells anything only the own clusters change
    const uint64_t clusters = uint64_t{CountDevices()} * GetPartitions();
    const uint64_t changed = shares ? clusters : GetPartitions();
    const uint64_t pairs = changed * (2 * clusters - changed);
    return changed * CountClusterFactorFlops(m_components) +
           pairs * CountClusterDivergenceFlops(m_components);
}

Process
LatentDiscoveryApplication::JudgeAll() // (17)
{
    const uint64_t flops = CountGlobalFlops(SharesNow());
    if (flops == 0)
    {
        co_return;
    }
    m_after[GetOwnIndex()] = CopyClusters(*m_result);
    const std::function<double()> work = [told = m_told,
                                          before = std::exchange(m_before, {}),
                                          after = std::exchange(m_after, {})]() {
        return told->Update(before, after);
    };
    m_agreement = co_await Compute("", flops, work);
}

double
LatentDiscoveryApplication::GetGlobalReward(double, uint64_t points) const
{
    return m_agreement + GetBudgetReward(points, GetRewardOptions());
}

uint64_t
LatentDiscoveryApplication::GetMostFrom() const
{
    return m_granted ? CountPoints(*m_granted) : m_requested;
}

} // namespace ns3::collab
