/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-torch-device.h"

#include <array>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <gtest/gtest.h>
#include <thread>
#include <utility>

namespace
{

using c10::Device;
using c10::DeviceIndex;
using c10::Stream;
using ns3::collab::DeviceScope;

constexpr auto NO_GPU = c10::DeviceType::PrivateUse1; //!< a type of device that nobody else uses

/// What the devices of this type are at
struct Accelerators
{
    DeviceIndex device = 0;                 //!< the present one
    std::array<c10::StreamId, 2> streams{}; //!< the present one of each
    c10::StreamId made = 0;                 //!< streams from the pool
};

thread_local Accelerators t_accelerators;

/// Two devices without memory, which tell what streams they are given
class CountingGuard final : public c10::impl::DeviceGuardImplInterface
{
  public:
    c10::DeviceType
    type() const override
    {
        return NO_GPU;
    }

    Device
    exchangeDevice(Device device) const override
    {
        return {NO_GPU, std::exchange(t_accelerators.device, device.index())};
    }

    Device
    getDevice() const override
    {
        return {NO_GPU, t_accelerators.device};
    }

    void
    setDevice(Device device) const override
    {
        t_accelerators.device = device.index();
    }

    void
    uncheckedSetDevice(Device device) const noexcept override
    {
        t_accelerators.device = device.index();
    }

    Stream
    getStream(Device device) const noexcept override
    {
        return Stream(Stream::UNSAFE, device, t_accelerators.streams[device.index()]);
    }

    Stream
    getStreamFromGlobalPool(Device device, bool) const override
    {
        return Stream(Stream::UNSAFE, device, ++t_accelerators.made);
    }

    Stream
    exchangeStream(Stream stream) const noexcept override
    {
        return Stream(Stream::UNSAFE,
                      stream.device(),
                      std::exchange(t_accelerators.streams[stream.device_index()], stream.id()));
    }

    DeviceIndex
    deviceCount() const noexcept override
    {
        return 2;
    }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, CountingGuard);

/// @return the stream that a job on a device works in
c10::StreamId
WorkOn(DeviceIndex index)
{
    const Device device(NO_GPU, index);
    const DeviceScope scope(device);
    EXPECT_EQ(t_accelerators.device, index);
    return t_accelerators.streams[index];
}

TEST(DeviceStreams, AThreadKeepsItsOwnAsLongAsItStaysOnItsDevice)
{
    std::thread([]() {
        EXPECT_EQ(WorkOn(1), 1);
        EXPECT_EQ(WorkOn(1), 1);
        EXPECT_EQ(WorkOn(0), 2);
        EXPECT_EQ(t_accelerators.device, 0);
        EXPECT_EQ(t_accelerators.streams, (std::array<c10::StreamId, 2>{}));
    }).join();
}

} // namespace
