/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MAC_TRAILER_H
#define D2D_MAC_TRAILER_H

#include "ns3/trailer.h"

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief What follows the packet's bytes in every frame on the air: padding, then the check
 * sequence, both zeros on the wire.
 *
 * Loss is the only fault of a link, so the check sequence has a length and no contents. Padding by
 * Packet::AddPaddingAtEnd() would put whatever the memory held before on the wire.
 */
class D2dMacTrailer : public Trailer
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator end) const override;
    /// @brief Pass over the trailer; its length cannot be told from the frame.
    /// @param end position behind the frame
    /// @return bytes of the trailer, with the padding that paddingBytes says
    uint32_t Deserialize(Buffer::Iterator end) override;

    uint32_t paddingBytes = 0; //!< bytes that make all fragments of a burst equally long
};

} // namespace ns3::collab

#endif /* D2D_MAC_TRAILER_H */
