/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MAC_HEADER_H
#define D2D_MAC_HEADER_H

#include "ns3/header.h"
#include "ns3/mac48-address.h"

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Header of every fragment on the air: addresses, protocol, and where the fragment belongs.
class D2dMacHeader : public Header
{
  public:
    /// Bytes of the header, fixed
    static constexpr uint32_t SIZE = 30;
    /// Bytes of the frame check sequence behind every fragment
    static constexpr uint32_t CHECK_SEQUENCE_SIZE = 4;

    /// @return the object TypeId
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    Mac48Address source;      //!< who sends
    Mac48Address destination; //!< who is meant
    uint16_t protocol = 0;    //!< protocol number of the packet
    uint32_t burst = 0;       //!< number of the burst at its source
    uint32_t fragment = 0;    //!< number of this fragment, from 0
    uint32_t fragments = 1;   //!< fragments of the burst
    uint32_t packetBytes = 0; //!< bytes of the whole packet, without the last fragment's padding
};

} // namespace ns3::collab

#endif /* D2D_MAC_HEADER_H */
