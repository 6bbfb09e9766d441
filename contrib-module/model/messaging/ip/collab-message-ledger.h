/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MESSAGE_LEDGER_H
#define COLLAB_MESSAGE_LEDGER_H

#include "ns3/collab-message.h"
#include "ns3/event-id.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-messaging
 * @brief The simulator's own account of one sender's messages: what has reached whom.
 *
 * Receivers report here what has arrived, which no protocol gets to see. The ledger keeps a message
 * alive, for handing it over by pointer, until it is known what became of it at all receivers; then
 * it tells the outcomes, in ascending order of receivers.
 */
class MessageLedger
{
  public:
    /// Told what became of a message at one receiver; all but the kind's name is filled in
    using OutcomeCallback = std::function<void(const MessageOutcome& outcome)>;

    /// @param outcome told of each receiver of each message
    explicit MessageLedger(OutcomeCallback outcome);
    MessageLedger(const MessageLedger&) = delete;
    MessageLedger& operator=(const MessageLedger&) = delete;
    ~MessageLedger();

    /// @brief A message is about to be sent.
    /// @param message the message
    /// @param bytes its size, header and payload
    /// @param fragments parts in which it will be sent
    /// @param receivers whom it is meant for
    void Open(std::shared_ptr<const Message> message,
              uint64_t bytes,
              uint32_t fragments,
              const std::vector<uint32_t>& receivers);
    /// @param sequence number of a message
    /// @return the message; null if there is none, or its outcomes have been told
    std::shared_ptr<const Message> Find(uint32_t sequence) const;

    /// @brief A part of a message is sent now.
    /// @param sequence number of the message
    /// @param bytes bytes of the message in the part
    /// @return how many of them count as sent: repeated or not, a message counts with its size at
    /// most
    uint64_t NotifyAttempt(uint32_t sequence, uint64_t bytes);
    /// @brief A part of a message has arrived that had not arrived before.
    /// @param sequence number of the message
    /// @param receiver the device where it arrived
    void NotifyFragment(uint32_t sequence, uint32_t receiver);
    /// @brief A receiver expects no more of a message, and has handed up what it got.
    /// @param sequence number of the message
    /// @param receiver the device
    /// @param delivered whether its protocol got it, or any unit of it
    /// @param units number of units that it got
    void NotifyReceiverDone(uint32_t sequence, uint32_t receiver, bool delivered, uint32_t units);
    /// @brief The sender will send nothing more of a message to a receiver.
    /// @param sequence number of the message
    /// @param receiver the device
    /// @param reason why the receiver has not got it all, if so
    /// @param lifetime how long what was sent can stay in the network
    void NotifySenderDone(uint32_t sequence,
                          uint32_t receiver,
                          const std::string& reason,
                          Time lifetime);

    /// @brief The run is over: tell the outcomes of all messages.
    void EndRun();

  private:
    /// What is known of a message at one receiver
    struct Reception
    {
        uint32_t fragments = 0;    //!< parts that have arrived
        uint32_t units = 0;        //!< units that were handed up
        bool delivered = false;    //!< whether anything was handed up
        bool receiverDone = false; //!< whether the receiver expects no more
        bool senderDone = false;   //!< whether the sender sends no more
        bool networkDone = false;  //!< whether nothing of it can be in the network any longer
        bool concluded = false;    //!< whether all is known
        std::string reason;        //!< given by the sender
        Time end;                  //!< when the receiver was done, or all was known
        EventId lifetimeEvent;     //!< the network has nothing of it any longer
    };

    /// A message whose outcomes are not all known
    struct Entry
    {
        std::shared_ptr<const Message> message;   //!< the message
        MessageOutcome common;                    //!< what is the same for all receivers
        std::map<uint32_t, Reception> receptions; //!< by receiver
        std::size_t unconcluded = 0;              //!< how many of them are not concluded
    };

    /// @param sequence number of a message
    /// @param receiver a device
    /// @return what is known of it there; null if it is not expected there, or concluded
    Reception* FindReception(uint32_t sequence, uint32_t receiver);
    /// @brief Conclude a reception if all is known of it, and the message if that was the last one.
    /// @param sequence number of the message
    /// @param receiver a device
    void Check(uint32_t sequence, uint32_t receiver);
    /// @param entry a message whose receptions are concluded
    void Tell(const Entry& entry) const;

    OutcomeCallback m_outcome;        //!< told of outcomes
    std::map<uint32_t, Entry> m_open; //!< by number of the message
};

} // namespace ns3::collab

#endif /* COLLAB_MESSAGE_LEDGER_H */
