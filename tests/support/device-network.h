/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_DEVICE_NETWORK_H
#define SUPPORT_DEVICE_NETWORK_H

#include "support/protocol-bench.h"

#include <gtest/gtest.h>

namespace tests
{

/// Devices that all hear each other, every link with one and the same outage probability
class DeviceNetwork : public ::testing::Test, public ProtocolBench
{
  protected:
    using ProtocolBench::Run; // not that of GoogleTest

    void
    TearDown() override
    {
        Reset();
    }
};

} // namespace tests

#endif /* SUPPORT_DEVICE_NETWORK_H */
