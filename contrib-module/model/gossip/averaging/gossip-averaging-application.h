/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_AVERAGING_APPLICATION_H
#define GOSSIP_AVERAGING_APPLICATION_H

#include "gossip-averaging-messages.h"

#include "ns3/collab-check-argument.h"
#include "ns3/gossip-application.h"

#include <algorithm>
#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief What algorithms have in common in whose rounds devices train, send one message to peers,
 * and average what has come.
 *
 * After MixTimeout a device goes on with what it has: a round ends within its training, merging and
 * that.
 */
class AveragingGossipApplication : public GossipApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  protected:
    /// Messages of peers that are not merged yet, by sender and round
    template <typename T>
    using Mail =
        boost::container::flat_map<uint32_t,
                                   boost::container::flat_map<uint32_t, std::shared_ptr<const T>>>;

    /// @brief Take part in messages of a type; called once, in DoStart().
    /// @param mail keeps them; lasts as long as this object
    /// @param expected a message of the shape that all know
    /// @param takesLate whether those of earlier rounds are of use, too
    template <typename T>
    void
    Collect(Mail<T>& mail, T expected, bool takesLate)
    {
        const std::function<void(const Received<T>&)> keep = [this, &mail, takesLate](
                                                                 const Received<T>& message) {
            if (!IsRunning())
            {
                return; // all rounds are done
            }
            Require<PayloadError>(takesLate || message.round >= GetRound(),
                                  "a message of a round that is over");
            Require<PayloadError>(mail[message.sender].emplace(message.round, message.body).second,
                                  "a message that has come already");
            uint32_t& latest = m_latest.emplace(message.sender, message.round).first->second;
            latest = std::max(latest, message.round);
        };
        OnPeer<T>(keep, std::move(expected));
    }

    /// @brief Wait until peers' messages of this round have come, or later ones that they cannot
    /// have been overtaken by, for MixTimeout at most.
    /// @param mail with the messages
    /// @param from the peers
    /// @param phase its name in traces
    template <typename T>
    Process
    WaitFor(const Mail<T>& mail, std::vector<uint32_t> from, std::string phase = "exchange")
    {
        EnterPhase(phase);
        // Who is known of stays so
        const std::function<bool()> isOver = [this, &mail, &from, next = from.begin()]() mutable {
            next = std::find_if_not(
                next, from.end(), [&](uint32_t peer) { return IsKnown(mail, peer); });
            return next == from.end();
        };
        co_await WaitUntil(isOver, m_mixTimeout);
    }

    /// @brief The same, and count whose has come.
    /// @param mail with the messages
    /// @param from the peers
    /// @param phase its name in traces
    template <typename T>
    Process
    Await(const Mail<T>& mail, std::vector<uint32_t> from, std::string phase = "exchange")
    {
        co_await WaitFor(mail, from, phase);
        for (const uint32_t peer : from)
        {
            NoteExchange(peer, 0, IsThere(mail, peer), IsKnown(mail, peer) ? "" : "MixTimeout");
        }
    }

    /// @brief Take the messages of this round out of the mail, and drop those before.
    /// @param mail with the messages
    /// @return the messages, by sender
    template <typename T>
    std::map<uint32_t, std::shared_ptr<const T>>
    Take(Mail<T>& mail) const
    {
        std::map<uint32_t, std::shared_ptr<const T>> taken;
        for (auto& [sender, messages] : mail)
        {
            const auto found = messages.find(GetRound());
            if (found != messages.end())
            {
                taken.emplace(sender, found->second);
            }
            messages.erase(messages.begin(), messages.upper_bound(GetRound()));
        }
        return taken;
    }

    /// @brief Phase "merge": take the plain mean of the own model and others.
    /// @param models of peers; if there is none, the own model stays
    Process MergeMean(std::map<uint32_t, std::shared_ptr<const gossip::Push>> models);

    /// @return peers that the device can reach, ascending
    std::vector<uint32_t> FindNeighbors() const;
    /// @return attribute MixTimeout
    Time GetMixTimeout() const;

  private:
    /// @param mail with messages
    /// @param peer a peer
    /// @return whether its message of this round is there
    template <typename T>
    bool
    IsThere(const Mail<T>& mail, uint32_t peer) const
    {
        const auto messages = mail.find(peer);
        return messages != mail.end() && messages->second.count(GetRound()) > 0;
    }

    /// @param mail with messages
    /// @param peer a peer
    /// @return whether its message of this round is there, or comes no more
    template <typename T>
    bool
    IsKnown(const Mail<T>& mail, uint32_t peer) const
    {
        // ARQ may repeat a message for so long that the next one comes first
        const bool isReliable = GetLossPolicy() == LossPolicy::RELIABLE;
        const auto latest = m_latest.find(peer);
        return IsThere(mail, peer) ||
               (latest != m_latest.end() && latest->second > GetRound() + (isReliable ? 1 : 0));
    }

    Time m_mixTimeout; //!< attribute MixTimeout
    /// Latest round that peers have sent something of
    boost::container::flat_map<uint32_t, uint32_t> m_latest;
};

} // namespace ns3::collab

#endif /* GOSSIP_AVERAGING_APPLICATION_H */
