/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_FL_APPLICATION_H
#define GOSSIP_FL_APPLICATION_H

#include "gossip-application.h"
#include "gossip-matching.h"
#include "gossip-merge.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Pairs that a coordinator has told, for traces.
struct GossipPairsRecord
{
    uint32_t round = 0;            //!< of the coordinator
    uint32_t coordinator = 0;      //!< who has matched
    std::vector<GossipPair> pairs; //!< the pairs
    std::vector<double> rates;     //!< of each pair, as the coordinator knows [bit/s]
    Time time;                     //!< when it told them
};

/**
 * @ingroup collab
 * @brief GossipFL (Tang et al., IEEE TPDS 2022), as one device runs it.
 *
 * At first, phase "announce", every device tells all the rate at which it sends, and then what it
 * gets through from each of those that it has heard: that rate less the outage of the link, as it
 * measures it. It repeats that every AnnounceInterval rounds.
 *
 * In a round a coordinator, drawn by a pseudo-random function that all share, matches the devices
 * by what it has heard (MatchPeers()), and tells all the pairs. Every device trains, phase "train";
 * waits for the pairs if it does not know them yet, phase "match"; sends its partner a part of its
 * weights and gets the same part of the partner's, phase "exchange"; and takes the mean of both,
 * phase "merge". The part, the same for all, is drawn anew each round from a seed that all share.
 * The paper has a server as coordinator.
 *
 * Who has missed the pairs, but gets a part, takes the sender for its partner. After MatchTimeout
 * without pairs, and after ExchangeTimeout without the partner's part, a device goes on alone: a
 * round ends within its training, merging and these two.
 */
class GossipFlApplication : public GossipApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param devices that take part
    /// @return size of a message with the rates from all others, the greatest one that is announced
    /// [B]
    static uint64_t GetRatesSize(std::size_t devices);

    /// TracedCallback signature for pairs.
    /// @param record what the coordinator has told
    typedef void (*PairsTracedCallback)(const GossipPairsRecord& record);

  protected:
    void DoStart() override;
    Process Round() override;

  private:
    /// @brief Tell the own rate, and those of links to here.
    void AnnounceRates();
    /// @brief Match all devices and tell them.
    void Coordinate();
    /// @brief Find out who is matched with this device in the present round.
    /// @return that one, or who has sent a part and so is; this device itself if nobody is matched
    /// with it; nothing if that is not known
    std::optional<uint32_t> FindPartner() const;
    /// @brief Exchange parts with the partner, and merge its one.
    /// @param partner another device
    Process Exchange(uint32_t partner);
    /// @brief Send the own part and get the partner's.
    /// @param partner another device
    /// @param part of the own weights
    Process Swap(uint32_t partner, Packed<gossip::Part> part);
    /// @return numbers that are exchanged in a round
    std::size_t CountExchanged() const;
    /// @return indices of the weights that are exchanged in the present round
    std::vector<uint32_t> DrawMask() const;

    /// @param message with rates
    void HandleRates(const Received<gossip::Rates>& message);
    /// @param message with pairs
    void HandlePairs(const Received<gossip::Pairs>& message);
    /// @brief Take note of pairs.
    /// @param round of them
    /// @param pairs of all devices
    void TakePairs(uint32_t round, const std::vector<GossipPair>& pairs);

    double m_fraction;           //!< attribute Fraction
    double m_quantile;           //!< attribute AvoidedLinks
    uint32_t m_window;           //!< attribute ConnectionWindow
    uint32_t m_announceInterval; //!< attribute AnnounceInterval
    Time m_announceTime;         //!< attribute AnnounceTime
    Time m_matchTimeout;         //!< attribute MatchTimeout
    Time m_exchangeTimeout;      //!< attribute ExchangeTimeout

    std::map<uint32_t, double> m_senderRates; //!< that devices say they send at [bit/s]
    LinkRates m_links;                        //!< as heard
    RecentPairs m_recent;                     //!< as heard
    /// who is matched with this device, by round; this device itself if nobody
    std::map<uint32_t, uint32_t> m_partners;
    /// parts of weights, by round and peer: one that is ahead may be matched with this device again
    std::map<std::pair<uint32_t, uint32_t>, std::shared_ptr<const gossip::Part>> m_parts;

    TracedCallback<const GossipPairsRecord&> m_pairsTrace; //!< trace source Pairs
};

} // namespace ns3::collab

#endif /* GOSSIP_FL_APPLICATION_H */
