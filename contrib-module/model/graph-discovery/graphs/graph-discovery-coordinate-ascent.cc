/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-coordinate-ascent.h"

#include "graph-discovery-baselines.h"

#include "ns3/collab-random.h"

#include <limits>

namespace ns3::collab
{

namespace
{

/// Searches the graph of the greatest mean local reward
class CoordinateAscent
{
  public:
    /// @param play the graph
    explicit CoordinateAscent(LabelPlay& play)
        : m_play(play),
          m_devices(static_cast<uint32_t>(play.GetPeers().size()))
    {
    }

    /// @brief Ascend from each start: devices in turn take the transmitter that is best for the
    /// mean of all, until none changes. Each has one, be it of no use.
    /// @param starts number of starts, at least 1: a graph without edges, then random ones
    /// @param seed of the random graphs
    /// @return the best graph found
    SearchedGraph
    Search(uint32_t starts, uint64_t seed)
    {
        const std::vector<uint32_t> nobody(m_devices, NO_PEER);
        RandomGenerator generator(seed);
        m_play.SetPeers(nobody);
        SearchedGraph best{nobody, m_play.GetMeanLocalReward(), 0};
        for (uint32_t start = 0; start < starts && m_devices > 1; ++start)
        {
            m_play.SetPeers(start == 0 ? nobody : DrawGraph(generator));
            Ascend();
            if (start == 0 || m_play.GetMeanLocalReward() > best.meanLocalReward)
            {
                best.peers = m_play.GetPeers();
                best.meanLocalReward = m_play.GetMeanLocalReward();
            }
        }
        best.evaluations = m_evaluations;
        return best;
    }

  private:
    /// @brief Ascend from the present graph to one that no single device can better.
    void
    Ascend()
    {
        bool hasChanged = true;
        while (hasChanged)
        {
            hasChanged = false;
            for (uint32_t device = 0; device < m_devices; ++device)
            {
                hasChanged = TakeBestPeer(device) || hasChanged;
            }
        }
    }

    /// @brief Let a device have the transmitter that is best for the mean of all.
    /// @param device whose transmitter may change
    /// @return whether it has changed
    bool
    TakeBestPeer(uint32_t device)
    {
        // Less is the order of sums: graphs that are as good must not be taken in turn forever
        constexpr double LEAST_GAIN = 1e-9;
        const uint32_t old = m_play.GetPeers()[device];
        uint32_t best = old;
        double greatest = old == NO_PEER ? -std::numeric_limits<double>::infinity()
                                         : m_play.GetMeanLocalReward() + LEAST_GAIN;
        for (uint32_t peer = 0; peer < m_devices; ++peer)
        {
            if (peer == device || peer == old)
            {
                continue;
            }
            m_play.SetPeer(device, peer);
            ++m_evaluations;
            if (m_play.GetMeanLocalReward() > greatest)
            {
                best = peer;
                greatest = m_play.GetMeanLocalReward() + LEAST_GAIN;
            }
        }
        m_play.SetPeer(device, best);
        return best != old;
    }

    /// @param generator to draw with
    /// @return a transmitter of each device, all others equally likely
    std::vector<uint32_t>
    DrawGraph(RandomGenerator& generator) const
    {
        std::vector<uint32_t> peers(m_devices);
        for (uint32_t i = 0; i < m_devices; ++i)
        {
            std::vector<uint8_t> excluded(m_devices, 0);
            excluded[i] = 1;
            peers[i] = ChooseUniform(excluded, generator);
        }
        return peers;
    }

    LabelPlay& m_play;          //!< the graph
    uint32_t m_devices;         //!< N
    uint32_t m_evaluations = 0; //!< graphs that were played
};

} // namespace

SearchedGraph
SearchByCoordinateAscent(const LabelGame& game, uint32_t starts, uint64_t seed)
{
    LabelPlay play(game);
    return CoordinateAscent(play).Search(starts, seed);
}

} // namespace ns3::collab
