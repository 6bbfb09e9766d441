/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_GAME_H
#define GRAPH_DISCOVERY_GAME_H

#include "graph-discovery-baselines.h"

#include "ns3/collab-matrix.h"
#include "ns3/graph-discovery-label-exchange.h"
#include "ns3/graph-discovery-label-score.h"
#include "ns3/graph-discovery-reward.h"
#include "ns3/graph-discovery-trust.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief All that the outcome of a graph depends on, as nobody in the network knows it: for
/// yardsticks, baselines that a server computes, and tests.
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

/**
 * @brief A graph of a game, and what it comes to, kept up to date while edges change.
 *
 * An edge that changes costs what the receivers of its old and new transmitter cost, not all.
 */
class LabelPlay
{
  public:
    /// @param game the devices; must outlive the object
    /// @throws std::invalid_argument as LabelGame::Validate()
    explicit LabelPlay(const LabelGame& game);

    /// @brief Let devices have other transmitters, all at once.
    /// @param peers transmitter of each device, or NO_PEER
    /// @throws std::invalid_argument if a peer is the device itself or out of range
    void SetPeers(const std::vector<uint32_t>& peers);
    /// @brief Let one device have another transmitter.
    /// @param receiver the device
    /// @param peer its transmitter, another device, or NO_PEER
    void SetPeer(uint32_t receiver, uint32_t peer);

    /// @return transmitter of each device, or NO_PEER
    const std::vector<uint32_t>& GetPeers() const;
    /// @return what is allotted to each device
    const std::vector<PartitionCounts>& GetAllotted() const;
    /// @return Dhat_i of each device, expected
    const std::vector<std::vector<double>>& GetAfter() const;
    /// @return g of each device
    const std::vector<double>& GetScores() const;
    /// @return rL of each device
    const std::vector<double>& GetLocalRewards() const;
    /// @return mean of rL over all devices
    double GetMeanLocalReward() const;
    /// @return R of each device, (14)
    std::vector<double> GetRewards() const;

  private:
    /// @brief Divide anew what a transmitter has to spare, (11).
    /// @param transmitter whose receivers have changed
    void Allot(uint32_t transmitter);
    /// @brief Compute Dhat, g and rL of a device anew, (12), (13).
    /// @param device whose gains or losses have changed
    void Score(uint32_t device);
    /// @brief Put a device where its transmitter's receivers are, or take it away from there.
    /// @param receiver the device
    /// @param peer its transmitter, or NO_PEER
    void Move(uint32_t receiver, uint32_t peer);

    const LabelGame& m_game;                              //!< the devices
    std::vector<std::vector<PartitionCounts>> m_requests; //!< Q, by transmitter and receiver
    std::vector<std::vector<uint32_t>> m_members;         //!< devices of each cluster
    std::vector<uint32_t> m_peers;                        //!< transmitter of each device
    std::vector<std::vector<uint32_t>> m_receivers;       //!< of each transmitter, ascending
    std::vector<PartitionCounts> m_allotted;              //!< U to each device
    std::vector<PartitionCounts> m_given;                 //!< sum of U from each device
    std::vector<std::vector<double>> m_after;             //!< Dhat
    std::vector<double> m_scores;                         //!< g
    std::vector<double> m_localRewards;                   //!< rL
};

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

/// @brief Run Algorithm 1 on a graph with certain messages and expected losses of data.
/// @param game the devices
/// @param peers transmitter of each device, or NO_PEER
/// @return what it comes to; a device without an edge has the outage 0
/// @throws std::invalid_argument if a peer is the device itself or out of range
LabelOutcome PlayLabelGame(const LabelGame& game, const std::vector<uint32_t>& peers);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_GAME_H */
