/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MAC_HEADER_H
#define D2D_MAC_HEADER_H

#include "ns3/collab-listed-header.h"

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Header of every fragment on the air: addresses, protocol, and where the fragment belongs.
class D2dMacHeader : public ListedHeader<D2dMacHeader>
{
  public:
    /// Name of the TypeId
    static constexpr const char* TYPE_NAME = "ns3::collab::D2dMacHeader";
    /// Bytes of the header, fixed
    static constexpr uint32_t SIZE = 30;
    /// Bytes of the frame check sequence behind every fragment
    static constexpr uint32_t CHECK_SEQUENCE_SIZE = 4;

    /// @param visit called with each field, in their order on the wire
    template <typename V>
    void
    Fields(V visit)
    {
        visit(destination);
        visit(source);
        visit(protocol);
        visit(burst);
        visit(fragment);
        visit(fragments);
        visit(packetBytes);
    }

    void Print(std::ostream& os) const override;

    Mac48Address source;      //!< who sends
    Mac48Address destination; //!< who is meant
    uint16_t protocol = 0;    //!< protocol number of the packet
    uint32_t burst = 0;       //!< number of the burst at its source
    uint32_t fragment = 0;    //!< number of this fragment, from 0
    uint32_t fragments = 1;   //!< fragments of the burst
    uint32_t packetBytes = 0; //!< bytes of the whole packet, without the last fragment's padding
};

extern template class ListedHeader<D2dMacHeader>;

} // namespace ns3::collab

#endif /* D2D_MAC_HEADER_H */
