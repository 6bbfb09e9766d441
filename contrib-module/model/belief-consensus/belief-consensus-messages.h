/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_MESSAGES_H
#define BELIEF_CONSENSUS_MESSAGES_H

#include "ns3/collab-wire-format.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
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
 * @brief A public belief b_j, or a lie: any numbers.
 *
 * On the wire, little-endian: the numbers of its family, each of 4 or 8 bytes, and nothing else;
 * see BeliefModel::ToWire(). In single precision the message has the rounded numbers at once, so
 * that a receiver finds the same whether bytes cross the network or not.
 */
struct PublicBelief
{
    static constexpr uint16_t KIND = 1;
    static constexpr const char* NAME = "belief";

    /// None.
    PublicBelief() = default;
    /// @param exact numbers
    /// @param howToWrite FLOAT32 or FLOAT64
    PublicBelief(std::vector<double> exact, BeliefPrecision howToWrite);

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(precision, "as the precision of beliefs");
        fields.Coded(*this);
    }

    /// @return bytes on the wire
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets the numbers appended
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader at the numbers, after which nothing comes
    /// @throws PayloadError if the bytes are not whole numbers of the precision's size
    void Read(WireReader& reader);

    std::vector<double> numbers;                          //!< as the receiver gets them
    BeliefPrecision precision = BeliefPrecision::FLOAT64; //!< how they are written
};

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_MESSAGES_H */
