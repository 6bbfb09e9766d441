/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DATAGRAM_RECEIVER_H
#define COLLAB_DATAGRAM_RECEIVER_H

#include "collab-datagram-assembly.h"
#include "collab-datagram-header.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ns3::collab
{

/**
 * @ingroup collab-messaging
 * @brief Puts the messages together that arrive at one device in datagrams.
 *
 * A reception ends when all parts are there, when the sender says that no more will come, or when
 * the next part does not come in time. What was received before is dropped as a duplicate: the
 * receiver remembers the last MEMORY messages of each sender, and drops older ones.
 */
class DatagramReceiver
{
  public:
    /// Messages of one sender that are remembered
    static constexpr uint32_t MEMORY = 4096;

    /// How to receive
    struct Settings
    {
        bool keepsBytes = false;     //!< whether the payload's bytes matter
        uint64_t maxMessageSize = 0; //!< largest message that is accepted [byte]
        Time lifetime;               //!< datagrams that were sent longer ago are dropped
        Time partTimeout; //!< longest wait for the next part of a message without acknowledgments
        Time retransmissionTimeout; //!< longest time between two transmissions of a part
    };

    /// Whom to tell
    struct Callbacks
    {
        /// Sends an acknowledgment to a device
        std::function<void(uint32_t device, const DatagramAcknowledgment& acknowledgment)>
            acknowledge;
        /// Told of each part of a message that had not arrived before
        std::function<void(uint32_t sender, uint32_t sequence)> arrived;
        /// Told of the end of a reception
        std::function<void(uint32_t sender, uint32_t sequence, const DatagramAssembly& assembly)>
            ended;
    };

    /// @param settings how to receive
    /// @param callbacks whom to tell
    DatagramReceiver(Settings settings, Callbacks callbacks);
    DatagramReceiver(const DatagramReceiver&) = delete;
    DatagramReceiver& operator=(const DatagramReceiver&) = delete;
    ~DatagramReceiver();

    /// @brief Take a part of a message, or the notice that no more will come.
    /// @param header its header, which came from its sender
    /// @param body what is behind the header
    /// @return what is wrong with it; empty if nothing is
    std::string Handle(const DatagramHeader& header, Ptr<const Packet> body);

  private:
    /// Device that a message comes from, and the message's number
    using Key = std::pair<uint32_t, uint32_t>;

    /// A message that is being received
    struct Reception
    {
        DatagramAssembly assembly; //!< what has arrived
        Time waitsUntil;           //!< when it is given up
        EventId event;             //!< looks whether it is given up
    };

    /// @param header header of a datagram
    /// @param layout layout that it claims
    /// @param bytes bytes behind the header
    /// @return what is wrong with it; empty if nothing is
    std::string FindFault(const DatagramHeader& header,
                          const DatagramLayout& layout,
                          uint32_t bytes) const;
    /// @param header header of a datagram
    /// @return how long to wait for the next one of its message
    Time GetPatience(const DatagramHeader& header) const;
    /// @brief Answer a datagram if its sender asks for that.
    /// @param header header of the datagram
    /// @param assembly what has arrived of its message; null if all has
    void Acknowledge(const DatagramHeader& header, const DatagramAssembly* assembly) const;
    /// @param key key of a reception that may have waited long enough
    void HandleSilence(Key key);
    /// @brief No more of a message will be received: remember that and tell of it.
    /// @param key key of the reception
    void End(const Key& key);
    /// @param key key of a message
    /// @return whether all of it has been received, if its reception has ended; nothing otherwise
    std::optional<bool> FindEnded(const Key& key) const;
    /// @param key key of a message whose reception has ended
    /// @param complete whether all of it has been received
    void RememberEnded(const Key& key, bool complete);

    Settings m_settings;                   //!< how to receive
    Callbacks m_callbacks;                 //!< whom to tell
    std::map<Key, Reception> m_receptions; //!< what is being received
    /// By sender and number of the message: whether it was received completely
    std::map<uint32_t, std::map<uint32_t, bool>> m_ended;
};

} // namespace ns3::collab

#endif /* COLLAB_DATAGRAM_RECEIVER_H */
