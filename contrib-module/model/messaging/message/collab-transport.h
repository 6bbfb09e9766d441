/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TRANSPORT_H
#define COLLAB_TRANSPORT_H

#include "collab-message.h"

#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
{

class MessageHeader;
struct AnalogPort;

/// @ingroup collab-messaging
/// @brief How payloads cross the simulated network. Traces are the same both ways.
enum class PayloadMode
{
    REFERENCE, //!< packets have the payload's size, and its pointer is handed over on delivery
    BYTES,     //!< packets have the payload's bytes, and the receiver parses them
};

/// @ingroup collab-messaging
/// @brief What a device can measure of a link from another device.
struct LinkQuality
{
    double rssW = 0;              //!< mean received signal strength of the other device here [W]
    double outageProbability = 1; //!< probability of losing a part of a message from it
};

/**
 * @ingroup collab-messaging
 * @brief How protocols speak with other devices; aggregated to a node.
 *
 * A device is known by its number, the identifier of its node.
 */
class Transport : public Object
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// Receives messages of one kind
    using Receiver = std::function<void(const Message& message)>;

    /// @brief Take part in messages of one kind.
    /// @param kind the kind's number
    /// @param name what traces call it
    /// @param parser parser that makes its payload out of bytes
    /// @param receiver called with each message of this kind that arrives
    /// @param partParser the same for divisible messages of which units are missing; empty if the
    /// parser can read these, too
    void RegisterKind(uint16_t kind,
                      std::string name,
                      PayloadParser parser,
                      Receiver receiver,
                      PartParser partParser = nullptr);

    /// @brief Send a message to one device.
    /// @param receiver number of the device
    /// @param content what to send, of a registered kind
    /// @param options how to send it
    /// @return the message's sequence number
    uint32_t Send(uint32_t receiver, MessageContent content, SendOptions options = {});

    /// @brief Send a message to all devices in range, by one transmission.
    /// @param content what to send, of a registered kind
    /// @param options how to send it
    /// @return the message's sequence number
    uint32_t Broadcast(MessageContent content, SendOptions options = {});

    /**
     * @brief Send a message to some devices, by one transmission where the network can.
     *
     * Each of them has losses and, if the policy is reliable, acknowledgments of its own. The
     * message has an outcome at each of them, in range or not. Other devices neither hear it nor
     * spend anything on it. Nothing is sent to an empty group.
     *
     * @param receivers numbers of other devices, ascending; give the same list again if the group
     * is the same
     * @param content what to send, of a registered kind
     * @param options how to send it
     * @return the message's sequence number
     */
    uint32_t Multicast(DeviceGroup receivers, MessageContent content, SendOptions options = {});

    /// @brief Cancel a message of this device: what has not been sent of it is not sent.
    /// @param sequence the message's sequence number
    /// @return whether the network still had it
    bool Cancel(uint32_t sequence);

    /// @brief Trace that a protocol does not believe a message that it received.
    /// @param reason what is wrong with it
    void Reject(const std::string& reason);

    /// @return number of this device
    uint32_t
    GetDeviceId() const
    {
        return m_deviceId;
    }

    /// @return devices that a broadcast would reach now, if nothing is lost; ascending
    virtual std::vector<uint32_t> GetNeighbors() const = 0;

    /// @param sender number of another device
    /// @return what this device can measure of the link from it to here; nothing if it hears
    /// nothing of it, or the network does not tell
    virtual std::optional<LinkQuality> GetLinkQuality(uint32_t sender) const;

    /// @return whether the network tells the quality of links, so that no quality means no link
    virtual bool
    MeasuresLinks() const
    {
        return false;
    }

    /// @param bytes size of a message, header and payload
    /// @param receiver number of the device that it is for; nothing for a broadcast
    /// @return time on the air of this message when all of its parts are sent once
    virtual Time GetAirtime(uint64_t bytes,
                            std::optional<uint32_t> receiver = std::nullopt) const = 0;

    /// @param bytes size of a message, header and payload
    /// @param senders devices, each of which has such a message to send at the same time
    /// @return time until each has sent it once: GetAirtime() where they do not share a medium, as
    /// by default
    virtual Time GetContendedAirtime(uint64_t bytes, uint32_t senders) const;

    /// @return whether the device can receive while it sends, as by default
    virtual bool
    HearsWhileSending() const
    {
        return true;
    }

    /// @param bytes size of a message, header and payload
    /// @param senders devices, each of which has such a message for all others at the same time
    /// @return time until each has sent it once and all others can have heard it:
    /// GetContendedAirtime(), or one after the other if they do not hear while they send
    Time GetBroadcastTime(uint64_t bytes, uint32_t senders) const;

    /// @param bytes size of a unit of a divisible message
    /// @return parts in which such a unit is sent, each of which is lost by itself; 1 by default
    virtual uint32_t CountUnitParts(uint32_t bytes) const;

    /// @return how long this device has to listen until it knows whom it hears; 0 if it knows
    /// without, as by default
    virtual Time
    GetListeningTime() const
    {
        return Time();
    }

    /// @param peer number of another device
    /// @return the way to send to it, or to receive from it, by analog aggregation
    /// @throws UserError if the network has none, as by default, with the reason
    virtual AnalogPort GetAnalogPort(uint32_t peer) const;

    /// @param server number of the server that this device can send to
    void
    SetServer(uint32_t server)
    {
        m_server = server;
    }
    /// @return number of the server that this device can send to; nothing if there is none
    std::optional<uint32_t>
    GetServer() const
    {
        return m_server;
    }

    /**
     * @brief Bytes that have really been sent, headers of messages included.
     *
     * What waits, or was dropped before it was sent, does not count. A message to several devices
     * counts once, and so does what is repeated: a message counts with its size at most.
     *
     * @return bytes so far
     */
    uint64_t GetBytesSent() const;

    /**
     * @brief The run is over: trace what became of the messages that the network still has.
     *
     * Call it when the simulator has stopped, and simulate nothing afterwards. Protocols are told
     * nothing.
     */
    void EndRun();

    /// TracedCallback signature for messages.
    /// @param message the message
    /// @param bytes its size, header and payload
    typedef void (*MessageTracedCallback)(const Message& message, uint64_t bytes);
    /// TracedCallback signature for outcomes.
    /// @param outcome what became of a message at one device
    typedef void (*OutcomeTracedCallback)(const MessageOutcome& outcome);
    /// TracedCallback signature for messages that were not believed.
    /// @param device the device that received it
    /// @param reason what is wrong with it
    typedef void (*RejectTracedCallback)(uint32_t device, const std::string& reason);

  protected:
    void DoDispose() override;

    /// Number by which no device is known: to all in range
    static constexpr uint32_t BROADCAST = UINT32_MAX;

    /// Whom a message is for
    struct Destination
    {
        uint32_t receiver = BROADCAST; //!< number of a device, or BROADCAST
        DeviceGroup group;             //!< if not null, these devices instead
    };

    /// @brief Hand a message to the network.
    /// @param to whom it is for; a group may be empty
    /// @param packet the message on the wire
    /// @param message the message
    /// @param options how to send it
    virtual void DoSend(Destination to,
                        Ptr<Packet> packet,
                        std::shared_ptr<const Message> message,
                        SendOptions options) = 0;
    /// @brief Take a message back from the network.
    /// @param sequence number of a message of this device
    /// @return whether the network still had it
    virtual bool DoCancel(uint32_t sequence) = 0;

    /// @brief Notify the outcome of all messages that have none yet.
    virtual void DoEndRun() = 0;
    /// @return bytes of messages that have been sent, and not been told by NotifySent()
    virtual uint64_t
    GetBytesUnderWay() const
    {
        return 0;
    }
    /// @param bytes bytes of messages of this device that have been sent; see GetBytesSent()
    void
    NotifySent(uint64_t bytes)
    {
        m_bytesSent += bytes;
    }

    /// @brief A packet has arrived.
    /// @param packet the message on the wire
    /// @param sender who sent it, as the network knows
    /// @param handedOver the payload as it was sent, for PayloadMode::REFERENCE; null if the
    /// network handed none over
    /// @param units for a divisible message the numbers of the units that arrived, ascending; null
    /// for another message
    void Receive(Ptr<const Packet> packet,
                 uint32_t sender,
                 const std::shared_ptr<const Payload>* handedOver,
                 const std::vector<uint32_t>* units = nullptr);

    /// @return whether anybody wants to know what becomes of messages
    bool
    TracesOutcomes() const
    {
        return !m_outcomeTrace.IsEmpty();
    }
    /// @brief Trace what became of a message.
    /// @param outcome all but the kind's name
    void NotifyOutcome(MessageOutcome outcome);

    /// @return attribute PayloadMode
    PayloadMode
    GetPayloadMode() const
    {
        return m_mode;
    }

    uint32_t m_deviceId = 0; //!< number of this device

  private:
    /// What is known of a kind of message
    struct Kind
    {
        std::string name;     //!< in traces
        PayloadParser parser; //!< bytes to payload
        Receiver receiver;    //!< who wants it
        PartParser part;      //!< bytes of some units to payload
    };

    /// @param message a message
    /// @return its bytes, or as many that stand for them
    Ptr<Packet> MakePacket(const Message& message) const;
    /// @param header header of a message that has arrived
    /// @param units the numbers of the units that arrived, ascending; null if the network took it
    /// for a message without units
    /// @return whether a message with that header can have arrived so
    static bool HasPossibleUnits(const MessageHeader& header, const std::vector<uint32_t>* units);
    /// @param kind a kind of message
    /// @param packet the bytes behind the header
    /// @param message what is known of the message, with the units that arrived
    /// @param handedOver the payload as it was sent; null if none was handed over
    /// @return the message's payload, or what arrived of it
    /// @throws PayloadError if the bytes are malformed
    std::shared_ptr<const Payload> MakePayload(
        const Kind& kind,
        Ptr<const Packet> packet,
        const Message& message,
        const std::shared_ptr<const Payload>* handedOver) const;
    /// @brief Make, count and send a message.
    /// @param to whom it is for
    /// @param content what to send, of a registered kind
    /// @param options how to send it
    /// @return the message's sequence number
    uint32_t SendTo(Destination to, MessageContent content, SendOptions options);

    PayloadMode m_mode;               //!< attribute PayloadMode
    std::map<uint16_t, Kind> m_kinds; //!< registered kinds
    uint32_t m_nextSequence = 1;      //!< number of the next message
    uint64_t m_bytesSent = 0;         //!< see NotifySent()
    std::optional<uint32_t> m_server; //!< see GetServer()

    TracedCallback<const Message&, uint64_t> m_txTrace;         //!< trace source Tx
    TracedCallback<const Message&, uint64_t> m_rxTrace;         //!< trace source Rx
    TracedCallback<uint32_t, const std::string&> m_rejectTrace; //!< trace source Reject
    TracedCallback<const MessageOutcome&> m_outcomeTrace;       //!< trace source Outcome
};

} // namespace ns3::collab

#endif /* COLLAB_TRANSPORT_H */
