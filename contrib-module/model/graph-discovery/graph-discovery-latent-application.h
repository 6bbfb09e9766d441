/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_LATENT_APPLICATION_H
#define GRAPH_DISCOVERY_LATENT_APPLICATION_H

#include "graph-discovery-application.h"
#include "graph-discovery-payloads.h"

#include "ns3/graph-discovery-agreement.h"
#include "ns3/graph-discovery-latent-exchange.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace collab
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

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LatentDiscoveryApplication();

    /// @param seed of k-means, the same in every pass
    void SetClusteringSeed(uint64_t seed);

  protected:
    void DoDispose() override;
    void DoStart() override;
    void BeginRound() override;
    void DoHalt() override;
    SetupNeeds GetNeeds() const override;
    Time GetOwnSetupDuration(uint32_t pass) const override;
    void SetUp(std::function<void()> done) override;
    Time GetAskDuration() const override;
    uint64_t CountGrantBytes() const override;
    void ClearSlot() override;
    void Ask(uint32_t peer) override;
    void Grant() override;
    uint64_t CountGainFlops(uint64_t samples) const override;
    std::function<Gain()> PrepareGain(const Link& link) override;
    bool IsGainLight() const override;
    void ShareGain() override;
    uint32_t GetSharePeriod() const override;
    uint64_t CountSharedBytes() const override;
    uint64_t CountGlobalFlops(bool shares) const override;
    std::function<void()> PrepareGlobal() override;
    double GetGlobalReward(double localReward, uint64_t points) const override;
    std::vector<std::pair<uint32_t, PartitionCounts>> GetGifts() const override;
    uint64_t GetMostFrom() const override;
    PartitionCounts CountPartitions() const override;

  private:
    using Clusters = std::vector<GaussianCluster>;

    /// A receiver that has asked in this slot
    struct Receiver
    {
        uint32_t device = 0;                            //!< index
        uint32_t requested = 0;                         //!< Q
        uint16_t known = 0;                             //!< clusters that it knows
        std::shared_ptr<const Matrix<float>> centroids; //!< that it has told; may be null
        PartitionCounts grant;                          //!< D_l
    };

    /// What is found out in the setup of a pass
    struct Setup;
    /// Divergences of (17), which only one job at a time touches
    struct Agreement;

    /// @param setup of this pass
    void TakeSetup(const Setup& setup);
    /// @return whether (17) counts
    bool UsesAgreement() const;
    /**
     * @brief Tell clusters for (17).
     *
     * @param kind of the messages
     * @param round of the messages
     * @param clusters of this device, as RoundCluster() makes them
     * @param deadline when they are too late
     */
    void TellClusters(uint16_t kind, uint32_t round, const Clusters& clusters, Time deadline);
    /// @param sender index
    /// @param message its clusters before
    void HandleBefore(uint32_t sender, const Message& message);
    /// @param sender index
    /// @param message its clusters after
    void HandleAfter(uint32_t sender, const Message& message);
    /**
     * @param message with clusters
     * @return the clusters
     * @throws PayloadError if they cannot be believed
     */
    Clusters ReadClusters(const Message& message) const;
    /// @param sender index
    /// @param message a request
    void HandleRequest(uint32_t sender, const Message& message);
    /// @param sender index
    /// @param message a grant
    void HandleGrant(uint32_t sender, const Message& message);
    /**
     * @brief Fill in what the message leaves out, and remember the rest.
     *
     * @param sender index
     * @param entries of its grant
     * @return its clusters with their numbers of datapoints
     * @throws PayloadError if they cannot be believed
     */
    Clusters Resolve(uint32_t sender, const std::vector<ClusterEntry>& entries);
    /// @param entry of a grant, with statistics
    /// @throws PayloadError if it cannot be believed
    void CheckGranted(const ClusterEntry& entry) const;
    /// @return format of requests and grants
    ClusterFormat GetFormat() const;
    /// @param samples datapoints of a device
    /// @return Q
    uint32_t CountRequested(uint64_t samples) const;

    uint32_t m_components;          //!< attribute Components
    double m_requestShare;          //!< attribute RequestShare
    double m_thresholdShare;        //!< attribute ThresholdShare
    ClusterDisclosure m_disclosure; //!< attribute Disclosure
    AgreementRule m_agreementRule;  //!< attribute Agreement
    uint32_t m_agreementPeriod;     //!< attribute AgreementPeriod
    bool m_caches;                  //!< attribute CacheStatistics
    uint32_t m_restarts;            //!< attribute ClusteringRestarts
    Time m_requestDeadline;         //!< attribute RequestDeadline

    uint64_t m_clusteringSeed = 1;                                  //!< of k-means
    Time m_requestEnd;                                              //!< from the begin of a slot
    Time m_setupEnd;                                                //!< of this pass
    std::shared_ptr<const Matrix<float>> m_subspace;                //!< F
    std::shared_ptr<const std::vector<ClusterMoments>> m_moments;   //!< of the own clusters
    Matrix<float> m_centroids;                                      //!< of the own clusters
    std::vector<std::shared_ptr<const GaussianCluster>> m_clusters; //!< own, as they travel
    PartitionCounts m_held;                                         //!< n_l
    PartitionCounts m_thresholds;                                   //!< b_l
    std::vector<Receiver> m_receivers;                              //!< of this slot
    uint32_t m_requested = 0;                                       //!< Q of this slot
    std::shared_ptr<const Clusters> m_granted; //!< U of this slot; null: none has come
    std::shared_ptr<Clusters> m_result;        //!< own clusters with what is granted
    std::shared_ptr<Agreement> m_agreement;    //!< (17)
    std::map<uint32_t, Clusters> m_before;     //!< that have come, by index
    std::map<uint32_t, Clusters> m_after;      //!< of this slot, by index
    std::map<uint32_t, std::map<uint8_t, std::shared_ptr<const GaussianCluster>>>
        m_known; //!< of transmitters, by index
    std::map<uint32_t, std::shared_ptr<const Matrix<float>>> m_remote; //!< centroids, by index
};

} // namespace collab
} // namespace ns3

#endif /* GRAPH_DISCOVERY_LATENT_APPLICATION_H */
