/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_TAP_TRANSPORT_H
#define SUPPORT_TAP_TRANSPORT_H

#include "ns3/d2d-transport.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tests
{

/// Receiver of a broadcast
constexpr uint32_t EVERYBODY = UINT32_MAX;

/// A message as it is given to the radio
struct SentMessage
{
    uint32_t sender = 0;        //!< number of a device
    uint32_t receiver = 0;      //!< EVERYBODY for a broadcast or a group
    uint16_t kind = 0;          //!< what it is
    uint32_t round = 0;         //!< of the protocol
    std::vector<uint8_t> bytes; //!< behind the header
};

/// A message that nobody has sent, as it arrives
struct ForgedMessage
{
    uint32_t linkSender = 0;                    //!< who has sent it, as the radio knows
    uint32_t sender = 0;                        //!< who has sent it, as it claims
    uint16_t kind = 0;                          //!< what it claims to be
    uint32_t round = 0;                         //!< of the protocol, as it claims
    uint32_t sequence = 0;                      //!< its number, as it claims
    uint8_t version = 0;                        //!< of the header; 0 for the right one
    int32_t extraBytes = 0;                     //!< more payload than it has, as it claims
    uint32_t cutTo = UINT32_MAX;                //!< bytes that are left of header and payload
    std::vector<uint8_t> bytes;                 //!< payload
    std::optional<std::vector<uint32_t>> units; //!< that arrive of a divisible message
    uint32_t unitsSent = 0;                     //!< units, as it claims
    /// Handed over by pointer instead of the bytes
    std::optional<std::shared_ptr<const ns3::collab::Payload>> handedOver;
};

/// Messages over D2D links, where a test sees what is sent and adds what nobody has sent
class TapTransport : public ns3::collab::D2dTransport
{
  public:
    /// @return the object TypeId
    static ns3::TypeId GetTypeId();

    /// @param message arrives now, takes no time on the air and costs nothing
    void Arrive(const ForgedMessage& message);

    std::function<void(const SentMessage&)> listener; //!< gets all that is sent; may be empty

  protected:
    void DoSend(Destination to,
                ns3::Ptr<ns3::Packet> packet,
                std::shared_ptr<const ns3::collab::Message> message,
                ns3::collab::SendOptions options) override;
    void DoDispose() override;
};

} // namespace tests

#endif /* SUPPORT_TAP_TRANSPORT_H */
