/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-latent-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-k-means.h"
#include "ns3/collab-wire-format.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("LatentDiscoveryApplication");
NS_OBJECT_ENSURE_REGISTERED(LatentDiscoveryApplication);

namespace
{

constexpr uint16_t CLUSTER_REQUEST = 711; //!< kind of messages: Q and centroids
constexpr uint16_t CLUSTER_GRANT = 712;   //!< kind of messages: U
constexpr uint16_t BEFORE = 713;          //!< kind of messages: clusters of a pass
constexpr uint16_t AFTER = 714;           //!< kind of messages: clusters after a slot

} // namespace

struct LatentDiscoveryApplication::Setup
{
    std::shared_ptr<const Matrix<float>> subspace; //!< F
    Clustering clustering;                         //!< of the own datapoints
    std::vector<ClusterMoments> moments;           //!< of the clusters
};

struct LatentDiscoveryApplication::Agreement
{
    /**
     * @param devices N
     * @param rule of the system
     */
    Agreement(uint32_t devices, AgreementRule rule)
        : system(devices, rule)
    {
    }

    /**
     * @brief Take in what devices have told; what is no proper cluster is left out.
     *
     * @param before clusters of this pass, by index of the device
     * @param after clusters after this slot, by index of the device
     */
    void
    Update(const std::map<uint32_t, std::vector<GaussianCluster>>& before,
           const std::map<uint32_t, std::vector<GaussianCluster>>& after)
    {
        for (const auto& [device, clusters] : before)
        {
            try
            {
                system.SetBefore(device, clusters);
                known[device] = clusters.size();
            }
            catch (const std::invalid_argument&)
            {
                continue;
            }
        }
        for (const auto& [device, clusters] : after)
        {
            const auto found = known.find(device);
            try
            {
                if (found != known.end() && found->second == clusters.size())
                {
                    system.SetAfter(device, clusters);
                }
            }
            catch (const std::invalid_argument&)
            {
                continue;
            }
        }
        const double agreement = system.Get();
        value = std::isfinite(agreement) ? agreement : 0;
    }

    SystemAgreement system;                //!< all divergences
    std::map<uint32_t, std::size_t> known; //!< number of clusters, by device
    double value = 0;                      //!< of the present slot
};

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
LatentDiscoveryApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_agreement.reset();
    GraphDiscoveryApplication::DoDispose();
}

void
LatentDiscoveryApplication::SetClusteringSeed(uint64_t seed)
{
    m_clusteringSeed = seed;
}

ClusterFormat
LatentDiscoveryApplication::GetFormat() const
{
    return {m_components, GetCountBytes(), m_caches};
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
    m_requestEnd = GetAskDuration();
    const ClusterFormat format = GetFormat();
    const ClusterFormat plain = {m_components, 0, false};
    using App = LatentDiscoveryApplication;
    const auto handle = [this](void (App::*handler)(uint32_t, const Message&)) {
        return [this, handler](uint32_t sender, const Message& message) {
            (this->*handler)(sender, message);
        };
    };
    const auto parseClusters = [](const ClusterFormat& as) {
        return [as](const uint8_t* bytes, std::size_t size) {
            return ClusterStatisticsPayload::Parse(bytes, size, as);
        };
    };
    RegisterControl(
        CLUSTER_REQUEST,
        "cluster-request",
        [format](const uint8_t* bytes, std::size_t size) {
            return ClusterRequestPayload::Parse(bytes, size, format);
        },
        handle(&App::HandleRequest));
    RegisterControl(
        CLUSTER_GRANT, "cluster-grant", parseClusters(format), handle(&App::HandleGrant));
    RegisterControl(BEFORE, "clusters-before", parseClusters(plain), handle(&App::HandleBefore));
    RegisterControl(AFTER, "clusters-after", parseClusters(plain), handle(&App::HandleAfter));
}

void
LatentDiscoveryApplication::BeginRound()
{
    m_before.clear(); // of the pass before, told too late for it
    GraphDiscoveryApplication::BeginRound();
}

void
LatentDiscoveryApplication::DoHalt()
{
    m_receivers.clear();
    GraphDiscoveryApplication::DoHalt();
}

