/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2s-position-allocator.h"

#include "ns3/abort.h"
#include "ns3/collab-error.h"
#include "ns3/double.h"
#include "ns3/log.h"

#include <sstream>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2sPositionAllocator");

namespace
{

constexpr std::size_t MOST_PAIRED = 10000; //!< devices of which all pairs are compared
constexpr std::size_t PARTNERS = 256;      //!< of each device, where they are more

} // namespace

NS_OBJECT_ENSURE_REGISTERED(D2sPositionAllocator);

TypeId
D2sPositionAllocator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2sPositionAllocator")
            .SetParent<PositionAllocator>()
            .SetGroupName("Collab")
            .AddConstructor<D2sPositionAllocator>()
            .AddAttribute("D2sDistanceFactor",
                          "Mean distance between a device and the base station, in units of the "
                          "mean distance of two devices.",
                          DoubleValue(3.0),
                          MakeDoubleAccessor(&D2sPositionAllocator::m_factor),
                          MakeDoubleChecker<double>(1e-3));
    return tid;
}

void
D2sPositionAllocator::SetDevices(std::vector<Vector> positions)
{
    NS_ABORT_MSG_IF(positions.size() < 2,
                    "D2sPositionAllocator::SetDevices: " << positions.size()
                                                         << " devices, at least 2 are needed");
    m_devices = std::move(positions);
}

double
D2sPositionAllocator::GetMeanDistance(const Vector& position) const
{
    double sum = 0;
    for (const auto& device : m_devices)
    {
        sum += CalculateDistance(device, position);
    }
    return sum / m_devices.size();
}

double
D2sPositionAllocator::GetMeanDeviceDistance() const
{
    const std::size_t count = m_devices.size();
    double sum = 0;
    if (count > MOST_PAIRED)
    {
        for (std::size_t device = 0; device < count; ++device)
        {
            for (std::size_t partner = 1; partner <= PARTNERS; ++partner)
            {
                const std::size_t other = device + partner * (count - 1) / PARTNERS;
                sum += CalculateDistance(m_devices[device], m_devices[other % count]);
            }
        }
        return sum / PARTNERS / count;
    }
    for (const auto& device : m_devices)
    {
        sum += GetMeanDistance(device);
    }
    // GetMeanDistance() counts the device itself, at distance 0
    return sum / (count - 1);
}

Vector
D2sPositionAllocator::GetNext() const
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(m_devices.empty(), "D2sPositionAllocator: call SetDevices() first");
    Vector middle;
    for (const auto& device : m_devices)
    {
        middle.x += device.x / m_devices.size();
        middle.y += device.y / m_devices.size();
        middle.z += device.z / m_devices.size();
    }
    const double between = GetMeanDeviceDistance();
    const double wanted = m_factor * between;
    const double least = GetMeanDistance(middle);
    if (least > wanted)
    {
        std::ostringstream message;
        message << "D2sDistanceFactor of " << m_factor << " is too small: the base station is "
                << least / between << " mean distances of two devices away even in their middle";
        throw UserError(message.str());
    }
    // The mean distance grows with height, and at height h it is at least h
    double low = 0;
    double high = wanted;
    for (int i = 0; i < 200 && low < high; ++i)
    {
        const double height = low + (high - low) / 2;
        const bool tooLow = GetMeanDistance(Vector(middle.x, middle.y, middle.z + height)) < wanted;
        (tooLow ? low : high) = height;
    }
    return Vector(middle.x, middle.y, middle.z + high);
}

int64_t
D2sPositionAllocator::AssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::collab
