/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PROTOCOL_APPLICATION_H
#define COLLAB_PROTOCOL_APPLICATION_H

#include "collab-delivery.h"
#include "collab-process.h"

#include "ns3/application.h"
#include "ns3/collab-packed-message.h"
#include "ns3/collab-transport.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <any>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A message that has arrived and can be believed.
/// @tparam T its type
template <typename T>
struct Received
{
    uint32_t sender = 0;   //!< device that sent it
    uint32_t round = 0;    //!< round of the protocol that it belongs to
    uint32_t sequence = 0; //!< number of the message at its sender
    /// Numbers of the units that arrived, ascending, if the message has units
    std::vector<uint32_t> units;
    uint32_t unitsSent = 0;        //!< units that the sender sent
    std::shared_ptr<const T> body; //!< what it says

    /// @return what it says
    const T&
    operator*() const
    {
        return *body;
    }

    /// @return what it says
    const T*
    operator->() const
    {
        return body.get();
    }
};

/// @ingroup collab
/// @brief Messages of one type, the newest of each device and those of later rounds.
/// @tparam T their type
template <typename T>
class Inbox
{
  public:
    /// What devices have said, by their numbers
    using Bodies = std::map<uint32_t, std::shared_ptr<const T>>;

    /// @param message that can be believed
    void
    Keep(const Received<T>& message)
    {
        m_heard[message.sender][message.round] = message.body;
    }

    /// @brief Take note of a message, whether it can be believed or not.
    /// @param sender device that sent it
    /// @param round that it says
    void
    Note(uint32_t sender, uint32_t round)
    {
        uint32_t& latest = m_latest[sender];
        latest = std::max(latest, round);
    }

    /// @param device another device
    /// @param round a round
    /// @return whether it has sent anything of that round or a later one, so that nothing of that
    /// round is to come any more
    bool
    HasSent(uint32_t device, uint32_t round) const
    {
        const auto latest = m_latest.find(device);
        return latest != m_latest.end() && latest->second >= round;
    }

    /// @param round a round
    /// @return what came of it
    Bodies
    GetOf(uint32_t round) const
    {
        Bodies bodies;
        for (const auto& [sender, messages] : m_heard)
        {
            const auto found = messages.find(round);
            if (found != messages.end())
            {
                bodies.emplace(sender, found->second);
            }
        }
        return bodies;
    }

    /// @return all messages that are kept, by sender and round
    const std::map<uint32_t, std::map<uint32_t, std::shared_ptr<const T>>>&
    GetAll() const
    {
        return m_heard;
    }

    /// @brief Forget what later rounds do not need: all before a round but the newest of each
    /// device.
    /// @param round the present one
    void
    Forget(uint32_t round)
    {
        for (auto& [sender, messages] : m_heard)
        {
            const uint32_t newest = messages.rbegin()->first;
            messages.erase(messages.begin(), messages.lower_bound(std::min(round, newest)));
        }
    }

  private:
    std::map<uint32_t, uint32_t> m_latest; //!< latest round of which a device has sent anything
    std::map<uint32_t, std::map<uint32_t, std::shared_ptr<const T>>> m_heard; //!< see GetAll()
};

/// @ingroup collab
/// @brief How a message is sent until it is acknowledged.
struct DeliverOptions
{
    std::optional<uint32_t> round; //!< of the message; the present one if none
    uint8_t priority = 0;          //!< in the queue
    Time deadline = Time::Max();   //!< from which on it is not sent any more
    std::function<bool()> wanted;  //!< whether to send it again; empty for yes
};

/// @ingroup collab
/// @brief Waits until a message is acknowledged, or given up; gives whether it is acknowledged
/// (with LossPolicy::BEST_EFFORT: sent). A message whose wait is destroyed is not sent again.
class DeliveryWait : public Wait
{
  public:
    /// @param repeater that sends
    /// @param delivery the message
    DeliveryWait(DeliveryRepeater& repeater, Delivery delivery);
    ~DeliveryWait() override;

