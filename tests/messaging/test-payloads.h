/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TEST_PAYLOADS_H
#define MESSAGING_TEST_PAYLOADS_H

#include "ns3/collab-message.h"
#include "ns3/collab-transport.h"

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace tests
{

/// A kind of message
constexpr uint16_t KIND = 7;

/// All that can be done about loss
constexpr ns3::collab::LossPolicy POLICIES[] = {ns3::collab::LossPolicy::BEST_EFFORT,
                                                ns3::collab::LossPolicy::RELIABLE,
                                                ns3::collab::LossPolicy::PARTIAL,
                                                ns3::collab::LossPolicy::PARTIAL_RELIABLE};

/// A message, by its sender and its number there
using MessageId = std::pair<uint32_t, uint32_t>;

/// A payload of given bytes
class BytesPayload : public ns3::collab::Payload
{
  public:
    explicit BytesPayload(std::vector<uint8_t> bytes)
        : m_bytes(std::move(bytes))
    {
    }

    /// @return a payload whose bytes repeat with no short period
    static std::shared_ptr<const BytesPayload>
    Make(std::size_t size)
    {
        std::vector<uint8_t> bytes(size);
        uint32_t state = 1;
        for (auto& byte : bytes)
        {
            state = state * 1664525 + 1013904223;
            byte = static_cast<uint8_t>(state >> 24);
        }
        return std::make_shared<BytesPayload>(std::move(bytes));
    }

    /// @return a payload of them
    static std::shared_ptr<const ns3::collab::Payload>
    Parse(const uint8_t* bytes, std::size_t size)
    {
        return std::make_shared<BytesPayload>(std::vector<uint8_t>(bytes, bytes + size));
    }

    uint64_t
    WireSize() const override
    {
        return m_bytes.size();
    }

    void
    Serialize(std::vector<uint8_t>& bytes) const override
    {
        bytes.insert(bytes.end(), m_bytes.begin(), m_bytes.end());
    }

  private:
    std::vector<uint8_t> m_bytes; //!< its bytes
};

/// Units whose bytes tell their number and their place in the unit
class NumberedUnits : public ns3::collab::DivisiblePayload
{
  public:
    /// @param unitBytes bytes of each, at least 2
    NumberedUnits(std::vector<uint32_t> units, uint32_t unitBytes)
        : m_units(std::move(units)),
          m_unitBytes(unitBytes)
    {
    }

    /// @return the units 0, 1, ...
    static std::shared_ptr<const NumberedUnits>
    Make(uint32_t count, uint32_t unitBytes)
    {
        std::vector<uint32_t> units(count);
        std::iota(units.begin(), units.end(), 0);
        return std::make_shared<NumberedUnits>(std::move(units), unitBytes);
    }

    /// @return makes units out of bytes
    static ns3::collab::PayloadParser
    ParserFor(uint32_t unitBytes)
    {
        return [unitBytes](const uint8_t* bytes, std::size_t size) {
            std::vector<uint32_t> units;
            for (std::size_t i = 0; i < size; i += unitBytes)
            {
                units.push_back(bytes[i] * 256 + bytes[i + 1]);
                for (uint32_t place = 2; place < unitBytes; ++place)
                {
                    if (bytes[i + place] != ByteOf(units.back(), place))
                    {
                        throw ns3::collab::PayloadError("parts of several units");
                    }
                }
            }
            return std::make_shared<NumberedUnits>(std::move(units), unitBytes);
        };
    }

    uint32_t
    GetUnitCount() const override
    {
        return static_cast<uint32_t>(m_units.size());
    }

    uint32_t
    GetUnitSize() const override
    {
        return m_unitBytes;
    }

    std::shared_ptr<const ns3::collab::Payload>
    Select(const std::vector<uint32_t>& units) const override
    {
        std::vector<uint32_t> selected;
        for (const uint32_t unit : units)
        {
            selected.push_back(m_units.at(unit));
        }
        return std::make_shared<NumberedUnits>(std::move(selected), m_unitBytes);
    }

    void
    Serialize(std::vector<uint8_t>& bytes) const override
    {
        for (const uint32_t unit : m_units)
        {
            for (uint32_t place = 0; place < m_unitBytes; ++place)
            {
                bytes.push_back(ByteOf(unit, place));
            }
        }
    }

    /// @return numbers of the units
    const std::vector<uint32_t>&
    GetUnits() const
    {
        return m_units;
    }

  private:
    /// @return the byte
    static uint8_t
    ByteOf(uint32_t unit, uint32_t place)
    {
        return static_cast<uint8_t>(place == 0 ? unit / 256 : unit + 7 * (place - 1));
    }

    std::vector<uint32_t> m_units; //!< numbers of the units
    uint32_t m_unitBytes;          //!< bytes of each
};

/// @return its bytes
inline std::vector<uint8_t>
BytesOf(const ns3::collab::Payload& payload)
{
    std::vector<uint8_t> bytes;
    payload.Serialize(bytes);
    return bytes;
}

} // namespace tests

#endif /* MESSAGING_TEST_PAYLOADS_H */
