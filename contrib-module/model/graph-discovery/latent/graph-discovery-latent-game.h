/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_LATENT_GAME_H
#define GRAPH_DISCOVERY_LATENT_GAME_H

#include "graph-discovery-agreement.h"
#include "graph-discovery-latent-exchange.h"

#include "ns3/collab-matrix.h"
#include "ns3/graph-discovery-game.h"
#include "ns3/graph-discovery-reward.h"
#include "ns3/graph-discovery-trust.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief All that the outcome of a graph depends on in the unsupervised case, as nobody in the
 * network knows it: for yardsticks and tests.
 */
struct LatentGame
{
    std::vector<std::vector<ClusterMoments>> clusters;       //!< of all devices, L each
    std::vector<std::vector<uint32_t>> thresholds;           //!< b of the clusters of all devices
    std::vector<uint32_t> requested;                         //!< Q of each device
    TrustMatrices trust;                                     //!< T_j of all devices
    Matrix<double> outage;                                   //!< P_D(i, j), receiver by transmitter
    RewardOptions reward;                                    //!< weights
    std::vector<uint32_t> cluster;                           //!< Phi of each device
    AgreementRule agreement = AgreementRule::RATIO_OF_MEANS; //!< of (17)
    bool showsAllCentroids = false; //!< to a transmitter, as printed; else those it is trusted with

    /// @throws std::invalid_argument if sizes do not fit together or a value is not allowed
    void Validate() const;
};

/// @ingroup collab
/// @brief What a graph comes to in the unsupervised case.
struct LatentOutcome
{
    std::vector<std::vector<uint32_t>> allotted;    //!< D_{j, l -> i} of the edge into each device
    std::vector<std::vector<ClusterMoments>> after; //!< clusters of each device
    std::vector<double> score;                      //!< sum of the traces' ratios of each device
    std::vector<double> localReward;                //!< rL of each device, (16)
    std::vector<double> reward;                     //!< R of each device
    double agreement = 0;                           //!< of the system, (17)
    double meanLocalReward = 0;                     //!< over all devices
};

/**
 * @brief Run Algorithm 2 on a graph with certain messages.
 *
 * @param game the devices
 * @param peers transmitter of each device, or NO_PEER; who has none receives nothing, has the
 * outage 0, and the score L
 * @param seed of the points of AddSampledPoints(), which each device draws anew; none to have those
 * of AddExpectedPoints()
 * @return what it comes to
 * @throws std::invalid_argument if a peer is the device itself or out of range
 */
LatentOutcome PlayLatentGame(const LatentGame& game,
                             const std::vector<uint32_t>& peers,
                             std::optional<uint64_t> seed = std::nullopt);

/**
 * @brief Search the graph of the greatest mean local reward, of AddExpectedPoints(), by coordinate
 * ascent as SearchByCoordinateAscent() does.
 *
 * @param game the devices
 * @param starts number of starts, at least 1: a graph without edges, then random ones
 * @param seed of the random graphs
 * @return the best graph found
 */
SearchedGraph SearchLatentGraph(const LatentGame& game, uint32_t starts, uint64_t seed);

} // namespace collab
} // namespace ns3

#endif /* GRAPH_DISCOVERY_LATENT_GAME_H */