GraphDiscoveryApplication::SetupNeeds
LatentDiscoveryApplication::GetNeeds() const
{
    SetupNeeds needs = GetMethodNeeds();
    needs.components = Asks() ? m_components : 0;
    return needs;
}

Time
LatentDiscoveryApplication::GetOwnSetupDuration(uint32_t pass) const
{
    if (!Asks())
    {
        return Time();
    }
    const uint64_t samples = GetPlannedSamples();
    const uint64_t features = GetHoldings().GetDataSet()->SampleSize();
    KMeansOptions options;
    options.clusters = GetPartitions();
    options.restarts = m_restarts;
    const uint64_t flops = (pass == 0 ? CountSubspaceFlops(m_components) : 0) +
                           CountProjectionFlops(samples, features, m_components) +
                           CountKMeansFlops(samples, m_components, options);
    Time duration = GetPlannedDuration(flops);
    if (UsesAgreement())
    {
        // A reliable broadcast serves one receiver after the other
        const uint32_t messages = m_disclosure == ClusterDisclosure::PRINTED ? CountDevices() : 1;
        duration += GetTellingStage(CountSharedBytes(), messages, LossPolicy::RELIABLE);
    }
    return duration;
}

void
LatentDiscoveryApplication::SetUp(std::function<void()> done)
{
    m_setupEnd = Simulator::Now() + GetOwnSetupDuration(GetRound());
    m_agreement = std::make_shared<Agreement>(CountDevices(), m_agreementRule);
    auto setup = std::make_shared<Setup>();
    setup->subspace = m_subspace;
    const DataView view = GetSamples();
    const uint32_t clusters = GetPartitions();
    if (!Asks()) // then nobody wants to know clusters: there is one
    {
        setup->clustering.labels.assign(view.Size(), 0);
        setup->clustering.centroids = Matrix<float>(clusters, m_components);
        setup->moments = SumClusters(Matrix<float>(0, m_components), {}, clusters);
        TakeSetup(*setup);
        done();
        return;
    }
    KMeansOptions options;
    options.clusters = std::min(clusters, static_cast<uint32_t>(view.Size()));
    options.restarts = m_restarts;
    uint64_t flops = CountProjectionFlops(view.Size(), view.data->SampleSize(), m_components) +
                     CountKMeansFlops(view.Size(), m_components, options);
    std::function<Matrix<float>()> prepare;
    if (!m_subspace)
    {
        prepare = PrepareSubspace();
        flops += CountSubspaceFlops(m_components);
    }
    RunJob(
        flops,
        [setup, view, options, clusters, prepare, seed = m_clusteringSeed]() {
            if (prepare)
            {
                setup->subspace = std::make_shared<const Matrix<float>>(prepare());
            }
            const std::size_t d = setup->subspace->columns;
            Matrix<float> points(0, d);
            if (view.Size() > 0) // not all is given away
            {
                points = Project(DecodeSamples(view), *setup->subspace);
                setup->clustering = FindClusters(points, options, seed);
            }
            // With few datapoints some clusters are empty
            Matrix<float>& centroids = setup->clustering.centroids;
            centroids.rows = clusters;
            centroids.columns = d;
            centroids.values.resize(clusters * d);
            setup->moments = SumClusters(points, setup->clustering.labels, clusters);
        },
        [this, setup, done = std::move(done)]() {
            TakeSetup(*setup);
            done();
        });
}

void
LatentDiscoveryApplication::TakeSetup(const Setup& setup)
{
    m_subspace = setup.subspace;
    m_centroids = setup.clustering.centroids;
    m_moments = std::make_shared<const std::vector<ClusterMoments>>(setup.moments);
    GetHoldings().SetPartitions(setup.clustering.labels, GetPartitions());
    m_held = GetHoldings().Count();
    const double threshold = m_thresholdShare * static_cast<double>(GetHoldings().GetSize()) /
                             static_cast<double>(GetPartitions());
    m_thresholds.assign(GetPartitions(), static_cast<uint32_t>(std::lround(threshold)));
    m_clusters.clear();
    Clusters clusters;
    for (const auto& moments : setup.moments)
    {
        m_clusters.push_back(RoundCluster(MakeGaussian(moments)));
        clusters.push_back(*m_clusters.back());
    }
    m_known.clear();
    m_remote.clear();
    if (UsesAgreement())
    {
        m_before[GetOwnIndex()] = clusters;
        TellClusters(BEFORE, GetRound(), clusters, m_setupEnd);
    }
}

