/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TEST_PAYLOADS_H
#define MESSAGING_TEST_PAYLOADS_H

#include "ns3/collab-message.h"

#include <memory>
#include <utility>
#include <vector>

namespace tests
{

/// A payload of given bytes
class BytesPayload : public ns3::collab::Payload
{
  public:
    /// @param bytes its bytes
    explicit BytesPayload(std::vector<uint8_t> bytes)
        : m_bytes(std::move(bytes))
    {
    }

    /**
     * @param size number of bytes
     * @return a payload whose bytes repeat with no short period
     */
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

    /**
     * @param bytes from the network
     * @param size their number
     * @return a payload of them
     */
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

/// A divisible payload: unit i has bytes that tell i
class UnitsPayload : public ns3::collab::DivisiblePayload
{
  public:
    /**
     * @param units numbers of the units that it has
     * @param unitSize bytes of each
     */
    UnitsPayload(std::vector<uint32_t> units, uint32_t unitSize)
        : m_units(std::move(units)),
          m_unitSize(unitSize)
    {
    }

    /**
     * @param count number of units
     * @param unitSize bytes of each
     * @return a payload of the units from 0 to count - 1
     */
    static std::shared_ptr<const UnitsPayload>
    Make(uint32_t count, uint32_t unitSize)
    {
        std::vector<uint32_t> units;
        for (uint32_t i = 0; i < count; ++i)
        {
            units.push_back(i);
        }
        return std::make_shared<UnitsPayload>(std::move(units), unitSize);
    }

    uint32_t
    GetUnitCount() const override
    {
        return static_cast<uint32_t>(m_units.size());
    }

    uint32_t
    GetUnitSize() const override
    {
        return m_unitSize;
    }

    std::shared_ptr<const ns3::collab::Payload>
    Select(const std::vector<uint32_t>& units) const override
    {
        std::vector<uint32_t> selected;
        for (const uint32_t unit : units)
        {
            selected.push_back(m_units.at(unit));
        }
        return std::make_shared<UnitsPayload>(std::move(selected), m_unitSize);
    }

    void
    Serialize(std::vector<uint8_t>& bytes) const override
    {
        for (const uint32_t unit : m_units)
        {
            for (uint32_t i = 0; i < m_unitSize; ++i)
            {
                bytes.push_back(static_cast<uint8_t>(unit * 31 + i * 7 + (unit >> 8)));
            }
        }
    }

  private:
    std::vector<uint32_t> m_units; //!< numbers of its units
    uint32_t m_unitSize;           //!< bytes of each
};

/**
 * @param payload a payload
 * @return its bytes
 */
inline std::vector<uint8_t>
BytesOf(const ns3::collab::Payload& payload)
{
    std::vector<uint8_t> bytes;
    payload.Serialize(bytes);
    return bytes;
}

} // namespace tests

#endif /* MESSAGING_TEST_PAYLOADS_H */
