/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DATAGRAM_PATH_H
#define COLLAB_DATAGRAM_PATH_H

#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/rtt-estimator.h"

#include <cstdint>

namespace ns3::collab
{

/// @ingroup collab-messaging
/// @brief What is known of the way to a peer, to which datagrams are sent with acknowledgments.
class DatagramPath
{
  public:
    /// @param greatest greatest window
    /// @return whether one more datagram may be sent
    bool IsOpen(uint32_t greatest) const;
    /// @param datagrams how many were sent for the first time
    void
    CountSent(uint32_t datagrams)
    {
        m_outstanding += datagrams;
    }
    /// @param datagrams how many were acknowledged, or given up
    void
    CountSettled(uint32_t datagrams)
    {
        m_outstanding -= datagrams;
    }
    /// @brief An acknowledgment has not come in time.
    void HalveWindow();
    /// @param datagrams how many were acknowledged
    /// @param greatest greatest window
    void WidenWindow(uint32_t datagrams, uint32_t greatest);
    /// @param roundTrip a round-trip time
    void Measure(Time roundTrip);
    /// @param attempts transmissions of a datagram so far
    /// @param initial timeout while nothing was measured
    /// @param least least timeout when something was
    /// @param greatest greatest timeout
    /// @return how long to wait for its acknowledgment (RFC 6298, section 2)
    Time GetTimeout(uint32_t attempts, Time initial, Time least, Time greatest) const;

  private:
    /// Window before anything is known
    static constexpr uint32_t FIRST_WINDOW = 2;

    uint32_t m_outstanding = 0;       //!< datagrams that are sent and not acknowledged
    uint32_t m_window = FIRST_WINDOW; //!< how many of them there may be
    Ptr<RttEstimator> m_roundTrip;    //!< round-trip time; null if never measured
};

} // namespace ns3::collab

#endif /* COLLAB_DATAGRAM_PATH_H */
