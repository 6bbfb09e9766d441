/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_MATCHING_H
#define GOSSIP_MATCHING_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Two devices that exchange in a round; the lower number first.
using GossipPair = std::pair<uint32_t, uint32_t>;

/// @ingroup collab
/// @brief What a device has heard of the rates of links, each direction as its receiver measures
/// it.
class LinkRates
{
  public:
    /// @param receiver who has measured it
    /// @param sender of the link
    /// @param bitsPerSecond what gets through; 0 for nothing
    void Set(uint32_t receiver, uint32_t sender, double bitsPerSecond);
    /// @param first a device
    /// @param second another one
    /// @return the lower of the rates of both directions, or that of the one that is known; 0 if
    /// none is [bit/s]
    double Get(uint32_t first, uint32_t second) const;

  private:
    std::map<std::pair<uint32_t, uint32_t>, double> m_rates; //!< by receiver and sender
};

/// @ingroup collab
/// @brief Which devices have exchanged lately.
class RecentPairs
{
  public:
    /// @brief Pairs of a round were told.
    /// @param round of them
    /// @param pairs of it
    void Note(uint32_t round, const std::vector<GossipPair>& pairs);
    /// @brief Find the parts of the graph whose edges are the pairs of some last rounds.
    /// @param devices its nodes, ascending
    /// @param round the present one
    /// @param window T, number of rounds before it that count
    /// @return number of the part for each device, in their order
    std::vector<std::size_t> GetParts(const std::vector<uint32_t>& devices,
                                      uint32_t round,
                                      uint32_t window) const;

  private:
    std::map<GossipPair, uint32_t> m_last; //!< latest round of a pair
};

/// @ingroup collab
/// @brief How peers are matched.
struct MatchOptions
{
    double quantile = 0.5; //!< part of the known links, the slowest ones, that is avoided; 0 to 1
    uint32_t window = 10;  //!< T, rounds within which exchanges are to connect all devices
};

/**
 * @brief Match each device with at most one other for a round of GossipFL.
 *
 * The adaptive peer selection of Tang et al. (algorithm 3): if the exchanges of the last T rounds
 * connect all devices, a random maximum matching of the fast links. If not, first one of links
 * between parts that they do not connect, fast or slow, so that every T rounds something bridges
 * them. Devices that are left over are matched by whatever links there are.
 * The threshold of a fast link, which the paper gives as a number, is a quantile of the rates
 * known.
 *
 * @param devices to match, ascending
 * @param rates known; links with a rate of 0 are not used
 * @param recent pairs of rounds before
 * @param round the present one
 * @param options how
 * @param seed of what is random
 * @return the pairs, ascending
 */
std::vector<GossipPair> MatchPeers(const std::vector<uint32_t>& devices,
                                   const LinkRates& rates,
                                   const RecentPairs& recent,
                                   uint32_t round,
                                   const MatchOptions& options,
                                   uint64_t seed);

} // namespace ns3::collab

#endif /* GOSSIP_MATCHING_H */
