/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DATAGRAM_ASSEMBLY_H
#define COLLAB_DATAGRAM_ASSEMBLY_H

#include "collab-datagram-layout.h"

#include "ns3/packet.h"

#include <boost/icl/interval_set.hpp>
#include <map>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-messaging
 * @brief The parts of one message that have arrived at one receiver.
 *
 * It takes as much memory as has arrived, whatever the datagrams claim to be parts of; if bytes do
 * not matter, as there are gaps between the parts.
 */
class DatagramAssembly
{
  public:
    /// @param layout how the message is cut; valid
    /// @param keepsBytes whether the payload's bytes matter; if not, only the message's header is
    /// kept
    DatagramAssembly(const DatagramLayout& layout, bool keepsBytes);

    /// @return how the message is cut
    const DatagramLayout&
    GetLayout() const
    {
        return m_layout;
    }
    /// @brief Add a part.
    /// @param index its number, less than the layout's count
    /// @param body what it carries; as many bytes as the layout says
    /// @return whether it was not there before
    bool Add(uint32_t index, Ptr<const Packet> body);
    /// @return whether all parts are there
    bool IsComplete() const;
    /// @return number of the first part that is not there
    uint32_t GetBase() const;
    /// @param index index of a part
    /// @return whether it is there
    bool Has(uint32_t index) const;
    /// @return numbers of the units that are there whole, ascending
    std::vector<uint32_t> GetWholeUnits() const;
    /// @return the message on the wire; zeros stand for what is not there or not kept
    Ptr<Packet> MakePacket() const;

  private:
    DatagramLayout m_layout;                           //!< how the message is cut
    bool m_keepsBytes;                                 //!< whether to keep the payload's bytes
    std::vector<uint8_t> m_header;                     //!< the message's header; empty at first
    boost::icl::interval_set<uint32_t> m_arrived;      //!< numbers of the parts that are there
    std::map<uint32_t, std::vector<uint8_t>> m_pieces; //!< their bytes, if they matter
};

} // namespace ns3::collab

#endif /* COLLAB_DATAGRAM_ASSEMBLY_H */
