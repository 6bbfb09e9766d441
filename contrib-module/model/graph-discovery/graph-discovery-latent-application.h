/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_LATENT_APPLICATION_H
#define GRAPH_DISCOVERY_LATENT_APPLICATION_H

#include "graph-discovery-application.h"
#include "graph-discovery-messages.h"

#include "ns3/graph-discovery-agreement.h"
#include "ns3/graph-discovery-latent-exchange.h"
#include "ns3/graph-discovery-own-clusters.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Which clusters a device shows to whom.
enum class ClusterDisclosure
{
    TRUSTED, //!< to each device those with which it is trusted
    PRINTED, //!< all centroids to whom it asks, and all clusters to everybody, as in the paper
};

/**
 * @ingroup collab
 * @brief Graph discovery without labels: Algorithm 2 of Wagle et al.
 *
 * In the setup devices find a common subspace by distributed PCA, put their own datapoints into
 * clusters there, and tell others about them for (17). A slot: the receiver requests a number of
 * datapoints and tells its centroids; the transmitter decides when all requests are there or late
 * how many of each cluster it would send, and tells these clusters' means and covariances; the
 * receiver draws datapoints like them and works out how its own clusters would grow. It tells
 * others what they would be then, for (17).
 *
 * Nothing of a cluster is told to a device that is not trusted with it, but with Disclosure
 * Printed.
 */
class LatentDiscoveryApplication : public GraphDiscoveryApplication
{
  public:
    /// Clusters that the bits of a request can name, with CacheStatistics
    static constexpr uint32_t MOST_CACHED = 16;

    /// @return the object TypeId
    static TypeId GetTypeId();

    LatentDiscoveryApplication();

    /// @param seed of k-means, the same in every pass
    void SetClusteringSeed(uint64_t seed);

  protected:
    void DoStart() override;
    Process Round() override;
    SetupNeeds GetNeeds() const override;
    Time GetOwnSetupDuration(uint32_t pass) const override;
    Process SetUp() override;
    Time GetAskDuration() const override;
    uint64_t CountGrantBytes() const override;
    void ClearSlot() override;
    void Ask(uint32_t peer) override;
    Gifts Grant() override;
    uint64_t CountGainFlops(uint64_t samples) const override;
    JobWait<Gain> FindGain(const Link& link) override;
    void ShareGain() override;
    uint32_t GetSharePeriod() const override;
    uint64_t CountSharedBytes() const override;
    uint64_t CountGlobalFlops(bool shares) const override;
    Process JudgeAll() override;
    double GetGlobalReward(double localReward, uint64_t points) const override;
    uint64_t GetMostFrom() const override;

  private:
    using Clusters = std::vector<GaussianCluster>;
    /// Clusters as they travel
    using SharedClusters = std::vector<std::shared_ptr<const GaussianCluster>>;

    /// A receiver that has asked in this slot
    struct Receiver
    {
        uint32_t requested = 0; //!< Q
        uint16_t known = 0;     //!< clusters that it knows
    };

    /// @return how clusters are found
    OwnClustersOptions GetClusteringOptions() const;
    /// @param own clusters of this pass
    void TakeClusters(const OwnClusters& own);
    /// @return whether (17) counts
    bool UsesAgreement() const;
    /// @brief Tell clusters for (17).
    /// @tparam T ClustersBefore or ClustersAfter
    /// @param clusters of this device
    /// @param round of the messages
    /// @param deadline when they are too late
    template <typename T>
    void TellClusters(const SharedClusters& clusters, uint32_t round, Time deadline);
    /// @param sender index
    /// @param request Q and centroids
    void HandleRequest(uint32_t sender, const Received<ClusterRequest>& request);
    /// @param sender index
    /// @param grant U
    void HandleGrant(uint32_t sender, const Received<ClusterGrant>& grant);
    /// @return format of requests and grants
    ClusterFormat GetFormat() const;
    /// @return format of clusters for (17)
    ClusterFormat GetPlainFormat() const;
    /// @param samples datapoints of a device
    /// @return Q
    uint32_t CountRequested(uint64_t samples) const;
    /// @param peer index of a device
    /// @return the own centroids that it may see
    std::shared_ptr<const Matrix<float>> GetCentroids(uint32_t peer) const;

    uint32_t m_components;          //!< attribute Components
    double m_requestShare;          //!< attribute RequestShare
    double m_thresholdShare;        //!< attribute ThresholdShare
    ClusterDisclosure m_disclosure; //!< attribute Disclosure
    AgreementRule m_agreementRule;  //!< attribute Agreement
    uint32_t m_agreementPeriod;     //!< attribute AgreementPeriod
    bool m_caches;                  //!< attribute CacheStatistics
    uint32_t m_restarts;            //!< attribute ClusteringRestarts
    Time m_requestDeadline;         //!< attribute RequestDeadline

    uint64_t m_clusteringSeed = 1;                                //!< of k-means
    std::shared_ptr<const Matrix<float>> m_subspace;              //!< F
    std::shared_ptr<const std::vector<ClusterMoments>> m_moments; //!< of the own clusters
    Matrix<float> m_centroids;                                    //!< of the own clusters
    SharedClusters m_clusters;                                    //!< own, as they travel
    PartitionCounts m_thresholds;                                 //!< b_l
    std::map<uint32_t, Receiver> m_receivers;                     //!< of this slot, by index
    uint32_t m_requested = 0;                                     //!< Q of this slot
    std::shared_ptr<const Clusters> m_granted; //!< U of this slot; null: none has come
    std::shared_ptr<SharedClusters> m_result;  //!< own clusters with what is granted
    std::shared_ptr<ToldAgreement> m_told;     //!< (17), which only one job at a time touches
    double m_agreement = 0;                    //!< of the last slot
    ToldAgreement::Told m_before;              //!< that have come
    ToldAgreement::Told m_after;               //!< of this slot
    std::map<uint32_t, std::map<uint8_t, std::shared_ptr<const GaussianCluster>>>
        m_known; //!< of transmitters, by index
    std::map<uint32_t, std::shared_ptr<const Matrix<float>>> m_remote; //!< centroids, by index
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_LATENT_APPLICATION_H */