    bool
    await_resume() const
    {
        return m_isThere;
    }

  private:
    bool Begin() override;

    DeliveryRepeater& m_repeater;   //!< sends
    Delivery m_delivery;            //!< the message
    std::shared_ptr<bool> m_isHere; //!< whether this object is
    bool m_begins = false;          //!< whether Begin() runs
    bool m_isOver = false;          //!< whether the network is done with it
    bool m_isThere = false;         //!< whether it is acknowledged
};

/**
 * @ingroup collab
 * @brief What devices tell each other, and what they do meanwhile.
 *
 * The base of CollaborationApplication: messages are structs with a list of fields (see the group
 * collab-fields), and what a device does are processes. What cannot be believed is refused, traced
 * by the transport, and never reaches the algorithm.
 */
class ProtocolApplication : public Application
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    ProtocolApplication();
    ~ProtocolApplication() override;

    /// @return number of this device
    uint32_t GetDeviceId() const;
    /// @return present round, from 0
    virtual uint32_t GetRound() const = 0;
    /// @return rounds to run
    virtual uint32_t GetRounds() const = 0;

  protected:
    void DoDispose() override;

    /// @brief Give an algorithm the attribute LossPolicy.
    /// @param type of the algorithm's application
    /// @param usual its default
    /// @return the type
    static TypeId AddLossPolicy(TypeId type, LossPolicy usual);
    /// @brief Give an algorithm whose messages are of use in parts the attribute LossPolicy.
    /// @param type of the algorithm's application
    /// @param usual its default
    /// @return the type
    static TypeId AddPartialLossPolicy(TypeId type, LossPolicy usual);
    /// @brief Give an algorithm the attributes Retries and RetryDelay.
    /// @param type of the algorithm's application
    /// @param usual default of Retries
    /// @return the type
    static TypeId AddRetries(TypeId type, uint32_t usual = 10);

    /// @return the node's transport
    Ptr<Transport> GetTransport() const;
    /// @param transport of the node; null if there is none any more
    void SetTransport(Ptr<Transport> transport);
    /// @return attribute LossPolicy
    LossPolicy GetLossPolicy() const;
    /// @return whether the device still takes messages; by default as long as it is running
    virtual bool IsAnswering() const = 0;
    /// @brief Take note of a message that can be believed, before it is handled.
    /// @param round that it says
    virtual void NoteRound(uint32_t round);
    /// @param delivery a message that has not been acknowledged
    /// @return whether it may be sent again; by default as long as the device is answering
    virtual bool IsAlive(const Delivery& delivery) const;
    /// @brief Draw the time before a message is sent again; by default from a stream of ns-3 of the
    /// device's own, whatever else is drawn in the run.
    /// @param longest a time [s]
    /// @return a random time from 0 to that [s]
    virtual double DrawDelay(double longest);

    /// @brief Take part in messages of a type.
    /// @tparam T with a list of fields
    /// @param handle gets each message of it that can be believed; a PayloadError that it throws
    /// refuses the message
    /// @param expected a message of the shape that all know
    template <typename T>
    void On(std::function<void(const Received<T>&)> handle, T expected = {});
    /// @brief Take part in messages of a type, and keep them for Hear(); those of rounds that this
    /// run does not have are refused.
    /// @param expected a message of the shape that all know
    template <typename T>
    void Listen(T expected = {});
    /// @return the messages of a type that Listen() has kept
    /// @param like a message of the kind, if the type has several
    template <typename T>
    Inbox<T>& GetInbox(const T& like = {});

    /// @brief Send a message to one device.
    /// @param receiver number of the device
    /// @param message what to send
    /// @param options how to send it; as LossPolicy says if left out
    /// @param round of the message; the present one if left out
    /// @return the message's sequence number
    template <typename T>
    uint32_t Send(uint32_t receiver,
                  Packed<T> message,
                  std::optional<SendOptions> options = std::nullopt,
                  std::optional<uint32_t> round = std::nullopt);
    /// @copydoc Send
    template <typename T>
    uint32_t Send(uint32_t receiver,
                  T message,
                  std::optional<SendOptions> options = std::nullopt,
                  std::optional<uint32_t> round = std::nullopt);
    /// @brief Send a message to all devices in range, by one transmission.
    /// @param message what to send
    /// @param options how to send it; as LossPolicy says if left out
    /// @param round of the message; the present one if left out
    /// @return the message's sequence number
    template <typename T>
    uint32_t Broadcast(T message,
                       std::optional<SendOptions> options = std::nullopt,
                       std::optional<uint32_t> round = std::nullopt);
    /// @copydoc Broadcast
    template <typename T>
    uint32_t Broadcast(Packed<T> message,
                       std::optional<SendOptions> options = std::nullopt,
                       std::optional<uint32_t> round = std::nullopt);
    /// @brief Send a message to some devices, by one transmission where the network can.
    /// @param receivers numbers of other devices, ascending
    /// @param message what to send
    /// @param options how to send it; as LossPolicy says if left out
    /// @param round of the message; the present one if left out
    /// @return the message's sequence number
    template <typename T>
    uint32_t Multicast(DeviceGroup receivers,
                       Packed<T> message,
                       std::optional<SendOptions> options = std::nullopt,
                       std::optional<uint32_t> round = std::nullopt);
    /// @brief Send a message to one device until it is acknowledged, with Retries.
    /// @param receiver number of the device
    /// @param message what to send
    /// @param options how to send it
    /// @return something to wait for
    template <typename T>
    DeliveryWait Deliver(uint32_t receiver, Packed<T> message, DeliverOptions options = {});
    /// @copydoc Deliver
    template <typename T>
    DeliveryWait Deliver(uint32_t receiver, T message, DeliverOptions options = {});
    /// @brief Send a message as Deliver() does, whatever else is waited for.
    /// @param receiver number of the device
    /// @param message what to send
    /// @param options how to send it
    /// @param finished told whether it is acknowledged, as long as the device is answering; may be
    /// empty
    template <typename T>
    void Post(uint32_t receiver,
              Packed<T> message,
              DeliverOptions options = {},
              std::function<void(bool)> finished = nullptr);

    /// @param isSo something that messages change
    /// @param longest how long to wait for it
    /// @return something to wait for, which gives whether it is so
    Until WaitUntil(std::function<bool()> isSo, Time longest = Time::Max());
    /// @brief Let processes go on that have waited for what is so now; whoever changes it beside
    /// messages calls this.
    void CheckWaits();
    /// @param process what the device does beside its rounds, until it goes off
    void Spawn(Process process);
    /// @brief Destroy all processes that Spawn() has begun.
    void StopSpawned();
    /// @brief Forget all messages that wait to be sent again.
    void DropDeliveries();

  private:
    /// Told of a message, believed or not, before it is handled: its sender and its round
    using Note = std::function<void(uint32_t, uint32_t)>;

    /// @brief Take part in messages of a type.
    /// @param handle gets each message of it that can be believed
    /// @param note gets each of it; may be empty
    /// @param expected a message of the shape that all know
    template <typename T>
    void Register(std::function<void(const Received<T>&)> handle, Note note, T expected);
    /// @param message that has arrived
    /// @param shape a message of the shape that all know
    /// @return it as this device reads it; from its bytes if its sender has another class for it,
    /// as protocols in other languages have
    /// @throws PayloadError if there is none
    template <typename T>
    static Packed<T> Read(const Message& message, const T& shape);
    /// @param payload of a message
    /// @param message whose units may not all have come
    /// @return the payload, which says so
    template <typename T>
    static Packed<T> NoteArrival(Packed<T> payload, const Message& message);
    /// @return what the payload is on the wire
    static std::vector<uint8_t> GetBytes(const Payload& payload);
    /// @brief Refuse a message.
    /// @param error why
    void Refuse(const PayloadError& error);
    /// @return sends until acknowledged
    DeliveryRepeater& GetRepeater();
    /// @param options given ones
    /// @param payload what is sent
    /// @return those, or as LossPolicy says
    SendOptions Complete(std::optional<SendOptions> options, const Payload& payload) const;
    /// @param receiver number of the device
    /// @param kind of the message
    /// @param payload what to send
    /// @param options how to send it
    /// @return the delivery
    Delivery MakeDelivery(uint32_t receiver,
                          uint16_t kind,
                          std::shared_ptr<const Payload> payload,
                          DeliverOptions options) const;

    LossPolicy m_lossPolicy = LossPolicy::BEST_EFFORT; //!< attribute LossPolicy
    uint32_t m_retries = 0;                            //!< attribute Retries
    Time m_retryDelay;                                 //!< attribute RetryDelay
    Ptr<UniformRandomVariable> m_delays;               //!< see DrawDelay(); null before the first
    Ptr<Transport> m_transport;                        //!< the node's transport
    std::unique_ptr<DeliveryRepeater> m_repeater;      //!< sends until acknowledged
    std::map<uint16_t, std::any> m_inboxes;            //!< by kind
    Changes m_changes;                                 //!< see WaitUntil()
    ProcessRunner m_spawned;                           //!< see Spawn()
};

