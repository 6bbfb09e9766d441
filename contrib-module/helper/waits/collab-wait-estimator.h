/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_WAIT_ESTIMATOR_H
#define COLLAB_WAIT_ESTIMATOR_H

#include "ns3/application-container.h"
#include "ns3/collab-message.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

namespace ns3::collab
{

/**
 * @ingroup collab-helper
 * @brief Estimates how long an exchange can take, so that deadlines need no guess.
 *
 * An algorithm says what it sends, and gets the time on air by its devices' transports, with
 * repetitions: a reliable message is sent twice, or as often as ARQ sends it on average if that is
 * more. Longest() adds what devices compute, and a margin.
 *
 * The cost grows with the number of devices and not with its square: of more than MOST_SENDERS
 * nodes only so many, evenly spaced, are asked how often ARQ sends their broadcasts. Any other node
 * counts as the worst of these.
 */
class WaitEstimator
{
  public:
    /// Senders whose links to all others are looked at, at most
    static constexpr uint32_t MOST_SENDERS = 64;

    /// @param nodes the devices, with their transports
    /// @param policy of what they send
    WaitEstimator(const NodeContainer& nodes, LossPolicy policy);

    /**
     * @brief How long it takes until each device has broadcast a message and all others can have
     * heard it.
     *
     * They send one after the other where they share a medium, and where they are half-duplex: a
     * half-duplex device misses what others send while it sends.
     *
     * @param bytes size of a message, header and payload
     * @return the time
     */
    Time Broadcast(uint64_t bytes) const;

    /// @brief How long it takes until one device has broadcast a message to all.
    /// @param bytes size of the message, header and payload
    /// @param sender any node, which need not be one of the devices
    /// @param receivers how many of the others have to hear it; those that hear it worst count
    /// @return the time
    Time BroadcastFrom(uint64_t bytes, const Ptr<Node>& sender, uint32_t receivers) const;

    /// @brief How long messages are on air, one after the other.
    /// @param bytes size of a message, header and payload
    /// @param sender any node, whose radio is meant
    /// @param messages that have to be sent until the last one is there
    /// @param receiver number of the node that they are for; nothing for the rate of broadcasts
    /// @return the time
    Time Unicast(uint64_t bytes,
                 const Ptr<Node>& sender,
                 double messages = 1,
                 std::optional<uint32_t> receiver = std::nullopt) const;

    /// @return how many devices send one after the other at most, on any of the devices' D2D
    /// channels: all of it where Access is Shared or Tdma, those of the fullest subchannel where
    /// they have Subchannels, and 1 where each device has a subchannel of its own
    uint32_t CountSharing() const;

    /// @return how often waits allow for a part to be sent: 2 of reliable messages, else 1
    int64_t CountSendings() const;

    /// @param sender one of the devices
    /// @return the same of its broadcasts to all others: as often as ARQ sends a part on average,
    /// if that is more
    double CountBroadcastSendings(const Ptr<Node>& sender) const;

    /// @param time that something takes
    /// @return a wait for it: a quarter longer
    static Time AddMargin(Time time);

    /// @tparam Application type of all applications
    /// @param applications applications of all devices
    /// @param least wait
    /// @param duration function that gives how long what others wait for takes, by application
    /// @return a wait for the slowest of them: AddMargin() of that, or the least one
    template <typename Application, typename Duration>
    static Time Longest(const ApplicationContainer& applications,
                        Time least,
                        const Duration& duration);

  private:
    /// @brief How often senders send a part of a broadcast with ARQ on average, by number of the
    /// node; of MOST_SENDERS devices.
    /// @return that, computed once
    const std::map<uint32_t, double>& GetAttempts() const;

    NodeContainer m_nodes;                         //!< the devices
    bool m_isReliable;                             //!< whether what is lost is repeated
    mutable std::map<uint32_t, double> m_attempts; //!< see GetAttempts()
};

template <typename Application, typename Duration>
Time
WaitEstimator::Longest(const ApplicationContainer& applications,
                       Time least,
                       const Duration& duration)
{
    Time longest;
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        longest = std::max(longest, duration(*DynamicCast<Application>(*it)));
    }
    return std::max(least, AddMargin(longest));
}

} // namespace ns3::collab

#endif /* COLLAB_WAIT_ESTIMATOR_H */
