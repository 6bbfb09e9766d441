/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_DATA_MESSAGES_H
#define GRAPH_DISCOVERY_DATA_MESSAGES_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-wire-format.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Datapoints, each of which is useful without the others.
 *
 * On the wire, of each: its features as they are stored (1 byte each of images, 4 of others,
 * little-endian), and in classification its believed label, 1 byte up to 255 classes and 2 for
 * more, all bits set without a label; in regression its targets in IEEE 754 single precision.
 */
struct Datapoints
{
    static constexpr uint16_t KIND = 701;
    static constexpr const char* NAME = "datapoints";

    DataView samples; //!< at least one, without a transform; with labels if they have any

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Coded(*this);
    }

    /// @return number of datapoints
    uint32_t CountUnits() const;
    /// @return bytes of each
    uint32_t GetUnitSize() const;
    /// @param units numbers of datapoints, ascending
    /// @return these ones
    Datapoints Select(const std::vector<uint32_t>& units) const;
    /// @param data a data set
    /// @return bytes of each of its datapoints
    static uint32_t CountUnitBytes(const DataSet& data);

    /// @return bytes on the wire
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets the datapoints appended
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader at the first of all datapoints that are left; they are of the kind of those
    /// there are already, and get a data set of their own
    /// @throws PayloadError if the bytes are not whole datapoints, or one cannot be believed
    void Read(WireReader& reader);
};

/// @brief Decide whether datapoints that came in a message can be held beside others.
/// @param samples that may not have been parsed
/// @param own datapoints of the receiver
/// @throws PayloadError if they are of another kind, one cannot be believed, or only one side has
/// labels
void CheckDatapoints(const DataView& samples, const DataView& own);

/**
 * @ingroup collab
 * @brief A receiver's list of the datapoints that it got.
 *
 * On the wire: a bit of each that was sent, in their order, from the lowest bit of the first byte.
 */
struct DatapointReceipt
{
    static constexpr uint16_t KIND = 702;
    static constexpr const char* NAME = "receipt";

    std::vector<uint32_t> units; //!< numbers of those that came, ascending
    uint32_t sent = 0;           //!< how many were sent; read from bytes, as many as there are bits

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Coded(*this);
    }

    /// @return bytes on the wire
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets the bits appended
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader at the first bit of all that are left
    void Read(WireReader& reader);
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_DATA_MESSAGES_H */
