/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_GAME_H
#define GRAPH_DISCOVERY_GAME_H

#include "ns3/collab-matrix.h"
#include "ns3/graph-discovery-label-exchange.h"
#include "ns3/graph-discovery-label-score.h"
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
 * @brief All that the outcome of a graph depends on, as nobody in the network knows it: for
 * yardsticks, baselines that a server computes, and tests.
 */
struct LabelGame
{
    std::vector<PartitionCounts> held;       //!< D_i of all devices
    std::vector<PartitionCounts> thresholds; //!< b_i of all devices
    TrustMatrices trust;                     //!< T_j of all devices
    Matrix<double> outage;                   //!< P_D(i, j), receiver by transmitter
    LabelScoreOptions score;                 //!< of diversity
    RewardOptions reward;                    //!< weights
    std::vector<uint32_t> cluster;           //!< Phi of each device

    /// @throws std::invalid_argument if sizes do not fit together or a value is not allowed
    void Validate() const;
};

/// Peer of a device without an edge
constexpr uint32_t NO_PEER = UINT32_MAX;

/// @ingroup collab
/// @brief What a graph comes to.
struct LabelOutcome
{
    std::vector<PartitionCounts> allotted;  //!< U_{j -> i} of the edge into each device
    std::vector<std::vector<double>> after; //!< Dhat_i of each device, expected
    std::vector<double> score;              //!< g of each device
    std::vector<double> localReward;        //!< rL of each device
    std::vector<double> reward;             //!< R of each device
    std::vector<uint32_t> reached;          //!< labels reached of each device
    double meanLocalReward = 0;             //!< over all devices
};

/**
 * @brief Run Algorithm 1 on a graph with certain messages and expected losses of data.
 *
 * @param game the devices
 * @param peers transmitter of each device, or NO_PEER
 * @return what it comes to; a device without an edge has the outage 0
 * @throws std::invalid_argument if a peer is the device itself or out of range
 */
LabelOutcome PlayLabelGame(const LabelGame& game, const std::vector<uint32_t>& peers);

/// @ingroup collab
/// @brief A graph that was searched for with all knowledge.
struct SearchedGraph
{
    std::vector<uint32_t> peers; //!< transmitter of each device
    double meanLocalReward = 0;  //!< of it
    uint32_t evaluations = 0;    //!< graphs that were played
};

/**
 * @brief Search the graph of the greatest mean local reward by coordinate ascent.
 *
 * From each start, devices in turn take the transmitter that is best for the mean of all, until
 * none changes. Each has one, even if it brings nothing, as with the other ways to choose a graph.
 *
 * @param game the devices
 * @param starts number of starts, at least 1: the best response to nobody, then random graphs
 * @param seed of the random graphs
 * @return the best graph found
 */
SearchedGraph SearchByCoordinateAscent(const LabelGame& game, uint32_t starts, uint64_t seed);

} // namespace collab
} // namespace ns3

#endif /* GRAPH_DISCOVERY_GAME_H */