void
LatentDiscoveryApplication::TellClusters(uint16_t kind,
                                         uint32_t round,
                                         const Clusters& clusters,
                                         Time deadline)
{
    std::vector<std::shared_ptr<const GaussianCluster>> shared;
    for (const auto& cluster : clusters)
    {
        shared.push_back(std::make_shared<const GaussianCluster>(cluster));
    }
    const auto entries = [&shared](const std::vector<uint8_t>& shown) {
        std::vector<ClusterEntry> result;
        for (std::size_t l = 0; l < shared.size(); ++l)
        {
            if (shown[l])
            {
                result.push_back({static_cast<uint8_t>(result.size()), 0, shared[l]});
            }
        }
        return result;
    };
    const ClusterFormat plain = {m_components, 0, false};
    if (m_disclosure == ClusterDisclosure::PRINTED)
    {
        SendOptions options =
            kind == BEFORE ? MakeSetupOptions(deadline) : SendOptions(LossPolicy::BEST_EFFORT);
        options.deadline = deadline;
        options.priority = CONTROL_PRIORITY;
        GetTransport()->Broadcast({kind,
                                   round,
                                   std::make_shared<const ClusterStatisticsPayload>(
                                       plain, entries(std::vector<uint8_t>(clusters.size(), 1)))},
                                  options);
        return;
    }
    for (uint32_t device = 0; device < CountDevices(); ++device)
    {
        const auto shown = entries(GetTrusted(device));
        if (device != GetOwnIndex() && !shown.empty())
        {
            SendControl(device,
                        kind,
                        round,
                        std::make_shared<const ClusterStatisticsPayload>(plain, shown),
                        deadline);
        }
    }
}

LatentDiscoveryApplication::Clusters
LatentDiscoveryApplication::ReadClusters(const Message& message) const
{
    Clusters clusters;
    for (const auto& entry : ReadPayload<ClusterStatisticsPayload>(message).GetEntries())
    {
        CheckCluster(entry.statistics.get(), m_components);
        clusters.push_back(*entry.statistics);
    }
    if (clusters.empty() || clusters.size() > GetPartitions())
    {
        throw PayloadError(
            fmt::format("{} clusters, expected 1 to {}", clusters.size(), GetPartitions()));
    }
    return clusters;
}

void
LatentDiscoveryApplication::HandleBefore(uint32_t sender, const Message& message)
{
    if (message.round == GetRound() && UsesAgreement())
    {
        m_before[sender] = ReadClusters(message);
    }
}

void
LatentDiscoveryApplication::HandleAfter(uint32_t sender, const Message& message)
{
    if (IsInTime(message, GetRewardEnd()) && UsesAgreement())
    {
        m_after[sender] = ReadClusters(message);
    }
}

Time
LatentDiscoveryApplication::GetAskDuration() const
{
    const uint64_t bytes = GetCountBytes() + (m_caches ? sizeof(uint16_t) : 0) +
                           uint64_t{GetPartitions()} * m_components * sizeof(float);
    return GetStage(m_requestDeadline, bytes, SINGLE_MESSAGE, GetControlLossPolicy());
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
    const std::vector<uint8_t> trusted = GetTrusted(peer);
    const auto& known = m_known[peer];
    uint16_t bits = 0;
    for (const auto& [cluster, statistics] : known)
    {
        bits = static_cast<uint16_t>(bits | (1U << cluster));
    }
    std::shared_ptr<Matrix<float>> centroids;
    if (!m_caches || known.empty()) // a grant tells that the centroids have come
    {
        centroids = std::make_shared<Matrix<float>>();
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
    }
    SendControl(
        peer,
        CLUSTER_REQUEST,
        GetSlot(),
        std::make_shared<const ClusterRequestPayload>(GetFormat(), m_requested, bits, centroids),
        GetSlotBegin() + m_requestEnd);
}

