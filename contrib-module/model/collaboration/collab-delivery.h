/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DELIVERY_H
#define COLLAB_DELIVERY_H

#include "ns3/collab-message.h"
#include "ns3/collab-transport.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace ns3::collab
{

/// @ingroup collab-collaboration
/// @brief A message to one device, sent until it is acknowledged.
struct Delivery
{
    uint32_t receiver = 0;       //!< the device
    MessageContent content;      //!< what is sent
    uint8_t priority = 0;        //!< in the queue
    Time deadline = Time::Max(); //!< from which on it is not sent any more
    uint32_t retries = 0;        //!< how often it has been sent again
    /// Whether to send it again, asked before and after the wait for it; empty for yes
    std::function<bool()> wanted;
    /// Told once whether it is acknowledged, or unless LossPolicy::RELIABLE sent; may be empty
    std::function<void(bool)> finished;
};

/**
 * @ingroup collab-collaboration
 * @brief Sends messages until they are heard, or given up.
 *
 * A reliable message that the radio has given up is sent again after a random time, which parts
 * half-duplex devices that send to each other: uniform from 0 to twice the delay, doubled for each
 * further retry, up to 2^10 times. What is not wanted any more when that time is over, or whose
 * deadline is, ends without a retry; what waits when the object is destroyed is never sent.
 */
class DeliveryRepeater
{
  public:
    /// How often and when to send again
    struct Options
    {
        LossPolicy policy = LossPolicy::RELIABLE; //!< of the radio; only RELIABLE is repeated
        uint32_t retries = 0;                     //!< how often a message is sent again
        Time delay;                               //!< mean of the time before the first retry
        /// Draws uniformly from 0 to its argument [s]
        std::function<double(double)> draw;
        /// Whether the device still sends, and this at all
        std::function<bool(const Delivery&)> isAlive;
    };

    /// @param transport transport of the device
    /// @param options how often and when to send again
    DeliveryRepeater(Ptr<Transport> transport, Options options);
    ~DeliveryRepeater();

    /// @param delivery what to send
    void Send(Delivery delivery);

  private:
    struct State;
    std::shared_ptr<State> m_state; //!< outlived by what waits
};

} // namespace ns3::collab

#endif /* COLLAB_DELIVERY_H */
