/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PAYLOAD_ERROR_H
#define COLLAB_PAYLOAD_ERROR_H

#include <stdexcept>

namespace ns3::collab
{

/// @ingroup collab-messaging
/// @brief Bytes from a peer are not a payload of the kind that they claim to be.
class PayloadError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

} // namespace ns3::collab

#endif /* COLLAB_PAYLOAD_ERROR_H */
