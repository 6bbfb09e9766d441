/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_PAYLOADS_H
#define GOSSIP_PAYLOADS_H

#include "ns3/collab-learner.h"
#include "ns3/collab-message.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief A few whole numbers: versions, pairs, rates, or the segment that is asked for.
 *
 * On the wire, little-endian: their number (4 bytes), then each (4 bytes).
 */
class GossipNumbersPayload : public Payload
{
  public:
    /// @param numbers to be sent
    explicit GossipNumbersPayload(std::vector<uint32_t> numbers);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @return the payload
     * @throws PayloadError if the bytes are not exactly one
     */
    static std::shared_ptr<const GossipNumbersPayload> Parse(const uint8_t* bytes,
                                                             std::size_t size);

    /// @return the numbers
    const std::vector<uint32_t>& GetNumbers() const;

  private:
    std::vector<uint32_t> m_numbers; //!< to be sent
};

/**
 * @ingroup collab
 * @brief Weights: a model with its version, a segment with its number, or those of a mask.
 *
 * On the wire, little-endian: version or segment, number of samples (4 bytes each); the weights in
 * IEEE 754 single precision (4 bytes each, each as often as it is repeated, the last one perhaps
 * less often).
 */
class GossipWeightsPayload : public Payload
{
  public:
    /**
     * @param number version of the model, or number of the segment
     * @param samples data size of the sender
     * @param weights all of them or a part
     * @param multiplicity how many numbers each weight stands for; see Learner::GetMultiplicity()
     * @param count numbers that all of them stand for, if the last one stands for fewer; 0 if not
     */
    GossipWeightsPayload(uint32_t number,
                         uint32_t samples,
                         FlatVector weights,
                         uint32_t multiplicity,
                         std::size_t count = 0);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param multiplicity how many numbers each weight stands for
     * @return the payload
     * @throws PayloadError if the bytes are not exactly one
     */
    static std::shared_ptr<const GossipWeightsPayload> Parse(const uint8_t* bytes,
                                                             std::size_t size,
                                                             uint32_t multiplicity);

    /**
     * @brief Decide whether it can be believed.
     *
     * @param count of numbers that there must be
     * @param maxSamples greatest data size of a device
     * @throws PayloadError if there are not as many, one is not finite, or the data size is 0 or
     * above maxSamples
     */
    void Check(std::size_t count, uint32_t maxSamples) const;

    /// @return version of the model, or number of the segment
    uint32_t GetNumber() const;
    /// @return data size of the sender
    uint32_t GetSamples() const;
    /// @return the weights
    const FlatVector& GetWeights() const;

  private:
    uint32_t m_number;       //!< version of the model, or number of the segment
    uint32_t m_samples;      //!< data size of the sender
    FlatVector m_weights;    //!< all of them or a part
    uint32_t m_multiplicity; //!< how many numbers each weight stands for
    std::size_t m_count;     //!< numbers that all stand for
};

} // namespace collab
} // namespace ns3

#endif /* GOSSIP_PAYLOADS_H */
