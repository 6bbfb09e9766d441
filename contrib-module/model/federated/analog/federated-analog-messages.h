/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_ANALOG_MESSAGES_H
#define FEDERATED_ANALOG_MESSAGES_H

#include "ns3/collab-fields.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What the server has to know of a device that is ready to send its change by analog
/// aggregation.
struct FederatedHead
{
    static constexpr uint16_t KIND = 0x0404;
    static constexpr const char* NAME = "analog-head";

    uint32_t samples = 0; //!< of the device, its weight; expected: the most that are believed
    float limit = 0;      //!< greatest amplitude of its numbers at the server [sqrt(W)]

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(samples, limit);
    }

    /// @throws PayloadError if a number is not positive, or there are more samples than expected
    void Check(const FederatedHead& expected) const;
};

/// @ingroup collab
/// @brief What devices have to know of the slot of analog aggregation that begins when all have
/// this: the receiver's next pilot.
struct FederatedSlot
{
    static constexpr uint16_t KIND = 0x0405;
    static constexpr const char* NAME = "analog-slot";

    float amplitude = 0;          //!< with what a number 1 arrives at the server [sqrt(W)]
    std::vector<uint32_t> takers; //!< devices that send, in the order of their pilots, ascending

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(amplitude, takers);
    }

    /// @throws PayloadError if the amplitude is not positive
    void Check() const;
};

} // namespace ns3::collab

#endif /* FEDERATED_ANALOG_MESSAGES_H */
