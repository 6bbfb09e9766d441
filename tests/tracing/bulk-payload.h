/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRACING_BULK_PAYLOAD_H
#define TRACING_BULK_PAYLOAD_H

#include "ns3/collab-message.h"

#include <cstdint>
#include <vector>

namespace tests
{

/// A megabyte, whose airtime is 8 s
class BulkPayload : public ns3::collab::Payload
{
  public:
    uint64_t
    WireSize() const override
    {
        return 1000000;
    }

    void
    Serialize(std::vector<uint8_t>& bytes) const override
    {
        bytes.resize(bytes.size() + WireSize());
    }
};

} // namespace tests

#endif /* TRACING_BULK_PAYLOAD_H */
