/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tap-transport.h"

#include "ns3/collab-message-header.h"
#include "ns3/packet.h"

#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace tests
{

TypeId
TapTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("tests::TapTransport").SetParent<D2dTransport>().AddConstructor<TapTransport>();
    return tid;
}

void
TapTransport::Arrive(const ForgedMessage& message)
{
    MessageHeader header;
    header.version = message.version > 0 ? message.version : MessageHeader::VERSION;
    header.kind = message.kind;
    header.round = message.round;
    header.sender = message.sender;
    header.sequence = message.sequence;
    header.payloadBytes =
        static_cast<uint32_t>(message.bytes.size()) + static_cast<uint32_t>(message.extraBytes);
    header.units = message.unitsSent;
    const auto size = static_cast<uint32_t>(message.bytes.size());
    auto packet = Create<Packet>(message.bytes.data(), size);
    packet->AddHeader(header);
    if (message.cutTo < packet->GetSize())
    {
        packet->RemoveAtEnd(packet->GetSize() - message.cutTo);
    }
    Receive(packet,
            message.linkSender,
            message.handedOver ? &*message.handedOver : nullptr,
            message.units ? &*message.units : nullptr);
}

void
TapTransport::DoSend(Destination to,
                     Ptr<Packet> packet,
                     std::shared_ptr<const Message> message,
                     SendOptions options)
{
    if (listener)
    {
        SentMessage sent{m_deviceId, to.receiver, message->kind, message->round, {}};
        auto payload = packet->Copy();
        payload->RemoveAtStart(MessageHeader::SIZE);
        sent.bytes.resize(payload->GetSize());
        payload->CopyData(sent.bytes.data(), payload->GetSize());
        listener(sent);
    }
    D2dTransport::DoSend(std::move(to), packet, std::move(message), std::move(options));
}

void
TapTransport::DoDispose()
{
    listener = nullptr;
    D2dTransport::DoDispose();
}

} // namespace tests