template <typename T>
void
ProtocolApplication::On(std::function<void(const Received<T>&)> handle, T expected)
{
    Register<T>(std::move(handle), nullptr, std::move(expected));
}

template <typename T>
void
ProtocolApplication::Register(std::function<void(const Received<T>&)> handle, Note note, T expected)
{
    const auto shape = std::make_shared<const T>(std::move(expected));
    PartParser readPart;
    if constexpr (detail::KnowsArrival<T>::value)
    {
        readPart = [shape](const uint8_t* bytes,
                           std::size_t size,
                           const std::vector<uint32_t>& units,
                           uint32_t sent) {
            T part = *shape;
            part.arrived = {units, sent};
            return Unpack<T>(bytes, size, part);
        };
    }
    m_transport->RegisterKind(
        GetKind(*shape),
        GetName(*shape),
        [shape](const uint8_t* bytes, std::size_t size) { return Unpack<T>(bytes, size, *shape); },
        [this, shape, handle = std::move(handle), note = std::move(note)](const Message& message) {
            if (!m_transport || !IsAnswering()) // it is disposed of, or does not take part
            {
                return;
            }
            if (note)
            {
                note(message.sender, message.round);
            }
            try
            {
                const Packed<T> payload = NoteArrival(Read(message, *shape), message);
                CheckMessage(payload->Get(), *shape);
                NoteRound(message.round);
                handle({message.sender,
                        message.round,
                        message.sequence,
                        message.units,
                        message.unitsSent,
                        std::shared_ptr<const T>(payload, &payload->Get())});
            }
            catch (const PayloadError& error)
            {
                Refuse(error);
            }
            CheckWaits();
        },
        std::move(readPart));
}

