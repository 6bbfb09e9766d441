/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_PAYLOADS_H
#define BELIEF_CONSENSUS_PAYLOADS_H

#include "ns3/collab-message.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief How the numbers of a belief are written.
enum class BeliefPrecision : uint8_t
{
    FAMILY,  //!< as the family of beliefs has it: networks in single precision, others in double
    FLOAT32, //!< IEEE 754 single precision
    FLOAT64, //!< IEEE 754 double precision
};

/**
 * @ingroup collab
 * @brief A public belief b_j.
 *
 * On the wire, little-endian: the numbers of its family, each of 4 or 8 bytes, and nothing else;
 * see BeliefModel::ToWire(). In single precision the payload has the rounded numbers at once, so
 * that a receiver finds the same whether bytes cross the network or not.
 */
class BeliefPayload : public Payload
{
  public:
    /**
     * @param numbers of the belief, or of a lie: any
     * @param precision FLOAT32 or FLOAT64
     */
    BeliefPayload(std::vector<double> numbers, BeliefPrecision precision);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param precision FLOAT32 or FLOAT64
     * @return the payload; nobody has checked that it is a belief
     * @throws PayloadError if the bytes are not whole numbers of the precision's size
     */
    static std::shared_ptr<const BeliefPayload> Parse(const uint8_t* bytes,
                                                      std::size_t size,
                                                      BeliefPrecision precision);

    /// @return the numbers
    const std::vector<double>& GetNumbers() const;
    /// @return FLOAT32 or FLOAT64
    BeliefPrecision GetPrecision() const;

  private:
    std::vector<double> m_numbers; //!< as the receiver gets them
    BeliefPrecision m_precision;   //!< how they are written
};

} // namespace collab
} // namespace ns3

#endif /* BELIEF_CONSENSUS_PAYLOADS_H */
