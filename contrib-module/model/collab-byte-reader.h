/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_BYTE_READER_H
#define COLLAB_BYTE_READER_H

#include <boost/endian/conversion.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @tparam T an unsigned type
/// @param value to write, little-endian
/// @param[in,out] bytes gets it appended
template <typename T>
void
PutLittle(T value, std::vector<uint8_t>& bytes)
{
    boost::endian::native_to_little_inplace(value);
    const auto* begin = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof(value));
}

/// @ingroup collab
/// @brief Takes parts from the front of some bytes, never more than there is.
/// @tparam Error what is thrown; made of a text
template <typename Error>
class ByteReader
{
  public:
    /// @param bytes to read
    /// @param size number of bytes
    ByteReader(const uint8_t* bytes, std::size_t size)
        : m_next(bytes),
          m_left(size)
    {
    }

    /// @param size number of bytes
    /// @return the next bytes
    /// @throws Error if there are not as many
    const uint8_t*
    Take(std::size_t size)
    {
        if (size > m_left)
        {
            throw Error(std::to_string(m_left) + " bytes left, expected " + std::to_string(size));
        }
        const uint8_t* part = m_next;
        m_next += size;
        m_left -= size;
        return part;
    }

    /// @tparam T an unsigned type
    /// @return the next number, little-endian
    /// @throws Error if there are not enough bytes
    template <typename T>
    T
    TakeNumber()
    {
        T value;
        std::memcpy(&value, Take(sizeof(value)), sizeof(value));
        return boost::endian::little_to_native(value);
    }

    /// @param size bytes of each of the entries that follow
    /// @return the number of entries, 4 bytes
    /// @throws Error if there are not so many bytes
    uint32_t
    TakeCount(std::size_t size)
    {
        const auto count = TakeNumber<uint32_t>();
        if (count > m_left / size)
        {
            throw Error("a list of " + std::to_string(count) + " entries in " +
                        std::to_string(m_left) + " bytes");
        }
        return count;
    }

    /// @return number of bytes left
    std::size_t
    GetLeft() const
    {
        return m_left;
    }

    /// @throws Error if there are bytes left
    void
    CheckEnd() const
    {
        if (m_left > 0)
        {
            throw Error(std::to_string(m_left) + " bytes too many");
        }
    }

  private:
    const uint8_t* m_next; //!< next byte
    std::size_t m_left;    //!< number of bytes left
};

} // namespace ns3::collab

#endif /* COLLAB_BYTE_READER_H */