template <typename T>
Packed<T>
ProtocolApplication::Read(const Message& message, const T& shape)
{
    if (auto payload = std::dynamic_pointer_cast<const PayloadOf<T>>(message.payload))
    {
        return payload;
    }
    if (!message.payload || !(detail::SaysKind<T>::value || message.payload->HasOpenKind()))
    {
        throw PayloadError("no " + GetName(shape));
    }
    const std::vector<uint8_t> bytes = GetBytes(*message.payload);
    return Unpack<T>(bytes.data(), bytes.size(), shape);
}

template <typename T>
Packed<T>
ProtocolApplication::NoteArrival(Packed<T> payload, const Message& message)
{
    if constexpr (detail::KnowsArrival<T>::value)
    {
        if (message.units.size() < message.unitsSent)
        {
            T part = payload->Get();
            part.arrived = {message.units, message.unitsSent};
            return Pack(std::move(part));
        }
    }
    return payload;
}

template <typename T>
void
ProtocolApplication::Listen(T expected)
{
    const uint32_t rounds = GetRounds();
    const auto inbox = std::make_shared<Inbox<T>>();
    m_inboxes[GetKind(expected)] = inbox;
    Register<T>(
        [inbox, rounds](const Received<T>& message) {
            if (message.round >= rounds)
            {
                throw PayloadError("a round that this run does not have");
            }
            inbox->Keep(message);
        },
        [inbox, rounds](uint32_t sender, uint32_t round) {
            if (round < rounds)
            {
                inbox->Note(sender, round);
            }
        },
        std::move(expected));
}

