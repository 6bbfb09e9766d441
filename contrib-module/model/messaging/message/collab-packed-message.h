/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PACKED_MESSAGE_H
#define COLLAB_PACKED_MESSAGE_H

#include "collab-fields.h"
#include "collab-message.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-fields
/// @brief A message as the network carries it.
/// @tparam T with a list of fields
template <typename T>
class PayloadOf : public std::conditional_t<detail::HasUnits<T>::value, DivisiblePayload, Payload>
{
  public:
    /// @param message what is sent
    explicit PayloadOf(T message)
        : m_message(std::move(message))
    {
    }

    /// @return what is sent
    const T&
    Get() const
    {
        return m_message;
    }

    uint64_t
    WireSize() const override
    {
        return CountBytes(m_message);
    }

    void
    Serialize(std::vector<uint8_t>& bytes) const override
    {
        WriteFields(m_message, bytes);
    }

    bool
    HasOpenKind() const override
    {
        return detail::SaysKind<T>::value;
    }

  private:
    T m_message; //!< what is sent
};

/// @ingroup collab-fields
/// @brief A message of independent units as the network carries it.
/// @tparam T with a list of fields and units
template <typename T>
class UnitsOf : public PayloadOf<T>
{
  public:
    using PayloadOf<T>::PayloadOf;

    uint32_t
    GetUnitCount() const override
    {
        return this->Get().CountUnits();
    }

    uint32_t
    GetUnitSize() const override
    {
        return this->Get().GetUnitSize();
    }

    std::shared_ptr<const Payload>
    Select(const std::vector<uint32_t>& units) const override
    {
        if constexpr (detail::KnowsArrival<T>::value)
        {
            T some = this->Get();
            some.Keep(units);
            return std::make_shared<const UnitsOf>(std::move(some));
        }
        else
        {
            return std::make_shared<const UnitsOf>(this->Get().Select(units));
        }
    }
};

/// A message that is shared by those who send it again
template <typename T>
using Packed = std::shared_ptr<const PayloadOf<T>>;

/// @ingroup collab-fields
/// @param message what is to be sent
/// @return it, as the network carries it
template <typename T>
Packed<T>
Pack(T message)
{
    using Made = std::conditional_t<detail::HasUnits<T>::value, UnitsOf<T>, PayloadOf<T>>;
    return std::make_shared<const Made>(std::move(message));
}

/// @ingroup collab-fields
/// @brief Read a message.
/// @param bytes wire format
/// @param size number of bytes
/// @param expected a message of the shape that all know
/// @return the message
/// @throws PayloadError if the bytes are not exactly one
template <typename T>
Packed<T>
Unpack(const uint8_t* bytes, std::size_t size, const T& expected = {})
{
    T message = expected;
    WireReader reader(bytes, size);
    detail::FieldReader fields(reader);
    message.Fields(fields);
    reader.CheckEnd();
    return Pack(std::move(message));
}

} // namespace ns3::collab

#endif /* COLLAB_PACKED_MESSAGE_H */
