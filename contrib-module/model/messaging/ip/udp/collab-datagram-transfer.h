/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DATAGRAM_TRANSFER_H
#define COLLAB_DATAGRAM_TRANSFER_H

#include "ns3/event-id.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-messaging
/// @brief The parts of one message on their way to one destination, as their sender sees them:
/// selective repeat if they are acknowledged, or else each sent once.
class DatagramTransfer
{
  public:
    /// A part that was sent and is neither acknowledged nor given up
    struct Outstanding
    {
        uint32_t attempts = 0; //!< transmissions so far
        EventId timer;         //!< when it is sent again
    };

    /// @param count number of parts
    /// @param maxAttempts transmissions that a part may have with acknowledgments; 0 for one
    /// without
    DatagramTransfer(uint32_t count, uint32_t maxAttempts);
    DatagramTransfer(const DatagramTransfer&) = delete;
    DatagramTransfer& operator=(const DatagramTransfer&) = delete;
    ~DatagramTransfer();

    /// @return whether parts are acknowledged
    bool
    IsAcknowledged() const
    {
        return m_maxAttempts > 0;
    }
    /// @return transmissions that a part may have
    uint32_t
    GetMaxAttempts() const
    {
        return m_maxAttempts;
    }
    /// @param windowOpen whether a part may be sent that is not outstanding
    /// @return number of the part to send now, which counts as sent from here on; nothing if none
    /// can be sent now
    std::optional<uint32_t> TakeNext(bool windowOpen);
    /// @brief Start the timer of a part that was sent.
    /// @param index number of the part
    /// @param timer its event
    void SetTimer(uint32_t index, EventId timer);
    /// @param index number of a part
    /// @return transmissions of it so far; 0 if it is not outstanding
    uint32_t GetAttempts(uint32_t index) const;
    /// @param index number of an outstanding part that is to be sent again
    void Repeat(uint32_t index);
    /// @brief A part needs no more transmissions.
    /// @param index number of the part
    /// @param acknowledged whether it was acknowledged; otherwise it is given up
    /// @return whether it was outstanding until now
    bool Settle(uint32_t index, bool acknowledged);
    /**
     * @brief Send nothing more but, if wished, the notice that nothing more will come.
     *
     * The notice is the part with number count, sent as the others are.
     *
     * @param notice whether to send it
     */
    void Close(bool notice);

    /// @return number of outstanding parts
    uint32_t CountOutstanding() const;
    /// @return whether every part was sent and, with acknowledgments, is acknowledged or given up
    bool IsSettled() const;
    /// @return whether every part of the message was acknowledged
    bool IsAllAcknowledged() const;
    /// @param index number of a part
    /// @return whether it was acknowledged
    bool HasAcknowledged(uint32_t index) const;
    /// @return whether Close() was called
    bool
    IsClosed() const
    {
        return m_closed;
    }
    /// @return whether anything was sent
    bool
    HasBegun() const
    {
        return m_next > 0;
    }
    /// @return all parts before this number were acknowledged
    uint32_t
    GetBase() const
    {
        return m_base;
    }

  private:
    uint32_t m_count;                              //!< number of parts of the message
    uint32_t m_maxAttempts;                        //!< transmissions of a part
    uint32_t m_next = 0;                           //!< first part that was never sent
    uint32_t m_end;                                //!< number behind the last part to send
    uint32_t m_base = 0;                           //!< see GetBase()
    bool m_closed = false;                         //!< see IsClosed()
    std::set<uint32_t> m_repeats;                  //!< outstanding parts that are to be sent again
    std::map<uint32_t, Outstanding> m_outstanding; //!< by number
    std::vector<bool> m_acknowledged;              //!< by number
};

} // namespace ns3::collab

#endif /* COLLAB_DATAGRAM_TRANSFER_H */
