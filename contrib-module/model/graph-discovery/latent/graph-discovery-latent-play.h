/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_LATENT_PLAY_H
#define GRAPH_DISCOVERY_LATENT_PLAY_H

#include "graph-discovery-latent-game.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @brief A graph of a game of clusters, and what it comes to, kept up to date while edges change.
 *
 * An edge that changes costs what the receivers of its old and new transmitter cost, not all.
 */
class LatentPlay
{
  public:
    /**
     * @param game the devices; must outlive the object
     * @param seed of the points of AddSampledPoints(); none to have those of AddExpectedPoints()
     * @throws std::invalid_argument as LatentGame::Validate()
     */
    explicit LatentPlay(const LatentGame& game, std::optional<uint64_t> seed = std::nullopt);

    /**
     * @brief Let devices have other transmitters, all at once.
     * @param peers transmitter of each device, or NO_PEER
     * @throws std::invalid_argument if a peer is the device itself or out of range
     */
    void SetPeers(const std::vector<uint32_t>& peers);
    /**
     * @brief Let one device have another transmitter.
     * @param receiver the device
     * @param peer its transmitter, another device, or NO_PEER
     */
    void SetPeer(uint32_t receiver, uint32_t peer);

    /// @return transmitter of each device, or NO_PEER
    const std::vector<uint32_t>& GetPeers() const;
    /// @return D_{j, l -> i} of the edge into each device
    const std::vector<std::vector<uint32_t>>& GetAllotted() const;
    /// @return clusters of each device after the exchange
    const std::vector<std::vector<ClusterMoments>>& GetAfter() const;
    /// @return sum of the traces' ratios of each device
    const std::vector<double>& GetScores() const;
    /// @return rL of each device, (16)
    const std::vector<double>& GetLocalRewards() const;
    /// @return mean of rL over all devices
    double GetMeanLocalReward() const;
    /// @return agreement of the system, (17)
    double ComputeAgreement() const;
    /**
     * @param agreement of the system
     * @return R of each device
     */
    std::vector<double> GetRewards(double agreement) const;

  private:
    /**
     * @param device whose centroids are wanted
     * @param observer who wants them
     * @return the centroids that the observer may see
     */
    Matrix<float> GetCentroids(uint32_t device, uint32_t observer) const;
    /// @brief Divide anew what a transmitter has to spare, and score its receivers.
    /// @param transmitter whose receivers have changed
    void Allot(uint32_t transmitter);
    /// @brief Compute the clusters and rL of a device anew.
    /// @param device whose gains have changed
    void Score(uint32_t device);
    /// @brief Put a device where its transmitter's receivers are, or take it away from there.
    /// @param receiver the device
    /// @param peer its transmitter, or NO_PEER
    void Move(uint32_t receiver, uint32_t peer);
    /**
     * @param receiver i, which has a transmitter
     * @return the clusters of which it is allotted something, with these numbers
     */
    std::vector<GaussianCluster> GetSent(uint32_t receiver) const;

    const LatentGame& m_game;                                   //!< the devices
    std::optional<uint64_t> m_seed;                             //!< of sampled points
    std::vector<std::vector<GaussianCluster>> m_gaussians;      //!< clusters of each device
    std::vector<std::vector<std::vector<uint32_t>>> m_requests; //!< Qt, by transmitter and receiver
    std::vector<uint32_t> m_peers;                              //!< transmitter of each device
    std::vector<std::vector<uint32_t>> m_receivers;             //!< of each transmitter, ascending
    std::vector<std::vector<uint32_t>> m_allotted;              //!< D_{j, l -> i}
    std::vector<std::vector<ClusterMoments>> m_after;           //!< clusters after
    std::vector<double> m_scores;                               //!< sum of the traces' ratios
    std::vector<double> m_localRewards;                         //!< rL
};

} // namespace collab
} // namespace ns3

#endif /* GRAPH_DISCOVERY_LATENT_PLAY_H */
