/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_BOUNDS_H
#define COMMITTEE_BOUNDS_H

#include "ns3/committee-message.h"

#include <cstddef>
#include <cstdint>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief The most that a member says under the rule BYZANTINE.
 *
 * What is longer is not kept, whoever has signed it: so all that a device buffers of others is
 * bounded in bytes.
 */
struct CommitteeBounds
{
    std::size_t devices = 0; //!< K
    std::size_t members = 0; //!< C
    std::size_t clients = 0; //!< n

    /// @param message of a member
    /// @return whether an honest one may be as long
    bool Allows(const ConsensusMessage& message) const;
    /// @param authenticatorBytes size of an authenticator [B]
    /// @return size of the longest message SCORES that is allowed [B]
    uint64_t GetMostTableBytes(uint64_t authenticatorBytes) const;
    /// @param authenticatorBytes size of an authenticator [B]
    /// @return size of the longest message that is allowed, a REQUEST [B]
    uint64_t GetMostBytes(uint64_t authenticatorBytes) const;
};

} // namespace ns3::collab

#endif /* COMMITTEE_BOUNDS_H */
