/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_LABEL_PLAY_H
#define GRAPH_DISCOVERY_LABEL_PLAY_H

#include "graph-discovery-game.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @brief A graph of a game, and what it comes to, kept up to date while edges change.
 *
 * An edge that changes costs what the receivers of its old and new transmitter cost, not all.
 */
class LabelPlay
{
  public:
    /**
     * @param game the devices; must outlive the object
     * @throws std::invalid_argument as LabelGame::Validate()
     */
    explicit LabelPlay(const LabelGame& game);

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

} // namespace collab
} // namespace ns3

#endif /* GRAPH_DISCOVERY_LABEL_PLAY_H */