void
LatentDiscoveryApplication::HandleRequest(uint32_t sender, const Message& message)
{
    if (!IsInTime(message, m_requestEnd) || !Asks()) // it has found no clusters to give of
    {
        return;
    }
    const auto& payload = ReadPayload<ClusterRequestPayload>(message);
    const auto& centroids = payload.GetCentroids();
    if (std::any_of(m_receivers.begin(), m_receivers.end(), [sender](const Receiver& r) {
            return r.device == sender;
        }))
    {
        throw PayloadError("a second request");
    }
    if (centroids && (centroids->rows > GetPartitions() || centroids->columns != m_components))
    {
        throw PayloadError(fmt::format("{} x {} centroids, expected at most {} x {}",
                                       centroids->rows,
                                       centroids->columns,
                                       GetPartitions(),
                                       m_components));
    }
    if (centroids)
    {
        CheckFloats(&centroids->values, centroids->rows * m_components, "centroids");
        m_remote[sender] = centroids;
    }
    if (payload.GetRequested() == 0)
    {
        return; // no share is kept for it
    }
    Receiver receiver;
    receiver.device = sender;
    receiver.requested = payload.GetRequested();
    receiver.known = payload.GetKnown();
    m_receivers.push_back(std::move(receiver));
}

void
LatentDiscoveryApplication::Grant()
{
    std::sort(m_receivers.begin(), m_receivers.end(), [](const Receiver& a, const Receiver& b) {
        return a.device < b.device;
    });
    std::vector<std::vector<uint8_t>> trusted;
    for (const auto& receiver : m_receivers)
    {
        trusted.push_back(GetTrusted(receiver.device));
    }
    const auto shares = ShareClusters(m_held, m_thresholds, trusted);
    for (std::size_t i = 0; i < m_receivers.size(); ++i)
    {
        Receiver& receiver = m_receivers[i];
        const auto remote = m_remote.find(receiver.device);
        static const Matrix<float> NOTHING;
        receiver.grant = SplitRequest(
            receiver.requested, m_centroids, remote == m_remote.end() ? NOTHING : *remote->second);
        std::vector<ClusterEntry> entries;
        for (uint32_t l = 0; l < GetPartitions(); ++l)
        {
            receiver.grant[l] = std::min({receiver.grant[l], shares[i][l], GetGreatestCount()});
            if (receiver.grant[l] > 0)
            {
                const bool isKnown = m_caches && ((receiver.known >> l) & 1U) != 0;
                entries.push_back({static_cast<uint8_t>(l),
                                   receiver.grant[l],
                                   isKnown ? nullptr : m_clusters[l]});
            }
        }
        if (!entries.empty())
        {
            SendControl(
                receiver.device,
                CLUSTER_GRANT,
                GetSlot(),
                std::make_shared<const ClusterStatisticsPayload>(GetFormat(), std::move(entries)),
                GetSlotBegin() + GetGrantEnd());
        }
    }
}

void
LatentDiscoveryApplication::CheckGranted(const ClusterEntry& entry) const
{
    if (entry.cluster >= GetPartitions())
    {
        throw PayloadError("a grant with an unknown cluster");
    }
    CheckCluster(entry.statistics.get(), m_components);
    try
    {
        FactoredCluster check(*entry.statistics);
    }
    catch (const std::invalid_argument& error)
    {
        throw PayloadError(error.what());
    }
}

LatentDiscoveryApplication::Clusters
LatentDiscoveryApplication::Resolve(uint32_t sender, const std::vector<ClusterEntry>& entries)
{
    Clusters clusters;
    uint64_t points = 0;
    auto& known = m_known[sender];
    for (const auto& entry : entries)
    {
        auto statistics = entry.statistics;
        if (!statistics)
        {
            const auto found = known.find(entry.cluster);
            if (found == known.end())
            {
                throw PayloadError("a grant without a cluster that is not known");
            }
            statistics = found->second;
        }
        else
        {
            CheckGranted(entry);
        }
        clusters.push_back(*statistics);
        clusters.back().count = entry.points;
        points += entry.points;
        if (m_caches)
        {
            known[entry.cluster] = statistics;
        }
    }
    if (points > m_requested)
    {
        throw PayloadError(
            fmt::format("a grant of {}, of which {} were requested", points, m_requested));
    }
    return clusters;
}

