/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SET_PAYLOADS_H
#define FEDERATED_SET_PAYLOADS_H

#include "ns3/federated-payloads.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief A device's model on its way to the other devices of its set.
 *
 * It travels as its change from the round's global model, which all that take part have.
 *
 * On the wire, little-endian: number of the exchange within the round, weight of the model (4 bytes
 * each); the encoded change.
 */
class FederatedSetPayload : public Payload
{
  public:
    /**
     * @param exchange number of the exchange within its round, from 0
     * @param samples number of samples that the model stands for, by which it is weighed
     * @param change of the weights
     */
    FederatedSetPayload(uint32_t exchange, uint32_t samples, EncodedVector change);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param dimension number of weights
     * @param multiplicity how many numbers each weight stands for
     * @return the payload
     * @throws PayloadError if the bytes are not exactly one
     */
    static std::shared_ptr<const FederatedSetPayload> Parse(const uint8_t* bytes,
                                                            std::size_t size,
                                                            std::size_t dimension,
                                                            uint32_t multiplicity = 1);

    /**
     * @brief Decide whether it can be believed.
     *
     * @param exchanges number of exchanges of a round
     * @param dimension number of weights
     * @param maxSamples greatest number of samples that a device can have
     * @throws PayloadError if there is no such exchange, the length differs, a number is not
     * finite, or the number of samples is 0 or above maxSamples
     */
    void Check(uint32_t exchanges, std::size_t dimension, uint32_t maxSamples) const;

    /// @return number of the exchange within its round
    uint32_t GetExchange() const;
    /// @return number of samples that the model stands for
    uint32_t GetSamples() const;
    /// @return change of the weights
    const FlatVector& GetChange() const;

  private:
    uint32_t m_exchange;    //!< number of the exchange within its round
    uint32_t m_samples;     //!< number of samples that the model stands for
    EncodedVector m_change; //!< of the weights
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_SET_PAYLOADS_H */
