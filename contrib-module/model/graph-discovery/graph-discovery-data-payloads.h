/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_DATA_PAYLOADS_H
#define GRAPH_DISCOVERY_DATA_PAYLOADS_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-message.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @brief Read what a message carries: payloads that are handed over come unparsed.
 *
 * @tparam T kind of payload
 * @param message that has come
 * @return its payload
 * @throws PayloadError if it has none of that kind
 */
template <typename T>
const T&
ReadPayload(const Message& message)
{
    const auto* payload = dynamic_cast<const T*>(message.payload.get());
    if (!payload)
    {
        throw PayloadError("a payload of another kind");
    }
    return *payload;
}

/**
 * @ingroup collab
 * @brief Datapoints, each of which is useful without the others.
 *
 * On the wire, of each: its features as they are stored (1 byte each of images, 4 of others,
 * little-endian), and in classification its believed label, 1 byte up to 255 classes and 2 for
 * more, all bits set without a label; in regression its targets in IEEE 754 single precision.
 */
class DatapointsPayload : public DivisiblePayload
{
  public:
    /// @param samples at least one, without a transform
    explicit DatapointsPayload(DataView samples);

    uint32_t GetUnitCount() const override;
    uint32_t GetUnitSize() const override;
    std::shared_ptr<const Payload> Select(const std::vector<uint32_t>& units) const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param like a data set of the same kind, whose samples are not read
     * @return the payload, with a data set of its own
     * @throws PayloadError if the bytes are not whole datapoints, or one cannot be believed
     */
    static std::shared_ptr<const DatapointsPayload> Parse(const uint8_t* bytes,
                                                          std::size_t size,
                                                          const DataSet& like);

    /// @return the datapoints, with labels if they have any
    const DataView& GetSamples() const;
    /// @param data a data set
    /// @return bytes of each of its datapoints
    static uint32_t CountUnitBytes(const DataSet& data);

  private:
    DataView m_samples; //!< the datapoints
};

/**
 * @brief Decide whether datapoints that came in a message can be held beside others.
 *
 * @param samples that may not have been parsed
 * @param own datapoints of the receiver
 * @throws PayloadError if they are of another kind, one cannot be believed, or only one side has
 * labels
 */
void CheckDatapoints(const DataView& samples, const DataView& own);

/**
 * @ingroup collab
 * @brief A receiver's list of the datapoints that it got.
 *
 * On the wire: a bit of each that was sent, in their order, from the lowest bit of the first byte.
 */
class ReceiptPayload : public Payload
{
  public:
    /**
     * @param units numbers of those that came, ascending
     * @param sent how many were sent
     */
    ReceiptPayload(std::vector<uint32_t> units, uint32_t sent);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @return the payload, of as many datapoints as there are bits
     */
    static std::shared_ptr<const ReceiptPayload> Parse(const uint8_t* bytes, std::size_t size);

    /// @return numbers of those that came, ascending
    const std::vector<uint32_t>& GetUnits() const;

  private:
    std::vector<uint32_t> m_units; //!< that came
    uint32_t m_sent;               //!< how many were sent
};

} // namespace collab
} // namespace ns3

#endif /* GRAPH_DISCOVERY_DATA_PAYLOADS_H */
