/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_MESSAGES_H
#define BELIEF_CONSENSUS_MESSAGES_H

#include "ns3/collab-fields.h"

#include <cstdint>
#include <optional>
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
 * On the wire, little-endian: a degree of 4 bytes where degrees are told, a share of 4 bytes for each
 * user where influences are estimated, and the numbers of its
 * family, each of 4 or 8 bytes; see BeliefModel::ToWire(). In single precision the message has the
 * rounded numbers at once, so that a receiver finds the same whether bytes cross the network or
 * not. Each number is a unit, which may arrive without the others.
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
        fields.Shape(degree.has_value(), "as the number of degrees");
        if (degree)
        {
            fields(*degree);
        }
        fields.Shape(shares.size(), "as the number of shares");
        fields.Vector(shares, shares.size(), "shares");
        fields.Coded(*this);
    }

    /// @return number of its numbers
    uint32_t CountUnits() const;
    /// @return bytes of each
    uint32_t GetUnitSize() const;
    /// @param units which numbers have come, ascending
    void Keep(const std::vector<uint32_t>& units);
    /// @throws PayloadError if there are not as many numbers as have come, or shares are none
    void Check() const;

    /// @return bytes on the wire
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets the numbers appended
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader at the numbers, after which nothing comes
    /// @throws PayloadError if the bytes are not whole numbers of the precision's size
    void Read(WireReader& reader);

    std::vector<double> numbers;                          //!< as the receiver gets them
    BeliefPrecision precision = BeliefPrecision::FLOAT64; //!< how they are written
    std::optional<uint32_t> degree; //!< how many neighbors its user has heard; none: not told
    /// of each user in its user's belief, which sum to 1: a row of a power of W; empty: not told
    std::vector<float> shares;
    Arrival arrived;                //!< which numbers have come
};

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_MESSAGES_H */