template <typename T>
Inbox<T>&
ProtocolApplication::GetInbox(const T& like)
{
    return *std::any_cast<std::shared_ptr<Inbox<T>>&>(m_inboxes.at(GetKind(like)));
}

template <typename T>
uint32_t
ProtocolApplication::Send(uint32_t receiver,
                          Packed<T> message,
                          std::optional<SendOptions> options,
                          std::optional<uint32_t> round)
{
    SendOptions completed = Complete(std::move(options), *message);
    return m_transport->Send(
        receiver,
        {GetKind(message->Get()), round.value_or(GetRound()), std::move(message)},
        std::move(completed));
}

template <typename T>
uint32_t
ProtocolApplication::Send(uint32_t receiver,
                          T message,
                          std::optional<SendOptions> options,
                          std::optional<uint32_t> round)
{
    return Send<T>(receiver, Pack(std::move(message)), std::move(options), round);
}

template <typename T>
uint32_t
ProtocolApplication::Broadcast(Packed<T> message,
                               std::optional<SendOptions> options,
                               std::optional<uint32_t> round)
{
    SendOptions completed = Complete(std::move(options), *message);
    return m_transport->Broadcast(
        {GetKind(message->Get()), round.value_or(GetRound()), std::move(message)},
        std::move(completed));
}

template <typename T>
uint32_t
ProtocolApplication::Broadcast(T message,
                               std::optional<SendOptions> options,
                               std::optional<uint32_t> round)
{
    return Broadcast<T>(Pack(std::move(message)), std::move(options), round);
}

template <typename T>
uint32_t
ProtocolApplication::Multicast(DeviceGroup receivers,
                               Packed<T> message,
                               std::optional<SendOptions> options,
                               std::optional<uint32_t> round)
{
    SendOptions completed = Complete(std::move(options), *message);
    return m_transport->Multicast(
        std::move(receivers),
        {GetKind(message->Get()), round.value_or(GetRound()), std::move(message)},
        std::move(completed));
}

template <typename T>
DeliveryWait
ProtocolApplication::Deliver(uint32_t receiver, Packed<T> message, DeliverOptions options)
{
    const uint16_t kind = GetKind(message->Get());
    return DeliveryWait(GetRepeater(),
                        MakeDelivery(receiver, kind, std::move(message), std::move(options)));
}

template <typename T>
DeliveryWait
ProtocolApplication::Deliver(uint32_t receiver, T message, DeliverOptions options)
{
    return Deliver<T>(receiver, Pack(std::move(message)), std::move(options));
}

template <typename T>
void
ProtocolApplication::Post(uint32_t receiver,
                          Packed<T> message,
                          DeliverOptions options,
                          std::function<void(bool)> finished)
{
    const uint16_t kind = GetKind(message->Get());
    Delivery delivery = MakeDelivery(receiver, kind, std::move(message), std::move(options));
    if (finished)
    {
        delivery.finished = [this, finished = std::move(finished)](bool isThere) {
            if (IsAnswering())
            {
                finished(isThere);
            }
        };
    }
    GetRepeater().Send(std::move(delivery));
}

} // namespace ns3::collab

#endif /* COLLAB_PROTOCOL_APPLICATION_H */
