/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_ANALOG_MESSAGES_H
#define FEDERATED_ANALOG_MESSAGES_H

#include "ns3/collab-analog-port.h"
#include "ns3/collab-fields.h"
#include "ns3/collab-learner.h"

#include <cstdint>
#include <optional>
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
/// @brief What a device sends of its change by analog aggregation (Zhu, Wang, Huang,
/// arXiv:1812.11494, section II), and what the server has to know before.
struct AnalogUpdate
{
    FederatedHead head;      //!< what the server has to know
    D2dAnalogValues numbers; //!< n_k (y_k - x), with n_k samples of the device
};

/// @param port to the server
/// @param change y_k - x
/// @param samples n_k
/// @return it; none if the server could not use it, or does not hear the device
std::optional<AnalogUpdate> MakeAnalogUpdate(const AnalogPort& port,
                                             const FlatVector& change,
                                             uint32_t samples);

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