void
LatentDiscoveryApplication::HandleGrant(uint32_t sender, const Message& message)
{
    if (!IsInTime(message, GetGrantEnd()))
    {
        return;
    }
    if (sender != GetLink().peer || m_granted)
    {
        throw PayloadError("a grant that was not requested");
    }
    const auto& payload = ReadPayload<ClusterStatisticsPayload>(message);
    m_granted = std::make_shared<const Clusters>(Resolve(sender, payload.GetEntries()));
}

uint64_t
LatentDiscoveryApplication::CountGainFlops(uint64_t samples) const
{
    // Of each datapoint that is drawn: a product with a triangle, distances, and outer products
    const uint64_t d = m_components;
    const uint64_t point = d * d + 3 * d * GetPartitions() + d * d;
    return CountRequested(samples) * point + GetPartitions() * (d * d * d / 3 + 3 * d);
}

bool
LatentDiscoveryApplication::IsGainLight() const
{
    return false;
}

std::function<GraphDiscoveryApplication::Gain()>
LatentDiscoveryApplication::PrepareGain(const Link& link)
{
    Gain gain;
    gain.granted = m_granted != nullptr;
    auto arriving = std::make_shared<Clusters>(m_granted ? *m_granted : Clusters());
    for (auto& cluster : *arriving)
    {
        gain.points += cluster.count;
        cluster.count = static_cast<uint32_t>(
            std::lround(GetArriving(cluster.count, link.outage, GetGenerator())));
        gain.received += cluster.count;
    }
    m_result = std::make_shared<Clusters>();
    return [gain, arriving, own = m_moments, result = m_result, seed = GetGenerator()()]() mutable {
        const bool isEmpty = std::all_of(
            own->begin(), own->end(), [](const ClusterMoments& m) { return m.count == 0; });
        const auto after = isEmpty ? *own : AddSampledPoints(*own, *arriving, seed);
        gain.score = ScoreClusters(*own, after);
        for (const auto& moments : after)
        {
            result->push_back(*RoundCluster(MakeGaussian(moments)));
        }
        return gain;
    };
}

void
LatentDiscoveryApplication::ShareGain()
{
    if (UsesAgreement())
    {
        TellClusters(AFTER, GetSlot(), *m_result, GetSlotBegin() + GetRewardEnd());
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

std::function<void()>
LatentDiscoveryApplication::PrepareGlobal()
{
    auto before = std::make_shared<const std::map<uint32_t, Clusters>>(std::move(m_before));
    m_before.clear();
    if (m_result)
    {
        m_after[GetOwnIndex()] = *m_result;
    }
    auto after = std::make_shared<const std::map<uint32_t, Clusters>>(std::move(m_after));
    m_after.clear();
    return [agreement = m_agreement, before, after]() { agreement->Update(*before, *after); };
}

double
LatentDiscoveryApplication::GetGlobalReward(double, uint64_t points) const
{
    const double agreement = m_agreement ? m_agreement->value : 0;
    return agreement + GetBudgetReward(points, GetRewardOptions());
}

std::vector<std::pair<uint32_t, PartitionCounts>>
LatentDiscoveryApplication::GetGifts() const
{
    std::vector<std::pair<uint32_t, PartitionCounts>> gifts;
    for (const auto& receiver : m_receivers)
    {
        gifts.emplace_back(GetDevices()[receiver.device], receiver.grant);
    }
    return gifts;
}

uint64_t
LatentDiscoveryApplication::GetMostFrom() const
{
    uint64_t granted = 0;
    for (const auto& cluster : m_granted ? *m_granted : Clusters())
    {
        granted += cluster.count;
    }
    return m_granted ? granted : m_requested;
}

PartitionCounts
LatentDiscoveryApplication::CountPartitions() const
{
    return m_held;
}

} // namespace collab
} // namespace ns3
