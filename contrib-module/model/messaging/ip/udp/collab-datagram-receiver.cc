/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-datagram-receiver.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::collab
{

DatagramReceiver::DatagramReceiver(Settings settings, Callbacks callbacks)
    : m_settings(settings),
      m_callbacks(std::move(callbacks))
{
}

DatagramReceiver::~DatagramReceiver()
{
    for (auto& [key, reception] : m_receptions)
    {
        reception.event.Cancel();
    }
}

std::string
DatagramReceiver::FindFault(const DatagramHeader& header,
                            const DatagramLayout& layout,
                            uint32_t bytes) const
{
    if (header.sent.IsStrictlyNegative() || header.sent > Simulator::Now())
    {
        return "was sent in the future";
    }
    if (!layout.IsValid() || header.messageBytes > m_settings.maxMessageSize ||
        header.count != layout.GetCount())
    {
        return "is part of no possible message";
    }
    const bool isNotice = header.index == header.count && header.IsAcknowledged();
    if (header.index >= header.count && !isNotice)
    {
        return "has a part number behind the last";
    }
    if (bytes != (isNotice ? 0 : layout.GetBodyBytes(header.index)))
    {
        return "is not as long as its header says";
    }
    return "";
}

Time
DatagramReceiver::GetPatience(const DatagramHeader& header) const
{
    return header.IsAcknowledged()
               ? m_settings.retransmissionTimeout * header.maxAttempts + m_settings.lifetime
               : m_settings.partTimeout;
}

std::string
DatagramReceiver::Handle(const DatagramHeader& header, Ptr<const Packet> body)
{
    const DatagramLayout layout(header.messageBytes, header.units, header.datagramBytes);
    const std::string fault = FindFault(header, layout, body->GetSize());
    if (!fault.empty())
    {
        return fault;
    }
    if (Simulator::Now() - header.sent > m_settings.lifetime)
    {
        return ""; // nothing wrong with it, but its sender may have counted it as lost
    }
    const Key key(header.sender, header.sequence);
    const bool isNotice = header.index == header.count;
    if (const std::optional<bool> complete = FindEnded(key))
    {
        if (*complete || isNotice)
        {
            Acknowledge(header, nullptr);
        }
        return "";
    }
    auto place = m_receptions.find(key);
    if (place == m_receptions.end())
    {
        Reception reception{DatagramAssembly(layout, m_settings.keepsBytes), Time(), EventId()};
        place = m_receptions.emplace(key, std::move(reception)).first;
    }
    Reception& reception = place->second;
    if (!(reception.assembly.GetLayout() == layout))
    {
        return "contradicts an earlier part";
    }
    if (!isNotice && reception.assembly.Add(header.index, body))
    {
        m_callbacks.arrived(header.sender, header.sequence);
    }
    Acknowledge(header, isNotice ? nullptr : &reception.assembly);
    if (isNotice || reception.assembly.IsComplete())
    {
        End(key);
        return "";
    }
    const Time patience = GetPatience(header);
    reception.waitsUntil = Simulator::Now() + patience;
    if (reception.event.IsExpired())
    {
        reception.event = Simulator::Schedule(patience, [this, key]() { HandleSilence(key); });
    }
    return "";
}

void
DatagramReceiver::Acknowledge(const DatagramHeader& header, const DatagramAssembly* assembly) const
{
    if (!header.IsAcknowledged())
    {
        return;
    }
    DatagramAcknowledgment acknowledgment;
    acknowledgment.sequence = header.sequence;
    acknowledgment.index = header.index;
    acknowledgment.echo = header.sent;
    if (assembly)
    {
        acknowledgment.base = assembly->GetBase();
        for (uint32_t bit = 0; bit < DatagramAcknowledgment::BITS; ++bit)
        {
            if (assembly->Has(acknowledgment.base + bit))
            {
                acknowledgment.received |= uint64_t{1} << bit;
            }
        }
    }
    else if (header.index < header.count)
    {
        acknowledgment.base = header.count;
    }
    m_callbacks.acknowledge(header.sender, acknowledgment);
}

void
DatagramReceiver::HandleSilence(Key key)
{
    Reception& reception = m_receptions.at(key);
    if (Simulator::Now() < reception.waitsUntil)
    {
        reception.event = Simulator::Schedule(reception.waitsUntil - Simulator::Now(),
                                              [this, key]() { HandleSilence(key); });
        return;
    }
    End(key);
}

void
DatagramReceiver::End(const Key& key)
{
    const auto place = m_receptions.find(key);
    place->second.event.Cancel();
    const DatagramAssembly assembly = std::move(place->second.assembly);
    const auto [sender, sequence] = key;
    m_receptions.erase(place);
    RememberEnded({sender, sequence}, assembly.IsComplete());
    m_callbacks.ended(sender, sequence, assembly);
}

std::optional<bool>
DatagramReceiver::FindEnded(const Key& key) const
{
    const auto sender = m_ended.find(key.first);
    if (sender == m_ended.end())
    {
        return std::nullopt;
    }
    const auto& sequences = sender->second;
    const auto found = sequences.find(key.second);
    if (found != sequences.end())
    {
        return found->second;
    }
    if (sequences.size() == MEMORY && key.second < sequences.begin()->first)
    {
        return false;
    }
    return std::nullopt;
}

void
DatagramReceiver::RememberEnded(const Key& key, bool complete)
{
    auto& sequences = m_ended[key.first];
    sequences[key.second] = complete;
    if (sequences.size() > MEMORY)
    {
        sequences.erase(sequences.begin());
    }
}

} // namespace ns3::collab
