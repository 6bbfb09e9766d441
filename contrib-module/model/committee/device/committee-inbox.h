/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_INBOX_H
#define COMMITTEE_INBOX_H

#include "ns3/committee-consensus.h"
#include "ns3/committee-message.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

/// Gradients, in the order of their clients
using GradientList = std::vector<std::shared_ptr<const SignedGradient>>;

/// @param model w
/// @param gradients of the aggregation set
/// @param rate eta
/// @param mostWeight see LimitSampleWeights()
/// @return the new model
std::vector<float> ApplyAll(const std::vector<float>& model,
                            const GradientList& gradients,
                            double rate,
                            double mostWeight);

/**
 * @ingroup collab
 * @brief What a device keeps of what it hears: never more than a fixed number of messages a sender.
 *
 * Of the present round it keeps the first gradient of each client that trains, and such as it has
 * asked others for. Of the next round it keeps one gradient a sender, until the round begins and
 * tells who trains, and a few messages of the committee, which with BYZANTINE are no longer than
 * CommitteeBounds allow, and of which two may be proposals. All must be authentic before, and
 * allowed, which costs less to find out and so comes first.
 */
class CommitteeInbox
{
  public:
    /// Messages of the committee of the next round that are kept, a sender
    static constexpr std::size_t MOST_EARLY = 8;
    /// With BYZANTINE: proposals among them, of all senders
    static constexpr std::size_t MOST_EARLY_REQUESTS = 2;

    /// @param bounds with BYZANTINE: of a message of the committee; nothing for no bounds
    explicit CommitteeInbox(const std::optional<CommitteeBounds>& bounds = std::nullopt);

    /// @brief Begin a round: what is kept of it counts, all else is dropped.
    /// @param round of the mechanism
    /// @param clients that train, ascending
    /// @return messages of its committee that came early
    std::vector<std::shared_ptr<const ConsensusMessage>> Begin(uint32_t round,
                                                               std::vector<uint32_t> clients);
    /// @brief Lose everything.
    void
    Clear()
    {
        m_gradients.clear();
        m_fetched.clear();
        m_wanted.clear();
        m_next.clear();
        m_early.clear();
        m_requests = 0;
    }

    /// @return why an authentic gradient is not kept; empty if it is, or the client's first one
    std::string Add(const std::shared_ptr<const SignedGradient>& gradient);
    /// @param digests of gradients that the device asks others for, by client
    void Want(const GradientDigests& digests);
    /// @return whether a gradient, authentic, from anybody, was wanted
    bool
    AddWanted(const std::shared_ptr<const SignedGradient>& gradient)
    {
        if (gradient->round != m_round || m_wanted.erase(gradient->digest) == 0)
        {
            return false;
        }
        m_fetched[gradient->digest] = gradient;
        return true;
    }

    /// @return whether a message of the committee is not too long to be looked at
    bool
    Allows(const ConsensusMessage& message) const
    {
        return !m_bounds || m_bounds->Allows(message);
    }

    /// @return whether an authentic and allowed message of the next round's committee is kept
    bool AddEarly(const std::shared_ptr<const ConsensusMessage>& message);

    /// @return bytes of all that is kept
    uint64_t CountKept() const;
    /// @return proposals of the next round that are kept
    std::size_t CountEarlyProposals() const;
    /// @return the first gradients of the present round, by client
    const GradientsByClient&
    GetGradients() const
    {
        return m_gradients;
    }

    /// @return clients that train, ascending
    const std::vector<uint32_t>&
    GetClients() const
    {
        return m_clients;
    }

    /// @return whether the gradient of a client that trains is not there
    bool
    HasMissing() const
    {
        return m_gradients.size() < m_clients.size();
    }

    /// @return the gradient; null if it is not there
    std::shared_ptr<const SignedGradient> Find(const Digest& digest) const;
    /// @param order which gradients are wanted: with PAPER the first ones of its clients
    /// @return these; nothing if one is not there
    std::optional<GradientList> Gather(const AggregationOrder& order) const;
    /// @return an order's gradients that are not there, by client, with BYZANTINE
    GradientDigests FindMissing(const AggregationOrder& order) const;

  private:
    std::optional<CommitteeBounds> m_bounds;                           //!< of early messages
    std::size_t m_requests = 0;                                        //!< that came early
    uint32_t m_round = 0;                                              //!< present round
    std::vector<uint32_t> m_clients;                                   //!< that train, ascending
    GradientsByClient m_gradients;                                     //!< first ones
    std::set<Digest> m_wanted;                                         //!< asked for
    GradientsByClient m_next;                                          //!< of the next round
    std::map<Digest, std::shared_ptr<const SignedGradient>> m_fetched; //!< that were wanted
    /// Of the next round, by sender
    std::map<uint32_t, std::vector<std::shared_ptr<const ConsensusMessage>>> m_early;
};

} // namespace ns3::collab

#endif /* COMMITTEE_INBOX_H */
