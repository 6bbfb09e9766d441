/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LISTED_HEADER_H
#define COLLAB_LISTED_HEADER_H

#include "ns3/address-utils.h"
#include "ns3/header.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <type_traits>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief A header of fixed size that is written and read by a list of its fields.
 *
 * Numbers are in network byte order, times in nanoseconds. The header has its name as a TypeId,
 * TYPE_NAME, its bytes, SIZE, and the list of its fields in their order on the wire:
 *
 *     template <typename V>
 *     void
 *     Fields(V visit)
 *     {
 *         visit(version);
 *         visit(kind);
 *     }
 *
 * @tparam Self the header
 */
template <class Self>
class ListedHeader : public Header
{
  public:
    /// @return the object TypeId
    static TypeId
    GetTypeId()
    {
        static TypeId tid = TypeId(Self::TYPE_NAME)
                                .SetParent<Header>()
                                .SetGroupName("Collab")
                                .template AddConstructor<Self>();
        return tid;
    }
    TypeId
    GetInstanceTypeId() const override
    {
        return GetTypeId();
    }
    uint32_t
    GetSerializedSize() const override
    {
        return Self::SIZE;
    }
    void
    Serialize(Buffer::Iterator start) const override
    {
        // One list for writing and for reading
        const_cast<ListedHeader*>(this)->GetSelf().Fields(
            [&start](const auto& field) { Write(start, field); });
    }
    uint32_t
    Deserialize(Buffer::Iterator start) override
    {
        GetSelf().Fields([&start](auto& field) { Read(start, field); });
        return Self::SIZE;
    }

  private:
    /// @return this
    Self&
    GetSelf()
    {
        return static_cast<Self&>(*this);
    }
    /// @param[in,out] at where to write
    /// @param field what to write
    template <typename F>
    static void
    Write(Buffer::Iterator& at, const F& field)
    {
        if constexpr (std::is_same_v<F, Mac48Address>)
        {
            WriteTo(at, field);
        }
        else if constexpr (std::is_same_v<F, Time>)
        {
            at.WriteHtonU64(static_cast<uint64_t>(field.GetNanoSeconds()));
        }
        else
        {
            for (std::size_t byte = sizeof(F); byte-- > 0;)
            {
                at.WriteU8(static_cast<uint8_t>(uint64_t{field} >> (8 * byte)));
            }
        }
    }
    /// @param[in,out] at where to read
    /// @param field where to put what is there
    template <typename F>
    static void
    Read(Buffer::Iterator& at, F& field)
    {
        if constexpr (std::is_same_v<F, Mac48Address>)
        {
            ReadFrom(at, field);
        }
        else if constexpr (std::is_same_v<F, Time>)
        {
            field = NanoSeconds(at.ReadNtohU64());
        }
        else
        {
            uint64_t number = 0;
            for (std::size_t byte = 0; byte < sizeof(F); ++byte)
            {
                number = number << 8 | at.ReadU8();
            }
            field = static_cast<F>(number);
        }
    }
};

} // namespace ns3::collab

#endif /* COLLAB_LISTED_HEADER_H */
